"""Public functions that no other file here compares: with scipy, scikit-learn, statsmodels, pycocotools and trec_eval,
with printed values, or with formulas written anew."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
import pytrec_eval
from pycocotools import mask
from scipy import integrate, optimize, stats
from sklearn import metrics as sk
from statsmodels.stats.multitest import multipletests

from scoreproof import claims, metrics, sota
from scoreproof import statistics as st
from scoreproof.claims.recheck import shown
from scoreproof.errors import InvalidOption, InvalidValue

SEEDS = range(20)


@pytest.mark.parametrize("seed", SEEDS)
def test_cohens_d_and_its_interval(seed: int) -> None:
    g = np.random.default_rng(seed)
    x, y = g.normal([[0.5], [0]], size=(2, int(g.integers(3, 40)))).round(2)
    d = x - y
    wanted = d.mean() / d.std(ddof=1)
    assert st.cohen_d_z(x, y) == pytest.approx(wanted, rel=1e-12)
    root = math.sqrt(len(d))
    ends = [
        optimize.brentq(lambda delta, q=q: stats.nct.cdf(wanted * root, len(d) - 1, delta) - q, -60, 60) / root
        for q in (0.975, 0.025)
    ]
    bounds = next(effect.interval for effect in st.paired_t(x, y).effects if "d_z" in effect.name)
    assert bounds is not None
    assert (bounds.low, bounds.high) == pytest.approx(ends, abs=1e-6)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_paired_test_of_levene(seed: int) -> None:
    g = np.random.default_rng(seed)
    x, y = g.normal(size=(2, int(g.integers(5, 40)))).round(1) * [[2], [1]]
    found = st.paired_levene(x, y)
    wanted = stats.ttest_rel(abs(x - np.median(x)), abs(y - np.median(y)))
    assert (found.statistic, found.p_value) == pytest.approx((wanted.statistic, wanted.pvalue), rel=1e-9)


@pytest.mark.parametrize(("area", "p", "n"), [(0.893, 51, 58), (0.5, 10, 200), (0.71, 200, 10)])
def test_hanley_and_mcneils_formula(area: float, p: int, n: int) -> None:
    """Of exponential ratings: two positives beat a negative, a positive beats two negatives."""
    rate = (1 - area) / area  # positives lie above with this rate of decay, negatives with 1
    both_above = integrate.quad(lambda x: math.exp(-x) * math.exp(-rate * x) ** 2, 0, math.inf)[0]
    both_below = integrate.quad(lambda x: rate * math.exp(-rate * x) * (1 - math.exp(-x)) ** 2, 0, math.inf)[0]
    variance = area * (1 - area) + (p - 1) * (both_above - area**2) + (n - 1) * (both_below - area**2)
    interval = st.hanley_mcneil(area, p, n).interval
    assert interval is not None
    half = stats.norm.ppf(0.975) * math.sqrt(variance / (p * n))
    assert (interval.low, interval.high) == pytest.approx((area - half, min(1.0, area + half)), rel=1e-9)


@pytest.mark.parametrize("text", ["0.84", "0.847", "1", "0", "84.7%", "33%", ".5"])
def test_the_counts_behind_a_rate(text: str) -> None:
    digits = len(text.rstrip("%").partition(".")[2])
    scale = 100 if text.endswith("%") else 1
    value, unit = Fraction(text.rstrip("%")) / scale, Fraction(1, 10**digits * scale)
    for n in (1, 7, 60, 300):
        wanted = [x for x in range(n + 1) if abs(Fraction(x, n) - value) < unit]
        if wanted:
            assert st.counts_behind(text, n) == wanted
        else:
            with pytest.raises(InvalidValue, match="no whole number"):
                st.counts_behind(text, n)


@pytest.mark.parametrize("seed", SEEDS)
def test_overlaps_of_boxes(seed: int) -> None:
    g = np.random.default_rng(seed)
    boxes = g.integers([0, 0, 1, 1], 20, (7, 4))
    named = [metrics.Box(1, "a", tuple(map(float, box))) for box in boxes]  # type: ignore[arg-type]
    wanted = mask.iou(boxes[:4].astype(float), boxes[4:].astype(float), [0] * 3)
    assert metrics.box_iou(named[:4], named[4:]) == pytest.approx(wanted)


@pytest.mark.parametrize("seed", SEEDS)
def test_measures_of_one_ranking(seed: int) -> None:
    g = np.random.default_rng(seed)
    gains = g.choice([0, 0, 1, 2, 3], 15)
    missed = int(g.integers(0, 4))
    judged = {f"d{i:02d}": int(gain) for i, gain in enumerate(gains)} | {f"m{i}": 1 for i in range(missed)}
    run = {f"d{i:02d}": float(-i) for i in range(len(gains))}
    asked = {"map", "Rprec", "recip_rank", "P.5", "recall.5"}
    wanted = pytrec_eval.RelevanceEvaluator({"q": judged}, asked).evaluate({"q": run})["q"]
    relevant = int((gains > 0).sum()) + missed
    if relevant:
        assert metrics.ranked_average_precision(gains, relevant=relevant) == pytest.approx(wanted["map"])
        assert metrics.r_precision(gains, relevant=relevant) == pytest.approx(wanted["Rprec"])
        assert metrics.recall_at(gains, 5, relevant=relevant) == pytest.approx(wanted["recall_5"])
    assert metrics.reciprocal_rank(gains) == pytest.approx(wanted["recip_rank"])
    assert metrics.precision_at(gains, 5) == pytest.approx(wanted["P_5"])
    for k in (1, 5, None):
        order = np.arange(len(gains), 0, -1.0)[None]
        assert metrics.dcg(gains, k) == pytest.approx(sk.dcg_score(gains[None], order, k=k))
        assert metrics.dcg(gains, k, exponential=True) == pytest.approx(
            sk.dcg_score(2.0 ** gains[None] - 1, order, k=k)
        )


@pytest.mark.parametrize("seed", SEEDS)
def test_the_correlation_of_several_classes(seed: int) -> None:
    g = np.random.default_rng(seed)
    k = int(g.integers(2, 6))
    y, said = g.integers(0, k, (2, 80))
    matrix = sk.confusion_matrix(y, said, labels=range(k))
    assert metrics.multiclass_mcc(matrix) == pytest.approx(sk.matthews_corrcoef(y, said))
    scores = g.random(80).round(1)
    assert (metrics.labels_from_scores(scores, 0.3) == (scores >= 0.3)).all()


def test_labels_of_one_class_have_no_correlation() -> None:
    assert math.isnan(metrics.multiclass_mcc([[5, 0], [3, 0]]))


@pytest.mark.parametrize(("m", "p", "n"), [(2, 50, 50), (30, 257, 1000), (500, 100, 400)])
def test_the_auc_behind_the_best_of_many(m: int, p: int, n: int) -> None:
    """The largest of m normal values, by its density."""
    truth = 0.87
    sd = sota.auc_sd(truth, p, n)

    def weight(z: float) -> float:
        return z * m * float(stats.norm.pdf(z)) * float(stats.norm.cdf(z)) ** (m - 1)

    best = truth + sd * integrate.quad(weight, -9, 9)[0]
    assert sota.adjusted_auc(best, m, p, n) == pytest.approx(truth, abs=2e-6)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_ladder_by_its_definition(seed: int) -> None:
    """Blum & Hardt 2015, algorithm 1."""
    g = np.random.default_rng(seed)
    scores, step = g.random(30).round(3).tolist(), float(g.choice([0.01, 0.05, 0.2]))
    released = [-math.inf]
    for score in scores:
        released.append(round(score / step) * step if score > released[-1] + step else released[-1])
    assert sota.ladder(scores, step=step).released == pytest.approx(released[1:])


@pytest.mark.parametrize("score", ["accuracy", "auc"])
def test_a_board_of_predictions(score: str) -> None:
    g = np.random.default_rng(4)
    y = g.integers(0, 2, 300)
    values = {f"m{k}": y + g.normal(size=300) * (1 + 0.1 * k) for k in range(4)}
    entries = {name: v if score == "auc" else (v > 0.5).astype(int) for name, v in values.items()}
    board = sota.prediction_board(y, entries, score=score)  # type: ignore[arg-type]
    for entry in board.entries:
        given = entries[entry.name]
        if score == "auc":
            wanted, error = sk.roc_auc_score(y, given), st.auc_interval(y, given).interval
            assert error is not None
            se = (error.high - error.low) / 2 / stats.norm.ppf(0.975)
        else:
            wanted, se = sk.accuracy_score(y, given), float(np.std(given == y, ddof=1)) / math.sqrt(300)
        assert entry.score == pytest.approx(wanted)
        assert entry.se == pytest.approx(se, rel=0.06)  # by 2,000 resamples
    for entry in board.entries:
        others = max(other.score for other in board.entries if other is not entry)
        assert entry.behind == pytest.approx(others - entry.score)


def test_a_competition_has_the_distribution_of_its_best() -> None:
    best = sota.best_of(20, 100, 0.8)
    drawn = [int(sota.simulate_competition(20, 100, 0.8, seed=seed).max()) for seed in range(2000)]
    for right in (84, 86, 88):
        share = stats.binom.cdf(right, 100, 0.8) ** 20
        assert best.cdf(right / 100) == pytest.approx(share, rel=1e-9)
        assert np.mean(np.array(drawn) <= right) == pytest.approx(share, abs=0.05)


@pytest.mark.parametrize("method", ["holm", "bonferroni", "fdr_bh", "simes-hochberg", "hommel", "fdr_by"])
def test_a_family_of_p_values(method: str) -> None:
    ours = {"fdr_bh": "bh", "fdr_by": "by", "simes-hochberg": "hochberg"}.get(method, method)
    for seed in SEEDS:
        texts = [f"{p:.4f}" for p in np.random.default_rng(seed).random(5) ** 3]
        wanted = multipletests([float(text) for text in texts], method=method)[1]
        for place, adjusted in enumerate(wanted, 1):
            found = claims.family(texts, method=ours, significant=[str(place)], rounding="nearest")
            assert found.range is not None
            assert found.range[0] - 1e-9 <= adjusted <= found.range[1] + 1e-9
            assert str(found.verdict) == (
                "impossible" if adjusted > 0.0506 else "certain" if adjusted < 0.0494 else str(found.verdict)
            )


@pytest.mark.parametrize("k", [3, 5, 8, 12])
def test_the_smallest_p_of_a_normal_approximation(k: int) -> None:
    """All differences of one sign, all alike or all different."""
    for corrected in (False, True):
        for tied in (False, True):
            d = np.ones(k) if tied else np.arange(1.0, k + 1)
            wanted = stats.wilcoxon(d, correction=corrected, method="asymptotic").pvalue
            assert claims.smallest_p(k, corrected=corrected, tied=tied) == pytest.approx(wanted, rel=1e-9)


@pytest.mark.parametrize("seed", range(60))
def test_rank_sum_admits_every_p_of_scipy(seed: int) -> None:
    """Exact or normal, corrected or not, of one or two sides, with ties: scipy's p is possible for either group's U."""
    rng = np.random.default_rng(seed)
    first, second = rng.normal(0.5, 1, rng.integers(2, 60)), rng.normal(0, 1, rng.integers(2, 60))
    if seed % 2:
        first, second = np.round(first), np.round(second)
    sizes = (len(first), len(second))
    for alternative, sides in (("two-sided", "two"), ("less", "one"), ("greater", "one")):
        for method in ("asymptotic",) if seed % 2 or max(sizes) > 50 else ("asymptotic", "exact"):
            for corrected in (True, False):
                told = stats.mannwhitneyu(
                    first, second, alternative=alternative, method=method, use_continuity=corrected
                )
                for u in (told.statistic, sizes[0] * sizes[1] - told.statistic):
                    p = f"= {told.pvalue:.4f}" if told.pvalue >= 1e-4 else "< 0.0001"
                    found = claims.rank_sum(sizes, p, statistic=f"{u:g}", sides=sides)
                    assert found.verdict == "possible", (method, alternative, corrected, str(found))


def test_rank_sum_has_the_exact_distribution() -> None:
    """Without ties, of groups up to 50 values: both ends of U and of the sides, to the last digit printed."""
    for n1, n2, u in ((10, 12, 23), (3, 4, 0), (50, 50, 900), (1, 5, 5)):
        lower = np.array([*range(1, n1 + 1)], dtype=float)
        moved, rest = divmod(u, n2)
        lower[n1 - moved :] += n2
        if moved < n1:
            lower[n1 - moved - 1] += rest
        others = np.setdiff1d(np.arange(1.0, n1 + n2 + 1), lower)
        for alternative, name in (
            ("two-sided", "two-sided"),
            ("less", "one-sided"),
            ("greater", "one-sided, to the other side"),
        ):
            expected = stats.mannwhitneyu(lower, others, alternative=alternative, method="exact").pvalue
            found = claims.rank_sum((n1, n2), f"= {expected:.6f}", statistic=f"{u}.000")
            exact = next(method for method in found.methods if method.method == f"exact, {name}")
            assert exact.words == f"p between {shown(expected)} and {shown(expected)}"


def test_rank_sum_explains_no_other_p() -> None:
    assert claims.rank_sum((10, 12), "= .07", statistic="23").verdict == "unexplained"
    assert claims.rank_sum((10, 12), "< .0001", statistic="60").verdict == "unexplained"
    assert "sum of ranks" in claims.rank_sum((10, 12), "= .07", statistic="130").words
    with pytest.raises(InvalidOption, match="pair of sizes"):
        claims.rank_sum((10, 12, 5), statistic="23")
    (found,) = claims.statements("(U = 23, n1 = 10, n2 = 12, p = .014)")
    assert found.verdict == "possible"
    assert "exact" in found.words
