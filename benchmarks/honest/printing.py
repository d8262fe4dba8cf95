"""How programs and people print a number.

A printer takes a value (a Python float, ``numpy.float32`` or ``float16``) and gives the text a reader would meet.
``nearest`` says that it rounds to the nearest of its texts, ties as it pleases.
"""

from __future__ import annotations

import io
import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import numpy as np


@dataclass(frozen=True, slots=True)
class Printer:
    """A way to print; ``write(value, decimals)``."""

    name: str
    write: Callable[[Any, int], str]
    nearest: bool = True


def _half_up(value: Any, digits: int) -> str:
    """A spreadsheet: the decimal a person sees, ties away from zero."""
    return f"{Decimal(repr(float(value))).quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_UP):f}"


def _cut(value: Any, digits: int) -> str:
    """Digits cut off in floats, as ``int(x * 1000) / 1000`` does."""
    return f"{math.trunc(float(value) * 10**digits) / 10**digits:.{digits}f}"


def _up(value: Any, digits: int) -> str:
    return f"{math.ceil(float(value) * 10**digits) / 10**digits:.{digits}f}"


def _frame(value: Any) -> Any:
    import pandas as pd

    return pd.DataFrame({"score": [value]})


def _csv(value: Any, digits: int) -> str:
    return str(_frame(value).to_csv(index=False)).split("\n")[1].strip()


def _csv_format(value: Any, digits: int) -> str:
    return str(_frame(value).to_csv(index=False, float_format=f"%.{digits}f")).split("\n")[1].strip()


def _latex(value: Any, digits: int) -> str:
    return str(_frame(value).to_latex(index=False)).split("\\midrule\n")[1].split("\\\\")[0].strip()


def _markdown(value: Any, digits: int) -> str:
    return str(_frame(value).to_markdown(index=False)).split("\n")[2].strip("| ")


def _string(value: Any, digits: int) -> str:
    return str(_frame(value).to_string(index=False)).split("\n")[1].strip()


def _excel(value: Any, digits: int) -> str:
    """What stands in a cell of a saved workbook, read back."""
    import openpyxl

    book = io.BytesIO()
    _frame(value).to_excel(book, index=False)
    (cell,) = [row[0] for row in openpyxl.load_workbook(book).active.iter_rows(min_row=2, values_only=True)]  # type: ignore[union-attr]
    return str(cell)


def _percent(text: Callable[[Any, int], str], least: int = 0) -> Callable[[Any, int], str]:
    return lambda value, digits: text(type(value)(100) * value, max(least, digits - 2)) + "%"


def _no_zero(value: Any, digits: int) -> str:
    """.957, as APA style has it."""
    return f"{float(value):.{digits}f}".replace("0.", ".", 1) if abs(value) < 1 else f"{float(value):.{digits}f}"


FIXED: Callable[[Any, int], str] = lambda value, digits: f"{value:.{digits}f}"
ROUND: Callable[[Any, int], str] = lambda value, digits: str(round(float(value), digits))

PRINTERS: dict[str, Printer] = {
    printer.name: printer
    for printer in (
        Printer("format", FIXED),
        Printer("round", ROUND),
        Printer("repr", lambda value, digits: repr(float(value))),
        Printer("str", lambda value, digits: str(value)),
        Printer("json", lambda value, digits: json.dumps(float(value))),
        Printer("%g", lambda value, digits: "%g" % value),  # noqa: UP031
        Printer("%.4g", lambda value, digits: "%.4g" % value),  # noqa: UP031
        Printer("%.3g", lambda value, digits: f"{value:.3g}"),
        Printer("R's 7 digits", lambda value, digits: f"{float(value):.7g}"),
        Printer("MATLAB's 15 digits", lambda value, digits: f"{float(value):.15g}"),
        Printer("%.17g", lambda value, digits: f"{float(value):.17g}"),
        Printer("%e", lambda value, digits: f"{float(value):.{digits}e}"),
        Printer("numpy.round", lambda value, digits: str(np.round(value, digits))),
        Printer("numpy array", lambda value, digits: str(np.array([value])).strip("[ ]")),
        Printer("half up", _half_up),
        Printer("no leading zero", _no_zero),
        Printer("to_csv", _csv),
        Printer("to_csv float_format", _csv_format),
        Printer("to_latex", _latex),
        Printer("to_markdown", _markdown),
        Printer("to_string", _string),
        Printer("to_excel", _excel),
        Printer("percent format", _percent(FIXED)),
        Printer("percent .1%", lambda value, digits: f"{value:.{max(0, digits - 2)}%}"),
        Printer("percent round", _percent(ROUND, least=1)),  # round(51.7, 0) prints 52.0, which nobody can read
        Printer("percent repr", _percent(lambda value, digits: repr(float(value)))),
        Printer("percent %g", _percent(lambda value, digits: "%g" % value)),  # noqa: UP031
        Printer("percent half up", _percent(_half_up)),
        Printer("cut off", _cut, nearest=False),
        Printer("rounded up", _up, nearest=False),
        Printer("percent cut off", _percent(_cut), nearest=False),
    )
}
_WEIGHTS = {"format": 8, "round": 5, "repr": 4, "half up": 2, "percent format": 4, "percent round": 2}
CHANCES = np.array([_WEIGHTS.get(name, 1) for name in PRINTERS], dtype=float) / sum(
    _WEIGHTS.get(name, 1) for name in PRINTERS
)
PLUS_MINUS = (" ± ", " +/- ", " \\pm ", "±")


def joined(mean: str, deviation: str, sign: str) -> str:
    """A mean with its deviation: ``0.84 ± 0.03``, ``84.1% ± 2.0%``."""
    return f"{mean}{sign}{deviation}"
