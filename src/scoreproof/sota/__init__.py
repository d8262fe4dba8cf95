"""What is the state of the art worth? The best of many classifiers, exactly."""

from scoreproof.sota.accuracy import BestAccuracy, best_of, simulate_best, simulate_competition
from scoreproof.sota.auc import (
    AucLeaderboard,
    BestAuc,
    adjusted_auc,
    auc_leaderboard,
    auc_sd,
    best_of_auc,
    simulate_auc,
)
from scoreproof.sota.best import Best, BestInterval, best_of_score
from scoreproof.sota.leaderboard import Entry, Leaderboard, Regression, leaderboard
from scoreproof.sota.predictions import (
    BoardFile,
    Ladder,
    PredictedEntry,
    PredictionBoard,
    ladder,
    prediction_board,
    read_leaderboard,
    read_predictions,
)
from scoreproof.sota.questions import (
    AdjustedEstimate,
    CasesNeeded,
    Luck,
    Overlooked,
    adjusted_estimate,
    cases_needed,
    luck,
    margin,
    overlooked,
)
from scoreproof.validation import enforce

__all__ = [
    "AdjustedEstimate", "AucLeaderboard", "Best", "BestAccuracy", "BestAuc", "BestInterval", "BoardFile",
    "CasesNeeded", "Entry", "Ladder", "Leaderboard", "Luck", "Overlooked", "PredictedEntry", "PredictionBoard",
    "Regression", "adjusted_auc", "adjusted_estimate", "auc_leaderboard", "auc_sd", "best_of", "best_of_auc",
    "best_of_score", "cases_needed", "ladder", "leaderboard", "luck",
    "margin", "overlooked", "prediction_board", "read_leaderboard", "read_predictions",
    "simulate_auc", "simulate_best", "simulate_competition",
]  # fmt: skip

enforce(globals(), __all__)
