r"""Columns of a LaTeX table that are halves of one: ``r@{.}l`` sets decimals below each other, ``r@{$\pm$}l`` a ±.

What ``@{...}`` puts between two columns is printed in every row. Where that is a decimal mark or a ±, the two cells
are one number on the page, and are read as such.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from scoreproof.documents.grid import Placed
from scoreproof.documents.readers.latex_macros import closing
from scoreproof.documents.readers.latex_text import render_text

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
