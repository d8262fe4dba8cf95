"""Which rows of a chunk are decided by one look: their printed rates name a confusion matrix that gives every score.

Columns are encoded first, so that each different text is read once, by the same reader as in ``check``.
"""

from __future__ import annotations

import pickle
import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from scoreproof.arrays import Ints
from scoreproof.batches.arrow import Table, arrow
from scoreproof.batches.frame import Chunk
from scoreproof.batches.row import is_blank
from scoreproof.batches.settings import Settings
from scoreproof.errors import ScoreproofError
from scoreproof.kinds.binary.experiment import TestSet
from scoreproof.kinds.binary.many import Numbers, Texts, named_matrices, numbers_of
from scoreproof.kinds.binary.scores import Score
from scoreproof.reported import read_scores
from scoreproof.reported.claim import restrict

_COUNT = re.compile("[0-9]{1,9}")
_READ = ("rounding", "eps", "digits", "beta", "decimal_comma")  # the options that say how a text is read
_BESIDE = ("undefined",)  # those that matter only where a score is 0/0, which is not looked at here
Cells = tuple[int, int, int, int]


def first_look(settings: Settings, chunk: Chunk) -> Iterator[tuple[int, Cells]]:
    """The places of rows that have a named matrix, each with its cells."""
    if not set(settings.options) <= {*_READ, *_BESIDE}:
        return
    counts = _counts(settings, chunk.table)
    if counts is None:
        return
    scores = {column: _texts(settings, chunk.table, column, name) for column, name in settings.roles.scores.items()}
    found = named_matrices(*counts, scores)
    places = np.flatnonzero(found.fits)
    cells = (array[places].tolist() for array in (found.tp, found.fp, found.fn, found.tn))
    yield from zip(places.tolist(), zip(*cells, strict=True), strict=True)


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


def _texts(settings: Settings, table: Table, column: str, name: str) -> Texts:
    values, codes = _encoded(table, column)
    options: dict[str, Any] = {
        option: restrict(value, {name: ""}, settings.options.get("beta"))
        for option, value in settings.options.items()
        if option in _READ
    }
    known = _KNOWN.setdefault(pickle.dumps((name, options)), {})
    if len(known) > _MOST_KNOWN:
        known.clear()
    # Decimal("0.90") equals Decimal("0.9"), but is another report
    keys = [value if isinstance(value, str) else (type(value), str(value)) for value in values]
    for key, value in zip(keys, values, strict=True):
        if key not in known:
            known[key] = "blank" if is_blank(value) else _claimed(name, value, options)
    claims = [known[key] for key in keys]
    blank = np.array([claim == "blank" for claim in claims] or [True])
    looked_at = [None if claim == "blank" or claim is None else claim[1] for claim in claims]
    score = next((claim[0] for claim in claims if claim is not None and claim != "blank"), None)
    return Texts(score, looked_at, np.where((codes < 0) | blank[np.maximum(codes, 0)], -1, codes))


# Tables print the same texts again and again: what each says, by score and options. None cannot be looked at.
_KNOWN: dict[bytes, dict[Any, Any]] = {}
_MOST_KNOWN = 100_000


def _claimed(name: str, value: Any, options: Mapping[str, Any]) -> tuple[Score, Numbers] | None:
    """The score of a text and what it says; None if only the check of the whole row can judge it."""
    try:
        claim = read_scores({name: value}, **options)[0]
    except ScoreproofError:
        return None
    numbers = numbers_of(claim)
    return None if numbers is None else (claim.score, numbers)


def _encoded(table: Table, column: str) -> tuple[list[Any], Ints]:
    """The different values of a column, and for each row which it has (-1: none)."""
    encoded = table.column(column).combine_chunks().dictionary_encode()
    if isinstance(encoded, arrow().ChunkedArray):
        encoded = encoded.combine_chunks() if encoded.num_chunks != 1 else encoded.chunk(0)
    codes = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
    return encoded.dictionary.to_pylist(), codes
