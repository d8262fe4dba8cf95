"""Conventions that a report may silently follow: an impossible report is tried under each before it is called so.

``ask`` decides a problem as it is stated. Where that is impossible, the conventions of the registry
(``kinds.conventions``) that nobody stated are tried as further cases: one that fits, which a witness shows, makes the
answer a question ("fits only if the ± is a standard error"), and so does one that leaves nothing to test or that the
time does not decide. The certificate stays what it is, the proof that the report is impossible as stated. That a
convention does not fit is an engine's word, which nothing rests on but how the answer is called.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from scoreproof.errors import ScoreproofError
from scoreproof.jsonable import Jsonable, rebuilt
from scoreproof.kinds import kind_named
from scoreproof.kinds.conventions import Convention, conventions_of
from scoreproof.kinds.kind import Assumption, Problem, Variant
from scoreproof.reported.conventions import USUAL, Conventions
from scoreproof.work.budget import Budget

if TYPE_CHECKING:
    from scoreproof.checking.answer import Answer

_ONE_CHECK = {True: 0.5, False: 2.0}  # seconds, for one matrix and for means
_SHARE = 0.6  # of the remaining time that one assumption may use
_LEAST = 0.3  # seconds without which a check of means is not begun: it may overrun its budget by as much
_SHOWN = 6
_ENOUGH = 3  # variants that fit and take long to ask: then it is no assumption that few numbers fit
_CHANCE = 10  # variants from which on a fit by chance is worth a remark
_TO_TRY = 0.3  # of the time left to a check, for the conventions of an impossible report


Assumed = Convention | Assumption[Any]


class Fit(StrEnum):
    """What trying an assumption gave."""

    FITS = "fits"
    NOTHING_LEFT = "leaves nothing to test"
    DOES_NOT_FIT = "does not fit"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Tried(Jsonable):
    """An assumption and its answer; ``fitting`` names the variants that fit, ``witness`` belongs to the first.

    ``kind`` is that of the witness; ``more`` says that further variants were not tried, since enough of them fit.
    """

    name: str
    label: str
    answer: Fit
    fitting: tuple[str, ...] = ()
    tried: int = 0
    untried: int = 0
    witness: Any = None
    kind: str = "binary"
    more: bool = False

    _told = "* words"
    words = property(str)

    @classmethod
    def from_dict(cls, entry: Mapping[str, Any]) -> Tried:
        witness = None if entry["witness"] is None else kind_named(entry["kind"]).read_witness(entry["witness"])
        return rebuilt(cls, {**entry, "witness": witness})

    @property
    def condition(self) -> str:
        """What a report needs to fit, in words that follow "only if"."""
        named = [label for label in self.fitting if label]
        return f"{self.label} ({'; '.join(named[:_SHOWN])})" if named else self.label

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


class VariantFit(NamedTuple):
    """What one variant of an assumption gave."""

    variant: Variant[Any]
    answer: Fit
    witness: Any = None


def outcomes(problem: Problem, assumption: Assumed, deadline: Budget) -> Iterator[VariantFit]:
    """Each variant of an assumption with what asking it gave; one that cannot be asked is no variant."""
    for variant in assumption.variants(problem):
        try:
            yield asked(variant, deadline)
        except ScoreproofError:
            continue  # such as a ± over one matrix


def asked(variant: Variant[Any], deadline: Budget) -> VariantFit:
    """Whether all problems of a variant are possible; the witness is that of the first."""
    from scoreproof.checking.ask import trial

    if variant.problem is None:
        return VariantFit(variant, Fit.NOTHING_LEFT if variant.untested else Fit.DOES_NOT_FIT)
    witnesses = []
    for problem in (variant.problem, *variant.also):
        kind = kind_named(problem.kind)
        quick = kind.quick(problem)
        if deadline.left() <= (0 if quick else _LEAST) or kind.too_large(problem):
            return VariantFit(variant, Fit.UNDECIDED)
        fits, witness, _ = trial(problem, budget=deadline.moment(_ONE_CHECK[quick]))
        if not fits:
            return VariantFit(variant, Fit.UNDECIDED if fits is None else Fit.DOES_NOT_FIT)
        witnesses.append(witness)
    return VariantFit(variant, Fit.FITS, witnesses[0])


def try_one(problem: Problem, assumption: Assumed, deadline: Budget) -> Tried | None:
    """The answer of one assumption; None if it says nothing about this question."""
    counted: Counter[Fit] = Counter()
    fitting: list[VariantFit] = []
    slow, more = 0, False
    for outcome in outcomes(problem, assumption, deadline):
        if slow >= _ENOUGH:
            more = True
            break
        counted[outcome.answer] += 1
        if outcome.answer in (Fit.FITS, Fit.NOTHING_LEFT):
            fitting.append(outcome)
            changed = outcome.variant.problem
            slow += changed is not None and not kind_named(changed.kind).quick(changed)
    if not counted:
        return None
    fitting.sort(key=lambda outcome: outcome.answer is Fit.NOTHING_LEFT)
    undecided = counted[Fit.UNDECIDED]
    none = VariantFit(Variant("", None), Fit.UNDECIDED if undecided else Fit.DOES_NOT_FIT)
    first, answer, witness = fitting[0] if fitting else none
    return Tried(
        assumption.name,
        assumption.label,
        answer,
        tuple(outcome.variant.label for outcome in fitting),
        counted.total() - undecided,
        undecided,
        witness,
        problem.kind if first.problem is None else first.problem.kind,
        more,
    )


def try_all(
    problem: Problem, assumptions: Iterable[Assumed], deadline: Budget
) -> tuple[tuple[Tried, ...], tuple[str, ...]]:
    """Each assumption with its answer, and the labels of those the time did not reach."""
    tried, untried = [], []
    for assumption in assumptions:
        if deadline.passed:
            untried.append(assumption.label)
            continue
        answer = try_one(problem, assumption, deadline.part(_SHARE))
        if answer is not None:
            tried.append(answer)
    return tuple(tried), tuple(untried)


def with_conventions(answer: Answer[Any, Any], how: Conventions, deadline: Budget) -> Answer[Any, Any]:
    """An answer with the unsaid conventions that were tried: one that may fit makes of an impossibility a question."""
    from scoreproof.checking.answer import Verdict

    if answer.verdict is not Verdict.INCONSISTENT or how.strict:
        return answer
    tried, late = try_all(answer.problem, conventions_of(answer.problem, how), deadline.part(_TO_TRY))
    if late or any(each.answer is not Fit.DOES_NOT_FIT for each in tried):
        late_ones = tuple(Tried(label, label, Fit.UNDECIDED) for label in late)
        return replace(answer, verdict=Verdict.QUESTION, conventions=(*tried, *late_ones))
    return replace(answer, conventions=tried)


def admitted(
    problem: Problem, how: Conventions = USUAL, *, budget: float | Budget = 5.0
) -> list[tuple[Convention, Answer[Any, Any]]]:
    """The unsaid conventions under which a problem is possible, commonest first, each with the answer under it.

    For who weighs conventions over many rows: within a table one holds for a whole column. An answer is consistent with
    a witness that holds, or "not tested" where the convention leaves nothing to test. Its problem is the report as the
    convention has it, perhaps of another kind; it is a rewriting, not a statement that could be certified. What was
    ``stated`` in ``how`` (or ``strict``) leaves fewer conventions.

    >>> from scoreproof import AverageOf
    >>> from scoreproof.kinds import kind_named
    >>> row = kind_named("common_average").problem(AverageOf(), {"ppv": "0.80", "sens": "0.40", "f1": "0.533"})
    >>> [convention.name for convention, _ in admitted(row)]
    ['F1 of means']
    """
    from scoreproof.checking.answer import Answer, Verdict

    deadline = Budget.of(budget)
    fitting: list[tuple[Convention, Answer[Any, Any]]] = []
    for convention in () if how.strict else conventions_of(problem, how):
        for variant, answer, witness in outcomes(problem, convention, deadline.part(_SHARE)):
            if answer is Fit.FITS:
                fitting.append((convention, Answer(variant.problem, Verdict.CONSISTENT, witness)))
                break
            if answer is Fit.NOTHING_LEFT:
                fitting.append((convention, Answer(problem, Verdict.NOT_TESTED, reason=convention.label)))
                break
    return fitting
