"""Numbers in front of nouns for cases, several of which may share one noun: "38 preterm and 262 term records"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scoreproof.papers.text_facts.tokens import Token
from scoreproof.papers.text_facts.vocabulary import CLASS_UNITS, NO_CLASS, SMALL, THINGS, UNITS

JOINTS = frozenset({",", "and", "&", "plus", "versus", "vs"})
_MOST_WORDS = 4  # between a number and its unit
_MOST_LINKS = 12  # counts that share a unit


@dataclass(frozen=True, slots=True)
class Count:
    """A number, the words between it and its unit, the unit, and its first and last token."""

    value: int
    words: tuple[str, ...]
    unit: str
    first: int
    last: int

    @property
    def class_name(self) -> str:
        """The words that may name a class; empty if none does."""
        words = [word for word in self.words if word not in NO_CLASS]
        return " ".join([*words, self.unit] if self.unit in CLASS_UNITS else words)


def chains(words: Sequence[Token]) -> Iterator[tuple[Count, ...]]:
    """The counts of a sentence; those that share a unit together.

    >>> from scoreproof.papers.text_facts.tokens import tokens
    >>> [[(c.value, c.class_name) for c in chain] for chain in chains(tokens("12 scans of 5 ill and 7 well children"))]
    [[(12, '')], [(5, 'ill'), (7, 'well')]]
    """
    place = 0
    while place < len(words):
        chain = _chain(words, place)
        yield from (chain,) if chain else ()
        place = chain[-1].last + 1 if chain else place + 1


def _chain(words: Sequence[Token], place: int) -> tuple[Count, ...]:
    links: list[tuple[int, tuple[str, ...], int, int]] = []
    while place < len(words) and len(links) < _MOST_LINKS:
        value = words[place].value
        if value is None:
            return ()
        between, stop = _until_unit(words, place + 1)
        if stop < len(words) and words[stop].text in UNITS:
            links.append((value, between, place, stop))
            return tuple(Count(number, said, words[stop].text, first, last) for number, said, first, last in links)
        links.append((value, between, place, stop - 1))
        start = stop
        while stop < len(words) and words[stop].text in JOINTS:
            stop += 1
        if stop == start or not between:
            return ()
        place = stop
    return ()


def _until_unit(words: Sequence[Token], place: int) -> tuple[tuple[str, ...], int]:
    """The words up to a unit, or up to what ends the search, and the place of that."""
    start = place
    while place < len(words) and place - start <= _MOST_WORDS:
        word = words[place]
        ends = word.text in UNITS or word.text in SMALL or word.text in THINGS  # "12 classes and 1,200 test images"
        if ends or not word.is_word or word.value is not None:
            break
        place += 1
    return tuple(word.text for word in words[start:place]), place
