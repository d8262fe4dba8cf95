"""Words and patterns as data: lists of words that headings, rows and sentences are read by, from files beside the code.

``words.toml`` has the words of headings. A header is a score only if every word of it is accounted for, so these lists
decide what is read: a name that is missing costs a column that is then shown as not tested; a name too many accuses
somebody. ``patterns.toml`` has what is searched for in headings, rows and cells.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from scoreproof.papers.table_semantics.languages import UNCLEAR

_PLACEHOLDER = re.compile(r"(?<!P)<([A-Z_]{2,})>")


class Patterns(dict[str, re.Pattern[str]]):
    """Patterns of a data file, compiled when they are first used, for small and capital letters alike.

    A list holds alternatives; <NAME> stands for another entry, or for what ``parts`` says it is.

    >>> Patterns({"NUMBER": "[0-9]+", "folds": ["<NUMBER> folds", "cv"]})["folds"].pattern
    '[0-9]+ folds|cv'
    """

    def __init__(self, written: Mapping[str, Any], parts: Mapping[str, str] | None = None) -> None:
        super().__init__()
        self._written = {**written, **(parts or {})}

    def __missing__(self, name: str) -> re.Pattern[str]:
        self[name] = re.compile(self._text(name), re.IGNORECASE)
        return self[name]

    def within(self, text: str, *names: str) -> bool:
        """Whether one of some patterns is somewhere in a text."""
        return any(self[name].search(text) for name in names)

    def _text(self, name: str) -> str:
        written = self._written[name]
        text = written if isinstance(written, str) else "|".join(written)
        return _PLACEHOLDER.sub(lambda match: self._text(match[1]), text)


def loaded(package: str, file: str) -> dict[str, Any]:
    """A data file of a package."""
    return tomllib.loads(files(package).joinpath(file).read_text(encoding="utf-8"))


def _named(entries: Mapping[str, str]) -> dict[str, str]:
    """The words of a table that lists them by what they mean."""
    return {word: meaning for meaning, words in entries.items() for word in words.split()}


_WORDS = loaded(__package__, "words.toml")
FILLERS, GENERIC, SET_WORDS, QUANTILES, INTERVALS, SIZES, CLASS_MEANS, HEADS_OF_CLASSES = (
    frozenset(_WORDS[name].split())
    for name in (
        "fillers", "generic", "set_words", "quantiles", "intervals", "sizes", "class_means", "heads_of_classes",
    )
)  # fmt: skip
TESTS, TRAINS, VALIDATIONS = (frozenset(_WORDS[name].split()) for name in ("tests", "trains", "validations"))
UNITS = frozenset(_WORDS["units"])
QUALIFIERS, STATISTICS, COUNTS, OTHERS, NEVER = (
    _named(_WORDS[name]) for name in ("qualifiers", "statistics", "counts", "others", "never")
)
OWN_FILLERS = {name: frozenset(words.split()) for name, words in _WORDS["own_fillers"].items()}
ALIASES = {word: (*meaning.split(), "")[:2] for word, meaning in _named(_WORDS["aliases"]).items()}
SHY = {word: (name, frozenset(company.split())) for word, (name, company) in _WORDS["shy"].items()} | UNCLEAR
ARROWS: dict[str, str] = _WORDS["arrows"]
LOSS = NEVER["loss"]
PATTERNS = {part: Patterns(written) for part, written in loaded(__package__, "patterns.toml").items()}
