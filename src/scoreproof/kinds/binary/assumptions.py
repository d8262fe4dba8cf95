"""Other assumptions about an experiment with two classes, each of them a change of the problem.

Oversampling before the folds were made, the other way of averaging, classes exchanged, another convention for 0/0 or
for what follows a ±, class counts off by a few, averages over both classes, other folds and repeats.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from scoreproof.kinds.binary import variants as designs
from scoreproof.kinds.binary.class_averages import KINDS, averaged, concerns
from scoreproof.kinds.binary.experiment import Experiment, sums_matrices
from scoreproof.kinds.binary.problem import BinaryProblem
from scoreproof.kinds.kind import Assumption, Variant
from scoreproof.reported.conventions import Divisor, Spread, Undefined

Variants = Iterator[Variant[BinaryProblem]]
Designs = Callable[[Experiment], Iterator[tuple[str, Experiment]]]


def standard(
    problem: BinaryProblem, *, sizes: Sequence[int] = (), known_data: Designs | None = None
) -> list[Assumption[BinaryProblem]]:
    """The usual suspects, cheap and telling ones first.

    ``sizes`` are those of an oversampled class; ``known_data`` gives other readings of catalogue entries.
    """
    known = [] if known_data is None else [_design("catalogue", "another reading of known data", known_data)]
    return [
        _design("oversampled", "the smaller class raised before evaluation", lambda e: designs.oversampled(e, sizes)),
        _design("aggregation", "the other way of averaging", designs.other_aggregation),
        _design("classes exchanged", "positive and negative class exchanged", designs.exchanged_classes),
        _design("stratification", "the other kind of folds", designs.other_stratification),
        Assumption("undefined scores", "another convention for 0/0", _conventions),
        Assumption("deviation", "another meaning of ±", _deviations),
        *known,
        _design("nearby counts", "class counts off by a few", designs.nearby_counts),
        *(_class_average(kind) for kind in KINDS),
        _design("repeats", "another number of repetitions", designs.other_repeats),
        _design("held-out part", "only a held-out part evaluated", designs.held_out_part),
        _design("oversampled to any size", "the smaller class raised to some size", designs.searched_oversampling),
        _design("folds", "another number of folds", designs.other_folds),
    ]


def _design(name: str, label: str, experiments: Designs) -> Assumption[BinaryProblem]:
    def variants(problem: BinaryProblem) -> Variants:
        for words, experiment in experiments(problem.experiment):
            asked, left_out = _about_parts(problem, experiment)
            yield Variant(words + left_out, asked.with_experiment(experiment))

    return Assumption(name, label, variants)


def _about_parts(problem: BinaryProblem, experiment: Experiment) -> tuple[BinaryProblem, str]:
    """The problem without what speaks of parts, where the experiment has one matrix; and that this was left out."""
    if not sums_matrices(experiment) or not problem.about_parts:
        return problem, ""
    plain = problem.with_averages(spread=Spread.IGNORE, minimum=(), maximum=(), fold_digits=None)
    return plain, " (± and extremes left out)"


def _class_average(kind: str) -> Assumption[BinaryProblem]:
    def variants(problem: BinaryProblem) -> Variants:
        if concerns(problem.claims):
            claims = averaged(problem.claims, kind)
            yield Variant("", None if claims is None else problem.with_claims(claims))

    how = {"weighted": "weighted by class size", "macro": "unweighted (macro)", "micro": "counted together (micro)"}
    return Assumption(f"{kind} averages", f"scores averaged over both classes, {how[kind]}", variants)


def _conventions(problem: BinaryProblem) -> Variants:
    stated = problem.undefined
    for convention in Undefined:
        admitted = stated is Undefined.ANY and convention is not Undefined.ONE
        skipped = convention is Undefined.SKIP and sums_matrices(problem.experiment)
        if convention is not stated and not admitted and not skipped:
            yield Variant(f"undefined={convention}", replace(problem, undefined=convention))


def _deviations(problem: BinaryProblem) -> Variants:
    spread_claims = [claim for claim in problem.claims if claim.spread is not None]
    if not spread_claims:
        return
    stated = problem.averages.divisor
    if stated in (Divisor.POPULATION, Divisor.SAMPLE):
        other = Divisor.SAMPLE if stated is Divisor.POPULATION else Divisor.POPULATION
        yield Variant(f"{other} deviation", problem.with_averages(divisor=other))
    if stated is not Divisor.EACH and len(spread_claims) > 1:
        yield Variant("each deviation with a divisor of its own", problem.with_averages(divisor=Divisor.EACH))
    for spread, words in ((Spread.ERROR, "± is a standard error"), (Spread.IGNORE, "± is something else")):
        if problem.averages.spread is not spread:
            yield Variant(words, problem.with_averages(spread=spread))
