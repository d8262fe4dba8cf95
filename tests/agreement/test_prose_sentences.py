"""Sentences labelled by hand, against what is read from them."""

from __future__ import annotations

from pathlib import Path

import pytest

from scoreproof.papers.text_facts import facts
from scoreproof.papers.text_facts.facts import CaseCount, Fact, Folds, Medians, Runs, Sentence, Split

LINES = Path(__file__).parents[1].joinpath("data/prose/sentences.txt").read_text(encoding="utf-8").splitlines()
LABELLED = [
    (text.strip(), tuple(part.strip() for part in label.split(";") if part.strip()))
    for text, _, label in (line.partition("=>") for line in LINES if line and not line.startswith("#"))
]


def said(fact: Fact) -> str:
    match fact:
        case CaseCount():
            classes = " ".join(f"{name}={count}" for name, count in fact.counts)
            return f"{fact.part} {classes or fact.total}"
        case Split():
            return f"split {fact.training:g}/{fact.validation:g}/{fact.test:g}"
        case Folds(k=None):
            return "left-out"
        case Folds():
            how = {True: " stratified", False: " unstratified", None: ""}[fact.stratified]
            return f"folds {fact.k}{f' x{fact.repeats}' if fact.repeats else ''}{how}"
        case Runs():
            return f"runs {fact.count or 'some'}"
        case Medians():
            return "medians"


def test_there_are_enough() -> None:
    assert len({text for text, _ in LABELLED}) == len(LABELLED) >= 740
    assert sum(not labels for _, labels in LABELLED) >= 340


@pytest.mark.parametrize(("text", "labels"), LABELLED, ids=lambda value: value[:40] if isinstance(value, str) else "")
def test_nothing_wrong_is_read(text: str, labels: tuple[str, ...]) -> None:
    assert {said(fact) for fact in facts(Sentence(text))} <= set(labels)


def test_most_is_read() -> None:
    """What is missed is written in ways that few papers use: a rule for each would be read by nobody."""
    wanted = [(text, label) for text, labels in LABELLED for label in labels]
    missed = [(text, label) for text, label in wanted if label not in {said(fact) for fact in facts(Sentence(text))}]
    assert len(missed) <= 0.15 * len(wanted), missed
