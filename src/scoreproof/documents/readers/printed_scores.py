"""Scores as programs print them: classification reports of scikit-learn, and scores written line by line.

Class names of a report may hold blanks, so a line is read from its right end: three scores and a support, or one score
and a support for accuracy. What a mail or a log puts before the header is taken off the other lines, too; a masked
value (``?``, ``-``, ``nan``, dots or crosses) is kept as it stands, and claims nothing.

"- Accuracy: 0.91" and "Accuracy = 0.91" below each other are a table of one row, "SVM: Acc=0.91, F1=0.90" is a row with
a label. At least two of the names are those of scores; other lists (hyperparameters, sizes) are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from scoreproof.documents.formats import DICTIONARY, REPORT, Contents, Source
from scoreproof.documents.table import rectangle, tidy
from scoreproof.errors import UnreadableInput
from scoreproof.limits import require_within
from scoreproof.quantities.measures import measure

if TYPE_CHECKING:
    from scoreproof.kinds.multi_class.problem import ClassesProblem

_AVERAGE = re.compile(r"(macro|weighted|micro|samples)[-_\s]*(?:avg|average)\.?|avg\.?\s*/\s*total|(accuracy)", re.I)
_SUMMARY = re.compile(r"\b(?:avg|average|total|mean|overall)\b", re.IGNORECASE)
_LONGEST_LINE = 1_000  # characters
_VALUE = r"(\d*[.,]\d+%?|[01]|nan|NaN|[\d.]*\?[\d.?]*|-+|–|—|\*+|[xX]+|\.{2,}|…|_+)"
_ROW = re.compile(rf"(.*\S)\s+{_VALUE}\s+{_VALUE}\s+{_VALUE}\s+(\d[\d,.]*)|accuracy\s+{_VALUE}(?:\s+(\d[\d,.]*))?")
_ENTRY = re.compile(r"""(['"])((?:(?!\1)[^\n]){0,200})\1\s*:\s*(?:\{([^{}]{0,500})\}|([\d.]{1,40}))""")
_SCORE = re.compile(r"""['"](precision|recall|f1-score|support)['"]\s*:\s*([^,\s]{1,40})""")
_NUMPY = re.compile(r"np\.(?:float|int)\d\d\(([^()]{0,40})\)")
_MOST_BLANKS = 3  # lines in a row after which a report has ended


class ReportRow(NamedTuple):
    """A row: its line, its label, precision, recall and F1 as printed, its support; of accuracy F1 alone."""

    line: int
    label: str
    scores: tuple[str, str, str]
    support: str


class ReportRows(NamedTuple):
    """A report: the line of its header, the line before it, its rows, and what is wrong with the line that ended it."""

    line: int
    caption: str
    rows: list[ReportRow]
    odd: str = ""


def average_of(label: str) -> str:
    """Which average a row holds, if any; before 0.20 scikit-learn printed one alone, by support.

    >>> [average_of(label) for label in ("macro avg", "avg / total", "accuracy", "cat")]
    ['macro', 'weighted', 'accuracy', '']
    """
    named = _AVERAGE.fullmatch(label.strip())
    return "" if named is None else (named[1] or named[2] or "weighted").lower()


def report_rows(text: str) -> Iterator[ReportRows]:
    """Every report of a text."""
    if DICTIONARY.match(text):
        yield ReportRows(1, "", list(_from_dictionary(_NUMPY.sub(r"\1", text))))
        return
    lines = [line.strip() for line in text.split("\n")]
    end = 0
    for number, line in enumerate(lines, 1):
        header = REPORT.fullmatch(line) if number > end and len(line) <= _LONGEST_LINE else None
        if header:
            before = header["before"].strip()
            rows, odd = _printed(lines, number, "" if any(map(str.isalnum, before)) else before)
            end = max([number, *(row.line for row in rows)])
            yield ReportRows(number, lines[number - 2] if number > 1 else "", rows, odd)


def _printed(lines: Sequence[str], start: int, marks: str) -> tuple[list[ReportRow], str]:
    rows: list[ReportRow] = []
    last = start
    for number, line in enumerate(lines[start:], start + 1):
        line = line.removeprefix(marks).strip()
        if not line and number - last <= _MOST_BLANKS:
            continue
        row = _ROW.fullmatch(line) if len(line) <= _LONGEST_LINE else None
        if row is None:
            ended = not line or any(average_of(row.label) for row in rows)
            about = f"line {number}: no line of a classification report ({len(line):,} characters): {line[:60]!r}"
            return rows, "" if ended else about
        last = number
        if row[1] and row[1].lower() != "accuracy":
            rows.append(ReportRow(number, " ".join(row[1].split()), (row[2], row[3], row[4]), row[5]))
        else:  # pandas prints it in every column
            rows.append(ReportRow(number, "accuracy", ("", "", row[4] or row[6]), row[7] or ""))
    return rows, ""


def _from_dictionary(text: str) -> Iterator[ReportRow]:
    for _, label, inside, alone in _ENTRY.findall(text):
        scores = dict(_SCORE.findall(inside))
        if "support" in scores or (alone and label == "accuracy"):
            own = (scores.get("precision", ""), scores.get("recall", ""), scores.get("f1-score", alone))
            yield ReportRow(1, label, own, scores.get("support", "").strip("\"'"))


def read(source: Source) -> Contents:
    """Every report of a text, one at least."""
    contents = Contents(source)
    add_reports(contents, source.text)
    if not contents.tables:
        raise UnreadableInput("classification report: a header 'precision recall f1-score support' without rows")
    return contents


def add_reports(contents: Contents, text: str) -> None:
    """The reports of a text; other lines are passed over, odd lines inside a report are a problem."""
    for report in report_rows(text):
        contents.problems += [report.odd] if report.odd else []
        if report.rows:
            header = ("", "precision", "recall", "f1-score", "support")
            grid = rectangle([header, *((row.label, *row.scores, row.support) for row in report.rows)], 1)
            contents.add(grid, caption=report.caption, line=report.line, kind="classification-report")


_PRINTED_VALUE = r"[<>~≈]?\s?\d[\d.,]*\s?%?(?:\s*(?:±|\+/-)\s*[\d.]+\s?%?)?"
_NAMED = rf"(?P<name>[^:=|]{{1,60}}?)\s*[:=]\s*(?P<mark>[*_`]*)\s*(?P<value>{_PRINTED_VALUE})\s*(?P=mark)\s*"
_POINT = re.compile(rf"\s{{0,6}}[-*+]\s+{_NAMED}")
_PRINTED = re.compile(rf"\s{{0,12}}(?:[-*+]\s+)?(?=[*_`]*[A-Za-z]){_NAMED}")
_PAIR = re.compile(rf"(?P<name>[A-Za-z][\w @/-]{{0,30}}?)\s?[=:]\s?(?P<value>{_PRINTED_VALUE})(?=\s*(?:[,;|]|$))")
# What a training that goes on prints.
_LOG = re.compile(r"\b(?:epoch|step|iter(?:ation)?|batch|fold)\b\D?\s?\d|\d\s?/\s?\d", re.IGNORECASE)
_MARKS = str.maketrans("", "", "*`_")
_FEWEST = 2
_MOST = 60  # lines of one list
_LONGEST = 200  # characters of a line


class ScoreList(NamedTuple):
    """Scores with their names above them, and the lines they stand in: the first, and the one behind the last."""

    start: int
    end: int
    rows: list[list[str]]
    caption: str


def score_lists(lines: Sequence[str], *, printed: bool = False) -> Iterator[ScoreList]:
    """Every list of scores; without bullets only where a program ``printed`` the lines.

    >>> (scores,) = score_lists(["It gives:", "- Loss: 0.31", "- Accuracy: 0.91", "- **F1**: 0.90"])
    >>> scores.start, scores.rows
    (1, [['Loss', 'Accuracy', 'F1'], ['0.31', '0.91', '0.90']])
    >>> (scores,) = score_lists(["SVM: Acc=0.91, F1=0.90", "k-NN: Acc=0.88, F1=0.85"], printed=True)
    >>> scores.rows
    [['', 'Acc', 'F1'], ['SVM', '0.91', '0.90'], ['k-NN', '0.88', '0.85']]
    """
    at = 0
    while at < len(lines):
        rows, end = _labelled(lines, at) if printed else ([], at)
        if not rows:
            rows, end = _points(lines, at, _PRINTED if printed else _POINT)
        names = [name for name in rows[0] if name]
        if len(set(names)) == len(names) and sum(measure(name) is not None for name in names) >= _FEWEST:
            near = (tidy(line.translate(_MARKS)).lstrip("# ") for line in reversed(lines[max(0, at - 3) : at]))
            above = next((text for text in near if re.search(r"\w", text)), "")
            yield ScoreList(at, end, rows, above[:300])
        at = max(end, at + 1)


def _points(lines: Sequence[str], at: int, shape: re.Pattern[str]) -> tuple[list[list[str]], int]:
    """Names and values of the lines from a place on that have one each, and where they end."""
    names: list[str] = []
    values: list[str] = []
    while at < len(lines) and len(names) < _MOST and len(lines[at]) <= _LONGEST:
        point = None if _LOG.search(lines[at]) else shape.fullmatch(lines[at])
        name = "" if point is None else tidy(point["name"].translate(_MARKS))
        if point is None or [name] == names[:1]:  # the next report
            break
        names.append(name)
        values.append(tidy(point["value"]))
        at += 1
    return [names, values], at


def _labelled(lines: Sequence[str], at: int) -> tuple[list[list[str]], int]:
    """The rows of lines with a label and the same names each, the names first, and where they end."""
    rows: list[list[str]] = []
    while at < len(lines) and len(rows) <= _MOST and len(lines[at]) <= _LONGEST:
        label, _, rest = lines[at].partition(": ")
        pairs = [(tidy(match["name"]), tidy(match["value"])) for match in _PAIR.finditer(rest or label)]
        names = ["", *(name for name, _ in pairs)]
        if len(pairs) < _FEWEST or _LOG.search(lines[at]) or (rows and names != rows[0]):
            break
        rows += [] if rows else [names]
        rows.append([re.sub(r"^\s*\d{1,3}[.)]\s+", "", label).strip() if rest else "", *(value for _, value in pairs)])
        at += 1
    return rows, at


_NAMES = ("ppv", "sens", "f1")
_TOLD = re.compile(r"[^?]*\d[^?]*")  # of a value that is not masked
_SUPPORT = re.compile(r"(\d+(?:,\d{3})*)(?:\.0*)?")


def report_problem(text: str, **options: Any) -> ClassesProblem:
    """The problem that the report of a text poses; options are those of reports on several classes.

    A row of accuracy says that classes exclude each other; without one they are labels, of which less follows.

    >>> report_problem('''            precision    recall  f1-score   support
    ...      cat       0.50      1.00      0.67        10
    ...      cow          ?      1.00         ?        10
    ... accuracy                           1.00        20''').classes
    ('cat', 'cow')
    """
    from scoreproof.kinds.multi_class.problem import classes_problem

    rows = _only_report(text)
    classes: list[ReportRow] = []
    totals: set[int] = set()
    printed: dict[str, str] = {}
    for row in rows:
        average = average_of(row.label)
        if not average:
            classes.append(row)
        elif row.support:
            totals.add(_support(row))
        if average == "accuracy":
            printed["acc"] = row.scores[2]
        elif average not in ("", "samples"):
            printed |= dict(zip((f"{average} {name}" for name in _NAMES), row.scores, strict=True))
    scores: dict[str, Any] = {name: value for name, value in printed.items() if _TOLD.fullmatch(value)}
    for place, name in enumerate(_NAMES):
        own = [row.scores[place] if _TOLD.fullmatch(row.scores[place]) else None for row in classes]
        scores |= {name: own} if any(own) else {}
    counts = _counts(classes, totals)
    options.setdefault("rounding", "nearest" if options.get("eps") is None else None)
    return classes_problem([row.label for row in classes], [counts], scores, exclusive="acc" in printed, **options)


def _only_report(text: str) -> list[ReportRow]:
    reports = list(report_rows(text))
    if len(reports) != 1:
        lines = f" (lines {', '.join(str(report.line) for report in reports)})" if reports else ""
        raise UnreadableInput(
            f"report: expected one, found {len(reports)}{lines}; it begins with 'precision recall f1-score support'; "
            "'scoreproof audit' reads several, and tables in other forms"
        )
    if reports[0].odd:
        raise UnreadableInput(f"report, {reports[0].odd}")
    return reports[0].rows


def _counts(classes: Sequence[ReportRow], totals: set[int]) -> list[int]:
    """The supports of the classes, none of which is a sum of others, and which make up the cases printed of all."""
    for row in classes:
        if _SUMMARY.search(row.label):
            raise UnreadableInput(
                f"report, line {row.line}: {row.label!r} may be an average of the classes or a class; name it as "
                "'macro avg', 'weighted avg' or 'micro avg', or leave it out"
            )
    counts = [_support(row) for row in classes]
    if not counts or totals - {sum(counts)}:
        printed = " and ".join(map(str, sorted(totals))) or "none"
        raise UnreadableInput(
            f"report: the {len(counts)} classes have {sum(counts)} cases, of all of them {printed} are printed; a row "
            "is missing or a support is wrong; leave the numbers of all cases out to test the classes as they are"
        )
    return counts


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
