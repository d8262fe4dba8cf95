"""Random experiments with several evaluation sets: true ones are never flagged, tiny ones agree with trying everything.

The oracle shares no code with the package: it lists every choice of matrices (and every way the classes can fall into
unknown folds) and judges means, deviations and extremes in 60-digit decimals, where a difference below 10^-40 is a tie
and counts as inside.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import scoreproof as sp
from benchmarks import oracle

TIE = Decimal(1).scaleb(-40)
Fold = tuple[int, int]
Choice = tuple[tuple[int, int, int, int], ...]  # tp, fp, fn, tn per set


@dataclass(slots=True)
class Report:
    """An experiment and what is said about it."""

    experiment: sp.Experiment
    scores: dict[str, str]
    options: dict[str, Any] = field(default_factory=dict)
    folds: list[Fold] = field(default_factory=list)  # known class counts, or
    unknown: tuple[int, int, int] | None = None  # p, n, k


def _text(value: Decimal, digits: int, move: int = 0) -> str:
    return f"{Decimal(oracle.printed(value, digits, 'half_up')) + move * Decimal(1).scaleb(-digits):f}"


def _moments(values: list[Decimal], ddof: int) -> tuple[Decimal, Decimal]:
    nothing = Decimal(0)
    mean = sum(values, nothing) / len(values)
    squares = sum(((v - mean) ** 2 for v in values), nothing)
    return mean, (squares / (len(values) - ddof)).sqrt()


def _describe(
    rng: random.Random, choice: Choice, names: list[str], digits: int, moves: list[int]
) -> tuple[dict[str, str], dict[str, Any]] | None:
    """Means (some with ±) and extremes of a choice of matrices, some of them moved; None if a score is undefined."""
    scores: dict[str, str] = {}
    options: dict[str, Any] = {"rounding": rng.choice(["nearest", "any"])}
    ddof = rng.choice([0, 1])
    for name in names:
        values = [oracle.value(name, *cells) for cells in choice]
        if any(value is None for value in values):
            return None
        known = [value for value in values if value is not None]
        mean, deviation = _moments(known, ddof)
        scores[name] = _text(mean, digits, rng.choice(moves))
        if rng.random() < 0.25:
            scores[name] += f" ± {_text(deviation, digits, max(0, rng.choice(moves)))}"
            options["divisor"] = rng.choice(["any", "sample" if ddof else "population"])
        for key, pick in (("minimum", min), ("maximum", max)):
            if rng.random() < 0.15:
                options.setdefault(key, {})[name] = _text(pick(known), digits, rng.choice(moves))
    return scores, options


def _unknown_folds(rng: random.Random, p: int, n: int, k: int) -> list[Fold] | None:
    """A random way the classes fall into k folds; None if fewer than two folds have a class."""
    labels = [1] * p + [0] * n
    rng.shuffle(labels)
    size, larger = divmod(p + n, k)
    folds, at = [], 0
    for fold in range(k):
        cases = labels[at : at + size + (fold < larger)]
        at += len(cases)
        folds.append((sum(cases), len(cases) - sum(cases)))
    return folds if min(sum(a > 0 for a, _ in folds), sum(b > 0 for _, b in folds)) >= 2 else None


def _matrices(rng: random.Random, folds: list[Fold]) -> Choice:
    quality = rng.uniform(0.4, 1.0)
    return tuple(
        (tp, n - tn, p - tp, tn)
        for p, n in folds
        for tp, tn in [(sum(rng.random() < quality for _ in range(p)), sum(rng.random() < quality for _ in range(n)))]
    )


def true_reports(seed: int) -> Iterator[Report]:
    """Reports of true experiments: 2 to 10 folds of 2 to 200 cases, 1 to 6 of all scores."""
    rng = random.Random(seed)
    while True:
        k = rng.randint(2, 10)
        unknown = rng.random() < 0.3
        if unknown:
            p, n = rng.randint(k, 8 * k), rng.randint(k, 8 * k)
            made = _unknown_folds(rng, p, n, k)
            experiment: sp.Experiment = sp.KFold(p, n, k, stratified=False)
        else:
            top = rng.choice([10, 40, 100])
            made = [(rng.randint(1, top), rng.randint(1, top)) for _ in range(k)]
            experiment = sp.MeanOfScores([sp.TestSet(*fold) for fold in made])
        if made is None:
            continue
        names = rng.sample(oracle.TWENTY, rng.randint(1, 6))
        said = _describe(rng, _matrices(rng, made), names, rng.randint(2, 4), [0])
        if said is not None:
            yield Report(experiment, said[0], said[1])


def tiny_reports(seed: int) -> Iterator[Report]:
    """Experiments small enough to try everything, their reports moved by a few units."""
    rng = random.Random(seed)
    while True:
        if rng.random() < 0.35:
            p, n = rng.randint(2, 5), rng.randint(2, 5)
            made = _unknown_folds(rng, p, n, 2)
            unknown: tuple[int, int, int] | None = (p, n, 2)
            experiment: sp.Experiment = sp.KFold(p, n, 2, stratified=False)
        else:
            made = [(rng.randint(1, 4), rng.randint(1, 4)) for _ in range(rng.choice([2, 2, 3]))]
            unknown = None
            experiment = sp.MeanOfScores([sp.TestSet(*fold) for fold in made])
        if made is None:
            continue
        names = rng.sample(oracle.TWENTY, rng.randint(1, 3))
        said = _describe(rng, _matrices(rng, made), names, rng.randint(1, 4), [0, 0, 0, 1, -1, 2])
        if said is not None:
            yield Report(experiment, said[0], said[1], made, unknown)


def _configurations(report: Report) -> Iterator[list[Fold]]:
    if report.unknown is None:
        yield report.folds
        return
    p, n, _ = report.unknown
    first = (p + n + 1) // 2
    for a in range(max(0, first - n), min(p, first) + 1):
        folds = [(a, first - a), (p - a, n - first + a)]
        if min(sum(x > 0 for x, _ in folds), sum(y > 0 for _, y in folds)) >= 2:
            yield folds


def possible(report: Report) -> bool:
    """Whether any choice of matrices gives the report, by trying all."""
    halves = {"any": 2, "nearest": 1}[report.options["rounding"]]

    def span(text: str) -> tuple[Decimal, Decimal]:
        exact = Decimal(text)
        reach = halves * Decimal(1).scaleb(int(exact.as_tuple().exponent)) / 2
        return exact - reach - TIE, exact + reach + TIE

    asked = []
    for name, text in report.scores.items():
        mean, _, spread = text.partition(" ± ")
        extremes = [
            span(report.options[key][name]) if name in report.options.get(key, {}) else None
            for key in ("minimum", "maximum")
        ]
        asked.append((name, span(mean), span(spread) if spread else None, extremes))
    divisors = {"any": (0, 1), "population": (0,), "sample": (1,)}[report.options.get("divisor", "any")]
    for folds in _configurations(report):
        cells = [[(tp, n - tn, p - tp, tn) for tp in range(p + 1) for tn in range(n + 1)] for p, n in folds]
        table = {name: [[oracle.value(name, *c) for c in one] for one in cells] for name, *_ in asked}
        for at in itertools.product(*(range(len(one)) for one in cells)):
            if all(
                _met([table[name][k][i] for k, i in enumerate(at)], mean, spread, extremes, divisors)
                for name, mean, spread, extremes in asked
            ):
                return True
    return False


def _met(values: list[Decimal | None], mean: Any, spread: Any, extremes: Any, divisors: tuple[int, ...]) -> bool:
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return False
    average = Decimal(sum(known)) / len(known)
    if not mean[0] <= average <= mean[1]:
        return False
    for pick, extreme in zip((min, max), extremes, strict=True):
        if extreme is not None and not extreme[0] <= pick(known) <= extreme[1]:
            return False
    if spread is None:
        return True
    squares = sum((value - average) ** 2 for value in known)
    low = max(spread[0], Decimal(0)) ** 2
    return any(
        low - TIE <= squares / (len(known) - ddof) <= spread[1] ** 2 + TIE for ddof in divisors if len(known) > ddof
    )


def judge_true(report: Report, budget: float = 2.0) -> str:
    """'consistent' or 'undecided', or what went wrong."""
    result = sp.check(report.experiment, report.scores, budget=budget, **report.options)
    if result.verdict is sp.Verdict.INCONSISTENT:
        return f"FALSE ALARM {report}"
    return str(result.verdict)


def judge_tiny(report: Report) -> str:
    """The verdict if trying everything agrees and the certificate holds; what went wrong otherwise."""
    result = sp.check(report.experiment, report.scores, budget=20.0, **report.options)
    truth = possible(report)
    if result.verdict != ("consistent" if truth else "inconsistent"):
        return f"WRONG: {result.verdict} {report}"
    if result.certificate is not None and not sp.verify(result.certificate):
        return f"CERTIFICATE REJECTED {report}"
    return str(result.verdict)
