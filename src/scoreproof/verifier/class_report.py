"""Replay a proof that no confusion matrix gives a classification report.

Everything is derived from the statement: the proof only names the step that settles it, and for some a class or an
average. Sums are taken over (tp, q), q the cases a class was given to: all q add up to the number of cases N, and with
T correct cases no class has q - tp + n - tp above N - T.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from scoreproof.verifier.class_counts import Average, Row, Stated, all_rows, read_report, rows_of
from scoreproof.verifier.experiment import integer
from scoreproof.verifier.formulas import Rule
from scoreproof.verifier.frame import Words
from scoreproof.verifier.patience import Patience
from scoreproof.verifier.texts import Rejected, known_keys, require

KEYS = frozenset({"classes", "accuracy", "averages", "averages_of", "undefined"})

_KINDS = ("sums", "average", "programme", "listing")  # and "class"
_ROUNDS = 40
_MOST_SUMS = 30_000_000
_AT_ONCE = 10_000  # bits that count as one sum
_MOST_BITS = 1 << 29  # kept at a time
_MOST_CHOICES = 5_000_000
_MOST_LISTED = 100  # classes
_FINE = 10**30
_MOST_SAID = 12

Quotient = tuple[int, int]


def check(
    statement: Mapping[str, Any], proof: Mapping[str, Any], rules: Mapping[str, Rule], patience: Patience
) -> Words:
    """What a proof about a class report proves, in words; raises ``Rejected`` if it proves nothing."""
    stated = read_report(statement)
    kind = proof.get("kind")
    if kind == "class":
        known_keys("the proof", proof, "kind", "class")
        place = integer(proof.get("class"), "a class")
        require(0 <= place < len(stated.groups), "there is no such class")
        group = stated.groups[place]
        require(not rows_of(stated, group, patience), f"there are counts that give the scores of {group.name[:40]!r}")
        return lambda: _words(stated, f"No counts give the printed scores of {group.name} with {group.n} cases.")
    require(isinstance(kind, str) and kind in _KINDS, f"unknown kind of proof {str(kind)[:40]!r}")
    known_keys("the proof", proof, "kind", *(("average", "score") if kind == "average" else ()))
    named = _named(stated, proof) if kind == "average" else None
    kept = _kept(stated, all_rows(stated, patience), patience)
    if kept is None:
        return lambda: _words(stated, "The least and greatest sums over the classes do not meet.")
    if named is not None:
        _apart(stated, kept, named)
        return lambda: _words(stated, "The classes leave no such average.")
    if kind == "programme":
        _no_sums(stated, kept, patience)
        return lambda: _words(stated, "For no number of correct cases do the counts of the classes add up.")
    require(kind == "listing", "the sums over the classes can meet")
    _no_choice(stated, kept, patience)
    return lambda: _words(stated, "All counts of all classes were tried together.")


def _words(stated: Stated, how: str) -> str:
    said = ", ".join(stated.said[:_MOST_SAID])
    more = len(stated.said) - _MOST_SAID
    supports = ", ".join(str(group.n) for group in stated.groups[:_MOST_SAID])
    return (
        f"Proved: no confusion matrix of {len(stated.groups)} classes with {supports}"
        f"{', ...' if len(stated.groups) > _MOST_SAID else ''} cases has {said}"
        f"{f' and {more} more scores as printed' if more > 0 else ''}. {how}"
    )


def _kept(stated: Stated, rows: list[list[Row]], patience: Patience) -> list[list[Row]] | None:
    """What the least and greatest sums leave of every class; None if it is nothing."""
    total = stated.total
    for _ in range(_ROUNDS):
        patience.check()
        if not all(rows):
            return None
        tps = [(min(row[0] for row in own), max(row[0] for row in own)) for own in rows]
        qs = [(min(row[1] for row in own), max(row[2] for row in own)) for own in rows]
        wrong = [(min(a - tp for tp, a, _ in own), max(b - tp for tp, _, b in own)) for own in rows]
        (t_least, t_most), (q_least, q_most), (w_least, w_most) = map(_added, (tps, qs, wrong))
        least = max(stated.least, t_least, total - w_most)
        most = min(stated.most, t_most, total - w_least)
        if least > most or q_least > total or q_most < total:
            return None
        changed = False
        for place, group in enumerate(stated.groups):
            t_low, t_high = least - t_most + tps[place][1], most - t_least + tps[place][0]
            q_low, q_high = total - q_most + qs[place][1], total - q_least + qs[place][0]
            w_low, w_high = total - most - w_most + wrong[place][1], total - least - w_least + wrong[place][0]
            own = []
            for tp, a, b in rows[place]:
                a2 = max(a, q_low, w_low + tp)
                b2 = min(b, q_high, w_high + tp, total - least - group.n + 2 * tp)
                if t_low <= tp <= t_high and a2 <= b2:
                    own.append((tp, a2, b2))
            changed |= own != rows[place]
            rows[place] = own
        if not changed:
            return rows
    return rows if all(rows) else None


def _added(pairs: list[tuple[int, int]]) -> tuple[int, int]:
    return sum(low for low, _ in pairs), sum(high for _, high in pairs)


def _named(stated: Stated, proof: Mapping[str, Any]) -> Average:
    for average in stated.averages:
        if (average.average, average.entry.score) == (proof.get("average"), proof.get("score")):
            return average
    raise Rejected("the average named is not one that binds")


def _apart(stated: Stated, rows: list[list[Row]], average: Average) -> None:
    """The average lies outside what the classes leave, in exact fractions."""
    least = most = Fraction(0)
    for place, weight in enumerate(average.weights):
        if weight:
            low, high = _extremes(stated, place, average, rows[place])
            least, most = least + weight * Fraction(*low), most + weight * Fraction(*high)
    require(least > average.high or most < average.low, "the classes leave the average named")


def _extremes(stated: Stated, place: int, average: Average, rows: list[Row]) -> tuple[Quotient, Quotient]:
    """The least and greatest value of a class's score: precision and F1 fall along a row, recall is constant."""
    least, most = (1, 1), (0, 1)
    for tp, a, b in rows:
        for q in (a, b):
            low, high, den = stated.counted(stated.groups[place], average.entry.score, tp, q)
            if low * least[1] < least[0] * den:
                least = low, den
            if high * most[1] > most[0] * den:
                most = high, den
    return least, most


def _no_sums(stated: Stated, rows: list[list[Row]], patience: Patience) -> None:
    """For no T do counts of all classes add up: sums of q as bits of integers, from the last class to the first."""
    total = stated.total
    least = max(stated.least, sum(own[0][0] for own in rows))
    most = min(stated.most, sum(own[-1][0] for own in rows))
    base = [min(a for _, a, _ in own) for own in rows]
    wanted = total - sum(base)
    require(wanted <= _MOST_BITS, "there are too many sums to keep")
    mask = (2 << wanted) - 1
    done = 0
    for right in range(least, most + 1):
        patience.check()
        done += len(rows)
        reached = {0: 1}  # sum of tp -> bits of the sums of q, each class's least q taken off
        below, above = sum(own[0][0] for own in rows), sum(own[-1][0] for own in rows)
        for place in range(len(rows) - 1, -1, -1):
            own, n = rows[place], stated.groups[place].n
            below, above = below - own[0][0], above - own[-1][0]
            onward: dict[int, int] = {}
            done += len(reached) * len(own) * (1 + wanted // _AT_ONCE)
            require(done <= _MOST_SUMS, "there are too many sums to replay")
            patience.check()
            for tp, a, b in own:
                b = min(b, total - right - n + 2 * tp)
                if a > b:
                    continue
                require((len(onward) + 1) * wanted <= _MOST_BITS, "there are too many sums to keep")
                for so_far, bits in reached.items():
                    if below <= right - so_far - tp <= above:
                        spread = _spread(bits, b - a) << (a - base[place])
                        onward[so_far + tp] = onward.get(so_far + tp, 0) | (spread & mask)
            reached = onward
        require(not reached.get(right, 0) >> wanted & 1, f"with {right} correct cases the counts add up")


def _spread(bits: int, width: int) -> int:
    """Every sum of a number in the set and one from 0 to ``width``."""
    covered = 1
    while covered <= width:
        step = min(covered, width + 1 - covered)
        bits |= bits << step
        covered += step
    return bits


def _no_choice(stated: Stated, rows: list[list[Row]], patience: Patience) -> None:
    """No choice of counts for every class gives the report; the class with the most counts comes last."""
    require(len(rows) <= _MOST_LISTED, "there are too many classes to list")
    sizes = [sum(b - a + 1 for _, a, b in own) for own in rows]
    require(sum(sizes) <= _MOST_CHOICES, "there are too many counts to list")
    largest = sizes.index(max(sizes))
    order = [place for place in range(len(rows)) if place != largest] + [largest]
    after: list[tuple[int, ...]] = [(0,) * (4 + 2 * len(stated.averages))]
    for place in reversed(order):
        after.append(tuple(x + y for x, y in zip(after[-1], _reach(stated, place, rows[place]), strict=True)))
    after.reverse()
    bounds = [(_scaled(average.low), -_scaled(-average.high)) for average in stated.averages]
    left = _MOST_CHOICES
    stack: list[tuple[int, tuple[tuple[int, int], ...], tuple[int, ...]]] = [(0, (), after[-1])]
    while stack:
        patience.check()
        level, chosen, sums = stack.pop()
        if level == len(order):
            counts = dict(zip(order, chosen, strict=True))
            require(not _gives(stated, [counts[place] for place in range(len(rows))]), "a choice of counts fits")
            continue
        place = order[level]
        for tp, a, b in rows[place]:
            if level == len(order) - 1:  # what is left is the only q
                a, b = max(a, stated.total - sums[0]), min(b, stated.total - sums[0])
            left -= max(1, b - a + 1)
            require(left >= 0, "there are too many choices to replay")
            for q in range(a, b + 1):
                own = _reach(stated, place, [(tp, q, q)])
                new = tuple(x + y for x, y in zip(sums, own, strict=True))
                if _possible(stated, bounds, tuple(x + y for x, y in zip(new, after[level + 1], strict=True))):
                    stack.append((level + 1, (*chosen, (tp, q)), new))


def _reach(stated: Stated, place: int, rows: list[Row]) -> tuple[int, ...]:
    """Least and greatest q, tp and weighted scores of a class, these as multiples of 10^-30 rounded outwards."""
    ends = [min(a for _, a, _ in rows), max(b for _, _, b in rows), min(tp for tp, _, _ in rows)]
    ends.append(max(tp for tp, _, _ in rows))
    for average in stated.averages:
        weight = average.weights[place]
        low, high = _extremes(stated, place, average, rows) if weight else ((0, 1), (0, 1))
        ends += [weight * low[0] * _FINE // low[1], -(-weight * high[0] * _FINE // high[1])]
    return tuple(ends)


def _scaled(value: Fraction) -> int:
    """A multiple of 10^-30, rounded up."""
    return -(-value.numerator * _FINE // value.denominator)


def _possible(stated: Stated, bounds: list[tuple[int, int]], ends: tuple[int, ...]) -> bool:
    if not (ends[0] <= stated.total <= ends[1] and ends[2] <= stated.most and ends[3] >= stated.least):
        return False
    return all(
        low <= most and high >= least for (least, most), low, high in zip(bounds, ends[4::2], ends[5::2], strict=True)
    )


def _gives(stated: Stated, counts: list[tuple[int, int]]) -> bool:
    """Whether one matrix has these counts, and the averages are as reported: exactly."""
    right = sum(tp for tp, _ in counts)
    wrong = stated.total - right
    if sum(q for _, q in counts) != stated.total or not stated.least <= right <= stated.most:
        return False
    if any(q + group.n - 2 * tp > wrong for group, (tp, q) in zip(stated.groups, counts, strict=True)):
        return False
    for average in stated.averages:
        least = most = Fraction(0)
        for group, weight, (tp, q) in zip(stated.groups, average.weights, counts, strict=True):
            if weight:
                low, high, den = stated.counted(group, average.entry.score, tp, q)
                least, most = least + Fraction(weight * low, den), most + Fraction(weight * high, den)
        if least > average.high or most < average.low:
            return False
    return True
