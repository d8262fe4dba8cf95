"""What is not classified as a whole: queries, objects to be detected, and pieces that cases were cut into."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from scoreproof.papers.text_facts.facts import Portion, Sentence, Sought, headed, mentioned, only_part
from scoreproof.papers.text_facts.words import (
    NO_CLASS,
    OBJECTS,
    PATTERNS,
    QUERIES,
    SMALL,
    THINGS,
    UNITS,
    Token,
    doubtful,
    tokens,
    told_as_whole,
)

_SAYS = PATTERNS["sought"]
_FEWEST_SOUGHT = 5


def sought(sentence: Sentence) -> Iterator[Sought]:
    """The queries of a search, and the objects to be detected, that a sentence counts; nothing where it is open which.

    >>> [str(fact) for fact in sought(Sentence("The test set has 1,186 nodules in 888 scans."))]
    ['1,186 nodules (test)']
    """
    if doubtful(sentence.text, of_each=True):
        return
    words = tokens(sentence.text)
    for names in (QUERIES, OBJECTS):
        own = [fact for place in range(len(words)) for fact in _sought(sentence, words, place, names)]
        tested = [fact for fact in own if fact.part is Portion.TEST]
        if len(own) == 1 or len(tested) == 1:
            yield (tested or own)[0]


def _sought(sentence: Sentence, words: Sequence[Token], place: int, names: frozenset[str]) -> Iterator[Sought]:
    """What a number counts, if it is one of the names: right behind it, or behind an adjective of cases."""
    count, behind = words[place], [word.text for word in words[place + 1 : place + 3]]
    noun = next((word for word in behind if word in names), None)
    if count.value is None or count.value < _FEWEST_SOUGHT or count.may_be_year or noun is None:
        return
    between = behind[: behind.index(noun)]
    own = mentioned(" ".join(between))
    if not (own or NO_CLASS.issuperset(between)) or SMALL.intersection(between):
        return  # "150 malignant nodules"
    part = own or headed(sentence.text[: count.start])
    if part is None and all(_explained(words, other) for other in range(len(words)) if other != place):
        part = only_part(sentence.text)
    if part is Portion.TEST or (part is Portion.ALL and told_as_whole(sentence.text)):
        yield Sought(count.value, noun, names is QUERIES, part, sentence)


def _explained(words: Sequence[Token], place: int) -> bool:
    """Whether a number is of something else than what is sought: of pictures, of years, of things that are no cases."""
    token, followers = words[place], {word.text for word in words[place + 1 : place + 3]}
    glued = place > 0 and words[place - 1].is_word and words[place - 1].end == token.start  # "LUNA16"
    known = token.value is not None and not followers.isdisjoint(THINGS | UNITS)
    return not token.is_number or token.may_be_year or glued or known


def cut_up(text: Iterable[Sentence]) -> frozenset[str]:
    """What the sentences of a paper say was cut into the pieces that are classified: scores are then of windows.

    >>> sorted(cut_up([Sentence("Each recording was cut into windows of 10 s."), Sentence("Images were split 80/20.")]))
    ['recording']
    """
    cuts = (match for sentence in text for match in _SAYS["cut"].finditer(sentence.text))
    return frozenset((match["whole"] or match["source"]).lower() for match in cuts)


def of_wholes(sentence: Sentence, cut: frozenset[str]) -> bool:
    """Whether the counts of a sentence are of what was cut up, and not of its pieces."""
    if not cut or _SAYS["names_pieces"].search(sentence.text):
        return False
    return re.search(rf"\b(?:{'|'.join(map(re.escape, sorted(cut)))})s?\b", sentence.text, re.I) is not None
