"""What a sentence says of an experiment, with the sentence it was taken from."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from scoreproof.documents.prose.sentence import Sentence


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


@dataclass(frozen=True, slots=True)
class ClassCounts:
    """So many cases of each class; ``counts`` are (class, cases) in the order of the sentence."""

    counts: tuple[tuple[str, int], ...]
    part: Portion
    sentence: Sentence

    @property
    def total(self) -> int:
        return sum(count for _, count in self.counts)


@dataclass(frozen=True, slots=True)
class Split:
    """The shares of training, validation (0 if there is none) and test cases, in percent."""

    training: float
    validation: float
    test: float
    sentence: Sentence


@dataclass(frozen=True, slots=True)
class Folds:
    """A cross-validation; ``stratified`` is None where the sentence does not say, ``left_out`` for leave-one-out."""

    k: int | None
    repeats: int | None
    stratified: bool | None
    left_out: bool
    sentence: Sentence


@dataclass(frozen=True, slots=True)
class Averaged:
    """Scores were averaged over folds (``mean``), or the predictions of all folds were pooled."""

    mean: bool
    sentence: Sentence


@dataclass(frozen=True, slots=True)
class Decimals:
    """Values were rounded to so many digits."""

    digits: int
    sentence: Sentence


Fact = CaseCount | ClassCounts | Split | Folds | Averaged | Decimals
