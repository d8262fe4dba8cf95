r"""Tables of LaTeX sources: tabular and its relatives, multicolumn, multirow, booktabs.

Only the table environments are parsed (with pylatexenc), so that a package the document uses elsewhere cannot
disturb. Abbreviations defined in the document (``\newcommand{\best}[1]{\textbf{#1}}``) are expanded first. A table
that TeX could not set either is reported with its line; the others are still read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from scoreproof.documents.grid import GridDraft, Placed, lay
from scoreproof.documents.readers.latex_macros import definitions, expand
from scoreproof.documents.readers.latex_text import is_bold, parse, render, render_text
from scoreproof.documents.source import Source
from scoreproof.documents.table import Position, Table
from scoreproof.errors import UnreadableInput

_TABULAR = ("tabular", "tabular*", "tabularx", "tabulary", "longtable", "longtabu", "tabu", "supertabular", "array")
_NAMES = "|".join(re.escape(name) for name in _TABULAR)
_BEGIN_END = re.compile(rf"\\(begin|end)\s*\{{({_NAMES})\}}")
_FLOAT = re.compile(r"\\(begin|end)\s*\{((?:side(?:ways)?|wrap|long)?table\*?|figure\*?|center)\}")
_VERBATIM = re.compile(r"\\begin\{(verbatim\*?|lstlisting|comment|minted)\}.*?\\end\{\1\}", re.DOTALL)
_RULES = {"toprule", "midrule", "bottomrule", "hline", "cmidrule", "cline", "specialrule", "thickhline", "Xhline"}
_MOST_CHARACTERS = 2_000_000


def read(source: Source) -> tuple[list[Table], list[str]]:
    """Every outermost tabular of a LaTeX source."""
    text = without_comments(source.text)
    macros = definitions(text)
    tables: list[Table] = []
    problems: list[str] = []
    for start, end in _environments(text):
        line = text.count("\n", 0, start) + 1
        if end is None:
            problems.append(f"line {line}: this table environment has no matching \\end")
            continue
        if text[start:end].startswith("\\begin{array}") and "&" not in text[start:end]:
            continue
        try:
            if end - start > _MOST_CHARACTERS:
                raise UnreadableInput(f"a table of {end - start:,} characters; at most {_MOST_CHARACTERS:,} are read")
            draft, levels = _grid(expand(text[start:end], macros))
            caption = _caption(text, start, end, macros)
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
    return tables, problems


def without_comments(text: str) -> str:
    r"""The source with comments and verbatim parts blanked, every line still on its number.

    >>> without_comments("95\\% % fine\nx")
    '95\\% \nx'
    """
    text = _VERBATIM.sub(lambda match: "\n" * match[0].count("\n"), text)
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
    return Placed(render(nodes), rows, columns, is_bold(nodes))


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
                grid[top] = [
                    (at, Placed(cell.text, -cell.rows, cell.columns, cell.bold) if at == column else other)
                    for at, other in grid[top]
                ]
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
            kept.append(Placed(cell.text, max(1, rows), cell.columns, cell.bold))
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


def _caption(text: str, start: int, end: int, macros: dict[str, tuple[int, str]]) -> str:
    r"""The \caption of the float around the table, or inside a longtable."""
    stack: list[int] = []
    for match in _FLOAT.finditer(text, 0, start):
        if match[1] == "begin":
            stack.append(match.start())
        elif stack:
            stack.pop()
    low = stack[-1] if stack else start
    closing = re.compile(r"\\end\s*\{(?:side(?:ways)?|wrap)?table\*?\}").search(text, end) if stack else None
    high = closing.start() if closing else end
    found = list(re.finditer(r"\\caption(?:of\s*\{\w+\})?\s*\*?\s*(?:\[[^\]]*\])?\s*\{", text[low:high]))
    if not found:
        return ""
    before = [match for match in found if low + match.start() < start]
    chosen = before[-1] if before else found[0]
    body = balanced(text, low + chosen.end() - 1)
    return render_text(expand(body, macros)) if body else ""


def balanced(text: str, brace: int) -> str:
    """What stands in the braces that open at ``brace``; nothing if they do not close."""
    depth = 0
    for at in range(brace, min(len(text), brace + 20_000)):
        if text[at] in "{}" and text[at - 1] != "\\":
            depth += 1 if text[at] == "{" else -1
            if depth == 0:
                return text[brace + 1 : at]
    return ""
