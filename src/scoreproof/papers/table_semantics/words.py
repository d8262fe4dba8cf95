"""Words and patterns as data: lists of words that headings, rows and sentences are read by, from files beside the code.

A name that is missing costs a column that is then shown as not tested; a name too many accuses somebody. Headings and
row labels of other languages are put into English first: ``words`` have one sense, ``rows`` hold for labels of rows
only, ``unclear`` names count beside the scores that settle them.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
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
UNCLEAR = {key_of(name): (own[0], frozenset(own[1:])) for file in _FILES for name, own in file["unclear"].items()}


def _translator(*sections: str) -> Callable[[str], str]:
    """What puts the words of some sections of all languages into English, the longest first."""
    entries = [entry for file in _FILES for section in sections for entry in file[section].items()]
    english = {" ".join(_JOINTS.split(name.lower())): word for word, spelled in entries for name in spelled}
    longest = sorted(english, key=len, reverse=True)
    words, runs = ([word for word in longest if bool(_RUN.search(word)) is run] for run in (False, True))
    firsts = {re.split(r"\W", word)[0] for word in words}
    joined = "|".join(re.escape(word).replace(r"\ ", r"[\s-]+") for word in words)
    known, signs = re.compile(rf"(?<!\w)(?:{joined})(?!\w)", re.IGNORECASE), re.compile("|".join(runs))

    def whole(run: re.Match[str]) -> str:
        parts = signs.findall(run[0])
        return f" {' '.join(english[part] for part in parts)} " if "".join(parts) == run[0] else run[0]

    def translated(text: str) -> str:
        made = text
        if not firsts.isdisjoint(re.findall(r"\w+", text.lower())):  # one look spares most texts the rest
            made = known.sub(lambda match: english[" ".join(_JOINTS.split(match[0].lower()))], text)
        made = _RUN.sub(whole, made) if not text.isascii() else made
        return text if made == text else " ".join(made.split())

    return translated


_OF_HEADINGS, _OF_ROWS = _translator("words"), _translator("words", "rows")


def in_english(text: str, *, row: bool = False) -> str:
    """A heading, or the label of a row, with what is known of other languages put into English.

    >>> in_english("Sensitivität (%)"), in_english("平均召回率"), in_english("Media", row=True), in_english("Media")
    ('sensitivity (%)', 'mean recall', 'mean', 'Media')
    """
    return _OF_ROWS(text) if row else _OF_HEADINGS(text)


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
#: Lists of words by their names.
SETS = {name: frozenset(text.split()) for name, text in _WORDS.items() if isinstance(text, str)}
TRAINS, VALIDATIONS = SETS["trains"], SETS["validations"]
#: The words of tables that list them by what they mean, with their meanings.
QUALIFIERS, STATISTICS, COUNTS, OTHERS, NEVER, _ALIASES = (
    {word: str(meaning) for meaning, words in _WORDS[name].items() for word in words.split()}
    for name in ("qualifiers", "statistics", "counts", "others", "never", "aliases")
)
OTHERS |= dict.fromkeys(SETS["intervals"], "a confidence interval")
COUNTS |= dict.fromkeys(SETS["sizes"], "size")
MISSING, UNITS = frozenset(_WORDS["missing"]), frozenset(_WORDS["units"])
#: What stands in brackets behind an error and is no unit.
NO_UNITS = SETS["tests"].union(TRAINS, VALIDATIONS, QUALIFIERS, STATISTICS, NEVER, SETS["intervals"])
TOGETHER = {tuple(letters.split()): tuple(names.split()) for letters, names in _WORDS["together"].items()}
RATES, RATIOS = ({name: words.split() for name, words in _WORDS[part].items()} for part in ("rates", "ratios"))
OWN_FILLERS = {name: frozenset(words.split()) for name, words in _WORDS["own_fillers"].items()}
ALIASES = {word: (*meaning.split(), "")[:2] for word, meaning in _ALIASES.items()}
SHY = {word: (name, frozenset(company.split())) for word, (name, company) in _WORDS["shy"].items()} | UNCLEAR
