"""A quantity that can be reported; and from the many spellings of its name to the one key it is registered under.

Case, blanks, dots, dashes and underscores carry no meaning ("F-measure", "f_measure", "F Measure"), Greek
letters are spelled out (κ is kappa), subscripts become plain digits (F₁ is F1). A sign at the end does carry
meaning: LR+ and LR- are different scores.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

_GREEK = {
    "α": "alpha",
    "β": "beta",
    "κ": "kappa",
    "φ": "phi",
    "ϕ": "phi",
    "δ": "delta",
    "ρ": "rho",
}
MINUS = "-−–—‐‑"
_KEPT = 60  # characters of names whose keys are remembered


def spelled(name: str) -> str:
    """The name in lower case with Greek letters spelled out and no blanks; dots and signs still in place."""
    text = unicodedata.normalize("NFKC", name).lower().strip()
    for letter, word in _GREEK.items():
        text = text.replace(letter, word)
    return re.sub(r"[\s_'’`^{}$*]+", "", text)


def key(name: str) -> str:
    """What is left of a name when everything without meaning is dropped.

    >>> key("F-Measure"), key("Cohen's κ"), key("LR+"), key("lr −")
    ('fmeasure', 'cohenskappa', 'lrplus', 'lrminus')
    """
    return _key(name) if len(name) <= _KEPT else _key.__wrapped__(name)


@lru_cache(maxsize=2048)
def _key(name: str) -> str:
    """Tables ask for the same few names in every row."""
    text = spelled(name)
    if text[-1:] == "+":
        text = text[:-1] + "plus"
    elif len(text) > 1 and text[-1] in MINUS:
        text = text[:-1] + "minus"
    return "".join(char for char in text if char.isalnum() or char == "/")


def nearest(name: str, known: Iterable[str], most: int = 3) -> list[str]:
    """The known names that look most like ``name``."""
    return list(_nearest(key(name), frozenset(known), most))


@lru_cache(maxsize=1024)
def _nearest(wanted: str, known: frozenset[str], most: int) -> tuple[str, ...]:
    """Tables repeat their headings, and looking for what resembles one takes long."""
    return tuple(difflib.get_close_matches(wanted, sorted(known), n=most, cutoff=0.75))


@dataclass(frozen=True, slots=True)
class Quantity:
    """Something a paper prints a number for.

    ``kind`` names the kind of problem it belongs to; within a kind a name means one thing. ``range`` holds the least
    and the greatest value it can have, None where there is none. ``direction`` is +1 if larger values are better.

    >>> from fractions import Fraction
    >>> Quantity("rmse", "root mean squared error", range=(Fraction(0), None), direction=-1, kind="regression").name
    'rmse'
    """

    name: str
    title: str
    latex: str = ""
    reference: str = ""
    synonyms: tuple[str, ...] = ()
    range: tuple[Fraction | None, Fraction | None] = (Fraction(0), Fraction(1))
    direction: int = 1
    kind: str = "binary"
    builtin: bool = True

    def __str__(self) -> str:
        return self.name
