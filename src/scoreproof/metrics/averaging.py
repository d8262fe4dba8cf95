"""Binary scores of many classes, each against the rest, and their averages.

Macro-averaging means the class values, micro-averaging scores the summed counts, weighting uses the number of true
cases (Rainio, Teuho & Klén 2024, doi:10.1038/s41598-024-56706-x, "Multi-class classification"). An average of
one-against-rest accuracies is not the share of correct cases: with k classes it is far higher.

A class that is never predicted has no precision. Software disagrees silently about what to print then, so here the
choice is an argument and is echoed by every result: ``nan`` (undefined stays undefined, also in means), ``zero``
(counts as 0, scikit-learn's convention) or ``skip`` (means run over the defined classes only).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal, Self, get_args

import numpy as np

from scoreproof.arrays import Floats, Ints
from scoreproof.errors import InvalidOption
from scoreproof.jsonable import document, rebuilt
from scoreproof.kinds.binary.scores import ConfusionMatrix, Score, known_scores, score
from scoreproof.metrics.presentation import number
from scoreproof.results import SmallTable, Tabular
from scoreproof.validation import chosen
from scoreproof.validation import shown as repr_of

Undefined = Literal["nan", "zero", "skip"]


@dataclass(frozen=True, slots=True, eq=False)
class ClassScores(Tabular):
    """Every registered score per class, and its micro, macro and weighted averages."""

    labels: tuple[Any, ...]
    matrices: tuple[ConfusionMatrix, ...]
    undefined: Undefined
    per_class: Mapping[str, tuple[float, ...]]
    micro: Mapping[str, float]
    macro: Mapping[str, float]
    weighted: Mapping[str, float]

    def of_class(self, label: Any) -> dict[str, float]:
        """All scores of one class."""
        if not isinstance(label, str | int | float | np.generic) or label not in self.labels:
            raise InvalidOption(f"label {repr_of(label)} is not among the classes {list(self.labels)!r}")
        index = self.labels.index(label)
        return {name: values[index] for name, values in self.per_class.items()}

    def average(self, name: str, how: str = "macro") -> float:
        """One average by any of the score's names."""
        averages: dict[str, Mapping[str, float]] = {"micro": self.micro, "macro": self.macro, "weighted": self.weighted}
        chosen("how", how, tuple(averages))
        wanted = score(name)
        return averages[how][wanted.name] if wanted.name in averages[how] else self._unregistered(wanted, how)

    def _unregistered(self, wanted: Score, how: str) -> float:
        """A score made on the spot, such as F-beta of any beta."""
        cells = np.array([matrix.cells for matrix in self.matrices], dtype=np.int64)
        if how == "micro":
            return float(settle(np.array(wanted(*(int(c) for c in cells.sum(axis=0)))), self.undefined))
        support = (cells[:, 0] + cells[:, 2]).astype(np.float64)
        return mean(wanted.values(*cells.T), self.undefined, support if how == "weighted" else None)

    def to_dict(self) -> dict[str, Any]:
        both = zip(self.labels, self.matrices, strict=True)
        classes = [{"label": label, "matrix": matrix, "scores": self.of_class(label)} for label, matrix in both]
        return document(self, "undefined micro macro weighted", classes=classes)

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        classes = document["classes"]
        names = document["macro"]
        scores = {name: [row["scores"][name] for row in classes] for name in names}
        columns = {"labels": [row["label"] for row in classes], "matrices": [row["matrix"] for row in classes]}
        return rebuilt(cls, {**document, **columns, "per_class": scores})

    def __str__(self) -> str:
        averages = ", ".join(f"{how} F1 {number(self.average('f1', how))}" for how in ("micro", "macro", "weighted"))
        return f"Over {len(self.labels)} classes: {averages}."

    def _rows(self) -> list[dict[str, Any]]:
        return [{"class": label, **self.of_class(label)} for label in self.labels]

    def _tables(self) -> list[SmallTable]:
        names = ("sens", "spec", "ppv", "f1", "acc", "mcc")
        rows = [
            [str(label), matrix.p, *(_cell(self.per_class[name][i]) for name in names)]
            for i, (label, matrix) in enumerate(zip(self.labels, self.matrices, strict=True))
        ]
        rows += [
            [f"{title} average", "", *(_cell(self.average(name, title)) for name in names)]
            for title in ("micro", "macro", "weighted")
        ]
        return [SmallTable(rows, ["class", "p", *names], "Each class against the rest")]


def _cell(value: float) -> str:
    """A score short enough for a table of many columns; an undefined one is what it is, 0/0."""
    return "0/0" if math.isnan(value) else number(value)


def class_scores(
    labels: tuple[Any, ...], *, tp: Ints, fp: Ints, fn: Ints, tn: Ints, undefined: Undefined
) -> ClassScores:
    """Scores and averages from the four counts of each class."""
    chosen("undefined", undefined, get_args(Undefined))
    support: Floats = (tp + fn).astype(np.float64)
    matrices = tuple(ConfusionMatrix(*(int(cell) for cell in cells)) for cells in zip(tp, fp, fn, tn, strict=True))
    total = [sum(matrix.cells[cell] for matrix in matrices) for cell in range(4)]
    per_class, micro, macro, weighted = {}, {}, {}, {}
    for known in known_scores():
        values = known.values(tp, fp, fn, tn)
        per_class[known.name] = tuple(settle(values, undefined).tolist())
        macro[known.name] = mean(values, undefined)
        weighted[known.name] = mean(values, undefined, support)
        micro[known.name] = float(settle(np.array(known(*total)), undefined))
    return ClassScores(
        labels,
        matrices,
        undefined,
        MappingProxyType(per_class),
        MappingProxyType(micro),
        MappingProxyType(macro),
        MappingProxyType(weighted),
    )


def settle(values: Floats, choice: Undefined) -> Floats:
    """Undefined values as they are shown: 0 under ``zero``, NaN otherwise."""
    return np.where(np.isnan(values), 0.0, values) if choice == "zero" else values


def mean(values: Floats, choice: Undefined, weights: Floats | None = None) -> float:
    """The (weighted) mean under a convention; undefined (0 under ``zero``) if nothing is left. Weight 0 means absent.

    >>> values = np.array([0.5, np.nan])
    >>> [mean(values, choice) for choice in ("nan", "zero", "skip")]
    [nan, 0.25, 0.5]
    """
    weights = np.ones_like(values) if weights is None else weights
    values = settle(values, choice)
    used = weights > 0
    if choice == "skip":
        used &= ~np.isnan(values)
    if not used.any():
        return 0.0 if choice == "zero" else float("nan")
    return float(np.sum(values[used] * weights[used]) / np.sum(weights[used]))
