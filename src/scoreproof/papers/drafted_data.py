"""The data sets and experiments that a draft wants: one for each table of other data, and for such parts of a table.

Tables share one only where their captions speak of the same data and the text does not name several sizes.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from scoreproof.catalog import entries
from scoreproof.papers.row_data import data_named, names_data
from scoreproof.papers.table_semantics import Interpretation
from scoreproof.papers.text_facts import Portion, Suggestion


@dataclass(slots=True)
class Need:
    """A data set and an experiment that a table, or a part of it, needs; tables of the same data share it."""

    name: str
    why: str
    of: Hashable  # what tables that share it have in common
    folds: int | None
    spread: bool
    told: Sequence[Suggestion]  # the sizes that are offered
    known: list[str]  # names of the catalogue that are
    catalog: str = ""


class DraftedData:
    """The data sets and experiments of one table, or of parts of it: shared only with tables of the same data."""

    def __init__(
        self,
        needs: dict[str, Need],
        found: Interpretation,
        name: str,
        own: Sequence[Suggestion],
        told: Sequence[Suggestion],
        words: str,
    ) -> None:
        self._needs, self._words, self._name, self._caption = needs, words, name, found.table.caption
        self._folds = max((block.k for block in found.folds), default=None)
        self._spread = any(value.cell.spread for one in found.reports for value in one.values)
        self._told = own or told
        tested = {_size(each) for each in told if each.part is Portion.TEST} or set(map(_size, told))
        self._unclear = not own and len(tested) > 1  # the text does not say which table has which size
        self._of = data_named(self._caption), tuple(map(_size, own))

    @property
    def texts(self) -> list[str]:
        """The sentences of sizes."""
        return [sentence.text for suggestion in self._told for sentence in suggestion.sentences]

    def of_table(self) -> str:
        """The name of what the whole table was evaluated on."""
        known = recognised(self._caption) or recognised(self._words)
        need = self._need("main", "", (self._of, self if self._unclear else None), self._told)
        need.why = f"{need.why}, {self._name}" if need.why else f"what was evaluated in {self._name}"
        need.known.extend(name for name in known[:3] if name not in need.known)
        return need.name

    def of_part(self, data: str, why: str) -> str:
        """The name of what rows or columns were evaluated on that have their own data."""
        known = recognised(data)
        if known:
            return self._need(known[0], why, known[0], (), known[0]).name
        told = [each for each in self._told if names_data(data, [sentence.text for sentence in each.sentences])]
        return self._need(data, f"{why} of {self._name}", self._of, told).name

    def _need(self, wanted: str, why: str, of: Hashable, told: Sequence[Suggestion], catalog: str = "") -> Need:
        name, number = wanted, 1
        while name in self._needs and not self._is_of(self._needs[name], of):
            number += 1
            name = f"{wanted}{number}"
        return self._needs.setdefault(
            name, Need(name, why, of, self._folds, self._spread and not catalog, told, [], catalog)
        )

    def _is_of(self, need: Need, of: Hashable) -> bool:
        same = need.of == of
        return same and (bool(need.catalog) or (need.folds, need.spread) == (self._folds, self._spread))


def _size(suggestion: Suggestion) -> tuple[int, ...]:
    counts = [count for _, count in suggestion.classes]
    return tuple(sorted(counts)) if counts else (suggestion.total or 0,)


@lru_cache(maxsize=64)
def recognised(text: str) -> tuple[str, ...]:
    """Catalogue entries that a text names as words of their own; every table asks about the whole paper again."""
    lowered = f" {re.sub(r'[^a-z0-9]+', ' ', text.lower())} "
    found = []
    for entry in entries():
        spellings = (entry.name, *entry.aliases)
        keys = {re.sub(r"[^a-z0-9]+", " ", spelling.lower()).strip() for spelling in spellings}
        keys |= {key.replace(" ", "") for key in keys}
        if any(len(key) >= 3 and f" {key} " in lowered for key in keys):
            found.append(entry.name)
    return tuple(found)
