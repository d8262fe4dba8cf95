"""What a function can be told, from its signature: the one list behind options, keys of files, tools and forms.

A parameter declares its type, its default and, by ``Doc``, what it is in words. ``settings_of`` lists these for a
function or a dataclass; whatever hands in texts (the command line, a file, a form) has them read by ``Setting.read``.

>>> def family(p_values: Sequence[str], *, alpha: Annotated[float, Doc("The level.")] = 0.05) -> None: ...
>>> settings_of(family)["alpha"].doc, settings_of(family)["alpha"].read("0.01")
('The level.', 0.01)
>>> read_settings("family", settings_of(family), {"p_values": "0.01, 0.04"})
{'p_values': ['0.01', '0.04']}
"""

from __future__ import annotations

import inspect
import re
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, is_dataclass
from enum import StrEnum
from functools import cache
from typing import Annotated, Any, Union, get_args, get_origin

from scoreproof.errors import InvalidOption
from scoreproof.limits import require_digits
from scoreproof.validation.signatures import resolved
from scoreproof.validation.values import shown

_MOST_DIGITS = 18
_SEVERAL = (Sequence, list)
_TEXT: dict[str, Any] = {"type": ["string", "integer", "boolean"]}
SCHEMAS: dict[Any, dict[str, Any]] = {
    bool: {"enum": [True, False, "true", "false", "yes", "no"]},
    int: {"anyOf": [{"type": "integer", "minimum": 0}, {"type": "string", "pattern": r"\d"}]},
    float: {"type": ["string", "number"]},
}


@dataclass(frozen=True, slots=True)
class Doc:
    """What a parameter is, in words: ``Annotated[int, Doc("Cases of the test set.")]`` (as in PEP 727)."""

    documentation: str


class Notation(StrEnum):
    """How a setting is written down."""

    ONE = "one"
    ONE_OR_SEVERAL = "one or several"
    SEVERAL = "several"
    PAIR = "pair"
    PAIRS = "pairs"
    GRID = "grid"
    PER_SCORE = "one for all scores, or NAME=VALUE for each"
    NAMED = "NAME=VALUE"
    NAMED_SEVERAL = "NAME=VALUE,..."


@dataclass(frozen=True, slots=True)
class Setting:
    """One parameter: its name, what it is in words, its form, the type of its parts, its default."""

    name: str
    doc: str
    form: Notation
    part: type
    default: Any = inspect.Parameter.empty
    by_place: bool = False
    choices: tuple[str, ...] = ()

    @property
    def required(self) -> bool:
        """Whether a call must have it."""
        return self.default is inspect.Parameter.empty

    @property
    def flag(self) -> bool:
        """Whether it is true or false."""
        return self.form is Notation.ONE and self.part is bool

    def read(self, given: Any) -> Any:
        """The value that a text stands for, or a list of texts, or a number; several may have commas between."""
        try:
            return _FORMS[self.form](self.part, given)
        except ValueError as error:
            raise InvalidOption(f"{self.name}: {error}, got {shown(given)}") from None

    def schema(self) -> dict[str, Any]:
        """The JSON Schema of what is read."""
        part = {"enum": list(self.choices)} if self.choices else SCHEMAS.get(self.part, _TEXT)
        several = {"type": "array", "minItems": 1, "items": part}
        pair = {"type": "array", "minItems": 2, "maxItems": 2, "items": part}
        return {
            Notation.ONE: part,
            Notation.ONE_OR_SEVERAL: {"anyOf": [part, several]},
            Notation.SEVERAL: {"anyOf": [part, several]},
            Notation.PAIR: {"anyOf": [pair, {"type": "string"}]},
            Notation.PAIRS: {"type": "array", "items": pair},
            Notation.GRID: {"type": "array", "items": several},
            Notation.PER_SCORE: {"anyOf": [part, {"type": "object", "additionalProperties": part}]},
            Notation.NAMED: {"type": "object", "additionalProperties": part},
            Notation.NAMED_SEVERAL: {"type": "array", "items": {"type": "object", "additionalProperties": part}},
        }[self.form] | ({"description": self.doc} if self.doc else {})


@cache
def settings_of(declared: Any) -> dict[str, Setting]:
    """The settings of a function or a dataclass, by their names."""
    hints = {
        name: hint
        for kind in reversed(getattr(declared, "__mro__", (declared,)))
        for name, hint in resolved(kind).items()
    }
    made = {}
    for parameter in inspect.signature(declared).parameters.values():
        if parameter.kind in (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL):
            continue
        hint, doc = _documented(hints.get(parameter.name, Any))
        form, part, choices = _formed(hint)
        placed = parameter.kind is not inspect.Parameter.KEYWORD_ONLY and not is_dataclass(declared)
        made[parameter.name] = Setting(parameter.name, doc, form, part, parameter.default, placed, choices)
    return made


def read_settings(what: str, known: Mapping[str, Setting], given: Mapping[str, Any]) -> dict[str, Any]:
    """Settings from texts; what is None was not given, and what is not known is refused."""
    if extra := sorted(str(name) for name in given if name not in known):
        raise InvalidOption(f"{what}: expected some of {', '.join(sorted(known))}; got {', '.join(extra)[:200]}")
    return {name: known[name].read(value) for name, value in given.items() if value is not None}


def _documented(hint: Any) -> tuple[Any, str]:
    """A type without what annotates it, and its words."""
    if get_origin(hint) is not Annotated:
        return hint, ""
    return get_args(hint)[0], " ".join(remark.documentation for remark in hint.__metadata__ if isinstance(remark, Doc))


def _formed(hint: Any) -> tuple[Notation, type, tuple[str, ...]]:
    """How a value of this type is written, the type of its parts, and the words it may be."""
    options = list(_options(hint))
    for option in options:
        origin, inner = get_origin(option) or option, get_args(option)
        if origin is tuple:
            return Notation.PAIR, _scalar(inner[0]), ()
        if origin in _SEVERAL:
            return *_several_formed(inner, [other for other in options if other is not option]), ()
    words = next((kind for kind in options if isinstance(kind, type) and issubclass(kind, StrEnum)), ())
    choices = tuple(map(str, words))
    mapped = [get_args(option)[1] for option in options if get_origin(option) is Mapping]
    scalars = [_scalar(option) for option in options if get_origin(option) is not Mapping]
    if mapped:
        return (Notation.PER_SCORE if scalars else Notation.NAMED), _scalar(mapped[0]), choices
    return Notation.ONE, str if str in scalars or not scalars else scalars[0], choices


def _several_formed(inner: tuple[Any, ...], others: list[Any]) -> tuple[Notation, type]:
    """How several parts of a type are written, and one of them where that may stand alone."""
    part = get_origin(inner[0]) if inner else None
    if part is Mapping:
        return Notation.NAMED_SEVERAL, str
    if part is tuple:
        return Notation.PAIRS, _scalar(get_args(inner[0])[0])
    if part in _SEVERAL:
        return Notation.GRID, str
    alone = [_scalar(other) for other in others if not get_args(other)]
    return (Notation.ONE_OR_SEVERAL, alone[0]) if alone else (Notation.SEVERAL, _scalar(*inner[:1]))


def _options(hint: Any) -> Iterator[Any]:
    """The types a union admits, without None."""
    hint, _ = _documented(hint)
    if get_origin(hint) in (Union, types.UnionType):
        for inner in get_args(hint):
            yield from _options(inner)
    elif hint is not type(None):
        yield hint


def _scalar(hint: Any = str) -> type:
    hint, _ = _documented(hint)
    return hint if hint in (bool, int, float) else str


def read_one(part: type, given: Any) -> Any:
    """The truth value, the number or the text that was written; a ValueError that says what was expected."""
    if part is bool:
        word = given if isinstance(given, bool) else str(given).strip().lower()
        if word in (True, "true", "yes"):
            return True
        if word in (False, "false", "no"):
            return False
        raise ValueError("expected true or false")
    if isinstance(given, (Mapping, list, tuple, set)) or given is None:
        raise ValueError("expected one value")
    if part is int:
        return _whole(given)
    if part is float:
        text = str(given).strip()
        if re.fullmatch(r"[0-9]*\.?[0-9]+(?:[eE][+-]?[0-9]{1,3})?", text) is None or len(text) > 100:
            raise ValueError("expected a number such as 0.05")
        return float(text)
    if isinstance(given, float):
        raise ValueError("expected a text: put the number in quotes, as it was printed")
    if isinstance(given, int) and not isinstance(given, bool):
        require_digits(given, "a number")
    return ("true" if given else "false") if isinstance(given, bool) else str(given)


def _whole(given: Any) -> int:
    if isinstance(given, int) and not isinstance(given, bool) and given >= 0:
        require_digits(given, "a number")
        return given
    text = str(given).strip().replace("_", "")
    if re.fullmatch(r"[0-9]{1,3}(?:,[0-9]{3})+", text):
        text = text.replace(",", "")
    if not (text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS):
        raise ValueError("expected a whole number such as 300")
    return int(text)


def _parts(given: Any) -> list[Any]:
    if isinstance(given, str):
        return [part.strip() for part in given.split(",")]
    if not isinstance(given, (list, tuple)):
        return [given]
    if not given:
        raise ValueError("expected at least one value")
    return list(given)


def _several(part: type, given: Any) -> list[Any]:
    return [read_one(part, each) for each in _parts(given)]


def _one_or_several(part: type, given: Any) -> Any:
    values = _several(part, given)
    return values[0] if len(values) == 1 else values


def _pair(part: type, given: Any) -> tuple[Any, Any]:
    values = _several(part, given)
    if len(values) != 2:
        raise ValueError("expected two values, with a comma between them")
    return values[0], values[1]


def _pairs(part: type, given: Any) -> list[tuple[Any, Any]]:
    return [_pair(part, each) for each in ([given] if isinstance(given, str) else given)]


def _grid(part: type, given: Any) -> list[list[Any]]:
    rows = [row.replace(",", " ").split() for row in given.split(";")] if isinstance(given, str) else given
    if not isinstance(rows, (list, tuple)) or not rows:
        raise ValueError("expected rows of values, as 0.90 0.80; 0.75 0.70")
    return [_several(part, row) for row in rows]


def _assigned(part: type, given: Any) -> dict[str, Any]:
    """Texts such as acc=0.90, or a mapping."""
    if isinstance(given, Mapping):
        return {str(name): read_one(part, value) for name, value in given.items()}
    pairs: dict[str, Any] = {}
    for text in [given] if isinstance(given, str) else given:
        name, equals, value = str(text).partition("=")
        if not equals or not name.strip() or not value.strip():
            raise ValueError("expected NAME=VALUE such as acc=0.90")
        if name.strip() in pairs:
            raise ValueError(f"{name.strip()} is given twice")
        pairs[name.strip()] = read_one(part, value.strip())
    return pairs


def _per_score(part: type, given: Any) -> Any:
    texts = [given] if isinstance(given, str) or not isinstance(given, (list, tuple, Mapping)) else given
    if isinstance(texts, Mapping) or all("=" in str(text) for text in texts):
        return _assigned(part, texts)
    if len(texts) > 1:
        raise ValueError("expected one value for all scores, or NAME=VALUE for each")
    return read_one(part, texts[0])


_FORMS: dict[Notation, Callable[[type, Any], Any]] = {
    Notation.ONE: read_one,
    Notation.ONE_OR_SEVERAL: _one_or_several,
    Notation.SEVERAL: _several,
    Notation.PAIR: _pair,
    Notation.PAIRS: _pairs,
    Notation.GRID: _grid,
    Notation.PER_SCORE: _per_score,
    Notation.NAMED: _assigned,
    Notation.NAMED_SEVERAL: lambda part, given: [
        _assigned(part, each.split(",") if isinstance(each, str) else each) for each in given
    ],
}
