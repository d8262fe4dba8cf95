"""McNemar's test by Fagerland, Lydersen & Laake (2013, doi:10.1186/1471-2288-13-91), and what ``compare`` makes of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks import bench_nulls

from scoreproof import claims
from scoreproof import statistics as st

#: The paper's two examples: children's airways before and after a transplantation, and patients' complete response.
EXAMPLES = {
    (1, 7): {"exact": "0.070", "mid-p": "0.039", "chi2": "0.034", "chi2-corrected": "0.077"},
    (6, 16): {"exact": "0.052", "mid-p": "0.035", "chi2": "0.033", "chi2-corrected": "0.055"},
}


@pytest.mark.parametrize(("counts", "method"), [(counts, method) for counts in EXAMPLES for method in EXAMPLES[counts]])
def test_the_examples(counts: tuple[int, int], method: str) -> None:
    found = st.mcnemar(*counts, method=method)  # type: ignore[arg-type]
    assert f"{found.p_value:.3f}" == EXAMPLES[counts][method]


def _labels(b: int, c: int, both: int, none: int) -> tuple[list[int], dict[str, list[int]]]:
    n = b + c + both + none
    first = [1] * b + [0] * c + [1] * both + [0] * none
    second = [0] * b + [1] * c + [1] * both + [0] * none
    truth = [i % 2 for i in range(n)]
    named = {"A": first, "B": second}
    return truth, {
        name: [t if right else 1 - t for t, right in zip(truth, side, strict=True)] for name, side in named.items()
    }


def test_compare_runs_the_mid_p_test() -> None:
    truth, models = _labels(1, 7, 10, 3)
    found = st.compare(models, truth=truth)
    assert found.pairs[0].result.p_value == pytest.approx(10 / 256)
    assert "mid-p" in found.pairs[0].result.method
    assert [pair.better for pair in found.significant()] == ["B"]


@pytest.mark.parametrize("method", EXAMPLES[1, 7])
@pytest.mark.parametrize(("b", "c"), [(1, 7), (6, 16), (12, 4), (5, 0), (30, 30), (41, 25)])
def test_a_published_p_value_of_any_variant_is_possible(b: int, c: int, method: str) -> None:
    p = st.mcnemar(b, c, method=method).p_value  # type: ignore[arg-type]
    found = claims.mcnemar(f"{50 + b}/150", f"{50 + c}/150", p=f"{p:.3f}", discordant=(b, c))
    assert found.verdict != "impossible"


@pytest.mark.parametrize("method", ["exact", "mid-p"])
def test_interval_and_test_never_contradict_each_other(method: str) -> None:
    for b in range(40):
        for c in range(40):
            for n in (b + c, b + c + 100, 1000):
                found = st.mcnemar(b, c, n=n, method=method)  # type: ignore[arg-type]
                bounds = found.effects[0].interval
                assert bounds is not None
                inside = bounds.low < 0 < bounds.high or b == c
                assert inside <= (found.p_value > 0.05), (b, c, n)
                assert (found.p_value > 0.05) <= (0 in bounds), (b, c, n)
                assert bounds.low <= found.effects[0].value <= bounds.high


def test_no_design_below_two_per_cent_is_exempt_without_a_documented_reason() -> None:
    page = " ".join((Path(__file__).parents[2] / "docs" / "comparing.md").read_text(encoding="utf-8").split())
    reasons = {null.cautious for null in bench_nulls.NULLS if null.cautious}
    assert len(reasons) == 4
    assert [reason for reason in reasons if reason not in page] == []
