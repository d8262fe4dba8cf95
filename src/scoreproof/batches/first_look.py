"""One look at all rows of a chunk: witnesses for most, proofs for many of the others, and the rest as problems.

Columns are encoded first, so that each different text is read once, by the same reader as in ``check``. Printed rates
name a confusion matrix; if it gives every score, that is the witness. If no matrix near it does, that is a proof, which
counts once the verifier accepts it. What is left is a problem made of claims that are read already.
"""

from __future__ import annotations

import pickle
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from scoreproof.arrays import Ints
from scoreproof.batches.arrow import Table, arrow, codes_of
from scoreproof.batches.frame import Chunk
from scoreproof.batches.row import as_score, is_blank
from scoreproof.batches.settings import Settings
from scoreproof.errors import ScoreproofError
from scoreproof.kinds import kind_of
from scoreproof.kinds.binary.engine.rectangles import filler
from scoreproof.kinds.binary.experiment import TestSet
from scoreproof.kinds.binary.presolve_batch import (
    Numbers,
    ReportBatch,
    Texts,
    numbers_of,
    presolve_boxes,
    presolve_matrices,
)
from scoreproof.kinds.binary.problem import BinaryProblem
from scoreproof.reported import Claim, read_scores
from scoreproof.reported.claim import restrict
from scoreproof.reported.conventions import Undefined, choice

_COUNT = re.compile("[0-9]{1,9}")
_READ = ("rounding", "eps", "digits", "beta", "decimal_comma")  # the options that say how a text is read
_BESIDE = ("undefined",)  # those that matter only where a score is 0/0, which is not looked at here
Cells = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class FirstLook:
    """What the look says: rows with a named matrix, and rows with a proof that nothing fits, by their places."""

    witnesses: Sequence[tuple[int, Cells]] = ()
    proofs: Mapping[int, dict[str, Any]] = field(default_factory=dict)
    _read: _Read | None = None

    def problem(self, place: int) -> BinaryProblem | None:
        """The problem a row poses, as ``check`` would pose it; None if the row is to be read on its own."""
        return None if self._read is None else self._read.problem(place)


@dataclass(frozen=True, slots=True)
class _Read:
    """Rows as they were read: counts (0: not plain), and of every score its different claims and which a row makes."""

    counts: tuple[list[int], list[int]]
    scores: Sequence[tuple[Sequence[Claim | None], list[int]]]
    undefined: Undefined

    def problem(self, place: int) -> BinaryProblem | None:
        p, n = self.counts[0][place], self.counts[1][place]
        if not (p and n):
            return None
        claims = []
        for different, codes in self.scores:
            code = codes[place]
            if code >= 0:
                claim = different[code]
                if claim is None:
                    return None
                claims.append(claim)
        return BinaryProblem(TestSet(p, n), tuple(claims), self.undefined) if claims else None


def first_look(settings: Settings, chunk: Chunk) -> FirstLook:
    """The look at a chunk; nothing where options speak of other experiments."""
    if not set(settings.options) <= {*_READ, *_BESIDE}:
        return FirstLook()
    counts = _counts(settings, chunk.table)
    if counts is None:
        return FirstLook()
    undefined = choice(Undefined, "undefined", settings.options.get("undefined", Undefined.ANY))
    columns = [_column(settings, chunk.table, column, name) for column, name in settings.roles.scores.items()]
    reports = ReportBatch.of(*counts, [column.texts for column in columns])
    named = presolve_matrices(reports)
    places = np.flatnonzero(named.fits)
    cells = (array[places].tolist() for array in (named.tp, named.fp, named.fn, named.tn))
    return FirstLook(
        list(zip(places.tolist(), zip(*cells, strict=True), strict=True)),
        dict(presolve_boxes(reports, ~named.fits, filler(undefined))),
        _Read(
            (counts[0].tolist(), counts[1].tolist()),
            [(column.claims, column.texts.codes.tolist()) for column in columns],
            undefined,
        ),
    )


def _counts(settings: Settings, table: Table) -> tuple[Ints, Ints] | None:
    """Positives and negatives of every row that is a test set, zero for the others; None if no row is."""
    size = table.num_rows
    if settings.experiment is not None:
        if not isinstance(settings.experiment, TestSet):
            return None
        return np.full(size, settings.experiment.p, np.int64), np.full(size, settings.experiment.n, np.int64)
    roles = settings.roles
    by_word = {word: column for column, word in roles.settings.items()}
    if not {"p", "n"} <= set(by_word):
        return None
    others = [column for word, column in by_word.items() if word not in ("p", "n")]
    others += [column for column in (roles.kind, roles.experiment) if column is not None]
    plain = np.ones(size, dtype=np.bool_)
    for column in others:
        values, codes = _encoded(table, column)
        blank = np.array([is_blank(value) for value in values] or [True])
        plain &= blank[np.maximum(codes, 0)] | (codes < 0)
    counts = []
    for word in ("p", "n"):
        values, codes = _encoded(table, by_word[word])
        whole = np.array([_count(value) for value in values] or [0], dtype=np.int64)
        counts.append(np.where(plain & (codes >= 0), whole[np.maximum(codes, 0)], 0))
    return counts[0], counts[1]


def _count(value: Any) -> int:
    """A count that is written plainly; zero if it is to be read one by one."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value if 0 < value < 10**9 else 0
    return int(value) if isinstance(value, str) and _COUNT.fullmatch(value) else 0


@dataclass(frozen=True, slots=True)
class _Column:
    """A column of scores: its texts as numbers, and the claims they were read as (None: only a whole row tells)."""

    texts: Texts
    claims: Sequence[Claim | None]


def _column(settings: Settings, table: Table, column: str, name: str) -> _Column:
    values, codes = _encoded(table, column)
    options: dict[str, Any] = {
        option: restrict(value, {name: ""}, settings.options.get("beta"))
        for option, value in settings.options.items()
        if option in _READ
    }
    known = _KNOWN.setdefault(pickle.dumps((name, options, settings.roles.percent.get(column))), {})
    if len(known) > _MOST_KNOWN:
        known.clear()
    # Decimal("0.90") equals Decimal("0.9"), but is another report
    keys = [value if isinstance(value, str) else (type(value), str(value)) for value in values]
    binary = kind_of(_ANY, [name]).name == _ANY.kind
    for key, value in zip(keys, values, strict=True):
        if key not in known:
            known[key] = _BLANK if is_blank(value) else _UNREAD
            if binary and not is_blank(value):
                with suppress(ScoreproofError):
                    known[key] = _claimed(name, as_score(value, column, settings.roles, options.get("digits")), options)
    said = [known[key] for key in keys]
    blank = np.array([each is _BLANK for each in said] or [True])
    score = next((each.claim.score for each in said if each.numbers is not None and each.claim is not None), None)
    texts = Texts(
        score, [each.numbers for each in said], np.where((codes < 0) | blank[np.maximum(codes, 0)], -1, codes)
    )
    return _Column(texts, [each.claim for each in said])


class _Said(NamedTuple):
    """What a text says: a claim, unless only a check of the whole row can judge it; its numbers, if they are small."""

    claim: Claim | None = None
    numbers: Numbers | None = None


# Tables print the same texts again and again: what each says, by score and options.
_KNOWN: dict[bytes, dict[Any, _Said]] = {}
_MOST_KNOWN = 100_000
_BLANK, _UNREAD = _Said(), _Said()
_ANY = TestSet(1, 1)


def _claimed(name: str, value: Any, options: Mapping[str, Any]) -> _Said:
    claim = read_scores({name: value}, **options)[0]
    return _Said(claim, numbers_of(claim))


def _encoded(table: Table, column: str) -> tuple[list[Any], Ints]:
    """The different values of a column, and for each row which it has (-1: none)."""
    cells = table.column(column).combine_chunks()
    try:
        encoded = cells.dictionary_encode()
    except arrow().ArrowNotImplementedError:  # lists and objects: every cell is read on its own
        return cells.to_pylist(), np.arange(table.num_rows, dtype=np.int64)
    if isinstance(encoded, arrow().ChunkedArray):
        encoded = encoded.combine_chunks() if encoded.num_chunks != 1 else encoded.chunk(0)
    return encoded.dictionary.to_pylist(), codes_of(encoded.indices)
