"""Every result prints a sentence, serialises to strict JSON and renders in a notebook."""

import json
from html.parser import HTMLParser

import pytest

from scoreproof.sota import (
    adjusted_estimate,
    best_of,
    best_of_auc,
    best_of_score,
    cases_needed,
    leaderboard,
    luck,
    overlooked,
)

RESULTS = {
    "accuracy": lambda: best_of(1000, 3000, 0.9),
    "dependent": lambda: best_of(1000, 3000, 0.9, p_dep=0.95),
    "certain": lambda: best_of(10**9, 5, 0.9),
    "error rate": lambda: best_of_score("err", 10, 50, 50, sens=0.9, spec=0.8),
    "auc": lambda: best_of_auc(10, 0.9, 50, 50),
    "estimate": lambda: adjusted_estimate(0.9213, 1000, 3000),
    "dependent estimate": lambda: adjusted_estimate(0.9213, 1000, 3000, correlation=0.25),
    "overlooked": lambda: overlooked(0.92, 3000, m=1000, delta=0.01),
    "cases": lambda: cases_needed(0.01, 100, 0.9),
    "luck": lambda: luck(0.92, 3000, 0.9, p_dep=0.95),
    "huge luck": lambda: luck(1.0, 3000, 0.5),
    "no luck": lambda: luck(0.5, 10, 0.0),
    "board": lambda: leaderboard([0.9, 0.8, 0.7], 100, public=[0.95, 0.8, 0.75], public_cases=50),
    "regression": lambda: leaderboard([0.9, 0.8, 0.7], 100, public=[0.95, 0.8, 0.75]).regression,
}


class _Balanced(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.mark.parametrize("make", RESULTS.values(), ids=RESULTS)
def test_sentence_json_and_html(make):
    result = make()
    sentence = str(result)
    assert sentence[0].isupper() or sentence[0].isdigit()
    assert sentence.endswith(".")
    assert "nan" not in sentence.lower().split()
    assert "object at" not in sentence
    assert json.loads(json.dumps(result.to_dict(), allow_nan=False)) == result.to_dict()
    page = _Balanced()
    page.feed(result._repr_html_())
    assert page.open == []


def test_sentences_name_the_dependence():
    assert "p_dep = 0.95" in str(RESULTS["dependent"]())
    assert "correlation 0.25" in str(RESULTS["dependent estimate"]())
    assert "p_dep = 0.95" in str(RESULTS["luck"]())


def test_results_cannot_be_changed():
    with pytest.raises(AttributeError):
        best_of(10, 10, 0.5).m = 3


def test_names_are_escaped_in_notebooks():
    board = leaderboard([0.9, 0.8], 100, names=["<script>", "b"])
    assert "<script>" not in board._repr_html_()
