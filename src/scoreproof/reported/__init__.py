"""The text of a number and the exact interval it stands for."""

from scoreproof.reported.claim import Claim, Value, read_scores, report
from scoreproof.reported.conventions import Conventions
from scoreproof.reported.number import Rounding

__all__ = ["Claim", "Conventions", "Rounding", "Value", "read_scores", "report"]
