"""The commands, gathered, and the options that several share.

Each module of this folder adds its command to ``app``; heavy parts of the package are imported inside the commands that
need them, so that ``scoreproof check`` starts quickly. Mistakes of the user's become one line and exit status 2, faults
of ours status 4.

A group of options is a frozen dataclass whose docstring is the group's title; its fields are options (``says``).
``grouped`` gives a command a signature in which each group stands for its fields, so that options are listed once,
however many commands have them.
"""

from __future__ import annotations

import importlib
import inspect
import os
import sys
import traceback
from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, field, fields, is_dataclass
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import typer
from typer.core import TyperGroup
from typer.models import OptionInfo

from scoreproof.cli.output import EXIT_FAULT, EXIT_USAGE, fail
from scoreproof.errors import InvalidOption, ScoreproofError, fault
from scoreproof.limits import adopt, changed
from scoreproof.reported.conventions import Conventions, conventions, told
from scoreproof.validation import Notation, Setting, read_settings

_DEBUG = "SCOREPROOF_DEBUG"


class _Commands(TyperGroup):
    """The commands; a flag is shown as one, not as an option that takes a truth value."""

    def get_params(self, ctx: Any) -> Any:
        return _plain_flags(super().get_params(ctx))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        return readable(super().get_command(ctx, cmd_name), ctx)


def readable(command: Any, ctx: Any) -> Any:
    """The command, its flags without a word for their value, its help in whole paragraphs and lines of examples."""
    if command is not None:
        _plain_flags(command.get_params(ctx))
        parts = (command.help or "").split("\n\n")
        command.help = "\n\n".join(part if "  scoreproof " in part else " ".join(part.split()) for part in parts)
    return command


def _plain_flags(parameters: Any) -> Any:
    for parameter in parameters:
        if getattr(parameter, "is_flag", False):
            parameter.metavar = ""
        elif parameter.param_type_name == "argument":
            parameter.display_type_rich = lambda ctx: None  # beside its name, typer would show Python's type
        if parameter.name == "help":
            parameter.rich_help_panel = OUTPUT
    return parameters


app = typer.Typer(
    cls=_Commands,
    name="scoreproof",
    help="Could this experiment have produced these numbers? Decides, with proof, about published results.",
    epilog="Exit status: 0 consistent or valid, 1 inconsistent or invalid, 2 wrong usage or unreadable input, "
    "3 undecided or a question, 4 a fault of scoreproof's own, which says nothing about the report "
    f"({_DEBUG}=1 shows the traceback).",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

# The module of each command, so that only the one asked for is loaded.
_COMMANDS = {
    command: module
    for module, commands in {
        "audit": "audit init",
        "batch": "batch",
        "check": "check verify scores",
        "claim": "claim",
        "power": "power",
        "inference": "reconstruct reinterpret",
        "serve": "serve mcp",
        "metrics": "metrics selfcheck",
        "compare": "compare recommend plan",
        "sota": "sota",
        "listings": "tables catalog",
    }.items()
    for command in commands.split()
}


def _version(wanted: bool) -> None:
    if wanted:
        from scoreproof import __version__

        typer.echo(f"scoreproof {__version__}")
        raise typer.Exit


@app.callback()
def _top(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", callback=_version, is_eager=True)
    ] = False,
    allow: Annotated[
        list[str] | None,
        typer.Option(
            "--allow", help="Raise a limit on what is read, such as cells=1000000 (repeatable).", metavar="NAME=NUMBER"
        ),
    ] = None,
) -> None:
    """What the command line takes before a command."""
    if allow:
        from scoreproof.cli.output import assignments

        adopt(changed(assignments(allow, "--allow")))


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; every mistake of the user's ends in one clear line and status 2.

    A crash has a status of its own: Python would end with 1, which here means "inconsistent" and accuses someone.
    """
    given = sys.argv[1:] if arguments is None else arguments
    named = next((word for word in given if word in _COMMANDS), None)
    wanted = [_COMMANDS[named]] if named is not None else list(dict.fromkeys(_COMMANDS.values()))
    try:
        for name in wanted:
            importlib.import_module(f"scoreproof.cli.{name}")
        app(args=arguments)
    except SystemExit as ended:
        if isinstance(ended.__context__, BrokenPipeError):  # typer ends with 1 where nobody reads on
            sys.exit(EXIT_USAGE)
        raise
    except ScoreproofError as error:
        fail(str(error))
        sys.exit(EXIT_USAGE)
    except OSError as error:
        fail(f"{error.filename or 'file'}: {error.strerror or error}")
        sys.exit(EXIT_USAGE)
    except Exception as error:
        if os.environ.get(_DEBUG):
            traceback.print_exc()
        fail(
            f"{fault(error)}; {_DEBUG}=1 shows the traceback, which belongs into a bug report together with the command"
        )
        sys.exit(EXIT_FAULT)


def where(processes: int | None, cluster: str | None, *, otherwise: int | None) -> Any:
    """Where the work is done: so many processes, or a cluster; not both."""
    if processes is not None and cluster is not None:
        raise InvalidOption(
            "--cluster: the work is done there or in processes here (--jobs, --workers); give one of them"
        )
    return cluster if cluster is not None else otherwise if processes is None else processes


def option(words: str = "", *names: str, **more: Any) -> Any:
    """An option, described first; its own names only where the parameter's would not do."""
    return typer.Option(*names, help=words, **more)


CLASSES = "Cases of every class, of several that exclude each other: 50,70,30, or cat=50,dog=70."
Classes = Annotated[str | None, option(CLASSES, "--classes")]
OUTPUT = "Output"
AsJson = Annotated[bool, option("One JSON document on standard output.", "--json", rich_help_panel=OUTPUT)]
Certificate = Annotated[
    Path | None,
    option("Write the proof of an inconsistency to this file.", metavar="FILE", rich_help_panel=OUTPUT),
]
DecimalComma = Annotated[bool, option("Read 0,912 as 0.912.", "--decimal-comma")]
Plot = Annotated[
    Path | None, option("Draw the figure to this file (.png, .svg, .pdf).", metavar="FILE", rich_help_panel=OUTPUT)
]
Html = Annotated[Path | None, option("Write a page of its own to this file.", metavar="FILE", rich_help_panel=OUTPUT)]


def says(words: str, default: Any = None, *names: str, **more: Any) -> Any:
    """An option of a group: what it says, its default, its own names where the field's would not do."""
    return field(default=default, metadata={"option": typer.Option(*names, help=words, **more)})


@dataclass(frozen=True, slots=True)
class ExperimentOptions:
    """The experiment."""

    p: int | None = says("Positives in the test set, as stated.")
    n: int | None = says("Negatives in the test set, as stated.")
    folds: int | None = says("Cross-validation in so many folds of --p and --n, or of --regression.")
    repeats: int = says("How often the cross-validation was repeated.", 1)
    unstratified: bool = says("Folds of equal size whose class counts are unknown.", False)
    fold: list[str] | None = says("Positives and negatives of one fold.", metavar="P,N")
    aggregation: str | None = says("mean_of_scores (default for folds), score_of_means, or unknown (both are tried).")
    experiment_file: Path | None = says(
        "The experiment as a JSON or YAML file, or catalog:NAME,... of a known one.", None, "--experiment"
    )

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
_REPEATED = (Notation.SEVERAL, Notation.PAIRS, Notation.PER_SCORE, Notation.NAMED, Notation.NAMED_SEVERAL)
_TYPES = {int: "INTEGER", float: "NUMBER"}
_CONVENTIONS = "How values came about"


class Only:
    """Which conventions a command takes: ``Annotated[Conventions, Only("rounding", "eps")]``."""

    def __init__(self, *names: str) -> None:
        self.names = names


def parameter_of(setting: Setting, *, argument: bool = False, panel: str | None = None) -> inspect.Parameter:
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
        flags = f"--{named}/--no-{named}" if default else f"--{named}"
        shown = option(setting.doc, flags, rich_help_panel=panel)
    else:
        words = f"{setting.doc} (repeatable)" if setting.form in _REPEATED else setting.doc
        metavar = _METAVARS.get(setting.form, _TYPES.get(setting.part, "TEXT"))
        shown = option(words, f"--{named}", metavar=metavar, rich_help_panel=panel)
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
    spread = [option.replace(kind=inspect.Parameter.KEYWORD_ONLY) for option in spread]

    @wraps(command)
    def call(**given: Any) -> None:
        made = {
            name: make({parameter.name: given.pop(parameter.name) for parameter in parameters})
            for name, (parameters, make) in groups.items()
        }
        command(**made, **given)

    call.__signature__ = inspect.Signature(spread)  # type: ignore[attr-defined]
    call.__annotations__ = {option.name: option.annotation for option in spread}
    del call.__wrapped__  # whose signature has the groups
    return call


def _group(hint: Any) -> tuple[list[inspect.Parameter], Callable[[dict[str, Any]], Any]] | None:
    """The options of a group, and how its value is made of them; None for a parameter of its own."""
    if get_origin(hint) is Annotated and get_args(hint)[0] is Conventions:
        known = conventions(*hint.__metadata__[0].names)
        shown = [parameter_of(setting, panel=_CONVENTIONS) for setting in known.values()]
        return shown, lambda given: told(_stated(known, given))
    if not isinstance(hint, type) or not is_dataclass(hint):
        return None
    hints = get_type_hints(hint, include_extras=True)
    title = str(hint.__doc__).rstrip(".")
    parameters = [
        inspect.Parameter(
            of.name, inspect.Parameter.KEYWORD_ONLY, default=of.default, annotation=_shown(of, hints[of.name], title)
        )
        for of in fields(hint)
    ]
    return parameters, lambda given: hint(**given)


def _shown(of: Field[Any], hint: Any, title: str) -> Any:
    """The type of an option with how the command line shows it."""
    shown: OptionInfo = of.metadata["option"]
    shown.rich_help_panel = title
    if "list[" in str(hint):
        shown.help = f"{str(shown.help).rstrip('.')} (repeatable)."
    if not shown.param_decls and (hint is bool or len(of.name) == 1):
        shown.param_decls = (f"--{of.name.replace('_', '-')}",)
    if shown.metavar is None and "Path" in str(hint):
        shown.metavar = "FILE"
    return Annotated[hint, shown]


def _stated(known: Mapping[str, Setting], given: Mapping[str, Any]) -> dict[str, Any]:
    words = {name: value for name, value in given.items() if value is not None and value != []}
    return read_settings("options", known, words)
