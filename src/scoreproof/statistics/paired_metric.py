"""Is the difference of a metric of two models on one test set more than swapping their predictions would give?

Any score of the confusion matrix (F1, kappa, precision, ...), errors of predicted numbers (RMSE, MAE, R²), a cost
matrix: the difference that is tested is the difference that is printed. The test swaps the two models' predictions case
by case, or cluster by cluster (Edgington & Onghena 2007, doi:10.1201/9781420011814), the interval is the BCa bootstrap
of the same cases or clusters (Efron 1987, doi:10.1080/01621459.1987.10478410). Every metric here is a function of sums
over cases: a swap exchanges two rows of parts and a resample weighs them, and of predicted classes only how many cases
there are of each kind (true class, first answer, second answer) matters. With two classes p is exact, by two binomials;
errors and costs are tested by the sum of their parts, exactly for few cases; the rest is drawn, with a seed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import special

from scoreproof.arrays import Floats, Ints, as_array, numbers, same_length, score_table, texts, written
from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.statistics.resampling import cluster_codes, permutation_test, weighted_interval
from scoreproof.statistics.result import Effect, TestResult
from scoreproof.validation import Share, random_seed, shown, whole

_MOST_OUTCOMES = 200_000
_MOST_CLASSES = 100
_ROUNDING = 1e-12

#: A score of many confusion matrices at once: the last two axes are the true and the predicted class.
MatrixScore = Callable[[Floats], Floats]
#: A metric of predicted numbers: the part that every case adds, and the metric of cases, Σy, Σy² and Σ parts.
_ERRORS: dict[str, tuple[Callable[..., Any], Callable[[Floats, Floats, Floats, Floats], Floats]]] = {
    "mae": (np.abs, lambda n, y, yy, part: part / n),
    "mse": (np.square, lambda n, y, yy, part: part / n),
    "rmse": (np.square, lambda n, y, yy, part: np.sqrt(part / n)),
    "r2": (np.square, lambda n, y, yy, part: 1 - part / (yy - y * y / n)),
}
ERRORS = tuple(_ERRORS)


def paired_metric_test(
    truth: npt.ArrayLike,
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    metric: str = "acc",
    positive: Hashable | None = None,
    clusters: npt.ArrayLike | None = None,
    costs: npt.ArrayLike | None = None,
    classes: Sequence[Hashable] | None = None,
    level: Share = 0.95,
    swaps: int = 10_000,
    seed: int = 0,
    studentized: bool = False,
) -> TestResult:
    """Do two models' predictions of one test set differ in a metric? An undefined score counts as 0.

    Predicted numbers know mae, mse, rmse and r2. Two classes know every registered score (say which is ``positive``
    unless it is 1); more classes know acc and the class means of sens, spec, ppv, bm, f1, and kappa and mcc of the
    whole matrix; ``metric="cost"`` the mean cost by ``costs``, a row for each true and a column for each predicted
    class, in the order of ``classes`` (sorted unless told). ``clusters`` says which cases belong together (of one
    patient, for instance).

    >>> truth = ["a", "a", "a", "b", "b", "b", "c", "c", "c"]
    >>> result = paired_metric_test(truth, truth, ["a", "b", "b", "b", "c", "b", "a", "c", "b"], metric="f1")
    >>> round(result.statistic, 4), result.p_value < 0.1
    (0.5667, True)
    """
    swaps, seed = whole("swaps", swaps, at_least=100), random_seed(seed)
    arrays = [as_array(name, a) for name, a in (("truth", truth), ("first", first), ("second", second))]
    for name, array in zip(("first", "second"), arrays[1:], strict=True):
        same_length("truth", arrays[0], name, array)
    member = None if clusters is None else cluster_codes(clusters, len(arrays[0]))
    asked = _Asked(metric, member, level, swaps, seed)
    if metric in _ERRORS:
        y, a, b = (numbers(name, array) for name, array in zip(("truth", "first", "second"), arrays, strict=True))
        part, value = _ERRORS[metric]
        return _of_sums(asked, part(a - y), part(b - y), np.stack([y, y * y], axis=1), value, studentized)
    if metric == "cost":
        parts = _case_costs(arrays, costs, classes)
        return _of_sums(asked, *parts, np.zeros((len(arrays[0]), 2)), _ERRORS["mae"][1], studentized)
    if costs is not None:
        raise InvalidOption(f"costs with metric = {shown(metric)}: expected metric='cost'; leave one of them out")
    return _of_matrices(asked, arrays, positive)


@dataclass(frozen=True, slots=True, eq=False)
class _Asked:
    metric: str
    clusters: Ints | None
    level: float
    swaps: int
    seed: int

    def result(
        self, how: str, p: float, both: Callable[[Floats], tuple[Floats, Floats]], counts: Ints, **details: Any
    ) -> TestResult:
        """The result of a test of the difference of both models' metrics, functions of the weights of units."""
        with np.errstate(invalid="ignore", divide="ignore"):
            values = [float(side[0]) for side in both(counts[None, :].astype(np.float64))]
        observed = values[0] - values[1]
        bounds = weighted_interval(lambda weights: np.subtract(*both(weights)), counts, self.level, self.seed)
        name = "Permutation test of predictions" + ("" if self.clusters is None else ", by cluster")
        told = {"metric": self.metric, "level": self.level, "swaps": self.swaps, "seed": self.seed}
        details = {**details, "values": values, "metric": self.metric}
        size, effects = f"{self.metric} difference", (Effect("difference", observed, bounds),)
        return TestResult(name, how, size, observed, p, effects=effects, details=details, inputs=told)


def _of_sums(
    asked: _Asked,
    first: Floats,
    second: Floats,
    shared: Floats,
    value: Callable[[Floats, Floats, Floats, Floats], Floats],
    studentized: bool,
) -> TestResult:
    """A metric that rises or falls with the sum of what each case adds.

    A swap keeps the sum of both models' parts of a case, so the metric's difference rises and falls with that of the
    sums: their test is the metric's, and is exact for few cases.
    """
    rows = np.column_stack([np.ones(len(first)), shared, first, second])
    if asked.clusters is not None:
        rows = np.stack([np.bincount(asked.clusters, weights=column) for column in rows.T], axis=1)

    def both(weights: Floats) -> tuple[Floats, Floats]:
        n, y, yy, of_first, of_second = (weights @ rows).T
        return value(n, y, yy, of_first), value(n, y, yy, of_second)

    drawn: dict[str, Any] = {"clusters": asked.clusters, "swaps": asked.swaps, "seed": asked.seed}
    tested = permutation_test(first, second, studentized=studentized, **drawn)
    return asked.result(tested.method, tested.p_value, both, np.ones(len(rows), dtype=np.int64), **tested.details)


def _case_costs(arrays: list[npt.NDArray[Any]], costs: npt.ArrayLike | None, classes: Any) -> tuple[Floats, Floats]:
    """What each case costs by either model's answer."""
    if costs is None:
        raise InvalidOption("metric = 'cost' needs costs: expected a row for each true class, a column predicted")
    table = score_table(costs)
    labels, codes = _coded(arrays, classes)
    if table.shape != (len(labels), len(labels)):
        raise InvalidValue(
            f"costs has shape {table.shape} with {len(labels)} classes ({', '.join(map(str, labels[:5]))}): expected "
            "a row and a column for each, in the order of classes="
        )
    return table[codes[0], codes[1]], table[codes[0], codes[2]]


def _coded(arrays: list[npt.NDArray[Any]], classes: Any = None) -> tuple[list[Any], npt.NDArray[np.int64]]:
    """The classes, and for truth and both answers which of them each case has."""
    if any(a.dtype.kind not in "biuf" for a in arrays):
        arrays = [texts(a) for a in arrays]
    different, codes = np.unique(np.concatenate(arrays), return_inverse=True)
    if len(different) > _MOST_CLASSES:
        raise InvalidValue(f"{len(different)} different labels: expected at most {_MOST_CLASSES} classes, no scores")
    labels = different.tolist()
    if classes is not None:
        order = [written(c) for c in classes]
        missing = [label for label in labels if written(label) not in order]
        if missing:
            raise InvalidValue(f"label {shown(missing[0])} is not among classes: expected all that occur")
        codes = np.array([order.index(written(label)) for label in labels])[codes]
        labels = list(classes)
    return labels, codes.reshape(3, -1).astype(np.int64)


def _of_matrices(asked: _Asked, arrays: list[npt.NDArray[Any]], positive: Hashable | None) -> TestResult:
    """A score of confusion matrices; units are kinds of cases with their counts, or clusters."""
    labels, codes = _coded(arrays)
    k, clusters = max(2, len(labels)), asked.clusters
    if positive is not None and len(labels) == 2:
        # The positive class comes last, as 1 does among 0 and 1.
        codes = np.array([written(label) == written(positive) for label in labels])[codes].astype(np.int64)
    place = codes[0] * k + codes[1:]
    kinds, counts = np.unique(place[0] * k * k + place[1], return_counts=True)
    cells = [np.eye(k * k)[kinds // (k * k)], np.eye(k * k)[kinds % (k * k)]]  # of both models, unit by unit
    if clusters is not None:
        cells, counts = [np.zeros((clusters.max() + 1, k * k)) for _ in range(2)], np.ones(clusters.max() + 1)
        for table, column in zip(cells, place, strict=True):
            np.add.at(table, (clusters, column), 1)
    value, counts = matrix_score(asked.metric, k), counts.astype(np.int64)

    def both(weights: Floats) -> tuple[Floats, Floats]:
        of_first, of_second = (value((weights @ side).reshape(-1, k, k)) for side in cells)
        return of_first, of_second

    observed = float(np.subtract(*both(counts[None, :].astype(np.float64)))[0])
    generator, apart = np.random.default_rng(asked.seed), int(np.sum(codes[1] != codes[2]))
    if not apart:
        p, how = 1.0, "no prediction differs"
    elif k == 2 and clusters is None:
        p, how = _two_classes(codes, value, observed, asked.swaps, generator)
    else:
        moved = generator.binomial(counts, 0.5, size=(asked.swaps, len(counts))).astype(np.float64)
        first, second = ((counts - moved) @ cells[i] + moved @ cells[1 - i] for i in (0, 1))
        swapped = value(first.reshape(-1, k, k)) - value(second.reshape(-1, k, k))
        hits = int(_as_extreme(swapped, observed).sum())
        p, how = (1 + hits) / (1 + asked.swaps), f"{asked.swaps:,} random swaps, seed {asked.seed}"
    how += "" if clusters is None else f", {len(counts)} clusters"
    return asked.result(how, p, both, counts, disagreements=apart)


def matrix_score(metric: str, classes: int) -> MatrixScore:
    """A score of confusion matrices, undefined ones as 0."""
    if classes == 2:
        from scoreproof.kinds.binary.scores import score

        wanted = score(metric)
        return lambda m: np.nan_to_num(wanted.values(m[:, 1, 1], m[:, 0, 1], m[:, 1, 0], m[:, 0, 0]), posinf=np.inf)
    if metric not in _MULTICLASS:
        raise InvalidOption(f"metric = {shown(metric)} of {classes} classes: expected one of {', '.join(_MULTICLASS)}")
    formula = _MULTICLASS[metric]

    def value(m: Floats) -> Floats:
        return np.asarray(formula(np.diagonal(m, axis1=1, axis2=2), m.sum(axis=2), m.sum(axis=1), m.sum(axis=(1, 2))))

    return value


def _ratio(top: Floats, bottom: Floats) -> Floats:
    return np.divide(top, bottom, out=np.zeros_like(top), where=bottom > 0)


#: From the hits, cases and calls of each class, and all cases.
_MULTICLASS: dict[str, Callable[[Floats, Floats, Floats, Floats], Floats]] = {
    "acc": lambda hits, cases, calls, total: hits.sum(axis=1) / total,
    "sens": lambda hits, cases, calls, total: _ratio(hits, cases).mean(axis=1),
    "spec": lambda hits, cases, calls, total: _ratio(
        total[:, None] - cases - calls + hits, total[:, None] - cases
    ).mean(axis=1),
    "ppv": lambda hits, cases, calls, total: _ratio(hits, calls).mean(axis=1),
    "bm": lambda *parts: _MULTICLASS["sens"](*parts) + _MULTICLASS["spec"](*parts) - 1,
    "f1": lambda hits, cases, calls, total: _ratio(2 * hits, cases + calls).mean(axis=1),
    "kappa": lambda hits, cases, calls, total: _ratio(
        total * hits.sum(axis=1) - np.sum(cases * calls, axis=1), total**2 - np.sum(cases * calls, axis=1)
    ),
    "mcc": lambda hits, cases, calls, total: _ratio(
        total * hits.sum(axis=1) - np.sum(cases * calls, axis=1),
        np.sqrt((total**2 - np.sum(cases**2, axis=1)) * (total**2 - np.sum(calls**2, axis=1))),
    ),
}


def _two_classes(
    codes: Ints, value: MatrixScore, observed: float, swaps: int, generator: np.random.Generator
) -> tuple[float, str]:
    """Among the disagreements of a class the first model's hits are a fair binomial, whoever had them."""
    sides = [codes[1:, codes[0] == side] for side in (0, 1)]
    split = [int(np.sum(guess != other)) for guess, other in sides]
    right = [int(np.sum((guess == side) & (other == side))) for side, (guess, other) in enumerate(sides)]
    exact = math.prod(d + 1 for d in split) <= _MOST_OUTCOMES
    if exact:
        hits = [grid.ravel() for grid in np.meshgrid(*(np.arange(d + 1) for d in split), indexing="ij")]
    else:
        hits = [generator.binomial(d, 0.5, swaps) for d in split]
    tables = np.empty((2, len(hits[0]), 2, 2))
    for side, (d, won) in enumerate(zip(split, hits, strict=True)):
        for table, many in zip(tables, (won, d - won), strict=True):
            table[:, side, side] = right[side] + many
            table[:, side, 1 - side] = sides[side].shape[1] - right[side] - many
    reached = _as_extreme(value(tables[0]) - value(tables[1]), observed)
    if not exact:
        return (1 + int(reached.sum())) / (1 + swaps), f"{swaps:,} random swaps"
    gamma, both = special.gammaln, zip(split, hits, strict=True)
    logs = [gamma(d + 1) - gamma(k + 1) - gamma(d - k + 1) - d * np.log(2) for d, k in both]
    weight = np.exp(logs[0] + logs[1])
    return min(1.0, float(weight[reached].sum())), "exact, all swaps"


def _as_extreme(differences: Floats, observed: float) -> npt.NDArray[np.bool_]:
    """Equality up to rounding counts as reached; a difference of infinities is none."""
    return np.abs(np.nan_to_num(differences, nan=0.0)) >= abs(observed) - _ROUNDING
