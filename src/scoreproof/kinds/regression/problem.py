"""Reported errors of predicted numbers: experiment, and the interval of every quantity."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any, ClassVar, Unpack

from scoreproof.errors import InvalidExperiment, InvalidValue, NotCovered
from scoreproof.kinds.printed import Span, variance_ends
from scoreproof.kinds.statement import Described, ScoresOf, StatedFields
from scoreproof.quantities.task_quantities import KIND_NAME
from scoreproof.reported import Claim, Value, read_scores
from scoreproof.reported.claim import spread_interval
from scoreproof.reported.conventions import USUAL, Conventions, Divisor, Spread, Stated, told
from scoreproof.validation import shown

_LARGEST = 10**12
UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Regression(Described):
    """One evaluation of predicted numbers on ``n`` cases (None: not known).

    With ``folds`` every value is a mean over so many evaluations (folds or runs; "unknown": over some, or of one) of at
    most ``n`` cases each. ``predictors`` is what an adjusted R² was adjusted for. ``integers`` says that true and
    predicted values are whole numbers.

    >>> str(Regression(100)), str(Regression(folds=10))
    ('one evaluation on 100 cases', 'means over 10 evaluations')
    """

    kind: ClassVar[str] = "regression"
    n: int | None = None
    folds: int | str | None = None
    predictors: int | None = None
    integers: bool = False

    def __post_init__(self) -> None:
        for name, least in (("n", 1), ("folds", 2), ("predictors", 0)):
            value = getattr(self, name)
            if value is None or (name == "folds" and isinstance(value, str) and value == UNKNOWN):
                continue
            if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= _LARGEST:
                raise InvalidExperiment(f"{name}: expected a whole number from {least} or nothing, got {shown(value)}")
        if not isinstance(self.integers, bool):
            raise InvalidExperiment(f"integers: expected True or False, got {shown(self.integers)}")
        if self.integers and (self.n is None or self.folds is not None):
            raise InvalidExperiment(
                "integers: whole numbers say something of one evaluation on n cases; give n, no folds"
            )
        if self.predictors is not None and (self.n is None or self.folds is not None):
            raise InvalidExperiment(
                "predictors: an adjusted R² is compared on one evaluation of n cases; give n, no folds"
            )
        if self.predictors is not None and self.n is not None and self.predictors > self.n - 2:
            raise InvalidExperiment(f"predictors: expected at most n - 2 = {self.n - 2}, got {self.predictors}")

    def __str__(self) -> str:
        cases = "" if self.n is None else f" on {self.n} cases"
        whole = " of whole numbers" if self.integers else ""
        if self.folds is None:
            return f"one evaluation{cases}{whole}" if cases or whole else "one evaluation on an unknown number of cases"
        if self.folds == UNKNOWN:
            return "one evaluation, or means over several" + (f" of at most {self.n} cases" if self.n else "")
        return f"means over {self.folds} evaluations" + (f" of at most {self.n} cases" if self.n else "")


def squared(span: Span) -> Span:
    """The squares of a span."""
    ends = span[0] ** 2, span[1] ** 2
    return (Fraction(0) if span[0] < 0 < span[1] else min(ends)), max(ends)


@dataclass(frozen=True, slots=True)
class RegressionProblem(StatedFields):
    """Errors of one evaluation, or means of them over several."""

    kind: ClassVar[str] = KIND_NAME
    experiment: Regression
    claims: Annotated[tuple[Claim, ...], ScoresOf(KIND_NAME)]
    spread: Spread = Spread.DEVIATION
    divisor: Divisor = Divisor.ANY

    @property
    def spans(self) -> dict[str, Span]:
        """The interval of every claimed quantity, within its range."""
        spans: dict[str, Span] = {}
        for claim in self.claims:
            least, most = claim.quantity.range
            low = claim.low if least is None else max(claim.low, least)
            spans[claim.quantity.name] = low, claim.high if most is None else min(claim.high, most)
        return spans

    def variance(self, claim: Claim) -> Span | None:
        """Between which ends the variance over the evaluations lies, divided by their number; None without a ±."""
        folds = self.experiment.folds
        number = folds if isinstance(folds, int) else None
        return variance_ends(claim, self.spread, self.divisor, number)


def regression(
    experiment: Any, scores: Mapping[str, Value | Claim], how: Conventions = USUAL, **stated: Unpack[Stated]
) -> RegressionProblem:
    """The problem of reported errors.

    >>> problem = regression(Regression(100), {"MAE": "1.20", "RMSE": "1.85", "R²": "0.71"})
    >>> [claim.quantity.name for claim in problem.claims]
    ['mae', 'rmse', 'r2']
    """
    if not isinstance(experiment, Regression):
        raise InvalidExperiment(f"experiment: expected Regression(...), got {experiment!r}")
    how = told(stated, how)
    how.refuse_all_but(
        ("rounding", "eps", "digits", "decimal_comma", "spread", "divisor"),
        "not used for predicted numbers; leave it out",
    )
    problem = RegressionProblem(experiment, read_scores(scores, how, kind=KIND_NAME), how.deviation, how.divisor)
    _check_spreads(problem)
    if "adjusted_r2" in problem.spans and experiment.predictors is None:
        raise NotCovered(
            "adjusted_r2: what it was adjusted for is not said; give Regression(n, predictors=...), or leave it out"
        )
    return problem


def _check_spreads(problem: RegressionProblem) -> None:
    given = next((claim for claim in problem.claims if claim.spread is not None), None)
    if given is None or problem.spread is Spread.IGNORE:
        return
    folds = problem.experiment.folds
    if folds is None:
        raise InvalidValue(
            f"{given.name}: {given.text!r} has a ±, so it is a mean over evaluations: say Regression(folds=...), "
            "'unknown' if their number is not known; or leave the ± out"
        )
    if problem.spread is Spread.ERROR and not isinstance(folds, int):
        raise NotCovered(f"{given.name}: the deviation behind a standard error needs the number of folds")
    for claim in problem.claims:
        if claim.spread is not None:
            spread_interval(claim)  # a negative one is an error
