"""What the parts of a finished batch say together: counts, sources, and the clearest refutations.

A short proof refutes a report at a glance, so those are the inconsistent rows with the shortest certificates.
"""

from __future__ import annotations

import heapq
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from scoreproof.batches.arrow import Table, arrow, texts
from scoreproof.batches.result import BatchResult, RefutedRow, SourceCount
from scoreproof.batches.running import from_bytes
from scoreproof.batches.settings import Settings
from scoreproof.batches.store import Store
from scoreproof.checking import Answer, Verdict
from scoreproof.kinds import kind_named, read_problem

_MOST_SOURCES = 50_000  # different ones, beyond which a histogram says nothing
_SOURCES = 200  # that are kept
_REFUTATIONS = 50  # inconsistent rows that are kept
_LONGEST = 200  # characters of a source or a reason
_MOST_REASONS = 1000  # why rows were not checked, that are told apart
_SHOWN_REASONS = 3

Candidate = tuple[
    int, int, str, str, str
]  # minus the length of its certificate, minus its row; source, certificate, finding


def summarised(settings: Settings, name: str, store: Store, notes: tuple[str, ...], rows_per_part: int) -> BatchResult:
    """The summary of all parts."""
    verdicts: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    sources: Counter[tuple[str, str]] | None = Counter() if settings.roles.source is not None else None
    clearest: list[Candidate] = []
    unread: dict[str, list[int]] = {}
    wanted = [settings.column(each) for each in ("row", "verdict", "kind", "certificate", "reason")]
    finding = settings.column("finding") if settings.explain else None
    columns = list(dict.fromkeys([*wanted, *filter(None, [settings.roles.source, finding])]))
    rows = 0
    for number in store.numbers():
        table = from_bytes(store.read(number), columns)
        rows += table.num_rows
        verdicts.update(dict(_counted(table, wanted[1])))
        kinds.update({kind: count for kind, count in _counted(table, wanted[2]) if kind})
        if sources is not None:
            _count_sources(table, str(settings.roles.source), wanted[1], sources)
            if len(sources) > _MOST_SOURCES:
                sources = None
                notes = (
                    *notes,
                    f"more than {_MOST_SOURCES:,} sources ({settings.roles.source}): not counted one by one",
                )
        _count_errors(table, wanted, unread)
        for candidate in _candidates(table, wanted, settings.roles.source, finding):
            heapq.heappush(clearest, candidate)
            if len(clearest) > _REFUTATIONS:
                heapq.heappop(clearest)
    ranked = _ranked(sources or Counter())
    return BatchResult(
        name,
        rows,
        dict(sorted(verdicts.items())),
        dict(sorted(kinds.items())),
        tuple(ranked[:_SOURCES]),
        max(0, len(ranked) - _SOURCES),
        _refutations(clearest),
        (*notes, *_error_notes(unread)),
        settings.prefix,
        rows_per_part,
    )


def _counted(table: Table, column: str) -> Iterator[tuple[str, int]]:
    for entry in table.column(column).value_counts().to_pylist():
        yield entry["values"] or "", entry["counts"]


def _ranked(counts: Counter[tuple[str, str]]) -> list[SourceCount]:
    """The sources, those with the most inconsistent rows first."""
    by_source: dict[str, dict[str, int]] = {}
    for (source, verdict), count in sorted(counts.items()):
        by_source.setdefault(source, {})[verdict] = count
    made = [SourceCount(source, verdicts) for source, verdicts in by_source.items()]
    return sorted(made, key=lambda each: (-each.verdicts.get("inconsistent", 0), -each.rows, each.source))


def _count_sources(table: Table, source: str, verdict: str, sources: Counter[tuple[str, str]]) -> None:
    grouped = (
        table.select([source, verdict]).group_by([source, verdict], use_threads=False).aggregate([([], "count_all")])
    )
    for entry in grouped.to_pylist():
        name = "" if entry[source] is None else str(entry[source])[:_LONGEST]
        sources[name, entry[verdict]] += entry["count_all"]


def _count_errors(table: Table, wanted: list[str], unread: dict[str, list[int]]) -> None:
    """Why rows were not checked: for each reason how many there are, and the first of them."""
    row, verdict, _, _, reason = wanted
    errors = _rows_with(table, verdict, "error").select([row, reason])
    for entry in errors.to_pylist():
        told = unread.get(entry[reason])
        if told is not None:
            told[0] += 1
        elif len(unread) < _MOST_REASONS:
            unread[entry[reason]] = [1, entry[row]]


def _rows_with(table: Table, column: str, text: str) -> Table:
    return table.filter(arrow().compute.equal(table.column(column), texts([text])[0]))


def _error_notes(unread: Mapping[str, list[int]]) -> Iterator[str]:
    """The commonest reasons, each with a row to look at."""
    commonest = sorted(unread.items(), key=lambda each: (-each[1][0], each[1][1]))
    for reason, (count, row) in commonest[:_SHOWN_REASONS]:
        rows = f"{count:,} rows were" if count > 1 else "1 row was"
        yield f"{rows} not checked (row {row:,}{', ...' if count > 1 else ''}): {reason[:_LONGEST]}"


def _candidates(table: Table, wanted: list[str], source: str | None, finding: str | None) -> Iterator[Candidate]:
    """The inconsistent rows of a part with the shortest certificates, and their findings where rows are explained."""
    pc = arrow().compute
    row, verdict, _, certificate, _ = wanted
    found = _rows_with(table, verdict, "inconsistent")
    sizes = pc.binary_length(found.column(certificate))
    shortest = pc.sort_indices(sizes)[:_REFUTATIONS]
    for entry in found.take(shortest).to_pylist():
        named = "" if source is None or entry[source] is None else str(entry[source])[:_LONGEST]
        words = "" if finding is None else entry[finding] or ""
        yield -len(entry[certificate]), -entry[row], named, entry[certificate], words


def _refutations(candidates: list[Candidate]) -> tuple[RefutedRow, ...]:
    """Those with the shortest proofs first."""
    ranked = sorted(candidates, key=lambda each: (-each[0], -each[1]))[:_REFUTATIONS]
    return tuple(_refutation(-row, source, json.loads(text), words) for _, row, source, text, words in ranked)


def _refutation(row: int, source: str, certificate: Mapping[str, Any], words: str) -> RefutedRow:
    problem = read_problem(certificate["kind"], certificate["statement"])
    kind = kind_named(problem.kind)
    answer: Answer[Any, Any] = Answer(
        problem, Verdict.INCONSISTENT, proof=certificate["proof"], reason=kind.because(problem)
    )
    printed = ", ".join(map(str, problem.claims))
    finding = words or answer.findings[0].headline
    return RefutedRow(row, source, printed, kind.subject(problem), finding, certificate["digest"])
