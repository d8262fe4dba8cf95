"""Other experiments and conventions that a report on two classes may stand for, each a change of the problem.

The designs give other experiments; the other functions change claims or what was said of them. Each is the ``change``
of an entry of the registry.

A paper may call "sensitivity" what its software averaged over the classes (Fazekas and Kovács 2024,
doi:10.1016/j.asoc.2024.111993, section 5.3): weighted by class size this is the accuracy, unweighted the balanced
accuracy, and counted together (micro) every score is the accuracy. Each class is taken as the positive one in turn; all
of these averages grow with tp and tn, so the engines take them like any other score.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from itertools import product
from typing import Any

from scoreproof.errors import ScoreproofError
from scoreproof.kinds.binary.experiment import (
    Aggregation,
    Experiment,
    KFold,
    MeanOfScores,
    ScoreOfMeans,
    TestSet,
    UnknownAggregation,
    normal_form,
    sums_matrices,
    total_counts,
)
from scoreproof.kinds.binary.problem import BinaryProblem
from scoreproof.kinds.binary.scores import Score, score
from scoreproof.kinds.conventions import between, claim_of, intersected, plain_texts, with_claim
from scoreproof.kinds.kind import Variant
from scoreproof.reported import Claim
from scoreproof.reported.conventions import Divisor, Spread, Undefined

Counts = tuple[int, int]  # p and n
OtherExperiments = Iterator[tuple[str, Experiment | Counts]]
_FOLDS = range(2, 21)
_REPEATS = (2, 3, 5, 10)
_FEW = 3  # cases by which the class counts may be off
_MOST_SIZES = 2_000  # sizes of an oversampled class that are searched
_HELD_OUT = (10, 15, 20, 25, 30, 33, 40, 50)  # per cent


def exchanged_classes(experiment: Experiment) -> OtherExperiments:
    p, n = total_counts(experiment)
    if p != n:
        yield "positive and negative class exchanged", recounted(experiment, lambda a, b: (b, a))


def other_aggregation(experiment: Experiment) -> OtherExperiments:
    """Scores averaged where matrices were said to be added, and the reverse."""
    other = aggregated_otherwise(experiment)
    if other is not None:
        whose = "folds" if isinstance(experiment, KFold) else "parts"
        added = f"matrices of the {whose} added, then scored"
        yield added if sums_matrices(other) else f"scores of the {whose} averaged", other


def aggregated_otherwise(experiment: Experiment) -> Experiment | None:
    """The same data with the other way of averaging; None where there is only one, or it is not stated.

    >>> str(aggregated_otherwise(KFold(p=20, n=30, k=5)).aggregation)
    'score_of_means'
    """
    if isinstance(experiment, MeanOfScores):
        return ScoreOfMeans(tuple(map(_added, experiment.parts)))
    if isinstance(experiment, ScoreOfMeans) and len(experiment.parts) > 1:
        return MeanOfScores(tuple(map(_averaging, experiment.parts)))
    if isinstance(experiment, KFold) and experiment.aggregation is not Aggregation.UNKNOWN:
        return _averaging(experiment) if sums_matrices(experiment) else _added(experiment)
    return None


def _added(part: Experiment) -> Experiment:
    """The same data with every matrix added up."""
    if isinstance(part, KFold):
        return replace(part, aggregation=Aggregation.SCORE_OF_MEANS)
    return ScoreOfMeans(tuple(map(_added, part.parts))) if isinstance(part, MeanOfScores) else part


def _averaging(part: Experiment) -> Experiment:
    if isinstance(part, KFold):
        return replace(part, aggregation=Aggregation.MEAN_OF_SCORES)
    return MeanOfScores(part.parts) if isinstance(part, ScoreOfMeans) else part


def other_stratification(experiment: Experiment) -> OtherExperiments:
    if isinstance(experiment, KFold) and experiment.aggregation is Aggregation.MEAN_OF_SCORES:
        label = "folds not stratified" if experiment.stratified else "folds stratified"
        yield label, replace(experiment, stratified=not experiment.stratified, rule=None)


def other_folds(experiment: Experiment) -> OtherExperiments:
    """Another number of folds, or leave-one-out."""
    if isinstance(experiment, KFold) and experiment.aggregation is not Aggregation.SCORE_OF_MEANS:
        p, n, stated = experiment.p, experiment.n, experiment.k
        if experiment.aggregation is Aggregation.MEAN_OF_SCORES:
            yield "leave-one-out, scored over all cases", TestSet(p, n)
        yield from ((f"{k} folds", replace(experiment, k=k)) for k in _FOLDS if k != stated and k <= p + n)
    elif isinstance(experiment, TestSet):
        p, n = experiment.p, experiment.n
        yield from ((f"{k} stratified folds, scores averaged", KFold(p, n, k)) for k in _FOLDS if k <= p + n)


def other_repeats(experiment: Experiment) -> OtherExperiments:
    if isinstance(experiment, KFold):
        for repeats in (1, *_REPEATS):
            if repeats != experiment.repeats:
                yield f"{repeats} repetition{'s' * (repeats > 1)}", replace(experiment, repeats=repeats)
    elif isinstance(experiment, TestSet):
        for repeats in _REPEATS:
            yield f"{repeats} runs added up", TestSet(repeats * experiment.p, repeats * experiment.n)


def nearby_counts(experiment: Experiment) -> OtherExperiments:
    """A few cases more or less in either class, nearest first; a class missing."""
    if isinstance(experiment, (TestSet, KFold)):
        p, n = experiment.p, experiment.n
        steps = product(range(-_FEW, _FEW + 1), repeat=2)
        for far, a, b in sorted((abs(a) + abs(b), a, b) for a, b in steps):
            if 0 < far <= _FEW and p + a > 0 and n + b > 0:
                yield f"p={p + a}, n={n + b}", (p + a, n + b)
        if p and n:
            yield from (("no positives", (0, n)), ("no negatives", (p, 0)))


def held_out_part(experiment: Experiment) -> OtherExperiments:
    """Only a held-out share of the stated cases was evaluated, both classes in proportion."""
    if not isinstance(experiment, TestSet):
        return
    seen = {(experiment.p, experiment.n)}
    for share in _HELD_OUT:
        for p, n in product(*(_rounded(count, share) for count in (experiment.p, experiment.n))):
            if p and n and (p, n) not in seen:
                seen.add((p, n))
                yield f"{share} % held out: p={p}, n={n}", (p, n)


def _rounded(count: int, share: int) -> Iterable[int]:
    low = count * share // 100
    return (low,) if count * share % 100 == 0 else (low, low + 1)


def oversampled(experiment: Experiment, stated: Iterable[int] = ()) -> OtherExperiments:
    """The smaller class raised before the folds were made: to the stated numbers, then to the size of the other."""
    if isinstance(experiment, (TestSet, KFold)):
        yield from _raised(experiment, dict.fromkeys((*stated, max(experiment.p, experiment.n))))


def searched_oversampling(experiment: Experiment) -> OtherExperiments:
    """Every size between the two classes' counts that the smaller class may have been raised to, largest first."""
    if isinstance(experiment, (TestSet, KFold)) and abs(experiment.p - experiment.n) <= _MOST_SIZES:
        fewest, most = sorted((experiment.p, experiment.n))
        yield from _raised(experiment, range(most - 1, fewest, -1))


def _raised(experiment: TestSet | KFold, numbers: Iterable[int]) -> OtherExperiments:
    p, n = experiment.p, experiment.n
    symbol, fewest = ("p", p) if p <= n else ("n", n)
    for number in numbers:
        if number > fewest:
            yield f"{symbol} raised from {fewest} to {number}", ((number, n) if p <= n else (p, number))


def recounted(experiment: Experiment, change: Callable[[int, int], tuple[int, int]]) -> Experiment:
    """The experiment with the class counts of every part changed."""
    if isinstance(experiment, (TestSet, KFold)):
        p, n = change(experiment.p, experiment.n)
        return replace(experiment, p=p, n=n)
    parts = tuple(recounted(part, change) for part in experiment.parts)
    if isinstance(experiment, MeanOfScores):
        return MeanOfScores(parts, experiment.ranges)
    return ScoreOfMeans(parts) if isinstance(experiment, ScoreOfMeans) else UnknownAggregation(parts)


Variants = Iterator[Variant[BinaryProblem]]
Designs = Callable[[Experiment], OtherExperiments]


def other_design(problem: BinaryProblem, experiments: str | Designs) -> Variants:
    """The report of other experiments, which a function gives: one of those above by name, or another."""
    designs: Designs = globals()[experiments] if isinstance(experiments, str) else experiments
    for words, other in designs(problem.experiment):
        try:
            experiment = recounted(problem.experiment, partial(_counted, other)) if isinstance(other, tuple) else other
        except ScoreproofError:
            continue  # not every experiment can have such counts
        asked, left_out = problem, ""
        if problem.about_parts and sums_matrices(experiment):
            asked = problem.with_averages(spread=Spread.IGNORE, minimum=(), maximum=(), fold_digits=None)
            left_out = " (± and extremes left out)"
        yield Variant(words + left_out, asked.with_experiment(experiment))


def _counted(counts: Counts, *_: int) -> Counts:
    return counts


NAMES = ("sens", "spec", "ppv", "npv", "f1")  # the scores of one class
# What some become when averaged over both classes; the others have formulas of their own.
_KNOWN = {"weighted": {"sens": "acc"}, "macro": {"sens": "bacc", "spec": "bacc"}, "micro": dict.fromkeys(NAMES, "acc")}


@cache
def over_classes(kind: str, name: str) -> Score:
    """What a score becomes when averaged over both classes.

    >>> over_classes("weighted", "sens").name, over_classes("macro", "f1").text(8, 10, 2, 10, digits=4)
    ('acc', '0.5982')
    """
    if name in _KNOWN[kind]:
        return score(_KNOWN[kind][name])
    of = score(name)

    def by_class(tp: Any, fp: Any, fn: Any, tn: Any) -> tuple[tuple[Any, Any, Any], tuple[Any, Any, Any]]:
        p, n = (tp + fn, fp + tn) if kind == "weighted" else (1, 1)
        return (*of.ratio(tp, fp, fn, tn), p), (*of.ratio(tn, fn, fp, tp), n)

    def ratio(tp: Any, fp: Any, fn: Any, tn: Any) -> tuple[Any, Any]:
        (a, b, p), (c, d, n) = by_class(tp, fp, fn, tn)
        return p * a * d + n * c * b, b * d * (p + n)

    title = f"{kind} average of {of.title} over both classes"
    predictive = by_class if name in ("ppv", "npv") else None  # of a class that is never predicted it is 0/0
    return Score(f"{kind} {name}", title, ratio=ratio, builtin=False, by_class=predictive)


def averaged(reported: Sequence[Claim], kind: str, names: Sequence[str] = ()) -> tuple[Claim, ...] | None:
    """The report with its class-wise scores, or those of some names, taken as averages over both classes.

    What is then one score is merged, to the interval all its texts allow; None if they allow none.

    >>> from scoreproof.reported import read_scores
    >>> [float(claim.low) for claim in averaged(read_scores({"acc": "0.81", "recall": "0.82"}), "weighted")]
    [0.81]
    """
    read: dict[str, Claim] = {}
    for claim in reported:
        taken = claim
        if claim.score.name in (names or NAMES):
            taken = replace(claim, quantity=over_classes(kind, claim.score.name))
        known = read.get(taken.score.name)
        merged = taken if known is None else intersected(known, taken.low, taken.high)
        if merged is None:
            return None
        read[taken.score.name] = replace(merged, spread=merged.spread or taken.spread)
    return tuple(read.values())


def over_both_classes(problem: BinaryProblem, average: str) -> Variants:
    """Scores of one class are averages over both: all of them, or precision, recall and F1 alone."""
    extremes = problem.averages.minimum or problem.averages.maximum or _has_ranges(problem.experiment)
    of_one_class = any(claim.score.name in NAMES for claim in problem.claims)
    if not of_one_class or extremes or _open_folds(problem.experiment):
        return
    all_of_them = averaged(problem.claims, average)
    yield Variant("", None if all_of_them is None else problem.with_claims(all_of_them))
    names = {claim.score.name: claim.name.lower() for claim in problem.claims}
    # who says sensitivity beside specificity means those of the positive class
    if {"spec", "npv"} & set(names) and {"ppv", "f1"} & set(names) and names.get("sens", "recall").startswith("rec"):
        some = averaged(problem.claims, average, ("ppv", "sens", "f1"))
        yield Variant("precision, recall and F1 alone", None if some is None else problem.with_claims(some))


def _open_folds(experiment: Experiment) -> bool:
    """Whether folds may have any composition: some may lack a class then, and averages over both be anything."""
    return isinstance(experiment, KFold) and not experiment.stratified and not sums_matrices(experiment)


def _has_ranges(experiment: Experiment) -> bool:
    """Whether something is said of the scores of parts, which would be averages, too."""
    return bool(getattr(experiment, "ranges", None)) or any(map(_has_ranges, getattr(experiment, "parts", ())))


def undefined_scores(problem: BinaryProblem) -> Variants:
    """Another treatment of 0/0."""
    stated = problem.undefined
    for convention in Undefined:
        admitted = stated is Undefined.ANY and convention is not Undefined.ONE
        skipped = convention is Undefined.SKIP and sums_matrices(problem.experiment)
        if convention is not stated and not admitted and not skipped:
            yield Variant(f"undefined={convention}", replace(problem, undefined=convention))


def other_divisor(problem: BinaryProblem) -> Variants:
    """Another divisor of the variance behind a ±."""
    spread_claims = [claim for claim in problem.claims if claim.spread is not None]
    stated = problem.averages.divisor
    if spread_claims and stated in (Divisor.POPULATION, Divisor.SAMPLE):
        other = Divisor.SAMPLE if stated is Divisor.POPULATION else Divisor.POPULATION
        yield Variant(f"{other} deviation", problem.with_averages(divisor=other))
    if stated is not Divisor.EACH and len(spread_claims) > 1:
        yield Variant("each deviation with a divisor of its own", problem.with_averages(divisor=Divisor.EACH))


def pooled_accuracy(problem: BinaryProblem) -> Variants:
    """The accuracy is of all cases together: it differs from the mean of the folds' as far as their sizes differ."""
    claim, design = claim_of(problem, "acc"), problem.experiment
    if claim is None or not isinstance(design, KFold) or design.aggregation is not Aggregation.MEAN_OF_SCORES:
        return
    form, cases = normal_form(design), sum(total_counts(design))
    # pooled, a fold counts by its size, in the mean by its weight: errors (or hits) then count so much more or less
    reach = max(
        abs(fold.weight * cases / size - 1)
        for fold in form.sets
        for size in ((fold.size,) if fold.family is None else (fold.size, fold.size + 2))
        if size
    )
    off = reach * max(min(claim.high, 1 - claim.low), Fraction(0))
    if off:
        (plain,) = plain_texts([claim])
        yield Variant("", with_claim(problem, claim, between(plain, claim.low - off, claim.high + off)))


def smoothed(problem: BinaryProblem, constant: int) -> Variants:
    """Dice and IoU with a constant added to numerator and denominator."""
    claims = [
        replace(claim, quantity=_smooth(claim.score.name, constant)) if claim.score.name in _OVERLAPS else claim
        for claim in problem.claims
    ]
    if any(claim.score.name in _OVERLAPS for claim in problem.claims):
        yield Variant("", problem.with_claims(claims))


_OVERLAPS = {"f1": 2, "ji": 1}  # how often the numerator counts a true positive


@cache
def _smooth(name: str, constant: int) -> Score:
    of, times = score(name), _OVERLAPS[name]

    def ratio(tp: Any, fp: Any, fn: Any, tn: Any) -> tuple[Any, Any]:
        return times * tp + constant, times * tp + fp + fn + constant

    return Score(f"smoothed {name}", f"{of.title} with {constant} added", ratio=ratio, builtin=False)
