"""What re-checking a claim gives: a standing, what would reproduce it, what would have to hold, and what was assumed.

``impossible`` and ``certain`` are said of what is claimed under the assumptions that are named. Where whole numbers
decide, ``impossible`` comes with a certificate. Where a normal, t, F or studentized range tail decides, it comes
without one, and only if the claim is off by more than the guard band below; what lies within the band is
``possible``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from importlib import import_module
from typing import TYPE_CHECKING, Any

from scoreproof.checking import Answer, Certificate, Verdict, ask, with_conventions
from scoreproof.kinds.kind import Problem
from scoreproof.reported.conventions import Conventions
from scoreproof.reported.printed_text import PrintedP
from scoreproof.results import Result, SmallTable
from scoreproof.work.budget import Budget

if TYPE_CHECKING:
    from scoreproof.findings import Finding

GUARD = 1e-9  # relative, and never less than GUARD**2
_SECONDS = 2.0


class Standing(StrEnum):
    """How a claim stands."""

    IMPOSSIBLE = "impossible"
    CERTAIN = "certain"
    POSSIBLE = "possible"
    UNEXPLAINED = "unexplained"


@dataclass(frozen=True, slots=True)
class Reproduction(Result):
    """A method that gives what is printed, and the counts with which it does."""

    method: str
    with_counts: Mapping[str, int]
    words: str = ""

    def __str__(self) -> str:
        counts = ", ".join(f"{name} = {value:,}" for name, value in self.with_counts.items())
        return ": ".join(filter(None, (self.method, self.words or counts)))


@dataclass(frozen=True, slots=True)
class Recheck(Result):
    """A claim beside what can have been.

    ``range`` is that of the quantity that ``of`` names (p, n, the standard deviation); ``methods`` reproduce what is
    printed; ``needs`` says what would have to hold; ``assumes`` what was taken for granted; ``answer`` is that of the
    problem in whole numbers, where there is one, and has the certificate; ``decision`` says whether what is concluded
    at the level of the test "stands" or "changes", where that is known.
    """

    claim: str
    verdict: Standing
    words: str
    of: str = "p"
    range: tuple[float, float] | None = None
    methods: tuple[Reproduction, ...] = ()
    needs: tuple[str, ...] = ()
    assumes: tuple[str, ...] = ()
    answer: Answer[Any, Any] | None = None
    decision: str = ""

    @property
    def certificate(self) -> Certificate | None:
        """The proof that it is impossible, where whole numbers decide; ``verify`` re-checks it."""
        return None if self.answer is None else self.answer.certificate

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The finding, if the claim is impossible; a question where nothing is proved in whole numbers."""
        return tuple(import_module("scoreproof.findings").of_recheck(self))

    def __str__(self) -> str:
        return f"{self.verdict}: {self.claim}: {self.words}"

    def _repr_html_(self) -> str:
        """The card, if it is impossible; else the sentence and its table."""
        return "".join(finding._repr_html_() for finding in self.findings) or Result._repr_html_(self)

    def _tables(self) -> list[SmallTable]:
        rows: list[tuple[str, str]] = []
        if self.range is not None and self.range[0] != self.range[1]:
            rows.append((f"{self.of} between", f"{shown(self.range[0])} and {shown(self.range[1])}"))
        rows += [("reproduced by", str(method)) for method in self.methods[:8]]
        rows += [("reproduced by", f"and {len(self.methods) - 8} more")] if len(self.methods) > 8 else []
        rows += [*(("would need", need) for need in self.needs), *(("assumed", it) for it in self.assumes)]
        rows += [("certificate", "yes: anyone can check it again")] if self.certificate is not None else []
        return [SmallTable(rows)] if rows else []


def shown(value: float) -> str:
    """A number as it stands in a sentence.

    >>> shown(0.0625), shown(3.2e-11), shown(397.0)
    ('0.0625', '3.2e-11', '397')
    """
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:,.0f}"


def slack(value: float) -> float:
    """How far floats may be off here."""
    return max(GUARD * abs(value), GUARD**2)


def meets(low: float, high: float, first: float, last: float) -> bool:
    """Whether two intervals meet, or nearly do."""
    return low - slack(low) <= last + slack(last) and first - slack(first) <= high + slack(high)


def within(low: float, high: float, first: float, last: float) -> bool:
    """Whether one interval surely lies within another."""
    return low > first + slack(first) and high < last - slack(last)


def standing(low: float, high: float, p: PrintedP) -> Standing:
    """How a printed p-value stands when the test gives one between two."""
    first, last = float(p.low), float(p.high)
    if not meets(low, high, first, last):
        return Standing.IMPOSSIBLE
    sure = {"<": high < last - slack(last), ">": low > first + slack(first)}.get(p.relation, False)
    return Standing.CERTAIN if sure or within(low, high, first, last) else Standing.POSSIBLE


def proved(problem: Problem) -> Answer[Any, Any] | None:
    """The answer to a problem in whole numbers, if it is a refutation."""
    answer = ask(problem, budget=_SECONDS)
    return answer if answer.verdict is Verdict.INCONSISTENT else None


def excused(recheck: Recheck, how: Conventions) -> Recheck:
    """What is impossible as stated, as unexplained where a convention that nobody stated would let it pass."""
    if recheck.verdict is not Standing.IMPOSSIBLE or recheck.answer is None:
        return recheck
    answer = with_conventions(recheck.answer, how, Budget.of_work(_SECONDS))
    if answer.verdict is not Verdict.QUESTION:
        return replace(recheck, answer=answer)
    return replace(recheck, verdict=Standing.UNEXPLAINED, words=f"{recheck.words}; {answer.condition}", answer=answer)


def among(standings: Sequence[Standing]) -> Standing:
    """How a claim stands that may have come about in several ways: impossible, or certain, only if it is in all."""
    if all(one is Standing.IMPOSSIBLE for one in standings):
        return Standing.IMPOSSIBLE
    return Standing.CERTAIN if all(one is Standing.CERTAIN for one in standings) else Standing.POSSIBLE
