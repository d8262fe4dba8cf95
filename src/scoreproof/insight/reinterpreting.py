"""From a table to all that can be said about it: every method reconstructed, then compared with the others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from typing import Any, Unpack

from scoreproof.errors import InvalidOption, ScoreproofError
from scoreproof.insight.published_table import Method, MethodTable, exact_scores, read_table, same_test_set
from scoreproof.insight.rankings import (
    CellCosts,
    ClaimedBest,
    Errors,
    Preference,
    Rank,
    baselines,
    cheaper,
    corners_of,
    dominating,
    error_rates,
    ranks,
    read_budget,
    read_claim,
    read_costs,
    read_ratio,
    within,
)
from scoreproof.insight.reconstructing import reconstruct
from scoreproof.insight.reconstruction import Reconstruction
from scoreproof.insight.reinterpretation import MethodReading, Reinterpretation, ReinterpretationFinding, all_findings
from scoreproof.kinds.binary.scores import known_scores, score
from scoreproof.reported import Claim, read_scores
from scoreproof.reported.conventions import Stated, spelled, told
from scoreproof.reported.printed_text import split_intervals
from scoreproof.validation import real, seconds

_TAKEN = ("rounding", "eps", "decimal_comma")
_SIZES = ("p", "n", "total")
_MOST_PAIRS = 2_000  # of methods, for the comparison of costs


@spelled(*_TAKEN)
def reinterpret(
    table: Any,
    *,
    p: int | None = None,
    n: int | None = None,
    total: Any = None,
    prevalence: Any = None,
    claim: Any = None,
    cost_ratio: Any = None,
    costs: Any = None,
    cost_budget: Any = None,
    interval_method: str | None = None,
    tightness: float = 1e-4,
    budget: float = 30.0,
    **stated: Unpack[Stated],
) -> Reinterpretation:
    """Re-read a table of methods: other scores, one test set or several, chance, ranks and costs, all guaranteed.

    ``table`` is a CSV file, a mapping from method names to scores (or a ``ConfusionMatrix``), or a list of rows with a
    name. ``p`` and ``n``, ``total`` or ``prevalence`` hold for every row that does not bring its own; scores with
    their intervals, "0.91 (0.88-0.94)", say by ``interval_method`` of how many cases they are. ``claim`` is a
    conclusion to test, ("MFCC", "f1") for "MFCC is best by F1"; ``cost_ratio`` is C_FN / C_FP;
    ``costs`` prices the four cells instead, {"fn": 10, "fp": 1, "tp": 0.5}, a negative price being a gain, and
    ``cost_budget`` is what a case may cost. ``budget`` is in seconds per method. Costs of several classes are those of
    ``metrics.expected_cost``.

    >>> from scoreproof import ConfusionMatrix, reinterpret
    >>> a, c = ConfusionMatrix(tp=50, fp=40, fn=10, tn=30), ConfusionMatrix(tp=51, fp=39, fn=10, tn=5)
    >>> result = reinterpret({"a": a, "c": c}, claim=("c", "f1"))
    >>> result.standing["mcc"], result.same_test_set.possible
    ('certainly not', False)
    """
    source = read_table(table)
    how = told(stated)
    how.refuse_all_but(_TAKEN, "not used by reinterpret; leave it out")
    texts = {"rounding": how.rounding, "eps": how.eps, "decimal_comma": how.decimal_comma or source.decimal_comma}
    sizes = {"p": p, "n": n, "total": total, "prevalence": prevalence}
    limits = {"tightness": real("tightness", tightness, above=0), "budget": seconds(budget)}
    claimed = read_claim(claim, [method.name for method in source.methods])
    ratio, prices, per_case = read_ratio(cost_ratio), read_costs(costs), read_budget(cost_budget)
    if ratio is not None and prices is not None:
        raise InvalidOption("cost_ratio and costs were both given: expected one; a ratio is costs of fn and fp only")
    if per_case is not None and ratio is None and prices is None:
        raise InvalidOption("cost_budget needs costs (or cost_ratio): expected what the cells cost")
    readings = tuple(_read(method, sizes, texts, limits, interval_method) for method in source.methods)
    result = Reinterpretation(readings, source.ignored, claim=claimed, cost_ratio=ratio, cell_costs=prices)
    return _compared(replace(result, cost_budget=per_case), source)


def _compared(result: Reinterpretation, source: MethodTable) -> Reinterpretation:
    """The same with its methods compared, and what there is to say."""
    made = result.consistent
    corners = {name: corners_of(each) for name, each in made.items()}
    tables = _tables(made, result.claim)
    prices, budget = result.cell_costs, result.cost_budget
    if result.cost_ratio is not None:
        prices = CellCosts(Fraction(0), Fraction(1), result.cost_ratio, Fraction(0))
    spent = {} if prices is None else {name: prices.over(rates) for name, rates in corners.items()}
    rows = [(name, row) for name, rows in tables.items() for row in rows]
    compared = replace(
        result,
        same_test_set=same_test_set(made),
        baselines={name: baselines(each) for name, each in made.items()},
        ranks=tables,
        dominance=dominating({name: each.ranges for name, each in made.items()}),
        preferences=_preferences({name: error_rates(rates) for name, rates in corners.items()}),
        standing={name: row.is_best for name, row in rows if result.claim and row.method == result.claim.method},
        costs=ranks(spent, rises=False),
        affordable={} if budget is None else {name: within(span, budget) for name, span in spent.items()},
    )
    notes = tuple(ReinterpretationFinding("note", note) for note in source.notes)
    return replace(compared, findings=(*all_findings(compared), *notes))


def _tables(made: Mapping[str, Reconstruction], claim: ClaimedBest | None) -> dict[str, tuple[Rank, ...]]:
    """The ranks under every score that two methods have: the usual ones, those reported, the one of the claim."""
    names = [known.name for known in known_scores() if known.complement is None]
    names += [reported.score.name for each in made.values() for reported in each.claims]
    tables = {}
    for name in dict.fromkeys([*names, *([claim.by] if claim else [])]):
        values = {method: each.ranges[name] for method, each in made.items() if name in each.ranges}
        if len(values) > 1:
            tables[name] = ranks(values, rises=score(name).direction > 0)
    return tables


def _preferences(errors: Mapping[str, Errors]) -> tuple[Preference, ...]:
    if len(errors) * (len(errors) - 1) > _MOST_PAIRS:
        return ()
    pairs = (cheaper(name, errors[name], other, errors[other]) for name, other in permutations(errors, 2))
    return tuple(pair for pair in pairs if pair is not None)


def _read(
    method: Method, shared: dict[str, Any], texts: dict[str, Any], limits: dict[str, Any], interval: str | None
) -> MethodReading:
    if method.problem:
        return MethodReading(method.name, None, method.problem)
    notes: tuple[str, ...] = ()
    if method.averaged:
        notes = (
            f"{', '.join(method.averaged)} with a ± are means over folds; they are read as the scores of one matrix, "
            "which holds only approximately",
        )
    try:
        plain, intervals = split_intervals(method.scores)
        if (matrix := method.matrix) is not None:
            made = reconstruct(exact_scores(matrix), p=matrix.p, n=matrix.n, **limits)
            reported = read_scores(plain, **texts) if plain else ()
            wrong = tuple(claim for claim in reported if not _agrees(claim, matrix.cells))
            return MethodReading(method.name, made, None, notes, matrix, wrong)
        own = method.sizes if any(name in method.sizes for name in _SIZES) else {**shared, **method.sizes}
        sizes = {"prevalence": shared["prevalence"], **own}
        if not intervals or any(sizes.get(name) is not None for name in _SIZES):
            interval = None
        made = reconstruct(method.scores, **sizes, **texts, **limits, interval_method=interval)
    except ScoreproofError as error:
        return MethodReading(method.name, None, str(error))
    return MethodReading(method.name, made, None, notes)


def _agrees(claim: Claim, cells: tuple[int, int, int, int]) -> bool:
    """Whether a matrix has the score that was reported with it."""
    below, above = claim.score.compare(*cells, claim.low), claim.score.compare(*cells, claim.high)
    return below is not None and above is not None and below >= 0 >= above
