"""Time shared out: an explanation asks many questions and must answer in seconds."""

from __future__ import annotations

import time


class Deadline:
    """A moment after which no new question is asked.

    >>> Deadline(60).part(0.5).left() <= 30
    True
    """

    def __init__(self, seconds: float) -> None:
        self._end = time.perf_counter() + seconds

    def left(self) -> float:
        """The seconds that remain, never below zero."""
        return max(0.0, self._end - time.perf_counter())

    @property
    def passed(self) -> bool:
        return self.left() == 0.0

    def part(self, share: float) -> Deadline:
        """A deadline that ends when this share of the remaining time is used."""
        return Deadline(share * self.left())

    def budget(self, most: float) -> float:
        """What one check may take: at most this, never less than a moment."""
        return max(0.01, min(most, self.left()))
