"""A chunk of rows decided: one look at all of them, then the engine for those that are left.

The look finds witnesses for most and has the rest as problems. Columns are encoded first, so that each different text
is read once, by the same reader as in ``check``. Printed rates name a confusion matrix; if it gives every score, it is
the witness. What is left is a problem made of claims that are read already.

The rows that are not decided in less time than sending them takes (folds, unknown classes) are left open: each of them
is a task of its own. Whatever is wrong with a row is its own reason and does not stop the others.
"""

from __future__ import annotations

import json
import pickle
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from scoreproof.arrays import Ints
from scoreproof.batches.frame import Chunk, Table, arrow, codes_of, whole_numbers
from scoreproof.batches.row import as_score, experiment_in, is_blank, scores_in
from scoreproof.batches.settings import Settings, over_classes
from scoreproof.checking import Answer, Verdict, ask, certificate_text, with_conventions
from scoreproof.errors import ScoreproofError
from scoreproof.jsonable import Jsonable
from scoreproof.kinds import kind_named, kind_of
from scoreproof.kinds.binary.experiment import TestSet
from scoreproof.kinds.binary.presolve_batch import (
    Numbers,
    ReportBatch,
    Texts,
    numbers_of,
    presolve_matrices,
)
from scoreproof.kinds.binary.problem import BinaryProblem
from scoreproof.kinds.kind import Kind, Problem
from scoreproof.reported import Claim, read_scores
from scoreproof.reported.claim import restrict
from scoreproof.reported.conventions import Undefined
from scoreproof.validation import chosen
from scoreproof.work.budget import Budget

Row = Mapping[str, Any]
_EXPLAINED = 1.0  # seconds at most for the explanation of a row
_ONLY_AVERAGES = (
    "only averages over classes are reported, and p and n may be one class against the rest; a column counts says that "
    "they are all classes: 100,900"
)


@dataclass(frozen=True, slots=True)
class RowAnswer(Jsonable):
    """What is written about a row: the columns that are added to it, all of them texts but the strength."""

    verdict: str
    reason: str = ""
    kind: str = ""
    notes: str = ""
    witness: str = ""
    strength: float | None = None
    finding: str = ""
    proof: str = ""
    certificate: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The columns by name: JSON's own types already, and there may be a million of them."""
        return {name: getattr(self, name) for name in RowAnswer.__slots__}


def decide_chunk(settings: Settings, chunk: Chunk) -> list[RowAnswer | None]:
    """The answers on all rows of a chunk; None for those that are tasks of their own."""
    answers: list[RowAnswer | None] = [None] * chunk.table.num_rows
    if settings.folder:
        return answers
    for place, flaw in chunk.flaws.items():
        answers[place] = RowAnswer("error", flaw)
    if not settings.strength:
        _decide_by_look(settings, first_look(settings, chunk), answers)
    left = [place for place, answer in enumerate(answers) if answer is None]
    costly = Costly()
    for place, row in zip(left, rows_at(chunk, left), strict=True):
        answers[place] = decide_row(settings, row, costly)
    return answers


def _decide_by_look(settings: Settings, look: FirstLook, answers: list[RowAnswer | None]) -> None:
    """Answer the rows that the look read: by its witnesses, and by asking the problems that are left."""
    for place, (tp, fp, fn, tn) in look.witnesses:
        if answers[place] is None:
            cells = f'{{"tp": {tp}, "fp": {fp}, "fn": {fn}, "tn": {tn}}}'
            answers[place] = RowAnswer("consistent", kind="binary", witness=f'{{"matrices": [{cells}]}}')
    for place, answer in enumerate(answers):
        if answer is None:
            problem = look.problem(place)
            if problem is not None:
                answers[place] = _answered(settings, problem)


def rows_at(chunk: Chunk, places: Sequence[int]) -> list[Row]:
    """Some rows of a chunk as mappings from columns to cells."""
    return chunk.table.take(whole_numbers(places)).to_pylist() if places else []


class Costly:
    """The experiments met so far whose reports are costly: of those no problem need be posed to know it."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, str], Any] = {}  # rows of one study share their experiment

    def __contains__(self, asked: RowQuestion) -> bool:
        return (id(asked.experiment), asked.kind.name) in self._known

    def add(self, asked: RowQuestion) -> None:
        self._known[id(asked.experiment), asked.kind.name] = asked.experiment


def decide_row(settings: Settings, row: Row, costly: Costly | None = None) -> RowAnswer | None:
    """The answer on one row; None if it is costly and those are collected instead."""
    try:
        if settings.folder:
            from scoreproof.batches.other_frames import COLUMN, decide_document

            return decide_document(settings.folder, row[COLUMN], settings.budget, settings.seed)
        asked = asked_by(settings, row)
        if asked is None:
            only = any(not is_blank(row[column]) for column in settings.roles.scores)
            return RowAnswer("not tested", _ONLY_AVERAGES if only else "no score is reported")
        if costly is not None and asked in costly:
            return None
        problem = asked.problem(settings)
        if costly is not None and not kind_named(problem.kind).quick(problem):
            costly.add(asked)
            return None
    except Exception as error:
        return _failed(error)
    return _answered(settings, problem)


def _answered(settings: Settings, problem: Problem) -> RowAnswer:
    try:
        deadline = Budget(settings.budget)
        answer = with_conventions(ask(problem, budget=deadline, seed=settings.seed), settings.how, deadline)
        return _written(answer, settings)
    except Exception as error:
        return _failed(error)


def _finding(answer: Answer[Any, Any], settings: Settings) -> str:
    """What does not fit in a row, if that is to be explained: the sentence of its finding and the nearest repair."""
    if not settings.explain or not answer.verdict.impossible:
        return ""
    finding = answer.explain(budget=min(_EXPLAINED, settings.budget)).findings[0]
    return ". Not proved, but possible: ".join(filter(None, (finding.headline, finding.repair)))


def _failed(error: Exception) -> RowAnswer:
    """One row must not stop the others, whatever is wrong with it."""
    expected = isinstance(error, ScoreproofError)
    return RowAnswer("error", str(error) if expected else f"unexpected {type(error).__name__}: {error}")


@dataclass(frozen=True, slots=True)
class RowQuestion:
    """What a row asks: an experiment, the scores it is said to have given, and the kind of report that this is."""

    experiment: Any
    scores: Mapping[str, Any]
    kind: Kind[Any, Any]

    def problem(self, settings: Settings) -> Problem:
        """The problem as ``check`` would pose it."""
        options = {
            name: of_these(value, self.scores, settings.options)
            for name, value in settings.options.items()
            if name != "strict"
        }
        problem: Problem = self.kind.problem(self.experiment, self.scores, **options)
        return problem


def asked_by(settings: Settings, row: Row) -> RowQuestion | None:
    """What a row asks; None without a score that can be asked of its experiment."""
    scores = scores_in(row, settings.roles, settings.options.get("digits"))
    if not scores:
        return None
    experiment = settings.experiment if settings.experiment is not None else experiment_in(row, settings.roles)
    if experiment.kind == "binary":
        scores = {name: value for name, value in scores.items() if not over_classes(name)}
    return RowQuestion(experiment, scores, kind_of(experiment, scores)) if scores else None


def of_these(option: Any, scores: Mapping[str, Any], options: Mapping[str, Any]) -> Any:
    """An option, less what it says of scores that this row does not report."""
    return restrict(option, scores, options.get("beta")) if isinstance(option, Mapping) else option


def _written(answer: Answer[Any, Any], settings: Settings) -> RowAnswer:
    """An answer as columns; the id of a proof is the digest of its certificate."""
    proof, certificate = "", ""
    if answer.proof is not None:
        problem = answer.problem
        proof, certificate = certificate_text(problem.kind, problem.to_dict(), answer.proof, answer.version)
    graded = settings.strength and answer.witness is not None and answer.problem.kind == "binary"
    return RowAnswer(
        str(answer.verdict),
        answer.condition if answer.verdict is Verdict.QUESTION else answer.reason,
        answer.problem.kind,
        "; ".join(answer.notes),
        "" if answer.witness is None else json.dumps(answer.witness.to_dict()),
        answer.strength.fraction if graded else None,
        _finding(answer, settings),
        proof,
        certificate,
    )


_COUNT = re.compile("[0-9]{1,9}")
_READ = ("rounding", "eps", "digits", "beta", "decimal_comma")  # the options that say how a text is read
_BESIDE = ("undefined",)  # those that matter only where a score is 0/0, which is not looked at here
Cells = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class FirstLook:
    """What the look says: rows with a named matrix, by their places, and the problems that the others pose."""

    witnesses: Sequence[tuple[int, Cells]] = ()
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
    undefined = chosen("undefined", settings.options.get("undefined", Undefined.ANY), Undefined)
    columns = [_column(settings, chunk.table, column, name) for column, name in settings.roles.scores.items()]
    reports = ReportBatch.of(*counts, [column.texts for column in columns])
    fits, named = presolve_matrices(reports)
    places = np.flatnonzero(fits)
    cells = (array[places].tolist() for array in named)
    return FirstLook(
        list(zip(places.tolist(), zip(*cells, strict=True), strict=True)),
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
    entries = [known[key] for key in keys]
    blank = np.array([each is _BLANK for each in entries] or [True])
    score = next((each.claim.score for each in entries if each.numbers is not None and each.claim is not None), None)
    texts = Texts(
        score, [each.numbers for each in entries], np.where((codes < 0) | blank[np.maximum(codes, 0)], -1, codes)
    )
    return _Column(texts, [each.claim for each in entries])


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
