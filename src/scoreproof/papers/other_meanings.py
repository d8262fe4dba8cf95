"""What else than the plain meaning of its columns lets a row pass: it only ever excuses.

A row may be a statistic of the others under a name that nobody knows, deviations below a line of means, or averages
over classes; a cited row may have been filled up with zeros.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from fractions import Fraction

from scoreproof.checking import Verdict, ask, trial
from scoreproof.errors import ScoreproofError
from scoreproof.kinds.common_average.problem import AverageOf, CommonAverageProblem, is_covered
from scoreproof.kinds.kind import Problem
from scoreproof.kinds.unknown_classes.kind import UnknownClassesProblem
from scoreproof.papers.result import CellText, RowResult
from scoreproof.papers.table_semantics.words import Patterns, loaded
from scoreproof.reported import Claim, report
from scoreproof.work.budget import Budget

_FEWEST = 3  # other rows
_FAR_BELOW = 0.25  # of the upper quartile of a column
_SECONDS = 0.5  # for one changed report
_SECONDS_OF_AVERAGE = 1.0
_SAYS = Patterns(loaded("scoreproof.papers", "patterns.toml")["other_meanings"])
_WEIGHTED = "recall is accuracy, as it is where scores are averages over classes, weighted by their sizes"
AS_AVERAGE = (
    "impossible is that these are scores of one confusion matrix; as averages over the same parts (classes, folds, "
    "images) they are possible: if they are such, say tree: {type: common_average}"
)
OF_TWO_CLASSES = frozenset({"spec", "fpr", "npv", "for", "fnr", "fdr", "lrp", "lrn", "dor", "bm", "mk"})  # not averaged


def other_meaning(row: RowResult, rows: Sequence[RowResult]) -> str:
    """In words, why a row that fails is no result, or what lets it pass; empty if nothing does."""
    if _SAYS["no_result"].search(row.label):
        return "by its name this row is no result"
    averaged = [reading.verdict for reading in row.readings if reading.answer.problem.kind == "common_average"]
    weighted = row.scores.get("acc") == row.scores.get("sens", "") and Verdict.INCONSISTENT not in averaged
    return _statistic(row, rows) or (_WEIGHTED if weighted else _padded(row, rows))


def _statistic(row: RowResult, rows: Sequence[RowResult]) -> str:
    """The statistic of other rows that every number of a row is, or that they all are of another size."""
    place = next(index for index, other in enumerate(rows) if other is row)
    before = rows[:place]
    every = [_beside(cell, row, (*before, *rows[place + 1 :])) for cell in row.cells]
    others = (before[: place - left] for left in range(min(3, place)))  # the last may be statistics, too
    for columns in (every, *([_beside(cell, row, some) for cell in row.cells] for some in others)):
        for name, computed in _STATISTICS.items():
            if columns and all(
                own is not None
                and len(beside) > _FEWEST
                and any(abs(own - value) <= step * 1.01 for value in computed(beside))
                for own, step, beside in columns
            ):
                return f"this row is the {name} of others"
    below = len(every) > 1 and all(
        own is not None and len(beside) >= _FEWEST and own < _FAR_BELOW * sorted(beside)[len(beside) * 3 // 4]
        for own, _, beside in every
    )
    return "these numbers are of another size than those above and below them: deviations?" if below else ""


def _beside(cell: CellText, row: RowResult, others: Iterable[RowResult]) -> tuple[float | None, float, list[float]]:
    """A number with the size of its last digit, and the numbers of other rows in its column."""
    axis = 0 if row.cells[0].place[0] != row.cells[-1].place[0] else 1  # a transposed table's rows are columns
    alike = (each for other in others for each in other.cells if each.score == cell.score)
    beside = [_number(each.text) for each in alike if each.place[axis] == cell.place[axis]]
    digits = len(cell.text.strip("% ").partition(".")[2])
    return _number(cell.text), 10.0**-digits, [number for number in beside if number is not None]


def _number(text: str) -> float | None:
    with suppress(ValueError):
        return float(text.strip("% "))
    return None


def _ranges(values: Sequence[float]) -> list[float]:
    """Interquartile ranges by the two usual definitions, and by plain places in the sorted list."""
    ordered, size = sorted(values), len(values)
    cuts = [statistics.quantiles(values, n=4, method=method) for method in ("inclusive", "exclusive")]
    return [*(upper - lower for lower, _, upper in cuts), ordered[size * 3 // 4] - ordered[size // 4]]


_STATISTICS: dict[str, Callable[[Sequence[float]], list[float]]] = {
    "standard deviation": lambda values: [statistics.stdev(values), statistics.pstdev(values)],
    "doubled standard deviation": lambda values: [2 * statistics.stdev(values), 2 * statistics.pstdev(values)],
    "interquartile range": _ranges,
    "mean": lambda values: [statistics.fmean(values)],
    "median": lambda values: [statistics.median(values)],
    "extreme": lambda values: [min(values), max(values)],
}


def _padded(row: RowResult, rows: Sequence[RowResult]) -> str:
    """That every number of a row ends with a zero, as where a cited row was filled up, and the shorter ones fit."""
    if all(unpadded([cell.text for cell in other.cells]) for other in rows):
        return ""  # it is as they all are
    for reading in row.readings if unpadded([cell.text for cell in row.cells]) else ():
        problem = reading.answer.problem
        short = zip(problem.claims, unpadded([claim.text for claim in problem.claims]), strict=False)
        if reading.verdict is Verdict.INCONSISTENT and fits(problem, (rewritten(*each) for each in short)):
            return "every number of this row ends with a zero; with fewer digits they are possible"
    return ""


def unpadded(texts: Sequence[str]) -> list[str]:
    """Numbers without the zeros that all of them end with, if they look filled up; none if they do not.

    >>> unpadded(["69.00", "47.00", "56.00"]), unpadded(["0.690", "0.720", "0.700"]), unpadded(["0.90", "0.80", "0.80"])
    (['69', '47', '56'], ['0.69', '0.72', '0.70'], [])
    """
    ends = [_SAYS["decimals"].fullmatch(text) for text in texts]
    zeros = min((len(end[2]) - len(end[2].rstrip("0")) if end else 0 for end in ends), default=0)
    kept = [(end[1], end[2][: len(end[2]) - zeros], end[3]) for end in ends if end]
    enough = len(texts) >= _FEWEST or (len(texts) > 1 and zeros > 1)  # more than chance
    if not zeros or not enough or any(len((whole + digits).lstrip("0")) < 2 for whole, digits, _ in kept):
        return []
    return [f"{whole}{'.' * bool(digits)}{digits}{percent}" for whole, digits, percent in kept]


def possible_as_average(problem: Problem) -> str:
    """In words, that claims refuted as those of one matrix of unknown classes fit averages; empty if they do not."""
    if not isinstance(problem, UnknownClassesProblem) or problem.experiment.totals is not None:
        return ""
    covered = [claim for claim in problem.claims if is_covered(claim.quantity.name, claim.score.beta)]
    if len(covered) < 2 or any(claim.quantity.name in OF_TWO_CLASSES for claim in problem.claims):
        return ""
    answer = ask(CommonAverageProblem(AverageOf(), tuple(covered)), budget=Budget.of_work(_SECONDS_OF_AVERAGE))
    return AS_AVERAGE if answer.verdict is Verdict.CONSISTENT else ""


def rewritten(claim: Claim, text: str, eps: Fraction | None = None) -> Claim:
    """A claim about the same quantity with another text, under the same rule."""
    margin = claim.eps if eps is None else eps
    return report(claim.quantity, text, rounding=claim.rounding if margin is None else None, eps=margin)


def fits(problem: Problem, claims: Iterable[Claim]) -> bool:
    """Whether a report is possible with other claims."""
    with suppress(ScoreproofError):
        changed = list(claims)
        return bool(changed) and trial(problem.with_claims(changed), budget=Budget.of_work(_SECONDS)).fits is True
    return False
