r"""Tables of LaTeX sources: tabular and its relatives, multicolumn, multirow, booktabs.

Only the table environments are parsed (with pylatexenc), so that a package the document uses elsewhere cannot
disturb. Abbreviations defined in the document (``\newcommand{\best}[1]{\textbf{#1}}``) are expanded first, and files
that it puts in (``\input``) stand in their places. A table that TeX could not set either is reported with its line; the
others are still read.

``\multicolumn`` stands for the places it covers; in tabularray and nicematrix these are written as empty cells beside
it, as in a spreadsheet. A table whose numbers are cut into two columns (``r@{.}l``, ``r@{$\pm$}l``) is not read.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import replace
from itertools import accumulate
from typing import Any

from scoreproof.documents.formats import Contents, Paragraph, Source, looked_through
from scoreproof.documents.readers.latex_source import GROUP, Macros, definitions, expand, line_ends, without_comments
from scoreproof.documents.readers.latex_text import BOLD, ENVIRONMENTS, UNDERLINED, is_set, parse, render, render_text
from scoreproof.documents.table import Placed, Table, lay
from scoreproof.errors import UnreadableInput

_NAMES = "|".join(re.escape(name) for name in ENVIRONMENTS)
_BEGIN_END = re.compile(rf"\\(begin|end)\s*+\{{(?:{_NAMES})\}}")
_FLOAT = re.compile(
    r"\\begin\s*+\{((?:side(?:ways)?|wrap)?table\*?|figure\*?|center)\}.*?(?:\\end\s*+\{\1\}|\Z)", re.DOTALL
)
_CAPTION = re.compile(r"\\caption(?:of\s*+\{\w++\})?\s*+\*?\s*+(?:\[[^\[\]]*+\])?" + GROUP, re.DOTALL)
_MOST_CHARACTERS = 500_000
_BLANK = re.compile(r"\n[ \t]*\n")
_SECTION = re.compile(r"\\(?:sub){0,2}section\*?\s*+\{([^{}]{1,120})\}")
_FRAME = re.compile(r"\\(?:begin|end)\s*+\{[A-Za-z]{1,30}\*?\}(?:\[[^\[\]]{0,40}\])?")  # floats, lists and the like
_ASIDE = re.compile(
    rf"\\begin\{{({_NAMES}|equation\*?|align\*?|thebibliography|lstlisting|tikzpicture)\}}.*?(?:\\end\{{\1\}}|\Z)",
    re.DOTALL,
)


def read(source: Source) -> Contents:
    """Every outermost tabular of a LaTeX source."""
    text = without_comments(source.text)
    macros, without = definitions(text)
    contents = Contents(source, problems=list(source.notes), paragraphs=_paragraphs(looked_through(text), macros))
    ends = line_ends(text, source.inserted)
    captions = list(_CAPTION.finditer(text))
    starts = [match.start() for match in captions]
    floats = [match.span() for match in _FLOAT.finditer(text)]
    for start, end in _environments(without):
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
            before = bisect_left(floats, (start, 0)) - 1
            begin, finish = floats[before] if before >= 0 and floats[before][1] >= end else (start, end)
            place = max(bisect_left(starts, begin), bisect_left(starts, start) - 1)
            own = place < len(captions) and captions[place].end() <= finish
            contents.add(
                grid, caption=render_text(expand(captions[place][1].rstrip("\\ \n"), macros)) if own else "", line=line
            )
    return contents


def _environments(text: str) -> Iterator[tuple[int, int | None]]:
    """Start and end of every outermost table environment; no end where it is missing."""
    depth, start = 0, 0
    for match in _BEGIN_END.finditer(text):
        begins = match[1] == "begin"
        start = match.start() if begins and depth == 0 else start
        if depth == 1 and not begins:
            yield start, match.end()
        depth = max(0, depth + (1 if begins else -1))
    if depth > 0:
        yield start, None


def _paragraphs(text: str, macros: Macros) -> Iterator[Paragraph]:
    """The paragraphs of a source without comments, tables and equations; the captions of tables are among them."""
    start, end = text.find(r"\begin{document}"), text.rfind(r"\end{document}")
    text = _ASIDE.sub("\n\n", text[max(start, 0) : end if end > start else len(text)])
    place = ""
    for block in _BLANK.split(_FRAME.sub("\n\n", text)):
        for number, piece in enumerate(_SECTION.split(block)):  # text, title, text, title, text ...
            if number % 2:
                place = f"section {piece.strip()!r}"
                continue
            try:
                yield render_text(expand(piece, macros)).strip(), place
            except (UnreadableInput, RecursionError):
                continue


_HALVES = re.compile(r"@\{[\s${}]*+(?:\\[,;:!][\s${}]*+)*(?:[.,]|\\pm\b|±)")
_RULES = {"toprule", "midrule", "bottomrule", "hline", "cmidrule", "cline", "specialrule", "thickhline", "Xhline"}


def grid_of(text: str) -> Table:
    """The grid of one environment; its header rows are guessed where no rule says where they end."""
    lines: list[list[Placed]] = []
    current: list[list[Any]] = [[]]
    rules: list[tuple[int, str]] = []
    part = 0  # the row with which a part of a long table begins
    table = parse(text)[0]
    given = [argument for argument in table.nodeargd.argnlist if argument is not None]
    for node in table.nodelist:
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
    preamble = next((part.latex_verbatim()[1:-1] for part in reversed(given) if part.delimiters[0] == "{"), "")
    if _HALVES.search(preamble):
        raise UnreadableInput("numbers that are cut into two columns (r@{.}l) are not read")
    lines = _without_covered([*lines, last] if any(cell.text for cell in last) else lines)
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
            return Placed(render(nodes), rows, columns, is_set(nodes, BOLD), is_set(nodes, UNDERLINED))
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
