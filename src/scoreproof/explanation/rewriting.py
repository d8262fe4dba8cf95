"""Asking again: with another text for a score, or another problem altogether."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from scoreproof.checking import Answer, Verdict, ask
from scoreproof.errors import InvalidValue
from scoreproof.kinds.kind import Problem
from scoreproof.reported import Claim, report
from scoreproof.work.budget import Budget


def asked(problem: Problem, deadline: Budget) -> Answer[Any, Any]:
    """The answer; where the verifier does not know scores made up on the spot, those it knows may be impossible."""
    answer = ask(problem, budget=deadline)
    known = [claim for claim in problem.claims if claim.quantity.builtin]
    if answer.verdict is Verdict.UNDECIDED and 0 < len(known) < len(problem.claims):
        weaker = ask(problem.with_claims(known), budget=deadline.moment(deadline.seconds))
        return weaker if weaker.verdict is Verdict.INCONSISTENT else answer
    return answer


def rewritten(claim: Claim, text: str, *, like: Claim | None = None) -> Claim | None:
    """The same score with another text, read by the same rule (or that of another score's text).

    None if no such value can be reported.
    """
    source = like or claim
    rule = {"rounding": source.rounding} if source.eps is None else {"eps": source.eps}
    try:
        changed = report(claim.quantity, text, **rule)
    except InvalidValue:
        return None
    if changed.beyond_range:
        return None
    return replace(changed, name=claim.name)
