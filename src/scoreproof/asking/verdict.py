"""The three answers."""

from __future__ import annotations

from enum import StrEnum


class Verdict(StrEnum):
    """``consistent`` comes with a witness, ``inconsistent`` with a certificate, ``undecided`` with a reason."""

    CONSISTENT = "consistent"
    INCONSISTENT = "inconsistent"
    UNDECIDED = "undecided"
