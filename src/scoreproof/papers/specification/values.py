"""From the texts of a specification to whole numbers, truth values and choices, with the schema of each.

Every scalar arrives as the text that was written (or, from Python, as a number or a truth value). ``unknown`` is a
value like any other: it stands for every usual reading.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, WithJsonSchema

from scoreproof.errors import ScoreproofError
from scoreproof.validation import Notation, Setting, shown
from scoreproof.validation.settings import SCHEMAS, read_one

UNKNOWN = "unknown"
_Read = tuple[BeforeValidator, WithJsonSchema]


def as_text(value: Any) -> str:
    """A text; whole numbers and truth values are taken as they are written."""
    try:
        return "" if value is None else str(read_one(str, value))
    except (ValueError, ScoreproofError) as error:
        raise ValueError(f"{error}, got {shown(value)}") from None


def as_number(value: Any) -> str:
    """The text of a number, kept as a text; from Python a float is taken at its shortest spelling."""
    text = repr(value) if isinstance(value, float) else as_text(value)
    if re.fullmatch(r"\s*\d*\.?\d+(?:[eE][+-]?\d{1,3})?\s*|\s*\d+\s*/\s*\d+\s*", text) is None:
        raise ValueError(f"expected a number such as 0.0001, got {shown(value)}")
    return text.strip()


def as_names(value: Any) -> list[str]:
    """One name or several."""
    if value in ([], ()):
        raise ValueError("expected at least one name, got an empty list")
    return list(map(as_text, value if isinstance(value, (list, tuple)) else [value]))


def as_grid(value: Any) -> list[list[str]]:
    """Rows of texts; most grids hold nothing else, which is seen quickly."""
    grid: list[list[str]] = []
    for number, row in enumerate(value if isinstance(value, (list, tuple)) else [value], 1):
        if not isinstance(row, (list, tuple)):
            raise ValueError(f"row {number}: expected a list of cells, got {shown(row)}")
        try:
            grid.append(list(row) if set(map(type, row)) == {str} else list(map(as_text, row)))
        except ValueError as error:
            raise ValueError(f"row {number}: {error}") from None
    return grid


def _one_of(words: Iterable[str]) -> Callable[[Any], str]:
    def chosen(value: Any) -> str:
        word = as_text(value).strip().lower()
        if word not in (known := list(words)):
            raise ValueError(f"expected one of {', '.join(known)}; got {shown(value)}")
        return word

    return chosen


def scalar(part: type, *, unknown: bool = False, several: bool = False) -> _Read:
    """A whole number or a truth value, or a list of them, or ``unknown``."""

    def chosen(value: Any) -> Any:
        if unknown and isinstance(value, str) and value.strip().lower() == UNKNOWN:
            return UNKNOWN
        if several and isinstance(value, (list, tuple)) and value:
            return list(map(read, value))
        return read(value)

    def read(value: Any) -> Any:
        try:
            return read_one(part, value)
        except (ValueError, ScoreproofError) as error:
            raise ValueError(f"{error}, got {shown(value)}") from None

    options = [*SCHEMAS[part].get("anyOf", [SCHEMAS[part]])]
    options += [{"type": "array", "minItems": 1, "items": SCHEMAS[part]}] if several else []
    options += [{"const": UNKNOWN}] if unknown else []
    return BeforeValidator(chosen), WithJsonSchema({"anyOf": options} if unknown else SCHEMAS[part])


def word(words: Iterable[str]) -> _Read:
    return BeforeValidator(_one_of(words)), WithJsonSchema({"enum": list(map(str, words))})


_STRING = {"type": "string"}
_ROW = {"type": "array", "items": {"type": ["string", "integer", "null"]}}
_NAMES = {"anyOf": [_STRING, {"type": "array", "minItems": 1, "items": _STRING}]}
TEXT: _Read = BeforeValidator(as_text), WithJsonSchema({"type": ["string", "integer", "boolean"]})
NUMBER: _Read = BeforeValidator(as_number), WithJsonSchema(SCHEMAS[float])
NAMES: _Read = BeforeValidator(as_names), WithJsonSchema(_NAMES)
GRID: _Read = BeforeValidator(as_grid), WithJsonSchema({"type": "array", "items": _ROW})


def field_of(setting: Setting) -> tuple[Any, Any]:
    """A field of a model for a setting, without a default of its own: what is not said is as elsewhere."""
    field = Field(default=None, description=setting.doc)
    if setting.name in ("eps", "beta"):
        return Annotated[str, *NUMBER] | None, field
    single = replace(setting, form=Notation.ONE)  # for all scores; columns have their own
    read: Callable[[Any], Any] = _one_of(single.choices) if single.choices else single.read
    return Annotated[Any, BeforeValidator(read), WithJsonSchema(single.schema())] | None, field
