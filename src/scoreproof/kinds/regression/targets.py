"""Interval constraint propagation (Davis 1987) for claims of one evaluation: what to fit cases to, with narrow ends.

The mean squared error s, the variance V, the bias b and the shares R = 1 - R² and E = 1 - EV obey s = R V and
s - b² = E V, so reports of several of them pull against each other by their last digits. Their intervals are narrowed
by these two equations, then each in turn is set to the middle of what is left to it. All in floats: a proposal.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from scoreproof.kinds.regression.problem import RegressionProblem

Ends = tuple[float, float]
_ROUNDS = 12
_ANY: Ends = (0.0, math.inf)
_KEPT = 0.02  # of the room of the most precise claim, around the places chosen for all
_SHARES = ("r2", "adjusted_r2", "ev")


def targets(problem: RegressionProblem) -> dict[str, Ends]:
    """The quantities to fit, and between which ends each is aimed at."""
    claimed = {name: (float(low), float(high)) for name, (low, high) in problem.spans.items()}
    known = _Linked(problem, claimed)
    known.narrow()
    if not (math.isfinite(known.ends["s"][1]) and math.isfinite(known.ends["V"][1]) and known.ends["V"][1] > 0):
        return {name: ends for name, ends in claimed.items() if name != "rmse" or "mse" not in claimed}
    for name in ("R", "V", "s", "E", "b²"):
        known.settle(name)
    aims = {name: ends for name, ends in claimed.items() if name in ("mae", "maxe", "medae", "r")}
    aims["mse"] = known.around("s")
    if known.needs_variance:
        aims["variance"] = known.around("V")
    if "bias" in claimed or "ev" in claimed:
        low, high = (math.sqrt(max(end, 0.0)) for end in known.around("b²"))
        signs = claimed.get("bias", (0.0, 1.0))
        aims["bias"] = (low, high) if signs[1] > -signs[0] else (-high, -low)
        if signs[0] < 0 < signs[1] and "ev" not in claimed:
            aims["bias"] = signs
    return _possible(aims)


def _possible(aims: dict[str, Ends]) -> dict[str, Ends]:
    """Narrower by what always holds between the sizes of errors, and between r and the explained variance."""
    root = tuple(math.sqrt(max(end, 0.0)) for end in aims["mse"])
    if "mae" in aims:
        low = max(aims["mae"][0], root[0] ** 2 / aims["maxe"][1] if aims.get("maxe", (0, 0))[1] > 0 else 0.0)
        aims["mae"] = _met(aims["mae"], (low, root[1]))
    if "maxe" in aims:
        aims["maxe"] = _met(aims["maxe"], (root[0], math.inf))
    if "r" in aims and "variance" in aims:
        bias = min(abs(end) for end in aims.get("bias", (0.0, 0.0)))
        explained = 1 - (aims["mse"][1] - bias**2) / aims["variance"][0] if aims["variance"][0] > 0 else 0.0
        if explained > 0 and aims["r"][1] > 0:
            aims["r"] = _met(aims["r"], (math.sqrt(explained), 1.0))
    return aims


def _met(own: Ends, other: Ends) -> Ends:
    """What two intervals share; the first where they do not meet."""
    low, high = max(own[0], other[0]), min(own[1], other[1])
    return (low, high) if low <= high else own


class _Linked:
    """Intervals of s, V, R, E and b², narrowed by s = R V and s - b² = E V."""

    def __init__(self, problem: RegressionProblem, claimed: Mapping[str, Ends]) -> None:
        n, predictors = problem.experiment.n, problem.experiment.predictors
        self.needs_variance = any(name in claimed for name in ("variance", "r", *_SHARES))
        square = claimed.get("mse", _ANY)
        if "rmse" in claimed:
            square = _met(square, (claimed["rmse"][0] ** 2, claimed["rmse"][1] ** 2))
        left = (1 - claimed["r2"][1], 1 - claimed["r2"][0]) if "r2" in claimed else _ANY
        if "adjusted_r2" in claimed and n is not None and predictors is not None:
            factor = (n - predictors - 1) / (n - 1)
            low, high = claimed["adjusted_r2"]
            left = _met(left, ((1 - high) * factor, (1 - low) * factor))
        bias = claimed.get("bias", (-math.inf, math.inf))
        least = 0.0 if bias[0] < 0 < bias[1] else min(map(abs, bias))
        self.ends: dict[str, Ends] = {
            "s": square,
            "V": claimed.get("variance", _ANY),
            "R": left,
            "E": (1 - claimed["ev"][1], 1 - claimed["ev"][0]) if "ev" in claimed else _ANY,
            "b²": (least**2, min(max(map(abs, bias)), claimed.get("mae", _ANY)[1]) ** 2),
        }
        self.claimed = dict(self.ends)

    def narrow(self) -> None:
        """Every interval by the others, a few times."""
        for _ in range(_ROUNDS):
            s, v, left, unexplained, bias = (self.ends[name] for name in ("s", "V", "R", "E", "b²"))
            rest = (max(s[0] - bias[1], 0.0), s[1] - bias[0])
            self._cut("s", _times(left, v), (_times(unexplained, v)[0] + bias[0], _times(unexplained, v)[1] + bias[1]))
            self._cut("V", _over(s, left), _over(rest, unexplained))
            self._cut("R", _over(s, v))
            self._cut("E", _over(rest, v))
            explained = _times(unexplained, v)
            self._cut("b²", (max(s[0] - explained[1], 0.0), s[1] - explained[0]))

    def _cut(self, name: str, *others: Ends) -> None:
        for other in others:
            self.ends[name] = _met(self.ends[name], other)

    def settle(self, name: str) -> None:
        """One of them to the middle of what is left to it."""
        low, high = self.ends[name]
        if math.isfinite(high):
            self.ends[name] = ((low + high) / 2,) * 2
            self.narrow()

    def around(self, name: str) -> Ends:
        """Ends around the place that was chosen for one of them, within its claim and what follows from the others."""
        low, high = self.ends[name]
        place = (low + high) / 2
        room = self.fineness * place
        return place - room, place + room

    @property
    def fineness(self) -> float:
        """How precisely the places are to be met: a part of the smallest room there is, as a share."""
        rooms = [(high - low) / (high or 1.0) for low, high in self.claimed.values() if high < math.inf]
        return _KEPT * max(min(rooms, default=_KEPT), 1e-16)


def _times(left: Ends, other: Ends) -> Ends:
    return left[0] * other[0], left[1] * other[1] if left[1] and other[1] else 0.0


def _over(left: Ends, other: Ends) -> Ends:
    low = left[0] / other[1] if other[1] > 0 else 0.0
    return low, left[1] / other[0] if other[0] > 0 else math.inf
