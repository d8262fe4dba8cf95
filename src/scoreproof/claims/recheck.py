"""What re-checking a claim reads and what it gives: a standing, what would reproduce it, what would have to hold.

Texts ("0.84 ± 0.03", a p-value, a number; those of intervals are read by ``reported.printed_text``) that can be read
in one way only are read; the rest is refused with what to write instead. Numbers keep their digits.

``impossible`` and ``certain`` are said of what is claimed under the assumptions that are named. Where whole numbers
decide, ``impossible`` comes with a certificate. Where a normal, t, F or studentized range tail decides, it comes
without one, and only if the claim is off by more than the guard band below; what lies within the band is
``possible``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any

from scoreproof.checking import Answer, Certificate, Verdict, ask, with_conventions
from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.kinds.kind import Problem
from scoreproof.kinds.value_spread import DEVIATION, MEAN
from scoreproof.quantities import Quantity
from scoreproof.reported import Claim, report
from scoreproof.reported.conventions import Conventions
from scoreproof.reported.number import read_text
from scoreproof.reported.printed_text import NUMBER, PrintedP, decimal, plain
from scoreproof.results import Result, SmallTable
from scoreproof.validation import Doc, Setting, exact, settings_of, whole
from scoreproof.validation import shown as repr_of
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
    if all(stand is Standing.IMPOSSIBLE for stand in standings):
        return Standing.IMPOSSIBLE
    return Standing.CERTAIN if all(stand is Standing.CERTAIN for stand in standings) else Standing.POSSIBLE


_LEAST_LEVEL = Fraction(1, 10**12)
_SPREAD = re.compile(
    rf"\$?\s*(?P<value>-?{NUMBER})\s*(?P<percent>%)?\s*(?:±|\+/-|\+-|\\pm)\s*(?P<spread>{NUMBER})\s*(?P<percent2>%)?\s*\$?"
)

First = Annotated[str, Doc("The first value as printed, with its ± if the test needs it.")]
Second = Annotated[str, Doc("The second value as printed.")]
PText = Annotated[str, Doc("The p-value as printed: 0.03, 'p<0.05'.")]
Folds = Annotated[int, Doc("Over how many folds, pairs or values it is.")]
Sizes = Annotated[int | Sequence[int], Doc("Cases or values behind each; two numbers with a comma if they differ.")]
Level = Annotated[Any, Doc("The level of the interval; 0.95, or what the text says.")]
Alpha = Annotated[float, Doc("The level of the tests.")]
Positives = Annotated[int | None, Doc("Positives.")]
Negatives = Annotated[int | None, Doc("Negatives.")]
Sides = Annotated[str, Doc("two, one, or any.")]
RoundingWord = Annotated[str, Doc("How printed numbers were cut to digits: any, nearest, floor or ceil.")]
DecimalComma = Annotated[bool, Doc("Read 0,912 as 0.912.")]
Strict = Annotated[bool, Doc("Admit no convention that was not stated, however common.")]


def level_of(given: Any, printed: str | None) -> str:
    """The level as a text: the printed one, the given one, 0.95; an error if the two differ."""
    if given is None:
        return printed or "0.95"
    level = exact("level", given, wanted="a number in (0, 1) such as 0.95")
    if not _LEAST_LEVEL <= level <= 1 - _LEAST_LEVEL:
        raise InvalidOption(f"level: expected a number in (0, 1) such as 0.95, got {repr_of(given)}")
    if printed is not None and level != Fraction(printed):
        raise InvalidOption(f"level: the text says {printed} and the option {given}; give one of them")
    return given if isinstance(given, str) and "/" not in given else decimal(str(level)) or ""


def read_spread(text: Any, what: str = "value") -> tuple[str, str]:
    """Read a value and what follows its ±; a percent sign holds for both.

    >>> read_spread("91.2 ± 0.4%"), read_spread("$0.84 \\\\pm 0.03$")
    (('91.2%', '0.4%'), ('0.84', '0.03'))
    """
    wanted = "a value with its spread such as '0.84 ± 0.03'"
    match = _SPREAD.fullmatch(plain(text, what, wanted))
    if match is None:
        raise InvalidValue(f"{what}: expected {wanted}, got {text[:60]!r}")
    percent = "%" if match["percent"] or match["percent2"] else ""
    return match["value"] + percent, match["spread"] + percent


def claim_of(quantity: Quantity, name: str, value: Any, *, rounding: Any = None, decimal_comma: bool = False) -> Claim:
    """A printed number as a claim under a name."""
    if isinstance(value, str):
        value = plain(value, name, "the text of a number")
        if read_text(name, value, decimal_comma=decimal_comma).spread is not None:
            raise InvalidValue(f"{name}: expected a number alone, got {repr_of(value)}, which has a ±")
    try:
        claim = report(quantity, value, rounding=rounding, decimal_comma=decimal_comma)
    except InvalidValue as error:
        raise InvalidValue(str(error).replace(f"{quantity.name}: ", f"{name}: ", 1)) from None
    return replace(claim, name=name)


def ends(claim: Claim) -> tuple[float, float]:
    """The interval of a claim as floats."""
    return float(claim.low), float(claim.high)


def mean_and_spread(text: Any, name: str, rounding: str) -> tuple[tuple[float, float], tuple[float, float]]:
    """The intervals of a mean and of what follows its ±."""
    mean, spread = read_spread(text, name)
    low, high = ends(claim_of(DEVIATION, f"± of {name}", spread, rounding=rounding))
    return ends(claim_of(MEAN, name, mean, rounding=rounding)), (max(0.0, low), high)


def apart(first: tuple[float, float], other: tuple[float, float]) -> tuple[float, float]:
    """The least and the greatest distance of two numbers that lie in intervals.

    >>> apart((1, 2), (4, 6)), apart((1, 3), (2, 4))
    ((2, 5), (0.0, 3))
    """
    low, high = first[0] - other[1], first[1] - other[0]
    return (0.0 if low <= 0 <= high else min(abs(low), abs(high))), max(abs(low), abs(high))


def pair_of_sizes(n: Any, *, at_least: int = 1, at_most: int | None = None) -> tuple[int, int]:
    """The sizes of two groups, given as one or as a pair."""
    sizes = tuple(n) if isinstance(n, Sequence) and not isinstance(n, str) else (n, n)
    if len(sizes) != 2:
        raise InvalidOption(f"n: expected one size or a pair of sizes, got {repr_of(n)}")
    first, second = (whole("n", size, at_least=at_least, at_most=at_most) for size in sizes)
    return first, second


def by_name(given: Any, what: str, wanted: str, *, at_least: int = 1) -> dict[str, Any]:
    """Printed values by their names, or by their places from 1."""
    if isinstance(given, str) or not isinstance(given, Mapping | Sequence) or len(given) < at_least:
        raise InvalidValue(f"{what}: expected {wanted}, got {repr_of(given)}")
    return dict(given) if isinstance(given, Mapping) else {str(place): text for place, text in enumerate(given, 1)}


def of_tests(claim: str, ranges: Mapping[str, tuple[float, float]], p: PrintedP, assumes: tuple[str, ...]) -> Recheck:
    """A printed p-value where each test that may have been used gives one between two."""
    standings = {name: standing(*own, p) for name, own in ranges.items()}
    fits = tuple(
        Reproduction(name, {}, f"p between {shown(ranges[name][0])} and {shown(ranges[name][1])}")
        for name, stand in standings.items()
        if stand is not Standing.IMPOSSIBLE
    )
    low, high = min(own[0] for own in ranges.values()), max(own[1] for own in ranges.values())
    words = f"p lies between {shown(low)} and {shown(high)}"
    return Recheck(claim, among(list(standings.values())), words, "p", (low, high), fits, assumes=assumes)


def least_correlation(s1: float, s2: float, widest: float) -> tuple[str, ...]:
    """The correlation at which a difference has no larger standard deviation than that, where one does."""
    needed = (s1 * s1 + s2 * s2 - widest * widest) / (2 * s1 * s2) if s1 * s2 else math.inf
    return (f"a correlation of at least {math.floor(100 * needed) / 100:.2f}",) if -1 < needed <= 1 else ()


def settings_of_claim(name: str) -> dict[str, Setting]:
    """What the function of a claim can be told."""
    from scoreproof import claims

    return settings_of(getattr(claims, name))


def recheck(name: str, settings: Mapping[str, Any]) -> Recheck:
    """Re-check a claim by the name of its function; what it cannot do without is asked for in words."""
    from scoreproof import claims

    missing = [key for key, setting in settings_of_claim(name).items() if setting.required and key not in settings]
    if missing:
        raise InvalidOption(f"{name}: expected {', '.join(missing)} as well")
    rechecked: Recheck = getattr(claims, name)(**settings)
    return rechecked
