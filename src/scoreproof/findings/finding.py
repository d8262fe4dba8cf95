"""The finding (where, what, what instead, the nearest repair, its grounds, what to ask), and that of one answer.

Its sentences are made once, when it is made (``of_answer`` here, ``audits``); then they are put together as a card for
the terminal, a paragraph for a review, and LaTeX. The card for pages and notebooks is a template of ``pages``.

The finding of an answer comes from its explanation where there is one, else from what arithmetic alone tells: where a
score is no share of a whole number of cases, the sentence needs no explanation; elsewhere an answer without one says
what was asked and, where the kind has a sentence for it, why nothing fits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from textwrap import fill
from typing import TYPE_CHECKING, Any

from scoreproof.checking import Answer, Certificate, Verdict
from scoreproof.checking.answer import Fit, Tried
from scoreproof.findings.words import SIGNS, counted, cut, sentence, with_counts_in_words
from scoreproof.insight.conflicts import Conflict, Instead, conflict_alone
from scoreproof.insight.explanation import Explanation
from scoreproof.jsonable import Jsonable, document
from scoreproof.kinds import kind_named
from scoreproof.markup import escape_latex
from scoreproof.results import Result, listed, plain

if TYPE_CHECKING:
    from scoreproof.findings.picture import Picture

_MOST_NAMES = 8


@dataclass(frozen=True, slots=True)
class Where(Jsonable):
    """Where a finding stands: the paper, its table (``number`` from 1, 0 for none), the rows, and the cells at fault.

    ``rows`` and ``cells`` (line, column) count from 0 in the printed grid, header lines included.
    """

    paper: str = ""
    table: str = ""
    number: int = 0
    rows: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    cells: tuple[tuple[int, int], ...] = ()

    def __str__(self) -> str:
        shown = [cut(name, 60) for name in self.names[:_MOST_NAMES]]
        more = len(self.names) - len(shown)
        names = listed([*shown, f"{more} more"] if more > 0 else shown)
        return ", ".join(filter(None, (cut(self.table, 80), names)))


@dataclass(frozen=True, slots=True)
class Ground(Jsonable):
    """What a finding rests on: ``stated``, ``assumed``, ``read`` from the paper, or ``borne out`` by other rows.

    ``quote`` is the sentence it was read from, ``place`` where that stands.
    """

    how: str
    words: str
    quote: str = ""
    place: str = ""

    @property
    def said(self) -> str:
        """The sentence of the paper that says it, else the words and who says so."""
        if self.quote:
            return f"“{cut(self.quote, 300)}”{f', {self.place}' if self.place else ''}"
        return self.words if self.how == "borne out" else f"{self.words} ({self.how})"


@dataclass(frozen=True, slots=True)
class Finding(Result):
    """What cannot be as printed (``inconsistent``), or only if something is so that nobody stated (``question``).

    ``headline`` is one sentence with the numbers, ``why`` one line about what it means; ``instead`` is what could have
    been printed, ``repair`` the nearest report that would fit, which nobody proved; ``rests_on`` are the grounds,
    ``question`` is what to ask the authors. ``scores`` are those at fault as the problem calls them, ``called`` is what
    the paper calls them; ``also`` are places where the same numbers stand again. ``details`` is what else was found,
    title and sentences, of which a card shows nothing before it is unfolded.

    >>> import scoreproof as sp
    >>> answer = sp.check(sp.TestSet(p=96, n=200), {"sens": "0.871", "spec": "0.905"}, strict=True)
    >>> finding, = answer.explain(budget=1).findings
    >>> print(finding)
    inconsistent: sens 0.871 is not possible with 96 positives: 83 of 96 is 0.865, 84 of 96 is 0.875
    >>> finding.repair
    'sens 0.781, two digits swapped, would fit both numbers'
    """

    verdict: Verdict
    where: Where
    headline: str
    why: str = ""
    instead: Instead | None = None
    repair: str = ""
    rests_on: tuple[Ground, ...] = ()
    question: str = ""
    scores: tuple[str, ...] = ()
    called: Mapping[str, str] = field(default_factory=dict, hash=False)
    also: tuple[Where, ...] = ()
    details: tuple[tuple[str, tuple[str, ...]], ...] = ()
    answer: Answer[Any, Any] | None = None

    def at(self, table: int) -> tuple[Where, ...]:
        """The places in one table, which counts from 1."""
        return tuple(where for where in (self.where, *self.also) if where.number == table)

    def name(self, score: str) -> str:
        """What the paper calls a score."""
        return cut(self.called.get(score, score), 40)

    @property
    def certificate(self) -> Certificate | None:
        """The proof, which ``verify`` re-checks."""
        return None if self.answer is None else self.answer.certificate

    @property
    def picture(self) -> Picture | None:
        """How to draw it: a number line, the plane of confusion matrices, or parts beside their mean."""
        picture: Picture | None = import_module("scoreproof.findings.picture").picture_of(self)
        return picture

    def brief(self, *, pictured: bool = True) -> dict[str, Any]:
        """The document without the answer, for where that stands beside it."""
        picture = self.picture if pictured else None
        own = "verdict headline why repair question where also instead rests_on scores called details"
        return document(self, own, review=self.review(), picture=None if picture is None else picture.to_dict())

    def to_dict(self) -> dict[str, Any]:
        return {**self.brief(), "answer": None if self.answer is None else self.answer.to_dict()}

    def __str__(self) -> str:
        return f"{self.verdict}: {self.headline}"

    def text(self, width: int = 78) -> str:
        """The card for a terminal: place, headline, picture as a line of characters, repair, grounds, question."""
        place, picture = str(self.where), self.picture
        sign = SIGNS[str(self.verdict)]
        lines = [f"{sign.symbol} {sign.word}{f'  {place}' if place else ''}", f"  {sentence(self.headline)}"]
        drawn = "" if picture is None else picture.line(width - 4)
        lines += [f"  {drawing}" for drawing in drawn.splitlines()]
        lines += [f"  {name}: {sentence(words)}" for name, words in self._facts()]
        return "\n".join(fill(plain(line), width, subsequent_indent="    ", break_on_hyphens=False) for line in lines)

    def _facts(self) -> list[tuple[str, str]]:
        """What follows the headline, each with its name."""
        facts = [("Why", self.why), ("Would fit (not proved)", self.repair)]
        facts += [("Rests on", self._grounds()), ("Ask the authors", self.question)]
        return [(name, words) for name, words in facts if words]

    def _grounds(self) -> str:
        return "; ".join(ground.said for ground in self.rests_on)

    def review(self) -> str:
        """The paragraph for a review: what is proved, on what it rests, what would fit, what we ask."""
        place = f"{self.where}: " if str(self.where) else ""
        parts = [f"{place}{sentence(self.headline)}", sentence(self.why)]
        parts.append(sentence(f"This rests on the following: {self._grounds()}") if self.rests_on else "")
        parts.append(f"Not proved, but possible: {sentence(self.repair)}" if self.repair else "")
        parts.append(self.question)
        return " ".join(filter(None, parts))

    def latex(self) -> str:
        """The paragraph for a review as LaTeX."""
        return escape_latex(cut(self.review(), 800))

    def html(
        self, *, styled: bool = False, anchor: str = "", table: str = "", buttons: str = "", more: str = ""
    ) -> str:
        """The card as a piece of HTML; ``styled`` with a style sheet of its own, for where no page has one.

        ``anchor`` is its address in a page, ``table`` that of its table; ``buttons`` is markup for what a page's script
        does (copy, check, save), ``more`` markup that stands with what folds.
        """
        given = {"styled": styled, "anchor": anchor, "table": table, "buttons": buttons, "more": more}
        pages = import_module("scoreproof.pages.writer")
        return str(pages.write("card", finding=self, picture=self.picture, **given))

    def _repr_html_(self) -> str:
        return self.html(styled=True)


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
