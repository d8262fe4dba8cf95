"""``scoreproof reconstruct --classes``: the ranges of every cell of the confusion matrix."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scoreproof.cli.class_values import class_counts, values_by_class
from scoreproof.cli.words import show_result
from scoreproof.errors import InvalidOption
from scoreproof.kinds import kind_named
from scoreproof.results import in_terminal

if TYPE_CHECKING:
    from rich.console import Console

    from scoreproof.insight.class_cells import ClassCells


def several_classes(
    classes: str, scores: dict[str, str], rules: Mapping[str, Any], macro_f1: str | None, **others: Any
) -> ClassCells:
    """The cells that follow from class counts and scores; ``others`` are options of two classes, refused."""
    from scoreproof.insight.class_cells import reconstruct_classes

    refused = [f"--{name.replace('_', '-')}" for name, value in others.items() if value is not None]
    if refused:
        raise InvalidOption(f"--classes describes the whole test set; it cannot be combined with {', '.join(refused)}")
    experiment = kind_named("multi_class").experiment(class_counts(classes))
    given = values_by_class(experiment, scores, decimal_comma=rules.get("decimal_comma", False))
    special: dict[str, Any] = {} if macro_f1 is None else {"macro_f1": macro_f1}
    return reconstruct_classes(experiment, given, **rules, **special)


def show_classes(found: ClassCells, out: Console, certificate: Path | None) -> None:
    """The verdict, an example, and the ranges."""
    show_result(found.answer, out, certificate=certificate, list_all=False, limit=1)
    if found.cells:
        out.print(in_terminal("Over all confusion matrices that give the scores:", found._tables()))
        if not all(one.exact for row in found.cells for one in row):
            out.print("Cells 'at most' are outer bounds; a larger --budget may narrow them.")
