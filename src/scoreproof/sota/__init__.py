"""What is the state of the art worth? The best of many classifiers, exactly."""

from scoreproof.sota.accuracy import BestAccuracy, best_of
from scoreproof.sota.auc import BestAuc, adjusted_auc, auc_sd, best_of_auc, simulate_auc
from scoreproof.sota.auc_leaderboard import AucLeaderboard, auc_leaderboard
from scoreproof.sota.best import Best, BestInterval
from scoreproof.sota.board_file import BoardFile, read_leaderboard
from scoreproof.sota.dependence import correlation_from_p_dep, p_dep_from_correlation
from scoreproof.sota.enumeration import best_of_score
from scoreproof.sota.estimate import AdjustedEstimate, adjusted_estimate, clopper_pearson
from scoreproof.sota.leaderboard import Entry, Leaderboard, leaderboard
from scoreproof.sota.questions import CasesNeeded, Luck, Overlooked, cases_needed, luck, margin, overlooked
from scoreproof.sota.regression import Regression
from scoreproof.sota.simulation import simulate_best, simulate_competition
from scoreproof.validation import enforce

__all__ = [
    "AdjustedEstimate",
    "AucLeaderboard",
    "Best",
    "BestAccuracy",
    "BestAuc",
    "BestInterval",
    "BoardFile",
    "CasesNeeded",
    "Entry",
    "Leaderboard",
    "Luck",
    "Overlooked",
    "Regression",
    "adjusted_auc",
    "adjusted_estimate",
    "auc_leaderboard",
    "auc_sd",
    "best_of",
    "best_of_auc",
    "best_of_score",
    "cases_needed",
    "clopper_pearson",
    "correlation_from_p_dep",
    "leaderboard",
    "luck",
    "margin",
    "overlooked",
    "p_dep_from_correlation",
    "read_leaderboard",
    "simulate_auc",
    "simulate_best",
    "simulate_competition",
]  # fmt: skip

enforce(globals(), __all__)
