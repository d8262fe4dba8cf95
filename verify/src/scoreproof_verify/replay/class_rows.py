"""Inequalities between sums over all classes, each derived from the statement and the name a proof gives it.

A named row with a whole multiplier y adds, for every class, y times a tp + b q + c q^2 and y times weighted scores, and
demands that the sum over all classes is at least y times what the row requires. Rows that are bounded on one side only
take multipliers of one sign.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Any

from scoreproof_verify.replay.class_parts import Group, Part
from scoreproof_verify.replay.class_report import Entry, Stated, beta_squared, slopes
from scoreproof_verify.texts import Rejected, integer, quoted, require

_ZERO, _ONE = Fraction(0), Fraction(1)
_MEANS = ("macro", "weighted")
_FINE = 1 << 40
_LARGEST = 1 << 80


@dataclass(slots=True)
class Demand:
    """What is added for every class, and what the sum must be at least."""

    linear: list[list[Fraction]]  # of tp, q, q squared, for every group
    scores: list[dict[tuple[str, Fraction], Fraction]]  # weight by score and by what left-out F-scores count as
    needed: Fraction = _ZERO


class Rows:
    """The rows of a part by their names."""

    def __init__(self, stated: Stated, groups: list[Group], part: Part) -> None:
        self.stated, self.groups, self.part = stated, groups, part

    def demand(self, named: Any) -> Demand:
        """All rows of a step together."""
        if not isinstance(named, list) or not 1 <= len(named) <= 2_000:
            raise Rejected("a step has no list of rows")
        made = Demand([[_ZERO, _ZERO, _ZERO] for _ in self.groups], [{} for _ in self.groups])
        for row in named:
            require(isinstance(row, list) and 3 <= len(row) <= 6 and isinstance(row[0], str), "a row is malformed")
            y = integer(row[-1], "a multiplier")
            require(y != 0 and abs(y) <= _LARGEST, "a multiplier is out of range")
            adder = getattr(self, f"_{row[0]}", None) if row[0] in _NAMES else None
            if adder is None:
                raise Rejected(f"there are no rows called {quoted(row[0])}")
            adder(made, y, row[1:-1])
        return made

    # --- rows of sums of counts

    def _right(self, made: Demand, y: int, about: Sequence[Any]) -> None:
        number = self._set(about)
        cases = sum(self.stated.counts[number])
        for at, group in enumerate(self.groups):
            if group.number == number:
                made.linear[at][0] += Fraction(y, cases)
        made.needed += Fraction(y * self.part.right[number][0 if y > 0 else 1], cases)

    def _given(self, made: Demand, y: int, about: Sequence[Any]) -> None:
        number = self._set(about)
        require(self.stated.exclusive, "labels may be given to any number of cases")
        cases = sum(self.stated.counts[number])
        for at, group in enumerate(self.groups):
            if group.number == number:
                made.linear[at][1] += Fraction(y, cases)
        made.needed += y

    def _wrong(self, made: Demand, y: int, about: Sequence[Any]) -> None:
        """fn + fp = n + q - 2 tp <= N - T for one class: T without its tp, and q - tp, add up to N - n at most."""
        require(len(about) == 1 and self.stated.exclusive and y < 0, "a row is malformed")
        at = integer(about[0], "a class")
        require(0 <= at < len(self.groups), "there is no such class")
        own = self.groups[at]
        cases = sum(self.stated.counts[own.number])
        for other, group in enumerate(self.groups):
            if group.number == own.number and other != at:
                made.linear[other][0] += Fraction(y, cases)
        made.linear[at][0] -= Fraction(y, cases)
        made.linear[at][1] += Fraction(y, cases)
        made.needed += y * (1 - Fraction(own.n, cases))

    def _set(self, about: Sequence[Any]) -> int:
        require(len(about) == 1, "a row is malformed")
        number = integer(about[0], "a set")
        require(0 <= number < len(self.stated.counts), "there is no such set")
        return number

    # --- rows of averages

    def _entry(self, index: Any) -> Entry:
        at = integer(index, "a score")
        require(0 <= at < len(self.stated.entries), "there is no such score")
        return self.stated.entries[at]

    def _weights(self, entry: Entry) -> list[Fraction]:
        """What every class weighs in a mean of this kind."""
        weights = []
        for group in self.groups:
            counts = self.stated.counts[group.number]
            if entry.place is not None:
                weight = Fraction(int(group.place == entry.place))
            else:
                weight = Fraction(group.n, sum(counts)) if entry.average == "weighted" else Fraction(1, len(counts))
            weights.append(weight / len(self.stated.counts))
        return weights

    def _add_scores(self, made: Demand, entry: Entry, name: str, factor: Fraction, left_out: Fraction) -> None:
        key = (name, left_out if beta_squared(name) is not None else _ONE)  # one value, whatever the row
        for at, weight in enumerate(self._weights(entry)):
            if weight:
                made.scores[at][key] = made.scores[at].get(key, _ZERO) + factor * weight

    def _mean(self, made: Demand, y: int, about: Sequence[Any]) -> None:
        require(len(about) == 1, "a row is malformed")
        entry = self._entry(about[0])
        sets = len(self.stated.counts)
        end = entry.low if y > 0 else entry.high
        of_matrix = entry.place is None and not entry.average
        if entry.score == "acc" and of_matrix:
            for at, group in enumerate(self.groups):
                made.linear[at][0] += Fraction(y, sum(self.stated.counts[group.number]) * sets)
            made.needed += y * end
            return
        if entry.average == "micro":
            made.needed += y * (end - self._micro_line(made, y, entry))
            return
        of_means = bool(entry.average) and beta_squared(entry.score) is not None and self.stated.macro_f1 != "mean"
        require(not of_matrix and not of_means, "this average is no mean of scores")
        # a score that is left out of the one mean there is counts as that mean
        left_out = min(_ONE, entry.high) if sets == 1 else _ONE
        self._add_scores(made, entry, entry.score, Fraction(y), left_out)
        made.needed += y * end

    def _micro_line(self, made: Demand, y: int, entry: Entry) -> Fraction:
        """A micro average over several sets whose denominators are fixed: a multiple of the correct cases."""
        require(self.stated.exclusive, "micro averages of labels are ratios")
        sets, rest = len(self.stated.counts), _ZERO
        for number, counts in enumerate(self.stated.counts):
            own = [at for at, group in enumerate(self.groups) if group.number == number]
            both = [slopes(entry.score, self.groups[at].n, self.groups[at].size) for at in own]
            cases = sum(counts)
            below = cases * both[0][1][1] + sum(den[2] for _, den in both)
            require(all(den[0] == 0 for _, den in both) and below > 0, "this micro average is no mean")
            for at in own:
                made.linear[at][0] += Fraction(y * both[0][0][0], below * sets)
            rest += Fraction(cases * both[0][0][1] + sum(num[2] for num, _ in both), below * sets)
        return rest

    def _ratio(self, made: Demand, y: int, about: Sequence[Any]) -> None:
        """num - end * den of a micro average of labels, against 0."""
        entry, end = self._sided(about, y)
        require(entry.average == "micro" and len(self.stated.counts) == 1, "this is no ratio of sums")
        cases = sum(self.stated.counts[0])
        for at, group in enumerate(self.groups):
            (a, b, c), (d, e, f) = slopes(entry.score, group.n, group.size)
            made.linear[at][0] += y * (a - end * d) / cases
            made.linear[at][1] += y * (b - end * e) / cases
            made.needed -= y * (c - end * f) / cases

    def _sided(self, about: Sequence[Any], y: int, more: int = 0) -> tuple[Entry, Fraction]:
        """The entry and the end of its interval; at least it if y is positive, at most it if negative."""
        require(len(about) == 2 + more and about[1] == ("low" if y > 0 else "high"), "a row is malformed")
        entry = self._entry(about[0])
        return entry, entry.low if y > 0 else entry.high

    # --- rows of the whole matrix

    def _kappa(self, made: Demand, y: int, about: Sequence[Any]) -> None:
        entry, end = self._sided(about, y)
        self._of_whole(entry, "kappa")
        cases = sum(self.stated.counts[0])
        for at, group in enumerate(self.groups):
            made.linear[at][0] += Fraction(y, cases)
            made.linear[at][1] -= y * (1 - end) * group.n / cases**2
        made.needed += y * end

    def _mcc(self, made: Demand, y: int, about: Sequence[Any]) -> None:
        """X against v root(K Z): above by a tangent with slope from u, below by a chord over the part."""
        entry, end = self._sided(about, y, 2 if len(about) == 4 else 0)
        self._of_whole(entry, "mcc")
        cases = sum(self.stated.counts[0])
        k = 1 - Fraction(sum(n * n for n in self.stated.counts[0]), cases**2)
        if len(about) == 4:
            u = self._positive(about[2], about[3])
            require(end >= 0 if y < 0 else end <= 0, "a tangent is on the wrong side")
            # root(K Z) <= (K u + Z / u) / 2
            by_z, rest = end / (2 * u), end * k * u / 2
        else:
            require(end <= 0 if y < 0 else end >= 0, "a chord is on the wrong side")
            least, most = (max(_ZERO, 1 - Fraction(q, cases**2)) for q in reversed(self.part.squares))
            low, high = _root_below(k * least), _root_below(k * most)
            slope = (high - low) / (most - least) if most > least else _ZERO
            by_z, rest = end * slope, end * (low - slope * least)
        # X - by_z * Z against rest, with Z = 1 - sum q^2 / N^2
        for at, group in enumerate(self.groups):
            made.linear[at][0] += Fraction(y, cases)
            made.linear[at][1] -= Fraction(y * group.n, cases**2)
            made.linear[at][2] += y * by_z / cases**2
        made.needed += y * (rest + by_z)

    def _of_whole(self, entry: Entry, name: str) -> None:
        whole = entry.place is None and not entry.average and entry.score == name
        require(whole and self.stated.exclusive and len(self.stated.counts) == 1, f"this score is not {name}")

    # --- rows of an F-score of means

    def _of_means(self, index: Any) -> tuple[Entry, Fraction]:
        entry = self._entry(index)
        squared = beta_squared(entry.score)
        if squared is None or entry.average not in _MEANS or self.stated.macro_f1 != "of means":
            raise Rejected("this is no F-score of means")
        return entry, squared

    def _tangent(self, made: Demand, y: int, about: Sequence[Any]) -> None:
        """F <= (1 + b) ((1 - t)^2 P + t^2 R / b), b the squared beta: a concave function is below its tangents."""
        require(len(about) == 3 and y > 0, "a row is malformed")
        entry, b = self._of_means(about[0])
        part, whole = integer(about[1], "a part"), integer(about[2], "a whole")
        require(0 <= part <= whole and whole > 0, "a tangent is out of range")
        require(
            self.stated.undefined in ("zero", "exclude") or self._something_is_right(),
            "an F-score of means is 0/0 where nothing is right, which a tangent does not bound",
        )
        t = Fraction(part, whole)
        self._add_scores(made, entry, "ppv", y * (1 + b) * (1 - t) ** 2, _ONE)
        self._add_scores(made, entry, "sens", y * (1 + b) * t**2 / b, _ONE)
        made.needed += y * entry.low

    def _something_is_right(self) -> bool:
        """Whether no set of the part can be without a right answer.

        Of one set whose classes all have cases a mean sensitivity is 0 if nothing is right.
        """
        if all(least > 0 for least, _ in self.part.right):
            return True
        means = (entry for entry in self.stated.entries if entry.score == "sens" and entry.average in _MEANS)
        return len(self.stated.counts) == 1 and all(self.stated.counts[0]) and any(entry.low > 0 for entry in means)

    def _chord(self, made: Demand, y: int, about: Sequence[Any]) -> None:
        """F is at least what it is at the least other mean, and that is above its chord."""
        require(len(about) == 2 and y < 0 and about[1] in ("ppv", "sens"), "a row is malformed")
        require(len(self.stated.counts) == 1, "of several sets F-scores of means are bounded from above only")
        entry, b = self._of_means(about[0])
        own, other = self._claimed(entry, about[1]), self._claimed(entry, "sens" if about[1] == "ppv" else "ppv")
        require(own[0] <= own[1], "a mean has no values")
        at = []
        for end in own:
            p, r = (end, other[0]) if about[1] == "ppv" else (other[0], end)
            below = b * p + r
            at.append((1 + b) * p * r / below if below else _ZERO)
        slope = (at[1] - at[0]) / (own[1] - own[0]) if own[1] > own[0] else _ZERO
        self._add_scores(made, entry, about[1], y * slope, _ONE)
        made.needed += y * (entry.high - at[0] + slope * own[0])

    def _claimed(self, entry: Entry, name: str) -> tuple[Fraction, Fraction]:
        for one in self.stated.entries:
            if one.average == entry.average and one.score == name:
                return max(_ZERO, one.low), min(_ONE, one.high)
        return _ZERO, _ONE

    def _positive(self, above: Any, below: Any) -> Fraction:
        num, den = integer(above, "a slope"), integer(below, "a slope")
        require(0 < num <= _LARGEST and 0 < den <= _LARGEST, "a slope is out of range")
        return Fraction(num, den)


_NAMES = frozenset({"right", "given", "wrong", "mean", "ratio", "kappa", "mcc", "tangent", "chord"})


def _root_below(value: Fraction) -> Fraction:
    return Fraction(isqrt(value.numerator * _FINE**2 // value.denominator), _FINE)
