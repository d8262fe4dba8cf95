"""Counts of classes in a sentence.

"38 preterm and 262 term records" name their classes side by side. "624 images (390 pneumonia and 234 normal)" add up to
the count before them, which says what they are, so that other numbers may stand in the sentence, and several such
groups, each of the cases that its own clause names. "600 images, 117 of which are melanomas" leave the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from scoreproof.papers.text_facts.designs import split_of
from scoreproof.papers.text_facts.facts import ClassCounts, Portion, Sentence
from scoreproof.papers.text_facts.parts import DEALT, crossed, headed, mentioned, only_part
from scoreproof.papers.text_facts.tokens import JOINTS, Count, Token
from scoreproof.papers.text_facts.words import (
    BEING,
    CLASS_UNITS,
    NAMELESS,
    NOT_CLASSES,
    NUMBER_WORDS,
    OBJECTS,
    OPENING,
    PEOPLE,
    QUERIES,
    SMALL,
    THINGS,
    UNITS,
)

_COUNTED_BESIDE = (OBJECTS | QUERIES | NOT_CLASSES) - UNITS  # "212 polyps and 36 normal videos"
_NO_NAMES = SMALL | THINGS | NAMELESS | (UNITS - CLASS_UNITS) | NUMBER_WORDS.keys()
_PART_OF = re.compile(
    r"\b(?:(?:of (?:which|whom|these|them)|among (?:them|which)),? (?P<behind>\d[\d,]*)"
    r"|(?P<before>\d[\d,]*) of (?:whom|which|them|these))\b",
    re.I,
)
_WHAT = re.compile(
    r"\s*(?:\([^)]*\)\s*)?(?:were |are |was |is |had |have |has |showed |contain(?:ed)? )?([a-z][a-z -]{2,40})", re.I
)
# What a part of the cases has beside its class: "210 of them with follow-up".
_BESIDE = re.compile(
    r"\b(?:follow|contrast|complete|available|known|full|prior|previous|metadata|consent|were|was|access)",
    re.I,
)
_MOST_CLASSES = 30
_MOST_BETWEEN = 11  # tokens from one count to the next
_MOST_WORDS = 3  # of a name
_THEM = frozenset({"which", "whom", "them", "these"})
_BEFORE_COUNT = frozenset({":", "=", "(", "[", "n"})
_USED = re.compile(
    r"[\s)\],]*(?:\w+\s+)?(?:(?:were|was|are|is)\s+)?(?:used\s+|kept\s+|reserved\s+|set aside\s+|left\s+)?"
    r"(?:for|as|in)\s+(?:the\s+|our\s+|a\s+)?(?P<part>\w*[- ]?(?:test|train|valid|evaluat|held|hold)\w*)"
    r"|[\s)\]]*(?:were|was|are)\s+(?P<done>tested|held out)\b",
    re.I,
)


def class_counts(sentence: Sentence, words: Sequence[Token], counts: Sequence[Count]) -> list[ClassCounts]:
    """The classes a sentence counts.

    >>> from scoreproof.papers.text_facts.tokens import tokens
    >>> text = "Of 700 scans 76 were left out; a test set of 624 scans (390 ill, 234 well) remained."
    >>> [(str(group.part), group.counts) for group in class_counts(Sentence(text), tokens(text), ())]
    [('test', (('ill', 390), ('well', 234)))]
    """
    summed = list(_wholes(sentence, words))
    if summed:
        return summed
    alone = _side_by_side(sentence, words, counts) or _subset(sentence, words, counts)
    return [] if alone is None else [alone]


def _side_by_side(sentence: Sentence, words: Sequence[Token], counts: Sequence[Count]) -> ClassCounts | None:
    """ "38 preterm and 262 term records"."""
    names = [count.class_name for count in counts]
    joined = all(
        all(token.text in JOINTS or token.text in ("the", ";") for token in words[a.last + 1 : b.first])
        for a, b in pairwise(counts)
    )
    if len(counts) < 2 or not joined or not all(names) or len(set(names)) < len(names):
        return None
    if any(mentioned(" ".join(count.words)) for count in counts):
        return None
    return _made(sentence, names, [count.value for count in counts])


def _subset(sentence: Sentence, words: Sequence[Token], counts: Sequence[Count]) -> ClassCounts | None:
    """ "600 images, of which 117 are melanomas", "3,809 patients, 412 of whom died": the rest are others."""
    whole = [count for count in counts if not count.class_name]
    said = _PART_OF.search(sentence.text, words[whole[0].last].end) if len(whole) == 1 else None
    if said is None:
        return None
    total, part = whole[0].value, int((said["behind"] or said["before"]).replace(",", ""))
    numbers = [token.value for token in words if token.value is not None and not token.may_be_year]
    name = _what(sentence.text[said.end() :])
    if sorted(numbers) != sorted((total, part)) or not 0 < part < total or not name:
        return None
    return _made(sentence, [name, f"not {name}"], [part, total - part])


def _what(behind: str) -> str:
    """What is said of a part of the cases: "were melanomas", "developed sepsis"; empty if it names no class."""
    match = _WHAT.match(behind)
    words = [word for word in match[1].lower().split()[:3] if word not in ("the", "a", "an")] if match else []
    named = words[1:] if words[:1] == ["with"] and not _BESIDE.search(behind) else words
    others = not named or mentioned(" ".join(named)) or named[0] in _NO_NAMES
    others = others or DEALT.match(" ".join(words)) is not None  # "318 were allocated to the test set"
    return "" if others else " ".join(words)


def _made(sentence: Sentence, names: Sequence[str], values: Sequence[int]) -> ClassCounts | None:
    first = re.search(r"\d", sentence.text)
    before = sentence.text[: first.start()] if first else ""
    shared = mentioned(before) is None and split_of(sentence) is not None
    part = Portion.ALL if shared else only_part(sentence.text)  # "2,000 of each; 10% were kept for testing"
    if part is None or any(word in PEOPLE or word in _COUNTED_BESIDE for name in names for word in name.split()):
        return None
    return ClassCounts(tuple(zip(names, values, strict=True)), part, sentence)


def _wholes(sentence: Sentence, words: Sequence[Token]) -> Iterator[ClassCounts]:
    """A whole and the classes that add up to it, as often as a sentence has them."""
    places = [place for place, token in enumerate(words) if token.value is not None]
    groups = list(_groups(words, places))
    for number, (whole, *parts) in enumerate(groups):
        names = _names(words, parts)
        before = sentence.text[words[groups[number - 1][-1]].end if number else 0 : words[whole].start]
        stop = words[groups[number + 1][0]].start if number + 1 < len(groups) else len(sentence.text)
        between = sentence.text[words[whole].end : words[parts[0]].start]
        behind = sentence.text[words[parts[-1]].end : stop]
        closed = re.search(r"[)\]]", behind)
        part = _part(sentence.text, before, between, behind[closed.end() :] if closed else behind)
        if names and part is not None:
            counts = tuple((name, words[place].value or 0) for name, place in zip(names, parts, strict=True))
            yield ClassCounts(counts, part, sentence)


def _groups(words: Sequence[Token], places: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """A whole and the counts behind it that add up to it, as places; groups do not overlap."""
    at = 0
    while at < len(places):
        group = _group(words, places[at : at + 1 + _MOST_CLASSES])
        if group:
            yield group
        at += len(group) or 1


def _group(words: Sequence[Token], places: Sequence[int]) -> tuple[int, ...]:
    whole, left = places[0], words[places[0]].value or 0
    for number, place in enumerate(places[1:], 1):
        left -= words[place].value or 0
        if left < 0 or place - places[number - 1] > _MOST_BETWEEN:
            return ()
        if left == 0 and _counts_cases(words, whole):
            opened = words[places[1] - 1].text in OPENING or words[places[1] - 1].text in _BEFORE_COUNT
            return (whole, *places[1 : number + 1]) if number > 1 and opened else ()
    return ()


def _counts_cases(words: Sequence[Token], place: int) -> bool:
    """Whether a number counts cases of any class: "624 chest images", "n = 624;"."""
    for token in words[place + 1 : place + 3 + _MOST_WORDS]:
        if token.text in UNITS:
            return True
        if not token.is_word or token.text in SMALL:
            return not words[place + 1].is_word and token.text != ","
    return False


def _names(words: Sequence[Token], places: Sequence[int]) -> tuple[str, ...]:
    """The names of the classes, behind all counts or before all of them; none if they are not names of classes."""
    for name in (_behind_count, _before_count):
        names = tuple(name(words, place) for place in places)
        if all(names) and len(set(names)) == len(names):
            people = any(word in PEOPLE for name in names for word in name.split())
            units = all(name in UNITS - CLASS_UNITS for name in names)
            dealt = any(DEALT.match(name) for name in names)
            letters = any(len(name) == 1 for name in names)  # hospitals A, B and C
            return () if units or people or dealt or letters or any(map(mentioned, names)) else names
    return ()


def _behind_count(words: Sequence[Token], place: int) -> str:
    """ "390 (62.5%) were pneumonia", "139 with heart disease"."""
    place += 1
    if place + 2 < len(words) and words[place].text in "([" and words[place + 1].percent is not None:
        place += 3
    if place + 1 < len(words) and words[place].text == "of" and words[place + 1].text in _THEM:
        place += 2
    while place < len(words) and (words[place].text in BEING or words[place].text == "the"):
        place += 1
    name = [words[place].text] if place < len(words) and words[place].text in ("with", "without") else []
    for token in words[place + len(name) : place + _MOST_WORDS]:
        if token.text in THINGS or token.text in NAMELESS:
            return ""
        if not token.is_word or token.text in SMALL or (name and token.text in UNITS - CLASS_UNITS):
            break
        name.append(token.text)
    return " ".join(name)


def _before_count(words: Sequence[Token], place: int) -> str:
    """ "benign: 357", "malignant (n = 212)"."""
    place -= 1
    marked = False
    while place >= 0 and words[place].text in _BEFORE_COUNT:
        marked, place = True, place - 1
    said: list[str] = []
    while marked and place >= 0 and len(said) < 2 and words[place].is_word and words[place].text not in SMALL:
        if words[place].text in THINGS or words[place].text in UNITS - CLASS_UNITS:
            break
        said.insert(0, words[place].text)
        place -= 1
    return " ".join(said)


def _part(text: str, before: str, between: str, behind: str) -> Portion | None:
    """Whose cases a group is of: what its clause says, or what they are said to be used for."""
    part = headed(before)
    if part is not None:
        return part
    if crossed(text):
        part = only_part(text)
        return None if part is Portion.TEST else part  # "cross-validation on 400 patients, then tested on others"
    for said in (between, before):
        if mentioned(said) is not None:
            return only_part(said)
    used = _USED.match(behind)
    return only_part(used["part"] or used["done"]) if used else Portion.ALL
