"""Confidence intervals that are printed with scores, as evidence beside the scores themselves.

An interval holds the value it is of, whatever its method; and a share of n cases is a whole number over n. What breaks
this is impossible, whatever the rest of the report says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from scoreproof.checking.answer import Answer, Verdict
from scoreproof.checking.ask import ask
from scoreproof.errors import InvalidValue
from scoreproof.kinds.binary.experiment import TestSet
from scoreproof.kinds.proportion_interval import ProportionIntervalProblem, quantity_of
from scoreproof.quantities import quantity
from scoreproof.reported import report
from scoreproof.reported.interval_text import IntervalText


def with_intervals(
    answer: Answer[Any, Any], experiment: Any, intervals: Mapping[str, IntervalText], rounding: Any
) -> Answer[Any, Any]:
    """The answer about the scores, or that about an interval which cannot be where the scores can."""
    said = []
    for name, text, problem in _problems(experiment, intervals, rounding):
        found = ask(problem)
        if found.verdict is Verdict.INCONSISTENT and answer.verdict is not Verdict.INCONSISTENT:
            return replace(found, notes=(f"the interval of {name}", *found.notes))  # whatever the convention
        if found.verdict is not Verdict.INCONSISTENT:
            said.append(f"{name} lies in its interval, {text.low} to {text.high}; its method is not known")
    return replace(answer, notes=(*answer.notes, *said))


def _problems(
    experiment: Any, intervals: Mapping[str, IntervalText], rounding: Any
) -> Iterator[tuple[str, IntervalText, ProportionIntervalProblem]]:
    cases = {}
    if isinstance(experiment, TestSet):
        cases = {"acc": experiment.p + experiment.n, "sens": experiment.p, "spec": experiment.n}
    for given, text in intervals.items():
        known = quantity(given)
        name = given if known is None else known.name
        if known is None or known.range != (Fraction(0), Fraction(1)):
            raise InvalidValue(f"{given}: expected a number alone; an interval is evidence of a value from 0 to 1 only")
        rule = rounding.get(given, rounding.get(name)) if isinstance(rounding, Mapping) else rounding
        parts = tuple(
            replace(report(quantity_of(part), getattr(text, part), rounding=rule), name=part)
            for part in ("value", "low", "high")
        )
        yield name, text, ProportionIntervalProblem(parts, cases.get(name) or None, text.level or "0.95")
