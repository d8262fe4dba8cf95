"""What can go wrong, in one tree.

    ScoreproofError
    ├── UnknownScore        a name the registry does not know (suggests the nearest)
    ├── DuplicateScore      one score given under two names
    ├── InvalidValue        the text of a number that cannot be read, or lies outside its score's range
    ├── InvalidExperiment   counts or a structure that describe no experiment
    │   └── NotCovered      an experiment that is well described, but that no engine decides
    ├── InvalidOption       an option out of its range, or two that contradict each other
    ├── InvalidCertificate  a document that is not a certificate at all
    ├── UnreadableInput     a file or text from which no table or entry can be read
    │   ├── NoTable         a document without a table; ``paragraphs`` are what else it says
    │   └── LimitExceeded   an input beyond one of the ``Limits``; also an InvalidValue and an InvalidExperiment, so
    │                       that who expects a bad value or experiment expects an outsized one
    ├── MissingExtra        a file format whose optional dependency is not installed
    └── WorkersDied         processes that were to do the work died again and again

Every message states the name, what was expected, what was got, and what to do about it. ``need`` imports an optional
dependency, with an error that names the extra to install.
"""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any

_MOST_WORDS = 300


def fault(error: Exception) -> str:
    """An error that nobody meant to raise, in one line: it stands in the place of what it stopped."""
    words = " ".join(str(error).split())
    short = words if len(words) <= _MOST_WORDS else f"{words[:_MOST_WORDS]} ..."
    kind = f"{type(error).__name__}: {short}" if short else type(error).__name__
    return f"internal error ({kind}). This is a fault of scoreproof and says nothing about the report"


class ScoreproofError(ValueError):
    """The base of every error this package raises on purpose."""


class UnknownScore(ScoreproofError):
    """A score name that is not registered."""


class DuplicateScore(ScoreproofError):
    """The same score was given under two names."""


class InvalidValue(ScoreproofError):
    """A reported value that cannot be read or is outside the range of its score."""


class InvalidExperiment(ScoreproofError):
    """Counts or a structure that describe no experiment."""


class NotCovered(InvalidExperiment):
    """An experiment that no engine decides, though it is well described."""


class InvalidOption(ScoreproofError):
    """An option outside its range, or two options that contradict each other."""


class InvalidCertificate(ScoreproofError):
    """A document that is not a scoreproof certificate."""


class UnreadableInput(ScoreproofError):
    """A file or a text that cannot be read as what it claims to be."""


class NoTable(UnreadableInput):
    """A document in which no table was found; its paragraphs, each with its place, may say something all the same."""

    def __init__(self, message: str, paragraphs: tuple[tuple[str, str], ...] = ()) -> None:
        super().__init__(message)
        self.paragraphs = paragraphs


class LimitExceeded(UnreadableInput, InvalidExperiment, InvalidValue):
    """An input larger than what is read; the message names the limit, what was found, and how to raise it."""


class MissingExtra(ScoreproofError):
    """An optional dependency is not installed; the message names the extra that brings it."""


class WorkersDied(ScoreproofError):
    """Processes or machines that were to do the work died, one after the other."""


def need(module: str, extra: str, what: str) -> Any:
    """The module, or an error that says which extra brings it.

    >>> need("no_such_module_anywhere", "pdf", "PDF files")
    Traceback (most recent call last):
    ...
    scoreproof.errors.MissingExtra: reading PDF files needs an optional part: pip install 'scoreproof[pdf]'
    """
    try:
        return importlib.import_module(module)
    except ImportError:
        raise _missing(extra, what) from None


def require_extra(module: str, extra: str, what: str) -> None:
    """The same error without importing the module: that is left to the process that needs it."""
    try:
        known = importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):
        known = False
    if not known:
        raise _missing(extra, what)


def _missing(extra: str, what: str) -> MissingExtra:
    return MissingExtra(f"reading {what} needs an optional part: pip install 'scoreproof[{extra}]'")
