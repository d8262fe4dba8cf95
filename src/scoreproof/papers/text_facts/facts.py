"""What a sentence says of an experiment, with the sentence it was taken from."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from scoreproof.papers.text_facts.sentence import Sentence


class Portion(StrEnum):
    """Which cases a count is of."""

    ALL = "all"
    TRAINING = "training"
    VALIDATION = "validation"
    TEST = "test"


@dataclass(frozen=True, slots=True)
class CaseCount:
    """So many cases."""

    total: int
    unit: str
    part: Portion
    sentence: Sentence

    def __str__(self) -> str:
        return f"{self.total:,} {self.unit} ({self.part})"


@dataclass(frozen=True, slots=True)
class ClassCounts:
    """So many cases of each class; ``counts`` are (class, cases) in the order of the sentence."""

    counts: tuple[tuple[str, int], ...]
    part: Portion
    sentence: Sentence

    @property
    def total(self) -> int:
        return sum(count for _, count in self.counts)

    @property
    def in_words(self) -> str:
        """ "120 cats, 80 dogs and 50 birds", or "10 classes of 1,000" where they have no names."""
        sizes = {count for _, count in self.counts}
        if len(sizes) == 1 and all(name == f"class {k}" for k, (name, _) in enumerate(self.counts, 1)):
            return f"{len(self.counts)} classes of {sizes.pop():,}"
        *first, last = (f"{count:,} {name}" for name, count in self.counts)
        return f"{', '.join(first)} and {last}"

    def __str__(self) -> str:
        return f"{self.in_words} ({self.part})"


@dataclass(frozen=True, slots=True)
class Sought:
    """So many queries of a search, or objects to be detected."""

    total: int
    unit: str
    queries: bool
    part: Portion
    sentence: Sentence

    def __str__(self) -> str:
        return f"{self.total:,} {self.unit} ({self.part})"


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
    """A cross-validation; ``stratified`` is None where the sentence does not say, ``left_out`` for leave-one-out."""

    k: int | None
    repeats: int | None
    stratified: bool | None
    left_out: bool
    sentence: Sentence

    def __str__(self) -> str:
        said = "leave one out" if self.k is None else f"{self.k} folds"
        said += f", repeated {self.repeats} times" if self.repeats else ""
        return said + {True: ", stratified", False: ", not stratified", None: ""}[self.stratified]


@dataclass(frozen=True, slots=True)
class Averaged:
    """Scores were averaged over folds (``mean``), or the predictions of all folds were pooled."""

    mean: bool
    sentence: Sentence

    def __str__(self) -> str:
        return "scores were averaged over folds" if self.mean else "predictions of all folds were pooled"


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


@dataclass(frozen=True, slots=True)
class Decimals:
    """Values were rounded to so many digits."""

    digits: int
    sentence: Sentence

    def __str__(self) -> str:
        return f"values are rounded to {self.digits} digit{'s' * (self.digits != 1)}"


Fact = CaseCount | ClassCounts | Sought | Split | Folds | Averaged | Runs | Medians | Decimals
