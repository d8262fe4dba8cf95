"""Data sets of the catalogue that sentences name: more than the bare word is needed.

"Drive" is a verb and "glass" a material. A name counts if it is spelled as a name (DRIVE, Ionosphere, CHASE_DB1) and
stands beside a word for data: "the DRIVE dataset", "records of TPEHG", "the database STARE".
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from scoreproof.catalog import Entry, entry
from scoreproof.catalog.shelf import shipped_spellings
from scoreproof.papers.text_facts import Sentence

_DATA = r"(?:data[- ]?sets?|databases?|data|benchmarks?|challenges?|collections?|test sets?)"
_THINGS = rf"(?:{_DATA}|images|records|recordings)"
_OTHERS = re.compile(r"\bet al\b|\bprevious|\bsuch as\b|\be\.g\.|\bunlike\b|\bpretrain|\bpre-train|\bfuture\b", re.I)
_REPOSITORY = re.compile(r"\bUCI\b|\bKEEL\b|\bOpenML\b|\bscikit-learn\b|\brepository\b")
_WORD = re.compile(r"\w+")
_BEGINNING = re.compile(r"[^\W_]+")
_PARTS = re.compile(r"[-_ ]+")
_BEGIN = 8  # letters by which names are looked up
_MOST = 3


def named(sentences: Iterable[Sentence]) -> list[tuple[Entry, Sentence]]:
    """The entries that sentences name, each with the first sentence that does; none if they are many.

    >>> said = [Sentence("We drive the error down."), Sentence("All images of the DRIVE dataset were used.")]
    >>> [(entry.name, sentence.text) for entry, sentence in named(said)]
    [('drive', 'All images of the DRIVE dataset were used.')]
    """
    told: dict[str, Sentence] = {}
    for sentence in sentences:
        if _OTHERS.search(sentence.text):
            continue
        loose = _REPOSITORY.search(sentence.text) is not None
        for name in _begun(sentence.text):
            if name not in told and _pattern(name, loose=loose).search(sentence.text):
                told[name] = sentence
    if len(told) > _MOST:  # a survey, or a table of data sets
        return []
    return [(entry(name), sentence) for name, sentence in told.items()]


def _begun(text: str) -> list[str]:
    """The names of the catalogue that may stand in a text, since one of its words begins like them; most have none."""
    begins = {word[:length].lower() for word in _WORD.findall(text) for length in range(1, _BEGIN + 1)}
    shared = begins & _beginnings().keys()
    order = shipped_spellings()
    return [name for name in order if any(name in _beginnings()[begin] for begin in shared)] if shared else []


@cache
def _beginnings() -> dict[str, set[str]]:
    """The names of entries by the first letters of their spellings, up to the first mark."""
    names: dict[str, set[str]] = {}
    for name, spellings in shipped_spellings().items():
        for spelling in spellings:
            names.setdefault(_BEGINNING.findall(spelling)[0][:_BEGIN].lower(), set()).add(name)
    return names


@cache
def _pattern(name: str, *, loose: bool) -> re.Pattern[str]:
    """How an entry is named anywhere, or, ``loose``, beside a repository."""
    forms = (form for spelling in shipped_spellings()[name] for form in _spellings(spelling, loose))
    names = "|".join(dict.fromkeys(forms))
    behind = rf"\b(?:{names})(?:\s*\[[\d,\s]*\])?\s+(?:[a-z]+\s+)?{_THINGS}\b"
    ahead = rf"\b{_THINGS}\s+(?:of|from|in)\s+(?:the\s+)?(?:{names})\b|\b{_DATA}\s+(?:called\s+)?(?:{names})\b"
    return re.compile(f"{behind}|{ahead}")


def _spellings(name: str, loose: bool) -> list[str]:
    """A name as papers write it: in capitals; with a capital where it is no word or a repository is named, too."""
    parts = _PARTS.split(name)
    forms = [[part.upper() for part in parts]]
    if loose or not name.isalpha():  # "German" and "hepatitis" are words
        forms += [[part.capitalize() for part in parts], parts]
    return [r"[-_ ]?".join(re.escape(part) for part in form) for form in forms]
