"""Options that belong together, as one value: a command takes the value, the command line shows its options.

A group is a frozen dataclass whose fields are options with their defaults. ``grouped`` gives a command a signature in
which each group stands for its fields, so that options are listed once, however many commands have them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import wraps
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import typer

from scoreproof.cli.options import (
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
from scoreproof.reported.conventions import Conventions, conventions, told
from scoreproof.validation import Notation, Setting, read_settings


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


_METAVARS = {
    Notation.ONE_OR_SEVERAL: "N[,N]",
    Notation.PAIR: "A,B",
    Notation.PAIRS: "A,B",
    Notation.GRID: "ROW;ROW",
    Notation.PER_SCORE: "VALUE",
    Notation.NAMED: "NAME=VALUE",
    Notation.NAMED_SEVERAL: "N=V,N=V",
}
_REPEATED = (
    Notation.SEVERAL,
    Notation.PAIRS,
    Notation.PER_SCORE,
    Notation.NAMED,
    Notation.NAMED_SEVERAL,
)
_TYPES = {int: "INTEGER", float: "NUMBER"}


class Only:
    """Which conventions a command takes: ``Annotated[Conventions, Only("rounding", "eps")]``."""

    def __init__(self, *names: str) -> None:
        self.names = names


def parameter_of(setting: Setting, *, argument: bool = False) -> inspect.Parameter:
    """An argument or an option of the command line for one setting; its text is read afterwards."""
    default = None if setting.default in (None, ()) or setting.form in _REPEATED else setting.default
    kind: Any = list[str] if setting.form in _REPEATED else bool if setting.flag else str
    if setting.form is Notation.PAIR and default is not None:
        default = ",".join(map(str, default))
    elif default is not None and not setting.flag and not setting.required:
        default = str(default)
    named = setting.name.replace("_", "-")
    if argument:
        shown: Any = typer.Argument(help=setting.doc)
    elif setting.flag:
        shown = option(setting.doc, f"--{named}/--no-{named}" if default else f"--{named}")
    else:
        words = f"{setting.doc} (repeatable)" if setting.form in _REPEATED else setting.doc
        metavar = _METAVARS.get(setting.form, _TYPES.get(setting.part, "TEXT"))
        shown = option(words, f"--{named}", metavar=metavar)
    return inspect.Parameter(
        setting.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=inspect.Parameter.empty if setting.required else default,
        annotation=Annotated[kind if default is not None or setting.required else kind | None, shown],
    )


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """The command with every group among its parameters spread out into options."""
    hints = get_type_hints(command, include_extras=True)
    groups = {name: group for name, hint in hints.items() if (group := _group(hint)) is not None}
    spread: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(command).parameters.items():
        spread += groups[name][0] if name in groups else [parameter.replace(annotation=hints[name])]
    spread = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in spread]

    @wraps(command)
    def call(**given: Any) -> None:
        made = {
            name: make({one.name: given.pop(one.name) for one in parameters})
            for name, (parameters, make) in groups.items()
        }
        command(**made, **given)

    call.__signature__ = inspect.Signature(spread)  # type: ignore[attr-defined]
    call.__annotations__ = {one.name: one.annotation for one in spread}
    del call.__wrapped__  # whose signature has the groups
    return call


def _group(hint: Any) -> tuple[list[inspect.Parameter], Callable[[dict[str, Any]], Any]] | None:
    """The options of a group, and how its value is made of them; None for a parameter of its own."""
    if get_origin(hint) is Annotated and get_args(hint)[0] is Conventions:
        known = conventions(*hint.__metadata__[0].names)
        return list(map(parameter_of, known.values())), lambda given: told(_stated(known, given))
    if not isinstance(hint, type) or not is_dataclass(hint):
        return None
    hints = get_type_hints(hint, include_extras=True)
    parameters = [
        inspect.Parameter(
            one.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if one.default is MISSING else one.default,
            annotation=hints[one.name],
        )
        for one in fields(hint)
    ]
    return parameters, lambda given: hint(**given)


def _stated(known: Mapping[str, Setting], given: Mapping[str, Any]) -> dict[str, Any]:
    said = {name: value for name, value in given.items() if value is not None and value != []}
    return read_settings("options", known, said)
