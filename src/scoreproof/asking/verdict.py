"""The answers."""

from __future__ import annotations

from enum import StrEnum


class Verdict(StrEnum):
    """``consistent`` comes with a witness, ``inconsistent`` with a certificate, ``undecided`` with a reason.

    A paper in which nothing was asked that could have failed is ``not tested``.
    """

    CONSISTENT = "consistent"
    INCONSISTENT = "inconsistent"
    UNDECIDED = "undecided"
    NOT_TESTED = "not tested"
