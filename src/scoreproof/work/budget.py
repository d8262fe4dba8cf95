"""Time shared out: the moment an answer is due, handed down to everything that may take long.

Whoever promises an answer within seconds makes one ``Budget`` and passes it on; nobody below looks at the clock in
another way. A loop asks whether time has ``passed``, or calls ``tick``, which ends all the work below the one who made
the promise and catches ``OutOfTime``.

Only the promise itself is kept by the clock. Its parts, which decide what is tried first and for how long, are counted
in work: every tick counts as a little, ``charge`` adds what a long step is worth, in seconds as they were measured. So
what is found before the promise ends is the same on a slow machine and on a fast one. (A part that takes three times as
long as it is worth, and a tenth of all the time, ends by the clock: on so slow a machine the others come first.)
"""

from __future__ import annotations

import time
from copy import copy

from scoreproof.validation import seconds as as_seconds

_TICK = 3e-5  # seconds that pass between two ticks where nothing is charged
_MOMENT = 0.01  # seconds
_SLOW, _LEAST = 3.0, 0.1  # times its work, and of all seconds, that a part may take by the clock in any case
_STEADY = 0.5  # of the seconds given, as work
_SLOWEST = 10.0  # times as long as its work is worth, for what is limited by work alone,
_PATIENT = 5.0  # and seconds, since a busy machine may stop for one


class OutOfTime(Exception):
    """A deadline has passed; caught by whoever promised an answer, never seen by users."""


class Budget:
    """A moment after which nothing new is begun; ``seconds`` is what was given from the start.

    >>> Budget(60).part(0.5).left() <= 30
    True
    >>> due = Budget(60)
    >>> Budget.of(due) is due, Budget.of(2.5).seconds
    (True, 2.5)
    >>> part = due.within(0.25)
    >>> part.charge(0.5)
    >>> part.passed, due.passed
    (True, False)
    """

    __slots__ = ("_begun", "_end", "_least", "_until", "_whole", "_work", "seconds")

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._end = time.monotonic() + seconds
        self._least = _LEAST * seconds
        self._work = [0.0]  # seconds of what was done under one promise, shared by all its parts
        self._begun, self._until, self._whole = 0.0, seconds, True

    @classmethod
    def of(cls, budget: float | Budget) -> Budget:
        """A budget of seconds that starts to run now, or a deadline that runs already."""
        return budget if isinstance(budget, Budget) else cls(as_seconds(budget))

    @classmethod
    def steady(cls, budget: float | Budget) -> Budget:
        """A budget of seconds for what always uses all it is given: its work ends, where it can, before the clock."""
        return budget if isinstance(budget, Budget) else cls(as_seconds(budget)).part(_STEADY)

    @classmethod
    def of_work(cls, seconds: float) -> Budget:
        """A limit by work alone, for remarks that nobody gave seconds for; the clock ends only what goes wrong."""
        whole = cls(max(_SLOWEST * seconds, _PATIENT))
        part = whole.within(seconds)
        part._end, part._least = whole._end, whole.seconds  # and so of all its parts
        return part

    def charge(self, seconds: float) -> None:
        """Count a step beside the ticks: what it took where it was measured."""
        self._work[0] += seconds

    def left(self) -> float:
        """The seconds of work that remain, never below zero; a whole promise has some as long as the clock allows."""
        if time.monotonic() >= self._end:
            return 0.0
        left = self._until - self._work[0]
        return max(left, self._work[0] - self._begun) if self._whole else max(0.0, left)

    def time_left(self) -> float:
        """The seconds until the clock ends it, never below zero."""
        return max(0.0, self._end - time.monotonic())

    def spent(self) -> float:
        """The seconds of work since it was made."""
        return self._work[0] - self._begun

    @property
    def passed(self) -> bool:
        self._work[0] += _TICK
        return (not self._whole and self._work[0] >= self._until) or time.monotonic() >= self._end

    def tick(self) -> None:
        """Go on, or stop everything down to the one who set this deadline."""
        if self.passed:
            raise OutOfTime

    def part(self, share: float) -> Budget:
        """A deadline that ends when this share of the remaining work is done."""
        return self._part(share * self.left(), share)

    def within(self, seconds: float) -> Budget:
        """A deadline after so many seconds of work, and not after this one."""
        return self._part(min(seconds, self.left()), 0.0)

    def _part(self, seconds: float, share: float) -> Budget:
        """So much work; the clock ends it only where that leaves too little time to the others."""
        now = time.monotonic()
        part = copy(self)
        part.seconds, part._whole = seconds, False
        part._end = min(self._end, now + max(_SLOW * seconds, share * (self._end - now), self._least))
        part._begun = self._work[0]
        part._until = part._begun + seconds
        return part

    def sooner(self, share: float) -> Budget:
        """The same with a share of all its time taken off the end."""
        earlier = copy(self)
        earlier._until -= share * self.seconds
        earlier._end -= share * self.seconds
        return earlier

    def longer(self, seconds: float) -> Budget:
        """This deadline, or one of so many seconds from now if that is later."""
        return self if self.time_left() >= seconds else Budget(seconds)

    def moment(self, most: float) -> Budget:
        """What one check may take: at most this, never less than a moment of work."""
        part = self.within(most)
        if part.seconds < _MOMENT:
            part.seconds, part._until = _MOMENT, part._begun + _MOMENT
            part._end = max(part._end, time.monotonic() + _MOMENT)
        return part


NEVER = Budget(float("inf"))
