"""From a verdict to its explanation, within a budget of seconds."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from scoreproof.checking import Answer, Verdict
from scoreproof.errors import InvalidOption
from scoreproof.explanation.conflicts import in_words, minimal_conflicts
from scoreproof.explanation.explanation import Explanation
from scoreproof.explanation.hypotheses import Hypothesis, try_hypotheses
from scoreproof.explanation.inputs import entry_names, own_hypotheses, sizes
from scoreproof.explanation.known_data import catalogue_readings
from scoreproof.explanation.repairs import nearest_repairs
from scoreproof.kinds import kind_named
from scoreproof.kinds.binary.experiment import Experiment
from scoreproof.kinds.kind import Problem
from scoreproof.validation import shown
from scoreproof.work.budget import Budget

if TYPE_CHECKING:
    from scoreproof.reconstruction.result import Reconstruction

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
    if answer.verdict is not Verdict.INCONSISTENT:
        return Explanation(answer.verdict, report, subject, kind=problem.kind)
    mine = own_hypotheses(hypotheses)
    others = _chosen(usual_assumptions(problem, oversampled, catalogue), assumptions)
    conflicts = minimal_conflicts(problem, answer.certificate, deadline.part(0.3))
    told = in_words(problem, conflicts, deadline.part(0.2))
    given, late = try_hypotheses(problem, mine, deadline.part(0.5))
    repairs = nearest_repairs(problem, conflicts, _MOST_REPAIRS, deadline.part(0.45))
    usual, untried = try_hypotheses(problem, others, deadline)
    missing = [] if conflicts.complete else ["some smaller conflicts"]
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


def usual_assumptions(problem: Problem, oversampled: Any, catalogue: Any) -> list[Hypothesis]:
    """The assumptions of the problem's kind; sizes and catalogue names are checked whatever the kind."""
    raised, names = sizes(oversampled), entry_names(catalogue)
    kind = kind_named(problem.kind)
    return list(kind.assumptions(problem, sizes=raised, known_data=lambda e: catalogue_readings(e, names)))


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
