"""A printed report, how it is asked, and what every convention is written with: matrices and their scores.

Nothing in this folder goes through scoreproof's own writers: numpy computes what a convention says, ``format`` prints
it. A report is an experiment and scores for ``check``, or a claim of significance, or a problem that audits pose; it is
asked as if nothing had been said of the convention.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from inspect import signature
from typing import Any

import numpy as np
from numpy.typing import NDArray

import scoreproof as sp
from scoreproof.checking import ask, with_conventions
from scoreproof.claims.recheck import Standing
from scoreproof.reported.conventions import told
from scoreproof.work.budget import Budget

Rng = np.random.Generator
Floats = NDArray[np.float64]
BUDGET = 4.0  # seconds of a check


@dataclass(frozen=True, slots=True)
class Report:
    """A printed report, and how it is asked: ``check`` of an experiment, a claim, or a problem."""

    experiment: Any = None
    scores: dict[str, Any] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)
    claim: Callable[..., Any] | None = None
    problem: Any = None

    def verdict(self, *, strict: bool) -> str:
        """What scoreproof says of it, in the words of ``check``."""
        if self.claim is not None:
            more = {"strict": True} if strict and "strict" in signature(self.claim).parameters else {}
            standing = self.claim(**self.options, **more).verdict
            return {Standing.IMPOSSIBLE: "inconsistent", Standing.UNEXPLAINED: "question"}.get(standing, "consistent")
        if self.problem is not None:
            deadline = Budget(BUDGET)
            answer = with_conventions(ask(self.problem, budget=deadline), told({"strict": strict}), deadline)
            return str(answer.verdict)
        answer = sp.check(self.experiment, self.scores, budget=BUDGET, strict=strict, **self.options)
        return str(answer.verdict)


def printed(value: float, digits: int) -> str:
    return f"{value:.{digits}f}"


def ratio(top: float, bottom: float, otherwise: float = 0.0) -> float:
    return top / bottom if bottom else otherwise


def scores_of(tp: float, fp: float, fn: float, tn: float) -> dict[str, float]:
    """The scores of a matrix, 0/0 as 0."""
    return {
        "acc": (tp + tn) / (tp + fp + fn + tn),
        "sens": ratio(tp, tp + fn),
        "spec": ratio(tn, tn + fp),
        "ppv": ratio(tp, tp + fp),
        "npv": ratio(tn, tn + fn),
        "f1": ratio(2 * tp, 2 * tp + fp + fn),
        "ji": ratio(tp, tp + fp + fn),
    }


def matrix(rng: Rng, p: int, n: int, skill: tuple[float, float] = (0.6, 0.95)) -> tuple[int, int, int, int]:
    tp, tn = rng.binomial(p, rng.uniform(*skill)), rng.binomial(n, rng.uniform(*skill))
    return int(tp), int(n - tn), int(p - tp), int(tn)


def test_set(rng: Rng) -> tuple[int, int]:
    return int(rng.integers(20, 120)), int(rng.integers(40, 300))


def texts(values: dict[str, float], digits: int) -> dict[str, str]:
    return {name: printed(value, digits) for name, value in values.items()}


def columns(made: list[tuple[int, int, int, int]], names: tuple[str, ...]) -> dict[str, Floats]:
    values = [scores_of(*each) for each in made]
    return {name: np.array([own[name] for own in values]) for name in names}
