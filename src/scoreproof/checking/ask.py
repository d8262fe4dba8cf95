"""Ask any problem; what is answered has been checked, whatever the kind.

This is the only caller of engines, and the only place where the contract lives: a witness counts if it holds, a proof
if the independent verifier accepts it, and anything else is undecided.

What dropped digits hide is said beside a pass: "1" beside "0.9705" and "0.5317" is read as printed, anything from 0 to
2, which excludes nothing. That is sound, but a trap, since the author may have meant 1.0000; so such a value carries a
note, with the verdict of the reading in which it has the digits of its siblings.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from scoreproof.checking.answer import Answer, Verdict, verification_error
from scoreproof.errors import InvalidOption, NotCovered, ScoreproofError
from scoreproof.kinds import kind_named
from scoreproof.kinds.kind import Case, Kind, Problem
from scoreproof.reported import Claim, report
from scoreproof.reported.number import decimal_text, machine_reach
from scoreproof.validation import random_seed, shown
from scoreproof.work.budget import Budget

_ASKED = 2e-4  # seconds that a question takes whatever it is, its check included
_BESIDE = 0.1  # of what is left, for cases beside one that fits
_USUAL = 1.5  # times the time of a later case, for the one asked next: it is the more usual reading
_TO_VERIFY = 0.1  # of the budget, kept for the verifier
_TO_NOTE, _MOST_TO_NOTE = 0.2, 1.0  # of what is left, and seconds, for remarks on digits


def ask(problem: Problem, *, budget: float | Budget = 30.0, seed: int = 0) -> Answer[Any, Any]:
    """The answer to a problem, within a budget of seconds; ``seed`` makes searches repeatable.

    >>> from scoreproof import TestSet
    >>> from scoreproof.kinds import kind_named
    >>> problem = kind_named("binary").problem(TestSet(10, 20), {"acc": "0.95", "sens": "0.50"})
    >>> ask(problem).verdict
    <Verdict.INCONSISTENT: 'inconsistent'>
    """
    deadline = Budget.of(budget)
    if seed.__class__ is not int or seed < 0:
        seed = random_seed(seed)
    name = getattr(problem, "kind", None)
    if not isinstance(name, str) or isinstance(problem, type) or not hasattr(problem, "with_claims"):
        raise InvalidOption(f"problem: expected a problem such as an answer's; got {shown(problem)}")
    kind = kind_named(name)
    answer = _answer(kind, problem, deadline, seed)
    if answer.verdict is Verdict.CONSISTENT:
        if not answer.cases:
            smaller = kind.smaller(problem, answer.witness)
            if smaller != answer.witness and kind.holds(problem, smaller):
                answer = replace(answer, witness=smaller)

        def again(claims: tuple[Claim, ...]) -> Verdict:
            spare = deadline.part(_TO_NOTE).within(_MOST_TO_NOTE)
            return _answer(kind, problem.with_claims(claims), spare, seed).verdict

        notes = digit_notes(problem.claims, again)
        if notes:
            return replace(answer, notes=answer.notes + notes)
    return answer


class TrialAnswer(NamedTuple):
    """What an engine says of a problem: that it ``fits``, by a witness that holds, that it does not, or (None) nothing.

    Its proof is not verified: a trial ranks and counts, and what is shown as proved is verified first.
    """

    fits: bool | None
    witness: Any = None
    proof: dict[str, Any] | None = None


def trial(problem: Problem, *, budget: Budget) -> TrialAnswer:
    """What ``ask`` would find, unverified: for who asks about many reports and shows none of the answers."""
    answer = _answer(kind_named(problem.kind), problem, budget, 0, verified=False)
    fits = {Verdict.CONSISTENT: True, Verdict.INCONSISTENT: False}.get(answer.verdict)
    return TrialAnswer(fits, answer.witness, answer.proof)


_WORTHWHILE = 100  # problems of one kind, from which on arrays are quicker


def shown_at_once(problems: Sequence[Problem | None]) -> list[Answer[Any, Any] | None]:
    """The answers to many problems as far as their kinds have witnesses at hand; the others are to be asked."""
    answers: list[Answer[Any, Any] | None] = [None] * len(problems)
    kinds: dict[str, list[int]] = {}
    for place, problem in enumerate(problems):
        if problem is not None:
            kinds.setdefault(problem.kind, []).append(place)
    for name, places in kinds.items():
        if len(places) >= _WORTHWHILE:
            own: list[Any] = [problems[place] for place in places]
            for place, problem, witness in zip(places, own, kind_named(name).shown_at_once(own), strict=True):
                if witness is not None:
                    answers[place] = Answer(problem, Verdict.CONSISTENT, witness)
    return answers


def proved(answer: Answer[Any, Any]) -> bool:
    """Whether an answer that was kept somewhere still has what proves it; one that is undecided claims nothing."""
    kind = kind_named(answer.problem.kind)
    if answer.verdict is Verdict.UNDECIDED:
        return answer.witness is None and answer.proof is None
    if answer.verdict.impossible:
        return answer.proof is not None and not verification_error(kind.name, answer.problem.to_dict(), answer.proof)
    if answer.witness is None:
        return False
    try:
        problems = [case.problem for case in kind.cases(answer.problem)] or [answer.problem]
        return any(kind.holds(problem, answer.witness) for problem in problems)
    except (ScoreproofError, TypeError, AttributeError, LookupError):
        return False


def _answer(
    kind: Kind[Any, Any], problem: Problem, deadline: Budget, seed: int, *, verified: bool = True
) -> Answer[Any, Any]:
    """The answer; with an engine's word instead of a ``verified`` proof it stays in this module."""
    cases = kind.cases(problem)
    if cases:
        return _of_cases(kind, problem, cases, deadline, seed, verified)
    deadline.charge(_ASKED)
    decision = kind.decide(problem, deadline=deadline.sooner(_TO_VERIFY), seed=seed)
    if decision.witness is not None:
        if kind.holds(problem, decision.witness):
            return Answer(problem, Verdict.CONSISTENT, decision.witness, notes=decision.notes)
        reason = f"an example was found that does not hold ({decision.witness})"
        return Answer(problem, Verdict.UNDECIDED, reason=reason)
    if decision.proof is not None:
        if not verified:
            return Answer(problem, Verdict.INCONSISTENT, proof=decision.proof)
        return _refuted(kind, problem, decision.proof, deadline)
    return Answer(problem, Verdict.UNDECIDED, reason=decision.reason)


def _refuted(
    kind: Kind[Any, Any],
    problem: Problem,
    proof: dict[str, Any],
    deadline: Budget,
    cases: tuple[Answer[Any, Any], ...] = (),
    words: str = "",
) -> Answer[Any, Any]:
    """Inconsistent, once the verifier agrees: an engine's word alone does not count."""
    seconds = max(deadline.time_left(), _TO_VERIFY * deadline.seconds)
    wrong = verification_error(kind.name, problem.to_dict(), proof, seconds)
    if wrong:
        reason = f"a refutation was found that the verifier does not accept ({wrong})"
        return Answer(problem, Verdict.UNDECIDED, reason=reason, cases=cases)
    return Answer(problem, Verdict.INCONSISTENT, proof=proof, reason=words or kind.because(problem), cases=cases)


def _of_cases(
    kind: Kind[Any, Any], problem: Problem, cases: Sequence[Case[Any]], deadline: Budget, seed: int, verified: bool
) -> Answer[Any, Any]:
    """Consistent if one of the cases is; inconsistent only if every one is.

    What is soon decided is asked first. Once a case fits, the others are told, too, but not at any length.
    """
    answered: dict[int, Answer[Any, Any]] = {}
    for number in sorted(range(len(cases)), key=lambda place: not kind.quick(cases[place].problem)):
        case = cases[number]
        fits = any(answer.verdict is Verdict.CONSISTENT for answer in answered.values())
        more = len(cases) - len(answered) - 1
        share = deadline.moment(deadline.left() * (_BESIDE if fits else 1) * _USUAL / (_USUAL + more))
        share = share if more or fits else deadline  # the last may take what is left, by the clock
        try:
            answered[number] = _answer(kind, case.problem, share, seed, verified=verified)
        except NotCovered as error:
            answered[number] = Answer(case.problem, Verdict.UNDECIDED, reason=str(error))
        if case.note and answered[number].verdict is Verdict.CONSISTENT:
            break  # what is noted of the first that fits is not asked of the others
    answers = [answered[number] for number in sorted(answered)]
    words = "; ".join(f"{case.label}: {answer.verdict}" for case, answer in zip(cases, answers, strict=False))
    for case, answer in zip(cases, answers, strict=False):
        if answer.verdict is Verdict.CONSISTENT:
            notes = (*answer.notes, *filter(None, (case.note,)))
            return Answer(problem, Verdict.CONSISTENT, answer.witness, reason=words, notes=notes, cases=tuple(answers))
    if all(answer.verdict is Verdict.INCONSISTENT for answer in answers):
        wider, doubt = kind.beyond_cases(problem)
        beyond = None if wider is None else _answer(kind, wider, deadline.part(_TO_NOTE), seed, verified=verified)
        if beyond is not None and beyond.verdict is not Verdict.INCONSISTENT:
            return Answer(problem, Verdict.UNDECIDED, reason=f"{words}; {doubt}", cases=tuple(answers))
        proof = {"kind": "cases", "cases": [answer.proof for answer in answers]}
        if not verified:
            return Answer(problem, Verdict.INCONSISTENT, proof=proof)
        return _refuted(kind, problem, proof, deadline, tuple(answers), words)
    return Answer(problem, Verdict.UNDECIDED, reason=words, cases=tuple(answers))


_MOST_NAMED = 12  # a longer list is no note
_PLAIN_SCALE = 10**6  # below it, no value of size one has enough digits to be a machine's
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six")
_VERDICTS = {
    Verdict.CONSISTENT: "it would be possible, too",
    Verdict.INCONSISTENT: "it would be impossible",
    Verdict.UNDECIDED: "it could not be decided",
}


def digit_notes(reported: tuple[Claim, ...], ask: Callable[[tuple[Claim, ...]], Verdict]) -> tuple[str, ...]:
    """Notes on values with fewer digits than their siblings, or that exclude nothing; ``ask`` decides a reading."""
    if not reported:
        return ()
    first = reported[0].number.scale
    if 1 < first < _PLAIN_SCALE and all(claim.number.scale == first for claim in reported):
        return ()  # as many decimals each, and some
    plain = [claim for claim in reported if _is_plain(claim)]
    most = max((claim.number.digits for claim in plain), default=0)
    short = [claim for claim in plain if claim.number.digits < most]
    notes = tuple(
        f"{claim} was read {_with(most)} and excludes nothing"
        for claim in plain
        if claim.number.digits == most and _excludes_nothing(claim)
    )
    if not 0 < len(short) <= _MOST_NAMED:
        return notes
    padded = {claim.name: _padded(claim, most) for claim in short}
    verdict = ask(tuple(padded.get(claim.name, claim) for claim in reported))
    names = ", ".join(f"{claim} {_with(claim.number.digits)}" for claim in short)
    nothing = [claim.name for claim in short if _excludes_nothing(claim)]
    aside = f" ({', '.join(nothing)}: that excludes nothing)" if nothing else ""
    return (*notes, f"read as printed: {names}{aside}; {_with(most)}, as the others have, {_VERDICTS[verdict]}")


def _excludes_nothing(claim: Claim) -> bool:
    """Whether every value the score can have prints like this."""
    least, most = claim.quantity.range
    return least is not None and most is not None and claim.low <= least and claim.high >= most


def _is_plain(claim: Claim) -> bool:
    """Whether the digits say how a value was rounded: no eps was given, and they are not a machine's."""
    return claim.eps is None and machine_reach(claim.number.units, claim.number.scale) is None


def _with(digits: int) -> str:
    return f"with {dict(enumerate(_NUMBERS)).get(digits, digits)} decimal{'s' * (digits != 1)}"


def _padded(claim: Claim, digits: int) -> Claim:
    """The same value with more decimals, all of them zero, and its ± as it is."""
    _, _, after = claim.text.partition("±")
    percent = "%" in claim.text
    text = decimal_text(claim.number.units * 10 ** (digits - claim.number.digits), digits - 2 * percent)
    spread = f" ± {after.strip().rstrip('%')}" if after else ""
    again = report(claim.quantity, f"{text}{spread}{'%' if percent else ''}", rounding=claim.rounding)
    return replace(again, name=claim.name, spread=claim.spread)
