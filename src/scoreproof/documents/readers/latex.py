r"""Tables of LaTeX sources: tabular and its relatives, multicolumn, multirow, booktabs.

Only the table environments are parsed (with pylatexenc), so that a package the document uses elsewhere cannot
disturb. Abbreviations defined in the document (``\newcommand{\best}[1]{\textbf{#1}}``) are expanded first, and files
that it puts in (``\input``) stand in their places. A table that TeX could not set either is reported with its line; the
others are still read.

``\multicolumn`` stands for the places it covers; in tabularray and nicematrix these are written as empty cells beside
it, as in a spreadsheet. What ``@{...}`` puts between two columns is printed in every row: where that is a decimal mark
or a ± (``r@{.}l``, ``r@{$\pm$}l``), the two cells are one number on the page, and are read as such.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import replace
from itertools import accumulate
from typing import Any

from scoreproof.documents.formats import Contents, Paragraph, Source, looked_through
from scoreproof.documents.readers.latex_source import (
    Macros,
    closing,
    definitions,
    expand,
    line_ends,
    without_comments,
    without_definitions,
)
from scoreproof.documents.readers.latex_text import ENVIRONMENTS, is_bold, is_underlined, parse, render, render_text
from scoreproof.documents.table import Placed, Table, lay
from scoreproof.errors import UnreadableInput

_NAMES = "|".join(re.escape(name) for name in ENVIRONMENTS)
_BEGIN_END = re.compile(rf"\\(begin|end)\s*+\{{({_NAMES}|(?:side(?:ways)?|wrap)?table\*?|figure\*?|center)\}}")
_CAPTION = re.compile(r"\\caption(?:of\s*+\{\w++\})?\s*+\*?\s*+(?:\[[^\[\]]*+\])?\s*+\{")
_TABLE_END = re.compile(r"\\end\s*+\{(?:side(?:ways)?|wrap)?table\*?\}")
_MOST_CHARACTERS = 500_000
_BLANK = re.compile(r"\n[ \t]*\n")
_SECTION = re.compile(r"\\(?:sub){0,2}section\*?\s*+\{([^{}]{1,120})\}")
_FRAME = re.compile(r"\\(?:begin|end)\s*+\{[A-Za-z]{1,30}\*?\}(?:\[[^\[\]]{0,40}\])?")  # floats, lists and the like
_ASIDE = re.compile(rf"\\begin\{{({_NAMES}|equation\*?|align\*?|thebibliography|lstlisting|tikzpicture)\}}")


def read(source: Source) -> Contents:
    """Every outermost tabular of a LaTeX source."""
    text = without_comments(source.text)
    macros = definitions(text)
    contents = Contents(source, problems=list(source.notes), paragraphs=_paragraphs(looked_through(text), macros))
    ends = line_ends(text, source.inserted)
    tables_end = [match.start() for match in _TABLE_END.finditer(text)]
    captions = [(match.start(), match.end()) for match in _CAPTION.finditer(text)]
    for start, end, around in _environments(without_definitions(text)):
        line = 1 + bisect_left(ends, start)
        if end is None:
            contents.problems.append(f"line {line}: this table environment has no matching \\end")
            continue
        if text[start:end].startswith("\\begin{array}") and "&" not in text[start:end]:
            continue
        with contents.noting(f"line {line}"):
            if end - start > _MOST_CHARACTERS:
                raise UnreadableInput(f"a table of {end - start:,} characters; at most {_MOST_CHARACTERS:,} are read")
            grid = grid_of(expand(text[start:end], macros))
            if not grid.rows:
                continue
            # The last caption before the table in its float, or else the first one in it or behind it.
            after = [at for at in tables_end[bisect_left(tables_end, end) :][:1] if around is not None]
            first = bisect_left(captions, (start if around is None else around, 0))
            place = max(first, bisect_left(captions, (start, 0)) - 1)
            caption = ""
            if place < len(captions) and (brace := captions[place][1] - 1) < (after or [end])[0]:
                caption = render_text(expand(text[brace + 1 : closing(text, brace) or brace + 1], macros))
            contents.add(grid, caption=caption, line=line)
    return contents


def _environments(text: str) -> Iterator[tuple[int, int | None, int | None]]:
    """Start and end of every outermost table environment, no end where it is missing, and where its float begins."""
    depth, start = 0, 0
    floats: list[int] = []
    for match in _BEGIN_END.finditer(text):
        begins = match[1] == "begin"
        if match[2] in ENVIRONMENTS:
            start = match.start() if begins and depth == 0 else start
            ends, depth = depth == 1 and not begins, max(0, depth + (1 if begins else -1))
            if ends:
                yield start, match.end(), floats[-1] if floats else None
        elif begins:
            floats.append(match.start())
        elif floats:
            floats.pop()
    if depth > 0:
        yield start, None, None


def _paragraphs(text: str, macros: Macros) -> Iterator[Paragraph]:
    """The paragraphs of a source without comments, tables and equations; the captions of tables are among them."""
    start, end = text.find(r"\begin{document}"), text.rfind(r"\end{document}")
    text = text[max(start, 0) : end if end > start else len(text)]
    kept, done = [], 0
    for match in _ASIDE.finditer(text):
        if match.start() >= done:
            end = text.find(f"\\end{{{match[1]}}}", match.end())
            if end < 0:
                break
            kept.append(text[done : match.start()])
            done = end + len(match[1]) + 6
    place = ""
    for block in _BLANK.split(_FRAME.sub("\n\n", "\n\n".join([*kept, text[done:]]))):
        for number, piece in enumerate(_SECTION.split(block)):  # text, title, text, title, text ...
            if number % 2:
                place = f"section {piece.strip()!r}"
                continue
            try:
                yield render_text(expand(piece, macros)).strip(), place
            except (UnreadableInput, RecursionError):
                continue


_RULES = {"toprule", "midrule", "bottomrule", "hline", "cmidrule", "cline", "specialrule", "thickhline", "Xhline"}


def grid_of(text: str) -> Table:
    """The grid of one environment; its header rows are guessed where no rule says where they end."""
    lines: list[list[Placed]] = []
    current: list[list[Any]] = [[]]
    rules: list[tuple[int, str]] = []
    part = 0  # the row with which a part of a long table begins
    for node in parse(text)[0].nodelist:
        name = getattr(node, "macroname", None)
        if name in _RULES:
            rules.append((len(lines), str(name)))
        elif getattr(node, "specials_chars", None) == "&":
            current.append([])
        elif name in ("\\", "tabularnewline", "cr"):
            if not any(getattr(part, "macroname", None) == "caption" for part in current[0]):  # of a long table
                lines.append(list(map(_placed, current)))
            current = [[]]
        elif name in ("endhead", "endfirsthead", "endfoot", "endlastfoot"):
            # A long table repeats its head on every page: what ends before \endhead is a copy of the first head.
            if name != "endfirsthead" and ("endfirsthead" in text or name != "endhead"):
                del lines[part:]
            part = len(lines)
        else:
            current[-1].append(node)
    last = list(map(_placed, current))
    lines = _without_covered(_with_joined(text, [*lines, last] if any(cell.text for cell in last) else lines))
    return lay(lines, _header_rows(lines, rules))


def _header_rows(lines: list[list[Placed]], rules: list[tuple[int, str]]) -> int | None:
    """The rows above the first midrule, or above the first rule of a table ruled once; None if that says nothing."""
    first = next((row for row, line in enumerate(lines) if any(cell.text for cell in line)), len(lines))
    below_head = next((row for row, name in rules if name == "midrule" and row > first), None)
    inner = {row for row, name in rules if name == "hline" and 0 < row < len(lines)}
    return below_head or (max(inner) if len(inner) == 1 and max(inner) > first else None)


def _placed(nodes: list[Any]) -> Placed:
    """A cell, what it spans unpacked."""
    rows = columns = 1
    while True:
        solid = [node for node in nodes if getattr(node, "macroname", None) or render([node])]
        name = getattr(solid[0], "macroname", None) if solid else None
        arguments = [argument for argument in solid[0].nodeargd.argnlist if argument is not None] if name else []
        if name not in ("multicolumn", "multirow") or len(solid) > 1 or len(arguments) < 3:
            return Placed(render(nodes), rows, columns, is_bold(nodes), is_underlined(nodes))
        text = render(arguments[:1]).replace("−", "-")
        if not re.fullmatch(r"[+-]?\d{1,4}", text):
            raise UnreadableInput(f"multicolumn or multirow: expected a whole number, got {text[:20]!r}")
        if name == "multicolumn":
            columns = max(1, abs(int(text)))
        else:
            rows = int(text) or 1
        nodes = [arguments[-1]]


def _without_covered(lines: list[list[Placed]]) -> list[list[Placed]]:
    """LaTeX writes an empty cell where a multirow reaches down; the grid expects none there.

    A negative multirow reaches up: its text moves to the uppermost of its rows.
    """
    grid = [dict(zip(accumulate((cell.columns for cell in line), initial=0), line, strict=False)) for line in lines]
    for row, cells in enumerate(grid):
        for column, cell in cells.items():
            top = row + cell.rows + 1
            if cell.rows < -1 and top >= 0:
                cells[column] = Placed("")
                if column in grid[top]:
                    grid[top][column] = replace(cell, rows=-cell.rows)
    covered: set[tuple[int, int]] = set()
    result: list[list[Placed]] = []
    for row, cells in enumerate(grid):
        result.append([])
        for column, cell in cells.items():
            if (row, column) in covered and not cell.text:
                continue
            reach, end = range(column, column + cell.columns), row + 1
            while end < min(row + cell.rows, len(grid)) and not any(
                at in grid[end] and grid[end][at].text for at in reach
            ):
                covered.update((end, at) for at in reach)
                end += 1
            result[-1].append(replace(cell, rows=end - row))
    return result


_GROUP = r"\s*\{((?:[^{}]++|\{(?:[^{}]++|\{[^{}]*+\})*+\})*+)\}"
_WIDTH = rf"\\begin\{{(?:tabular\*|tabularx|tabulary|xltabular)\}}{_GROUP}"
_PREAMBLE = re.compile(rf"(?:{_WIDTH}|\\begin\{{\w+\*?\}})(?:\s*\[[^\]]{{0,20}}\])?{_GROUP}")
_REPEATED = re.compile(rf"\*\s*\{{\s*(\d{{1,2}})\s*\}}{_GROUP}")
_COLUMN = re.compile(rf"([@!]){_GROUP}|[<>]{_GROUP}|([A-Za-z])(?:\s*\[[^\]]*\])?(?:{_GROUP})?")
_JOINTS = {".": ".", ",": ",", "±": " ± "}


def _with_joined(text: str, lines: list[list[Placed]]) -> list[list[Placed]]:
    """The lines of an environment, halves of numbers put together; as they are where a cell covers half of a pair."""
    head = _PREAMBLE.match(text) if "@{" in text else None
    joints = _joints(head[2]) if head else {}
    joined: list[list[Placed]] = []
    for line in lines if joints else ():
        column = 0
        joined.append([])
        for cell in line:
            last = column + cell.columns - 1
            if (column - 1 in joints or last in joints) and (cell.columns, cell.rows) != (1, 1):
                return lines
            if column - 1 in joints and joined[-1]:
                half = joined[-1].pop()
                between = joints[column - 1] if half.text and cell.text else ""
                cell = replace(half, text=f"{half.text}{between}{cell.text}", bold=half.bold or cell.bold)
            else:
                cell = replace(cell, columns=cell.columns - sum(column <= at < last for at in joints))
            joined[-1].append(cell)
            column = last + 1
    return joined or lines


def _joints(preamble: str) -> dict[int, str]:
    r"""What is printed between a column and the next, for marks that make one number of two.

    >>> _joints(r"l r@{.}l @{}c *{2}{r@{$\,\pm\,$}l}")
    {1: '.', 4: ' ± ', 6: ' ± '}
    """
    preamble = _REPEATED.sub(lambda part: part[2] * int(part[1]), preamble)
    joints: dict[int, str] = {}
    column = -1
    for sign, between, _, letter, _ in _COLUMN.findall(preamble):
        column += bool(letter)
        mark = "".join(render_text(between).split()) if sign == "@" else ""
        if mark in _JOINTS and column >= 0:
            joints[column] = _JOINTS[mark]
    return {at: mark for at, mark in joints.items() if at < column and at - 1 not in joints}
