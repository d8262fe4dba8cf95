"""A right call of every public function, constructor and method: what the fuzzer of signatures begins with.

``CALLS`` holds them by name; a star before an argument's name says that its value is a list of positional arguments.
``missing`` names what is public and has no call here, so that a new function cannot come without one. Constructors and
``from_dict`` of results are not listed: they are made from the results of ``test_results.py``.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import fields
from enum import Enum
from fractions import Fraction
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pyarrow

import scoreproof as sp
from scoreproof import claims, metrics, pages, sota, statistics
from scoreproof.findings.collection import Collection
from scoreproof.reported.conventions import Conventions
from scoreproof.results import Result


class Call(NamedTuple):
    """A function and arguments that are right."""

    function: Callable[..., Any]
    arguments: dict[str, Any]


_SET = sp.TestSet(10, 20)
_SCORES = {"acc": "0.90", "sens": "0.80"}
_PASSED = sp.check(_SET, _SCORES)
_REFUTED = sp.check(_SET, {"acc": "0.9567"})
_GRID = "Method,Acc,Sens\nA,0.90,0.80\nB,0.85,0.70\n"
_X, _Y = [0.90, 0.80, 0.85, 0.70, 0.91, 0.95], [0.80, 0.70, 0.80, 0.65, 0.85, 0.90]
_TABLE = [[0.9, 0.8, 0.7], [0.8, 0.7, 0.75], [0.85, 0.8, 0.6], [0.7, 0.6, 0.5]]
_TRUTH, _GUESSED, _PREDICTED = [0, 0, 1, 1, 1, 0], [0.1, 0.4, 0.35, 0.8, 0.9, 0.2], [0, 0, 1, 1, 0, 1]
_ROWS = pyarrow.table({"p": ["10", "10"], "n": ["20", "20"], "acc": ["0.90", "0.9567"], "sens": ["0.80", "0.80"]})
_MATRIX, _OTHER = sp.ConfusionMatrix(tp=8, fp=2, fn=2, tn=18), sp.ConfusionMatrix(tp=7, fp=3, fn=3, tn=17)
_MASK, _MASK2 = np.eye(4, dtype=bool), np.ones((4, 4), dtype=bool)
_BOXES = [metrics.Box(1, "a", (0, 0, 2, 2), 0.9)]
_SHARES = [["0.83", "0.17"], ["0.33", "0.67"]]
_THREE = [0, 1, 2, 1]
_PROBABILITIES = [[0.7, 0.2, 0.1], [0.2, 0.5, 0.3], [0.1, 0.2, 0.7], [0.3, 0.4, 0.3]]
_SPECIFICATION = {
    "datasets": {"d": {"p": 3, "n": 4}}, "experiments": {"t": {"dataset": "d"}},
    "tables": [{"experiment": "t", "grid": [["M", "Acc"], ["A", "0.9"]]}],
}  # fmt: skip
_OPTIONS = {"rounding": None, "eps": None, "digits": None, "decimal_comma": False, "budget": 0.2, "seed": 0}
_USUAL = {each.name: each.default for each in fields(Conventions)}
_ONE_SIDED: dict[str, Any] = {"alternative": "two-sided", "level": 0.95}
_PAIR: dict[str, Any] = {"x": _X, "y": _Y}
_LABELS = {"truth": _TRUTH, "scores": _GUESSED, "positive": None}
_PREDICTIONS = {"truth": _TRUTH, "predicted": _PREDICTED}
_VALUES = {"truth": _X, "predicted": _Y}
_MASKS = {"truth": _MASK, "predicted": _MASK2}
_DEPENDENT = {"p_dep": None, "correlation": None}
_BOARD = {"scores": [0.9, 0.8, 0.7], "names": None, "public": None, "alpha": 0.05, "prior": "auto", "percent": False,
          "sort": False}  # fmt: skip
_P = {"p": "<0.05", "rounding": "any"}

_HOUSE: dict[str, dict[str, Any]] = {
    "TestSet": {"p": 10, "n": 20},
    "KFold": {"p": 10, "n": 20, "k": 2, "repeats": 1, "stratified": True, "aggregation": "mean_of_scores", "rule": None,
              "ranges": {}},
    "MeanOfScores": {"parts": [_SET, _SET], "ranges": {"acc": (0, 1)}},
    "ScoreOfMeans": {"parts": [_SET, _SET], "ranges": {}},
    "UnknownAggregation": {"parts": [_SET, _SET]},
    "UnknownClasses": {"total": 30, "prevalence": "0.3"},
    "AverageOf": {"parts": 5},
    "Detection": {"objects": 10, "classes": 2},
    "MultiClass": {"counts": [5, 6, 7], "total": None, "classes": None},
    "MultiLabel": {"counts": [5, 6, 7], "total": 20},
    "PrintedClasses": {"matrix": _SHARES, "names": ["a", "b"], "total": 12, "counts": [6, 6]},
    "Ranking": {"queries": 10, "candidates": 20},
    "Regression": {"n": 10, "folds": None, "predictors": 2, "integers": False},
    "ConfusionMatrix": {"tp": 1, "fp": 2, "fn": 3, "tn": 4},
    "ask": {"problem": _PASSED.problem, "budget": 0.2, "seed": 0},
    "audit": {"spec": _SPECIFICATION, "experiment": None, "jobs": 1, "budget": 0.2, "seed": 0, "explain": False, "strength": False,
              "progress": None, "resume": None},
    "check": {"experiment": sp.KFold(10, 20, 2), "scores": _SCORES, **_USUAL, "budget": 0.2, "seed": 0},
    "batch": {"frame": _ROWS, "out": None, "experiment": None, "columns": None, "carry": (), "percent": (), "source": None, "long": None,
              "strength": False, "explain": False, "budget": 0.2, "seed": 0, "pool": 1, "rows_per_part": 10, "progress": None, **_USUAL},
    "open_batch": {"folder": "nowhere"},
    "honest_row": {"results": {"test_acc": [0.9, 0.8], "indices": {"test": [[0, 1], [2]]}}, "y": [1, 0, 1], "digits": 3,
                   "positive": 1},
    "selfcheck": {"y_true": [1, 1, 0, 0], "y_pred": [1, 0, 0, 0], "table": _GRID, "row": "A", "folds": [0, 1, 0, 1], "positive": 1,
                  "rounding": "nearest"},
    "reconstruct_classes": {"classes": [3, 4], "scores": {"acc": "0.71"}, "budget": 0.2, "seed": 0},
    "experiment_from_dict": {"tree": {"type": "testset", "p": 3, "n": 4}},
    "fold_configurations": {"p": 4, "n": 5, "k": 2},
    "interpret": {"table": sp.read_tables(_GRID)[0], "columns": None, "transposed": None, "decimal_comma": None, "percent": None},
    "power": {"experiment": sp.TestSet(4, 5), "scores": ["acc"], "digits": 2, "deviation": "last digit", "classifier": "any",
              "trials": 2, "seed": 0, "rounding": None, "eps": None, "beta": None, "undefined": "exclude", "exact": None,
              "level": 0.95, "budget": 0.2, "jobs": 1, "progress": None, "resume": None},
    "read_certificate": {"path": "nowhere.json"},
    "read_tables": {"path_or_text": _GRID, "kind": None},
    "reconstruct": {"scores": _SCORES, "p": 10, "n": 20, "total": None, "prevalence": None, "rounding": None, "eps": None,
                    "digits": None, "beta": None, "undefined": "any", "decimal_comma": False, "tightness": 0.01, "budget": 0.2,
                    "interval_method": None},
    "register": {"name": "mine", "ratio": lambda tp, fp, fn, tn: (tp, tp + fn), "title": "", "synonyms": (), "link": "ratio",
                 "monotone": None, "latex": "", "reference": ""},
    "reinterpret": {"table": {"A": _SCORES, "B": {"acc": "0.8", "sens": "0.7"}}, "p": 10, "n": 20, "total": None, "prevalence": None,
                    "claim": None, "cost_ratio": 2, "costs": None, "cost_budget": None, "rounding": None, "eps": None,
                    "interval_method": None, "decimal_comma": False, "tightness": 0.01, "budget": 0.2},
    "report": {"name": "acc", "value": "0.9", "rounding": None, "eps": None, "digits": None, "beta": None, "decimal_comma": False},
    "score": {"name": "acc", "beta": None},
    "strength": {"result": _PASSED, "budget": 0.2, "seed": 0, "draws": 5, "within": 0.1},
    "unregister": {"name": "mine"},
    "verify": {"certificate": _REFUTED.certificate},
}  # fmt: skip

_CLAIMS: dict[str, dict[str, Any]] = {
    "auc_difference": {"a": "0.90", "b": "0.80", "p": 20, "n": 30, "pvalue": "<0.05", "intervals": None, "level": None, "rounding": "any"},
    "auc_interval": {"value": "0.90 (0.85-0.95)", "p": 20, "n": 30, "level": None, "method": None, "ties": "possible", "rounding": "any"},
    "family": {"p_values": ["0.01", "0.04"], "method": "holm", "alpha": 0.05, "significant": None, "rounding": "any"},
    "interval": {"value": "0.90 (0.80-0.95)", "n": 40, "level": None, "method": None, "clustered": False, "rounding": "any",
                 "decimal_comma": False},
    "mcnemar": {"a": "0.93", "b": "0.90", "n": 30, "method": "any", "discordant": None, **_P},
    "mean_of": {"values": ["0.9", "0.8"], "mean": "0.85", "sd": "0.05", "rounding": "any", "decimal_comma": False},
    "means": {"a": "0.9 ± 0.1", "b": "0.8 ± 0.1", "n": 10, "test": None, **_P},
    "p_value": {"test": "t", "statistic": "2.1", "df": 10, "sides": "any", **_P},
    "paired": {"a": "0.9 ± 0.1", "b": "0.8 ± 0.1", "k": 5, "test_share": None, "spread": "sd", **_P},
    "proportions": {"a": "0.93", "b": "0.80", "n": 30, "test": None, **_P},
    "rank_sum": {"n": (10, 12), "statistic": "23", "sides": "any", **_P},
    "ranks": {"means": ["1.5", "2.0", "2.5"], "datasets": 4, "scores": None, "higher": True, "chi2": None, "f": None, "cd": None, "different": (), "alpha": 0.05,
              "ties": True, "strict": False, "rounding": "any"},
    "signed_rank": {"k": 5, "statistic": None, "method": "any", "sides": "any", **_P},
    "smallest_p": {"k": 5, "corrected": False, "tied": False},
    "statements": {"text": "t(28) = 2.20, p = .036", "alpha": 0.05, "sides": "any", "rounding": "any", "decimal_comma": False},
    "spread": {"value": "0.9 ± 0.1", "k": 5, "sizes": None, "kind": "sd", "bounds": (0, 1), "strict": False, "rounding": "any"},
}  # fmt: skip

_METRICS: dict[str, dict[str, Any]] = {
    "Box": {"image": 1, "label": "a", "xywh": (0, 0, 1, 1), "score": 0.5, "crowd": False, "stated_area": None},
    "auc": _LABELS,
    "average_precision": {**_LABELS, "interpolation": "step"},
    "binary_scores": {"matrix": _MATRIX, "undefined": "nan"},
    "box_iou": {"detected": _BOXES, "truth": _BOXES},
    "bpref": {"judgements": [1, 0, None], "relevant": 1, "useless": 1, "level": 1.0},
    "brier_score": {"truth": _TRUTH, "probability": _GUESSED, "positive": None},
    "calibration": {"truth": _TRUTH, "probability": _GUESSED, "bins": 3, "positive": None},
    "calibration_line": {"truth": [0, 1, 1, 0, 1, 0], "probability": _GUESSED, "positive": None},
    "expected_cost": {"matrix": [[3, 1], [1, 3]], "costs": [[0, 1], [5, 0]]},
    "fleiss_kappa": {"ratings": [[1, 1, 2], [2, 2, 2], [1, 1, 1]], "level": 0.95},
    "icc": {"ratings": _TABLE, "form": "ICC2", "level": 0.95},
    "krippendorff_alpha": {"ratings": [[1, 1, 2], [2, 2, 2], [1, 1, 1]], "scale": "nominal", "level": 0.95, "seed": 0},
    "net_benefit": {"truth": _TRUTH, "probability": _GUESSED, "threshold": 0.3, "positive": None},
    "choose_threshold": {**_LABELS, "criterion": "youden"},
    "cohen_kappa": {"matrix": [[3, 1], [1, 3]], "weights": "none"},
    "confusion_matrix": {**_PREDICTIONS, "positive": None},
    "cross_entropy": {"truth": _TRUTH, "probability": _GUESSED, "positive": None, "clip": None},
    "dcg": {"gains": [3, 1, 0], "k": None, "exponential": False},
    "dice": _MASKS,
    "evaluate_binary": {"truth": _TRUTH, "predicted": None, "scores": _GUESSED, "threshold": 0.5, "positive": None, "undefined": "nan"},
    "evaluate_coco": {"truth": "nowhere.json", "detected": "nowhere.json", "iou_type": "bbox"},
    "evaluate_detection": {"truth": _BOXES, "detected": _BOXES, "thresholds": None, "interpolation": "coco"},
    "evaluate_multiclass": {"truth": _THREE, "predicted": _THREE, "classes": None, "undefined": "nan"},
    "evaluate_multilabel": {"truth": [[1, 0], [0, 1]], "predicted": [[1, 1], [0, 1]], "labels": None, "undefined": "nan"},
    "evaluate_regression": _VALUES,
    "evaluate_retrieval": {"judgements": {"q": {"d": 1}}, "run": {"q": {"d": 1.0}}, "k": (1, 5), "level": 1.0, "missing": "skip"},
    "evaluate_segmentation": {**_MASKS, "spacing": None, "tolerance": 0.0, "percentile": 95.0, "surface": "voxels",
                              "connectivity": 1, "empty": "undefined"},
    "iou": _MASKS,
    "kendall": _VALUES,
    "labels_from_scores": {"scores": _GUESSED, "threshold": 0.5},
    "mae": _VALUES,
    "mape": _VALUES,
    "median_absolute_error": _VALUES,
    "mse": _VALUES,
    "multiclass_auc": {"truth": _THREE, "scores": _PROBABILITIES, "classes": [0, 1, 2], "how": "ovr"},
    "multiclass_from_matrix": {"matrix": [[3, 1], [1, 3]], "classes": None, "undefined": "nan"},
    "multiclass_mcc": {"matrix": [[3, 1], [1, 3]]},
    "ndcg": {"gains": [3, 1, 0], "k": None, "judged": None, "exponential": False},
    "pearson": _VALUES,
    "precision_at": {"gains": [1, 0, 1], "k": 2, "level": 1.0},
    "precision_recall_curve": _LABELS,
    "r2": _VALUES,
    "r_precision": {"gains": [1, 0, 1], "relevant": 2, "level": 1.0},
    "ranked_average_precision": {"gains": [1, 0, 1], "relevant": 2, "level": 1.0},
    "ranking": {"scores": {"a": 0.5, "b": 0.2}},
    "recall_at": {"gains": [1, 0, 1], "k": 2, "relevant": 2, "level": 1.0},
    "reciprocal_rank": {"gains": [0, 1], "level": 1.0},
    "rmse": _VALUES,
    "roc_curve": _LABELS,
    "score_intervals": {"matrix": _MATRIX, "level": 0.95, "seed": 0},
    "spearman": _VALUES,
    "ssim": {"u": np.ones((8, 8)), "v": np.ones((8, 8)), "data_range": 1.0, "window": "uniform", "size": 7, "sigma": 1.5,
             "covariance": None, "k1": 0.01, "k2": 0.03},
    "surface_distances": {**_MASKS, "spacing": None, "surface": "voxels", "connectivity": 1},
    "top_k_accuracy": {"truth": _THREE, "scores": _PROBABILITIES, "classes": [0, 1, 2], "k": 2},
}  # fmt: skip

_STATISTICS: dict[str, dict[str, Any]] = {
    "a12": _PAIR,
    "adjust": {"p_values": [0.01, 0.04], "method": "holm"},
    "attainable_mcnemar": {"first": [(8,)], "second": [(7,)], "totals": (10,), "score": "accuracy"},
    "auc_interval": {**_LABELS, "method": "delong", "level": 0.95, "resamples": 20, "seed": 0, "clusters": None},
    "bartlett": {"*samples": [_X, _Y]},
    "bayesian_signed_rank": {**_PAIR, "rope": 0.01, "prior": 0.5, "draws": 100, "seed": 0},
    "bootstrap_interval": {"statistic": np.mean, "*arrays": [_X], "method": "percentile", "level": 0.95, "resamples": 20, "seed": 0,
                           "strata": None, "clusters": None},
    "bowker": {"first": _THREE, "second": [1, 1, 2, 0]},
    "cochran_q": {"right": [[1, 0, 1], [1, 1, 0], [0, 1, 1]]},
    "cohen_d_z": _PAIR,
    "compare": {"data": {"A": _X, "B": _Y}, "truth": None, "models": None, "values": "data sets", "task": None, "metric": None,
                "test": "auto", "question": "better", "folds": None, "test_to_train": None, "higher_is_better": None, "alpha": 0.05,
                "correction": "holm", "control": None, "paired": True, "positive": None, "positives": None, "negatives": None,
                "cases": None, "decimals": 9, "seed": 0, "rope": None, "clusters": None, "margin": None, "costs": None},
    "corrected_resampled_t": {**_PAIR, **_ONE_SIDED, "folds": 3, "test_to_train": None, "rope": None, "df": None},
    "counts_behind": {"text": "0.90", "n": 30, "name": "rate"},
    "critical_difference": {"models": 3, "data_sets": 5, "alpha": 0.05},
    "critical_difference_diagram": {"tests": statistics.nemenyi(_TABLE)},
    "delong_many": {"truth": _TRUTH, "scores": [_GUESSED, _GUESSED[::-1]], "positive": None},
    "delong_paired": {"truth": _TRUTH, "first": _GUESSED, "second": _GUESSED[::-1], "positive": None, "clusters": None, **_ONE_SIDED},
    "delong_unpaired": {"truth_first": _TRUTH, "first": _GUESSED, "truth_second": _TRUTH, "second": _GUESSED, "positive": None,
                        **_ONE_SIDED},
    "dunn": {"values": [_X, _Y], "first": 0, "second": 1, "level": 0.95},
    "equivalent_aucs": {"truth": _TRUTH, "first": _GUESSED, "second": _GUESSED[::-1], "margin": 0.1, "question": "equivalent",
                        "positive": None, "clusters": None, "level": 0.95},
    "equivalent_means": {**_PAIR, "margin": 0.1, "question": "equivalent", "paired": True, "folds": None, "test_to_train": None,
                         "level": 0.95},
    "equivalent_rates": {"b": 5, "c": 4, "n": 100, "margin": 0.1, "question": "not worse", "level": 0.95},
    "f_test": {**_PAIR, **_ONE_SIDED},
    "five_by_two_f": {"a": [[0.9, 0.8]] * 5, "b": [[0.8, 0.81]] * 5},
    "friedman": {"scores": _TABLE, "statistic": "F", "ties": "corrected", "higher_is_better": True, "decimals": 9, "small_sample": False},
    "hanley_mcneil": {"auc": 0.9, "p": 10, "n": 20, "level": 0.95},
    "hanley_mcneil_error": {"auc": 0.9, "p": 10, "n": 20},
    "hanley_mcneil_test": {"first": 0.9, "second": 0.8, "p": 10, "n": 20, "correlation": 0.0, **_ONE_SIDED},
    "indistinguishable": {"tests": statistics.nemenyi(_TABLE)},
    "kendall_test": {**_PAIR, "alternative": "two-sided"},
    "kruskal_wallis": {"*values": [_X, _Y]},
    "levene": {"*samples": [_X, _Y], "center": "median"},
    "mann_whitney": {**_PAIR, **_ONE_SIDED},
    "mcnemar": {"b": 5, "c": 2, "n": 30, "method": "exact", **_ONE_SIDED},
    "mcnemar_predictions": {"truth": _TRUTH, "first": _PREDICTED, "second": _TRUTH, "score": "accuracy", "positive": None,
                            "method": "exact", **_ONE_SIDED},
    "nemenyi": {"scores": _TABLE, "models": None, "alpha": 0.05, "higher_is_better": True, "decimals": 9},
    "paired_levene": {**_PAIR, **_ONE_SIDED},
    "paired_t": {**_PAIR, **_ONE_SIDED},
    "pearson_test": {**_PAIR, **_ONE_SIDED},
    "mcnemar_thresholds": {"truth": _TRUTH, "first": _GUESSED, "second": _GUESSED[::-1], "thresholds": [0.3, 0.5], "positive": None,
                           "alpha": 0.05},
    "permutation_test": {**_PAIR, "statistic": None, "clusters": None, "alternative": "two-sided", "method": "auto", "swaps": 20,
                         "seed": 0, "level": 0.95, "studentized": False},
    "plan_study": {"design": "mcnemar", "size": 100, "difference": 0.1, "first": None, "second": None, "discordant": 0.2, "sd": None,
                   "correlation": 0.0, "share": 0.5, "folds": 10, "margin": None, "power": 0.8, "alpha": 0.05},
    "pitman_morgan": {**_PAIR, **_ONE_SIDED},
    "posthoc": {"scores": _TABLE, "method": "wilcoxon", "correction": "holm", "control": None, "models": None, "alpha": 0.05,
                "higher_is_better": True, "decimals": 9},
    "power_mcnemar": {"n": 30, "p_b": 0.15, "p_c": 0.08, "alpha": 0.05, "method": "exact"},
    "power_two_proportions": {"n": 30, "p1": 0.15, "p2": 0.08, "alpha": 0.05, "sides": 2, "strict": False},
    "proportion_interval": {"k": 3, "n": 10, "method": "wilson", "level": 0.95, "resamples": 20, "seed": 0},
    "recommend": {"task": "binary", "metric": None, "models": 2, "values": "data sets", "question": "better", "paired": True,
                  "human": False},
    "shapiro_wilk": {"x": _X},
    "sign_test": {**_PAIR, "wins": None, "losses": None, "ties": "drop", "decimals": 9, **_ONE_SIDED},
    "spearman_test": {**_PAIR, "alternative": "two-sided"},
    "paired_metric_test": {"truth": _TRUTH, "first": _PREDICTED, "second": _TRUTH, "metric": "acc", "positive": None, "clusters": None, "costs": None, "classes": None, "studentized": False, "level": 0.95,
                            "swaps": 100, "seed": 0},
    "welch_from_summary": {"mean1": 0.9, "sd1": 0.1, "n1": 10, "mean2": 0.8, "sd2": 0.1, "n2": 12, **_ONE_SIDED},
    "welch_t": {**_PAIR, **_ONE_SIDED},
    "wilcoxon_signed_rank": {**_PAIR, **_ONE_SIDED, "method": "auto", "zeros": "drop", "continuity": False, "decimals": 9},
}  # fmt: skip

_CURVE = {"shape": "hanley-mcneil", "ratio": 1.0}
_SOTA: dict[str, dict[str, Any]] = {
    "adjusted_auc": {"observed_best": 0.9, "m": 10, "p": 20, "n": 30, **_CURVE},
    "adjusted_estimate": {"observed_best": 0.9, "m": 10, "n": 100, "alpha": 0.05, **_DEPENDENT},
    "auc_leaderboard": {**_BOARD, **_CURVE, "p": 20, "n": 30, "public_sizes": None, "correlation": 0.0},
    "auc_sd": {"auc": 0.9, "p": 20, "n": 30, **_CURVE},
    "best_of": {"m": 10, "n": 100, "accuracy": 0.9, "reference": None, **_DEPENDENT},
    "best_of_auc": {"m": 10, "auc": 0.9, "p": 20, "n": 30, **_CURVE},
    "best_of_score": {"name": "acc", "m": 10, "p": 20, "n": 30, "sens": 0.9, "spec": 0.8, "undefined": "exclude"},
    "cases_needed": {"max_bias": 0.05, "m": 10, "accuracy": 0.9, **_DEPENDENT},
    "leaderboard": {**_BOARD, **_DEPENDENT, "n": 100, "public_cases": None},
    "ladder": {"scores": [0.8, 0.9], "cases": 100, "step": 0.05},
    "prediction_board": {"truth": [0, 1, 1, 0], "predictions": {"a": [0, 1, 0, 0], "b": [1, 1, 1, 0]}, "score": "accuracy", "alpha": 0.05,
                         "public_share": None, "draws": 100, "seed": 0},
    "read_predictions": {"path": "nowhere.csv", "truth": None},
    "luck": {"observed_best": 0.9, "n": 100, "accuracy": 0.8, "chance": 0.5, **_DEPENDENT},
    "margin": {"m": 10, "n": 100, "accuracy": 0.9, "alpha": 0.05, "model": None},
    "overlooked": {"observed_best": 0.9, "n": 100, "delta": 0.01, "accuracy": 0.9, "m": None, **_DEPENDENT},
    "read_leaderboard": {"path": "nowhere.csv", "column": None, "public_column": None, "name_column": None},
    "simulate_auc": {"m": 2, "auc": 0.9, "p": 5, "n": 6, "ratio": 1.0, "repetitions": 3, "seed": 0},
    "simulate_best": {"m": 2, "n": 10, "accuracy": 0.9, "draws": 5, "seed": 0, **_DEPENDENT},
    "simulate_competition": {"m": 2, "n": 10, "accuracy": 0.9, "seed": 0, **_DEPENDENT},
}  # fmt: skip

_AUDITED = sp.audit(_SPECIFICATION, jobs=1, budget=0.2, explain=False, strength=False)
_COUNTED = sp.reinterpret(_HOUSE["reinterpret"]["table"], p=10, n=20)
_BATCH = sp.batch(_ROWS, budget=0.2, pool=1)
_PAGES: dict[str, dict[str, Any]] = {
    "verify_page": {},
    "batch_page": {"result": _BATCH},
    "collection_page": {"collection": Collection(())},
    "comparison_page": {"comparison": statistics.compare({"A": _X, "B": _Y})},
    "metrics_page": {"file": "a.csv", "result": metrics.evaluate_binary(_TRUTH, scores=_GUESSED)},
    "recommendation_page": {"recommendation": statistics.recommend(task="binary")},
    "reinterpretation_page": {"result": _COUNTED},
    "sota_page": {"answers": [], "figures": {}},
    "to_html": {"result": _AUDITED},
    "to_latex": {"result": _AUDITED},
    "to_text": {"result": _AUDITED},
}

_BEST, _BEST_AUC = sota.best_of(10, 100, 0.9), sota.best_of_auc(10, 0.9, 20, 30)
_SURFACES = metrics.surface_distances(_MASK, _MASK2)
_DETECTED = metrics.evaluate_detection(_BOXES, _BOXES)
_CLASSES = metrics.evaluate_multiclass(_THREE, _THREE).classes
_BETWEEN = {"alpha": 0.05, "convention": "holds"}
#: Methods that take arguments, of objects that are right.
_CELLS = {"tp": 3, "fp": 1, "fn": 2, "tn": 4}
_METHODS: dict[str, Call] = {
    "Score.compare": Call(sp.score("mcc").compare, {**_CELLS, "bound": Fraction(1, 2)}),
    "Score.enclose": Call(sp.score("mcc").enclose, {**_CELLS, "scale": 1000}),
    "Score.exact": Call(sp.score("pt").exact, _CELLS),
    "Score.floor": Call(sp.score("gm").floor, {**_CELLS, "scale": 1000}),
    "Score.text": Call(sp.score("f1").text, {**_CELLS, "digits": 4, "rounding": "nearest"}),
    "Score.values": Call(sp.score("mcc").values, {name: [count, 2] for name, count in _CELLS.items()}),
    "Score()": Call(sp.score("kappa").__call__, _CELLS),
    "Answer.explain": Call(_REFUTED.explain, {"hypotheses": (), "oversampled": (), "catalogue": (), "assumptions": False, "budget": 0.2}),
    "Answer.solutions": Call(_PASSED.solutions, {"most_rows": 100}),
    "Reconstruction.explain": Call(sp.reconstruct({"acc": "0.9567"}, p=10, n=20, budget=0.2).explain,
                                   {"hypotheses": (), "oversampled": (), "catalogue": (), "assumptions": False, "budget": 0.2}),
    "ClassCells.explain": Call(sp.reconstruct_classes([3, 4], {"acc": "0.9567"}, budget=0.2).explain,
                               {"hypotheses": (), "oversampled": (), "catalogue": (), "assumptions": False, "budget": 0.2}),
    "BatchResult.parts": Call(_BATCH.parts, {"columns": None}),
    "BatchResult.table": Call(_BATCH.table, {"columns": None}),
    "BatchResult.proof": Call(_BATCH.proof, {"row": 2}),
    "Reinterpretation.rank_figure": Call(_COUNTED.rank_figure, {"name": "acc"}),
    "ConfusionMatrix.score": Call(_MATRIX.score, {"name": "acc", "digits": 3}),
    **{f"{kind.__name__}.from_dict": Call(kind.from_dict, {"tree": kind(5).to_dict()})
       for kind in (sp.AverageOf, sp.Detection, sp.Ranking, sp.Regression, sp.UnknownClasses)},
    "PrintedClasses.from_dict": Call(sp.PrintedClasses.from_dict, {"settings": {"matrix": [[5, 1], [2, 4]]}}),
    "MultiLabel.from_dict": Call(sp.MultiLabel.from_dict, {"tree": {"counts": [50, 70, 30]}}),
    "BinaryEvaluation.intervals": Call(metrics.evaluate_binary(_TRUTH, _PREDICTED).intervals, {"level": 0.95}),
    "ClassScores.average": Call(_CLASSES.average, {"name": "acc", "how": "macro"}),
    "ClassScores.of_class": Call(_CLASSES.of_class, {"label": 0}),
    "DetectionEvaluation.map_at": Call(_DETECTED.map_at, {"iou": 0.5}),
    "DetectionEvaluation.per_class": Call(_DETECTED.per_class, {"iou": 0.5}),
    "Kappa.interval": Call(metrics.cohen_kappa([[3, 1], [1, 3]]).interval, {"level": 0.95}),
    "PrecisionRecallCurve.average_precision": Call(metrics.precision_recall_curve(_TRUTH, _GUESSED).average_precision,
                                                   {"interpolation": "step"}),
    "RocCurve.partial_auc": Call(metrics.roc_curve(_TRUTH, _GUESSED).partial_auc, {"fpr": (0, 0.5), "tpr": None, "standardized": False}),
    "SurfaceDistances.average": Call(_SURFACES.average, {"combine": None}),
    "SurfaceDistances.hausdorff": Call(_SURFACES.hausdorff, {"percentile": 95.0, "combine": None}),
    "SurfaceDistances.surface_dice": Call(_SURFACES.surface_dice, {"tolerance": 1.0}),
    "Effect.around": Call(statistics.Effect.around, {"name": "a", "value": 0.5, "half": 0.1, "level": 0.95, "method": "m", "share": False}),
    "TestResult.told": Call(statistics.paired_t(_X, _Y).told, {"turned": True}),
    "TestResult.significant": Call(statistics.paired_t(_X, _Y).significant, {"alpha": 0.05}),
    **{f"{kind}.{name}": Call(getattr(_BEST, name), arguments) for kind in ("Best", "BestAccuracy") for name, arguments in {
        "cdf": {"value": 0.9}, "interval": _BETWEEN, "pmf": {"value": 0.9}, "quantile": {"probability": 0.5},
        "reaches": {"value": 0.9}, "summary": {"alpha": 0.05}}.items()},
    "BestAccuracy.failures_cdf": Call(_BEST.failures_cdf, {"z": 5}),
    "BestAccuracy.failures_pmf": Call(_BEST.failures_pmf, {"z": 5}),
    "BestAccuracy.failures_quantile": Call(_BEST.failures_quantile, {"probability": 0.5}),
    "BestAuc.interval": Call(_BEST_AUC.interval, {"alpha": 0.05}),
    "BestAuc.quantile": Call(_BEST_AUC.quantile, {"chance": 0.5}),
    "BestAuc.reaches": Call(_BEST_AUC.reaches, {"value": 0.9}),
}  # fmt: skip

#: One check for each kind of experiment, with the options that only it takes.
_CHECKS: dict[str, dict[str, Any]] = {
    "a curve": {"experiment": _SET, "scores": {"auc": "0.90", "sens": "0.8"}, "ties": True, "points": [{"sens": "0.9"}]},
    "a concave curve": {"experiment": _SET, "scores": {"auc": "0.90", "sens": "0.8"}, "concave": True},
    "unknown classes": {"experiment": sp.UnknownClasses(30), "scores": _SCORES, "undefined": "any", "beta": None},
    "several classes": {"experiment": sp.MultiClass([5, 6, 7]), "scores": {"acc": "0.50", "macro f1": "0.4"}, "macro_f1": "any"},
    "labels": {"experiment": sp.MultiLabel([5, 6, 7], 10), "scores": {"micro f1": "0.5"}},
    "a printed matrix": {"experiment": sp.PrintedClasses([[5, 1], [2, 4]]), "scores": {"acc": "0.75"}},
    "an average": {"experiment": sp.AverageOf(5), "scores": {"acc": "0.9", "sens": "0.8"}},
    "a regression": {"experiment": sp.Regression(10), "scores": {"rmse": "0.5", "mae": "0.4"}},
    "a ranking": {"experiment": sp.Ranking(10), "scores": {"hits@10": "0.61", "mrr": "0.420"}},
    "detections": {"experiment": sp.Detection(10), "scores": {"recall": "0.6", "ap50": "0.4"}, "interpolation": "any"},
    "a mean": {"experiment": sp.MeanOfScores([_SET, _SET]), "scores": {"acc": "0.90 ± 0.01"}, "minimum": {"acc": "0.8"},
               "maximum": {"acc": "0.95"}, "fold_digits": 3},
}  # fmt: skip

_MODULES: dict[str, tuple[ModuleType, dict[str, dict[str, Any]]]] = {
    "": (sp, _HOUSE),
    "claims": (claims, _CLAIMS),
    "metrics": (metrics, _METRICS),
    "statistics": (statistics, _STATISTICS),
    "sota": (sota, _SOTA),
    "pages": (pages, _PAGES),
}
CALLS: dict[str, Call] = {
    **{f"{part}.{name}".lstrip("."): Call(getattr(module, name), arguments)
       for part, (module, calls) in _MODULES.items() for name, arguments in calls.items()},
    **_METHODS,
    **{f"check of {kind}": Call(sp.check, {**_OPTIONS, **arguments}) for kind, arguments in _CHECKS.items()},
}  # fmt: skip
# What takes no arguments, or is a value that the house itself makes: a quantity, a score, a claim.
_NO_CALL = {"known_scores", "Quantity", "Score", "Claim", "Answer", "Verification"}
_OF_EVERY_RESULT = {"from_dict", "to_json"}


def missing() -> Iterator[str]:
    """Public functions, constructors and methods without a call."""
    for part, (module, calls) in _MODULES.items():
        for name in module.__all__:
            value = getattr(module, name)
            made = isinstance(value, type) and issubclass(value, Result | Enum | Exception)
            if callable(value) and not made and name not in {*calls, *_NO_CALL}:
                yield f"{part}.{name}".lstrip(".")
            if isinstance(value, type) and not issubclass(value, Enum | Exception):
                yield from (f"{name}.{method}" for method in _methods(value) if f"{name}.{method}" not in CALLS)
    for name, call in CALLS.items():
        yield from (f"{name}({argument}=)" for argument in _arguments(call.function) - {key.lstrip("*") for key in call.arguments}
                    if " of " not in name)  # fmt: skip


def _methods(kind: type) -> Iterator[str]:
    for name in dir(kind):
        held = inspect.getattr_static(kind, name)
        method = getattr(held, "__func__", held)
        of_results = name in _OF_EVERY_RESULT and hasattr(kind, "to_json")
        if (
            inspect.isfunction(method)
            and name[0] != "_"
            and not of_results
            and len(inspect.signature(method).parameters) > 1
        ):
            yield name


def _arguments(function: Callable[..., Any]) -> set[str]:
    passed_on = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
    kinds = passed_on if isinstance(function, type) else passed_on[:1]
    return {name for name, one in inspect.signature(function).parameters.items() if one.kind not in kinds}
