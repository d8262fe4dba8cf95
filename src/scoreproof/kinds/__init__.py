"""The kinds of problems by name, each a folder; a kind is loaded when it is first asked for."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.kinds.kind import Kind, Problem

# A kind's module has the kind as KIND.
_MODULES = {
    "average": "scoreproof.kinds.average.kind",
    "binary": "scoreproof.kinds.binary.kind",
    "one_test_set": "scoreproof.kinds.one_test_set.kind",
    "multi_class": "scoreproof.kinds.multi_class.kind",
    "multi_label": "scoreproof.kinds.multi_label.kind",
    "order": "scoreproof.kinds.order.kind",
    "printed_classes": "scoreproof.kinds.printed_classes.kind",
    "printed_matrix": "scoreproof.kinds.printed_matrix.kind",
    "unknown_classes": "scoreproof.kinds.unknown_classes.kind",
}
_LOADED: dict[str, Kind[Any, Any]] = {}


def kind_named(name: str) -> Kind[Any, Any]:
    """The kind of this name."""
    known = _LOADED.get(name)
    if known is None:
        if name not in _MODULES:
            raise InvalidOption(f"kind: expected one of {', '.join(kind_names())}; got {name!r}")
        known = _LOADED[name] = importlib.import_module(_MODULES[name]).KIND
    return known


def kind_names() -> Iterator[str]:
    """The names of all kinds."""
    return iter(dict.fromkeys((*_MODULES, *_LOADED)))


def add_kind(kind: Kind[Any, Any]) -> None:
    """Make a kind known; its verifier is added to ``scoreproof.verifier.CHECKERS``."""
    _LOADED[kind.name] = kind


def remove_kind(name: str) -> None:
    """Forget a kind that was added."""
    _LOADED.pop(name, None)


def read_problem(name: str, statement: dict[str, Any]) -> Problem:
    """The problem of a kind that a statement describes."""
    kind = kind_named(name)
    try:
        problem: Problem = kind.read(statement)
    except (KeyError, TypeError, AttributeError) as error:
        raise InvalidValue(f"a problem of the kind {name!r}: the statement cannot be read ({error!r:.80})") from None
    return problem
