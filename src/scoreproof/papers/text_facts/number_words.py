"""Numbers in words: "seventy-three", "two hundred and fifty", "one thousand two hundred".

"One" counts only inside of a longer number ("one test set"), and "hundreds" counts nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from scoreproof.papers.text_facts.vocabulary import NUMBER_WORDS

_TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}
_BELOW_TWENTY = {
    **{word: value for word, value in NUMBER_WORDS.items() if value < 20},
    "one": 1, "thirteen": 13, "fourteen": 14, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19,
}  # fmt: skip
_HUNDRED, _THOUSAND = "hundred", "thousand"


def in_words(words: Sequence[str]) -> tuple[int, int]:
    """The number at the beginning of a list of small words, and of how many words it is; (0, 0) if there is none.

    >>> in_words(["two", "hundred", "and", "fifty", "images"]), in_words(["seventy-three"]), in_words(["one", "set"])
    ((250, 4), (73, 1), (0, 0))
    """
    thousands, used = _below_thousand(words)
    if not used:
        return 0, 0
    if words[used : used + 1] != [_THOUSAND]:
        return (thousands, used) if (thousands, used) != (1, 1) else (0, 0)
    used += 1
    joined = used + (words[used : used + 1] == ["and"])
    rest, more = _below_thousand(words[joined:])
    return (thousands * 1000 + rest, joined + more) if more else (thousands * 1000, used)


def _below_thousand(words: Sequence[str]) -> tuple[int, int]:
    value, used = _below_hundred(words)
    if used == 0 and words[:2] == ["a", _HUNDRED]:
        value, used = 1, 1
    if used == 0 or words[used : used + 1] != [_HUNDRED]:
        return value, used
    value, used = value * 100, used + 1
    joined = used + (words[used : used + 1] == ["and"])
    rest, more = _below_hundred(words[joined:])
    return (value + rest, joined + more) if more else (value, used)


def _below_hundred(words: Sequence[str]) -> tuple[int, int]:
    first = words[0] if words else ""
    tens, _, unit = first.partition("-")
    if unit:
        value = _TENS.get(tens, 0), _BELOW_TWENTY.get(unit, 10)
        return (sum(value), 1) if value[0] and value[1] < 10 else (0, 0)
    if first in _BELOW_TWENTY:
        return _BELOW_TWENTY[first], 1
    if first not in _TENS:
        return 0, 0
    follower = _BELOW_TWENTY.get(words[1], 10) if len(words) > 1 else 10
    return (_TENS[first] + follower, 2) if follower < 10 else (_TENS[first], 1)
