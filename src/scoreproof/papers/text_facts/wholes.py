"""A whole and the classes it is made of: "624 images (390 pneumonia and 234 normal)".

That counts add up to the one before them says what they are. So other numbers may stand in the sentence, and several
such groups: each is of the cases that its own clause names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from scoreproof.papers.text_facts.facts import ClassCounts, Portion
from scoreproof.papers.text_facts.parts import DEALT, crossed, headed, mentioned, only_part
from scoreproof.papers.text_facts.sentence import Sentence
from scoreproof.papers.text_facts.tokens import Token
from scoreproof.papers.text_facts.vocabulary import (
    BEING,
    CLASS_UNITS,
    NAMELESS,
    OPENING,
    PEOPLE,
    SMALL,
    THINGS,
    UNITS,
)

_MOST_CLASSES = 30
_MOST_BETWEEN = 8  # words from one count to the next
_MOST_WORDS = 3  # of a name
_THEM = frozenset({"which", "whom", "them", "these"})
_BEFORE_COUNT = frozenset({":", "=", "(", "[", "n"})
_USED = re.compile(
    r"[\s)\],]*(?:\w+\s+)?(?:(?:were|was|are|is)\s+)?(?:used\s+|kept\s+|reserved\s+|set aside\s+|left\s+)?"
    r"(?:for|as|in)\s+(?:the\s+|our\s+|a\s+)?(?P<part>\w*[- ]?(?:test|train|valid|evaluat|held|hold)\w*)"
    r"|[\s)\]]*(?:were|was|are)\s+(?P<done>tested|held out)\b",
    re.I,
)


def wholes(sentence: Sentence, words: Sequence[Token]) -> Iterator[ClassCounts]:
    """The groups of a sentence.

    >>> from scoreproof.papers.text_facts.tokens import tokens
    >>> text = "Of 700 scans 76 were left out; a test set of 624 scans (390 ill, 234 well) remained."
    >>> [(str(group.part), group.counts) for group in wholes(Sentence(text), tokens(text))]
    [('test', (('ill', 390), ('well', 234)))]
    """
    places = [place for place, token in enumerate(words) if token.value is not None and token.is_number]
    found = list(_groups(words, places))
    for number, (whole, *parts) in enumerate(found):
        names = _names(words, parts)
        before = sentence.text[words[found[number - 1][-1]].end if number else 0 : words[whole].start]
        stop = words[found[number + 1][0]].start if number + 1 < len(found) else len(sentence.text)
        between = sentence.text[words[whole].end : words[parts[0]].start]
        part = _part(sentence.text, before, between, _behind(sentence.text, words, parts[-1], stop))
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
        if left < 0 or place - places[number - 1] > _MOST_BETWEEN + 3:
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
    said: list[str] = []
    for token in words[place : place + 2 + _MOST_WORDS]:
        if not said and (token.text in BEING or token.text == "the"):
            continue
        if not said and token.text in ("with", "without"):
            said.append(token.text)
            continue
        if not token.is_word or token.text in SMALL or token.value is not None or len(said) == _MOST_WORDS:
            break
        if token.text in THINGS or token.text in NAMELESS:
            return ""
        if token.text in UNITS - CLASS_UNITS and said:
            break
        said.append(token.text)
    return " ".join(said)


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


def _behind(text: str, words: Sequence[Token], place: int, stop: int) -> str:
    """What is said behind a group, its own last words left out."""
    behind = text[words[place].end : stop]
    closed = re.search(r"[)\]]", behind)
    return behind[closed.end() :] if closed else behind


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
