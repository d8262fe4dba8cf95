"""Predictions in a file of scores: which column is the truth, and which columns are predictions of which model."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import numpy.typing as npt

from scoreproof.cli import score_parts as parts
from scoreproof.cli.score_parts import KEYS, SAY, Scores
from scoreproof.cli.score_roles import beside, counts_rows, of_one_model, role
from scoreproof.csv_reader.columns import Columns, whole_numbers
from scoreproof.errors import InvalidOption, InvalidValue

_MOST_LABELS = 50
_KINDS = "(?P<kind>pred|prediction|label|class|prob|proba|score|probability)"
_PREDICTED = re.compile("(^|[ _.-])(pred|prediction|prob|proba|probability|logit)([ _.-]|$)", re.I)
_ENDING = re.compile(rf"(?P<model>.+?)[ _.-]{_KINDS}$", re.I)
_BEGINNING = re.compile(rf"{_KINDS}[ _.-](?P<model>.+)$", re.I)


def truth_column(table: Columns, truth: str | None, wanted: list[str] | None, predictions: bool | None) -> str | None:
    """The truth, when the file holds predictions: named, called so, or labels under a telling name."""
    if truth is not None:
        table.index(truth)
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
    parts.one_split(table.source, (cell for n in rest if role(n) == "fold" for cell in table.column(n)))
    together, cells = parts.clusters_of({n: table.column(n) for n in rest if n not in names}) or (None, None)
    return Scores(
        table.source,
        {name: labels_or_numbers(table, name) for name in names},
        labels_or_numbers(table, truth),
        "one test set",
        notes=parts.left_out([n for n in rest if n not in names]) + parts.by_cluster(together),
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
    """Of a model's labels and scores (A_pred, A_prob) the scores alone; of A_prob_0 and A_prob_1 the latter."""
    names = [n for n in names if not (n.endswith("0") and f"{n[:-1]}1" in names and re.search("prob|score", n, re.I))]
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
    return np.array(labels)[places]
