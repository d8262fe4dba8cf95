"""Reported errors of predicted numbers, and the interval of every quantity they leave."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

from scoreproof.errors import InvalidExperiment, InvalidOption, InvalidValue, NotCovered
from scoreproof.kinds import averaged
from scoreproof.kinds.averaged import Span
from scoreproof.kinds.regression.experiment import Regression
from scoreproof.kinds.regression.quantities import KIND_NAME
from scoreproof.reported import Claim, Value, read_scores
from scoreproof.reported.claim import spread_interval
from scoreproof.reported.conventions import Divisor, Spread, choice

_ZERO = Fraction(0)


def squared(span: Span) -> Span:
    """The squares of a span."""
    ends = span[0] ** 2, span[1] ** 2
    return (_ZERO if span[0] < 0 < span[1] else min(ends)), max(ends)


@dataclass(frozen=True, slots=True)
class RegressionProblem:
    """Errors of one evaluation, or means of them over several."""

    kind: ClassVar[str] = KIND_NAME
    experiment: Regression
    claims: tuple[Claim, ...]
    spread: Spread = Spread.DEVIATION
    divisor: Divisor = Divisor.ANY

    def to_dict(self) -> dict[str, Any]:
        return averaged.statement(self.experiment, self.claims, spread=self.spread, divisor=self.divisor)

    @classmethod
    def from_dict(cls, stated: Mapping[str, Any]) -> RegressionProblem:
        return cls(**averaged.read(stated, Regression, KIND_NAME, spread=Spread, divisor=Divisor))

    def with_claims(self, claims: Iterable[Claim]) -> RegressionProblem:
        return replace(self, claims=tuple(claims))

    @property
    def spans(self) -> dict[str, Span]:
        """The interval of every claimed quantity, within its range."""
        found: dict[str, Span] = {}
        for claim in self.claims:
            least, most = claim.quantity.range
            low = claim.low if least is None else max(claim.low, least)
            found[claim.quantity.name] = low, claim.high if most is None else min(claim.high, most)
        return found

    def variance(self, claim: Claim) -> Span | None:
        """Between which ends the variance over the evaluations lies, divided by their number; None without a ±."""
        folds = self.experiment.folds
        number = folds if isinstance(folds, int) else None
        return averaged.variance_ends(claim, self.spread, self.divisor, number)


def regression(
    experiment: Any,
    scores: Mapping[str, Value | Claim],
    *,
    spread: str | Spread = Spread.DEVIATION,
    divisor: str | Divisor = Divisor.ANY,
    rounding: Any = None,
    eps: Any = None,
    digits: Any = None,
    decimal_comma: bool = False,
    **foreign: Any,
) -> RegressionProblem:
    """The problem of reported errors; the options are those of ``check``.

    >>> problem = regression(Regression(100), {"MAE": "1.20", "RMSE": "1.85", "R²": "0.71"})
    >>> [claim.quantity.name for claim in problem.claims]
    ['mae', 'rmse', 'r2']
    """
    if not isinstance(experiment, Regression):
        raise InvalidExperiment(f"experiment: expected Regression(...), got {experiment!r}")
    if foreign:
        raise InvalidOption(f"{', '.join(foreign)}: not used for predicted numbers; leave it out")
    claims = read_scores(scores, rounding=rounding, eps=eps, digits=digits, decimal_comma=decimal_comma, kind=KIND_NAME)
    problem = RegressionProblem(
        experiment, claims, choice(Spread, "spread", spread), choice(Divisor, "divisor", divisor)
    )
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
