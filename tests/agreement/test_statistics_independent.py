"""Independent groups, Cochran's Q and Bowker's test against R."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scoreproof import statistics as st

CASES = json.loads((Path(__file__).parents[1] / "data" / "statistics" / "independent.json").read_text())["cases"]


def cases(kind: str) -> Any:
    found = [pytest.param(c["inputs"], c["outputs"], id=c["label"]) for c in CASES if c["kind"] == kind]
    assert found
    return pytest.mark.parametrize(("given", "wanted"), found)


def agree(found: Any, wanted: Any) -> None:
    np.testing.assert_allclose(np.asarray(found, float), np.asarray(wanted, float), rtol=1e-9, atol=1e-14)


@cases("two_groups")
def test_two_groups(given: Any, wanted: Any) -> None:
    found = st.mann_whitney(**given)
    agree([found.statistic, found.p_value], [wanted["U"], wanted["p"]])
    t = st.welch_t(**given)
    agree([t.statistic, *t.df, t.p_value], [wanted["t"], wanted["df"], wanted["p_t"]])
    assert t.interval is not None
    agree([t.interval.low, t.interval.high], wanted["ci"])


@cases("many_groups")
def test_many_groups(given: Any, wanted: Any) -> None:
    groups = given["groups"]
    found = st.kruskal_wallis(*groups)
    agree([found.statistic, found.p_value], [wanted["H"], wanted["p"]])
    pairs = [st.dunn(groups, a, b) for a, b in combinations(range(len(groups)), 2)]
    agree([p.statistic for p in pairs], wanted["dunn_z"])
    agree([p.p_value for p in pairs], wanted["dunn_p"])
    compared = st.compare({f"g{i}": g for i, g in enumerate(groups)}, paired=False)
    agree([p.p_adjusted for p in compared.pairs], wanted["holm"])


@cases("cochran")
def test_cochran(given: Any, wanted: Any) -> None:
    found = st.cochran_q(given["right"])
    agree([found.statistic, *found.df, found.p_value], [wanted["Q"], wanted["df"], wanted["p"]])


@cases("bowker")
def test_bowker(given: Any, wanted: Any) -> None:
    found = st.bowker(given["first"], given["second"])
    agree([found.statistic, *found.df, found.p_value], [wanted["chi2"], wanted["df"], wanted["p"]])


def test_degenerate_groups() -> None:
    assert st.mann_whitney([1, 1], [1, 1, 1]).p_value == 1
    assert st.kruskal_wallis([1, 1], [1], [1, 1]).p_value == 1
    assert st.welch_t([1, 1], [1, 1]).p_value == 1
    assert st.welch_t([1, 1], [2, 2]).p_value == 0
    assert st.cochran_q([[1, 1], [0, 0]]).p_value == 1
    assert st.bowker([1, 2], [1, 2]).p_value == 1
    assert st.dunn([[1, 1], [1, 1]], 0, 1).p_value == 1


def test_welch_from_print_is_welch() -> None:
    x, y = [0.81, 0.83, 0.79, 0.9], [0.7, 0.75, 0.8]
    full = st.welch_t(x, y)
    printed = st.welch_from_summary(np.mean(x), np.std(x, ddof=1), 4, np.mean(y), np.std(y, ddof=1), 3)
    assert printed.p_value == pytest.approx(full.p_value)


def test_bayesian_signed_rank_by_plain_simulation() -> None:
    generator = np.random.default_rng(1)
    x, y = generator.normal(0.02, 0.05, 12), generator.normal(0, 0.05, 12)
    found = st.bayesian_signed_rank(x, y, rope=0.01)
    z = np.concatenate([[0.0], x - y])
    wins = np.zeros(3)
    for _ in range(3000):
        w = generator.gamma(np.concatenate([[0.5], np.ones(12)]))
        w /= w.sum()
        share = np.zeros(3)
        for i, a in enumerate(z):
            for j, b in enumerate(z):
                share[0 if a + b < -0.02 else 2 if a + b > 0.02 else 1] += w[i] * w[j]
        wins[np.argmax(share)] += 1
    assert [found.second, found.equal, found.first] == pytest.approx(wins / 3000, abs=0.03)
