"""What the command line writes, and where, without what would steer a terminal; ``name=value`` arguments.

People get colours and tables on standard output. With ``--json`` standard output carries one JSON document and
nothing else; whatever is said to people then goes to standard error.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from typer import Exit

from scoreproof.errors import DuplicateScore, InvalidOption
from scoreproof.files import write_file
from scoreproof.results import Result, plain, word_table

if TYPE_CHECKING:
    from rich.table import Table

    from scoreproof.checking import Verification


class InertConsole(Console):
    """As its base; only the console's own control codes and styles reach the terminal."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=inert(segment.text))


def assignments(arguments: list[str], what: str) -> dict[str, str]:
    """``["acc=0.90"]`` as a mapping; clear errors for anything else."""
    pairs: dict[str, str] = {}
    for argument in arguments:
        name, equals, value = argument.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise InvalidOption(f"{what}: expected NAME=VALUE such as acc=0.90, got {argument!r}")
        if name in pairs:
            raise DuplicateScore(f"{what}: {name!r} is given twice")
        pairs[name.strip()] = value.strip()
    return pairs


EXIT_OK = 0
EXIT_NO = 1
EXIT_USAGE = 2
EXIT_UNDECIDED = 3
EXIT_FAULT = 4
EXIT_NOT_TESTED = 5
EXIT_INTERRUPTED = 130
STATUS = {
    "consistent": EXIT_OK,
    "inconsistent": EXIT_NO,
    "question": EXIT_UNDECIDED,
    "undecided": EXIT_UNDECIDED,
    "not tested": EXIT_NOT_TESTED,
}
_STEERING = re.compile(r"[\x7f-\x9f\u2028\u2029\ud800-\udfff]|(?<=##)\[")
_COMMAND = re.compile(r":(?=:)|##(?=\[)")  # what GitHub obeys in a line of a job's output
_LONGEST = 70  # characters of a cell that are shown


def console(*, stderr: bool = False) -> Console:
    """A terminal to print rich text to: lines end between words there; when piped, text is plain, lines are whole.

    Names and cells come from strangers: whatever is printed, no character of it steers the terminal.
    """

    return InertConsole(stderr=stderr, highlight=False, soft_wrap=not (sys.stderr if stderr else sys.stdout).isatty())


def new_table(*columns: str, right: Container[str] = (), title: str | None = None) -> Table:
    """A table as all commands show them; columns in ``right`` hold numbers."""
    table = word_table(title)
    for column in columns:
        table.add_column(column, justify="right" if column in right else "left", overflow="fold")
    return table


def escaped(text: str, longest: int | None = _LONGEST) -> str:
    """Text of strangers between marks of rich, cut where it is long."""
    from rich.markup import escape

    shown = plain(text)
    return escape(shown if longest is None or len(shown) <= longest else f"{shown[: longest - 1]}…")


def kept_proof(certificate: Path | None) -> str:
    """Where the proof of an inconsistency is, or how to keep it."""
    if certificate is None:
        return "Keep it with --certificate FILE; anyone can re-check it with: scoreproof verify FILE"
    return f"Certificate: {certificate} (re-check it with: scoreproof verify {certificate})"


def write_proof(certificate: Path | None, proof: Any) -> None:
    """Keep a proof, where there is one and a file was named for it."""
    if certificate is not None and proof is not None:
        write_file(certificate, json.dumps(proof) + "\n")


def show_verification(verification: Verification, document: Any | None) -> NoReturn:
    """Whether a certificate is valid, or a JSON document that says so; the end of the command."""
    if document is not None:
        emit_json(document)
    else:
        console().print("[bold green]valid[/]" if verification else "[bold red]not valid[/]")
        console().print(verification.words, markup=False)
    raise Exit(EXIT_OK if verification else EXIT_NO)


def numbers(what: str, text: str, kind: type, wanted: str) -> list[Any]:
    """Numbers with commas between them."""
    try:
        return [kind(part) for part in text.split(",")]
    except ValueError:
        raise InvalidOption(f"{what}: expected {wanted}; got {text!r}") from None


Progress = tuple[Callable[..., None] | None, Callable[[str], None]]


@contextmanager
def progress_bar(what: str, out: Console | None = None) -> Iterator[Progress]:
    """A bar on standard error that moves with the work, none when piped; and what prints a line to ``out`` above it."""
    shown = out or console(stderr=True)
    if not sys.stderr.isatty():
        yield None, lambda words: shown.print(words, markup=False)
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Bar(*columns, TextColumn("{task.description}"), console=console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)

        def moved(done: int, total: int, label: str = "") -> None:
            bar.update(task, completed=done, total=total, description=plain(label)[:40])

        def line(words: str) -> None:
            if shown.stderr or sys.stdout.isatty():
                bar.console.print(words, markup=False)  # above the bar, never beside it
            else:
                shown.print(words, markup=False)

        yield moved, line


def emit_json(document: Any) -> None:
    """One JSON document on standard output."""
    text = json.dumps(document, indent=2, ensure_ascii=False)
    # what JSON leaves as it is, but a terminal obeys or cannot write, as JSON escapes
    text = _STEERING.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
    sys.stdout.write(f"{text}\n")


def show(result: Result, *, as_json: bool, **more: Any) -> None:
    """The answer of a command: as results show themselves, or as JSON with what else is known."""
    if as_json:
        emit_json({**result.to_dict(), **more})
    else:
        console().print(result)


@contextmanager
def working(what: str, *, quiet: bool = False) -> Iterator[None]:
    """A sign of life on standard error while something may take long; nothing when piped."""
    if quiet or not sys.stderr.isatty():
        yield
        return
    with console(stderr=True).status(what):
        yield


def note(message: str) -> None:
    """A remark for people: one line on standard error."""
    sys.stderr.write(f"note: {shown_lines(message)}\n")


def fail(message: str) -> None:
    """An error for people on standard error."""
    sys.stderr.write(f"error: {shown_lines(message)}\n")


def shown_lines(text: str) -> str:
    """Text that may hold names from documents: nothing in it steers the terminal, and it can be written."""
    return inert(text).encode("utf-8", "replace").decode("utf-8")


def inert(text: str) -> str:
    """Text of strangers, of which nothing steers the terminal, or is a command to GitHub that runs this."""
    shown = "\n".join(plain(line) for line in text.split("\n"))
    return _COMMAND.sub(r"\g<0> ", shown) if "GITHUB_ACTIONS" in os.environ else shown
