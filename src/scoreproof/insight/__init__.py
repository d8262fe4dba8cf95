"""What lies behind a verdict: explanations, power of a check, reconstruction from scores, what conclusions survive.

Names are loaded when they are first used: a check that passes needs no repairs, and an explanation no cost curves.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_MODULES = {
    "AnyClassifier": "outcomes",
    "Deviation": "deviations",
    "LastDigit": "deviations",
    "OtherAggregation": "deviations",
    "OtherCounts": "deviations",
    "OtherExperiment": "deviations",
    "Oversampling": "deviations",
    "PlausibleClassifier": "outcomes",
    "Power": "power_result",
    "PowerCurve": "power_result",
    "Strength": "strength_of_pass",
    "SwappedColumns": "deviations",
    "could_fail": "strength_of_pass",
    "plot_power": "power_result",
    "power": "power_analysis",
    "strength": "strength_of_pass",
}
__all__ = list(_MODULES)


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'scoreproof.insight' has no attribute {name!r}")
    return getattr(import_module(f"scoreproof.insight.{_MODULES[name]}"), name)
