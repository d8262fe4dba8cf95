"""The check: an experiment and the scores reported for it, decided."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from scoreproof.engine.averages import Averages, Divisor, Spread, Undefined, choice, decide_mean, demand, stated
from scoreproof.engine.bands import band
from scoreproof.engine.rectangles import decide
from scoreproof.errors import InvalidExperiment, InvalidOption, InvalidValue
from scoreproof.experiment import (
    Experiment,
    KFold,
    is_unknown,
    normal_form,
    readings,
    stratified_folds,
    sums_matrices,
    total_counts,
)
from scoreproof.experiment.tree import whole
from scoreproof.reported import Reported, Value, read_scores, report
from scoreproof.result import CheckResult
from scoreproof.scores import ConfusionMatrix, Score
from scoreproof.verdict import Verdict, Witness, certify, verify


@dataclass(frozen=True, slots=True)
class _Question:
    """One report, read: what every reading of its experiment is asked."""

    reported: tuple[Reported, ...]
    averages: Averages
    undefined: Undefined
    rounding: Any
    eps: Any
    budget: float
    seed: int

    def options(self) -> dict[str, Any]:
        """What ``check`` was told beyond experiment and scores; extremes as they were read."""
        said = self.averages
        return {
            "undefined": self.undefined,
            "minimum": said.minimum,
            "maximum": said.maximum,
            "attained": said.attained,
            "spread": said.spread,
            "divisor": said.divisor,
            "fold_digits": said.fold_digits,
            "rounding": self.rounding,
            "eps": self.eps,
            "seed": self.seed,
        }

    def read_range(self, score: Score, value: Any) -> Reported | Fraction:
        """An end of a part's range: texts by the rounding rule, numbers within eps, or as they are."""
        if isinstance(value, (str, Decimal)) or self.eps is not None:
            rule, margin = (
                option.get(score.name) if isinstance(option, Mapping) else option
                for option in (self.rounding, self.eps)
            )
            return report(score, value, rounding=rule if margin is None else None, eps=margin)
        return Fraction(str(value))


def check(
    experiment: Experiment,
    scores: Mapping[str, Value | Reported],
    *,
    rounding: Any = None,
    eps: Any = None,
    digits: Any = None,
    beta: Any = None,
    undefined: str | Undefined = Undefined.EXCLUDE,
    minimum: Mapping[str, Value | Reported] | None = None,
    maximum: Mapping[str, Value | Reported] | None = None,
    attained: bool = True,
    spread: str | Spread = Spread.DEVIATION,
    divisor: str | Divisor = Divisor.ANY,
    fold_digits: int | None = None,
    decimal_comma: bool = False,
    budget: float = 30.0,
    seed: int = 0,
) -> CheckResult:
    """Decide whether an experiment can have produced the reported scores.

    ``scores`` maps score names to the texts that were printed. ``rounding`` (``"any"``, ``"nearest"``, ``"floor"``,
    ``"ceil"``) or ``eps`` says how far a printed value may be from the true one, for all scores or as a mapping from
    names. ``undefined`` says what a 0/0 score counts as. ``budget`` is the time in seconds after which the answer is
    ``undecided``; for a given ``seed`` the search is deterministic but for the clock.

    For means of scores: ``minimum`` and ``maximum`` are the reported extremes over the parts (with ``attained=False``
    mere bounds); ``spread`` says what follows a ± (``"deviation"``, standard ``"error"``, or ``"ignore"``) and
    ``divisor`` how the variance was divided (``"population"``, ``"sample"``, ``"any"``); ``fold_digits`` that the
    averaged values were themselves rounded to so many digits.

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
    if not budget > 0:
        raise InvalidOption(f"budget: expected a positive number of seconds, got {budget!r}")
    options = {"rounding": rounding, "eps": eps, "digits": digits, "beta": beta, "decimal_comma": decimal_comma}
    averages = Averages(
        read_scores(minimum, **_for(minimum, options)) if minimum else (),
        read_scores(maximum, **_for(maximum, options)) if maximum else (),
        attained,
        choice(Spread, "spread", spread),
        choice(Divisor, "divisor", divisor),
        None if fold_digits is None else whole("fold_digits", fold_digits, least=0),
    )
    question = _Question(
        read_scores(scores, **options), averages, Undefined.of(undefined), rounding, eps, float(budget), seed
    )
    return _any_reading(question, experiment) if is_unknown(experiment) else _answer(question, experiment)


def _for(scores: Mapping[str, Any], options: dict[str, Any]) -> dict[str, Any]:
    """Options per score, restricted to the scores at hand."""
    names = {str(name) for name in scores}
    return {
        key: {name: value for name, value in option.items() if name in names} if isinstance(option, Mapping) else option
        for key, option in options.items()
    }


def _answer(question: _Question, experiment: Experiment) -> CheckResult:
    form = None if sums_matrices(experiment) else normal_form(experiment)
    plain = question.averages == Averages(spread=question.averages.spread, divisor=question.averages.divisor)
    if form is not None and len(form.sets) == 1 and not form.families and not form.ranges and plain:
        form = None
    if form is None:
        return _one_matrix(question, experiment)
    return _mean(question, experiment)


def _one_matrix(question: _Question, experiment: Experiment) -> CheckResult:
    reported, undefined = question.reported, question.undefined
    for one in reported:
        if one.spread is not None and question.averages.spread is not Spread.IGNORE:
            raise InvalidValue(
                f"{one.name}: {one.text!r} has a ±, but {experiment} gives one value without a spread; leave the ± "
                "out, or use spread='ignore'"
            )
    if question.averages.minimum or question.averages.maximum or question.averages.fold_digits is not None:
        raise InvalidOption(f"minimum, maximum and fold_digits speak of parts, but {experiment} has one matrix")
    said = question.averages.to_dict(reported)
    p, n = total_counts(experiment)
    bands = [band(index, one, p, n) for index, one in enumerate(reported)]
    found = decide(bands, zero=undefined is Undefined.ZERO, budget=question.budget)
    if found.cell is not None:
        tp, tn = found.cell
        witness = Witness((ConfusionMatrix(tp, n - tn, p - tp, tn),))
        return CheckResult(Verdict.CONSISTENT, experiment, reported, undefined, witness, _stated=said, _asked=question)
    if found.proof is not None:
        proof = {"kind": "rectangles", "steps": found.proof}
        reason = _plain_reason(reported, p, n)
        return CheckResult(
            Verdict.INCONSISTENT,
            experiment,
            reported,
            undefined,
            reason=reason,
            _stated=said,
            _proof=proof,
            _asked=question,
        )
    return CheckResult(
        Verdict.UNDECIDED, experiment, reported, undefined, reason=found.reason, _stated=said, _asked=question
    )


def _plain_reason(reported: tuple[Reported, ...], p: int, n: int) -> str:
    """Why nothing fits, where one sentence says it all."""
    for one in reported:
        beyond = one.beyond_range
        if beyond:
            return beyond
        if 0 in (p, n) and band(0, one, p, n).undefined_everywhere:
            missing = "positives" if p == 0 else "negatives"
            return f"{one.name} is reported, but {one.score.title} is undefined without {missing}"
    return ""


def _mean(question: _Question, experiment: Experiment) -> CheckResult:
    reported, undefined = question.reported, question.undefined
    wanted = demand(normal_form(experiment), reported, question.averages, undefined, question.read_range)
    said = {"experiment": stated(experiment, question.read_range), **question.averages.to_dict(reported)}
    decision = decide_mean(wanted, budget=question.budget, seed=question.seed)
    if decision.witness is not None:
        witness = Witness(decision.witness)
        return CheckResult(Verdict.CONSISTENT, experiment, reported, undefined, witness, _stated=said, _asked=question)
    reason = decision.reason
    if decision.proof is not None:
        result = CheckResult(
            Verdict.INCONSISTENT,
            experiment,
            reported,
            undefined,
            reason=_mean_reason(reported, experiment, undefined),
            _stated=said,
            _asked=question,
            _proof=decision.proof,
        )
        if decision.proof["kind"] == "totals":
            return result  # found in whole numbers
        # elsewhere the engine rounds outwards in floats; what it found counts only once the verifier agrees
        verification = verify(certify(result.statement(), decision.proof, result.version))
        if verification:
            return result
        reason = f"a refutation was found that the verifier does not accept ({verification.words})"
    return CheckResult(Verdict.UNDECIDED, experiment, reported, undefined, reason=reason, _stated=said, _asked=question)


def _mean_reason(reported: tuple[Reported, ...], experiment: Experiment, undefined: Undefined) -> str:
    """Why no folds fit, where one sentence says it all."""
    for one in reported:
        if one.beyond_range:
            return one.beyond_range
    if isinstance(experiment, KFold) and undefined is Undefined.EXCLUDE:
        fewest = min(experiment.p, experiment.n)
        folds = stratified_folds(experiment.p, experiment.n, experiment.k) if experiment.stratified else []
        if fewest < experiment.k and (not folds or any(0 in fold for fold in folds)):
            kind = "positives" if fewest == experiment.p else "negatives"
            empty = (0, 1) if kind == "positives" else (1, 0)
            for one in reported:
                cells = ((0, empty[1], empty[0], 0), (empty[0], 0, 0, empty[1]))
                if all(one.score.ratio(*cell) == (0, 0) for cell in cells):
                    return (
                        f"{fewest} {kind} cannot fill {experiment.k} folds, and {one.name} is undefined in a fold "
                        f"without {kind}"
                    )
    return ""


def _any_reading(question: _Question, experiment: Experiment) -> CheckResult:
    """Both ways of averaging: inconsistent only if every reading is."""
    results = tuple(_answer(question, reading) for reading in readings(experiment))
    shared = (experiment, question.reported, question.undefined)
    words = "; ".join(f"read as {one.experiment}: {one.verdict}" for one in results)
    for one in results:
        if one.verdict is Verdict.CONSISTENT:
            return CheckResult(Verdict.CONSISTENT, *shared, one.witness, words, results, _asked=question)
    if all(one.verdict is Verdict.INCONSISTENT for one in results):
        proof = {
            "kind": "readings",
            "readings": [{"statement": one.statement(), "proof": one._proof} for one in results],
        }
        return CheckResult(Verdict.INCONSISTENT, *shared, reason=words, readings=results, _proof=proof, _asked=question)
    return CheckResult(Verdict.UNDECIDED, *shared, reason=words, readings=results, _asked=question)
