"""The commands, gathered; errors become one line and exit status 2.

Each module of this folder adds its command to ``app``; heavy parts of the package are imported inside the
commands that need them, so that ``scoreproof check`` starts quickly.
"""

from __future__ import annotations

import importlib
import os
import sys
from typing import Annotated

import typer

from scoreproof.cli.output import EXIT_USAGE, fail
from scoreproof.errors import ScoreproofError

app = typer.Typer(
    name="scoreproof",
    help="Could this experiment have produced these numbers? Decides, with proof, about published results.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

# The module of each command, so that only the one asked for is loaded.
_COMMANDS = {
    "audit": "audit",
    "init": "audit",
    "check": "check",
    "verify": "check",
    "scores": "check",
    "power": "power",
    "reconstruct": "reconstruct",
    "reinterpret": "reinterpret",
    "metrics": "metrics",
    "compare": "compare",
    "recommend": "recommend",
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
) -> None:
    """Exit status: 0 consistent or valid, 1 inconsistent or invalid, 2 wrong usage, 3 undecided."""


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; every mistake of the user's ends in one clear line and status 2."""
    given = sys.argv[1:] if arguments is None else arguments
    wanted = [_COMMANDS[given[0]]] if given and given[0] in _COMMANDS else list(dict.fromkeys(_COMMANDS.values()))
    for name in wanted:
        importlib.import_module(f"scoreproof.cli.{name}")
    try:
        app(args=arguments)
    except ScoreproofError as error:
        fail(str(error))
        sys.exit(EXIT_USAGE)
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(EXIT_USAGE)
        fail(f"{error.filename or 'file'}: {error.strerror or error}")
        sys.exit(EXIT_USAGE)
