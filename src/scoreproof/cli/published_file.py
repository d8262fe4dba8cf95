"""What papers print, as a file: a row for each model with its confusion matrix or with one value."""

from __future__ import annotations

from typing import Any

from scoreproof.cli.score_parts import value_column
from scoreproof.cli.score_roles import plain_name, role
from scoreproof.csv_reader.columns import Columns, read_columns
from scoreproof.errors import InvalidOption

_CELLS = ("tp", "fp", "fn", "tn")


def read_published(path: str, values: str, *, models: str | None = None, metric: str | None = None) -> dict[str, Any]:
    """The models by name, each with (tp, fp, fn, tn) or with its value as printed."""
    table = read_columns(path)
    column = _names(table)
    names = table.column(column)
    if values == "matrices":
        cells = {plain_name(n): n for n in table.names}
        lacking = [c for c in _CELLS if c not in cells]
        if lacking:
            raise InvalidOption(f"{path}: no column {lacking[0]!r}: expected model, tp, fp, fn and tn, a row per model")
        numbers = [table.numbers(cells[c]) for c in _CELLS]
        found: dict[str, Any] = {m: tuple(float(c[i]) for c in numbers) for i, m in enumerate(names)}
    else:
        rest = [n for n in table.names if n != column and role(n) != "other"]
        printed = table.column(value_column(table, rest, metric))
        found = dict(zip(names, printed, strict=True))
    if len(found) < len(names):
        raise InvalidOption(f"{path}: a model stands in two rows: expected one row for each")
    if models is not None:
        wanted = [n.strip() for n in models.split(",") if n.strip()]
        missing = [n for n in wanted if n not in found]
        if missing:
            raise InvalidOption(f"{path}: no model {missing[0]!r}: expected one of {', '.join(found)}")
        found = {n: found[n] for n in wanted}
    return found


def _names(table: Columns) -> str:
    likely = [n for n in table.names if role(n) == "model"] or [n for n in table.names if table.mostly_words(n)]
    if len(likely) != 1:
        raise InvalidOption(f"{table.source}: which column names the models? expected one called model")
    return likely[0]
