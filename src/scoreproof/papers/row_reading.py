"""One way to understand how the scores of a row came about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class RowReading:
    """One way to understand how a row's scores came about."""

    label: str
    experiment: Any  # of some kind, which it names
    assumed: str = ""  # what is taken for granted, where nobody is sure
