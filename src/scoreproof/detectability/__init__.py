"""How strong a check is: would a mistake have been noticed, and how surprising is a pass?"""

from scoreproof.detectability.analysis import power
from scoreproof.detectability.classifiers import AnyClassifier, PlausibleClassifier
from scoreproof.detectability.deviations import (
    Deviation,
    LastDigit,
    OtherAggregation,
    OtherCounts,
    OtherExperiment,
    Oversampling,
    SwappedColumns,
)
from scoreproof.detectability.falsifiability import could_fail
from scoreproof.detectability.figure import plot_power
from scoreproof.detectability.passing import Strength, strength
from scoreproof.detectability.result import Power, PowerCurve

__all__ = [
    "AnyClassifier",
    "Deviation",
    "LastDigit",
    "OtherAggregation",
    "OtherCounts",
    "OtherExperiment",
    "Oversampling",
    "PlausibleClassifier",
    "Power",
    "PowerCurve",
    "Strength",
    "SwappedColumns",
    "could_fail",
    "plot_power",
    "power",
    "strength",
]
