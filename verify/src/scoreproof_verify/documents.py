"""What a certificate holds, read value by value within stated limits: numbers, words, lists, objects, printed values.

Whatever is read has a name in sentences; keys that nobody reads are refused.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar

from scoreproof_verify.texts import (
    LONGEST_TEXT,
    Interval,
    Rejected,
    decimal,
    fraction,
    interval,
    quoted,
    require,
    spread_of,
    worth,
)

T = TypeVar("T")
_MOST_SCORES = 100


def given(value: T | None, otherwise: str) -> T:
    if value is None:
        raise Rejected(otherwise)
    return value


def integer(value: Any, what: str, least: int | None = None, most: int | None = None) -> int:
    if value.__class__ is not int:
        raise Rejected(f"{what} is not an integer")
    whole: int = value
    if (least is not None and whole < least) or (most is not None and whole > most):
        raise Rejected(f"{what} is out of range")
    return whole


def place_in(things: Collection[Any], value: Any, what: str, otherwise: str) -> int:
    place = integer(value, what)
    if not 0 <= place < len(things):
        raise Rejected(otherwise)
    return place


def chosen(things: Sequence[T], value: Any, what: str, otherwise: str) -> T:
    return things[place_in(things, value, what, otherwise)]


def listed(things: Iterable[Any]) -> str:
    return ", ".join(map(str, things))


def counted(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


class Document(dict[str, Any]):
    """An object of a certificate, whose values are read by their keys; what is read has a name in sentences."""

    def integer(self, key: str, what: str, least: int | None = None, most: int | None = None) -> int:
        return integer(self.get(key), what, least, most)

    def fraction(self, key: str, what: str) -> Fraction:
        return fraction(self.get(key), what)

    def text(self, key: str, what: str) -> str:
        """A text of bounded length that is not empty."""
        value = self.get(key)
        require(isinstance(value, str) and 0 < len(value) <= LONGEST_TEXT, f"{what} is not a short text")
        return str(value)

    def word(self, key: str, words: Collection[str]) -> str:
        word = self.get(key)
        if not isinstance(word, str) or word not in words:
            raise Rejected(f"unknown {key} {quoted(word)}")
        return word

    def list_of(self, key: str, fewest: int, most: int, message: str) -> list[Any]:
        return list_of(self.get(key), fewest, most, message)

    def chosen(self, key: str, things: Sequence[T], what: str, otherwise: str) -> T:
        return chosen(things, self.get(key), what, otherwise)

    def printed(self, key: str, what: str, **options: Any) -> Printed:
        return read_printed(self.get(key), what, **options)

    def kind(self, **known: str) -> str:
        """The kind of a proof, if it is known and the proof has no keys but those of its kind, which a text lists."""
        kind = self.get("kind")
        if not isinstance(kind, str) or kind not in known:
            raise Rejected(f"unknown kind of proof {quoted(kind)}")
        self.keep_to("kind", *known[kind].split())
        return kind

    def keep_to(self, *known: str) -> None:
        """``Rejected`` if a proof has other keys."""
        known_keys("the proof", self, *known)


def object_of(owner: str, value: Any) -> Document:
    if not isinstance(value, (dict, Mapping)):
        raise Rejected(f"{owner} is not an object")
    return value if isinstance(value, Document) else Document(value)


def known_keys(owner: str, value: Any, *known: str, every: bool = False) -> Document:
    """An object without keys that nobody reads; with ``every`` key, nothing is filled in."""
    document = object_of(owner, value)
    for key in document:
        if key not in known:
            extra = sorted(str(key) for key in document if key not in known)
            raise Rejected(f"{owner} has unknown keys: {', '.join(key[:40] for key in extra[:5])}")
    if every and (missing := sorted(key for key in known if key not in document)):
        raise Rejected(f"{owner} lacks {', '.join(missing)}")
    return document


def list_of(value: Any, fewest: int, most: int, message: str) -> list[Any]:
    if not isinstance(value, list) or not fewest <= len(value) <= most:
        raise Rejected(message)
    return value


@dataclass(frozen=True, slots=True)
class Printed:
    """A printed value: its name, its text, the interval it stands for, and that of what follows a ±."""

    name: str
    text: str
    low: Fraction
    high: Fraction
    spread: Interval | None = None

    def __str__(self) -> str:
        return f"{self.text} (from {decimal(self.low)} to {decimal(self.high)})"

    @property
    def span(self) -> Interval:
        return Interval(self.low, self.high)

    @property
    def worth(self) -> tuple[Fraction, Fraction]:
        """The number, and the worth of its last digit."""
        return worth(self.text)


class Score(Printed):
    """A printed score, which is shown with its name."""

    __slots__ = ()

    def __str__(self) -> str:
        return f"{self.name} {Printed.__str__(self)}"


def read_scores(
    entries: Any, known: Callable[[Any], int | None], *, many: int = _MOST_SCORES, mean: bool = False
) -> list[Score]:
    """The reported scores of a statement; ``known`` gives the most that a score can be, or refuses its name."""
    listed = list_of(entries, 1, many, "the statement names no scores")
    return [read_score(entry, "a score", known, mean=mean) for entry in listed]


def read_score(entry: Any, what: str, known: Callable[[Any], int | None], *, mean: bool = False) -> Score:
    """One reported score, which may have a name of its own besides."""
    given = known_keys(what, entry, "score", "name", "text", "rounding", "eps")
    name, text, rounding, eps = (given.get(key) for key in ("score", "text", "rounding", "eps"))
    most = known(name)
    require(isinstance(given.get("name", ""), str), f"the name of {what} is not a text")
    span = interval(text, rounding, eps, mean=mean, most=most)
    return Score(str(name), str(text), *span, spread_of(str(text), rounding, eps))


def read_printed(document: Any, what: str, *, mean: bool = False, most: int | None = None) -> Printed:
    entry = known_keys(what, document, "name", "text", "rounding", "eps")
    text, rounding, eps = entry.get("text"), entry.get("rounding"), entry.get("eps")
    low, high = interval(text, rounding, eps, mean=mean, most=most)
    spread_of(str(text), rounding, eps)  # what follows a ± is a number, though nobody uses it
    name = entry.text("name", f"the name of {what}") if "name" in entry else ""
    return Printed(name, str(text), low, high)


def read_named(documents: Any, names: Collection[str], many: str, other: str, **most: int) -> dict[str, Printed]:
    """Printed values by their names, no two of which are one; ``most`` bounds some of them."""
    read: dict[str, Printed] = {}
    for entry in list_of(documents, 1, len(names), many):
        name = entry.get("name") if isinstance(entry, Mapping) else None
        printed = read_printed(entry, "a claim", most=most.get(str(name)))
        require(printed.name in names and printed.name not in read, other)
        read[printed.name] = printed
    return read


def read_all(documents: Any, what: str, fewest: int, many: int, **options: Any) -> list[Printed]:
    otherwise = f"the statement does not have {fewest} to {many} entries where {what} is expected"
    return [read_printed(document, what, **options) for document in list_of(documents, fewest, many, otherwise)]


def read_deviations(statement: Document) -> tuple[str, str]:
    """What stands after a ±, and by what squares were divided."""
    spread, divisor = statement["spread"], statement["divisor"]
    require(spread in ("deviation", "error", "ignore"), "unknown spread")
    require(divisor in ("any", "population", "sample"), "unknown divisor")
    return spread, divisor


def variance_of(printed: Printed, how: tuple[str, str], parts: int | None) -> Interval:
    """Where the mean squared distance from the mean lies; ``Rejected`` if nothing is said of it.

    A sample of k has its sum of squares divided by k - 1, and k is at least 2.
    """
    spread, divisor = how
    deviation = given(
        None if spread == "ignore" else printed.spread, f"nothing is said of the deviation of {printed.name}"
    )
    low, high = deviation.square.times((parts or 1) if spread == "error" else 1)
    sample = Fraction(1, 2) if parts is None else Fraction(parts - 1, parts)
    few = low * (1 if divisor == "population" else sample)
    return Interval(few, high * (sample if divisor == "sample" and parts is not None else 1))
