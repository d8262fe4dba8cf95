"""Options that belong together, as one value: a command takes the value, the command line shows its options.

A group is a frozen dataclass whose fields are options with their defaults. ``grouped`` gives a command a signature in
which each group stands for its fields, so that options are listed once, however many commands have them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import wraps
from typing import Annotated, Any, get_type_hints

import typer

from scoreproof.cli.options import (
    AsJson,
    ExperimentFile,
    Fold,
    Folds,
    HowAveraged,
    Negatives,
    Positives,
    Repeats,
    Unstratified,
    option,
)


@dataclass(frozen=True, slots=True)
class ExperimentOptions:
    """A test set, or folds of one, or a file that describes anything else."""

    p: Positives = None
    n: Negatives = None
    folds: Folds = None
    repeats: Repeats = 1
    unstratified: Unstratified = False
    fold: Fold = None
    aggregation: HowAveraged = None
    experiment_file: ExperimentFile = None

    @property
    def stated(self) -> bool:
        """Whether anything was said of the experiment."""
        return any(value is not None for value in (self.p, self.n, self.folds, self.fold, self.experiment_file))


PText = Annotated[str, typer.Argument(help="The p-value as printed: 0.03, 'p<0.05'.")]
Rounding = Annotated[str, option("How printed numbers were cut to digits: any, nearest, floor or ceil.")]


@dataclass(frozen=True, slots=True)
class TwoValues:
    """Two printed values, and the p-value of the test that compares them."""

    first: Annotated[str, typer.Argument(help="The first value as printed, with its ± if the test needs it.")]
    second: Annotated[str, typer.Argument(help="The second.")]
    pvalue: PText = "<0.05"


@dataclass(frozen=True, slots=True)
class Shown:
    """How printed numbers are read and how the answer is shown."""

    rounding: Rounding = "any"
    as_json: AsJson = False


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """The command with every group among its parameters spread out into options."""
    hints = get_type_hints(command, include_extras=True)
    groups = {name: kind for name, kind in hints.items() if isinstance(kind, type) and is_dataclass(kind)}
    spread: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(command).parameters.items():
        spread += _fields(groups[name]) if name in groups else [parameter.replace(annotation=hints[name])]
    spread = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in spread]

    @wraps(command)
    def call(**given: Any) -> None:
        made = {name: kind(**{one.name: given.pop(one.name) for one in fields(kind)}) for name, kind in groups.items()}
        command(**made, **given)

    call.__signature__ = inspect.Signature(spread)  # type: ignore[attr-defined]
    call.__annotations__ = {one.name: one.annotation for one in spread}
    del call.__wrapped__  # whose signature has the groups
    return call


def _fields(group: Any) -> list[inspect.Parameter]:
    hints = get_type_hints(group, include_extras=True)
    return [
        inspect.Parameter(
            one.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if one.default is MISSING else one.default,
            annotation=hints[one.name],
        )
        for one in fields(group)
    ]
