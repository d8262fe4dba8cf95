"""What predictions of several classes give for a printed score: exactly, and as it would be printed.

Beside accuracy, kappa and MCC these are averages over the classes. As in scikit-learn a class that is never predicted
has a precision of zero where a value is written; any usual way to count it is right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoreproof.kinds.multi_class.problem import ClassesProblem, asked_of, classes_problem
from scoreproof.kinds.multi_class.quantities import refused, refused_of_means
from scoreproof.kinds.multi_class.witness import Treatment, mean_value, treatment_of
from scoreproof.papers.true_values import printed

ClassCounts = tuple[int, int, int]  # cases of a class, how many of them were found, and how often it was predicted


@dataclass(frozen=True, slots=True)
class ClassOutcomes:
    """The counts of every class in one evaluation, or in each fold; ``pooled`` adds those of folds first."""

    classes: tuple[str, ...]
    folds: tuple[tuple[ClassCounts, ...], ...]
    pooled: bool = False

    @classmethod
    def of(cls, actual: Sequence[NDArray[Any]], guessed: Sequence[NDArray[Any]]) -> ClassOutcomes:
        """The outcomes of true and predicted labels, fold by fold."""
        known = sorted({label for part in (*actual, *guessed) for label in np.unique(part).tolist()})
        folds = tuple(
            tuple(
                (int((a == label).sum()), int(((a == label) & (g == label)).sum()), int((g == label).sum()))
                for label in known
            )
            for a, g in zip(actual, guessed, strict=True)
        )
        return cls(tuple(f"class {place}" for place in range(1, len(known) + 1)), folds)

    @property
    def parts(self) -> tuple[tuple[ClassCounts, ...], ...]:
        """The counts whose scores are averaged; of one evaluation if nothing is."""
        if not self.pooled:
            return self.folds
        added = (tuple(map(sum, zip(*own, strict=True))) for own in zip(*self.folds, strict=True))
        return (tuple((cases, right, called) for cases, right, called in added),)

    def has(self, name: str) -> bool:
        """Whether a score can be said of several classes, under this name."""
        return not refused(name) and not (len(self.parts) > 1 and refused_of_means(name))

    def gives(self, name: str, text: str, options: dict[str, Any]) -> bool:
        """Whether a printed text is what these outcomes give, exactly."""
        return treatment_of(self._problem(name, text, **options), self._found) is not False

    def text(self, name: str, like: str) -> str | None:
        """The score as it would be printed with the digits and percent sign of a text; None if undefined."""
        problem = self._problem(name, like)
        (claim,) = problem.claims
        value = mean_value(problem, self._found, asked_of(claim), Treatment.ZERO)
        return None if value is None else printed(value, claim.number.digits, percent="%" in claim.text)

    @property
    def _found(self) -> list[list[tuple[int, int]]]:
        return [[(right, called) for _, right, called in part] for part in self.parts]

    def _problem(self, name: str, text: str, **options: Any) -> ClassesProblem:
        cases = [[own for own, _, _ in part] for part in self.parts]
        return classes_problem(self.classes, cases, {name: text}, **options)
