"""How a method stands: against classifiers that look at nothing, among the others, and by the costs of its mistakes.

The random classifier says positive with the prevalence r as probability: F1 = r, accuracy r^2 + (1 - r)^2 and a
Matthews correlation of 0 on average. The majority classifier always says the larger class, the all-positive one always
positive (Lavazza and Morasca 2023, doi:10.1109/ACCESS.2023.3278996, sections II.B and II.C).

MC = C_FN FN + C_FP FP (section VI.A). Per case and in units of C_FP it is k fn + fp with the ratio k = C_FN / C_FP, a
line in k. The rates (fn, fp) of a method are only known to be mixtures of some corners, so its cost lies between two
lines' envelopes, and one method is certainly cheaper than another on an interval of k. Correct calls may cost (or
earn) something, too: a treated patient, a spared examination. ``CellCosts`` prices all four cells; the cost per case is
linear in the rates of the cells, so its range is that over the corners. A budget asks who certainly stays within it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice, product
from operator import mul
from typing import Any

from scoreproof.errors import InvalidOption
from scoreproof.insight.reconstruction import Reconstruction
from scoreproof.jsonable import Jsonable
from scoreproof.kinds.binary.scores import score
from scoreproof.kinds.unknown_classes.experiment import Range, above, below
from scoreproof.validation import exact, shown

CERTAIN, POSSIBLE, NO = "certainly", "possibly", "certainly not"


@dataclass(frozen=True, slots=True)
class Baseline(Jsonable):
    """A trivial classifier's score, and by how much the method exceeds it."""

    against: str
    score: str
    value: Range
    lead: Range

    _told = "* better"

    @property
    def better(self) -> str:
        """Whether the method is certainly, possibly or certainly not better."""
        if self.lead.low > 0:
            return CERTAIN
        return NO if self.lead.high is not None and self.lead.high <= 0 else POSSIBLE


def baselines(known: Reconstruction) -> tuple[Baseline, ...]:
    """The method against every trivial classifier whose score is known."""
    spans = known.ranges
    share = spans.get("prevalence")
    if share is None:
        return ()
    low, high = share.low, Fraction(1) if share.high is None else share.high
    rows = (
        ("random", "f1", Range(low, high), spans.get("f1 - random")),
        ("random", "acc", random_accuracy(low, high), spans.get("acc - random")),
        ("random", "mcc", Range(Fraction(0), Fraction(0)), spans.get("mcc")),
        ("all positive", "f1", Range(_all_positive_f1(low), _all_positive_f1(high)), spans.get("f1 - all positive")),
        ("all positive", "acc", Range(low, high), spans.get("acc - all positive")),
        ("majority", "acc", majority_accuracy(low, high), _over_both(spans)),
    )
    return tuple(Baseline(against, name, value, lead) for against, name, value, lead in rows if lead is not None)


def random_accuracy(low: Fraction, high: Fraction) -> Range:
    """r^2 + (1 - r)^2 over a range of prevalences.

    >>> random_accuracy(Fraction(1, 10), Fraction(1, 10)).low
    Fraction(41, 50)
    """
    ends = [r * r + (1 - r) ** 2 for r in (low, high)]
    return Range(Fraction(1, 2) if low <= Fraction(1, 2) <= high else min(ends), max(ends))


def majority_accuracy(low: Fraction, high: Fraction) -> Range:
    """max(r, 1 - r) over a range of prevalences."""
    ends = [max(r, 1 - r) for r in (low, high)]
    return Range(Fraction(1, 2) if low <= Fraction(1, 2) <= high else min(ends), max(ends))


def _all_positive_f1(share: Fraction) -> Fraction:
    return 2 * share / (1 + share)


def _over_both(spans: dict[str, Range]) -> Range | None:
    """The lead over the better one of always positive and always negative."""
    positive, other = spans.get("acc - all positive"), spans.get("acc - all negative")
    if positive is None or other is None or positive.high is None or other.high is None:
        return None
    return Range(min(positive.low, other.low), min(positive.high, other.high), False)


@dataclass(frozen=True, slots=True)
class Rank(Jsonable):
    """A method under one score: its value, and its best and its worst possible rank."""

    method: str
    value: Range
    rank: tuple[int, int]

    _told = "method value is_best rank"

    @property
    def is_best(self) -> str:
        """Whether the method is certainly, possibly or certainly not the best."""
        best, worst = self.rank
        return NO if best > 1 else CERTAIN if worst == 1 else POSSIBLE


@dataclass(frozen=True, slots=True)
class ClaimedBest(Jsonable):
    """Someone's conclusion: this method is the best by that score."""

    method: str
    by: str

    _told = "best=method by"

    def __str__(self) -> str:
        return f"{self.method} is best by {score(self.by).title}"


def ranks(values: dict[str, Range], *, rises: bool) -> tuple[Rank, ...]:
    """The rank of every method, the best first."""
    spans = list(values.items())
    rows = []
    for name, value in spans:
        ahead = [(span, value) if rises else (value, span) for other, span in spans if other != name]
        best = 1 + sum(surely_above(upper, lower) for upper, lower in ahead)
        worst = 1 + sum(_may_lie_above(upper, lower) for upper, lower in ahead)
        rows.append(Rank(name, value, (best, worst)))
    return tuple(sorted(rows, key=lambda row: (sum(row.rank), row.rank)))


def surely_above(upper: Range, lower: Range) -> bool:
    """Whether every value of one range lies above every value of the other."""
    return lower.high is not None and upper.low > lower.high


def _may_lie_above(upper: Range, lower: Range) -> bool:
    return upper.high is None or upper.high > lower.low


def dominating(values: dict[str, dict[str, Range]]) -> tuple[tuple[str, str], ...]:
    """The pairs (one, other) where the one certainly has the higher sensitivity and the higher specificity."""
    able = [name for name, spans in values.items() if "sens" in spans and "spec" in spans]
    return tuple(
        (better, other)
        for better in able
        for other in able
        if better != other and all(surely_above(values[better][part], values[other][part]) for part in ("sens", "spec"))
    )


def read_claim(claim: Any, methods: list[str]) -> ClaimedBest | None:
    """A claim from (method, score) or {"best": method, "by": score}."""
    if claim is None or isinstance(claim, ClaimedBest):
        return claim
    if isinstance(claim, dict):
        if set(claim) != {"best", "by"}:
            raise InvalidOption(f"claim: expected {{'best': METHOD, 'by': SCORE}}, got {shown(claim)}")
        claim = claim["best"], claim["by"]
    if not isinstance(claim, (tuple, list)) or len(claim) != 2:
        raise InvalidOption(f"claim: expected a pair (method, score), got {shown(claim)}")
    method, by = claim
    if method not in methods:
        raise InvalidOption(f"claim: no row is called {method!r}; the table has {', '.join(methods)}")
    return ClaimedBest(str(method), score(by).name)


Corner = tuple[Any, Any, Any, Any, Any]  # tp, fp, fn, tn and how many they are of
Errors = list[tuple[Fraction, Fraction]]  # rates (fn, fp)
_CELLS = ("tp", "fp", "fn", "tn")
_MOST_CORNERS = 50_000


def corners_of(known: Reconstruction) -> list[Corner]:
    """Cells of whose rates all that a method may have done is a mixture; of too many the rates of a box around."""
    corners = list(islice(known.corners(), _MOST_CORNERS + 1))
    if len(corners) <= _MOST_CORNERS:
        return [(*cells, sum(cells)) for cells in corners]
    least, most = (1, 1) if known.known == "rates" else known.total or (sum(known.classes or (1,)),) * 2
    spans = (known.ranges[name] for name in _CELLS)
    ends = ((span.low / most, Fraction(1 if span.high is None else span.high) / least) for span in spans)
    return [(tp, fp, fn, tn, 1) for tp, fp, fn, tn in product(*ends)]


def error_rates(corners: Iterable[Corner]) -> Errors:
    """The corners of the convex hull of the errors (fn, fp)."""
    ordered = sorted({(Fraction(fn, total), Fraction(fp, total)) for _, fp, fn, _, total in corners})
    if len(ordered) < 3:
        return ordered
    hull: Errors = []
    for sweep in (ordered, ordered[::-1]):
        start = len(hull)
        for point in sweep:
            while len(hull) >= start + 2 and _turn(hull[-2], hull[-1], point) <= 0:
                hull.pop()
            hull.append(point)
        hull.pop()
    return hull


def _turn(a: tuple[Fraction, Fraction], b: tuple[Fraction, Fraction], c: tuple[Fraction, Fraction]) -> Fraction:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


@dataclass(frozen=True, slots=True)
class Preference(Jsonable):
    """``cheaper`` costs less than ``than`` if the cost ratio is above ``low`` and below ``high`` (None: any)."""

    cheaper: str
    than: str
    low: Fraction
    high: Fraction | None

    _told = "cheaper than ratio_above=low ratio_below=high"

    def __str__(self) -> str:
        if self.low == 0 and self.high is None:
            return f"{self.cheaper} costs less than {self.than} whatever the costs"
        if self.high is None:
            ratios = f"above {above(self.low)}"
        else:
            ratios = (
                f"below {below(self.high)}" if self.low == 0 else f"between {above(self.low)} and {below(self.high)}"
            )
        return f"{self.cheaper} certainly costs less than {self.than} if C_FN/C_FP is {ratios}"


def cheaper(name: str, first: Errors, other: str, second: Errors) -> Preference | None:
    """The interval of cost ratios for which the first certainly costs less; None if there is none."""
    low, high = Fraction(0), None
    for fn, fp in first:
        for fn2, fp2 in second:
            gain, loss = fn2 - fn, fp - fp2  # less only if k * gain > loss
            if gain > 0:
                low = max(low, loss / gain)
            elif gain < 0:
                bound = loss / gain
                high = bound if high is None else min(high, bound)
            elif loss >= 0:
                return None
    if high is not None and high <= low:
        return None
    return Preference(name, other, low, high)


@dataclass(frozen=True, slots=True)
class CellCosts(Jsonable):
    """What a case costs in each cell; a negative cost is a gain."""

    tp: Fraction
    fp: Fraction
    fn: Fraction
    tn: Fraction

    def over(self, corners: Iterable[Corner]) -> Range:
        """The cost per case of everything that is a mixture of these.

        >>> read_costs({"fn": 10, "fp": 1}).over([(80, 10, 20, 90, 200)]).low
        Fraction(21, 20)
        """
        prices = (self.tp, self.fp, self.fn, self.tn)
        values = [Fraction(sum(map(mul, prices, cells)), total) for *cells, total in corners]
        return Range(min(values), max(values))

    def __str__(self) -> str:
        return ", ".join(f"{name} {float(value):g}" for name, value in self.to_dict().items() if value)


def read_ratio(ratio: Any) -> Fraction | None:
    """A cost ratio C_FN / C_FP: a positive number."""
    if ratio is None:
        return None
    read = exact("cost_ratio", ratio, wanted="a positive number C_FN / C_FP")
    if read <= 0:
        raise InvalidOption(f"cost_ratio: expected a positive number C_FN / C_FP, got {shown(ratio)}")
    return read


def read_costs(costs: Any) -> CellCosts | None:
    """Costs per case of some cells, the others free: {"fn": 10, "fp": 1, "tp": 0.5} or "fn=10,fp=1,tp=0.5"."""
    if costs is None or isinstance(costs, CellCosts):
        return costs
    if isinstance(costs, str):
        parts = [part.partition("=") for part in costs.split(",") if part.strip()]
        costs = {name.strip().lower(): value.strip() for name, _, value in parts}
    if not isinstance(costs, Mapping) or not costs or any(name not in _CELLS for name in costs):
        raise InvalidOption(f"costs: expected prices of tp, fp, fn, tn such as fn=10,fp=1, got {shown(costs)}")
    prices = {name: exact(f"cost of {name}", value) for name, value in costs.items()}
    if not any(prices.values()):
        raise InvalidOption("costs: all are 0, so every method costs the same; give at least one")
    return CellCosts(*(prices.get(name, Fraction(0)) for name in _CELLS))


def read_budget(budget: Any) -> Fraction | None:
    """The cost per case that must not be exceeded."""
    return None if budget is None else exact("cost_budget", budget)


def within(span: Range, budget: Fraction) -> str:
    """Whether a cost certainly, possibly or certainly not stays within a budget."""
    if span.high is not None and span.high <= budget:
        return CERTAIN
    return POSSIBLE if span.low <= budget else NO
