"""Rows of models on several classes: accuracy, kappa and MCC of the whole, the rest averaged over the classes.

A heading such as "Macro-F1" says which average it is. Where it does not ("Precision"), a row is read with all such
columns as macro, as weighted and as micro averages, and is inconsistent only if it is so under each. Two classes are
several, too, but there a score that names no average may be that of the positive class: it is not tested.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scoreproof.errors import DuplicateScore
from scoreproof.kinds import fitted
from scoreproof.kinds.multi_class.experiment import MultiClass
from scoreproof.kinds.multi_class.quantities import AVERAGES, refused
from scoreproof.papers.result import CellText
from scoreproof.papers.row_reading import RowReading
from scoreproof.papers.settings import TableSettings
from scoreproof.papers.table_semantics import Report, Value
from scoreproof.papers.task import Posed, pose

_OF_ONE_CLASS = "an average over both classes, or of the positive one? the heading does not say"
_OPEN = "which average {} {} is not said: macro, weighted and micro were tried"


class ClassValues:
    """The values of a row by the names they have; ``open`` are those that do not say which average they are."""

    def __init__(self, one: Report, readings: Sequence[RowReading]) -> None:
        two = all(isinstance(own := each.experiment, MultiClass) and len(own.names) == 2 for each in readings)
        self.named: dict[str, Value] = {}
        self.open: dict[str, Value] = {}
        left_out: dict[str, str] = {}
        for value in (*one.plain, *one.qualified):
            name = f"{value.qualifier} {value.score}".strip()
            why = refused(name)
            if not why:
                self.named.setdefault(name, value)
            elif value.qualifier or refused(f"macro {name}"):
                left_out[name] = why
            elif two:
                left_out[name] = _OF_ONE_CLASS
            else:
                self.open.setdefault(name, value)
        partly = []
        fits = [(each.label, fitted(each.experiment, dict.fromkeys(self.named, "")).left_out) for each in readings]
        for name in list(self.named):
            labels = [label for label, out in fits if name in out]
            why = next((out[name] for _, out in fits if name in out), "")
            if len(labels) == len(fits):
                left_out[name] = why
                del self.named[name]
            elif labels:
                partly.append(f"not tested as {' and as '.join(labels)}: {name} ({why})")
        several = _OPEN.format(", ".join(self.open), "is" if len(self.open) == 1 else "are")
        refusals = (f"not tested: {name} ({why})" for name, why in left_out.items())
        self.notes: tuple[str, ...] = (*refusals, *partly, *([several] if self.open else []))

    @property
    def cells(self) -> tuple[CellText, ...]:
        named = (*self.named.items(), *self.open.items())
        return tuple(CellText(value.place, name, value.cell.raw, value.text) for name, value in named)

    def tested_by(self, reading: RowReading) -> bool:
        """Whether a reading leaves anything to test."""
        return bool(self.open or fitted(reading.experiment, dict.fromkeys(self.named, "")).scores)

    def posed(self, readings: Sequence[RowReading], settings: TableSettings) -> Iterator[Posed]:
        """The problem of the row under each reading, and with the open values as each average."""
        for reading in readings:
            for average in AVERAGES if self.open else ("",):
                named = {**self.named, **{f"{average} {name}": value for name, value in self.open.items()}}
                texts = {name: value.text for name, value in named.items()}
                try:
                    posed = pose(reading, texts, settings.by_name(named))
                except DuplicateScore:
                    continue  # beside a column that is that average: then these are another one
                if posed is not None:
                    yield posed._replace(label=f"{reading.label}, {average} averages" if average else reading.label)
