"""``scoreproof reconstruct --classes``: the ranges of every cell of the confusion matrix.

Class counts and values by class, as they are written on the command line.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from scoreproof.errors import InvalidOption
from scoreproof.kinds import kind_named
from scoreproof.validation import shown

if TYPE_CHECKING:
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


KINDS = ("multi_class", "unknown_counts", "multi_label", "printed_classes", "printed_shares")


def class_counts(text: str) -> dict[str, Any]:
    """Class counts, with names or without.

    >>> class_counts("50,70,30"), class_counts("cat=50, dog=70")
    ({'counts': [50, 70, 30]}, {'counts': {'cat': 50, 'dog': 70}})
    """
    parts = [part.strip() for part in text.split(",")]
    pairs = [part.rpartition("=") for part in parts]
    try:
        sizes = [int(size) for _, _, size in pairs]
    except ValueError:
        raise InvalidOption(f"--classes: expected counts such as 50,70,30 or cat=50,dog=70; got {text!r}") from None
    names = [name.strip() for name, _, _ in pairs]
    if not any(names):
        return {"counts": sizes}
    if not all(names) or len(set(names)) < len(names):
        raise InvalidOption(f"--classes: expected a name of its own for every class or for none; got {text!r}")
    return {"counts": dict(zip(names, sizes, strict=True))}


def unknown_counts(classes: str, total: Any) -> dict[str, Any]:
    """So many classes, or their names, on so many cases.

    >>> unknown_counts("3", 150), unknown_counts("cat, dog, cow", 150)
    ({'total': 150, 'classes': 3}, {'total': 150, 'classes': ['cat', 'dog', 'cow']})
    """
    parts = [part.strip() for part in classes.split(",")]
    if len(parts) == 1 and parts[0].isascii() and parts[0].isdigit() and len(parts[0]) < 10:
        return {"total": total, "classes": int(parts[0])}
    if len(parts) < 2 or not all(parts) or any("=" in part or part.isdigit() for part in parts):
        raise InvalidOption(
            f"--classes: with --total expected how many classes there are (3) or their names, got {classes!r}"
        )
    return {"total": total, "classes": parts}


def printed_matrix(text: str) -> dict[str, Any]:
    """A printed matrix of counts, row by row.

    >>> printed_matrix("120 7; 15 116")
    {'matrix': [[120, 7], [15, 116]]}
    """
    try:
        return {"matrix": [[int(cell) for cell in row] for row in _rows(text)]}
    except ValueError:
        raise InvalidOption(
            f"--matrix: expected counts such as '120 7; 15 116' (or shares of rows, with --classes), got {shown(text)}"
        ) from None


def printed_shares(matrix: str, classes: str) -> dict[str, Any]:
    """A printed matrix of shares of its rows, and the cases of every class.

    >>> printed_shares("66.7% 33.3%; 0% 100%", "3,2")
    {'matrix': [['66.7%', '33.3%'], ['0%', '100%']], 'counts': [3, 2]}
    """
    return {"matrix": _rows(matrix), **class_counts(classes)}


def _rows(text: str) -> list[list[str]]:
    return [row.replace(",", " ").split() for row in text.strip("; ").split(";")]


def values_by_class(experiment: Any, scores: dict[str, str], *, decimal_comma: bool) -> dict[str, Any]:
    """Scores whose values are one for each class, as lists; a class without a value is left empty.

    >>> from scoreproof import MultiClass
    >>> values_by_class(MultiClass([5, 7]), {"sens": "0.8,0.9", "acc": "0.86"}, decimal_comma=False)
    {'sens': ['0.8', '0.9'], 'acc': '0.86'}
    """
    if getattr(experiment, "kind", "") not in KINDS:
        return dict(scores)
    separator = ";" if decimal_comma else ","
    return {
        name: [part.strip() or None for part in text.split(separator)] if separator in text else text
        for name, text in scores.items()
    }
