"""Branch and bound over cones of directions (simplicial partitions: Horst and Tuy 1996): a tree that covers all.

A cone is dropped when one reported score excludes all of it, or when half-spaces leave nothing of it; otherwise it
is cut in two along the ratio of two cells. The tree of what was dropped and why is the proof of an inconsistency:

    ["cut", i, j, a, b]                 two parts: b x_i <= a x_j, then b x_i >= a x_j (cells in the order tp fp fn tn)
    ["trim", s, end, plane, balance, up, down]   score s at its end "low" or "high" allows only plane . x >= 0
    ["out"]                             no direction is left in this cone
    ["out", s, end]                     score s is beyond that end on the whole cone, or undefined
    ["out", s, end, u, end, k, m]       k times the form of s plus m times that of u is negative on the whole cone

For the Matthews correlation a step carries the numerator and denominator of its t as well (see ``forms``).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd
from typing import Any

from scoreproof.kinds.unknown_classes.float_bounds import Proposal, Screen, as_points, implied, rounded, tangent
from scoreproof.kinds.unknown_classes.forms import (
    UNITS,
    Cone,
    Linear,
    Matrix,
    Quadratic,
    RateDemand,
    Side,
    Vector,
    everything,
    value,
    weighted,
)
from scoreproof.work.budget import Budget

Step = list[Any]
Axis = tuple[int, int]

SENS, SPEC, PPV, NPV, RIGHT, WRONG = (0, 2), (3, 1), (0, 1), (3, 2), (0, 3), (1, 2)
_CONE = 5e-4  # seconds that a cone takes
_OF_TRUTH: tuple[Axis, ...] = (SENS, SPEC)
_AXES: dict[str, tuple[Axis, ...]] = {
    **dict.fromkeys(("bm", "bacc", "gm", "lrp", "lrn", "pt", "dor"), _OF_TRUTH),
    "mk": (PPV, NPV),
    "fm": (SENS, PPV),
}
_ALL_AXES: tuple[Axis, ...] = (SENS, SPEC, PPV, NPV, RIGHT, WRONG)
_ROUNDS = 2  # of trimming before a cone is cut
_THINNEST = 1e-9


def axes_of(name: str) -> tuple[Axis, ...]:
    """The ratios of cells a score depends on."""
    return _AXES.get(name, _ALL_AXES)


@dataclass(slots=True, eq=False)
class ConeLeaf:
    """A cone of the tree; what is ``open`` is still to be met by its directions."""

    cone: Cone
    open: tuple[tuple[RateDemand, str], ...]
    steps: list[Step] = field(default_factory=list)
    parts: tuple[ConeLeaf, ConeLeaf] | None = None
    dropped: bool = False

    @property
    def rays(self) -> list[Vector]:
        return [ray.cells for ray in self.cone.rays]

    @property
    def middle(self) -> Vector:
        """A direction well inside, with short cells."""
        sums = [0.0] * 4
        for ray in self.cone.rays:
            total = sum(ray.cells)
            sums = [x + cell / total for x, cell in zip(sums, ray.cells, strict=True)]
        scale = (1 << 40) / sum(sums)
        a, b, c, d = (round(x * scale) for x in sums)
        return a, b, c, d


class ConeBranching:
    """The cones that are left, and the tree they are leaves of."""

    def __init__(
        self, demands: list[RateDemand], *, planes: Iterable[Vector] = (), deadline: Budget | None = None
    ) -> None:
        self.demands = demands
        self.deadline = deadline
        self.cones = 0
        cone = everything()
        for plane in planes:
            cone = cone.clip(plane)
        for demand in demands:
            if isinstance(demand.forms, Linear):
                for plane in demand.planes():
                    cone = cone.clip(plane)
        self._screen = Screen(demands)
        curved = [demand for demand in demands if not isinstance(demand.forms, Linear)]
        self.axes = tuple(dict.fromkeys(axis for demand in curved for axis in axes_of(demand.score.name)))
        self.root = ConeLeaf(cone, tuple((demand, end) for demand in curved for end in ("low", "high")))
        self.leaves: list[ConeLeaf] = []
        clash = self._clash([demand for demand in curved if isinstance(demand.forms, Quadratic)])
        if clash is None:
            self._settle(self.root)
        else:
            self.root.steps.append(["out", *clash])

    @property
    def late(self) -> bool:
        return self.deadline is not None and self.deadline.passed

    def admits(self, cells: Vector) -> bool:
        """Whether a direction meets every demand, exactly."""
        return all(demand.position(cells) == 0 for demand in self.demands)

    def cut(self, leaf: ConeLeaf, axes: tuple[Axis, ...] = ()) -> bool:
        """Replace a leaf by its two parts, along the widest of some axes; False if it is too thin to be cut."""
        chosen = self._where(leaf, axes or self.axes or _ALL_AXES)
        if chosen is None:
            return False
        i, j, share = chosen
        a, b = share.numerator, share.denominator - share.numerator
        below = weighted(-b, UNITS[i], a, UNITS[j])
        leaf.steps.append(["cut", i, j, a, b])
        leaf.parts = (
            ConeLeaf(leaf.cone.clip(below), leaf.open),
            ConeLeaf(leaf.cone.clip(weighted(-1, below, 0, below)), leaf.open),
        )
        self.leaves.remove(leaf)
        for part in leaf.parts:
            self._settle(part)
        return True

    def proof(self) -> list[Step]:
        """All steps, in the order in which a reader walks the tree."""
        steps: list[Step] = []
        stack = [self.root]
        while stack:
            leaf = stack.pop()
            steps += leaf.steps
            if leaf.parts is not None:
                stack += [leaf.parts[1], leaf.parts[0]]
        return steps

    def _clash(self, curved: list[RateDemand]) -> list[Any] | None:
        """Two demands that no direction meets together, because their forms add up to a negative one.

        That is so for scores that determine each other (bm and bacc, lrp and pt), where cones would have to shrink to
        the width of the gap.
        """
        rays = self.root.rays
        for demand, end, other, opposite in (
            (demand, end, other, opposite)
            for demand in curved
            for other in curved
            for end, opposite in (("low", "high"), ("high", "high"), ("low", "low"))
            if demand is not other and rays
        ):
            leading = demand.leading(end), other.leading(opposite)
            for k, m in {(leading[1], leading[0]), *_cancelling(demand.form(end), other.form(opposite))}:
                if clashing(demand.side(end, rays), k, other.side(opposite, rays), m):
                    return [demand.index, end, other.index, opposite, k, m]
        return None

    def _settle(self, leaf: ConeLeaf) -> None:
        """Trim a new leaf, then keep or drop it."""
        self.cones += 1
        if self.deadline is not None:
            self.deadline.charge(_CONE)
        for turn in range(_ROUNDS + 1):
            rays = leaf.rays
            reason = self._hollow(rays)
            proposals: list[tuple[RateDemand, str, Proposal]] = []
            if reason is None and leaf.open:
                points = as_points(rays)
                proposals = [(demand, end, self._screen.look(demand, end, points)) for demand, end in leaf.open]
                reason = self._excluded(proposals, rays)
                leaf.open = tuple((demand, end) for demand, end, seen in proposals if not seen.satisfied)
            if reason is not None:
                leaf.steps.append(["out", *reason])
                leaf.dropped = True
                return
            if turn == _ROUNDS or not self._trimmed(leaf, proposals, rays):
                break
        self.leaves.append(leaf)

    def _hollow(self, rays: list[Vector]) -> list[Any] | None:
        """The reason why a cone holds no admissible direction, if it is empty or a score is undefined on all of it."""
        if not rays:
            return []
        for demand in self.demands:
            if isinstance(demand.forms, Linear) and all(value(demand.forms.den, ray) == 0 for ray in rays):
                return [demand.index, "low"]
        return None

    def _excluded(self, proposals: list[tuple[RateDemand, str, Proposal]], rays: list[Vector]) -> list[Any] | None:
        """The reason why a demand excludes the cone, if one does."""
        for demand, end, seen in proposals:
            if seen.excludes:
                side = demand.side(end, rays, seen.theta)
                if side.refuted:
                    return [demand.index, end, *_theta(side)]
        return None

    def _trimmed(self, leaf: ConeLeaf, proposals: list[tuple[RateDemand, str, Proposal]], rays: list[Vector]) -> bool:
        """Cut off by tangents what the open demands exclude; whether anything was cut off."""
        changed = False
        for demand, end, seen in proposals:
            if seen.satisfied:
                continue
            if changed:
                rays = leaf.rays
                if not rays:
                    break
                seen = self._screen.look(demand, end, as_points(rays))
            proposed = tangent(seen, as_points(rays))
            half = rounded(*proposed, seen.divisor) if proposed else None
            if half is None:
                continue
            side = demand.side(end, rays, seen.theta)
            if implied(half, side, rays):
                leaf.steps.append(
                    ["trim", demand.index, end, list(half.plane), list(half.balance), *half.weight, *_theta(side)]
                )
                leaf.cone = leaf.cone.clip(half.plane)
                changed = True
        return changed

    def _where(self, leaf: ConeLeaf, axes: Iterable[Axis]) -> tuple[int, int, Fraction] | None:
        """The ratio of cells that varies most over the cone, and the middle of its range as a short fraction."""
        best: tuple[float, Axis, float, float] | None = None
        for axis in axes:
            span = share_span(leaf.rays, axis)
            if span is not None and (best is None or span[1] - span[0] > best[0]):
                best = span[1] - span[0], axis, *span
        if best is None or best[0] < _THINNEST:
            return None
        width, (i, j), low, high = best
        middle = Fraction((low + high) / 2).limit_denominator(max(16, int(64 / width)))
        return (i, j, middle) if 0 < middle < 1 else None


def share_span(rays: list[Vector], axis: Axis) -> tuple[float, float] | None:
    """The least and largest x_i / (x_i + x_j) over the rays where it is defined."""
    i, j = axis
    shares = [ray[i] / (ray[i] + ray[j]) for ray in rays if ray[i] or ray[j]]
    return (min(shares), max(shares)) if shares else None


def clashing(first: Side, k: int, second: Side, m: int) -> bool:
    """Whether k times the one form plus m times the other is negative, but where a score is undefined."""
    values = [k * f + m * g for f, g in zip(first.values, second.values, strict=True)]
    return Side(values, first.vanishing + second.vanishing).refuted


def _cancelling(f: Matrix, g: Matrix) -> set[tuple[int, int]]:
    """Multipliers under which some coefficient of the sum vanishes."""
    axes = set()
    for i in range(4):
        for j in range(i, 4):
            if f[i][j] * g[i][j] < 0:
                k, m = abs(g[i][j]), abs(f[i][j])
                common = gcd(k, m)
                axes.add((k // common, m // common))
    return axes


def _theta(side: Side) -> list[int]:
    return [] if side.theta is None else list(side.theta.as_integer_ratio())
