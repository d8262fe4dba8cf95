"""A time-sliced portfolio of strategies (Huberman, Lukose and Hogg 1997, doi:10.1126/science.275.5296.51).

Strategies are asked in one order, first each for its opening and then in slices that double, each for its share of a
slice, until one decides. Time is counted in work, so that the same one decides on a slow machine and on a fast one.

    integer_rows           linear scores on totals of folds: decides them, or refutes the whole
    pooled_parts           parts whose means deviate, as one set each: refutes
    primal_search          rates fitted, rounded, improved and joined: finds witnesses
    branch_and_bound       over the points of small sets: decides
    dual_bound             multipliers over means and squares, of sets of any size: refutes
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from scoreproof.kinds.binary.engine.averages import aggregated_folds
from scoreproof.kinds.binary.engine.averages.aggregated_folds import odd_cases
from scoreproof.kinds.binary.engine.averages.constraints import (
    Constraints,
    TooManyPoints,
    beyond_reach,
    can_be_listed,
    linear_part,
)
from scoreproof.kinds.binary.engine.averages.integer_rows import arranged, dealt_evenly, decide_rows, settled
from scoreproof.kinds.binary.engine.averages.reading import pooled
from scoreproof.kinds.binary.experiment.tree import FoldRule
from scoreproof.kinds.binary.problem import Witness
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.kinds.kind import Decision
from scoreproof.work.budget import Budget, OutOfTime

if TYPE_CHECKING:
    from scoreproof.kinds.binary.engine.averages.branch_and_bound import TreeSearch
    from scoreproof.kinds.binary.engine.averages.dual_bound_moments import MomentBound

STRATEGIES = ("integer_rows", "pooled_parts", "primal_search", "branch_and_bound", "dual_bound")

#: All that is tuned about the order and the shares, on maps of averaged reports at 2 s.
TUNED = {
    # Openings: seconds of work at most, before anything is asked a second time, and of the budget.
    "opening share": 0.2,  # so that what cannot help takes little from what can
    "opening of integer_rows": 0.5,  # nearly all linear reports are decided in a tenth of that
    "opening of integer_rows, open": 0.05,  # of one way to deal classes, which either fits at once or does not
    "opening of primal_search": 1.0,  # two attempts of each way end by themselves, most in less
    "opening of primal_search, small": 0.03,  # where there are few points, branch and bound knows as soon
    # Slices: seconds of the first one, by how much the next is longer, and shares of a slice.
    "slice": 0.25,  # a node of a tree, or a few rounds of a column generation
    "growth": 2.0,  # what is begun anew in each slice then costs as much again at most
    "share of pooled_parts": 0.4,  # of the budget; asked once, of linear scores whose means of parts deviate
    "share of integer_rows": 4.0,  # in slices only where nothing but linear scores is reported
    "share of primal_search": 1.2,  # where some rates meet the report
    "share of primal_search, small": 0.6,  # where branch and bound is likely to know first
    "share of primal_search, no rates": 0.2,  # where none did so far, as in most impossible reports
    "share of branch_and_bound": 1.0,  # a proof or a witness, where points can be listed
    "share of branch_and_bound, small": 2.0,  # where there are few points
    "share of dual_bound": 2.0,  # ends by itself, with a proof or without
    "longest step": 0.9,  # of what is left, for a step that cannot be interrupted
}

Decided = Decision[Witness]
Run = Callable[[Budget, Budget], Decided]  # until when, and when at the latest


class Slice(NamedTuple):
    """A strategy in the portfolio: what goes on with it, and its share of each slice when its turn comes."""

    name: str
    run: Run
    share: Callable[[], float]


def decide_mean(constraints: Constraints, *, deadline: Budget, seed: int = 0) -> Decided:
    """Decide whether matrices exist, one per evaluation set, that meet every constraint."""
    return decide_by(constraints, deadline=deadline, seed=seed)[1]


def decide_by(
    constraints: Constraints, *, deadline: Budget, seed: int = 0, without: Collection[str] = ()
) -> tuple[str, Decided]:
    """The same, with the name of the strategy that decided; some of them may be left out."""
    reason = beyond_reach(constraints)
    if reason:
        return "", Decision(reason=reason)
    rows = None
    if "integer_rows" not in without:
        closed = aggregated_folds.applies(constraints)
        linear = linear_part(constraints if closed else dealt_evenly(constraints))
        if linear is not None:
            rows = _LinearScores(constraints, linear)
            opening = _opening("integer_rows", deadline, "" if closed else ", open")
            decision = rows.run(opening, deadline) if closed else rows.witness(opening)
            if _decides(decision):
                return "integer_rows", decision
        rows = rows if closed else None
    parts = None if "pooled_parts" in without else pooled(constraints)
    if parts is not None:
        proof = decide_mean(parts, deadline=deadline.part(TUNED["share of pooled_parts"]), seed=seed).proof
        if proof is not None:
            return "pooled_parts", Decision(proof={"kind": "pooled", "proof": proof})
    return _nonlinear(constraints, rows, deadline, seed, without)


def _nonlinear(
    constraints: Constraints, rows: _LinearScores | None, deadline: Budget, seed: int, without: Collection[str]
) -> tuple[str, Decided]:
    """Searches for a witness and refutations, of what linear scores did not decide."""
    from scoreproof.kinds.binary.engine.averages.columns import count_columns
    from scoreproof.kinds.binary.engine.averages.primal_search import PrimalSearch

    search = PrimalSearch(settled(constraints), seed)
    points = count_columns(constraints)
    listed = can_be_listed(constraints, points)
    small = points <= _SMALL or (listed and len(constraints.form.sets) <= _FEW_SETS)
    sort = ", small" if small else ""
    searches: list[Slice] = []
    if search.applies and "primal_search" not in without:
        decision = _witnessed(search.glance(_opening("primal_search", deadline, sort)))
        if _decides(decision):
            return "primal_search", decision
        searches.append(
            Slice(
                "primal_search",
                lambda pause, _: _witnessed(search.run(pause)),
                lambda: TUNED["share of primal_search" + (sort if search.feasible else ", no rates")],
            )
        )
    if rows is not None and rows.whole:
        searches.insert(0, Slice("integer_rows", rows.run, lambda: TUNED["share of integer_rows"]))
        if rows.complete:
            return run_portfolio(searches, deadline)
    refuters: list[Slice] = []
    if listed and "branch_and_bound" not in without:
        refuters.append(
            Slice("branch_and_bound", _tree(constraints), lambda: TUNED[f"share of branch_and_bound{sort}"])
        )
    if points > _SMALL and "dual_bound" not in without:
        refuters.append(Slice("dual_bound", _dual(constraints), lambda: TUNED["share of dual_bound"]))
    likely = small or search.feasible or constraints.deviations_of_means
    refuters = refuters if small else refuters[::-1]
    return run_portfolio([*searches, *refuters] if likely else [*refuters, *searches], deadline)


def run_portfolio(slices: Sequence[Slice], deadline: Budget) -> tuple[str, Decided]:
    """Every strategy in turn for its share of a slice of time, slices growing, until one decides or all are done."""
    length = TUNED["slice"]
    reasons: dict[int, str] = {}
    while slices and not deadline.passed:
        for number, (name, run, share) in enumerate(slices):
            alone = len(slices) == 1
            pause = deadline if alone else deadline.within(length * share())
            decision = run(pause, deadline if alone else deadline.part(TUNED["longest step"]))
            if _decides(decision):
                return name, decision
            if decision.reason:
                reasons[number] = decision.reason
            if deadline.passed:
                break
        length *= TUNED["growth"]
    reason = reasons[max(reasons)] if reasons else "no witness was found, and no proof that there is none"
    return "", Decision(reason=f"{reason} within {deadline.seconds:.3g} s")


@dataclass(slots=True)
class _LinearScores:
    """What is said of linear scores, on totals of folds; ``whole`` if that is everything."""

    constraints: Constraints
    linear: Constraints

    @property
    def whole(self) -> bool:
        return self.linear is self.constraints

    @property
    def complete(self) -> bool:
        """Whether totals that fit always give a witness: not of extremes that single folds or parts must reach."""
        return all(aggregated_folds.build(self.linear, case).complete for case in aggregated_folds.cases(self.linear))

    def witness(self, pause: Budget) -> Decided:
        """A witness that meets all constraints: of one way to deal the classes of open folds, nothing is proved."""
        matrices = decide_rows(self.linear, pause).witness
        return _witnessed(matrices if matrices is not None and self.constraints.fits(matrices) else None)

    def run(self, pause: Budget, _: Budget) -> Decided:
        """A proof, or a witness that meets the other constraints too."""
        outcome = decide_rows(self.linear, pause)
        if outcome.proof is not None:
            return Decision(proof={"kind": "totals", "cases": outcome.proof})
        if outcome.witness is not None and (self.whole or self.constraints.fits(outcome.witness)):
            return Decision(Witness(outcome.witness))
        return Decision(reason=f"{outcome.nodes} boxes of fold totals" if self.whole else "")


def _opening(name: str, deadline: Budget, sort: str = "") -> Budget:
    return deadline.part(TUNED["opening share"]).within(TUNED[f"opening of {name}{sort}"])


def _witnessed(matrices: tuple[object, ...] | None) -> Decided:
    return Decision(None if matrices is None else Witness(matrices))  # type: ignore[arg-type]


def _decides(decision: Decided) -> bool:
    return decision.witness is not None or decision.proof is not None


_SMALL, _FEW_SETS = 50_000, 5  # points of all sets, or sets whose points can be listed, of which a tree soon knows


def _tree(constraints: Constraints) -> Run:
    """Branch and bound over the points of all sets, which are listed when its turn comes."""
    begun: list[TreeSearch] = []

    def run(pause: Budget, latest: Budget) -> Decided:
        from scoreproof.kinds.binary.engine.averages.branch_and_bound import TreeSearch
        from scoreproof.kinds.binary.engine.averages.columns import build

        try:
            begun[:] = begun or [TreeSearch(build(constraints, latest))]
        except (OutOfTime, TooManyPoints):
            return Decision(reason="the points of the evaluation sets were not listed")
        model, outcome = begun[0].model, begun[0].run(latest, pause)
        if outcome.witness is not None:
            return Decision(_in_repeats(constraints, outcome.witness))
        if outcome.proof is None:
            return Decision(reason=outcome.reason)
        groups, bits = [list(group.indices) for group in model.groups], [row.bits for row in model.rows]
        return Decision(proof={"kind": "columns", "groups": groups, "bits": bits, "steps": outcome.proof})

    return run


def _dual(constraints: Constraints) -> Run:
    """Multipliers over means, squares and class totals, without lists of points; begun when its turn comes."""
    begun: list[MomentBound] = []

    def run(pause: Budget, _: Budget) -> Decided:
        from scoreproof.kinds.binary.engine.averages.dual_bound_moments import MomentBound, applies

        if not applies(constraints):
            return Decision()
        begun[:] = begun or [MomentBound(constraints)]
        return Decision(proof=begun[0].refute(pause))

    return run


def _in_repeats(constraints: Constraints, matrices: tuple[ConfusionMatrix, ...]) -> Witness:
    """The folds of balanced families dealt to their repeats, so that each repeat holds the data set once."""
    placed = list(matrices)
    sets = constraints.form.sets
    for number, family in enumerate(constraints.form.families):
        if family.rule is FoldRule.BALANCED and family.repeats > 1:
            folds = [index for index, each in enumerate(sets) if each.family == number]
            p, n = sets[folds[0]].p, sets[folds[0]].n
            kinds = [
                [matrices[k] for k in folds if (matrices[k].p, matrices[k].n) == (p + more, n + extra)]
                for more, extra in ((1, 1), (1, 0), (0, 1), (0, 0))
            ]
            order = arranged(kinds, family.repeats, *odd_cases(family), len(kinds[0]))
            for index, matrix in zip(folds, order, strict=True):
                placed[index] = matrix
    return Witness(tuple(placed))
