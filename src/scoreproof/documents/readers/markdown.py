"""Pipe tables of Markdown, with inline markup taken off the cells, HTML tables, and classification reports in code.

Converters of PDF write HTML tables, and so do authors who need spanning headers. Model cards of Hugging Face are
Markdown with a YAML head; a ``model-index`` in it is read as well.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from html import escape, unescape
from itertools import islice

from scoreproof.documents.formats import Contents, Paragraph, Source, looked_through
from scoreproof.documents.readers.printed_scores import add_reports, score_lists
from scoreproof.documents.table import CAPTION, Placed, Table, cut, lay, rectangle, tidy
from scoreproof.errors import UnreadableInput
from scoreproof.limits import require_within

_RULE = re.compile(r" {0,3}+\|?+\s*+:?+-++:?+\s*+(?:\|\s*+:?+-++:?+\s*+)*+\|?+\s*+")
_FENCE = re.compile(r"(`{3,}+)[^`]*+|(~{3,}+).*+")  # what stands behind it names a language
_POINT = re.compile(r"(?:[-*+]|[0-9]{1,9}[.)])(?:[ \t]+|$)")
# Two dollars around prose are prices: a formula begins and ends beside its dollars, and no digit follows it.
_MATH = re.compile(r"(?<!\\)(\$\$?)(?!\$)(\s*+)([^$]*+)(?<!\\)\1(?![0-9])")
_LONGEST_PARAGRAPH = 100  # lines that a caption may have
_LINK = re.compile(r"!?\[([^\[\]]*+)\]\((?:[^()\s]|\([^()\s]*+\))*+\)")
_CODE_MARGIN = 4  # blanks that make a line code by themselves
_WIDEST = 60  # margin of a point
_MOST_DOLLARS = 20_000
_BAR = re.compile(r"\\\||`[^`]*+`|(\|)")
_TABLE_TAG = re.compile(r"<table\b|(</table\s*+>)", re.IGNORECASE)
_COMMENT_MARK = re.compile("<!--|-->|`")
_SPAN = re.compile(r"`[^`]*+`")
_BETWEEN_TAGS = re.compile(r"[^<>]++")
_HEADING = re.compile(r"(#{1,6})[ \t]+(.{1,120})")


def read(source: Source) -> Contents:
    """Every table of a Markdown text, after those of a ``model-index`` in its head."""
    contents = Contents(source, paragraphs=paragraphs(looked_through(source.text)))
    text = _typeset(source.text)
    if source.text.count("$") > _MOST_DOLLARS:
        contents.problems.append(f"more than {_MOST_DOLLARS // 2:,} formulas: they are read as they stand")
    lines = text.split("\n")
    if lines[0].strip() == "---" and re.search(r"^model-index\s*:", source.text, re.MULTILINE):
        from scoreproof.documents.readers.records import add_models

        end = next((number for number, line in enumerate(lines[1:], 1) if line.strip() in ("---", "...")), len(lines))
        with contents.noting("model-index"):
            add_models(contents, "\n".join(lines[1:end]))
    code, unclosed = _code(lines)
    if unclosed is not None:
        contents.problems.append(f"line {unclosed + 1}: this block of code is never closed; what follows is not read")
    tagged = _html_tables(lines, code)
    prose = ["" if code[number] or number in tagged else line for number, line in enumerate(lines)]
    shown = ["|" if number in tagged else line for number, line in enumerate(lines)]  # a bar is a line of some table
    places = sorted({*_pipe_tables(prose), *tagged.values()})
    below = _captions_stand_below(shown, places)
    for start, end in places:
        with contents.noting(f"line {start + 1}"):
            caption = _caption(shown, start, end, below)
            if start in tagged:
                _add_html(contents, lines[start:end], caption, start + 1)
            else:
                contents.add(_grid([lines[start], *lines[start + 2 : end]]), caption=caption, line=start + 1)
    add_reports(contents, source.text)  # as code
    for start, _, scores, caption in score_lists(prose):
        contents.add(rectangle(scores, 1), caption=caption, line=start + 1)
    return contents


def _pipe_tables(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The first line of every pipe table, and the line behind its last."""
    number = 0
    while number + 1 < len(lines):
        head, rule = lines[number], lines[number + 1]
        end = number + 1
        if "|" in head and "|" in rule and _RULE.fullmatch(rule):
            end = number + 2
            while end < len(lines) and lines[end].strip() and "|" in lines[end]:
                end += 1
            yield number, end
        number = end


def _html_tables(lines: Sequence[str], code: Sequence[bool]) -> Mapping[int, tuple[int, int]]:
    """For each line that an HTML table is on, where its block begins, and the line behind its end.

    >>> _html_tables(["<table><tr>", "<td>1</td></tr></table>", "", "<table>"], [False] * 4)
    {0: (0, 2), 1: (0, 2)}
    """
    opened: list[int] = []
    blocks: list[tuple[int, int]] = []  # those that are not inside another, in order
    for number, (line, inside) in enumerate(zip(lines, code, strict=True)):
        for tag in () if inside else _TABLE_TAG.finditer(_SPAN.sub("", line) if "`" in line else line):
            if tag[1] is None:
                opened.append(number)
            elif opened:  # one that is never closed is none
                start = opened.pop()
                while blocks and blocks[-1][0] >= start:
                    blocks.pop()
                if not blocks or blocks[-1][1] <= start:
                    blocks.append((start, number + 1))
                else:  # on the line on which the last one ends
                    blocks[-1] = (blocks[-1][0], number + 1)
    return {number: block for block in blocks for number in range(*block)}


def _without_comments(text: str) -> str:
    """The text without what nobody is shown; a comment that is never closed is none.

    >>> _without_comments("a <!-- b\\nc --> d\\n`<!--` e")
    'a \\n d\\n`<!--` e'
    """
    if "<!--" not in text:
        return text
    written = text.split("\n")
    shown, code = list(written), _code(written)[0]
    begun: int | None = None  # the line of a comment that is open
    for number, line in enumerate(written):
        if code[number] and begun is None:
            continue
        pieces, at, span = [], 0, False
        for mark in _COMMENT_MARK.finditer(line):
            if begun is not None and mark[0] == "-->":
                begun, at = None, mark.end()
            elif begun is None and mark[0] == "<!--" and not span:
                pieces.append(line[at : mark.start()])
                begun = number
            span ^= begun is None and mark[0] == "`"
        shown[number] = "".join([*pieces, line[at:] if begun is None else ""])
    return "\n".join(shown if begun is None else [*shown[:begun], *written[begun:]])


def _add_html(contents: Contents, lines: Sequence[str], caption: str, line: int) -> None:
    """The HTML tables of some lines, which are read as those of a page are; formulas in their cells are typeset."""
    from scoreproof.documents.read import read_sandboxed

    text = _BETWEEN_TAGS.sub(
        lambda part: escape(_math(unescape(part[0])), quote=False) if "$" in part[0] else part[0], "\n".join(lines)
    )
    page = read_sandboxed("hypertext", Source(contents.source.name, "html", text=text), paragraphs=False)
    contents.problems += page.problems
    for table in page.tables:
        contents.add(table, caption=table.caption or caption, notes=table.notes, line=line)


def _code(lines: Sequence[str]) -> tuple[list[bool], int | None]:
    """Which lines are in a block of code or its fences, and the line of a block at the margin that is never closed.

    A block ends with a fence like the one it began with, or with the point of a list that it stands in.

    >>> _code(["- run:", "  ```", "  x", "so", "~~~"])
    ([False, True, True, False, True], 4)
    """
    is_code: list[bool] = []
    margins = [0]  # where the text of the points begins that are open
    fence, begun = "", 0
    for number, line in enumerate(lines):
        text = line.lstrip()
        margin = len(line[: len(line) - len(text)].expandtabs(4))
        if fence and text and margin < margins[-1]:
            fence = ""
        if fence:
            is_code.append(True)
            if text.startswith(fence) and not text.strip(fence[0] + " \t\r"):
                fence = ""
            continue
        while text and margin < margins[-1]:
            margins.pop()
        while (point := _POINT.match(text)) is not None and margin < _WIDEST:
            margin += point.end()
            text = text[point.end() :]
            margins.append(margin)
        opened = _FENCE.fullmatch(text) if margin - margins[-1] < _CODE_MARGIN else None
        if opened is not None:
            fence, begun = opened[1] or opened[2], number
        is_code.append(opened is not None)
    return is_code, begun if fence and margins == [0] else None


def paragraphs(text: str) -> Iterator[Paragraph]:
    """The paragraphs of a text, without the lines of its pipe tables and without code."""
    lines, place = _typeset(text).split("\n"), ""
    code = _code(lines)[0]
    tagged = _html_tables(lines, code)
    block: list[str] = []
    for number, (line, inside) in enumerate(zip([*lines, ""], [*code, False], strict=True)):
        if inside or number in tagged or not line.strip():
            if block:
                yield plain(" ".join(block)), place
            block = []
            continue
        heading = _HEADING.match(line.lstrip())
        if heading is not None:
            place = f"section {heading[2].strip()!r}"
        elif line.count("|") < 2:
            block.append(line.strip())


def _grid(lines: Sequence[str]) -> Table:
    """The grid of the lines of a pipe table, the first one a header if something stands in it."""
    rows = list(map(_split, lines))
    for row in rows:
        require_within("columns", len(row), "a table")
        require_within("cell_characters", max(map(len, row), default=0), "a table")
    grid = lay([[_placed(cell) for cell in row] for row in rows])
    return replace(grid, header_rows=1) if any(rows[0]) and not grid.header_rows else grid


def _split(line: str) -> list[str]:
    r"""The cells of one line; ``\|`` and bars in code do not separate.

    >>> _split(r"| a \| b | `c|d` |")
    ['a | b', '`c|d`']
    """
    line = line.strip()
    cells = [cell.strip().replace("\\|", "|") for cell in cut(line, _BAR)]
    return cells[line.startswith("|") : len(cells) - (line.endswith("|") and not line.endswith("\\|"))]


def _placed(cell: str) -> Placed:
    bold = re.fullmatch(r"(\*\*|__).+\1", cell) is not None or re.fullmatch(r"<(b|strong)>.*</\1>", cell) is not None
    underlined = re.fullmatch(r"(?:\*\*)?<(u|ins)>.*</\1>(?:\*\*)?", cell) is not None
    return Placed(plain(cell), bold=bold, underlined=underlined)


def plain(cell: str) -> str:
    """A cell without its inline markup.

    >>> plain("**96.30** $\\\\pm$ 0.2 [code](http://x.y)")
    '96.30 ± 0.2 code'
    """
    text = _LINK.sub(r"\1", cell)
    text = re.sub(r"<br\s*+/?>", " ", text)
    text = re.sub(r"<sup>\s*+(\w++)\s*+</sup>", r"^\1", text)
    text = re.sub(r"</?[A-Za-z][^<>]*>", "", text)
    if "$" in text or "\\pm" in text:
        text = _math(text)
    for mark in ("**", "__", "~~", "`"):
        if mark in text:
            text = _unmarked(text, mark)
    text = re.sub(r"(?<![\w*])([*_])(\S(?:[^*_]*\S)?)\1(?![\w*])", r"\2", text)
    text = re.sub(r"\\([\\`*_{}\[\]()#+.!|~-])", r"\1", text)
    return tidy(re.sub(r"&(plusmn|nbsp|ndash|mdash|minus);", lambda m: _ENTITIES[m[1]], text))


def _unmarked(text: str, mark: str) -> str:
    """The text without pairs of a mark that enclose something and no blank beside them.

    An opening mark belongs to the first closing one after it; once there is none, there is none for later ones either.

    >>> _unmarked("**a** ** b **c", "**"), _unmarked("****", "**")
    ('a ** b **c', '****')
    """
    pieces: list[str] = []
    size, done, at = len(mark), 0, text.find(mark)
    while at >= 0:
        inside = at + size
        if inside >= len(text) or text[inside].isspace():
            at = text.find(mark, at + 1)
            continue
        end = text.find(mark, inside + 1)
        while end >= 0 and text[end - 1].isspace():
            end = text.find(mark, end + 1)
        if end < 0:
            break
        pieces += [text[done:at], text[inside:end]]
        done = end + size
        at = text.find(mark, done)
    return "".join([*pieces, text[done:]])


_ENTITIES = {"plusmn": "±", "nbsp": " ", "ndash": "–", "mdash": "—", "minus": "−"}


def _typeset(text: str) -> str:
    """The text as it is shown, without its dollars where there are too many formulas to set: each takes its time."""
    text = _without_comments(text)
    return text if text.count("$") <= _MOST_DOLLARS else text.replace("$", "")


def _math(text: str) -> str:
    """The text with its formulas as they are typeset; what is none stays as it stands."""
    return _MATH.sub(_formula, text).replace("\\pm", "±")


def _formula(match: re.Match[str]) -> str:
    from scoreproof.documents.readers.latex_text import render_text

    blank, inside = match[2], match[3]
    spaced = bool(blank) or inside[-1:].isspace()
    if not inside or (spaced and re.search(r"[A-Za-z]{2}", inside) and not re.search(r"[\\^_]", inside)):
        return match[0]
    try:
        return render_text(f"${inside}$")
    except (UnreadableInput, RecursionError):  # one that TeX could not set either
        return match[0]


def _captions_stand_below(lines: Sequence[str], places: Sequence[tuple[int, int]]) -> bool:
    """Whether captions stand below the tables of a text: of those that have one on one side alone, most do.

    >>> _captions_stand_below(["|", "", "Table 1: a", "", "|", "", "Table 2: b"], [(0, 1), (4, 5)])
    True
    """
    sides = Counter(tuple(bool(CAPTION.match(text)) for text in _beside(lines, start, end)) for start, end in places)
    return sides[False, True] > sides[True, False]


def _beside(lines: Sequence[str], start: int, end: int) -> tuple[str, str]:
    """The paragraphs above and below a table."""
    above, below = _paragraph(lines, start - 1, -1), _paragraph(lines, end, 1)
    return tidy(" ".join(reversed(above))), tidy(" ".join(below))


def _caption(lines: Sequence[str], start: int, end: int, stands_below: bool) -> str:
    """A paragraph that begins like a caption right above or below, or pandoc's line with a colon."""
    above, below = _beside(lines, start, end)
    if stands_below and CAPTION.match(below):
        return plain(below)
    if CAPTION.match(above) and not stands_below:
        return plain(above)
    if above.startswith("#"):
        return plain(tidy(_paragraph(lines, start - 1, -1)[0]).lstrip("# "))
    if not (below.startswith(":") or CAPTION.match(below)):
        return ""
    behind = next((at for at in range(end, len(lines)) if lines[at].strip()), end) + len(_paragraph(lines, end, 1))
    after = next((line for line in islice(lines, behind, behind + _LONGEST_PARAGRAPH) if line.strip()), "")
    return "" if "|" in after else plain(below.lstrip(": "))  # or it is the caption of the table that follows


def _paragraph(lines: Sequence[str], at: int, step: int) -> list[str]:
    """The lines of the nearest paragraph from a place on, upwards or downwards, the nearest line first."""
    start = at
    while 0 <= at < len(lines) and abs(at - start) < _LONGEST_PARAGRAPH and not lines[at].strip():
        at += step
    taken: list[str] = []
    while 0 <= at < len(lines) and len(taken) < _LONGEST_PARAGRAPH and lines[at].strip():
        taken.append(lines[at])
        at += step
    return taken
