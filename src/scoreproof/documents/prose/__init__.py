"""What the sentences of a paper say of its experiments: counts, classes, splits, folds, averaging, rounding."""

from collections.abc import Iterator

from scoreproof.documents.prose.counts import counts
from scoreproof.documents.prose.designs import designs
from scoreproof.documents.prose.facts import Averaged, Cases, ClassCounts, Decimals, Fact, Folds, Part, Split
from scoreproof.documents.prose.proposals import Proposal, proposals
from scoreproof.documents.prose.sentence import Sentence, all_sentences, sentences

__all__ = [
    "Averaged",
    "Cases",
    "ClassCounts",
    "Decimals",
    "Fact",
    "Folds",
    "Part",
    "Proposal",
    "Sentence",
    "Split",
    "all_sentences",
    "facts",
    "proposals",
    "sentences",
]


def facts(sentence: Sentence) -> Iterator[Fact]:
    """What a sentence says."""
    yield from counts(sentence)
    yield from designs(sentence)
