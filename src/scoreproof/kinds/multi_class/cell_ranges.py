"""Cuts of a bipartite flow, and bisection: between which counts every cell of the confusion matrix lies.

For given tp and q of all classes, with fn = n - tp, fp = q - tp and E wrong cases, the cell of true class i and given
class j has every count from max(0, fn_i + fp_i + fp_j - E, fn_i + fn_j + fp_j - E) to min(fn_i, fp_j, E - fn_h - fp_h
over all other classes h): it is a flow on a complete bipartite graph without a perfect matching, and these are its
cuts. So an end of a range is sought among tp and q: counts are asked for in which the cell has at least (at most) so
much, and what is attained and what is excluded are brought together by halving.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from scoreproof.kinds.multi_class.branch_and_bound import Engine
from scoreproof.kinds.multi_class.cells import CountBox, Rule
from scoreproof.kinds.multi_class.listing import TooMany
from scoreproof.kinds.multi_class.model import ClassesModel, model_of, narrowed, root_of, with_rules
from scoreproof.kinds.multi_class.problem import ClassesProblem, averages_f1
from scoreproof.reported.conventions import MacroF1
from scoreproof.work.budget import Budget, OutOfTime

Counts = Sequence[tuple[int, int]]  # tp and q of every class
Place = tuple[int, int]
_LEAST_SHARE = 0.02  # of the time that is left, for one question


@dataclass(frozen=True, slots=True)
class CellRange:
    """The least and the greatest count of a cell; ``exact`` where both are attained, else they are outer bounds."""

    low: int
    high: int
    exact: bool = True


def cell_at(counts: Counts, sizes: Sequence[int], place: Place) -> tuple[int, int]:
    """The range of a cell where tp and q of all classes are known.

    >>> cell_at([(4, 5), (3, 4), (2, 3)], (5, 4, 3), (0, 1))
    (0, 1)
    """
    i, j = place
    if i == j:
        return counts[i][0], counts[i][0]
    fn = [n - tp for n, (tp, _) in zip(sizes, counts, strict=True)]
    fp = [q - tp for tp, q in counts]
    wrong = sum(fn)
    rest = max((fn[h] + fp[h] for h in range(len(sizes)) if h not in place), default=0)
    low = max(0, fn[i] + fp[i] + fp[j] - wrong, fn[i] + fn[j] + fp[j] - wrong)
    return low, min(fn[i], fp[j], wrong - rest)


class CellRanges:
    """The ranges of all cells of one matrix, as far as time allows; ``counts`` are some that give the report."""

    def __init__(self, problem: ClassesProblem, counts: Counts, deadline: Budget, seed: int = 0) -> None:
        self.sizes, self.deadline, self.seed = problem.counts[0], deadline, seed
        meanings = [problem.macro_f1]
        if problem.macro_f1 is MacroF1.ANY and averages_f1(problem):
            meanings = [MacroF1.MEAN, MacroF1.OF_MEANS]
        self.models = [model_of(replace(problem, macro_f1=meaning)) for meaning in meanings]
        k = len(self.sizes)
        self.places = [(i, i) for i in range(k)] + [(i, j) for i in range(k) for j in range(k) if i != j]
        self.attained = {place: cell_at(counts, self.sizes, place) for place in self.places}
        self.outer = self._outer()
        self.ranges = self._narrowed()

    def _outer(self) -> dict[Place, tuple[int, int]]:
        """Bounds from what the sums leave of every class."""
        boxes: list[list[CountBox]] = []
        for model in self.models:
            node = narrowed(model, root_of(model))
            if node is not None:
                boxes.append(list(node.boxes))
        outer = {}
        for i, j in self.places:
            if i == j:
                ends = [(own[i].t0, own[i].t1) for own in boxes]
            else:
                ends = [(0, min(self.sizes[i] - own[i].t0, own[j].q1 - own[j].t0)) for own in boxes]
            outer[i, j] = min(low for low, _ in ends), max(high for _, high in ends)
        return outer

    def _narrowed(self) -> dict[Place, CellRange]:
        made = {}
        for number, place in enumerate(self.places):
            exact = True
            for upper in (True, False):
                share = max(_LEAST_SHARE, 1 / (len(self.places) - number))
                exact &= self._closed(place, upper, self.deadline.part(min(share, 0.5)))
            low, high = self.outer[place]
            made[place] = CellRange(low, high, exact)
        return made

    def _closed(self, place: Place, upper: bool, deadline: Budget) -> bool:
        """Bring what is attained and what is excluded together at one end; whether they met."""
        step = 1 if upper else -1
        wanted = self.outer[place][upper]
        while True:
            best = self.attained[place][upper]
            if step * (self.outer[place][upper] - best) <= 0:
                return True
            try:
                counts = self._with(place, wanted, upper, deadline)
            except (OutOfTime, TooMany):
                return False
            if counts is None:
                low, high = self.outer[place]
                self.outer[place] = (low, wanted - 1) if upper else (wanted + 1, high)
            else:
                self._attain(counts)
            best, end = self.attained[place][upper], self.outer[place][upper]
            wanted = best + step * ((step * (end - best) + 1) // 2)

    def _attain(self, counts: Counts) -> None:
        for place in self.places:
            low, high = cell_at(counts, self.sizes, place)
            least, most = self.attained[place]
            self.attained[place] = min(low, least), max(high, most)

    def _with(self, place: Place, value: int, upper: bool, deadline: Budget) -> Counts | None:
        """Counts that give the report and in which a cell may have at least (at most) this value."""

        def also(counts: Counts) -> bool:
            low, high = cell_at(counts, self.sizes, place)
            return high >= value if upper else low <= value

        for model in self.models:
            stricter = with_rules(model, list(self._rules(model, place, value, upper)))
            counts = Engine(model.problem, deadline, self.seed, stricter, also).first()
            if counts is not None:
                return counts
        return None

    def _rules(self, model: ClassesModel, place: Place, value: int, upper: bool) -> Iterator[tuple[int, Rule]]:
        """What must hold of single classes for the cell to have such a value."""
        i, j = place
        n = self.sizes
        wrong = sum(n) - model.right[0][0]  # at most
        if i == j:
            yield i, (-1, 0, -value) if upper else (1, 0, value)
        elif upper:
            yield i, (1, 0, n[i] - value)
            yield j, (1, -1, -value)
            for h in range(len(n)):
                if h not in place:
                    yield h, (-2, 1, wrong - n[h] - value)
        else:
            box = model.cells[j].box
            yield i, (-2, 1, wrong + value - n[i] - max(0, box.q0 - box.t1))
            yield j, (-2, 1, wrong + value - n[j] - (n[i] - model.cells[i].box.t1))
