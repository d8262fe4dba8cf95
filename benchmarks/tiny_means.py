"""Tiny means with every convention, decided by trying everything.

Shares no code with the package: experiments are made here as lists of folds, classes are dealt to folds in every way
the stated rule allows, every matrix of every fold is tried, and means, deviations, extremes and ranges are judged in
60-digit decimals, where a difference below 10^-40 is a tie and counts as inside.
"""

from __future__ import annotations

import decimal
import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import scoreproof as sp
from benchmarks import oracle

TIE = Decimal(1).scaleb(-40)
MOST = 60_000  # choices of matrices
NAMES = ("acc", "sens", "spec", "ppv", "npv", "f1", "f1n", "gm", "fm", "mk", "bm", "mcc", "lrp", "ji", "bacc", "kappa")
Fold = tuple[int, int]
Cells = tuple[int, int, int, int]
Tree = Any  # an index of a fold, or a list of trees
Span = tuple[Decimal, Decimal]
INFINITE = Decimal("Infinity")


@dataclass(slots=True)
class Report:
    """What is said of an experiment, and the ways its folds may be."""

    experiment: sp.Experiment
    configurations: list[list[Fold]]
    tree: Tree
    repeats: list[list[int]] = field(default_factory=list)
    ranges: dict[str, tuple[str | None, str | None]] = field(default_factory=dict)
    scores: dict[str, str] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)


# the ways to divide that are tried: one for all scores, or for each its own
_DIVISORS: dict[str, list[tuple[int, ...]]] = {
    "any": [(0,), (1,)],
    "each": [(0, 1)],
    "population": [(0,)],
    "sample": [(1,)],
}


def value(name: str, cells: Cells) -> Decimal | None:
    """A score; None for 0/0, infinite for x/0."""
    try:
        return oracle._define(name, *map(Decimal, cells))
    except decimal.InvalidOperation:
        return None
    except ZeroDivisionError:
        return INFINITE


def _balanced(p: int, n: int, k: int) -> list[list[Fold]]:
    """Every way to deal odd cases of both classes to k folds, up to the order of folds."""
    found = set()
    for more in itertools.combinations(range(k), p % k):
        for extra in itertools.combinations(range(k), n % k):
            folds = [(p // k + (f in more), n // k + (f in extra)) for f in range(k)]
            if all(map(sum, folds)):
                found.add(tuple(sorted(folds)))
    return [list(folds) for folds in sorted(found)]


def _unstratified(p: int, n: int, k: int, *, trainable: bool) -> list[list[Fold]]:
    size, larger = divmod(p + n, k)
    sizes = [size + (f < larger) for f in range(k)]
    found = []
    for positives in itertools.product(*(range(s + 1) for s in sizes)):
        folds = [(a, s - a) for a, s in zip(positives, sizes, strict=True)]
        if sum(positives) == p and (
            not trainable or min(sum(a > 0 for a, _ in folds), sum(b > 0 for _, b in folds)) >= 2
        ):
            found.append(folds)
    return found


def _scikit_learn(p: int, n: int, k: int) -> list[Fold]:
    """The allocation of StratifiedKFold: cases sorted by class are dealt in turn."""
    labels = [1] * p + [0] * n
    return [(sum(labels[f::k]), len(labels[f::k]) - sum(labels[f::k])) for f in range(k)]


def _make(rng: random.Random) -> Report:
    kind = rng.choice(["flat", "flat", "nested", "stratified", "unstratified", "trainable", "repeated", "scikit-learn"])
    top = rng.choice([2, 3])

    def fold() -> Fold:
        while True:
            made = rng.choice([0, 1, 1, 2, top]), rng.choice([0, 1, 2, 2, top])
            if sum(made):
                return made

    if kind in ("flat", "nested"):
        shape: Tree = [0, 1, 2][: rng.choice([2, 3])] if kind == "flat" else rng.choice([[[0, 1], 2], [[0, 1], [2, 3]]])
        count = len(shape) if kind == "flat" else 3 if shape[1] == 2 else 4
        folds = [fold() for _ in range(count)]
        ranges = {}
        if rng.random() < 0.3:
            low = f"{rng.choice([0.1, 0.3, 0.5])}" if rng.random() < 0.7 else None
            ranges = {rng.choice(NAMES): (low, f"{rng.choice([0.6, 0.8, 0.9])}" if rng.random() < 0.7 else None)}

        def build(part: Tree) -> sp.Experiment:
            if isinstance(part, int):
                return sp.TestSet(*folds[part])
            return sp.MeanOfScores([build(piece) for piece in part], ranges=ranges if part is shape else {})

        return Report(build(shape), [folds], shape, [], ranges)
    k = rng.choice([2, 3])
    p, n = rng.randint(1, 5), rng.randint(1, 5)
    if kind == "repeated":
        p, n, k = rng.randint(1, 3), rng.randint(1, 3), 2
        each = _balanced(p, n, k)
        both = [a + b for a in each for b in each]
        return Report(sp.KFold(p, n, k, repeats=2), both, list(range(4)), [[0, 1], [2, 3]])
    while k > p + n:
        p += 1
    if kind == "stratified":
        return Report(sp.KFold(p, n, k), _balanced(p, n, k), list(range(k)))
    if kind == "scikit-learn":
        return Report(sp.KFold(p, n, k, rule="scikit-learn"), [_scikit_learn(p, n, k)], list(range(k)))
    p, n = min(p, 4), min(n, 4)
    while p + n < 2 * k and kind == "trainable":
        p, n = p + 1, n + 1
    trainable = kind == "trainable"
    ways = _unstratified(p, n, k, trainable=trainable)
    return Report(sp.KFold(p, n, k, stratified=False, rule=kind if trainable else None), ways, list(range(k)))


def _choices(report: Report) -> int:
    total = 0
    for folds in report.configurations:
        size = 1
        for p, n in folds:
            size *= (p + 1) * (n + 1)
        total += size
    return total


def reports(seed: int, moves: tuple[int, ...] = (0, 0, 0, 1, -1, 2, -3)) -> Iterator[Report]:
    """Reports of true choices of matrices, printed and moved by a few units."""
    rng = random.Random(seed)
    while True:
        report = _make(rng)
        if not report.configurations or _choices(report) > MOST:
            continue
        folds = rng.choice(report.configurations)
        cells = [(rng.randint(0, p), rng.randint(0, n)) for p, n in folds]
        matrices = [(tp, n - tn, p - tp, tn) for (p, n), (tp, tn) in zip(folds, cells, strict=True)]
        if _describe(rng, report, matrices, moves):
            yield report


def _describe(rng: random.Random, report: Report, matrices: list[Cells], moves: tuple[int, ...]) -> bool:
    report.options = {
        "rounding": rng.choice(["nearest", "any"]),
        "undefined": rng.choice(["any"] * 3 + ["exclude", "zero", "skip", "one"]),
    }
    digits = rng.randint(1, 4)
    for name in rng.sample(NAMES, rng.randint(1, 3)):
        way = rng.choice(_ways(name, report.options["undefined"]) or ["skip"])
        values = _treated(name, matrices, way)
        if values is None or (mean := _mean(report.tree, values)) is None:
            continue
        report.scores[name] = _text(mean, digits, rng.choice(moves))
        over = rng.choice(_overs(report))
        spread = _parts(report, values, over)
        if rng.random() < 0.3 and len(spread) > 1:
            ddof = rng.choice([0, 1])
            report.scores[name] += f" ± {_text(_deviation(spread, ddof), digits, max(0, rng.choice(moves)))}"
            stated = "sample" if ddof else "population"
            kept = report.options.setdefault("divisor", rng.choice(["any", "each", stated]))
            if kept not in ("any", "each", stated):
                report.options["divisor"] = "each"  # another score has the other divisor
            if len(_overs(report)) > 1:
                report.options["spread_over"] = rng.choice(["any", over])
        for key, pick in (("minimum", min), ("maximum", max)):
            if rng.random() < 0.15:
                level = rng.choice(["parts", "folds"])
                level = report.options.setdefault("extremes_over", level)
                extreme = pick(_level(report, values, level))
                report.options.setdefault(key, {})[name] = _text(extreme, digits, rng.choice(moves))
    if rng.random() < 0.3 and ("minimum" in report.options or "maximum" in report.options):
        report.options["attained"] = False
    return bool(report.scores)


def _text(exact: Decimal, digits: int, move: int = 0) -> str:
    return f"{Decimal(oracle.printed(exact, digits, 'half_up')) + move * Decimal(1).scaleb(-digits):f}"


def _ways(name: str, undefined: str) -> list[str]:
    if undefined == "any":
        special = {"bacc": ["present"], "f1": ["harmonic"], "f1n": ["harmonic"]}
        return ["zero", "skip", *special.get(name, [])]
    return [] if undefined == "exclude" else [undefined]


def _treated(name: str, matrices: list[Cells] | tuple[Cells, ...], way: str | None) -> list[Decimal | None] | None:
    """Values with 0/0 treated in one way (None: left out); None altogether if nothing could be reported."""
    values: list[Decimal | None] = []
    for cells in matrices:
        exact = value(name, cells)
        if way == "harmonic" and cells[0 if name == "f1" else 3] == 0:
            values.append(None)
            continue
        if exact is None:
            if way is None:
                return None
            tp, fp, fn, tn = cells
            present = Decimal(tp) / (tp + fn) if tp + fn else Decimal(tn) / (fp + tn)
            exact = {"zero": Decimal(0), "one": Decimal(1), "skip": None, "harmonic": None, "present": present}[way]
        elif exact == INFINITE:
            return None
        values.append(exact)
    return values


def _mean(tree: Tree, values: list[Decimal | None]) -> Decimal | None:
    if isinstance(tree, int):
        return values[tree]
    inside = [x for part in tree if (x := _mean(part, values)) is not None]
    return sum(inside, Decimal(0)) / len(inside) if inside else None


def _level(report: Report, values: list[Decimal | None], level: str) -> list[Decimal]:
    parts = report.tree if level == "parts" else range(len(values))
    return [x for part in parts if (x := _mean(part, values)) is not None]


def _overs(report: Report) -> list[str]:
    """What a ± may be over."""
    if report.repeats:
        return ["folds", "repeats"]
    nested = any(not isinstance(part, int) for part in report.tree)
    return ["folds", "parts"] if nested else ["folds"]


def _parts(report: Report, values: list[Decimal | None], over: str) -> list[Decimal]:
    if over == "parts":
        return _level(report, values, over)
    if over == "repeats":
        return [x for repeat in report.repeats if (x := _mean(repeat, values)) is not None]
    return [x for x in values if x is not None]


def _deviation(values: list[Decimal], ddof: int) -> Decimal:
    mean = sum(values, Decimal(0)) / len(values)
    return (sum(((v - mean) ** 2 for v in values), Decimal(0)) / (len(values) - ddof)).sqrt()


def possible(report: Report) -> bool:
    """Whether any choice of matrices gives the report under any admitted treatment of 0/0."""
    halves = {"any": 2, "nearest": 1}[report.options["rounding"]]

    def span(text: str) -> Span:
        exact = Decimal(text)
        reach = halves * Decimal(1).scaleb(int(exact.as_tuple().exponent)) / 2
        return exact - reach - TIE, exact + reach + TIE

    names = {*report.scores, *report.ranges, *report.options.get("minimum", {}), *report.options.get("maximum", {})}
    stated = report.options.get("spread_over", "any")
    for over in _overs(report) if stated == "any" else [stated]:
        for folds in report.configurations:
            grids = [[(tp, n - tn, p - tp, tn) for tp in range(p + 1) for tn in range(n + 1)] for p, n in folds]
            for matrices in itertools.product(*grids):
                for divisors in _DIVISORS[report.options.get("divisor", "any")]:
                    if all(_gives(report, name, matrices, span, over, divisors) for name in names):
                        return True
    return False


def _gives(
    report: Report, name: str, matrices: tuple[Cells, ...], span: Any, over: str, divisors: tuple[int, ...]
) -> bool:
    undefined = any(value(name, cells) is None for cells in matrices)
    admitted = _ways(name, report.options["undefined"])
    ways: list[str | None] = [*admitted] if undefined else [None, *({"harmonic"} & set(admitted))]
    return any(_under(report, name, _treated(name, matrices, way), span, over, divisors) for way in ways)


def _under(
    report: Report, name: str, values: list[Decimal | None] | None, span: Any, over: str, divisors: tuple[int, ...]
) -> bool:
    if values is None:
        return False
    options = report.options
    mean, _, spread = report.scores.get(name, "").partition(" ± ")
    if mean:
        average = _mean(report.tree, values)
        low, high = span(mean)
        if average is None or not low <= average <= high:
            return False
    if spread:
        low, high = span(spread)
        counted = _parts(report, values, over)
        deviations = [_deviation(counted, ddof) for ddof in divisors if len(counted) > ddof]
        if not any(max(low, Decimal(0)) - TIE <= d <= high + TIE for d in deviations):
            return False
    for key, pick in (("minimum", min), ("maximum", max)):
        if name in options.get(key, {}):
            low, high = span(options[key][name])
            parts = _level(report, values, options.get("extremes_over", "parts"))
            attained = options.get("attained", True)
            if not parts:
                if attained:
                    return False
                continue
            extreme = pick(parts)
            if key == "minimum" and (extreme < low or (attained and extreme > high)):
                return False
            if key == "maximum" and (extreme > high or (attained and extreme < low)):
                return False
    if name in report.ranges:
        least, most = report.ranges[name]
        for part in report.tree:
            x = _mean(part, values)
            if x is not None and (
                (least is not None and x < span(least)[0]) or (most is not None and x > span(most)[1])
            ):
                return False
    return True


def judge(report: Report, budget: float = 20.0) -> str:
    """The verdict if trying everything agrees and the certificate holds; what went wrong otherwise."""
    result = sp.check(report.experiment, report.scores, budget=budget, **report.options, strict=True)
    truth = possible(report)
    if result.verdict is sp.Verdict.UNDECIDED:
        if result.cases and not truth and all(case.verdict is sp.Verdict.INCONSISTENT for case in result.cases):
            return "refuted in every reading"  # but a ± over nested means may be a mean of the parts' own
        word = "possible" if truth else "impossible"
        return f"undecided ({word}) {report.experiment} {report.scores} {report.options} {result.reason}"
    if result.verdict != ("consistent" if truth else "inconsistent"):
        return f"WRONG: {result.verdict} {report}"
    if result.certificate is not None and not sp.verify(result.certificate):
        return f"CERTIFICATE REJECTED {report}"
    return str(result.verdict)
