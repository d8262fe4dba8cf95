"""In which order engines are asked about a mean of scores.

What is said of linear scores alone is looked at first, on totals: that decides it, or refutes the whole; of balanced
folds the ways in which their odd cases may fall together are looked at one by one before all of them at once. Most true
reports then have a witness that is found at once or at a glance (``seeking``). What is left is a contest: turns of a
search for a witness and turns of engines that can also refute (a tree over the points of small sets, multipliers for
large ones), each longer than the last.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from scoreproof.kinds.binary.engine.averages import blocks
from scoreproof.kinds.binary.engine.averages.arrangements import arrangements, settled
from scoreproof.kinds.binary.engine.averages.pooling import pooled
from scoreproof.kinds.binary.engine.averages.refuting import Refuters
from scoreproof.kinds.binary.engine.averages.sizes import beyond_reach
from scoreproof.kinds.binary.engine.averages.targets import Demand, linear_part
from scoreproof.kinds.binary.engine.averages.totals import TotalsOutcome, decide_totals, glance
from scoreproof.kinds.binary.engine.averages.turns import Decided, Turn, in_turns
from scoreproof.kinds.binary.problem import Witness
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.kinds.kind import Decision
from scoreproof.work.budget import Budget

if TYPE_CHECKING:
    from scoreproof.kinds.binary.engine.averages.dealt import DealtClasses
    from scoreproof.kinds.binary.engine.averages.seeking.dealing import Dealing
    from scoreproof.kinds.binary.engine.averages.seeking.last_two import DrawnRates

_LINEAR_SHARE, _LINEAR_SECONDS = 0.2, 0.5  # of the budget, before anything else is tried
# A glance is a few attempts, which take less unless the machine is busy; small problems are soon listed instead.
_GLANCE_SHARE, _GLANCE_SECONDS, _SHORT_GLANCE = 0.2, 1.0, 0.03
_DEALT_SHARE, _DEALT_SECONDS = 0.2, 0.02
_POOLED_SHARE = 0.4  # of the budget, for parts that deviate as one set each
_LIKELY, _UNLIKELY = 1.2, 0.3  # of a turn, for a search for a witness, by whether some rates meet the report
_BEFORE_TREES = 0.6  # of a turn
_MIXED = 1.0  # of a turn, for a search from mixtures of points
_SWEPT = 0.1, 2.0  # of a turn, for a search among all points of all sets: before a tree that soon knows, and at length
_FEW_WAYS, _WAYS_SHARE, _WAYS = 500, 0.3, 1.5  # to deal the classes, tried at once; of the budget; of a turn
_DEALT = 0.4  # of a turn, for ways to deal the classes
_LESS, _EARLY = 0.4, 2.0  # of an early turn, for a proof about many sets whose rates may be as reported; seconds
_FEW_SETS = 5
_DOUBTED = 0.2  # of a turn, for a proof that there is no witness where many are to be expected
_HOPELESS = 0.2  # of its turns, for a search that found no rates that meet the report
_SOME_SETS, _MANY_SETS = 8, 14  # of which some are alike
_COUNT_SHARE, _COUNT_SECONDS = 0.5, 0.8


def decide_mean(demand: Demand, *, deadline: Budget, seed: int = 0) -> Decided:
    """Decide whether matrices exist, one per evaluation set, that meet every demand."""
    beyond = beyond_reach(demand)
    if beyond:
        return Decision(reason=beyond)
    linear = linear_part(demand)
    if linear is not None and blocks.applies(linear):
        whole = linear is demand
        outcome = _on_totals(linear, deadline.part(_LINEAR_SHARE).within(_LINEAR_SECONDS))
        if whole and outcome.proof is None and outcome.witness is None:
            matrices = _sought(demand, deadline.part(_GLANCE_SHARE).within(_GLANCE_SECONDS), seed)
            if matrices is not None:
                return Decision(Witness(matrices))
            outcome = _on_totals(linear, deadline)
        if outcome.proof is not None:
            return Decision(proof={"kind": "totals", "cases": outcome.proof})
        if outcome.witness is not None and (whole or demand.fits(outcome.witness)):
            return Decision(Witness(outcome.witness))
        if deadline.passed:
            return Decision(reason=f"{outcome.boxes} boxes of fold totals within {deadline.seconds:.3g} s")
    parts = pooled(demand)
    if parts is not None:
        proof = decide_mean(parts, deadline=deadline.part(_POOLED_SHARE), seed=seed).proof
        if proof is not None:
            return Decision(proof={"kind": "pooled", "proof": proof})
    return _contest(demand, deadline, seed)


def _sought(demand: Demand, deadline: Budget, seed: int) -> tuple[ConfusionMatrix, ...] | None:
    """A witness for linear scores of many unlike sets, of which totals do not soon tell."""
    from scoreproof.kinds.binary.engine.averages.seeking.seek import Seeker

    seeker = Seeker(settled(demand), seed)
    found = seeker.glance(deadline.part(_GLANCE_SHARE)) if seeker.ways else None
    return seeker.sweep(deadline) if found is None and seeker.few else found


def _on_totals(linear: Demand, due: Budget) -> TotalsOutcome:
    """What linear scores say: of balanced folds soon, if a likely choice of their counts gives them, or none at all."""
    if linear.form.families:
        usual, *others = arrangements(linear)
        outcome = glance(usual, due)
        if outcome.witness is None:
            outcome = decide_totals(linear, due, boxes=1)
        for other in others if outcome.witness is None and outcome.proof is None else ():
            outcome = glance(other, due)
            if outcome.witness is not None:
                break
        if outcome.witness is not None or outcome.proof is not None:
            return outcome
    return decide_totals(linear, due)


def _contest(demand: Demand, deadline: Budget, seed: int) -> Decided:
    """Turns of all that may decide it, until one does."""
    from scoreproof.kinds.binary.engine.averages.dealt import dealt_classes
    from scoreproof.kinds.binary.engine.averages.seeking import dealing
    from scoreproof.kinds.binary.engine.averages.seeking.last_two import DrawnRates

    rates = DrawnRates(demand, seed)
    matrices = rates.seek(deadline.part(_GLANCE_SHARE).within(_SHORT_GLANCE))
    by_classes = dealing.Dealing(demand, seed) if matrices is None and dealing.applies(demand) else None
    if by_classes is not None:
        matrices = by_classes.attempt(deadline.part(_DEALT_SHARE).within(_DEALT_SECONDS))
    if matrices is not None:
        return Decision(Witness(matrices))
    by_ways = dealt_classes(demand)
    if by_ways is not None and by_ways.count <= _FEW_WAYS:
        decision = by_ways.turn(deadline.part(_WAYS_SHARE), deadline)
        if decision.witness is not None or decision.proof is not None:
            return decision
    return _long_contest(demand, deadline, seed, rates, by_classes, by_ways)


def _long_contest(
    demand: Demand,
    deadline: Budget,
    seed: int,
    rates: DrawnRates,
    by_classes: Dealing | None,
    by_ways: DealtClasses | None,
) -> Decided:
    """What takes longer: searches about rates and among points, trees and multipliers, and more of what was begun."""
    from scoreproof.kinds.binary.engine.averages.seeking.seek import Seeker

    matrices = None
    seeker = Seeker(settled(demand), seed)
    refuters = Refuters(demand, seed, sought=bool(seeker.ways))
    many = len(demand.form.sets) >= _MANY_SETS
    if not (refuters.soon and rates.alone):
        brief = _SHORT_GLANCE if refuters.soon or (many and seeker.tiny) else _GLANCE_SECONDS
        matrices = seeker.glance(deadline.part(_GLANCE_SHARE).within(brief))
    if matrices is None and many and seeker.ways:
        matrices = seeker.count(deadline.part(_COUNT_SHARE).within(_COUNT_SECONDS))
    if matrices is not None:
        return Decision(Witness(matrices))

    def look(
        where: Callable[[Budget], tuple[ConfusionMatrix, ...] | None], share: float, *, by_rates: bool = True
    ) -> tuple[Turn, float]:
        def turn(pause: Budget, _: Budget) -> Decided:
            found = where(pause.part(1 if seeker.hopeful or many or not by_rates else _HOPELESS))
            return Decision(None if found is None else Witness(found))

        return turn, share

    looks: list[tuple[Turn, float]] = []
    briefly, at_length = ([look(seeker.sweep, share, by_rates=False)] if seeker.few else [] for share in _SWEPT)
    if by_classes is not None:
        looks.append(look(by_classes.attempt, _DEALT, by_rates=False))
    if seeker.ways:
        likely = seeker.near <= 1 or demand.deviations_of_means
        looks += [look(seeker.seek, _LIKELY if likely and not seeker.few else _UNLIKELY)]
        looks += [look(seeker.part, 0.3)] if seeker.parts else []
        looks += [look(seeker.count, 0.5 if many else 0.25)] if len(demand.form.sets) >= _SOME_SETS else []

    def doubted(turn: Turn) -> Turn:
        """A turn for a proof, which is short once witnesses are to be expected."""

        def brief(pause: Budget, latest: Budget) -> Decided:
            if seeker.plenty:
                short = pause.part(_DOUBTED)
                return turn(short, short)
            doubtful = seeker.near <= 1 and len(demand.form.sets) > _FEW_SETS and pause.seconds <= _EARLY
            return turn(pause.part(_LESS) if doubtful else pause, latest)

        return brief

    multipliers = [(doubted(turn), share) for turn, share in refuters.multipliers]
    divisions = [(doubted(turn), share) for turn, share in refuters.divisions]
    divisions += [(by_ways.turn, _WAYS)] if by_ways is not None else []
    if multipliers and seeker.ways:
        multipliers.append(look(lambda due: seeker.mix(refuters.mixtures(), due), _MIXED, by_rates=False))
    if refuters.soon or refuters.narrowed:
        likely = demand.deviations_of_means or (seeker.near <= 1 and not refuters.soon)  # a tree knows little of these
        before = [look(seeker.seek, _BEFORE_TREES)] if likely and seeker.ways else []
        return in_turns([*briefly, *before, *divisions, *multipliers, *at_length, *looks], deadline)
    proofs = [*multipliers, *divisions]
    first = demand.deviations_of_means or seeker.near <= 1
    return in_turns([*at_length, *looks, *proofs] if first else [*proofs, *at_length, *looks], deadline)
