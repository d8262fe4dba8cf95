"""What a batch gives: how many rows have which verdict, by source, the clearest refutations, the way to the rows.

A short proof refutes a report at a glance, so the clearest are the inconsistent rows with the shortest certificates.
"""

from __future__ import annotations

import heapq
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scoreproof.batches.frame import Table, arrow, from_bytes, texts
from scoreproof.batches.running import Store
from scoreproof.batches.settings import Settings
from scoreproof.checking import Answer, Certificate, Verdict
from scoreproof.errors import InvalidOption, UnreadableInput
from scoreproof.jsonable import Jsonable
from scoreproof.kinds import kind_named, read_problem
from scoreproof.results import SmallTable, Tabular, pandas
from scoreproof.validation import declared, shown, whole

if TYPE_CHECKING:
    from pandas import DataFrame


_ORDER = ("inconsistent", "question", "consistent", "undecided", "not tested", "error")
_WORDS = {"not tested": "without scores", "error": "not checked"}
_SHOWN = 5  # sources and refutations in a terminal


@dataclass(frozen=True, slots=True)
class SourceCount(Jsonable):
    """The verdicts on the rows of one source."""

    source: str
    verdicts: Mapping[str, int]

    @property
    def rows(self) -> int:
        return sum(self.verdicts.values())


@dataclass(frozen=True, slots=True)
class RefutedRow(Jsonable):
    """An inconsistent row: what was printed, of which experiment, and the sentence of its finding."""

    row: int
    source: str
    printed: str
    experiment: str
    finding: str
    proof: str


@dataclass(frozen=True, slots=True)
class BatchResult(Tabular):
    """The summary of a batch. ``folder`` holds the parts; without one they go with it.

    ``verdicts`` counts rows by verdict, ``kinds`` by kind; ``sources`` has the sources with the most inconsistent rows
    first; ``refutations`` the clearest inconsistent rows. ``decided_now`` of them were decided in this run.
    """

    input: str
    rows: int
    verdicts: Mapping[str, int]
    kinds: Mapping[str, int]
    sources: tuple[SourceCount, ...] = ()
    more_sources: int = 0
    refutations: tuple[RefutedRow, ...] = ()
    notes: tuple[str, ...] = ()
    prefix: str = ""
    rows_per_part: int = 0
    folder: str | None = field(default=None, compare=False)
    decided_now: int = field(default=0, compare=False)
    store: Store | None = field(default=None, compare=False, repr=False)

    _told = "input rows verdicts kinds sources more_sources refutations notes prefix rows_per_part verdict"

    @property
    def verdict(self) -> Verdict:
        """Inconsistent if some row is, else a question if some row is; consistent if all rows are, else undecided."""
        for verdict in (Verdict.INCONSISTENT, Verdict.QUESTION):
            if self.verdicts.get(verdict):
                return verdict
        return Verdict.CONSISTENT if set(self.verdicts) <= {"consistent"} else Verdict.UNDECIDED

    @declared
    def parts(self, columns: list[str] | None = None) -> Iterator[Table]:
        """The parts in order as Arrow tables, or some of their columns."""
        store = self._kept()
        return (from_bytes(store.read(number), columns) for number in store.numbers())

    @declared
    def table(self, columns: list[str] | None = None) -> Table:
        """All rows as one Arrow table."""
        return arrow().concat_tables(self.parts(columns))

    @declared
    def proof(self, row: int) -> Certificate:
        """The certificate of an inconsistent row, by its number from 1; ``scoreproof.verify`` re-checks it."""
        place = whole("row", row, at_least=1) - 1
        if place >= self.rows:
            raise InvalidOption(f"row: expected a row from 1 to {self.rows:,}, got {row:,}")
        number, inside = divmod(place, self.rows_per_part)
        names = [f"{self.prefix}{name}" for name in ("verdict", "certificate")]
        entry = from_bytes(self._kept().read(number), names).slice(inside, 1).to_pylist()[0]
        if not entry[names[1]]:
            raise InvalidOption(
                f"row {row:,} is {entry[names[0]]}: only rows that are impossible as stated have a proof"
            )
        certificate: Certificate = json.loads(entry[names[1]])
        return certificate

    def _kept(self) -> Store:
        if self.store is not None:
            return self.store
        if self.folder is None:
            raise InvalidOption("the rows of this batch are not kept; give a folder for them (out=...)")
        return Store(Path(self.folder))

    def _rows(self) -> list[dict[str, Any]]:
        return [row for table in self.parts() for row in table.to_pylist()]

    def to_frame(self) -> DataFrame:
        """All rows as a pandas data frame, each column in its own type."""
        pandas()
        frame: DataFrame = self.table().to_pandas()
        return frame

    def _tables(self) -> Iterator[SmallTable]:
        if any(each.rows > 1 for each in self.sources):
            heads = [name for name in _ORDER if name in self.verdicts]
            rows = [(each.source, *(each.verdicts.get(name, 0) for name in heads)) for each in self.sources[:_SHOWN]]
            yield SmallTable(rows, ("source", *heads), "verdicts by source")
        if self.refutations:
            shown = [(each.row, each.source, each.printed, each.finding) for each in self.refutations[:_SHOWN]]
            yield SmallTable(shown, ("row", "source", "printed", "finding"), "the clearest refutations")

    def __str__(self) -> str:
        counts = [f"{self.verdicts[name]:,} {_WORDS.get(name, name)}" for name in _ORDER if self.verdicts.get(name)]
        rows = f"{self.rows:,} row{'s' * (self.rows != 1)}"
        return f"{self.input}: {rows}, {', '.join(counts) or 'none'}"


def read_summary(folder: Path, summary: bytes) -> BatchResult:
    """The result of a batch that was finished earlier."""
    try:
        made = BatchResult.from_dict(json.loads(summary))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise UnreadableInput(f"{folder}: its summary cannot be read ({shown(error)}); run the batch again") from None
    object.__setattr__(made, "folder", str(folder))
    return made


_MOST_SOURCES = 50_000  # different ones, beyond which a histogram says nothing
_SOURCES = 200  # that are kept
_REFUTATIONS = 50  # inconsistent rows that are kept
_LONGEST = 200  # characters of a source or a reason
_MOST_REASONS = 1000  # why rows were not checked, that are told apart
_SHOWN_REASONS = 3

#: minus the length of its certificate, minus its row; source, certificate, finding
Candidate = tuple[int, int, str, str, str]


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
                notes += (f"more than {_MOST_SOURCES:,} sources ({settings.roles.source}): not counted one by one",)
        _count_errors(table, wanted, unread)
        candidates = _candidates(table, wanted, settings.roles.source, finding)
        clearest = heapq.nlargest(_REFUTATIONS, [*clearest, *candidates])
    ranked = _ranked(sources or Counter())
    return BatchResult(
        name,
        rows,
        dict(sorted(verdicts.items())),
        dict(sorted(kinds.items())),
        tuple(ranked[:_SOURCES]),
        max(0, len(ranked) - _SOURCES),
        tuple(_refutation(-row, source, json.loads(text), words) for _, row, source, text, words in clearest),
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
    impossible = _rows_with(table, verdict, "inconsistent")
    sizes = pc.binary_length(impossible.column(certificate))
    shortest = pc.sort_indices(sizes)[:_REFUTATIONS]
    for entry in impossible.take(shortest).to_pylist():
        named = "" if source is None or entry[source] is None else str(entry[source])[:_LONGEST]
        words = "" if finding is None else entry[finding] or ""
        yield -len(entry[certificate]), -entry[row], named, entry[certificate], words


def _refutation(row: int, source: str, certificate: Mapping[str, Any], words: str) -> RefutedRow:
    problem = read_problem(certificate["kind"], certificate["statement"])
    kind = kind_named(problem.kind)
    answer: Answer[Any, Any] = Answer(
        problem, Verdict.INCONSISTENT, proof=certificate["proof"], reason=kind.because(problem)
    )
    printed = ", ".join(map(str, problem.claims))
    finding = words or answer.findings[0].headline
    return RefutedRow(row, source, printed, kind.subject(problem), finding, certificate["digest"])
