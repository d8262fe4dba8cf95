"""Degenerate input has a defined answer, and bad input an error that says where."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from scoreproof import statistics as st
from scoreproof.errors import InvalidOption, InvalidValue, ScoreproofError

SAME = [0.8, 0.7, 0.9, 0.6]
SHIFTED = [0.9, 0.8, 1.0, 0.7]


@pytest.mark.parametrize("method", ["exact", "mid-p", "chi2", "chi2-corrected"])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_no_discordant_case(method: str, alternative: str) -> None:
    found = st.mcnemar(0, 0, n=10, method=method, alternative=alternative)
    assert (found.statistic, found.p_value) == (0, 1)
    assert found.effects[0].value == 0


@pytest.mark.parametrize(
    "test",
    [
        st.paired_t,
        st.corrected_resampled_t,
        st.wilcoxon_signed_rank,
        st.sign_test,
        st.permutation_test,
        st.pitman_morgan,
    ],
)
def test_identical_values(test: Callable[..., st.TestResult]) -> None:
    found = test(SAME, SAME)
    assert found.p_value == 1
    assert found.statistic == 0


def test_constant_differences() -> None:
    for found in (st.paired_t(SHIFTED, SAME), st.corrected_resampled_t(SHIFTED, SAME)):
        assert (found.statistic, found.p_value) == (math.inf, 0)
        assert found.notes
        assert found.to_dict()["statistic"] == "Infinity"
    assert st.cohen_d_z(SHIFTED, SAME) == math.inf
    assert st.cohen_d_z(SAME, SAME) == 0
    assert st.wilcoxon_signed_rank(SAME, SAME).effects[-1].value == 0
    assert st.wilcoxon_signed_rank(SHIFTED, SAME).effects[-1].value == 1
    # Equal up to floats, so one tie of four: the two-sided minimum.
    assert st.wilcoxon_signed_rank(SHIFTED, SAME).p_value == 0.125


def test_five_by_two_without_spread() -> None:
    a = np.full((5, 2), 0.8)
    assert st.five_by_two_f(a, a).p_value == 1
    assert (st.five_by_two_f(a, a - 0.1).statistic, st.five_by_two_f(a, a - 0.1).p_value) == (math.inf, 0)


def test_constant_arrays() -> None:
    flat, other = [2.0, 2.0, 2.0, 2.0], [1.0, 2.0, 3.0, 4.0]
    assert st.f_test(flat, flat).p_value == 1
    assert math.isnan(st.f_test(flat, flat).statistic)
    assert (st.f_test(other, flat).statistic, st.f_test(other, flat).p_value) == (math.inf, 0)
    assert (st.f_test(flat, other).statistic, st.f_test(flat, other).p_value) == (0, 0)
    assert (st.bartlett(flat, flat).statistic, st.bartlett(flat, flat).p_value) == (0, 1)
    assert st.bartlett(flat, other).p_value == 0
    assert (st.levene(flat, flat).statistic, st.levene(flat, flat).p_value) == (0, 1)
    assert st.pitman_morgan(flat, flat).p_value == 1
    assert st.pitman_morgan(other, flat).p_value == 0
    assert st.shapiro_wilk(flat).p_value == 1
    for test in (st.pearson_test, st.spearman_test, st.kendall_test):
        assert test(flat, other).p_value == 1
    assert (st.friedman([[1, 1, 1], [2, 2, 2]]).statistic, st.friedman([[1, 1], [2, 2]]).p_value) == (0, 1)
    assert st.bootstrap_interval(np.mean, flat).interval == st.Interval(
        2.0, 2.0, 0.95, "BCa bootstrap, 2,000 resamples, seed 0"
    )


def test_identical_score_vectors() -> None:
    truth = [0, 0, 1, 1, 1]
    scores = [0.1, 0.6, 0.4, 0.8, 0.9]
    found = st.delong_paired(truth, scores, scores)
    assert (found.statistic, found.p_value) == (0, 1)
    assert st.delong_paired(truth, scores, scores, alternative="greater").p_value == 0.5
    assert st.delong_many(truth, [scores, scores, scores]).p_value == 1
    constant = st.delong_paired(truth, [1] * 5, [2] * 5)
    assert (constant.p_value, constant.details["auc_first"]) == (1, 0.5)


def test_perfect_against_perfectly_wrong() -> None:
    truth = np.array([0, 0, 1, 1])
    found = st.delong_paired(truth, truth, -truth)
    assert (found.statistic, found.p_value) == (math.inf, 0)
    assert st.delong_unpaired(truth, truth, truth, truth).p_value == 1


def test_every_row_ranks_alike() -> None:
    found = st.friedman([[3, 2, 1]] * 5)
    assert (found.statistic, found.effects[0].value) == (math.inf, 1)
    assert found.p_value == pytest.approx(6**-4)


@pytest.mark.parametrize("truth", [[1, 1, 1], [0, 0, 0], [0, 1, 1]])
def test_one_class_only(truth: list[int]) -> None:
    for call in (
        lambda: st.delong_paired(truth, [1, 2, 3], [3, 2, 1]),
        lambda: st.auc_interval(truth, [1, 2, 3]),
        lambda: st.delong_many(truth, [[1, 2, 3], [3, 2, 1]]),
    ):
        with pytest.raises(InvalidValue, match=r"truth holds \d positive and \d negative"):
            call()


def test_mcnemar_without_cases_of_a_class() -> None:
    found = st.mcnemar_predictions([0, 0], [0, 1], [1, 0], score="sensitivity")
    assert found.p_value == 1
    assert "no positive case" in found.notes[0]


def test_one_model() -> None:
    with pytest.raises(InvalidValue, match="at least 2"):
        st.friedman([[1], [2]])
    with pytest.raises(InvalidValue, match="at least 2"):
        st.compare({"A": [1, 2, 3]})
    with pytest.raises(InvalidValue, match="expected at least 2"):
        st.levene([1, 2, 3])
    with pytest.raises(InvalidValue, match="expected at least 2"):
        st.delong_many([0, 0, 1, 1], [[1, 2, 3, 4]])
    assert st.adjust([0.04], "holm").tolist() == [0.04]
    assert st.recommend(models=1).test == "bootstrap interval"


NAN = float("nan")


@pytest.mark.parametrize(
    ("call", "where"),
    [
        (lambda: st.paired_t([1, NAN, 3], [1, 2, 3]), r"x\[1\] is NaN"),
        (lambda: st.wilcoxon_signed_rank([1, 2, 3], [1, 2, NAN]), r"y\[2\] is NaN"),
        (lambda: st.sign_test([1, 2, math.inf], [1, 2, 3]), r"x\[2\] is infinite"),
        (lambda: st.friedman([[1, 2], [NAN, 3]]), r"scores\[1, 0\] is NaN"),
        (lambda: st.friedman([[1, 2], [None, 3]]), r"scores\[1, 0\] is missing"),
        (lambda: st.delong_paired([0, 0, 1, 1], [1, 2, NAN, 3], [1, 2, 3, 4]), r"first\[2\] is NaN"),
        (lambda: st.delong_paired([0, 0, 1, NAN], [1, 2, 3, 4], [1, 2, 3, 4]), r"truth\[3\] is NaN"),
        (lambda: st.shapiro_wilk([1, 2, NAN]), r"x\[2\] is NaN"),
        (lambda: st.levene([1, 2], [NAN, 2]), r"group 2\[0\] is NaN"),
        (lambda: st.adjust([0.1, NAN]), r"p_values\[1\] is NaN"),
        (lambda: st.compare({"A": [1, NAN], "B": [1, 2]}), r"scores\[1, 0\] is NaN"),
        (lambda: st.bootstrap_interval(np.mean, [1, NAN]), r"array 1 is NaN at \[1\]"),
    ],
)
def test_missing_values_are_errors_that_say_where(call: Callable[[], object], where: str) -> None:
    with pytest.raises(InvalidValue, match=where):
        call()


@pytest.mark.parametrize(
    "call",
    [
        lambda: st.paired_t([1, 2], [1, 2, 3]),
        lambda: st.paired_t([], []),
        lambda: st.paired_t([[1, 2]], [[1, 2]]),
        lambda: st.paired_t(["a", "b"], [1, 2]),
        lambda: st.paired_t([1j, 2], [1, 2]),
        lambda: st.paired_t([1, 2], [1, 3], alternative="bigger"),
        lambda: st.paired_t([1, 2], [1, 3], level=95),
        lambda: st.friedman([[1, 2], [3]]),
        lambda: st.friedman([[1, 2]]),
        lambda: st.friedman([1, 2]),
        lambda: st.nemenyi([[1, 2], [2, 1]], models=["A"]),
        lambda: st.nemenyi([[1, 2], [2, 1]], models=["A", "A"]),
        lambda: st.posthoc([[1, 2], [2, 1]], control="C"),
        lambda: st.mcnemar(-1, 2),
        lambda: st.mcnemar(1.5, 2),
        lambda: st.mcnemar("3", 2),
        lambda: st.mcnemar(3, 4, n=5),
        lambda: st.mcnemar(3, 4, method="yates"),
        lambda: st.mcnemar_predictions([0, 1, 2], [0, 1, 2], [0, 1, 2], score="accuracy"),
        lambda: st.mcnemar_predictions([0, 1], [0, 1], [0, 1], score="f1"),
        lambda: st.proportion_interval(5, 4),
        lambda: st.proportion_interval(5, 10, method="exact-ish"),
        lambda: st.corrected_resampled_t([1, 2, 4], [1, 2, 3], folds=2),
        lambda: st.corrected_resampled_t([1, 2], [1, 3], folds=2, test_to_train=0.1),
        lambda: st.corrected_resampled_t([1, 2], [1, 3], rope=-1),
        lambda: st.corrected_resampled_t([1, 2], [1, 3], df=0),
        lambda: st.corrected_resampled_t([1, 2], [1, 3], df=float("nan")),
        lambda: st.five_by_two_f([[1, 2]], [[1, 2]]),
        lambda: st.sign_test([1, 2], wins=3),
        lambda: st.sign_test([1, 2]),
        lambda: st.sign_test(wins=3),
        st.sign_test,
        lambda: st.wilcoxon_signed_rank(np.arange(1.0, 4000), np.zeros(3999), method="exact"),
        lambda: st.permutation_test(np.arange(1.0, 60), np.zeros(59), method="exact"),
        lambda: st.permutation_test([1, 2], [2, 1], statistic=lambda x, y: math.nan),
        lambda: st.power_two_proportions(n=0, p1=0.1, p2=0.2),
        lambda: st.power_two_proportions(n=10, p1=1.1, p2=0.2),
        lambda: st.power_two_proportions(n=10, p1=0.1, p2=0.2, sides=3),
        lambda: st.plan_study("proportions", size=2, first=0.99),
        lambda: st.power_mcnemar(n=10, p_b=0.7, p_c=0.6),
        lambda: st.plan_study("mcnemar", size=3, discordant=0.1),
        lambda: st.hanley_mcneil(1.2, 10, 10),
        lambda: st.hanley_mcneil(0.8, 0, 10),
        lambda: st.hanley_mcneil_test(0.8, 0.7, 10, 10, correlation=2),
        lambda: st.adjust([0.1, 1.2]),
        lambda: st.adjust([0.1], "sidak"),
        lambda: st.bootstrap_interval(np.mean),
        lambda: st.bootstrap_interval(lambda x: math.nan, [1, 2, 3]),
        lambda: st.recommend(task="chess"),
        lambda: st.recommend(task="binary", metric="hausdorff"),
        lambda: st.recommend(values="guesses"),
        lambda: st.recommend(values="one test set"),
        lambda: st.recommend(models=0),
        lambda: st.recommend(values="folds", human=True),
        lambda: st.recommend(paired=False, values="folds"),
        lambda: st.recommend(models=1, question="variance"),
        lambda: st.compare([[1, 2], [2, 1]], test="anova"),
        lambda: st.compare([[1, 2], [2, 1]], test="delong"),
        lambda: st.compare([[1, 2], [2, 1]], values="one test set"),
        lambda: st.compare({"A": [1, 2], "B": [1, 2, 3]}),
        lambda: st.compare([[1, 2], [3]]),
        lambda: st.compare({"A": [1, [2, 3]], "B": [1, 2]}),
        lambda: st.compare({"A": ["x", "y"], "B": [1, 2]}),
        lambda: st.compare("scores.csv"),
        lambda: st.mcnemar(10**400, 3),
        lambda: st.delong_paired(["a", "b", "a", "b"], [1, 2, 3, 4], [1, 2, 3, 4]),
        lambda: st.delong_paired(["a", "b", "a", "b"], [1, 2, 3, 4], [1, 2, 3, 4], positive="c"),
        lambda: st.compare({"A": [0, 1], "B": [1, 0]}, truth=[0, 1], test="wilcoxon"),
        lambda: st.compare({"A": [0.5, 1, 0, 1], "B": [1, 0, 1, 0]}, truth=[0, 1, 0, 1], test="mcnemar"),
        lambda: st.compare({"A": [0, 1], "B": [1, 0]}, truth=[0, 1], question="variance"),
        lambda: st.compare({"A": [1, 2, 3], "B": [1, 0, 2]}, test="5x2cv"),
        lambda: st.compare({"A": [1, 2, 3], "B": [1, 0, 2]}, test="pitman-morgan"),
        lambda: st.compare({"A": [1, 2, 3], "B": [1, 0, 2]}, question="variance", test="wilcoxon"),
        lambda: st.critical_difference_diagram(st.posthoc([[1, 2, 3], [2, 1, 3]], control=0)),
    ],
)
def test_bad_input_is_refused_clearly(call: Callable[[], object]) -> None:
    with pytest.raises(ScoreproofError, match=r"expected|at most") as caught:
        call()
    assert isinstance(caught.value, InvalidValue | InvalidOption)


def test_rounding_that_hides_real_differences_is_said() -> None:
    x, y = np.array([3e-12, 5e-12, 9e-12]), np.array([1e-12, 2e-12, 4e-12])
    for found in (st.wilcoxon_signed_rank(x, y), st.sign_test(x, y), st.friedman(np.column_stack([x, y]))):
        assert found.p_value == 1
        assert any("vanished in rounding" in note for note in found.notes)
    assert st.wilcoxon_signed_rank(x, y, decimals=None).p_value == 0.25
    assert not any("vanished" in note for note in st.wilcoxon_signed_rank([0.3, 0.2], [0.2, 0.1]).notes)


def test_labels_of_any_kind() -> None:
    scores, other = [1, 2, 3, 4, 5], [2, 1, 3, 5, 4]
    wanted = st.delong_paired([0, 0, 1, 0, 1], scores, other)
    for truth, positive in (
        ([False, False, True, False, True], None),
        ([-1, -1, 1, -1, 1], None),
        ([0.0, 0.0, 1.0, 0.0, 1.0], 1),
        ([5, 5, 7, 5, 7], 7.0),
        (["no", "no", "yes", "no", "yes"], "yes"),
    ):
        assert st.delong_paired(truth, scores, other, positive=positive) == wanted


class Frame:
    """What a data frame looks like from outside."""

    columns = ("first", "second")

    def __array__(self, dtype: object = None, copy: object = None) -> np.ndarray:
        return np.array([[0.8, 0.7], [0.9, 0.6], [0.7, 0.75]])


def test_a_data_frame_brings_its_names() -> None:
    assert st.compare(Frame()).names == ("first", "second")


def test_pitman_morgan_knows_no_unit() -> None:
    x, y = [1.0, 2.0, 3.0, 4.0, 9.0], [2.0, 3.0, 3.0, 4.0, 4.0]
    plain = st.pitman_morgan(x, y)
    for unit in (1e300, 1e-300):
        scaled = st.pitman_morgan([unit * value for value in x], [unit * value for value in y])
        assert scaled.p_value == pytest.approx(plain.p_value, rel=1e-9)


def test_equal_spreads_that_round_below_zero_give_p_one() -> None:
    """Mean deviations that agree but for the last bit made F = -9e-32 and p = nan."""
    result = st.levene([0, 0, 0, 9, 20, 20], [0, -13, 20, 7, 8, 15])
    assert result.statistic >= 0
    assert result.p_value == 1


@pytest.mark.parametrize(
    "result",
    [
        st.f_test([1, 1], [1, 2]), st.f_test([1, 2], [1, 1]), st.bartlett([1, 1, 1], [1, 2, 3]), st.welch_t([1, 1], [2, 2]),
        st.pitman_morgan([1, 1, 1, 1], [1, 2, 3, 5]), st.paired_t([1, 2, 3], [0, 1, 2]), st.corrected_resampled_t([1, 2, 3, 4], [0, 1, 2, 3], folds=4),
        st.delong_paired([0, 0, 1, 1], [1, 2, 8, 9], [9, 8, 2, 1]), st.paired_levene([1, 2, 3, 4], [1, 1, 1, 1]), st.levene([1, 2], [1, 9]),
    ],
    ids=lambda result: result.test,
)  # fmt: skip
def test_p_is_not_0_without_a_word(result: st.TestResult) -> None:
    assert result.p_value > 0 or "says nothing about new data" in result.notes[-1]
    assert type(result).from_dict(result.to_dict()).notes == result.notes
