"""Time that passes by what is done: budgets of a test end where they do on every machine, however busy it is."""

from __future__ import annotations

from scoreproof.work import deadline
from scoreproof_verify import patience


class WorkClock:
    """A clock that goes on with every look at it and with the work that is spent; a fast machine's goes on slowly."""

    def __init__(self, speed: float) -> None:
        self._done, self._speed = 0.0, speed

    def monotonic(self) -> float:
        self.spend(deadline._LOOK)
        return self._done / self._speed

    def spend(self, seconds: float) -> None:
        self._done += seconds


def count_work(speed: float = 1.0) -> None:
    """Let budgets in this process pass by work alone, on a machine so many times as fast as the one it was measured on."""
    clock, spend = WorkClock(speed), deadline.Deadline.spend

    def spent(self: deadline.Deadline, seconds: float) -> None:
        clock.spend(seconds)
        spend(self, seconds)

    deadline.Deadline.spend = spent  # type: ignore[method-assign]
    vars(deadline)["time"] = vars(patience)["time"] = clock
