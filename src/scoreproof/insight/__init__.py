"""What lies behind a verdict: explanations, power of a check, reconstruction from scores, what conclusions survive.

Names are loaded when they are first used: a check that passes needs no repairs, and an explanation no cost curves.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_NAMES = {
    "deviations": "Deviation LastDigit OtherAggregation OtherCounts OtherExperiment Oversampling SwappedColumns",
    "outcomes": "AnyClassifier PlausibleClassifier",
    "power_analysis": "power",
    "power_result": "Power PowerCurve",
    "strength_of_pass": "Strength could_fail strength",
}
_MODULES = {name: module for module, names in _NAMES.items() for name in names.split()}
__all__ = list(_MODULES)


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'scoreproof.insight' has no attribute {name!r}")
    return getattr(import_module(f"scoreproof.insight.{_MODULES[name]}"), name)
