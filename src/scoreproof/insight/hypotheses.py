"""Assumptions that an explanation tries: the conventions of the registry, and what the user has in mind.

An assumption fits if one of its variants does, which a witness shows; it does not fit if an engine refutes every one,
which is not verified, since nobody is accused by it; and it is undecided otherwise. One that fits is a possibility, not
a finding: with many variants one may fit by chance, and the words say how many were tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from scoreproof.arrays import written
from scoreproof.catalog import entries, entry
from scoreproof.errors import InvalidOption, ScoreproofError
from scoreproof.kinds.binary.assumptions import Designs, other_design
from scoreproof.kinds.binary.assumptions import oversampled as oversampled_to
from scoreproof.kinds.binary.experiment import Experiment, total_counts
from scoreproof.kinds.conventions import Convention, conventions_of
from scoreproof.kinds.curve.kind import beside
from scoreproof.kinds.kind import Assumption, Problem, Variant, in_place
from scoreproof.validation import shown, whole

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
    for one in ready:
        if not isinstance(one, Assumption | Convention):
            raise InvalidOption(f"hypotheses: expected a mapping from names to experiments, got {shown(one)} in a list")
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
        matching = {one.item for one in known.sets if (one.p, one.n) in pairs}
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
