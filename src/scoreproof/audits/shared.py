"""Rows stated to be on one test set share its prevalence, also where nobody printed it.

Each row bounds the prevalence on its own (``reconstruct``). Two rows whose bounds do not meet cannot come from one test
set, and a share between the bounds makes that checkable: one certificate proves that the first row is impossible at
this prevalence or above, the other that the second is at this prevalence or below.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from scoreproof.asking import verify
from scoreproof.audits.inside import Check
from scoreproof.audits.readings import UnknownClasses
from scoreproof.audits.result import Outcome, RowResult
from scoreproof.audits.task import Task, printed_alone, reconstructed
from scoreproof.errors import ScoreproofError
from scoreproof.kinds.unknown_classes.ranges import Range
from scoreproof.reported import Claim, report

_MOST_ROWS = 60  # of one test set that are compared with each other
_FEWEST_SCORES = 3  # fewer leave the prevalence open
_MOST_DIGITS = 12


def shared_test_sets(tasks: Sequence[Task], rows: Sequence[RowResult], budget: float) -> tuple[Check, ...]:
    """For every test set of unknown classes the first two rows that cannot share it, with the proof."""
    alike: dict[Any, list[Task]] = {}
    for index, row in enumerate(rows):
        if row.outcome is not Outcome.CONSISTENT or len(row.readings) != 1 or len(row.cells) < _FEWEST_SCORES:
            continue
        if row.readings[0].statement["experiment"]["type"] == "unknown_classes":  # a task is made when it is asked for
            task = tasks[index]
            if task.shared and not _may_be_undefined(task):
                key = (task.experiment, task.group, task.section, task.readings[0].experiment)
                alike.setdefault(key, []).append(task)
    return tuple(found for group in alike.values() for found in _apart(group[:_MOST_ROWS], budget))


def _may_be_undefined(task: Task) -> bool:
    """Whether a printed 0 may stand for 0/0, which programs print and no prevalence explains."""
    try:
        return any(report(name, text).low <= 0 for name, text in printed_alone(task.scores).items())
    except ScoreproofError:
        return True


def _apart(group: Sequence[Task], budget: float) -> Iterator[Check]:
    spans: list[tuple[Task, UnknownClasses, Range]] = []
    for task in group if len(group) > 1 else ():
        classes = task.readings[0].experiment
        assert isinstance(classes, UnknownClasses)
        found = reconstructed(task, classes, budget=budget).ranges.get("prevalence")
        if found is not None:
            spans.append((task, classes, found))
    for one, other in itertools.permutations(spans, 2):
        if one[2].high is not None and one[2].high < other[2].low:
            check = _proved(one, other, budget)
            if check is not None:
                yield check
                return


def _proved(
    lower: tuple[Task, UnknownClasses, Range], upper: tuple[Task, UnknownClasses, Range], budget: float
) -> Check | None:
    """The comparison of two rows, if both halves of its proof are verified."""
    (first, classes, below), (second, _, above) = lower, upper
    assert below.high is not None
    between = _between(below.high, above.low)
    certificates = []
    for task, low, high in ((first, between, Fraction(1)), (second, Fraction(0), between)):
        limits = _limits(low, high)
        found = reconstructed(task, classes, budget=budget, prevalence=limits) if limits is not None else None
        if found is None or found.certificate is None or not verify(found.certificate):
            return None
        certificates.append(found.certificate)
    names = f"{first.label} and {second.label}"
    return {
        "kind": "one test set",
        "what": f"the prevalence of {names}",
        "printed": "",
        "verdict": "inconsistent",
        "words": f"{names} are stated to be on one test set, but the scores of {first.label} need a prevalence of "
        f"{below.text(4)} and those of {second.label} one of {above.text(4)}",
        "ranges": [below.to_dict(), above.to_dict()],
        "rows": [first.row, second.row],
        "row": second.row,
        "certificates": certificates,
    }


def _between(low: Fraction, high: Fraction) -> Fraction:
    """A short decimal strictly between two numbers, or their middle."""
    for digits in range(1, _MOST_DIGITS):
        units = (low * 10**digits).__floor__() + 1
        if low < Fraction(units, 10**digits) < high:
            return Fraction(units, 10**digits)
    return (low + high) / 2


def _limits(low: Fraction, high: Fraction) -> Claim | None:
    """A prevalence known to lie between two ends, as a reported value with its margin."""
    from scoreproof.kinds.unknown_classes.quantities import PREVALENCE

    middle = (low + high) / 2
    digits = _MOST_DIGITS + 1
    if (middle * 10**digits).denominator != 1:
        return None
    units = int(middle * 10**digits)  # exact, and below 1
    return report(PREVALENCE, f"0.{units:0{digits}d}", eps=(high - low) / 2)
