"""What a number in a sentence counts, by lists of words, and whether it may be of the paper's own cases at all.

A number counts if it is whole and stands by itself: not a percentage, a decimal, a size such as 224 x 224, an amount of
money, a reference in square brackets, or the number of a table, figure or section. Several counts may share a noun:
"38 preterm and 262 term records".

Sizes of other people's data, of data made for training, of what might be done and of what was left undone look like
sizes of test sets. So do vague ones ("some 300 images"), those of each fold, and those of several sets at once. A
sentence that speaks of any of these is left: a wrong size is worse than none. The words are in ``words.toml``, what is
searched for in ``patterns.toml``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scoreproof.papers.table_semantics.words import Patterns, loaded

_WORDS = loaded(__package__, "words.toml")
UNITS, CLASS_UNITS, SMALL, THINGS, NO_CLASS, NOT_CLASSES, PERSONS, PEOPLE = (
    frozenset(_WORDS[name].split())
    for name in ("units", "class_units", "small", "things", "no_class", "not_classes", "persons", "people")
)
QUERIES, OBJECTS, OPENING, BEING, NAMELESS, NUMBERED = (
    frozenset(_WORDS[name].split()) for name in ("queries", "objects", "opening", "being", "nameless", "numbered")
)
NUMBER_WORDS: dict[str, int] = _WORDS["number_words"]
_NUMBERS = "|".join(NUMBER_WORDS)
_PARTS = {
    "UNITS": "|".join(sorted(UNITS)),
    "PERSONS": "|".join(sorted(PERSONS)),
    "WORDS": _NUMBERS,
    "NUMBERS": rf"(?:\d|(?:{_NUMBERS})\b)",
}
PATTERNS = {part: Patterns(written, _PARTS) for part, written in loaded(__package__, "patterns.toml").items()}
_SAYS = PATTERNS["doubts"]


def doubtful(text: str, *, of_each: bool = False) -> bool:
    """Whether the counts of a sentence may be others than the cases that were tested; ``of_each``: those of each class.

    >>> doubtful("Some 300 images were used for testing."), doubtful("300 images were used for testing.")
    (True, False)
    """
    if _SAYS["doubts"].search(text) or _SAYS["of_authors"].search(text):
        return True
    # "Lee (2019) used", "[14] reported"; but "the data [12] used here"
    cited = any(_SAYS["did"].match(text, match.end()) for match in _SAYS["cited"].finditer(text))
    return cited or (not of_each and _SAYS["of_each"].search(text) is not None)


def told_as_whole(text: str) -> bool:
    """Whether a sentence that names neither training nor testing speaks of all cases."""
    return _SAYS["whole"].search(text) is not None and _SAYS["some"].search(text) is None


def about_others(place: str) -> bool:
    """Whether a section is about other people's work, or about what might come.

    >>> about_others("section '2 Related work', page 2"), about_others("section 'Data'")
    (True, False)
    """
    return _SAYS["sections"].search(place) is not None


_TOKENS = PATTERNS["tokens"]
_BEFORE = frozenset("×x*/$€£#±=<>≤≥~≈∼^@\\_")  # marks that make the number behind them something else than a count


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
    for match in _TOKENS["token"].finditer(sentence):
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
    if (mark in _BEFORE and mark and not equals) or _TOKENS["after"].match(sentence[match.end() :].lstrip()):
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
        last = stop == len(words) or words[stop].text not in JOINTS
        if links and last and between and between[-1].endswith("s") and between[-1] not in NOT_CLASSES:  # any plural
            links.append((value, between[:-1], place, stop - 1))
            return tuple(Count(number, said, between[-1], first, last) for number, said, first, last in links)
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
