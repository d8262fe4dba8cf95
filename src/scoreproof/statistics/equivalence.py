"""Are two models as good as each other? Equivalence and non-inferiority within a margin, and the Bayesian answer.

A test that finds no difference shows no equality. Two one-sided tests do (Schuirmann 1987, doi:10.1007/BF01068419): the
models are equivalent if the difference is shown to lie above -margin and below margin; one is not worse if it is shown
to lie above -margin. Means go to Student's t (paired, corrected for folds, or Welch's), AUCs to DeLong's variance (Liu,
Ma, Wu & Tai 2006, doi:10.1002/sim.2358), rates of the same cases to the score test of Tango (1998,
doi:10.1002/(SICI)1097-0258(19980430)17:8<891::AID-SIM780>3.0.CO;2-B). The interval beside them has the level 1 - 2
alpha, and lies within the margin exactly when a test of means or AUCs says so.

The Bayesian signed-rank test weighs the differences at random (a Dirichlet process, with one pseudo-difference of 0 as
prior), and each weighting asks where the pairwise means lie: below, inside or above a region of practical equality
(Benavoli, Corani, Demšar & Zaffalon 2017, jmlr.org/papers/v18/16-305). The answer is three probabilities.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from scoreproof.arrays import numbers, pair
from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.results import Result
from scoreproof.statistics.auc import delong_paired
from scoreproof.statistics.groups import welch_t
from scoreproof.statistics.paired_values import cautious_df, corrected_resampled_t, paired_t
from scoreproof.statistics.result import Effect, Interval, TestResult, number_text
from scoreproof.statistics.tails import normal_p, t_p, t_quantile, two_sided_z
from scoreproof.validation import Share, fraction, random_seed, real, whole

Question = Literal["equivalent", "not worse"]
QUESTIONS = ("equivalent", "not worse")
_NAMES = {"equivalent": "Equivalence test", "not worse": "Non-inferiority test"}


def equivalent_means(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    margin: float,
    question: Question = "equivalent",
    paired: bool = True,
    folds: int | None = None,
    test_to_train: float | None = None,
    level: Share = 0.95,
) -> TestResult:
    """Is the mean of x within ``margin`` of that of y, or ("not worse") above it less the margin?

    Paired values by Student's t; with ``folds`` (or ``test_to_train``) of a cross-validation by the corrected resampled
    t; not ``paired`` by Welch's.

    >>> result = equivalent_means([0.81, 0.79, 0.80, 0.82, 0.80], [0.80, 0.80, 0.79, 0.82, 0.81], margin=0.02)
    >>> round(result.p_value, 5)
    0.00553
    """
    inner = _inner(level)
    if not paired:
        tested = welch_t(x, y, level=inner)
    elif folds is not None or test_to_train is not None:
        df = cautious_df(len(numbers("x", x)), folds)
        tested = corrected_resampled_t(x, y, folds=folds, test_to_train=test_to_train, level=inner, df=df)
    else:
        tested = paired_t(x, y, level=inner)
    return _one_sided(tested, inner, margin, question)


def equivalent_aucs(
    truth: npt.ArrayLike,
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    margin: float,
    question: Question = "equivalent",
    positive: Hashable | None = None,
    clusters: npt.ArrayLike | None = None,
    level: Share = 0.95,
) -> TestResult:
    """Is the first AUC within ``margin`` of the second, or ("not worse") above it less the margin?

    >>> truth = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> first, second = [1, 2, 3, 5, 4, 6, 7, 8], [2, 5, 1, 6, 3, 4, 8, 7]
    >>> round(equivalent_aucs(truth, first, second, margin=0.1, question="not worse").p_value, 4)
    0.0447
    """
    inner = _inner(level)
    tested = delong_paired(truth, first, second, positive=positive, clusters=clusters, level=inner)
    return _one_sided(tested, inner, margin, question)


def equivalent_rates(
    b: int, c: int, n: int, *, margin: float, question: Question = "equivalent", level: Share = 0.95
) -> TestResult:
    """Is the first model's rate (accuracy, sensitivity) within ``margin`` of the second's on the same n cases?

    b cases only the first gets right, c only the second. Tango's score test, and his interval.

    >>> result = equivalent_rates(12, 10, 300, margin=0.05, question="not worse")
    >>> round(result.p_value, 5), [round(end, 4) for end in (result.interval.low, result.interval.high)]
    (0.00082, [-0.0201, 0.0339])
    """
    b, c, n = whole("b", b), whole("c", c), whole("n", n, at_least=1)
    margin, inner = real("margin", margin, above=0, below=1), _inner(level)
    if b + c > n:
        raise InvalidValue(f"n = {n}: expected at least b + c = {b + c}, the cases on which the two disagree")
    low, high = _tango(b, c, n, -margin), _tango(b, c, n, margin)
    p, z = normal_p(low, "greater"), low
    if question == "equivalent" and normal_p(high, "less") > p:
        p, z = normal_p(high, "less"), high
    interval = Interval(*_tango_limits(b, c, n, two_sided_z(inner)), inner, "Tango")
    how = f"Tango's score test, margin {number_text(margin)}"
    effects, details = (Effect("difference", (b - c) / n, interval),), {"b": b, "c": c, "margin": margin}
    inputs = {"b": b, "c": c, "n": n, "margin": margin, "level": level}
    return TestResult(_NAMES[question], how, "z", z, p, question, effects=effects, details=details, inputs=inputs)


def _inner(level: float) -> float:
    """The level of the interval beside two one-sided tests."""
    if (level := fraction("level", level)) <= 0.5:
        raise InvalidOption(f"level = {level:g}: expected more than 0.5; the interval has the level 2 level - 1")
    return 2 * level - 1


def _one_sided(tested: TestResult, inner: float, margin: float, question: Question) -> TestResult:
    """The two one-sided tests (or one of them) of the difference that a test of level 1 - inner found."""
    effect, bounds, normal = tested.effects[0], tested.effects[0].interval, not tested.df
    margin, df = real("margin", margin, above=0), math.inf if normal else tested.df[0]
    reach = two_sided_z(inner) if normal else t_quantile(inner, df)
    error = 0.0 if bounds is None else (bounds.high - bounds.low) / 2 / reach

    def tail(distance: float) -> tuple[float, float]:
        t = distance / error if error else math.copysign(math.inf, distance)
        return (normal_p(t, "greater") if normal else t_p(t, df, "greater")), t

    ends = [tail(effect.value + margin)]
    if question == "equivalent":
        p, t = tail(margin - effect.value)
        ends.append((p, -t))
    p, t = max(ends)
    how = f"{tested.test}, {tested.method}, margin {number_text(margin)}"
    notes = tuple(note for note in tested.notes if "prefer the Wilcoxon" not in note)
    told: dict[str, Any] = {
        "effects": (effect,),
        "notes": notes,
        "details": {"margin": margin},
        "inputs": tested.inputs,
    }
    return TestResult(_NAMES[question], how, "z" if normal else "t", t, p, question, tested.df, **told)


def _tango(b: int, c: int, n: int, delta: float) -> float:
    """The score statistic of the hypothesis that the rates differ by delta."""
    top = b - c - n * delta
    first, middle, last = 2 * n, -b - c + (2 * n - b + c) * delta, -c * delta * (1 - delta)
    root = math.sqrt(max(0.0, middle**2 - 4 * first * last))
    share = max((root - middle) / (2 * first), 0.0, -delta)
    variance = n * (2 * share + delta * (1 - delta))
    return 0.0 if top == 0 else (top / math.sqrt(variance) if variance > 0 else math.copysign(math.inf, top))


def _tango_limits(b: int, c: int, n: int, z: float) -> tuple[float, float]:
    from scipy.optimize import brentq

    def beyond(delta: float, side: float) -> float:
        return _tango(b, c, n, delta) - side

    middle, edge = (b - c) / n, 1 - 1e-12
    low = -1.0 if beyond(-edge, z) <= 0 else float(brentq(beyond, -edge, max(-edge, middle), (z,), xtol=1e-13))
    high = 1.0 if beyond(edge, -z) >= 0 else float(brentq(beyond, min(edge, middle), edge, (-z,), xtol=1e-13))
    return low, high


_MOST_PAIRS = 2000
_BLOCK = 2_000_000


@dataclass(frozen=True, slots=True)
class Practical(Result):
    """The probabilities that y is better, that both are practically equal, and that x is better."""

    second: float
    equal: float
    first: float
    rope: float

    def __str__(self) -> str:
        return (
            f"first better {self.first:.3f}, practically equal (within {self.rope:g}) {self.equal:.3f}, "
            f"second better {self.second:.3f}"
        )


def bayesian_signed_rank(
    x: npt.ArrayLike, y: npt.ArrayLike, *, rope: float, prior: float = 0.5, draws: int = 20_000, seed: int = 0
) -> Practical:
    """The probability that each region holds most of the weighted pairwise means.

    ``rope`` is the half-width of practical equality, in units of the score; ``prior`` the weight of the
    pseudo-difference 0. Values must be independent: for folds use ``corrected_resampled_t(rope=...)``.

    >>> result = bayesian_signed_rank([0.9, 0.8, 0.85, 0.7, 0.9], [0.8, 0.7, 0.8, 0.65, 0.85], rope=0.01)
    >>> result.first > 0.9, result.second < 0.01
    (True, True)
    """
    first, second = pair(x, y)
    draws = whole("draws", draws, at_least=100, at_most=10**7)
    rope, prior = real("rope", rope, at_least=0), real("prior", prior, above=0)
    if len(first) > _MOST_PAIRS:
        raise InvalidOption(f"{len(first)} pairs: expected at most {_MOST_PAIRS}; an interval says it all")
    d = np.concatenate([[0.0], first - second])
    means = (d[:, None] + d[None, :]) / 2
    above, below = (means > rope).astype(np.float64), (means < -rope).astype(np.float64)
    strengths = np.concatenate([[prior], np.ones(len(first))])
    generator = np.random.default_rng(random_seed(seed))
    counts = np.zeros(3)
    step = max(1, _BLOCK // len(d))
    for start in range(0, draws, step):
        weights = generator.dirichlet(strengths, size=min(step, draws - start))
        up = np.einsum("bi,bi->b", weights @ above, weights)
        down = np.einsum("bi,bi->b", weights @ below, weights)
        shares = np.column_stack([down, 1 - up - down, up])
        winners = shares >= shares.max(axis=1, keepdims=True) - 1e-12
        # A tie is shared, as two equal halves of a coin.
        counts += (winners / winners.sum(axis=1, keepdims=True)).sum(axis=0)
    low, middle, high = (float(c) / draws for c in counts)
    return Practical(low, middle, high, float(rope))
