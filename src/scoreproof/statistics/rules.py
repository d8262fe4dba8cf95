"""What a rule of the decision table says, and the words it uses for tasks, metrics and values.

The words are those of Rainio, Teuho & Klén (2024, doi:10.1038/s41598-024-56706-x).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

PAPER = "Rainio, Teuho & Klén 2024, doi:10.1038/s41598-024-56706-x"

#: The metrics the paper names for each task. Binary and multi-class tasks also know every registered score.
TASKS: dict[str, tuple[str, ...]] = {
    "binary": ("acc", "sens", "spec", "ppv", "bm", "f1", "kappa", "mcc", "auc", "cross-entropy"),
    "multiclass": ("acc", "sens", "spec", "ppv", "bm", "f1", "kappa", "mcc"),
    "multilabel": ("hamming-loss", "acc", "ppv", "sens"),
    "regression": ("pearson", "spearman", "mae", "mse", "rmse", "r2"),
    "segmentation": ("dice", "iou", "acc", "surface-dice", "asd", "hausdorff", "svd", "voe", "ssim"),
    "detection": ("ap", "map", "ppv", "sens"),
    "retrieval": ("ap", "map", "ppv", "sens", "dcg", "ndcg", "mrr"),
}

LOW_IS_GOOD = frozenset(
    {
        "mae",
        "mse",
        "rmse",
        "asd",
        "hausdorff",
        "svd",
        "voe",
        "hamming-loss",
        "cross-entropy",
        "lrn",
        "err",
        "fpr",
        "fnr",
    }
)

#: How the values of the metric came about.
VALUES: dict[str, str] = {
    "one test set": "the predictions of every model on one common test set",
    "per case": "a value for each case: Dice per image, squared error per instance, AP per query",
    "data sets": "a value for each of several independent data sets",
    "runs": "a value for each training run (seed) on one test set",
    "folds": "a value for each fold of a cross-validation, or for each random split, repeated or not",
    "5x2 folds": "five repetitions of twofold cross-validation",
    "matrices": "only the confusion matrices are published",
    "published": "only the value and the class sizes are published",
}

MODELS = ("one", "two", "many")
QUESTIONS = ("better", "variance")


@dataclass(frozen=True, slots=True)
class Rule:
    """One row of the table. Empty sets of tasks, metrics or values fit all."""

    test: str
    function: str
    why: str
    models: frozenset[str]
    values: frozenset[str] = frozenset()
    metrics: frozenset[str] = frozenset()
    tasks: frozenset[str] = frozenset()
    question: str = "better"
    paired: bool = True
    assumptions: tuple[str, ...] = ()
    avoid: tuple[tuple[str, str], ...] = ()
    instead: tuple[tuple[str, str], ...] = ()
    then: str = ""
    effect: str = ""
    source: str = PAPER

    def to_dict(self) -> dict[str, Any]:
        return {
            "question": self.question,
            "models": [m for m in MODELS if m in self.models],
            "values": [v for v in VALUES if v in self.values],
            "tasks": [t for t in TASKS if t in self.tasks],
            "metrics": sorted(self.metrics),
            "paired": self.paired,
            "test": self.test,
            "function": self.function,
            "why": self.why,
            "assumptions": list(self.assumptions),
            "avoid": [{"test": name, "why": why} for name, why in self.avoid],
            "instead": [{"test": name, "why": why} for name, why in self.instead],
            "then": self.then,
            "effect": self.effect,
            "source": self.source,
        }
