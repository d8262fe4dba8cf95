"""From the texts of a specification to whole numbers, truth values and choices, with the schema of each.

Every scalar arrives as the text that was written (or, from Python, as a number or a truth value). ``unknown`` is a
value like any other: it stands for every usual reading.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, WithJsonSchema

from scoreproof.claims import CLAIMS
from scoreproof.errors import ScoreproofError
from scoreproof.kinds.binary.experiment import Aggregation, FoldRule
from scoreproof.reported import Rounding
from scoreproof.reported.conventions import Spread
from scoreproof.validation import Notation, Setting
from scoreproof.validation.settings import SCHEMAS, read_one

UNKNOWN = "unknown"


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def as_text(value: Any) -> str:
    """A text; whole numbers and truth values are taken as they are written."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (str, int)):
        return str(value)
    if isinstance(value, float):
        raise ValueError(f"expected a text, got the number {value!r}; put it in quotes, as it was printed")
    raise ValueError(f"expected a text, got {_kind(value)}")


def _read(part: type) -> Callable[[Any], Any]:
    """What reads a whole number or a truth value."""

    def chosen(value: Any) -> Any:
        try:
            return read_one(part, value)
        except (ValueError, ScoreproofError) as error:
            raise ValueError(f"{error}, got {_shown(value)}") from None

    return chosen


def as_number(value: Any) -> str:
    """The text of a number, kept as a text; from Python a float is taken at its shortest spelling."""
    text = repr(value) if isinstance(value, float) else as_text(value)
    if re.fullmatch(r"\s*\d*\.?\d+(?:[eE][+-]?\d{1,3})?\s*|\s*\d+\s*/\s*\d+\s*", text) is None:
        raise ValueError(f"expected a number such as 0.0001, got {_shown(value)}")
    return text.strip()


def one_of(*words: str) -> Callable[[Any], str]:
    """One of some words."""

    def chosen(value: Any) -> str:
        word = as_text(value).strip().lower()
        if word not in words:
            raise ValueError(f"expected one of {', '.join(words)}; got {_shown(value)}")
        return word

    return chosen


def _or_unknown(read: Callable[[Any], Any], *, several: bool = False) -> Callable[[Any], Any]:
    def chosen(value: Any) -> Any:
        if isinstance(value, str) and value.strip().lower() == UNKNOWN:
            return UNKNOWN
        if several and isinstance(value, (list, tuple)):
            if not value:
                raise ValueError("expected at least one value, got an empty list")
            return [read(entry) for entry in value]
        return read(value)

    return chosen


def as_names(value: Any) -> list[str]:
    """One name or several."""
    if isinstance(value, (list, tuple)):
        if not value:
            raise ValueError("expected at least one name, got an empty list")
        return [as_text(name) for name in value]
    return [as_text(value)]


def _kind(value: Any) -> str:
    return {"list": "a list", "tuple": "a list", "dict": "a mapping"}.get(type(value).__name__, type(value).__name__)


_COUNTS = SCHEMAS[int]["anyOf"]
_TRUTHS = SCHEMAS[bool]
_WORD_UNKNOWN = {"const": UNKNOWN}
_SEVERAL = {"type": "array", "minItems": 1, "items": {"anyOf": _COUNTS}}


Text = Annotated[str, BeforeValidator(as_text), WithJsonSchema({"type": ["string", "integer", "boolean"]})]
Count = Annotated[int, BeforeValidator(_read(int)), WithJsonSchema(SCHEMAS[int])]
OpenCount = Annotated[
    Any, BeforeValidator(_or_unknown(_read(int))), WithJsonSchema({"anyOf": [*_COUNTS, _WORD_UNKNOWN]})
]
OpenCounts = Annotated[
    Any,
    BeforeValidator(_or_unknown(_read(int), several=True)),
    WithJsonSchema({"anyOf": [*_COUNTS, _SEVERAL, _WORD_UNKNOWN]}),
]
Truth = Annotated[bool, BeforeValidator(_read(bool)), WithJsonSchema(_TRUTHS)]
OpenTruth = Annotated[
    Any, BeforeValidator(_or_unknown(_read(bool))), WithJsonSchema({"enum": [*_TRUTHS["enum"], UNKNOWN]})
]
Number = Annotated[str, BeforeValidator(as_number), WithJsonSchema(SCHEMAS[float])]
Names = Annotated[
    list[str],
    BeforeValidator(as_names),
    WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "array", "minItems": 1, "items": {"type": "string"}}]}),
]


def _word(kind: type[StrEnum]) -> tuple[BeforeValidator, WithJsonSchema]:
    """One of the words of an enumeration."""
    words = list(map(str, kind))
    return BeforeValidator(one_of(*words)), WithJsonSchema({"enum": words})


def field_of(setting: Setting) -> tuple[Any, Any]:
    """A field of a model for a setting, without a default of its own: what is not said is as elsewhere."""
    if setting.name in ("eps", "beta"):
        return Number | None, Field(default=None, description=setting.doc)
    single = replace(setting, form=Notation.ONE)  # for all scores; columns have their own
    read: Callable[[Any], Any] = one_of(*single.choices) if single.choices else single.read
    return Annotated[Any, BeforeValidator(read), WithJsonSchema(single.schema())] | None, Field(
        default=None, description=setting.doc
    )


def _claim(value: Any) -> str:
    """The name of a claim, of those there are when it is read."""
    return one_of(*CLAIMS)(value)


RoundingWord = Annotated[str, *_word(Rounding)]
SpreadWord = Annotated[str, *_word(Spread)]
FoldRuleWord = Annotated[str, *_word(FoldRule)]
AggregationWord = Annotated[str, *_word(Aggregation)]
ClaimWord = Annotated[str, BeforeValidator(_claim)]


def as_grid(value: Any) -> list[list[str]]:
    """Rows of texts; most grids hold nothing else, which is seen quickly."""
    if not isinstance(value, (list, tuple)):
        raise ValueError(f"expected a list of rows, got {_kind(value)}")
    grid: list[list[str]] = []
    for number, row in enumerate(value, 1):
        if not isinstance(row, (list, tuple)):
            raise ValueError(f"row {number}: expected a list of cells, got {_kind(row)}")
        if set(map(type, row)) == {str}:
            grid.append(row if type(row) is list else list(row))
            continue
        try:
            grid.append([as_text(cell) for cell in row])
        except ValueError as error:
            raise ValueError(f"row {number}: {error}") from None
    return grid


Grid = Annotated[
    list[list[str]],
    BeforeValidator(as_grid),
    WithJsonSchema({"type": "array", "items": {"type": "array", "items": {"type": ["string", "integer", "null"]}}}),
]
