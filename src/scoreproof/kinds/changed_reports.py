"""What conventions of single kinds make of their reports: regression, detection, rankings, matrices, classes, tests.

Each function is the ``change`` of an entry of the registry; ``conventions`` has those that serve several kinds, and
``binary.assumptions`` those of two classes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

from scoreproof.kinds.binary.scores import score
from scoreproof.kinds.common_average.problem import AverageOf, CommonAverageProblem, is_covered
from scoreproof.kinds.conventions import between, claim_of, intersected, plain_texts, roots, with_claim, without
from scoreproof.kinds.kind import Variant
from scoreproof.kinds.multi_class.problem import ClassesProblem, asked_of
from scoreproof.kinds.multi_class.quantities import ClassesScore, of_average, of_class
from scoreproof.kinds.unknown_classes.experiment import UnknownClasses
from scoreproof.kinds.unknown_classes.kind import UnknownClassesProblem
from scoreproof.quantities import quantity
from scoreproof.reported import Claim, Rounding, report
from scoreproof.reported.conventions import Undefined

Variants = Iterator[Variant[Any]]
_SEVERAL, _BATCH = 20, 8  # evaluations that stand for batches, at most, and cases of one, at least
_MOST_PREDICTORS, _CASES_EACH = 20, 3  # cases that a predictor takes, at least
_RECALL = re.compile(r"\s*(?:recall|r)\b", re.IGNORECASE)


def of_several(problem: Any) -> Variants:
    """Errors are means over batches, folds or runs, where one evaluation was said."""
    stated = problem.experiment
    if stated.folds is None and not stated.integers and stated.predictors is None:
        number = _SEVERAL if stated.n is None else max(2, min(_SEVERAL, stated.n // _BATCH))
        yield Variant("", replace(problem, experiment=replace(stated, folds=number)))


def of_all_folds(problem: Any) -> Variants:
    """Errors of all folds together, with a ± over the folds."""
    if problem.experiment.folds is not None:
        changed = replace(problem, experiment=replace(problem.experiment, n=None, folds=None))
        yield Variant("", changed.with_claims(plain_texts(problem.claims)))


def by_degrees_of_freedom(problem: Any) -> Variants:
    """The RMSE is the residual standard error: its square is the sum of squares divided by n - k - 1."""
    claim, stated = claim_of(problem, "rmse"), problem.experiment
    if claim is None or stated.n is None or stated.folds is not None or claim.low < 0:
        return
    most = max(1, min(_MOST_PREDICTORS, stated.n // _CASES_EACH))
    known = (stated.predictors,) if stated.predictors is not None else range(1, most + 1)
    squared = claim_of(problem, "mse")
    for predictors in known:
        share = Fraction(stated.n - predictors - 1, stated.n)
        if share <= 0:
            break
        low, high = claim.low**2 * share, claim.high**2 * share
        words = f"{predictors} predictor{'s' * (predictors != 1)}"
        if squared is None:
            mse = replace(between(claim, low, high), quantity=quantity("mse", kind="regression"))
            yield Variant(words, with_claim(problem, claim, mse))
        else:
            both = intersected(squared, low, high)
            rest = None if both is None else with_claim(problem, claim, None)
            yield Variant(words, None if rest is None else with_claim(rest, squared, both))


def intercept_counted(problem: Any) -> Variants:
    """R² was adjusted for one predictor more, the intercept."""
    stated = problem.experiment
    if stated.predictors is not None and stated.n is not None and stated.predictors + 1 <= stated.n - 2:
        yield Variant("", replace(problem, experiment=replace(stated, predictors=stated.predictors + 1)))


def squared_correlation(problem: Any) -> Variants:
    """R² is the square of Pearson's correlation between true and predicted values."""
    claim, known = claim_of(problem, "r2"), claim_of(problem, "r")
    if claim is None:
        return
    ends = roots(claim.low, claim.high)
    if ends is None:
        yield Variant("", None)
        return
    low, high = ends
    if known is None:
        r = replace(between(claim, low, high), quantity=quantity("r", kind="regression"))
        yield Variant("", with_claim(problem, claim, r))
        return
    either = [intersected(known, low, high), intersected(known, -high, -low)]
    fitting = next((both for both in either if both is not None), None)
    rest = None if fitting is None else with_claim(with_claim(problem, known, fitting), claim, None)
    yield Variant("", rest)


def _counted(problem: Any) -> tuple[list[Claim], list[Claim]]:
    """Precision, recall and F1 as scores of a confusion matrix, and the other claims."""
    own = [replace(claim, quantity=score(claim.quantity.name)) for claim in problem.counted]
    return own, [claim for claim in problem.claims if not any(claim is other for other in problem.counted)]


def detected_by_class(problem: Any) -> Variants:
    """Precision, recall and F1 are means over classes of which nobody said how many."""
    own, rest = _counted(problem)
    if own and problem.experiment.classes is None:
        means = CommonAverageProblem(AverageOf(), tuple(own))
        yield Variant("", means, also=(problem.with_claims(rest),) if rest else ())


def detected_between(problem: Any) -> Variants:
    """Precision and recall are read off a curve between two confidences, so that they are of no whole counts."""
    own, rest = _counted(problem)
    if own:
        rates = UnknownClassesProblem(UnknownClasses(), tuple(own))
        yield Variant("", rates, also=(problem.with_claims(rest),) if rest else ())


def mean_of_runs(problem: Any) -> Variants:
    """Scores said to be of one matrix are means over several runs; those of which no mean is tested are left out."""
    if problem.experiment.totals is not None or problem.undefined not in (Undefined.ANY, Undefined.EXCLUDE):
        return
    kept = [c for c in problem.claims if is_covered(c.quantity.name, getattr(c.quantity, "beta", None))]
    if kept:
        yield Variant("", CommonAverageProblem(AverageOf(), tuple(kept), problem.undefined))
    else:
        yield Variant("", None, untested=True)


def iou_of_all_pixels(problem: Any) -> Variants:
    """The IoU is of all pixels and not tested beside a mean of Dice over images, unless it is above it."""
    iou, dice = claim_of(problem, "ji"), claim_of(problem, "f1")
    if iou is not None and dice is not None and iou.low > dice.high:
        yield Variant("", None)
    elif iou is not None:
        yield from without(problem, [iou])


def with_background(problem: Any) -> Variants:
    """The mean IoU is over the foreground and the background, Dice of the foreground."""
    claim = claim_of(problem, "ji")
    if claim is not None and len(problem.claims) > 1:
        low, high = max(2 * claim.low - 1, Fraction(0)), min(2 * claim.high, Fraction(1))
        yield Variant("", with_claim(problem, claim, between(claim, low, high)))


def f1_without_hits_left_out(problem: Any) -> Variants:
    """F1 is a mean over the parts that have a true positive; counted as zero in the others it is smaller.

    Precision and recall are zero there, too, so that neither is above the share of parts that have one.
    """
    claim, parts = claim_of(problem, "f1"), problem.experiment.parts
    others = [each for each in (claim_of(problem, "ppv"), claim_of(problem, "sens")) if each is not None]
    if claim is None or not others or not parts:
        return
    least = max(Fraction(1, parts), *(each.low for each in others))
    most = Fraction(parts - 1, parts)
    changed = None if least > most else with_claim(problem, claim, between(claim, claim.low * least, claim.high * most))
    yield Variant("", changed)


def several_relevant(problem: Any) -> Variants:
    """Recall is the share of a query's relevant items, of which there are several: no share of queries."""
    yield from without(problem, [c for c in problem.claims if c.quantity.measure == "hits" and _RECALL.match(c.name)])


def ranks_between_ties(problem: Any) -> Variants:
    """Items with equal scores get the middle of their ranks: rounded up to whole ranks, means change by so much."""
    reach = {"mrr": (-_lost_by_ties(problem), Fraction(0)), "mr": (Fraction(0), Fraction(1, 2))}
    moved = [claim for claim in problem.claims if claim.quantity.measure in reach]
    for claim in moved:
        below, above = reach[claim.quantity.measure]
        problem = with_claim(problem, claim, between(claim, claim.low + below, claim.high + above))
    if moved:
        yield Variant("", problem)


def _lost_by_ties(problem: Any) -> Fraction:
    """How much a mean reciprocal rank loses at most where halves are rounded up: by rank, as hits say how many.

    Just behind a cut-off k the best rank is k + 1/2; hits within the first k are the same either way.
    """
    hits = sorted((c.quantity.cutoff, c.low, c.high) for c in problem.claims if c.quantity.measure == "hits")
    lost, begin, within = Fraction(0), 0, Fraction(0)
    for cutoff, low, high in (*hits, (None, Fraction(1), Fraction(1))):
        half = Fraction(3, 2) if begin == 0 else begin + Fraction(1, 2)  # the first rank is a whole one
        if cutoff is None or half <= cutoff:
            lost += max(high - within, Fraction(0)) * (1 / half - 1 / (half + Fraction(1, 2)))
        begin, within = cutoff or begin, max(low, within)
    return lost


def smaller_ranks(problem: Any) -> Variants:
    """Tied methods get the smallest of their ranks, or ranks without gaps: whole numbers that add up to less."""
    share, methods = problem.data_sets, problem.methods
    sums = [(-((-claim.low * share) // 1), (claim.high * share) // 1) for claim in problem.claims]
    fits = all(low <= high for low, high in sums) and all(high >= share for _, high in sums)
    least = sum(max(low, share) for low, _ in sums) + share * (methods - len(sums))
    possible = fits and least <= Fraction(share * methods * (methods + 1), 2)
    yield Variant("", None, untested=possible)


def any_method(problem: Any) -> Variants:
    """The p-value is that of another form of the test."""
    from scoreproof.kinds.paired_counts import METHODS

    for method in METHODS:
        if method not in problem.methods:
            yield Variant(method, replace(problem, methods=(method,)))


def transposed(problem: Any) -> Variants:
    """The rows of the printed matrix are predictions, its columns the true classes."""
    matrix = tuple(zip(*problem.matrix, strict=True))
    if matrix != problem.matrix:
        scores = problem.report.with_counts([[sum(row) for row in matrix]])
        yield Variant("", replace(problem, matrix=matrix, report=scores))


def shares_adjusted(problem: Any) -> Variants:
    """Shares were changed in the last digit so that rows add up: they are believed to one digit less."""
    shares = tuple(tuple(map(_one_digit_less, row)) for row in problem.shares)
    yield Variant("", replace(problem, shares=shares, rounding=Rounding.ANY))


def _one_digit_less(text: str) -> str:
    """A share as a fraction of one, rounded to a digit less than it has."""
    number = report("sens", text).number
    if number.digits == 0:
        return text
    units, digits = (number.units + 5) // 10, number.digits - 1
    whole, rest = divmod(units, 10**digits)
    return f"{whole}.{rest:0{digits}d}" if digits else str(whole)


_MOST_CLASSES = 12  # of which counts are varied
_OFF = (1, -1, 2, -2)
_PARTS = ((10, "10"), (5, "20"), (4, "25"), (3, "a third"))


def _renamed(claim: Claim, quantity: ClassesScore) -> Claim:
    return replace(claim, quantity=quantity, name=quantity.name)


def one_against_rest(problem: ClassesProblem) -> Variants:
    """The accuracy is the mean over the classes of the accuracy of each against the rest."""
    other = of_average("acc", "macro", "multi_class")
    if any(claim.quantity == other for claim in problem.claims):
        return
    claims = [_renamed(claim, other) if _of_whole(claim, "acc") else claim for claim in problem.claims]
    if any(_of_whole(claim, "acc") for claim in problem.claims):
        yield Variant("", problem.with_claims(claims))


def _of_whole(claim: Claim, score: str) -> bool:
    about = asked_of(claim)
    return about.score == score and about.place is None and not about.average


def weighted_kappa(problem: ClassesProblem) -> Variants:
    """Kappa weighs how far apart classes are, which no count of right cases says."""
    yield from without(problem, [claim for claim in problem.claims if _of_whole(claim, "kappa")])


def empty_classes(problem: ClassesProblem) -> Variants:
    """Averages are over the classes that have cases: a class without any has no row."""
    kept = [place for place in range(len(problem.classes)) if any(own[place] for own in problem.counts)]
    if not 2 <= len(kept) < len(problem.classes):
        return
    claims = []
    for claim in problem.claims:
        about = asked_of(claim)
        if about.place is None:
            claims.append(claim)
        elif about.place in kept:
            name = problem.classes[about.place]
            claims.append(_renamed(claim, of_class(about.score, kept.index(about.place), name, "multi_class")))
    if claims:
        names = tuple(problem.classes[place] for place in kept)
        counts = tuple(tuple(own[place] for place in kept) for own in problem.counts)
        yield Variant("", replace(problem, classes=names, counts=counts).with_claims(claims))


def exchanged(problem: ClassesProblem) -> Variants:
    other = {"ppv": "sens", "sens": "ppv"}
    for place, name in enumerate(problem.classes):
        own = [c for c in problem.claims if asked_of(c).place == place and asked_of(c).score in other]
        if len(own) != 2:
            continue
        claims = [
            _renamed(claim, of_class(other[asked_of(claim).score], place, name, "multi_class"))
            if any(claim is claim_ for claim_ in own)
            else claim
            for claim in problem.claims
        ]
        yield Variant(name, problem.with_claims(claims))


def averages(problem: ClassesProblem) -> Variants:
    other = {"macro": "weighted", "weighted": "macro"}
    if any(asked_of(claim).average in other for claim in problem.claims):
        claims = [
            _renamed(claim, of_average(asked_of(claim).score, other[asked_of(claim).average], "multi_class"))
            if asked_of(claim).average in other
            else claim
            for claim in problem.claims
        ]
        yield Variant("", problem.with_claims(claims))


def labels(problem: ClassesProblem) -> Variants:
    """As labels, the accuracy being the micro-averaged recall and the like left out."""
    if not problem.exclusive:
        return
    kept = [claim for claim in problem.claims if asked_of(claim).place is not None or asked_of(claim).average]
    if not kept:
        return
    claims = []
    for claim in kept:
        about = asked_of(claim)
        if about.place is None:
            claims.append(_renamed(claim, of_average(about.score, about.average, "multi_label")))
        else:
            named = of_class(about.score, about.place, problem.classes[about.place], "multi_label")
            claims.append(_renamed(claim, named))
    left_out = len(kept) < len(problem.claims)
    words = "scores of the whole left out" if left_out else ""
    yield Variant(words, replace(problem, exclusive=False, total=None).with_claims(claims))


def _with(problem: ClassesProblem, counts: list[int]) -> ClassesProblem:
    return problem.with_counts([counts])


def swapped_counts(problem: ClassesProblem) -> Variants:
    if len(problem.counts) > 1 or len(problem.classes) > _MOST_CLASSES:
        return
    own = problem.counts[0]
    for i, j in combinations(range(len(own)), 2):
        if own[i] != own[j]:
            counts = list(own)
            counts[i], counts[j] = own[j], own[i]
            yield Variant(f"{problem.classes[i]} and {problem.classes[j]}", _with(problem, counts))


def nearby_counts(problem: ClassesProblem) -> Variants:
    if len(problem.counts) > 1 or len(problem.classes) > _MOST_CLASSES:
        return
    for off in _OFF:
        for place, n in enumerate(problem.counts[0]):
            if n + off >= 0:
                counts = list(problem.counts[0])
                counts[place] = n + off
                yield Variant(f"{problem.classes[place]} with {n + off}", _with(problem, counts))


def held_out(problem: ClassesProblem) -> Variants:
    if len(problem.counts) > 1:
        return
    for share, words in _PARTS:
        for rule, counts in (
            ("rounded", [(2 * n + share) // (2 * share) for n in problem.counts[0]]),
            ("rounded up", [-(-n // share) for n in problem.counts[0]]),
        ):
            if sum(counts):
                part = f"{words} %" if words.isdigit() else words
                yield Variant(f"{part} of every class, {rule}", _with(problem, counts))
