"""scoreproof: could this experiment have produced these numbers?

>>> import scoreproof as sp
>>> sp.check(sp.TestSet(p=100, n=200), {"acc": "0.9567", "sens": "0.8545", "spec": "0.9734"}).verdict
<Verdict.INCONSISTENT: 'inconsistent'>
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scoreproof._version import __version__
from scoreproof.audit import audit
from scoreproof.check import check
from scoreproof.errors import ScoreproofError
from scoreproof.experiment import (
    Aggregation,
    Experiment,
    FoldRule,
    KFold,
    MeanOfScores,
    ScoreOfMeans,
    TestSet,
    UnknownAggregation,
    experiment_from_dict,
    fold_configurations,
)
from scoreproof.power import power, strength
from scoreproof.reconstruct import reconstruct
from scoreproof.reinterpret import reinterpret
from scoreproof.reported import Reported, Rounding, report
from scoreproof.reported.conventions import Undefined
from scoreproof.result import CheckResult
from scoreproof.scores import ConfusionMatrix, Score, known_scores, register, score, unregister
from scoreproof.verdict import Verdict, Verification, Witness, read_certificate, verify

if TYPE_CHECKING:
    from scoreproof.audit.result import AuditResult
    from scoreproof.explain.explanation import Explanation
    from scoreproof.power.passing import Strength
    from scoreproof.power.result import Power, PowerCurve
    from scoreproof.reconstruct.result import Reconstruction
    from scoreproof.reinterpret.result import Reinterpretation
    from scoreproof.tables import interpret, read_tables

# Parts that cost time to load are loaded when first used.
_LATER = {
    "AuditResult": "scoreproof.audit.result",
    "Explanation": "scoreproof.explain.explanation",
    "Power": "scoreproof.power.result",
    "PowerCurve": "scoreproof.power.result",
    "Strength": "scoreproof.power.passing",
    "Reconstruction": "scoreproof.reconstruct.result",
    "Reinterpretation": "scoreproof.reinterpret.result",
    "interpret": "scoreproof.tables",
    "read_tables": "scoreproof.tables",
}


def __getattr__(name: str) -> Any:
    if name in _LATER:
        import importlib

        return getattr(importlib.import_module(_LATER[name]), name)
    raise AttributeError(f"module 'scoreproof' has no attribute {name!r}")


__all__ = [
    "Aggregation",
    "AuditResult",
    "CheckResult",
    "ConfusionMatrix",
    "Experiment",
    "Explanation",
    "FoldRule",
    "KFold",
    "MeanOfScores",
    "Power",
    "PowerCurve",
    "Reconstruction",
    "Reinterpretation",
    "Reported",
    "Rounding",
    "Score",
    "ScoreOfMeans",
    "ScoreproofError",
    "Strength",
    "TestSet",
    "Undefined",
    "UnknownAggregation",
    "Verdict",
    "Verification",
    "Witness",
    "__version__",
    "audit",
    "check",
    "experiment_from_dict",
    "fold_configurations",
    "interpret",
    "known_scores",
    "power",
    "read_certificate",
    "read_tables",
    "reconstruct",
    "register",
    "reinterpret",
    "report",
    "score",
    "strength",
    "unregister",
    "verify",
]
