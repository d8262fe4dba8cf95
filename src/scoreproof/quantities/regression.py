"""What is reported of predicted numbers: errors in the unit of what is predicted, shares of variance, correlation.

An error has no greatest value, and the smaller it is the better; a share of variance may be below 0, since a model can
be worse than the mean of the true values.
"""

from __future__ import annotations

from fractions import Fraction

from scoreproof.quantities.names import Quantity
from scoreproof.quantities.registry import Register, declare

KIND_NAME = "regression"
_ZERO, _UNIT = Fraction(0), Fraction(1)


def _error(name: str, title: str, *synonyms: str) -> Quantity:
    return Quantity(name, title, synonyms=(title, *synonyms), range=(_ZERO, None), direction=-1, kind=KIND_NAME)


def _share(name: str, title: str, *synonyms: str, least: Fraction | None = None) -> Quantity:
    return Quantity(name, title, synonyms=(title, *synonyms), range=(least, _UNIT), kind=KIND_NAME)


QUANTITIES = (
    _error("mae", "mean absolute error", "mean abs error", "average absolute error", "mean absolute deviation error"),
    _error("mse", "mean squared error", "mean square error"),
    _error("rmse", "root mean squared error", "root mean square error", "rms error"),
    _error("maxe", "maximum absolute error", "max error", "maximum error", "max absolute error", "maxae"),
    _error("medae", "median absolute error", "median abs error"),
    Quantity(
        "bias",
        "mean error",
        synonyms=("mean error", "mean bias error", "mbe", "mean signed error", "mean bias"),
        range=(None, None),
        kind=KIND_NAME,
    ),
    _share("r2", "coefficient of determination", "r squared", "r-square", "r2 score"),
    _share("adjusted_r2", "adjusted R²", "adj r2", "adj r squared", "adjusted r squared", "r2 adjusted"),
    _share("ev", "explained variance", "explained variance score", "evs"),
    _share(
        "r",
        "Pearson's correlation",
        "pearson",
        "pearson r",
        "pearsons r",
        "pearson correlation",
        "pearson correlation coefficient",
        "pearsons correlation coefficient",
        "correlation coefficient",
        "pcc",
        "plcc",
        least=Fraction(-1),
    ),
    _error("variance", "variance of the true values", "target variance", "variance of y", "var y"),
)
REGRESSION = declare(KIND_NAME, Register())
for _quantity in QUANTITIES:
    REGRESSION.admit(_quantity)
