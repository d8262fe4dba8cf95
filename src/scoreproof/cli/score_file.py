"""A file of scores or predictions as ``compare`` wants it: a column for each model, and what the rows are.

Wide files have a column per model; long ones a column that names the model (and others that name the data set,
the fold or the run); a table with a row per model and a column per data set is turned; scikit-learn's ``cv_results_``
has a row per candidate and a column per fold; a table of an experiment tracker has a row per run. What names a row is
never compared as a model, and tells how the values came about: a column of folds makes them folds, patients that occur
again make them clusters. Logs of training and tables of survival are refused with what would do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from scoreproof.cli import experiment_files as experiments
from scoreproof.cli import score_columns as parts
from scoreproof.cli.experiment_files import predicted, refuse_without_truth, truth_column
from scoreproof.cli.score_columns import (
    KEYS,
    SAY,
    Scores,
    cell_numbers,
    counts_rows,
    known,
    names_a_metric,
    of_one_model,
    only,
    plain_name,
    role,
    value_column,
)
from scoreproof.csv_reader import number
from scoreproof.csv_reader.columns import Columns, read_columns
from scoreproof.errors import InvalidOption, InvalidValue


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
    scores = _scores(table, models, truth, metric, values, predictions)
    if values is None and cluster is None and scores.paired and scores.values in (None, "data sets", "one test set"):
        experiments.refuse_ordered(table)
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
    wanted = parts.listed(models)
    if experiments.is_search(table):
        return experiments.searched(table, wanted, metric)
    named = bool(set(wanted or ()) & set(table.names))
    if not named:
        experiments.refuse_others(table, truth)
    column = next((n for n in table.names if role(n) == "model" and n not in (wanted or ())), None)
    if column is not None and not named:
        tracked = parts.is_tracker(table.names)
        scores = experiments.tracked(table, column, metric) if tracked else _long(table, column, metric)
        return _settled(only(scores, wanted), values)
    if parts.is_tracker(table.names) and not named:
        raise InvalidOption(
            f"{table.source}: a table of runs, and no column says which model each run is of: expected a column called "
            "model (or params.model, config.model), and one of seeds; or a file with a column per model"
        )
    answer = truth_column(table, truth, wanted, predictions)
    if answer is not None:
        return predicted(table, answer, wanted)
    if predictions:
        raise InvalidOption(
            f"{table.source}: predictions need the true labels: expected --truth COLUMN, one of "
            f"{', '.join(table.names)}"
        )
    if predictions is None and wanted is None:
        refuse_without_truth(table)
    return _settled(_wide(table, wanted, metric), values)


def read_groups(path: str, *, models: str | None = None, metric: str | None = None) -> Scores:
    """Values of models on different cases: a long file, or columns that need not be equally long."""
    table = read_columns(path)
    _check_header(table)
    wanted = parts.listed(models)
    column = next((n for n in table.names if role(n) == "model"), None)
    if column is None or set(wanted or ()) & set(table.names):
        likely = wanted or [n for n in table.names if role(n) is None and not _names_rows(table, n)]
        columns = {n: table.numbers(n, gaps=True) for n in known(table, likely)}
        return Scores(path, {n: values[~np.isnan(values)] for n, values in columns.items()})
    names, (_, rest) = np.array(table.column(column)), _keys_and_values(table, column, metric)
    value = value_column(table, rest, metric)
    numbers = cell_numbers(table, value)
    return only(Scores(path, {m: numbers[names == m] for m in dict.fromkeys(names.tolist())}, metric=value), wanted)


def _check_header(table: Columns) -> None:
    if all(number(name) is not None for name in table.names):
        raise InvalidValue(f"{table.source}: the first line holds only numbers: expected the models' names there")


def _wide(table: Columns, wanted: list[str] | None, metric: str | None) -> Scores:
    """A column for each model; what names the rows is set aside."""
    keys = _row_roles(table)
    models = parts.without_truth(table, _likely_models(table, keys)) if wanted is None else known(table, wanted)
    keys = {n: what for n, what in keys.items() if n not in models}
    parts.refuse_labels(table, keys)
    measured, rows = _measured(table, metric)
    parts.one_direction(table, (cell for n in keys for cell in table.words(n)[0]))
    together, cells = parts.clusters_of({n: table.column(n) for n in keys}) or (None, ())
    if together is not None:  # organs of a patient, sentences of a document: no data sets of their own
        keys = {n: "index" if what == "data set" and role(n) is None else what for n, what in keys.items()}
    aside = parts.left_out([n for n in table.names if n not in models]) + parts.plus_minus(table, models)
    return Scores(
        table.source,
        {n: cell_numbers(table, n, rows) for n in models},
        notes=aside + parts.by_cluster(together) + parts.summed_up(table),
        clusters=None if together is None else [cells[row] for row in rows],
        keys={what: [table.column(n)[row] for row in rows] for n, what in reversed(keys.items())},
        metric=measured,
    )


def _likely_models(table: Columns, keys: dict[str, str]) -> list[str]:
    """The columns that may be models; none where they are metrics, or too few."""
    aside = {*keys, *parts.beside(table.names), experiments.ordered(table)}
    models = [n for n in table.names if n not in aside and role(n) not in ("metric", "value")]
    metrics = [n for n in models if names_a_metric(n)]
    if models and (metrics == models or all(map(of_one_model, models))):
        raise InvalidOption(
            f"{table.source}: the columns {', '.join(models)} are metrics, not models: expected a column per "
            "model; to compare them all the same, name them with --models"
        )
    named = [n for n in models if n not in metrics]
    if len(named) > 1:
        return named  # a running time beside two models is none
    if len(models) < 2:
        others = ", ".join(repr(n) for n in table.names if n not in models) or "nothing else"
        raise InvalidValue(
            f"{table.source} holds {len(models)} model ({', '.join(models) or 'none'}): expected at least 2, a "
            f"column each; not taken for models: {others}; {SAY}"
        )
    if metrics:
        raise InvalidOption(
            f"{table.source}: {metrics[0]!r} is a metric, not a model, beside {', '.join(named)}: expected a column "
            f"per model; {SAY}"
        )
    return models


def _row_roles(table: Columns) -> dict[str, str]:
    """What the columns that name rows say they are: by their headers, else by their words."""
    named = [n for n in table.names if role(n) in KEYS or (role(n) != "metric" and _names_rows(table, n))]
    told = {n: role(n) or "index" for n in named}
    by_words = {n: what == "index" and table.mostly_words(n) for n, what in told.items()}
    return {n: parts.rows_by_words(table.words(n)[0]) if by_words[n] else what for n, what in told.items()}


def _names_rows(table: Columns, name: str) -> bool:
    """Words, or a count of the rows, under whatever name."""
    return table.mostly_words(name) or counts_rows(table, name)


def _long(table: Columns, column: str, metric: str | None) -> Scores:
    """A row for each value: pairs are found through what else names the rows."""
    names = table.column(column)
    models = list(dict.fromkeys(names))
    keys, rest = _keys_and_values(table, column, metric)
    if len(models) == len(names) and not keys:
        return _turned(table, models, rest)
    measured, rows = _measured(table, metric)
    value = value_column(table, rest, None if measured else metric)
    if keys and all(role(n) == "repeat" for n in keys) and len({names.count(m) for m in models}) > 1:
        return _runs(table, column, rows, value, measured)
    if not keys:
        raise InvalidOption(
            f"{table.source}: nothing says which values of {', '.join(models[:3])} belong together: expected a column "
            "such as dataset, fold, seed or case; or --unpaired, if they come from different cases"
        )
    crossed = _crossed(table, keys, names, rows, cell_numbers(table, value).tolist())
    cells: dict[str, Sequence[str]] = {n: [key[i] for key in crossed] for i, n in enumerate(keys)}
    together, clusters = parts.clusters_of(cells) or (None, None)
    return Scores(
        table.source,
        {m: np.array([place[m] for place in crossed.values()]) for m in models},
        notes=parts.plus_minus(table, [value]) + parts.by_cluster(together) + parts.summed_up(table),
        keys={role(n) or "index": cells[n] for n in reversed(keys)},
        metric=measured or value,
        clusters=clusters,
    )


def _runs(table: Columns, column: str, rows: Sequence[int], value: str, measured: str | None) -> Scores:
    """Runs of models, of one more than of another: no pairs, whatever their seeds."""
    cells, numbers = table.column(column), cell_numbers(table, value)
    runs = {m: numbers[[row for row in rows if cells[row] == m]] for m in dict.fromkeys(cells[row] for row in rows)}
    return Scores(table.source, runs, values="runs", metric=measured or value, paired=False)


def _keys_and_values(table: Columns, column: str, metric: str | None) -> tuple[list[str], list[str]]:
    """What names the rows of a long file, and what may hold the values; times are compared if nothing else is."""
    others = [n for n in table.names if n != column]
    keys = [n for n in others if role(n) in KEYS]
    keys += [n for n in others if n not in keys and role(n) != "metric" and table.mostly_words(n)]
    others = [n for n in others if n not in keys]
    rest = [n for n in others if role(n) not in ("other", "metric", "truth")]
    aside = [n for n in others if role(n) == "other"]
    return keys, rest + [n for n in aside if not rest or plain_name(n) == plain_name(metric or "")]


def _crossed(
    table: Columns, keys: list[str], names: Sequence[str], rows: Sequence[int], values: list[float]
) -> dict[tuple[str, ...], dict[str, float]]:
    """By what names the rows, the value of every model; none twice and none missing."""
    crossed: dict[tuple[str, ...], dict[str, float]] = {}

    def told(key: tuple[str, ...]) -> str:
        return ", ".join(f"{n} {cell}" for n, cell in zip(keys, key, strict=True))

    for row in rows:
        key = tuple(table.column(n)[row] for n in keys)
        place = crossed.setdefault(key, {})
        if names[row] in place:
            raise InvalidValue(
                f"{table.source}, line {table.line(row)}: a second value of {names[row]!r} for {told(key)}: "
                "expected one; add the column that tells them apart"
            )
        place[names[row]] = values[row]
    for key, place in crossed.items():
        gap = next((m for m in dict.fromkeys(names) if m not in place), None)
        if gap is not None:
            raise InvalidValue(
                f"{table.source}: {gap!r} has no value for {told(key)}: expected one for every model; fill the "
                "gap, drop it for every model, or leave the model out with --models"
            )
    return crossed


def _turned(table: Columns, models: list[str], rest: list[str]) -> Scores:
    """A row for each model: its columns are data sets, folds or runs, unless they are metrics."""
    rest = [n for n in rest if not parts.sums_up(n)]
    metrics = [n for n in rest if names_a_metric(n) or role(n) == "value"]
    if metrics or len(rest) < 2:
        shown = ", ".join(metrics or rest) or "nothing else"
        raise InvalidOption(
            f"{table.source}: one value of {shown} for each model, and no test can be made of one value: expected a "
            "value per data set, fold or case (a column per model); from published scores or confusion matrices alone, "
            f"see scoreproof compare --values published or matrices; to compare columns all the same, {SAY}"
        )
    parts.one_direction(table, rest)
    columns = [cell_numbers(table, n) for n in rest]
    turned = {m: np.array([column[i] for column in columns]) for i, m in enumerate(models)}
    rows = "index" if all(number(n) is not None for n in rest) else parts.rows_by_words(rest)
    note = f"each row is a model, and its values are those of {', '.join(rest)}"
    return Scores(table.source, turned, notes=(note, *parts.plus_minus(table, rest)), keys={rows: rest})


def _measured(table: Columns, metric: str | None) -> tuple[str | None, Sequence[int]]:
    """What a column of metrics says the values are of, and the rows of it, where the file holds several."""
    column, rows = next((n for n in table.names if _of_metrics(table, n)), None), parts.rows_of_values(table)
    if column is None:
        return None, rows
    cells = table.column(column)
    kept = parts.one_metric(table, cells, metric)
    parts.check_direction(table, kept, metric)
    return kept, [row for row in rows if cells[row] == kept]


def _of_metrics(table: Columns, name: str) -> bool:
    """Whether a column says of which metric each row is: by its header, or by all of its words."""
    return role(name) == "metric" or (table.mostly_words(name) and all(map(names_a_metric, table.words(name)[0])))


def _settled(scores: Scores, values: str | None) -> Scores:
    """What the rows are, by what names them; folds of several data sets become one value for each data set."""
    keys, rows = scores.keys, len(next(iter(scores.models.values()), ()))
    sets = list(dict.fromkeys(keys.get("data set", ())))
    words = parts.one_split(scores.source, keys.get("fold", ()))
    if len(sets) > 1 and rows > len(sets) and values in (None, "data sets"):
        return _averaged(scores, sets)
    named = {"fold", "repeat", "case", "cluster"} & {*keys}
    # Of patients in folds that were tested once it is the patients.
    once = any(len({*keys[k]}) == rows > len(words) for k in named & {"case", "cluster"})
    if "fold" in named and (values == "folds" or (values is None and not once)):
        return _in_folds(scores, rows, len(words))
    if len(sets) == 1 < rows and not named and values is None:
        raise InvalidOption(f"{scores.source}: {parts.QUESTIONS['one data set'].format(rows, sets[0])}")
    settled = replace(scores, values=values or _what_rows_are(scores))
    return settled if settled.values == "per case" else replace(settled, clusters=None)


def _in_folds(scores: Scores, rows: int, folds: int) -> Scores:
    if rows % folds:
        raise InvalidValue(
            f"{scores.source}: {rows} rows of {folds} folds: expected every fold as often as the others; runs that "
            "are not complete must be left out"
        )
    return replace(scores, values="folds", folds=folds)


def _what_rows_are(scores: Scores) -> str | None:
    """By what names them; tasks that were done or not are cases."""
    kinds = {"data set": "data sets", "repeat": "runs", "case": "per case", "cluster": "per case"}
    clustered, plain = ("cluster", "case", "data set", "repeat"), ("data set", "repeat", "case", "cluster")
    order = plain if scores.clusters is None else clustered
    told = scores.values or next((kinds[k] for k in order if k in scores.keys), None)
    hits = told == "data sets" and all(np.isin(column, (0, 1)).all() for column in scores.models.values())
    return None if hits else told


def _averaged(scores: Scores, sets: list[str]) -> Scores:
    """One value for each data set."""
    where = [np.flatnonzero(np.array(scores.keys["data set"]) == s) for s in sets]
    averaged = {m: np.array([column[w].mean() for w in where]) for m, column in scores.models.items()}
    what = " and ".join(k for k in ("fold", "repeat") if k in scores.keys) or "rows"
    note = f"the {what} of each data set were averaged: data sets are independent, folds and runs of one are not"
    notes = [n for n in scores.notes if not n.startswith("rows with the same")]
    return replace(scores, models=averaged, values="data sets", clusters=None, notes=(*notes, note))
