"""Means of scores over folds and data sets: every score, one exact engine."""

from scoreproof.kinds.binary.engine.averages.decide import Decision, decide_mean
from scoreproof.kinds.binary.engine.averages.judge import treatments_needed
from scoreproof.kinds.binary.engine.averages.reading import Averages, demand, stated
from scoreproof.kinds.binary.engine.averages.targets import Demand

__all__ = ["Averages", "Decision", "Demand", "decide_mean", "demand", "stated", "treatments_needed"]
