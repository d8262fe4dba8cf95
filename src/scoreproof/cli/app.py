"""The commands, gathered; mistakes of the user's become one line and exit status 2, faults of ours status 4.

Each module of this folder adds its command to ``app``; heavy parts of the package are imported inside the
commands that need them, so that ``scoreproof check`` starts quickly.
"""

from __future__ import annotations

import importlib
import os
import sys
import traceback
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from scoreproof.cli.options import OUTPUT
from scoreproof.cli.output import EXIT_FAULT, EXIT_USAGE, fail
from scoreproof.errors import ScoreproofError, fault
from scoreproof.limits import adopt, changed

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
    "audit": "audit",
    "batch": "batch",
    "init": "audit",
    "check": "check",
    "claim": "claim",
    "verify": "check",
    "scores": "check",
    "power": "power",
    "reconstruct": "inference",
    "reinterpret": "inference",
    "mcp": "serve",
    "metrics": "metrics",
    "selfcheck": "metrics",
    "compare": "compare",
    "recommend": "compare",
    "plan": "compare",
    "serve": "serve",
    "sota": "sota",
    "tables": "tables",
    "catalog": "catalog",
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
