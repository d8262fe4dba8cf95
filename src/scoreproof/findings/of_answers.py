"""The finding of one answer: from its explanation where there is one, else from what arithmetic alone tells.

Where a score is no share of a whole number of cases, the sentence needs no explanation; elsewhere an answer without
one says what was asked and, where the kind has a sentence for it, why nothing fits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from scoreproof.checking import Answer, Verdict
from scoreproof.checking.unsaid import Fit, Tried
from scoreproof.findings.finding import Finding, Ground, Where
from scoreproof.findings.words import counted, with_counts_in_words
from scoreproof.insight.conflicts import Conflict, conflict_alone
from scoreproof.insight.explanation import Explanation
from scoreproof.kinds import kind_named
from scoreproof.results import listed

_MOST_ITEMS = 8
Say = Callable[[str], str]
Details = tuple[tuple[str, tuple[str, ...]], ...]


def of_answer(
    answer: Answer[Any, Any],
    explanation: Explanation | None = None,
    *,
    where: Where | None = None,
    rests_on: Sequence[Ground] | None = None,
    verdict: Verdict | None = None,
    condition: str = "",
    say: Say = str,
    called: Mapping[str, str] | None = None,
) -> tuple[Finding, ...]:
    """The finding of an answer that is impossible as stated, in a tuple; none of others.

    ``condition`` is what has to be so for a question to be impossible; ``say`` puts sentences into the paper's names,
    ``called``.

    >>> import scoreproof as sp
    >>> [finding.headline for finding in of_answer(sp.check(sp.TestSet(10, 20), {"acc": "0.95"}))]
    ['acc 0.95 is not possible with 30 cases: 28 of 30 is 0.93, 29 of 30 is 0.97']
    """
    if not answer.verdict.impossible:
        return ()
    sort = verdict or answer.verdict
    conflict = _conflict(answer, explanation)
    headline = conflict.words if conflict is not None else _as_a_whole(answer)
    repair = "" if explanation is None else explanation.repair
    grounds = (stated(answer),) if rests_on is None else tuple(rests_on)
    scores = conflict.scores if conflict is not None else tuple(claim.name for claim in answer.used)
    why = "" if answer.condition == "" or sort is not Verdict.QUESTION or condition else answer.condition
    return (
        Finding(
            sort,
            where or Where(),
            say(with_counts_in_words(headline)),
            say(
                "; ".join(
                    filter(None, (_because(answer, conflict), f"this holds only if {condition}" if condition else why))
                )
            ),
            None if conflict is None else conflict.instead,
            say(with_counts_in_words(repair)),
            grounds,
            _question(answer, explanation, where or Where(), condition, say),
            scores,
            called or {},
            (),
            _details(answer, explanation, say),
            answer,
        ),
    )


def stated(answer: Answer[Any, Any]) -> Ground:
    """What the user said of the experiment."""
    return Ground("stated", with_counts_in_words(answer.subject))


def _conflict(answer: Answer[Any, Any], explanation: Explanation | None) -> Conflict | None:
    if explanation is not None and explanation.conflicts:
        return explanation.conflicts[0]
    return conflict_alone(answer.problem)


def _because(answer: Answer[Any, Any], conflict: Conflict | None) -> str:
    """What explains a conflict that says nothing of why: the identity that the whole report breaks, or the reason."""
    if conflict is None or conflict.identity or conflict.instead is not None:
        return ""
    return kind_named(answer.problem.kind).identity(answer.problem, answer.problem.claims) or answer.reason


def _as_a_whole(answer: Answer[Any, Any]) -> str:
    """That the numbers do not fit, with the one sentence of why where the kind has it."""
    numbers = ", ".join(f"{claim.name} {claim.text}" for claim in answer.claims) or "what is printed"
    because = f": {answer.reason}" if answer.reason else ""
    return f"{numbers} cannot come from {with_counts_in_words(answer.subject)}{because}"


def _question(answer: Answer[Any, Any], explanation: Explanation | None, where: Where, condition: str, say: Say) -> str:
    """What to ask the authors: about the slip that would fit, about what was not stated, or about the description."""
    row = f" in “{where.names[0]}”" if len(where.names) == 1 else ""
    repairs = () if explanation is None else explanation.repairs
    slip = ""
    if repairs:
        changes = repairs[0].changes
        be, were, it = ("is", "it was", "it") if len(changes) == 1 else ("are", "they were", "they")
        printed = listed(f"{change.score} {change.printed}" for change in changes)
        slip = f"{be} {printed}{row} as {were} computed, or should {it} be {listed(c.repaired for c in changes)}?"
    elif (conflict := _conflict(answer, explanation)) is not None and conflict.instead is not None:
        slip = f"is {conflict.instead.score} {conflict.instead.printed}{row} as it was computed, and from which counts?"
    if condition:
        return say(f"Is it right that {condition}?{f' If so, {slip}' if slip else ''}")
    fitting = [tried for tried in answer.conventions if tried.answer in (Fit.FITS, Fit.NOTHING_LEFT)]
    if fitting:
        return f"Is it the case that {with_counts_in_words(fitting[0].condition)}?"
    if slip:
        return say(slip[0].upper() + slip[1:])
    sizes = with_counts_in_words(answer.subject)
    return (
        f"Were the numbers{row} computed on what the text describes ({sizes}), and how were they averaged and rounded?"
    )


def _details(answer: Answer[Any, Any], explanation: Explanation | None, say: Say) -> Details:
    """What a card shows when it is unfolded: further conflicts and repairs, other assumptions, what was not tried."""
    tried = answer.conventions if explanation is None else (*answer.conventions, *explanation.hypotheses)
    conflicts, repairs, untried, told = (
        ((), (), (), "")
        if explanation is None
        else (explanation.conflicts[1:], explanation.repairs[1:], explanation.untried, explanation.repair)
    )
    fitting = [each.condition for each in tried if each.answer is Fit.FITS]
    titled = (
        ("Also impossible (proved)", [with_counts_in_words(conflict.words) for conflict in conflicts]),
        ("Would fit, too (not proved)", [str(repair) for repair in repairs]),
        ("Would fit if (not proved)", [with_counts_in_words(words) for words in fitting if not told.endswith(words)]),
        ("Tried, does not help", _labels(tried, Fit.DOES_NOT_FIT)),
        ("Not decided in time", [*_labels(tried, Fit.UNDECIDED), *untried]),
    )
    return tuple((title, _shortened([*dict.fromkeys(map(say, items))])) for title, items in titled if items)


def _labels(tried: Sequence[Tried], answer: Fit) -> list[str]:
    return list(dict.fromkeys(each.label for each in tried if each.answer is answer))


def _shortened(items: Sequence[str]) -> tuple[str, ...]:
    more = len(items) - _MOST_ITEMS
    return (*items[:_MOST_ITEMS], f"and {counted(more, 'more', 'more')}") if more > 0 else tuple(items)
