"""Means of scores over folds and data sets: every score, one exact engine."""

from scoreproof.engine.averages.decide import Decision, decide_mean
from scoreproof.engine.averages.reading import Averages, Divisor, Spread, choice, demand, stated
from scoreproof.engine.averages.targets import Demand, Undefined

__all__ = [
    "Averages",
    "Decision",
    "Demand",
    "Divisor",
    "Spread",
    "Undefined",
    "choice",
    "decide_mean",
    "demand",
    "stated",
]
