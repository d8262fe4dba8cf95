"""The slips of people who type numbers: what a printed report may have been before the slip.

Each kind of slip turns a report into its possible originals. The fewer ways a kind has to change a report, the less
likely one of them fits by chance: exchanging two columns can be done in a handful of ways, changing one digit in a
hundred. So a candidate's cost is the logarithm of the number of ways of its kind, as if every kind were equally
likely beforehand and every way equally likely within its kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from itertools import combinations
from math import log

from scoreproof.explanation.rewriting import rewritten
from scoreproof.reported import Claim, Rounding

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
