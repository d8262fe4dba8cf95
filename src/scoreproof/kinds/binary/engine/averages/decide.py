"""In which order engines are asked about a mean of scores.

What is said of linear scores alone is looked at first, on totals: that decides it, or refutes the whole; of balanced
folds the ways in which their odd cases may fall together are looked at one by one before all of them at once. Most true
reports then have a witness that is found at once or at a glance (``seeking``). What is left is a contest: turns of a
search for a witness and turns of engines that can also refute (a tree over the points of small sets, multipliers for
large ones), each longer than the last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from scoreproof.kinds.binary.engine.averages import blocks
from scoreproof.kinds.binary.engine.averages.arrangements import arrangements, settled
from scoreproof.kinds.binary.engine.averages.pooling import pooled
from scoreproof.kinds.binary.engine.averages.sizes import beyond_reach, can_be_listed
from scoreproof.kinds.binary.engine.averages.targets import Demand, linear_part
from scoreproof.kinds.binary.engine.averages.totals import TotalsOutcome, decide_totals, glance
from scoreproof.kinds.binary.experiment.tree import FoldRule
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.kinds.binary.witness import Witness
from scoreproof.kinds.kind import Decision
from scoreproof.reported.conventions import Undefined
from scoreproof.work.deadline import Deadline, OutOfTime

if TYPE_CHECKING:
    from scoreproof.kinds.binary.engine.averages.moments import Moments
    from scoreproof.kinds.binary.engine.averages.tree import TreeSearch

_QUICKLY_LISTED = 50_000  # points of all sets
_LINEAR_SHARE, _LINEAR_SECONDS = 0.2, 0.5  # of the budget, where linear scores are not all
# A glance is a few attempts, which take less unless the machine is busy; small problems are soon listed instead.
_GLANCE_SHARE, _GLANCE_SECONDS, _SHORT_GLANCE = 0.2, 1.0, 0.03
_POOLED_SHARE = 0.4  # of the budget, for parts that deviate as one set each
_FIRST_TURN = 0.25  # seconds; later turns are longer
_LONGEST_SHARE = 0.9  # of what is left, for one step that cannot be interrupted
_LIKELY, _UNLIKELY = 1.2, 0.3  # of a turn, for a search for a witness, by whether some rates meet the report
_SWEPT = 2.0  # of a turn, for a search among all points of all sets
_HOPELESS = 0.2  # of its turns, for a search that found no rates that meet the report
_SOME_SETS, _MANY_SETS = 8, 14  # of which some are alike
_COUNT_SHARE, _COUNT_SECONDS = 0.5, 0.8
_FEW_SETS = 5  # which a tree soon divides

Decided = Decision[Witness]
Turn = Callable[[Deadline, Deadline], Decided]  # until when, and when at the latest


def decide_mean(demand: Demand, *, deadline: Deadline, seed: int = 0) -> Decided:
    """Decide whether matrices exist, one per evaluation set, that meet every demand."""
    beyond = beyond_reach(demand)
    if beyond:
        return Decision(reason=beyond)
    linear = linear_part(demand)
    if linear is not None and blocks.applies(linear):
        whole = linear is demand
        due = deadline if whole else deadline.part(_LINEAR_SHARE).within(_LINEAR_SECONDS)
        outcome = _on_totals(linear, due)
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


def _on_totals(linear: Demand, due: Deadline) -> TotalsOutcome:
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


def _contest(demand: Demand, deadline: Deadline, seed: int) -> Decided:
    """Turns of all that may decide it, until one does."""
    from scoreproof.kinds.binary.engine.averages.columns import count_columns
    from scoreproof.kinds.binary.engine.averages.seeking.last_two import DrawnRates
    from scoreproof.kinds.binary.engine.averages.seeking.seek import Seeker

    small = count_columns(demand) <= _QUICKLY_LISTED  # then a tree soon knows
    due = deadline.part(_GLANCE_SHARE).within(_SHORT_GLANCE if small else _GLANCE_SECONDS)
    rates = DrawnRates(demand, seed)
    matrices = rates.seek(due)
    if matrices is not None:
        return Decision(Witness(matrices))
    seeker = Seeker(settled(demand), seed)
    matrices = None if small and rates.alone else seeker.glance(due)
    many = len(demand.form.sets) >= _MANY_SETS
    if matrices is None and many and seeker.ways:
        matrices = seeker.count(deadline.part(_COUNT_SHARE).within(_COUNT_SECONDS))
    if matrices is not None:
        return Decision(Witness(matrices))

    def look(
        where: Callable[[Deadline], tuple[ConfusionMatrix, ...] | None], share: float, *, by_rates: bool = True
    ) -> tuple[Turn, float]:
        def turn(pause: Deadline, _: Deadline) -> Decided:
            found = where(pause.part(1 if seeker.hopeful or many or not by_rates else _HOPELESS))
            return Decision(None if found is None else Witness(found))

        return turn, share

    looks: list[tuple[Turn, float]] = []
    if seeker.ways:
        likely = seeker.near <= 1 or demand.deviations_of_means
        looks += [look(seeker.sweep, _SWEPT, by_rates=False)] if seeker.few else []
        looks += [look(seeker.seek, _LIKELY if likely and not seeker.few else _UNLIKELY)]
        looks += [look(seeker.part, 0.3)] if seeker.parts else []
        looks += [look(seeker.count, 0.5 if many else 0.25)] if len(demand.form.sets) >= _SOME_SETS else []
    proofs = _refuters(demand, seed, sought=bool(seeker.ways))
    first = not small and (demand.deviations_of_means or seeker.near <= 1)
    return _in_turns(looks + proofs if first else proofs + looks, deadline)


def _refuters(demand: Demand, seed: int, *, sought: bool) -> list[tuple[Turn, float]]:
    """What may refute a demand, with the share of time it gets; for each divisor by itself, if that is open.

    Where a witness is ``sought`` by others, trees need not look for one where every score is defined.
    """
    from scoreproof.kinds.binary.engine.averages.columns import count_columns

    columns = count_columns(demand)
    few = len(demand.form.sets) <= _FEW_SETS
    cases = demand.by_divisor()
    refuted: dict[int, dict[str, Any]] = {}
    turns: list[tuple[Turn, float]] = []

    def counted(number: int, turn: Turn) -> Turn:
        """A turn whose proof is one of several that are needed."""

        def one(pause: Deadline, latest: Deadline) -> Decided:
            decision = Decision() if number in refuted else turn(pause, latest)
            if decision.proof is None:
                return decision
            refuted[number] = decision.proof
            whole = {"kind": "divisors", "cases": [refuted.get(k) for k in range(len(cases))]}
            return Decision(proof=whole if len(refuted) == len(cases) else None)

        return turn if len(cases) == 1 else one

    listed = can_be_listed(demand, columns)
    shared = _Multiplied(replace(demand, one_divisor=False))  # whichever divisor, for each score its own
    if columns > _QUICKLY_LISTED:
        turns.append((shared.turn, 2.0))
    for number, case in enumerate(cases):
        mine: list[tuple[Turn, float]] = []
        if columns > _QUICKLY_LISTED and len(cases) > 1:
            mine.append((_Multiplied(case, shared).turn, 2.0))
        if listed:
            part = (1.5 if few else 0.8) / len(cases)
            mine += [(_Tree(points, case, seed, sought).turn, part) for points in _to_divide(case, sought)]
        else:
            mine += [(shared.before(turn), 0.4) for turn in _large(settled(case), seed)]
        turns += [(counted(number, turn), share) for turn, share in mine]
    return turns


def _in_turns(turns: list[tuple[Turn, float]], deadline: Deadline) -> Decided:
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


def _to_divide(demand: Demand, sought: bool) -> Iterator[Demand]:
    """The demands whose points are listed and divided; the last of them is the whole."""
    if demand.undefined is Undefined.ANY and not sought:
        # most reports come from matrices on which every score is defined, and these are found more easily
        yield replace(demand, undefined=Undefined.EXCLUDE)
    yield demand


class _Tree:
    """A search of the points of all sets, built when its turn comes; only that of the whole demand refutes."""

    def __init__(self, demand: Demand, whole: Demand, seed: int, sought: bool) -> None:
        self._demand, self._whole, self._seed, self._sought = demand, whole, seed, sought
        self._search: TreeSearch | None = None
        self._done = False

    def turn(self, pause: Deadline, deadline: Deadline) -> Decided:
        from scoreproof.kinds.binary.engine.averages.columns import build
        from scoreproof.kinds.binary.engine.averages.tree import TreeSearch

        if self._done:
            return Decision()
        if self._search is None:
            try:
                self._search = TreeSearch(build(self._demand, deadline), self._seed, sought=self._sought)
            except OutOfTime:
                return Decision(reason="the points of the evaluation sets were not listed")
        found = self._search.run(deadline, pause)
        if found.witness is not None:
            return Decision(_in_repeats(self._demand, found.witness))
        if found.proof is None:
            return Decision(reason=found.reason)
        if self._demand is not self._whole:
            self._done = True
            return Decision()
        model = self._search.model
        proof = {
            "kind": "columns",
            "groups": [list(group.indices) for group in model.groups],
            "bits": [row.bits for row in model.rows],
            "steps": found.proof,
        }
        return Decision(proof=proof)


class _Multiplied:
    """Multipliers over means, squares and class totals, without lists of points; begun when another could not."""

    def __init__(self, demand: Demand, after: _Multiplied | None = None) -> None:
        self._demand, self._after = demand, after
        self._moments: Moments | None = None
        self.settled = False

    def before(self, turn: Turn) -> Turn:
        """A turn that waits until nothing more is to be had here: its proofs are longer."""

        def waiting(pause: Deadline, latest: Deadline) -> Decided:
            return turn(pause, latest) if self.settled else Decision()

        return waiting

    def turn(self, pause: Deadline, _: Deadline) -> Decided:
        from scoreproof.kinds.binary.engine.averages.moments import Moments, applies

        if self.settled or (self._after is not None and not self._after.settled):
            return Decision()
        if self._moments is None:
            if not applies(self._demand):
                self.settled = True
                return Decision()
            self._moments = Moments(self._demand)
        proof = self._moments.refute(pause)
        self.settled = self._moments.settled
        return Decision(proof=proof)


def _in_repeats(demand: Demand, witness: tuple[ConfusionMatrix, ...]) -> Witness:
    """The folds of balanced families dealt to their repeats, so that each repeat holds the data set once."""
    from scoreproof.kinds.binary.engine.averages.distribute import arranged

    found = list(witness)
    for number, family in enumerate(demand.form.families):
        if family.rule is FoldRule.BALANCED and family.repeats > 1:
            mine = [index for index, one in enumerate(demand.form.sets) if one.family == number]
            p, n = demand.form.sets[mine[0]].p, demand.form.sets[mine[0]].n
            kinds = [
                [witness[k] for k in mine if (witness[k].p, witness[k].n) == (p + more, n + extra)]
                for more, extra in ((1, 1), (1, 0), (0, 1), (0, 0))
            ]
            order = arranged(kinds, family.repeats, *blocks.odd_cases(family), len(kinds[0]))
            for index, matrix in zip(mine, order, strict=True):
                found[index] = matrix
    return Witness(tuple(found))


def _large(demand: Demand, seed: int) -> Iterator[Turn]:
    """Multipliers for sets too large to list."""
    from scoreproof.kinds.binary.engine.averages.large import applies, decide_large

    if not applies(demand):
        return

    def turn(pause: Deadline, _: Deadline) -> Decided:
        outcome = decide_large(demand, pause, seed=seed)
        if outcome.cases is not None:
            return Decision(proof={"kind": "large", "cases": outcome.cases})
        return Decision(None if outcome.witness is None else Witness(outcome.witness), reason=outcome.reason)

    yield turn
