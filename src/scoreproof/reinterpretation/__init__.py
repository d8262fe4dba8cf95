"""Re-read what was concluded: other scores, baselines, test sets, ranks and costs."""

from scoreproof.reinterpretation.class_costs import cheapest, class_cost
from scoreproof.reinterpretation.rereading import reinterpret
from scoreproof.reinterpretation.result import Finding, MethodReading, Reinterpretation

__all__ = ["Finding", "MethodReading", "Reinterpretation", "cheapest", "class_cost", "reinterpret"]
