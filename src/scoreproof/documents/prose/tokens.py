"""Words and numbers of a sentence, in order; numbers that count nothing are told apart from those that may.

A number counts if it is whole and stands by itself: not a percentage, a decimal, a year in brackets, a size such as
224 x 224, an amount of money, a reference in square brackets, or the number of a table, figure or section.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_WORDS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50,
}  # fmt: skip
# A number; thousands are set apart by a comma, a thin or usual blank, or an apostrophe.
_TOKEN = re.compile(
    r"(?P<cite>\[[\d,;\s–-]+\])"
    r"|(?P<number>\d{1,3}(?:[,'\u2009\u202f\u00a0 ]\d{3})+(?![\d,]*\d)|\d+(?:\.\d+)?)(?P<percent>\s?%|\s?percent\b)?"
    r"|(?P<word>[^\W\d_]+(?:['’-][^\W_]+)*)"
    r"|(?P<mark>[^\s\w]|_)"
)
_NUMBERED = {
    "table", "tables", "tab", "figure", "figures", "fig", "figs", "section", "sections", "sec", "equation", "eq",
    "chapter", "appendix", "algorithm", "step", "layer", "version", "v", "ref", "no", "level", "type", "grade", "stage",
    "stages", "phase", "experiment", "scenario", "case", "model", "fold", "class", "task", "day", "year", "seed", "line",
}  # fmt: skip
_BESIDE = set("×x*/$€£#±=<>≤≥~^\\_") | {"-", "–", "—", "−"}


@dataclass(frozen=True, slots=True)
class Token:
    """A word in small letters, a mark, or a number (``value`` is set where it counts something)."""

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
    found: list[Token] = []
    for match in _TOKEN.finditer(sentence):
        start, end, text = match.start(), match.end(), match[0]
        if match["cite"]:
            continue
        if match["number"] is None:
            value = _WORDS.get(text.lower())
            found.append(Token(text if value is None and match["mark"] else text.lower(), start, end, value))
            continue
        share = float(match["number"]) if match["percent"] and "," not in match["number"] else None
        value = None
        if not match["percent"] and "." not in match["number"] and _stands_alone(sentence, start, end, found):
            value = int(re.sub(r"\D", "", match["number"]))
        found.append(Token(text, start, end, value, share, is_number=True))
    return found


def _stands_alone(sentence: str, start: int, end: int, before: list[Token]) -> bool:
    left = sentence[:start].rstrip()
    right = sentence[end:].lstrip()
    glued = sentence[start - 1 : start] if start else ""
    if glued and (glued.isalnum() or glued in "-–_./"):
        return False
    if sentence[end : end + 1].isalnum():
        return False
    equals = left[-1:] == "=" and before and len(before) > 1 and before[-2].text.lower() in ("n", "p", "total")
    if left[-1:] in _BESIDE and not equals and left[-1:] not in ("-", "–", "—"):
        return False
    if right[:1] in ("×", "*", "/", "±", "^") or re.match(r"x\s*\d", right) or re.match(r"(?:by|[–-])\s*\d", right):
        return False
    if before and before[-1].is_word and before[-1].text in _NUMBERED:
        return False
    return True
