"""A classification report read again from its statement, and the counts each class may have.

A class of n cases is given to q cases, tp of them rightly. For fixed tp the printed scores are linear inequalities in
q: a <= precision <= b says a q <= tp <= b q, and a <= F1 <= b says a (n + q) <= 2 tp <= b (n + q). Solved in whole
numbers they leave an interval of q; q = 0, where precision is 0/0, is looked at by itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from scoreproof.verifier.experiment import integer
from scoreproof.verifier.patience import Patience
from scoreproof.verifier.texts import Rejected, decimal, interval, known_keys, require, spread_of

SCORES = ("ppv", "sens", "f1")
_WORDS = {"ppv": "precision", "sens": "recall", "f1": "F1", "acc": "accuracy"}
_MOST_CLASSES = 1_000
_MOST_CASES = 10**9
_LONGEST_NAME = 200
_MOST_ROWS = 1_000_000
_ZERO, _ONE = Fraction(0), Fraction(1)
_USUAL = {"zero": (0,), "one": (1,), "any": (0, 1)}  # what a 0/0 counts as

Span = tuple[Fraction, Fraction]
Row = tuple[int, int, int]  # tp, and the least and greatest q


@dataclass(frozen=True, slots=True)
class Entry:
    """A printed value: the interval it stands for, and the value itself."""

    score: str
    text: str
    low: Fraction
    high: Fraction
    value: Fraction

    def said(self, owner: str, before: bool = False) -> str:
        name = _WORDS[self.score]
        called = f"{owner} {name}" if before else f"{name} of {owner}" if owner else name
        return f"{called} {self.text} (from {decimal(self.low)} to {decimal(self.high)})"


@dataclass(frozen=True, slots=True)
class Group:
    """A class: its name, its cases n, its printed scores."""

    name: str
    n: int
    entries: Mapping[str, Entry]


@dataclass(frozen=True, slots=True)
class Average:
    """Bounds on the sum over classes of weight times score."""

    average: str
    entry: Entry
    weights: tuple[int, ...]
    low: Fraction
    high: Fraction


@dataclass(frozen=True, slots=True)
class Stated:
    """The whole report: ``least`` and ``most`` bound the correct cases, ``averages`` are those that bind."""

    groups: tuple[Group, ...]
    total: int
    least: int
    most: int
    averages: tuple[Average, ...]
    undefined: str
    said: tuple[str, ...]

    def usual(self, low: Fraction, high: Fraction) -> bool:
        """Whether a 0/0 may be printed as something from low to high."""
        return any(low <= value <= high for value in _USUAL[self.undefined])

    def counted(self, group: Group, score: str, tp: int, q: int) -> tuple[int, int, int]:
        """A score as an average counts it: least and greatest numerator, denominator."""
        entry = group.entries.get(score)
        num, den = {"ppv": (tp, q), "sens": (tp, group.n), "f1": (2 * tp, group.n + q)}[score]
        if den == 0:
            usual = _USUAL[self.undefined]
            fitting = [value for value in usual if entry is None or entry.low <= value <= entry.high] or usual
            return min(fitting), max(fitting), 1
        if score == "f1" and tp == 0 and entry is None and self.undefined == "any":
            return 0, 1, 1  # as 2PR / (P + R) it is 0/0, and may have been left out
        return num, num, den


def read_report(statement: Mapping[str, Any]) -> Stated:
    """The report a statement describes; raises ``Rejected`` if it describes none."""
    undefined, averages_of = statement.get("undefined"), statement.get("averages_of")
    require(isinstance(undefined, str) and undefined in _USUAL, "in a class report 0/0 is any, zero or one")
    require(averages_of in ("any", "scores"), "averages are of the scores, or of any usual values")
    listed = statement.get("classes")
    if not isinstance(listed, list) or not 2 <= len(listed) <= _MOST_CLASSES:
        raise Rejected("the report does not have from 2 to 1,000 classes")
    groups = tuple(map(_group, listed))
    require(len({group.name for group in groups}) == len(groups), "two classes have one name")
    total = sum(group.n for group in groups)
    require(1 <= total <= _MOST_CASES, "the number of cases is out of range")
    said = [entry.said(group.name) for group in groups for entry in group.entries.values()]
    least, most = 0, total
    if statement.get("accuracy") is not None:
        accuracy = _entry(statement["accuracy"], ("acc",))
        said.append(accuracy.said(""))
        least, most = _whole(accuracy, total, least, most)
    averages = []
    for name, listed in known_keys("the averages", statement.get("averages"), "macro", "weighted").items():
        weights = tuple(1 if name == "macro" else group.n for group in groups)
        entries = _entries(listed)
        for entry in entries.values():
            said.append(entry.said(name, before=True))
            bounds = _bounds(groups, weights, entry, entries, str(averages_of))
            if bounds is None:
                continue
            if name == "weighted" and entry.score == "sens":
                least, most = _whole(entry, total, least, most)
            else:
                averages.append(Average(name, entry, weights, *bounds))
    return Stated(groups, total, least, most, tuple(averages), str(undefined), tuple(said))


def _group(document: Any) -> Group:
    given = known_keys("a class", document, "name", "support", "scores")
    name = given.get("name")
    if not isinstance(name, str) or len(name) > _LONGEST_NAME:
        raise Rejected("the name of a class is not a short text")
    n = integer(given.get("support"), "a support")
    require(0 <= n <= _MOST_CASES, "a support is out of range")
    return Group(name, n, _entries(given.get("scores")))


def _entries(listed: Any) -> dict[str, Entry]:
    if not isinstance(listed, list) or len(listed) > len(SCORES):
        raise Rejected("scores are not a list of precision, recall and F1")
    entries = [_entry(document, SCORES) for document in listed]
    read = {entry.score: entry for entry in entries}
    require(len(read) == len(entries), "a score is named twice")
    return read


def _entry(document: Any, known: tuple[str, ...]) -> Entry:
    given = known_keys("a score", document, "score", "text", "rounding", "eps")
    name, text, rounding, eps = (given.get(key) for key in ("score", "text", "rounding", "eps"))
    if not isinstance(name, str) or name not in known:
        raise Rejected(f"a class report has no score {str(name)[:40]!r} there")
    low, high = interval(text, rounding, eps)
    require(spread_of(str(text), rounding, eps) is None, "one matrix has no ±")
    return Entry(name, str(text), low, high, interval(text, None, "0")[0])


def _whole(entry: Entry, total: int, least: int, most: int) -> tuple[int, int]:
    """The whole numbers of correct cases whose share of all is as printed."""
    low, high = entry.low * total, entry.high * total
    return max(least, -(-low.numerator // low.denominator)), min(most, high.numerator // high.denominator)


def _bounds(
    groups: tuple[Group, ...], weights: tuple[int, ...], entry: Entry, beside: Mapping[str, Entry], averages_of: str
) -> Span | None:
    """What an average says of the sum over classes of weight times score; None if it need not be about the scores."""
    low, high = entry.low * sum(weights), entry.high * sum(weights)
    if averages_of == "scores":
        return low, high
    if _of_printed(groups, weights, entry):
        return None
    if entry.score == "f1":
        spans = _averaged(groups, weights, beside)
        least = _f1(*(_ZERO if span is None else span[0] for span in spans))
        most = _f1(*(_ONE if span is None else span[1] for span in spans))
        if None not in spans and least <= entry.high and most >= entry.low:
            return None  # an F1 of average precision and recall
        if None in spans and most >= entry.low:
            low = min(low, _ZERO)  # perhaps one, too; it is never below the average F1
    return low, high


def _column(groups: tuple[Group, ...], score: str) -> list[Entry] | None:
    """The printed values of all classes, if all are printed."""
    cells = [group.entries[score] for group in groups if score in group.entries]
    return cells if len(cells) == len(groups) else None


def _of_printed(groups: tuple[Group, ...], weights: tuple[int, ...], entry: Entry) -> bool:
    """Whether an average is that of the printed values."""
    cells = _column(groups, entry.score)
    if cells is None:
        return False
    summed = sum(weight * cell.value for weight, cell in zip(weights, cells, strict=True))
    return entry.low * sum(weights) <= summed <= entry.high * sum(weights)


def _averaged(groups: tuple[Group, ...], weights: tuple[int, ...], beside: Mapping[str, Entry]) -> list[Span | None]:
    """Average precision and recall: as printed, else as the classes' intervals leave them; None if neither is there."""
    spans: list[Span | None] = []
    for score in ("ppv", "sens"):
        cells = _column(groups, score)
        if score in beside:
            spans.append((beside[score].low, beside[score].high))
        elif cells is not None:
            both = list(zip(weights, cells, strict=True))
            lows, highs = sum(w * cell.low for w, cell in both), sum(w * cell.high for w, cell in both)
            spans.append((Fraction(lows) / sum(weights), Fraction(highs) / sum(weights)))
        else:
            spans.append(None)
    return spans


def _f1(precision: Fraction, recall: Fraction) -> Fraction:
    """2PR / (P + R), which rises in both; 0 where one is not positive."""
    return 2 / (1 / precision + 1 / recall) if precision > 0 and recall > 0 else _ZERO


def all_rows(stated: Stated, patience: Patience) -> list[list[Row]]:
    """The rows of every class."""
    left, rows = _MOST_ROWS, []
    for group in stated.groups:
        first, last = _correct(stated, group)
        left -= max(0, last - first + 1)
        require(left >= 0, "the classes leave too many counts")
        rows.append(rows_of(stated, group, patience))
    return rows


def _correct(stated: Stated, group: Group) -> tuple[int, int]:
    """The least and greatest tp that the recall leaves."""
    n, recall = group.n, group.entries.get("sens")
    first, last = 0, n
    if recall is not None and n:
        first, last = _whole(recall, n, 0, n)
    elif recall is not None:
        last = 0 if stated.usual(recall.low, recall.high) else -1
    return first, last


def rows_of(stated: Stated, group: Group, patience: Patience) -> list[Row]:
    """Every tp of a class that gives its printed scores with some q, and the interval of q."""
    n = group.n
    first, last = _correct(stated, group)
    require(last - first < _MOST_ROWS, "a class leaves too many counts")
    rows: list[Row] = []
    for tp in range(first, last + 1):
        if tp % 1024 == 0:
            patience.check()
        low, high = max(tp, 1), stated.total - n + tp
        for score, entry in group.entries.items():
            if score != "sens":
                shift, factor = (0, 1) if score == "ppv" else (n, 2)
                for end, sign in ((entry.low, 1), (entry.high, -1)):
                    # sign * end * (shift + q) <= sign * factor * tp
                    a = sign * end.numerator
                    c = sign * factor * tp * end.denominator - a * shift
                    low, high = _solved(a, c, low, high)
        if tp == 0 and _nothing_given(stated, group):
            rows.append((0, 0, max(high, 0) if low <= 1 <= high else 0))
            require(low in (0, 1) or low > high, "the counts of a class without correct cases have a gap")
        elif low <= high:
            rows.append((tp, low, high))
    return rows


def _solved(a: int, c: int, low: int, high: int) -> tuple[int, int]:
    """The whole numbers q from low to high with a q <= c."""
    if a > 0:
        return low, min(high, c // a)
    if a < 0:
        return max(low, -(c // -a)), high
    return (low, high) if c >= 0 else (1, 0)


def _nothing_given(stated: Stated, group: Group) -> bool:
    """Whether a class that was given to no case has the printed precision and F1."""
    for score, entry in group.entries.items():
        if score == "f1" and group.n > 0:
            if not entry.low <= 0 <= entry.high:
                return False
        elif score != "sens" and not stated.usual(entry.low, entry.high):
            return False
    return True
