"""Other assumptions about the experiment, each tried with the full check.

A hypothesis is an assumption in words and the questions it turns the report into (its variants). It fits if one of
them does, which a witness shows; it does not fit if an engine refutes every one, which is not verified, since nobody is
accused by it; and it is undecided otherwise. A hypothesis that fits is a possibility, not a finding: with many variants
one may fit by chance, and the words say how many were tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from scoreproof.arrays import written
from scoreproof.catalog import entries, entry
from scoreproof.checking import trial
from scoreproof.errors import InvalidOption, ScoreproofError
from scoreproof.jsonable import document, rebuilt
from scoreproof.kinds import kind_named
from scoreproof.kinds.binary.experiment import Experiment, total_counts
from scoreproof.kinds.kind import Assumption, Variant, in_place
from scoreproof.validation import shown, whole
from scoreproof.work.budget import Budget

_ONE_CHECK = {True: 0.5, False: 2.0}  # seconds, for one matrix and for means
_SHARE = 0.6  # of the remaining time that one hypothesis may use
_LEAST = 0.3  # seconds without which a check of means is not begun: it may overrun its budget by as much
_SHOWN = 6
_ENOUGH = 3  # variants that fit and take long to ask: then it is no assumption that few numbers fit
_CHANCE = 10  # variants from which on a fit by chance is worth a remark


class Fit(StrEnum):
    """What trying a hypothesis gave."""

    FITS = "fits"
    DOES_NOT_FIT = "does not fit"
    UNDECIDED = "undecided"


Hypothesis = Assumption[Any]


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


@dataclass(frozen=True, slots=True)
class Tried:
    """A hypothesis and its answer; ``fitting`` names the variants that fit, ``witness`` belongs to the first.

    ``more`` says that further variants were not tried, since enough of them fit.
    """

    name: str
    label: str
    answer: Fit
    fitting: tuple[str, ...] = ()
    tried: int = 0
    untried: int = 0
    witness: Any = None
    more: bool = False

    def to_dict(self) -> dict[str, Any]:
        return document(self, "*", words=str(self))

    @classmethod
    def from_dict(cls, entry: Mapping[str, Any], kind: str) -> Tried:
        witness = None if entry["witness"] is None else kind_named(kind).read_witness(entry["witness"])
        return rebuilt(cls, {**entry, "witness": witness})

    def __str__(self) -> str:
        words = f"{self.label}: {self.answer}"
        named = [label for label in self.fitting if label]
        if named:
            rest = f" and {len(named) - _SHOWN} more" if len(named) > _SHOWN else " and maybe more" if self.more else ""
            words += f" ({'; '.join(named[:_SHOWN])}{rest})"
        if self.answer is Fit.FITS and self.tried >= _CHANCE:
            words += f"; {self.tried} variants were tried, so one may fit by chance"
        if self.untried:
            words += f"; {self.untried} variants not decided in time"
        return words


def try_hypotheses(
    problem: Any, hypotheses: Iterable[Hypothesis], deadline: Budget
) -> tuple[tuple[Tried, ...], tuple[str, ...]]:
    """Each hypothesis with its answer, and the labels of those the time did not reach."""
    tried, untried = [], []
    for hypothesis in hypotheses:
        if deadline.passed:
            untried.append(hypothesis.label)
            continue
        answer = try_one(problem, hypothesis, deadline.part(_SHARE))
        if answer is not None:
            tried.append(answer)
    return tuple(tried), tuple(untried)


def try_one(problem: Any, hypothesis: Hypothesis, deadline: Budget) -> Tried | None:
    """The answer of one hypothesis; None if it says nothing about this question."""
    fitting: list[str] = []
    witness, more = None, False
    decided = open_ones = slow = 0
    kind = kind_named(problem.kind)
    for variant in hypothesis.variants(problem):
        if variant.problem is None:
            decided += 1
            continue
        quick = kind.quick(variant.problem)
        if slow >= _ENOUGH:
            more = True
            break
        if deadline.left() <= (0 if quick else _LEAST) or kind.too_large(variant.problem):
            open_ones += 1
            continue
        try:
            fits, example, _ = trial(variant.problem, budget=deadline.moment(_ONE_CHECK[quick]))
        except ScoreproofError:
            continue  # a variant that cannot be asked, such as a ± over one matrix, is no variant
        if fits is None:
            open_ones += 1
            continue
        decided += 1
        if fits:
            fitting.append(variant.label)
            witness = witness or example
            slow += not quick
    if not decided and not open_ones:
        return None
    verdict = Fit.FITS if fitting else Fit.UNDECIDED if open_ones else Fit.DOES_NOT_FIT
    return Tried(hypothesis.name, hypothesis.label, verdict, tuple(fitting), decided, open_ones, witness, more)


def own_hypotheses(given: Any) -> list[Hypothesis]:
    """The user's hypotheses: a mapping from names to experiments, or hypotheses ready made."""
    if isinstance(given, Mapping):
        for name, experiment in given.items():
            if not isinstance(getattr(experiment, "kind", None), str):
                raise InvalidOption(f"hypotheses: expected an experiment for {shown(name)}, got {shown(experiment)}")
        return [hypothesis_of(str(name), experiment) for name, experiment in given.items()]
    ready = _several("hypotheses", given, "a mapping from names to experiments")
    for one in ready:
        if not isinstance(one, Assumption):
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
