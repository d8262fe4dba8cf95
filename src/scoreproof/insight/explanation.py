"""Why a report is impossible and what would make it possible, in words that accuse nobody."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from scoreproof.checking import Answer, Verdict
from scoreproof.checking.unsaid import Fit, Tried, try_all
from scoreproof.errors import InvalidOption
from scoreproof.insight.conflicts import Conflict, minimal_conflicts, proved_conflicts
from scoreproof.insight.hypotheses import Hypothesis, own_hypotheses, usual_assumptions
from scoreproof.insight.repairs import Repair, nearest_repairs
from scoreproof.jsonable import rebuilt
from scoreproof.kinds import kind_named
from scoreproof.kinds.binary.experiment import Experiment
from scoreproof.notebook import html_list, html_words
from scoreproof.results import Result
from scoreproof.validation import shown
from scoreproof.work.budget import Budget
from scoreproof.work.pool import Call, pool_of

if TYPE_CHECKING:
    from scoreproof.insight.reconstruction import Reconstruction


_CONFLICTS_SHOWN = 3
_REPAIRS_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Explanation(Result):
    """What is proved about a report, and what may lie behind it.

    ``conflicts`` are proved, and so are the ``identities`` that the report breaks. ``repairs`` and ``hypotheses`` are
    conjecture: each fits, none is known to be what happened. ``untried`` names what the budget did not reach;
    ``reading`` the one of several readings that is explained; ``kind`` is that of the problem.
    """

    verdict: Verdict
    report: str
    experiment: str
    identities: tuple[str, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    repairs: tuple[Repair, ...] = ()
    hypotheses: tuple[Tried, ...] = ()
    untried: tuple[str, ...] = ()
    kind: str = "binary"
    reading: str = ""

    _told = "verdict report experiment summary * proved conjectured complete"

    @property
    def complete(self) -> bool:
        """Whether everything was tried within the budget."""
        return not self.untried

    @property
    def fitting(self) -> tuple[Tried, ...]:
        """The hypotheses under which the report would be possible."""
        return tuple(one for one in self.hypotheses if one.answer is Fit.FITS)

    @property
    def summary(self) -> str:
        """One sentence for a reviewer."""
        return f"Read as {self.reading}: {self._sentence}" if self.reading else self._sentence

    @property
    def _sentence(self) -> str:
        if self.verdict is Verdict.CONSISTENT:
            return f"Nothing to explain: {self.report} can come from {self.experiment}."
        if self.verdict is Verdict.UNDECIDED:
            return f"Not decided whether {self.report} can come from {self.experiment}; there is no sign of a mistake."
        plain = f"{self.report} cannot come from {self.experiment}"
        known = [words if "=" in words.split()[1:2] else words[0].upper() + words[1:] for words in self.identities[:1]]
        first = (*known, *(conflict.words for conflict in self.conflicts), plain)[0]
        if self.repairs:
            return f"{first}; it would fit with {self.repairs[0]}."
        if self.fitting:
            return f"{first}; it would fit with another assumption: {self.fitting[0]}."
        return f"{first}."

    @property
    def proved(self) -> tuple[str, ...]:
        """What is certain, whoever checks it."""
        if not self.verdict.impossible:
            return ()
        whole = f"{self.report} cannot come from {self.experiment}, by exact arithmetic and with a certificate"
        hidden = len(self.conflicts) - _CONFLICTS_SHOWN
        more = [f"and {hidden} more such conflicts"] if hidden > 0 else []
        known = [words for words in self.identities if not any(words in shown for shown in self._in_words())]
        return (whole, *known, *self._in_words(), *more)

    def _in_words(self) -> tuple[str, ...]:
        """The conflicts that are shown in words."""
        return tuple(conflict.words for conflict in self.conflicts[:_CONFLICTS_SHOWN])

    @property
    def conjectured(self) -> tuple[str, ...]:
        """What would make the report possible; possibilities, not findings."""
        repairs = [f"it would fit with {repair}" for repair in self.repairs[:_REPAIRS_SHOWN]]
        return (*repairs, *(f"it would fit if: {one}" for one in self.fitting))

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        kind = document["kind"]
        repairs = tuple(Repair.from_dict(repair, kind) for repair in document["repairs"])
        hypotheses = tuple(Tried.from_dict(tried) for tried in document["hypotheses"])
        return rebuilt(cls, {**document, "repairs": repairs, "hypotheses": hypotheses})

    def __str__(self) -> str:
        if not self.verdict.impossible:
            return self.summary
        lines = ["Proved:"]
        lines += [f"  {words}" for words in self.proved]
        if self.conjectured:
            lines.append("Possible, not proved (any of these would make the report fit):")
            lines += [f"  {words}" for words in self.conjectured]
        rejected = [one.label for one in self.hypotheses if one.answer is Fit.DOES_NOT_FIT]
        if rejected:
            lines.append(f"Tried, does not fit: {'; '.join(rejected)}")
        if self.untried:
            lines.append(f"Not tried within the budget: {'; '.join(self.untried)}")
        lines.append("Either a number or the description differs from what was done; which of them, this does not say.")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        if not self.verdict.impossible:
            return html_words(self.summary)
        return html_list(self.proved, "Proved") + html_list(self.conjectured, "Possible, not proved")


_MOST_REPAIRS = 10


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
    answer = answer_of(result)
    problem, kind = answer.problem, kind_named(answer.problem.kind)
    report, subject = ", ".join(map(str, problem.claims)) or "what was printed", kind.subject(problem)
    if not answer.verdict.impossible:
        return Explanation(answer.verdict, report, subject, kind=problem.kind)
    mine = own_hypotheses(hypotheses)
    others = _chosen(usual_assumptions(problem, oversampled, catalogue), assumptions)
    conflicts = minimal_conflicts(problem, deadline.part(0.3))
    told = proved_conflicts(answer, conflicts, deadline.part(0.2))
    given, late = try_all(problem, mine, deadline.part(0.5))
    repairs = nearest_repairs(problem, conflicts, _MOST_REPAIRS, deadline.part(0.45))
    usual, untried = try_all(problem, others, deadline)
    missing = [] if conflicts.complete else ["some smaller conflicts"]
    missing += ["some further conflicts"] if len(conflicts.found) > len(told) else []
    missing += [] if repairs.complete else ["some repairs"]
    missing += [one.label for one in (*given, *usual) if one.untried]
    return Explanation(
        answer.verdict,
        report,
        subject,
        tuple(kind.identities(problem)),
        told,
        repairs.found,
        (*given, *usual),
        (*missing, *late, *untried),
        problem.kind,
    )


def answer_of(result: Any) -> Answer[Any, Any]:
    """The answer a result is, or holds."""
    answer = result if isinstance(result, Answer) else getattr(result, "answer", None)
    if not isinstance(answer, Answer):
        raise InvalidOption(f"explain: expected the result of check or reconstruct, got {type(result).__name__}")
    return answer


def _chosen(usual: list[Hypothesis], wanted: bool | Collection[str]) -> list[Hypothesis]:
    if isinstance(wanted, bool):
        return usual if wanted else []
    names = [one.name for one in usual]
    if (
        not isinstance(wanted, Collection)
        or getattr(wanted, "ndim", 1) == 0
        or not all(isinstance(name, str) for name in wanted)
    ):
        raise InvalidOption(f"assumptions: expected True, False or a list of names, got {shown(wanted)}")
    unknown = [str(name) for name in wanted if name not in names]
    if isinstance(wanted, str) or (unknown and usual):
        got = wanted if isinstance(wanted, str) else ", ".join(unknown)
        raise InvalidOption(f"assumptions: expected True, False or a list of {', '.join(names)}; got {got}")
    return [one for one in usual if one.name in wanted]


def explain_each(answers: Iterable[Answer[Any, Any]], *, pool: Any = 1, **options: Any) -> Iterator[Explanation]:
    """The explanations of some answers in their order; the options are those of ``explain``.

    >>> from scoreproof import TestSet, check
    >>> answers = [check(TestSet(10, 20), {"acc": text, "sens": "0.50"}) for text in ("0.95", "0.80")]
    >>> [str(explanation.verdict) for explanation in explain_each(answers, assumptions=False)]
    ['inconsistent', 'consistent']
    """
    calls: Iterator[Call[Explanation]] = ((_explained, (answer, options)) for answer in answers)
    return pool_of(pool, "pool").results(calls)


def _explained(answer: Answer[Any, Any], options: dict[str, Any]) -> Explanation:
    return explain(answer, **options)
