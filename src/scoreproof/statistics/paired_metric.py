"""Is the difference of a metric of two models on one test set more than swapping their predictions would give?

Any score of the confusion matrix (F1, kappa, precision, ...), errors of predicted numbers (RMSE, MAE, R²), a cost
matrix: the difference that is tested is the difference that is printed. The test swaps the two models' predictions case
by case, or cluster by cluster (Edgington & Onghena 2007, doi:10.1201/9781420011814), the interval is the BCa bootstrap
of the same cases or clusters (Efron 1987, doi:10.1080/01621459.1987.10478410).

Every metric here is a function of sums over cases, so a case (or a cluster) is a row of parts, a swap exchanges two
rows and a resample weighs them. Of predicted classes only how many cases there are of each kind (true class, first
answer, second answer) matters. With two classes the permutation distribution is two binomials and p is exact; errors
and costs are tested by the sum of their parts, exactly for few cases; the rest is drawn, with a seed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import special

from scoreproof.arrays import Floats, as_array, numbers, same_length, score_table, texts, written
from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.statistics.resampling import cluster_codes, permutation_test, weighted_interval
from scoreproof.statistics.result import Effect, TestResult
from scoreproof.validation import fraction, random_seed, shown, whole

_MOST_OUTCOMES = 200_000
_MOST_CLASSES = 100
_ROUNDING = 1e-12
_NAME = "Permutation test of predictions"

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
    level: float = 0.95,
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
    >>> found = paired_metric_test(truth, truth, ["a", "b", "b", "b", "c", "b", "a", "c", "b"], metric="f1")
    >>> round(found.statistic, 4), found.p_value < 0.1
    (0.5667, True)
    """
    level, swaps, seed = fraction("level", level), whole("swaps", swaps, at_least=100), random_seed(seed)
    arrays = [as_array(name, a) for name, a in (("truth", truth), ("first", first), ("second", second))]
    for name, array in zip(("first", "second"), arrays[1:], strict=True):
        same_length("truth", arrays[0], name, array)
    member = None if clusters is None else cluster_codes(clusters, len(arrays[0]))
    options: dict[str, Any] = {"clusters": member, "level": level, "swaps": swaps, "seed": seed}
    sums = {**options, "studentized": studentized}
    if metric in _ERRORS:
        y, a, b = (numbers(name, array) for name, array in zip(("truth", "first", "second"), arrays, strict=True))
        part, value = _ERRORS[metric]
        return _of_sums(metric, part(a - y), part(b - y), np.stack([y, y * y], axis=1), value, **sums)
    if metric == "cost":
        parts = _case_costs(arrays, costs, classes)
        return _of_sums(metric, *parts, np.zeros((len(arrays[0]), 2)), _ERRORS["mae"][1], **sums)
    if costs is not None:
        raise InvalidOption(f"costs with metric = {shown(metric)}: expected metric='cost'; leave one of them out")
    return _of_matrices(metric, arrays, positive, **options)


def _of_sums(
    metric: str,
    first: Floats,
    second: Floats,
    shared: Floats,
    value: Callable[[Floats, Floats, Floats, Floats], Floats],
    *,
    clusters: npt.NDArray[np.int64] | None,
    level: float,
    swaps: int,
    seed: int,
    studentized: bool,
) -> TestResult:
    """A metric that rises or falls with the sum of what each case adds.

    A swap keeps the sum of both models' parts of a case, so the metric's difference rises and falls with that of the
    sums: their test is the metric's, and is exact for few cases.
    """
    rows = np.column_stack([np.ones(len(first)), shared, first, second])
    if clusters is not None:
        rows = np.stack([np.bincount(clusters, weights=column) for column in rows.T], axis=1)

    def both(weights: Floats) -> tuple[Floats, Floats]:
        n, y, yy, one, two = (weights @ rows).T
        return value(n, y, yy, one), value(n, y, yy, two)

    def difference(weights: Floats) -> Floats:
        one, two = both(weights)
        return one - two

    units = np.ones(len(rows), dtype=np.int64)
    with np.errstate(invalid="ignore", divide="ignore"):
        values = [float(side[0]) for side in both(units[None, :].astype(np.float64))]
    observed = values[0] - values[1]
    tested = permutation_test(first, second, clusters=clusters, swaps=swaps, seed=seed, studentized=studentized)
    return replace(
        tested,
        test=_NAME if clusters is None else f"{_NAME}, by cluster",
        statistic_name=f"{metric} difference",
        statistic=observed,
        effects=(Effect("difference", observed, weighted_interval(difference, units, level, seed)),),
        details={**tested.details, "values": values, "metric": metric},
        inputs={"metric": metric, "level": level, "swaps": swaps, "seed": seed},
    )


def _case_costs(arrays: list[npt.NDArray[Any]], costs: npt.ArrayLike | None, classes: Any) -> tuple[Floats, Floats]:
    """What each case costs by either model's answer."""
    if costs is None:
        raise InvalidOption(
            "metric = 'cost' needs costs: expected a row for each true, a column for each predicted class"
        )
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
    found, codes = np.unique(np.concatenate(arrays), return_inverse=True)
    if len(found) > _MOST_CLASSES:
        raise InvalidValue(
            f"truth and predictions hold {len(found)} different labels: expected at most {_MOST_CLASSES} classes; "
            "scores must be turned into labels first"
        )
    labels = found.tolist()
    if classes is not None:
        order = [written(c) for c in classes]
        missing = [label for label in labels if written(label) not in order]
        if missing:
            raise InvalidValue(f"label {shown(missing[0])} is not among classes: expected all that occur")
        codes = np.array([order.index(written(label)) for label in labels])[codes]
        labels = list(classes)
    return labels, codes.reshape(3, -1).astype(np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class _Units:
    """What is swapped and drawn: kinds of cases and their counts, or clusters, with both models' cells of each."""

    classes: int
    first: Floats
    second: Floats
    counts: npt.NDArray[np.int64]

    def matrices(self, weights: npt.NDArray[Any]) -> tuple[Floats, Floats]:
        """Both models' confusion matrices, one for each row of weights."""
        shape = (-1, self.classes, self.classes)
        return (weights @ self.first).reshape(shape), (weights @ self.second).reshape(shape)


def _of_matrices(
    metric: str,
    arrays: list[npt.NDArray[Any]],
    positive: Hashable | None,
    *,
    clusters: npt.NDArray[np.int64] | None,
    level: float,
    swaps: int,
    seed: int,
) -> TestResult:
    labels, codes = _coded(arrays)
    k = max(2, len(labels))
    if positive is not None and len(labels) == 2:
        # The positive class comes last, as 1 does among 0 and 1.
        codes = np.array([written(label) == written(positive) for label in labels])[codes].astype(np.int64)
    place = codes[0] * k + codes[1:]
    apart = int(np.sum(codes[1] != codes[2]))
    kinds, counts = np.unique(place[0] * k * k + place[1], return_counts=True)
    if clusters is None:
        units = _Units(k, np.eye(k * k)[kinds // (k * k)], np.eye(k * k)[kinds % (k * k)], counts.astype(np.int64))
    else:
        tables = [np.zeros((clusters.max() + 1, k * k)) for _ in range(2)]
        for table, column in zip(tables, place, strict=True):
            np.add.at(table, (clusters, column), 1)
        units = _Units(k, tables[0], tables[1], np.ones(len(tables[0]), dtype=np.int64))
    value = matrix_score(metric, k)
    sizes = [float(value(m)[0]) for m in units.matrices(units.counts[None, :].astype(np.float64))]
    observed = sizes[0] - sizes[1]
    generator = np.random.default_rng(seed)
    if not apart:
        p, how = 1.0, "no prediction differs"
    elif k == 2 and clusters is None:
        p, how = _two_classes(codes, value, observed, swaps, generator)
    else:
        moved = generator.binomial(units.counts, 0.5, size=(swaps, len(units.counts))).astype(np.float64)
        stayed = units.counts - moved
        mine, other = units.matrices(stayed), units.matrices(moved)
        hits = int(_as_extreme(value(mine[0] + other[1]) - value(mine[1] + other[0]), observed).sum())
        p, how = (1 + hits) / (1 + swaps), f"{swaps:,} random swaps, seed {seed}"

    def difference(weights: Floats) -> Floats:
        one, two = units.matrices(weights)
        return value(one) - value(two)

    many = "" if clusters is None else f", {len(units.counts)} clusters"
    effects = (Effect("difference", observed, weighted_interval(difference, units.counts, level, seed)),)
    details = {"values": sizes, "disagreements": apart, "metric": metric}
    inputs = {"metric": metric, "level": level, "swaps": swaps, "seed": seed}
    return TestResult(
        _NAME if clusters is None else f"{_NAME}, by cluster",
        how + many,
        f"{metric} difference",
        observed,
        p,
        effects=effects,
        details=details,
        inputs=inputs,
    )


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


def _sensitivity(hits: Floats, cases: Floats, calls: Floats, total: Floats) -> Floats:
    return np.asarray(_ratio(hits, cases).mean(axis=1))


def _specificity(hits: Floats, cases: Floats, calls: Floats, total: Floats) -> Floats:
    others = total[:, None] - cases
    return np.asarray(_ratio(others - calls + hits, others).mean(axis=1))


def _kappa(hits: Floats, cases: Floats, calls: Floats, total: Floats) -> Floats:
    chance = np.sum(cases * calls, axis=1)
    return _ratio(total * hits.sum(axis=1) - chance, total**2 - chance)


def _mcc(hits: Floats, cases: Floats, calls: Floats, total: Floats) -> Floats:
    top = total * hits.sum(axis=1) - np.sum(cases * calls, axis=1)
    return _ratio(top, np.sqrt(np.prod([total**2 - np.sum(part**2, axis=1) for part in (cases, calls)], axis=0)))


#: From the hits, cases and calls of each class, and all cases.
_MULTICLASS: dict[str, Callable[[Floats, Floats, Floats, Floats], Floats]] = {
    "acc": lambda hits, cases, calls, total: hits.sum(axis=1) / total,
    "sens": _sensitivity,
    "spec": _specificity,
    "ppv": lambda hits, cases, calls, total: _ratio(hits, calls).mean(axis=1),
    "bm": lambda *parts: _sensitivity(*parts) + _specificity(*parts) - 1,
    "f1": lambda hits, cases, calls, total: _ratio(2 * hits, cases + calls).mean(axis=1),
    "kappa": _kappa,
    "mcc": _mcc,
}


def _two_classes(
    codes: npt.NDArray[np.int64], value: MatrixScore, observed: float, swaps: int, generator: np.random.Generator
) -> tuple[float, str]:
    """Among the disagreements of a class the first model's hits are a fair binomial, whoever had them."""
    sides = []
    for side in (0, 1):
        one, two = codes[1:, codes[0] == side]
        agreed = one[one == two]
        sides.append((int(np.sum(one != two)), int(np.sum(agreed == side)), int(np.sum(agreed != side))))
    (d0, right0, wrong0), (d1, right1, wrong1) = sides
    if (d0 + 1) * (d1 + 1) <= _MOST_OUTCOMES:
        u0, u1 = (grid.ravel() for grid in np.meshgrid(np.arange(d0 + 1), np.arange(d1 + 1), indexing="ij"))
        weight = np.exp(_log_binomial(d0)[u0] + _log_binomial(d1)[u1])
        how = "exact, all swaps"
    else:
        u0, u1 = generator.binomial(d0, 0.5, swaps), generator.binomial(d1, 0.5, swaps)
        weight, how = np.full(swaps, 1.0), f"{swaps:,} random swaps"
    tables = []
    for hits0, hits1 in ((u0, u1), (d0 - u0, d1 - u1)):
        cells = np.empty((len(u0), 2, 2))
        cells[:, 0, 0], cells[:, 0, 1] = right0 + hits0, wrong0 + d0 - hits0
        cells[:, 1, 1], cells[:, 1, 0] = right1 + hits1, wrong1 + d1 - hits1
        tables.append(cells)
    reached = _as_extreme(value(tables[0]) - value(tables[1]), observed)
    if how.startswith("exact"):
        return min(1.0, float(weight[reached].sum())), how
    return (1 + int(reached.sum())) / (1 + swaps), how


def _log_binomial(n: int) -> Floats:
    k = np.arange(n + 1)
    gamma = special.gammaln
    return np.asarray(gamma(n + 1) - gamma(k + 1) - gamma(n - k + 1) - n * np.log(2))


def _as_extreme(differences: Floats, observed: float) -> npt.NDArray[np.bool_]:
    """Equality up to rounding counts as reached; a difference of infinities is none."""
    return np.abs(np.nan_to_num(differences, nan=0.0)) >= abs(observed) - _ROUNDING
