"""The text of a number and the exact interval it stands for."""

from scoreproof.reported.reported import Reported, Value, read_scores, report
from scoreproof.reported.rounding import Rounding

__all__ = ["Reported", "Rounding", "Value", "read_scores", "report"]
