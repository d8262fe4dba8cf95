"""What comparisons look like: words, LaTeX, figures; and that making them changes and prints nothing."""

from __future__ import annotations

import io

import numpy as np
import pytest

from scoreproof import statistics as st
from scoreproof.errors import ScoreproofError

GENERATOR = np.random.default_rng(2)
TABLE = {name: 0.7 + 0.05 * i + 0.02 * GENERATOR.normal(size=20) for i, name in enumerate(("low", "mid", "high"))}
TRUTH = GENERATOR.integers(0, 2, 150)
SCORES = {"net": TRUTH + GENERATOR.normal(size=150), "tree": GENERATOR.normal(size=150)}
LABELS = {name: (s > 0.5).astype(int) for name, s in SCORES.items()}


def comparisons() -> list[st.Comparison]:
    two = {k: TABLE[k] for k in ("low", "high")}
    return [
        st.compare(TABLE),
        st.compare(two),
        st.compare(two, values="folds", folds=5),
        st.compare({k: v[:10] for k, v in two.items()}, values="5x2 folds"),
        st.compare(TABLE, question="variance"),
        st.compare(SCORES, truth=TRUTH),
        st.compare(LABELS, truth=TRUTH),
        st.compare(LABELS, truth=TRUTH, metric="accuracy"),
        st.compare({**SCORES, "sum": SCORES["net"] + SCORES["tree"]}, truth=TRUTH),
    ]


@pytest.mark.parametrize("found", comparisons(), ids=lambda c: f"{len(c.names)} {c.test} {c.unit}")
def test_every_report_is_complete_silent_and_repeatable(
    found: st.Comparison, capsys: pytest.CaptureFixture[str]
) -> None:
    before = found.to_dict()
    assert all(name in found.text for name in found.names)
    latex = found.latex()
    assert latex.count("{") == latex.count("}")
    buffer = io.BytesIO()
    found.figure().savefig(buffer, format="png", dpi=40)
    assert buffer.getvalue().startswith(b"\x89PNG")
    assert all(name in found._repr_html_() for name in found.names)
    assert found.to_dict() == before
    assert capsys.readouterr() == ("", "")


def test_the_better_model_is_named() -> None:
    found = st.compare({k: TABLE[k] for k in ("low", "high")}, metric="accuracy")
    assert found.pairs[0].better == "high"
    assert "high is better than low" in found.text
    losses = st.compare({k: TABLE[k] for k in ("low", "high")}, higher_is_better=False)
    assert "low is better than high" in losses.text
    assert losses.best == "low"


def test_all_pairs_of_three_clearly_different_models_differ() -> None:
    found = st.compare(TABLE)
    assert len(found.significant()) == 3
    assert [round(m.numbers[2][1]) for m in found.models] == [3, 2, 1]


def test_pairs_are_not_interpreted_when_nothing_differs_as_a_whole() -> None:
    rows = np.random.default_rng(0).normal(size=(12, 4))
    found = st.compare(rows, correction="none")
    assert min(p.p_adjusted for p in found.pairs) <= 0.05
    assert found.omnibus is not None
    assert found.omnibus.p_value > 0.05
    assert found.significant() == ()
    assert "not interpreted" in found.text


def test_folds_get_the_corrected_t_test_and_nothing_that_contradicts_it() -> None:
    two = {k: TABLE[k] for k in ("low", "high")}
    found = st.compare(two, values="folds", folds=5)
    # four runs of five folds: 5 + 4 - 2 degrees of freedom
    assert found.pairs[0].result == st.corrected_resampled_t(two["low"], two["high"], folds=5, df=7)
    assert found.recommendation.function == "corrected_resampled_t"
    assert found.checks == ()
    assert found.text.count("p = ") == 1
    assert [m.main.name for m in found.models] == ["mean", "mean"]
    three = st.compare(TABLE, values="folds", folds=5)
    assert three.omnibus is None
    assert three.ranks is None
    assert {p.result.test for p in three.pairs} == {"Corrected resampled t-test"}


def test_a_rank_test_asked_for_on_folds_carries_a_warning() -> None:
    two = {k: TABLE[k] for k in ("low", "high")}
    found = st.compare(two, values="folds", test="wilcoxon")
    assert any("identical models different" in note for note in found.notes)


def test_the_folds_of_one_run_must_be_known() -> None:
    two = {k: TABLE[k] for k in ("low", "high")}
    with pytest.raises(ScoreproofError, match="20 rows of folds: expected folds="):
        st.compare(two, values="folds")
    ten = {k: v[:10] for k, v in two.items()}
    assert any("one run of 10 folds" in note for note in st.compare(ten, values="folds").notes)
    split = st.compare(two, values="folds", test_to_train=0.25)
    assert split.pairs[0].result.p_value == st.corrected_resampled_t(two["low"], two["high"], folds=5).p_value
    with pytest.raises(ScoreproofError, match="10, repetition by repetition"):
        st.compare(two, values="5x2 folds")
    five = st.compare(ten, values="5x2 folds")
    assert five.pairs[0].result == st.corrected_resampled_t(ten["low"], ten["high"], folds=2, df=5)


def test_spread_is_compared_by_distances_from_the_median() -> None:
    wide = {"A": GENERATOR.gamma(0.5, size=40), "B": 9 * GENERATOR.gamma(0.5, size=40)}
    found = st.compare(wide, question="variance")
    assert found.pairs[0].result.test == "Paired Levene test"
    assert "B varies more than A" in found.text
    assert found.pairs[0].result == st.paired_levene(wide["A"], wide["B"])


def test_latex_is_escaped_and_significant_pairs_bold() -> None:
    found = st.compare({"U_64 & co": TABLE["low"], "100%": TABLE["high"]})
    assert r"\textbf{U\_64 \& co vs 100\%}" in found.latex()


def test_critical_difference_runs() -> None:
    ranks = st.PostHoc("Nemenyi test", ("a", "b", "c", "d"), (1.0, 1.8, 2.6, 4.6), (), 0.05, 1.7, 10)
    assert st.indistinguishable(ranks) == [(0, 2)]
    assert len(st.critical_difference_diagram(ranks).axes[0].texts) == 4 + 4 + 1


def test_auc_intervals_of_four_kinds() -> None:
    found = {
        m: st.auc_interval(TRUTH, SCORES["net"], method=m) for m in ("delong", "logit", "hanley-mcneil", "bootstrap")
    }
    assert len({e.value for e in found.values()}) == 1
    for effect in found.values():
        assert effect.interval is not None
        assert effect.value in effect.interval
    again = st.auc_interval(TRUTH, SCORES["net"], method="bootstrap")
    assert again == found["bootstrap"]
    perfect = st.auc_interval([0, 0, 1, 1], [1, 2, 3, 4], method="logit").interval
    assert perfect is not None
    assert (round(perfect.low, 4), perfect.high) == (0.3856, 1)
    assert perfect.method.startswith("Newcombe")


def test_long_inputs_are_echoed_by_size_only() -> None:
    x = np.arange(5000.0)
    found = st.sign_test(x, x[::-1])
    assert found.inputs["wins"] == 2500
    assert st.paired_t(x, x[::-1]).to_dict()["inputs"]["x"] == {"shape": [5000]}
