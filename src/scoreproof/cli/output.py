"""What the command line writes, and where.

People get colours and tables on standard output. With ``--json`` standard output carries one JSON document and
nothing else; whatever is said to people then goes to standard error.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

EXIT_OK = 0
EXIT_NO = 1
EXIT_USAGE = 2
EXIT_UNDECIDED = 3
EXIT_FAULT = 4


def console(*, stderr: bool = False) -> Console:
    """A terminal to print rich text to: lines end between words there; when piped, text is plain, lines are whole."""
    from rich.console import Console

    return Console(stderr=stderr, highlight=False, soft_wrap=not (sys.stderr if stderr else sys.stdout).isatty())


def emit_json(document: Any) -> None:
    """One JSON document on standard output."""
    json.dump(document, sys.stdout, indent=2, ensure_ascii=False)
    sys.stdout.write("\n")


@contextmanager
def working(what: str, *, quiet: bool = False) -> Iterator[None]:
    """A sign of life on standard error while something may take long; nothing when piped."""
    if quiet or not sys.stderr.isatty():
        yield
        return
    with console(stderr=True).status(what):
        yield


def fail(message: str) -> None:
    """An error for people: one line on standard error."""
    sys.stderr.write(f"error: {message}\n")
