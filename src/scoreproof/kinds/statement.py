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

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from fractions import Fraction
from functools import cache, partial
from typing import Annotated, Any, ClassVar, NamedTuple, Self, get_origin

from scoreproof.errors import InvalidExperiment
from scoreproof.jsonable import field_types, jsonable, restored
from scoreproof.quantities import Quantity
from scoreproof.reported import Claim
from scoreproof.reported.claim import claim_from_dict, refuse_spread
from scoreproof.validation import chosen, declared


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
            name = "scores" if isinstance(each, ScoresOf) else name
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
        known = [each.name for each in fields(cls)]  # type: ignore[arg-type]
        unknown = [str(key) for key in tree if key not in ("type", *known)]
        if unknown:
            raise InvalidExperiment(f"{cls.kind}: unknown key {', '.join(unknown)}; known are {', '.join(known)}")
        return cls(**{key: tree[key] for key in known if key in tree})

    def to_dict(self) -> dict[str, Any]:
        own: Any = self
        told = {each.name: value for each in fields(own) if (value := getattr(self, each.name)) != each.default}
        return {"type": self.kind} | told
