"""From a specification to an ``AuditResult``: load, plan, run, put together."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, cast

from scoreproof._version import __version__
from scoreproof.catalog.benchmarks import stated_sizes
from scoreproof.documents import Tables, read_tables
from scoreproof.documents.readers.records import PandasFrame, is_frame
from scoreproof.errors import InvalidOption, ScoreproofError, fault
from scoreproof.limits import changed, require_within, within
from scoreproof.papers.collecting import Proposed, is_paper, propose, propose_tables, with_experiment
from scoreproof.papers.evidence import Key, ReadingEvidence, ReadTable, gather, weighed, with_unsaid
from scoreproof.papers.inside import macros_elsewhere, shared_sets
from scoreproof.papers.plan import TablePlan, plan
from scoreproof.papers.printed_in_text import reported_tests
from scoreproof.papers.readings import Readings
from scoreproof.papers.relations.findings import with_relations
from scoreproof.papers.result import AuditResult, ClaimResult, Outcome, Question, RowResult, TableResult
from scoreproof.papers.run import Hypothesis, Progress, Run, explain_table, run, with_explanations
from scoreproof.papers.specification.load import Specification, load
from scoreproof.papers.specification.model import PaperModel
from scoreproof.papers.task import Task
from scoreproof.papers.text_facts import facts
from scoreproof.papers.text_facts.facts import CaseCount, Portion, Sentence
from scoreproof.papers.text_facts.sizes import Extraction, size_tables
from scoreproof.validation import declared, random_seed, seconds, shown
from scoreproof.work.journal import Journal
from scoreproof.work.pool import Pool, gc_paused, pool_of

_ROWS_FOR_GUESSES = 4  # rows whose seconds all guesses of a paper have together
_LEAST_GUESS = 0.25  # seconds, however many rows there are
_CLAIMING = ("(", "[", "±", "+/-", "\\pm")
_SUMMARY = re.compile(r"\bp\b|p-?val|mcnemar|wilcoxon|delong|significan", re.IGNORECASE)


@declared
def audit(
    spec: str | Path | Mapping[str, Any] | Specification | Proposed | Tables | PandasFrame,
    experiment: Any = None,
    *,
    jobs: int | Pool | None = None,
    budget: float = 30.0,
    seed: int = 0,
    explain: bool | str = "auto",
    strength: bool | str = "auto",
    progress: Progress | None = None,
    resume: str | Path | None = None,
) -> AuditResult:
    """Audit the tables of a paper.

    ``spec`` is the path of a specification, its text, a mapping, or a loaded ``Specification``; or the path of a paper
    (what rests on sizes of its text is a question), a pandas data frame, or tables, with which ``experiment`` says what
    every row is of. Each row is decided under every reading of its experiment within ``budget`` seconds; rows with
    folds are spread over ``jobs`` processes (or a pool: a cluster's address, a Dask client).
    ``explain`` and ``strength`` say whether to ask why rows do not fit and how strong the test was (``"auto"``: for the
    first rows of a long paper). ``progress`` is called with the rows done, the rows in all and the last row's label.
    ``resume`` names a journal from which an interrupted run goes on; after Ctrl-C ``interrupted`` is true.

    >>> rows = "Method,Acc,NPV,F1\\nA,0.6801,0.9401,0.4004\\nB,0.6821,0.9401,0.4004"
    >>> result = audit({"experiments": {"test": {"tree": {"type": "testset", "p": 1000, "n": 6000}}},
    ...                 "tables": [{"experiment": "test", "text": rows}]}, explain=False)
    >>> print(result, [(row.label, str(row.outcome)) for row in result.rows()])
    audit: 1 row inconsistent, 1 row consistent [('A', 'inconsistent'), ('B', 'consistent')]
    """
    pool = None if jobs is None else pool_of(jobs)
    budget, seed = seconds(budget), random_seed(seed)
    for name, value in (("explain", explain), ("strength", strength)):
        if not isinstance(value, bool) and not (isinstance(value, str) and value == "auto"):
            raise InvalidOption(f"{name}: expected True, False or 'auto', got {shown(value)}")
    with gc_paused():
        given = _proposed(spec, experiment)
        specification = given.specification if given is not None else load(cast("str | Path | Specification", spec))
    with within(changed(specification.paper.limits)):
        with gc_paused():
            plans = plan(specification, given.documents if given is not None else None)
            count = sum(len(planned.reports) for planned in plans)
            require_within("audited_rows", count, specification.paper.title)
            tasks = [task for number, planned in enumerate(plans) for task in planned.tasks(number)]
        readings = Readings(specification)
        hypotheses = tuple(
            Hypothesis(name, model.label, readings.hypothesis(name), tuple(model.instead_of or ()))
            for name, model in specification.paper.hypotheses.items()
        )  # for one guess of a paper all rows together have what a few of known sizes may take
        guess = min(budget, max(_LEAST_GUESS, _ROWS_FOR_GUESSES * budget / max(1, count)))
        how = Run(budget, seed, explain, strength, hypotheses, None if given is None else guess)
        about = {"version": __version__}
        kept = nullcontext() if resume is None else Journal(resume, "audit", RowResult.from_dict, about=about)
        with kept as journal:
            rows, interrupted = run(tasks, how, pool=pool, journal=journal, progress=progress)
        how = replace(how, explain=how.explain and not interrupted)
        result = _judged(specification, given, plans, tasks, rows, how)
    return replace(result, interrupted=interrupted)


def _judged(
    spec: Specification,
    given: Proposed | None,
    plans: Sequence[TablePlan],
    tasks: Sequence[Task],
    rows: Sequence[RowResult],
    how: Run,
) -> AuditResult:
    """The rows as tables, with the claims of the paper and the relations between its numbers."""
    tables = tuple(_tables(plans, tasks, rows, how))
    paper, faults, claims = spec.paper, [] if given is None else [*given.documents.faults], tuple[ClaimResult, ...]()
    with _faults("claims", faults):  # the rows stand, whatever is wrong with the rest
        telling = [(table, each.meaning) for table, each in zip(tables, plans, strict=True) if _may_claim(table)]
        if paper.claims or telling:  # most papers have none, and what checks them is large
            from scoreproof.papers.claims import check_claims, found_claims

            claims = (*check_claims(paper.claims, tables), *found_claims(telling))
    with _faults("relations", faults, every=True), stated_sizes(_own_sizes(paper, tables)):
        tables = tuple(with_relations(tables))
        tables = tuple(with_explanations(table, how) for table in tables) if how.explain else tables
    with _faults("reported tests", faults, every=True):
        printed = [(table.name, table.table) for table in tables]
        claims += tuple(reported_tests(given.paragraphs, printed)) if given is not None else ()
    extracted = tuple(Extraction(quote.what, quote.sentence, quote.place, quote.used) for quote in paper.extracted)
    problems = () if given is None else given.problems
    return AuditResult(
        paper.title, paper.source, tables, claims, extracted=extracted, problems=problems, faults=tuple(faults)
    )


@contextmanager
def _faults(what: str, faults: list[str], *, every: bool = False) -> Iterator[None]:
    """What fails inside by a fault of ours (or for any reason) is told, and nothing else suffers."""
    try:
        yield
    except Exception as error:
        if isinstance(error, ScoreproofError) and not every:
            raise
        faults.append(f"{what}: {fault(error)}".removeprefix(": "))


def _own_sizes(paper: PaperModel, tables: Sequence[TableResult]) -> Iterator[tuple[str, int]]:
    """The sizes of test sets that the paper's tables of data and its sentences give, each with what names the data."""
    yield from size_tables([table.table for table in tables])
    for told in paper.extracted:
        for fact in facts(Sentence(told.sentence, told.place)):
            if isinstance(fact, CaseCount) and not fact.counts and fact.part is Portion.TEST:
                yield told.sentence, fact.total


def _proposed(spec: Any, experiment: Any) -> Proposed | None:
    """The specification of a paper, a frame or tables; None of what is a specification already."""
    if isinstance(spec, Mapping | Specification) and experiment is None:
        return None
    if is_frame(spec) or isinstance(spec, Tables):
        return propose_tables(spec if isinstance(spec, Tables) else read_tables(spec), experiment)
    made = spec if isinstance(spec, Proposed) else propose(spec) if is_paper(spec) else None
    if experiment is None:
        return made
    if made is None:
        raise InvalidOption("experiment: expected nothing beside a specification, which says it itself")
    return with_experiment(made, experiment)


def _tables(
    plans: Sequence[TablePlan], tasks: Sequence[Task], rows: Sequence[RowResult], how: Run
) -> Iterator[TableResult]:
    """The tables with their rows, weighed by all tables of the paper that have the same headings."""
    read: list[tuple[ReadTable, list[str]]] = []
    readings: dict[Key, ReadingEvidence] = {}
    start = 0
    for planned in plans:
        end = start + len(planned.reports)
        failed: list[str] = []  # rows that were not compared with each other accuse nobody
        table = ReadTable(tuple(rows[start:end]), planned.checks, planned.meaning)
        with _faults("", failed):
            checks = (*planned.checks, *shared_sets(tasks[start:end], table.rows, how.following))
            if planned.read_alone:
                others = (other.meaning for other in plans if other is not planned)
                checks += tuple(macros_elsewhere(planned.meaning, others))
                gather(table, readings)
            table = replace(table, checks=checks)
        read.append((table, failed))
        start = end
    for planned, (table, failed) in zip(plans, read, strict=True):
        judged = None
        with _faults("", failed):
            judged = None if failed else _table(planned, table, readings, how)
        if judged is None:
            row_of = partial(replace, outcome=Outcome.ERROR, error=failed[0], by_fault=True)
            errors = tuple(map(row_of, table.rows))
            judged = TableResult(planned.name, planned.table, errors, planned.meaning.tally)
        yield judged


def _table(planned: TablePlan, read: ReadTable, readings: Mapping[Key, ReadingEvidence], how: Run) -> TableResult:
    own, checks, questions = read.rows, read.checks, tuple[Question, ...]()
    if planned.read_alone:
        own, checks, questions = weighed(read, readings)
    own, unsaid = with_unsaid(own, planned.conventions)
    unread = tuple(cell.to_dict() for cell in planned.meaning.unread)
    table = planned.name, planned.table, own, planned.meaning.tally, planned.assumptions, unread, planned.untested
    why = explain_table(own, how) if how.explain else None
    return TableResult(*table, checks, _fits_all(own), why, planned.other_sizes, (*questions, *unsaid))


def _may_claim(table: TableResult) -> bool:
    """Whether there is anything to look at: most tables hold plain numbers and no summary."""
    printed = table.table
    summaries = [text for row in printed.header for text in row] + [row[0] for row in printed.body if row]
    texts = "\n".join(map("\n".join, printed.body))
    return bool(table.unread or _SUMMARY.search("\n".join(summaries))) or any(mark in texts for mark in _CLAIMING)


def _fits_all(rows: Sequence[RowResult]) -> tuple[str, ...]:
    """The readings every decided row is consistent with; none where a row was not tested."""
    decided = [row.fitting() for row in rows if row.readings]
    if not decided or any(row.outcome is Outcome.NOT_TESTED for row in rows):
        return ()
    shared = set(decided[0]).intersection(*decided)
    return tuple(label for label in decided[0] if label in shared)
