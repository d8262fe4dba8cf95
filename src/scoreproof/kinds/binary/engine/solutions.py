"""All matrices that fit a report: runs of monotone bands, walked by bisection or counted.

Monotone bands meet every row of the grid in one run, and neighbouring rows with the same run merge into a block.
Blocks are produced lazily, along the shorter side of the region. Straight bands are counted by lattice arithmetic
without looking at a row; where a region is too large to walk, guaranteed bounds from rectangles are given instead.

In the plane whole points are counted by Euclid's algorithm (Graham, Knuth and Patashnik 1994, section 3.5). Between two
neighbouring crossing points one line is the lowest upper border and one the highest lower border, and the points
between two lines are a difference of two sums of floors, each of which Euclid's algorithm adds up in logarithmic time.
So 10^30 matrices are counted as quickly as ten.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, Self

from scoreproof.errors import InvalidOption
from scoreproof.jsonable import Jsonable, document, jsonable, rebuilt
from scoreproof.kinds.binary.engine.bands import Band, HalfPlane, Rectangle, area, cover
from scoreproof.kinds.binary.engine.rectangles import bounding_box, holds
from scoreproof.kinds.binary.scores import ConfusionMatrix, Score, score
from scoreproof.results import SmallTable, Tabular

_MOST_ROWS = 2_000_000
_COVER = 4_000
_MOST_LISTED = 100_000  # matrices in a frame


@dataclass(frozen=True, slots=True)
class Block:
    """All matrices with tp and tn in these ranges."""

    tp: tuple[int, int]
    tn: tuple[int, int]

    @property
    def count(self) -> int:
        return (self.tp[1] - self.tp[0] + 1) * (self.tn[1] - self.tn[0] + 1)


@dataclass(frozen=True, slots=True)
class ScoreRange(Jsonable):
    """The smallest and largest value of a score over all solutions; ``exact`` False means guaranteed outer bounds."""

    low: Fraction
    high: Fraction | None  # None: infinite
    exact: bool

    def __str__(self) -> str:
        shown = f"{float(self.low):.6g} to {'infinity' if self.high is None else f'{float(self.high):.6g}'}"
        return shown if self.exact else f"within {shown}"


class Solutions(Tabular):
    """The matrices with p positives and n negatives that fit every reported score.

    Iterating gives disjoint blocks. Regions of more than ``most_rows`` rows are not walked for a count or a range;
    these then say so.
    """

    def __init__(self, bands: list[Band], *, filler: int | None = None, most_rows: int = _MOST_ROWS) -> None:
        self._most_rows = most_rows
        self.p, self.n = bands[0].p, bands[0].n
        self._filler = filler  # what a 0/0 counts as
        self._nowhere_defined = {band.index for band in bands if band.undefined_everywhere}
        self._bands = bands
        live = (band for band in bands if band.index not in self._nowhere_defined)
        self._live = sorted(live, key=lambda band: not band.straight)  # those that leave less to bisect come first
        self._corners = sorted({(0, 0), (0, self.n), (self.p, 0), (self.p, self.n)})
        self._box = self._start()

    def _start(self) -> Rectangle | None:
        for band in self._bands:
            if band.index in self._nowhere_defined and not holds(band, 0, 0, self._filler):
                return None
        return bounding_box(self._live) if self._live else (0, self.p, 0, self.n)

    def __iter__(self) -> Iterator[Block]:
        """Disjoint blocks that together hold every solution and nothing else."""
        yield from self._corner_blocks()
        if self._box is None:
            return
        a, b, c, d = self._box
        by_tp = b - a <= d - c
        first: int | None = None
        run: tuple[int, int] | None = None
        start, stop = (a, b) if by_tp else (c, d)
        for row in range(start, stop + 1):
            here = self._run(row, by_tp)
            if here != run:
                if run is not None and first is not None:
                    yield _block((first, row - 1), run, by_tp)
                first, run = row, here
        if run is not None and first is not None:
            yield _block((first, stop), run, by_tp)

    def _run(self, row: int, by_tp: bool) -> tuple[int, int] | None:
        """The run of cells in one row that every band allows."""
        assert self._box is not None
        low, high = self._box[2:] if by_tp else self._box[:2]
        for band in self._live:
            low, high = band.run(row, low, high, by_tp=by_tp)
            if low > high:
                return None
        return low, high

    def _is_hole(self, tp: int, tn: int) -> bool:
        return any(band.is_hole(tp, tn) for band in self._live)

    def _corner_blocks(self) -> Iterator[Block]:
        """Corners of the grid where a score is 0/0 and counts as a number."""
        if self._filler is not None and self._live:
            for tp, tn in self._corners:
                if self._is_hole(tp, tn) and all(holds(band, tp, tn, self._filler) for band in self._bands):
                    yield Block((tp, tp), (tn, tn))

    @property
    def rows(self) -> int:
        """How many rows a full walk visits."""
        if self._box is None:
            return 0
        a, b, c, d = self._box
        return min(b - a, d - c) + 1

    @property
    def count(self) -> int | None:
        """How many matrices fit; None if the region has curved borders and is too large to walk."""
        if all(band.straight for band in self._live):
            return self._count_straight()
        if self.rows > self._most_rows:
            return None
        return sum(block.count for block in self)

    def _count_straight(self) -> int:
        corners = sum(1 for _ in self._corner_blocks())
        if self._box is None:
            return corners
        lowers = [band.lower for band in self._live if band.lower is not None]
        uppers = [band.upper for band in self._live if band.upper is not None]
        inside = count_points(lowers, uppers, self.p, self.n)
        for tp, tn in self._corners:
            if self._is_hole(tp, tn):
                inside -= count_points(
                    [*lowers, (1, 0, tp), (0, 1, tn)], [*uppers, (1, 0, tp), (0, 1, tn)], self.p, self.n
                )
        return inside + corners

    @property
    def count_bounds(self) -> tuple[int, int]:
        """Guaranteed bounds of the count, equal where it is known."""
        exact = self.count
        if exact is not None:
            return exact, exact
        cover = self._cover()
        return sum(area(box) for box, inside in cover if inside), sum(area(box) for box, _ in cover)

    def matrices(self) -> Iterator[ConfusionMatrix]:
        """Every solution, one by one."""
        for block in self:
            for tp in range(block.tp[0], block.tp[1] + 1):
                for tn in range(block.tn[0], block.tn[1] + 1):
                    yield ConfusionMatrix(tp, self.n - tn, self.p - tp, tn)

    def to_dict(self) -> dict[str, Any]:
        ranges = {cell: self.range(cell) for cell in ("tp", "fp", "fn", "tn")}
        bands = [document(band, "index low high lower upper", score=band.score.name) for band in self._bands]
        told = document(self, "p n count count_bounds", filler=self._filler, most_rows=self._most_rows)
        return {**told, "ranges": jsonable(ranges), "bands": bands}

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        sizes = {"p": document["p"], "n": document["n"]}
        bands = [rebuilt(Band, {**band, **sizes, "score": score(band["score"])}) for band in document["bands"]]
        return cls(bands, filler=document["filler"], most_rows=document["most_rows"])

    def __str__(self) -> str:
        low, high = self.count_bounds
        many = f"{low:,}" if low == high else f"{low:,} to {high:,}"
        kind, fit = ("matrix", "fits") if high == 1 else ("matrices", "fit")
        return f"{many} confusion {kind} of {self.p} positives and {self.n} negatives {fit}"

    def _rows(self) -> list[dict[str, Any]]:
        low, high = self.count_bounds
        if high > _MOST_LISTED:
            raise InvalidOption(
                f"to_frame: expected at most {_MOST_LISTED:,} matrices, got {low:,} or more; iterate over the "
                "solutions, which gives them in blocks"
            )
        return [dict(matrix.to_dict()) for matrix in self.matrices()]

    def _tables(self) -> list[SmallTable]:
        ranges = ((cell, self.range(cell)) for cell in ("tp", "fp", "fn", "tn"))
        return [SmallTable([(cell, span) for cell, span in ranges if span is not None], ("", "range"))]

    def range(self, what: str) -> ScoreRange | None:
        """The range of ``"tp"``, ``"tn"``, ``"fp"``, ``"fn"`` or any score over all solutions; None if there are none,
        or the score is undefined for all of them."""
        exact, boxes = self._boxes()
        if what in ("tp", "tn", "fp", "fn"):
            at, whole = (0, self.p) if what in ("tp", "fn") else (2, self.n)
            ends = [end if what in ("tp", "tn") else whole - end for box in boxes for end in box[at : at + 2]]
            return ScoreRange(Fraction(min(ends)), Fraction(max(ends)), exact) if ends else None
        wanted = score(what)
        lows: list[Fraction] = []
        highs: list[Fraction | None] = []
        for box in boxes:
            for least in (True, False):
                for tp, tn in self._defined_corners(wanted, box, least=least == (wanted.direction > 0)):
                    pair = wanted.enclose(tp, self.n - tn, self.p - tp, tn, 10**12)
                    if least and pair is not None:
                        lows.append(pair[0])
                    elif not least:
                        highs.append(None if pair is None else pair[1])
        if not lows or not highs:
            return None
        finite = [high for high in highs if high is not None]
        return ScoreRange(min(lows), max(finite) if len(finite) == len(highs) else None, exact)

    def _defined_corners(self, wanted: Score, box: Rectangle, *, least: bool) -> list[tuple[int, int]]:
        """The cell of the box with least (or most) tp and tn; its neighbours where the score is 0/0 there."""
        a, b, c, d = box
        tp, tn = (a, c) if least else (b, d)
        step = 1 if least else -1
        cells = [(tp, tn), (tp + step, tn), (tp, tn + step)]
        for group in (cells[:1], cells[1:]):
            kept = [
                (x, y)
                for x, y in group
                if a <= x <= b and c <= y <= d and wanted.ratio(x, self.n - y, self.p - x, y) != (0, 0)
            ]
            if kept:
                return kept
        return []

    def _boxes(self) -> tuple[bool, list[Rectangle]]:
        """Rectangles around all solutions, and whether they hold nothing else."""
        exact = self.rows <= self._most_rows
        return exact, [(*block.tp, *block.tn) for block in self] if exact else [box for box, _ in self._cover()]

    def _cover(self) -> list[tuple[Rectangle, bool]]:
        """Rectangles that together hold every solution, each with whether it holds nothing else."""
        if self._box is None:
            return []
        done, rest = cover(self._live, self._box, _COVER, self._is_inside)
        return [(box, True) for box in done] + [(box, False) for box in rest]

    def _is_inside(self, box: Rectangle) -> bool:
        a, b, c, d = box
        corners = ((a, c), (b, d), (a, d), (b, c))
        return all(band.score.builtin and band.position(*cell) == 0 for band in self._live for cell in corners)


def _block(rows: tuple[int, int], run: tuple[int, int], by_tp: bool) -> Block:
    return Block(rows, run) if by_tp else Block(run, rows)


def floor_sum(terms: int, a: int, b: int, m: int) -> int:
    """The sum of floor((a i + b) / m) over i = 0 ... terms - 1, for m > 0.

    >>> floor_sum(4, 3, -1, 2) == sum((3 * i - 1) // 2 for i in range(4))
    True
    """
    total = 0
    while True:
        total += (a // m) * terms * (terms - 1) // 2 + (b // m) * terms
        a, b = a % m, b % m
        top = a * terms + b
        if top < m:
            return total
        terms, b, m, a = top // m, top % m, a, m


def count_points(lowers: list[HalfPlane], uppers: list[HalfPlane], width: int, height: int) -> int:
    """Integer points of a rectangle with A x + B y >= R for all ``lowers`` and <= R for all ``uppers``."""
    left, right = 0, width
    floors: list[HalfPlane] = [(0, 1, 0)]  # y >= (R - A x) / B
    ceilings: list[HalfPlane] = [(0, 1, height)]
    for a, b, r in lowers:
        if b:
            floors.append((a, b, r))
        else:
            left = max(left, -(-r // a))
    for a, b, r in uppers:
        if b:
            ceilings.append((a, b, r))
        else:
            right = min(right, r // a)
    if left > right:
        return 0
    stops = sorted({left, right + 1, *_crossings(floors + ceilings, left, right)})
    return sum(_between(floors, ceilings, start, stop) for start, stop in pairwise(stops))


def _crossings(lines: list[HalfPlane], left: int, right: int) -> set[int]:
    """The first integers right of every point where two lines cross."""
    stops: set[int] = set()
    for k, (a1, b1, r1) in enumerate(lines):
        for a2, b2, r2 in lines[:k]:
            slope = a1 * b2 - a2 * b1
            if slope:
                x = (r1 * b2 - r2 * b1) // slope + 1
                stops |= {stop for stop in (x - 1, x) if left < stop <= right}
    return stops


def _between(floors: list[HalfPlane], ceilings: list[HalfPlane], start: int, stop: int) -> int:
    """Points with start <= x < stop, where no two lines cross strictly between start and stop - 1."""
    middle = start + stop - 1  # twice the middle of the stretch
    bottom = max(floors, key=lambda line: _height(line, middle))
    top = min(ceilings, key=lambda line: _height(line, middle))
    if _height(bottom, middle) > _height(top, middle):
        return 0
    terms = stop - start
    (a, b, r), (c, d, s) = bottom, top
    under_top = floor_sum(terms, -c, s - c * start, d)
    # ceil((r - a x) / b) = -floor((a x - r) / b)
    to_bottom = -floor_sum(terms, a, a * start - r, b)
    return under_top - to_bottom + terms


def _height(line: HalfPlane, twice_x: int) -> Fraction:
    a, b, r = line
    return Fraction(2 * r - a * twice_x, b)
