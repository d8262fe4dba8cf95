"""Tables of plain text: separated values, columns made of blanks, and scores as programs print them.

Columns that are two or more blanks apart are told by their places on the line. Where one blank separates everything
(copied from a PDF viewer) a line is a label followed by values, and it is a table only if every line has as many values
as the header has names; otherwise the text is refused, not guessed. Class names of a classification report may hold
blanks, so its lines are read from the right end. Lines such as "Accuracy = 0.91" are a table of one row, "SVM:
Acc=0.91, F1=0.90" is a row with a label, if at least two of the names are those of scores.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from scoreproof.csv_reader import Content, Line, each_line, separator_of
from scoreproof.documents.formats import DICTIONARY, REPORT, Contents, Source, looked_through
from scoreproof.documents.table import CAPTION, Span, Table, rectangle, tidy
from scoreproof.limits import require_within
from scoreproof.quantities.measures import measure


def read(source: Source) -> Contents:
    """Every table of a text, as its format says."""
    contents = Contents(source)
    {"text": _with_blanks, "classification-report": add_reports}.get(source.format, _delimited)(contents, source.text)
    return contents


def _delimited(contents: Contents, text: str) -> None:
    separator = "\t" if contents.source.format == "tsv" else separator_of(text)
    lines = list(each_line(Content(contents.source.name or "text", text), separator))
    # Without quotes, odd characters and double blanks there is nothing to tidy inside the cells.
    if '"' in text or "  " in text or not text.isascii() or not text.replace("\n", "").isprintable():
        lines = [(number, list(map(tidy, cells))) for number, cells in lines]
    for filled, block in itertools.groupby(lines, key=lambda line: any(line[1])):
        if filled:
            _add_table(contents, list(block))


def _add_table(contents: Contents, block: list[Line]) -> None:
    """The table of consecutive lines; single cells before a wider row are its caption."""
    wide = max((at for at, (_, cells) in enumerate(block) if len(cells) > 1), default=-1)  # the last row of several
    single = itertools.takewhile(lambda line: line[1][0] and not any(line[1][1:]), block[: wide + 1])
    caption = [cells[0].lstrip("# ") for _, cells in single]
    block = block[len(caption) :]
    if len(block) >= 2:
        grid = rectangle(cells for _, cells in block)
        contents.add(grid, caption=" ".join(caption), notes=contents.source.notes, line=block[0][0])


_MOST_WORDS, _LONGEST_LINE = 200, 5_000  # words and characters of a line of a table
_MOST_IN_VALUE, _LONGEST_VALUE = 20, 200  # words and characters of one value, its bracket included
_RULE = re.compile(r"[\s\-=_+|─━═┄·:]+")
_NUMBER = r"[<>≈~]?\s?[+\-−–]?(?:\d+(?:[.,]\d+)?|[.,]\d+)\s?%?"
_VALUE = re.compile(
    rf"{_NUMBER}(?:\s*(?:±|\+/-|\+-)\s*{_NUMBER})?(?:\s*[\[(][^\[\]()]*\d[^\[\]()]*[\])])?[†‡§¶*]*|[-–—]+|n/?a\.?|N/?A\.?|nan|NaN"
)
# Blanks between two names of a header, but for words that belong to the name before them.
_BETWEEN_NAMES = re.compile(r"\s+(?!(?:\(\S*\)|\[\S*\]|%|↑|↓|score|avg\.?|rate|index|measure)(?:\s|$))", re.IGNORECASE)

Place = tuple[int, int]  # from where to where something stands on a line


def _with_blanks(contents: Contents, text: str) -> None:
    """The tables of a pasted text; blank lines separate them."""
    blocks = _blocks(looked_through(text).split("\n"))
    prose = (tidy(" ".join(line for line in block if line.count("|") < 2)) for _, block in blocks)
    contents.paragraphs = ((words, "") for words in prose)
    lines = text.split("\n")
    for start, end, scores, caption in list(score_lists(lines, printed=True)):
        contents.add(rectangle(scores, 1), caption=caption, line=start + 1)
        lines[start:end] = [""] * (end - start)
    pending = ""
    for start, block in _blocks(lines):
        above = sum(1 for _ in itertools.takewhile(_is_prose, block[:-1]))
        caption = tidy(" ".join([pending, *block[:above]]))
        rows = [line for line in block[above:] if not _RULE.fullmatch(line)]
        pending, start = "", start + above
        if len(rows) < 2:
            pending = tidy(" ".join([caption, *rows])) if rows and CAPTION.match(caption or rows[0]) else ""
            continue
        words = [len(row.split()) for row in rows]
        grid = None
        if max(map(len, rows)) <= _LONGEST_LINE and max(words) <= _MOST_WORDS:
            require_within("cells", sum(words), f"line {start}: a table", least=True)
            grid = _by_gaps(rows) or _by_values(rows)
        if grid is not None:
            contents.add(grid, caption=caption, line=start)
        elif any(map(str.isdigit, "".join(rows))):
            contents.problems.append(f"line {start}: these {len(rows)} lines do not fall into columns")


def _blocks(lines: list[str]) -> Iterator[tuple[int, list[str]]]:
    """Lines without blank ones between them, and the number of the first."""
    for filled, block in itertools.groupby(enumerate(lines, 1), key=lambda line: bool(line[1].strip())):
        if filled:
            numbers, texts = zip(*block, strict=True)
            # a line of nothing but tabs would become eight times as long; no table has one
            yield numbers[0], [(t.expandtabs(8) if len(t) <= _LONGEST_LINE else t).rstrip() for t in texts]


def _is_prose(line: str) -> bool:
    words = line.strip()
    if len(re.findall(r"\S\s{2,}(?=\S)", words)) > 1 and not CAPTION.match(line):
        return False  # cells, the last of which ends in a full stop
    return CAPTION.match(line) is not None or (len(words.split()) > 4 and words.endswith((".", ":")))


def _by_gaps(rows: list[str]) -> Table | None:
    """Columns by their places: a column ends where a blank stands in every line that has cells of its own."""
    cells = [[(match.start(), match.end()) for match in re.finditer(r"\S+(?: \S+)*", row)] for row in rows]
    widest = max(map(len, cells))
    full = [line for line in cells if len(line) == widest]
    if widest < 2 or len(full) < 2:
        return None
    columns = [(min(start for start, _ in column), max(end for _, end in column)) for column in zip(*full, strict=True)]
    if any(left[1] > right[0] for left, right in itertools.pairwise(columns)):
        texts = ([row[start:end] for start, end in line] for row, line in zip(rows, cells, strict=True))
        return rectangle(texts) if len(full) == len(cells) else None
    return _in_columns(rows, cells, columns)


def _in_columns(rows: list[str], cells: list[list[Place]], columns: list[Place]) -> Table | None:
    grid: list[list[str]] = []
    spans: list[Span] = []
    for row, line in zip(rows, cells, strict=True):
        grid.append([""] * len(columns))
        for start, end in line:
            touched = [i for i, (left, right) in enumerate(columns) if start < right and left < end]
            nearest = min(range(len(columns)), key=lambda i: abs(sum(columns[i]) - start - end))
            first, last = (touched[0], touched[-1]) if touched else (nearest, nearest)
            if any(grid[-1][first : last + 1]):  # two cells in one column
                return None
            grid[-1][first : last + 1] = [row[start:end]] * (last + 1 - first)
            if last > first:
                spans.append(Span(len(grid) - 1, first, 1, last + 1 - first))
    return replace(rectangle(grid), spans=tuple(spans))


def _by_values(rows: list[str]) -> Table | None:
    """Lines of a label and values, one blank between; the header must name every column."""
    lines: list[list[str]] = []
    for row in rows:
        values: list[str] = []
        text = row.strip()
        while (start := _last_value(text)) is not None:
            text, value = text[:start].rstrip(), text[start:]
            values.insert(0, value)
        lines.append([text, *values])
    header, *body = lines
    names, width = _BETWEEN_NAMES.split(rows[0].strip()), len(body[0])
    names = ["", *names] if len(names) == width - 1 else names
    same = width > 1 and all(len(line) == width for line in body)
    return rectangle([names, *body]) if len(header) == 1 and same and len(names) == width else None


def _last_value(text: str) -> int | None:
    """Where the longest value at the end of the text begins."""
    starts = [match.end() for match in re.finditer(r"\s+", text)][-_MOST_IN_VALUE:]
    fitting = (at for at in starts if len(text) - at <= _LONGEST_VALUE and _VALUE.fullmatch(text, at))
    return next(fitting, None)


_AVERAGE = re.compile(r"(?:macro|weighted|micro|samples)[-_\s]*(?:avg|average)\.?|avg\.?\s*/\s*total|accuracy", re.I)
_SCORED = r"(\d*[.,]\d+(?:e-?\d+)?%?|\de-\d+|[01]|nan|NaN|[\d.]*\?[\d.?]*|-+|–|—|\*+|[xX]+|\.{2,}|…|_+)"
_ROW = re.compile(rf"(.*\S)\s+{_SCORED}\s+{_SCORED}\s+{_SCORED}\s+(\d[\d,.]*)|accuracy\s+{_SCORED}(?:\s+(\d[\d,.]*))?")
_ENTRY = re.compile(r"""(['"])((?:(?!\1)[^\n]){0,200})\1\s*:\s*(?:\{([^{}]{0,500})\}|([\d.]{1,40}))""")
_SCORE = re.compile(r"""['"](precision|recall|f1-score|support)['"]\s*:\s*([^,\s]{1,40})""")
_NUMPY = re.compile(r"np\.(?:float|int)\d\d\(([^()]{0,40})\)")
_COLUMNS = ("precision", "recall", "f1-score", "support")
_LONGEST_ROW, _MOST_BLANKS = 1_000, 3  # characters of a line, and blank lines after which a report has ended


def add_reports(contents: Contents, text: str) -> None:
    """The reports of a text; other lines are passed over, an odd line inside a report is a problem."""
    lines = list(map(str.strip, _printed(text) if DICTIONARY.match(text) else text.split("\n")))
    end = 0
    for start, line in enumerate(lines, 1):
        header = REPORT.fullmatch(line) if start > end and len(line) <= _LONGEST_ROW else None
        if header:
            before = header["before"].strip()  # which a mail or a log puts before the other lines, too
            rows, end, odd = _report(lines, start, "" if any(map(str.isalnum, before)) else before)
            contents.problems += [odd] if odd else []
            if rows:
                grid, above = rectangle([("", *_COLUMNS), *rows], 1), lines[start - 2] if start > 1 else ""
                contents.add(grid, caption=above, line=start, kind="classification-report")


def _printed(text: str) -> Iterator[str]:
    """The lines that scikit-learn prints where it does not give a dictionary."""
    yield " ".join(_COLUMNS)
    for _, label, inside, alone in _ENTRY.findall(_NUMPY.sub(r"\1", text)):
        scores = dict(_SCORE.findall(inside))
        if "support" in scores or (alone and label == "accuracy"):
            yield " ".join([label, alone or " ".join(scores.get(name, "?").strip("\"'") for name in _COLUMNS)])


def _report(lines: Sequence[str], start: int, marks: str) -> tuple[list[list[str]], int, str]:
    """The rows below a header, the line of the last, and what is wrong with the line that ends them, if anything."""
    rows: list[list[str]] = []
    end = start
    for number, line in enumerate(lines[start:], start + 1):
        line = line.removeprefix(marks).strip()
        if not line and number - end <= _MOST_BLANKS:
            continue
        row = _ROW.fullmatch(line) if len(line) <= _LONGEST_ROW else None
        if row is None:
            ended = not line or any(_AVERAGE.fullmatch(label) for label, *_ in rows)
            odd = f"line {number}: no line of a classification report ({len(line):,} characters): {line[:60]!r}"
            return rows, end, "" if ended else odd
        end = number
        if row[1] and row[1].lower() != "accuracy":
            values = ("?" if {*value} & {*"?xX_"} else value for value in row.group(2, 3, 4))  # masked
            rows.append([" ".join(row[1].split()), *values, row[5]])
        else:  # pandas prints it in every column
            rows.append(["accuracy", "", "", row[4] or row[6], row[7] or ""])
    return rows, end, ""


_PRINTED_VALUE = r"[<>~≈]?\s?\d[\d.,]*\s?%?(?:\s*(?:±|\+/-)\s*[\d.]+\s?%?)?"
_NAMED = rf"(?P<name>[^:=|]{{1,60}}?)\s*[:=]\s*(?P<mark>[*_`]*)\s*(?P<value>{_PRINTED_VALUE})\s*(?P=mark)\s*"
_POINT = re.compile(rf"\s{{0,6}}[-*+]\s+{_NAMED}")
_PRINTED = re.compile(rf"\s{{0,12}}(?:[-*+]\s+)?(?=[*_`]*[A-Za-z]){_NAMED}")
_PAIR = re.compile(rf"(?P<name>[A-Za-z][\w @/-]{{0,30}}?)\s?[=:]\s?(?P<value>{_PRINTED_VALUE})(?=\s*(?:[,;|]|$))")
# What a training that goes on prints.
_LOG = re.compile(r"\b(?:epoch|step|iter(?:ation)?|batch|fold)\b\D?\s?\d|\d\s?/\s?\d", re.IGNORECASE)
_MARKS = str.maketrans("", "", "*`_")
_FEWEST, _MOST, _LONGEST = 2, 60, 200  # names of scores and lines of one list, characters of a line

ScoreList = tuple[int, int, list[list[str]], str]  # the first line, the one behind the last, rows, caption


def score_lists(lines: Sequence[str], *, printed: bool = False) -> Iterator[ScoreList]:
    """Every list of scores; without bullets only where a program ``printed`` the lines.

    >>> list(score_lists(["It gives:", "- Loss: 0.31", "- Accuracy: 0.91", "- **F1**: 0.90"]))
    [(1, 4, [['Loss', 'Accuracy', 'F1'], ['0.31', '0.91', '0.90']], 'It gives:')]
    >>> list(score_lists(["SVM: Acc=0.91, F1=0.90", "k-NN: Acc=0.88, F1=0.85"], printed=True))
    [(0, 2, [['', 'Acc', 'F1'], ['SVM', '0.91', '0.90'], ['k-NN', '0.88', '0.85']], '')]
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
            yield at, end, rows, above[:300]
        at = max(end, at + 1)


def _points(lines: Sequence[str], at: int, shape: re.Pattern[str]) -> tuple[list[list[str]], int]:
    """Names and values of the lines from a place on that have one each, and where they end."""
    names, values = list[str](), list[str]()
    while at < len(lines) and len(names) < _MOST and len(lines[at]) <= _LONGEST:
        point = None if _LOG.search(lines[at]) else shape.fullmatch(lines[at])
        name = "" if point is None else tidy(point["name"].translate(_MARKS))
        if point is None or [name] == names[:1]:  # the next report
            break
        names, values, at = [*names, name], [*values, tidy(point["value"])], at + 1
    return [names, values], at


def _labelled(lines: Sequence[str], at: int) -> tuple[list[list[str]], int]:
    """The rows of lines with the same names each, the names first, and where they end."""
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
