"""One assumption for a whole table: which hypothesis alone makes every row possible.

Rows of a table share an experiment, so an explanation that holds for all of them at once is worth more than one per
row. A variant (seven folds, p raised to 244, two columns exchanged) is dropped as soon as one row refutes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from scoreproof.checking import Answer
from scoreproof.checking.unsaid import Fit, asked
from scoreproof.errors import InvalidOption, ScoreproofError
from scoreproof.insight.hypotheses import Hypothesis, own_hypotheses, usual_assumptions
from scoreproof.insight.repairs import Candidate, Slip, candidates
from scoreproof.jsonable import Jsonable, document
from scoreproof.kinds.binary.experiment import Experiment
from scoreproof.kinds.kind import Assumption, Problem, Variant
from scoreproof.results import Tabular
from scoreproof.work.budget import Budget

_SHARE = 0.4  # of the remaining time that one hypothesis may use
_MOVED = (Slip.EXCHANGED, Slip.EXCHANGED_PAIR, Slip.SHIFTED)


@dataclass(frozen=True, slots=True)
class TableHypothesis(Jsonable):
    """An assumption that no row refutes; ``fits`` are the rows it was shown to fit, ``open`` those not decided."""

    name: str
    label: str
    fits: tuple[str, ...]
    open: tuple[str, ...] = ()

    @property
    def explains_all(self) -> bool:
        return not self.open

    def to_dict(self) -> dict[str, Any]:
        return document(self, "*", words=str(self))

    def __str__(self) -> str:
        if self.explains_all:
            return f"{self.label}: fits all {len(self.fits)} rows"
        return f"{self.label}: fits {len(self.fits)} rows, {len(self.open)} not decided"


@dataclass(frozen=True, slots=True)
class TableExplanation(Tabular):
    """The assumptions that fit every row of a table, and how many were tried."""

    rows: tuple[str, ...]
    inconsistent: tuple[str, ...]
    hypotheses: tuple[TableHypothesis, ...]
    tried: int
    untried: tuple[str, ...] = ()

    @property
    def explains_all(self) -> tuple[str, ...]:
        """The labels of the hypotheses that alone make every row possible."""
        return tuple(one.label for one in self.hypotheses if one.explains_all)

    def to_dict(self) -> dict[str, Any]:
        return document(self, "* explains_all", words=str(self))

    def _rows(self) -> list[dict[str, Any]]:
        return [hypothesis.to_dict() for hypothesis in self.hypotheses]

    def __str__(self) -> str:
        if not self.inconsistent:
            return "Nothing to explain: no row is inconsistent with the stated experiment."
        wrong = f"{len(self.inconsistent)} of {len(self.rows)} rows do not fit the stated experiment"
        which = "; ".join(self.explains_all)
        fits = f"all rows would fit if {which}" if which else f"none of {self.tried} other assumptions fits all rows"
        return f"{wrong}; {fits}. A fit is a possibility, not a finding."


def explain_table(
    results: Mapping[str, Answer[Any, Any]],
    *,
    hypotheses: Mapping[str, Experiment] | Iterable[Hypothesis] = (),
    oversampled: Iterable[int] = (),
    catalogue: Iterable[str] = (),
    budget: float | Budget = 10.0,
) -> TableExplanation:
    """The assumptions that alone explain all rows of a table.

    ``results`` are the checks of its rows by label, as stated; the other arguments are those of ``explain``.

    >>> from scoreproof import KFold, check
    >>> stated = KFold(p=30, n=60, k=5, aggregation="score_of_means")
    >>> rows = {"A": {"acc": "0.787", "sens": "0.700"}, "B": {"acc": "0.853", "sens": "0.750"}}
    >>> found = explain_table({name: check(stated, row) for name, row in rows.items()}, oversampled=[60])
    >>> found.inconsistent
    ('A', 'B')
    """
    deadline = Budget.steady(budget)
    if not isinstance(results, Mapping) or not all(isinstance(one, Answer) for one in results.values()):
        raise InvalidOption("results: expected a mapping from row labels to results of check")
    rows = {str(label): result for label, result in results.items()}
    wrong = tuple(label for label, one in rows.items() if one.verdict.impossible)
    if not wrong:
        return TableExplanation(tuple(rows), (), (), 0)
    # The rows that do not fit as stated come first: they refute soonest.
    ordered = sorted(rows, key=lambda label: label not in wrong)
    problems: dict[str, Problem] = {label: rows[label].problem for label in ordered}
    found: list[TableHypothesis] = []
    untried: list[str] = []
    tried = 0
    usual = usual_assumptions(problems[wrong[0]], oversampled, catalogue)
    for hypothesis in (*own_hypotheses(hypotheses), _columns_moved(), *usual):
        if deadline.passed:
            untried.append(hypothesis.label)
            continue
        number, fitting = _fits_all(hypothesis, problems, deadline.part(_SHARE))
        tried += number
        found += fitting
    ranked = sorted(found, key=lambda one: not one.explains_all)
    return TableExplanation(tuple(rows), wrong, tuple(ranked), tried, tuple(untried))


def _columns_moved() -> Hypothesis:
    def variants(problem: Problem) -> Iterator[Variant[Problem]]:
        for candidate in candidates(problem.claims):
            if candidate.slip in _MOVED:
                names = ", ".join(problem.claims[index].name for index in candidate.changed)
                how = "exchanged" if len(candidate.changed) == 2 else _direction(problem, candidate)
                yield Variant(f"{names} {how}", problem.with_claims(candidate.reported))

    return Assumption("columns moved", "columns exchanged or shifted", variants)


def _direction(problem: Problem, one: Candidate) -> str:
    """Which way the columns moved, so that the label means the same in every row."""
    first, second = one.changed[:2]
    printed_right = one.reported[first].text == problem.claims[second].text
    return "shifted to the right by one" if printed_right else "shifted to the left by one"


def _fits_all(
    hypothesis: Hypothesis, problems: Mapping[str, Problem], deadline: Budget
) -> tuple[int, list[TableHypothesis]]:
    """The variants of a hypothesis that no row refutes."""
    fits: dict[str, list[str]] = {}
    unsure: dict[str, list[str]] = {}
    alive: set[str] | None = None
    tried = 0
    for row, problem in problems.items():
        kept: set[str] = set()
        waiting = set(alive or ())  # labels this row has not been asked about
        for variant in () if deadline.passed else hypothesis.variants(problem):
            label = variant.label
            if (alive is not None and label not in alive) or label in kept:
                continue
            if deadline.passed:
                break
            waiting.discard(label)
            tried += alive is None
            fitting = _fitting(variant, deadline)
            if fitting is False:
                continue
            kept.add(label)
            (fits if fitting else unsure).setdefault(label, []).append(row)
        if deadline.passed:
            kept |= waiting
            for label in waiting:
                unsure.setdefault(label, []).append(row)
        alive = kept
        if not alive:
            break
    return tried, [
        TableHypothesis(
            hypothesis.name,
            f"{hypothesis.label}: {label}" if label else hypothesis.label,
            tuple(fits.get(label, ())),
            tuple(unsure.get(label, ())),
        )
        for label in sorted(alive or ())
        if label in fits
    ]


def _fitting(variant: Variant[Any], deadline: Budget) -> bool | None:
    try:
        answer = asked(variant, deadline).answer
    except ScoreproofError:
        return False  # what cannot be asked of this row cannot explain it
    return {Fit.FITS: True, Fit.DOES_NOT_FIT: False}.get(answer)
