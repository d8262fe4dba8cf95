"""Queries of a search and objects to be detected: what scores of rankings and detectors are shares of.

"We use 50 queries", "the test set has 1,186 nodules in 888 scans". They are no cases of a classification, so they are
facts of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from scoreproof.papers.text_facts.doubts import doubtful, told_as_whole
from scoreproof.papers.text_facts.facts import Portion, Sought
from scoreproof.papers.text_facts.parts import headed, mentioned, only_part
from scoreproof.papers.text_facts.sentence import Sentence
from scoreproof.papers.text_facts.tokens import Token, tokens
from scoreproof.papers.text_facts.vocabulary import (
    NO_CLASS,
    NOT_CLASSES,
    OBJECTS,
    PERSONS,
    QUERIES,
    SMALL,
    THINGS,
    UNITS,
)

_MOST_WORDS = 2  # between a number and what it counts
_FEWEST = 5
_PICTURES = (
    r"(?:images|scans|slides|frames|photographs|photos|pictures|radiographs|volumes|mammograms|videos|tiles|scenes)"
)
_EACH_USER = re.compile(r"\bfor each of (?:the |our )?(\d{1,3}(?:,\d{3})+|\d{1,6}) (?:test |active )?users\b", re.I)
_ONE_ITEM = re.compile(
    r"\b(?:last|latest|most recent|one|single) (?:\w+ ){0,2}item\b.*\b(?:held out|left out|rank)", re.I
)
_INSIDE = re.compile(
    rf"\s+(?:in|on|from|across|within)\s+(?:the |all |our )?(?:\d[\d,]*\s+)(?:[\w-]+ )?{_PICTURES}\b", re.I
)


def sought(sentence: Sentence) -> Iterator[Sought]:
    """The queries and the objects a sentence counts; nothing where it counts several of them.

    >>> [str(fact) for fact in sought(Sentence("The test set has 1,186 nodules in 888 scans."))]
    ['1,186 nodules (test)']
    """
    if doubtful(sentence.text, of_each=True):
        return
    counted = [*_counted(sentence, tokens(sentence.text)), *_users(sentence)]
    for queries in (True, False):
        own = [fact for fact in counted if fact.queries is queries]
        tested = [fact for fact in own if fact.part is Portion.TEST]
        if len(own) == 1 or len(tested) == 1:
            yield (tested or own)[0]


def _counted(sentence: Sentence, words: Sequence[Token]) -> Iterator[Sought]:
    for place, token in enumerate(words):
        if token.value is None or token.value < _FEWEST or token.may_be_year:
            continue
        between: list[str] = []
        for word in words[place + 1 : place + 2 + _MOST_WORDS]:
            if not word.is_word or word.text in SMALL or word.value is not None:
                break
            between.append(word.text)
            queries = word.text in QUERIES
            if not queries and not _is_object(sentence.text, word):
                continue
            named = mentioned(" ".join(between[:-1]))
            if not (named or NO_CLASS.issuperset(between[:-1])) or _joined(words, place):
                break  # "150 malignant and 450 benign nodules", "150 and 450 nodules"
            part = named or headed(sentence.text[: token.start])
            if part is None and _alone(words, place):
                part = only_part(sentence.text)
            if part is Portion.TEST or (part is Portion.ALL and told_as_whole(sentence.text)):
                yield Sought(token.value, word.text, queries, part, sentence)
            break


def _users(sentence: Sentence) -> Iterator[Sought]:
    """ "For each of the 943 users the last item is held out": a ranking for every user."""
    said = list(_EACH_USER.finditer(sentence.text)) if _ONE_ITEM.search(sentence.text) else []
    if len(said) == 1:
        yield Sought(int(said[0][1].replace(",", "")), "users", True, Portion.TEST, sentence)


def _alone(words: Sequence[Token], place: int) -> bool:
    """Whether no other number could be of other cases: but those of pictures, and of things that are no cases."""
    for other, token in enumerate(words):
        glued = other > 0 and words[other - 1].is_word and words[other - 1].end == token.start  # "LUNA16"
        if other == place or not token.is_number or token.may_be_year or glued:
            continue
        followers = {word.text for word in words[other + 1 : other + 3]}
        if token.value is None or followers.isdisjoint(THINGS | UNITS):
            return False
    return True


def _joined(words: Sequence[Token], place: int) -> bool:
    """Whether another number stands right before a number."""
    before = words[max(0, place - 2) : place]
    return len(before) == 2 and before[0].is_number and before[1].text in ("and", ",", "or")


def _is_object(text: str, word: Token) -> bool:
    """Whether a noun is one of things that are detected, or stands in so many pictures."""
    if word.text in OBJECTS:
        return True
    others = PERSONS | THINGS | UNITS | NOT_CLASSES | QUERIES
    return word.text.endswith("s") and word.text not in others and _INSIDE.match(text, word.end) is not None
