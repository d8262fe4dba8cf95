"""Time shared out: the moment an answer is due, handed down to everything that may take long.

Whoever promises an answer within seconds makes one ``Deadline`` and passes it on; nobody below looks at the clock in
another way. A loop asks whether time has ``passed``, or calls ``check``, which ends all the work below the one who made
the promise and catches ``OutOfTime``.
"""

from __future__ import annotations

import time


class OutOfTime(Exception):
    """A deadline has passed; caught by whoever promised an answer, never seen by users."""


class Deadline:
    """A moment after which nothing new is begun; ``seconds`` is what was given from the start.

    >>> Deadline(60).part(0.5).left() <= 30
    True
    >>> due = Deadline(60)
    >>> Deadline.of(due) is due, Deadline.of(2.5).seconds
    (True, 2.5)
    """

    __slots__ = ("_end", "_start", "seconds")

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._start = time.monotonic()
        self._end = self._start + seconds

    @classmethod
    def of(cls, budget: float | Deadline) -> Deadline:
        """A budget of seconds that starts to run now, or a deadline that runs already."""
        return budget if isinstance(budget, Deadline) else cls(budget)

    def left(self) -> float:
        """The seconds that remain, never below zero."""
        return max(0.0, self._end - time.monotonic())

    def spent(self) -> float:
        """The seconds since it was made."""
        return time.monotonic() - self._start

    @property
    def passed(self) -> bool:
        return time.monotonic() >= self._end

    def check(self) -> None:
        """Go on, or stop everything down to the one who set this deadline."""
        if self.passed:
            raise OutOfTime

    def part(self, share: float) -> Deadline:
        """A deadline that ends when this share of the remaining time is used."""
        return Deadline(share * self.left())

    def within(self, seconds: float) -> Deadline:
        """A deadline after so many seconds, and not after this one."""
        return Deadline(min(seconds, self.left()))

    def sooner(self, share: float) -> Deadline:
        """The same start with a share of all its time taken off the end."""
        earlier = Deadline(self.seconds)
        earlier._start, earlier._end = self._start, self._end - share * self.seconds
        return earlier

    def budget(self, most: float) -> float:
        """What one check may take: at most this, never less than a moment."""
        return max(0.01, min(most, self.left()))


NEVER = Deadline(float("inf"))
