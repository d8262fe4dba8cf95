"""Scores from predictions: one ``evaluate_...`` function per task, and the single metrics behind them.

Binary, multi-class and multi-label classification, regression, segmentation, detection and retrieval, after
Rainio, Teuho & Klén, "Evaluation metrics and statistical tests for machine learning" (2024,
doi:10.1038/s41598-024-56706-x), with its misprints corrected. Arrays in, frozen results out: each prints as a
sentence for a paper, serialises with ``to_dict`` and renders in notebooks.
"""

from scoreproof.metrics.agreement import Kappa, cohen_kappa, fleiss_kappa, icc, krippendorff_alpha, multiclass_mcc
from scoreproof.metrics.binary import (
    BinaryEvaluation,
    ThresholdChoice,
    binary_scores,
    choose_threshold,
    evaluate_binary,
    score_intervals,
)
from scoreproof.metrics.classes import (
    ClassScores,
    MulticlassEvaluation,
    MultilabelEvaluation,
    evaluate_multiclass,
    evaluate_multilabel,
    multiclass_from_matrix,
)
from scoreproof.metrics.coco import CocoEvaluation, evaluate_coco
from scoreproof.metrics.curves import (
    PrecisionRecallCurve,
    RocCurve,
    auc,
    average_precision,
    multiclass_auc,
    precision_recall_curve,
    roc_curve,
    top_k_accuracy,
)
from scoreproof.metrics.detection import Box, DetectionEvaluation, box_iou, evaluate_detection
from scoreproof.metrics.labels import confusion_matrix, labels_from_scores
from scoreproof.metrics.predicted_numbers import (
    Calibration,
    CalibrationLine,
    RegressionEvaluation,
    brier_score,
    calibration,
    calibration_line,
    cross_entropy,
    evaluate_regression,
    expected_cost,
    kendall,
    mae,
    mape,
    median_absolute_error,
    mse,
    net_benefit,
    pearson,
    r2,
    rmse,
    spearman,
)
from scoreproof.metrics.retrieval import (
    RetrievalEvaluation,
    bpref,
    dcg,
    evaluate_retrieval,
    ndcg,
    precision_at,
    r_precision,
    ranked_average_precision,
    ranking,
    recall_at,
    reciprocal_rank,
)
from scoreproof.metrics.segmentation import (
    SegmentationEvaluation,
    StructuralSimilarity,
    dice,
    evaluate_segmentation,
    iou,
    ssim,
)
from scoreproof.metrics.surfaces import SurfaceConvention, SurfaceDistances, surface_distances
from scoreproof.validation import enforce

__all__ = [
    "BinaryEvaluation", "Box", "Calibration", "CalibrationLine", "ClassScores", "CocoEvaluation",
    "DetectionEvaluation", "Kappa", "MulticlassEvaluation", "MultilabelEvaluation", "PrecisionRecallCurve",
    "RegressionEvaluation", "RetrievalEvaluation", "RocCurve", "SegmentationEvaluation",
    "StructuralSimilarity", "SurfaceConvention", "SurfaceDistances", "ThresholdChoice", "auc", "average_precision",
    "binary_scores", "box_iou", "bpref", "brier_score", "calibration", "calibration_line", "choose_threshold",
    "cohen_kappa", "confusion_matrix", "cross_entropy", "dcg", "dice", "evaluate_binary",
    "evaluate_coco", "evaluate_detection", "evaluate_multiclass", "evaluate_multilabel", "evaluate_regression",
    "evaluate_retrieval", "evaluate_segmentation", "expected_cost", "fleiss_kappa",
    "icc", "iou", "kendall", "krippendorff_alpha", "labels_from_scores", "mae", "mape",
    "median_absolute_error", "mse", "multiclass_auc", "multiclass_from_matrix",
    "multiclass_mcc", "ndcg", "net_benefit", "pearson", "precision_at", "precision_recall_curve", "r2",
    "r_precision", "ranked_average_precision", "ranking", "recall_at", "reciprocal_rank", "rmse", "roc_curve",
    "score_intervals", "spearman", "ssim", "surface_distances", "top_k_accuracy",
]  # fmt: skip

enforce(globals(), __all__)
