"""Turns of several ways to decide the same, each longer than the last."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from scoreproof.kinds.binary.problem import Witness
from scoreproof.kinds.kind import Decision
from scoreproof.work.budget import Budget

_FIRST_TURN = 0.25  # seconds; later turns are longer
_LONGEST_SHARE = 0.9  # of what is left, for one step that cannot be interrupted

Decided = Decision[Witness]
Turn = Callable[[Budget, Budget], Decided]  # until when, and when at the latest


def in_turns(turns: Sequence[tuple[Turn, float]], deadline: Budget) -> Decided:
    """Every one in turn for its share of a slice of time, slices growing, until one decides or all are done."""
    length = _FIRST_TURN
    reasons: dict[int, str] = {}
    while turns and not deadline.passed:
        for number, (turn, share) in enumerate(turns):
            alone = len(turns) == 1
            pause = deadline if alone else deadline.within(length * share)
            decision = turn(pause, deadline if alone else deadline.part(_LONGEST_SHARE))
            if decision.witness is not None or decision.proof is not None:
                return decision
            if decision.reason:
                reasons[number] = decision.reason
            if deadline.passed:
                break
        length *= 2
    said = reasons[max(reasons)] if reasons else "no witness was found, and no proof that there is none"
    return Decision(reason=f"{said} within {deadline.seconds:.3g} s")
