"""How a result leaves the library: in JSON's own types.

JSON has no NaN and no infinity, so what is undefined becomes null. Numpy's arrays and numbers are known by their
``tolist``, so that nothing heavy is loaded for this.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import fields
from typing import Any


def jsonable(value: Any, longest: int | None = None) -> Any:
    """The same value with nothing in it that JSON cannot carry; an array above ``longest`` numbers as its shape.

    >>> jsonable({"auc": float("nan"), 3: (1, {2})})
    {'auc': None, '3': [1, [2]]}
    """
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(k): jsonable(v, longest) for k, v in value.items()}
    if isinstance(value, Sequence | Set):
        return [jsonable(v, longest) for v in value]
    if hasattr(value, "tolist"):
        if longest is not None and value.size > longest:
            return {"shape": list(value.shape)}
        return jsonable(value.tolist(), longest)
    return value.to_dict() if hasattr(value, "to_dict") else str(value)


def document(result: Any, names: str, /, **more: Any) -> dict[str, Any]:
    """Some attributes of a result by name, and more; ``cases=n`` gives the attribute ``n`` the name ``cases``.

    >>> from fractions import Fraction
    >>> document(Fraction(3, 4), "top=numerator denominator", exact=True)
    {'top': 3, 'denominator': 4, 'exact': True}
    """
    told: dict[str, Any] = {}
    for word in names.split():
        name, _, attribute = word.partition("=")
        told[name] = jsonable(getattr(result, attribute or name))
    return {**told, **jsonable(more)}


class Jsonable:
    """A dataclass whose document is its fields, in their order."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        return {field.name: jsonable(getattr(self, field.name)) for field in fields(self)}  # type: ignore[arg-type]
