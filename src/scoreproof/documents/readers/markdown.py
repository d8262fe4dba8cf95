"""Pipe tables of Markdown, with inline markup taken off the cells, HTML tables, and classification reports in code.

Converters of PDF write HTML tables, and so do authors who need spanning headers. Model cards of Hugging Face are
Markdown with a YAML head; a ``model-index`` in it is read as well.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import escape, unescape

from scoreproof.documents.formats import Contents, Paragraph, Source, looked_through
from scoreproof.documents.readers.printed_scores import add_reports, score_lists
from scoreproof.documents.table import CAPTION, Placed, Table, cut, lay, rectangle, tidy
from scoreproof.errors import UnreadableInput
from scoreproof.limits import require_within

_RULE = re.compile(r" {0,3}+\|?+\s*+:?+-++:?+\s*+(?:\|\s*+:?+-++:?+\s*+)*+\|?+\s*+")
_FENCE = re.compile(r"(`{3,}+)[^`]*+|(~{3,}+).*+")  # behind it stands a language
_POINT = re.compile(r"\s*+(?:[-*+]|[0-9]{1,9}[.)])(?:[ \t]++|$)")
# Two dollars around prose are prices: a formula begins and ends beside its dollars, and no digit follows it.
_MATH = re.compile(r"(?<!\\)(\$\$?)(?!\$)(\s*+)([^$]*+)(?<!\\)\1(?![0-9])")
_MOST_DOLLARS = 20_000
_LONGEST_PARAGRAPH = 100  # lines that a caption may have
_LINK = re.compile(r"!?\[([^\[\]]*+)\]\((?:[^()\s]|\([^()\s]*+\))*+\)")
_MARKS = [re.compile(rf"{mark}(?=\S)(.{{1,300}}?)(?<=\S){mark}") for mark in (r"\*\*", "__", "~~", "`")]
_BAR = re.compile(r"\\\||`[^`]*+`|(\|)")
_TABLE_TAG = re.compile(r"`[^`]*+`|<(/?)table\b", re.IGNORECASE)
_COMMENT = re.compile(r"(```.*?```|~~~.*?~~~|`[^`\n]*+`)|<!--.*?-->", re.DOTALL)
_BETWEEN_TAGS = re.compile(r"[^<>]++")
_HEADING = re.compile(r"\s*+#{1,6}[ \t]+(.{1,120})")
_ENTITIES = {"plusmn": "±", "nbsp": " ", "ndash": "–", "mdash": "—", "minus": "−"}


def read(source: Source) -> Contents:
    """Every table of a Markdown text, after those of a ``model-index`` in its head."""
    contents = Contents(source, paragraphs=paragraphs(looked_through(source.text)))
    if source.text.count("$") > _MOST_DOLLARS:
        contents.problems.append(f"more than {_MOST_DOLLARS // 2:,} formulas: they are read as they stand")
    if source.text.startswith("---") and re.search(r"^model-index\s*:", source.text, re.MULTILINE):
        from scoreproof.documents.readers.records import add_models

        with contents.noting("model-index"):
            add_models(contents, source.text)
    lines, code, tagged, unclosed = _lines(source.text)
    if unclosed:
        contents.problems.append(f"line {unclosed}: this block of code is never closed; what follows is not read")
    prose = ["" if code[number] or number in tagged else line for number, line in enumerate(lines)]
    shown = ["|" if number in tagged else line for number, line in enumerate(lines)]  # a bar is a line of some table
    places = sorted({*_pipe_tables(prose), *tagged.values()})
    beside = [_beside(shown, start, end) for start, end in places]
    sides = Counter((bool(CAPTION.match(above)), bool(CAPTION.match(below))) for above, below, _ in beside)
    stand_below = sides[False, True] > sides[True, False]  # as those of the tables with one caption alone do
    for (start, end), near in zip(places, beside, strict=True):
        with contents.noting(f"line {start + 1}"):
            caption = _caption(*near, stand_below=stand_below)
            if start in tagged:
                _add_html(contents, lines[start:end], caption, start + 1)
            else:
                contents.add(_grid([lines[start], *lines[start + 2 : end]]), caption=caption, line=start + 1)
    add_reports(contents, source.text)  # as code
    for start, _, scores, caption in score_lists(prose):
        contents.add(rectangle(scores, 1), caption=caption, line=start + 1)
    return contents


def _lines(text: str) -> tuple[list[str], list[bool], dict[int, tuple[int, int]], int]:
    """The lines that are shown, which of them are code, which are of HTML tables, and where code is never closed.

    A line of an HTML table is given with where its block begins, and the line behind its end. Comments are left out,
    and dollars where there are too many formulas to set.

    >>> _lines("a <!-- b\\nc --> d\\n```\\nx\\n```\\n<table><tr>\\n</table>")[1:]
    ([False, False, True, True, True, False, False], {5: (5, 7), 6: (5, 7)}, 0)
    """
    before, end, after = text.rpartition("-->")
    text = _COMMENT.sub(lambda part: part[1] or "\n" * part[0].count("\n"), before + end) + after
    lines = (text if text.count("$") <= _MOST_DOLLARS else text.replace("$", "")).split("\n")
    code: list[bool] = []
    fence, begun, margin = "", 0, 0
    for number, line in enumerate(lines):
        text = line.lstrip()
        if text and len(line) - len(text) < margin:
            fence, margin = "", 0  # a block of code ends with the point of a list that it stands in
        if not fence and (point := _POINT.match(line)) is not None:
            text, margin = line[point.end() :], point.end()
        opened = None if fence else _FENCE.fullmatch(text)
        code.append(bool(fence or opened))
        if opened is not None:
            fence, begun = opened[1] or opened[2], number + 1
        elif fence and text.startswith(fence) and not text.strip(f"{fence[0]} \t\r"):
            fence = ""
    blocks = _html_blocks(["" if inside else line for line, inside in zip(lines, code, strict=True)])
    return lines, code, {number: block for block in blocks for number in range(*block)}, begun if fence else 0


def _html_blocks(lines: Sequence[str]) -> list[tuple[int, int]]:
    """The first line of HTML tables that are not inside another, and the line behind the last one."""
    opened: list[int] = []
    blocks: list[tuple[int, int]] = []
    for number, line in enumerate(lines):
        for tag in _TABLE_TAG.finditer(line):
            if tag[1] == "":
                opened.append(number)
            elif tag[1] and opened:  # one that is never closed is none
                start = opened.pop()
                while blocks and blocks[-1][0] >= start:
                    blocks.pop()
                if blocks and blocks[-1][1] > start:  # on the line on which the last one ends
                    start = blocks.pop()[0]
                blocks.append((start, number + 1))
    return blocks


def paragraphs(text: str) -> Iterator[Paragraph]:
    """The paragraphs of a text, without the lines of its pipe tables and without code."""
    lines, code, tagged, _ = _lines(text)
    place, block = "", list[str]()
    for number, line in enumerate([*lines, ""]):
        if not line.strip() or code[number] or number in tagged:
            if block:
                yield plain(" ".join(block)), place
            block = []
        elif (heading := _HEADING.match(line)) is not None:
            place = f"section {heading[1].strip()!r}"
        elif line.count("|") < 2:
            block.append(line.strip())


def _pipe_tables(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The first line of every pipe table, and the line behind its last."""
    number = 0
    while number + 1 < len(lines):
        start, number = number, number + 1
        if "|" in lines[start] and "|" in lines[number] and _RULE.fullmatch(lines[number]):
            while number < len(lines) and lines[number].strip() and "|" in lines[number]:
                number += 1
            yield start, number


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
    bold = re.fullmatch(r"(\*\*|__).+\1|<(b|strong)>.*</\2>", cell) is not None
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
    text = _math(re.sub(r"</?[A-Za-z][^<>]*>", "", text))
    for mark in _MARKS:
        text = mark.sub(r"\1", text)
    text = re.sub(r"(?<![\w*])([*_])(\S(?:[^*_]*\S)?)\1(?![\w*])", r"\2", text)
    text = re.sub(r"\\([\\`*_{}\[\]()#+.!|~-])", r"\1", text)
    return tidy(re.sub(r"&(plusmn|nbsp|ndash|mdash|minus);", lambda entity: _ENTITIES[entity[1]], text))


def _math(text: str) -> str:
    """The text with its formulas as they are typeset; what is none stays as it stands."""
    return _MATH.sub(_formula, text).replace("\\pm", "±") if "$" in text or "\\pm" in text else text


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


def _caption(above: str, below: str, after: str, *, stand_below: bool) -> str:
    """A paragraph that begins like a caption right above or below, or pandoc's line with a colon."""
    if stand_below and CAPTION.match(below):
        return plain(below)
    if above.startswith("#") or (CAPTION.match(above) and not stand_below):
        return plain(above.lstrip("# "))
    captioned = below.startswith(":") or CAPTION.match(below)
    return plain(below.lstrip(": ")) if captioned and "|" not in after else ""  # else of the table that follows


def _beside(lines: Sequence[str], start: int, end: int) -> tuple[str, str, str]:
    """The paragraphs above and below a table, of a heading its last line, and the line after that below."""
    above, _ = _paragraph(lines, start - 1, -1)
    below, behind = _paragraph(lines, end, 1)
    if above and above[-1].lstrip().startswith("#"):
        above = [f"# {above[0].lstrip().lstrip('#')}"]
    return tidy(" ".join(reversed(above))), tidy(" ".join(below)), "".join(_paragraph(lines, behind, 1)[0][:1])


def _paragraph(lines: Sequence[str], at: int, step: int) -> tuple[list[str], int]:
    """The lines of the nearest paragraph from a place on, upwards or downwards, the nearest line first, and its end."""
    start = at
    while 0 <= at < len(lines) and abs(at - start) < _LONGEST_PARAGRAPH and not lines[at].strip():
        at += step
    taken: list[str] = []
    while 0 <= at < len(lines) and len(taken) < _LONGEST_PARAGRAPH and lines[at].strip():
        taken.append(lines[at])
        at += step
    return taken, at
