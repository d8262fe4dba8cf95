"""What one sentence of a paper says of an experiment: the facts, with the sentence itself.

The words are in ``words.toml``, what is searched for in ``patterns.toml``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from scoreproof.papers.table_semantics.words import Patterns, loaded

_FILE = loaded(__package__, "words.toml")
WORDS = {name: frozenset(words.split()) for name, words in _FILE.items() if isinstance(words, str)}
NUMBER_WORDS: dict[str, int] = _FILE["number_words"]
_NUMBERS = "|".join(NUMBER_WORDS)
_PARTS = {
    **{name.upper(): "|".join(sorted(WORDS[name])) for name in ("units", "persons", "being")},
    "WORDS": _NUMBERS,
    "NUMBERS": rf"(?:\d|(?:{_NUMBERS})\b)",
}
PATTERNS = {part: Patterns(written, _PARTS) for part, written in loaded(__package__, "patterns.toml").items()}
_SAYS, _PART = PATTERNS["facts"], PATTERNS["parts"]
_LONGEST = 2_000  # characters; what is longer is no sentence but a table or a list that lost its lines


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, and where it stands: a page, a section, a caption."""

    text: str
    place: str = ""

    def __str__(self) -> str:
        return f"{self.text!r} ({self.place})" if self.place else repr(self.text)


def sentences(text: str, place: str = "") -> Iterator[Sentence]:
    """The sentences of a paragraph: a wrong cut is harmless, a missed one could join the counts of two experiments.

    >>> [s.text for s in sentences("We used 38 records (Fig. 2, see Smith et al. 2010). The rest was left out.")]
    ['We used 38 records (Fig. 2, see Smith et al. 2010).', 'The rest was left out.']
    """
    plain = " ".join(text.split())
    stops = [stop for stop in _SAYS["stop"].finditer(plain) if not _abbreviated(plain, stop.start())]
    for start, end in pairwise([0, *(stop.end() for stop in stops), len(plain)]):
        own = plain[start:end].strip()
        if own and len(own) <= _LONGEST:
            yield Sentence(own, place)


def _abbreviated(plain: str, stop: int) -> bool:
    """Whether a full stop ends an abbreviation, or a lone letter: an initial ("J. Smith") more often than a class."""
    return plain[stop] == "." and _SAYS["abbreviated"].search(plain, max(0, stop - 12), stop) is not None


def all_sentences(paragraphs: Iterable[tuple[str, str]]) -> Iterator[Sentence]:
    """The sentences of paragraphs given as (text, place)."""
    for text, place in paragraphs:
        yield from sentences(text, place)


class Portion(StrEnum):
    """Which cases a count is of."""

    ALL = "all"
    TRAINING = "training"
    VALIDATION = "validation"
    TEST = "test"


def parts_named(text: str) -> list[Portion]:
    """The parts that a text names, the test set first."""
    return [part for part in (Portion.TEST, Portion.VALIDATION, Portion.TRAINING) if _PART[part].search(text)]


def mentioned(text: str) -> Portion | None:
    """The first part that a text mentions: the test set, then others."""
    return next(iter(parts_named(text)), None)


def only_part(text: str) -> Portion | None:
    """The one part a sentence speaks of; all cases if of none; None if of several.

    >>> only_part("12 test images"), only_part("12 images"), only_part("12 images for training and testing")
    (<Portion.TEST: 'test'>, <Portion.ALL: 'all'>, None)
    """
    plain = _PART["other_than"].sub(" ", text)
    plain = _PART["cross"].sub("", plain) if crossed(text) else _PART["external"].sub("test", plain)
    parts = parts_named(plain)
    return Portion.ALL if not parts else parts[0] if len(parts) == 1 else None


def crossed(text: str) -> bool:
    """Whether a text speaks of a cross-validation."""
    return _PART["crossed"].search(text) is not None


def headed(before: str) -> Portion | None:
    """The part that is the subject of what follows: "the test set contains"."""
    match = _PART["head"].search(before)
    if match and _PART["share_of"].search(before, 0, match.start()):
        return None
    return mentioned(match[1] or match[2] or match[3]) if match else None


@dataclass(frozen=True, slots=True)
class CaseCount:
    """So many cases; ``counts`` are (class, cases) in the order of the sentence, where it tells classes."""

    total: int
    unit: str
    part: Portion
    sentence: Sentence
    counts: tuple[tuple[str, int], ...] = ()

    @classmethod
    def of_classes(cls, counts: tuple[tuple[str, int], ...], part: Portion, sentence: Sentence) -> CaseCount:
        """The cases of several classes."""
        return cls(sum(count for _, count in counts), "cases", part, sentence, counts)

    @property
    def in_words(self) -> str:
        """ "120 cats, 80 dogs and 50 birds"."""
        *first, last = [f"{count:,} {name}" for name, count in self.counts or ((self.unit, self.total),)]
        return f"{', '.join(first)} and {last}" if first else last

    def __str__(self) -> str:
        return f"{self.in_words} ({self.part})"


@dataclass(frozen=True, slots=True)
class Split:
    """The shares of training, validation (0 if there is none) and test cases, in percent.

    ``stratified`` is None where the sentence does not say whether each class was divided so.
    """

    training: float
    validation: float
    test: float
    sentence: Sentence
    stratified: bool | None = None

    def __str__(self) -> str:
        middle = f", {self.validation:g}% for validation" if self.validation else ""
        of_each = " of each class" if self.stratified else ""
        return f"{self.training:g}% for training{middle}, {self.test:g}% for testing{of_each}"


@dataclass(frozen=True, slots=True)
class Folds:
    """A cross-validation; ``k`` is None for leave-one-out, ``stratified`` where the sentence does not say."""

    k: int | None
    repeats: int | None
    stratified: bool | None
    sentence: Sentence

    def __str__(self) -> str:
        words = "leave one out" if self.k is None else f"{self.k} folds"
        words += f", repeated {self.repeats} times" if self.repeats else ""
        return words + {True: ", stratified", False: ", not stratified", None: ""}[self.stratified]


@dataclass(frozen=True, slots=True)
class Runs:
    """Scores are of so many runs on one test set; of some number of runs or of random splits if ``count`` is None."""

    count: int | None
    sentence: Sentence

    def __str__(self) -> str:
        return "scores may be means over " + ("runs or splits" if self.count is None else f"{self.count} runs")


@dataclass(frozen=True, slots=True)
class Medians:
    """Scores are medians over runs or folds: those of one row may be of different ones."""

    sentence: Sentence

    def __str__(self) -> str:
        return "scores are medians"


Fact = CaseCount | Split | Folds | Runs | Medians
