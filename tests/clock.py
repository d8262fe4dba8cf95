"""Time that passes by what is done: budgets of a test end where they do on every machine, however busy it is."""

from __future__ import annotations

from scoreproof.work import budget
from scoreproof_verify import frame


class WorkClock:
    """A clock that goes on with every tick and with the work that is charged; a fast machine's goes on slowly."""

    def __init__(self, speed: float) -> None:
        self._done, self._speed = 0.0, speed

    def monotonic(self) -> float:
        self.charge(budget._TICK)
        return self._done / self._speed

    def charge(self, seconds: float) -> None:
        self._done += seconds


def count_work(speed: float = 1.0) -> None:
    """Let budgets in this process pass by work alone, on a machine so many times as fast as the one it was measured on."""
    clock, charge = WorkClock(speed), budget.Budget.charge

    def spent(self: budget.Budget, seconds: float) -> None:
        clock.charge(seconds)
        charge(self, seconds)

    budget.Budget.charge = spent  # type: ignore[method-assign]
    vars(budget)["time"] = vars(frame)["time"] = clock
