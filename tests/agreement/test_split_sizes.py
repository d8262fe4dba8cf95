"""The size of a test set that a split leaves, against what scikit-learn deals out."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import train_test_split

from scoreproof.papers.text_facts import facts
from scoreproof.papers.text_facts.facts import sentences
from scoreproof.papers.text_facts.sizes import suggestions


@given(st.integers(24, 4000), st.sampled_from([10, 15, 20, 25, 30, 33]))
def test_what_is_dealt_out_is_among_the_proposals(size: int, share: int) -> None:
    _, test = train_test_split(range(size), test_size=share / 100, random_state=1)
    text = f"The data set has {size:,} scans. They were split {100 - share}/{share} into training and test sets."
    made = suggestions(fact for sentence in sentences(text) for fact in facts(sentence))
    assert len(test) in {suggestion.total for suggestion in made if suggestion.part == "test"}


def test_a_split_leaves_the_classes_open() -> None:
    text = "We had 38 preterm and 262 term records. They were split 80/20 into training and test sets."
    first, *_ = suggestions(fact for sentence in sentences(text) for fact in facts(sentence))
    assert (first.classes, first.total) == ((), 60)
