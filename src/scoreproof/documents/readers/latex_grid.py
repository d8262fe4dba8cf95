r"""The grid of one table environment: its lines, the cells that reach over several places, and its header rows.

``\multicolumn`` stands for the places it covers; in tabularray (``\SetCell[c=2]``, ``cell{1}{2} = {c=2}``) and
nicematrix (``\Block{1-2}``) these are written as empty cells beside it, and are taken out here. What ``@{...}`` puts
between two columns is printed in every row: where that is a decimal mark or a ± (``r@{.}l``, ``r@{$\pm$}l``), the two
cells are one number on the page, and are read as such.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Any

from scoreproof.documents.grid import Placed, lay
from scoreproof.documents.readers.latex_source import closing
from scoreproof.documents.readers.latex_text import is_bold, is_underlined, parse, render, render_text
from scoreproof.documents.table import Table
from scoreproof.errors import UnreadableInput

_RULES = {"toprule", "midrule", "bottomrule", "hline", "cmidrule", "cline", "specialrule", "thickhline", "Xhline"}
_SPEC_CELL = re.compile(r"\bcell\{([\d,\s-]{1,40})\}\{([\d,\s-]{1,40})\}\s*+=\s*+\{([^{}]{0,100})\}")
_REACH = re.compile(r"\b([rc])\s*+=\s*+(\d{1,3})\b")
_BLOCK = re.compile(r"\s*(\d{1,3})\s*-\s*(\d{1,3})\s*")
_MOST_PLACES = 1_000
Reaches = Mapping[tuple[int, int], tuple[int, int]]


def grid_of(text: str) -> Table:
    """The grid of one environment; its header rows are guessed where no rule says where they end."""
    environment = parse(text)[0]
    reaches = _reaches(text) if "tblr}" in text[:30] else {}
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
            if not any(getattr(part, "macroname", None) == "caption" for part in current[0]):  # of a long table
                lines.append(_line(current, len(lines), reaches))
            current = [[]]
        elif name in ("endhead", "endfirsthead", "endfoot", "endlastfoot"):
            # A long table repeats its head on every page: what ends before \endhead is a copy of the first head.
            if name != "endfirsthead" and lines and ("endfirsthead" in text or name != "endhead"):
                first = max((row for row, mark in rules if mark == "part"), default=0)
                del lines[first:]
            rules.append((len(lines), "part"))
        else:
            current[-1].append(node)
    last = _line(current, len(lines), reaches)
    if any(cell.text for cell in last):
        lines.append(last)
    lines = _without_covered(with_joined(text, lines))
    return lay(lines, _header_rows(lines, rules))


def _reaches(text: str) -> Reaches:
    """The cells of several places that the head of a tabularray names: place to rows and columns.

    >>> _reaches("\\\\begin{tblr}{cell{1}{2,4} = {c=2}{c}}")
    {(0, 1): (1, 2), (0, 3): (1, 2)}
    """
    reaches: dict[tuple[int, int], tuple[int, int]] = {}
    for match in _SPEC_CELL.finditer(text):
        reach = {letter: int(count) for letter, count in _REACH.findall(match[3])}
        for row in _numbers(match[1]) if reach else ():
            for column in _numbers(match[2]):
                if len(reaches) < _MOST_PLACES:
                    reaches[row - 1, column - 1] = reach.get("r", 1), reach.get("c", 1)
    return reaches


def _numbers(text: str) -> list[int]:
    """The numbers of a list such as 1,3-5."""
    numbers: list[int] = []
    for part in text.split(","):
        ends = re.fullmatch(r"\s*(\d{1,3})\s*(?:-\s*(\d{1,3}))?\s*", part)
        if ends:
            numbers += range(int(ends[1]), int(ends[2] or ends[1]) + 1)
    return numbers


def _line(cells: list[list[Any]], row: int, reaches: Reaches) -> list[Placed]:
    """The cells of a line; those that one of tabularray or nicematrix reaches over are left out."""
    placed: list[Placed] = []
    column = skip = 0
    for nodes in cells:
        if skip:
            skip, column = skip - 1, column + 1
            continue
        cell, inside = _placed(nodes)
        if (row, column) in reaches:
            rows, columns = reaches[row, column]
            cell, inside = replace(cell, rows=rows, columns=columns), True
        placed.append(cell)
        skip = cell.columns - 1 if inside else 0
        column += 1 if inside else cell.columns
    return placed


def _placed(nodes: list[Any]) -> tuple[Placed, bool]:
    """A cell, what it spans unpacked, and whether the places it covers are written as empty cells beside it."""
    rows = columns = 1
    beside = False
    while True:
        solid = [node for node in nodes if not _is_blank(node)]
        name = getattr(solid[0], "macroname", None) if solid else None
        arguments = [argument for argument in solid[0].nodeargd.argnlist if argument is not None] if name else []
        if name in ("SetCell", "Block"):
            argument = render(arguments[0:1]) if name == "SetCell" else render(arguments[-2:-1])
            reach = {letter: int(count) for letter, count in _REACH.findall(argument)}
            block = _BLOCK.fullmatch(argument)
            rows, columns = (int(block[1]), int(block[2])) if block else (reach.get("r", 1), reach.get("c", 1))
            nodes, beside = ([arguments[-1]] if name == "Block" else solid[1:]), True
            continue
        if name not in ("multicolumn", "multirow") or len(solid) > 1 or len(arguments) < 3:
            break
        count = _whole(render(arguments[0:1]))
        if name == "multicolumn":
            columns = max(1, abs(count))
        else:
            rows = count if count else 1
        nodes = [arguments[-1]]
    return Placed(render(nodes), rows, columns, is_bold(nodes), is_underlined(nodes)), beside


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
    grid: list[dict[int, Placed]] = []
    for line in lines:
        starts = accumulate((cell.columns for cell in line), initial=0)
        grid.append(dict(zip(starts, line, strict=False)))
    for row, cells in enumerate(grid):
        for column, cell in cells.items():
            top = row + cell.rows + 1
            if cell.rows < -1 and top >= 0:
                cells[column] = Placed("")
                if column in grid[top]:
                    grid[top][column] = replace(cell, rows=-cell.rows)
    covered: set[tuple[int, int]] = set()
    result = []
    for row, cells in enumerate(grid):
        kept = []
        for column, cell in cells.items():
            if (row, column) in covered and not cell.text:
                continue
            reach, end = range(column, column + cell.columns), row + 1
            while end < min(row + cell.rows, len(grid)) and not any(
                grid[end][at].text for at in reach if at in grid[end]
            ):
                covered.update((end, at) for at in reach)
                end += 1
            kept.append(replace(cell, rows=end - row))
        result.append(kept)
    return result


def _header_rows(lines: list[list[Placed]], rules: list[tuple[int, str]]) -> int | None:
    """The rows above the first midrule, or above the first rule of a table ruled once; None if that says nothing."""

    first = next((row for row, line in enumerate(lines) if any(cell.text for cell in line)), len(lines))
    below_head = next((row for row, name in rules if name == "midrule" and row > first), None)
    inner = {row for row, name in rules if name == "hline" and 0 < row < len(lines)}
    alone = inner.pop() if len(inner) == 1 else 0
    return below_head or (alone if alone > first else None)


_BEGIN = re.compile(r"\\begin\{(?P<name>[a-zA-Z]{1,20}\*?)\}(?:\s*\[[^\]]{0,20}\])?\s*")
_WIDTH_FIRST = {"tabular*", "tabularx", "tabulary", "xltabular"}
_JOINTS = {".": ".", ",": ",", "±": " ± "}
_OPENED = re.compile(r"\s*(?:\[[^\]]*\]\s*)?\{")
_MOST_COLUMNS = 200


def with_joined(text: str, lines: list[list[Placed]]) -> list[list[Placed]]:
    """The lines of an environment, halves of numbers put together; as they are where a cell covers half of a pair."""
    joints = _joints(_preamble(text)) if "@{" in text else {}
    if not joints:
        return lines
    joined = [_joined(line, joints) for line in lines]
    whole = [line for line in joined if line is not None]
    return whole if len(whole) == len(lines) else lines


def _joined(line: Sequence[Placed], joints: dict[int, str]) -> list[Placed] | None:
    cells: list[Placed] = []
    column = 0
    half: Placed | None = None
    for cell in line:
        last = column + cell.columns - 1
        if half is not None:
            if cell.columns > 1:
                return None
            between = joints[column - 1] if half.text and cell.text else ""
            cells.append(replace(half, text=f"{half.text}{between}{cell.text}", bold=half.bold or cell.bold))
            half = None
        elif last in joints and cell.columns == 1 and cell.rows == 1:
            half = cell
        elif last in joints or column - 1 in joints:
            return None
        else:
            cells.append(replace(cell, columns=cell.columns - sum(column <= at < last for at in joints)))
        column = last + 1
    return cells if half is None else [*cells, half]


def _preamble(text: str) -> str:
    """What the head of an environment says of its columns."""
    begin = _BEGIN.match(text)
    at = begin.end() if begin else len(text)
    if begin and begin["name"] in _WIDTH_FIRST:
        width = closing(text, at) if text[at : at + 1] == "{" else None
        at = len(text) if width is None else width + 1
    end = closing(text, at) if text[at : at + 1] == "{" else None
    return "" if end is None else text[at + 1 : end]


def _joints(preamble: str) -> dict[int, str]:
    r"""What is printed between a column and the next, for marks that make one number of two.

    >>> _joints(r"l r@{.}l @{}c r@{$\,\pm\,$}l")
    {1: '.', 4: ' ± '}
    """
    joints: dict[int, str] = {}
    column = -1
    for letter, argument in _letters(preamble):
        if letter == "@":
            mark = "".join(render_text(argument).split())
            if mark in _JOINTS and column >= 0:
                joints[column] = _JOINTS[mark]
        elif letter.isalpha():
            column += 1
            if column > _MOST_COLUMNS:
                return {}
    return {at: mark for at, mark in joints.items() if at < column and at - 1 not in joints}


def _letters(preamble: str, depth: int = 0) -> Iterator[tuple[str, str]]:
    """The letters of a preamble with what stands in braces behind each; repeated parts are written out."""
    at = 0
    while at < len(preamble):
        letter = preamble[at]
        at += 1
        arguments = []
        while not letter.isspace() and (opened := _OPENED.match(preamble, at)) is not None:
            end = closing(preamble, opened.end() - 1)
            if end is None:
                return
            arguments.append(preamble[opened.end() : end])
            at = end + 1
        if letter == "*" and len(arguments) == 2 and depth < 3 and re.fullmatch(r"\s*\d{1,2}\s*", arguments[0]):
            yield from (part for _ in range(int(arguments[0])) for part in _letters(arguments[1], depth + 1))
        elif letter in "@!" or letter.isalpha():
            yield letter, arguments[0] if arguments else ""
