"""Assumptions that an explanation tries: the conventions of the registry, and what the user has in mind.

An assumption fits if one of its variants does, which a witness shows; it does not fit if an engine refutes every one,
which is not verified, since nobody is accused by it; and it is undecided otherwise. One that fits is a possibility, not
a finding: with many variants one may fit by chance, and the words say how many were tried.

Rows of a table share an experiment, so an explanation that holds for all of them at once is worth more than one per
row. A variant (seven folds, p raised to 244, two columns exchanged) is dropped as soon as one row refutes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from scoreproof.arrays import written
from scoreproof.catalog import entries, entry
from scoreproof.checking import Answer
from scoreproof.checking.unsaid import Fit, asked
from scoreproof.errors import InvalidOption, ScoreproofError
from scoreproof.insight.repairs import Candidate, Slip, candidates
from scoreproof.jsonable import Jsonable, document
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


def hypothesis_of(name: str, experiment: Any) -> Hypothesis:
    """A hypothesis of one's own: that this was the experiment.

    >>> from scoreproof import KFold
    >>> hypothesis_of("oversampled", KFold(p=244, n=262, k=5)).label
    'oversampled: 5 stratified folds of p=244, n=262, mean of scores'
    """

    def variants(problem: Any) -> Iterator[Variant[Any]]:
        changed = in_place(problem, experiment)
        if changed is not None:
            yield Variant("", changed)

    return Assumption(name, f"{name}: {experiment}", variants)


def usual_assumptions(problem: Problem, oversampled: Any, catalogue: Any) -> list[Hypothesis]:
    """What the registry has for a problem, and what the user names: sizes of a class, entries of the catalogue."""
    raised, names = sizes(oversampled), entry_names(catalogue)
    usual: list[Hypothesis] = []
    for convention in conventions_of(problem, rare=True):
        own = raised and convention.name == "oversampled"
        usual.append(
            _design(convention.name, convention.label, lambda e: oversampled_to(e, raised)) if own else convention
        )
    if any(assumption.name == "nearby counts" for assumption in usual):
        usual.append(_design("catalogue", "another reading of known data", lambda e: catalogue_readings(e, names)))
    return usual


def _design(name: str, label: str, experiments: Designs) -> Hypothesis:
    """That the experiment was another one, which a function gives."""

    def variants(problem: Any) -> Iterable[Variant[Any]]:
        change = partial(other_design, experiments=experiments)
        return beside(problem, change) if problem.kind == "curve" else change(problem)

    return Assumption(name, label, variants)


def own_hypotheses(given: Any) -> list[Hypothesis]:
    """The user's hypotheses: a mapping from names to experiments, or hypotheses ready made."""
    if isinstance(given, Mapping):
        for name, experiment in given.items():
            if not isinstance(getattr(experiment, "kind", None), str):
                raise InvalidOption(f"hypotheses: expected an experiment for {shown(name)}, got {shown(experiment)}")
        return [hypothesis_of(str(name), experiment) for name, experiment in given.items()]
    ready = _several("hypotheses", given, "a mapping from names to experiments")
    for each in ready:
        if not isinstance(each, Assumption | Convention):
            raise InvalidOption(
                f"hypotheses: expected a mapping from names to experiments, got {shown(each)} in a list"
            )
    return ready


def sizes(oversampled: Any) -> tuple[int, ...]:
    """The sizes a class is said to have been raised to."""
    listed = _several("oversampled", oversampled, "a list of sizes such as [244]")
    return tuple(whole("oversampled", size, at_least=1) for size in listed)


def entry_names(catalogue: Any) -> tuple[str, ...]:
    """Names of catalogue entries; an unknown one is an error that suggests the nearest."""
    return tuple(
        entry(written(name)).name for name in _several("catalogue", catalogue, "a list of names such as ['drive']")
    )


def _several(what: str, given: Any, expected: str) -> list[Any]:
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise InvalidOption(f"{what}: expected {expected}, got {shown(given)}")
    if getattr(given, "ndim", 1) == 0:
        raise InvalidOption(f"{what}: expected {expected}, got {shown(given)}")
    return list(given)


def catalogue_readings(experiment: Experiment, names: Iterable[str]) -> Iterator[tuple[str, Experiment]]:
    """Other readings of known data: of the entries named, and of those with exactly the stated class counts."""
    wanted = {_plain(name) for name in names}
    counts = total_counts(experiment)
    pairs = {counts, counts[::-1]}
    for known in entries():
        named = bool({_plain(known.name), *map(_plain, known.aliases)} & wanted)
        matching = {dataset.item for dataset in known.sets if (dataset.p, dataset.n) in pairs}
        if not named and not matching:
            continue
        for items in [None, *sorted(matching)] if named or not matching else sorted(matching):
            try:
                readings = known.readings(items=None if items is None else [items])
            except ScoreproofError:
                continue
            for reading in readings:
                if reading.experiment != experiment:
                    yield f"{known.name}: {reading.label}", reading.experiment


def _plain(name: str) -> str:
    return "".join(char for char in name.lower() if char.isalnum())


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
        return tuple(hypothesis.label for hypothesis in self.hypotheses if hypothesis.explains_all)

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
    for hypothesis in (*own_hypotheses(hypotheses), _columns_moved(), *usual):
        if deadline.passed:
            untried.append(hypothesis.label)
            continue
        number, fitting = _fits_all(hypothesis, problems, deadline.part(_SHARE))
        tried += number
        explaining += fitting
    ranked = sorted(explaining, key=lambda hypothesis: not hypothesis.explains_all)
    return TableExplanation(tuple(rows), wrong, tuple(ranked), tried, tuple(untried))


def _columns_moved() -> Hypothesis:
    def variants(problem: Problem) -> Iterator[Variant[Problem]]:
        for candidate in candidates(problem.claims):
            if candidate.slip in _MOVED:
                names = ", ".join(problem.claims[index].name for index in candidate.changed)
                how = "exchanged" if len(candidate.changed) == 2 else _direction(problem, candidate)
                yield Variant(f"{names} {how}", problem.with_claims(candidate.reported))

    return Assumption("columns moved", "columns exchanged or shifted", variants)


def _direction(problem: Problem, candidate: Candidate) -> str:
    """Which way the columns moved, so that the label means the same in every row."""
    first, second = candidate.changed[:2]
    printed_right = candidate.reported[first].text == problem.claims[second].text
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
