"""Files whose lines repeat themselves, such as a million predicted labels: each different line is split once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

Words = tuple[list[str], npt.NDArray[np.intp]]  # different cells as they first appear, and which one each row has

_LONG = 100_000  # characters; shorter files need no such care
_SAMPLE = 2_000  # lines that show whether they repeat themselves
_FEW = 0.25  # different ones among these


def places(cells: Iterable[str], many: int) -> Words:
    """The different ones of so many texts, and which of them each is.

    >>> different, which = places(["a", "b", "a"], 3)
    >>> different, which.tolist()
    (['a', 'b'], [0, 1, 0])
    """
    known: defaultdict[str, int] = defaultdict()
    known.default_factory = known.__len__
    which = np.fromiter(map(known.__getitem__, cells), np.intp, many)
    return list(known), which


def repeated_lines(body: str, separator: str, columns: int) -> list[Words] | None:
    """The columns of a long body whose lines repeat themselves; None of another, or where lines differ in width."""
    if len(body) < _LONG:
        return None
    lines = body.split("\n")
    sample = lines[:_SAMPLE]
    if len(set(sample)) > _FEW * len(sample):
        return None
    different, which = places(lines, len(lines))
    rows = [[cell.strip() for cell in line.split(separator)] for line in different]
    if any(len(row) != columns for row in rows) or (columns == 1 and [""] in rows):
        return None
    spread = [places(cells, len(rows)) for cells in zip(*rows, strict=True)]
    return [(words, of_lines[which]) for words, of_lines in spread]
