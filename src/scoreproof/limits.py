"""How much is read and worked on before an input is refused: one value, with defaults that papers stay far below.

Papers, specifications and certificates come from strangers. Whoever reads one asks ``current()`` *before* the work;
what is beyond a limit ends in ``LimitExceeded``, which names the limit, what was found, and how to raise it. Limits
are raised for a stretch of a program with ``within``, on the command line with ``--allow NAME=NUMBER`` before the
command, and in a specification under ``limits``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from scoreproof.errors import InvalidOption, LimitExceeded

_BITS = 256  # of numbers that are surely within the limits
_SHOWN = 12  # digits of a number in a message
_WORDS = {
    "depth": "levels of nesting",
    "sets": "evaluation sets",
    "cell_characters": "characters in a cell",
    "memory": "megabytes of memory",
    "unpacked_megabytes": "megabytes when unpacked",
    "certificate_megabytes": "megabytes",
    "data_megabytes": "megabytes",
    "data_cells": "cells",
    "audited_rows": "rows to audit",
    "page_rows": "rows to answer about while you wait (a full report takes more)",
    "readings": "ways to read it",
}


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits; each is the most that is accepted.

    >>> Limits().cells, Limits(cells=10).cells
    (200000, 10)
    >>> Limits(cells=0)
    Traceback (most recent call last):
    ...
    scoreproof.errors.InvalidOption: limits: cells: expected a positive whole number, got '0'
    """

    #: megabytes of a document, a specification, a catalogue entry or a table file that is read
    megabytes: int = 50
    #: megabytes that a Word, Excel, OpenDocument or Parquet file unpacks to
    unpacked_megabytes: int = 150
    #: tables of one document; folds of predictions beside a paper
    tables: int = 1_000
    #: cells of all tables of a document, spans expanded; labels times folds of predictions
    cells: int = 200_000
    #: cells of the tables of a CSV or TSV file, which stand there one by one
    data_cells: int = 1_000_000
    #: rows of a batch
    rows: int = 20_000_000
    #: rows that one audit asks about; many reports of known experiments are a batch
    audited_rows: int = 20_000
    #: rows of all tables about which the page of ``serve`` answers while somebody waits; its reports have audited_rows
    page_rows: int = 2_000
    #: columns of one table, and columns that one cell may span
    columns: int = 2_000
    #: characters of one cell or caption
    cell_characters: int = 5_000
    #: levels of nesting: lists in YAML and JSON, tables in tables, groups in LaTeX, parts of an experiment
    depth: int = 40
    #: values of a YAML or JSON file
    values: int = 200_000
    #: digits of a number, before and after the point together; also the largest exponent
    digits: int = 100
    #: evaluation sets of an experiment: folds times repeats, parts
    sets: int = 100_000
    #: ways to read an experiment or a row of a table that leaves something open
    readings: int = 1_000
    #: megabytes of a file of predictions or scores of one's own
    data_megabytes: int = 500
    #: megabytes of a certificate
    certificate_megabytes: int = 64
    #: seconds that reading one document (of processor time), re-checking one certificate, or re-checking the claims of
    #: a paper, may take
    seconds: int = 12
    #: megabytes of memory of the process that reads a document
    memory: int = 700

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise InvalidOption(f"limits: {field.name}: expected a positive whole number, got {str(value)[:40]!r}")

    def to_dict(self) -> dict[str, int]:
        return asdict(self)


NAMES = tuple(field.name for field in fields(Limits))
DEFAULT = Limits()
_CURRENT: ContextVar[Limits] = ContextVar("limits", default=DEFAULT)


def current() -> Limits:
    """The limits that hold here."""
    return _CURRENT.get()


@contextmanager
def within(limits: Limits) -> Iterator[Limits]:
    """Other limits for what is done inside.

    >>> with within(Limits(cells=5)):
    ...     current().cells
    5
    """
    token = _CURRENT.set(limits)
    try:
        yield limits
    finally:
        _CURRENT.reset(token)


def adopt(limits: Limits) -> None:
    """Other limits from here on: for a process that does nothing else."""
    _CURRENT.set(limits)


def changed(given: Mapping[str, Any]) -> Limits:
    """The current limits with some of them replaced; texts of whole numbers are read.

    >>> changed({"cells": "500"}).cells
    500
    """
    made: dict[str, int] = {}
    for name, value in given.items():
        if name not in NAMES:
            raise InvalidOption(f"limits: there is none called {str(name)[:40]!r}; there are {', '.join(NAMES)}")
        text = str(value).replace("_", "").replace(",", "")
        if not (text.isascii() and text.isdigit() and len(text) <= 18):
            raise InvalidOption(f"limits: {name}: expected a positive whole number, got {str(value)[:40]!r}")
        made[name] = int(text)
    return replace(current(), **made)


def require_digits(number: int, where: str) -> None:
    """``LimitExceeded`` for a whole number of too many digits."""
    if number.bit_length() > _BITS and _length(number) > current().digits:
        raise exceeded("digits", _length(number), where)


def require_within(name: str, given: int, where: str, *, least: bool = False) -> None:
    """``LimitExceeded`` if more was found than the limit of this name; ``least`` says that there may be even more.

    >>> require_within("cells", 10**7, "paper.xlsx")
    Traceback (most recent call last):
    ...
    scoreproof.errors.LimitExceeded: paper.xlsx: 10,000,000 cells, at most 200,000 are read; raise the limit with \
--allow cells=10000000 before the command, limits: {cells: 10000000} in a specification, or Limits(cells=10000000)
    """
    if given > getattr(current(), name):
        raise exceeded(name, given, where, least=least)


def exceeded(name: str, given: int | None, where: str, *, least: bool = False) -> LimitExceeded:
    """The error for what is beyond a limit; without a number it is not known by how much."""
    most = getattr(current(), name)
    words = _WORDS.get(name, name)
    if given is None or given > 10**_SHOWN:
        more, count = "N", f"more than {most:,}" if given is None else f"a number of {_length(given)} digits of"
    else:
        more, count = str(given), f"{'at least ' * least}{given:,}"
    return LimitExceeded(
        f"{where}: {count} {words}, at most {most:,} are read; raise the limit with --allow {name}={more} before the "
        f"command, limits: {{{name}: {more}}} in a specification, or Limits({name}={more})"
    )


def _length(number: int) -> int:
    """About how many decimal digits a number has, without writing it out."""
    return int(number.bit_length() * 0.30103) + 1
