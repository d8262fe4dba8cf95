"""From the many spellings of a quantity's name to the one key it is registered under.

Case, blanks, dots, dashes and underscores carry no meaning ("F-measure", "f_measure", "F Measure"), Greek
letters are spelled out (κ is kappa), subscripts become plain digits (F₁ is F1). A sign at the end does carry
meaning: LR+ and LR- are different scores.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterable
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
