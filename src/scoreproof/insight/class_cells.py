"""Cuts of a bipartite flow, and bisection: between which counts every cell of a matrix of several classes lies.

For given tp and q of all classes, with fn = n - tp, fp = q - tp and E wrong cases, the cell of true class i and given
class j has every count from max(0, fn_i + fp_i + fp_j - E, fn_i + fn_j + fp_j - E) to min(fn_i, fp_j, E - fn_h - fp_h
over all other classes h): it is a flow on a complete bipartite graph without a perfect matching, and these are its
cuts. So an end of a range is sought among tp and q: counts are asked for in which the cell has at least (at most) so
much, and what is attained and what is excluded are brought together by halving.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import TYPE_CHECKING, Any, Self, Unpack

from scoreproof.checking import Answer, OfAnswer, Verdict, ask
from scoreproof.errors import InvalidOption
from scoreproof.figures import new_figure
from scoreproof.jsonable import document, rebuilt
from scoreproof.kinds.multi_class.branch_and_bound import Engine
from scoreproof.kinds.multi_class.cells import Rule
from scoreproof.kinds.multi_class.experiment import Counts, MultiClass
from scoreproof.kinds.multi_class.model import ClassesModel, model_of, with_rules
from scoreproof.kinds.multi_class.problem import ClassesProblem, averages_f1, classes_problem
from scoreproof.kinds.multi_class.searches import TooMany
from scoreproof.reported.conventions import MacroF1, Stated
from scoreproof.results import SmallTable
from scoreproof.validation import random_seed, seconds
from scoreproof.work.budget import Budget, OutOfTime

if TYPE_CHECKING:
    from matplotlib.figure import Figure


Points = Sequence[tuple[int, int]]  # tp and q of every class
Place = tuple[int, int]
_LEAST_SHARE = 0.02  # of the time that is left, for one question


@dataclass(frozen=True, slots=True)
class CellRange:
    """The least and the greatest count of a cell; ``exact`` where both are attained, else they are outer bounds.

    >>> print(CellRange(3, 3), CellRange(0, 5), CellRange(0, 5, exact=False), sep=", ")
    3, 0 to 5, 0 to 5 at most
    """

    low: int
    high: int
    exact: bool = True

    def __str__(self) -> str:
        ends = " to ".join(map(str, dict.fromkeys((self.low, self.high))))
        return ends if self.exact or self.low == self.high else f"{ends} at most"


def cell_at(counts: Points, sizes: Sequence[int], place: Place) -> tuple[int, int]:
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

    def __init__(self, problem: ClassesProblem, counts: Points, deadline: Budget, seed: int = 0) -> None:
        self.sizes, self.seed = problem.counts[0], seed
        meanings = [problem.macro_f1]
        if problem.macro_f1 is MacroF1.ANY and averages_f1(problem):
            meanings = [MacroF1.MEAN, MacroF1.OF_MEANS]
        self.models = [model_of(replace(problem, macro_f1=meaning)) for meaning in meanings]
        k = range(len(self.sizes))
        self.places = [(i, i) for i in k] + list(permutations(k, 2))
        self.attained = {place: cell_at(counts, self.sizes, place) for place in self.places}
        self.outer = {(i, j): (0, self.sizes[i]) for i, j in self.places}
        self.ranges = {}
        for number, place in enumerate(self.places):
            share = min(max(_LEAST_SHARE, 1 / (len(self.places) - number)), 0.5)
            exact = [self._closed(place, upper, deadline.part(share)) for upper in (True, False)]
            self.ranges[place] = CellRange(*self.outer[place], all(exact))

    def _closed(self, place: Place, upper: bool, deadline: Budget) -> bool:
        """Bring what is attained and what is excluded together at one end; whether they met."""
        step = 1 if upper else -1
        wanted = self.outer[place][upper]
        while step * (self.outer[place][upper] - self.attained[place][upper]) > 0:
            try:
                counts = self._with(place, wanted, upper, deadline)
            except (OutOfTime, TooMany):
                return False
            if counts is None:
                low, high = self.outer[place]
                self.outer[place] = (low, wanted - 1) if upper else (wanted + 1, high)
            else:
                for own, (low, high) in self.attained.items():
                    least, most = cell_at(counts, self.sizes, own)
                    self.attained[own] = min(low, least), max(high, most)
            best, end = self.attained[place][upper], self.outer[place][upper]
            wanted = best + step * ((step * (end - best) + 1) // 2)
        return True

    def _with(self, place: Place, value: int, upper: bool, deadline: Budget) -> Points | None:
        """Counts that give the report and in which a cell may have at least (at most) this value."""

        def also(counts: Points) -> bool:
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


_MOST_WRITTEN = 15  # classes of a map that has its numbers written
_DARK = 0.6
_LEAST_SECONDS = 5.0  # that the ranges get when the verdict is found, however long that took


@dataclass(frozen=True, slots=True)
class ClassCells(OfAnswer):
    """What follows for each cell: ``cells`` has a row for each true class, a range for each class it may be given.

    A range that is not ``exact`` is an outer bound: time ran out before its ends were found.
    """

    answer: Answer[Any, Any]
    cells: tuple[tuple[CellRange, ...], ...]

    @property
    def classes(self) -> tuple[str, ...]:
        names: tuple[str, ...] = self.answer.problem.classes
        return names

    def figure(self) -> Figure:
        """The matrix as a map of heat: the middle of every range as a share of its row, and the ranges as texts."""
        import numpy as np

        if not self.cells:
            raise InvalidOption("a figure needs cells that are possible; this report has none")
        sizes = np.array(self.answer.problem.counts[0])
        middles = np.array([[(cell.low + cell.high) / 2 for cell in row] for row in self.cells])
        shares = middles / np.maximum(sizes, 1)[:, None]
        k = len(sizes)
        figure = new_figure(1.6 + min(0.75 * k, 12), 1.4 + min(0.6 * k, 10))
        axes = figure.add_subplot()
        image = axes.imshow(shares, cmap="Blues", vmin=0, vmax=1, aspect="auto")
        figure.colorbar(image, ax=axes, label="share of the true class (middle of the range)")
        for set_ticks in (axes.set_xticks, axes.set_yticks):
            set_ticks(range(k), labels=[name[:20] for name in self.classes])
        axes.tick_params(axis="x", rotation=45 if k > 6 else 0)
        axes.set(xlabel="given class", ylabel="true class")
        for i, j in np.ndindex(k, k) if k <= _MOST_WRITTEN else ():
            cell, colour = self.cells[i][j], "white" if shares[i, j] > _DARK else "black"
            text = "–".join(map(str, dict.fromkeys((cell.low, cell.high))))
            axes.text(j, i, text, ha="center", va="center", color=colour, fontsize=8)
        axes.set_title("Every matrix that gives the scores has each cell in its range", fontsize=10, loc="left")
        return figure

    def to_dict(self) -> dict[str, Any]:
        return {**self.answer.to_dict(), "cells": [[document(cell, "*") for cell in row] for row in self.cells]}

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        answer = Answer.from_dict({key: value for key, value in document.items() if key != "cells"})
        return rebuilt(cls, {**document, "answer": answer})

    def __str__(self) -> str:
        if self.verdict is not Verdict.CONSISTENT:
            return str(self.answer)
        fixed = sum(cell.low == cell.high for row in self.cells for cell in row)
        report = ", ".join(map(str, self.claims))
        return f"consistent: {report} fix {fixed} of the {len(self.classes) ** 2} cells of the confusion matrix"

    def _rows(self) -> list[dict[str, Any]]:
        names = self.classes
        return [
            {"true": true, "given": given, **document(cell, "*")}
            for true, row in zip(names, self.cells, strict=False)
            for given, cell in zip(names, row, strict=True)
        ]

    def _tables(self) -> list[SmallTable]:
        if not self.cells:
            return []
        rows = [(name, *row) for name, row in zip(self.classes, self.cells, strict=True)]
        return [SmallTable(rows, ("true \\ given", *self.classes))]


def reconstruct_classes(
    classes: Counts | MultiClass,
    scores: Mapping[str, Any],
    *,
    budget: float = 30.0,
    seed: int = 0,
    **stated: Unpack[Stated],
) -> ClassCells:
    """Between which counts every cell of the confusion matrix lies, over all matrices that give the scores.

    ``classes`` are the class counts, listed or by name; scores and options are those of ``check`` on several classes.

    >>> from scoreproof import reconstruct_classes
    >>> result = reconstruct_classes([5, 4, 3], {"acc": "0.75", "sens": ["0.80", "0.75", "0.67"]}, rounding="nearest")
    >>> [[(cell.low, cell.high) for cell in row] for row in result.cells]
    [[(4, 4), (0, 1), (0, 1)], [(0, 1), (3, 3), (0, 1)], [(0, 1), (0, 1), (2, 2)]]
    """
    experiment = classes if isinstance(classes, MultiClass) else MultiClass(classes)
    if experiment.counts is None:
        raise InvalidOption("classes: expected the cases of every class such as [50, 70, 30], got a number of cases")
    deadline = Budget(seconds(budget))
    problem = classes_problem(experiment.names, [experiment.sizes], scores, **stated)
    seed = random_seed(seed)
    answer = ask(problem, budget=deadline, seed=seed)
    if answer.witness is None:
        return ClassCells(answer, ())
    left = deadline.longer(min(_LEAST_SECONDS, deadline.seconds))
    ranges = CellRanges(problem, answer.witness.counts[0], left, seed).ranges
    k: Sequence[int] = range(len(experiment.names))
    return ClassCells(answer, tuple(tuple(ranges[i, j] for j in k) for i in k))
