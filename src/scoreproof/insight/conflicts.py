"""The smallest conflicts: which of the scores are already impossible together.

A conflict is minimal if any of its scores left out makes the rest possible. All of them are found by trying subsets
in order of size and skipping those that contain a conflict already known. These trials are the engines' word; what is
told of them is verified.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import Any

from scoreproof._version import __version__
from scoreproof.checking import Answer, Certificate, certify, trial, verification_error
from scoreproof.errors import InvalidValue
from scoreproof.jsonable import Jsonable
from scoreproof.kinds import kind_named
from scoreproof.kinds.kind import Problem
from scoreproof.reported import Claim, report
from scoreproof.work.budget import Budget

MOST_TOLD = 12  # conflicts, each of them verified
_ONE_CHECK = 1.0  # seconds


@dataclass(frozen=True, slots=True)
class Conflict(Jsonable):
    """Scores that cannot stand together, in words, with the proof."""

    scores: tuple[str, ...]
    words: str
    identity: str = ""
    certificate: Certificate | None = None

    def __str__(self) -> str:
        return self.words


@dataclass(frozen=True, slots=True)
class Conflicts:
    """The minimal conflicts that an engine found, smallest first; ``complete`` if no other can exist.

    Their proofs are not verified yet; the conflict of all scores has none, since the report's certificate proves it.
    """

    found: tuple[tuple[Claim, ...], ...]
    proofs: tuple[dict[str, Any] | None, ...]
    complete: bool

    def touched_by(self, names: frozenset[str]) -> bool:
        """Whether a change of these scores reaches every conflict: the least that any repair must do."""
        return all(any(claim.name in names for claim in conflict) for conflict in self.found)


def minimal_conflicts(problem: Problem, deadline: Budget) -> Conflicts:
    """All minimal subsets of the scores that are impossible together, smallest first.

    One of them is found by leaving out scores as long as the rest stays impossible; the others by trying subsets in
    order of size, as far as the time goes.
    """
    first, proof, complete = _one_conflict(problem, deadline.part(0.5))
    found = [(first, proof)]
    for subset in _subsets(problem.claims):
        names = {claim.name for claim in subset}
        if any({claim.name for claim in known} <= names for known, _ in found):
            continue
        if deadline.passed:
            complete = False
            break
        fits, _, proof = trial(problem.with_claims(subset), budget=deadline.moment(_ONE_CHECK))
        if fits is False:
            found.append((subset, proof))
        complete = complete and fits is not None
    conflicts, proofs = zip(*sorted(found, key=lambda conflict: len(conflict[0])), strict=True)
    return Conflicts(conflicts, proofs, complete)


def _one_conflict(problem: Problem, deadline: Budget) -> tuple[tuple[Claim, ...], dict[str, Any] | None, bool]:
    """A conflict from which nothing can be left out, its proof, and whether that is certain."""
    kept, proof, minimal = tuple(problem.claims), None, True
    for claim in problem.claims:
        rest = tuple(other for other in kept if other is not claim)
        if not rest:
            break
        if deadline.passed:
            return kept, proof, False
        without = trial(problem.with_claims(rest), budget=deadline.moment(_ONE_CHECK))
        if without.fits is False:
            kept, proof = rest, without.proof
        minimal = minimal and without.fits is not None
    return kept, proof, minimal


def _subsets(reported: tuple[Claim, ...]) -> Iterator[tuple[Claim, ...]]:
    for size in range(1, len(reported)):
        yield from combinations(reported, size)


def proved_conflicts(answer: Answer[Any, Any], conflicts: Conflicts, deadline: Budget) -> tuple[Conflict, ...]:
    """The first of the conflicts with what breaks in each, each with a certificate that the verifier accepts.

    Among conflicts of one size, those that a known identity explains come first. Where no smaller conflict can be
    verified, the whole report is told: its certificate was.
    """
    problem, kind = answer.problem, kind_named(answer.problem.kind)
    identities = [kind.identity(problem, scores) for scores in conflicts.found]
    ranked = sorted(
        zip(conflicts.found, conflicts.proofs, identities, strict=True),
        key=lambda conflict: (len(conflict[0]), not conflict[2]),
    )
    told = []
    for scores, proof, identity in ranked[:MOST_TOLD]:
        own = None if proof is None else _verified(problem.with_claims(scores), proof, deadline)
        certificate = answer.certificate if proof is None else own
        if certificate is not None:
            words = _sentence(problem, scores, identity, deadline)
            told.append(Conflict(tuple(claim.name for claim in scores), words, identity, certificate))
    if not told:
        claims = tuple(problem.claims)
        identity = kind.identity(problem, claims)
        words = _sentence(problem, claims, identity, deadline)
        told.append(Conflict(tuple(claim.name for claim in claims), words, identity, answer.certificate))
    return tuple(told)


def _verified(problem: Problem, proof: dict[str, Any], deadline: Budget) -> Certificate | None:
    """The certificate of a conflict, if the verifier accepts its proof."""
    statement = problem.to_dict()
    if verification_error(problem.kind, statement, proof, max(deadline.time_left(), _ONE_CHECK)):
        return None
    return certify(problem.kind, statement, proof, __version__)


def _sentence(problem: Problem, scores: Sequence[Claim], identity: str, deadline: Budget) -> str:
    if not scores:
        return f"this is impossible whatever is claimed: {identity}" if identity else "this is impossible as it stands"
    listed = _listed([str(one) for one in scores])
    if len(scores) == 1:
        beyond = scores[0].beyond_range
        words = f"{listed} alone is impossible" + (f": {beyond}" if beyond else f": {identity}" if identity else "")
    else:
        words = f"{listed} cannot stand together" + (f": {identity}" if identity else "")
    if not deadline.passed and len(scores) > 1:
        implied = _implied(problem, scores, deadline)
        words += f". {implied}" if implied else ""
    return words


def _implied(problem: Problem, scores: Sequence[Claim], deadline: Budget) -> str:
    """Where one score would have to lie, given the others: said of the score they pin down most."""
    best: tuple[Fraction, str] | None = None
    kind = kind_named(problem.kind)
    for target in scores:
        rest = [claim for claim in scores if claim is not target]
        if deadline.passed:
            break
        other = problem.with_claims(rest)
        if not trial(other, budget=deadline.moment(_ONE_CHECK)).fits:
            continue
        least, most = kind.implied(other, target) or (None, None)
        if least is None or most is None:
            continue
        given = _listed([str(claim) for claim in rest])
        if least > target.high or most < target.low:
            low, high = _outward(least, target, up=False), _outward(most, target, up=True)
            at = f"would be {low}" if low == high else f"would lie between {low} and {high}"
            words = f"With {given}, {target.name} {at}, not {target.text}"
        else:
            words = _gap(target, given, *kind.neighbours(other, target))
        width = most - least
        if words and (best is None or width < best[0]):
            best = (width, words)
    return "" if best is None else best[1]


def _gap(target: Claim, given: str, below: Fraction | None, above: Fraction | None) -> str:
    """The nearest values below and above, where the target falls between the values whole numbers give."""
    near = [] if below is None else [_outward(below, target, up=True)]
    near += [] if above is None else [_outward(above, target, up=False)]
    if not near:
        return ""
    return f"With {given}, whole numbers of cases give {target.name} = {' or '.join(near)}, not {target.text}"


def _outward(value: Fraction, target: Claim, *, up: bool) -> str:
    """A bound with one digit more than the report has, rounded away from the inside."""
    digits = target.number.digits + 1
    scaled = value * 10**digits
    units = -(-scaled.numerator // scaled.denominator) if up else scaled.numerator // scaled.denominator
    sign = "-" if units < 0 else ""
    whole, rest = divmod(abs(units), 10**digits)
    return f"{sign}{whole}.{rest:0{digits}d}"


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


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
