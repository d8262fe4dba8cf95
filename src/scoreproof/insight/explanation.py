"""Why a report is impossible and what would make it possible, in words that accuse nobody."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, Self

from scoreproof.checking import Answer, Verdict
from scoreproof.checking.answer import Fit, Tried
from scoreproof.checking.check import try_all
from scoreproof.errors import InvalidOption
from scoreproof.insight.conflicts import Conflict, minimal_conflicts, proved_conflicts, told_of
from scoreproof.insight.repairs import Repair, nearest_repairs
from scoreproof.jsonable import rebuilt
from scoreproof.kinds import kind_named
from scoreproof.kinds.binary.experiment import Experiment
from scoreproof.markup import html_words
from scoreproof.results import Result
from scoreproof.validation import shown
from scoreproof.work.budget import Budget

if TYPE_CHECKING:
    from scoreproof.findings import Finding
    from scoreproof.insight.hypotheses import Hypothesis
    from scoreproof.insight.reconstruction import Reconstruction

_MOST_REPAIRS = 10


@dataclass(frozen=True, slots=True)
class Explanation(Result):
    """What is proved about a report, and what may lie behind it.

    ``conflicts`` are proved. ``repairs`` and ``hypotheses`` are conjecture: each fits, none is known to be what
    happened. ``untried`` names what the budget did not reach; ``reading`` the one of several readings that is
    explained; ``kind`` is that of the problem, ``numbers`` how many were reported.
    """

    verdict: Verdict
    report: str
    experiment: str
    conflicts: tuple[Conflict, ...] = ()
    repairs: tuple[Repair, ...] = ()
    hypotheses: tuple[Tried, ...] = ()
    untried: tuple[str, ...] = ()
    kind: str = "binary"
    reading: str = ""
    numbers: int = 0
    _answer: Answer[Any, Any] | None = field(default=None, repr=False, compare=False)

    _told = "verdict report experiment summary * complete"

    @property
    def complete(self) -> bool:
        """Whether everything was tried within the budget."""
        return not self.untried

    @property
    def fitting(self) -> tuple[Tried, ...]:
        """The hypotheses under which the report would be possible."""
        return tuple(tried for tried in self.hypotheses if tried.answer is Fit.FITS)

    @property
    def summary(self) -> str:
        """One sentence for a reviewer."""
        if self.verdict is Verdict.CONSISTENT:
            return f"Nothing to explain: {self.report} can come from {self.experiment}."
        if self.verdict is Verdict.UNDECIDED:
            return f"Not decided whether {self.report} can come from {self.experiment}; there is no sign of a mistake."
        read = f"Read as {self.reading}: " if self.reading else ""
        return f"{read}{'; '.join(filter(None, (self.headline, self.repair)))}."

    @property
    def headline(self) -> str:
        """The smallest conflict, which is proved, with its numbers."""
        if self.conflicts:
            return self.conflicts[0].words
        return f"{self.report} cannot come from {self.experiment}"

    @property
    def repair(self) -> str:
        """The nearest report that would fit, or the first assumption under which this one does; no proof of either."""
        if self.repairs:
            return self.repairs[0].sentence(self.numbers)
        return f"it would fit if {self.fitting[0].condition}" if self.fitting else ""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is explained as a finding; none where nothing is impossible, or the explanation comes from a file."""
        return () if self._answer is None else import_module("scoreproof.findings").of_answer(self._answer, self)

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        kind = document["kind"]
        repairs = tuple(Repair.read(repair, kind) for repair in document["repairs"])
        hypotheses = tuple(Tried.from_dict(tried) for tried in document["hypotheses"])
        return rebuilt(cls, {**document, "repairs": repairs, "hypotheses": hypotheses})

    def __str__(self) -> str:
        """The card, then what else was found."""
        lines = [finding.text() for finding in self.findings] or [self.summary]
        lines += [f"{title}: {'; '.join(items)}" for finding in self.findings for title, items in finding.details]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return "".join(finding._repr_html_() for finding in self.findings) or html_words(self.summary)


def explain(
    result: Answer[Any, Any] | Reconstruction,
    *,
    hypotheses: Mapping[str, Experiment] | Iterable[Hypothesis] = (),
    oversampled: Iterable[int] = (),
    catalogue: Iterable[str] = (),
    assumptions: bool | Collection[str] = True,
    budget: float | Budget = 5.0,
) -> Explanation:
    """Why a report is impossible, and what would make it possible.

    ``hypotheses`` are experiments of one's own to try first, by name; ``oversampled`` the sizes the paper says the
    smaller class was raised to; ``catalogue`` the names of known data whose readings are to be tried;
    ``assumptions`` names the usual other assumptions to try, all by default, none with False. What the ``budget`` of
    seconds does not reach is listed in ``untried``.

    >>> from scoreproof import TestSet, check
    >>> result = check(TestSet(p=1000, n=6000), {"acc": "0.6801", "npv": "0.9401", "f1": "0.4004"})
    >>> why = explain(result, assumptions=["oversampled", "classes exchanged"])
    >>> print(why.repairs[0])
    acc = 0.6821 instead of 0.6801 (one digit changed)
    >>> why.conflicts[0].scores
    ('acc', 'npv', 'f1')
    """
    deadline = Budget.steady(budget)
    answer = result if isinstance(result, Answer) else getattr(result, "answer", None)
    if not isinstance(answer, Answer):
        raise InvalidOption(f"explain: expected the result of check or reconstruct, got {type(result).__name__}")
    problem, kind = answer.problem, kind_named(answer.problem.kind)
    report, subject = ", ".join(map(str, problem.claims)) or "what was printed", kind.subject(problem)
    if not answer.verdict.impossible:
        return Explanation(answer.verdict, report, subject, kind=problem.kind)
    own, others = list["Hypothesis"](), list["Hypothesis"]()
    given = (hypotheses, oversampled, catalogue)
    if assumptions is not False or any(not isinstance(a, tuple) or a for a in given):  # an array has no truth
        from scoreproof.insight.hypotheses import own_hypotheses, usual_assumptions  # which know the catalogue

        own = own_hypotheses(hypotheses)
        others = _chosen(usual_assumptions(problem, oversampled, catalogue), assumptions)
    conflicts = minimal_conflicts(problem, deadline.part(0.3))
    told = proved_conflicts(answer, conflicts, deadline.part(0.2))
    tried, late = try_all(problem, own, deadline.part(0.5))
    repairs, all_repairs = nearest_repairs(problem, conflicts, _MOST_REPAIRS, deadline.part(0.45))
    if told and repairs and len(repairs[0].changes) == 1:
        told = (told_of(told[0], problem, repairs[0].changes[0].score, deadline.part(0.2)), *told[1:])
    usual, untried = try_all(problem, others, deadline)
    missing = [] if conflicts.complete else ["some smaller conflicts"]
    missing += ["some further conflicts"] if len(conflicts.minimal) > len(told) else []
    missing += [] if all_repairs else ["some repairs"]
    missing += [assumption.label for assumption in (*tried, *usual) if assumption.untried]
    tried, left, numbers = (*tried, *usual), (*missing, *late, *untried), len(problem.claims)
    return Explanation(
        answer.verdict, report, subject, told, repairs, tried, left, problem.kind, numbers=numbers, _answer=answer
    )


def _chosen(usual: list[Hypothesis], wanted: bool | Collection[str]) -> list[Hypothesis]:
    if isinstance(wanted, bool):
        return usual if wanted else []
    names = [hypothesis.name for hypothesis in usual]
    several = isinstance(wanted, Collection) and not isinstance(wanted, str) and getattr(wanted, "ndim", 1) > 0
    if not several or not all(isinstance(name, str) for name in wanted):
        raise InvalidOption(f"assumptions: expected True, False or a list of names, got {shown(wanted)}")
    unknown = [name for name in wanted if name not in names]
    if unknown and usual:
        known = f"expected True, False or a list of {', '.join(names)}"
        raise InvalidOption(f"assumptions: {known}; got {', '.join(unknown)}")
    return [hypothesis for hypothesis in usual if hypothesis.name in wanted]
