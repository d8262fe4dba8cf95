"""Evaluations of files as people keep them: predictions in a CSV file, or what was predicted and what is true in two.

A file of predictions has a header and a line per case; columns are found by the names people give them, and every
complaint names the line and the column. Of two files, masks are numpy arrays (.npy), detections COCO's JSON, rankings
TREC's text: "query Q0 document rank score tag" for a run, "query 0 document gain" for the judgements.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from scoreproof.arrays import Floats, Ints
from scoreproof.csv_reader import read_content
from scoreproof.csv_reader.columns import Columns, read_columns, whole_numbers
from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.metrics.binary import BinaryEvaluation, ThresholdChoice, choose_threshold, evaluate_binary
from scoreproof.metrics.classes import (
    MulticlassEvaluation,
    MultilabelEvaluation,
    Undefined,
    evaluate_multiclass,
    evaluate_multilabel,
)
from scoreproof.metrics.coco import CocoEvaluation, evaluate_coco
from scoreproof.metrics.curves import multiclass_auc, top_k_accuracy
from scoreproof.metrics.retrieval import RetrievalEvaluation, evaluate_retrieval
from scoreproof.metrics.segmentation import SegmentationEvaluation, evaluate_segmentation

ROLES = {
    "truth": ("truth", "true", "y_true", "label", "true_label", "target", "actual", "class", "gold"),
    "predicted": ("predicted", "prediction", "y_pred", "pred", "predicted_label", "y_hat", "output"),
    "score": ("score", "probability", "y_score", "prob", "proba", "y_prob", "confidence"),
}


@dataclass(frozen=True, slots=True)
class PredictionTable:
    """The columns of a prediction file, found by role or by name."""

    cells: Columns

    @property
    def source(self) -> str:
        return self.cells.source

    @property
    def columns(self) -> tuple[str, ...]:
        return self.cells.names

    def find(self, role: str, wanted: str | None) -> str | None:
        """The column of a role: the one asked for, or the only one of a usual name; None if there is none."""
        if wanted is not None:
            if wanted not in self.columns:
                raise InvalidOption(f"{self.source} has no column {wanted!r}; it has {', '.join(self.columns)}")
            return wanted
        usual = [column for column in self.columns if column.strip().lower() in ROLES[role]]
        if len(usual) > 1:
            raise InvalidOption(f"{self.source}: {' and '.join(usual)} could both be the {role}; say --{role}")
        return usual[0] if usual else None

    def need(self, role: str, wanted: str | None) -> str:
        """The column of a role, or an error that lists the columns."""
        column = self.find(role, wanted)
        if column is None:
            raise InvalidOption(
                f"{self.source}: which column is the {role}? say --{role}; the columns are {', '.join(self.columns)}"
            )
        return column

    def numbers(self, column: str) -> Floats:
        """A column of finite numbers."""
        values = self.cells.numbers(column)
        if not np.isfinite(values).all():
            row = int(np.flatnonzero(~np.isfinite(values))[0])
            where = f"{self.source}, line {self.cells.line(row)}, column {column!r}"
            raise InvalidValue(f"{where}: a finite number is needed, got {self.cells.column(column)[row]!r}")
        return values

    def labels(self, columns: Sequence[str]) -> list[NDArray[Any]]:
        """Columns of class labels, all as whole numbers, all as truth values, or all as text."""
        if all(self.cells.all_numbers(column) for column in columns):
            values = [self.cells.numbers(column, gaps=True) for column in columns]
            if all(np.isfinite(v).all() and whole_numbers(v) for v in values):
                return [v.astype(np.int64) for v in values]
        for column in columns:
            if (row := self.cells.first_missing(column)) is not None:
                raise InvalidValue(f"{self.source}, line {self.cells.line(row)}, column {column!r}: expected a value")
        read = [self.cells.words(column) for column in columns]
        cells = {word for words, _ in read for word in words}
        kind = (
            bool if {word.lower() for word in cells} <= {"true", "false"} else int if all(map(_whole, cells)) else str
        )
        return [np.array([as_label(word, kind) for word in words])[places] for words, places in read]

    def marks(self, column: str) -> Ints:
        """A column of 0 and 1."""
        values = self.numbers(column)
        wrong = np.flatnonzero((values != 0) & (values != 1))
        if len(wrong):
            line, value = self.cells.line(int(wrong[0])), values[wrong[0]]
            raise InvalidValue(f"{self.source}, line {line}, column {column!r}: 0 or 1 is needed, got {value:g}")
        return values.astype(np.int64)


def read_predictions(path: str | Path) -> PredictionTable:
    """Read a prediction file; ``-`` is standard input.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "p.csv"
    >>> _ = file.write_text("truth;score\\n1;0,9\\n0;0,2\\n")
    >>> table = read_predictions(file)
    >>> table.numbers("score").tolist(), [labels.tolist() for labels in table.labels(["truth"])]
    ([0.9, 0.2], [[1, 0]])
    """
    return PredictionTable(read_columns(path))


def as_label(cell: str, kind: type) -> Any:
    """A label from its text: a whole number, a truth value, or the text itself."""
    if kind is int:
        return int(float(cell))
    return cell.lower() == "true" if kind is bool else cell


def _whole(cell: str) -> bool:
    try:
        return float(cell).is_integer()
    except ValueError:
        return False


_JOINTS = "_:. -"
_LIST_SEPARATORS = ";|"


@dataclass(frozen=True, slots=True)
class PredictionColumns:
    """The columns the user named; None leaves the choice to the usual names."""

    truth: str | None = None
    predicted: str | None = None
    score: str | None = None


def binary_from_table(
    table: PredictionTable,
    columns: PredictionColumns,
    *,
    threshold: float | None = None,
    positive: str | None = None,
    undefined: Undefined = "nan",
) -> BinaryEvaluation:
    """Evaluate labels, scores, or both; with a threshold, or without labels, they come from the scores."""
    truth = table.need("truth", columns.truth)
    score = table.find("score", columns.score)
    predicted = table.find("predicted", columns.predicted)
    if threshold is not None:
        if columns.predicted is not None:
            raise InvalidOption("a threshold makes labels from scores; leave out --predicted or the threshold")
        predicted, score = None, table.need("score", columns.score)
    if score is None and predicted is None:
        raise InvalidOption(
            f"{table.source}: no column of predictions or scores is recognised; say --predicted or --score; "
            f"the columns are {', '.join(table.columns)}"
        )
    actual, *guessed = table.labels([truth] if predicted is None else [truth, predicted])
    return evaluate_binary(
        actual,
        guessed[0] if guessed else None,
        scores=None if score is None else table.numbers(score),
        threshold=threshold,
        positive=positive_label(actual, positive),
        undefined=undefined,
    )


def threshold_from_table(
    table: PredictionTable, columns: PredictionColumns, *, criterion: str = "youden", positive: str | None = None
) -> ThresholdChoice:
    """The best threshold of a table of *training* predictions."""
    (actual,) = table.labels([table.need("truth", columns.truth)])
    scores = table.numbers(table.need("score", columns.score))
    return choose_threshold(actual, scores, criterion=criterion, positive=positive_label(actual, positive))


def multiclass_from_table(
    table: PredictionTable, columns: PredictionColumns, *, undefined: Undefined = "nan"
) -> MulticlassEvaluation:
    """Evaluate class labels."""
    names = [table.need("truth", columns.truth), table.need("predicted", columns.predicted)]
    actual, guessed = table.labels(names)
    return evaluate_multiclass(actual, guessed, undefined=undefined)


def class_ranking_from_table(table: PredictionTable, columns: PredictionColumns) -> dict[str, float]:
    """AUC and top-k of the columns score_CLASS (or prob_CLASS); nothing where there are none for all classes."""
    (actual,) = table.labels([table.need("truth", columns.truth)])
    present = list(dict.fromkeys(actual.tolist()))
    named = (_prefixed(table, prefix) for prefix in ("score", "prob", "probability"))
    known = next((each for each in named if each and all(str(label) in each for label in present)), {})
    if not known:
        return {}
    classes = [*present, *(label for label in known if label not in map(str, present))]
    scores = np.column_stack([table.numbers(known[str(label)]) for label in classes])
    tops = [1, *(k for k in (2, 3, 5) if k < len(classes))]
    told = {f"top_{k}": top_k_accuracy(actual, scores, classes=classes, k=k) for k in tops}
    if len(present) > 1:
        told["auc_ovr"] = multiclass_auc(actual, scores, classes=classes)
        told["auc_ovo"] = multiclass_auc(actual, scores, classes=classes, how="ovo")
    return told


def multilabel_from_table(
    table: PredictionTable, columns: PredictionColumns, *, undefined: Undefined = "nan"
) -> MultilabelEvaluation:
    """Evaluate one pair of 0/1 columns per label, or one pair of columns with lists of labels."""
    truth, predicted = columns.truth or "truth", columns.predicted or "predicted"
    if truth in table.columns and predicted in table.columns:
        actual, guessed, names = _listed(table, truth, predicted)
        return evaluate_multilabel(actual, guessed, labels=names, undefined=undefined)
    sides = [_prefixed(table, prefix) for prefix in (truth, predicted)]
    for labelled, other, prefix in ((sides[0], sides[1], predicted), (sides[1], sides[0], truth)):
        lacking = [name for name in labelled if name not in other]
        if lacking:
            raise InvalidOption(
                f"{table.source}: label {lacking[0]!r} has no column that starts with {prefix!r}; the "
                f"columns are {', '.join(table.columns)}"
            )
    if not sides[0]:
        raise InvalidOption(
            f"{table.source}: no columns start with {truth!r} and {predicted!r}; name the prefixes with "
            f"--truth and --predicted; the columns are {', '.join(table.columns)}"
        )
    names = list(sides[0])
    actual, guessed = (np.stack([table.marks(side[name]) for name in names], axis=1) for side in sides)
    return evaluate_multilabel(actual, guessed, labels=names, undefined=undefined)


def regression_columns(table: PredictionTable, columns: PredictionColumns) -> tuple[Floats, Floats]:
    """The true and the predicted values."""
    wanted = (table.need("truth", columns.truth), table.need("predicted", columns.predicted))
    return table.numbers(wanted[0]), table.numbers(wanted[1])


def positive_label(actual: NDArray[Any], positive: str | None) -> Any:
    """The positive label in the form the column has."""
    if positive is None:
        return None
    kind = {"i": int, "b": bool}.get(actual.dtype.kind, str)
    try:
        return as_label(positive, kind)
    except ValueError:
        raise InvalidOption(f"--positive {positive!r}: the labels are whole numbers, like {actual[0]}") from None


def _prefixed(table: PredictionTable, prefix: str) -> dict[str, str]:
    """Label to column, for the columns ``prefix_label``."""
    return {
        column[len(prefix) + 1 :]: column
        for column in table.columns
        if column.startswith(prefix) and len(column) > len(prefix) + 1 and column[len(prefix)] in _JOINTS
    }


def _listed(table: PredictionTable, truth: str, predicted: str) -> tuple[Ints, Ints, list[str]]:
    """Lists of labels such as "cat;dog", a blank cell being no label, as two tables of 0 and 1."""
    sides = []
    for column in (truth, predicted):
        cells = table.cells.column(column)
        separator = max(_LIST_SEPARATORS, key=lambda mark: sum(cell.count(mark) for cell in cells))
        sides.append([{part.strip() for part in cell.split(separator)} - {""} for cell in cells])
    names = sorted(set().union(*sides[0], *sides[1]))
    if not names:
        raise InvalidValue(f"{table.source}: columns {truth!r} and {predicted!r} hold no label at all")
    actual, guessed = (np.array([[name in cell for name in names] for cell in side], dtype=np.int64) for side in sides)
    return actual, guessed, names


ReferenceTask = Literal["segmentation", "detection", "retrieval"]


def evaluate_files(
    task: ReferenceTask, predicted: Path, reference: Path
) -> SegmentationEvaluation | CocoEvaluation | RetrievalEvaluation:
    """Evaluate a file of predictions against a file of the truth."""
    for path in (predicted, reference):
        if not path.is_file():
            raise InvalidValue(f"{path}: no such file; expected the predictions and the truth of --task {task}")
    if task == "segmentation":
        return evaluate_segmentation(_mask(reference), _mask(predicted))
    if task == "detection":
        return evaluate_coco(reference, predicted)
    return evaluate_retrieval(_trec(reference, 4, gain=3), _trec(predicted, 6, gain=4))


def _mask(path: Path) -> NDArray[Any]:
    try:
        mask = np.load(path, allow_pickle=False)
    except (OSError, ValueError) as error:
        raise InvalidValue(f"{path}: expected a mask as a numpy array (.npy), got {str(error)[:60]!r}") from None
    return np.asarray(mask)


def _trec(path: Path, width: int, *, gain: int) -> dict[str, dict[str, float]]:
    """{query: {document: number}} of a TREC file; the document stands third."""
    judgements: dict[str, dict[str, float]] = {}
    for line, row in enumerate(read_content(path).text.split("\n"), start=1):
        words = row.split()
        if not words:
            continue
        try:
            query, document, number = words[0], words[2], float(words[gain])
        except (IndexError, ValueError):
            raise InvalidValue(f"{path}, line {line}: expected {width} words, the number in place {gain + 1}") from None
        if document in judgements.setdefault(query, {}):
            raise InvalidValue(f"{path}, line {line}: document {document!r} of query {query!r} stands there twice")
        judgements[query][document] = number
    return judgements
