"""Scores as programs print them: classification reports of scikit-learn, and scores written line by line.

Class names of a report may hold blanks, so a line is read from its right end: three scores and a support, or one score
and a support for accuracy. A value that is masked (``?``, ``-``, ``nan``, dots or crosses) is kept as it stands. What a
mail, a comment or a log puts before the header is taken off the lines that have it, too; a string as Python shows it
(``'...\n...'``) and a dictionary (``output_dict=True``, as JSON or as Python shows it) are read likewise.

"- Accuracy: 0.91" and "Accuracy = 0.91" below each other are a table of one row, "SVM: Acc=0.91, F1=0.90" is a row with
a label, and the next line with the same names is the next row. At least two of the names are those of scores; other
lists (hyperparameters, sizes) are none.

A report is a problem, too (``report_problem``): a value that is masked claims nothing, supports are needed. A row of
accuracy says that classes exclude each other; without one they are read as labels, of which less follows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from scoreproof.documents.formats import Contents, Source
from scoreproof.documents.table import rectangle, tidy
from scoreproof.errors import UnreadableInput
from scoreproof.limits import require_within
from scoreproof.quantities.measures import measure

if TYPE_CHECKING:
    from scoreproof.kinds.multi_class.problem import ClassesProblem

_BEFORE = r"(?P<before>[^\w\n]{0,20}|[^\n]{0,200}[-:>\]][ \t]{0,20})"  # marks, or what a log writes
HEADER = re.compile(rf"^[ \t]*+{_BEFORE}\bprecision[ \t]++recall[ \t]++f1-score[ \t]++support[ \t]*+$", re.MULTILINE)
AVERAGE = re.compile(r"(macro|weighted|micro|samples)[-_\s]*(?:avg|average)\.?|(avg\.?\s*/\s*total)", re.IGNORECASE)
SUMMARY = re.compile(r"\b(?:avg|average|total|mean|overall)\b", re.IGNORECASE)
LONGEST_LINE = 1_000  # characters
_VALUE = r"(\d*[.,]\d+%?|[01]|nan|NaN|[\d.]*\?[\d.?]*|-+|–|—|\*+|[xX]+|\.{2,}|…|_+)"
_ROW = re.compile(rf"(.*\S)\s+{_VALUE}\s+{_VALUE}\s+{_VALUE}\s+(\d[\d,.]*)")
_ACCURACY = re.compile(rf"accuracy\s+{_VALUE}(?:\s+(\d[\d,.]*))?")
_DICTIONARY = re.compile(r"\s*\{.{0,300}?['\"](?:precision|recall|f1-score|support)['\"]\s*:", re.DOTALL)
_ENTRY = re.compile(r"""(?:'([^'\n]{0,200})'|"([^"\n]{0,200})")\s*:\s*(?:\{([^{}]{0,500})\}|([\d.]{1,40}))""")
_SCORE = re.compile(r"""['"](precision|recall|f1-score|support)['"]\s*:\s*([^,\s]{1,40})""")
_NUMPY = re.compile(r"np\.(?:float|int)\d\d\(([^()]{0,40})\)")
_MOST_BLANKS = 3  # lines in a row after which a report has ended


class ReportRow(NamedTuple):
    """A row: its line, its label, precision, recall and F1 as printed, its support; of accuracy F1 alone."""

    line: int
    label: str
    scores: tuple[str, str, str]
    support: str

    @property
    def is_accuracy(self) -> bool:
        return self.label == "accuracy"


class ReportRows(NamedTuple):
    """A report: the line of its header, the line before it, its rows, and the line that ended it, if it is odd."""

    line: int
    caption: str
    rows: list[ReportRow]
    odd: tuple[int, str] | None = None


def is_report(text: str) -> bool:
    """Whether a text has a report in it.

    >>> is_report("> precision recall f1-score support"), is_report("precision and recall")
    (True, False)
    """
    return HEADER.search(_unescaped(text)) is not None or _DICTIONARY.match(text) is not None


def average_of(label: str) -> str:
    """Which average a row holds; nothing if it is none. Before 0.20 scikit-learn printed one alone, by support.

    >>> average_of("macro avg"), average_of("avg / total"), average_of("cat")
    ('macro', 'weighted', '')
    """
    named = AVERAGE.fullmatch(label.strip())
    return "" if named is None else (named[1] or "weighted").lower()


def report_rows(text: str) -> Iterator[ReportRows]:
    """Every report of a text."""
    if _DICTIONARY.match(text):
        yield _from_dictionary(_NUMPY.sub(r"\1", text))
        return
    lines = _unescaped(text).split("\n")
    number = 0
    while number < len(lines):
        header = HEADER.fullmatch(lines[number].strip()) if len(lines[number].strip()) <= LONGEST_LINE else None
        number += 1
        if header:
            report = _printed(lines, number, header["before"].strip())
            yield report
            number = max([number, *(row.line for row in report.rows)])


def _unescaped(text: str) -> str:
    """The text of a string as Python shows it; any other text as it is."""
    return text.strip().strip("'\"").replace("\\n", "\n") if "\\n" in text and text.lstrip()[:1] in "'\"" else text


def _printed(lines: list[str], start: int, before: str) -> ReportRows:
    marks = before if not any(map(str.isalnum, before)) else ""
    above = lines[start - 2].strip() if start > 1 else ""
    rows: list[ReportRow] = []
    blanks = 0
    for number in range(start, len(lines)):
        line = lines[number].strip()
        line = line.removeprefix(marks).strip() if marks else line
        if not line:
            blanks += 1
            if blanks > _MOST_BLANKS:
                break
            continue
        blanks = 0
        short = len(line) <= LONGEST_LINE
        accuracy, row = (_ACCURACY.fullmatch(line), _ROW.fullmatch(line)) if short else (None, None)
        if accuracy:
            rows.append(ReportRow(number + 1, "accuracy", ("", "", accuracy[1]), accuracy[2] or ""))
        elif row and row[1].lower() == "accuracy":  # pandas prints it in every column
            rows.append(ReportRow(number + 1, "accuracy", ("", "", row[4]), ""))
        elif row:
            rows.append(ReportRow(number + 1, " ".join(row[1].split()), (row[2], row[3], row[4]), row[5]))
        else:
            return ReportRows(start, above, rows, (number + 1, line))
    return ReportRows(start, above, rows)


def _from_dictionary(text: str) -> ReportRows:
    rows = []
    for single, double, inside, alone in _ENTRY.findall(text):
        label = single or double
        scores = dict(_SCORE.findall(inside))
        if alone and label == "accuracy":
            rows.append(ReportRow(1, label, ("", "", alone), ""))
        elif "support" in scores:
            own = tuple(scores.get(name, "") for name in ("precision", "recall", "f1-score"))
            rows.append(ReportRow(1, label, (own[0], own[1], own[2]), scores["support"].strip("\"'")))
    return ReportRows(1, "", rows)


TABLE_HEADER = ("", "precision", "recall", "f1-score", "support")


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
        if report.odd is not None and not any(average_of(row.label) for row in report.rows):
            number, line = report.odd
            contents.problems.append(f"line {number}: not a line of a classification report: {line[:60]!r}")
        if report.rows:
            grid = rectangle([TABLE_HEADER, *((row.label, *row.scores, row.support) for row in report.rows)], 1)
            contents.add(grid, caption=report.caption, line=report.line, kind="classification-report")


_PRINTED_VALUE = r"[<>~≈]?\s?\d[\d.,]*\s?%?(?:\s*(?:±|\+/-)\s*[\d.]+\s?%?)?"
_BULLET = r"\s{0,6}[-*+]\s+"
_NAMED = rf"(?P<name>[^:=|]{{1,60}}?)\s*[:=]\s*(?P<mark>[*_`]*)\s*(?P<value>{_PRINTED_VALUE})\s*(?P=mark)\s*"
_POINT = re.compile(rf"{_BULLET}{_NAMED}")
_PRINTED = re.compile(rf"\s{{0,12}}(?:[-*+]\s+)?(?=[*_`]*[A-Za-z]){_NAMED}")
_PAIR = re.compile(rf"(?P<name>[A-Za-z][\w @/-]{{0,30}}?)\s?[=:]\s?(?P<value>{_PRINTED_VALUE})(?=\s*(?:[,;|]|$))")
_LOG = re.compile(
    r"\b(?:epoch|step|iter(?:ation)?|batch|fold)\b\D?\s?\d|\d\s?/\s?\d", re.I
)  # of a training that goes on
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
    shape = _PRINTED if printed else _POINT
    at = 0
    while at < len(lines):
        rows, end = _labelled(lines, at) if printed else ([], at)
        if not rows:
            run, end = _points(lines, at, shape)
            rows = [[name for name, _ in run], [value for _, value in run]] if run else []
        if rows and _is_report([name for name in rows[0] if name]):
            yield ScoreList(at, end, rows, _above(lines, at))
        at = max(end, at + 1)


def _points(lines: Sequence[str], at: int, shape: re.Pattern[str]) -> tuple[list[tuple[str, str]], int]:
    """Names and values of the lines from a place on that have one each, and where they end."""
    run: list[tuple[str, str]] = []
    while at < len(lines) and len(run) < _MOST and len(lines[at]) <= _LONGEST:
        point = shape.fullmatch(lines[at])
        if (
            point is None or _LOG.search(lines[at]) or (run and tidy(point["name"].translate(_MARKS)) == run[0][0])
        ):  # the next report
            break
        run.append((tidy(point["name"].translate(_MARKS)), tidy(point["value"])))
        at += 1
    return run, at


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


def _is_report(names: Sequence[str]) -> bool:
    if len(names) < _FEWEST or len(set(names)) < len(names):
        return False
    return sum(measure(name) is not None for name in names) >= _FEWEST


def _above(lines: Sequence[str], start: int) -> str:
    """The nearest line above that says something."""
    near = (tidy(line.translate(_MARKS)).lstrip("# ") for line in reversed(lines[max(0, start - 3) : start]))
    return next((text for text in near if re.search(r"\w", text)), "")[:300]


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
    from scoreproof.kinds.multi_class.problem import classes_problem

    rows = _only_report(text)
    classes = [row for row in rows if not row.is_accuracy and not average_of(row.label)]
    if not classes:
        raise UnreadableInput("report: no class was read")
    counts = [_support(row) for row in classes]
    _require_whole(rows, classes, counts)
    scores: dict[str, Any] = {}
    for row in rows:
        average = average_of(row.label)
        if row.is_accuracy and _told(row.scores[2]):
            scores["acc"] = row.scores[2]
        elif average and average != "samples":
            values = zip(_NAMES, row.scores, strict=True)
            scores |= {f"{average} {name}": value for name, value in values if _told(value)}
    for place, name in enumerate(_NAMES):
        own = [_told(row.scores[place]) for row in classes]
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


def _told(value: str) -> str | None:
    return value if any(map(str.isdigit, value)) and "?" not in value else None
