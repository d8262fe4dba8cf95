"""A chunk of rows decided: one look at all of them, then the engine for those that are left.

The rows that are not decided in less time than sending them takes (folds, unknown classes) are left open: each of them
is a task of its own. Whatever is wrong with a row is its own reason and does not stop the others.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoreproof.batches.arrow import whole_numbers
from scoreproof.batches.first_look import FirstLook, first_look
from scoreproof.batches.frame import Chunk
from scoreproof.batches.row import experiment_in, is_blank, scores_in
from scoreproof.batches.settings import Settings, over_classes
from scoreproof.checking import Answer, Verdict, ask, certificate_text, refuted_by, with_conventions
from scoreproof.errors import ScoreproofError
from scoreproof.jsonable import Jsonable
from scoreproof.kinds import kind_named, kind_of
from scoreproof.kinds.kind import Kind, Problem
from scoreproof.reported.claim import restrict
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
    """Answer the rows that the look read: by its witnesses, by its proofs, and by asking the problems that are left."""
    for place, (tp, fp, fn, tn) in look.witnesses:
        if answers[place] is None:
            cells = f'{{"tp": {tp}, "fp": {fp}, "fn": {fn}, "tn": {tn}}}'
            answers[place] = RowAnswer("consistent", kind="binary", witness=f'{{"matrices": [{cells}]}}')
    for place, answer in enumerate(answers):
        if answer is None:
            problem = look.problem(place)
            if problem is not None:
                answers[place] = _answered(settings, problem, look.proofs.get(place))


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


def _answered(settings: Settings, problem: Problem, proof: dict[str, Any] | None = None) -> RowAnswer:
    """The answer to a row's problem; a proof at hand is enough if the verifier accepts it."""
    try:
        refuted = None if proof is None else refuted_by(problem, proof, budget=settings.budget)
        if refuted is not None:
            reason, digest, certificate = refuted
            stated: Answer[Any, Any] = Answer(problem, Verdict.INCONSISTENT, proof=proof, reason=reason)
            answer = with_conventions(stated, settings.how, Budget(settings.budget))
            words = answer.condition if answer.verdict is Verdict.QUESTION else reason
            said = _finding(answer, settings)
            return RowAnswer(
                str(answer.verdict), words, problem.kind, finding=said, proof=digest, certificate=certificate
            )
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
