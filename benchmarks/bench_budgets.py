"""Budgets hold: how far checks of means, explanations, strengths and power go beyond the seconds they were given.

Some 180 mean problems of every sort, true ones and ones moved by a few units, each asked with 1, 2 and 5 seconds (a
problem decided well within one budget is not asked again with more: it would be the same run). Then 1,000 problems of
all kinds, by their shares in the corpus of proofs, with one second each. Allowed is a fifth of the budget or half a
second, whichever is more; time is the processor's, so that what else runs on the machine does not count. No library may
warn on standard error.

A problem's numbers follow from the seed and its place alone. ``python -m benchmarks budgets``; the environment variable
``BUDGETS_SEED`` makes other numbers, ``BUDGETS_EACH`` more problems of each sort, ``BUDGETS_ALL`` another number of all
kinds, and ``BUDGETS_SORT`` picks sorts by a part of their name.
"""

from __future__ import annotations

import contextlib
import os
import random
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import scoreproof as sp
from benchmarks.average_map import processor_time
from benchmarks.measure import Row
from benchmarks.proof_corpus.__main__ import MAKERS
from scoreproof.errors import ScoreproofError
from scoreproof.insight.power_analysis import power
from scoreproof.insight.strength_of_pass import strength
from scoreproof.kinds import kind_named

_BUDGETS = (1.0, 2.0, 5.0)
_ONE, _THOUSAND = 1.0, 1_000  # seconds for a problem of any kind, and of how many their shares are
_SHARE, _SECONDS = 0.2, 0.5
_MOVES = (0, 1, 5, 20)
_LINEAR = ("acc", "sens", "spec", "bacc")
_CURVED = ("f1", "ppv", "npv", "mcc", "kappa", "gm", "ji", "upm", "fm", "bm", "mk")
Fold = tuple[int, int]


@dataclass(slots=True)
class Problem:
    """A report to be asked about, and of what sort it is."""

    sort: str
    experiment: sp.Experiment
    scores: dict[str, str]
    options: dict[str, Any] = field(default_factory=dict)

    def ask(self, budget: float) -> sp.Answer[Any, Any]:
        return sp.check(self.experiment, self.scores, budget=budget, **self.options)


def allowed(budget: float) -> float:
    """Seconds a budget may be exceeded by."""
    return max(_SHARE * budget, _SECONDS)


def _values(name: str, folds: list[Fold], rates: np.ndarray) -> np.ndarray:
    p, n = np.array(folds, dtype=float).T
    tp, tn = np.rint(rates[0] * p), np.rint(rates[1] * n)
    return np.nan_to_num(sp.score(name).values(tp, n - tn, p - tp, tn))


def _report(
    rng: random.Random, folds: list[Fold], *, spread: bool = False, extremes: bool = False
) -> tuple[dict[str, str], dict[str, Any]]:
    """Means over folds of some quality, as printed; one of them moved."""
    draw = np.random.default_rng(rng.randrange(1 << 30))
    centre = np.array([[rng.uniform(0.5, 0.95)], [rng.uniform(0.6, 0.98)]])
    rates = np.clip(draw.normal(centre, 0.05, (2, len(folds))), 0, 1)
    digits = rng.choice((3, 4))
    names = rng.sample(_LINEAR, rng.randint(1, 3)) + rng.sample(_CURVED, rng.randint(1, 3))
    moved = rng.choice(names)
    unit = 10.0**-digits
    scores, options = {}, {"minimum": {}, "maximum": {}}  # type: ignore[var-annotated]
    for name in names:
        values = _values(name, folds, rates)
        mean = float(values.mean()) + (rng.choice(_MOVES) * unit if name == moved else 0.0)
        scores[name] = f"{min(max(mean, 0.0), 1.0):.{digits}f}"
        if spread:
            scores[name] += f" ± {values.std():.{digits}f}"
        if extremes and name == names[0]:
            options["minimum"][name] = f"{values.min():.{digits}f}"
            options["maximum"][name] = f"{values.max():.{digits}f}"
    return scores, {key: said for key, said in options.items() if said}


def _shares(rng: random.Random, p: int, n: int, k: int, repeats: int = 1) -> list[Fold]:
    """Folds about as large as those of a cross-validation; they only serve to make numbers."""
    return [(max(1, p // k + rng.randint(0, 1)), max(1, n // k + rng.randint(0, 1))) for _ in range(k * repeats)]


def _sized(rng: random.Random, least: int = 100, most: int = 20_000) -> tuple[int, int]:
    total = round(10 ** rng.uniform(np.log10(least), np.log10(most)))
    p = max(20, round(total * rng.uniform(0.05, 0.5)))
    return p, max(20, total - p)


def _folds(rng: random.Random, *, stratified: bool = True, repeated: bool = False, **said: bool) -> Problem:
    p, n = _sized(rng, most=20_000 if stratified else 3_000)
    k, repeats = rng.choice((2, 3, 5, 10)), rng.choice((2, 3, 10)) if repeated else 1
    words = ["stratified" if stratified else "unknown folds", *(["repeated"] if repeated else []), *said]
    scores, options = _report(rng, _shares(rng, p, n, k, repeats), **said)
    return Problem(", ".join(words), sp.KFold(p, n, k, repeats, stratified), scores, options)


def _explicit(rng: random.Random, top: int, **said: bool) -> Problem:
    folds = [(rng.randint(1, top), rng.randint(1, top)) for _ in range(rng.randint(2, 20))]
    scores, options = _report(rng, folds, **said)
    options["undefined"] = rng.choice(("exclude", "zero"))
    experiment = sp.MeanOfScores([sp.TestSet(*fold) for fold in folds])
    return Problem(", ".join([f"sets up to {top}", *said]), experiment, scores, options)


def _images(rng: random.Random, **said: bool) -> Problem:
    folds = [(rng.randint(15_000, 45_000), rng.randint(150_000, 300_000)) for _ in range(rng.choice((3, 10, 20)))]
    scores, options = _report(rng, folds, **said)
    experiment = sp.MeanOfScores([sp.TestSet(*fold) for fold in folds])
    return Problem(", ".join(["images", *said]), experiment, scores, options)


def _nested(rng: random.Random, *, large: bool = False) -> Problem:
    """A mean over data sets, each with folds of its own."""
    sizes = [(805, 12_281)] * 3 if large else [_sized(rng, most=2_000) for _ in range(rng.choice((2, 3)))]
    parts, folds = [], []
    for p, n in sizes:
        k, repeats = rng.choice((3, 5, 10)), rng.choice((1, 1, 3))
        parts.append(sp.KFold(p, n, k, repeats))
        folds += _shares(rng, p, n, k, repeats)
    scores, options = _report(rng, folds)
    return Problem("nested, large" if large else "nested", sp.MeanOfScores(parts), scores, options)


def _ranges(rng: random.Random) -> Problem:
    folds = _shares(rng, *_sized(rng, most=2_000), 5)
    scores, _ = _report(rng, folds)
    name = next(iter(scores))
    value = float(scores[name])
    bounds = {name: (f"{max(0.0, value - 0.05):.3f}", f"{min(1.0, value + 0.05):.3f}")}
    return Problem("ranges of parts", sp.MeanOfScores([sp.TestSet(*fold) for fold in folds], bounds), scores)


def _unknown_aggregation(rng: random.Random, *, nested: bool = False) -> Problem:
    """Each of the ways to read it is a question of its own; one budget is for all of them."""
    p, n = _sized(rng, most=1_000)
    scores, options = _report(rng, _shares(rng, p, n, 5, 2 if nested else 1))
    folds = sp.KFold(p, n, 5, stratified=not nested and rng.random() < 0.5, aggregation=sp.Aggregation.UNKNOWN)
    experiment = sp.UnknownAggregation([folds, folds]) if nested else folds
    return Problem(f"unknown aggregation{', nested' * nested}", experiment, scores, options)


SORTS: tuple[Callable[[random.Random], Problem], ...] = (
    _folds,
    lambda rng: _folds(rng, spread=True),
    lambda rng: _folds(rng, extremes=True),
    lambda rng: _folds(rng, repeated=True),
    lambda rng: _folds(rng, repeated=True, spread=True),
    lambda rng: _folds(rng, stratified=False),
    lambda rng: _folds(rng, stratified=False, spread=True),
    lambda rng: _folds(rng, stratified=False, extremes=True),
    lambda rng: _explicit(rng, 40, spread=True, extremes=True),
    lambda rng: _explicit(rng, 400),
    lambda rng: _explicit(rng, 400, spread=True),
    _nested,
    lambda rng: _nested(rng, large=True),
    _ranges,
    _unknown_aggregation,
    lambda rng: _unknown_aggregation(rng, nested=True),
    _images,
    lambda rng: _images(rng, spread=True),
)


def named() -> Iterator[Problem]:
    """Problems that once ran far beyond their budget."""
    sets = sp.MeanOfScores([sp.KFold(805, 12_281, k, repeats=3) for k in (5, 10, 5)])
    yield Problem("nested, large", sets, {"acc": "0.9512", "sens": "0.8123", "f1": "0.6789", "mcc": "0.6591"})
    yield Problem("nested, large", sets, {"sens": "0.7713", "ppv": "0.6002", "f1": "0.6720"})
    folds = sp.KFold(229, 310, 5)
    said = {"acc": "0.8423 ± 0.0312", "f1": "0.8110 ± 0.0389", "mcc": "0.6789 ± 0.0634"}
    yield Problem("stratified, spread", folds, said)
    yield Problem("stratified, spread", sp.KFold(229, 310, 10), {**said, "sens": "0.8032 ± 0.0611"})
    yield Problem("few positives", sp.KFold(3, 373, 10), {"fm": "0.27", "sens": "0.9"}, {"minimum": {"fm": "0.171"}})
    yield Problem("few positives", sp.TestSet(2, 33), {"auprc": "0.564", "sens": "1.000", "ppv": "0.061"})


def problems(seed: int, each: int) -> Iterator[Problem]:
    """So many problems of each sort."""
    yield from named()
    for number in range(each):
        for place, sort in enumerate(SORTS):
            yield sort(random.Random(1_000_003 * seed + 1_009 * number + place))


def of_all_kinds(seed: int, count: int) -> Iterator[tuple[str, Any]]:
    """About so many problems of all kinds, each with the name of its kind and what makes it."""
    for kind, makers in MAKERS.items():
        for make, share in makers:
            rng = random.Random(f"{seed} {kind} {make.__name__}")
            for _ in range(max(1, round(share * count / _THOUSAND))):
                document = None
                while document is None:
                    document = make(rng)
                try:
                    yield f"{kind}: {make.__name__}" if len(makers) > 1 else kind, kind_named(kind).read(document)
                except ScoreproofError:  # some documents are made to be refused
                    continue


def _of_all_kinds(seed: int, count: int) -> Iterator[Row]:
    worst: dict[str, float] = {}
    asked: Counter[str] = Counter()
    late, most = 0, _ONE + allowed(_ONE)
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        for sort, problem in of_all_kinds(seed, count):
            start = time.process_time()
            with contextlib.suppress(ScoreproofError):
                sp.ask(problem, budget=_ONE)
            took = time.process_time() - start
            worst[sort], asked[sort] = max(worst.get(sort, 0.0), took), asked[sort] + 1
            late += took > most
    total = asked.total()
    yield Row(f"late, of {total:,} problems of all kinds, {_ONE:g} s", rate=late / total, promised_rate=0.0)
    said = "; ".join(sorted({f"{one.category.__name__} {Path(one.filename).name}:{one.lineno}" for one in warned}))
    yield Row("problems with a library's warning", rate=len(warned) / total, promised_rate=0.0, note=said)
    for sort, took in worst.items():
        yield Row(f"{sort}, {_ONE:g} s", took, promised_seconds=most, note=f"the worst of {asked[sort]}")


def rows() -> Iterator[Row]:
    with processor_time():
        yield from _rows()


def _rows() -> Iterator[Row]:
    seed, each = int(os.environ.get("BUDGETS_SEED", "1")), int(os.environ.get("BUDGETS_EACH", "10"))
    wanted = os.environ.get("BUDGETS_SORT", "")
    asked = [one for one in problems(seed, each) if wanted in one.sort]
    results: list[sp.Answer[Any, Any]] = []
    if asked:
        yield from _checks(asked, results)
        yield from _follow_ups(results)
    if not wanted or wanted == "all kinds":
        yield from _of_all_kinds(seed, int(os.environ.get("BUDGETS_ALL", "1000")))


def _checks(asked: list[Problem], results: list[sp.Answer[Any, Any]]) -> Iterator[Row]:
    sp.check(sp.MeanOfScores([sp.TestSet(3, 4)] * 2), {"f1": "0.5"})  # imports are no part of a budget
    worst: dict[tuple[str, float], tuple[float, float]] = {}  # seconds over the budget, seconds in all
    undecided: dict[tuple[str, float], list[bool]] = {}
    for one in asked:
        for budget in _BUDGETS:
            start = time.process_time()
            result = one.ask(budget)
            took = time.process_time() - start
            key = (one.sort, budget)
            worst[key] = max(worst.get(key, (-budget, 0.0)), (took - budget, took))
            undecided.setdefault(key, []).append(result.verdict is sp.Verdict.UNDECIDED)
            if result.verdict is not sp.Verdict.UNDECIDED and took < 0.8 * budget:
                break
        results.append(result)
    over, took, budget = max((over, took, budget) for (_, budget), (over, took) in worst.items())
    yield Row(f"the worst of {len(asked)} problems, {budget:g} s", took, note=f"{max(over, 0.0):.2f} s over")
    for budget in _BUDGETS:
        for sort in dict.fromkeys(one.sort for one in asked):
            if (sort, budget) in worst:
                over, took = worst[sort, budget]
                open_ones = undecided[sort, budget]
                note = f"{max(over, 0.0):.2f} s over; {sum(open_ones)} of {len(open_ones)} undecided"
                yield Row(f"{sort}, {budget:g} s", took, promised_seconds=budget + allowed(budget), note=note)


def _follow_ups(results: list[sp.Answer[Any, Any]]) -> Iterator[Row]:
    """Explanations and strengths of the reports above, and the power of checks like theirs."""
    calls: list[tuple[str, float, Callable[[], object]]] = []
    for number, result in enumerate(results):
        budget = _BUDGETS[len(calls) % len(_BUDGETS)]
        if result.verdict is sp.Verdict.INCONSISTENT and number % 3 == 0:
            calls.append(("explain", budget, partial(result.explain, budget=budget)))
        elif number % 5 == 0:
            calls.append(("strength", budget, partial(strength, result, budget=budget)))
    for number in range(6):
        budget = _BUDGETS[number % len(_BUDGETS)]
        stated = (sp.KFold(805, 12_281, 5), sp.KFold(40, 60, 5, stratified=False))[number % 2]
        calls.append(("power (one trial)", budget, partial(_one_trial, stated, budget, number)))
    worst: dict[tuple[str, float], float] = {}
    for what, budget, call in calls:
        start = time.process_time()
        call()
        worst[what, budget] = max(worst.get((what, budget), 0.0), time.process_time() - start)
    for (what, budget), took in sorted(worst.items()):
        note = f"{max(took - budget, 0.0):.2f} s over"
        yield Row(f"{what}, {budget:g} s", took, promised_seconds=budget + allowed(budget), note=note)


def _one_trial(stated: sp.Experiment, budget: float, seed: int) -> object:
    return power(stated, ["acc", "f1", "mcc"], 4, trials=1, jobs=1, seed=seed, budget=budget)
