"""Options that several commands share, each described once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Positives = Annotated[int | None, typer.Option("--p", help="Positives in the test set, as stated.")]
Negatives = Annotated[int | None, typer.Option("--n", help="Negatives in the test set, as stated.")]
Folds = Annotated[int | None, typer.Option(help="Cross-validation in so many folds of --p and --n.")]
Repeats = Annotated[int, typer.Option(help="How often the cross-validation was repeated.")]
Unstratified = Annotated[
    bool, typer.Option("--unstratified", help="Folds of equal size whose class counts are unknown.")
]
FoldsRule = Annotated[
    str | None,
    typer.Option(
        "--fold-rule",
        help="Class counts folds may have: balanced (default) or scikit-learn (exactly its own); with --unstratified "
        "any (default) or trainable (each class in at least two folds).",
    ),
]
Fold = Annotated[
    list[str] | None, typer.Option(metavar="P,N", help="Positives and negatives of one fold (repeatable).")
]
HowAveraged = Annotated[
    str | None, typer.Option(help="mean_of_scores (default for folds), score_of_means, or unknown (both are tried).")
]
ExperimentFile = Annotated[
    Path | None, typer.Option("--experiment", help="The experiment as a JSON or YAML file, for anything nested.")
]
Minimum = Annotated[
    list[str] | None,
    typer.Option("--min", metavar="NAME=VALUE", help="Smallest value over the parts (repeatable)."),
]
Maximum = Annotated[
    list[str] | None, typer.Option("--max", metavar="NAME=VALUE", help="Largest value over the parts (repeatable).")
]
BoundsOnly = Annotated[bool, typer.Option("--bounds-only", help="--min and --max are bounds that no part need attain.")]
ExtremesAre = Annotated[
    str, typer.Option("--extremes-over", help="What --min and --max are over: parts (of the mean), or all folds.")
]
UndefinedAs = Annotated[
    str,
    typer.Option(
        "--undefined",
        help="What a 0/0 score counts as: any (each score's usual treatments), zero, one, skip (left out of the mean), "
        "or exclude (it would not have been reported).",
    ),
]
Beta = Annotated[str | None, typer.Option(help="Beta of scores named fbeta, fbp or fbn.")]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON document on standard output.")]
Certificate = Annotated[Path | None, typer.Option(help="Write the proof of an inconsistency to this file.")]
DecimalComma = Annotated[bool, typer.Option("--decimal-comma", help="Read 0,912 as 0.912.")]
Prevalence = Annotated[str | None, typer.Option(help="The share of positives, as printed.")]
Tightness = Annotated[float, typer.Option(help="How close to values that occur the ranges should come.")]
Plot = Annotated[Path | None, typer.Option(help="Draw the figure to this file (.png, .svg, .pdf).")]
Html = Annotated[Path | None, typer.Option(help="Write a page of its own to this file.")]
Task = Annotated[
    str | None, typer.Option(help="binary, multiclass, multilabel, regression, segmentation, detection or retrieval.")
]
Question = Annotated[str, typer.Option(help="better: which scores higher; variance: which varies more.")]
Unpaired = Annotated[bool, typer.Option("--unpaired", help="The models were evaluated on different cases.")]
