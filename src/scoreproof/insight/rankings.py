"""How methods stand: against classifiers that look at nothing, among each other, by costs, and on one test set or not.

The random classifier says positive with the prevalence r as probability: F1 = r, accuracy r^2 + (1 - r)^2 and a
Matthews correlation of 0 on average. The majority classifier always says the larger class, the all-positive one always
positive (Lavazza and Morasca 2023, doi:10.1109/ACCESS.2023.3278996, sections II.B and II.C).

The cost C_FN FN + C_FP FP (section VI.A) is per case, in units of C_FP, a line k fn + fp in the ratio k = C_FN / C_FP.
The rates (fn, fp) of a method are only known to be mixtures of some corners, so its cost lies between two lines'
envelopes, and one method is certainly cheaper than another on an interval of k. ``CellCosts`` prices all four cells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, islice, permutations, product
from operator import mul
from typing import Any

from scoreproof.checking.check import check
from scoreproof.errors import InvalidOption
from scoreproof.insight.reconstruction import Reconstruction
from scoreproof.jsonable import Jsonable, document
from scoreproof.kinds.binary.experiment import TestSet
from scoreproof.kinds.binary.scores import score
from scoreproof.kinds.unknown_classes.experiment import Range, above, below
from scoreproof.kinds.unknown_classes.matrices import smallest
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


#: Trivial classifiers: a score of theirs by the prevalence, and the quantity that is a method's lead over it.
_TRIVIAL: tuple[tuple[str, str, Callable[[Fraction], Fraction], str], ...] = (
    ("random", "f1", lambda r: r, "f1 - random"),
    ("random", "acc", lambda r: r * r + (1 - r) ** 2, "acc - random"),
    ("random", "mcc", lambda r: Fraction(0), "mcc"),
    ("all positive", "f1", lambda r: 2 * r / (1 + r), "f1 - all positive"),
    ("all positive", "acc", lambda r: r, "acc - all positive"),
    ("majority", "acc", lambda r: max(r, 1 - r), "acc - majority"),
)
_HALF = Fraction(1, 2)


def baselines(known: Reconstruction) -> tuple[Baseline, ...]:
    """The method against every trivial classifier whose score is known."""
    spans = dict(known.ranges)
    share = spans.get("prevalence")
    if share is None:
        return ()
    ends = [share.low, Fraction(1) if share.high is None else share.high]
    ends += [_HALF] if ends[0] <= _HALF <= ends[1] else []  # where a score does not rise with r, its least is there
    positive, other = spans.get("acc - all positive"), spans.get("acc - all negative")
    if positive and other and positive.high is not None and other.high is not None:
        spans["acc - majority"] = Range(min(positive.low, other.low), min(positive.high, other.high), False)
    rows = ((against, name, [*map(value, ends)], spans.get(lead)) for against, name, value, lead in _TRIVIAL)
    return tuple(
        Baseline(against, name, Range(min(values), max(values)), lead) for against, name, values, lead in rows if lead
    )


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
    rows = []
    for name, value in values.items():
        others = [span for other, span in values.items() if other != name]
        ahead = [(span, value) if rises else (value, span) for span in others]
        best = 1 + sum(surely_above(upper, lower) for upper, lower in ahead)
        worst = 1 + sum(upper.high is None or upper.high > lower.low for upper, lower in ahead)
        rows.append(Rank(name, value, (best, worst)))
    return tuple(sorted(rows, key=lambda row: (sum(row.rank), row.rank)))


def surely_above(upper: Range, lower: Range) -> bool:
    """Whether every value of one range lies above every value of the other."""
    return lower.high is not None and upper.low > lower.high


def dominating(values: dict[str, dict[str, Range]]) -> tuple[tuple[str, str], ...]:
    """The pairs (one, other) where the one certainly has the higher sensitivity and the higher specificity."""
    able = [name for name, spans in values.items() if "sens" in spans and "spec" in spans]
    return tuple(
        (better, other)
        for better, other in permutations(able, 2)
        if all(surely_above(values[better][part], values[other][part]) for part in ("sens", "spec"))
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
    if claim[0] not in methods:
        raise InvalidOption(f"claim: no row is called {claim[0]!r}; the table has {', '.join(methods)}")
    return ClaimedBest(str(claim[0]), score(claim[1]).name)


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
    for sweep in (ordered, ordered[::-1]):  # Andrew (1979), doi:10.1016/0020-0190(79)90072-3
        side: Errors = []
        for x, y in sweep:
            while len(side) >= 2:
                (x1, y1), (x2, y2) = side[-2:]
                if (x2 - x1) * (y - y1) > (y2 - y1) * (x - x1):
                    break
                side.pop()
            side.append((x, y))
        hull += side[:-1]
    return hull


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
        least, most = above(self.low), "" if self.high is None else below(self.high)
        ratios = f"between {least} and {most}" if self.low and most else f"below {most}" if most else f"above {least}"
        return f"{self.cheaper} certainly costs less than {self.than} if C_FN/C_FP is {ratios}"


def cheaper(name: str, first: Errors, other: str, second: Errors) -> Preference | None:
    """The interval of cost ratios for which the first certainly costs less; None if there is none."""
    lows, highs = [Fraction(0)], list[Fraction]()
    for (fn, fp), (fn2, fp2) in product(first, second):
        gain, loss = fn2 - fn, fp - fp2  # less only if k * gain > loss
        if gain:
            (lows if gain > 0 else highs).append(loss / gain)
        elif loss >= 0:
            return None
    low, high = max(lows), min(highs, default=None)
    return None if high is not None and high <= low else Preference(name, other, low, high)


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
    read = None if ratio is None else exact("cost_ratio", ratio, wanted="a positive number C_FN / C_FP")
    if read is not None and read <= 0:
        raise InvalidOption(f"cost_ratio: expected a positive number C_FN / C_FP, got {shown(ratio)}")
    return read


def read_costs(costs: Any) -> CellCosts | None:
    """Costs per case of some cells, the others free: {"fn": 10, "fp": 1, "tp": 0.5} or "fn=10,fp=1,tp=0.5"."""
    if costs is None or isinstance(costs, CellCosts):
        return costs
    if isinstance(costs, str):
        parts = (part.partition("=") for part in costs.split(",") if part.strip())
        costs = {name.strip().lower(): value.strip() for name, _, value in parts}
    if not isinstance(costs, Mapping) or not costs or any(name not in _CELLS for name in costs):
        raise InvalidOption(f"costs: expected prices of tp, fp, fn, tn such as fn=10,fp=1, got {shown(costs)}")
    prices = {name: exact(f"cost of {name}", value) for name, value in costs.items()}
    if not any(prices.values()):
        raise InvalidOption("costs: all are 0, so every method costs the same; give at least one")
    return CellCosts(*(prices.get(name, Fraction(0)) for name in _CELLS))


def within(span: Range, budget: Fraction) -> str:
    """Whether a cost certainly, possibly or certainly not stays within a budget."""
    if span.high is not None and span.high <= budget:
        return CERTAIN
    return POSSIBLE if span.low <= budget else NO


@dataclass(frozen=True, slots=True)
class SameTestSet(Jsonable):
    """``apart`` are the pairs of methods that cannot share a test set; ``common`` is a (p, n) that fits all rows.

    ``searched`` is the largest total up to which common class counts were looked for; None if the sizes are known.
    """

    prevalences: dict[str, Range]
    apart: tuple[tuple[str, str], ...]
    common: tuple[int, int] | None
    searched: int | None

    @property
    def possible(self) -> bool | None:
        """True if a common test set was found, False if there is none, None if neither is known."""
        if self.common is not None:
            return True
        return False if self.apart or self.searched is None else None

    def to_dict(self) -> dict[str, Any]:
        common = None if self.common is None else dict(zip("pn", self.common, strict=True))
        return document(self, "possible *", common=common)


def same_test_set(made: dict[str, Reconstruction]) -> SameTestSet | None:
    """What the reconstructions say about a common test set; None for fewer than two methods."""
    made = {name: each for name, each in made.items() if "prevalence" in each.ranges}
    if len(made) < 2:
        return None
    spans = {name: each.ranges["prevalence"] for name, each in made.items()}
    apart = tuple((name, other) for name, other in combinations(made, 2) if _apart(made[name], made[other]))
    if apart:
        return SameTestSet(spans, apart, None, None)
    if any(each.groups is not None for each in made.values()):
        return SameTestSet(spans, (), _among_listed(made.values()), None)
    low = max(span.low for span in spans.values())
    high = min(Fraction(1) if span.high is None else span.high for span in spans.values())
    least = smallest(tuple(each.claims for each in made.values()), low, high, listed=1)
    common = (least.matrices[0].p, least.matrices[0].n) if least.matrices else None
    return SameTestSet(spans, (), common, least.searched)


def _counts(made: Reconstruction) -> set[tuple[int, int]] | None:
    """The class counts that fit, where they were listed."""
    return None if made.groups is None else {(group.p, group.n) for group in made.groups}


def _apart(first: Reconstruction, second: Reconstruction) -> bool:
    """Whether two methods cannot share their class counts."""
    span, other = first.ranges["prevalence"], second.ranges["prevalence"]
    listed, others = _counts(first), _counts(second)
    disjoint = listed is not None and others is not None and not listed & others
    return disjoint or surely_above(span, other) or surely_above(other, span)


def _among_listed(made: Iterable[Reconstruction]) -> tuple[int, int] | None:
    """Class counts that every method with a list has, and that fit the others."""
    shared = set.intersection(*(counts for each in made if (counts := _counts(each)) is not None))
    others = [{claim.name: claim for claim in each.claims} for each in made if each.groups is None]
    fitting = (
        pair for pair in sorted(shared) if all(check(TestSet(*pair), each).verdict == "consistent" for each in others)
    )
    return next(fitting, None)
