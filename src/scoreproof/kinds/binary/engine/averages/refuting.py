"""What may refute a demand: multipliers for large sets, a tree over the points of small ones, each in its turns.

If a divisor is open, each is refuted by itself. Multipliers that refute nothing leave a mixture of points that meets
the report on the whole, from which a witness may be sought.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from scoreproof.kinds.binary.engine.averages import blocks
from scoreproof.kinds.binary.engine.averages.arrangements import settled
from scoreproof.kinds.binary.engine.averages.limits import limited
from scoreproof.kinds.binary.engine.averages.sizes import MOST_COLUMNS, MOST_VALUES, TooManyPoints, can_be_listed
from scoreproof.kinds.binary.engine.averages.targets import Demand
from scoreproof.kinds.binary.engine.averages.turns import Decided, Turn
from scoreproof.kinds.binary.experiment.tree import FoldRule
from scoreproof.kinds.binary.problem import Witness
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.kinds.kind import Decision
from scoreproof.reported.conventions import Undefined
from scoreproof.work.budget import Budget, OutOfTime

if TYPE_CHECKING:
    from scoreproof.kinds.binary.engine.averages.moments import Moments
    from scoreproof.kinds.binary.engine.averages.seeking.mixture import Mixture
    from scoreproof.kinds.binary.engine.averages.tree import TreeSearch

_SOON_LISTED = 50_000  # points of all sets
_FEW_SETS, _FEWEST_SETS = 5, 3  # which a tree soon divides
_MULTIPLIED = 2.0  # of a turn
_DIVIDED, _NARROWED = (0.8, 1.5), 4.0  # of a turn, for trees of many sets and of few, and where little is left to them


class ListedPoints(NamedTuple):
    """The demand whose points are listed, with limits that follow from it or not, and how many points that are."""

    demand: Demand
    limited: bool
    points: int

    @classmethod
    def of(cls, demand: Demand) -> ListedPoints:
        """All points where they are few; otherwise those within limits that follow, where there are any."""
        from scoreproof.kinds.binary.engine.averages.columns import count_columns

        points = count_columns(demand)
        near = None if points <= _SOON_LISTED else limited(demand)
        return cls(demand, False, points) if near is None else cls(near, True, count_columns(near))

    @property
    def soon(self) -> bool:
        """Whether there are so few points that a tree soon knows."""
        return self.points <= _SOON_LISTED and (not self.limited or len(self.demand.form.sets) <= _FEW_SETS)

    @property
    def narrowed(self) -> bool:
        """Whether a tree is likely to know first: so few sets, or so much said of few, by a ± or as many scores."""
        sets = len(self.demand.form.sets)
        said = len(self.demand.targets) >= 2 * sets or any(t.variance is not None for t in self.demand.targets)
        return (said or sets <= _FEWEST_SETS) and self.limited and self.possible and sets <= _FEW_SETS

    @property
    def possible(self) -> bool:
        """Whether the points fit into memory; with limits, some of them are dropped before they are given rows."""
        if self.limited:
            return self.points <= MOST_COLUMNS and self.points * len(self.demand.targets) <= MOST_VALUES
        return can_be_listed(self.demand, self.points)


class Refuters:
    """Engines that refute a demand, by themselves or one divisor each, and what they know of a witness.

    Where a witness is ``sought`` by others, trees need not look for one where every score is defined.
    """

    def __init__(self, demand: Demand, seed: int, *, sought: bool) -> None:
        self._cases = demand.by_divisor()
        self._refuted: dict[int, dict[str, Any]] = {}
        listings = [ListedPoints.of(case) for case in self._cases]
        shared = _Multiplied(replace(demand, one_divisor=False))  # whichever divisor, for each score its own
        self._multiplied = [shared]
        briefly: list[tuple[Turn, float]] = [(shared.turn, _MULTIPLIED)]
        if len(self._cases) > 1:
            self._multiplied = [_Multiplied(case, shared) for case in self._cases]
            for number, one in enumerate(self._multiplied):
                briefly.append((self._counted(number, one.turn), _MULTIPLIED))
        at_length: list[tuple[Turn, float]] = []
        self.soon = all(listing.soon for listing in listings)
        self.narrowed = all(listing.narrowed for listing in listings)
        few = len(demand.form.sets) <= _FEW_SETS
        part = (_NARROWED if self.narrowed else _DIVIDED[few]) / len(self._cases)
        for number, (case, listing) in enumerate(zip(self._cases, listings, strict=True)):
            mine: list[tuple[Turn, float]]
            if listing.possible:
                mine = [(tree.turn, part) for tree in _trees(listing, seed, sought)]
            else:
                mine = [(shared.before(turn), 0.4) for turn in _large(case, seed)]
            at_length += [(self._counted(number, turn), share) for turn, share in mine]
        plain = self.soon and not any(listing.limited for listing in listings)
        self.multipliers = [] if plain else briefly  # turns
        self.divisions = at_length

    def mixtures(self) -> list[Mixture]:
        """Mixtures of points that meet the report on the whole, as far as they are known."""
        return [one.mixture for one in self._multiplied if one.mixture is not None]

    def _counted(self, number: int, turn: Turn) -> Turn:
        """A turn whose proof is one of several that are needed, if there are several divisors."""

        def of_one(pause: Budget, latest: Budget) -> Decided:
            decision = Decision() if number in self._refuted else turn(pause, latest)
            if decision.proof is None:
                return decision
            self._refuted[number] = decision.proof
            cases = [self._refuted.get(k) for k in range(len(self._cases))]
            return Decision(proof=None if None in cases else {"kind": "divisors", "cases": cases})

        return turn if len(self._cases) == 1 else of_one


def _trees(listing: ListedPoints, seed: int, sought: bool) -> Iterator[_Tree]:
    """Searches of the points; the last of them refutes."""
    if listing.demand.undefined is Undefined.ANY and not sought:
        # most reports come from matrices on which every score is defined, and these are found more easily
        defined = replace(listing.demand, undefined=Undefined.EXCLUDE)
        yield _Tree(listing._replace(demand=defined), seed, sought, refutes=False)
    yield _Tree(listing, seed, sought, refutes=True)


class _Tree:
    """A search of the points of all sets, built when its turn comes; only that of the whole demand refutes."""

    def __init__(self, listing: ListedPoints, seed: int, sought: bool, *, refutes: bool) -> None:
        self._listing, self._seed, self._sought, self._refutes = listing, seed, sought, refutes
        self._search: TreeSearch | None = None
        self._done = False

    def turn(self, pause: Budget, deadline: Budget) -> Decided:
        from scoreproof.kinds.binary.engine.averages.columns import build
        from scoreproof.kinds.binary.engine.averages.tree import TreeSearch

        if self._done:
            return Decision()
        demand = self._listing.demand
        if self._search is None:
            try:
                self._search = TreeSearch(build(demand, deadline), self._seed, sought=self._sought)
            except OutOfTime:
                return Decision(reason="the points of the evaluation sets were not listed")
            except TooManyPoints:
                self._done = True
                return Decision(reason="the evaluation sets have too many points to list")
        found = self._search.run(deadline, pause)
        if found.witness is not None:
            return Decision(_in_repeats(demand, found.witness))
        if found.proof is None:
            return Decision(reason=found.reason)
        self._done = True
        if not self._refutes:
            return Decision()
        model = self._search.model
        proof = {
            "kind": "columns",
            "groups": [list(group.indices) for group in model.groups],
            "bits": [row.bits for row in model.rows],
            "steps": found.proof,
        }
        return Decision(proof={"kind": "limited", "proof": proof} if self._listing.limited else proof)


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

        def waiting(pause: Budget, latest: Budget) -> Decided:
            return turn(pause, latest) if self.settled else Decision()

        return waiting

    def turn(self, pause: Budget, _: Budget) -> Decided:
        from scoreproof.kinds.binary.engine.averages.moments import Moments
        from scoreproof.kinds.binary.engine.averages.multiplied import applies

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
    """Multipliers for sets too large to list; of balanced folds with some class counts only a witness is of use."""
    from scoreproof.kinds.binary.engine.averages.large import applies, decide_large

    known = settled(demand)
    if not applies(known):
        return

    def turn(pause: Budget, _: Budget) -> Decided:
        outcome = decide_large(known, pause, seed=seed)
        if outcome.cases is not None:
            return Decision(proof=None if demand.form.families else {"kind": "large", "cases": outcome.cases})
        return Decision(None if outcome.witness is None else Witness(outcome.witness), reason=outcome.reason)

    yield turn
