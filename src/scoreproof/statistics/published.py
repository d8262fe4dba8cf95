"""Models compared by what was published: AUCs or rates with the class sizes, or confusion matrices.

McNemar's test needs the cases only one classifier gets right, and a paper rarely prints them. The matrices fix their
difference b - c = tp₁ - tp₂ and bound their sum: the two sets of correct cases overlap at least as much as they must
and at most entirely. For a fixed difference every variant's p-value grows with the sum (each pair of fair coin tosses
added to a symmetric walk makes a given excursion likelier), so the two ends of the range give the two extreme p-values.
The upper end is a test in its own right, which never calls identical models different more often than it should.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import product
from typing import Any

from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.statistics.auc import hanley_mcneil, hanley_mcneil_test
from scoreproof.statistics.comparison import Comparison, ModelSummary
from scoreproof.statistics.mcnemar import mcnemar_p
from scoreproof.statistics.plan import RATES, Plan, conclude
from scoreproof.statistics.recommend import metric_name
from scoreproof.statistics.result import Effect, TestResult, bare_p
from scoreproof.statistics.tails import wilson
from scoreproof.validation import exact, real, shown, whole

_OVERLAP = "how often the models are right on the same cases was not published: p is the largest this allows"


def attainable_mcnemar(
    first: Iterable[tuple[int, ...]], second: Iterable[tuple[int, ...]], totals: tuple[int, ...], *, score: str
) -> TestResult:
    """McNemar's test from correct cases alone: p is the largest that the overlap of the two models allows.

    Both sides hold the correct cases of each class, once for every count that the printed rates allow; the most
    cautious combination counts.

    >>> result = attainable_mcnemar([(261,)], [(226,)], (300,), score="sensitivity")
    >>> f"{result.p_value:.2e}", result.details["b"], result.details["c"]
    ('1.28e-03', 74, 39)
    """
    totals = tuple(whole("totals", total) for total in totals)
    sides = [list(first), list(second)]
    if not all(sides) or not sum(totals):
        raise InvalidValue("first and second: expected at least one count of correct cases each, and some cases")
    for name, counts in ((x, c) for x, side in zip(("first", "second"), sides, strict=True) for c in side):
        if not isinstance(counts, Sequence) or isinstance(counts, str) or len(counts) != len(totals):
            raise InvalidValue(f"{name}: expected the correct cases of {len(totals)} classes, got {shown(counts)}")
        for count, total in zip(counts, totals, strict=True):
            whole(name, count, at_most=total)
    ends = []
    for right in product(*sides):
        few, most = overlaps(zip(*right, totals, strict=True))
        low, high = sorted(mcnemar_p(*pair, "exact") for pair in (few, most))
        ends.append((high, low, most, (sum(right[0]) - sum(right[1])) / sum(totals)))
    p, _, (b, c), difference = max(ends)
    lowest = min(low for _, low, _, _ in ends)
    how = f"exact binomial, largest p the overlap allows; the smallest is {bare_p(lowest)}"
    effects, notes = (Effect(f"difference in {score}", difference),), (_OVERLAP,)
    details = {"b": b, "c": c, "p_low": lowest, "shown": f"{b} : {c}"}
    inputs = {"totals": totals, "score": score}
    return TestResult(
        "McNemar test, cautious end", how, "b : c", b, p, effects=effects, notes=notes, details=details, inputs=inputs
    )


def overlaps(parts: Iterable[tuple[int, int, int]]) -> tuple[tuple[int, int], tuple[int, int]]:
    """The fewest and the most cases only one model gets right, from both models' hits and the size of each class."""
    known = list(parts)
    fewest = (sum(max(0, a - b) for a, b, _ in known), sum(max(0, b - a) for a, b, _ in known))
    most = (sum(min(a, t - b) for a, b, t in known), sum(min(b, t - a) for a, b, t in known))
    return fewest, most


def counts_behind(text: str | float, n: int, *, name: str = "rate") -> list[int]:
    """The whole numbers of cases a printed rate can stand for, rounded any way; a percentage needs its sign.

    >>> counts_behind("0.847", 300), counts_behind("84.7%", 300)
    ([254], [254])
    """
    whole("n", n, at_least=1, at_most=10**7)
    word = str(text if isinstance(text, str) else real(name, text)).strip()
    percent = word.endswith("%")
    number = word.removesuffix("%").strip()
    exact(name, number, wanted="a rate such as 0.847 or 84.7%", error=InvalidValue)
    if "/" in number:
        raise InvalidValue(f"{name}: expected a rate such as 0.847 or 84.7%, got {shown(text)}")
    value = Decimal(number)
    exponent = value.as_tuple().exponent
    unit = Fraction(10) ** (exponent if isinstance(exponent, int) and exponent < 0 else 0)
    scale = 100 if percent else 1
    if not value.is_finite() or not 0 <= value <= scale:
        raise InvalidValue(f"{name} = {shown(text)}: expected a rate between 0 and 1, or a percentage with its sign")
    centre = Fraction(value) / scale * n
    reach = unit / scale * n
    first, last = -((reach - centre) // 1), (centre + reach) // 1
    counts = [k for k in range(max(0, int(first)), min(n, int(last)) + 1) if abs(k - centre) < reach]
    if not counts:
        raise InvalidValue(f"{name} = {shown(text)} of {n} cases: no whole number of them gives it")
    return counts


def compare_published(values: Mapping[str, Any], plan: Plan) -> Comparison:
    """One published value for each model and the size of the test set."""
    metric = None if plan.metric is None else metric_name(plan.metric)
    advice = plan.advice(metric=metric)
    if metric == "auc":
        p, n = _size(plan, "positives"), _size(plan, "negatives")
        level, texts = plan.level, {name: str(values[name]).strip() for name in plan.names}
        parts = {x: exact(f"AUC of {x}", text.removesuffix("%"), error=InvalidValue) for x, text in texts.items()}
        areas = [float(parts[x] / (100 if text.endswith("%") else 1)) for x, text in texts.items()]
        results = [hanley_mcneil_test(areas[a], areas[b], p, n, level=level) for a, b in plan.pairs()]
        models = [ModelSummary(x, hanley_mcneil(a, p, n, level=level)) for x, a in zip(plan.names, areas, strict=True)]
        return conclude({"": results}, plan, advice, models, rows=p + n, unit=f"cases ({p} positive)")
    size = {"acc": "cases", "sens": "positives", "spec": "negatives"}[metric or "acc"]
    total = _size(plan, size)
    word = RATES[metric or "acc"]
    counts = [counts_behind(values[name], total, name=f"{word} of {name}") for name in plan.names]
    results = [
        attainable_mcnemar([(k,) for k in counts[a]], [(k,) for k in counts[b]], (total,), score=word)
        for a, b in plan.pairs()
    ]
    models = [_rate(name, word, hits, total, plan) for name, hits in zip(plan.names, counts, strict=True)]
    return conclude({word: results}, plan, advice, models, rows=total, unit="cases")


def compare_matrices(matrices: Mapping[str, Any], plan: Plan) -> Comparison:
    """A confusion matrix for each model, of one test set."""
    known = [_matrix(name, matrices[name]) for name in plan.names]
    p, n = known[0].p, known[0].n
    for name, matrix in zip(plan.names, known, strict=True):
        if (matrix.p, matrix.n) != (p, n):
            raise InvalidValue(
                f"matrix of {name!r}: {matrix.p} positive and {matrix.n} negative cases, but {plan.names[0]!r} has "
                f"{p} and {n}: expected one test set"
            )
    metric = None if plan.metric is None else metric_name(plan.metric)
    advice = plan.advice(task="binary", metric=metric or "acc")
    totals: dict[str, tuple[int, ...]] = {"sensitivity": (p,), "specificity": (n,), "accuracy": (p, n)}
    wanted = ["sensitivity", "specificity"] if metric in (None, "bm", "bacc") else [RATES[metric]]
    cells = {"sensitivity": ("tp",), "specificity": ("tn",), "accuracy": ("tp", "tn")}
    right = {score: [tuple(getattr(m, cell) for cell in cells[score]) for m in known] for score in wanted}
    results = {
        score: [attainable_mcnemar([hits[a]], [hits[b]], totals[score], score=score) for a, b in plan.pairs()]
        for score, hits in right.items()
    }
    first = wanted[0]
    hits = zip(plan.names, right[first], strict=True)
    models = [_rate(name, first, [sum(cells)], sum(totals[first]), plan) for name, cells in hits]
    return conclude(results, plan, advice, models, rows=p + n, unit=f"cases ({p} positive)")


def _matrix(name: str, cells: Any) -> ConfusionMatrix:
    if isinstance(cells, ConfusionMatrix):
        return cells
    if isinstance(cells, Mapping):
        cells = [cells.get(k) for k in ("tp", "fp", "fn", "tn")]
    if not isinstance(cells, Sequence) or len(cells) != 4:
        raise InvalidValue(f"matrix of {name!r}: expected tp, fp, fn and tn, got {cells!r}")
    return ConfusionMatrix(*(whole(f"{k} of {name}", c) for k, c in zip(("tp", "fp", "fn", "tn"), cells, strict=True)))


def _rate(name: str, word: str, counts: list[int], total: int, plan: Plan) -> ModelSummary:
    middle = counts[len(counts) // 2]
    return ModelSummary(name, Effect(word, middle / total, wilson(middle, total, level=1 - plan.alpha)))


def _size(plan: Plan, what: str) -> int:
    """The size of the test set, or of a class; all cases are those of both classes unless told."""
    value = plan.sizes.get(what)
    if value is None and what == "cases" and None not in (plan.sizes.get("positives"), plan.sizes.get("negatives")):
        return _size(plan, "positives") + _size(plan, "negatives")
    if value is None:
        raise InvalidOption(f"values = 'published' needs {what}= (--{what}): expected how many the test set has")
    return whole(what, value, at_least=1)
