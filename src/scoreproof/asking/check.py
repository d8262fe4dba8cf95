"""The check: an experiment and the scores reported for it, decided."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from numbers import Rational, Real
from typing import Any

from scoreproof.asking import Verdict, Witness, flaw
from scoreproof.asking.answer import CheckResult
from scoreproof.asking.digits import digit_notes
from scoreproof.errors import InvalidExperiment, InvalidOption, InvalidValue
from scoreproof.kinds.binary.engine.averages import Averages, decide_mean, demand, stated, treatments_needed
from scoreproof.kinds.binary.engine.bands import band
from scoreproof.kinds.binary.engine.rectangles import decide
from scoreproof.kinds.binary.experiment import (
    Experiment,
    KFold,
    TestSet,
    bounds_summands,
    is_unknown,
    normal_form,
    readings,
    sums_matrices,
    total_counts,
)
from scoreproof.kinds.binary.reasons import mean_reason, plain_reason, treatment_note, undefined_note
from scoreproof.kinds.binary.scores import ConfusionMatrix, Score, score
from scoreproof.reported import Reported, Value, read_scores, report
from scoreproof.reported.conventions import Divisor, ExtremesOver, Spread, SpreadOver, Undefined, choice
from scoreproof.reported.reported import restrict
from scoreproof.validation import random_seed, seconds, truth, whole
from scoreproof.work.deadline import Deadline

_TO_VERIFY = 0.1  # of the budget, kept for the verifier
_MOST_FOLD_DIGITS = 100  # no program prints more, and the verifier reads no more


@dataclass(frozen=True, slots=True)
class _Question:
    """One report, read: what every reading of its experiment is asked."""

    reported: tuple[Reported, ...]
    averages: Averages
    undefined: Undefined
    rounding: Any
    eps: Any
    deadline: Deadline
    seed: int

    def share(self, parts: int) -> _Question:
        """The same with an even share of the time that is left."""
        return replace(self, deadline=Deadline(self.deadline.budget(self.deadline.left() / parts)))

    def options(self) -> dict[str, Any]:
        """What ``check`` was told beyond experiment and scores; extremes as they were read."""
        said = self.averages
        return {
            "undefined": self.undefined,
            "minimum": said.minimum,
            "maximum": said.maximum,
            "attained": said.attained,
            "extremes_over": said.extremes_over,
            "spread": said.spread,
            "divisor": said.divisor,
            "spread_over": said.spread_over,
            "fold_digits": said.fold_digits,
            "rounding": self.rounding,
            "eps": self.eps,
            "seed": self.seed,
        }

    def read_range(self, bounded: Score, value: Any) -> Reported | Fraction:
        """An end of a part's range: texts by the rounding rule, numbers within eps, or as they are."""
        if isinstance(value, (str, Decimal)) or self.eps is not None:
            rule, margin = (
                option.get(bounded.name) if isinstance(option, Mapping) else option
                for option in (self.rounding, self.eps)
            )
            return report(bounded, value, rounding=rule if margin is None else None, eps=margin)
        if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(value):
            raise InvalidValue(f"ranges of {bounded.name}: expected a number or the text of one, got {value!r}")
        return Fraction(value) if isinstance(value, Rational) else Fraction(repr(float(value)))


def check(
    experiment: Experiment,
    scores: Mapping[str, Value | Reported],
    *,
    rounding: Any = None,
    eps: Any = None,
    digits: Any = None,
    beta: Any = None,
    undefined: str | Undefined = Undefined.ANY,
    minimum: Mapping[str, Value | Reported] | None = None,
    maximum: Mapping[str, Value | Reported] | None = None,
    attained: bool = True,
    extremes_over: str | ExtremesOver = ExtremesOver.PARTS,
    spread: str | Spread = Spread.DEVIATION,
    divisor: str | Divisor = Divisor.ANY,
    spread_over: str | SpreadOver = SpreadOver.ANY,
    fold_digits: int | None = None,
    decimal_comma: bool = False,
    budget: float = 30.0,
    seed: int = 0,
) -> CheckResult:
    """Decide whether an experiment can have produced the reported scores.

    ``scores`` maps score names to the texts that were printed. ``rounding`` (``"any"``, ``"nearest"``, ``"floor"``,
    ``"ceil"``) or ``eps`` says how far a printed value may be from the true one, for all scores or as a mapping from
    names. ``undefined`` says what a 0/0 score counts as: by default any usual treatment is admitted (``"zero"``,
    ``"skip"``; see ``Undefined``). ``budget`` is the time in seconds after which the answer is ``undecided``; for a
    given ``seed`` the search is deterministic but for the clock.

    For means of scores: ``minimum`` and ``maximum`` are the reported extremes over the direct parts of the mean, or
    over all evaluation sets with ``extremes_over="folds"`` (with ``attained=False`` mere bounds); ``spread`` says what
    follows a ± (``"deviation"``, standard ``"error"``, or ``"ignore"``), ``divisor`` how the variance was divided
    (``"population"``, ``"sample"``, ``"any"``) and ``spread_over`` whether it is over the ``"folds"`` or the
    ``"repeats"`` of a repeated cross-validation (both are admitted by default); ``fold_digits`` that the averaged
    values were themselves rounded to so many digits.

    >>> from scoreproof import KFold, TestSet, check, verify
    >>> result = check(TestSet(p=1000, n=6000), {"acc": "0.6801", "npv": "0.9401", "f1": "0.4004"})
    >>> result.verdict
    <Verdict.INCONSISTENT: 'inconsistent'>
    >>> bool(verify(result.certificate))
    True
    >>> mended = check(TestSet(p=1000, n=6000), {"acc": "0.6821", "npv": "0.9401", "f1": "0.4004"})
    >>> [(m.tp, m.tn) for m in mended.solutions().matrices()]
    [(743, 4031), (743, 4032)]
    >>> folds = KFold(p=38, n=262, k=5, stratified=False)
    >>> str(check(folds, {"acc": "0.9447", "sens": "0.9139", "spec": "0.9733"}).verdict)
    'inconsistent'
    """
    if not isinstance(experiment, Experiment):
        raise InvalidExperiment(f"experiment: expected TestSet(p, n), KFold(...) or the like, got {experiment!r}")
    budget, seed, attained = seconds(budget), random_seed(seed), truth("attained", attained)
    if fold_digits is not None:
        fold_digits = whole("fold_digits", fold_digits, at_most=_MOST_FOLD_DIGITS)
    options = {"rounding": rounding, "eps": eps, "digits": digits, "beta": beta, "decimal_comma": decimal_comma}
    extremes = [
        read_scores(given, **{key: restrict(option, given, beta) for key, option in options.items()}) if given else ()
        for given in (minimum, maximum)
    ]
    averages = Averages(
        extremes[0],
        extremes[1],
        attained,
        choice(ExtremesOver, "extremes_over", extremes_over),
        choice(Spread, "spread", spread),
        choice(Divisor, "divisor", divisor),
        choice(SpreadOver, "spread_over", spread_over),
        fold_digits,
    )
    question = _Question(
        read_scores(scores, **options),
        averages,
        choice(Undefined, "undefined", undefined),
        _by_score(rounding, beta),
        _by_score(eps, beta),
        Deadline(float(budget)),
        seed,
    )
    result = _answer(question, experiment)
    if result.verdict is Verdict.CONSISTENT:
        notes = digit_notes(question.reported, lambda claims: _answer(replace(question, reported=claims), experiment))
        if notes:
            return replace(result, notes=result.notes + notes)
    return result


def _by_score(option: Any, beta: Any) -> Any:
    """An option per score with the scores' own names, whatever synonyms were used."""
    if not isinstance(option, Mapping):
        return option
    return {score(name, beta).name: value for name, value in option.items()}


def _answer(question: _Question, experiment: Experiment) -> CheckResult:
    """The answer for an experiment, each of its readings if there are several."""
    if is_unknown(experiment):
        return _any_reading(question, experiment)
    spread = any(claim.spread is not None for claim in question.reported)
    repeated = isinstance(experiment, KFold) and experiment.repeats > 1 and not sums_matrices(experiment)
    averages = question.averages
    if spread and repeated and averages.spread is not Spread.IGNORE and averages.spread_over is SpreadOver.ANY:
        return _over_folds_or_repeats(question, experiment)
    if _is_one_matrix(question, experiment):
        return _one_matrix(question, experiment)
    return _mean(question, experiment)


def _is_one_matrix(question: _Question, experiment: Experiment) -> bool:
    if sums_matrices(experiment):
        return not bounds_summands(experiment)
    form = normal_form(experiment)
    alone = len(form.sets) == 1 and not form.families and not form.ranges and not form.sums
    return alone and not question.averages.speaks_of_parts(question.reported)


def _result(question: _Question, experiment: Experiment, verdict: Verdict, **more: Any) -> CheckResult:
    return CheckResult(verdict, experiment, question.reported, question.undefined, _asked=question, **more)


def _refuted(question: _Question, experiment: Experiment, proof: dict[str, Any], **more: Any) -> CheckResult:
    """Inconsistent, once the verifier agrees: an engine's word alone does not count."""
    result = _result(question, experiment, Verdict.INCONSISTENT, _proof=proof, **more)
    wrong = flaw(result.statement(), proof, max(question.deadline.left(), _TO_VERIFY * question.deadline.seconds))
    if not wrong:
        return result
    reason = f"a refutation was found that the verifier does not accept ({wrong})"
    return replace(result, verdict=Verdict.UNDECIDED, reason=reason, _proof=None)


def _one_matrix(question: _Question, experiment: Experiment) -> CheckResult:
    said = question.averages.speaks_of_parts(question.reported)
    if said.startswith("the ±"):
        raise InvalidValue(
            f"{said}: {experiment} gives one value without a spread; leave the ± out, or use spread='ignore'"
        )
    if said:
        raise InvalidOption(f"{said}: that speaks of parts, but {experiment} has one matrix")
    p, n = total_counts(experiment)
    bands = [band(index, claim, p, n) for index, claim in enumerate(question.reported)]
    stated_tree = {} if isinstance(experiment, TestSet) else {"experiment": stated(experiment, question.read_range)}
    budget = question.deadline.budget(float("inf"))
    found = decide(bands, undefined=question.undefined, budget=budget)
    proof: dict[str, Any] = {"kind": "rectangles", "steps": found.proof}
    if found.proof is not None and question.undefined is Undefined.ANY and 0 in (p, n):
        # scikit-learn's balanced accuracy of one class is that class's recall
        recall = [_present(claim, p) for claim in question.reported]
        if recall != list(question.reported):
            bands = [band(index, claim, p, n) for index, claim in enumerate(recall)]
            found = decide(bands, undefined=question.undefined, budget=budget)
            proof["present"] = found.proof
    if found.cell is not None:
        tp, tn = found.cell
        witness = Witness((ConfusionMatrix(tp, n - tn, p - tp, tn),))
        notes = undefined_note(question.reported, question.undefined, witness, recall="present" in proof)
        return _result(question, experiment, Verdict.CONSISTENT, witness=witness, notes=notes, _stated=stated_tree)
    if found.proof is not None:
        reason = plain_reason(question.reported, p, n, question.undefined)
        return _refuted(question, experiment, proof, reason=reason, _stated=stated_tree)
    return _result(question, experiment, Verdict.UNDECIDED, reason=found.reason, _stated=stated_tree)


def _present(claim: Reported, p: int) -> Reported:
    return replace(claim, score=score("sens" if p else "spec")) if claim.score.name == "bacc" else claim


def _mean(question: _Question, experiment: Experiment) -> CheckResult:
    reported, undefined = question.reported, question.undefined
    form = normal_form(experiment, pooled=question.averages.spread_over is not SpreadOver.REPEATS)
    wanted = demand(form, reported, question.averages, undefined, question.read_range)
    said = {"experiment": stated(experiment, question.read_range), **question.averages.to_dict()}
    decision = decide_mean(wanted, deadline=question.deadline.sooner(_TO_VERIFY), seed=question.seed)
    if decision.witness is not None:
        witness = Witness(decision.witness)
        needed = treatments_needed(wanted, decision.witness)
        notes = tuple(treatment_note(name, ways) for name, ways in needed.items())
        return _result(question, experiment, Verdict.CONSISTENT, witness=witness, notes=notes, _stated=said)
    if decision.proof is not None:
        reason = mean_reason(reported, experiment, undefined)
        return _refuted(question, experiment, decision.proof, reason=reason, _stated=said)
    return _result(question, experiment, Verdict.UNDECIDED, reason=decision.reason, _stated=said)


def _over_folds_or_repeats(question: _Question, experiment: Experiment) -> CheckResult:
    """A ± of repeated folds may be over all folds or over the means of the repeats: inconsistent only if both are."""
    results = []
    words = []
    for left, over in ((2, SpreadOver.FOLDS), (1, SpreadOver.REPEATS)):
        mine = question.share(left)
        result = _answer(replace(mine, averages=replace(mine.averages, spread_over=over)), experiment)
        if result.verdict is Verdict.CONSISTENT:
            whose = "folds" if over is SpreadOver.FOLDS else "means of the repeats"
            return replace(result, notes=(*result.notes, f"the ± fits as taken over the {whose}"), _asked=question)
        results.append(result)
        words.append(f"with the ± over the {over}: {result.verdict}")
    said = {"experiment": stated(experiment, question.read_range), **question.averages.to_dict()}
    return _combined(question, experiment, results, "; ".join(words), _stated=said)


def _any_reading(question: _Question, experiment: Experiment) -> CheckResult:
    """Both ways of averaging: inconsistent only if every reading is."""
    said = question.averages.speaks_of_parts(question.reported)
    possible = [reading for reading in readings(experiment) if not (said and sums_matrices(reading))]
    if not possible:
        raise InvalidOption(f"{said}: no reading of {experiment} has parts that are averaged")
    results = tuple(_if_covered(question.share(len(possible) - k), reading) for k, reading in enumerate(possible))
    words = "; ".join(f"read as {result.experiment}: {result.verdict}" for result in results)
    stated_all = {"experiment": stated(experiment, question.read_range), **question.averages.to_dict()}
    for result in results:
        if result.verdict is Verdict.CONSISTENT:
            return _result(
                question,
                experiment,
                Verdict.CONSISTENT,
                witness=result.witness,
                reason=words,
                readings=results,
                notes=result.notes,
                _stated=stated_all,
            )
    return _combined(question, experiment, list(results), words, readings=results, _stated=stated_all)


def _if_covered(question: _Question, reading: Experiment) -> CheckResult:
    """The answer for a reading; undecided if it says something of sums that no check covers."""
    try:
        return _answer(question, reading)
    except InvalidExperiment as error:
        if not bounds_summands(reading):
            raise
        return _result(question, reading, Verdict.UNDECIDED, reason=str(error))


def _combined(
    question: _Question, experiment: Experiment, results: list[CheckResult], words: str, **more: Any
) -> CheckResult:
    """Inconsistent if every case is; otherwise nobody knows."""
    if all(result.verdict is Verdict.INCONSISTENT for result in results):
        proof = {"kind": "cases", "cases": [result._proof for result in results]}
        return _refuted(question, experiment, proof, reason=words, **more)
    return _result(question, experiment, Verdict.UNDECIDED, reason=words, **more)
