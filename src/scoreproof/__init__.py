"""scoreproof: could this experiment have produced these numbers?

>>> import scoreproof as sp
>>> sp.check(sp.TestSet(p=100, n=200), {"acc": "0.9567", "sens": "0.8545", "spec": "0.9734"}).verdict
<Verdict.INCONSISTENT: 'inconsistent'>
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scoreproof._version import __version__
from scoreproof.asking import Verdict, Verification, Witness, read_certificate, verify
from scoreproof.asking.checking import check
from scoreproof.audits import audit
from scoreproof.detectability import power, strength
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
    experiment_from_dict,
    fold_configurations,
)
from scoreproof.kinds.binary.scores import ConfusionMatrix, Score, known_scores, register, score, unregister
from scoreproof.reconstruction import reconstruct
from scoreproof.reinterpretation import reinterpret
from scoreproof.reported import Claim, Rounding, report
from scoreproof.reported.conventions import Undefined

if TYPE_CHECKING:
    from scoreproof.audits.result import AuditResult
    from scoreproof.detectability.passing import Strength
    from scoreproof.detectability.result import Power, PowerCurve
    from scoreproof.documents import interpret, read_tables
    from scoreproof.explanation.explanation import Explanation
    from scoreproof.reconstruction.result import Reconstruction
    from scoreproof.reinterpretation.result import Reinterpretation

# Parts that cost time to load are loaded when first used.
_LATER = {
    "AuditResult": "scoreproof.audits.result",
    "Explanation": "scoreproof.explanation.explanation",
    "Power": "scoreproof.detectability.result",
    "PowerCurve": "scoreproof.detectability.result",
    "Strength": "scoreproof.detectability.passing",
    "Reconstruction": "scoreproof.reconstruction.result",
    "Reinterpretation": "scoreproof.reinterpretation.result",
    "interpret": "scoreproof.documents",
    "read_tables": "scoreproof.documents",
}


def __getattr__(name: str) -> Any:
    if name in _LATER:
        import importlib

        return getattr(importlib.import_module(_LATER[name]), name)
    raise AttributeError(f"module 'scoreproof' has no attribute {name!r}")


__all__ = [
    "Aggregation",
    "AuditResult",
    "Claim",
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
