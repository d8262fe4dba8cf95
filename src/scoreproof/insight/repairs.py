"""The nearest repairs: reports that fit and differ from the printed one by a single slip."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from itertools import combinations, count
from math import ceil, floor, log
from typing import Any

from scoreproof.checking import trial
from scoreproof.insight.conflicts import Conflicts, rewritten
from scoreproof.jsonable import Jsonable, document, rebuilt
from scoreproof.kinds import kind_named
from scoreproof.kinds.kind import Problem
from scoreproof.reported import Claim, Rounding
from scoreproof.work.budget import Budget

_ONE_CHECK = 0.5  # seconds
_STEPS = {True: 60, False: 12}  # values tried on either side, for one matrix and otherwise
_CONFIRMED = 4  # times as many candidates are confirmed as are kept, since confirming may change their order
_UNUSUAL_ROUNDING = log(10)
_WORDS = dict(enumerate(("three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"), 3))
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

    def sentence(self, numbers: int) -> str:
        """What would fit: "0.781, two digits swapped, would fit all 5 numbers"."""
        every = f"all {_WORDS.get(numbers, numbers)} numbers" if numbers > 2 else "both numbers"
        fits = f"would fit {every}" if numbers > 1 else "would fit"
        if len(self.changes) != 1 or self.slip is Slip.ROUNDING:
            return f"{self} {fits}"
        return f"{self.changes[0].score} {self.changes[0].repaired}, {self.slip}, {fits}"

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
        fits, witness, _ = trial(problem.with_claims(candidate.reported), budget=deadline.moment(_ONE_CHECK))
        complete = complete and fits is not None
        if fits:
            repair = _repair(problem, candidate, witness, _doubt(problem, candidate, deadline))
            found.setdefault(tuple((change.score, change.repaired) for change in repair.changes), repair)
    ranked = sorted(found.values(), key=lambda one: one.cost)
    return Repairs(tuple(ranked[:most]), complete)


def _still_broken(problem: Problem, conflicts: Conflicts, reported: Sequence[Claim], deadline: Budget) -> bool:
    """Whether one of the small conflicts remains: a cheap way to see that the whole report still does not fit."""
    by_name = {one.name: one for one in reported}
    for conflict in conflicts.found:
        if len(conflict) < len(problem.claims) and not deadline.passed:
            subset = problem.with_claims(by_name[one.name] for one in conflict)
            if trial(subset, budget=deadline.moment(_ONE_CHECK)).fits is False:
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
    fits = trial(problem.with_claims(usual), budget=deadline.moment(_ONE_CHECK)).fits
    return _UNUSUAL_ROUNDING if fits is False else 0.0


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
        fits = trial(problem.with_claims(rest), budget=deadline.moment(_ONE_CHECK)).fits
        if fits is False:
            return []
        span = kind_named(problem.kind).implied(problem.with_claims(rest), one)
        if span is not None and fits:
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
        if trial(problem.with_claims(reported), budget=deadline.moment(_ONE_CHECK)).fits:
            return units
    return None


def _quick(problem: Problem) -> bool:
    return kind_named(problem.kind).quick(problem)


_NUMBER = re.compile(r"(?P<before>\s*[+\-−–]?)(?P<number>\d*[.,]?\d*)(?P<after>.*)", re.DOTALL)
_MOST_SHIFTED = 12  # columns; longer tables are searched for shifts of short runs only


class Slip(StrEnum):
    """How a number may have gone wrong."""

    EXCHANGED_PAIR = "precision and recall exchanged"
    EXCHANGED = "columns exchanged"
    SHIFTED = "columns shifted"
    COMPLEMENT = "complement given"
    PERCENT = "percent and fraction confused"
    SIGN = "sign lost"
    ROUNDING = "another rounding rule"
    SWAPPED_DIGITS = "two digits swapped"
    DIGIT = "one digit changed"
    NEAREST = "nearest possible value"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible original: the whole report, the places where it differs, and how surprising the slip would be."""

    slip: Slip
    reported: tuple[Claim, ...]
    changed: tuple[int, ...]
    cost: float = 0.0

    @property
    def names(self) -> frozenset[str]:
        return frozenset(self.reported[index].name for index in self.changed)


def candidates(reported: Sequence[Claim]) -> list[Candidate]:
    """Every report from which one slip leads to this one, likeliest first."""
    groups: dict[Slip, list[Candidate]] = {}
    for one in (*_single(reported), *_exchanges(reported), *_shifts(reported)):
        groups.setdefault(one.slip, []).append(one)
    priced = [
        (log(len(members)), _distance(reported, one), replace(one, cost=log(len(members))))
        for members in groups.values()
        for one in members
    ]
    seen: set[tuple[object, ...]] = set()
    ranked = []
    for _, _, one in sorted(priced, key=lambda entry: entry[:2]):
        key = tuple((item.number.value, item.number.scale, item.low, item.high) for item in one.reported)
        if key not in seen:
            seen.add(key)
            ranked.append(one)
    return ranked


def _distance(reported: Sequence[Claim], one: Candidate) -> Fraction:
    """How far the values move in all: the tie-break among slips of one kind."""
    return sum(
        (abs(reported[index].number.value - one.reported[index].number.value) for index in one.changed), Fraction(0)
    )


def _single(reported: Sequence[Claim]) -> Iterator[Candidate]:
    for index, one in enumerate(reported):
        for slip, text in text_slips(one):
            changed = rewritten(one, text)
            if changed is not None and (changed.number != one.number):
                yield Candidate(slip, _with(reported, {index: changed}), (index,))
        if one.eps is None and one.rounding is not Rounding.ANY:
            loose = rewritten(replace(one, rounding=Rounding.ANY), one.text)
            if loose is not None:
                yield Candidate(Slip.ROUNDING, _with(reported, {index: loose}), (index,))


def text_slips(one: Claim) -> Iterator[tuple[Slip, str]]:
    """The texts one slip away from a printed number."""
    match = _NUMBER.fullmatch(one.text)
    if match is None or not match["number"].strip(".,"):
        return
    before, number, after = match["before"], match["number"].replace(",", "."), match["after"]
    places = [place for place, char in enumerate(number) if char.isdigit()]
    for place in places:
        for digit in "0123456789":
            if digit != number[place]:
                yield Slip.DIGIT, before + number[:place] + digit + number[place + 1 :] + after
    for a, b in combinations(places, 2):
        if number[a] != number[b]:
            swapped = list(number)
            swapped[a], swapped[b] = swapped[b], swapped[a]
            yield Slip.SWAPPED_DIGITS, before + "".join(swapped) + after
    least, most = one.quantity.range
    if least == 0 and most == 1:
        yield Slip.COMPLEMENT, written(one, one.number.scale - one.number.units)
    if least is not None and least < 0 and one.number.units:
        yield Slip.SIGN, written(one, -one.number.units)
    if "%" in after:
        yield Slip.PERCENT, before + number + after.replace("%", "")
    elif one.number.value * 100 <= 100 and one.spread is None:
        yield Slip.PERCENT, before + number + "%"


def written(one: Claim, units: int) -> str:
    """A number of ``units`` in the style of the report: its digits, its percent sign, what follows it."""
    match = _NUMBER.fullmatch(one.text)
    after = match["after"] if match else ""
    digits = one.number.digits - (2 if "%" in one.text else 0)
    sign = "-" if units < 0 else ""
    whole, rest = divmod(abs(units), 10 ** max(digits, 0))
    if digits <= 0:
        return f"{sign}{whole}{after}"
    lead = "" if match and match["number"].startswith((".", ",")) and whole == 0 else str(whole)
    return f"{sign}{lead}.{rest:0{digits}d}{after}"


def _exchanges(reported: Sequence[Claim]) -> Iterator[Candidate]:
    for a, b in combinations(range(len(reported)), 2):
        pair = {reported[a].score.name, reported[b].score.name}
        slip = Slip.EXCHANGED_PAIR if pair == {"ppv", "sens"} else Slip.EXCHANGED
        moved = permuted(reported, {a: b, b: a})
        if moved is not None:
            yield Candidate(slip, moved, (a, b))


def _shifts(reported: Sequence[Claim]) -> Iterator[Candidate]:
    """Three or more neighbouring columns moved on by one, the last (or first) coming round."""
    count = len(reported)
    for size in range(3, min(count, _MOST_SHIFTED) + 1):
        for start in range(count - size + 1):
            window = list(range(start, start + size))
            for step in (1, -1):
                sources = {place: window[(at + step) % size] for at, place in enumerate(window)}
                moved = permuted(reported, sources)
                if moved is not None:
                    yield Candidate(Slip.SHIFTED, moved, tuple(window))


def permuted(reported: Sequence[Claim], sources: dict[int, int]) -> tuple[Claim, ...] | None:
    """The report with the text of column ``sources[i]`` in column ``i``; None if that changes nothing or cannot be."""
    changed: dict[int, Claim] = {}
    for place, source in sources.items():
        one = rewritten(reported[place], reported[source].text, like=reported[source])
        if one is None:
            return None
        changed[place] = one
    if all(reported[place].number == one.number for place, one in changed.items()):
        return None
    return _with(reported, changed)


def _with(reported: Sequence[Claim], changed: dict[int, Claim]) -> tuple[Claim, ...]:
    return tuple(changed.get(index, one) for index, one in enumerate(reported))
