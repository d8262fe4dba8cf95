"""True reports in conventions that authors use without saying so, from their definitions on random data.

Nothing here goes through scoreproof's own writers: numpy computes what the convention says, ``format`` prints it. A
report is an experiment and scores for ``check``, or a claim of significance, or a problem that audits pose; it is asked
as if nothing had been said of the convention. ``CONVENTIONS`` names the entry of the registry that each follows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from inspect import signature
from math import comb, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

import scoreproof as sp
from scoreproof import claims
from scoreproof.checking import ask, with_conventions
from scoreproof.claims.recheck import Standing
from scoreproof.kinds.shared_variance import shared_variance
from scoreproof.reported.conventions import told
from scoreproof.work.budget import Budget

Rng = np.random.Generator
Floats = NDArray[np.float64]
BUDGET = 4.0  # seconds of a check


@dataclass(frozen=True, slots=True)
class Report:
    """A printed report, and how it is asked: ``check`` of an experiment, a claim, or a problem."""

    experiment: Any = None
    scores: dict[str, Any] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)
    claim: Callable[..., Any] | None = None
    problem: Any = None

    def verdict(self, *, strict: bool) -> str:
        """What scoreproof says of it, in the words of ``check``."""
        if self.claim is not None:
            more = {"strict": True} if strict and "strict" in signature(self.claim).parameters else {}
            standing = self.claim(**self.options, **more).verdict
            return {Standing.IMPOSSIBLE: "inconsistent", Standing.UNEXPLAINED: "question"}.get(standing, "consistent")
        if self.problem is not None:
            deadline = Budget(BUDGET)
            answer = with_conventions(ask(self.problem, budget=deadline), told({"strict": strict}), deadline)
            return str(answer.verdict)
        answer = sp.check(self.experiment, self.scores, budget=BUDGET, strict=strict, **self.options)
        return str(answer.verdict)


def printed(value: float, digits: int) -> str:
    return f"{value:.{digits}f}"


def ratio(top: float, bottom: float, otherwise: float = 0.0) -> float:
    return top / bottom if bottom else otherwise


def scores_of(tp: float, fp: float, fn: float, tn: float) -> dict[str, float]:
    """The scores of a matrix, 0/0 as 0."""
    return {
        "acc": (tp + tn) / (tp + fp + fn + tn),
        "sens": ratio(tp, tp + fn),
        "spec": ratio(tn, tn + fp),
        "ppv": ratio(tp, tp + fp),
        "npv": ratio(tn, tn + fn),
        "f1": ratio(2 * tp, 2 * tp + fp + fn),
        "ji": ratio(tp, tp + fp + fn),
    }


def matrix(rng: Rng, p: int, n: int, skill: tuple[float, float] = (0.6, 0.95)) -> tuple[int, int, int, int]:
    tp, tn = rng.binomial(p, rng.uniform(*skill)), rng.binomial(n, rng.uniform(*skill))
    return int(tp), int(n - tn), int(p - tp), int(tn)


def test_set(rng: Rng) -> tuple[int, int]:
    return int(rng.integers(20, 120)), int(rng.integers(40, 300))


def texts(values: dict[str, float], digits: int) -> dict[str, str]:
    return {name: printed(value, digits) for name, value in values.items()}


# one confusion matrix


def other_class(rng: Rng) -> Report:
    p, n = test_set(rng)
    tp, fp, fn, tn = matrix(rng, p, n)
    own = scores_of(tn, fn, fp, tp)
    return Report(sp.TestSet(p, n), texts({k: own[k] for k in ("acc", "sens", "ppv", "f1")}, 3))


def class_average(weighted: bool) -> Callable[[Rng], Report]:
    def draw(rng: Rng) -> Report:
        p, n = test_set(rng)
        tp, fp, fn, tn = matrix(rng, p, n)
        first, second = scores_of(tp, fp, fn, tn), scores_of(tn, fn, fp, tp)
        share = p / (p + n) if weighted else 0.5
        mean = {k: share * first[k] + (1 - share) * second[k] for k in ("sens", "ppv", "f1")}
        return Report(sp.TestSet(p, n), texts({"acc": first["acc"], **mean}, 3))

    return draw


def half_precision(rng: Rng) -> Report:
    p, n = test_set(rng)
    own = scores_of(*matrix(rng, p, n))
    kept = {k: float(np.float16(own[k])) for k in ("acc", "sens", "spec", "f1")}
    return Report(sp.TestSet(p, n), texts(kept, 4))


def smoothing(constant: float) -> Callable[[Rng], Report]:
    def draw(rng: Rng) -> Report:
        p, n = test_set(rng)
        tp, fp, fn, _ = matrix(rng, p, n)
        dice = (2 * tp + constant) / (2 * tp + fp + fn + constant)
        iou = (tp + constant) / (tp + fp + fn + constant)
        return Report(sp.TestSet(p, n), texts({"dice": dice, "iou": iou}, 4))

    return draw


def batches(drop_last: bool) -> Callable[[Rng], Report]:
    def draw(rng: Rng) -> Report:
        p, n = test_set(rng)
        tp, fp, fn, tn = matrix(rng, p, n)
        right = rng.permutation(np.repeat([1.0, 0.0], [tp + tn, fp + fn]))
        size = int(rng.choice([16, 32]))
        parts = [right[i : i + size].mean() for i in range(0, p + n, size) if not drop_last or i + size <= p + n]
        own = scores_of(tp, fp, fn, tn)
        return Report(sp.TestSet(p, n), texts({"acc": float(np.mean(parts)), "sens": own["sens"], "f1": own["f1"]}, 3))

    return draw


# folds and images


def folds(rng: Rng, k: int, stratified: bool = True) -> tuple[int, int, list[tuple[int, int, int, int]]]:
    """The matrix of every fold; the cases of a class are dealt out one by one, as scikit-learn does."""
    p, n = k * int(rng.integers(3, 12)) + int(rng.integers(0, k)), k * int(rng.integers(5, 25))
    low = rng.uniform(0.6, 0.85)
    made = []
    for i in range(k):
        own = p // k + (i < p % k), n // k + (i < n % k)
        made.append(matrix(rng, *own, (low, low + 0.1)))
    return p, n, made


def columns(made: list[tuple[int, int, int, int]], names: tuple[str, ...]) -> dict[str, Floats]:
    values = [scores_of(*each) for each in made]
    return {name: np.array([own[name] for own in values]) for name in names}


def summarised(centre: Callable[[Floats], float], width: Callable[[Floats], float] | None) -> Callable[[Rng], Report]:
    """Scores of folds as a centre, with a ± or without."""

    def draw(rng: Rng) -> Report:
        k = int(rng.choice([5, 10]))
        p, n, made = folds(rng, k)
        values = columns(made, ("acc", "sens"))
        shown = {
            name: printed(centre(own), 3) + (f" ± {printed(width(own), 3)}" if width else "")
            for name, own in values.items()
        }
        return Report(sp.KFold(p, n, k), shown)

    return draw


def standard_error(values: Floats) -> float:
    return float(values.std(ddof=1) / sqrt(len(values)))


def student(values: Floats) -> float:
    return float(stats.t.ppf(0.975, len(values) - 1)) * standard_error(values)


def absolute_deviation(values: Floats) -> float:
    return float(np.abs(values - values.mean()).mean())


def half_range(values: Floats) -> float:
    return float(np.ptp(values) / 2)


def deviations_of_repeats(rng: Rng) -> Report:
    k, repeats = 5, 4
    p, n = 5 * int(rng.integers(3, 12)), 5 * int(rng.integers(5, 25))
    runs = [columns([matrix(rng, p // k, n // k) for _ in range(k)], ("acc",))["acc"] for _ in range(repeats)]
    text = f"{printed(float(np.mean(runs)), 3)} ± {printed(float(np.mean([r.std(ddof=1) for r in runs])), 3)}"
    return Report(sp.KFold(p, n, k, repeats=repeats), {"acc": text})


def f1_of_means(rng: Rng) -> Report:
    p, n, made = folds(rng, 5)
    mean = {name: float(own.mean()) for name, own in columns(made, ("ppv", "sens")).items()}
    f1 = 2 * mean["ppv"] * mean["sens"] / (mean["ppv"] + mean["sens"])
    return Report(sp.KFold(p, n, 5), texts({**mean, "f1": f1}, 4))


def pooled_accuracy(rng: Rng) -> Report:
    p, n, made = folds(rng, 5)
    mean = {name: float(own.mean()) for name, own in columns(made, ("sens", "spec")).items()}
    right = sum(tp + tn for tp, _, _, tn in made)
    return Report(sp.KFold(p, n, 5), texts({"acc": right / (p + n), **mean}, 4))


def whole_subjects(rng: Rng) -> Report:
    owners = np.repeat(np.arange(40), rng.integers(1, 12, 40))
    labels = rng.random(len(owners)) < 0.4
    made = []
    for part in np.array_split(rng.permutation(40), 5):
        own = labels[np.isin(owners, part)]
        made.append(matrix(rng, int(own.sum()), int((~own).sum())))
    mean = {name: float(own.mean()) for name, own in columns(made, ("acc", "sens", "spec")).items()}
    return Report(sp.KFold(int(labels.sum()), int((~labels).sum()), 5), texts(mean, 3))


def empty_masks(rng: Rng) -> Report:
    sizes = [(int(rng.integers(0, 3)) * int(rng.integers(1, 40)), int(rng.integers(60, 200))) for _ in range(8)]
    dice = []
    for p, n in sizes:
        tp, fp, fn, _ = matrix(rng, p, n, (0.9, 1.0))
        fp = 0 if p == 0 else fp
        dice.append(ratio(2 * tp, 2 * tp + fp + fn, 1.0))
    parts = sp.MeanOfScores([sp.TestSet(p, n) for p, n in sizes])
    return Report(parts, {"dice": printed(float(np.mean(dice)), 3)})


# averages over parts of unknown counts


def images(rng: Rng, number: int = 12) -> list[tuple[int, int, int, int]]:
    return [matrix(rng, int(rng.integers(2, 400)), 3000, (0.3, 1.0)) for _ in range(number)]


def iou_of_all(rng: Rng) -> Report:
    made = images(rng)
    dice = float(columns(made, ("f1",))["f1"].mean())
    total = np.sum(made, axis=0)
    return Report(sp.AverageOf(len(made)), texts({"dice": dice, "iou": scores_of(*total)["ji"]}, 3))


def iou_with_background(rng: Rng) -> Report:
    made = images(rng)
    dice = float(columns(made, ("f1",))["f1"].mean())
    both = [(scores_of(*m)["ji"] + scores_of(m[3], m[2], m[1], m[0])["ji"]) / 2 for m in made]
    return Report(sp.AverageOf(len(made)), texts({"dice": dice, "iou": float(np.mean(both))}, 3))


def parts_without_hits(rng: Rng) -> list[tuple[int, int, int, int]]:
    made = [matrix(rng, int(rng.integers(2, 20)), 100) for _ in range(10)]
    return [(0, fp + 1, tp + fn, tn) if rng.random() < 0.3 else (tp, fp, fn, tn) for tp, fp, fn, tn in made]


def f1_left_out(rng: Rng) -> Report:
    made = parts_without_hits(rng)
    own = columns(made, ("ppv", "sens", "f1"))
    hits = np.array([tp > 0 for tp, *_ in made])
    shown = {"ppv": own["ppv"].mean(), "sens": own["sens"].mean(), "f1": own["f1"][hits].mean()}
    return Report(sp.AverageOf(len(made)), texts(shown, 3))


def precision_left_out(rng: Rng) -> Report:
    made = [(0, 0, tp + fn, tn + fp) if rng.random() < 0.2 else (tp, fp, fn, tn) for tp, fp, fn, tn in images(rng, 10)]
    own = columns(made, ("ppv", "sens", "f1"))
    given = np.array([tp + fp > 0 for tp, fp, *_ in made])
    shown = {"ppv": own["ppv"][given].mean(), "sens": own["sens"].mean(), "f1": own["f1"].mean()}
    return Report(sp.AverageOf(), texts(shown, 3))


def mixed_averages(rng: Rng) -> Report:
    cells = rng.multinomial(400, rng.dirichlet(np.ones(16) * 0.3)).reshape(4, 4) + np.diag(rng.integers(5, 90, 4))
    right, rows_, given = np.diag(cells), cells.sum(1), cells.sum(0)
    shown = {"ppv": (right / given).mean(), "sens": (right / rows_).mean(), "f1": right.sum() / cells.sum()}
    return Report(sp.AverageOf(), texts(shown, 3))


# predicted numbers


def predictions(rng: Rng, n: int, noise: tuple[float, float] = (0.3, 1.5)) -> tuple[Floats, Floats]:
    y = rng.normal(10, 3, n)
    return y, y + rng.normal(rng.uniform(-0.5, 0.5), rng.uniform(*noise), n)


def error_batches(rng: Rng) -> Report:
    n = int(rng.integers(100, 400))
    y, q = predictions(rng, n)
    errors = (y - q) * np.where(rng.random(n) < 0.1, 3, 1)
    parts = [errors[i : i + 32] for i in range(0, n, 32)]
    shown = {
        "mse": np.mean([(e**2).mean() for e in parts]),
        "rmse": np.mean([np.sqrt((e**2).mean()) for e in parts]),
        "mae": np.mean([np.abs(e).mean() for e in parts]),
    }
    return Report(sp.Regression(n), texts(shown, 4))


def residual_error(beside: bool) -> Callable[[Rng], Report]:
    def draw(rng: Rng) -> Report:
        n, k = int(rng.integers(15, 80)), int(rng.integers(1, 6))
        y, q = predictions(rng, n)
        e = y - q
        rmse = sqrt((e**2).sum() / (n - k - 1))
        r2 = 1 - (e**2).sum() / ((y - y.mean()) ** 2).sum()
        other = {"mae": np.abs(e).mean(), "maxe": np.abs(e).max(), "r2": r2} if beside else {"mse": (e**2).mean()}
        return Report(sp.Regression(n), texts({"rmse": rmse, **other}, 3))

    return draw


def root_of_mean(rng: Rng) -> Report:
    parts = [np.subtract(*predictions(rng, 40)) for _ in range(5)]
    squares = np.array([(e**2).mean() for e in parts])
    rmse = f"{printed(sqrt(squares.mean()), 3)} ± {printed(float(np.sqrt(squares).std(ddof=1)), 3)}"
    return Report(sp.Regression(folds=5), {"rmse": rmse, "mse": printed(float(squares.mean()), 3)})


def adjusted(rng: Rng) -> Report:
    n, k = int(rng.integers(20, 60)), int(rng.integers(2, 8))
    y, q = predictions(rng, n, (1.0, 3.0))
    r2 = 1 - ((y - q) ** 2).sum() / ((y - y.mean()) ** 2).sum()
    return Report(
        sp.Regression(n, predictors=k), texts({"r2": r2, "adjusted_r2": 1 - (1 - r2) * (n - 1) / (n - k - 2)}, 4)
    )


def squared_correlation(rng: Rng) -> Report:
    n = int(rng.integers(30, 100))
    y, q = predictions(rng, n)
    q = q + rng.uniform(0, 2)
    shown = {"rmse": sqrt(((y - q) ** 2).mean()), "mae": np.abs(y - q).mean(), "r2": np.corrcoef(y, q)[0, 1] ** 2}
    if rng.random() < 0.5:
        shown["variance"] = y.var()
    return Report(sp.Regression(n), texts(shown, 3))


def rows_compared(rng: Rng) -> Report:
    y, first = predictions(rng, 60)
    shown = {}
    for name, q in (("A", first), ("B", y + rng.normal(1.0, 2.0, 60))):
        shown[name] = texts({"mse": ((y - q) ** 2).mean(), "r2": np.corrcoef(y, q)[0, 1] ** 2}, 3)
    return Report(problem=shared_variance(shown))


# several classes


def confusion(rng: Rng, k: int) -> NDArray[np.int64]:
    cells = rng.multinomial(int(rng.integers(100, 300)), rng.dirichlet(np.ones(k * k) * 0.5)).reshape(k, k)
    made: NDArray[np.int64] = cells + np.diag(rng.integers(10, 60, k))
    return made


def class_scores(cells: NDArray[np.int64]) -> dict[str, Floats]:
    right, rows_, given = np.diag(cells), cells.sum(1), cells.sum(0)
    with np.errstate(all="ignore"):
        return {
            "ppv": np.nan_to_num(right / given),
            "sens": np.nan_to_num(right / rows_),
            "f1": np.nan_to_num(2 * right / (given + rows_)),
        }


def one_against_rest(rng: Rng) -> Report:
    cells = confusion(rng, 4)
    wrong = cells.sum() - np.trace(cells)
    acc = 1 - 2 * wrong / (4 * cells.sum())
    shown = {"acc": acc, "macro recall": class_scores(cells)["sens"].mean()}
    return Report(sp.MultiClass(cells.sum(1).tolist()), texts(shown, 3))


def quadratic_kappa(rng: Rng) -> Report:
    cells = confusion(rng, 4)
    weights = np.subtract.outer(np.arange(4), np.arange(4)) ** 2
    expected = np.outer(cells.sum(1), cells.sum(0)) / cells.sum()
    shown = {"acc": np.trace(cells) / cells.sum(), "kappa": 1 - (weights * cells).sum() / (weights * expected).sum()}
    return Report(sp.MultiClass(cells.sum(1).tolist()), texts(shown, 3))


def with_an_empty_class(predicted: bool) -> Callable[[Rng], Report]:
    """A listed class without cases: given to some cases, or to none while another is never given."""

    def draw(rng: Rng) -> Report:
        cells = confusion(rng, 4)
        cells[3] = 0
        if not predicted:
            cells[:, 3] = 0
            cells[:, 1], cells[:, 2] = 0, cells[:, 1] + cells[:, 2]
        own = class_scores(cells)
        f1 = own["f1"].mean() if predicted else own["f1"][:3].mean()
        shown = {"acc": np.trace(cells) / cells.sum(), "bacc": own["sens"][:3].mean(), "macro f1": f1}
        return Report(sp.MultiClass(cells.sum(1).tolist()), texts(shown, 3))

    return draw


def weighted_f1(rng: Rng) -> Report:
    cells = confusion(rng, 3)
    weights = cells.sum(1) / cells.sum()
    p, r = (float((class_scores(cells)[name] * weights).sum()) for name in ("ppv", "sens"))
    shown = {"weighted precision": p, "weighted recall": r, "weighted f1": 2 * p * r / (p + r)}
    return Report(sp.MultiClass(cells.sum(1).tolist()), texts(shown, 3))


def transposed(rng: Rng) -> Report:
    cells = confusion(rng, 3)
    own = class_scores(cells)
    shown = {name: [printed(v, 3) for v in own[name]] for name in ("ppv", "sens")}
    return Report(sp.PrintedClasses(cells.T.tolist()), shown)


def adjusted_shares(rng: Rng) -> Report:
    cells = confusion(rng, 4)
    rows_ = []
    for row in cells:
        share = row / row.sum() * 1000
        units = np.floor(share).astype(int)
        for place in np.argsort(units - share)[: 1000 - units.sum()]:
            units[place] += 1
        if rng.random() < 0.5:  # by hand: rounded, and the largest takes the rest
            units = np.round(share).astype(int)
            units[np.argmax(units)] += 1000 - units.sum()
        rows_.append([f"{u / 10:.1f}%" for u in units])
    shown = {"acc": printed(np.trace(cells) / cells.sum(), 4)}
    return Report(sp.PrintedClasses(rows_, counts=cells.sum(1).tolist()), shown, {"rounding": "nearest"})


# detectors, rankings, curves


def yolo(classes: int) -> Callable[[Rng], Report]:
    """Precision, recall and F1 where the mean F1 is greatest, each curve interpolated at 1,000 confidences."""

    def draw(rng: Rng) -> Report:
        grid = np.linspace(0, 1, 1000)
        curves, objects = [], 0
        for _ in range(classes):
            true = int(rng.integers(30, 200))
            objects += true
            right = np.sort(rng.beta(4, 2, int(true * rng.uniform(0.7, 0.95))))
            wrong = np.sort(rng.beta(2, 4, int(true * rng.uniform(0.3, 1.0))))
            at = np.sort(np.concatenate([right, wrong]))
            tp, fp = (len(own) - np.searchsorted(own, at) for own in (right, wrong))
            p = np.interp(grid, at, tp / np.maximum(tp + fp, 1))
            r = np.interp(grid, at, tp / true, right=0)
            curves.append((p, r, 2 * p * r / (p + r + 1e-16)))
        mean = np.mean(curves, axis=0)
        best = int(np.argmax(mean[2]))
        shown = dict(zip(("precision", "recall", "f1"), mean[:, best], strict=True))
        return Report(sp.Detection(objects), texts(shown, 3))

    return draw


def several_relevant(rng: Rng) -> Report:
    queries, first, recall = int(rng.integers(50, 300)), [], []
    for _ in range(queries):
        places = np.sort(rng.choice(np.arange(1, 60), int(rng.integers(2, 8)), replace=False))
        first.append(1 / places[0])
        recall.append((places <= 10).mean())
    shown = {"mrr": float(np.mean(first)), "recall@10": float(np.mean(recall))}
    return Report(sp.Ranking(queries), texts(shown, 3))


def tied_ranks(rng: Rng) -> Report:
    queries = int(rng.integers(50, 300))
    best = rng.geometric(0.3, queries)
    ranks = best + rng.integers(0, 3, queries) / 2
    shown = {"mrr": (1 / ranks).mean(), "hits@1": (ranks <= 1).mean(), "hits@3": (ranks <= 3).mean()}
    return Report(sp.Ranking(queries), texts({**shown, "mr": ranks.mean()}, 4))


def ranked(rng: Rng) -> tuple[int, int, NDArray[np.bool_]]:
    p, n = int(rng.integers(15, 60)), int(rng.integers(20, 120))
    score = np.concatenate([rng.normal(1.2, 1, p), rng.normal(0, 1, n)])
    return p, n, (np.arange(p + n) < p)[np.argsort(-score)]


def operating_point(order: NDArray[np.bool_], p: int, n: int, at: int) -> dict[str, float]:
    tp = int(order[:at].sum())
    return {"sens": tp / p, "spec": (n - at + tp) / n}


def area(kind: str) -> Callable[[Rng], Report]:
    """The area under a curve by another rule, beside sensitivity and specificity at a threshold."""

    def draw(rng: Rng) -> Report:
        p, n, order = ranked(rng)
        tp, fp = np.cumsum(order), np.cumsum(~order)
        recall, precision = tp / p, tp / (tp + fp)
        tpr, fpr = np.concatenate([[0], recall]), np.concatenate([[0], fp / n])
        if kind == "hull":
            kept: list[int] = []
            for i in range(len(tpr)):
                while len(kept) > 1 and (fpr[i] - fpr[kept[-2]]) * (tpr[kept[-1]] - tpr[kept[-2]]) <= (
                    fpr[kept[-1]] - fpr[kept[-2]]
                ) * (tpr[i] - tpr[kept[-2]]):
                    kept.pop()
                kept.append(i)
            shown = {"auc": np.trapezoid(tpr[kept], fpr[kept])}
        elif kind == "thresholds":
            kept = sorted({0, len(tpr) - 1, *rng.choice(len(tpr), min(60, len(tpr)), replace=False)})
            shown = {"auc": np.trapezoid(tpr[kept], fpr[kept])}
        elif kind == "first point":
            shown = {"auprc": np.trapezoid(precision, recall)}
        else:
            shown = {
                "auprc": np.trapezoid(np.concatenate([[1.0], precision]), np.concatenate([[0], recall])),
            }
        at = int(rng.integers(5, p + n - 5))
        return Report(sp.TestSet(p, n), texts({**shown, **operating_point(order, p, n, at)}, 3))

    return draw


# runs, ranks of methods, tests


def mean_of_runs(rng: Rng) -> Report:
    p, n = test_set(rng)
    made = [matrix(rng, p, n) for _ in range(int(rng.choice([3, 5])))]
    mean = {name: float(own.mean()) for name, own in columns(made, ("ppv", "sens", "f1")).items()}
    return Report(sp.UnknownClasses(), texts(mean, 4))


def tied_methods(rule: str) -> Callable[[Rng], Report]:
    def draw(rng: Rng) -> Report:
        sets, methods = int(rng.integers(5, 20)), int(rng.integers(3, 7))
        values = np.round(rng.normal(0.8, 0.02, (sets, methods)), 2)
        ranks = np.array([stats.rankdata(-row, method=rule) for row in values]).mean(0)
        return Report(claim=claims.ranks, options={"means": [printed(r, 2) for r in ranks], "datasets": sets})

    return draw


def spread_of(width: Callable[[Floats], float], *, signed: bool = False, kind: str = "any") -> Callable[[Rng], Report]:
    def draw(rng: Rng) -> Report:
        k = int(rng.integers(2, 7))
        values = rng.uniform(-1, 1, k) if signed else (rng.random(k) < 0.85) * rng.uniform(0.9, 1.0, k)
        text = f"{printed(float(values.mean()), 3)} ± {printed(width(values), 3)}"
        return Report(claim=claims.spread, options={"value": text, "k": k, "kind": kind})

    return draw


def mcnemar(method: str) -> Callable[[Rng], Report]:
    def draw(rng: Rng) -> Report:
        n = int(rng.integers(50, 400))
        b, c = int(rng.integers(5, 20)), int(rng.integers(0, 12))
        both = int(rng.integers(0, n - b - c))
        if method == "mid-p":
            tail = sum(comb(b + c, i) for i in range(min(b, c) + 1)) / 2 ** (b + c)
            p = min(1.0, 2 * tail - comb(b + c, min(b, c)) / 2 ** (b + c))
        else:
            less = {"chi2": 0.0, "chi2-corrected": 1.0, "half": 0.5}[method]
            p = float(stats.chi2.sf(max(abs(b - c) - less, 0) ** 2 / (b + c), 1))
        shown = {"a": f"{both + b}/{n}", "b": f"{both + c}/{n}", "p": printed(p, 4)}
        return Report(claim=claims.mcnemar, options=shown)

    return draw


def deviation(values: Floats) -> float:
    return float(values.std(ddof=1))


def _times(factor: float, width: Callable[[Floats], float]) -> Callable[[Floats], float]:
    return lambda values: factor * width(values)


@dataclass(frozen=True, slots=True)
class Practice:
    """A convention as it is practised: the kind of the report, in words, the entry of the registry, and a report."""

    kind: str
    what: str
    entry: str
    draw: Callable[[Rng], Report]


def _mean(values: Floats) -> float:
    return float(values.mean())


def _median(values: Floats) -> float:
    return float(np.median(values))


CONVENTIONS = (
    Practice("regression", "MSE, RMSE, MAE are means over batches", "means of batches", error_batches),
    Practice("regression", "RMSE divided by n - k - 1, MSE by n", "residual standard error", residual_error(False)),
    Practice("regression", "RMSE is the root of the mean MSE of folds", "errors of all folds", root_of_mean),
    Practice("binary", "the positive class is the other one", "classes exchanged", other_class),
    Practice("binary", "precision, recall, F1 are macro averages", "macro averages", class_average(False)),
    Practice("binary", "precision, recall, F1 are weighted averages", "weighted averages", class_average(True)),
    Practice("common_average", "Dice per image, IoU of all pixels", "IoU of all pixels", iou_of_all),
    Practice("printed_classes", "predictions as rows", "predictions as rows", transposed),
    Practice("common_average", "mean IoU counts the background", "IoU with background", iou_with_background),
    Practice("regression", "adjusted R2 counts the intercept", "intercept counted", adjusted),
    Practice("shared_variance", "R2 is the squared correlation", "squared correlations compared", rows_compared),
    Practice("multi_class", "mean one-against-rest accuracy", "one-against-rest accuracy", one_against_rest),
    Practice("detection", "YOLO, means over classes", "detections by class", yolo(4)),
    Practice("common_average", "F1 without hits is left out", "F1 without hits left out", f1_left_out),
    Practice("value_spread", "± is half an interval", "95 % interval by t", spread_of(student)),
    Practice("binary", "half precision, 4 digits", "half precision", half_precision),
    Practice("value_spread", "± is a standard error", "standard error", spread_of(standard_error)),
    Practice("value_spread", "values of MCC", "values below zero", spread_of(deviation, signed=True)),
    Practice("binary", "median over folds", "medians over folds", summarised(_median, None)),
    Practice("detection", "YOLO, one class, interpolated", "interpolated detections", yolo(1)),
    Practice("unknown_classes", "mean of 3 or 5 runs", "mean of runs", mean_of_runs),
    Practice("common_average", "macro P and R, micro F1", "mixed averages", mixed_averages),
    Practice("binary", "Dice, IoU with smoothing 1", "smoothing by one", smoothing(1)),
    Practice("regression", "RMSE divided by n - k - 1, others", "residual standard error", residual_error(True)),
    Practice("paired_counts", "chi2", "form of McNemar's test", mcnemar("chi2")),
    Practice("mean_ranks", "tied methods get the min rank", "smallest or dense ranks", tied_methods("min")),
    Practice("binary", "mean of batch accuracies, drop_last", "means of batch accuracies", batches(True)),
    Practice("ranking", "recall@10 of several relevant items", "several relevant items", several_relevant),
    Practice("binary", "mean of batch accuracies", "means of batch accuracies", batches(False)),
    Practice("binary", "± is a standard error", "standard error", summarised(_mean, standard_error)),
    Practice("paired_counts", "chi2, corrected", "form of McNemar's test", mcnemar("chi2-corrected")),
    Practice("paired_counts", "mid-p", "form of McNemar's test", mcnemar("mid-p")),
    Practice("mean_ranks", "tied methods get the dense rank", "smallest or dense ranks", tied_methods("dense")),
    Practice("value_spread", "± is 2 sd", "two deviations", spread_of(_times(2, deviation))),
    Practice("ranking", "tied items share a rank", "ranks between ties", tied_ranks),
    Practice("multi_class", "kappa is quadratic weighted", "weighted kappa", quadratic_kappa),
    Practice("binary", "± is 1.96 standard errors", "95 % interval", summarised(_mean, _times(1.96, standard_error))),
    Practice("binary", "folds of whole subjects", "folds of whole subjects", whole_subjects),
    Practice("regression", "R2 is the squared correlation", "squared correlation", squared_correlation),
    Practice("paired_counts", "Yates' 0.5", "Yates' correction by a half", mcnemar("half")),
    Practice("binary", "± is a half-width by t", "95 % interval by t", summarised(_mean, student)),
    Practice("binary", "± is a mean absolute deviation", "another spread", summarised(_mean, absolute_deviation)),
    Practice("binary", "F1 of the mean precision and recall", "F1 of means", f1_of_means),
    Practice("binary", "± is 2 sd", "two deviations", summarised(_mean, _times(2, deviation))),
    Practice("curve", "AUPRC without its first point", "curve without its first point", area("first point")),
    Practice("binary", "± is half the range", "another spread", summarised(_mean, half_range)),
    Practice("binary", "accuracy pooled, others means", "pooled accuracy", pooled_accuracy),
    Practice("printed_shares", "rows made to add up to 100", "shares made to add up", adjusted_shares),
    Practice("binary", "± is the mean of the repeats' deviations", "another spread", deviations_of_repeats),
    Practice("multi_class", "a class without cases left out", "empty classes left out", with_an_empty_class(False)),
    Practice("curve", "AUC of the convex hull", "AUC of the hull", area("hull")),
    Practice("binary", "Dice, IoU with smoothing 1e-5", "small smoothing", smoothing(1e-5)),
    Practice("binary", "Dice, IoU with smoothing 1e-6", "small smoothing", smoothing(1e-6)),
    Practice("binary", "Dice, IoU with smoothing 1e-7", "small smoothing", smoothing(1e-7)),
    Practice("binary", "Dice of an empty mask is 1", "empty masks", empty_masks),
    Practice("common_average", "undefined precision left out", "undefined precision left out", precision_left_out),
    Practice("curve", "AP by trapezoids", "AP by trapezoids", area("trapezoids")),
    Practice("curve", "AUC at thresholds", "AUC at thresholds", area("thresholds")),
    Practice("multi_class", "a class without cases", "predicted classes without cases", with_an_empty_class(True)),
    Practice("multi_class", "weighted F1 from weighted P and R", "F1 of averages", weighted_f1),
    Practice(
        "value_spread", "± is half an interval, unknown", "95 % interval by t", spread_of(student, kind="unknown")
    ),
    Practice("value_spread", "± is 2 sd, unknown", "two deviations", spread_of(_times(2, deviation), kind="unknown")),
    Practice("value_spread", "± is an error, unknown", "standard error", spread_of(standard_error, kind="unknown")),
)


def reports(practice: Practice, number: int, seed: int = 0) -> Iterator[Report]:
    """So many true reports."""
    rng = np.random.default_rng([seed, CONVENTIONS.index(practice)])
    for _ in range(number):
        yield practice.draw(rng)
