"""Words and patterns as data: lists of words that headings, rows and sentences are read by, from files beside the code.

A header is a score only if every word of it is accounted for, so these lists decide what is read: a name that is
missing costs a column that is then shown as not tested; a name too many accuses somebody. Headings and row labels of
other languages are put into English before they are read: ``words`` have one sense, ``rows`` hold for labels of rows
only, and ``unclear`` names count beside the scores that settle them. Chinese is understood by whole runs of its signs.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

LANGUAGES = ("german", "french", "spanish", "portuguese", "italian", "chinese")
_RUN, _JOINTS = re.compile("[\u4e00-\u9fff]+"), re.compile(r"[\s-]+")


def loaded(package: str, file: str) -> dict[str, Any]:
    """A data file of a package."""
    return tomllib.loads(files(package).joinpath(file).read_text(encoding="utf-8"))


def key_of(text: str) -> str:
    """The letters and digits of a name, by which it is looked up."""
    return "".join(filter(str.isalnum, text.lower()))


_FILES = [loaded(__package__, f"language_words/{name}.toml") for name in LANGUAGES]
#: Names of several senses, without blanks: the score that is meant, and those of which one must stand beside it.
UNCLEAR: dict[str, tuple[str, frozenset[str]]] = {
    key_of(name): (scores[0], frozenset(scores[1:])) for file in _FILES for name, scores in file["unclear"].items()
}


class _Dictionary:
    """The English words by what stands for them in other languages."""

    def __init__(self, *sections: str) -> None:
        entries = [entry for file in _FILES for section in sections for entry in file[section].items()]
        self._english = {
            " ".join(_JOINTS.split(spelled.lower())): word for word, spellings in entries for spelled in spellings
        }
        longest = sorted(self._english, key=len, reverse=True)
        words = [word for word in longest if not _RUN.search(word)]
        self._firsts = {re.split(r"\W", word)[0] for word in words}
        joined = "|".join(re.escape(word).replace(r"\ ", r"[\s-]+") for word in words)
        self._words = re.compile(rf"(?<!\w)(?:{joined})(?!\w)", re.IGNORECASE)
        self._signs = re.compile("|".join(re.escape(word) for word in longest if _RUN.search(word)))

    def translated(self, text: str) -> str:
        made = text
        if not self._firsts.isdisjoint(re.findall(r"\w+", text.lower())):  # one look spares most texts the rest
            made = self._words.sub(lambda match: self._english[" ".join(_JOINTS.split(match[0].lower()))], text)
        made = _RUN.sub(self._run, made) if not text.isascii() else made
        return text if made == text else " ".join(made.split())

    def _run(self, match: re.Match[str]) -> str:
        parts = self._signs.findall(match[0])
        return f" {' '.join(self._english[part] for part in parts)} " if "".join(parts) == match[0] else match[0]


_HEADINGS, _ROWS = _Dictionary("words"), _Dictionary("words", "rows")


def in_english(text: str, *, row: bool = False) -> str:
    """A heading, or the label of a row, with what is known of other languages put into English.

    >>> in_english("Sensitivität (%)"), in_english("平均召回率"), in_english("Media", row=True), in_english("Media")
    ('sensitivity (%)', 'mean recall', 'mean', 'Media')
    """
    return (_ROWS if row else _HEADINGS).translated(text)


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


_WORDS = loaded(__package__, "words.toml")
PATTERNS = {part: Patterns(written) for part, written in loaded(__package__, "patterns.toml").items()}
FILLERS, GENERIC, SET_WORDS, QUANTILES, INTERVALS, SIZES, CLASS_MEANS, HEADS_OF_CLASSES, TESTS, TRAINS, VALIDATIONS = (
    frozenset(_WORDS[name].split())
    for name in (
        "fillers", "generic", "set_words", "quantiles", "intervals", "sizes", "class_means", "heads_of_classes",
        "tests", "trains", "validations",
    )
)  # fmt: skip
#: The words of tables that list them by what they mean, with their meanings.
QUALIFIERS, STATISTICS, COUNTS, OTHERS, NEVER, _ALIASES = (
    {word: str(meaning) for meaning, words in _WORDS[name].items() for word in words.split()}
    for name in ("qualifiers", "statistics", "counts", "others", "never", "aliases")
)
OTHERS |= dict.fromkeys(INTERVALS, "a confidence interval")
COUNTS |= dict.fromkeys(SIZES, "size")
UNITS = frozenset(_WORDS["units"])
#: What stands in brackets behind an error and is no unit.
NO_UNITS = frozenset({*TESTS, *TRAINS, *VALIDATIONS, *QUALIFIERS, *STATISTICS, *NEVER, *INTERVALS})
MISSING = frozenset(_WORDS["missing"])
TOGETHER = {tuple(letters.split()): tuple(names.split()) for letters, names in _WORDS["together"].items()}
COMPANY = frozenset(_WORDS["company"].split())
RATES, RATIOS = ({name: words.split() for name, words in _WORDS[part].items()} for part in ("rates", "ratios"))
OWN_FILLERS = {name: frozenset(words.split()) for name, words in _WORDS["own_fillers"].items()}
ALIASES = {word: (*meaning.split(), "")[:2] for word, meaning in _ALIASES.items()}
SHY = {word: (name, frozenset(company.split())) for word, (name, company) in _WORDS["shy"].items()} | UNCLEAR
# "for" is no false omission rate, but FOR may be one; mAP is a score, but MAP may be maximum a posteriori.
CAPITALS = frozenset({"for", "map"})
IN_COMPANY = frozenset({"mae", "mse"})  # short names that other columns with the same words beside them confirm
LOSS = NEVER["loss"]
