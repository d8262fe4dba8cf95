"""The check: an experiment and the scores reported for it, decided; and experiments of every kind as dictionaries.

Confidence intervals that are printed with scores are evidence beside these. An interval holds the value it is of,
whatever its method, and a share of n cases is a whole number over n: what breaks this is impossible, whatever the rest.

``ask`` decides a problem as it is stated. Where that is impossible, the conventions of the registry
(``kinds.conventions``) that nobody stated are tried as further cases: one that fits, which a witness shows, makes the
answer a question ("fits only if the ± is a standard error"), and so does one that leaves nothing to test or that the
time does not decide. The certificate stays what it is, the proof that the report is impossible as stated. That a
convention does not fit is an engine's word, which nothing rests on but how the answer is called.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple, Unpack

from scoreproof.checking.answer import Answer, Fit, Tried, Verdict
from scoreproof.checking.ask import ask, trial
from scoreproof.errors import InvalidExperiment, InvalidValue, ScoreproofError
from scoreproof.kinds import kind_named, kind_names, kind_of
from scoreproof.kinds.binary.experiment import MeanOfScores, ScoreOfMeans, TestSet
from scoreproof.kinds.binary.experiment import experiment_from_dict as binary_from_dict
from scoreproof.kinds.conventions import Convention, conventions_of
from scoreproof.kinds.kind import Assumption, Problem, Variant
from scoreproof.kinds.proportion_interval import ProportionIntervalProblem, quantity_of
from scoreproof.quantities import quantity
from scoreproof.reported import Claim, Value, report
from scoreproof.reported.conventions import Conventions, Stated, spelled, told
from scoreproof.reported.printed_text import IntervalText, split_intervals
from scoreproof.validation import shown, truth
from scoreproof.work.budget import Budget

Assumed = Convention | Assumption[Any]
_ONE_CHECK = {True: 0.5, False: 2.0}  # seconds, for one matrix and for means
_SHARE = 0.6  # of the remaining time that one assumption may use
_LEAST = 0.3  # seconds without which a check of means is not begun: it may overrun its budget by as much
_ENOUGH = 3  # variants that fit and take long to ask: then it is no assumption that few numbers fit
_TO_TRY = 0.3  # of the time left to a check, for the conventions of an impossible report
_DEEPEST = 50
_MEANS = {"mean_of_scores": MeanOfScores, "score_of_means": ScoreOfMeans}


@spelled()
def check(
    experiment: Any,
    scores: Mapping[str, Value | Claim] | Any,
    *,
    budget: float = 30.0,
    seed: int = 0,
    **stated: Unpack[Stated],
) -> Answer[Any, Any]:
    """Decide whether an experiment can have produced the reported scores.

    ``experiment`` says how they came about: ``TestSet(p, n)``, ``KFold(...)``, ``MeanOfScores`` and ``ScoreOfMeans``
    of these, ``UnknownClasses()``, ``Ranking(queries)`` or ``Detection(objects)``. ``scores`` maps score names to the
    texts that were printed, as a mapping or a pandas series; "0.912 (0.880-0.938)" is a score with its confidence
    interval. ``rounding`` (``"any"``, ``"nearest"``, ``"floor"``,
    ``"ceil"``) or ``eps`` says how far a printed value may be from the true one, for all scores or as a mapping from
    names. ``undefined`` says what a 0/0 score counts as: by default any usual treatment is admitted (``"zero"``,
    ``"skip"``; see ``Undefined``). ``budget`` is the time in seconds after which the answer is ``undecided``; for a
    given ``seed`` the search is deterministic but for the clock.

    For means of scores: ``minimum`` and ``maximum`` are the reported extremes over the direct parts of the mean, or
    over all evaluation sets with ``extremes_over="folds"`` (with ``attained=False`` mere bounds); ``spread`` says what
    follows a ± (``"deviation"``, standard ``"error"``, or ``"ignore"``), ``divisor`` how the variance was divided
    (``"population"``, ``"sample"``, ``"any"`` of these for all scores, ``"each"`` score its own) and ``spread_over``
    whether it is over all ``"folds"``, the means of the ``"repeats"`` of a repeated cross-validation, or those of the
    ``"parts"`` of nested means (whichever there are is admitted by default); ``fold_digits`` that the averaged values
    were themselves rounded to so many digits. Some are of one kind of experiment, and others refuse them:
    ``ties=False``, ``points=[...]`` (scores at further thresholds) and ``concave=True`` (its curve is said to be
    concave) of an AUC, ``interpolation`` of an average precision of detections, ``macro_f1`` of several classes.

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
    name = getattr(experiment, "kind", None)
    if not isinstance(name, str):
        raise InvalidExperiment(f"experiment: expected TestSet(p, n), KFold(...) or the like, got {shown(experiment)}")
    strict = truth("strict", stated.pop("strict", False))
    how = told(stated)
    given: Any = scores
    if not isinstance(given, Mapping) and hasattr(given, "index") and hasattr(given, "to_dict"):
        given = given.to_dict()  # a series of pandas
    given, intervals = split_intervals(given, decimal_comma=how.decimal_comma)
    kind = kind_of(experiment, given if isinstance(given, Mapping) else ())
    deadline = Budget.of(budget)
    answer = ask(kind.problem(experiment, given, how), budget=deadline, seed=seed)
    answer = answer if strict else with_conventions(answer, how, deadline)
    return with_intervals(answer, experiment, intervals, how.rounding) if intervals else answer


def experiment_from_dict(tree: Mapping[str, Any]) -> Any:
    """The experiment a dictionary describes; its ``type`` says which, or of which kind it is.

    >>> experiment_from_dict({"type": "testset", "p": 100, "n": 200})
    TestSet(p=100, n=200)
    """
    named = tree.get("type") if isinstance(tree, Mapping) else None
    name = named if isinstance(named, str) else ""
    if name == "kfold" and "counts" in tree:
        from scoreproof.kinds.multi_class.experiment import folds_from

        return folds_from({key: value for key, value in tree.items() if key != "type"})
    if name in _MEANS and _of_classes(tree):
        unknown = set(tree) - {"type", "parts"}
        if unknown:
            raise InvalidExperiment(f"{name} of several classes: unknown key {', '.join(sorted(map(shown, unknown)))}")
        return _MEANS[name]([experiment_from_dict(part) for part in tree["parts"]])
    if name in kind_names():
        return kind_named(name).experiment({key: value for key, value in tree.items() if key != "type"})
    return binary_from_dict(tree)


def _of_classes(tree: Any) -> bool:
    """Whether the first leaf of a tree of means has several classes."""
    for _ in range(_DEEPEST):
        parts = tree.get("parts") if isinstance(tree, Mapping) else None
        if not isinstance(parts, list) or not parts:
            break
        tree = parts[0]
    return isinstance(tree, Mapping) and (tree.get("type") == "multi_class" or "counts" in tree)


def with_intervals(
    answer: Answer[Any, Any], experiment: Any, intervals: Mapping[str, IntervalText], rounding: Any
) -> Answer[Any, Any]:
    """The answer about the scores, or that about an interval which cannot be where the scores can."""
    cases, notes = {}, []
    if isinstance(experiment, TestSet):
        cases = {"acc": experiment.p + experiment.n, "sens": experiment.p, "spec": experiment.n}
    for given, text in intervals.items():
        known = quantity(given)
        if known is None or known.range != (Fraction(0), Fraction(1)):
            raise InvalidValue(f"{given}: expected a number alone; an interval is evidence of a value from 0 to 1 only")
        name = known.name
        rule = rounding.get(given, rounding.get(name)) if isinstance(rounding, Mapping) else rounding
        parts = tuple(
            replace(report(quantity_of(part), getattr(text, part), rounding=rule), name=part)
            for part in ("value", "low", "high")
        )
        beside = ask(ProportionIntervalProblem(parts, cases.get(name) or None, text.level or "0.95"))
        if beside.verdict is not Verdict.INCONSISTENT:
            notes.append(f"{name} lies in its interval, {text.low} to {text.high}; its method is not known")
        elif answer.verdict is not Verdict.INCONSISTENT:
            return replace(beside, notes=(f"the interval of {name}", *beside.notes))  # whatever the convention
    return replace(answer, notes=(*answer.notes, *notes))


class VariantFit(NamedTuple):
    """What one variant of an assumption gave."""

    variant: Variant[Any]
    answer: Fit
    witness: Any = None


def outcomes(problem: Problem, assumption: Assumed, deadline: Budget) -> Iterator[VariantFit]:
    """Each variant of an assumption with what asking it gave; one that cannot be asked is no variant."""
    for variant in assumption.variants(problem):
        try:
            yield asked(variant, deadline)
        except ScoreproofError:
            continue  # such as a ± over one matrix


def asked(variant: Variant[Any], deadline: Budget) -> VariantFit:
    """Whether all problems of a variant are possible; the witness is that of the first."""
    if variant.problem is None:
        return VariantFit(variant, Fit.NOTHING_LEFT if variant.untested else Fit.DOES_NOT_FIT)
    witnesses = []
    for problem in (variant.problem, *variant.also):
        kind = kind_named(problem.kind)
        quick = kind.quick(problem)
        if deadline.left() <= (0 if quick else _LEAST) or kind.too_large(problem):
            return VariantFit(variant, Fit.UNDECIDED)
        fits, witness, _ = trial(problem, budget=deadline.moment(_ONE_CHECK[quick]))
        if not fits:
            return VariantFit(variant, Fit.UNDECIDED if fits is None else Fit.DOES_NOT_FIT)
        witnesses.append(witness)
    return VariantFit(variant, Fit.FITS, witnesses[0])


def try_one(problem: Problem, assumption: Assumed, deadline: Budget) -> Tried | None:
    """The answer of one assumption; None if it says nothing about this question."""
    counted: Counter[Fit] = Counter()
    fitting: list[VariantFit] = []
    slow, more = 0, False
    for outcome in outcomes(problem, assumption, deadline):
        if slow >= _ENOUGH:
            more = True
            break
        counted[outcome.answer] += 1
        if outcome.answer in (Fit.FITS, Fit.NOTHING_LEFT):
            fitting.append(outcome)
            changed = outcome.variant.problem
            slow += changed is not None and not kind_named(changed.kind).quick(changed)
    if not counted:
        return None
    fitting.sort(key=lambda outcome: outcome.answer is Fit.NOTHING_LEFT)
    undecided = counted[Fit.UNDECIDED]
    none = VariantFit(Variant("", None), Fit.UNDECIDED if undecided else Fit.DOES_NOT_FIT)
    first, answer, witness = fitting[0] if fitting else none
    return Tried(
        assumption.name,
        assumption.label,
        answer,
        tuple(outcome.variant.label for outcome in fitting),
        counted.total() - undecided,
        undecided,
        witness,
        problem.kind if first.problem is None else first.problem.kind,
        more,
    )


def try_all(
    problem: Problem, assumptions: Iterable[Assumed], deadline: Budget
) -> tuple[tuple[Tried, ...], tuple[str, ...]]:
    """Each assumption with its answer, and the labels of those the time did not reach."""
    tried, untried = [], []
    for assumption in assumptions:
        if deadline.passed:
            untried.append(assumption.label)
            continue
        answer = try_one(problem, assumption, deadline.part(_SHARE))
        if answer is not None:
            tried.append(answer)
    return tuple(tried), tuple(untried)


def with_conventions(answer: Answer[Any, Any], how: Conventions, deadline: Budget) -> Answer[Any, Any]:
    """An answer with the unsaid conventions that were tried: one that may fit makes of an impossibility a question."""
    if answer.verdict is not Verdict.INCONSISTENT or how.strict:
        return answer
    tried, late = try_all(answer.problem, conventions_of(answer.problem, how), deadline.part(_TO_TRY))
    if late or any(each.answer is not Fit.DOES_NOT_FIT for each in tried):
        late_ones = tuple(Tried(label, label, Fit.UNDECIDED) for label in late)
        return replace(answer, verdict=Verdict.QUESTION, conventions=(*tried, *late_ones))
    return replace(answer, conventions=tried)
