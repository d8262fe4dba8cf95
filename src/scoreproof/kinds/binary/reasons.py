"""Why nothing fits, in a sentence: identities between scores that a report breaks, ranges, and scores that are 0/0.

Accuracy lies between sensitivity and specificity, F1 between precision and recall, and a share of 300 cases is a
whole number of cases. An identity is quoted only if the reported intervals break it in exact arithmetic; the verdict
never rests on it (that is the certificate's task), so this list may be as short or as long as is helpful.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import ceil, floor
from typing import NamedTuple

from scoreproof.kinds.binary.engine.bands import band
from scoreproof.kinds.binary.experiment import (
    Experiment,
    FoldRule,
    KFold,
    is_unknown,
    normal_form,
    stratified_folds,
    sums_matrices,
    total_counts,
)
from scoreproof.kinds.binary.problem import Witness
from scoreproof.kinds.binary.scores import score
from scoreproof.reported import Claim
from scoreproof.reported.conventions import Undefined
from scoreproof.reported.number import decimal_text
from scoreproof.results import listed

Interval = tuple[Fraction, Fraction]
_ZERO = Fraction(0)


class Identity(NamedTuple):
    """A score that others pin down: its ``power`` is a ``formula`` that rises with each of them, or lies between them.

    ``additive`` identities also hold for means.
    """

    target: str
    sources: tuple[str, ...]
    words: str
    formula: Callable[..., Fraction | None] | None = None
    power: int = 1
    additive: bool = False

    def span(self, sources: Sequence[Interval]) -> Interval | None:
        """The interval of the power of the target."""
        lows, highs = zip(*sources, strict=True)
        if self.formula is None:
            return min(lows), max(highs)
        low, high = self.formula(*(max(end, _ZERO) for end in lows)), self.formula(*highs)
        return None if low is None or high is None else (low, high)


def _sum(a: Fraction, b: Fraction) -> Fraction:
    return a + b - 1


def _product(a: Fraction, b: Fraction) -> Fraction:
    return a * b


def _harmonic(a: Fraction, b: Fraction) -> Fraction | None:
    return 2 * a * b / (a + b) if a + b > 0 else None


_RATES, _RETRIEVAL = ("sens", "spec"), ("ppv", "sens")
_F1N = "the F1 of the negative class is the harmonic mean of npv and specificity"
_BACC = "balanced accuracy is the mean of sensitivity and specificity"
IDENTITIES = (
    Identity("acc", _RATES, "accuracy lies between sensitivity and specificity"),
    Identity("f1", _RETRIEVAL, "F1 lies between precision and recall"),
    Identity("f1", _RETRIEVAL, "F1 is the harmonic mean of precision and recall", _harmonic),
    Identity("f1n", ("npv", "spec"), _F1N, _harmonic),
    Identity("bacc", _RATES, _BACC, lambda a, b: (a + b) / 2, additive=True),
    Identity("bm", _RATES, "informedness is sensitivity + specificity - 1", _sum, additive=True),
    Identity("bm", ("bacc",), "informedness is twice the balanced accuracy - 1", lambda a: 2 * a - 1, additive=True),
    Identity("mk", ("ppv", "npv"), "markedness is precision + npv - 1", _sum, additive=True),
    Identity("gm", _RATES, "the geometric mean is the root of sensitivity times specificity", _product, 2),
    Identity("fm", _RETRIEVAL, "the Fowlkes-Mallows index is the root of precision times recall", _product, 2),
    Identity("ji", ("f1",), "the Jaccard index is F1 / (2 - F1)", lambda f1: f1 / (2 - f1)),
)


def broken_identity(conflict: Sequence[Claim], experiment: Experiment | None) -> str:
    """The identity that exactly these scores break, in words; empty if none of the list says it."""
    if len(conflict) == 1:
        return _no_whole_number(conflict[0], experiment)
    wanted = set(_plain_spans(conflict))
    return next((words for scores, words in _broken(conflict, experiment) if scores == wanted), "")


def _broken(reported: Sequence[Claim], experiment: Experiment | None) -> Iterator[tuple[set[str], str]]:
    spans = _plain_spans(reported)
    pooled = experiment is None or sums_matrices(experiment)
    for identity in (*IDENTITIES, *_mixtures(experiment)):
        names = {identity.target, *identity.sources}
        if not names <= set(spans) or not (pooled or identity.additive):
            continue
        allowed = identity.span([spans[name] for name in identity.sources])
        low, high = spans[identity.target]
        if allowed is None or (low < 0 and identity.power != 1):
            continue
        if low**identity.power > allowed[1] or high**identity.power < allowed[0]:
            yield names, identity.words
    if pooled and {"acc", "ppv", "sens"} <= set(spans):
        words = _too_many_true_positives(spans)
        if words:
            yield {"acc", "ppv", "sens"}, words


def _too_many_true_positives(spans: Mapping[str, Interval]) -> str:
    """Precision, recall and accuracy fix the share of true positives: tp / N = (1 - acc) / (1/ppv + 1/sens - 2)."""
    wrong, ppv, sens = 1 - spans["acc"][1], spans["ppv"][0], spans["sens"][0]
    if ppv <= 0 or sens <= 0 or wrong <= 0:
        return ""
    odds = 1 / min(ppv, Fraction(1)) + 1 / min(sens, Fraction(1)) - 2
    if odds <= 0:
        return "precision and recall of 1 leave no case wrong, yet accuracy is below 1"
    if wrong / odds <= 1:
        return ""
    times = floor(10 * wrong / odds) / 10
    return f"precision, recall and accuracy give at least {times} times as many true positives as there are cases"


def _plain_spans(conflict: Sequence[Claim]) -> dict[str, Interval]:
    """The intervals by score; of a complement, the interval of the score it completes."""
    spans: dict[str, Interval] = {}
    for claim in conflict:
        base = claim.score.complement
        if base is None:
            spans[claim.score.name] = (claim.low, claim.high)
        else:
            spans[score(base).name] = (1 - claim.high, 1 - claim.low)
    return spans


def _mixtures(experiment: Experiment | None) -> tuple[Identity, ...]:
    """Accuracy as the mean of sensitivity and specificity weighted by known class counts."""
    if experiment is None or not sums_matrices(experiment):
        return ()
    p, n = total_counts(experiment)
    words = f"with {p} positives and {n} negatives accuracy is ({p} sens + {n} spec) / {p + n}"
    return (Identity("acc", _RATES, words, lambda a, b: (p * a + n * b) / (p + n)),)


def counts_beside(claim: Claim, experiment: Experiment | None) -> tuple[int, str, int, int]:
    """The cases of which a claim is a share, what they are, and the counts next to it if no count prints like it."""
    whole, kind = denominators(experiment).get(claim.score.complement or claim.score.name, (0, ""))
    low, high = (claim.low, claim.high) if claim.score.complement is None else (1 - claim.high, 1 - claim.low)
    least, most = ceil(low * whole), floor(high * whole)
    if not whole or least <= most or not 0 <= most < whole:
        return 0, "", 0, 0
    below, above = (most, least) if claim.score.complement is None else (whole - least, whole - most)
    return whole, kind, below, above


def _no_whole_number(claim: Claim, experiment: Experiment | None) -> str:
    whole, kind, *counts = counts_beside(claim, experiment)
    if not whole:
        return ""
    near = (f"{count:,} of {whole:,} is {_printed(Fraction(count, whole), claim)}" for count in counts)
    return f"{claim.name} {claim.text} is not possible with {whole:,} {kind}: {', '.join(near)}"


def denominators(experiment: Experiment | None) -> Mapping[str, tuple[int, str]]:
    """Of how many cases acc, sens and spec are shares, where that is one number."""
    if experiment is None:
        return {}
    p, n = total_counts(experiment)
    all_of = {"acc": (p + n, "cases"), "sens": (p, "positives"), "spec": (n, "negatives")}
    if sums_matrices(experiment):
        return all_of
    if is_unknown(experiment) and not isinstance(experiment, KFold):
        return {}
    # Equal denominators in all parts of equal weight: the mean of the shares is the share of the sum.
    form = normal_form(experiment)
    known = all(form.open_counts(each) == 1 for each in form.sets)
    balanced = any(family.rule is FoldRule.BALANCED for family in form.families)
    sizes = {
        "acc": {each.size for each in form.sets} if not balanced else {},
        "sens": {each.p for each in form.sets} if known else {},
        "spec": {each.n for each in form.sets} if known else {},
    }
    even = len({each.weight for each in form.sets}) == 1
    return {name: all_of[name] for name, different in sizes.items() if even and len(different) == 1}


def _printed(value: Fraction, claim: Claim) -> str:
    """A value as the claim is printed; with a digit more where that would be the same text."""
    percent = "%" in claim.text
    for digits in (claim.number.digits - 2 * percent, claim.number.digits - 2 * percent + 1):
        units = floor(value * (100 if percent else 1) * 10**digits + Fraction(1, 2))
        if Fraction(units, 10**digits) != claim.number.value * (100 if percent else 1):
            break
    return f"{decimal_text(units, digits)}{'%' * percent}"


def undefined_note(
    reported: tuple[Claim, ...], undefined: Undefined, witness: Witness, *, recall: bool
) -> tuple[str, ...]:
    """Which scores are 0/0 in the matrix found, and how they count there."""
    if recall:
        return ("balanced accuracy is taken as the recall of the only class there is, as scikit-learn has it",)
    cells = witness.matrices[0].cells
    if sum(cell == 0 for cell in cells) < 2:
        return ()  # no score is 0/0 on a matrix with both classes and both answers
    names = [claim.name for claim in reported if claim.score.ratio(*cells)[1] == 0]
    if not names:
        return ()
    what, verb, count = listed(names), *(("is", "counts") if len(names) == 1 else ("are", "count"))
    if undefined is not Undefined.ANY:
        return (f"{what} {verb} 0/0 in this matrix and {count} as {undefined}",)
    return (
        f"this fits only if {what}, 0/0 there, {verb} counted as zero, as scikit-learn prints it: "
        "no matrix on which all scores are defined gives the report",
    )


def plain_reason(reported: tuple[Claim, ...], p: int, n: int, undefined: Undefined) -> str:
    """Why nothing fits, where one sentence says it all."""
    lacking = 0 in (p, n)
    for claim in reported:
        if lacking and band(0, claim, p, n).undefined_everywhere:
            missing = "positives" if p == 0 else "negatives"
            counted = "" if undefined is Undefined.EXCLUDE else ", and no usual way to count 0/0 gives this value"
            return f"{claim.name} is reported, but {claim.score.title} is undefined without {missing}{counted}"
    return ""


_TREATED = {
    "zero": "counted as zero",
    "one": "counted as one",
    "skip": "left out of the mean",
    "present": "counted as the value of the class that has one",
    "harmonic": "left out where there are no true positives (2PR / (P + R) is 0/0 there)",
}


def treatment_note(name: str, ways: tuple[str, ...]) -> str:
    return f"{name} is 0/0 in some of these matrices; it fits {' or '.join(_TREATED[way] for way in ways)}"


def mean_reason(reported: tuple[Claim, ...], experiment: Experiment, undefined: Undefined) -> str:
    """Why no folds fit, where one sentence says it all."""
    if isinstance(experiment, KFold) and undefined is Undefined.EXCLUDE:
        fewest = min(experiment.p, experiment.n)
        folds = stratified_folds(experiment.p, experiment.n, experiment.k) if experiment.stratified else []
        if fewest < experiment.k and (not folds or any(0 in fold for fold in folds)):
            kind = "positives" if fewest == experiment.p else "negatives"
            lacking = (0, 1) if kind == "positives" else (1, 0)
            for claim in reported:
                if band(0, claim, *lacking).undefined_everywhere:
                    return (
                        f"{fewest} {kind} cannot fill {experiment.k} folds, and {claim.name} is undefined in a fold "
                        f"without {kind}"
                    )
    return ""
