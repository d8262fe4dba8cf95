"""The scores one row reports for one group of columns: what a check is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from scoreproof.papers.table_semantics.cells import ReadCell
from scoreproof.papers.table_semantics.counts import NO_COUNTS, Counts
from scoreproof.papers.table_semantics.rows import RowKind


class Value(NamedTuple):
    """One score: where it stands (row and column of the table), which score, and the text ``check`` is to read.

    ``spread_kind`` says what the spread is where the table does: std or sem; empty where it does not. A table has more
    of these than of anything else, and a tuple is made five times as fast as a frozen dataclass.
    """

    place: tuple[int, int]
    score: str
    text: str
    cell: ReadCell
    header: str = ""
    qualifier: str = ""
    statistic: str = ""
    spread_kind: str = ""

    def to_dict(self) -> dict[str, Any]:
        entry: dict[str, Any] = {
            "place": list(self.place),
            "score": self.score,
            "text": self.text,
            "raw": self.cell.raw,
        }
        for name in ("header", "qualifier", "statistic", "spread_kind"):
            if getattr(self, name):
                entry[name] = getattr(self, name)
        return entry


@dataclass(frozen=True, slots=True)
class Report:
    """The scores of one row under one group of headers, with the counts that belong to them."""

    row: int
    label: str
    kind: RowKind
    group: str
    values: tuple[Value, ...]
    counts: Counts = NO_COUNTS
    fold: int | None = None
    section: str = ""

    @property
    def scores(self) -> dict[str, str]:
        """Score names to texts, for ``check``: values of the whole, neither averages over classes nor minima.

        A spread stays in the text only where it follows a ±; a score given twice with different texts is left out, and
        ``clashes`` says so.
        """
        chosen: dict[str, str] = {}
        for value in self.plain:
            chosen.setdefault(value.score, value.text)
        return chosen

    @property
    def plain(self) -> tuple[Value, ...]:
        """Values without an averaging word that are means or single values, none of them contradicted by another."""
        found = [one for one in self.values if not one.qualifier and one.statistic in ("", "mean")]
        if len({one.score for one in found}) == len(found):
            return tuple(found)
        texts: dict[str, set[str]] = {}
        for one in found:
            texts.setdefault(one.score, set()).add(one.text)
        return tuple(one for one in found if len(texts[one.score]) == 1)

    @property
    def qualified(self) -> tuple[Value, ...]:
        """Macro, micro and weighted averages."""
        return tuple(one for one in self.values if one.qualifier and one.statistic in ("", "mean"))

    @property
    def extremes(self) -> dict[str, tuple[str | None, str | None]]:
        """The smallest and largest value over folds, where columns give them."""
        found: dict[str, tuple[str | None, str | None]] = {}
        for one in self.values:
            low, high = found.get(one.score, (None, None))
            if one.statistic == "min":
                found[one.score] = (one.text, high)
            elif one.statistic == "max":
                found[one.score] = (low, one.text)
        return found

    @property
    def clashes(self) -> tuple[str, ...]:
        """Scores the row gives twice with different texts."""
        texts: dict[str, list[str]] = {}
        for one in self.values:
            if not one.qualifier and one.statistic in ("", "mean"):
                texts.setdefault(one.score, []).append(one.text)
        return tuple(
            f"{name} is {' and '.join(dict.fromkeys(said))}" for name, said in texts.items() if len({*said}) > 1
        )

    def to_dict(self) -> dict[str, Any]:
        entry: dict[str, Any] = {
            "row": self.row,
            "label": self.label,
            "kind": str(self.kind),
            "group": self.group,
            "scores": self.scores,
            "values": [value.to_dict() for value in self.values],
            "counts": self.counts.to_dict(),
            "clashes": list(self.clashes),
        }
        if self.fold is not None:
            entry["fold"] = self.fold
        return entry

    def __str__(self) -> str:
        where = f" ({self.group})" if self.group else ""
        scores = ", ".join(f"{name} = {text}" for name, text in self.scores.items())
        return f"{self.label or f'row {self.row + 1}'}{where}: {scores or 'no plain scores'}"
