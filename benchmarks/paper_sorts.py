"""Papers of thirteen tables of one sort each: true reports, set by pdflatex, to compare auditing with reading.

Every sort is set twice: with prose between the tables, as papers have it, and without any, where reading takes least.
"""

from __future__ import annotations

import random
import subprocess
from collections.abc import Callable, Sequence
from math import sqrt
from pathlib import Path
from typing import NamedTuple

_TABLES, _ROWS = 13, 6
_PROSE = (
    "All models were trained with the Adam optimizer for 50 epochs with a batch size of 32 and a learning rate of "
    "0.001. Training took about 3 hours on one machine. The loss was the cross entropy, and the weights with the "
    "smallest loss were kept. We repeat that small differences are within the noise of such an experiment.\n\n"
)
Cells = Sequence[float | tuple[float, float]]


class PaperSort(NamedTuple):
    """What the text says of the data, the headers, and how a row of true scores is drawn."""

    name: str
    data: str
    headers: tuple[str, ...]
    row: Callable[[random.Random], Cells]


def _one_matrix(rng: random.Random) -> Cells:
    p, n = 75, 304
    tp, tn = rng.randint(p // 2, p), rng.randint(n // 2, n)
    return (tp + tn) / (p + n), tp / p, tn / n, 2 * tp / (p + tp + n - tn)


def _over_folds(rng: random.Random) -> list[tuple[float, float, float]]:
    folds = []
    for p, n in [(8, 52)] * 3 + [(7, 53)] * 2:
        tp, tn = rng.randint(p // 2, p), rng.randint(n // 2, n)
        folds.append(((tp + tn) / (p + n), tp / p, tn / n))
    return folds


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _means(rng: random.Random) -> Cells:
    return [_mean(values) for values in zip(*_over_folds(rng), strict=True)]


def _means_and_deviations(rng: random.Random) -> Cells:
    columns = [(_mean(values), values) for values in zip(*_over_folds(rng), strict=True)]
    return [(mean, sqrt(_mean([(value - mean) ** 2 for value in values]))) for mean, values in columns[:2]]


def _three_classes(rng: random.Random) -> Cells:
    counts, share = (50, 70, 30), rng.uniform(0.6, 0.95)
    matrix = [[0, 0, 0] for _ in counts]
    for true, count in enumerate(counts):
        for _ in range(count):
            matrix[true][true if rng.random() < share else rng.randrange(3)] += 1
    recalls = [matrix[k][k] / counts[k] for k in range(3)]
    precisions = [matrix[k][k] / max(1, sum(row[k] for row in matrix)) for k in range(3)]
    scores = [2 * p * r / (p + r) for p, r in zip(precisions, recalls, strict=True)]
    return sum(matrix[k][k] for k in range(3)) / sum(counts), _mean(precisions), _mean(recalls), _mean(scores)


def _ranks(rng: random.Random) -> Cells:
    ranks = [1 + int(rng.expovariate(0.15)) for _ in range(500)]
    hits = [_mean([rank <= k for rank in ranks]) for k in (1, 3, 10)]
    return _mean([1 / rank for rank in ranks]), *hits


def _errors(rng: random.Random) -> Cells:
    wide = rng.uniform(3, 8)
    errors = [rng.gauss(0, wide) for _ in range(120)]
    squares = _mean([error**2 for error in errors])
    return _mean([abs(error) for error in errors]), sqrt(squares), 1 - squares / 144


_SIZED = "The test set contains 379 images, of which 75 are melanomas."
_FOLDED = "The public database has 38 preterm and 262 term records. We used stratified five-fold cross-validation{}."
_BINARY = ("Acc", "Sens", "Spec", "F1")
SORTS = (
    PaperSort("no sizes", "The data of earlier work were used as they are.", _BINARY, _one_matrix),
    PaperSort("both classes known", _SIZED, _BINARY, _one_matrix),
    PaperSort("all cases known", "The test set contains 379 images.", _BINARY, _one_matrix),
    PaperSort("means over folds", _FOLDED.format(", and averaged over folds"), _BINARY[:3], _means),
    PaperSort("means and deviations", _FOLDED.format(", and averaged over folds"), _BINARY[:2], _means_and_deviations),
    PaperSort("folds of unknown classes", "We used 5-fold cross-validation on 300 records.", _BINARY[:3], _means),
    PaperSort(
        "three classes",
        "The test set contains 50 cats, 70 dogs and 30 cows.",
        ("Acc", "Macro-P", "Macro-R", "Macro-F"),
        _three_classes,
    ),
    PaperSort("ranking", "We evaluate on the usual data.", ("MRR", "Hits@1", "Hits@3", "Hits@10"), _ranks),
    PaperSort("regression", "The test set contains 120 houses.", ("MAE", "RMSE", "R2"), _errors),
)


def set_paper(sort: PaperSort, folder: Path, *, prose: int) -> Path:
    """The paper as a PDF in two columns, with so many paragraphs before each table."""
    file = folder / f"{sort.name.replace(' ', '_')}_{prose}.tex"
    file.write_text(_latex(sort, random.Random(19), prose), encoding="utf-8")
    for _ in range(2):
        command = ["pdflatex", "-interaction=nonstopmode", file.name]
        subprocess.run(command, cwd=folder, capture_output=True, check=True)
    return file.with_suffix(".pdf")


def _latex(sort: PaperSort, rng: random.Random, prose: int) -> str:
    lines = [r"\documentclass[twocolumn]{article}\usepackage{booktabs}\begin{document}"]
    lines += [
        r"\section{Data}",
        sort.data,
        r"\section{Training}",
        _PROSE,
        r"\section{Results}",
        "The results follow.",
        "",
    ]
    for number in range(_TABLES):
        lines += [_PROSE] * prose
        lines += [r"\begin{table}[htb]\centering\small", rf"\caption{{Results of experiment {number}.}}"]
        lines += [
            rf"\begin{{tabular}}{{l{'c' * len(sort.headers)}}}\toprule",
            " & ".join(("Method", *sort.headers)) + r"\\",
        ]
        lines.append(r"\midrule")
        lines += [" & ".join((f"M{row}", *map(_cell, sort.row(rng)))) + r"\\" for row in range(_ROWS)]
        lines += [r"\bottomrule\end{tabular}\end{table}", ""]
    return "\n".join([*lines, r"\end{document}", ""])


def _cell(value: float | tuple[float, float]) -> str:
    return rf"{value[0]:.3f} $\pm$ {value[1]:.3f}" if isinstance(value, tuple) else f"{value:.3f}"
