"""Check multipliers over means, squares about the printed means, and class totals, without listing points.

For a score f with its mean in [low, high], the weighted sum of y (f - end) over the sets that count is not negative,
where end is low for y > 0 and high for y < 0. For its deviation, with c the middle of the printed mean and s a
multiplier, nor is the sum of s ((f - c)^2 - q) plus a constant (see ``_squares``); and v times the positives of folds
less those of their data set is nothing. Each set's share of all this is bounded by halving boxes of (p, tp, tn); if
all bounds and constants together are negative, nothing fits. A score that may be left out of a set may add nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, lcm
from typing import Any

from scoreproof_verify.documents import integer, known_keys, list_of
from scoreproof_verify.formulas import LINEAR, Rule
from scoreproof_verify.frame import Patience
from scoreproof_verify.replay.boxes import (
    BITS,
    NOTHING,
    LinearScore,
    Option,
    Share,
    Sides,
    Term,
    halved,
    joined,
    kept,
    middles,
    single,
)
from scoreproof_verify.replay.constraints import Demands, Set
from scoreproof_verify.statement import Claim
from scoreproof_verify.texts import require

_MOST_BOXES = 12_000_000  # both halves of a box are counted
_MOST_IN_ALL = 40_000_000
_FEW_BOXES = 1024  # of so many, cells in the middle are looked at
_PORTION = 50_000  # boxes that are bounded together
_MOST_KINDS = 5_000
_LARGEST_FACTOR = 1 << 21  # of all multipliers together, weights cleared
_LARGEST_SUM = 1 << 60
_POSITIVES_BITS = 30  # multipliers of class totals are in units of 2**-30
_LARGEST_SQUARE = 4  # a deviation of at most 2


@dataclass(frozen=True, slots=True)
class _Multipliers:
    means: list[int]
    squares: dict[str, int]
    positives: list[int]


def refute_moments(demands: Demands, proof: Any, patience: Patience) -> int:
    """Raises ``Rejected`` unless the multipliers refute the report, in the one case there is."""
    for each in demands.sets:
        require(each.family is not None or (each.p > 0 and each.n > 0), "a set lacks a class")
        require(each.p + each.n < 1 << 26, "a set is too large for exact floats")
    require(demands.flat or not demands.skips, "scores may be left out of nested means")
    case, other = ("left_out", "defined") if demands.skips else ("defined", "left_out")
    require(proof.get(other) is None, "the proof treats a case that there is not")
    _refuted(demands, _read(demands, proof.get(case)), proof.get("peaks"), patience)
    return 1


def _read(demands: Demands, given: Any) -> _Multipliers:
    document = known_keys("multipliers", given, "means", "squares", "positives", *(("bonus",) if demands.skips else ()))
    lists: list[list[int]] = []
    multiplied = {"means": demands.means, "squares": demands.variances, "positives": demands.families}
    for key, things in multiplied.items():
        values = document.list_of(key, len(things), len(things), f"the multipliers of {key} are malformed")
        lists.append([integer(value, "a multiplier") for value in values])
    require(not demands.skips or document.integer("bonus", "a bonus") == 0, "a bonus is not 0")
    for value, family in zip(lists[2], demands.families, strict=True):
        require(value == 0 or family.rule != "balanced", "class totals of balanced folds have a multiplier")
    return _Multipliers(lists[0], dict(zip(demands.variances, lists[1], strict=True)), lists[2])


def _refuted(demands: Demands, y: _Multipliers, peaks: Any, patience: Patience) -> None:
    """``Rejected`` unless the most that each set can add is negative for all sets together."""
    weights = [fold.weight for fold in demands.sets]
    common = lcm(*{weight.denominator for weight in weights})
    factors = sum(map(abs, y.means)) * max(weights) * common + sum(map(abs, y.squares.values())) * common
    require(0 < factors < _LARGEST_FACTOR, "the multipliers are all 0, or too large")
    constant = Fraction(0)
    for name, s in y.squares.items():
        constant += _squares(demands, name, s)[1]
    for v, family in zip(y.positives, demands.families, strict=True):
        constant -= Fraction(v, 1 << _POSITIVES_BITS) * family.p
    alike: dict[tuple[Any, ...], list[Set]] = {}  # sets of different data sets add the same if these are alike
    for fold in demands.sets:
        price = None if fold.family is None else (demands.families[fold.family], y.positives[fold.family])
        alike.setdefault((fold.p, fold.n, fold.weight, price), []).append(fold)
    require(len(alike) <= _MOST_KINDS, "there are too many kinds of sets")
    otherwise = "the proof does not name a peak for every kind of set"
    places = list_of(peaks, len(alike), len(alike), otherwise)
    unit = Fraction(1, common << BITS)
    kinds = []
    for sets, peak in zip(alike.values(), places, strict=True):
        shares = [_share(demands, y, sets[0], option, common) for option in _options(demands, sets[0])]
        best = max(share.at(peak) for share in shares)
        require(best > NOTHING, "a peak is no cell of its set")
        kinds.append((shares, len(sets), best))
    looked, larger = 0, True
    while larger:
        reach = constant + sum((unit * best * count for _, count, best in kinds), Fraction(0))
        require(reach < 0, "the multipliers do not refute the report")
        larger = False
        for at, (shares, count, best) in enumerate(kinds):
            enough = best + floor(-reach * Fraction(999, 1000) / len(kinds) / count / unit)
            bounds = [_bounded(share, enough, patience) for share in shares]
            looked += sum(boxes for _, boxes in bounds)
            require(looked <= _MOST_IN_ALL, "bounding all sets takes too many boxes")
            top = max(bound for bound, _ in bounds)
            if top > enough:  # a cell has it
                kinds[at], larger = (shares, count, top), True


def _options(demands: Demands, fold: Set) -> list[Option]:
    family = None if fold.family is None else demands.families[fold.family]
    if family is None or family.rule == "balanced":
        return [Option(p + n, p, p) for p, n in demands.class_counts(fold)]
    size = fold.p + fold.n
    return [Option(size, max(0, size - family.n), min(family.p, size))]


def _squares(demands: Demands, name: str, s: int) -> tuple[Fraction, Fraction]:
    """(q, constant): the sum over the sets that count of s ((f - c)^2 - q), plus the constant, is not negative."""
    require(s == 0 or not demands.means_deviate, "the deviation is over means of sets")
    even = len({fold.weight for fold in demands.sets}) == 1
    require(s == 0 or even, "the deviation is over sets that weigh differently")
    require(s == 0 or not demands.error or not demands.skips, "a standard error of sets that may be left out")
    claim = next(claim for claim in demands.means if claim.name == name)
    times = len(demands.sets) if demands.error else 1
    low, high = (max(end, Fraction(0)) * times for end in demands.variances[name])
    if s > 0:
        return low, s * max(demands.ddof) * low
    c = demands.centres[name]
    return high + max(abs(claim.low - c), abs(claim.high - c)) ** 2, s * min(demands.ddof) * high


def _share(demands: Demands, y: _Multipliers, fold: Set, option: Option, common: int) -> Share:
    """What a set of some class counts adds, in units of 2**-BITS over the common denominator."""
    known = option.least == option.most
    weight = int(fold.weight * common)
    linear, terms, barred = [], [], []
    fixed = Fraction(0)
    for claim, mean in zip(demands.means, y.means, strict=True):
        rule, square = claim.rule, y.squares.get(claim.name, 0)
        if not mean and not square:
            if not demands.skips and _fill(demands, claim) is None:
                barred.append(rule)
            continue
        require(_bounded_rule(claim.name, rule, known), f"{claim.name} has no multiplier here")
        end = claim.low if mean > 0 else claim.high
        end = min(max(end, Fraction(rule.least or 0) - 1), Fraction(rule.most or 0) + 1)
        q, _ = _squares(demands, claim.name, square) if square else (Fraction(0), Fraction(0))
        centre = demands.centres[claim.name] if square else Fraction(0)
        require(abs(centre) <= 1 and q <= _LARGEST_SQUARE, "a deviation or its mean is too large")
        aside = -mean * weight * end - square * common * q
        defined = rule.ratio(0, 0, option.least, option.size - option.least)[1] > 0
        if rule.border == LINEAR and defined and (known or claim.name in ("acc", "err")):
            linear.append(LinearScore(rule, mean * weight, square * common, centre))
            fixed += aside
        else:
            harmonic = "harmonic" in demands.ways(claim.name, rule)
            factors = mean * weight, square * common
            terms.append(Term(rule, *factors, centre, aside, _fill(demands, claim), known, demands.skips, harmonic))
    slope = y.positives[fold.family] * common << (BITS - _POSITIVES_BITS) if fold.family is not None else 0
    require(abs(slope) * max(option.size, 1) < _LARGEST_SUM, "a multiplier of class totals is too large")
    return Share(option, tuple(linear), tuple(terms), ceil(fixed * (1 << BITS)), slope, tuple(barred))


def _bounded_rule(name: str, rule: Rule, known: bool) -> bool:
    """Whether a score lies between its values at the best and the worst cells of a box."""
    finite = rule.least is not None and rule.most is not None and rule.border != "registered" and not rule.declared
    return finite and (known or name != "pt")


def _fill(demands: Demands, claim: Claim) -> tuple[int, int] | None:
    """Between what a 0/0 that counts may count; None if it cannot."""
    ways = demands.ways(claim.name, claim.rule)
    values = [int(way == "one") for way in ways if way in ("zero", "one")]
    return (0, 1) if "present" in ways else (min(values), max(values)) if values else None


def _bounded(share: Share, enough: int, patience: Patience) -> tuple[int, int]:
    """An upper bound of the share on all cells, refined until it is at most ``enough`` or cells are reached."""
    waiting = [share.start()]
    tops: list[int] = []
    looked = 0
    while waiting:
        patience.check()
        boxes = waiting.pop()
        if not len(boxes[0]):
            continue
        looked += len(boxes[0])
        require(looked <= _MOST_BOXES, "bounding a set takes too many boxes")
        if len(boxes[0]) <= _FEW_BOXES:
            best = int(share.upper(middles(share.option, boxes)).max())
            if best > enough:
                return best, looked
        value = share.upper(boxes)
        done = (value <= enough) | single(boxes)
        if done.any():
            tops.append(int(value[done].max()))
        boxes = _smaller(share, kept(boxes, ~done))
        waiting += [kept(boxes, slice(at, at + _PORTION)) for at in range(0, len(boxes[0]), _PORTION)]
    require(len(tops) > 0, "a set has no matrices")
    return max(tops), looked


def _smaller(share: Share, boxes: Sides) -> Sides:
    """Boxes halved; few ones again and again, as that takes no longer."""
    while len(boxes[0]):
        whole = single(boxes)
        boxes = joined(halved(share.option, kept(boxes, ~whole)), kept(boxes, whole))
        if 2 * len(boxes[0]) > _FEW_BOXES or whole.all():
            break
    return boxes
