"""scoreproof: could this experiment have produced these numbers?

>>> import scoreproof as sp
>>> sp.check(sp.TestSet(p=100, n=200), {"acc": "0.9567", "sens": "0.8545", "spec": "0.9734"}).verdict
<Verdict.INCONSISTENT: 'inconsistent'>
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from scoreproof._version import __version__
from scoreproof.checking import Answer, Verdict, Verification, Witness, ask, read_certificate, verify
from scoreproof.checking.check import check
from scoreproof.errors import ScoreproofError
from scoreproof.kinds.binary.experiment import (
    Aggregation,
    Experiment,
    FoldRule,
    KFold,
    MeanOfScores,
    ScoreOfMeans,
    TestSet,
    UnknownAggregation,
    fold_configurations,
)
from scoreproof.kinds.binary.scores import ConfusionMatrix, Score, known_scores, register, score, unregister
from scoreproof.quantities import Quantity
from scoreproof.reported import Claim, Rounding, report
from scoreproof.reported.conventions import Undefined

if TYPE_CHECKING:
    from scoreproof import claims, metrics, pages, sota, statistics
    from scoreproof.batches import BatchResult, batch, open_batch
    from scoreproof.checking.check import experiment_from_dict
    from scoreproof.documents import read_tables
    from scoreproof.insight.class_cells import ClassCells, reconstruct_classes
    from scoreproof.insight.explanation import Explanation
    from scoreproof.insight.power_analysis import power
    from scoreproof.insight.power_result import Power, PowerCurve
    from scoreproof.insight.reconstructing import reconstruct
    from scoreproof.insight.reconstruction import Reconstruction
    from scoreproof.insight.reinterpretation import Reinterpretation
    from scoreproof.insight.reinterpreting import reinterpret
    from scoreproof.insight.strength_of_pass import Strength, strength
    from scoreproof.kinds.common_average.problem import AverageOf
    from scoreproof.kinds.detection_problem import Detection
    from scoreproof.kinds.multi_class.experiment import MultiClass, MultiLabel
    from scoreproof.kinds.printed_classes import PrintedClasses
    from scoreproof.kinds.ranking_problem import Ranking
    from scoreproof.kinds.regression.problem import Regression
    from scoreproof.kinds.unknown_classes.experiment import UnknownClasses
    from scoreproof.papers.auditing import audit
    from scoreproof.papers.evaluated import honest_row
    from scoreproof.papers.result import AuditResult
    from scoreproof.papers.selfcheck import selfcheck
    from scoreproof.papers.table_semantics.interpret import interpret

# Parts that cost time to load are loaded when first used: packages, and names by the package they are in.
_PACKAGES = ("claims", "metrics", "pages", "sota", "statistics")
_LATER = {
    "AuditResult": "papers.result", "BatchResult": "batches", "AverageOf": "kinds.common_average.problem",
    "Detection": "kinds.detection_problem", "Explanation": "insight.explanation",
    "MultiClass": "kinds.multi_class.experiment", "MultiLabel": "kinds.multi_class.experiment",
    "Power": "insight.power_result", "PowerCurve": "insight.power_result", "Ranking": "kinds.ranking_problem",
    "PrintedClasses": "kinds.printed_classes", "ClassCells": "insight.class_cells",
    "Reconstruction": "insight.reconstruction", "Regression": "kinds.regression.problem",
    "Reinterpretation": "insight.reinterpretation", "Strength": "insight.strength_of_pass",
    "UnknownClasses": "kinds.unknown_classes.experiment", "audit": "papers.auditing", "batch": "batches",
    "experiment_from_dict": "checking.check", "honest_row": "papers.evaluated",
    "interpret": "papers.table_semantics.interpret", "open_batch": "batches", "power": "insight.power_analysis",
    "read_tables": "documents", "reconstruct": "insight.reconstructing", "reconstruct_classes": "insight.class_cells",
    "reinterpret": "insight.reinterpreting", "selfcheck": "papers.selfcheck", "strength": "insight.strength_of_pass",
}  # fmt: skip

__all__ = [
    "Aggregation", "Answer", "AuditResult", "AverageOf", "BatchResult", "Claim", "ClassCells", "ConfusionMatrix",
    "Detection", "Experiment", "Explanation", "FoldRule", "KFold", "MeanOfScores", "MultiClass", "MultiLabel", "Power",
    "PowerCurve", "PrintedClasses", "Quantity", "Ranking", "Reconstruction", "Regression", "Reinterpretation",
    "Rounding", "Score", "ScoreOfMeans", "ScoreproofError", "Strength", "TestSet", "Undefined", "UnknownAggregation",
    "UnknownClasses", "Verdict", "Verification", "Witness", "__version__", "ask", "audit", "batch", "check", "claims",
    "experiment_from_dict", "fold_configurations", "honest_row", "interpret", "known_scores", "metrics", "open_batch",
    "pages", "power", "read_certificate", "read_tables", "reconstruct", "reconstruct_classes", "register",
    "reinterpret", "report", "score", "selfcheck", "sota", "statistics", "strength", "unregister", "verify",
]  # fmt: skip


def _public(value: Any) -> Any:
    """A public name says that it is ours, not in which file it is."""
    if getattr(value, "__module__", "").startswith(("scoreproof.", "scoreproof_verify.")):
        value.__module__ = "scoreproof"
    return value


def __getattr__(name: str) -> Any:
    if name in _PACKAGES:
        return importlib.import_module(f"scoreproof.{name}")
    if name in _LATER:
        value = _public(getattr(importlib.import_module(f"scoreproof.{_LATER[name]}"), name))
        globals()[name] = value
        return value
    raise AttributeError(f"module 'scoreproof' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)


for _name in __all__:
    if _name in globals():
        _public(globals()[_name])
