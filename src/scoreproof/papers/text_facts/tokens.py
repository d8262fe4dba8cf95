"""Words and numbers of a sentence, in order; numbers that count nothing are told apart from those that may.

A number counts if it is whole and stands by itself: not a percentage, a decimal, a size such as 224 x 224, an amount of
money, a reference in square brackets, or the number of a table, figure or section.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from scoreproof.papers.text_facts.number_words import in_words
from scoreproof.papers.text_facts.vocabulary import NUMBERED

# A number; thousands are set apart by a comma, a thin or usual blank, or an apostrophe.
_TOKEN = re.compile(
    r"(?P<cite>\[[\d,;\s–-]+\])"
    r"|(?P<number>\d{1,3}(?:[,'\u2009\u202f\u00a0 ]\d{3})+(?![\d,]*\d)|\d+(?:\.\d+)?)(?P<percent>\s?%|\s?percent\b)?"
    r"|(?P<word>[^\W\d_]+(?:['’-][^\W_]+)*)"
    r"|(?P<mark>[^\s\w]|_)"
)
_LONGEST_IN_WORDS = 9
_SMALL_NUMBER = 12  # larger ones in words are as exact as digits
_LARGER = ("hundred", "thousand", "million", "billion", "dozen")
_OF_FRACTIONS = ("percent", "per", "%", "thirds", "quarters", "fifths", "tenths")
_BEFORE = frozenset("×x*/$€£#±=<>≤≥~≈∼^\\_")  # marks that make the number behind them something else than a count
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
    return list(_with_number_words(read))


def _with_number_words(read: Sequence[Token]) -> Iterator[Token]:
    """Numbers in words as one token each; small ones ("two") are not to be explained by what they count."""
    place = 0
    while place < len(read):
        words = [token.text for token in read[place : place + _LONGEST_IN_WORDS]]
        value, used = in_words(words) if read[place].is_word else (0, 0)
        if not used:
            yield read[place]
            place += 1
            continue
        last = read[place + used - 1]
        follower = read[place + used].text if place + used < len(read) else ""
        counts = follower not in _LARGER and follower not in _OF_FRACTIONS
        plain = Token(" ".join(words[:used]), read[place].start, last.end, value if counts else None)
        yield replace(plain, is_number=not counts or used > 1 or value > _SMALL_NUMBER)
        place += used


def _stands_alone(sentence: str, match: re.Match[str], before: Sequence[Token]) -> bool:
    glued = sentence[match.start() - 1 : match.start()] if match.start() else ""
    if glued.isalnum() or glued in tuple("-–_./") or sentence[match.end() : match.end() + 1].isalnum():
        return False
    mark = sentence[: match.start()].rstrip()[-1:]
    equals = mark == "=" and len(before) > 1 and before[-2].text in ("n", "p", "total")
    if (mark in _BEFORE and mark and not equals) or _AFTER.match(sentence[match.end() :].lstrip()):
        return False
    return not (before and before[-1].text in NUMBERED)
