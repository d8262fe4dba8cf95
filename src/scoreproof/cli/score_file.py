"""A file of scores or predictions as ``compare`` wants it: a column for each model, and what the rows are.

Wide files have a column per model; long ones a column that names the model (and others that name the data set,
the fold or the run); a table with a row per model and a column per data set is turned; scikit-learn's ``cv_results_``
has a row per candidate and a column per fold; a table of an experiment tracker has a row per run. What names a row is
never compared as a model, and tells how the values came about: a column of folds makes them folds, patients that occur
again make them clusters. Logs of training and tables of survival are refused with what would do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from scoreproof.cli.score_roles import (
    counts_rows,
    is_tracker,
    names_a_metric,
    nesting,
    of_one_model,
    plain_name,
    role,
    rows_by_words,
)
from scoreproof.csv_reader import number
from scoreproof.csv_reader.columns import Columns, read_columns, whole_numbers
from scoreproof.errors import InvalidOption, InvalidValue

KEYS = ("data set", "fold", "repeat", "cluster", "case", "index")
_KINDS = "(?P<kind>pred|prediction|label|class|prob|proba|score|probability)"
_ENDING = re.compile(rf"(?P<model>.+?)[ _.-]{_KINDS}$", re.I)
_BEGINNING = re.compile(rf"{_KINDS}[ _.-](?P<model>.+)$", re.I)
_MOST_LABELS = 50
_SAY = "say which columns are models with --models"


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


def read_scores(
    path: str,
    *,
    models: str | None = None,
    truth: str | None = None,
    metric: str | None = None,
    values: str | None = None,
    predictions: bool | None = None,
    cluster: str | None = None,
) -> Scores:
    """Read a file; ``predictions`` says whether it must (or must not) be read as predictions with a truth.

    ``cluster`` names the column of what rows belong to; "none" says that they are independent.
    """
    table = read_columns(path)
    if cluster not in (None, "none"):
        table.index(cluster)
    scores = _scores(table, models, truth, metric, values, predictions)
    if cluster == "none":
        scores = replace(scores, clusters=None)
    elif cluster is not None:
        column = table.column(cluster)
        if len(column) != len(next(iter(scores.models.values()))):
            raise InvalidOption(f"{path}: --cluster {cluster}: expected a row for each case, with a column per model")
        scores = replace(scores, clusters=column, values="one test set" if scores.truth is not None else "per case")
    return replace(scores, notes=(*scores.notes, *table.notes))


def _scores(
    table: Columns,
    models: str | None,
    truth: str | None,
    metric: str | None,
    values: str | None,
    predictions: bool | None,
) -> Scores:
    _check_header(table)
    wanted = None if models is None else [n.strip() for n in models.split(",") if n.strip()]
    from scoreproof.cli import experiment_files as experiments

    if experiments.is_search(table):
        return experiments.searched(table, wanted, metric)
    named = bool(set(wanted or ()) & set(table.names))
    if not named:
        experiments.refuse_others(table, truth)
    column = next((n for n in table.names if role(n) == "model" and n not in (wanted or ())), None)
    if column is not None and not named:
        tracked = is_tracker(table.names)
        found = experiments.tracked(table, column, metric) if tracked else _long(table, column, metric)
        return _settled(only(found, wanted), values)
    if is_tracker(table.names) and not named:
        raise InvalidOption(
            f"{table.source}: a table of runs, and no column says which model each run is of: expected a column called "
            "model (or params.model, config.model), and one of seeds; or a file with a column per model"
        )
    answer = _truth_column(table, truth, wanted, predictions)
    if answer is not None:
        return _predictions(table, answer, wanted)
    if predictions:
        raise InvalidOption(
            f"{table.source}: predictions need the true labels: expected --truth COLUMN, one of "
            f"{', '.join(table.names)}"
        )
    return _settled(_wide(table, wanted, metric), values)


def read_groups(path: str, *, models: str | None = None, metric: str | None = None) -> Scores:
    """Values of models on different cases: a long file, or columns that need not be equally long."""
    table = read_columns(path)
    _check_header(table)
    wanted = None if models is None else [n.strip() for n in models.split(",") if n.strip()]
    column = next((n for n in table.names if role(n) == "model"), None)
    if column is not None and not set(wanted or ()) & set(table.names):
        names = table.column(column)
        rest = [n for n in table.names if n != column and role(n) not in (*KEYS, "other") and not _is_words(table, n)]
        value = value_column(table, rest, metric)
        numbers = cell_numbers(table, value)
        found = {m: numbers[[i for i, n in enumerate(names) if n == m]] for m in dict.fromkeys(names)}
        return only(Scores(path, found, metric=value), wanted)
    chosen = _known(table, wanted or [n for n in table.names if role(n) is None and not _names_rows(table, n)])
    columns = {n: table.numbers(n, gaps=True) for n in chosen}
    return Scores(path, {n: values[~np.isnan(values)] for n, values in columns.items()})


def _check_header(table: Columns) -> None:
    if all(number(name) is not None for name in table.names):
        raise InvalidValue(f"{table.source}: the first line holds only numbers: expected the models' names there")


def _truth_column(table: Columns, truth: str | None, wanted: list[str] | None, predictions: bool | None) -> str | None:
    """The truth, when the file holds predictions: named, called so, or labels under a telling name."""
    if truth is not None:
        table.index(truth)
        return truth
    sure = [n for n in table.names if role(n) == "truth" and n not in (wanted or ())]
    if sure:
        if predictions is False and wanted is None:
            raise InvalidOption(
                f"{table.source}: column {sure[0]!r} makes these predictions, and the test compares values of a "
                f"metric: expected a test of predictions (--test auto); or {_SAY}"
            )
        return None if predictions is False else sure[0]
    if predictions is False:
        return None
    maybe = [n for n in table.names if role(n) == "maybe truth" and n not in (wanted or ())]
    labels = next((n for n in maybe if predictions or _holds_labels(table, n)), None)
    if labels is not None or not maybe:
        return labels
    numeric = [n for n in table.names if n not in maybe and role(n) is None and table.all_numbers(n)]
    if not table.all_numbers(maybe[0]) or len(numeric) < 2:
        return None
    if _predicts(table, maybe[0], numeric):
        return maybe[0]
    raise InvalidOption(
        f"{table.source}: is {maybe[0]!r} the truth, or a model? expected --truth {maybe[0]} if the others predict it, "
        "or "
        f"{_SAY}"
    )


def _predicts(table: Columns, truth: str, others: list[str]) -> bool:
    """Whether columns of numbers follow another: predictions correlate with what they predict."""
    y = table.numbers(truth, gaps=True)
    for name in others:
        x = table.numbers(name, gaps=True)
        if not (np.isfinite(x) & np.isfinite(y)).all() or not np.ptp(x) or not np.ptp(y):
            return False
        if float(np.corrcoef(x, y)[0, 1]) < 0.3:
            return False
    return True


def _holds_labels(table: Columns, name: str) -> bool:
    """Whether a column could hold the classes of cases: few different ones, whole numbers or words."""
    if table.all_numbers(name):
        values = table.numbers(name, gaps=True)
        if not np.isfinite(values).all() or not whole_numbers(values):
            return False
        return 2 <= len(np.unique(values)) <= min(_MOST_LABELS, max(2, table.rows // 2))
    return 2 <= len(table.words(name)[0]) <= min(_MOST_LABELS, max(2, table.rows // 2))


def _predictions(table: Columns, truth: str, wanted: list[str] | None) -> Scores:
    names = wanted
    if names is None:
        rest = [n for n in table.names if n != truth]
        names = [n for n in rest if role(n) not in (*KEYS, "other", "truth", "metric") and not counts_rows(table, n)]
        if names and all(of_one_model(n) for n in names):
            raise InvalidOption(
                f"{table.source}: {', '.join(names)} are predictions of one model: expected a column for each of two "
                "models; of one model see scoreproof metrics, which gives its scores with intervals"
            )
        names = _one_of_each(names)
    clusters = _clusters(table)
    return Scores(
        table.source,
        {name: _labels_or_numbers(table, name) for name in _known(table, names)},
        _labels_or_numbers(table, truth),
        "one test set",
        notes=_left_out([n for n in table.names if n not in (*names, truth)]) + _by_cluster(clusters),
        clusters=None if clusters is None else table.column(clusters),
    )


def _one_of_each(names: list[str]) -> list[str]:
    """Of a model's labels and scores (A_pred, A_prob) the scores alone."""
    by_model: dict[str, list[tuple[str, str]]] = {}
    for name in names:
        match = _ENDING.match(name) or _BEGINNING.match(name)
        stem, kind = (match["model"], match["kind"]) if match else (name, "")
        by_model.setdefault(stem.lower(), []).append((kind.lower(), name))
    kept: list[str] = []
    for columns in by_model.values():
        scores = [n for kind, n in columns if kind.startswith(("prob", "score"))]
        kept += scores[:1] if scores and len(columns) > 1 else [n for _, n in columns]
    return kept


def _clusters(table: Columns) -> str | None:
    """The column that says which rows belong together: patients, speakers, documents that occur more than once."""
    likely = [n for n in table.names if role(n) in ("cluster", "case") and plain_name(n) not in ("slice", "frame")]
    repeated = [n for n in likely if 1 < len(table.words(n)[0]) < table.rows]
    whole = [n for n in repeated if role(n) == "cluster"] or repeated
    return min(whole, key=nesting) if whole else None


def _by_cluster(name: str | None) -> tuple[str, ...]:
    return (
        () if name is None else (f"rows with the same {name} belong together; --cluster none if they are independent",)
    )


def _labels_or_numbers(table: Columns, name: str) -> npt.NDArray[Any]:
    """A column as numbers where all are, else as words; a missing cell is an error either way."""
    if table.all_numbers(name):
        return table.numbers(name)
    row = table.first_missing(name)
    if row is not None:
        raise InvalidValue(
            f"{table.source}, line {table.line(row)}, column {name!r} is missing: expected a label or a score"
        )
    labels, places = table.words(name)
    return np.array(labels)[places]


def _wide(table: Columns, wanted: list[str] | None, metric: str | None) -> Scores:
    """A column for each model; what names the rows is set aside."""
    keys = {n: _row_role(table, n) for n in table.names if role(n) in KEYS or _names_rows(table, n)}
    keys = {n: what for n, what in keys.items() if what != "metric"}
    if wanted is None:
        models = [n for n in table.names if n not in keys and role(n) not in ("other", "metric")]
        if models and (all(names_a_metric(n) for n in models) or all(of_one_model(n) for n in models)):
            raise InvalidOption(
                f"{table.source}: the columns {', '.join(models)} are metrics, not models: expected a column per "
                "model; to compare them all the same, name them with --models"
            )
        named = [n for n in models if not names_a_metric(n)]
        models = named if len(named) > 1 else models  # a running time beside two models is none
        if len(models) < 2:
            others = ", ".join(repr(n) for n in table.names if n not in models) or "nothing else"
            raise InvalidValue(
                f"{table.source} holds {len(models)} model ({', '.join(models) or 'none'}): expected at least 2, a "
                f"column each; not taken for models: {others}; {_SAY}"
            )
        mixed = [n for n in models if names_a_metric(n)]
        if mixed:
            raise InvalidOption(
                f"{table.source}: {mixed[0]!r} is a metric, not a model, beside "
                f"{', '.join(n for n in models if n not in mixed)}: "
                f"expected a column per model; {_SAY}"
            )
    else:
        models = _known(table, wanted)
        keys = {n: what for n, what in keys.items() if n not in models}
    measured, rows = _measured(table, metric)
    notes = _left_out([n for n in table.names if n not in models])
    together = _clusters(table)
    return Scores(
        table.source,
        {n: cell_numbers(table, n)[rows] for n in models},
        notes=notes + _plus_minus(table, models) + _by_cluster(together),
        clusters=None if together is None else [table.column(together)[row] for row in rows],
        keys={what: [table.column(n)[row] for row in rows] for n, what in reversed(keys.items())},
        metric=measured,
    )


def _row_role(table: Columns, name: str) -> str:
    """What a column that names rows says they are: by its header, else by its words."""
    told = role(name) or "index"
    if told == "index" and table.mostly_words(name):
        return rows_by_words(table.words(name)[0])
    return told


def _names_rows(table: Columns, name: str) -> bool:
    """Words, or a count of the rows, under whatever name."""
    return table.mostly_words(name) or counts_rows(table, name)


def cell_numbers(table: Columns, name: str) -> npt.NDArray[np.float64]:
    values = table.numbers(name, gaps=True) if table.all_numbers(name) else table.numbers(name)
    gaps = np.flatnonzero(np.isnan(values))
    if len(gaps):
        raise InvalidValue(
            f"{table.complaint(int(gaps[0]), name)}; fill the gap, drop the row for every model, or leave the model "
            "out with --models"
        )
    return values


def _long(table: Columns, column: str, metric: str | None) -> Scores:
    """A row for each value: pairs are found through what else names the rows."""
    names = table.column(column)
    models = list(dict.fromkeys(names))
    keys = [n for n in table.names if n != column and role(n) in KEYS]
    keys += [n for n in table.names if n not in (column, *keys) and role(n) != "metric" and _is_words(table, n)]
    rest = [n for n in table.names if n not in (column, *keys) and role(n) not in ("other", "metric", "truth")]
    aside = [n for n in table.names if role(n) == "other" and n not in (column, *keys)]
    rest += [n for n in aside if not rest or plain_name(n) == plain_name(metric or "")]  # times may be compared
    if len(models) == len(names) and not keys:
        return _turned(table, models, rest)
    measured, rows = _measured(table, metric)
    value = value_column(table, rest, None if measured else metric)
    if not keys:
        raise InvalidOption(
            f"{table.source}: nothing says which values of {', '.join(models[:3])} belong together: expected a column "
            "such as dataset, fold, seed or case; or --unpaired, if they come from different cases"
        )
    numbers = cell_numbers(table, value)
    found: dict[tuple[str, ...], dict[str, float]] = {}
    for row in rows:
        key = tuple(table.column(n)[row] for n in keys)
        place = found.setdefault(key, {})
        if names[row] in place:
            raise InvalidValue(
                f"{table.source}, line {table.line(row)}: a second value of {names[row]!r} for {_told(keys, key)}: "
                "expected one; add the column that tells them apart"
            )
        place[names[row]] = float(numbers[row])
    for key, place in found.items():
        gap = next((m for m in models if m not in place), None)
        if gap is not None:
            raise InvalidValue(
                f"{table.source}: {gap!r} has no value for {_told(keys, key)}: expected one for every model; fill the "
                "gap, drop it for every model, or leave the model out with --models"
            )
    named: dict[str, Sequence[str]] = {
        role(n) or "index": [key[i] for key in found] for i, n in reversed(list(enumerate(keys)))
    }
    likely = [n for n in keys if role(n) in ("cluster", "case") and plain_name(n) not in ("slice", "frame")]
    likely = [n for n in likely if _again([key[keys.index(n)] for key in found])]
    together = min(likely, key=nesting) if likely else None
    return Scores(
        table.source,
        {m: np.array([place[m] for place in found.values()]) for m in models},
        notes=_plus_minus(table, [value]) + _by_cluster(together),
        keys=named,
        metric=measured or value,
        clusters=None if together is None else [key[keys.index(together)] for key in found],
    )


def _again(cells: Sequence[str]) -> bool:
    return 1 < len(set(cells)) < len(cells)


def _turned(table: Columns, models: list[str], rest: list[str]) -> Scores:
    """A row for each model: its columns are data sets, unless they are metrics."""
    metrics = [n for n in rest if names_a_metric(n) or role(n) == "value"]
    if metrics or len(rest) < 2:
        shown = ", ".join(metrics or rest) or "nothing else"
        raise InvalidOption(
            f"{table.source}: one value of {shown} for each model, and no test can be made of one value: expected a "
            "value per data set, fold or case (a column per model); from published scores or confusion matrices alone, "
            f"see scoreproof compare --values published or matrices; to compare columns all the same, {_SAY}"
        )
    columns = [cell_numbers(table, n) for n in rest]
    turned = {m: np.array([column[i] for column in columns]) for i, m in enumerate(models)}
    note = f"each row is a model and each column a data set: {', '.join(rest)}"
    return Scores(table.source, turned, notes=(note, *_plus_minus(table, rest)), keys={"data set": rest})


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
    _check_direction(table, likely[0], metric)
    return likely[0]


def _check_direction(table: Columns, name: str, metric: str | None) -> None:
    """A file of one metric is not read as one of another that is better the other way."""
    from scoreproof.statistics.recommend import rises

    if metric is not None and None not in (rises(metric), rises(name)) and rises(metric) != rises(name):
        raise InvalidOption(f"{table.source}: metric = {metric!r}, but the values are of {name!r}: expected its name")


def _measured(table: Columns, metric: str | None) -> tuple[str | None, Sequence[int]]:
    """What a column of metrics says the values are of, and the rows of it, where the file holds several."""
    column = next((n for n in table.names if role(n) == "metric"), None)
    if column is None:
        return None, range(table.rows)
    cells = table.column(column)
    known = list(dict.fromkeys(cells))
    asked = [cell for cell in known if metric is not None and plain_name(cell) == plain_name(metric)]
    if len(known) > 1 and not asked:
        raise InvalidOption(f"{table.source}: several metrics ({', '.join(known)}): expected --metric with one of them")
    kept = (asked or known)[0]
    _check_direction(table, kept, metric)
    return kept, [row for row, cell in enumerate(cells) if cell == kept]


def _settled(scores: Scores, values: str | None) -> Scores:
    """What the rows are, by what names them; folds of several data sets become one value for each data set."""
    keys, rows = scores.keys, len(next(iter(scores.models.values()), ()))
    sets = list(dict.fromkeys(keys.get("data set", ())))
    resampled = [k for k in ("fold", "repeat") if k in keys]
    words = {cell.lower() for cell in keys.get("fold", ())}
    if words & {"train", "training", "test", "val", "valid", "validation", "dev"}:
        raise InvalidOption(
            f"{scores.source}: rows of several splits ({', '.join(sorted(words))}): expected one; keep the test rows"
        )
    if len(sets) > 1 and rows > len(sets) and values in (None, "data sets"):
        where = [np.flatnonzero(np.array(keys["data set"]) == s) for s in sets]
        averaged = {m: np.array([column[w].mean() for w in where]) for m, column in scores.models.items()}
        what = " and ".join(resampled) or "rows"
        note = f"the {what} of each data set were averaged: data sets are independent, folds and runs of one are not"
        return replace(scores, models=averaged, values="data sets", notes=(*scores.notes, note))
    if "fold" in keys and values in (None, "folds"):
        folds = len(set(keys["fold"]))
        if rows % folds:
            raise InvalidValue(
                f"{scores.source}: {rows} rows of {folds} folds: expected every fold as often as the others; runs that "
                "are not complete must be left out"
            )
        return replace(scores, values="folds", folds=folds)
    kinds = {"data set": "data sets", "repeat": "runs", "case": "per case", "cluster": "per case"}
    order = (
        ("cluster", "case", "data set", "repeat")
        if scores.clusters is not None
        else ("data set", "repeat", "case", "cluster")
    )
    told = scores.values or next((kinds[k] for k in order if k in keys), None)
    settled = replace(scores, values=values or told)
    return settled if settled.values == "per case" else replace(settled, clusters=None)


def only(scores: Scores, wanted: list[str] | None) -> Scores:
    if wanted is None:
        return scores
    for name in wanted:
        if name not in scores.models:
            raise InvalidOption(f"{scores.source}: no model {name!r}: expected one of {', '.join(scores.models)}")
    return replace(scores, models={name: scores.models[name] for name in wanted})


def _known(table: Columns, names: Iterable[str]) -> list[str]:
    found = list(names)
    for name in found:
        table.index(name)
    return found


def _left_out(names: list[str]) -> tuple[str, ...]:
    shown = [n or "(no name)" for n in names]
    return (f"not compared as models: {', '.join(shown)}",) if shown else ()


def _plus_minus(table: Columns, names: Iterable[str]) -> tuple[str, ...]:
    spread = any(table.plus_minus(n) for n in names)
    return ("what stands after ± (or in brackets) was not used: each cell counts as one value",) if spread else ()


def _is_words(table: Columns, name: str) -> bool:
    return table.mostly_words(name)


def _told(names: list[str], key: tuple[str, ...]) -> str:
    return ", ".join(f"{n} {cell}" for n, cell in zip(names, key, strict=True))
