"""The nearest repairs: reports that fit and differ from the printed one by a single slip."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from itertools import combinations, product
from math import ceil, floor, log
from typing import Any

from scoreproof.checking.ask import trial
from scoreproof.insight.conflicts import Conflicts, allowed, next_to, rewritten
from scoreproof.jsonable import Jsonable, rebuilt
from scoreproof.kinds import kind_named
from scoreproof.kinds.kind import Problem
from scoreproof.reported import Claim, Rounding
from scoreproof.reported.number import decimal_text
from scoreproof.results import listed
from scoreproof.work.budget import Budget

_ONE_CHECK = 0.5  # seconds
_CONFIRMED = 4  # times as many candidates are confirmed as are kept, since confirming may change their order
_UNUSUAL_ROUNDING = log(10)
_WORDS = dict(enumerate(("three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"), 3))
_PRINTED: dict[Rounding | None, Callable[[Fraction], int]] = {Rounding.FLOOR: floor, Rounding.CEIL: ceil}
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
class Repair(Jsonable):
    """A report that fits; ``witness`` shows that it does."""

    slip: Slip
    changes: tuple[Change, ...]
    witness: Any
    cost: float

    _told = "* words"
    words = property(str)

    @classmethod
    def read(cls, entry: Mapping[str, Any], kind: str) -> Repair:
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
            names = listed(change.score for change in self.changes)
            what = f"columns {names} shifted by one" if self.slip is Slip.SHIFTED else f"{names} exchanged"
            return f"{what} ({', '.join(f'{change.score} = {change.repaired}' for change in self.changes)})"
        return f"{', '.join(map(str, self.changes))} ({self.slip})"


def nearest_repairs(
    problem: Problem, conflicts: Conflicts, most: int, deadline: Budget
) -> tuple[tuple[Repair, ...], bool]:
    """What would fit, likeliest first, and whether every candidate was tried.

    They are tried in order of their cost, and those are kept that a witness confirms.
    """
    tried = [each for each in candidates(problem.claims) if conflicts.touched_by(each.names)]
    tried += _near_values(problem, conflicts, deadline.part(0.5))
    repairs: dict[tuple[Change, ...], Repair] = {}
    complete = True
    for candidate in sorted(tried, key=lambda each: each.cost):
        if len(repairs) >= _CONFIRMED * most:
            break
        if deadline.passed:
            complete = False
            break
        fits, witness, _ = trial(problem.with_claims(candidate.reported), budget=deadline.moment(_ONE_CHECK))
        complete = complete and fits is not None
        if fits:
            changes = candidate.changes(problem.claims)
            cost = candidate.cost + _doubt(problem, candidate.reported, deadline)
            repairs.setdefault(changes, Repair(candidate.slip, changes, witness, cost))
    return tuple(sorted(repairs.values(), key=lambda repair: repair.cost)[:most]), complete


def _doubt(problem: Problem, reported: Sequence[Claim], deadline: Budget) -> float:
    """What it costs that a repair needs values cut by an unusual rule: most authors round to nearest."""
    if deadline.passed or all(claim.rounding is not Rounding.ANY for claim in reported):
        return 0.0
    loose = [claim for claim in reported if claim.rounding is Rounding.ANY]
    nearest = {c.name: rewritten(replace(c, rounding=Rounding.NEAREST), c.text) for c in loose}
    usual = [nearest.get(claim.name) or claim for claim in reported]
    return (
        _UNUSUAL_ROUNDING
        if trial(problem.with_claims(usual), budget=deadline.moment(_ONE_CHECK)).fits is False
        else 0.0
    )


def _near_values(problem: Problem, conflicts: Conflicts, deadline: Budget) -> Iterator[Candidate]:
    """For each score whose change alone may help, the values next to the printed one that the others allow."""
    claims = problem.claims
    for place, claim in enumerate(claims):
        if deadline.passed or not conflicts.touched_by(frozenset({claim.name})):
            continue
        known = [next_to(problem, claim), allowed(problem, claims, [claim], deadline) if len(claims) > 1 else None]
        texts = {text for instead in known if instead for text in (instead.low, instead.high)} - {""}
        values = (Fraction(text.rstrip("%")) / (100 if text.endswith("%") else 1) for text in texts)
        rules = [_PRINTED[claim.rounding]] if claim.rounding in _PRINTED else [floor, ceil]
        printed = {rule(value * claim.number.scale) for value in values for rule in rules}
        for units in printed - {claim.number.units}:
            changed = rewritten(claim, written(claim, units))
            if changed is not None:
                ways = 2 * len(claims) * abs(units - claim.number.units)
                reported = _with(claims, {place: changed})
                yield Candidate(Slip.NEAREST, reported, (place,), log(ways / _NEAREST_WEIGHT))


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

    def changes(self, printed: Sequence[Claim]) -> tuple[Change, ...]:
        """What would have to change in the printed report."""
        pairs = [(printed[index], self.reported[index]) for index in self.changed]
        if self.slip is Slip.ROUNDING:
            return tuple(Change(a.name, f"{a.text} ({a.rounding})", f"{b.text} ({b.rounding})") for a, b in pairs)
        return tuple(Change(a.name, a.text, b.text) for a, b in pairs if a.text != b.text)


def candidates(reported: Sequence[Claim]) -> list[Candidate]:
    """Every report from which one slip leads to this one, likeliest first; the more of its sort, the less likely."""
    slips = [*_single(reported), *_moves(reported)]
    many = Counter(candidate.slip for candidate in slips)

    def distance(candidate: Candidate) -> Fraction:
        """How far the values move in all: the tie-break among slips of one kind."""
        moves = (reported[k].number.value - candidate.reported[k].number.value for k in candidate.changed)
        return sum(map(abs, moves), Fraction(0))

    ranked: dict[tuple[object, ...], Candidate] = {}
    for candidate in sorted(slips, key=lambda each: (many[each.slip], distance(each))):
        key = tuple((claim.number, claim.low, claim.high) for claim in candidate.reported)
        ranked.setdefault(key, replace(candidate, cost=log(many[candidate.slip])))
    return list(ranked.values())


def _single(reported: Sequence[Claim]) -> Iterator[Candidate]:
    for index, claim in enumerate(reported):
        for slip, text in text_slips(claim):
            changed = rewritten(claim, text)
            if changed is not None and changed.number != claim.number:
                yield Candidate(slip, _with(reported, {index: changed}), (index,))
        if claim.eps is None and claim.rounding is not Rounding.ANY:
            loose = rewritten(replace(claim, rounding=Rounding.ANY), claim.text)
            if loose is not None:
                yield Candidate(Slip.ROUNDING, _with(reported, {index: loose}), (index,))


def text_slips(claim: Claim) -> Iterator[tuple[Slip, str]]:
    """The texts one slip away from a printed number."""
    match = _NUMBER.fullmatch(claim.text)
    if match is None or not match["number"].strip(".,"):
        return
    before, number, after = match["before"], match["number"].replace(",", "."), match["after"]
    places = [place for place, char in enumerate(number) if char.isdigit()]
    for place, digit in product(places, "0123456789"):
        if digit != number[place]:
            yield Slip.DIGIT, before + number[:place] + digit + number[place + 1 :] + after
    for a, b in combinations(places, 2):
        if number[a] != number[b]:
            swapped = number[:a] + number[b] + number[a + 1 : b] + number[a] + number[b + 1 :]
            yield Slip.SWAPPED_DIGITS, before + swapped + after
    least, most = claim.quantity.range
    if least == 0 and most == 1:
        yield Slip.COMPLEMENT, written(claim, claim.number.scale - claim.number.units)
    if least is not None and least < 0 and claim.number.units:
        yield Slip.SIGN, written(claim, -claim.number.units)
    if "%" in after:
        yield Slip.PERCENT, before + number + after.replace("%", "")
    elif claim.number.value * 100 <= 100 and claim.spread is None:
        yield Slip.PERCENT, before + number + "%"


def written(claim: Claim, units: int) -> str:
    """A number of ``units`` in the style of the report: its digits, its percent sign, what follows it."""
    match = _NUMBER.fullmatch(claim.text)
    text = decimal_text(units, claim.number.digits - (2 if "%" in claim.text else 0))
    if match and match["number"].startswith((".", ",")) and text.lstrip("-").startswith("0."):
        text = text.replace("0.", ".", 1)
    return text + (match["after"] if match else "")


def _moves(reported: Sequence[Claim]) -> Iterator[Candidate]:
    """Two columns exchanged; three or more neighbouring ones moved on by one, the last (or first) coming round."""
    count = len(reported)
    moves: list[tuple[Sequence[int], int]] = [(pair, 1) for pair in combinations(range(count), 2)]
    for size in range(3, min(count, _MOST_SHIFTED) + 1):
        moves += [(range(start, start + size), step) for start in range(count - size + 1) for step in (1, -1)]
    for places, step in moves:
        sources = {place: places[(at + step) % len(places)] for at, place in enumerate(places)}
        moved = permuted(reported, sources)
        if moved is not None:
            usual = {reported[place].score.name for place in places} == {"ppv", "sens"}
            slip = Slip.SHIFTED if len(places) > 2 else Slip.EXCHANGED_PAIR if usual else Slip.EXCHANGED
            yield Candidate(slip, moved, tuple(places))


def permuted(reported: Sequence[Claim], sources: dict[int, int]) -> tuple[Claim, ...] | None:
    """The report with the text of column ``sources[i]`` in column ``i``; None if that changes nothing or cannot be."""
    changed: dict[int, Claim] = {}
    for place, source in sources.items():
        claim = rewritten(reported[place], reported[source].text, like=reported[source])
        if claim is None:
            return None
        changed[place] = claim
    same = all(reported[place].number == claim.number for place, claim in changed.items())
    return None if same else _with(reported, changed)


def _with(reported: Sequence[Claim], changed: Mapping[int, Claim]) -> tuple[Claim, ...]:
    return tuple(changed.get(index, claim) for index, claim in enumerate(reported))
