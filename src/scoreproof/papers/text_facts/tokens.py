"""Words and numbers of a sentence in order, and the counts among them: numbers in front of nouns for cases.

A number counts if it is whole and stands by itself: not a percentage, a decimal, a size such as 224 x 224, an amount of
money, a reference in square brackets, or the number of a table, figure or section. Several counts may share a noun:
"38 preterm and 262 term records".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scoreproof.papers.text_facts.words import CLASS_UNITS, NO_CLASS, NUMBERED, SMALL, THINGS, UNITS

# A number; thousands are set apart by a comma, a thin or usual blank, or an apostrophe.
_TOKEN = re.compile(
    r"(?P<cite>\[[\d,;\s–-]+\])"
    r"|(?P<number>\d{1,3}(?:[,'\u2009\u202f\u00a0 ]\d{3})+(?![\d,]*\d)|\d+(?:\.\d+)?)(?P<percent>\s?%|\s?percent\b)?"
    r"|(?P<word>[^\W\d_]+(?:['’-][^\W_]+)*)"
    r"|(?P<mark>[^\s\w]|_)"
)
_BEFORE = frozenset("×x*/$€£#±=<>≤≥~≈∼^@\\_")  # marks that make the number behind them something else than a count
_AFTER = re.compile(r"[×*/±^+]|x\s*\d|(?:by|[–-])\s*\d|[-–]?\s?folds?\b")


@dataclass(frozen=True, slots=True)
class Token:
    """A word in small letters, a mark, or a number; ``value`` is set where it may count something."""

    text: str
    start: int
    end: int
    value: int | None = None
    percent: float | None = None
    is_number: bool = False

    @property
    def may_be_year(self) -> bool:
        return self.value is not None and 1900 <= self.value < 2100 and len(self.text) == 4

    @property
    def is_word(self) -> bool:
        return self.text[:1].isalpha()


def tokens(sentence: str) -> list[Token]:
    """The tokens of a sentence.

    >>> [(t.text, t.value) for t in tokens("The 1,143 images of 224 x 224 (30%) in Table 2") if t.is_number]
    [('1,143', 1143), ('224', None), ('224', None), ('30%', None), ('2', None)]
    """
    read: list[Token] = []
    for match in _TOKEN.finditer(sentence):
        text = match[0]
        if match["cite"]:
            continue
        if match["number"] is None:
            read.append(Token(text.lower(), match.start(), match.end()))
            continue
        share = float(match["number"]) if match["percent"] and "," not in match["number"] else None
        counts = not match["percent"] and "." not in match["number"] and _stands_alone(sentence, match, read)
        value = int(re.sub(r"\D", "", match["number"])) if counts else None
        read.append(Token(text, match.start(), match.end(), value, share, is_number=True))
    return read


def _stands_alone(sentence: str, match: re.Match[str], before: Sequence[Token]) -> bool:
    glued = sentence[match.start() - 1 : match.start()] if match.start() else ""
    if glued.isalnum() or glued in tuple("-–_./") or sentence[match.end() : match.end() + 1].isalnum():
        return False
    mark = sentence[: match.start()].rstrip()[-1:]
    equals = mark == "=" and len(before) > 1 and before[-2].text in ("n", "p", "total")
    if (mark in _BEFORE and mark and not equals) or _AFTER.match(sentence[match.end() :].lstrip()):
        return False
    return not (before and before[-1].text in NUMBERED)


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
