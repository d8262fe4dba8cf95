"""What a batch gives: how many rows have which verdict, by source, the clearest refutations, the way to the rows."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scoreproof.batches.arrow import Table, arrow
from scoreproof.batches.running import from_bytes
from scoreproof.batches.store import Store
from scoreproof.checking import Certificate, Verdict
from scoreproof.errors import InvalidOption, UnreadableInput
from scoreproof.jsonable import Jsonable
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
        found = from_bytes(self._kept().read(number), names).slice(inside, 1).to_pylist()[0]
        if not found[names[1]]:
            raise InvalidOption(
                f"row {row:,} is {found[names[0]]}: only rows that are impossible as stated have a proof"
            )
        certificate: Certificate = json.loads(found[names[1]])
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
