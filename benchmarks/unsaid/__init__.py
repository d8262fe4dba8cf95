"""True reports in conventions that authors use without saying so, from their definitions on random data.

``CONVENTIONS`` names the entry of the registry that each follows; ``python -m benchmarks conventions`` asks them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from benchmarks.unsaid import binary as b
from benchmarks.unsaid import others as o
from benchmarks.unsaid.drawing import Floats, Report, Rng

__all__ = ["CONVENTIONS", "Practice", "Report", "reports"]


def deviation(values: Floats) -> float:
    return float(values.std(ddof=1))


def _times(factor: float, width: Callable[[Floats], float]) -> Callable[[Floats], float]:
    return lambda values: factor * width(values)


@dataclass(frozen=True, slots=True)
class Practice:
    """A convention as it is practised: the kind of the report, in words, the entry of the registry, and a report."""

    kind: str
    what: str
    entry: str
    draw: Callable[[Rng], Report]


def _mean(values: Floats) -> float:
    return float(values.mean())


def _median(values: Floats) -> float:
    return float(np.median(values))


CONVENTIONS = (
    Practice("regression", "MSE, RMSE, MAE are means over batches", "means of batches", o.error_batches),
    Practice("regression", "RMSE divided by n - k - 1, MSE by n", "residual standard error", o.residual_error(False)),
    Practice("regression", "RMSE is the root of the mean MSE of folds", "errors of all folds", o.root_of_mean),
    Practice("binary", "the positive class is the other one", "classes exchanged", b.other_class),
    Practice("binary", "precision, recall, F1 are macro averages", "macro averages", b.class_average(False)),
    Practice("binary", "precision, recall, F1 are weighted averages", "weighted averages", b.class_average(True)),
    Practice("common_average", "Dice per image, IoU of all pixels", "IoU of all pixels", b.iou_of_all),
    Practice("printed_classes", "predictions as rows", "predictions as rows", o.transposed),
    Practice("common_average", "mean IoU counts the background", "IoU with background", b.iou_with_background),
    Practice("regression", "adjusted R2 counts the intercept", "intercept counted", o.adjusted),
    Practice("shared_variance", "R2 is the squared correlation", "squared correlations compared", o.rows_compared),
    Practice("multi_class", "mean one-against-rest accuracy", "one-against-rest accuracy", o.one_against_rest),
    Practice("detection", "YOLO, means over classes", "detections by class", o.yolo(4)),
    Practice("common_average", "F1 without hits is left out", "F1 without hits left out", b.f1_left_out),
    Practice("value_spread", "± is half an interval", "95 % interval by t", o.spread_of(b.student)),
    Practice("binary", "half precision, 4 digits", "half precision", b.half_precision),
    Practice("value_spread", "± is a standard error", "standard error", o.spread_of(b.standard_error)),
    Practice("value_spread", "values of MCC", "values below zero", o.spread_of(deviation, signed=True)),
    Practice("binary", "median over folds", "medians over folds", b.summarised(_median, None)),
    Practice("detection", "YOLO, one class, interpolated", "interpolated detections", o.yolo(1)),
    Practice("unknown_classes", "mean of 3 or 5 runs", "mean of runs", o.mean_of_runs),
    Practice("common_average", "macro P and R, micro F1", "mixed averages", b.mixed_averages),
    Practice("binary", "Dice, IoU with smoothing 1", "smoothing by one", b.smoothing(1)),
    Practice("regression", "RMSE divided by n - k - 1, others", "residual standard error", o.residual_error(True)),
    Practice("paired_counts", "chi2", "form of McNemar's test", o.mcnemar("chi2")),
    Practice("mean_ranks", "tied methods get the min rank", "smallest or dense ranks", o.tied_methods("min")),
    Practice("binary", "mean of batch accuracies, drop_last", "means of batch accuracies", b.batches(True)),
    Practice("ranking", "recall@10 of several relevant items", "several relevant items", o.several_relevant),
    Practice("binary", "mean of batch accuracies", "means of batch accuracies", b.batches(False)),
    Practice("binary", "± is a standard error", "standard error", b.summarised(_mean, b.standard_error)),
    Practice("paired_counts", "chi2, corrected", "form of McNemar's test", o.mcnemar("chi2-corrected")),
    Practice("paired_counts", "mid-p", "form of McNemar's test", o.mcnemar("mid-p")),
    Practice("mean_ranks", "tied methods get the dense rank", "smallest or dense ranks", o.tied_methods("dense")),
    Practice("value_spread", "± is 2 sd", "two deviations", o.spread_of(_times(2, deviation))),
    Practice("ranking", "tied items share a rank", "ranks between ties", o.tied_ranks),
    Practice("multi_class", "kappa is quadratic weighted", "weighted kappa", o.quadratic_kappa),
    Practice(
        "binary", "± is 1.96 standard errors", "95 % interval", b.summarised(_mean, _times(1.96, b.standard_error))
    ),
    Practice("binary", "folds of whole subjects", "folds of whole subjects", b.whole_subjects),
    Practice("regression", "R2 is the squared correlation", "squared correlation", o.squared_correlation),
    Practice("paired_counts", "Yates' 0.5", "Yates' correction by a half", o.mcnemar("half")),
    Practice("binary", "± is a half-width by t", "95 % interval by t", b.summarised(_mean, b.student)),
    Practice("binary", "± is a mean absolute deviation", "another spread", b.summarised(_mean, b.absolute_deviation)),
    Practice("binary", "F1 of the mean precision and recall", "F1 of means", b.f1_of_means),
    Practice("binary", "± is 2 sd", "two deviations", b.summarised(_mean, _times(2, deviation))),
    Practice("curve", "AUPRC without its first point", "curve without its first point", o.area("first point")),
    Practice("binary", "± is half the range", "another spread", b.summarised(_mean, b.half_range)),
    Practice("binary", "accuracy pooled, others means", "pooled accuracy", b.pooled_accuracy),
    Practice("printed_shares", "rows made to add up to 100", "shares made to add up", o.adjusted_shares),
    Practice("binary", "± is the mean of the repeats' deviations", "another spread", b.deviations_of_repeats),
    Practice("multi_class", "a class without cases left out", "empty classes left out", o.with_an_empty_class(False)),
    Practice("curve", "AUC of the convex hull", "AUC of the hull", o.area("hull")),
    Practice("binary", "Dice, IoU with smoothing 1e-5", "small smoothing", b.smoothing(1e-5)),
    Practice("binary", "Dice, IoU with smoothing 1e-6", "small smoothing", b.smoothing(1e-6)),
    Practice("binary", "Dice, IoU with smoothing 1e-7", "small smoothing", b.smoothing(1e-7)),
    Practice("binary", "Dice of an empty mask is 1", "empty masks", b.empty_masks),
    Practice("common_average", "undefined precision left out", "undefined precision left out", b.precision_left_out),
    Practice("curve", "AP by trapezoids", "AP by trapezoids", o.area("trapezoids")),
    Practice("curve", "AUC at thresholds", "AUC at thresholds", o.area("thresholds")),
    Practice("multi_class", "a class without cases", "predicted classes without cases", o.with_an_empty_class(True)),
    Practice("multi_class", "weighted F1 from weighted P and R", "F1 of averages", o.weighted_f1),
    Practice(
        "value_spread", "± is half an interval, unknown", "95 % interval by t", o.spread_of(b.student, kind="unknown")
    ),
    Practice("value_spread", "± is 2 sd, unknown", "two deviations", o.spread_of(_times(2, deviation), kind="unknown")),
    Practice("value_spread", "± is an error, unknown", "standard error", o.spread_of(b.standard_error, kind="unknown")),
)


def reports(practice: Practice, number: int, seed: int = 0) -> Iterator[Report]:
    """So many true reports."""
    rng = np.random.default_rng([seed, CONVENTIONS.index(practice)])
    for _ in range(number):
        yield practice.draw(rng)
