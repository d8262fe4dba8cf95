"""Re-read what was concluded: other scores, baselines, test sets, ranks and costs."""

from scoreproof.reinterpret.api import reinterpret
from scoreproof.reinterpret.result import Finding, Reading, Reinterpretation

__all__ = ["Finding", "Reading", "Reinterpretation", "reinterpret"]
