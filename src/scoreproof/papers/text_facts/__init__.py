"""What the sentences of a paper say of its experiments: counts, classes, splits, folds, averaging, rounding."""

from collections.abc import Iterator

from scoreproof.papers.text_facts.class_tables import class_tables
from scoreproof.papers.text_facts.counts import counts
from scoreproof.papers.text_facts.designs import designs
from scoreproof.papers.text_facts.doubts import about_others
from scoreproof.papers.text_facts.facts import (
    Averaged,
    CaseCount,
    ClassCounts,
    Decimals,
    Fact,
    Folds,
    Medians,
    Portion,
    Runs,
    Sought,
    Split,
)
from scoreproof.papers.text_facts.medians import medians
from scoreproof.papers.text_facts.runs import runs
from scoreproof.papers.text_facts.sentence import Sentence, all_sentences, sentences
from scoreproof.papers.text_facts.sought import sought
from scoreproof.papers.text_facts.suggestions import Suggestion, suggestions

__all__ = [
    "Averaged",
    "CaseCount",
    "ClassCounts",
    "Decimals",
    "Fact",
    "Folds",
    "Medians",
    "Portion",
    "Runs",
    "Sentence",
    "Sought",
    "Split",
    "Suggestion",
    "about_others",
    "all_sentences",
    "class_tables",
    "facts",
    "sentences",
    "suggestions",
]


def facts(sentence: Sentence, *, of_table: bool = False) -> Iterator[Fact]:
    """What a sentence says; ``of_table`` if it is of the caption of a table."""
    yield from counts(sentence)
    yield from sought(sentence)
    yield from designs(sentence)
    for told in (runs(sentence), medians(sentence, of_table=of_table)):
        if told is not None:
            yield told
