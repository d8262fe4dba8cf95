"""scoreproof: could this experiment have produced these numbers?

>>> import scoreproof as sp
>>> sp.check(sp.TestSet(p=100, n=200), {"acc": "0.9567", "sens": "0.8545", "spec": "0.9734"}).verdict
<Verdict.INCONSISTENT: 'inconsistent'>
"""

from typing import TYPE_CHECKING, Any

from scoreproof._version import __version__
from scoreproof.check import CheckResult, Undefined, check
from scoreproof.errors import ScoreproofError
from scoreproof.experiment import (
    Aggregation,
    Experiment,
    KFold,
    MeanOfScores,
    ScoreOfMeans,
    TestSet,
    experiment_from_dict,
)
from scoreproof.reconstruct import reconstruct
from scoreproof.reinterpret import reinterpret
from scoreproof.reported import Reported, Rounding, report
from scoreproof.scores import ConfusionMatrix, Score, known_scores, register, score, unregister
from scoreproof.verdict import Verdict, Verification, Witness, read_certificate, verify

if TYPE_CHECKING:
    from scoreproof.reconstruct.result import Reconstruction
    from scoreproof.reinterpret.result import Reinterpretation

__all__ = [
    "Aggregation",
    "CheckResult",
    "ConfusionMatrix",
    "Experiment",
    "KFold",
    "MeanOfScores",
    "Reconstruction",
    "Reinterpretation",
    "Reported",
    "Rounding",
    "Score",
    "ScoreOfMeans",
    "ScoreproofError",
    "TestSet",
    "Undefined",
    "Verdict",
    "Verification",
    "Witness",
    "__version__",
    "check",
    "experiment_from_dict",
    "known_scores",
    "read_certificate",
    "reconstruct",
    "register",
    "reinterpret",
    "report",
    "score",
    "unregister",
    "verify",
]


def __getattr__(name: str) -> Any:
    """Results of the heavier parts, imported on use."""
    if name == "Reconstruction":
        from scoreproof.reconstruct.result import Reconstruction

        return Reconstruction
    if name == "Reinterpretation":
        from scoreproof.reinterpret.result import Reinterpretation

        return Reinterpretation
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
