"""How a result leaves the library and comes back: in JSON's own types.

JSON has no NaN and no infinity: what is undefined becomes null, what is infinite the text "Infinity", which Python and
JavaScript read as a number. Numpy's arrays and numbers are known by their
``tolist``, so that nothing heavy is loaded for this. Reading follows the types a dataclass gives its fields, so that a
result whose document is its fields, renamed or with more beside them, is read without a line of its own.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import cache, wraps
from importlib import import_module
from types import NoneType
from typing import Any, ClassVar, Self, TypeVar, cast, get_args, get_origin, get_type_hints

from scoreproof.errors import InvalidValue, ScoreproofError

T = TypeVar("T")
Reader = TypeVar("Reader", bound=Callable[..., Any])
_NO_NUMBERS = {"inf": "Infinity", "-inf": "-Infinity"}


def jsonable(value: Any, longest: int | None = None) -> Any:
    """The same value with nothing in it that JSON cannot carry; an array above ``longest`` numbers as its shape.

    >>> jsonable({"auc": float("nan"), 3: (1, {2}), "far": float("inf")})
    {'auc': None, '3': [1, [2]], 'far': 'Infinity'}
    """
    if value is None or type(value) in (str, int, bool):
        return value
    if isinstance(value, Enum):
        return str(value)
    if isinstance(value, int | str):
        return value
    if isinstance(value, float | Fraction):
        return float(value) if math.isfinite(value) else _NO_NUMBERS.get(str(float(value)))
    if isinstance(value, Mapping):
        return {str(k): jsonable(v, longest) for k, v in value.items()}
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if isinstance(value, Sequence | Set):
        return [jsonable(v, longest) for v in value]
    if hasattr(value, "tolist"):
        if longest is not None and value.size > longest:
            return {"shape": list(value.shape)}
        return jsonable(value.tolist(), longest)
    return str(value)


def document(result: Any, names: str, /, **more: Any) -> dict[str, Any]:
    """Some attributes of a result by name, and more; ``cases=n`` gives the attribute ``n`` the name ``cases``.

    A star stands for all public fields that are not named.

    >>> from fractions import Fraction
    >>> document(Fraction(3, 4), "top=numerator denominator", exact=True)
    {'top': 3, 'denominator': 4, 'exact': True}
    """
    kind: Any = type(result)
    told = {name: jsonable(getattr(result, attribute)) for attribute, name in _names(kind, names).items()}
    return {**told, **jsonable(more)}


@cache
def _names(kind: Any, names: str) -> dict[str, str]:
    """Attributes, and what they are called in the document."""
    pairs = [(attribute or name, name) for name, _, attribute in (word.partition("=") for word in names.split())]
    known = {attribute for attribute, _ in pairs}
    told: dict[str, str] = {}
    for attribute, name in pairs:
        if name == "*":
            told |= {own.name: own.name for own in fields(kind) if own.name not in known and own.name[0] != "_"}
        else:
            told[attribute] = name
    return told


class Jsonable:
    """A dataclass with a document: its fields in their order, or the attributes that ``_told`` names."""

    __slots__ = ()
    _told: ClassVar[str] = "*"

    def to_dict(self) -> dict[str, Any]:
        """Everything in JSON's own types; ``from_dict`` reads it."""
        return document(self, self._told)

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """What a document of ``to_dict`` describes."""
        return rebuilt(cls, document)

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        own = vars(cls).get("from_dict")
        if own is not None:  # a reader of one's own refuses as the common one does
            cls.from_dict = classmethod(_refusing(own.__func__))  # type: ignore[method-assign, assignment]


def _refusing(read: Reader) -> Reader:
    """A reader of documents for which no document is an accident: what it cannot read is an error of ours."""

    @wraps(read)
    def reading(kind: Any, document: Any, *more: Any, **options: Any) -> Any:
        if not isinstance(document, Mapping):
            raise InvalidValue(f"{kind.__name__}: expected a document of to_dict, got a {type(document).__name__}")
        try:
            return read(kind, document, *more, **options)
        except ScoreproofError:
            raise
        except (TypeError, ValueError, LookupError, AttributeError, ArithmeticError, RecursionError) as error:
            words = f"{type(error).__name__}: {str(error)[:80]}"
            raise InvalidValue(
                f"{kind.__name__}: expected a document of to_dict, got one that is none ({words})"
            ) from None

    return cast("Reader", reading)


@_refusing
def rebuilt(kind: type[T], document: Mapping[str, Any]) -> T:
    """A dataclass from its document, field by field; what else is in the document follows from the fields."""
    names, hints = _names(kind, getattr(kind, "_told", "*")), field_types(kind)  # type: ignore[arg-type]
    given: dict[str, Any] = {}
    for field in fields(kind):  # type: ignore[arg-type]
        name = names.get(field.name, field.name)
        if name in document:
            given[field.name] = restored(document[name], hints[field.name])
        elif field.default is MISSING and field.default_factory is MISSING:
            raise InvalidValue(f"{kind.__name__}: expected a document of to_dict, got one without {name!r}")
    return kind(**given)


@cache
def field_types(kind: type[Any], *, annotated: bool = False) -> dict[str, Any]:
    """The types of the fields, with what annotates them if asked for.

    A public class says it is of scoreproof; its constructor knows where it was made.
    """
    known: dict[str, Any] = {}
    for base in reversed(kind.__mro__):
        known |= vars(sys.modules[base.__module__])
        known |= vars(base)["__init__"].__globals__ if is_dataclass(base) else {}
    return get_type_hints(kind, known, include_extras=annotated)


@cache
def _parts(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """What a type is made of: a tuple, and of what; a name for a type (as numpy has for its arrays) is that type."""
    origin, inner = get_origin(hint) or hint, get_args(hint)
    named = getattr(origin, "__value__", None)
    return (origin, inner) if named is None else _parts(named[inner] if inner else named)


def restored(value: Any, hint: Any) -> Any:
    """A value of a document as the type it was made of.

    >>> restored([0.5, None], tuple[float, ...]), restored({"p": 3, "n": 4}, tuple[int, int])
    ((0.5, nan), (3, 4))
    """
    origin, inner = _parts(hint)
    if NoneType in inner:
        kinds = [kind for kind in inner if kind is not NoneType]
        return value if value is None or len(kinds) > 1 else restored(value, kinds[0])
    if origin is float:
        return math.nan if value is None else float(value)
    if not isinstance(origin, type):
        return value
    if origin.__module__ == "numpy":
        array = import_module("numpy").array(value, dtype=get_args(inner[1])[0])
        array.setflags(write=False)
        return array
    if issubclass(origin, Mapping):
        return {key: restored(entry, inner[1]) for key, entry in value.items()}
    if origin in (tuple, Sequence, frozenset):
        return _several(value, origin, inner)
    return _single(value, origin)


def _several(value: Any, origin: Any, inner: tuple[Any, ...]) -> Any:
    """A tuple, or another collection of parts; a pair may be a mapping of two."""
    parts = list(value.values() if isinstance(value, Mapping) else value)
    alike = origin is not tuple or Ellipsis in inner
    if alike and origin is tuple and inner[0] is str and all(part.__class__ is str for part in parts):
        return tuple(parts)  # the cells of tables
    kinds = [inner[0]] * len(parts) if alike else list(inner)
    made = (restored(part, kind) for part, kind in zip(parts, kinds, strict=True))
    return frozenset(made) if origin is frozenset else tuple(made)


def _single(value: Any, kind: type) -> Any:
    """A value that reads itself, a dataclass, a word of an enumeration, a plain value of its very type."""
    if is_dataclass(kind) and isinstance(value, kind):
        return value
    reads_itself = getattr(kind, "from_dict", None)
    if reads_itself is not None:
        return reads_itself(value)
    if is_dataclass(kind):
        return rebuilt(kind, value)
    if kind in (str, int, bool) and not (isinstance(value, kind) and isinstance(value, bool) == (kind is bool)):
        raise TypeError(f"expected {kind.__name__}, got {type(value).__name__}")
    return kind(value) if issubclass(kind, Enum | Fraction) else value
