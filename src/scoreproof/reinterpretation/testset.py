"""Were the methods evaluated on the same test set?

Methods compared on one test set share its prevalence (Lavazza and Morasca 2023, section III.C). Two guaranteed ranges
that do not meet prove different test sets; class counts that fit every row show that one test set is possible.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

from scoreproof.jsonable import Jsonable, document
from scoreproof.kinds.unknown_classes.ranges import Range
from scoreproof.kinds.unknown_classes.smallest import smallest
from scoreproof.reconstruction.result import Reconstruction


@dataclass(frozen=True, slots=True)
class SameTestSet(Jsonable):
    """``apart`` are the pairs of methods that cannot share a test set; ``common`` is a (p, n) that fits all rows.

    ``searched`` is the largest total up to which common class counts were looked for; None if the sizes are known.
    """

    prevalences: dict[str, Range]
    apart: tuple[tuple[str, str], ...]
    common: tuple[int, int] | None
    searched: int | None

    @property
    def possible(self) -> bool | None:
        """True if a common test set was found, False if there is none, None if neither is known."""
        if self.common is not None:
            return True
        return False if self.apart or self.searched is None else None

    def to_dict(self) -> dict[str, Any]:
        common = None if self.common is None else dict(zip("pn", self.common, strict=True))
        return document(self, "possible *", common=common)


def same_test_set(found: dict[str, Reconstruction]) -> SameTestSet | None:
    """What the reconstructions say about a common test set; None for fewer than two methods."""
    spans = {name: one.ranges["prevalence"] for name, one in found.items() if "prevalence" in one.ranges}
    if len(spans) < 2:
        return None
    apart = tuple(
        (one, other)
        for one, other in combinations(spans, 2)
        if _apart(spans[one], spans[other], found[one], found[other])
    )
    if apart:
        return SameTestSet(spans, apart, None, None)
    listed = [one.groups for name, one in found.items() if name in spans]
    if any(groups is not None for groups in listed):
        return SameTestSet(spans, (), *_among_listed(found, spans))
    low = max(span.low for span in spans.values())
    high = min(Fraction(1) if span.high is None else span.high for span in spans.values())
    least = smallest(tuple(found[name].claims for name in spans), low, high, listed=1)
    common = (least.matrices[0].p, least.matrices[0].n) if least.matrices else None
    return SameTestSet(spans, (), common, least.searched)


def _apart(one: Range, other: Range, first: Reconstruction, second: Reconstruction) -> bool:
    """Whether two methods cannot share their class counts."""
    if any(a.high is not None and a.high < b.low for a, b in ((one, other), (other, one))):
        return True
    if first.groups is None or second.groups is None:
        return False
    return not {(group.p, group.n) for group in first.groups} & {(group.p, group.n) for group in second.groups}


def _among_listed(found: dict[str, Reconstruction], spans: dict[str, Range]) -> tuple[tuple[int, int] | None, None]:
    """Class counts that every method with a list has, and that fit the others."""
    from scoreproof.checking.check import check
    from scoreproof.kinds.binary.experiment import TestSet

    lists = [found[name].groups for name in spans]
    shared = set.intersection(*({(g.p, g.n) for g in groups} for groups in lists if groups is not None))
    others = [found[name].claims for name in spans if found[name].groups is None]
    for p, n in sorted(shared):
        if all(check(TestSet(p, n), {one.name: one for one in report}).verdict == "consistent" for report in others):
            return (p, n), None
    return None, None
