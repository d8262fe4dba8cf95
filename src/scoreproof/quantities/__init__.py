"""What can be reported, and how it is called."""

from scoreproof.quantities.measures import MetricFacts, direction, measure
from scoreproof.quantities.registry import Quantity, Register, declare, quantity, register_of
from scoreproof.quantities.task_quantities import CURVE, DETECTION, RANKING, REGRESSION

__all__ = [
    "CURVE", "DETECTION", "RANKING", "REGRESSION", "MetricFacts", "Quantity", "Register", "declare", "direction",
    "measure", "quantity", "register_of",
]  # fmt: skip
