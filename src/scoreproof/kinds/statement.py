"""Statements and descriptions by fields: problems and experiments as JSON and back, as the types of the fields say.

What is exact is written as text ("1/3"), a convention by its name, a claim as ``Claim.to_dict`` has it. Claims about
quantities that the kind itself names ("mean rank", a test statistic) are ``Entries``: they leave the quantity out.

>>> @dataclass(frozen=True)
... class Share(StatedFields):
...     cases: Annotated[int, Called("n")]
...     value: Fraction
>>> Share(3, Fraction(1, 3)).to_dict(), Share.from_dict({"n": 3, "value": "1/3"}).value
({'n': 3, 'value': '1/3'}, Fraction(1, 3))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, replace
from enum import StrEnum
from fractions import Fraction
from functools import cache, partial
from typing import Annotated, Any, ClassVar, NamedTuple, Self, cast, get_origin

from scoreproof.errors import InvalidExperiment, InvalidOption, InvalidValue, NotCovered, ScoreproofError
from scoreproof.jsonable import field_types, jsonable, restored
from scoreproof.kinds.binary.scores import score
from scoreproof.quantities import Quantity
from scoreproof.reported import Claim, Value, report
from scoreproof.reported.claim import claim_from_dict, refuse_spread, spread_interval
from scoreproof.reported.conventions import Divisor, Spread
from scoreproof.reported.printed_text import PrintedP
from scoreproof.validation import chosen, declared, shown


@dataclass(frozen=True)
class Called:
    """What a statement calls a field."""

    name: str


@dataclass(frozen=True)
class ScoresOf:
    """Claims about the quantities of a kind, stated as ``scores``."""

    kind: str = "binary"

    def write(self, claim: Claim) -> dict[str, Any]:
        return claim.to_dict()

    def read(self, document: Mapping[str, Any]) -> Claim:
        return claim_from_dict(document, kind=self.kind)


@dataclass(frozen=True)
class Entries:
    """Claims about a quantity that the kind names, or about one for each name; ``named`` if names are their own.

    ``alone`` are at most one, which is no list.
    """

    of: Quantity | Callable[[str], Quantity]
    named: bool = False
    alone: bool = False

    def write(self, claim: Claim) -> dict[str, Any]:
        return {"name": claim.name, **entry(claim)} if self.named else entry(claim)

    def read(self, document: Mapping[str, Any]) -> Claim:
        return from_entry(self.of if isinstance(self.of, Quantity) else self.of(document["name"]), document)


class FieldCodec(NamedTuple):
    """What a statement calls a field, and how its value is written there and read."""

    name: str
    write: Callable[[Any], Any]
    read: Callable[[Any], Any]


class StatedFields:
    """A problem or a witness that is stated as its fields."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        kind: Any = type(self)
        return {codec.name: codec.write(getattr(self, name)) for name, codec in _codecs(kind).items()}

    @classmethod
    def from_dict(cls, statement: Mapping[str, Any]) -> Self:
        kind: Any = cls
        return cls(**{name: codec.read(statement[codec.name]) for name, codec in _codecs(kind).items()})

    def claim(self, name: str) -> Claim | None:
        """The claim of a name."""
        problem: Any = self
        return next((claim for claim in problem.claims if claim.name == name), None)

    def with_claims(self, claims: Iterable[Claim]) -> Self:
        problem: Any = self
        return replace(problem, claims=tuple(claims))  # type: ignore[no-any-return]


@cache
def _codecs(kind: Any) -> dict[str, FieldCodec]:
    types = field_types(kind, annotated=True)
    return {each.name: _codec(each.name, types[each.name]) for each in fields(kind)}


def _codec(name: str, of: Any) -> FieldCodec:
    of, *remarks = (of.__origin__, *of.__metadata__) if get_origin(of) is Annotated else (of,)
    name = next((each.name for each in remarks if isinstance(each, Called)), name)
    for each in remarks:
        if isinstance(each, ScoresOf | Entries):
            if isinstance(each, Entries) and each.alone:
                return FieldCodec(name, partial(_write_alone, each), partial(_read_alone, each))
            name = "scores" if name == "claims" and isinstance(each, ScoresOf) else name
            return FieldCodec(name, partial(_over, each.write), partial(_over, each.read))
    if isinstance(of, type) and issubclass(of, StrEnum):
        return FieldCodec(name, str, lambda value: chosen(name, value, of))
    return FieldCodec(name, written, partial(restored, hint=of))


def _over(function: Callable[[Any], Any], value: Any) -> Any:
    """A function of the one claim of a field, of each of several, or of none."""
    if isinstance(value, tuple):
        return [function(each) for each in value]
    if isinstance(value, list):
        return tuple(function(each) for each in value)
    return None if value is None else function(value)


def _write_alone(entries: Entries, claims: tuple[Claim, ...]) -> Any:
    return entries.write(claims[0]) if claims else None


def _read_alone(entries: Entries, document: Any) -> tuple[Claim, ...]:
    return () if document is None else (entries.read(document),)


def written(value: Any) -> Any:
    """A value in JSON's own types, fractions as texts."""
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, Mapping):
        return {name: written(each) for name, each in value.items()}
    return [written(each) for each in value] if isinstance(value, tuple) else jsonable(value)


def entry(claim: Claim) -> dict[str, Any]:
    """A claim as a statement about one quantity has it: all but the quantity."""
    return {key: value for key, value in claim.to_dict().items() if key != "score"}


def from_entry(quantity: Quantity, document: Mapping[str, Any], *, mean: bool = False) -> Claim:
    """The claim of an entry: ``from_entry(claim.quantity, entry(claim)) == claim``; only a mean may have a ±."""
    claim = claim_from_dict({**document, "score": quantity})
    if not mean:
        refuse_spread([claim])
    return claim


class Described:
    """An experiment that a specification describes by the names of its fields; what says nothing is left out."""

    __slots__ = ()
    kind: ClassVar[str]

    @classmethod
    @declared
    def from_dict(cls, tree: Mapping[str, Any]) -> Self:
        own: Any = cls
        known = [each.name for each in fields(own)]
        if not isinstance(tree, Mapping):
            raise InvalidExperiment(f"{cls.kind}: expected an object with {', '.join(known)}, got {shown(tree)}")
        unknown = [str(key) for key in tree if key not in ("type", *known)]
        if unknown:
            raise InvalidExperiment(f"{cls.kind}: unknown key {', '.join(unknown)}; known are {', '.join(known)}")
        missing = [each.name for each in fields(own) if each.default is MISSING and each.name not in tree]
        if missing:
            raise InvalidExperiment(f"{cls.kind}: expected {', '.join(missing)}, which is not there")
        return cls(**{key: tree[key] for key in known if key in tree})

    def to_dict(self) -> dict[str, Any]:
        own: Any = self
        told = {each.name: value for each in fields(own) if (value := getattr(self, each.name)) != each.default}
        return {"type": self.kind} | {name: written(value) for name, value in told.items()}


_LONGEST_NAME = 200  # what a statement may carry


@dataclass(frozen=True, slots=True)
class Values(StatedFields):
    """Exact values that print as reported."""

    values: tuple[Fraction, ...]

    def __str__(self) -> str:
        return ", ".join(f"{float(value):.6g}" for value in self.values)


def measured(name: str | Quantity) -> Quantity:
    """The quantity of a name: a known score, or one of which nothing is known but the name.

    >>> measured("recall").name, measured("Dice loss").range
    ('sens', (None, None))
    """
    if isinstance(name, Quantity):
        return name
    if not isinstance(name, str) or not 0 < len(name) <= _LONGEST_NAME:
        raise InvalidOption(f"quantity: expected a name of 1 to {_LONGEST_NAME} characters, got {name!r}")
    try:
        return score(name)
    except ScoreproofError:
        return unknown(name)


def unknown(name: str, *, least: Fraction | None = None, most: Fraction | None = None) -> Quantity:
    """A quantity without formula; ``least`` and ``most`` bound its values, if anything does."""
    return Quantity(name, name, range=(least, most), kind="printed")


def printed(quantity: Quantity, value: Value | Claim, name: str, **options: Any) -> Claim:
    """A printed value under a name of its own; the options are those of ``report``."""
    claim = value if isinstance(value, Claim) else report(quantity, value, **options)
    return replace(claim, quantity=quantity, name=short_name(name))


def short_name(name: str) -> str:
    """A name as a statement may carry it: neither empty nor of any length."""
    name = name.strip() or "(no name)"
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 3]}..."


def listed(texts: Sequence[str], most: int = 8) -> str:
    """Texts in a row, the middle of a long row left out."""
    shown = list(texts) if len(texts) <= most else [*texts[: most - 2], f"... ({len(texts)} in all)", texts[-1]]
    return ", ".join(shown)


@dataclass(frozen=True, slots=True)
class WholeNumbers:
    """Whole numbers by name.

    >>> str(WholeNumbers.of(b=23, c=12))
    'b = 23, c = 12'
    """

    names: tuple[str, ...]
    values: tuple[int, ...]

    @classmethod
    def of(cls, **numbers: int) -> WholeNumbers:
        return cls(tuple(numbers), tuple(numbers.values()))

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> WholeNumbers:
        return cls(tuple(document), tuple(map(int, document.values())))

    def to_dict(self) -> dict[str, Any]:
        return dict(zip(self.names, self.values, strict=True))

    def __getitem__(self, name: str) -> int:
        return self.values[self.names.index(name)]

    def __str__(self) -> str:
        return ", ".join(f"{name} = {value}" for name, value in zip(self.names, self.values, strict=True))


SIDES = {"any": "", "two": "two-sided ", "one": "one-sided "}  # of a test, in words


class StatisticAndP(StatedFields):
    """A test's statistic and its p-value, told apart by their names; either may be missing."""

    __slots__ = ()
    statistic: Claim | None
    p: PrintedP | None

    @property
    def claims(self) -> tuple[Claim, ...]:
        told = (None if self.p is None else self.p.claim, self.statistic)
        return tuple(claim for claim in told if claim is not None)

    def with_claims(self, claims: Iterable[Claim]) -> Self:
        problem, named = cast(Any, self), {claim.name: claim for claim in claims}
        p = None if self.p is None or "p" not in named else replace(self.p, claim=named["p"])
        rest = (claim for name, claim in named.items() if name != "p")
        return replace(problem, p=p, statistic=next(rest, None))  # type: ignore[no-any-return]


Span = tuple[Fraction, Fraction]


class SpreadMeans(StatedFields):
    """Means over parts, perhaps with a ± that says how far the parts are apart."""

    __slots__ = ()
    claims: tuple[Claim, ...]
    spread: Spread
    divisor: Divisor

    @property
    def number(self) -> int | None:
        """Of parts; None if it is not known."""
        raise NotImplementedError

    @property
    def deviating(self) -> list[Claim]:
        """The claims whose ± counts."""
        return [] if self.spread is Spread.IGNORE else [claim for claim in self.claims if claim.spread is not None]

    def check_spreads(self, single: str, needed: str) -> None:
        """An error about a ± that means nothing: ``single`` says why, a standard error needs what is ``needed``."""
        for claim in self.deviating:
            if single:
                raise InvalidValue(f"{claim.name}: {claim.text!r} has a ±, {single}")
            if self.spread is Spread.ERROR and self.number is None:
                raise NotCovered(f"{claim.name}: the deviation behind a standard error needs {needed}")
            spread_interval(claim)  # a negative one is an error

    def variance(self, claim: Claim) -> Span | None:
        """Between which ends the variance over the parts lies, divided by their number; None without a ±."""
        if claim not in self.deviating:
            return None
        low, high = squared_spread(claim)
        fewer = Fraction(1, 2) if self.number is None else Fraction(self.number - 1, self.number)  # at least two
        times = Fraction(self.number or 1) if self.spread is Spread.ERROR else Fraction(1)
        least = low if self.divisor is Divisor.POPULATION else fewer * low
        most = fewer * high if self.divisor is Divisor.SAMPLE and self.number is not None else high
        return times * least, times * most

    def variance_targets(self, number: int, less: int) -> list[tuple[float, float]]:
        """The ends of the variances over so many parts, divided by their number, if the divisor takes ``less`` off."""
        times = Fraction((number if self.spread is Spread.ERROR else 1) * (number - less), number)
        return [(float(low * times), float(high * times)) for low, high in map(squared_spread, self.deviating)]

    def deviates(self, claim: Claim, squares: Span, number: int) -> bool:
        """Whether what follows a ± is the deviation of values whose squared distances add up to between two ends."""
        if claim not in self.deviating:
            return True
        low, high = squared_spread(claim)
        times = number if self.spread is Spread.ERROR else 1
        divided = [times * (number - less) for less in self.divisor.ddof if number > less]
        return any(low * by <= squares[0] and squares[1] <= high * by for by in divided)


def squared_spread(claim: Claim) -> Span:
    """Between which ends the square of what follows a ± lies.

    >>> from scoreproof.reported import report
    >>> squared_spread(report("acc", "0.90 ± 0.10", eps=0))
    (Fraction(1, 100), Fraction(1, 100))
    """
    low, high = (max(end, Fraction(0)) ** 2 for end in spread_interval(claim))
    return low, high
