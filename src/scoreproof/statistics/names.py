"""What the models are called in tables, sentences and figures."""

from __future__ import annotations

from collections.abc import Sequence

from scoreproof.errors import InvalidOption


def model_names(names: Sequence[str] | None, count: int) -> tuple[str, ...]:
    """The names given, or "model 1", "model 2"...

    >>> model_names(None, 2)
    ('model 1', 'model 2')
    """
    if names is None:
        return tuple(f"model {i + 1}" for i in range(count))
    if isinstance(names, str) or len(names) != count:
        raise InvalidOption(f"models = {names!r}: expected {count} names, one per column")
    found = tuple(str(n) for n in names)
    if len(set(found)) < count:
        raise InvalidOption(f"models = {', '.join(found)}: expected a different name for each")
    return found


def position(model: str | int, names: Sequence[str]) -> int:
    """Where a model stands, by its name or its number from 0.

    >>> position("B", ["A", "B"]), position(0, ["A", "B"])
    (1, 0)
    """
    if isinstance(model, int) and 0 <= model < len(names):
        return model
    if model in names:
        return names.index(str(model))
    raise InvalidOption(f"control = {model!r}: expected one of {', '.join(names)}")
