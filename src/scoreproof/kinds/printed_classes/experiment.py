"""A printed confusion matrix of several classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from scoreproof.declared import declared
from scoreproof.errors import InvalidExperiment, NotCovered
from scoreproof.kinds.multi_class.experiment import MOST_CASES
from scoreproof.reported import report
from scoreproof.validation import shown, whole

_MOST_CLASSES = 1_000


@dataclass(frozen=True, slots=True)
class PrintedClasses:
    """A printed matrix, a row for each true class; ``total`` is how many cases the text says there are.

    Cells are counts. With ``counts``, the cases of each class, they may be shares of their rows ("85.7%"), where each
    share leaves one count; other matrices of shares are not covered.

    >>> PrintedClasses([["66.7%", "33.3%"], ["0%", "100%"]], counts=[3, 2]).matrix
    ((2, 1), (0, 2))
    """

    kind: ClassVar[str] = "printed_classes"
    matrix: Sequence[Sequence[Any]]
    names: Sequence[str] | None = None
    total: int | None = None
    counts: Sequence[int] | None = None

    def __post_init__(self) -> None:
        rows = self.matrix
        if isinstance(rows, (str, bytes)) or not isinstance(rows, Sequence) or not 2 <= len(rows) <= _MOST_CLASSES:
            raise InvalidExperiment(f"matrix: expected 2 to {_MOST_CLASSES} rows, got {shown(rows)}")
        if any(isinstance(row, str) or not isinstance(row, Sequence) or len(row) != len(rows) for row in rows):
            raise InvalidExperiment(f"matrix: expected {len(rows)} rows of {len(rows)} cells each")
        for name, several in (("counts", self.counts), ("names", self.names)):
            if several is not None and (isinstance(several, str) or not isinstance(several, Sequence)):
                raise InvalidExperiment(f"{name}: expected one for each class, got {shown(several)}")
        if self.counts is not None:
            sizes = [whole("counts", n, at_most=MOST_CASES, error=InvalidExperiment) for n in self.counts]
            if len(sizes) != len(rows):
                raise InvalidExperiment(f"counts: expected one for each of {len(rows)} classes, got {len(sizes)}")
            rows = [_row_of_shares(row, n) for row, n in zip(rows, sizes, strict=True)]
            object.__setattr__(self, "counts", None)
        cells = tuple(
            tuple(whole("a cell", c, at_most=MOST_CASES, error=InvalidExperiment) for c in row) for row in rows
        )
        if not any(map(any, cells)):
            raise InvalidExperiment("matrix: expected at least one case, got none")
        names = tuple(str(at + 1) for at in range(len(cells))) if self.names is None else tuple(map(_name, self.names))
        if len(names) != len(cells) or len(set(names)) != len(names):
            raise InvalidExperiment(f"names: expected a name of its own for each of {len(cells)} classes, got {names}")
        object.__setattr__(self, "matrix", cells)
        object.__setattr__(self, "names", names)
        if self.total is not None:
            object.__setattr__(self, "total", whole("total", self.total, at_most=MOST_CASES, error=InvalidExperiment))

    @classmethod
    @declared
    def from_dict(cls, settings: Mapping[str, Any]) -> PrintedClasses:
        unknown = set(settings) - {"matrix", "names", "total", "counts"}
        if unknown or "matrix" not in settings:
            raise InvalidExperiment(
                f"printed_classes: expected matrix, names, total, counts; got {', '.join(settings)}"
            )
        return cls(**settings)

    def to_dict(self) -> dict[str, Any]:
        tree: dict[str, Any] = {"type": "printed_classes", "matrix": [list(row) for row in self.matrix]}
        return tree | {"names": list(self.names or ())} | ({} if self.total is None else {"total": self.total})

    def __str__(self) -> str:
        return f"the printed confusion matrix of {len(self.matrix)} classes on {sum(map(sum, self.matrix))} cases"


def _name(name: Any) -> str:
    if not isinstance(name, str | int):
        raise InvalidExperiment(f"names: expected the name of a class, got {shown(name)}")
    return str(name) if isinstance(name, str) else str(whole("names", name, error=InvalidExperiment))


def _row_of_shares(row: Sequence[Any], n: int) -> list[int]:
    """Counts of a row of shares, where each share leaves one."""
    counts = []
    for cell in row:
        claim = report("acc", cell if isinstance(cell, str) else shown(cell), rounding="nearest")
        low, high = max(claim.low, Fraction(0)) * n, claim.high * n
        least, most = low.__ceil__(), high.__floor__()
        if least != most:
            raise NotCovered(f"matrix: of {n} cases {cell} leaves {'several counts' if least < most else 'no count'}")
        counts.append(least)
    if sum(counts) != n:
        raise NotCovered(f"matrix: a row of shares makes {sum(counts)} cases of {n}")
    return counts
