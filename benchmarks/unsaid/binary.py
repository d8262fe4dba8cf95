"""Unsaid conventions of reports on two classes: one matrix, folds, images, averages over parts of unknown counts."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt

import numpy as np
from scipy import stats

import scoreproof as sp
from benchmarks.unsaid.drawing import Floats, Report, Rng, columns, matrix, printed, ratio, scores_of, test_set, texts

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


def summarised(centre: Callable[[Floats], float], width: Callable[[Floats], float] | None) -> Callable[[Rng], Report]:
    """Scores of folds as a centre, with a ± or without."""

    def draw(rng: Rng) -> Report:
        k = int(rng.choice([5, 10]))
        p, n, made = folds(rng, k)
        values = columns(made, ("acc", "sens") if width else ("acc", "sens", "spec"))
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
    cells = rng.multinomial(400, rng.dirichlet(np.ones(16) * 0.3)).reshape(4, 4) + np.diag(
        [300, *rng.integers(5, 30, 3)]
    )
    right, rows_, given = np.diag(cells), cells.sum(1), cells.sum(0)
    shown = {"ppv": (right / given).mean(), "sens": (right / rows_).mean(), "f1": right.sum() / cells.sum()}
    return Report(sp.AverageOf(), texts(shown, 3))
