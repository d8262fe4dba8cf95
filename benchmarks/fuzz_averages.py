"""Random experiments with several evaluation sets, scored and printed: true reports, which are never flagged.

Scores are computed by the oracle, which shares no code with the package. Tiny means are in ``tiny_means``.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import scoreproof as sp
from benchmarks import oracle

Fold = tuple[int, int]
Choice = tuple[tuple[int, int, int, int], ...]  # tp, fp, fn, tn per set


@dataclass(slots=True)
class Report:
    """An experiment and what is said about it."""

    experiment: sp.Experiment
    scores: dict[str, str]
    options: dict[str, Any] = field(default_factory=dict)


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


def nested_reports(seed: int, moves: tuple[int, ...] = (0,)) -> Iterator[Report]:
    """Means over data sets with folds of their own, each with a ± over all folds or over the data sets."""
    rng = random.Random(seed)
    while True:
        count, top = rng.randint(2, 5), rng.choice([8, 40, 400])
        made: list[list[Fold]] = []
        parts: list[sp.Experiment] = []
        for _ in range(count):
            k = rng.choice([1, 2, 3, 5])
            p, n = k * rng.randint(1, top), k * rng.randint(1, top)
            made.append([(p // k, n // k)] * k)
            parts.append(sp.TestSet(p, n) if k == 1 else sp.KFold(p, n, k))
        if all(len(folds) == 1 for folds in made):
            continue
        choices = [_matrices(rng, folds) for folds in made]
        over, ddof, digits = rng.choice(["parts", "folds"]), rng.choice([0, 1]), rng.randint(2, 4)
        options: dict[str, Any] = {
            "rounding": rng.choice(["nearest", "any"]),
            "spread_over": rng.choice(["any", over]),
            "divisor": rng.choice(["any", "sample" if ddof else "population"]),
        }
        scores = _deviating(rng, choices, over, ddof, digits, moves)
        if scores:
            yield Report(sp.MeanOfScores(parts), scores, options)


def _deviating(
    rng: random.Random, choices: list[Choice], over: str, ddof: int, digits: int, moves: tuple[int, ...]
) -> dict[str, str]:
    """Means of means, most with a ±; nothing if a score is undefined."""
    scores = {}
    for name in rng.sample(oracle.TWENTY, rng.randint(1, 4)):
        values = [[oracle.value(name, *cells) for cells in choice] for choice in choices]
        if any(value is None for part in values for value in part):
            return {}
        known = [[value for value in part if value is not None] for part in values]
        means = [sum(part, Decimal(0)) / len(part) for part in known]
        mean = sum(means, Decimal(0)) / len(means)
        _, deviation = _moments(means if over == "parts" else [value for part in known for value in part], ddof)
        scores[name] = _text(mean, digits, rng.choice(moves))
        if not scores or rng.random() < 0.8:
            scores[name] += f" ± {_text(deviation, digits, max(0, rng.choice(moves)))}"
    return scores


def judge_true(report: Report, budget: float = 2.0) -> str:
    """'consistent' or 'undecided', or what went wrong."""
    result = sp.check(report.experiment, report.scores, budget=budget, **report.options, strict=True)
    if result.verdict is sp.Verdict.INCONSISTENT:
        return f"FALSE ALARM {report}"
    return str(result.verdict)
