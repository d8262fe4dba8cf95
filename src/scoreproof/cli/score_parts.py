"""What every file of scores is read into, and how columns of values and of clusters are found in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from scoreproof.cli import score_roles as roles
from scoreproof.cli.score_roles import names_a_metric, plain_name, role
from scoreproof.csv_reader.columns import Columns
from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.quantities.measures import direction

_OUTER = ("center", "centre", "hospital", "clinic", "study")  # what has patients of its own
KEYS = ("data set", "fold", "repeat", "cluster", "case", "index")
SAY = "say which columns are models with --models"


@dataclass(frozen=True, slots=True)
class Scores:
    """The models' columns, the truth where the file holds predictions, the metric where it is named, and the rows."""

    source: str
    models: dict[str, Any]
    truth: npt.NDArray[Any] | None = None
    values: str | None = None
    folds: int | None = None
    notes: tuple[str, ...] = ()
    keys: dict[str, Sequence[str]] = field(default_factory=dict)
    metric: str | None = None
    clusters: Sequence[str] | None = None
    paired: bool = True
    higher_is_better: bool | None = None


def cell_numbers(table: Columns, name: str, rows: Sequence[int] | None = None) -> npt.NDArray[np.float64]:
    """The numbers of a column, or of some of its rows; an error where one is missing."""
    values = table.numbers(name, gaps=True) if table.all_numbers(name) else table.numbers(name)
    chosen = range(table.rows) if rows is None else rows
    gap = next((row for row in chosen if np.isnan(values[row])), None)
    if gap is not None:
        raise InvalidValue(
            f"{table.complaint(gap, name)}; fill the gap, drop the row for every model, or leave the model "
            "out with --models"
        )
    return values if rows is None else values[list(rows)]


def listed(models: str | None) -> list[str] | None:
    return None if models is None else [n.strip() for n in models.split(",") if n.strip()]


def only(scores: Scores, wanted: list[str] | None) -> Scores:
    if wanted is None:
        return scores
    for name in wanted:
        if name not in scores.models:
            raise InvalidOption(f"{scores.source}: no model {name!r}: expected one of {', '.join(scores.models)}")
    return replace(scores, models={name: scores.models[name] for name in wanted})


def known(table: Columns, names: Iterable[str]) -> list[str]:
    found = list(names)
    for name in found:
        table.index(name)
    return found


def left_out(names: list[str]) -> tuple[str, ...]:
    shown = [n or "(no name)" for n in names]
    return (f"not compared as models: {', '.join(shown)}",) if shown else ()


def plus_minus(table: Columns, names: Iterable[str]) -> tuple[str, ...]:
    spread = any(table.plus_minus(n) for n in names)
    return ("what stands after ± (or in brackets) was not used: each cell counts as one value",) if spread else ()


def clusters_of(columns: Mapping[str, Sequence[str]]) -> tuple[str, Sequence[str]] | None:
    """What says which rows belong together: patients, speakers, documents that occur again, volumes of slices.

    Of patients and their sessions it is the patients, but the hospitals where every hospital numbers its patients anew.
    """
    likely = {n: cells for n, cells in columns.items() if 1 < len({*cells}) < len(cells) and _of_cases(n, cells)}
    likely = {n: cells for n, cells in likely.items() if plain_name(n) not in ("slice", "frame")}
    whole = sorted([n for n in likely if role(n) == "cluster"] or likely, key=roles.nesting)
    if whole:
        inner, outer = likely[whole[0]], (n for n in whole if plain_name(n) in _OUTER)
        anew = (n for n in outer if len({*zip(likely[n], inner, strict=True)}) > len({*inner}))
        return (name := next(anew, whole[0])), likely[name]
    named = (n for n, cells in columns.items() if role(n) == "index" or _of_cases(n, cells))
    return next((told for n in named if (told := _beginnings(n, columns[n]))), None)


def _beginnings(name: str, cells: Sequence[str]) -> tuple[str, Sequence[str]] | None:
    """What names such as vol03_slice012.png begin with, where that makes clusters."""
    stems = [roles.PART.sub("", cell) for cell in cells]
    fit = "" not in stems and 2 < len({*stems}) <= len(stems) / 2
    return (f"beginning of {name}", stems) if fit else None


def _of_cases(name: str, cells: Sequence[str]) -> bool:
    return role(name) in ("cluster", "case") or roles.rows_by_words(cells) == "case"


def one_split(source: str, cells: Iterable[str]) -> set[str]:
    """The folds of the rows; an error where they are those of training, validation and test."""
    words = {roles.fold_of(cell) for cell in cells}
    if words & {"train", "training", "test", "val", "valid", "validation", "dev"} and len(words) > 1:
        raise InvalidOption(
            f"{source}: rows of several splits ({', '.join(sorted(words))}): expected one; keep the test rows"
        )
    return words


def summed_up(table: Columns) -> tuple[str, ...]:
    many = table.rows - len(roles.rows_of_values(table))
    return (f"{many} rows that sum up the others (mean, deviation, ...) were left out",) if many else ()


def by_cluster(name: str | None) -> tuple[str, ...]:
    told = f"rows with the same {name} belong together; --cluster none if they are independent"
    return () if name is None else (told,)


def value_column(table: Columns, rest: list[str], metric: str | None) -> str:
    """The column of values among those that name no row: asked for, called so, or the only one."""
    asked = [n for n in rest if metric is not None and plain_name(n) == plain_name(metric)]
    if len(asked) == 1:
        return asked[0]
    likely = [n for n in rest if role(n) == "value"] or [n for n in rest if names_a_metric(n)] or rest
    if len(likely) != 1:
        raise InvalidOption(
            f"{table.source}: {', '.join(likely) or 'no column'} could hold the values: expected one column of numbers "
            "beside the model and what names the row; say --metric COLUMN"
        )
    check_direction(table, likely[0], metric)
    return likely[0]


def one_metric(table: Columns, names: Iterable[str], metric: str | None) -> str:
    """The metric asked for among several, or the only one."""
    known = list(dict.fromkeys(names))
    asked = [name for name in known if metric is not None and plain_name(name) == plain_name(metric)]
    if len(known) > 1 and not asked:
        raise InvalidOption(f"{table.source}: several metrics ({', '.join(known)}): expected --metric with one of them")
    return (asked or known)[0]


def truth_or_model(table: Columns, name: str) -> InvalidOption:
    told = f"is {name!r} the truth, or a model? expected --truth {name} if the others predict it, or {SAY}"
    return InvalidOption(f"{table.source}: {told}")


def without_truth(table: Columns, models: list[str]) -> list[str]:
    """The models; a question where one column of 0 and 1, or y1 and y2, stand beside several of scores."""
    binary = [n for n in models if len(models) > 2 and set(table.words(n)[0]) == {"0", "1"}]
    numbered = [n for n in models if n[-1:].isdigit() and role(n.rstrip("0123456789_ ")) in ("truth", "maybe truth")]
    if len(binary) == 1 or numbered:
        raise truth_or_model(table, (binary + numbered)[0])
    return models


def one_direction(table: Columns, names: Iterable[str]) -> None:
    """Data sets whose names say other metrics, better the one and the other way ("RTE (acc)", "WikiText (ppl)")."""
    told = {way: n for n in names for part in re.findall(r"[(\[]([^()\[\]]+)[)\]]", n) if (way := direction(part))}
    if len(told) > 1:
        raise InvalidOption(
            f"{table.source}: {told[1]!r} is better high, {told[-1]!r} low: expected data sets whose values are better "
            "the same way; leave some out, or turn their signs"
        )


def refuse_labels(table: Columns, keys: Iterable[str]) -> None:
    """Two words again and again, where nothing else names the rows, are no two data sets."""
    only = list(keys)
    if len(only) == 1 and role(only[0]) is None and len(table.words(only[0])[0]) == 2 < table.rows:
        raise truth_or_model(table, only[0])


def check_direction(table: Columns, name: str, metric: str | None) -> None:
    """A file of one metric is not read as one of another that is better the other way."""
    from scoreproof.statistics.recommend import rises

    if metric is not None and None not in (rises(metric), rises(name)) and rises(metric) != rises(name):
        raise InvalidOption(f"{table.source}: metric = {metric!r}, but the values are of {name!r}: expected its name")
