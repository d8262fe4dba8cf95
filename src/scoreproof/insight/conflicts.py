"""The smallest conflicts: which of the scores are already impossible together.

A conflict is minimal if any of its scores left out makes the rest possible. All of them are found by trying subsets
in order of size and skipping those that contain a conflict already known. These trials are the engines' word; what is
told of them is verified.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, combinations
from math import ceil, floor
from typing import Any

from scoreproof._version import __version__
from scoreproof.checking import Answer, Certificate, certify, trial, verification_error
from scoreproof.errors import InvalidValue
from scoreproof.jsonable import Jsonable
from scoreproof.kinds import kind_named
from scoreproof.kinds.kind import Problem
from scoreproof.reported import Claim, report
from scoreproof.reported.number import decimal_text
from scoreproof.results import listed
from scoreproof.work.budget import Budget

MOST_TOLD = 12  # conflicts, each of them verified
_ONE_CHECK = 1.0  # seconds
_MOST_GIVEN = 4  # numbers that are named


@dataclass(frozen=True, slots=True)
class Instead(Jsonable):
    """What could have been printed in place of a score: the values next to it, or (``between``) the ends of its range.

    The ends are texts with enough digits, empty where there is none; ``cases`` is the whole of which the values are
    shares, if it is one.
    """

    score: str
    printed: str
    low: str = ""
    high: str = ""
    between: bool = False
    cases: int = 0

    @property
    def words(self) -> str:
        """What the score would be: "0.8646 or 0.8750", "between 0.9409 and 0.9410"."""
        if self.between and self.low != self.high:
            return f"between {self.low} and {self.high}"
        return " or ".join(dict.fromkeys(filter(None, (self.low, self.high))))


@dataclass(frozen=True, slots=True)
class Conflict(Jsonable):
    """Scores that cannot stand together, in words, with the proof, and what one of them would have to be."""

    scores: tuple[str, ...]
    words: str
    identity: str = ""
    certificate: Certificate | None = None
    instead: Instead | None = None

    def __str__(self) -> str:
        return self.words


@dataclass(frozen=True, slots=True)
class Conflicts:
    """The minimal conflicts that an engine found, smallest first; ``complete`` if no other can exist.

    Their proofs are not verified yet; the conflict of all scores has none, since the report's certificate proves it.
    """

    minimal: tuple[tuple[Claim, ...], ...]
    proofs: tuple[dict[str, Any] | None, ...]
    complete: bool

    def touched_by(self, names: frozenset[str]) -> bool:
        """Whether a change of these scores reaches every conflict: the least that any repair must do."""
        return all(any(claim.name in names for claim in conflict) for conflict in self.minimal)


def minimal_conflicts(problem: Problem, deadline: Budget) -> Conflicts:
    """All minimal subsets of the scores that are impossible together, smallest first.

    One of them is found by leaving out scores as long as the rest stays impossible; the others by trying subsets in
    order of size, as far as the time goes.
    """
    whole, proof, soon = tuple(problem.claims), None, deadline.part(0.5)
    for claim in problem.claims:
        rest = tuple(other for other in whole if other is not claim)
        if not rest or soon.passed:
            break
        without = trial(problem.with_claims(rest), budget=soon.moment(_ONE_CHECK))
        if without.fits is False:
            whole, proof = rest, without.proof
    known, complete = {whole: proof}, True
    for subset in chain.from_iterable(combinations(problem.claims, size) for size in range(1, len(problem.claims))):
        if any(set(conflict) <= set(subset) for conflict in known):
            continue
        if deadline.passed:
            complete = False
            break
        fits, _, proof = trial(problem.with_claims(subset), budget=deadline.moment(_ONE_CHECK))
        if fits is False:
            known = {conflict: kept for conflict, kept in known.items() if not set(subset) < set(conflict)}
            known[subset] = proof
        complete = complete and fits is not None
    minimal = sorted(known, key=len)
    return Conflicts(tuple(minimal), tuple(known[conflict] for conflict in minimal), complete)


def proved_conflicts(answer: Answer[Any, Any], conflicts: Conflicts, deadline: Budget) -> tuple[Conflict, ...]:
    """The first of the conflicts with what breaks in each, each with a certificate that the verifier accepts.

    Among conflicts of one size, those that a known identity explains come first. Where no smaller conflict can be
    verified, the whole report is told: its certificate was.
    """
    problem, kind = answer.problem, kind_named(answer.problem.kind)
    identities = [kind.identity(problem, scores) for scores in conflicts.minimal]
    ranked = sorted(
        zip(conflicts.minimal, conflicts.proofs, identities, strict=True),
        key=lambda conflict: (len(conflict[0]), not conflict[2]),
    )
    told = []
    for scores, proof, identity in ranked[:MOST_TOLD]:
        certificate, statement = answer.certificate, problem.with_claims(scores).to_dict()
        if proof is not None:
            if verification_error(kind.name, statement, proof, max(deadline.time_left(), _ONE_CHECK)):
                continue
            certificate = certify(kind.name, statement, proof, __version__)
        told.append(_conflict(problem, scores, identity, certificate, deadline))
    whole = tuple(problem.claims)
    return tuple(told) or (_conflict(problem, whole, kind.identity(problem, whole), answer.certificate, deadline),)


def conflict_alone(problem: Problem) -> Conflict | None:
    """The first score that is impossible by itself, where arithmetic on its printed digits tells; asks no engine."""
    kind = kind_named(problem.kind)
    for claim in problem.claims:
        sure = len(problem.claims) == 1 or kind.share_of(problem, claim)[0]
        identity = kind.identity(problem, (claim,)) if sure else ""
        if identity or claim.beyond_range:
            return Conflict((claim.name,), _alone(problem, claim, identity), identity, None, next_to(problem, claim))
    return None


def _conflict(
    problem: Problem, scores: Sequence[Claim], identity: str, certificate: Certificate | None, deadline: Budget
) -> Conflict:
    instead = None
    if not scores:
        words = f"this is impossible whatever is claimed: {identity}" if identity else "this is impossible as it stands"
    elif len(scores) == 1:
        words, instead = _alone(problem, scores[0], identity), next_to(problem, scores[0])
    else:
        instead = allowed(problem, scores, scores, deadline)
        words = _together(scores, identity, instead, scores)
    return Conflict(tuple(claim.name for claim in scores), words, identity, certificate, instead)


def told_of(conflict: Conflict, problem: Problem, score: str, deadline: Budget) -> Conflict:
    """The conflict with what all other numbers leave for one of its scores, where that is known."""
    claims = [claim for claim in problem.claims if claim.name in conflict.scores]
    targets = [claim for claim in claims if claim.name == score]
    instead = allowed(problem, problem.claims, targets, deadline) if len(claims) > 1 else None
    words = _together(claims, conflict.identity, instead, problem.claims)
    return conflict if instead is None else replace(conflict, words=words, instead=instead)


def _together(scores: Sequence[Claim], identity: str, instead: Instead | None, beside: Sequence[Claim]) -> str:
    """That scores cannot stand together, and what those beside one of them leave for it."""
    words = f"{listed(map(_printed, scores))} cannot stand together" + (f": {identity}" if identity else "")
    if instead is None:
        return words
    others = [_printed(claim) for claim in beside if claim.name != instead.score]
    given = listed(others) if len(others) <= _MOST_GIVEN else f"the other {len(others)} numbers"
    verb = "would lie" if instead.between and instead.low != instead.high else "would be"
    return f"{words}. With {given}, {instead.score} {verb} {instead.words}, not {instead.printed}"


def _printed(claim: Claim) -> str:
    return f"{claim.name} {claim.text}"


def _alone(problem: Problem, claim: Claim, identity: str) -> str:
    """Why one score alone is impossible; what is said of it may begin with its name already."""
    because = claim.beyond_range or identity
    if because.startswith(f"{claim.name} "):
        return because
    subject = kind_named(problem.kind).subject(problem)
    return f"{_printed(claim)} alone " + (f"is impossible: {because}" if because else f"cannot come from {subject}")


def next_to(problem: Problem, claim: Claim) -> Instead | None:
    """The values next to a printed one; of a share of a whole number of cases, those with one case less and more."""
    kind = kind_named(problem.kind)
    cases, *counts = kind.share_of(problem, claim)
    if cases:
        low, high = (_written(Fraction(count, cases), claim) for count in counts)
        return Instead(claim.name, claim.text, low, high, cases=cases)
    of_printed = hasattr(problem, "rows") or hasattr(problem, "parts")  # by which alone the value is given
    least, most = (kind.implied(problem.with_claims(()), claim) if of_printed else None) or (None, None)
    if least is None or most is None or (claim.low <= most and claim.high >= least):
        return None
    return _range(claim, least, most)


def allowed(problem: Problem, scores: Sequence[Claim], targets: Sequence[Claim], deadline: Budget) -> Instead | None:
    """Where one of the targets would have to lie, given the other scores: the one they pin down most."""
    best: tuple[Fraction, Instead] | None = None
    kind = kind_named(problem.kind)
    for target in targets:
        other = problem.with_claims([claim for claim in scores if claim is not target])
        if deadline.passed or not trial(other, budget=deadline.moment(_ONE_CHECK)).fits:
            continue
        least, most = kind.implied(other, target) or (None, None)
        if least is None or most is None:
            continue
        if least > target.high or most < target.low:
            instead = _range(target, least, most)
        else:
            low, high = (None if end is None else _written(end, target) for end in kind.neighbours(other, target))
            instead = Instead(target.name, target.text, low or "", high or "")
        if (instead.low or instead.high) and (best is None or most - least < best[0]):
            best = most - least, instead
    return None if best is None else best[1]


def _range(target: Claim, least: Fraction, most: Fraction) -> Instead:
    """The range of a score, its ends rounded outwards; one value where its ends are written alike."""
    for more in (0, 1):
        low, high = (_written(end, target, more=more) for end in (least, most))
        if low == high != target.text:
            break
    else:
        low, high = _written(least, target, floor), _written(most, target, ceil)
    return Instead(target.name, target.text, low, high, between=True)


def _written(value: Fraction, target: Claim, rounding: Callable[[Fraction], int] = round, *, more: int = 1) -> str:
    """A value in the unit of the report, with one digit more than it has."""
    percent = "%" in target.text
    digits = max(target.number.digits + more - 2 * percent, 0)
    return decimal_text(rounding(value * (100 if percent else 1) * 10**digits), digits) + "%" * percent


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
