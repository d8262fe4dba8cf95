"""The counts (tp, q) that every class may have, and what sums leave of them.

A printed score of a class says that low * denominator <= numerator <= high * denominator: two linear inequalities. A
part of all counts is a box for every class, cut smaller step by step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor
from typing import Any

from scoreproof_verify.documents import known_keys
from scoreproof_verify.frame import Left, Patience, walk
from scoreproof_verify.replay.class_report import Entry, Stated, beta_squared, slopes
from scoreproof_verify.texts import quoted, require

Inequality = tuple[int, int, int]  # a tp + b q + c >= 0
Variable = tuple[Any, ...]
Line = tuple[list[tuple[Variable, int]], int]  # a sum of variables with coefficients, and a number, at least 0 together
Ranges = dict[Variable, tuple[int, int]]
_ROUNDS = 80
_MOST_STEPS = 100_000
PRINTED = {"any": (0, 1), "zero": (0,), "one": (1,)}  # what a 0/0 may have been printed as


@dataclass(slots=True)
class Group:
    """One class of one set: its cases out of all, and the inequalities of its counts."""

    number: int
    place: int
    n: int
    size: int
    wanted: list[Inequality] = field(default_factory=list)
    box: tuple[int, int, int, int] = (0, 0, 0, 0)  # least and greatest tp, least and greatest q


def groups_of(stated: Stated) -> list[Group]:
    """Every class of every set, with what is printed of it alone where there is one set."""
    groups = []
    for number, counts in enumerate(stated.counts):
        size = stated.sizes[number]
        for place, n in enumerate(counts):
            others = size - n if stated.sized else size
            group = Group(number, place, n, size, [(-1, 1, 0), (1, -1, others)], (0, n, 0, others + n))
            if len(stated.counts) == 1:
                for entry in stated.entries:
                    if entry.place == place:
                        _print(stated, group, entry)
            groups.append(group)
    return groups


def _print(stated: Stated, group: Group, entry: Entry) -> None:
    num, den = slopes(entry.score, group.n, group.size)
    for end, sign in ((entry.low, 1), (entry.high, -1)):
        a, b, c = (sign * (end.denominator * x - end.numerator * y) for x, y in zip(num, den, strict=True))
        group.wanted.append((a, b, c))
    if any(entry.low <= value <= entry.high for value in PRINTED.get(stated.undefined, ())):
        return
    # no 0/0 prints like that: the denominator is positive
    d, e, f = den
    if d == 0 and e == 0 and f == 0:
        group.box = (1, 0, 1, 0)
    elif d == 0:
        group.wanted.append((0, e, f - 1))


def first_part(stated: Stated, groups: list[Group], patience: Patience) -> Ranges:
    right = [(0, sum(counts)) for counts in stated.counts]
    if len(stated.counts) == 1 and stated.exclusive:
        for entry in stated.entries:
            patience.check()
            right[0] = _right(stated, groups, entry, *right[0])
    elif stated.exclusive and len(set(stated.sizes)) == 1:
        for entry in stated.entries:
            if entry.place is None and not entry.average and entry.score == "acc":
                # sets of one size: the mean accuracy is that of all together
                cases = sum(stated.sizes)
                if ceil(entry.low * cases) > floor(entry.high * cases):
                    right[0] = (1, 0)
    part: Ranges = {("right", number): ends for number, ends in enumerate(right)}
    for at, group in enumerate(groups):
        part["tp", at], part["q", at] = group.box[:2], group.box[2:]
    return part


def _right(stated: Stated, groups: list[Group], entry: Entry, least: int, most: int) -> tuple[int, int]:
    """What a value that depends on the number of correct cases alone leaves of it; all q add up to the cases."""
    cases = sum(stated.counts[0])
    if entry.place is not None or (not entry.average and entry.score != "acc"):
        return least, most
    if not entry.average:
        above, below = (Fraction(1), Fraction(0)), (Fraction(0), Fraction(cases))
    elif entry.average == "micro":
        both = [slopes(entry.score, group.n, group.size) for group in groups]
        above, below = (
            (Fraction(side[0][0]), Fraction(cases * side[0][1] + sum(c for _, _, c in side)))
            for side in zip(*both, strict=True)
        )
    else:
        line = _line(stated, groups, entry)
        if line is None:
            return least, most
        above, below = line, (Fraction(0), Fraction(1))
    for end, sign in ((entry.low, 1), (entry.high, -1)):
        slope, rest = sign * (above[0] - end * below[0]), sign * (above[1] - end * below[1])  # slope T + rest >= 0
        if slope > 0:
            least = max(least, ceil(-rest / slope))
        elif slope < 0:
            most = min(most, floor(rest / -slope))
        elif rest < 0:
            return 1, 0
    return least, most


def _line(stated: Stated, groups: list[Group], entry: Entry) -> tuple[Fraction, Fraction] | None:
    """The mean of a score as slope T + rest, if it is that."""
    if beta_squared(entry.score) is not None:
        return None
    cases, by_tp, by_q, rest = sum(stated.counts[0]), set(), set(), Fraction(0)
    for group in groups:
        weight = Fraction(group.n, cases) if entry.average == "weighted" else Fraction(1, len(groups))
        (a, b, c), (d, e, f) = slopes(entry.score, group.n, group.size)
        if d or e or (f == 0 and weight):
            return None
        share = weight / f if weight else weight
        if group.n:
            by_tp.add(share * a)
        by_q.add(share * b)
        rest += share * c
    if len(by_tp) > 1 or len(by_q) > 1:
        return None
    return next(iter(by_tp)), rest + cases * next(iter(by_q))


def lines_of(stated: Stated, groups: list[Group]) -> list[Line]:
    """All that is said of tp and q of every group and of the correct cases of every set, as lines."""
    lines: list[Line] = []
    for at, group in enumerate(groups):
        lines += [([(("tp", at), a), (("q", at), b)], c) for a, b, c in group.wanted]
        if stated.exclusive:
            # the wrong cases in the row and in the column of a class are different ones
            wrong: list[tuple[Variable, int]] = [(("right", group.number), -1), (("tp", at), 2), (("q", at), -1)]
            lines.append((wrong, group.size - group.n))
    for number, size in enumerate(stated.sizes):
        own = [at for at, group in enumerate(groups) if group.number == number]
        for sign in (1, -1):
            lines.append(([*((("tp", at), sign) for at in own), (("right", number), -sign)], 0))
            if stated.exclusive:
                lines.append(([(("q", at), sign) for at in own], -sign * size))
    return lines


def keep_to(lines: Iterable[Line], ranges: Ranges, patience: Patience) -> bool:
    """Narrow the ranges of variables until no line excludes an end of one; whether anything is left."""
    if any(low > high for low, high in ranges.values()):
        return False
    for _ in range(_ROUNDS):
        patience.check()
        before = dict(ranges)
        for parts, rest in lines:
            room = rest + sum(value * ranges[variable][value > 0] for variable, value in parts)
            if room < 0:
                return False
            for variable, value in parts:
                # value times x may fall short of its greatest by at most the room
                low, high = ranges[variable]
                if abs(value) * (high - low) > room:
                    ranges[variable] = (high - room // value, high) if value > 0 else (low, low + room // -value)
        if before == ranges:
            break
    return True


def wanted_in(stated: Stated, group: Group, part: Ranges) -> list[Inequality]:
    if not stated.exclusive:
        return group.wanted
    return [*group.wanted, (2, -1, group.size - part["right", group.number][0] - group.n)]


def replay_parts(
    proof: Any,
    kind: str,
    whole: Ranges,
    narrow: Callable[[Ranges], bool],
    cut: Callable[[list[Any]], tuple[Variable, int] | None],
    rules: Mapping[str, Callable[[Ranges, list[Any]], None]],
    ending: str,
    patience: Patience,
) -> int:
    """``Rejected`` unless the steps exclude all counts; how many parts they exclude.

    Every part is narrowed, then cut, the upper half first, or empty, or refuted by a rule if anything is left.
    """
    document = known_keys("the proof", proof, "kind", "steps")
    document.kind(**{kind: "steps"})
    steps = document.list_of("steps", 1, _MOST_STEPS, "the proof is not a list of steps")

    def take(part: Ranges, step: Any, number: int) -> Left[Ranges]:
        require(isinstance(step, list) and bool(step) and isinstance(step[0], str), "a step is malformed")
        left = narrow(part)
        if (where := cut(step)) is not None:
            variable, value = where
            low, high = part[variable]
            return [{**part, variable: (max(value + 1, low), high)}, {**part, variable: (low, min(value, high))}], 0
        if step[0] == "none":
            require(len(step) == 1 and not left, "a part said to be empty is not")
            return [], 1
        require(step[0] in rules, f"there is no step {quoted(step[0])}")
        require(step[0] != "list" or len(step) == 1, "a step is malformed")
        if left:
            rules[step[0]](part, step)
        return [], 1

    return walk([whole], steps, _MOST_STEPS, ending, take, patience)
