"""A classification report as scikit-learn prints it, pasted or from a file, whole or with values masked, as a problem.

A value that is masked (``?``, ``-``, ``nan``, dots or crosses) claims nothing. Supports are needed. A row of accuracy
says that classes exclude each other; without one they are read as labels, of which less follows.
"""

from __future__ import annotations

import re
from typing import Any

from scoreproof.errors import UnreadableInput
from scoreproof.kinds.multi_class.problem import ClassesProblem
from scoreproof.kinds.multi_class.reading import classes_problem
from scoreproof.limits import require_within

_HEADER = re.compile(r"precision\s+recall\s+f1-score\s+support")
_VALUE = r"(\d*[.,]\d+%?|[01]|nan|NaN|\?+|-+|–|—|\*+|[xX]+|\.{2,}|…|_+)"
_ROW = re.compile(rf"(.*\S)\s+{_VALUE}\s+{_VALUE}\s+{_VALUE}\s+(\d[\d,]*)")
_ACCURACY = re.compile(rf"accuracy\s+{_VALUE}(?:\s+(\d[\d,]*))?")
_LONGEST_LINE = 1_000  # characters
_NAMES = ("ppv", "sens", "f1")


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
    lines = [line.strip() for line in text.splitlines()]
    start = next((at for at, line in enumerate(lines) if _HEADER.fullmatch(line)), None)
    if start is None:
        raise UnreadableInput("report: expected a line 'precision recall f1-score support', as scikit-learn prints it")
    names: list[str] = []
    counts: list[int] = []
    own: dict[str, list[str | None]] = {name: [] for name in _NAMES}
    scores: dict[str, Any] = {}
    single = False
    for number, line in enumerate(lines[start + 1 :], start=start + 2):
        if len(line) > _LONGEST_LINE:
            raise UnreadableInput(f"report, line {number}: {len(line):,} characters; no such line is printed")
        accuracy, row = _ACCURACY.fullmatch(line), _ROW.fullmatch(line)
        if accuracy:
            single = True
            if _printed(accuracy[1]):
                scores["acc"] = accuracy[1]
        elif row and re.fullmatch(r"(?i)(macro|weighted|micro|samples) avg", row[1]):
            average = row[1].split()[0].lower()
            if average != "samples":
                values = zip(_NAMES, row.groups()[1:4], strict=True)
                scores |= {f"{average} {name}": value for name, value in values if _printed(value)}
        elif row:
            names.append(row[1])
            counts.append(_support(row[5], number))
            for name, value in zip(_NAMES, row.groups()[1:4], strict=True):
                own[name].append(_printed(value))
        elif line:
            if scores and ("macro" in " ".join(scores) or "weighted" in " ".join(scores)):
                break  # what follows the averages is no report
            raise UnreadableInput(f"report, line {number}: expected three scores and a support, got {line[:60]!r}")
    if not names:
        raise UnreadableInput("report: no class was read")
    scores |= {name: values for name, values in own.items() if any(values)}
    options.setdefault("rounding", None if options.get("eps") is not None else "nearest")
    return classes_problem(names, [counts], scores, exclusive=single, **options)


def _support(text: str, number: int) -> int:
    digits = text.replace(",", "")
    require_within("digits", len(digits), f"report, line {number}: support")
    return int(digits)


def _printed(value: str) -> str | None:
    return value if any(map(str.isdigit, value)) else None
