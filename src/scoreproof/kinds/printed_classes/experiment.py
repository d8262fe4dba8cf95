"""A printed confusion matrix of several classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoreproof.errors import InvalidExperiment
from scoreproof.kinds.multi_class.experiment import MOST_CASES, MultiClass, numbered
from scoreproof.reported import report
from scoreproof.reported.claim import refuse_spread
from scoreproof.validation import declared, shown, whole

_MOST_CLASSES = 1_000


@dataclass(frozen=True, slots=True)
class PrintedClasses:
    """A printed matrix, a row for each true class; ``total`` is how many cases the text says there are.

    Cells are counts. With ``counts``, the cases of each class, they are shares of their rows as printed ("85.7%").

    >>> str(PrintedClasses([[2, 1], [0, 2]])), PrintedClasses([["66.7%", "33.3%"], ["0%", "100%"]], counts=[3, 2]).kind
    ('the printed confusion matrix of 2 classes on 5 cases', 'printed_shares')
    """

    matrix: Sequence[Sequence[Any]]
    names: Sequence[str] | None = None
    total: int | None = None
    counts: Sequence[int] | Mapping[str, int] | None = None

    def __post_init__(self) -> None:
        rows = self.matrix
        if isinstance(rows, (str, bytes)) or not isinstance(rows, Sequence) or not 2 <= len(rows) <= _MOST_CLASSES:
            raise InvalidExperiment(f"matrix: expected 2 to {_MOST_CLASSES} rows, got {shown(rows)}")
        if any(isinstance(row, str) or not isinstance(row, Sequence) or len(row) != len(rows) for row in rows):
            raise InvalidExperiment(f"matrix: expected {len(rows)} rows of {len(rows)} cells each")
        if self.names is not None and (isinstance(self.names, str) or not isinstance(self.names, Sequence)):
            raise InvalidExperiment(f"names: expected one for each class, got {shown(self.names)}")
        if self.total is not None:
            object.__setattr__(self, "total", whole("total", self.total, at_most=MOST_CASES, error=InvalidExperiment))
        cells = self._counted(rows) if self.counts is None else self._shared(rows)
        names = numbered(len(cells)) if self.names is None else tuple(map(_name, self.names))
        if len(names) != len(cells) or len(set(names)) != len(names):
            raise InvalidExperiment(f"names: expected a name of its own for each of {len(cells)} classes, got {names}")
        object.__setattr__(self, "matrix", cells)
        object.__setattr__(self, "names", names)

    def _counted(self, rows: Sequence[Sequence[Any]]) -> tuple[tuple[int, ...], ...]:
        cells = tuple(
            tuple(whole("a cell", c, at_most=MOST_CASES, error=InvalidExperiment) for c in row) for row in rows
        )
        if not any(map(any, cells)):
            raise InvalidExperiment("matrix: expected at least one case, got none")
        return cells

    def _shared(self, rows: Sequence[Sequence[Any]]) -> tuple[tuple[str, ...], ...]:
        """The shares as texts; the class counts as numbers."""
        known = MultiClass(self.counts)
        if len(known.sizes) != len(rows):
            raise InvalidExperiment(f"counts: expected one for each of {len(rows)} classes, got {len(known.sizes)}")
        if self.total not in (None, sum(known.sizes)):
            raise InvalidExperiment(f"total: the class counts add up to {sum(known.sizes)}, not {self.total}")
        if isinstance(self.counts, Mapping) and self.names is None:
            object.__setattr__(self, "names", known.names)
        object.__setattr__(self, "counts", known.sizes)
        for cell in (cell for row in rows for cell in row):
            if not isinstance(cell, str):
                raise InvalidExperiment(f"matrix: expected shares as printed, such as '85.7%', got {shown(cell)}")
            refuse_spread([report("sens", cell)])
        return tuple(tuple(row) for row in rows)

    @property
    def kind(self) -> str:
        return "printed_classes" if self.counts is None else "printed_shares"

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
        stated = {"total": self.total, "counts": None if self.counts is None else list(self.counts)}
        return tree | {"names": list(self.names or ())} | {k: v for k, v in stated.items() if v is not None}

    def __str__(self) -> str:
        if self.counts is not None:
            cases = sum(MultiClass(self.counts).sizes)
            return f"the printed confusion matrix of {len(self.matrix)} classes on {cases} cases, in shares of its rows"
        return f"the printed confusion matrix of {len(self.matrix)} classes on {sum(map(sum, self.matrix))} cases"


def _name(name: Any) -> str:
    if not isinstance(name, str | int):
        raise InvalidExperiment(f"names: expected the name of a class, got {shown(name)}")
    return name if isinstance(name, str) else str(whole("names", name, error=InvalidExperiment))
