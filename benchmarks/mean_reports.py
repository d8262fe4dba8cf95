"""Realistic reports of averaged scores, true and moved: the grid of the map (``average_map``).

Stratified, unstratified and explicit folds, repeats, image sets and nested data sets, from 100 to 20,000 cases; three
to six scores to 3 or 4 digits, some with ±; each report true, and with one mean moved by two of 1, 5 and 20 units.
Behind them come means with a ± over means: over repeats of folds, and over data sets that have folds each. A report
follows from the seed and its place alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

import scoreproof as sp
from scoreproof.catalog import entry
from scoreproof.kinds.binary.experiment import normal_form, stratified_folds, total_counts
from scoreproof.kinds.binary.experiment.normal import weights

Fold = tuple[int, int]
_CASES = (100, 300, 1000, 5000, 20000)
_SHARES = (0.05, 0.2, 0.5)  # of positives
_MOVES = (1, 5, 20)
_USUAL = (
    ("acc", "sens", "spec"),
    ("acc", "sens", "spec", "f1"),
    ("acc", "ppv", "sens", "f1"),
    ("acc", "sens", "spec", "ppv", "f1", "mcc"),
    ("acc", "f1", "mcc"),
    ("sens", "spec", "f1", "gm"),
    ("acc", "sens", "spec", "kappa", "mcc"),
    ("sens", "spec", "ppv", "npv", "acc"),
)
_SCORES = ("acc", "sens", "spec", "ppv", "f1", "mcc", "kappa", "gm", "npv")
_NESTED: tuple[tuple[tuple[int, int, int, int], ...], ...] = (
    ((100, 200, 5, 1), (60, 340, 5, 1), (300, 700, 5, 1)),
    ((38, 262, 10, 1), (268, 500, 10, 1), (212, 357, 10, 1), (81, 225, 10, 1)),
    ((500, 4500, 5, 1), (120, 180, 5, 1)),
    ((38, 262, 5, 10), (268, 500, 5, 10)),
)
_REPEATED = (  # p, n, folds, repeats
    (40, 60, 5, 3),
    (38, 262, 5, 5),
    (60, 240, 10, 3),
    (100, 200, 5, 10),
    (268, 500, 10, 5),
    (212, 357, 10, 10),
    (500, 500, 5, 5),
    (900, 4100, 5, 4),
)
_DEVIATING = (  # data sets, whose means deviate
    ((40, 60, 5, 1), (30, 90, 5, 1), (50, 50, 5, 1)),
    ((100, 200, 5, 1), (60, 340, 5, 1), (300, 700, 5, 1)),
    ((100, 200, 5, 1), (50, 100, 5, 1)),
    ((38, 262, 10, 1), (268, 500, 10, 1), (212, 357, 10, 1), (81, 225, 10, 1)),
    ((500, 500, 5, 1), (400, 600, 5, 1), (250, 750, 5, 1)),
    ((60, 240, 5, 2), (100, 100, 5, 2), (90, 210, 5, 2), (50, 150, 5, 2), (30, 170, 5, 2)),
)


@dataclass(frozen=True, slots=True)
class Report:
    """What is asked, of what sort it is, and by how many units one mean was moved."""

    name: str
    sort: str
    experiment: sp.Experiment
    scores: dict[str, str]
    options: dict[str, Any] = field(default_factory=dict)
    moved: int = 0

    @property
    def row(self) -> str:
        """The line of the map it belongs to."""
        return f"{self.sort}, {'with ±' if any('±' in text for text in self.scores.values()) else 'means only'}"


@cache
def _images(name: str) -> list[Fold]:
    mean = entry(name).readings()[0].experiment
    assert isinstance(mean, sp.MeanOfScores)
    return [total_counts(part) for part in mean.parts]


def _shapes(rng: np.random.Generator) -> Iterator[tuple[str, sp.Experiment]]:
    """The experiments of one grid."""

    def counts(cases: int, share: float) -> Fold:
        p = int(cases * share)
        return p + int(rng.integers(0, 5)), cases - p + int(rng.integers(0, 5))

    number = 0
    for cases in _CASES:
        for k in (3, 5, 10):
            for repeats in (1, 10, 1):
                p, n = counts(cases, _SHARES[number % 3])
                number += 1
                yield "stratified", sp.KFold(p, n, k, repeats=repeats)
            p, n = counts(cases, _SHARES[number % 3])
            yield "unstratified", sp.KFold(p, n, k, stratified=False)
    for cases in _CASES[:3]:
        p, n = counts(cases, 0.2)
        yield "unstratified", sp.KFold(p, n, 5, repeats=10, stratified=False)
    for cases, k in ((100, 4), (300, 5), (300, 10), (1000, 5), (1000, 8), (5000, 5), (20000, 6)):
        parts = rng.dirichlet(np.full(k, 6.0))
        share = rng.uniform(0.1, 0.5)
        uneven = rng.uniform(0.7, 1.3, k)
        folds = [
            (max(2, int(cases * x * share * u)), max(3, int(cases * x * (1 - share))))
            for x, u in zip(parts, uneven, strict=True)
        ]
        yield "explicit folds", sp.MeanOfScores([sp.TestSet(*fold) for fold in folds])
    for name in ("drive", "hrf", "chasedb1") * 3:
        yield "images", sp.MeanOfScores([sp.TestSet(*image) for image in _images(name)])
    for nested in (*_NESTED, *_NESTED[:2]):
        yield "nested", sp.MeanOfScores([sp.KFold(p, n, k, repeats=repeats) for p, n, k, repeats in nested])


def _deviating_shapes() -> Iterator[tuple[str, sp.Experiment]]:
    """Experiments whose ± is over means: of repeats, and of data sets with folds."""
    for p, n, k, repeats in _REPEATED:
        yield "repeats", sp.KFold(p, n, k, repeats=repeats)
    for parts in _DEVIATING:
        yield "parts", sp.MeanOfScores([sp.KFold(p, n, k, repeats=repeats) for p, n, k, repeats in parts])


def _dealt(rng: np.random.Generator, experiment: sp.Experiment) -> list[Fold]:
    """Class counts of the folds, drawn where the experiment leaves them open."""
    if isinstance(experiment, sp.KFold) and not experiment.stratified:
        folds = []
        for _ in range(experiment.repeats):
            labels = np.repeat([1, 0], [experiment.p, experiment.n])
            rng.shuffle(labels)
            folds += [(int(part.sum()), int(len(part) - part.sum())) for part in np.array_split(labels, experiment.k)]
        return folds
    if isinstance(experiment, sp.KFold):
        return stratified_folds(experiment.p, experiment.n, experiment.k) * experiment.repeats
    if isinstance(experiment, sp.MeanOfScores):
        return [fold for part in experiment.parts for fold in _dealt(rng, part)]
    return [total_counts(experiment)]


def _scored(rng: np.random.Generator, folds: list[Fold]) -> tuple[np.ndarray, ...]:
    """Cells of matrices of a classifier that is a little better on some folds than on others."""
    p, n = np.array(folds).T
    centre = [rng.uniform(0.55, 0.95), rng.uniform(0.7, 0.98)]
    sens, spec = (1 / (1 + np.exp(-(np.log(x / (1 - x)) + rng.normal(0, 0.2, len(folds))))) for x in centre)
    tp, tn = rng.binomial(p, sens), rng.binomial(n, spec)
    return tp, n - tn, p - tp, tn


def _text(value: float, unit: int, move: int = 0) -> str:
    whole = int(np.floor(value * unit + 0.5)) + move
    return f"{'-' * (whole < 0)}{abs(whole) // unit}.{abs(whole) % unit:0{len(str(unit)) - 1}d}"


def reports(seed: int) -> Iterator[Report]:
    """All reports of the grid of a seed: every experiment three times."""
    rng = np.random.default_rng(seed)
    for place, (sort, experiment) in enumerate([*_shapes(rng), *_deviating_shapes()]):
        yield from _reported(seed, place, sort, experiment)


def _reported(seed: int, place: int, sort: str, experiment: sp.Experiment) -> Iterator[Report]:
    """One experiment: a true report of it, and two with a mean moved."""
    draw = np.random.default_rng([seed, place])
    names = _USUAL[int(draw.integers(len(_USUAL)))]
    if draw.random() >= 0.7:
        names = tuple(sorted(draw.permutation(_SCORES)[: int(draw.integers(3, 7))].tolist()))
    unit = 10 ** int(draw.choice([3, 4]))
    over = sort if sort in ("repeats", "parts") else ""
    spread = (bool(draw.random() < 0.35) and sort != "nested") or bool(over)
    form = normal_form(experiment)
    weight = np.array([float(one.weight) for one in form.sets])
    deviating = {"repeats": form.repeats, "parts": form.parts}.get(over, tuple(range(len(weight))))
    for _ in range(60):  # until every score is defined
        folds = _dealt(draw, experiment)
        cells = _scored(draw, folds)
        values = {name: sp.score(name).values(*cells) for name in names}
        undefined = any(np.isnan(mine).any() for mine in values.values())
        if not undefined:
            break
    options = {"undefined": "zero" if undefined else str(draw.choice(["exclude", "any"]))}
    options["rounding"] = "any" if draw.random() < 0.65 else "nearest"
    if over:
        options["spread_over"] = over
    values = {name: np.nan_to_num(mine) for name, mine in values.items()}
    for move in (0, *sorted(draw.permutation(_MOVES)[:2].tolist())):
        who = str(draw.choice(names))
        sign = int(draw.choice([-1, 1]))
        scores = {}
        for name, mine in values.items():
            scores[name] = _text(float((weight * mine).sum()), unit, sign * move if name == who else 0)
            if spread:
                means = [sum(float(share) * mine[at] for at, share in weights(part).items()) for part in deviating]
                scores[name] += f" ± {_text(float(np.std(means, ddof=place % 2)), unit)}"
        yield Report(f"{place:03d}-{move}", sort, experiment, scores, options, move)
