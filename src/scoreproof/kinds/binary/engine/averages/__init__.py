"""Means of scores over folds and data sets: every score, one exact engine."""

from scoreproof.kinds.binary.engine.averages.decide import decide_mean
from scoreproof.kinds.binary.engine.averages.judge import treatments_needed
from scoreproof.kinds.binary.engine.averages.reading import demand
from scoreproof.kinds.binary.engine.averages.targets import Demand

__all__ = ["Demand", "decide_mean", "demand", "treatments_needed"]
