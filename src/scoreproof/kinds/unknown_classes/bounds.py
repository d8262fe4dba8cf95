"""Best-first branch and bound over cones (Horst and Tuy 1996): guaranteed ranges of all quantities, as sharp as asked.

On every cone a quantity is bounded by finitely many quotients of integers (see ``forms``), so the extremes over the
cones that are left hold for every admissible direction. Directions found to be admissible say how sharp that is; the
cone responsible for the loosest end is cut, until every end is within the wanted tightness of a value that occurs.
Floats choose the cones; the ranges are computed from integers at the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from scoreproof.kinds.unknown_classes.cone_branching import Axis, ConeBranching, ConeLeaf, axes_of
from scoreproof.kinds.unknown_classes.experiment import BoundedQuantity, Range
from scoreproof.kinds.unknown_classes.float_bounds import FloatBounds, as_points
from scoreproof.kinds.unknown_classes.forms import (
    Quadratic,
    Quotient,
    RootBounds,
    Vector,
    further,
    linked,
    polar,
    weighted,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[Any]


class Bounds:
    """The ranges of all quantities, over a tree that is refined on the way."""

    def __init__(self, tree: ConeBranching, quantities: Iterable[BoundedQuantity]) -> None:
        import numpy as np

        self.tree = tree
        self.quantities = tuple(quantities)
        self.witness: Vector | None = None
        self._floats = FloatBounds(self.quantities)
        self._seen = np.full((2, len(self.quantities)), np.nan)  # -least and largest value that occurs
        self._points: list[list[Vector | None]] = [[None] * len(self.quantities) for _ in range(2)]
        self._on: dict[ConeLeaf, Floats] = {}
        for leaf in tree.leaves:
            self._visit(leaf)

    def find(self, most_cones: int) -> Vector | None:
        """An admissible direction; None if there is none, or none was found within the limits."""
        while self.witness is None and self.tree.leaves:
            if self.tree.cones >= most_cones or self.tree.late or not self._split(self.tree.leaves[0], None):
                return None
        return self.witness

    def tighten(self, tightness: float, most_cones: int) -> None:
        """Cut cones until every end is within ``tightness`` of a value that occurs, or the limits are reached."""
        import numpy as np

        if not self.quantities:
            return
        frozen: set[ConeLeaf] = set()
        while self.tree.leaves:
            leaves = self.tree.leaves
            outer = np.stack([self._on[leaf] for leaf in leaves])  # leaves x ends x quantities
            outer = np.where(np.isnan(outer), -np.inf, outer)
            gaps = _gaps(outer, self._seen)
            for place, leaf in enumerate(leaves):
                if leaf in frozen:
                    gaps[place] = 0
            if gaps.max(initial=0) <= tightness or self.tree.cones >= most_cones or self.tree.late:
                return
            worst = [int(k) for k in np.unravel_index(int(gaps.argmax()), gaps.shape)]
            leaf = leaves[worst[0]]
            if not self._split(leaf, self.quantities[worst[2]]):
                frozen.add(leaf)

    def range(self, quantity: BoundedQuantity) -> Range | None:
        """The guaranteed range of one quantity, from integers; None if it is undefined throughout."""
        ends: list[Quotient | None] = [None, None]
        for leaf in self.tree.leaves:
            for upper, bound in enumerate(cone_bounds(leaf.rays, quantity)):
                if bound is not None and further(bound, ends[upper], upper=bool(upper)):
                    ends[upper] = bound
        if ends[0] is None or ends[1] is None:
            return None
        least, most = linked(quantity.link, ends[0], upper=False), linked(quantity.link, ends[1], upper=True)
        if quantity.least is not None:
            least = quantity.least if least is None else max(least, quantity.least)
        if quantity.most is not None:
            most = quantity.most if most is None else min(most, quantity.most)
        if least is None:
            return None
        seen: list[Fraction | None] = []
        exact = True
        for upper, end in enumerate(ends):
            point = self._points[upper][self.quantities.index(quantity)]
            ratio = None if point is None else quantity.ratio(*point)
            seen.append(None if ratio is None else linked(quantity.link, ratio, upper=not upper))
            exact &= ratio is not None and end is not None and ratio[0] * end[1] == end[0] * ratio[1]
        return Range(least, most, exact, seen[0], seen[1])

    def cover(self) -> tuple[tuple[Vector, ...], ...]:
        """The rays of all cones that are left: every admissible direction lies in one of them."""
        return tuple(tuple(leaf.rays) for leaf in self.tree.leaves)

    def _split(self, leaf: ConeLeaf, quantity: BoundedQuantity | None) -> bool:
        axes: tuple[Axis, ...] = self.tree.axes
        if quantity is not None:
            axes = tuple(dict.fromkeys(axes + (axes_of(quantity.name) if quantity.curved else ())))
        if not self.tree.cut(leaf, axes):
            return False
        assert leaf.parts is not None
        for part in leaf.parts:
            if not part.dropped:
                self._visit(part)
        return True

    def _visit(self, leaf: ConeLeaf) -> None:
        """Bound a new cone, and look for admissible directions in it."""
        import numpy as np

        rays = leaf.rays
        bound = self._search(leaf, rays)
        if not self.quantities:
            self.witness = self.witness or next(bound, None)
            return
        low, high = self._floats.on_cone(as_points(rays))
        self._on[leaf] = np.stack([-low, high])
        self._met(list(bound))

    def _search(self, leaf: ConeLeaf, rays: list[Vector]) -> Iterator[Vector]:
        """Admissible directions in a cone: its middle, its rays, and as far from the middle as can be found."""
        admits = self.tree.admits
        middle = leaf.middle
        inside = middle if admits(middle) else None
        if inside is not None:
            yield inside
        for ray in (*rays, *(_faces(rays) if inside is None else ())):
            if admits(ray):
                yield ray
                inside = inside or ray
        if inside is None:
            return
        for ray in rays:
            furthest = None
            for power in (1, 3, 6, 10, 20):
                mixed = weighted(sum(ray), inside, ((1 << power) - 1) * sum(inside), ray)
                if not admits(mixed):
                    break
                furthest = mixed
            if furthest is not None:
                yield furthest

    def _met(self, bound: list[Vector]) -> None:
        """Take note of the values that admissible directions have."""
        import numpy as np

        if not bound:
            return
        if self.witness is None:
            self.witness = bound[0]
        values = self._floats.at(as_points(bound))
        ends = np.stack([-values, values])  # ends x points x quantities
        ends = np.where(np.isnan(ends), -np.inf, ends)
        best = ends.max(axis=1, initial=-np.inf)
        better = (best > self._seen) | (np.isnan(self._seen) & ~np.isneginf(best))
        which = ends.argmax(axis=1)
        self._seen = np.where(better, best, self._seen)
        for upper, place in zip(*(where.tolist() for where in np.nonzero(better)), strict=True):
            self._points[upper][place] = bound[int(which[upper, place])]


def _gaps(outer: Floats, seen: Floats) -> Floats:
    """How far the bound of each cone lies beyond the values that occur; relative for values above one."""
    import numpy as np

    unseen = np.isnan(seen)
    known = np.where(unseen, 0.0, seen)
    with np.errstate(invalid="ignore"):
        gaps = (outer - known) / np.maximum(1.0, np.abs(known))
    endless = np.where(np.isinf(known), 0.0, 1.0 / np.maximum(1.0, np.abs(known)))
    gaps = np.where(np.isposinf(outer), endless, gaps)
    gaps = np.where(unseen & ~np.isneginf(outer), 1.0, gaps)
    return np.where(np.isnan(gaps) | np.isneginf(outer), 0.0, gaps)


def cone_bounds(rays: list[Vector], quantity: BoundedQuantity) -> tuple[Quotient | None, Quotient | None]:
    """The least and largest ratio of a quantity on a cone, from integers."""
    if isinstance(quantity.forms, Quadratic):
        nums, dens = polar(quantity.forms.num, rays), polar(quantity.forms.den, rays)
        return _extreme(nums, dens, upper=False), _extreme(nums, dens, upper=True)
    root = RootBounds.on(rays)
    return _matthews(root, upper=False), _matthews(root, upper=True)


def _extreme(nums: list[int], dens: list[int], *, upper: bool) -> Quotient | None:
    best: Quotient | None = None
    for num, den in zip(nums, dens, strict=True):
        if (num or den) and further((num, den), best, upper=upper):
            best = (num, den) if den else (1 if num > 0 else -1, 0)
    return best


def _matthews(root: RootBounds, *, upper: bool) -> Quotient | None:
    """A bound of X / sqrt(G H), given as the signed square of a value like all ratios of that score."""
    sign = 1 if upper else -1
    crosses = any(sign * x > 0 for x in root.excess)
    (w0, w1), scale = root.below if crosses else root.above
    dens = [w0 * g + w1 * h for g, h in zip(root.actual, root.predicted, strict=True)]
    best = _extreme([scale * x for x in root.excess], dens, upper=upper)
    if best is None:
        return None
    num, den = best
    if crosses and sign * num < 0:
        num = 0
    if den == 0 or abs(num) > den:
        num, den = (1 if num > 0 else -1), 1
    return num * abs(num), den * den


def _faces(rays: list[Vector]) -> list[Vector]:
    """The middles of the faces where one or two cells are 0: some reports admit nothing else."""
    bound: dict[Vector, None] = {}
    for empty in ((0,), (1,), (2,), (3,), (0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)):
        on = [ray for ray in rays if not any(ray[k] for k in empty)]
        if len(on) > 1:
            a, b, c, d = (sum(column) for column in zip(*on, strict=True))
            bound[a, b, c, d] = None
    return list(bound)
