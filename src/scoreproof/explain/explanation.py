"""Why a report is impossible and what would make it possible, in words that accuse nobody."""

from __future__ import annotations

import html
import json
from dataclasses import dataclass
from typing import Any

from scoreproof.explain.conflicts import Conflict
from scoreproof.explain.hypotheses import Fit, Tried
from scoreproof.explain.repairs import Repair
from scoreproof.verdict import Verdict

_CONFLICTS_SHOWN = 3
_REPAIRS_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Explanation:
    """What is proved about a report, and what may lie behind it.

    ``conflicts`` are proved. ``repairs`` and ``hypotheses`` are conjecture: each fits, none is known to be what
    happened. ``untried`` names what the budget did not reach.
    """

    verdict: Verdict
    report: str
    experiment: str
    conflicts: tuple[Conflict, ...] = ()
    repairs: tuple[Repair, ...] = ()
    hypotheses: tuple[Tried, ...] = ()
    untried: tuple[str, ...] = ()

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
        if self.verdict is Verdict.CONSISTENT:
            return f"Nothing to explain: {self.report} can come from {self.experiment}."
        if self.verdict is Verdict.UNDECIDED:
            return f"Not decided whether {self.report} can come from {self.experiment}; there is no sign of a mistake."
        first = self.conflicts[0].words if self.conflicts else f"{self.report} cannot come from {self.experiment}"
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
        words = [conflict.words for conflict in self.conflicts]
        more = [f"and {len(words) - _CONFLICTS_SHOWN} more such conflicts"] if len(words) > _CONFLICTS_SHOWN else []
        return (whole, *words[:_CONFLICTS_SHOWN], *more)

    @property
    def conjectured(self) -> tuple[str, ...]:
        """What would make the report possible; possibilities, not findings."""
        repairs = [f"it would fit with {repair}" for repair in self.repairs[:_REPAIRS_SHOWN]]
        return (*repairs, *(f"it would fit if: {one}" for one in self.fitting))

    def to_dict(self) -> dict[str, Any]:
        return {
            "verdict": str(self.verdict),
            "report": self.report,
            "experiment": self.experiment,
            "summary": self.summary,
            "conflicts": [conflict.to_dict() for conflict in self.conflicts],
            "repairs": [repair.to_dict() for repair in self.repairs],
            "hypotheses": [one.to_dict() for one in self.hypotheses],
            "proved": list(self.proved),
            "conjectured": list(self.conjectured),
            "complete": self.complete,
            "untried": list(self.untried),
        }

    def to_json(self, *, indent: int | None = None) -> str:
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False)

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
            return f"<p>{html.escape(self.summary)}</p>"
        parts = []
        for title, words in (("Proved", self.proved), ("Possible, not proved", self.conjectured)):
            items = "".join(f"<li>{html.escape(line)}</li>" for line in words)
            parts.append(f"<p><strong>{title}</strong></p><ul>{items}</ul>" if items else "")
        return "".join(parts)
