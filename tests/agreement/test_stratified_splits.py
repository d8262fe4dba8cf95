"""The classes of a test set that a stratified split leaves, against what scikit-learn deals out."""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.model_selection import train_test_split

from scoreproof.papers.text_facts import facts
from scoreproof.papers.text_facts.facts import sentences
from scoreproof.papers.text_facts.sizes import suggestions


@given(st.integers(12, 900), st.integers(12, 3000), st.sampled_from([10, 15, 20, 25, 30, 33]))
def test_what_is_dealt_out_is_among_the_proposals(ill: int, well: int, share: int) -> None:
    classes = [1] * ill + [0] * well
    _, test = train_test_split(classes, test_size=share / 100, stratify=classes, random_state=1)
    assume(0 < sum(test) < len(test))
    text = (
        f"The data set has {ill + well:,} scans ({ill:,} ill and {well:,} well). "
        f"They were split {100 - share}/{share} into training and test sets with stratification."
    )
    made = suggestions(fact for sentence in sentences(text) for fact in facts(sentence))
    tests = [one for one in made if one.part == "test"]
    classes_known = {tuple(dict(one.classes).values()) for one in tests if one.classes}
    assert (sum(test), len(test) - sum(test)) in classes_known or len(test) in {one.total for one in tests}
    assert classes_known or min(ill, well) * share < 300  # of a small class it may be that none is dealt out


def test_a_split_that_does_not_say_so_leaves_the_classes_open() -> None:
    text = "We had 38 preterm and 262 term records. They were split 80/20 into training and test sets."
    first, *_ = suggestions(fact for sentence in sentences(text) for fact in facts(sentence))
    assert (first.classes, first.total) == ((), 60)
