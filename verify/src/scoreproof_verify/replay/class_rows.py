"""Inequalities between sums over all classes, each derived from the statement and the name a proof gives it.

A named row with a whole multiplier y adds, for every class, y times a tp + b q + c q^2 and y times weighted scores, and
demands that the sum over all classes is at least y times what the row requires. Rows that are bounded on one side only
take multipliers of one sign.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import floor, isqrt
from typing import Any

from scoreproof_verify.documents import chosen, given, integer, list_of, place_in
from scoreproof_verify.replay.class_parts import Group, Ranges
from scoreproof_verify.replay.class_report import Entry, Stated, beta_squared, slopes
from scoreproof_verify.texts import quoted, require

_ZERO, _ONE = Fraction(0), Fraction(1)
_MEANS = ("macro", "weighted")
_FINE = 1 << 40
_LARGEST = 1 << 80


class Rows:
    """Rows of a part together: what is added for every class, and what the sum must be at least."""

    def __init__(self, stated: Stated, groups: list[Group], part: Ranges) -> None:
        self.stated, self.groups, self.part = stated, groups, part
        self.cases = [sum(counts) for counts in stated.counts]
        self.linear = [[_ZERO, _ZERO, _ZERO] for _ in groups]  # of tp, q, q squared
        #: weights by score and by what left-out F-scores count as
        self.scores: list[dict[tuple[str, Fraction], Fraction]] = [{} for _ in groups]
        self.needed = _ZERO

    def demand(self, named: Any) -> Rows:
        for row in list_of(named, 1, 2_000, "a step has no list of rows"):
            require(isinstance(row, list) and 3 <= len(row) <= 6 and isinstance(row[0], str), "a row is malformed")
            y = integer(row[-1], "a multiplier")
            require(y != 0 and abs(y) <= _LARGEST, "a multiplier is out of range")
            require(row[0] in ROWS, f"there are no rows called {quoted(row[0])}")
            ROWS[row[0]](self, y, row[1:-1])
        return self

    def _add(self, number: int, tp: Fraction = _ZERO, q: Fraction = _ZERO, n_q: Fraction = _ZERO) -> None:
        """The same coefficients of tp, of q, and of q times its n, for every class of a set."""
        for own, group in zip(self.linear, self.groups, strict=True):
            if group.number == number:
                own[0] += tp
                own[1] += q + n_q * group.n

    # --- rows of sums of counts

    def _right(self, y: int, about: Sequence[Any]) -> None:
        number = self._set(about)
        self._add(number, tp=Fraction(y, self.cases[number]))
        self.needed += Fraction(y * self.part["right", number][y < 0], self.cases[number])

    def _given(self, y: int, about: Sequence[Any]) -> None:
        number = self._set(about)
        require(self.stated.exclusive, "labels may be given to any number of cases")
        self._add(number, q=Fraction(y, self.cases[number]))
        self.needed += y

    def _wrong(self, y: int, about: Sequence[Any]) -> None:
        """fn + fp = n + q - 2 tp <= N - T for one class: T without its tp, and q - tp, add up to N - n at most."""
        require(len(about) == 1 and self.stated.exclusive and y < 0, "a row is malformed")
        at = place_in(self.groups, about[0], "a class", "there is no such class")
        own = self.groups[at]
        share = Fraction(y, self.cases[own.number])
        self._add(own.number, tp=share)
        self.linear[at][0] -= 2 * share
        self.linear[at][1] += share
        self.needed += y - share * own.n

    def _set(self, about: Sequence[Any]) -> int:
        require(len(about) == 1, "a row is malformed")
        return place_in(self.cases, about[0], "a set", "there is no such set")

    # --- rows of averages

    def _entry(self, index: Any) -> Entry:
        return chosen(self.stated.entries, index, "a score", "there is no such score")

    def _add_scores(self, entry: Entry, name: str, factor: Fraction, left_out: Fraction) -> None:
        key = (name, left_out if beta_squared(name) is not None else _ONE)  # one value, whatever the row
        for group, scores in zip(self.groups, self.scores, strict=True):
            weight = Fraction(int(group.place == entry.place))  # in a mean of this kind
            if entry.place is None:
                weight = self.stated.weight(entry, group.number, group.place)
            if weight:
                scores[key] = scores.get(key, _ZERO) + factor * weight / len(self.cases)

    def _mean(self, y: int, about: Sequence[Any]) -> None:
        require(len(about) == 1, "a row is malformed")
        entry = self._entry(about[0])
        sets = len(self.cases)
        end = entry.low if y > 0 else entry.high
        of_matrix = entry.place is None and not entry.average
        if entry.score == "acc" and of_matrix:
            for number, cases in enumerate(self.cases):
                self._add(number, tp=Fraction(y, cases * sets))
            self.needed += y * end
            return
        if entry.average == "micro":
            self.needed += y * (end - self._micro_line(y, entry))
            return
        require(entry.place is not None or self.stated.is_mean(entry), "this average is no mean of scores")
        # a score that is left out of the one mean there is counts as that mean
        left_out = min(_ONE, entry.high) if sets == 1 else _ONE
        self._add_scores(entry, entry.score, Fraction(y), left_out)
        self.needed += y * end

    def _micro_line(self, y: int, entry: Entry) -> Fraction:
        """A micro average over several sets whose denominators are fixed: a multiple of the correct cases."""
        require(self.stated.exclusive, "micro averages of labels are ratios")
        sets, rest = len(self.cases), _ZERO
        for number, cases in enumerate(self.cases):
            own = [group for group in self.groups if group.number == number]
            both = [slopes(entry.score, group.n, group.size) for group in own]
            below = cases * both[0][1][1] + sum(den[2] for _, den in both)
            require(all(den[0] == 0 for _, den in both) and below > 0, "this micro average is no mean")
            self._add(number, tp=Fraction(y * both[0][0][0], below * sets))
            rest += Fraction(cases * both[0][0][1] + sum(num[2] for num, _ in both), below * sets)
        return rest

    def _ratio(self, y: int, about: Sequence[Any]) -> None:
        """num - end * den of a micro average of labels, against 0."""
        entry, end = self._sided(about, y)
        require(entry.average == "micro" and len(self.cases) == 1, "this is no ratio of sums")
        cases = self.cases[0]
        for own, group in zip(self.linear, self.groups, strict=True):
            num, den = slopes(entry.score, group.n, group.size)
            by_tp, by_q, rest = (Fraction(y) * (a - end * b) / cases for a, b in zip(num, den, strict=True))
            own[0] += by_tp
            own[1] += by_q
            self.needed -= rest

    def _sided(self, about: Sequence[Any], y: int, more: int = 0) -> tuple[Entry, Fraction]:
        """The entry and the end of its interval; at least it if y is positive, at most it if negative."""
        require(len(about) == 2 + more and about[1] == ("low" if y > 0 else "high"), "a row is malformed")
        entry = self._entry(about[0])
        return entry, entry.low if y > 0 else entry.high

    # --- rows of the whole matrix

    def _kappa(self, y: int, about: Sequence[Any]) -> None:
        entry, end = self._sided(about, y)
        cases = self._of_whole(entry, "kappa")
        self._add(0, tp=Fraction(y, cases), n_q=-y * (1 - end) / cases**2)
        self.needed += y * end

    def _mcc(self, y: int, about: Sequence[Any]) -> None:
        """X against v root(K Z): above by a tangent with slope from u, below by a chord over the part."""
        entry, end = self._sided(about, y, 2 if len(about) == 4 else 0)
        cases = self._of_whole(entry, "mcc")
        k = 1 - Fraction(sum(n * n for n in self.stated.counts[0]), cases**2)
        if len(about) == 4:
            over, under = (integer(slope, "a slope") for slope in about[2:])
            require(0 < over <= _LARGEST and 0 < under <= _LARGEST, "a slope is out of range")
            u = Fraction(over, under)
            require(end >= 0 if y < 0 else end <= 0, "a tangent is on the wrong side")
            # root(K Z) <= (K u + Z / u) / 2
            by_z, rest = end / (2 * u), end * k * u / 2
        else:
            require(end <= 0 if y < 0 else end >= 0, "a chord is on the wrong side")
            given = [ends for variable, ends in self.part.items() if variable[0] == "q"]
            squares = [sum(ends[side] ** 2 for ends in given) for side in (1, 0)]
            least, most = (max(_ZERO, 1 - Fraction(q, cases**2)) for q in squares)
            low, high = (Fraction(isqrt(floor(k * z * _FINE**2)), _FINE) for z in (least, most))  # below the roots
            slope = (high - low) / (most - least) if most > least else _ZERO
            by_z, rest = end * slope, end * (low - slope * least)
        # X - by_z * Z against rest, with Z = 1 - sum q^2 / N^2
        self._add(0, tp=Fraction(y, cases), n_q=-Fraction(y, cases**2))
        for own in self.linear:
            own[2] += y * by_z / cases**2
        self.needed += y * (rest + by_z)

    def _of_whole(self, entry: Entry, name: str) -> int:
        """The cases of the only set, whose score this is."""
        whole = entry.place is None and not entry.average and entry.score == name
        require(whole and self.stated.exclusive and len(self.cases) == 1, f"this score is not {name}")
        return self.cases[0]

    # --- rows of an F-score of means

    def _tangent(self, y: int, about: Sequence[Any]) -> None:
        """F <= (1 + b) ((1 - t)^2 P + t^2 R / b), b the squared beta: a concave function is below its tangents."""
        require(len(about) == 3 and y > 0, "a row is malformed")
        entry = self._entry(about[0])
        of_means = entry.average in _MEANS and self.stated.macro_f1 == "of means"
        b = given(beta_squared(entry.score) if of_means else None, "this is no F-score of means")
        part, whole = integer(about[1], "a part"), integer(about[2], "a whole")
        require(0 <= part <= whole and whole > 0, "a tangent is out of range")
        require(
            self.stated.undefined in ("zero", "exclude") or self._something_is_right(),
            "an F-score of means is 0/0 where nothing is right, which a tangent does not bound",
        )
        t = Fraction(part, whole)
        self._add_scores(entry, "ppv", y * (1 + b) * (1 - t) ** 2, _ONE)
        self._add_scores(entry, "sens", y * (1 + b) * t**2 / b, _ONE)
        self.needed += y * entry.low

    def _something_is_right(self) -> bool:
        """Whether no set of the part can be without a right answer."""
        means = [entry.low for entry in self.stated.entries if entry.score == "sens" and entry.average in _MEANS]
        of_one = len(self.cases) == 1 and all(self.stated.counts[0]) and any(low > 0 for low in means)
        return of_one or all(self.part["right", number][0] > 0 for number in range(len(self.cases)))


#: What each row adds, by its name.
ROWS: dict[str, Callable[[Rows, int, Sequence[Any]], None]] = {
    name: getattr(Rows, f"_{name}") for name in ("right", "given", "wrong", "mean", "ratio", "kappa", "mcc", "tangent")
}
