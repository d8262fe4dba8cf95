"""What a report leaves unsaid: how 0/0 was counted, what follows a ±, over what it and the extremes were taken.

Each is an enumeration whose first member is the default. Where programs and authors differ, the default admits every
usual way, because a report may only be called impossible if it is so under each of them.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, TypeVar

from scoreproof import validation


class Undefined(StrEnum):
    """What a 0/0 score counts as.

    ``any`` admits each score's usual treatments: counted as zero, as scikit-learn prints it; left out of the mean, as
    R and pandas do; balanced accuracy of a set that lacks a class also as the recall of the other class, as
    scikit-learn has it; an F-score without true positives also left out, since 2PR / (P + R) is 0/0 there though
    2 tp / (2 tp + fp + fn) is 0. ``exclude`` says that it would not have been reported. ``zero``, ``one`` and ``skip``
    (left out of the mean) fix the treatment.
    """

    ANY = "any"
    EXCLUDE = "exclude"
    ZERO = "zero"
    ONE = "one"
    SKIP = "skip"


class Spread(StrEnum):
    """What follows a ±: a standard deviation over the sets, a standard error of the mean, or nothing that is tested."""

    DEVIATION = "deviation"
    ERROR = "error"
    IGNORE = "ignore"


class Divisor(StrEnum):
    """By what a variance was divided: the number of sets, one less, or either (usually it is not said).

    ``any`` means either, but the same for all scores of a report, as one program computed them; ``each`` lets every
    score have its own.
    """

    ANY = "any"
    POPULATION = "population"
    SAMPLE = "sample"
    EACH = "each"

    @property
    def ddof(self) -> tuple[int, ...]:
        return {"population": (0,), "sample": (1,)}.get(self.value, (0, 1))


class SpreadOver(StrEnum):
    """What a ± is taken over, where that can be several things.

    All evaluation sets (``folds``), the means of the ``repeats`` of a repeated cross-validation, or the ``parts`` of
    nested means: the direct parts of the outermost mean, each with its own mean. ``any`` admits whichever there are.
    """

    ANY = "any"
    FOLDS = "folds"
    REPEATS = "repeats"
    PARTS = "parts"


class ExtremesOver(StrEnum):
    """What a minimum or maximum is taken over: the direct parts of the outermost mean, or every evaluation set."""

    PARTS = "parts"
    FOLDS = "folds"


Convention = TypeVar("Convention", Undefined, Spread, Divisor, SpreadOver, ExtremesOver)


def choice(kind: type[Convention], what: str, name: Any) -> Convention:
    """A member of one of the enumerations above, or an error that lists them."""
    if name.__class__ is kind:
        chosen: Convention = name
        return chosen
    return validation.chosen(what, name, kind)
