"""What else than the plain meaning of its columns lets a row pass: it only ever excuses.

A row may be a statistic of the others under a name that nobody knows, deviations below a line of means, averages over
classes, a column in the other unit. ``MEANINGS`` lists what is tried, each a function of the row and its neighbours.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import cast

from scoreproof.checking import Verdict, ask, trial
from scoreproof.errors import ScoreproofError
from scoreproof.kinds.common_average.problem import AverageOf, CommonAverageProblem, is_covered
from scoreproof.kinds.kind import Problem
from scoreproof.kinds.unknown_classes.kind import UnknownClassesProblem
from scoreproof.papers.result import Answered, CellText, RowResult, TableCheck
from scoreproof.papers.row_reading import OF_CLASS
from scoreproof.papers.table_semantics.words import Patterns, loaded
from scoreproof.reported import Claim, report
from scoreproof.work.budget import Budget

_FEWEST = 3  # other rows
_ALIKE = 0.25  # of what averages leave to F1
_FAR_BELOW = 0.25  # of the upper quartile of a column
_SECONDS = 0.5  # for one report in another unit
_SECONDS_OF_AVERAGE = 1.0
_SAYS = Patterns(loaded("scoreproof.papers", "patterns.toml")["other_meanings"])
_WEIGHTED = "recall is accuracy, as it is where scores are averages over classes, weighted by their sizes"
_AS_AVERAGE = (
    "impossible is that these are scores of one confusion matrix; as averages over the same parts (classes, folds, "
    "images) they are possible: if they are such, say tree: {type: common_average}"
)
_AS_CLASSES = "impossible is that these are scores of two classes; over several classes they are possible"
_OF_CLASSES = frozenset({"bacc", "kappa", "mcc"})
OF_TWO_CLASSES = frozenset(
    {"spec", "fpr", "npv", "for", "fnr", "fdr", "lrp", "lrn", "dor", "bm", "mk"}
)  # no macro averages


def other_meaning(row: RowResult, rows: Sequence[RowResult]) -> str:
    """In words, why a row that fails is no result, or what lets it pass; empty if nothing does."""
    return next(filter(None, (meaning(row, rows) for meaning in MEANINGS)), "")


def _no_result(row: RowResult, rows: Sequence[RowResult]) -> str:
    return "by its name this row is no result" if _SAYS["no_result"].search(row.label) else ""


def _averaged_by_size(row: RowResult, rows: Sequence[RowResult]) -> str:
    averaged = [reading for reading in row.readings if reading.answer.problem.kind == "common_average"]
    refuted = any(reading.verdict is Verdict.INCONSISTENT for reading in averaged)
    return _WEIGHTED if row.scores.get("acc") == row.scores.get("sens", "") and not refuted else ""


def _in_other_unit(row: RowResult, rows: Sequence[RowResult]) -> str:
    names = set(row.scores)
    others = [other for other in rows if other is not row and names <= set(other.scores)]
    beside = [reading for other in others for reading in other.readings]
    return next(filter(None, (other_unit(problem, beside) for problem in _refuted(row))), "")


def _padded(row: RowResult, rows: Sequence[RowResult]) -> str:
    """That every number of a row ends with a zero, as where a cited row was filled up, and the shorter ones fit."""
    unlike = any(not unpadded([cell.text for cell in other.cells]) for other in rows if other is not row)
    if not unlike or not unpadded([cell.text for cell in row.cells]):
        return ""
    for problem in _refuted(row):
        with suppress(ScoreproofError):
            texts = unpadded([claim.text for claim in problem.claims])
            short = [rewritten(claim, text) for claim, text in zip(problem.claims, texts, strict=False)]
            if short and trial(problem.with_claims(short), budget=Budget.of_work(_SECONDS)).fits is True:
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


def _refuted(row: RowResult) -> list[Problem]:
    return [each.answer.problem for each in row.readings if each.verdict is Verdict.INCONSISTENT]


def as_average(row: RowResult, refuted: Answered) -> str:
    """In words, that a row refuted as one of one matrix fits averages over the same parts; empty if it does not."""
    if refuted.label == OF_CLASS.label and not _near_one_matrix(row.scores):
        return ""  # runs and folds of one class are alike
    if any(each.verdict is Verdict.CONSISTENT and not each.assumed for each in row.readings):
        return _AS_AVERAGE
    return possible_as_average(refuted.answer.problem) or _of_several_classes(refuted.answer.problem)


def _near_one_matrix(scores: Mapping[str, str]) -> bool:
    """Whether F1 lies near the harmonic mean of precision and recall, as it does where what was averaged is alike.

    Of all that averages leave, from P + R - 1 up to the harmonic mean, that is the upper part.
    """
    values = [_number(scores.get(name, "")) for name in ("ppv", "sens", "f1")]
    units = [100 if "%" in scores.get(name, "") else 1 for name in ("ppv", "sens", "f1")]
    if None in values:
        return True
    p, r, f1 = (cast("float", value) / unit for value, unit in zip(values, units, strict=True))
    highest = 2 * p * r / (p + r) if p + r else 0.0
    return highest - f1 <= _ALIKE * (highest - max(0.0, p + r - 1))


def _of_several_classes(problem: Problem) -> str:
    """That balanced accuracy, kappa and MCC are the only ones that do not fit: of several classes they are free."""
    names = {claim.quantity.name for claim in problem.claims}
    if not isinstance(problem, UnknownClassesProblem) or not names & _OF_CLASSES or names & OF_TWO_CLASSES:
        return ""
    rest = [claim for claim in problem.claims if claim.quantity.name not in _OF_CLASSES]
    fits = not rest or trial(problem.with_claims(rest), budget=Budget.of_work(_SECONDS)).fits is True
    return _AS_CLASSES if fits else ""


def possible_as_average(problem: Problem) -> str:
    """In words, that claims refuted as those of one matrix of unknown classes fit averages; empty if they do not."""
    if not isinstance(problem, UnknownClassesProblem) or problem.experiment.totals is not None:
        return ""
    covered = [claim for claim in problem.claims if is_covered(claim.quantity.name, claim.score.beta)]
    if len(covered) < 2 or any(claim.quantity.name in OF_TWO_CLASSES for claim in problem.claims):
        return ""
    answer = ask(CommonAverageProblem(AverageOf(), tuple(covered)), budget=Budget.of_work(_SECONDS_OF_AVERAGE))
    return _AS_AVERAGE if answer.verdict is Verdict.CONSISTENT else ""


def rewritten(claim: Claim, text: str, eps: Fraction | None = None) -> Claim:
    """A claim about the same quantity with another text, under the same rule."""
    margin = claim.eps if eps is None else eps
    return report(claim.quantity, text, rounding=claim.rounding if margin is None else None, eps=margin)


def other_unit(problem: Problem, beside: Sequence[Answered | TableCheck]) -> str:
    """In words, that a report is possible if a column is read in the other unit; the rows that fit must still do so."""
    fitting = [told.answer.problem for told in beside if told.verdict is Verdict.CONSISTENT]
    names = _of_either_unit(problem, [told.answer.problem for told in beside])
    for changed in (*([name] for name in names), *([names] if len(names) > 1 else ())):
        if all(_fits_in_other_unit(each, changed) for each in (problem, *fitting[:_FEWEST])):
            percent = any("%" in claim.text for claim in problem.claims if claim.quantity.name in changed)
            return f"{', '.join(changed)}: possible as {'fractions' if percent else 'percentages'}"
    return ""


def _of_either_unit(problem: Problem, beside: Sequence[Problem]) -> list[str]:
    """The scores of a report that are small percentages, or above 1, in some row."""
    every = [claim for each in (problem, *beside) for claim in each.claims if claim.quantity.range[1] == 1]
    large = {claim.quantity.name for claim in every if claim.number.value > 1}
    small = {claim.quantity.name for claim in every if "%" in claim.text and claim.number.value < Fraction(1, 50)}
    return [claim.quantity.name for claim in problem.claims if claim.quantity.name in large | small]


def _fits_in_other_unit(problem: Problem, names: Sequence[str]) -> bool:
    """Whether a report is possible with some of its values in the other unit."""
    claims = [_exchanged(claim) if claim.quantity.name in names else claim for claim in problem.claims]
    if None in claims:
        return False
    with suppress(ScoreproofError):
        changed = problem.with_claims(cast("list[Claim]", claims))
        return trial(changed, budget=Budget.of_work(_SECONDS)).fits is True
    return False


def _exchanged(claim: Claim) -> Claim | None:
    text = claim.text.replace("%", "").strip() if "%" in claim.text else f"{claim.text}%"
    try:
        made = rewritten(claim, text)
    except ScoreproofError:
        return None
    return None if made.beyond_range else made


def _statistic(row: RowResult, rows: Sequence[RowResult]) -> str:
    """The statistic of other rows that every number of a row is, if there is one.

    Tried are all others, and those before it, without the last one or two, which may be statistics, too.
    """
    place = next(index for index, other in enumerate(rows) if other is row)
    before = rows[:place]
    for others in ((*before, *rows[place + 1 :]), before, before[:-1], before[:-2]):
        columns = [_beside(cell, row, others) for cell in row.cells]
        for name, computed in _STATISTICS.items():
            if columns and all(
                own is not None
                and len(beside) > _FEWEST
                and any(abs(own - value) <= step * 1.01 for value in computed(beside))
                for own, step, beside in columns
            ):
                return f"this row is the {name} of others"
    return ""


def _beside(cell: CellText, row: RowResult, others: Sequence[RowResult]) -> tuple[float | None, float, list[float]]:
    """A number with the size of its last digit, and the numbers of other rows in its column."""
    axis = 0 if row.cells[0].place[0] != row.cells[-1].place[0] else 1  # a transposed table's rows are columns
    alike = (each for other in others for each in other.cells if each.score == cell.score)
    beside = [_number(each.text) for each in alike if each.place[axis] == cell.place[axis]]
    digits = len(cell.text.strip("% ").partition(".")[2])
    return _number(cell.text), 10.0**-digits, [number for number in beside if number is not None]


def _of_another_size(row: RowResult, rows: Sequence[RowResult]) -> str:
    """That every number of a row is far below most of its column, as deviations under means are."""
    columns = [_beside(cell, row, [other for other in rows if other is not row]) for cell in row.cells]
    below = len(columns) > 1 and all(
        own is not None and len(beside) >= _FEWEST and own < _FAR_BELOW * sorted(beside)[len(beside) * 3 // 4]
        for own, _, beside in columns
    )
    return "these numbers are of another size than those above and below them: deviations?" if below else ""


def _number(text: str) -> float | None:
    try:
        return float(text.strip("% "))
    except ValueError:
        return None


def _ranges(values: Sequence[float]) -> list[float]:
    """Interquartile ranges by the two usual definitions, and by plain places in the sorted list."""
    ordered, size = sorted(values), len(values)
    cuts = [statistics.quantiles(values, n=4, method=method) for method in ("inclusive", "exclusive")]
    return [*(upper - lower for lower, _, upper in cuts), ordered[size * 3 // 4] - ordered[size // 4]]


_STATISTICS: dict[str, Callable[[Sequence[float]], list[float]]] = {
    "standard deviation": lambda values: [statistics.stdev(values), statistics.pstdev(values)],
    "doubled standard deviation": lambda values: [2 * statistics.stdev(values), 2 * statistics.pstdev(values)],
    "standard error": lambda values: [statistics.stdev(values) / len(values) ** 0.5],
    "interquartile range": _ranges,
    "range": lambda values: [max(values) - min(values)],
    "mean": lambda values: [statistics.fmean(values)],
    "median": lambda values: [statistics.median(values)],
    "maximum": lambda values: [max(values)],
    "minimum": lambda values: [min(values)],
}
MEANINGS = (_no_result, _statistic, _of_another_size, _averaged_by_size, _padded, _in_other_unit)
