"""Replay a branch and bound proof about a mean of scores: multipliers drop columns, cases divide, lists meet.

Two lists of sums meet in the middle (Horowitz and Sahni 1974): the second is put into cells of its first row, sorted
by its second row within each, so that what fits an entry of the first list is one stretch of at most two cells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, combinations_with_replacement
from math import inf
from typing import Any, NamedTuple

from scoreproof_verify.arrays import Ints, np
from scoreproof_verify.documents import Document, given, integer
from scoreproof_verify.frame import Left, Patience, walk
from scoreproof_verify.replay.columns import Model
from scoreproof_verify.replay.constraints import Demands, Matrix
from scoreproof_verify.texts import require

_MOST_COMBINATIONS = 1_500_000
_MOST_CHOSEN = 15_000_000  # sets times combinations of a half
_MOST_MATCHES = 30_000
_MOST_STEPS = 2_000_000

Part = tuple[int, Ints, int]  # group, columns, how many sets
Counts = dict[int, int]  # by part
Table = tuple[list[Ints], list[Ints]]  # of a group: its columns from below and from above, row by row
Node = tuple[list[Part], list[int], list[int]]  # parts, lower bounds, upper bounds


def refute_columns(demands: Demands, proof: Document, patience: Patience) -> int:
    """``Rejected`` unless the steps exclude every choice of columns; the number of nodes."""
    return Replay(Model(demands, proof, patience), patience).run(proof.get("steps"))


class Replay:
    """The steps of a proof, taken one by one."""

    def __init__(self, model: Model, patience: Patience) -> None:
        self.model, self.patience = model, patience
        self._tables: list[Table] = [(g.low, g.high) for g in model.groups]

    def run(self, steps: Any) -> int:
        """Walk through the proof; the number of nodes. Raises ``Rejected`` at the first step that does not hold."""
        require(isinstance(steps, list), "the proof is not a list of steps")
        require(len(steps) <= _MOST_STEPS, "the proof has too many steps")
        parts: list[Part] = [(k, np.arange(len(g.tp)), len(g.members)) for k, g in enumerate(self.model.groups)]
        open_nodes = (
            [(parts, self.model.lows, self.model.highs)] if all(len(columns) for _, columns, _ in parts) else []
        )
        ending = "the proof ends before every case is closed"
        return 1 + walk(open_nodes, steps, _MOST_STEPS, ending, self._step, self.patience)

    def _step(self, node: Node, step: Any, number: int) -> Left[Node]:
        formed = isinstance(step, list) and len(step) > 0 and isinstance(step[0], str) and step[0] in RULES
        require(formed and (step[0] != "split" or len(step) == 5), f"step {number} is malformed")
        left = RULES[step[0]](self, node, step)
        return left, 0 if step[0] == "filter" else len(left)

    def filter(self, node: Node, step: list[Any]) -> list[Node]:
        """Drop columns that multipliers exclude; everything, if they refute the node."""
        parts, lows, highs = node
        require(len(step) == 2 and isinstance(step[1], list) and len(step[1]) == len(lows), "multipliers are malformed")
        y = [integer(v, "a multiplier") for v in step[1]]
        require(sum(map(abs, y)) < 1 << 25, "multipliers are too large for 64 bits")
        slack = -sum(v * (lows[r] if v > 0 else highs[r]) for r, v in enumerate(y) if v)
        heights = []
        for group, columns, count in parts:
            low, high = self._tables[group]
            height = np.full(len(columns), 0)
            for r, v in enumerate(y):
                if v:
                    height += v * (high if v > 0 else low)[r][columns]
            slack += count * int(height.max())
            heights.append(height)
        if slack < 0:
            return []
        kept = [
            (group, columns[height >= int(height.max()) - slack], count)
            for (group, columns, count), height in zip(parts, heights, strict=True)
        ]
        return [(kept, lows, highs)]

    def total(self, node: Node, step: list[Any]) -> list[Node]:
        """A total is at most a whole number, or more."""
        parts, lows, highs = node
        require(len(step) == 3, "a step is malformed")
        row, b = integer(step[1], "a row"), integer(step[2], "a total")
        require(0 <= row < len(lows) and self.model.integral[row], "a step divides on a row that is no integer total")
        below, above = list(highs), list(lows)
        below[row] = min(below[row], b << self.model.bits[row])
        above[row] = max(above[row], (b + 1) << self.model.bits[row])
        return [(parts, lows, below), (parts, above, highs)]

    def split(self, node: Node, step: list[Any]) -> list[Node]:
        """So many sets of a part have an axis up to a value, the others above it: a case for each number."""
        parts, lows, highs = node
        position, axis, value = integer(step[1], "a part"), step[2], integer(step[3], "a value")
        require(0 <= position < len(parts), "a split is malformed")
        group, columns, count = parts[position]
        values = given(self.model.groups[group].axis(axis), "a split is malformed")
        along = values[columns]
        order = step[4]
        require(isinstance(order, list) and len(order) == count + 1, "a split leaves out a case")
        require(sorted(integer(j, "a case") for j in order) == list(range(count + 1)), "a split leaves out a case")
        children, low, high = [], columns[along <= value], columns[along > value]
        for j in order:
            pieces = [(group, c, k) for c, k in ((low, j), (high, count - j)) if k]
            if all(len(c) for _, c, _ in pieces):
                children.append((parts[:position] + pieces + parts[position + 1 :], lows, highs))
        return children

    def try_all(self, node: Node, step: list[Any]) -> list[Node]:
        """Try every combination of a node: none may fit."""
        require(len(step) == 1, "a step is malformed")
        tables, parts = self._tables, node[0]
        lows = [max(low, self.model.narrow[r][0]) if r in self.model.narrow else low for r, low in enumerate(node[1])]
        highs = [
            min(high, self.model.narrow[r][1]) if r in self.model.narrow else high for r, high in enumerate(node[2])
        ]
        require(sum(count for _, _, count in parts) < 1 << 20, "a node has too many sets")
        rows = self._narrow_rows(tables, (parts, lows, highs))
        judged: set[tuple[Matrix, ...]] = set()  # columns that differ in how 0/0 counts are the same matrices
        halves = halved(parts, _MOST_COMBINATIONS, "a node has too many combinations to try")
        for choice in matches(tables, parts, halves, rows, lows, highs, self.patience):
            matrices = self._matrices(choice)
            if tuple(matrices) not in judged:
                self.patience.check()
                judged.add(tuple(matrices))
                require(len(judged) <= _MOST_MATCHES, "a node has too many near matches")
                require(self.model.demands.judge(matrices) is False, "a combination that was excluded fits the report")
        return []

    def _narrow_rows(self, tables: list[Table], node: Node) -> list[int]:
        """A few rows whose bounds are narrow against the spread of their columns; any choice is sound."""
        parts, lows, highs = node
        ratio = []
        for r in range(len(lows)):
            spread = sum(
                count * (int(tables[g][1][r][columns].max()) - int(tables[g][0][r][columns].min()))
                for g, columns, count in parts
            )
            if abs(lows[r]) < 1 << 62 and abs(highs[r]) < 1 << 62:
                ratio.append(((highs[r] - lows[r]) / spread if spread else inf, r))
        require(len(ratio) > 0, "no row has finite bounds")
        return [r for _, r in sorted(ratio)[:5]]

    def _matrices(self, chosen: list[tuple[int, int]]) -> list[Matrix]:
        """The points of a combination dealt to sets; those of alike sets in order, to be judged once."""
        dealt: dict[int, Matrix] = {}
        groups = self.model.groups
        free = [list(g.members) for g in groups]
        sides = [(g.p, g.n, g.tp, g.tn) for g in groups]
        for group, point in sorted((group, [int(side[column]) for side in sides[group]]) for group, column in chosen):
            p, n, tp, tn = point
            dealt[free[group].pop()] = p, n, tp, tn
        return [dealt[k] for k in sorted(dealt)]


#: What each step leaves to be refuted of its node.
RULES: dict[str, Callable[[Replay, Node, list[Any]], list[Node]]] = {
    "filter": Replay.filter,
    "total": Replay.total,
    "split": Replay.split,
    "all": Replay.try_all,
}


def halved(parts: list[Part], most: int, otherwise: str) -> tuple[Counts, Counts]:
    """How many sets of which parts belong to which half; those with one column are settled."""
    halves: tuple[Counts, Counts] = ({}, {})
    sizes = [1, 1]
    for k in sorted(range(len(parts)), key=lambda k: -len(parts[k][1])):
        size = len(parts[k][1])
        for _ in range(parts[k][2] if size > 1 else 0):
            side = int(sizes[0] > sizes[1])
            alike = halves[side][k] = halves[side].get(k, 0) + 1
            sizes[side] = sizes[side] * (size + alike - 1) // alike  # the number of multisets
            require(sizes[side] <= most, otherwise)
    require(
        all(sum(counts.values()) * size <= _MOST_CHOSEN for counts, size in zip(halves, sizes, strict=True)), otherwise
    )
    return halves


def matches(
    tables: list[Table],
    parts: list[Part],
    halves: tuple[Counts, Counts],
    rows: list[int],
    lows: list[int],
    highs: list[int],
    patience: Patience,
) -> Iterator[list[tuple[int, int]]]:
    """Every choice of a column for each set that reaches into the bounds of all rows, as groups with columns."""
    settled = [(group, int(columns[0])) for group, columns, count in parts if len(columns) == 1 for _ in range(count)]
    groups, chosen, numbers = zip(*(_choices(parts, counts) for counts in halves), strict=True)

    def added(side: int, row: int, groups: list[int], columns: list[Ints], start: Ints) -> Ints:
        for group, own in zip(groups, columns, strict=True):
            start = start + tables[group][side][row][own]
        return start

    def start(side: int, row: int) -> int:
        return sum(int(tables[group][side][row][column]) for group, column in settled)

    first, second = (
        Sums(
            *(
                [added(side, r, groups[h], chosen[h], np.full(numbers[h], 0 if h else start(side, r))) for r in rows]
                for side in (0, 1)
            )
        )
        for h in (0, 1)
    )
    for places in meeting(first, second, [lows[r] for r in rows], [highs[r] for r in rows], patience):
        both = [columns[at] for half, at in zip(chosen, places, strict=True) for columns in half]
        reaching = np.full(len(places[0]), True)
        for row, (low, high) in enumerate(zip(lows, highs, strict=True)):
            bottom, top = (
                added(side, row, [*groups[0], *groups[1]], both, np.full(len(places[0]), start(side, row)))
                for side in (0, 1)
            )
            reaching &= (bottom <= high) & (top >= low)
        for at in np.flatnonzero(reaching).tolist():
            yield [*zip([*groups[0], *groups[1]], (int(columns[at]) for columns in both), strict=True), *settled]


def _choices(parts: list[Part], counts: Counts) -> tuple[list[int], list[Ints], int]:
    """All choices of columns for some sets, those of one part in any order: groups, columns by set, their number."""
    chosen: list[Ints] = []
    number = 1
    for k, count in counts.items():
        columns = parts[k][1]
        flat = np.array(list(chain.from_iterable(combinations_with_replacement(range(len(columns)), count))))
        own = len(flat) // count
        at = np.arange(number * own)
        chosen = [x[at // own] for x in chosen] + [columns[flat[k::count]][at % own] for k in range(count)]
        number *= own
    return [parts[k][0] for k, count in counts.items() for _ in range(count)], chosen, number


_MOST_PAIRS = 60_000_000
_PORTION = 500_000  # pairs compared together
_CELL_BITS, _PLACE_BITS = 21, 40  # of a key: which cell, and where in it


class Sums(NamedTuple):
    """Sums of some combinations, row by row, from below and from above."""

    low: list[Ints]
    high: list[Ints]


def meeting(
    first: Sums, second: Sums, least: list[int], most: list[int], patience: Patience
) -> Iterator[tuple[Ints, Ints]]:
    """Every pair whose sums reach into [least, most] in all rows, as places in the two lists, in portions."""
    starts, stops, order = _stretches(first, second, least, most)
    require(int((stops - starts).sum()) <= _MOST_PAIRS, "a node has too many near matches")
    for i, at in _unrolled(starts, stops):
        patience.check()
        j = order[at]
        for row in [*range(2, len(least)), *range(min(2, len(least)))]:  # the first two are nearly met
            inside = first.low[row][i] + second.low[row][j] <= most[row]
            inside &= first.high[row][i] + second.high[row][j] >= least[row]
            i, j = i[inside], j[inside]
        yield i, j


def _stretches(first: Sums, second: Sums, least: list[int], most: list[int]) -> tuple[Ints, Ints, Ints]:
    """For each entry of the first list two stretches of the second one, which is sorted as ``order`` says."""
    sides = []
    for row in (0, min(1, len(least) - 1)):
        low = second.low[row]
        base, top = int(low.min()), int(low.max())
        wide = int((second.high[row] - low).max())
        start = np.minimum(np.maximum(least[row] - first.high[row] - wide, base), top + 1) - base
        upto = np.minimum(np.maximum(most[row] - first.low[row], base - 1), top) - base
        sides.append(_Side(low - base, start, upto, top - base))
    across, along = sides
    width = max(int((across.upto - across.start).max(initial=0)) + 1, (across.reach >> (_CELL_BITS - 1)) + 1)
    shift = max(0, along.reach.bit_length() - _PLACE_BITS + 1)
    places = (along.reach >> shift) + 1
    key = across.value // width * places + (along.value >> shift)
    order = np.argsort(key, kind="stable")
    key = key[order]
    starts, stops = [], []
    cell, last = across.start // width, across.upto // width
    possible = (across.start <= across.upto) & (along.start <= along.upto)
    for here, there in ((cell, possible), (last, possible & (last > cell))):
        begin = np.searchsorted(key, here * places + (along.start >> shift), "left")
        end = np.searchsorted(key, here * places + (along.upto >> shift), "right")
        starts.append(begin)
        stops.append(np.where(there, np.maximum(begin, end), begin))
    return np.concatenate(starts), np.concatenate(stops), order


class _Side(NamedTuple):
    """One row: where the second list's sums are, counted from the least, and what is open to each of the first."""

    value: Ints
    start: Ints
    upto: Ints
    reach: int


def _unrolled(starts: Ints, stops: Ints) -> Iterator[tuple[Ints, Ints]]:
    """Pairs of an entry of the first list and a place of the second, in portions; the first list occurs twice."""
    entries = len(starts) // 2
    some = np.flatnonzero(stops > starts)
    starts, sizes, owner = starts[some], (stops - starts)[some], some % entries
    ends = np.cumsum(sizes)
    at = 0
    while at < len(some):
        before = int(ends[at - 1]) if at else 0
        upto = max(at + 1, int(np.searchsorted(ends, before + _PORTION, "right")))
        count = sizes[at:upto]
        inside = np.arange(int(count.sum())) - np.repeat(np.cumsum(count) - count, count)
        yield np.repeat(owner[at:upto], count), np.repeat(starts[at:upto], count) + inside
        at = upto
