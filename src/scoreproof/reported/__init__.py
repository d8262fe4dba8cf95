"""The text of a number and the exact interval it stands for."""

from scoreproof.reported.claim import Claim, Value, read_scores, report
from scoreproof.reported.rounding import Rounding

__all__ = ["Claim", "Rounding", "Value", "read_scores", "report"]
