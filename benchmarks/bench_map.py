"""Averaged reports that are left undecided: a ninth of the grid of ``average_map``, which prints the whole of it."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.average_map import BUDGETS, chosen, outcomes, shares
from benchmarks.measure import Row

_SEED, _EVERY = 1, 9
_PROMISED = (0.05, 0.03)  # undecided at most, by budget


def rows() -> Iterator[Row]:
    """Undecided reports by sort and budget, and true ones that were flagged."""
    found = list(outcomes(chosen(_SEED, _EVERY), BUDGETS, {}))
    for budget, promised in zip(BUDGETS, _PROMISED, strict=True):
        lines = shares(found, budget)
        every, left = (sum(pair[side] for pair in lines.values()) for side in (0, 1))
        note = "; ".join(f"{line}: {open_} of {count}" for line, (count, open_) in lines.items() if open_)
        yield Row(f"undecided within {budget:g} s of {every}", rate=left / every, promised_rate=promised, note=note)
    flagged = [outcome.name for outcome in found if outcome.flagged]
    yield Row("true reports flagged", rate=len(flagged) / len(found), promised_rate=0.0, note=", ".join(flagged))
    yield Row("processor time of all", ours=sum(outcome.seconds for outcome in found))
