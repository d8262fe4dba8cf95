"""Nouns that a sentence itself shows to be of cases: "640 drives, 128 of them faulty".

Papers count welds, loans, contracts and leaves, and no list of nouns has them all. Where a sentence about data counts
something and says at once how many of it are of one class, or how it is made up, that something is what was
classified. Such a noun is read as "cases"; what is counted in data beside cases (features, hospitals, words) is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from scoreproof.papers.text_facts.doubts import told_as_whole
from scoreproof.papers.text_facts.parts import mentioned
from scoreproof.papers.text_facts.tokens import Token
from scoreproof.papers.text_facts.vocabulary import NOT_CLASSES, OBJECTS, PEOPLE, QUERIES, SMALL, THINGS, UNITS

_FEWEST = 100  # cases; smaller numbers count what stands around them
_MOST_WORDS = 3  # of the noun and its adjectives
_MOST_BETWEEN = 6  # tokens from the noun to what it is divided into: "4,521 clients were contacted, 521 of whom"
_NEVER = SMALL | THINGS | NOT_CLASSES | OBJECTS | QUERIES | PEOPLE
_SINGULAR = ("ss", "us", "is")
_THEM = ("which", "whom", "them", "these")
_WHOLE_OF = ("of", "among", "from")


def with_shown_cases(text: str, words: Sequence[Token]) -> list[Token]:
    """The tokens of a sentence; nouns that are shown to be of cases stand there as such.

    >>> from scoreproof.papers.text_facts.tokens import tokens
    >>> text = "The data set has 640 gear drives, 128 of them faulty."
    >>> [token.text for token in with_shown_cases(text, tokens(text))][4:8]
    ['640', 'gear', 'cases', ',']
    """
    read = list(words)
    if told_as_whole(text) or mentioned(text) is not None:
        for place in _shown(read):
            read[place] = replace(read[place], text="cases")
    return read


def _shown(words: Sequence[Token]) -> Iterator[int]:
    """The places of such nouns."""
    for place, token in enumerate(words):
        counts = token.value is not None and token.value >= _FEWEST and not token.may_be_year
        noun = _noun(words, place + 1) if counts else None
        if noun is not None and _divided(words, place, noun):
            yield noun


def _noun(words: Sequence[Token], start: int) -> int | None:
    """The last of the words behind a number, if it is a plural that may be of cases."""
    stop = start
    while stop < len(words) and stop - start < _MOST_WORDS and _may_stand(words[stop]):
        stop += 1
    ends = stop == len(words) or words[stop].text in SMALL or not words[stop].is_word or words[stop].value is not None
    last = words[stop - 1].text if stop > start and ends else ""
    return stop - 1 if last.endswith("s") and not last.endswith(_SINGULAR) and len(last) > 3 else None


def _may_stand(token: Token) -> bool:
    return token.is_word and token.value is None and token.text not in _NEVER and token.text not in UNITS


def _divided(words: Sequence[Token], number: int, noun: int) -> bool:
    """Whether a part of what is counted is told next: "128 of them", "of which 128", "(128", "Of 640 drives, 128"."""
    whole = words[number].value or 0
    for place in range(noun + 1, min(noun + 2 + _MOST_BETWEEN, len(words))):
        part = words[place].value
        if part is None:
            continue
        before = tuple(token.text for token in words[max(0, place - 2) : place])
        behind = tuple(token.text for token in words[place + 1 : place + 3])
        of_them = behind[:1] == ("of",) and behind[1:] and behind[1] in _THEM
        of_which = before[:1] == ("of",) and before[1] in _THEM
        made_up = place == noun + 2 and before[-1] in ("(", ":")
        first = number < 4 and words[0].text in (*_WHOLE_OF, "out") and before[-1] == ","
        return 0 < part < whole and bool(of_them or of_which or made_up or first)
    return False
