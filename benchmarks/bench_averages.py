"""Means of scores: linear ones against mlscorecheck, all others by verdicts and times."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from functools import partial
from typing import Any

import scoreproof as sp
from benchmarks.measure import Row, best, both, processor_seconds
from scoreproof.catalog import entry
from scoreproof.kinds.binary.experiment import stratified_folds, total_counts

Fold = tuple[int, int]
SIX = ("acc", "sens", "spec", "f1", "ppv", "mcc")
MOVES = (-20, -5, -1, 1, 5, 20)
EHG = {"acc": "0.9447", "sens": "0.9139", "spec": "0.9733"}
SETS: dict[str, list[Fold]] = {
    "five folds of about (100, 200)": [(100, 201), (100, 200), (100, 200), (101, 200), (101, 200)],
    "(38, 262) in 5": stratified_folds(38, 262, 5),
    "(268, 500) in 5": stratified_folds(268, 500, 5),
    "(268, 500) in 10": stratified_folds(268, 500, 10),
    "(1000, 4000) in 10": stratified_folds(1000, 4000, 10),
}


def images(name: str) -> list[Fold]:
    """The pixels in the field of view of each image, from the catalogue."""
    mean_of_scores = entry(name).readings()[0].experiment
    assert isinstance(mean_of_scores, sp.MeanOfScores)
    return [total_counts(part) for part in mean_of_scores.parts]


DRIVE = images("drive")
HRF = images("hrf")


def report(
    folds: list[Fold], names: tuple[str, ...], seed: int = 1, sens: float = 0.8, spec: float = 0.9
) -> dict[str, str]:
    """The means of a plausible set of matrices to four digits."""
    rng = random.Random(seed)
    means = dict.fromkeys(names, 0.0)
    for p, n in folds:
        tp = min(p, max(0, round(p * rng.gauss(sens, 0.05))))
        tn = min(n, max(0, round(n * rng.gauss(spec, 0.03))))
        for name in names:
            means[name] += sp.score(name)(tp, n - tn, p - tp, tn) / len(folds)
    return {name: f"{mean:.4f}" for name, mean in means.items()}


def moved(texts: dict[str, str], name: str, units: int) -> dict[str, str]:
    return {**texts, name: str(Decimal(texts[name]) + units * Decimal("0.0001"))}


def mean(folds: list[Fold]) -> sp.MeanOfScores:
    return sp.MeanOfScores([sp.TestSet(p, n) for p, n in folds])


def _floats(texts: dict[str, str]) -> dict[str, float]:
    return {name: float(text) for name, text in texts.items()}


def _against_peer() -> Iterator[Row]:
    from mlscorecheck.check import binary as peer

    eps = "0.0001"
    linear = ("acc", "sens", "spec")
    texts = report(stratified_folds(268, 500, 10) * 10, linear)
    folding = {"n_folds": 10, "n_repeats": 10, "strategy": "stratified_sklearn"}
    # a few milliseconds each, the peer's partly in a process of its own: by the processor, in turns
    in_turns = partial(both, turns=6, clock=processor_seconds)
    for word, told in (("true", texts), ("moved", moved(texts, "acc", 100))):
        ours, theirs = in_turns(
            lambda t=told: sp.check(sp.KFold(268, 500, 10, repeats=10), t, eps=eps, strict=True),  # type: ignore[misc]
            lambda t=told: peer.check_1_dataset_known_folds_mos(  # type: ignore[misc]
                dataset={"p": 268, "n": 500}, folding=folding, scores=_floats(t), eps=float(eps), verbosity=0
            ),
        )
        yield Row(f"10 x 10 folds of (268, 500), linear, {word}", ours, theirs, promised_ratio=20)
    ours = best(lambda: sp.check(sp.KFold(38, 262, 5, stratified=False), EHG, strict=True), repeats=3)
    theirs = best(
        lambda: peer.check_1_dataset_unknown_folds_mos(
            dataset={"p": 38, "n": 262},
            folding={"n_folds": 5, "n_repeats": 1},
            scores=_floats(EHG),
            eps=1e-4,
            verbosity=0,
        ),
        repeats=0,
    )
    yield Row("(38, 262) in 5 unknown folds", ours, theirs, promised_ratio=20)
    for name, sets in (("20 DRIVE images", DRIVE), ("45 HRF images", HRF)):
        texts = report(sets, ("acc", "sens", "spec", "bacc"), sens=0.75, spec=0.97)
        for word, told in (("true", texts), ("moved", moved(texts, "acc", 300))):
            ours, theirs = in_turns(
                lambda s=sets, t=told: sp.check(mean(s), t, eps=eps, strict=True),  # type: ignore[misc]
                lambda s=sets, t=told: peer.check_n_testsets_mos_no_kfold(  # type: ignore[misc]
                    testsets=[{"p": p, "n": n} for p, n in s], scores=_floats(t), eps=float(eps), verbosity=0
                ),
            )
            yield Row(f"{name}, 4 linear scores, {word}", ours, theirs, promised_ratio=5)


def _hard() -> Iterator[Row]:
    cases: list[tuple[str, sp.KFold, dict[str, str], dict[str, Any], float]] = [
        (
            "(100, 200) in 5 unknown folds, acc .99 sens .50 spec .50",
            sp.KFold(100, 200, 5, stratified=False),
            {"acc": "0.99", "sens": "0.50", "spec": "0.50"},
            {"eps": "0.01"},
            2.0,
        ),
        ("(244, 262) in 5 unknown folds, with a witness", sp.KFold(244, 262, 5, stratified=False), EHG, {}, 3.0),
    ]
    for name, experiment, scores, options, promise in cases:
        start = time.perf_counter()
        verdict = sp.check(experiment, scores, **options, strict=True).verdict
        yield Row(name, time.perf_counter() - start, promised_seconds=promise, note=str(verdict))


def _verdicts(name: str, folds: list[Fold], names: tuple[str, ...], budget: float, **shape: float) -> Iterator[Row]:
    """True and with each score moved: how many of which verdict, and how long at most."""
    base = report(folds, names, **shape)  # type: ignore[arg-type]
    tally: Counter[str] = Counter()
    slowest, total = 0.0, 0.0
    cases = [base, *(moved(base, score, units) for score in names for units in MOVES)]
    for number, texts in enumerate(cases):
        start = time.perf_counter()
        verdict = str(sp.check(mean(folds), texts, budget=budget, strict=True).verdict)
        took = time.perf_counter() - start
        tally[verdict] += 1
        if number == 0 and verdict == "inconsistent":
            tally["FALSE ALARM"] += 1
        slowest, total = max(slowest, took), total + took
    counts = ", ".join(f"{count} {verdict}" for verdict, count in sorted(tally.items()))
    yield Row(
        f"{name}: {', '.join(names)}, mean of {len(cases)}",
        total / len(cases),
        note=f"{counts}; slowest {slowest:.1f} s",
    )


def rows() -> Iterator[Row]:
    """All of the above."""
    yield from _against_peer()
    yield from _hard()
    for name, folds in SETS.items():
        yield from _verdicts(name, folds, SIX, 30.0)
    five = ("acc", "sens", "spec", "f1", "mcc")
    yield from _verdicts("20 DRIVE images", DRIVE, five, 10.0, sens=0.75, spec=0.97)
    yield from _verdicts("45 HRF images", HRF, five, 10.0, sens=0.75, spec=0.97)
