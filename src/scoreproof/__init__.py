"""scoreproof: could this experiment have produced these numbers?

>>> import scoreproof as sp
>>> sp.check(sp.TestSet(p=100, n=200), {"acc": "0.9567", "sens": "0.8545", "spec": "0.9734"}).verdict
<Verdict.INCONSISTENT: 'inconsistent'>
"""

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
from scoreproof.reconstruct import Reconstruction, reconstruct
from scoreproof.reinterpret import Reinterpretation, reinterpret
from scoreproof.reported import Reported, Rounding, report
from scoreproof.scores import ConfusionMatrix, Score, known_scores, register, score, unregister
from scoreproof.verdict import Verdict, Verification, Witness, read_certificate, verify

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
