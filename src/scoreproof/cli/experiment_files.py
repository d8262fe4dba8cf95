"""Files without a column of scores per model: predictions, scikit-learn's cv_results_, tables of experiment trackers.

Of predictions it is asked which column is the truth, and which columns are predictions of which model. Logs of training
and tables of survival, in which no columns of models are, are refused with what would do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from scoreproof.cli import score_columns as parts
from scoreproof.cli.score_columns import (
    KEYS,
    QUESTIONS,
    SAY,
    WORDS,
    Scores,
    beside,
    cell_numbers,
    counts_rows,
    is_tracker,
    of_one_model,
    of_tracker,
    one_metric,
    only,
    plain_name,
    role,
    value_column,
)
from scoreproof.csv_reader.columns import Columns, whole_numbers
from scoreproof.errors import InvalidOption, InvalidValue

_FINISHED = {"finished", "terminated", "completed", "complete", "done", "success", "succeeded", "ok", "inactive"}
_SETTINGS = ("params", "parameters", "hparams", "config", "sys")
_STEPS = ("epoch", "epochs", "step", "global step", "iteration", "checkpoint", "ckpt")
_SPLIT = re.compile(r"split(\d+)_test_(.+)")
_MOST_CANDIDATES = 12
_CANDIDATES = (
    "scikit-learn's cv_results_: candidates are models, splits are folds; the best of many candidates looks better on "
    "these folds than it is"
)


def is_search(table: Columns) -> bool:
    """Whether the file is the cv_results_ of a search."""
    return any(_SPLIT.fullmatch(n) for n in table.names)


def refuse_others(table: Columns, truth: str | None) -> None:
    """Survival, matrices, tables of counts, curves of training: what no column of models is in."""
    told = truth is not None or is_tracker(table.names)
    for what, look in _OTHERS.items():
        if names := () if told and what == "survival" else look(table):
            raise asked(table, what, *names)


def refuse_ordered(table: Columns) -> None:
    """Rows that follow each other in time, or one model at several settings, are not independent."""
    name = ordered(table)
    if name is not None:
        raise asked(table, "order", name)


def asked(table: Columns, what: str, *names: str) -> InvalidOption:
    """A question about the columns that are named."""
    return InvalidOption(f"{table.source}: {QUESTIONS[what].format(*names)}")


def survival_columns(table: Columns) -> Sequence[str]:
    """The times and the events of a table of survival, where both stand there."""
    times = [n for n in table.names if _is_time(plain_name(n)) and table.all_numbers(n)]
    events = [
        n for n in table.names if plain_name(n) in WORDS["events"] and n not in times and len(table.words(n)[0]) <= 2
    ]
    return (times[0], events[0]) if times and events else ()


def _is_time(word: str) -> bool:
    """Whether a header is that of times of survival, with or without their unit."""
    stem, _, unit = word.rpartition(" ")
    return word in WORDS["times"] or (unit in WORDS["times_of"] and stem in WORDS["times"])


def ordered(table: Columns) -> str | None:
    """The column that orders the rows, in time or by a setting that rises in equal steps; None where it only counts."""
    if any(role(n) in ("data set", "fold", "repeat", "cluster", "case") for n in table.names):
        return None
    dates = (n for n in table.names if plain_name(n) in WORDS["dates"] and len(table.words(n)[0]) > 2)
    numeric = [n for n in table.names if table.all_numbers(n) and role(n) in (None, "other")]
    measured = beside(table.names)
    other = [n for n in numeric if role(n) == "other" or n not in measured]
    steps = (n for n in other if not counts_rows(table, n) and _in_steps(table, n, numeric))
    return next(chain(dates, steps), None)


def _in_steps(table: Columns, name: str, others: Sequence[str]) -> bool:
    """Whether a column rises in equal steps (0.1, 0.2, ...), by equal factors (1, 2, 4), or alone in whole ones."""
    values = table.numbers(name, gaps=True)
    steps = np.diff(values)
    if table.rows < 4 or not np.isfinite(values).all() or not ((steps > 0).all() or (steps < 0).all()):
        return False
    with np.errstate(divide="ignore", invalid="ignore"):
        rises = (steps, values[1:] / values[:-1])
    same = any(bool(np.allclose(rise, rise[0], rtol=1e-6, atol=0)) for rise in rises)
    if same or not whole_numbers(values):
        return same
    return not any(n != name and whole_numbers(table.numbers(n, gaps=True)) for n in others)


def counted(table: Columns) -> Sequence[str]:
    """The column that says how many cases each row stands for, where all others are classes."""
    for name in (n for n in table.names if plain_name(n) in WORDS["counts"] and table.all_numbers(n)):
        others = [n for n in table.names if n != name]
        few = all(len(table.words(n)[0]) <= max(2, table.rows // 2) for n in others)
        if few and len({*zip(*map(table.column, others), strict=True)}) == table.rows:
            return (name,)
    return ()


def _same_names(table: Columns) -> Sequence[str]:
    square = any(table.mostly_words(n) and {*table.column(n)} == {*table.names} - {n} for n in table.names)
    return table.names[1:] if square else ()


def _drawn(table: Columns) -> Sequence[str]:
    return [n for n in table.names if plain_name(n).split()[:1] in (["bootstrap"], ["boot"], ["replicate"])]


def _steps(table: Columns) -> Sequence[str]:
    steps = [n for n in table.names if plain_name(n) in _STEPS]
    rising = [n for n in steps if table.all_numbers(n) and table.rows > 1 and np.all(np.diff(table.numbers(n)) >= 0)]
    told = not rising or {"model", "data set"} & {*map(role, table.names)}
    return () if told else (plain_name(rising[0]).removesuffix("s"), rising[0])


_OTHERS: dict[str, Callable[[Columns], Sequence[str]]] = {
    "survival": survival_columns, "same names": _same_names, "counts": counted, "samples": _drawn, "steps": _steps,
}  # fmt: skip


def searched(table: Columns, wanted: list[str] | None, metric: str | None) -> Scores:
    """scikit-learn's cv_results_: a row for each candidate, a column for each fold; scores are better high."""
    splits = [(match[2], int(match[1]), n) for n in table.names if (match := _SPLIT.fullmatch(n))]
    kept = one_metric(table, (name for name, _, _ in splits), metric)
    columns = [cell_numbers(table, n) for name, _, n in sorted(splits, key=lambda part: part[1]) if name == kept]
    models = {name: np.array([column[row] for column in columns]) for row, name in enumerate(_candidates(table))}
    told: dict[str, Any] = {"values": "folds", "notes": (_CANDIDATES,), "metric": None if kept == "score" else kept}
    told |= {"folds": len(columns) if len(columns) <= 10 else None, "higher_is_better": True}
    scores = only(Scores(table.source, models, **told), wanted)
    if len(scores.models) > _MOST_CANDIDATES:
        listed = "; ".join(list(scores.models)[:3])
        raise InvalidOption(
            f"{table.source}: {len(scores.models)} candidates ({listed}; ...): expected at most {_MOST_CANDIDATES}; "
            "all pairs of so many say little: keep the rows to be compared"
        )
    return scores


def _candidates(table: Columns) -> list[str]:
    """The candidates of a search by what tells them apart."""
    params = [n for n in table.names if n.startswith("param_")]
    params = [n for n in params if len(table.words(n)[0]) > 1] or params
    if params:
        return [", ".join(f"{n[6:]}={table.column(n)[row]}" for n in params) for row in range(table.rows)]
    return list(table.column("params")) if "params" in table.names else [f"candidate {i}" for i in range(table.rows)]


def tracked(table: Columns, column: str, metric: str | None) -> Scores:
    """A table of an experiment tracker: a row for each run; runs of a model are its values."""
    state = next((n for n in table.names if plain_name(n) in ("state", "status")), None)
    states = ["done"] * table.rows if state is None else table.column(state)
    rows = [row for row, cell in enumerate(states) if cell.strip().lower() in _FINISHED]
    unfinished = f"{table.rows - len(rows)} of {table.rows} runs did not finish and were left out ({state})"
    value = value_column(table, _measured(table, column), metric)
    numbers, cells = table.numbers(value, gaps=True), table.column(column)
    runs = {m: numbers[[row for row in rows if cells[row] == m]] for m in dict.fromkeys(cells[row] for row in rows)}
    if any(np.isnan(v).any() for v in runs.values()):
        raise InvalidValue(f"{table.source}, column {value!r}: a run that finished has no value: expected one for each")
    few = [m for m, v in runs.items() if len(v) < 2]
    if few:
        raise InvalidOption(
            f"{table.source}: one run of {few[0]!r}, and no test can be made of one value: expected several runs "
            "(seeds) of each model; or leave it out with --models"
        )
    notes = [unfinished] if len(rows) < table.rows else []
    notes.append("each row is a run: runs of a model are its values, not paired with those of others")
    return Scores(table.source, runs, values="runs", notes=tuple(notes), metric=value, paired=False)


def _measured(table: Columns, column: str) -> list[str]:
    """The columns that may hold what was measured: those of metrics, or all numbers that are no settings."""
    rest = [n for n in table.names if n != column and not of_tracker(n) and table.all_numbers(n)]
    rest = [n for n in rest if not n.lower().startswith(_SETTINGS) and role(n) not in (*KEYS, "other")]
    return [n for n in rest if n.lower().startswith(("metrics", "summary"))] or rest


_MOST_LABELS = 50
_POOLED = ("scores of several folds are taken as those of one model: their scales may differ from fold to fold",)
_BEST = ("prob", "score", "mean", "q50", "median")  # of several columns of one model
_KINDS = (
    "(?:y[ _.-]?)?(?:pred(?:icted)?[ _.-])?(?P<kind>pred|prediction|label|class|prob|proba|score|probability|mean|"
    "median|std|sd|se|var|sigma|q[0-9]+|p[0-9]+|lower|upper|lo|hi)"
)
_PREDICTED = re.compile("(^|[ _.-])(pred|prediction|prob|proba|probability|logit)([ _.-]|$)", re.I)
_ENDING = re.compile(rf"(?P<model>.+?)[ _.-]{_KINDS}$", re.I)
_BEGINNING = re.compile(rf"{_KINDS}[ _.-](?P<model>.+)$", re.I)


def truth_column(table: Columns, truth: str | None, wanted: list[str] | None, predictions: bool | None) -> str | None:
    """The truth, when the file holds predictions: named, called so, or labels under a telling name."""
    if truth is not None:
        table.require(truth)
        return truth
    free = [n for n in table.names if n not in (wanted or ())]
    sure = next((n for n in free if role(n) == "truth"), None)
    if sure is not None and predictions is False and wanted is None:
        raise InvalidOption(
            f"{table.source}: column {sure!r} makes these predictions, and the test compares values of a "
            f"metric: expected a test of predictions (--test auto); or {SAY}"
        )
    if sure is not None or predictions is False:
        return None if predictions is False else sure
    maybe = [n for n in free if role(n) == "maybe truth"]
    labels = next((n for n in maybe if predictions or _holds_labels(table, n)), None)
    return labels if labels is not None or not maybe else _predicted_numbers(table, maybe)


def refuse_without_truth(table: Columns) -> None:
    """Refuse columns that are called predictions where nothing is called the truth."""
    told = [n for n in table.names if _PREDICTED.search(n) and table.all_numbers(n)]
    if len(told) > 1:
        raise InvalidOption(
            f"{table.source}: {', '.join(told)} look like predictions, and no column is called truth: expected "
            f"--truth COLUMN, or {SAY}"
        )


def _predicted_numbers(table: Columns, maybe: list[str]) -> str | None:
    """The first of columns that may be the truth, where the other numbers follow it; where they do not, a question."""
    numeric = [n for n in table.names if n not in maybe and role(n) is None and table.all_numbers(n)]
    if numeric and all(map(of_one_model, numeric)):
        return maybe[0]
    if not table.all_numbers(maybe[0]) or len(numeric) < 2:
        return None
    if _predicts(table, maybe[0], numeric):
        return maybe[0]
    raise parts.truth_or_model(table, maybe[0])


def _holds_labels(table: Columns, name: str) -> bool:
    """Whether a column could hold the classes of cases: few different ones, whole numbers or words."""
    if table.all_numbers(name):
        values = table.numbers(name, gaps=True)
        if not np.isfinite(values).all() or not whole_numbers(values):
            return False
        return 2 <= len(np.unique(values)) <= min(_MOST_LABELS, max(2, table.rows // 2))
    return 2 <= len(table.words(name)[0]) <= min(_MOST_LABELS, max(2, table.rows // 2))


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


def predicted(table: Columns, truth: str, wanted: list[str] | None) -> Scores:
    rest = [n for n in table.names if n != truth]
    names = _of_models(table, truth, rest) if wanted is None else parts.known(table, wanted)
    folds = parts.one_split(table.source, (cell for n in rest if role(n) == "fold" for cell in table.column(n)))
    together, cells = parts.clusters_of({n: table.column(n) for n in rest if n not in names}) or (None, None)
    pooled = _POOLED if len(folds) > 1 else ()
    return Scores(
        table.source,
        {name: labels_or_numbers(table, name) for name in names},
        labels_or_numbers(table, truth),
        "one test set",
        notes=(*parts.left_out([n for n in rest if n not in names]), *parts.by_cluster(together), *pooled),
        clusters=cells,
    )


def _of_models(table: Columns, truth: str, rest: list[str]) -> list[str]:
    """A column of predictions for each model: scores, numbers, or labels that the truth has, too."""
    aside = {n for n in rest if role(n) in (*KEYS, "truth", "metric") or counts_rows(table, n)} | beside(rest)
    names = [n for n in rest if n not in aside]
    names = [n for n in names if not table.mostly_words(n) or {*table.words(truth)[0]} & {*table.words(n)[0]}]
    if names and all(of_one_model(n) for n in names):
        raise InvalidOption(
            f"{table.source}: {', '.join(names)} are predictions of one model: expected a column for each of two "
            "models; of one model see scoreproof metrics, which gives its scores with intervals"
        )
    names = _one_of_each(names)
    if len(names) > 2 and _holds_labels(table, truth):
        _refuse_classes(table, names, sorted(table.words(truth)[0]))
    return names


def _refuse_classes(table: Columns, names: list[str], classes: list[str]) -> None:
    """Refuse one model's scores of three classes or more, a column each."""
    stems = [n[: -len(c)] for n in names for c in classes if n.lower().endswith(c.lower())]
    stem = next((s for s in stems if 2 < len(classes) == stems.count(s)), None)
    if stem is not None:
        raise InvalidOption(
            f"{table.source}: {', '.join(stem + c for c in classes)} are one model's scores of {len(classes)} classes: "
            "expected one column for each model, of the class it predicts"
        )


def _one_of_each(names: list[str]) -> list[str]:
    """Of a model's labels and scores (A_pred, A_prob) the scores, of means and spreads the means, of classes 1."""
    names = [n for n in names if not (n.endswith("0") and f"{n[:-1]}1" in names and re.search("prob|score", n, re.I))]
    by_model: dict[str, list[tuple[str, str]]] = {}
    for name in names:
        match = _ENDING.match(name) or _BEGINNING.match(name)
        stem, kind = (match["model"], match["kind"]) if match else (name, "")
        by_model.setdefault(stem.lower(), []).append((kind.lower(), name))
    kept: list[str] = []
    for columns in by_model.values():
        scores = [n for kind, n in columns if kind.startswith(_BEST)]
        kept += scores[:1] if scores and len(columns) > 1 else [n for _, n in columns]
    return kept


def labels_or_numbers(table: Columns, name: str) -> npt.NDArray[Any]:
    """A column as numbers where all are, else as words; a missing cell is an error either way."""
    if table.all_numbers(name):
        return table.numbers(name)
    row = table.first_missing(name)
    if row is not None:
        raise InvalidValue(
            f"{table.source}, line {table.line(row)}, column {name!r} is missing: expected a label or a score"
        )
    labels, places = table.words(name)
    if {label.lower() for label in labels} <= {"true", "false"}:
        labels = [label.lower() == "true" for label in labels]  # type: ignore[misc]
    return np.array(labels)[places]
