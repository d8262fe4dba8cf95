"""A text as sentences, each with the place it stands at.

A sentence ends at a full stop, question mark or exclamation mark that is followed by a blank and a capital letter, a
digit or an opening bracket, unless the stop belongs to an abbreviation ("et al.", "Fig. 3", "i.e."). A wrong cut is
harmless where a sentence is only searched for facts; a missed one could join the counts of two experiments.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_STOP = re.compile(r"[.!?][\"'”’)\]]*\s+(?=[\"'“‘(\[]?[A-Z0-9])")
_ABBREVIATED = re.compile(
    r"(?:\b(?:et al|e\.g|i\.e|cf|vs|resp|ca|approx|no|nos|fig|figs|tab|eq|eqs|sec|ref|refs|dr|prof|st|mr|ms|inc)"
    r"|\b[A-Z])$",
    re.IGNORECASE,
)
_INITIAL = re.compile(r"\b[A-Z]$")
_LONGEST = 2_000  # characters; what is longer is no sentence but a table or a list that lost its lines


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, and where it stands: a page, a section, a caption."""

    text: str
    place: str = ""

    def __str__(self) -> str:
        return f"{self.text!r} ({self.place})" if self.place else repr(self.text)


def sentences(text: str, place: str = "") -> Iterator[Sentence]:
    """The sentences of a paragraph.

    >>> [s.text for s in sentences("We used 38 records (Fig. 2, see Smith et al. 2010). The rest was left out.")]
    ['We used 38 records (Fig. 2, see Smith et al. 2010).', 'The rest was left out.']
    """
    plain = " ".join(text.split())
    start = 0
    for stop in _STOP.finditer(plain):
        if plain[stop.start()] == "." and _abbreviated(plain[max(0, stop.start() - 12) : stop.start()]):
            continue
        yield from _sentence(plain[start : stop.end()], place)
        start = stop.end()
    yield from _sentence(plain[start:], place)


def all_sentences(paragraphs: Iterable[tuple[str, str]]) -> Iterator[Sentence]:
    """The sentences of paragraphs given as (text, place)."""
    for text, place in paragraphs:
        yield from sentences(text, place)


def _abbreviated(before: str) -> bool:
    match = _ABBREVIATED.search(before)
    # A lone capital is an initial ("J. Smith"), but "class A. The" ends a sentence only rarely, so it is kept together.
    return match is not None or _INITIAL.search(before) is not None


def _sentence(text: str, place: str) -> Iterator[Sentence]:
    text = text.strip()
    if text and len(text) <= _LONGEST:
        yield Sentence(text, place)
