"""The dishonest twin: an honest report with one slip put in, and how often the slip is noticed.

No rate is promised. A slip that leaves the report possible cannot be found by anyone: for reports of one small matrix
brute force over all matrices, with code of its own, says how many were really impossible, and those must all be found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

import numpy as np

import scoreproof as sp
from benchmarks import oracle
from benchmarks.honest.cohorts import Generator, cohort
from benchmarks.honest.designs import Design, Matrix, added, cross_validation, one_test_set
from benchmarks.honest.judging import BUDGET, ask
from benchmarks.honest.reports import Question
from benchmarks.honest.tools import scikit_learn_value
from scoreproof.work.pool import Pool

Rates = dict[str, Counter[str]]
Scores = dict[str, str]
NAMES = ("acc", "sens", "spec", "ppv", "npv", "f1", "mcc", "bacc", "kappa")
_SMALL = 60  # positives and negatives up to which the oracle's integers are exact
_CHUNK = 25


def _digit(rng: Generator, scores: Scores) -> Scores | None:
    name = str(rng.choice(list(scores)))
    text = scores[name]
    place = int(rng.integers(text.index(".") + 1, len(text)))
    other = str(rng.choice([digit for digit in "0123456789" if digit != text[place]]))
    return {**scores, name: text[:place] + other + text[place + 1 :]}


def _transposed(rng: Generator, scores: Scores) -> Scores | None:
    name = str(rng.choice(list(scores)))
    text = scores[name]
    start = text.index(".") + 1
    places = [at for at in range(start, len(text) - 1) if text[at] != text[at + 1]]
    if not places:
        return None
    at = int(rng.choice(places))
    return {**scores, name: text[:at] + text[at + 1] + text[at] + text[at + 2 :]}


def _columns(rng: Generator, scores: Scores) -> Scores | None:
    if len(scores) < 2:
        return None
    first, second = (str(name) for name in rng.choice(list(scores), 2, replace=False))
    return {**scores, first: scores[second], second: scores[first]}


def _percent(rng: Generator, scores: Scores) -> Scores | None:
    name = str(rng.choice(list(scores)))
    return {**scores, name: scores[name] + "%"}


TEXT_SLIPS: dict[str, Callable[[Generator, Scores], Scores | None]] = {
    "one digit changed": _digit,
    "two digits transposed": _transposed,
    "two columns exchanged": _columns,
    "percent for a fraction": _percent,
}


def _macro(matrix: Matrix, name: str) -> float:
    """The mean over both classes of a score that is said to be of the positive class."""
    tp, fp, fn, tn = matrix
    return (scikit_learn_value(name, matrix) + scikit_learn_value(name, (tn, fn, fp, tp))) / 2


def _weighted(matrix: Matrix, name: str) -> float:
    tp, fp, fn, tn = matrix
    p, n = tp + fn, fp + tn
    return (p * scikit_learn_value(name, matrix) + n * scikit_learn_value(name, (tn, fn, fp, tp))) / (p + n)


CLASS_SLIPS = {"macro for binary": _macro, "weighted for binary": _weighted}
SIZE_SLIPS = ("another N", "oversampled before the split", "validation set for the test set")
SLIPS = (*TEXT_SLIPS, *CLASS_SLIPS, *SIZE_SLIPS)


def _texts(
    design: Design, names: list[str], digits: int, value: Callable[[Matrix, str], float] | None = None
) -> Scores:
    score = value or (lambda matrix, name: scikit_learn_value(name, matrix))
    pooled = design.pooled or len(design.matrices) == 1
    matrices = [added(design.matrices)] if pooled else design.matrices
    texts: Scores = {}
    for name in names:
        mean = float(np.mean([score(matrix, name) for matrix in matrices]))
        if np.isfinite(mean):
            texts[name] = f"{mean:.{digits}f}"
    return texts


def twin(seed: int, index: int) -> tuple[str, Question] | None:
    """A report with one slip, and the slip's name; None where the slip changes nothing."""
    rng = np.random.default_rng([seed, index, 2])
    slip = str(rng.choice(SLIPS))
    data = cohort(rng, trained=False)
    design = one_test_set(rng, data) if rng.random() < 0.7 else cross_validation(rng, data)
    if design is None:
        return None
    names = [str(name) for name in rng.choice(NAMES, int(rng.integers(2, 6)), replace=False)]
    digits = int(rng.choice([2, 3, 4]))
    experiment = design.descriptions[int(rng.integers(len(design.descriptions)))].experiment
    true = _texts(design, names, digits)
    printed: Scores | None = true
    if slip in TEXT_SLIPS:
        printed = TEXT_SLIPS[slip](rng, true) if true else None
    elif slip in CLASS_SLIPS:
        averaged = _texts(design, [name for name in ("ppv", "sens", "f1") if name in true], digits, CLASS_SLIPS[slip])
        printed = {**true, **averaged}
    elif not isinstance(experiment, (sp.TestSet, sp.KFold)):
        return None
    if slip in SIZE_SLIPS and isinstance(experiment, (sp.TestSet, sp.KFold)):
        experiment = _resized(rng, slip, experiment)
    elif printed == true:
        return None
    return (slip, Question(experiment, printed, {})) if printed else None


def _resized(rng: Generator, slip: str, done: sp.TestSet | sp.KFold) -> sp.Experiment:
    """The description as printed in the paper, though the scores come from data of another size."""
    p, n = done.p, done.n
    if slip == "oversampled before the split":  # described are the data before the smaller class was raised
        p, n = (
            (max(1, round(p * rng.uniform(0.2, 0.8))), n)
            if rng.random() < 0.5
            else (p, max(1, round(n * rng.uniform(0.2, 0.8))))
        )
    elif slip == "another N":
        p, n = p + int(rng.integers(1, 4)), max(1, n - int(rng.integers(0, 3)))
    else:
        share = rng.uniform(0.3, 0.9)
        p, n = max(1, round(p * share)), max(1, round(n * share))
    if isinstance(done, sp.TestSet):
        return sp.TestSet(p, n)
    return sp.KFold(p, n, min(done.k, p + n), done.repeats, done.stratified, done.aggregation)


def judge_twins(seed: int, start: int, stop: int, budget: float = BUDGET) -> Rates:
    """The rates over some numbers."""
    rates: Rates = {}
    for index in range(start, stop):
        made = twin(seed, index)
        if made is None:
            continue
        slip, question = made
        rate = rates.setdefault(slip, Counter())
        verdict = ask(question, budget)
        rate["injected"] += 1
        refused = verdict.startswith("refused")  # in words, say a precision above 1
        noticed = verdict in ("inconsistent", "question") or refused  # a question is impossible as stated
        rate["found"] += noticed
        rate["refused"] += refused
        rate["undecided"] += verdict == "undecided"
        possible = brute_force(question)
        if possible is not None:
            rate["tried"] += 1
            rate["impossible"] += not possible
            rate["found impossible"] += not possible and noticed
            rate["wrongly found"] += possible and noticed
    return rates


def brute_force(question: Question) -> bool | None:
    """Whether some matrix gives the report, 0/0 read as scikit-learn does; None if there are too many."""
    done = question.experiment
    if not isinstance(done, sp.TestSet) or max(done.p, done.n) > _SMALL or question.options:
        return None
    spans = {name: _span(text) for name, text in question.scores.items()}
    for tp in range(done.p + 1):
        for tn in range(done.n + 1):
            matrix = (tp, done.n - tn, done.p - tp, tn)
            if all(_fits(name, matrix, *spans[name]) for name in spans):
                return True
    return False


def _span(text: str) -> tuple[Fraction, Fraction]:
    exact = Decimal(text.rstrip("%")).scaleb(-2 if text.endswith("%") else 0)
    unit = Fraction(Decimal(1).scaleb(int(exact.as_tuple().exponent)))
    return Fraction(exact) - unit, Fraction(exact) + unit


def _fits(name: str, matrix: Matrix, low: Fraction, high: Fraction) -> bool:
    exact = oracle.value(name, *matrix)
    tie = Fraction(1, 10**40)  # values are 60-digit decimals
    candidates = [Fraction(exact)] if exact is not None else [Fraction(0)]
    if exact is None and name == "bacc":
        candidates.append(Fraction(scikit_learn_value(name, matrix)))
    return any(low - tie <= value <= high + tie for value in candidates)


def run_twins(count: int, seed: int, *, jobs: int) -> Rates:
    """All twins, shared out."""
    calls = [(judge_twins, (seed, start, min(start + _CHUNK, count))) for start in range(0, count, _CHUNK)]
    whole: Rates = {}
    for rates in Pool(jobs).results(calls):
        for slip, rate in rates.items():
            whole.setdefault(slip, Counter()).update(rate)
    return whole
