"""What the sentences of a paper say of its experiments: counts, classes, splits, folds, runs."""

from collections.abc import Iterator

from scoreproof.papers.text_facts.counts import counts
from scoreproof.papers.text_facts.facts import Fact, Sentence, designs


def facts(sentence: Sentence, *, of_table: bool = False) -> Iterator[Fact]:
    """What a sentence says; ``of_table`` if it is of the caption of a table."""
    yield from counts(sentence)
    yield from designs(sentence, of_table=of_table)
