"""The finding as a value: where, what, what instead, the nearest repair, on what it rests, and what to ask.

Its sentences are made once, when it is made (``of_answers``, ``audits``); here they are put together as a card for the
terminal, a paragraph for a review, and LaTeX. The card for pages and notebooks is a template of ``pages``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from textwrap import fill
from typing import TYPE_CHECKING, Any

from scoreproof.checking import Answer, Certificate, Verdict
from scoreproof.findings.words import SIGNS, cut, sentence
from scoreproof.insight.conflicts import Instead
from scoreproof.jsonable import Jsonable, document
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

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Finding:
        instead, answer = document.get("instead"), document.get("answer")
        return cls(
            Verdict(document["verdict"]),
            Where.from_dict(document["where"]),
            document["headline"],
            document["why"],
            None if instead is None else Instead.from_dict(instead),
            document["repair"],
            tuple(map(Ground.from_dict, document["rests_on"])),
            document["question"],
            tuple(document["scores"]),
            dict(document["called"]),
            tuple(map(Where.from_dict, document["also"])),
            tuple((title, tuple(items)) for title, items in document["details"]),
            None if answer is None else Answer.from_dict(answer),
        )

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
        said = [("Why", self.why), ("Would fit (not proved)", self.repair)]
        said += [("Rests on", self._grounds()), ("Ask the authors", self.question)]
        return [(name, words) for name, words in said if words]

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
