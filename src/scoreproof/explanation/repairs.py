"""The nearest repairs: reports that fit and differ from the printed one by a single slip."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from math import ceil, floor, log
from typing import Any

from scoreproof.checking import Verdict
from scoreproof.explanation.conflicts import Conflicts
from scoreproof.explanation.rewriting import asked, rewritten
from scoreproof.explanation.slips import Candidate, Slip, candidates, written
from scoreproof.jsonable import Jsonable, document, rebuilt
from scoreproof.kinds import kind_named
from scoreproof.kinds.kind import Problem
from scoreproof.reported import Claim, Rounding
from scoreproof.work.budget import Budget

_ONE_CHECK = 0.5  # seconds
_STEPS = {True: 60, False: 12}  # values tried on either side, for one matrix and otherwise
_CONFIRMED = 4  # times as many candidates are confirmed as are kept, since confirming may change their order
_UNUSUAL_ROUNDING = log(10)
_NEAREST_WEIGHT = 0.3  # how plausible "some other near value" is beside one kind of slip


@dataclass(frozen=True, slots=True)
class Change(Jsonable):
    """One score as printed, and as it would have to be."""

    score: str
    printed: str
    repaired: str

    _told = "score from=printed to=repaired"

    def __str__(self) -> str:
        return f"{self.score} = {self.repaired} instead of {self.printed}"


@dataclass(frozen=True, slots=True)
class Repair:
    """A report that fits; ``witness`` shows that it does."""

    slip: Slip
    changes: tuple[Change, ...]
    witness: Any
    cost: float

    def to_dict(self) -> dict[str, Any]:
        return document(self, "*", words=str(self))

    @classmethod
    def from_dict(cls, entry: Mapping[str, Any], kind: str) -> Repair:
        witness = None if entry["witness"] is None else kind_named(kind).read_witness(entry["witness"])
        return rebuilt(cls, {**entry, "witness": witness})

    def __str__(self) -> str:
        if self.slip in (Slip.EXCHANGED, Slip.EXCHANGED_PAIR, Slip.SHIFTED):
            names = [change.score for change in self.changes]
            listed = f"{', '.join(names[:-1])} and {names[-1]}"
            what = {Slip.SHIFTED: f"columns {listed} shifted by one"}.get(self.slip, f"{listed} exchanged")
            return f"{what} ({', '.join(f'{one.score} = {one.repaired}' for one in self.changes)})"
        return f"{', '.join(map(str, self.changes))} ({self.slip})"


@dataclass(frozen=True, slots=True)
class Repairs:
    """What would fit, likeliest first; ``complete`` if every candidate was tried."""

    found: tuple[Repair, ...]
    complete: bool


def nearest_repairs(problem: Problem, conflicts: Conflicts, most: int, deadline: Budget) -> Repairs:
    """Try the candidates in order of their cost, and keep those that a witness confirms."""
    tried = [one for one in candidates(problem.claims) if conflicts.touched_by(one.names)]
    tried += list(_near_values(problem, conflicts, deadline.part(0.5)))
    tried.sort(key=lambda one: one.cost)
    found: dict[tuple[tuple[str, str], ...], Repair] = {}
    complete = True
    for candidate in tried:
        if len(found) >= _CONFIRMED * most:
            break
        if deadline.passed:
            complete = False
            break
        if not _quick(problem) and _still_broken(problem, conflicts, candidate.reported, deadline):
            continue
        answer = asked(problem.with_claims(candidate.reported), deadline.moment(_ONE_CHECK))
        if answer.verdict is Verdict.UNDECIDED:
            complete = False
        if answer.verdict is Verdict.CONSISTENT:
            repair = _repair(problem, candidate, answer.witness, _doubt(problem, candidate, deadline))
            found.setdefault(tuple((change.score, change.repaired) for change in repair.changes), repair)
    ranked = sorted(found.values(), key=lambda one: one.cost)
    return Repairs(tuple(ranked[:most]), complete)


def _still_broken(problem: Problem, conflicts: Conflicts, reported: Sequence[Claim], deadline: Budget) -> bool:
    """Whether one of the small conflicts remains: a cheap way to see that the whole report still does not fit."""
    by_name = {one.name: one for one in reported}
    for conflict in conflicts.found:
        if len(conflict) < len(problem.claims) and not deadline.passed:
            subset = problem.with_claims(by_name[one.name] for one in conflict)
            if asked(subset, deadline.moment(_ONE_CHECK)).verdict is Verdict.INCONSISTENT:
                return True
    return False


def _doubt(problem: Problem, candidate: Candidate, deadline: Budget) -> float:
    """What it costs that a repair needs values cut by an unusual rule: most authors round to nearest."""
    if deadline.passed or all(one.rounding is not Rounding.ANY for one in candidate.reported):
        return 0.0
    usual = [
        rewritten(replace(one, rounding=Rounding.NEAREST), one.text) or one if one.rounding is Rounding.ANY else one
        for one in candidate.reported
    ]
    answer = asked(problem.with_claims(usual), deadline.moment(_ONE_CHECK))
    return _UNUSUAL_ROUNDING if answer.verdict is Verdict.INCONSISTENT else 0.0


def _repair(problem: Problem, candidate: Candidate, witness: Any, doubt: float) -> Repair:
    changes = []
    for index in candidate.changed:
        old, new = problem.claims[index], candidate.reported[index]
        if candidate.slip is Slip.ROUNDING:
            changes.append(Change(old.name, f"{old.text} ({old.rounding})", f"{new.text} ({new.rounding})"))
        elif old.text != new.text:
            changes.append(Change(old.name, old.text, new.text))
    return Repair(candidate.slip, tuple(changes), witness, candidate.cost + doubt)


def _near_values(problem: Problem, conflicts: Conflicts, deadline: Budget) -> Iterator[Candidate]:
    """For each score whose change alone may help, the first possible value below and above the printed one."""
    ways = 2 * len(problem.claims)
    for index, one in enumerate(problem.claims):
        if not conflicts.touched_by(frozenset({one.name})):
            continue
        for units in _near_units(problem, conflicts, index, deadline):
            changed = rewritten(one, written(one, units))
            if changed is None:
                continue
            steps = abs(units - one.number.units)
            reported = (*problem.claims[:index], changed, *problem.claims[index + 1 :])
            yield Candidate(Slip.NEAREST, reported, (index,), log(ways * steps / _NEAREST_WEIGHT))


def _near_units(problem: Problem, conflicts: Conflicts, index: int, deadline: Budget) -> list[int]:
    """The nearest fitting values below and above, in units of the last digit."""
    one = problem.claims[index]
    rest = (*problem.claims[:index], *problem.claims[index + 1 :])
    down = up = one.number.units
    if rest and not deadline.passed:
        answer = asked(problem.with_claims(rest), deadline.moment(_ONE_CHECK))
        if answer.verdict is Verdict.INCONSISTENT:
            return []
        span = kind_named(problem.kind).implied(problem.with_claims(rest), one)
        if span is not None and answer.verdict is Verdict.CONSISTENT:
            # Start where the other scores begin to allow a value.
            up = max(up, floor(span[0] * one.number.scale) - 2)
            if span[1] is not None:
                down = min(down, ceil(span[1] * one.number.scale) + 2)
    found = []
    for start, step in ((down, -1), (up, 1)):
        units = _first_fit(problem, conflicts, index, start, step, deadline)
        if units is not None:
            found.append(units)
    return found


def _first_fit(
    problem: Problem, conflicts: Conflicts, index: int, start: int, step: int, deadline: Budget
) -> int | None:
    one = problem.claims[index]
    for distance in count(0 if start != one.number.units else 1):
        if distance > _STEPS[_quick(problem)] or deadline.passed:
            return None
        units = start + step * distance
        changed = rewritten(one, written(one, units))
        if changed is None:
            return None
        reported = (*problem.claims[:index], changed, *problem.claims[index + 1 :])
        if not _quick(problem) and _still_broken(problem, conflicts, reported, deadline):
            continue
        if asked(problem.with_claims(reported), deadline.moment(_ONE_CHECK)).verdict is Verdict.CONSISTENT:
            return units
    return None


def _quick(problem: Problem) -> bool:
    return kind_named(problem.kind).quick(problem)
