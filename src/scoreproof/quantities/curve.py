"""Areas under the curves of a classifier's scores: no functions of one confusion matrix, so a kind of their own."""

from __future__ import annotations

from scoreproof.quantities.quantity import Quantity
from scoreproof.quantities.registry import Register, declare

AUC = Quantity(
    "auc",
    "area under the ROC curve",
    r"\frac{1}{pn}\sum_{i,j}[s_i > s_j] + \tfrac12[s_i = s_j]",
    "Hanley and McNeil 1982, doi:10.1148/radiology.143.1.7063747",
    synonyms=(
        "auroc", "roc auc", "auc roc", "auc of roc", "roc area", "area under the curve", "area under roc",
        "area under the roc curve", "area under curve", "c statistic",
        "area under the receiver operating characteristic curve", "au roc",
    ),
    kind="curve",
)  # fmt: skip
AP = Quantity(
    "ap",
    "average precision",
    r"\sum_k (R_k - R_{k-1}) P_k",
    "the sum over thresholds without interpolation, as in scikit-learn's average_precision_score",
    synonyms=("average precision", "average precision score", "avg precision score"),
    kind="curve",
)
AUPRC = Quantity(
    "auprc",
    "area under the precision-recall curve",
    reference="by steps, trapezoids or Davis and Goadrich's interpolation (2006, doi:10.1145/1143844.1143874)",
    synonyms=(
        "pr auc", "auc pr", "aupr", "auc prc", "prc auc", "area under the precision recall curve", "auc of pr",
        "area under the pr curve", "area under precision recall curve",
    ),
    kind="curve",
)  # fmt: skip
BEST_ACCURACY = Quantity(
    "best_acc",
    "best accuracy over all thresholds",
    synonyms=("best accuracy", "optimal accuracy"),  # a maximum may be over folds
    kind="curve",
)

CURVE = declare("curve", Register())
for _area in (AUC, AP, AUPRC, BEST_ACCURACY):
    CURVE.admit(_area)
