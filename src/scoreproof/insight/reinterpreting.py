"""From a table to all that can be said about it: every method reconstructed, then compared with the others."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from typing import Any, Unpack

from scoreproof.errors import InvalidOption, ScoreproofError
from scoreproof.insight.costs import (
    Errors,
    cell_cost,
    cheaper,
    cost,
    error_rates,
    read_budget,
    read_costs,
    read_ratio,
    within,
)
from scoreproof.insight.published_table import Method, exact_scores, read_table, same_test_set
from scoreproof.insight.rankings import baselines, dominating, ranks, read_claim
from scoreproof.insight.reconstructing import reconstruct
from scoreproof.insight.reconstruction import Reconstruction
from scoreproof.insight.reinterpretation import MethodReading, Reinterpretation, ReinterpretationFinding, all_findings
from scoreproof.kinds.binary.scores import known_scores, score
from scoreproof.kinds.unknown_classes.ranges import Range
from scoreproof.reported import Claim, read_scores
from scoreproof.reported.conventions import Stated, spelled, told
from scoreproof.reported.interval_text import split_intervals
from scoreproof.validation import real, seconds

_TAKEN = ("rounding", "eps", "decimal_comma")
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
    ``cost_budget`` is what a case may cost. ``budget`` is in seconds per method. For k classes see ``class_cost``.

    >>> from scoreproof import ConfusionMatrix, reinterpret
    >>> a, c = ConfusionMatrix(tp=50, fp=40, fn=10, tn=30), ConfusionMatrix(tp=51, fp=39, fn=10, tn=5)
    >>> found = reinterpret({"a": a, "c": c}, claim=("c", "f1"))
    >>> found.standing["mcc"], found.same_test_set.possible
    ('certainly not', False)
    """
    source = read_table(table)
    how = told(stated)
    how.refuse_all_but(_TAKEN, "not used by reinterpret; leave it out")
    options = {name: getattr(how, name) for name in _TAKEN}
    options["decimal_comma"] = how.decimal_comma or source.decimal_comma
    shared = {"p": p, "n": n, "total": total, "prevalence": prevalence}
    limits = {"tightness": real("tightness", tightness, above=0), "budget": seconds(budget)}
    wanted = read_claim(claim, [method.name for method in source.methods])
    ratio, prices, budget_per_case = read_ratio(cost_ratio), read_costs(costs), read_budget(cost_budget)
    if ratio is not None and prices is not None:
        raise InvalidOption("cost_ratio and costs were both given: expected one; a ratio is costs of fn and fp only")
    if budget_per_case is not None and ratio is None and prices is None:
        raise InvalidOption("cost_budget needs costs (or cost_ratio): expected what the cells cost")
    readings = tuple(_read(method, shared, options, limits, interval_method) for method in source.methods)
    found = {
        one.name: one.reconstruction
        for one in readings
        if one.reconstruction is not None and one.reconstruction.verdict == "consistent"
    }
    spans = {name: one.ranges for name, one in found.items()}
    tables = {}
    for one in _compared(found, wanted.by.name if wanted else None):
        values = {name: ranges[one] for name, ranges in spans.items() if one in ranges}
        if len(values) > 1:
            tables[one] = ranks(values, rises=score(one).direction > 0)
    standing: dict[str, str] = {}
    if wanted is not None:
        standing = {name: row.is_best for name, rows in tables.items() for row in rows if row.method == wanted.method}
    errors = {name: error_rates(one) for name, one in found.items()}
    spent = {} if ratio is None else _costs(errors, ratio)
    if prices is not None:
        spent = {name: cell_cost(one, prices) for name, one in found.items()}
    result = Reinterpretation(
        readings=readings,
        ignored=source.ignored,
        same_test_set=same_test_set(found),
        baselines={name: baselines(one) for name, one in found.items()},
        ranks=tables,
        dominance=dominating(spans),
        preferences=_preferences(errors),
        claim=wanted,
        standing=standing,
        cost_ratio=ratio,
        costs=ranks(spent, rises=False) if spent else (),
        cell_costs=prices,
        cost_budget=budget_per_case,
        affordable={} if budget_per_case is None else {name: within(c, budget_per_case) for name, c in spent.items()},
        _errors={name: tuple(points) for name, points in errors.items()},
    )
    notes = tuple(ReinterpretationFinding("note", note) for note in source.notes)
    return result.with_findings((*all_findings(result), *notes))


def _compared(found: dict[str, Reconstruction], claimed: str | None) -> list[str]:
    """The scores under which methods are ranked."""
    names = [one.name for one in known_scores() if one.complement is None]
    reported = [one.score.name for each in found.values() for one in each.claims]
    return list(dict.fromkeys([*names, *reported, *([claimed] if claimed else [])]))


def _preferences(errors: dict[str, Errors]) -> tuple[Any, ...]:
    if len(errors) * (len(errors) - 1) > _MOST_PAIRS:
        return ()
    pairs = (cheaper(one, errors[one], other, errors[other]) for one, other in permutations(errors, 2))
    return tuple(pair for pair in pairs if pair is not None)


def _costs(errors: dict[str, Errors], ratio: Fraction) -> dict[str, Range]:
    return {name: cost(points, ratio) for name, points in errors.items()}


def _read(
    method: Method, shared: dict[str, Any], options: dict[str, Any], limits: dict[str, Any], interval: str | None
) -> MethodReading:
    if method.problem:
        return MethodReading(method.name, None, method.problem)
    try:
        return _reconstructed(method, shared, options, limits, interval)
    except ScoreproofError as error:
        return MethodReading(method.name, None, str(error))


def _reconstructed(
    method: Method, shared: dict[str, Any], options: dict[str, Any], limits: dict[str, Any], interval: str | None
) -> MethodReading:
    notes = []
    if method.averaged:
        notes.append(
            f"{', '.join(method.averaged)} with a ± are means over folds; they are read as the scores of one matrix, "
            "which holds only approximately"
        )
    if method.matrix is not None:
        matrix = method.matrix
        found = reconstruct(exact_scores(matrix), p=matrix.p, n=matrix.n, **limits)
        printed = split_intervals(method.scores)[0]
        reported = read_scores(printed, **options) if printed else ()
        wrong = tuple(one for one in reported if not _agrees(one, matrix.cells))
        return MethodReading(method.name, found, notes=tuple(notes), matrix=matrix, contradicted=wrong)
    own = {"p": method.p, "n": method.n, "total": method.total}
    sizes = own if any(value is not None for value in own.values()) else {what: shared[what] for what in own}
    sizes["prevalence"] = shared["prevalence"] if method.prevalence is None else method.prevalence
    if any(sizes[what] is not None for what in own) or not split_intervals(method.scores)[1]:
        interval = None
    found = reconstruct(method.scores, **sizes, **options, **limits, interval_method=interval)
    return MethodReading(method.name, found, notes=tuple(notes))


def _agrees(one: Claim, cells: tuple[int, int, int, int]) -> bool:
    """Whether a matrix has the score that was reported with it."""
    below, above = one.score.compare(*cells, one.low), one.score.compare(*cells, one.high)
    return below is not None and above is not None and below >= 0 >= above
