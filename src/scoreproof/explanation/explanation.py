"""Why a report is impossible and what would make it possible, in words that accuse nobody."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from scoreproof.checking import Verdict
from scoreproof.explanation.conflicts import Conflict
from scoreproof.explanation.hypotheses import Fit, Tried
from scoreproof.explanation.repairs import Repair
from scoreproof.jsonable import rebuilt
from scoreproof.notebook import html_list, html_words
from scoreproof.results import Result

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
        if self.verdict is not Verdict.INCONSISTENT:
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
        hypotheses = tuple(Tried.from_dict(tried, kind) for tried in document["hypotheses"])
        return rebuilt(cls, {**document, "repairs": repairs, "hypotheses": hypotheses})

    def __str__(self) -> str:
        if self.verdict is not Verdict.INCONSISTENT:
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
        if self.verdict is not Verdict.INCONSISTENT:
            return html_words(self.summary)
        return html_list(self.proved, "Proved") + html_list(self.conjectured, "Possible, not proved")
