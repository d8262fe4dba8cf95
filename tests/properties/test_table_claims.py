"""Honest summaries of tables, however they were made, are never called impossible; ranks of true scores neither."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import rankdata

import scoreproof as sp
from scoreproof import claims
from scoreproof.claims import Standing


def accused(grid: list[list[str]]) -> list[str]:
    spec: Any = {"tables": [{"grid": grid, "untested": "scores of methods on data sets"}]}
    (told,) = sp.audit(spec, explain=False, strength=False).tables
    return [*(str(check) for check in told.checks if check.verdict == "inconsistent"), *map(str, told.questions)]


@st.composite
def scores(draw: st.DrawFn) -> tuple[np.random.Generator, np.ndarray, int]:
    """Scores of methods on data sets, alike as those of real tables are, and the digits they are printed with."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    sets, methods, digits = draw(st.integers(2, 8)), draw(st.integers(2, 7)), draw(st.integers(2, 4))
    level = rng.uniform(0.5, 0.95, (sets, 1)) + rng.uniform(-0.03, 0.03, methods)
    return rng, np.clip(level + rng.normal(0, draw(st.sampled_from([0.0, 0.003, 0.03])), (sets, methods)), 0, 1), digits


def printed(values: np.ndarray, digits: int) -> list[str]:
    return [f"{value:.{digits}f}" for value in values]


def table(values: np.ndarray, digits: int, label: str, last: list[str]) -> list[list[str]]:
    heads = ["Data set", *(f"M{k}" for k in range(values.shape[1]))]
    return [heads, *([f"d{j}", *printed(row, digits)] for j, row in enumerate(values)), [label, *last]]


@settings(max_examples=120, deadline=None)
@given(scores(), st.sampled_from(["plain", "weighted", "more", "fewer", "median"]))
def test_averages_of_any_kind(made: Any, how: str) -> None:
    rng, values, digits = made
    ways = {
        "plain": lambda: values.mean(0),
        "weighted": lambda: rng.dirichlet(np.ones(len(values))) @ values,
        "more": lambda: np.vstack([values, values[:1] + rng.normal(0, 0.05, values.shape[1])]).mean(0),
        "fewer": lambda: values[1:].mean(0),
        "median": lambda: np.median(values, 0),
    }
    assert accused(table(values, digits, "Average", printed(ways[how](), digits))) == []


@settings(max_examples=120, deadline=None)
@given(scores(), st.sampled_from(["average", "min", "max", "dense"]), st.booleans(), st.booleans(), st.integers(1, 3))
def test_mean_ranks_of_any_kind(made: Any, ties: str, lowest: bool, more: bool, rank_digits: int) -> None:
    rng, values, digits = made
    ranked = np.vstack([values, rng.permuted(values, axis=1)]) if more else values
    ranks = np.array([rankdata(row if lowest else -row, method=ties) for row in ranked]).mean(0)
    assert accused(table(values, digits, "Mean rank", printed(ranks, rank_digits))) == []


@settings(max_examples=150, deadline=None)
@given(scores(), st.booleans(), st.booleans(), st.sampled_from([np.floor, np.ceil, np.round]))
def test_ranks_of_true_scores_are_possible(made: Any, higher: bool, equal: bool, rule: Any) -> None:
    _, values, digits = made
    values = np.round(values, 2) if equal else values  # then some are truly equal
    ranks = np.array([rankdata(-row if higher else row) for row in values]).mean(0)
    shown = [[f"{rule(value * 10**digits) / 10**digits:.{digits}f}" for value in row] for row in values]
    found = claims.ranks(printed(ranks, 2), scores=shown, higher=higher)
    assert found.verdict is not Standing.IMPOSSIBLE, (str(found), shown)


@settings(max_examples=80, deadline=None)
@given(scores(), st.integers(0, 6))
def test_a_wrong_mean_rank_is_proved_wrong(made: Any, place: int) -> None:
    _, values, digits = made
    texts = [printed(row, digits) for row in values]
    if any(len(set(row)) < len(row) for row in texts):
        return
    ranks = np.array([rankdata([-float(text) for text in row]) for row in texts]).mean(0)
    right = printed(ranks, 2)
    assert claims.ranks(right, scores=texts).verdict is Standing.CERTAIN
    wrong = [*right]
    wrong[place % len(wrong)] = f"{float(wrong[place % len(wrong)]) + 0.04:.2f}"
    found = claims.ranks(wrong, scores=texts)
    assert found.verdict is Standing.IMPOSSIBLE
    assert sp.verify(found.certificate or {})
