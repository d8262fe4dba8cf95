"""A classification report as scikit-learn makes it, pasted or from a file, whole or with values masked, as a problem.

A value that is masked claims nothing. Supports are needed. A row of accuracy says that classes exclude each other;
without one they are read as labels, of which less follows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from scoreproof.documents.readers.printed_scores import LONGEST_LINE, SUMMARY, ReportRow, average_of, report_rows
from scoreproof.errors import UnreadableInput
from scoreproof.kinds.multi_class.problem import ClassesProblem, classes_problem
from scoreproof.limits import require_within

_NAMES = ("ppv", "sens", "f1")
_SUPPORT = re.compile(r"(\d+(?:,\d{3})*)(?:\.0*)?")


def report_problem(text: str, **options: Any) -> ClassesProblem:
    """The problem a printed report poses; options are those of reports on several classes (rounding to nearest).

    >>> report_problem('''            precision    recall  f1-score   support
    ...
    ...      cat       0.50      1.00      0.67        10
    ...      cow          ?      1.00         ?        10
    ...      dog       0.50      1.00      0.67        10
    ...
    ... accuracy                           1.00        30''').classes
    ('cat', 'cow', 'dog')
    """
    rows = _only_report(text)
    classes = [row for row in rows if not row.is_accuracy and not average_of(row.label)]
    if not classes:
        raise UnreadableInput("report: no class was read")
    counts = [_support(row) for row in classes]
    _require_whole(rows, classes, counts)
    scores: dict[str, Any] = {}
    for row in rows:
        average = average_of(row.label)
        if row.is_accuracy and _printed(row.scores[2]):
            scores["acc"] = row.scores[2]
        elif average and average != "samples":
            values = zip(_NAMES, row.scores, strict=True)
            scores |= {f"{average} {name}": value for name, value in values if _printed(value)}
    for place, name in enumerate(_NAMES):
        own = [_printed(row.scores[place]) for row in classes]
        if any(own):
            scores[name] = own
    options.setdefault("rounding", None if options.get("eps") is not None else "nearest")
    single = any(row.is_accuracy for row in rows)
    return classes_problem([row.label for row in classes], [counts], scores, exclusive=single, **options)


def _only_report(text: str) -> list[ReportRow]:
    """The rows of the one report of a text."""
    reports = list(report_rows(text))
    if not reports:
        raise UnreadableInput(
            "report: expected a line 'precision recall f1-score support', as scikit-learn prints it, or a dictionary "
            "of these; 'scoreproof audit' reads tables in other forms"
        )
    if len(reports) > 1:
        places = ", ".join(str(report.line) for report in reports)
        raise UnreadableInput(f"report: expected one, found {len(reports)} (lines {places}); give them one by one")
    report = reports[0]
    if report.odd is not None and not any(average_of(row.label) for row in report.rows):  # else the report has ended
        number, line = report.odd
        if len(line) > LONGEST_LINE:
            raise UnreadableInput(f"report, line {number}: {len(line):,} characters; no such line is printed")
        raise UnreadableInput(f"report, line {number}: expected three scores and a support, got {line[:60]!r}")
    return report.rows


def _require_whole(rows: Sequence[ReportRow], classes: Sequence[ReportRow], counts: Sequence[int]) -> None:
    """No class that is a sum of the others, and the cases that are printed of all."""
    for row in classes:
        if SUMMARY.search(row.label):
            raise UnreadableInput(
                f"report, line {row.line}: {row.label!r} may be an average of the classes or a class; name it as "
                "'macro avg', 'weighted avg' or 'micro avg', or leave it out"
            )
    totals = {_support(row) for row in rows if row.support and (row.is_accuracy or average_of(row.label))}
    if totals and totals != {sum(counts)}:
        printed = " and ".join(map(str, sorted(totals)))
        raise UnreadableInput(
            f"report: the classes have {sum(counts)} cases, of all of them {printed} are printed; a row is missing or "
            "a support is wrong; leave the numbers of all cases out to have the classes tested as they are"
        )


def _support(row: ReportRow) -> int:
    whole = _SUPPORT.fullmatch(row.support)
    if whole is None:
        raise UnreadableInput(
            f"report, line {row.line}: expected a whole number of cases, got {row.support[:40]!r}; reports with "
            "weights of cases are not covered"
        )
    digits = whole[1].replace(",", "")
    require_within("digits", len(digits), f"report, line {row.line}: support")
    return int(digits)


def _printed(value: str) -> str | None:
    return value if any(map(str.isdigit, value)) and "?" not in value else None
