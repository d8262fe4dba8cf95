"""Experiments that one option of the command line describes whole, beside the confusion matrices of --p and --n."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from scoreproof.cli.class_values import class_counts, printed_matrix, printed_shares, unknown_counts
from scoreproof.errors import InvalidOption
from scoreproof.kinds import kind_named


class Design(NamedTuple):
    """A kind, and the settings of its experiment from what was given with the option."""

    kind: str
    settings: Callable[[Any], Mapping[str, Any]]


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 30):
        raise InvalidOption(f"--regression: expected the number of cases, or unknown, got {text!r}")
    return int(text)


# The option's name, without the dashes.
DESIGNS: dict[str, Design] = {
    "classes": Design("multi_class", class_counts),
    "matrix": Design("printed_classes", printed_matrix),
    "labels": Design("multi_label", class_counts),
    "total": Design("unknown_classes", lambda total: {"total": total}),
    "average": Design("common_average", lambda parts: {"parts": parts} if parts else {}),
    "regression": Design("regression", lambda n: {} if n == "unknown" else {"n": _whole(n)}),
    "detection": Design("detection", lambda objects: {"objects": objects} if objects else {}),
    "queries": Design("ranking", lambda queries: {"queries": queries}),
}


def designed(given: Mapping[str, Any], more: Mapping[str, Any] | None = None) -> Any | None:
    """The experiment of the one option that was given, with what others add to it; None if none was."""
    if not given:
        return None
    if set(given) == {"classes", "total"}:
        return kind_named("unknown_counts").experiment(unknown_counts(given["classes"], given["total"]))
    if set(given) == {"classes", "matrix"}:
        return kind_named("printed_shares").experiment(printed_shares(given["matrix"], given["classes"]))
    if len(given) > 1:
        options = " and ".join(f"--{name}" for name in given)
        raise InvalidOption(f"{options} describe different experiments; give one of them")
    ((name, value),) = given.items()
    design = DESIGNS[name]
    return kind_named(design.kind).experiment({**design.settings(value), **(more or {})})
