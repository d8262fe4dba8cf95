"""Printed counts of one confusion matrix: what follows from them, or which of them contradict each other.

p = tp + fn, n = tn + fp, total = p + n, and none is negative: what two of a sum are fixes the third.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from scoreproof.errors import InvalidExperiment
from scoreproof.kinds.binary.scores import ConfusionMatrix

CELLS = ("tp", "fp", "fn", "tn")
NAMES = (*CELLS, "p", "n", "total")
_SUMS = (("p", "tp", "fn"), ("n", "tn", "fp"), ("total", "p", "n"))
_LARGEST = 10**40  # what the verifier reads

Pairs = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Known:
    """The counts that are printed or follow; ``conflict`` says in words what contradicts what."""

    counts: Mapping[str, int]
    conflict: str = ""

    @property
    def matrix(self) -> ConfusionMatrix | None:
        """The confusion matrix, if all four cells are known."""
        if self.conflict or not all(cell in self.counts for cell in CELLS):
            return None
        return ConfusionMatrix(*(self.counts[cell] for cell in CELLS))

    def some_matrix(self, tp: int | None = None, tn: int | None = None) -> ConfusionMatrix:
        """A matrix with these counts, and with given tp and tn if they are said: unknown cells as small as can be."""
        cells = {cell: self.counts.get(cell) for cell in CELLS}
        cells["tp"] = tp if cells["tp"] is None else cells["tp"]
        cells["tn"] = tn if cells["tn"] is None else cells["tn"]
        for whole, cell, other in _SUMS[:2]:
            if whole in self.counts:
                if cells[cell] is None:
                    cells[cell] = 0 if cells[other] is None else self.counts[whole] - (cells[other] or 0)
                cells[other] = self.counts[whole] - (cells[cell] or 0)
        missing = [cell for cell in CELLS if cells[cell] is None]
        known = {cell: value or 0 for cell, value in cells.items()}
        if missing and "total" in self.counts:
            known[missing[0]] = self.counts["total"] - sum(known.values())
        return ConfusionMatrix(**known)


def read_counts(counts: Mapping[str, int | Iterable[int]] | Iterable[tuple[str, int]]) -> Pairs:
    """Counts by name; one that is printed twice is said as a list of its values.

    >>> read_counts({"tp": 5, "p": [10, 12]})
    (('tp', 5), ('p', 10), ('p', 12))
    """
    pairs: list[tuple[str, int]] = []
    for name, value in counts.items() if isinstance(counts, Mapping) else counts:
        pairs += [(name, each) for each in ([value] if isinstance(value, int) else value)]
    for name, number in pairs:
        whole = isinstance(number, int) and not isinstance(number, bool) and 0 <= number <= _LARGEST
        if name not in NAMES or not whole:
            raise InvalidExperiment(
                f"counts: expected whole numbers from 0 on for {', '.join(NAMES)}; got {name!r}: {number!r}"
            )
    if not pairs:
        raise InvalidExperiment(f"counts: expected at least one of {', '.join(NAMES)}; got none")
    return tuple(dict.fromkeys(pairs))


def follow(pairs: Pairs) -> Known:
    """What follows from printed counts, or the first contradiction among them.

    >>> follow((("tp", 5), ("p", 10), ("n", 20), ("tn", 18))).matrix
    ConfusionMatrix(tp=5, fp=2, fn=5, tn=18)
    >>> follow((("tp", 5), ("fn", 6), ("p", 10))).conflict
    'tp 5 and fn 6 do not add up to p 10'
    """
    values: dict[str, int] = {}
    for name, value in pairs:
        if values.setdefault(name, value) != value:
            return Known(values, f"{name} is {values[name]} and {value}")
    for _ in range(len(_SUMS)):
        for whole, part, other in _SUMS:
            a, b, c = (values.get(name) for name in (whole, part, other))
            if b is not None and c is not None:
                if values.setdefault(whole, b + c) != b + c:
                    return Known(values, f"{part} {b} and {other} {c} do not add up to {whole} {a}")
            elif a is not None and (b is not None or c is not None):
                known, missing = (part, other) if b is not None else (other, part)
                if values[known] > a:
                    return Known(values, f"{known} {values[known]} is more than {whole} {a}")
                values[missing] = a - values[known]
    cells = [cell for cell in CELLS if cell in values]
    if "total" in values and sum(values[cell] for cell in cells) > values["total"]:
        said = " and ".join(f"{cell} {values[cell]}" for cell in cells)
        return Known(values, f"{said} {'is' if len(cells) == 1 else 'are'} more than total {values['total']}")
    return Known(values)
