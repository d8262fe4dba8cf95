"""Scores that are said to be means over the same parts, and how far each mean and deviation may lie."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

from scoreproof.errors import InvalidExperiment, InvalidOption, InvalidValue, NotCovered
from scoreproof.kinds import averaged
from scoreproof.kinds.averaged import Span
from scoreproof.kinds.common_average.experiment import AverageOf
from scoreproof.reported import Claim, Value, read_scores
from scoreproof.reported.claim import spread_interval
from scoreproof.reported.conventions import Divisor, Spread, Undefined, choice

_ZERO, _UNIT = Fraction(0), Fraction(1)
_WHOLE: Span = (_ZERO, _UNIT)

#: Scores of a part that are compared; F-scores of any beta beside them.
COVERED = ("ppv", "sens", "npv", "spec", "acc", "ji")
#: Scores that mean (sens + spec) / 2 and sens + spec - 1 only where no part lacks a class: scikit-learn's balanced
#: accuracy of such a part is the recall of the other class.
OF_BOTH_CLASSES = ("bacc", "bm")


@dataclass(frozen=True, slots=True)
class CommonAverageProblem:
    """Means over the same parts; with ``undefined`` exclude no part has a 0/0, with any it counts in every mean."""

    kind: ClassVar[str] = "common_average"
    experiment: AverageOf
    claims: tuple[Claim, ...]
    undefined: Undefined = Undefined.ANY
    spread: Spread = Spread.DEVIATION
    divisor: Divisor = Divisor.ANY

    def to_dict(self) -> dict[str, Any]:
        return averaged.statement(
            self.experiment, self.claims, undefined=self.undefined, spread=self.spread, divisor=self.divisor
        )

    @classmethod
    def from_dict(cls, stated: Mapping[str, Any]) -> CommonAverageProblem:
        return cls(**averaged.read(stated, AverageOf, "binary", undefined=Undefined, spread=Spread, divisor=Divisor))

    def with_claims(self, claims: Iterable[Claim]) -> CommonAverageProblem:
        return replace(self, claims=tuple(claims))

    @property
    def means(self) -> dict[str, Span]:
        """What the text of each claim leaves to its mean, within the range of the score."""
        return {claim.quantity.name: (max(claim.low, _least(claim)), min(claim.high, _UNIT)) for claim in self.claims}

    def variance(self, claim: Claim) -> Span | None:
        """Between which ends the variance over the parts lies, divided by their number; None without a ±."""
        return averaged.variance_ends(claim, self.spread, self.divisor, self.experiment.parts)


def _least(claim: Claim) -> Fraction:
    return claim.quantity.range[0] or _ZERO


def common_average(
    experiment: Any,
    scores: Mapping[str, Value | Claim],
    *,
    undefined: str | Undefined = Undefined.ANY,
    spread: str | Spread = Spread.DEVIATION,
    divisor: str | Divisor = Divisor.ANY,
    rounding: Any = None,
    eps: Any = None,
    digits: Any = None,
    beta: Any = None,
    decimal_comma: bool = False,
    **foreign: Any,
) -> CommonAverageProblem:
    """The problem of scores that are means over the same parts; the options are those of ``check``.

    >>> problem = common_average(AverageOf(), {"precision": "91.29%", "recall": "93.44%", "f1": "92.54%"})
    >>> [claim.quantity.name for claim in problem.claims]
    ['ppv', 'sens', 'f1']
    """
    if not isinstance(experiment, AverageOf):
        raise InvalidExperiment(f"experiment: expected AverageOf(...), got {experiment!r}")
    if foreign:
        raise InvalidOption(f"{', '.join(foreign)}: not used where only means over unknown parts are known")
    treatment = choice(Undefined, "undefined", undefined)
    if treatment not in (Undefined.ANY, Undefined.EXCLUDE):
        raise InvalidOption(
            f"undefined={str(undefined)!r}: over unknown parts it is 'any' (a 0/0 counts as 0 or 1, and every mean is "
            "over the same parts) or 'exclude' (no part has a 0/0); means that leave out different parts are open"
        )
    claims = read_scores(scores, rounding=rounding, eps=eps, digits=digits, beta=beta, decimal_comma=decimal_comma)
    problem = CommonAverageProblem(
        experiment, claims, treatment, choice(Spread, "spread", spread), choice(Divisor, "divisor", divisor)
    )
    _check_covered(problem)
    _check_spreads(problem)
    return problem


def is_covered(name: str, beta: Any, undefined: Undefined = Undefined.ANY) -> bool:
    """Whether means of a score over unknown parts are compared with others; ``beta`` is that of an F-score."""
    return name in COVERED or beta is not None or (name in OF_BOTH_CLASSES and undefined is Undefined.EXCLUDE)


def _check_covered(problem: CommonAverageProblem) -> None:
    for claim in problem.claims:
        name = claim.quantity.name
        if is_covered(name, getattr(claim.quantity, "beta", None), problem.undefined):
            continue
        if name in OF_BOTH_CLASSES:
            raise NotCovered(
                f"{claim.name}: programs differ on parts that lack a class; if none does, say undefined='exclude', "
                "else leave the score out"
            )
        raise NotCovered(
            f"{claim.name}: nothing is known about its mean over unknown parts; expected some of {', '.join(COVERED)} "
            "and F-scores; leave it out"
        )


def _check_spreads(problem: CommonAverageProblem) -> None:
    parts, spread = problem.experiment.parts, problem.spread
    given = next((claim for claim in problem.claims if claim.spread is not None), None)
    if given is None or spread is Spread.IGNORE:
        return
    if parts == 1:
        raise InvalidValue(f"{given.name}: {given.text!r} has a ±, but one part has no deviation; leave the ± out")
    if spread is Spread.ERROR and parts is None:
        raise NotCovered(
            f"{given.name}: the deviation behind a standard error needs the number of parts: AverageOf(parts=...); or "
            "spread='ignore'"
        )
    for claim in problem.claims:
        if claim.spread is not None:
            spread_interval(claim)  # a negative one is an error
