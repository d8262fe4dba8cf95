"""Data sets of the catalogue that sentences name: more than the bare word is needed.

"Drive" is a verb and "glass" a material. A name counts if it is spelled as a name (DRIVE, Ionosphere, CHASE_DB1) and
stands beside a word for data: "the DRIVE dataset", "records of TPEHG", "the database STARE".
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from scoreproof.catalog import Entry, entries
from scoreproof.documents.prose import Sentence

_DATA = r"(?:data[- ]?sets?|databases?|data|benchmarks?|challenges?|collections?|test sets?)"
_THINGS = rf"(?:{_DATA}|images|records|recordings)"
_OTHERS = re.compile(r"\bet al\b|\bprevious|\bsuch as\b|\be\.g\.|\bunlike\b|\bpretrain|\bpre-train|\bfuture\b", re.I)
_REPOSITORY = re.compile(r"\bUCI\b|\bKEEL\b|\bOpenML\b|\bscikit-learn\b|\brepository\b")
_MOST = 3


def named(sentences: Iterable[Sentence]) -> list[tuple[Entry, Sentence]]:
    """The entries that sentences name, each with the first sentence that does; none if they are many.

    >>> said = [Sentence("We drive the error down."), Sentence("All images of the DRIVE dataset were used.")]
    >>> [(entry.name, sentence.text) for entry, sentence in named(said)]
    [('drive', 'All images of the DRIVE dataset were used.')]
    """
    told: dict[str, tuple[Entry, Sentence]] = {}
    for sentence in sentences:
        if _OTHERS.search(sentence.text) or not _anything().search(sentence.text):
            continue
        bare = _REPOSITORY.search(sentence.text) is None
        for entry, pattern, loose in _patterns():
            if entry.name not in told and (pattern if bare else loose).search(sentence.text):
                told[entry.name] = entry, sentence
    return list(told.values()) if len(told) <= _MOST else []  # a survey, or a table of data sets


@cache
def _anything() -> re.Pattern[str]:
    """Any name of the catalogue: most sentences have none, and are asked once."""
    names = (form for entry in entries() for name in (entry.name, *entry.aliases) for form in _spellings(name, True))
    return re.compile(rf"\b(?:{'|'.join(dict.fromkeys(names))})\b")


@cache
def _patterns() -> tuple[tuple[Entry, re.Pattern[str], re.Pattern[str]], ...]:
    """Each entry, how it is named anywhere, and how it is named beside a repository."""
    return tuple((entry, _pattern(entry, loose=False), _pattern(entry, loose=True)) for entry in entries())


def _pattern(entry: Entry, *, loose: bool) -> re.Pattern[str]:
    forms = (form for name in (entry.name, *entry.aliases) for form in _spellings(name, loose))
    names = "|".join(dict.fromkeys(forms))
    behind = rf"\b(?:{names})(?:\s*\[[\d,\s]*\])?\s+(?:[a-z]+\s+)?{_THINGS}\b"
    ahead = rf"\b{_THINGS}\s+(?:of|from|in)\s+(?:the\s+)?(?:{names})\b|\b{_DATA}\s+(?:called\s+)?(?:{names})\b"
    return re.compile(f"{behind}|{ahead}")


def _spellings(name: str, loose: bool) -> list[str]:
    """A name as papers write it: in capitals; with a capital where it is no word or a repository is named, too."""
    parts = re.split(r"[-_ ]+", name)
    forms = [[part.upper() for part in parts]]
    if loose or not name.isalpha():  # "German" and "hepatitis" are words
        forms += [[part.capitalize() for part in parts], parts]
    return [r"[-_ ]?".join(re.escape(part) for part in form) for form in forms]
