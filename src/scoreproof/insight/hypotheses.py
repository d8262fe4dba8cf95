"""Assumptions that an explanation tries: the conventions of the registry, and what the user has in mind.

An assumption fits if one of its variants does, which a witness shows; it does not fit if an engine refutes every one,
which is not verified, since nobody is accused by it; and it is undecided otherwise. One that fits is a possibility, not
a finding: with many variants one may fit by chance, and the words say how many were tried.

Rows of a table share an experiment, so an explanation that holds for all of them at once is worth more than one per
row. A variant (seven folds, p raised to 244, two columns exchanged) is dropped as soon as one row refutes it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from scoreproof.arrays import written
from scoreproof.catalog import entries, entry
from scoreproof.checking import Answer
from scoreproof.checking.answer import Fit
from scoreproof.checking.check import asked
from scoreproof.errors import InvalidOption, ScoreproofError
from scoreproof.insight.repairs import Slip, candidates
from scoreproof.jsonable import Jsonable
from scoreproof.kinds.binary.assumptions import Designs, other_design
from scoreproof.kinds.binary.assumptions import oversampled as oversampled_to
from scoreproof.kinds.binary.experiment import Experiment, total_counts
from scoreproof.kinds.conventions import Convention, conventions_of
from scoreproof.kinds.curve.kind import beside
from scoreproof.kinds.kind import Assumption, Problem, Variant, in_place
from scoreproof.results import Tabular
from scoreproof.validation import shown, whole
from scoreproof.work.budget import Budget

Hypothesis = Assumption[Any] | Convention


def usual_assumptions(problem: Problem, oversampled: Any, catalogue: Any) -> list[Hypothesis]:
    """What the registry has for a problem, and what the user names: sizes of a class, entries of the catalogue."""
    sizes = _several("oversampled", oversampled, "a list of sizes such as [244]")
    raised = tuple(whole("oversampled", size, at_least=1) for size in sizes)
    given = _several("catalogue", catalogue, "a list of names such as ['drive']")
    names = {entry(written(name)).name for name in given}  # an unknown one is an error that suggests the nearest
    usual: dict[str, Hypothesis] = {known.name: known for known in conventions_of(problem, rare=True)}
    if raised and "oversampled" in usual:
        label = usual["oversampled"].label
        usual["oversampled"] = _design("oversampled", label, lambda e: oversampled_to(e, raised))
    if "nearby counts" in usual:
        readings = partial(_catalogue_readings, names=names)
        usual["catalogue"] = _design("catalogue", "another reading of known data", readings)
    return list(usual.values())


def _design(name: str, label: str, experiments: Designs) -> Hypothesis:
    """That the experiment was another one, which a function gives."""
    change = partial(other_design, experiments=experiments)
    return Assumption(name, label, lambda asked: beside(asked, change) if asked.kind == "curve" else change(asked))


def own_hypotheses(given: Any) -> list[Hypothesis]:
    """The user's hypotheses: a mapping from names to experiments, or hypotheses ready made.

    >>> from scoreproof import KFold
    >>> [own.label for own in own_hypotheses({"oversampled": KFold(p=244, n=262, k=5)})]
    ['oversampled: 5 stratified folds of p=244, n=262, mean of scores']
    """
    expected = "a mapping from names to experiments"
    if not isinstance(given, Mapping):
        ready = _several("hypotheses", given, expected)
        for each in ready:
            if not isinstance(each, Assumption | Convention):
                raise InvalidOption(f"hypotheses: expected {expected}, got {shown(each)} in a list")
        return ready

    def variants(experiment: Any, problem: Any) -> list[Variant[Any]]:
        changed = in_place(problem, experiment)
        return [] if changed is None else [Variant("", changed)]

    for name, experiment in given.items():
        if not isinstance(getattr(experiment, "kind", None), str):
            raise InvalidOption(f"hypotheses: expected an experiment for {shown(name)}, got {shown(experiment)}")
    return [Assumption(str(name), f"{name}: {each}", partial(variants, each)) for name, each in given.items()]


def _several(what: str, given: Any, expected: str) -> list[Any]:
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable) or getattr(given, "ndim", 1) == 0:
        raise InvalidOption(f"{what}: expected {expected}, got {shown(given)}")
    return list(given)


def _catalogue_readings(experiment: Experiment, names: Collection[str]) -> Iterator[tuple[str, Experiment]]:
    """Other readings of known data: of the entries named, and of those with exactly the stated class counts."""
    counts = total_counts(experiment)
    for known in entries():
        matching = {dataset.item for dataset in known.sets if (dataset.p, dataset.n) in (counts, counts[::-1])}
        chosen = [None if item is None else [item] for item in sorted(matching)]
        for items in [None, *chosen] if known.name in names else chosen:
            try:
                readings = known.readings(items=items)
            except ScoreproofError:
                continue
            for reading in readings:
                if reading.experiment != experiment:
                    yield f"{known.name}: {reading.label}", reading.experiment


_SHARE = 0.4  # of the remaining time that one hypothesis may use
_MOVED = (Slip.EXCHANGED, Slip.EXCHANGED_PAIR, Slip.SHIFTED)


@dataclass(frozen=True, slots=True)
class TableHypothesis(Jsonable):
    """An assumption that no row refutes; ``fits`` are the rows it was shown to fit, ``open`` those not decided."""

    name: str
    label: str
    fits: tuple[str, ...]
    open: tuple[str, ...] = ()

    _told = "* words"
    words = property(str)

    @property
    def explains_all(self) -> bool:
        return not self.open

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

    _told = "* explains_all words"
    words = property(str)

    @property
    def explains_all(self) -> tuple[str, ...]:
        """The labels of the hypotheses that alone make every row possible."""
        return tuple(hypothesis.label for hypothesis in self.hypotheses if hypothesis.explains_all)

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
    >>> result = explain_table({name: check(stated, row) for name, row in rows.items()}, oversampled=[60])
    >>> result.inconsistent
    ('A', 'B')
    """
    deadline = Budget.steady(budget)
    if not isinstance(results, Mapping) or not all(isinstance(answer, Answer) for answer in results.values()):
        raise InvalidOption("results: expected a mapping from row labels to results of check")
    rows = {str(label): result for label, result in results.items()}
    wrong = tuple(label for label, answer in rows.items() if answer.verdict.impossible)
    if not wrong:
        return TableExplanation(tuple(rows), (), (), 0)
    # The rows that do not fit as stated come first: they refute soonest.
    ordered = sorted(rows, key=lambda label: label not in wrong)
    problems: dict[str, Problem] = {label: rows[label].problem for label in ordered}
    explaining: list[TableHypothesis] = []
    untried: list[str] = []
    tried = 0
    usual = usual_assumptions(problems[wrong[0]], oversampled, catalogue)
    moved: Hypothesis = Assumption("columns moved", "columns exchanged or shifted", _columns_moved)
    for hypothesis in (*own_hypotheses(hypotheses), moved, *usual):
        if deadline.passed:
            untried.append(hypothesis.label)
            continue
        number, fitting = _fits_all(hypothesis, problems, deadline.part(_SHARE))
        tried += number
        explaining += fitting
    ranked = sorted(explaining, key=lambda hypothesis: not hypothesis.explains_all)
    return TableExplanation(tuple(rows), wrong, tuple(ranked), tried, tuple(untried))


def _columns_moved(problem: Problem) -> Iterator[Variant[Problem]]:
    """The reports with two columns exchanged, or some shifted; the label means the same in every row."""
    for candidate in candidates(problem.claims):
        if candidate.slip in _MOVED:
            names = ", ".join(problem.claims[index].name for index in candidate.changed)
            first, second = candidate.changed[:2]
            right = candidate.reported[first].text == problem.claims[second].text
            how = (
                "exchanged" if len(candidate.changed) == 2 else f"shifted to the {'right' if right else 'left'} by one"
            )
            yield Variant(f"{names} {how}", problem.with_claims(candidate.reported))


def _fits_all(
    hypothesis: Hypothesis, problems: Mapping[str, Problem], deadline: Budget
) -> tuple[int, list[TableHypothesis]]:
    """How many variants of a hypothesis were tried, and those that no row refutes."""
    fits, unsure = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list)
    alive: list[str] | None = None
    tried = 0
    for row, problem in problems.items():
        answers: dict[str, Fit] = {}
        for variant in hypothesis.variants(problem):
            if deadline.passed:
                break
            label = variant.label
            if (alive is None or label in alive) and answers.get(label, Fit.DOES_NOT_FIT) is Fit.DOES_NOT_FIT:
                tried += alive is None
                try:
                    answers[label] = asked(variant, deadline).answer
                except ScoreproofError:
                    answers[label] = Fit.DOES_NOT_FIT  # what cannot be asked of this row cannot explain it
        missing = Fit.UNDECIDED if deadline.passed else Fit.DOES_NOT_FIT
        left = {label: answers.get(label, missing) for label in (answers if alive is None else alive)}
        alive = [label for label, answer in left.items() if answer is not Fit.DOES_NOT_FIT]
        for label in alive:
            (fits if left[label] is Fit.FITS else unsure)[label].append(row)
        if not alive:
            break
    return tried, [
        TableHypothesis(
            hypothesis.name,
            f"{hypothesis.label}: {label}" if label else hypothesis.label,
            tuple(fits[label]),
            tuple(unsure[label]),
        )
        for label in sorted(alive or ())
        if label in fits
    ]
