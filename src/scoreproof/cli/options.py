"""Options that several commands share, each described once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from scoreproof.errors import InvalidOption


def where(processes: int | None, cluster: str | None, *, otherwise: int | None) -> Any:
    """Where the work is done: so many processes, or a cluster; not both."""
    if processes is not None and cluster is not None:
        raise InvalidOption(
            "--cluster: the work is done there or in processes here (--jobs, --workers); give one of them"
        )
    return cluster if cluster is not None else otherwise if processes is None else processes


def option(words: str, *names: str, **more: Any) -> Any:
    """An option, described first; its own names only where the parameter's would not do."""
    return typer.Option(*names, help=words, **more)


Positives = Annotated[int | None, option("Positives in the test set, as stated.", "--p")]
Negatives = Annotated[int | None, option("Negatives in the test set, as stated.", "--n")]
Folds = Annotated[int | None, option("Cross-validation in so many folds of --p and --n, or of --regression.")]
Repeats = Annotated[int, option("How often the cross-validation was repeated.")]
Unstratified = Annotated[bool, option("Folds of equal size whose class counts are unknown.", "--unstratified")]
FoldsRule = Annotated[
    str | None,
    option(
        "Class counts folds may have: balanced (default) or scikit-learn (exactly its own); with --unstratified "
        "any (default) or trainable (each class in at least two folds).",
        "--fold-rule",
    ),
]
Fold = Annotated[list[str] | None, option("Positives and negatives of one fold (repeatable).", metavar="P,N")]
HowAveraged = Annotated[
    str | None, option("mean_of_scores (default for folds), score_of_means, or unknown (both are tried).")
]
ExperimentFile = Annotated[
    Path | None,
    option("The experiment as a JSON or YAML file, or catalog:NAME,... of a known one.", "--experiment"),
]
Total = Annotated[int | None, option("Cases in the test set, where the class counts are unknown.", "--total")]
Average = Annotated[
    bool, option("Every value is a mean over the same parts (classes, folds, images) of unknown sizes.", "--average")
]
Parts = Annotated[int | None, option("Of --average: how many parts there are, all of equal weight.", "--parts")]
Predicted = Annotated[
    str | None,
    option("Errors of predicted numbers on so many cases, or unknown.", "--regression", metavar="N"),
]
DetectedObjects = Annotated[
    int | None, option("Object detection with so many annotated objects; 0 if unknown.", "--detection", min=0)
]
Queries = Annotated[int | None, option("Retrieval: so many queries with one relevant item each.", "--queries")]
Classes = Annotated[
    str | None,
    option("Cases of every class, of several that exclude each other: 50,70,30, or cat=50,dog=70.", "--classes"),
]
Labels = Annotated[
    str | None, option("Cases that have each label, of labels that do not exclude each other.", "--labels")
]
Matrix = Annotated[
    str | None,
    option(
        "A printed confusion matrix of several classes, rows of true classes: '120 7 9; 15 116 3; 12 13 115'.",
        "--matrix",
    ),
]
OnCluster = Annotated[
    str | None, option("A Dask cluster to do the work: the address of its scheduler, tcp://HOST:PORT.", "--cluster")
]
AsJson = Annotated[bool, option("One JSON document on standard output.", "--json")]
Certificate = Annotated[Path | None, option("Write the proof of an inconsistency to this file.")]
DecimalComma = Annotated[bool, option("Read 0,912 as 0.912.", "--decimal-comma")]
Prevalence = Annotated[str | None, option("The share of positives, as printed.")]
Tightness = Annotated[float, option("How close to values that occur the ranges should come.")]
Plot = Annotated[Path | None, option("Draw the figure to this file (.png, .svg, .pdf).")]
Html = Annotated[Path | None, option("Write a page of its own to this file.")]
Task = Annotated[
    str | None, option("binary, multiclass, multilabel, regression, segmentation, detection or retrieval.")
]
Question = Annotated[
    str,
    option("better: which scores higher; variance: which varies more; equivalent; or 'not worse' (than --control)."),
]
Unpaired = Annotated[bool, option("The models were evaluated on different cases.", "--unpaired")]
