"""Counts that add up, found quickly where the classes leave much room; where they do not, ``sums.Programme`` decides.

Every class takes the same share of its rows, so that about T cases are correct. Then rows are changed, one class or
two at a time and never for the worse, until T is in its range and N is between the least and greatest sum of tp + fp.
"""

from __future__ import annotations

import random

from scoreproof.kinds.class_report.model import ReportModel
from scoreproof.kinds.class_report.points import Point, Row

_STEPS = 4_000


def start(model: ReportModel, rows: list[list[Row]], right: int, rng: random.Random) -> list[Point] | None:
    """Counts with about so many correct cases; None says nothing: there may be others."""
    least, most = (sum(own[end][0] for own in rows) for end in (0, -1))
    width = max(1, most - least)
    places = [(right - least) * (len(own) - 1) // width for own in rows]
    chosen = [own[place] for own, place in zip(rows, places, strict=True)]
    sums = sum(row[0] for row in chosen), sum(row[0] + row[1] for row in chosen), sum(row[0] + row[2] for row in chosen)
    off = _off(model, sums)
    for _ in range(_STEPS):
        if not off:
            break
        moves = {}
        for place in rng.sample(range(len(rows)), rng.choice((1, 2))):
            jump = rng.choice((-1, 1)) << rng.randrange(len(rows[place]).bit_length())
            moves[place] = min(max(places[place] + jump, 0), len(rows[place]) - 1)
        tp, low, high = sums
        for place, to in moves.items():
            (tp_new, low_new, high_new), (tp_old, low_old, high_old) = rows[place][to], rows[place][places[place]]
            tp += tp_new - tp_old
            low += tp_new + low_new - tp_old - low_old
            high += tp_new + high_new - tp_old - high_old
        if _off(model, (tp, low, high)) <= off:
            sums, off = (tp, low, high), _off(model, (tp, low, high))
            for place, to in moves.items():
                places[place] = to
    return None if off else _filled(model, [own[place] for own, place in zip(rows, places, strict=True)])


def _off(model: ReportModel, sums: tuple[int, int, int]) -> int:
    tp, low, high = sums
    return max(0, model.least - tp, tp - model.most) + max(0, low - model.total, model.total - high)


def _filled(model: ReportModel, chosen: list[Row]) -> list[Point] | None:
    """The fp for rows whose T is settled; None if a class would have more wrong cases than there are."""
    wrong = model.total - sum(tp for tp, _, _ in chosen)
    room = [
        (low, min(high, wrong - part.support + tp)) for part, (tp, low, high) in zip(model.parts, chosen, strict=True)
    ]
    given = shares(room, wrong) if all(low <= high for low, high in room) else None
    return None if given is None else [(tp, fp) for (tp, _, _), fp in zip(chosen, given, strict=True)]


def shares(room: list[tuple[int, int]], wanted: int) -> list[int] | None:
    """Whole numbers within their ranges that add up, each as far up its range as the others.

    >>> shares([(0, 10), (0, 30), (5, 5)], 25)
    [5, 15, 5]
    """
    least, most = sum(low for low, _ in room), sum(high for _, high in room)
    if not least <= wanted <= most:
        return None
    left, width = wanted - least, most - least
    taken = []
    for low, high in room:
        share = left * (high - low) // width if width else 0  # what is left goes to those to come
        taken.append(low + share)
        left, width = left - share, width - (high - low)
    return taken
