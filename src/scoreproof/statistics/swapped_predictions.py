"""Two models' predicted classes, swapped at random case by case: the permutation test for any score of a matrix.

Only the cases on which the models disagree matter, and of these only how many of each kind (true class, first
answer, second answer) are swapped: binomial counts. With two classes a swap moves a hit from one model to the
other, so the whole permutation distribution is two binomials and p is exact (Edgington & Onghena 2007,
doi:10.1201/9781420011814); with more classes the counts are drawn. The interval resamples the cases, which by
kinds is one multinomial draw (Efron & Tibshirani 1993, doi:10.1201/9780429246593).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import special

from scoreproof.arrays import Floats, as_array, same_length, texts, written
from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.statistics.result import Effect, Interval, TestResult
from scoreproof.validation import fraction, random_seed, shown, whole

_MOST_OUTCOMES = 200_000
_MOST_CLASSES = 100
_ROUNDING = 1e-12

#: A score of many confusion matrices at once: the last two axes are the true and the predicted class.
MatrixScore = Callable[[Floats], Floats]


def swapped_predictions(
    truth: npt.ArrayLike,
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    metric: str = "acc",
    positive: Hashable | None = None,
    level: float = 0.95,
    swaps: int = 10_000,
    seed: int = 0,
) -> TestResult:
    """Do two models' predicted classes differ in a score of the confusion matrix? An undefined score counts as 0.

    Two classes know every registered score (say which is ``positive`` unless it is 1); more classes know acc and
    the class means of sens, spec, ppv, bm, f1, and kappa and mcc of the whole matrix.

    >>> truth = ["a", "a", "a", "b", "b", "b", "c", "c", "c"]
    >>> found = swapped_predictions(truth, truth, ["a", "b", "b", "b", "c", "b", "a", "c", "b"], metric="f1")
    >>> round(found.statistic, 4), found.p_value < 0.1
    (0.5667, True)
    """
    level, swaps = fraction("level", level), whole("swaps", swaps, at_least=100)
    kinds = _kinds(truth, first, second, positive)
    value = matrix_score(metric, kinds.classes)
    mine, other = kinds.matrices(kinds.counts[None, :])
    sizes = [float(value(m)[0]) for m in (mine, other)]
    observed = sizes[0] - sizes[1]
    apart = kinds.first != kinds.second
    generator = np.random.default_rng(random_seed(seed))
    if not kinds.counts[apart].sum():
        p, how = 1.0, "no prediction differs"
    elif kinds.classes == 2:
        p, how = _two_classes(kinds, value, observed, swaps, generator)
    else:
        swapped = generator.binomial(kinds.counts, 0.5 * apart, size=(swaps, len(kinds.counts)))
        hits = _hits(kinds, value, swapped, observed)
        p, how = (1 + hits) / (1 + swaps), f"{swaps:,} random swaps, seed {seed}"
    return TestResult(
        test="Permutation test of predictions",
        method=how,
        statistic_name=f"{metric} difference",
        statistic=observed,
        p_value=p,
        effects=(Effect("difference", observed, _interval(kinds, value, level, seed)),),
        details={"values": sizes, "disagreements": int(kinds.counts[apart].sum())},
        inputs={"metric": metric, "level": level, "swaps": swaps, "seed": seed},
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Kinds:
    """How many cases there are of each (true class, first answer, second answer)."""

    classes: int
    truth: npt.NDArray[np.int64]
    first: npt.NDArray[np.int64]
    second: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]

    def matrices(self, counts: npt.NDArray[Any]) -> tuple[Floats, Floats]:
        """Both models' confusion matrices, one for each row of counts."""
        k = self.classes
        both = []
        for answer in (self.first, self.second):
            cells = np.zeros((len(counts), k * k))
            place = self.truth * k + answer
            for cell in np.unique(place):
                cells[:, cell] = counts[:, place == cell].sum(axis=1)
            both.append(cells.reshape(-1, k, k))
        return both[0], both[1]


def _kinds(truth: npt.ArrayLike, first: npt.ArrayLike, second: npt.ArrayLike, positive: Hashable | None) -> _Kinds:
    arrays = [as_array(name, a) for name, a in (("truth", truth), ("first", first), ("second", second))]
    for name, array in zip(("first", "second"), arrays[1:], strict=True):
        same_length("truth", arrays[0], name, array)
    if any(a.dtype.kind not in "biuf" for a in arrays):
        arrays = [texts(a) for a in arrays]
    labels, codes = np.unique(np.concatenate(arrays), return_inverse=True)
    if len(labels) > _MOST_CLASSES:
        raise InvalidValue(
            f"truth and predictions hold {len(labels)} different labels: expected at most {_MOST_CLASSES} classes; "
            "scores must be turned into labels first"
        )
    codes = codes.reshape(3, -1)
    if positive is not None:
        # The positive class comes last, as 1 does among 0 and 1.
        codes = (
            np.asarray(labels.astype(str) == written(positive))[codes].astype(np.int64) if len(labels) == 2 else codes
        )
    k = max(2, len(labels))
    place = (codes[0] * k + codes[1]) * k + codes[2]
    kinds, counts = np.unique(place, return_counts=True)
    return _Kinds(k, kinds // (k * k), kinds // k % k, kinds % k, counts.astype(np.int64))


def matrix_score(metric: str, classes: int) -> MatrixScore:
    """A score of confusion matrices, undefined ones as 0.

    >>> float(matrix_score("kappa", 3)(np.array([[[5.0, 1, 0], [1, 4, 1], [0, 0, 6]]]))[0])
    0.75
    """
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
    kinds: _Kinds, value: MatrixScore, observed: float, swaps: int, generator: np.random.Generator
) -> tuple[float, str]:
    """Among the disagreements of a class the first model's hits are a fair binomial, whoever had them."""
    sides = []
    for side in (0, 1):
        here = (kinds.truth == side) & (kinds.first != kinds.second)
        agreed = (kinds.truth == side) & (kinds.first == kinds.second)
        right = int(kinds.counts[agreed & (kinds.first == side)].sum())
        wrong = int(kinds.counts[agreed & (kinds.first != side)].sum())
        sides.append((int(kinds.counts[here].sum()), right, wrong))
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


def _hits(kinds: _Kinds, value: MatrixScore, swapped: npt.NDArray[Any], observed: float) -> int:
    """How many random swaps reach the observed difference: what is swapped changes sides."""
    stayed = kinds.counts - swapped
    mine, other = kinds.matrices(stayed), kinds.matrices(swapped)
    return int(_as_extreme(value(mine[0] + other[1]) - value(mine[1] + other[0]), observed).sum())


def _as_extreme(differences: Floats, observed: float) -> npt.NDArray[np.bool_]:
    """Equality up to rounding counts as reached; a difference of infinities is none."""
    return np.abs(np.nan_to_num(differences, nan=0.0)) >= abs(observed) - _ROUNDING


def _interval(kinds: _Kinds, value: MatrixScore, level: float, seed: int, resamples: int = 2000) -> Interval | None:
    generator = np.random.default_rng(random_seed(seed))
    drawn = generator.multinomial(int(kinds.counts.sum()), kinds.counts / kinds.counts.sum(), size=resamples)
    mine, other = kinds.matrices(drawn)
    with np.errstate(invalid="ignore"):
        differences = value(mine) - value(other)
    if not np.isfinite(differences).all():
        return None
    low, high = np.quantile(differences, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high), level, f"percentile bootstrap, {resamples:,} resamples, seed {seed}")
