"""True reports of the kinds that need no counts, made by scikit-learn and numpy and printed as programs print.

Averages over classes, folds and images; errors of predicted numbers, of one evaluation and as means over folds; pairs
of models on one test set. None of them may be flagged. An ``undecided`` is no error.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from sklearn import metrics

import scoreproof as sp
from benchmarks.honest.printing import PRINTERS, Printer
from scoreproof.checking import ask
from scoreproof.errors import InvalidValue
from scoreproof.kinds.regression.kind import shared_variance

_SLOW = {"to_csv", "to_csv float_format", "to_latex", "to_markdown", "to_string", "to_excel"}  # tried by make honest
_ALL = [printer for name, printer in PRINTERS.items() if name not in _SLOW]
_PLAIN = [printer for printer in _ALL if "%" not in printer.write(0.5, 3)]


class TrueReport(NamedTuple):
    """An experiment and what is said about it; two rows of scores for one test set."""

    experiment: Any
    scores: dict[str, Any]
    options: dict[str, Any]


def _printed(rng: np.random.Generator, values: dict[str, float]) -> tuple[dict[str, str], dict[str, Any]]:
    """The values by one printer, with one number of decimals; percentages are for shares only."""
    shares = all(0 <= value <= 1 for value in values.values())
    printers: list[Printer] = _ALL if shares else _PLAIN
    printer = printers[int(rng.integers(len(printers)))]
    digits = int(rng.integers(1, 6))
    texts = {name: printer.write(value, digits) for name, value in values.items()}
    return texts, {"rounding": "nearest"} if printer.nearest and rng.random() < 0.5 else {}


def _averages_of_classes(rng: np.random.Generator) -> TrueReport:
    classes, cases = int(rng.integers(2, 9)), int(rng.integers(3, 200))
    true = rng.choice(classes, cases, p=rng.dirichlet(np.ones(classes)))
    answer = np.where(rng.random(cases) < rng.random(), true, rng.integers(0, classes, cases))
    how = str(rng.choice(["macro", "weighted", "micro"]))
    zero, beta = int(rng.integers(0, 2)), float(rng.choice([1, 2, 0.5]))
    p, r, f, _ = metrics.precision_recall_fscore_support(true, answer, beta=beta, average=how, zero_division=zero)
    jaccard = metrics.jaccard_score(true, answer, average=how, zero_division=zero)
    values = {"ppv": float(p), "sens": float(r), f"f{beta:g}": float(f), "ji": float(jaccard)}
    texts, options = _printed(rng, _some(rng, values))
    known = how == "macro" and rng.random() < 0.5
    number = len(set(true) | set(answer))
    return TrueReport(sp.AverageOf(number if known else None), texts, options)


def _averages_of_images(rng: np.random.Generator) -> TrueReport:
    """Dice, Jaccard, precision, recall, accuracy, specificity of images, with or without their deviation."""
    images, pixels = int(rng.integers(1, 40)), int(rng.integers(4, 60))
    truth = rng.random((images, pixels)) < rng.random((images, 1))
    answer = np.where(rng.random((images, pixels)) < rng.random((images, 1)), truth, rng.random((images, pixels)) < 0.5)
    tp, fp = (truth & answer).sum(1), (~truth & answer).sum(1)
    fn, tn = (truth & ~answer).sum(1), (~truth & ~answer).sum(1)
    zero = float(rng.integers(0, 2))
    each = {
        "ppv": _ratio(tp, tp + fp, zero), "sens": _ratio(tp, tp + fn, zero),
        "f1": _ratio(2 * tp, 2 * tp + fp + fn, zero),
        "ji": _ratio(tp, tp + fp + fn, zero), "spec": _ratio(tn, tn + fp, zero), "acc": (tp + tn) / pixels,
    }  # fmt: skip
    chosen = _some(rng, each)
    texts, options = _printed(rng, {name: float(values.mean()) for name, values in chosen.items()})
    if images > 1 and rng.random() < 0.4:
        ddof, digits = int(rng.integers(0, 2)), 4
        texts = {name: f"{v.mean():.{digits}f} ± {v.std(ddof=ddof):.{digits}f}" for name, v in chosen.items()}
        options = {"divisor": ["population", "sample"][ddof]} if rng.random() < 0.5 else {}
    return TrueReport(sp.AverageOf(images if rng.random() < 0.5 else None), texts, options)


def _ratio(num: Any, den: Any, zero: float) -> Any:
    return np.where(den == 0, zero, num / np.maximum(den, 1))


def _some(rng: np.random.Generator, values: dict[str, Any]) -> dict[str, Any]:
    names = rng.choice(list(values), size=int(rng.integers(1, len(values) + 1)), replace=False)
    return {str(name): values[str(name)] for name in names}


def averages(seed: int | Sequence[int]) -> Iterator[TrueReport]:
    """Averages over common parts."""
    rng = np.random.default_rng(seed)
    while True:
        yield _averages_of_classes(rng) if rng.random() < 0.5 else _averages_of_images(rng)


class Model(NamedTuple):
    """How targets are spread and predicted: the folds of one data set have it in common."""

    spread: float
    level: float
    slope: float
    noise: float
    shift: float


def _model(rng: np.random.Generator) -> Model:
    spread, slope, noise = (float(rng.choice(some)) for some in ([0.1, 1, 10, 1000], [1, 0.5, -0.3], [0.01, 1, 3]))
    return Model(spread, float(rng.normal() * 3), slope, noise, float(rng.choice([0, 1])))


def _errors(rng: np.random.Generator, cases: int, model: Model, *, whole: bool = False) -> dict[str, float] | None:
    true = rng.normal(size=cases) * model.spread + model.level
    answer = true * model.slope + rng.normal(size=cases) * model.noise + model.shift
    if whole:
        true, answer = np.round(true), np.round(answer)
    if len(set(true)) < 2 or len(set(answer)) < 2:
        return None
    r2 = float(metrics.r2_score(true, answer))
    return {
        "mae": float(metrics.mean_absolute_error(true, answer)), "mse": float(metrics.mean_squared_error(true, answer)),
        "rmse": float(metrics.root_mean_squared_error(true, answer)), "maxe": float(metrics.max_error(true, answer)),
        "medae": float(metrics.median_absolute_error(true, answer)), "bias": float((true - answer).mean()), "r2": r2,
        "ev": float(metrics.explained_variance_score(true, answer)), "r": float(np.corrcoef(true, answer)[0, 1]),
        "variance": float(true.var()), "adjusted_r2": 1 - (1 - r2) * (cases - 1) / (cases - 2),
    }  # fmt: skip


def errors(seed: int | Sequence[int]) -> Iterator[TrueReport]:
    """Errors of predicted numbers."""
    rng = np.random.default_rng(seed)
    while True:
        cases = int(rng.integers(3, 80))
        folds = int(rng.integers(2, 12)) if rng.random() < 0.4 else 1
        whole = folds == 1 and rng.random() < 0.2
        models = [_model(rng)] * folds
        if rng.random() < 0.1:  # a mean over data sets, each of its own scale
            models = [_model(rng) for _ in range(folds)]
        each = [_errors(rng, cases, model, whole=whole) for model in models]
        if any(one is None for one in each):
            continue
        columns = {name: np.array([one[name] for one in each if one is not None]) for name in each[0] or {}}
        if folds > 1:
            del columns["adjusted_r2"]
        chosen = _some(rng, columns)
        texts, options = _printed(rng, {name: float(values.mean()) for name, values in chosen.items()})
        if folds > 1 and rng.random() < 0.5:
            ddof = int(rng.integers(0, 2))
            texts = {name: f"{v.mean():.4f} ± {v.std(ddof=ddof):.4f}" for name, v in chosen.items()}
            options = {"divisor": ["population", "sample"][ddof]} if rng.random() < 0.5 else {}
        known = rng.random() < 0.6 or whole or "adjusted_r2" in texts
        several = None if folds == 1 else folds if rng.random() < 0.5 else "unknown"
        predictors = 1 if "adjusted_r2" in texts else None
        yield TrueReport(sp.Regression(cases if known else None, several, predictors, whole), texts, options)


def pairs(seed: int | Sequence[int]) -> Iterator[TrueReport]:
    """Two models on the same cases: their errors and R²."""
    rng = np.random.default_rng(seed)
    while True:
        cases = int(rng.integers(2, 60))
        true = rng.normal(size=cases) * rng.choice([0.1, 1, 10, 1000])
        rows = {}
        for name in "AB":
            answer = true * rng.choice([1, 0.5, -0.3]) + rng.normal(size=cases) * rng.choice([0.01, 1, 3])
            values = {"r2": float(metrics.r2_score(true, answer))}
            square = float(metrics.mean_squared_error(true, answer))
            values |= {"mse": square} if rng.random() < 0.5 else {"rmse": square**0.5}
            rows[name], _ = _printed(rng, values)
        yield TrueReport(None, rows, {})


def judge(report: TrueReport, budget: float = 3.0) -> str:
    """The verdict on a true report, or what went wrong."""
    try:
        if report.experiment is None:
            answer = ask(shared_variance(report.scores), budget=budget)
        else:
            answer = sp.check(report.experiment, report.scores, budget=budget, **report.options, strict=True)
    except InvalidValue as refused:  # the last digit of 3e+02 stands above the point, and the like
        return f"refused ({str(refused).partition(':')[2][:20].strip()}...)" if "%" not in str(refused) else "refused"
    return f"FALSE ALARM {report} {answer.reason}" if answer.verdict == "inconsistent" else str(answer.verdict)
