"""How large the problem of a mean is, before anything is listed or allocated."""

from __future__ import annotations

from scoreproof.kinds.binary.engine.averages.targets import Demand, extremes_of_parts, set_groups

MOST_COLUMNS = 1_500_000
MOST_VALUES = 30_000_000  # columns times rows, 16 bytes each
_MOST_COUNTS = 100_000  # class counts of one fold
_MOST_KINDS = 5_000  # evaluation sets that differ
_MOST_OPEN = 20_000_000  # data sets with open folds times folds, all of which are looked at together


class TooManyPoints(Exception):
    """The points of a problem, or their values, are too large to be listed; caught by whoever wanted to list them."""


def beyond_reach(demand: Demand) -> str:
    """Why a demand is not even looked at, in words; empty if it is."""
    form = demand.form
    kinds = set(form.sets)
    if any(form.open_counts(each) > _MOST_COUNTS for each in kinds):
        return (
            "the evaluation sets are too large to list their points, and folds of unknown class counts are not decided "
            "at this size"
        )
    if len(form.families) * len(form.sets) > _MOST_OPEN:
        return f"{len(form.sets):,} folds of unknown class counts in {len(form.families):,} repeats are not decided"
    different = len(kinds) - len(form.families)
    if different > _MOST_KINDS:
        return f"{different:,} different evaluation sets are not decided, at most {_MOST_KINDS:,}"
    return ""


def can_be_listed(demand: Demand, columns: int) -> bool:
    """Whether the points of all sets, so many columns, fit into memory with all their rows."""
    return columns <= MOST_COLUMNS and columns * rows_expected(demand) <= MOST_VALUES


def rows_expected(demand: Demand) -> int:
    """About how many rows the model of a demand would have; rather too many."""
    ranged = sum(not isinstance(bound.part, int) for bound in (*demand.bounds, *extremes_of_parts(demand)))
    families = len(demand.form.families)
    return 8 * len(demand.targets) + 3 * ranged + 3 * families + 3 * (len(list(set_groups(demand))) + 1)
