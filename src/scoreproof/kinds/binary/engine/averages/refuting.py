"""What may refute a demand: multipliers for large sets, a tree over the points of small ones, each in its turns.

If a divisor is open, each is refuted by itself. Multipliers that refute nothing leave a mixture of points that meets
the report on the whole, from which a witness may be sought.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from scoreproof.kinds.binary.engine.averages import blocks
from scoreproof.kinds.binary.engine.averages.arrangements import settled
from scoreproof.kinds.binary.engine.averages.sizes import can_be_listed
from scoreproof.kinds.binary.engine.averages.targets import Demand
from scoreproof.kinds.binary.engine.averages.turns import Decided, Turn
from scoreproof.kinds.binary.experiment.tree import FoldRule
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.kinds.binary.witness import Witness
from scoreproof.kinds.kind import Decision
from scoreproof.reported.conventions import Undefined
from scoreproof.work.deadline import Deadline, OutOfTime

if TYPE_CHECKING:
    from scoreproof.kinds.binary.engine.averages.moments import Moments
    from scoreproof.kinds.binary.engine.averages.seeking.mixture import Mixture
    from scoreproof.kinds.binary.engine.averages.tree import TreeSearch

_SOON_LISTED = 50_000  # points of all sets
_FEW_SETS = 5  # which a tree soon divides
_MULTIPLIED = 2.0  # of a turn


def soon_listed(demand: Demand) -> bool:
    """Whether there are so few points that a tree soon knows."""
    from scoreproof.kinds.binary.engine.averages.columns import count_columns

    return count_columns(demand) <= _SOON_LISTED


class Refuters:
    """Engines that refute a demand, by themselves or one divisor each, and what they know of a witness.

    Where a witness is ``sought`` by others, trees need not look for one where every score is defined.
    """

    def __init__(self, demand: Demand, seed: int, *, sought: bool) -> None:
        from scoreproof.kinds.binary.engine.averages.columns import count_columns

        self._cases = demand.by_divisor()
        self._refuted: dict[int, dict[str, Any]] = {}
        shared = _Multiplied(replace(demand, one_divisor=False))  # whichever divisor, for each score its own
        self._multiplied: list[_Multiplied] = []
        self.briefly: list[tuple[Turn, float]] = []  # turns of multipliers
        self.at_length: list[tuple[Turn, float]] = []  # and of what divides the problem
        if not soon_listed(demand):
            self.briefly.append((shared.turn, _MULTIPLIED))
            self._multiplied.append(shared)
            if len(self._cases) > 1:
                self._multiplied = [_Multiplied(case, shared) for case in self._cases]
                self.briefly += [
                    (self._counted(number, one.turn), _MULTIPLIED) for number, one in enumerate(self._multiplied)
                ]
        listed = can_be_listed(demand, count_columns(demand))
        part = (1.5 if len(demand.form.sets) <= _FEW_SETS else 0.8) / len(self._cases)
        for number, case in enumerate(self._cases):
            if listed:
                mine = [(_Tree(points, case, seed, sought).turn, part) for points in _to_divide(case, sought)]
            else:
                mine = [(shared.before(turn), 0.4) for turn in _large(settled(case), seed)]
            self.at_length += [(self._counted(number, turn), share) for turn, share in mine]

    def mixtures(self) -> list[Mixture]:
        """Mixtures of points that meet the report on the whole, as far as they are known."""
        return [one.mixture for one in self._multiplied if one.mixture is not None]

    def _counted(self, number: int, turn: Turn) -> Turn:
        """A turn whose proof is one of several that are needed, if there are several divisors."""

        def of_one(pause: Deadline, latest: Deadline) -> Decided:
            decision = Decision() if number in self._refuted else turn(pause, latest)
            if decision.proof is None:
                return decision
            self._refuted[number] = decision.proof
            cases = [self._refuted.get(k) for k in range(len(self._cases))]
            return Decision(proof=None if None in cases else {"kind": "divisors", "cases": cases})

        return turn if len(self._cases) == 1 else of_one


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

    @property
    def mixture(self) -> Mixture | None:
        """What meets the rows, if fractions of points do."""
        return None if self._moments is None else self._moments.mixture

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
