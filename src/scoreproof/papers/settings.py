"""The options of a row: the paper's, overruled by the table's, overruled by the column's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scoreproof.papers.specification.model import ColumnModel, OptionsModel, TableModel
from scoreproof.papers.table_semantics import Value
from scoreproof.quantities import quantity
from scoreproof.reported import Conventions
from scoreproof.reported.conventions import told


def _any_kind(values: Sequence[Value]) -> bool:
    """Whether the table says of some value what its spread is."""
    for value in values:  # noqa: SIM110 - a generator would take three times as long
        if value.spread_kind:
            return True
    return False


class TableSettings:
    """What holds for the rows of one table; rows without anything special share one set of options."""

    def __init__(self, paper: OptionsModel, model: TableModel) -> None:
        own = model.options
        merged: dict[str, Any] = {}
        for name in OptionsModel.model_fields:
            given = getattr(own, name)
            merged[name] = getattr(paper, name) if given is None else given
        if own.rounding is not None:
            merged["eps"] = None
        elif own.eps is not None:
            merged["rounding"] = None
        self._brackets: str = merged.pop("brackets") or "ignore"
        self.usual = told({name: value for name, value in merged.items() if value is not None})
        self._columns = {
            header: column
            for header, column in model.columns.items()
            if column.rounding is not None or column.eps is not None
        }

    @property
    def rule(self) -> dict[str, str | None]:
        """Rounding or eps of the table."""
        rounding, eps = self.usual.rounding, self.usual.eps
        return {"eps": eps} if isinstance(eps, str) else {"rounding": rounding if isinstance(rounding, str) else None}

    def of(self, values: Sequence[Value]) -> tuple[Conventions, dict[str, str]]:
        """The options and the texts of a row's plain values."""
        if not self._columns and self._brackets == "ignore" and not _any_kind(values):
            plain = {value.score: value.text for value in values}
            if len(plain) == len(values):
                return self.usual, plain
        scores: dict[str, str] = {}
        kinds: set[str] = set()
        rules: dict[str, tuple[str | None, str | None]] = {}
        for value in values:
            if value.score in scores:
                continue
            scores[value.score] = self._text(value, kinds)
            if self._columns:
                column = self._column(value)
                if column is not None:
                    rules[quantity(value.score).name] = column.rounding, column.eps
        if not rules and not kinds:
            return self.usual, scores
        return self._special(scores, kinds, rules), scores

    def by_name(self, values: Mapping[str, Value]) -> Conventions:
        """The options of a row whose scores have other names than their columns: averages over classes."""
        rules = {name: column for name, value in values.items() if (column := self._column(value)) is not None}
        if not rules:
            return self.usual
        each = {name: (column.rounding, column.eps) for name, column in rules.items()}
        return self._special(dict.fromkeys(values, ""), set(), each)

    def _column(self, value: Value) -> ColumnModel | None:
        return self._columns.get(value.header) or self._columns.get(value.header.split(" / ")[-1])

    def _text(self, value: Value, kinds: set[str]) -> str:
        if value.spread_kind:
            kinds.add("error" if value.spread_kind == "sem" else "deviation")
        if value.cell.bracket and self._brackets != "ignore":
            kinds.add(self._brackets)
            return value.cell.text(percent=value.text.endswith("%"), spread=value.cell.bracket)
        return value.text

    def _special(
        self, scores: dict[str, str], kinds: set[str], rules: dict[str, tuple[str | None, str | None]]
    ) -> Conventions:
        given: dict[str, Any] = {}
        if kinds and self.usual.spread != "ignore":
            given["spread"] = kinds.pop() if len(kinds) == 1 else "ignore"
        if rules:
            each = {name: rules.get(name, (self.rule.get("rounding"), self.rule.get("eps"))) for name in scores}
            given["rounding"] = {name: rule for name, (rule, margin) in each.items() if rule is not None and not margin}
            given["eps"] = {name: margin for name, (_, margin) in each.items() if margin is not None}
        return self.usual.but(**given)
