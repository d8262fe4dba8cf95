"""Numbers as a paper prints them: three significant digits, and p-values that never read as zero."""

from __future__ import annotations

import math


def number_text(value: float) -> str:
    """Three significant digits, zeros at the end included; whole numbers from 10 on and 0 in full.

    >>> number_text(0.71234), number_text(0.8), number_text(43.0), number_text(float("inf")), number_text(-1.5e-07)
    ('0.712', '0.800', '43', 'infinity', '-1.50e-07')
    """
    if math.isnan(value):
        return "undefined"
    if math.isinf(value):
        return "infinity" if value > 0 else "-infinity"
    if value == int(value) and (value == 0 or 10 <= abs(value) < 1e15):
        return str(int(value))
    if 1000 <= abs(value) < 1e15:
        return f"{value:.1f}"
    return f"{value:#.3g}".rstrip(".")


def count_text(value: float) -> str:
    """A statistic or degrees of freedom: whole numbers in full, others with three significant digits.

    >>> count_text(4.0), count_text(13.5), count_text(2.8437)
    ('4', '13.5', '2.84')
    """
    return str(int(value)) if math.isfinite(value) and value == int(value) else number_text(value)


def p_text(p: float) -> str:
    """The p-value with its sign: "p = 0.0312", or "p < 1e-300" where floats end.

    >>> p_text(0.03124), p_text(5.0622e-05), p_text(0.0), p_text(0.5), p_text(1.0)
    ('p = 0.0312', 'p = 5.06e-05', 'p < 1e-300', 'p = 0.500', 'p = 1')
    """
    if math.isnan(p):
        return "p undefined"
    if p >= 1:
        return "p = 1"
    return "p < 1e-300" if p < 1e-300 else f"p = {p:#.3g}"


def bare_p(p: float) -> str:
    """The p-value for a table cell.

    >>> bare_p(0.03124), bare_p(0.0)
    ('0.0312', '< 1e-300')
    """
    return p_text(p).removeprefix("p ").removeprefix("= ")


def percent_text(level: float) -> str:
    """A confidence level as readers expect it.

    >>> percent_text(0.95), percent_text(0.999)
    ('95%', '99.9%')
    """
    return f"{100 * level:.6g}%"
