"""What a row prints beside its plain values: values given twice, averages over classes, smallest and largest ones."""

from __future__ import annotations

from collections.abc import Collection

from scoreproof.papers.table_semantics import Report, Value


def notes_on(one: Report, tested: Collection[Value] = ()) -> list[str]:
    """What of a row is not checked, in words; ``tested`` are averages over classes that are."""
    notes = [f"given twice: {clash}; none of them was checked" for clash in one.clashes]
    left = [value for value in one.qualified if value not in tested]
    if left:
        kinds = ", ".join(dict.fromkeys(f"{value.qualifier} {value.score}" for value in left))
        notes.append(f"not tested: {kinds}")
    return notes


def extremes(one: Report) -> tuple[dict[str, str], dict[str, str]]:
    """The smallest and the largest values of its scores."""
    pairs = one.extremes
    low = {name: ends[0] for name, ends in pairs.items() if ends[0] is not None}
    high = {name: ends[1] for name, ends in pairs.items() if ends[1] is not None}
    return low, high
