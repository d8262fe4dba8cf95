"""Means of scores over folds and data sets: every score, one exact engine."""

from scoreproof.kinds.binary.engine.averages.constraints import Constraints
from scoreproof.kinds.binary.engine.averages.judge import treatments_needed
from scoreproof.kinds.binary.engine.averages.portfolio import decide_mean
from scoreproof.kinds.binary.engine.averages.reading import constraints_of

__all__ = ["Constraints", "constraints_of", "decide_mean", "treatments_needed"]
