"""What the sentences of a paper say of its experiments: counts, classes, splits, folds, averaging, runs."""

from collections.abc import Iterator

from scoreproof.papers.text_facts.counts import counts
from scoreproof.papers.text_facts.designs import cut_up, designs, of_wholes, sought
from scoreproof.papers.text_facts.facts import (
    Averaged,
    CaseCount,
    ClassCounts,
    Fact,
    Folds,
    Medians,
    Portion,
    Runs,
    Sentence,
    Sought,
    Split,
    all_sentences,
    crossed,
    only_part,
    sentences,
)
from scoreproof.papers.text_facts.sizes import Suggestion, class_tables, of_all, of_caption, size_tables, suggestions
from scoreproof.papers.text_facts.words import NUMBER_WORDS, about_others

__all__ = [
    "NUMBER_WORDS",
    "Averaged",
    "CaseCount",
    "ClassCounts",
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
    "crossed",
    "cut_up",
    "facts",
    "of_all",
    "of_caption",
    "of_wholes",
    "only_part",
    "sentences",
    "size_tables",
    "suggestions",
]


def facts(sentence: Sentence, *, of_table: bool = False) -> Iterator[Fact]:
    """What a sentence says; ``of_table`` if it is of the caption of a table."""
    yield from counts(sentence)
    yield from sought(sentence)
    yield from designs(sentence, of_table=of_table)
