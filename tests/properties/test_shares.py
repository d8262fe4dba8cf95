"""Shares of a known number: true ones are never flagged, planted slips are, and what chance passes is counted exactly."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoreproof as sp
from scoreproof.documents import Table
from scoreproof.papers.relations.belief import is_believed
from scoreproof.papers.relations.findings import broken, relations_of
from scoreproof.papers.relations.grid import views
from scoreproof.papers.relations.shares import (
    SHARES,
    chance,
    is_share,
    share_relations,
)
from scoreproof.reported.number import REACH, Rounding


def printed(share: Fraction, digits: int, rule: Rounding) -> str:
    """A share of one in percent, cut to digits."""
    scaled = 100 * share * 10**digits
    whole = {Rounding.FLOOR: math.floor(scaled), Rounding.CEIL: math.ceil(scaled)}.get(
        rule, math.floor(scaled + Fraction(1, 2))
    )
    return f"{whole // 10**digits}.{whole % 10**digits:0{digits}d}"


@given(
    st.integers(2, 5000),
    st.data(),
    st.integers(1, 4),
    st.sampled_from([Rounding.NEAREST, Rounding.FLOOR, Rounding.CEIL]),
)
def test_true_shares_fit_however_they_were_rounded(size: int, data: st.DataObject, digits: int, rule: Rounding) -> None:
    text = printed(Fraction(data.draw(st.integers(0, size)), size), digits, rule)
    assert is_share(text, size, 100)
    assert is_share(text, size, 100, rule)


@settings(max_examples=25)
@given(st.integers(2, 99), st.just(2), st.sampled_from([*Rounding]))
def test_chance_is_the_share_of_texts_that_fit(size: int, digits: int, rule: Rounding) -> None:
    scale, (below, above) = 10**digits, REACH[rule]
    fitting = 0
    for units in range(scale + 1):
        low, high = Fraction(2 * units - below, 2 * scale), Fraction(2 * units + above, 2 * scale)
        fitting += max(0, math.ceil(low * size)) <= min(size, math.floor(high * size))
    expected = 1.0 if size >= scale else fitting / (scale + 1)
    assert chance(digits, size, rule) == pytest.approx(expected)


def board(texts: list[str], heading: str = "ARC-Easy (0-shot)", other: str = "Speed") -> Table:
    rows = [(f"model {number}", text, f"{7 * number % 11 + 0.5}") for number, text in enumerate(texts)]
    return Table((("Model", heading, other), *rows))


def share_of(table: Table) -> list[object]:
    return [relation for view in views(table) for relation in share_relations(table, view)]


@settings(max_examples=10, deadline=None)
@given(
    st.lists(st.integers(400, 2376), min_size=6, max_size=14, unique=True),
    st.sampled_from([Rounding.NEAREST, Rounding.FLOOR]),
)
def test_a_true_column_is_believed_and_has_no_finding(counts: list[int], rule: Rounding) -> None:
    table = board([printed(Fraction(count, 2376), 2, rule) for count in counts])
    (relation,) = share_of(table)
    assert not relation.breaks.any()  # type: ignore[attr-defined]
    if rule is Rounding.NEAREST:
        assert is_believed(relation)  # type: ignore[arg-type]


TRUE = [
    printed(Fraction(count, 2376), 2, Rounding.NEAREST) for count in (1164, 1067, 1148, 1244, 1233, 1299, 1349, 1190)
]


def test_a_planted_slip_is_found_with_a_proof_and_its_evidence() -> None:
    texts = [*TRUE]
    texts[3] = "55.25"
    chosen, weighed = relations_of(board(texts))
    (finding,) = (finding for finding in broken(chosen, weighed) if finding.relation.sort == SHARES)
    assert sp.verify(finding.answer.certificate)
    assert finding.words == (
        "ARC-Easy (0-shot) is the share of 2,376 cases (ARC-Easy, test) in 7 of 8 lines; in model 3 the shares next to it are 55.2189, 55.2609, printed is 55.25"
    )


@pytest.mark.parametrize(
    ("heading", "texts", "odd"),
    [
        ("ARC-Easy", TRUE, f"{100 * 200 / 570:.2f}"),  # of the validation split
        (
            "HumanEval",
            ["28.66", "9.15", "51.83", "40.24", "65.85", "70.73"],
            f"{100 * 123 / 820:.2f}",
        ),  # five samples each
        ("HumanEval", ["28.66", "9.15", "51.83", "40.24", "65.85", "70.73"], "26.20"),  # 26.2 with a zero put on
    ],
)
def test_what_else_is_printed_is_no_finding(heading: str, texts: list[str], odd: str) -> None:
    (relation,) = share_of(board([*texts, odd], heading))
    assert not relation.obeys[-1]  # type: ignore[attr-defined]
    assert not relation.breaks.any()  # type: ignore[attr-defined]


def test_columns_that_say_nothing_or_are_none_are_not_believed() -> None:
    assert share_of(board(["71.2", "68.4", "55.1", "60.2"])) == [] or not any(
        map(is_believed, share_of(board(["71.2", "68.4", "55.1", "60.2"])))
    )  # type: ignore[arg-type]
    assert share_of(board(["71.22", "68.41", "55.13"], "HellaSwag")) == []  # each of 10,042 passes
    means = [f"{value:.2f}" for value in np.random.default_rng(1).uniform(40, 80, 20)]
    assert not any(is_believed(relation) for relation in share_of(board(means, "ARC-Challenge")))  # type: ignore[arg-type]
    assert share_of(board([*TRUE], "ARC-Easy F1")) == []


def test_a_mean_over_runs_is_no_share() -> None:
    assert share_of(board([f"{text} ± 0.3" for text in TRUE])) == []


@pytest.mark.parametrize(("odd", "found"), [("1.0205", True), ("0.7412", False)])  # of 1,313 right answers, of none
def test_a_standard_error_of_no_number_of_answers_is_of_a_score_that_counts_nothing(odd: str, found: bool) -> None:
    rights = [round(float(text) / 100 * 2376) for text in TRUE]
    errors = [f"{100 * math.sqrt(k / 2376 * (1 - k / 2376) / 2375):.4f}" for k in rights]
    texts = [*TRUE[:3], "55.25", *TRUE[4:]]
    rows = [(f"model {k}", text, error) for k, (text, error) in enumerate(zip(texts, errors, strict=True))]
    rows[3] = ("model 3", "55.25", odd)
    (relation,) = share_of(Table((("Model", "ARC-Easy", "ARC-Easy_stderr"), *rows)))
    assert relation.breaks.any() == found  # type: ignore[attr-defined]
