"""What conventions of single kinds make of their reports: regression, detection, rankings, matrices, classes, tests.

Each function is the ``change`` of an entry of the registry; ``conventions`` has those that serve several kinds, and
``binary.assumptions`` those of two classes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import combinations, product
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
from scoreproof.reported.number import decimal_text

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
    for predictors in (stated.predictors,) if stated.predictors is not None else range(1, most + 1):
        share = Fraction(stated.n - predictors - 1, stated.n)
        if share <= 0:
            break
        words = f"{predictors} predictor{'s' * (predictors != 1)}"
        yield Variant(words, _said_as(problem, claim, "mse", claim.low**2 * share, claim.high**2 * share))


def _said_as(problem: Any, claim: Claim, name: str, low: Fraction, high: Fraction) -> Any:
    """The report with a claim about another quantity instead; None if that contradicts what is said of it."""
    known = claim_of(problem, name)
    if known is None:
        return with_claim(
            problem, claim, replace(between(claim, low, high), quantity=quantity(name, kind="regression"))
        )
    both = intersected(known, low, high)
    return None if both is None else with_claim(with_claim(problem, claim, None), known, both)


def intercept_counted(problem: Any) -> Variants:
    """R² was adjusted for one predictor more, the intercept."""
    stated = problem.experiment
    if stated.predictors is not None and stated.n is not None and stated.predictors + 1 <= stated.n - 2:
        yield Variant("", replace(problem, experiment=replace(stated, predictors=stated.predictors + 1)))


def squared_correlation(problem: Any) -> Variants:
    """R² is the square of Pearson's correlation between true and predicted values."""
    claim = claim_of(problem, "r2")
    if claim is None:
        return
    ends = roots(claim.low, claim.high)
    either = () if ends is None else (ends, (-ends[1], -ends[0]))
    fitting = filter(None, (_said_as(problem, claim, "r", low, high) for low, high in either))
    yield Variant("", next(fitting, None))


def _counted_as(problem: Any, of: Callable[[tuple[Claim, ...]], Any]) -> Variants:
    """Precision, recall and F1 of detections as scores of something else, beside the other claims."""
    counted = problem.counted
    rest = [claim for claim in problem.claims if not any(claim is other for other in counted)]
    if counted:
        own = of(tuple(replace(claim, quantity=score(claim.quantity.name)) for claim in counted))
        yield Variant("", own, also=(problem.with_claims(rest),) if rest else ())


def detected_by_class(problem: Any) -> Variants:
    """Precision, recall and F1 are means over classes of which nobody said how many."""
    if problem.experiment.classes is None:
        yield from _counted_as(problem, partial(CommonAverageProblem, AverageOf()))


def detected_between(problem: Any) -> Variants:
    """Precision and recall are read off a curve between two confidences, so that they are of no whole counts."""
    yield from _counted_as(problem, partial(UnknownClassesProblem, UnknownClasses()))


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
    return decimal_text((number.units + 5) // 10, number.digits - 1)


_MOST_CLASSES = 12  # of which counts are varied
_OFF = (1, -1, 2, -2)
_PARTS = ((10, "10 %"), (5, "20 %"), (4, "25 %"), (3, "a third"))


def _requantified(
    problem: ClassesProblem, new: Callable[[ClassesScore], ClassesScore | None], label: str = "", **more: Any
) -> Variants:
    """Some claims about other quantities, and what else is changed; nothing if all claims stay."""
    quantities = [new(asked_of(claim)) for claim in problem.claims]
    if any(quantities):
        claims = [
            claim if other is None else replace(claim, quantity=other, name=other.name)
            for claim, other in zip(problem.claims, quantities, strict=True)
        ]
        yield Variant(label, replace(problem, **more).with_claims(claims))


def _of_whole(about: ClassesScore, name: str) -> bool:
    return about.score == name and about.place is None and not about.average


def one_against_rest(problem: ClassesProblem) -> Variants:
    """The accuracy is the mean over the classes of the accuracy of each against the rest."""
    other = of_average("acc", "macro", "multi_class")
    if not any(claim.quantity == other for claim in problem.claims):
        yield from _requantified(problem, lambda about: other if _of_whole(about, "acc") else None)


def weighted_kappa(problem: ClassesProblem) -> Variants:
    """Kappa weighs how far apart classes are, which no count of right cases says."""
    yield from without(problem, [claim for claim in problem.claims if _of_whole(asked_of(claim), "kappa")])


def empty_classes(problem: ClassesProblem) -> Variants:
    """Averages are over the classes that have cases: a class without any has no row."""
    kept = [place for place in range(len(problem.classes)) if any(own[place] for own in problem.counts)]
    claims = [claim for claim in problem.claims if asked_of(claim).place in (None, *kept)]
    if 2 <= len(kept) < len(problem.classes) and claims:
        names = tuple(problem.classes[place] for place in kept)
        counts = tuple(tuple(own[place] for place in kept) for own in problem.counts)
        moved = []
        for claim in claims:
            about = asked_of(claim)
            if about.place is not None:
                at = kept.index(about.place)
                other = of_class(about.score, at, names[at], "multi_class")
                claim = replace(claim, quantity=other, name=other.name)
            moved.append(claim)
        yield Variant("", replace(problem, classes=names, counts=counts).with_claims(moved))


def exchanged(problem: ClassesProblem) -> Variants:
    """Precision and recall of a class."""
    other = {"ppv": "sens", "sens": "ppv"}
    for place, name in enumerate(problem.classes):
        own = {about.score: about for about in map(asked_of, problem.claims) if about.place == place}
        new = {own[score]: of_class(other[score], place, name, "multi_class") for score in other if score in own}
        if len(new) == 2:
            yield from _requantified(problem, new.get, name)


def averages(problem: ClassesProblem) -> Variants:
    """Macro averages are weighted by class size, and the reverse."""
    other = {"macro": "weighted", "weighted": "macro"}
    abouts = [about for about in map(asked_of, problem.claims) if about.average in other]
    new = {about: of_average(about.score, other[about.average], "multi_class") for about in abouts}
    yield from _requantified(problem, new.get)


def labels(problem: ClassesProblem) -> Variants:
    """As labels, the accuracy being the micro-averaged recall and the like left out."""
    kept = [claim for claim in problem.claims if asked_of(claim).place is not None or asked_of(claim).average]
    if problem.exclusive and kept:

        def of_labels(about: ClassesScore) -> ClassesScore:
            if about.place is None:
                return of_average(about.score, about.average, "multi_label")
            return of_class(about.score, about.place, problem.classes[about.place], "multi_label")

        words = "scores of the whole left out" if len(kept) < len(problem.claims) else ""
        yield from _requantified(problem.with_claims(kept), of_labels, words, exclusive=False, total=None)


def _own_counts(problem: ClassesProblem, most: int | None = None) -> list[int]:
    """The counts of the classes of one set; none where there are several, or more classes than that."""
    varied = len(problem.counts) == 1 and (most is None or len(problem.classes) <= most)
    return list(problem.counts[0]) if varied else []


def swapped_counts(problem: ClassesProblem) -> Variants:
    """The counts of two classes exchanged."""
    own = _own_counts(problem, _MOST_CLASSES)
    for i, j in combinations(range(len(own)), 2):
        if own[i] != own[j]:
            counts = list(own)
            counts[i], counts[j] = own[j], own[i]
            yield Variant(f"{problem.classes[i]} and {problem.classes[j]}", problem.with_counts([counts]))


def nearby_counts(problem: ClassesProblem) -> Variants:
    """A case or two more or less of a class."""
    own = _own_counts(problem, _MOST_CLASSES)
    for off, (place, n) in product(_OFF, enumerate(own)):
        if n + off >= 0:
            counts = [*own[:place], n + off, *own[place + 1 :]]
            yield Variant(f"{problem.classes[place]} with {n + off}", problem.with_counts([counts]))


def held_out(problem: ClassesProblem) -> Variants:
    """A part of every class, in proportion."""
    own = _own_counts(problem)
    for share, words in _PARTS:
        for rule, counts in (
            ("rounded", [(2 * n + share) // (2 * share) for n in own]),
            ("rounded up", [-(-n // share) for n in own]),
        ):
            if any(counts):
                yield Variant(f"{words} of every class, {rule}", problem.with_counts([counts]))
