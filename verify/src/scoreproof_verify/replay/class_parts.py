"""The counts (tp, q) that every class may have, and what sums leave of them.

A printed score of a class says that low * denominator <= numerator <= high * denominator: two linear inequalities. A
part of all counts is a box for every class, cut smaller step by step.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from scoreproof_verify.frame import Patience
from scoreproof_verify.replay.class_report import Entry, Stated, beta_squared, slopes

Inequality = tuple[int, int, int]  # a tp + b q + c >= 0
_ROUNDS = 80
_INNER = 20
_PRINTED = {"any": (0, 1), "zero": (0,), "one": (1,)}


@dataclass(slots=True)
class Group:
    """One class of one set: its cases out of all, and the inequalities of its counts."""

    number: int
    place: int
    n: int
    size: int
    wanted: list[Inequality] = field(default_factory=list)
    box: tuple[int, int, int, int] = (0, 0, 0, 0)  # least and greatest tp, least and greatest q


@dataclass(slots=True)
class Part:
    """Boxes of all groups, ranges of correct cases of all sets, the range of the sum of q squared."""

    boxes: list[tuple[int, int, int, int]]
    right: list[tuple[int, int]]
    squares: tuple[int, int]

    def copy(self) -> Part:
        return Part(list(self.boxes), list(self.right), self.squares)


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
    (a, b, c), (d, e, f) = slopes(entry.score, group.n, group.size)
    for end, sign in ((entry.low, 1), (entry.high, -1)):
        u, v = end.numerator, end.denominator
        group.wanted.append((sign * (v * a - u * d), sign * (v * b - u * e), sign * (v * c - u * f)))
    if any(entry.low <= value <= entry.high for value in _PRINTED.get(stated.undefined, ())):
        return
    # no 0/0 prints like that: the denominator is positive
    if d == 0 and e == 0 and f == 0:
        group.box = (1, 0, 1, 0)
    elif d == 0:
        group.wanted.append((0, e, f - 1))


def first_part(stated: Stated, groups: list[Group], patience: Patience) -> Part:
    """All counts."""
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
                if (entry.low * cases).__ceil__() > (entry.high * cases).__floor__():
                    right[0] = (1, 0)
    boxes = [group.box for group in groups]
    return Part(boxes, right, (0, sum(box[3] ** 2 for box in boxes)))


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
            for side in ([num for num, _ in both], [den for _, den in both])
        )
    else:
        line = _line(stated, groups, entry)
        if line is None:
            return least, most
        above, below = line, (Fraction(0), Fraction(1))
    for end, sign in ((entry.low, 1), (entry.high, -1)):
        slope, rest = sign * (above[0] - end * below[0]), sign * (above[1] - end * below[1])  # slope T + rest >= 0
        if slope > 0:
            least = max(least, -((rest / slope).__floor__()))
        elif slope < 0:
            most = min(most, (rest / -slope).__floor__())
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


def narrowed(stated: Stated, groups: list[Group], part: Part, patience: Patience) -> bool:
    """Narrow a part by its sums; whether anything is left."""
    of_sets: list[list[int]] = [[] for _ in part.right]
    for at, group in enumerate(groups):
        of_sets[group.number].append(at)
    for _ in range(_ROUNDS):
        before = (list(part.boxes), list(part.right), part.squares)
        for number, own in enumerate(of_sets):
            patience.check()
            if not _narrow_set(stated, groups, part, number, own):
                return False
        low = max(part.squares[0], sum(box[2] ** 2 for box in part.boxes))
        high = min(part.squares[1], sum(box[3] ** 2 for box in part.boxes))
        part.squares = low, high
        if low > high:
            return False
        if before == (part.boxes, part.right, part.squares):
            break
    return True


def _narrow_set(stated: Stated, groups: list[Group], part: Part, number: int, own: list[int]) -> bool:
    boxes = part.boxes
    size = groups[own[0]].size
    sums = [sum(boxes[at][axis] for at in own) for axis in range(4)]
    least, most = max(part.right[number][0], sums[0]), min(part.right[number][1], sums[1])
    if stated.exclusive:
        if sums[2] > size or sums[3] < size:
            return False
        for at in own:
            # the wrong cases in the row and in the column of a class are different ones
            most = min(most, size - (groups[at].n + boxes[at][2] - 2 * boxes[at][1]))
    if least > most:
        return False
    part.right[number] = least, most
    for at in own:
        t0, t1, q0, q1 = boxes[at]
        low, high = max(t0, least - (sums[1] - t1)), min(t1, most - (sums[0] - t0))
        first, last = q0, q1
        if stated.exclusive:
            first, last = max(q0, size - (sums[3] - q1)), min(q1, size - (sums[2] - q0))
        box = squeezed((low, high, first, last), wanted_in(stated, groups[at], part))
        if box is None:
            return False
        boxes[at] = box
    return True


def wanted_in(stated: Stated, group: Group, part: Part) -> list[Inequality]:
    """The inequalities of a group in a part."""
    if not stated.exclusive:
        return group.wanted
    return [*group.wanted, (2, -1, group.size - part.right[group.number][0] - group.n)]


def squeezed(box: tuple[int, int, int, int], wanted: list[Inequality]) -> tuple[int, int, int, int] | None:
    """The box without the margins that the inequalities exclude; None if nothing is left."""
    t0, t1, q0, q1 = box
    for _ in range(_INNER):
        if t0 > t1 or q0 > q1:
            return None
        before = t0, t1, q0, q1
        for a, b, c in wanted:
            most_q = max(b * q0, b * q1) + c  # a tp >= -most_q
            if a > 0:
                t0 = max(t0, -(most_q // a))
            elif a < 0:
                t1 = min(t1, most_q // -a)
            most_t = max(a * t0, a * t1) + c
            if b > 0:
                q0 = max(q0, -(most_t // b))
            elif b < 0:
                q1 = min(q1, most_t // -b)
            elif a == 0 and c < 0:
                return None
        if before == (t0, t1, q0, q1):
            return before
    return None if t0 > t1 or q0 > q1 else (t0, t1, q0, q1)
