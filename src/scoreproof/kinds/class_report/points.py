"""What the printed scores of one class leave of it: for every tp an interval of fp.

A class with support n enters a k by k matrix by its correct cases tp (fn = n - tp) and by the cases of other classes
that were given it, fp. Recall tp / n fixes a range of tp; precision tp / (tp + fp) and F1 = 2 tp / (n + tp + fp) fall
with fp, so for each tp they leave an interval of fp. Nothing of the size support x total is listed.

0/0 is the precision of a class nobody was given, the recall of a class without cases, the F1 of a class with neither.
It counts as 0, as 1, or (``any``) as either.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from scoreproof.reported.conventions import Undefined

Span = tuple[Fraction, Fraction]
Row = tuple[int, int, int]  # tp, and the least and greatest fp
Point = tuple[int, int]  # tp, fp

_FILLED = {
    Undefined.ZERO: (Fraction(0),),
    Undefined.ONE: (Fraction(1),),
    Undefined.ANY: (Fraction(0), Fraction(1)),
}


class TooMany(Exception):
    """More rows, sums or choices than are looked at."""


@dataclass(frozen=True, slots=True)
class Part:
    """One class: its support, the cases of other classes, its printed scores, and what 0/0 counts as."""

    support: int
    others: int
    spans: Mapping[str, Span]
    undefined: Undefined

    def rows(self, most: int) -> list[Row]:
        """Every tp that gives the printed scores with some fp, and the interval of fp; at most so many tp."""
        low, high = self.correct
        if high - low >= most:
            raise TooMany("the classes leave too many counts of correct cases")
        rows = []
        for tp in range(low, high + 1):
            least, greatest = 0, self.others
            for name in ("ppv", "f1"):
                span = self.spans.get(name)
                if span is not None:
                    ends = self._wrong(tp, span, 0 if name == "ppv" else self.support, 1 if name == "ppv" else 2)
                    least, greatest = max(least, ends[0]), min(greatest, ends[1])
            if least <= greatest:
                rows.append((tp, least, greatest))
        return rows

    @property
    def correct(self) -> tuple[int, int]:
        """The least and greatest tp that the recall leaves; crossed if none."""
        span = self.spans.get("sens")
        if span is None:
            return 0, self.support
        if self.support == 0:
            return (0, 0) if self._filled(span) else (0, -1)
        low, high = (end * self.support for end in span)
        return max(0, -(-low.numerator // low.denominator)), min(self.support, high.numerator // high.denominator)

    def _wrong(self, tp: int, span: Span, beside: int, factor: int) -> tuple[int, int]:
        """The least and greatest fp with factor * tp / (beside + tp + fp) in the span."""
        low, high = span
        if tp == 0:
            zero = low <= 0 <= high
            if beside:
                return (0, self.others) if zero else (1, 0)
            return 0 if self._filled(span) else 1, self.others if zero else 0
        if high <= 0:
            return 1, 0
        least = -(-factor * tp * high.denominator // high.numerator) - beside - tp
        if low <= 0:
            return least, self.others
        return least, factor * tp * low.denominator // low.numerator - beside - tp

    def _filled(self, span: Span) -> bool:
        """Whether a 0/0 may be printed like this."""
        return any(span[0] <= value <= span[1] for value in _FILLED[self.undefined])

    def value(self, name: str, tp: int, fp: int) -> tuple[int, int, int]:
        """The score as an average counts it: least and greatest numerator, and the denominator.

        They differ only where ``any`` leaves a 0/0 open. A score that was printed counts as printed; one that was not
        may have been left out of the average, which is then as if it had some value from 0 to 1. The F1 of a class
        without a correct case is such a 0/0, too, if computed as 2PR / (P + R).
        """
        num, den = tp, self.support
        if name == "ppv":
            den = tp + fp
        elif name == "f1":
            num, den = 2 * tp, self.support + tp + fp
        span = self.spans.get(name)
        if den == 0:
            usual = _FILLED[self.undefined]
            values = [value for value in usual if span is None or span[0] <= value <= span[1]] or usual
            return int(min(values)), int(max(values)), 1
        if name == "f1" and tp == 0 and span is None and self.undefined is Undefined.ANY:
            return 0, 1, 1
        return num, num, den

    def gives(self, point: Point) -> bool:
        """Whether these counts give the printed scores: by the formulas, not by the rows."""
        tp, fp = point
        if not (0 <= tp <= self.support and 0 <= fp <= self.others):
            return False
        ratios = {"ppv": (tp, tp + fp), "sens": (tp, self.support), "f1": (2 * tp, self.support + tp + fp)}
        for name, (low, high) in self.spans.items():
            num, den = ratios[name]
            if den == 0:
                if not self._filled((low, high)):
                    return False
            elif not low <= Fraction(num, den) <= high:
                return False
        return True


def points(rows: list[Row]) -> Iterator[Point]:
    """The rows one by one."""
    for tp, least, greatest in rows:
        for fp in range(least, greatest + 1):
            yield tp, fp
