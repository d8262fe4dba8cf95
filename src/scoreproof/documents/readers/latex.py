r"""Tables of LaTeX sources: tabular and its relatives, multicolumn, multirow, booktabs.

Only the table environments are parsed (with pylatexenc), so that a package the document uses elsewhere cannot
disturb. Abbreviations defined in the document (``\newcommand{\best}[1]{\textbf{#1}}``) are expanded first. A table
that TeX could not set either is reported with its line; the others are still read.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from scoreproof.documents.contents import MOST_TEXT, Contents, Paragraph
from scoreproof.documents.grid import GridDraft, Placed, lay
from scoreproof.documents.readers.latex_macros import closing, definitions, expand
from scoreproof.documents.readers.latex_text import is_bold, is_underlined, parse, render, render_text
from scoreproof.documents.source import Source
from scoreproof.documents.table import Position, Table
from scoreproof.errors import UnreadableInput

_TABULAR = ("tabular", "tabular*", "tabularx", "tabulary", "longtable", "longtabu", "tabu", "supertabular", "array")
_NAMES = "|".join(re.escape(name) for name in _TABULAR)
_BEGIN_END = re.compile(rf"\\(begin|end)\s*+\{{({_NAMES})\}}")
_FLOAT = re.compile(r"\\(begin|end)\s*+\{((?:side(?:ways)?|wrap|long)?table\*?|figure\*?|center)\}")
_VERBATIM = re.compile(r"\\begin\{(verbatim\*?|lstlisting|comment|minted)\}")
_CAPTION = re.compile(r"\\caption(?:of\s*+\{\w++\})?\s*+\*?\s*+(?:\[[^\[\]]*+\])?\s*+\{")
_TABLE_END = re.compile(r"\\end\s*+\{(?:side(?:ways)?|wrap)?table\*?\}")
_RULES = {"toprule", "midrule", "bottomrule", "hline", "cmidrule", "cline", "specialrule", "thickhline", "Xhline"}
_MOST_CHARACTERS = 500_000
_BLANK = re.compile(r"\n[ \t]*\n")
_SECTION = re.compile(r"\\(?:sub){0,2}section\*?\s*+\{([^{}]{1,120})\}")
_FRAME = re.compile(r"\\(?:begin|end)\s*+\{[A-Za-z]{1,30}\*?\}(?:\[[^\[\]]{0,40}\])?")  # floats, lists and the like
_ASIDE = re.compile(rf"\\begin\{{({_NAMES}|equation\*?|align\*?|thebibliography|lstlisting|tikzpicture)\}}")
Macros = dict[str, tuple[int, str]]


def read(source: Source) -> Contents:
    """Every outermost tabular of a LaTeX source."""
    text = without_comments(source.text)
    macros = definitions(text)
    tables: list[Table] = []
    problems: list[str] = []
    captions = _Captions(text, macros)
    line, counted = 1, 0
    for start, end in _environments(text):
        line, counted = line + text.count("\n", counted, start), start
        if end is None:
            problems.append(f"line {line}: this table environment has no matching \\end")
            continue
        if text[start:end].startswith("\\begin{array}") and "&" not in text[start:end]:
            continue
        try:
            if end - start > _MOST_CHARACTERS:
                raise UnreadableInput(f"a table of {end - start:,} characters; at most {_MOST_CHARACTERS:,} are read")
            draft, levels = _grid(expand(text[start:end], macros))
            caption = captions.of(start, end)
        except UnreadableInput as error:
            problems.append(f"line {line}: {error}")
            continue
        except RecursionError:
            problems.append(f"line {line}: the table nests deeper than it can be read")
            continue
        if not draft.rows:
            continue
        place = Position(len(tables), line=line)
        tables.append(draft.table(place, header_rows=levels, caption=caption, source=source.name, kind="latex"))
    return Contents(tables, problems, _paragraphs(text[:MOST_TEXT], macros))


def _paragraphs(text: str, macros: Macros) -> Iterator[Paragraph]:
    """The paragraphs of a source without comments; the captions of tables are among them."""
    place = ""
    for block in _BLANK.split(_without_environments(_body(text))):
        pieces = _SECTION.split(block)  # text, title, text, title, text ...
        for number, piece in enumerate(pieces):
            if number % 2:
                place = f"section {piece.strip()!r}"
                continue
            try:
                yield render_text(expand(piece, macros)).strip(), place
            except (UnreadableInput, RecursionError):
                continue


def _body(text: str) -> str:
    """What stands between the beginning and the end of the document, where these are marked."""
    start, end = text.find(r"\begin{document}"), text.rfind(r"\end{document}")
    return text[max(start, 0) : end if end > start else len(text)]


def _without_environments(text: str) -> str:
    """The source without tables, equations and the like; captions of tables stay, as they stand outside of these."""
    kept, start = [], 0
    for match in _ASIDE.finditer(text):
        if match.start() < start:
            continue
        end = text.find(f"\\end{{{match[1]}}}", match.end())
        if end < 0:
            break
        kept.append(text[start : match.start()])
        start = end + len(match[1]) + 6
    return _FRAME.sub("\n\n", "\n\n".join([*kept, text[start:]]))


def without_comments(text: str) -> str:
    r"""The source with comments and verbatim parts blanked, every line still on its number.

    >>> without_comments("95\\% % fine\nx")
    '95\\% \nx'
    """
    pieces: list[str] = []
    done, closed = 0, True
    while closed and (match := _VERBATIM.search(text, done)) is not None:
        end = text.find(f"\\end{{{match[1]}}}", match.end())
        closed = end >= 0  # one that never ends is passed over, and so is all that follows
        if closed:
            end += len(match[1]) + len("\\end{}")
            pieces += [text[done : match.start()], "\n" * text.count("\n", match.start(), end)]
            done = end
    text = "".join([*pieces, text[done:]])
    return re.sub(r"(?<!\\)((?:\\\\)*)%[^\n]*", r"\1", text)


def _environments(text: str) -> Iterator[tuple[int, int | None]]:
    """Start and end of every outermost table environment; no end where it is missing."""
    depth, start = 0, 0
    for match in _BEGIN_END.finditer(text):
        if match[1] == "begin":
            if depth == 0:
                start = match.start()
            depth += 1
        elif depth > 0:
            depth -= 1
            if depth == 0:
                yield start, match.end()
    if depth > 0:
        yield start, None


def _grid(text: str) -> tuple[GridDraft, int | None]:
    """The grid of one environment and its header rows, if a rule says where they end."""
    environment = parse(text)[0]
    lines: list[list[Placed]] = []
    current: list[list[Any]] = [[]]
    rules: list[tuple[int, str]] = []
    for node in environment.nodelist:
        name = getattr(node, "macroname", None)
        if name in _RULES:
            rules.append((len(lines), name))
        elif getattr(node, "specials_chars", None) == "&":
            current.append([])
        elif name in ("\\", "tabularnewline", "cr"):
            lines.append([_placed(cell) for cell in current])
            current = [[]]
        elif name in ("endhead", "endfirsthead", "endfoot", "endlastfoot"):
            # A long table repeats its head on every page: what ends before \endhead is a copy of the first head.
            if name != "endfirsthead" and lines and ("endfirsthead" in text or name != "endhead"):
                first = max((row for row, mark in rules if mark == "part"), default=0)
                del lines[first:]
            rules.append((len(lines), "part"))
        else:
            current[-1].append(node)
    last = [_placed(cell) for cell in current]
    if any(cell.text for cell in last):
        lines.append(last)
    lines = _without_covered(lines)
    draft = lay(lines)
    return draft, _header_rows(lines, rules)


def _placed(nodes: list[Any]) -> Placed:
    """A cell, its multicolumn and multirow unpacked."""
    rows = columns = 1
    while True:
        solid = [node for node in nodes if not _is_blank(node)]
        name = getattr(solid[0], "macroname", None) if len(solid) == 1 else None
        if name not in ("multicolumn", "multirow"):
            break
        arguments = [argument for argument in solid[0].nodeargd.argnlist if argument is not None]
        if len(arguments) < 3:
            break
        count = _whole(render(arguments[0:1]))
        if name == "multicolumn":
            columns = max(1, abs(count))
        else:
            rows = count if count else 1
        nodes = [arguments[-1]]
    return Placed(render(nodes), rows, columns, is_bold(nodes), is_underlined(nodes))


def _is_blank(node: Any) -> bool:
    return not getattr(node, "macroname", None) and not render([node])


def _whole(text: str) -> int:
    text = text.replace("−", "-")
    if not re.fullmatch(r"[+-]?\d{1,4}", text):
        raise UnreadableInput(f"multicolumn or multirow: expected a whole number, got {text[:20]!r}")
    return int(text)


def _without_covered(lines: list[list[Placed]]) -> list[list[Placed]]:
    """LaTeX writes an empty cell where a multirow reaches down; the grid expects none there.

    A negative multirow reaches up: its text moves to the uppermost of its rows.
    """
    grid: list[list[tuple[int, Placed]]] = []
    for line in lines:
        column, placed = 0, []
        for cell in line:
            placed.append((column, cell))
            column += cell.columns
        grid.append(placed)
    for row, cells in enumerate(grid):
        for column, cell in cells:
            top = row + cell.rows + 1
            if cell.rows < 0 and top >= 0:
                grid[top] = [(at, replace(cell, rows=-cell.rows) if at == column else other) for at, other in grid[top]]
                grid[row] = [(at, Placed("") if at == column else other) for at, other in grid[row]]
    covered: set[tuple[int, int]] = set()
    result = []
    for row, cells in enumerate(grid):
        kept = []
        for column, cell in cells:
            if (row, column) in covered and not cell.text:
                continue
            rows = cell.rows
            for below in range(row + 1, min(row + rows, len(grid))):
                filled = {at for at, other in grid[below] if other.text}
                if any(at in filled for at in range(column, column + cell.columns)):
                    rows = below - row
                    break
                covered.update((below, at) for at in range(column, column + cell.columns))
            kept.append(replace(cell, rows=max(1, rows)))
        result.append(kept)
    return result


def _header_rows(lines: list[list[Placed]], rules: list[tuple[int, str]]) -> int | None:
    """The rows above the first midrule, or above the first rule of a table ruled once; None if that says nothing."""

    def shown(count: int) -> int:
        return sum(1 for line in lines[:count] if any(cell.text for cell in line))

    for row, name in rules:
        if name == "midrule" and shown(row) > 0:
            return shown(row)
    inner = [row for row, name in rules if name == "hline" and 0 < row < len(lines)]
    return shown(inner[0]) if len(set(inner)) == 1 and shown(inner[0]) else None


class _Captions:
    r"""The \caption of the float around a table, or inside a longtable; the source is looked through once."""

    def __init__(self, text: str, macros: Macros) -> None:
        self._text, self._macros = text, macros
        self._floats = [(match.start(), match[1] == "begin") for match in _FLOAT.finditer(text)]
        self._ends = [match.start() for match in _TABLE_END.finditer(text)]
        self._captions = [(match.start(), match.end()) for match in _CAPTION.finditer(text)]
        self._open: list[int] = []  # floats that are open before the one at ``_next``
        self._next = 0

    def of(self, start: int, end: int) -> str:
        """The caption of the table from ``start`` to ``end``; tables are asked for in their order."""
        while self._next < len(self._floats) and self._floats[self._next][0] < start:
            place, begins = self._floats[self._next]
            if begins:
                self._open.append(place)
            elif self._open:
                self._open.pop()
            self._next += 1
        low = self._open[-1] if self._open else start
        after = bisect_left(self._ends, end) if self._open else len(self._ends)
        high = self._ends[after] if after < len(self._ends) else end
        first = bisect_left(self._captions, (low, 0))
        before = bisect_left(self._captions, (start, 0)) - 1
        chosen = before if before >= first else first
        if chosen >= len(self._captions) or self._captions[chosen][1] > high:
            return ""
        brace = self._captions[chosen][1] - 1
        closed = closing(self._text, brace)
        return render_text(expand(self._text[brace + 1 : closed], self._macros)) if closed is not None else ""
