"""From a table to all that can be said about it: every method read and reconstructed, then compared with the others.

A table has one row for each method, as mappings or in a CSV file. A cell that is blank, "n/a" or a dash says nothing.
A cell with a ± is a mean over folds; its value is used as that of one matrix, and the result says so. A row that cannot
be read keeps its error and does not lose the others.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import permutations
from os import PathLike
from typing import Any, Unpack

from scoreproof.arrays import written
from scoreproof.csv_reader import MISSING, Rows, read_rows
from scoreproof.errors import InvalidOption, InvalidValue, ScoreproofError, UnknownScore
from scoreproof.insight import rankings
from scoreproof.insight.rankings import CellCosts, ClaimedBest, Rank
from scoreproof.insight.reconstructing import reconstruct
from scoreproof.insight.reconstruction import Reconstruction
from scoreproof.insight.reinterpretation import MethodReading, Reinterpretation, ReinterpretationFinding, all_findings
from scoreproof.kinds.binary.scores import ConfusionMatrix, known_scores, score
from scoreproof.quantities.registry import key
from scoreproof.reported import Claim, read_scores, report
from scoreproof.reported.conventions import Stated, spelled, told
from scoreproof.reported.printed_text import split_intervals
from scoreproof.validation import exact, real, seconds, shown

CELLS = ("tp", "fp", "fn", "tn")
_SIZES = ("p", "n", "total")
_NAMES = ("name", "method", "model", "classifier", "algorithm", "approach", "test", "features")
_SPREAD = re.compile(r"\s*(?:±|\+/-|\+-|\\pm).*", re.DOTALL)
_PERCENT = re.compile(r"[\[(]\s*(?:%|percent|in %)\s*[\])]|%\s*$")


@dataclass(frozen=True, slots=True)
class Method:
    """One row: its name, its scores as reported, and its matrix or what is said of its test set."""

    name: str
    scores: dict[str, Any] = field(default_factory=dict)
    matrix: ConfusionMatrix | None = None
    sizes: dict[str, Any] = field(default_factory=dict)  # p, n, total and prevalence, as far as they are given
    averaged: tuple[str, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class MethodTable:
    """The methods of one paper, and what of the table was not used."""

    methods: tuple[Method, ...]
    ignored: tuple[str, ...] = ()
    decimal_comma: bool = False
    notes: tuple[str, ...] = ()


def read_table(table: Any) -> MethodTable:
    """The methods of a table: a CSV file, a mapping from names to scores, or a sequence of rows with a name.

    >>> [method.name for method in read_table({"A": {"acc": "0.9"}, "B": {"acc": "n/a", "f1": "0.8 ± 0.1"}}).methods]
    ['A', 'B']
    """
    file = read_rows(table) if isinstance(table, (str, PathLike)) else None
    if file is not None:
        rows = list(_of_file(table, file))
    elif isinstance(table, Mapping):
        rows = [(written(name), values) for name, values in table.items()]
    elif isinstance(table, Sequence):
        rows = [_named(row, number) for number, row in enumerate(table, start=1)]
    else:
        raise InvalidValue(
            f"table: expected a CSV file, a mapping from names to scores, or a list of rows; got {type(table).__name__}"
        )
    if not rows:
        raise InvalidValue("table: expected at least one method, got none")
    ignored: dict[str, None] = {}
    methods: list[Method] = []
    seen: set[str] = set()
    for name, values in rows:
        try:
            if name in seen:
                raise InvalidValue(f"a second row is called {name!r}; give it another name")
            methods.append(_read_row(name, values, ignored))
        except ScoreproofError as error:
            methods.append(Method(name, problem=str(error)))
        seen.add(name)
    comma, notes = (False, ()) if file is None else (file.decimal_comma, file.notes)
    return MethodTable(tuple(methods), tuple(ignored), comma, notes)


def _named(row: Any, number: int) -> tuple[str, Any]:
    if not isinstance(row, Mapping):
        return f"row {number}", row
    values = {written(label): value for label, value in row.items()}
    label = next((label for label in values if key(label) in _NAMES), None)
    name = "" if label is None else written(values.pop(label)).strip()
    return name or f"row {number}", values


def _of_file(path: str | PathLike[str], file: Rows) -> Iterator[tuple[str, Any]]:
    """The rows of a file with their names; of one that cannot be read the error."""
    uses = [_use(label) for label in file.header]
    if not any(uses):
        raise InvalidValue(f"{path}: no column is a score; the first line must name them, such as name,acc,f1")
    names = [place for place, label in enumerate(file.header) if label and key(label) in _NAMES]
    place = next(iter([*names, *(place for place, use in enumerate(uses) if use is None)]), None)
    for number, line in enumerate(file.lines, start=1):
        cells = dict(enumerate(line[1]))
        name = ("" if place is None else cells.get(place)) or f"row {number}"
        pairs = [(label, cells.get(k, "")) for k, label in enumerate(file.header) if k != place]
        labels = [label for label, cell in pairs if cell]
        twice = "two columns have the same heading" if len(set(labels)) < len(labels) else ""
        wrong = file.ragged(line) or twice
        yield name, InvalidValue(wrong) if wrong else dict(pairs)


def _use(label: str) -> str | None:
    """What a heading stands for: a cell, a size, the prevalence or a score; None if nothing we know."""
    plain = _PERCENT.sub("", label).strip()
    if plain.lower() in CELLS + _SIZES:
        return plain.lower()
    if key(plain) in ("prevalence", "rho"):
        return "prevalence"
    try:
        return score(plain).name if plain else None
    except (UnknownScore, InvalidOption):
        return None


def _read_row(name: str, values: Any, ignored: dict[str, None]) -> Method:
    if isinstance(values, ScoreproofError):
        raise values
    if isinstance(values, ConfusionMatrix):
        return Method(name, matrix=values)
    if not isinstance(values, Mapping):
        raise InvalidValue(f"expected a mapping of scores, got {type(values).__name__}")
    scores: dict[str, Any] = {}
    given: dict[str, Any] = {}
    averaged: list[str] = []
    for label, value in values.items():
        label = written(label)
        use = _use(label)
        if isinstance(value, ConfusionMatrix):
            given |= value.to_dict()
        elif _missing(value):
            continue
        elif use is None:
            ignored[label] = None
        elif use in CELLS + _SIZES:
            given[use] = _count(label, value)
        else:
            if isinstance(value, str):
                text = _SPREAD.sub("%" if value.rstrip().endswith("%") else "", value)
                averaged += [label] if text != value else []
                in_percent = _PERCENT.search(label) and "%" not in text
                label, value = _PERCENT.sub("", label).strip(), f"{text.strip()}%" if in_percent else text
            (given if use == "prevalence" else scores)[use if use == "prevalence" else label] = value
    matrix = _matrix(given)
    if matrix is None and not scores:
        raise InvalidValue("no score is reported")
    sizes = {what: given[what] for what in (*_SIZES, "prevalence") if what in given}
    return Method(name, scores, matrix, sizes, averaged=tuple(averaged))


def _missing(value: Any) -> bool:
    if isinstance(value, str):
        return value.strip().lower() in MISSING
    return value is None or (isinstance(value, float) and math.isnan(value))


def _count(label: str, value: Any) -> int:
    text = written(value).strip()
    if isinstance(value, bool) or not re.fullmatch(r"\d{1,18}", text):
        raise InvalidValue(f"{label}: expected a count, got {shown(value)}")
    return int(text)


def _matrix(given: dict[str, Any]) -> ConfusionMatrix | None:
    missing = [cell for cell in CELLS if cell not in given]
    if len(missing) == len(CELLS):
        return None
    if missing:
        raise InvalidValue(f"a matrix needs all of tp, fp, fn and tn; {', '.join(missing)} is missing")
    if not any(given[cell] for cell in CELLS):
        raise InvalidValue("tp, fp, fn and tn are all 0: there is nothing to evaluate")
    return ConfusionMatrix(*(given[cell] for cell in CELLS))


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
    claimed = rankings.read_claim(claim, [method.name for method in source.methods])
    ratio, prices = rankings.read_ratio(cost_ratio), rankings.read_costs(costs)
    per_case = None if cost_budget is None else exact("cost_budget", cost_budget)
    if ratio is not None and prices is not None:
        raise InvalidOption("cost_ratio and costs were both given: expected one; a ratio is costs of fn and fp only")
    if per_case is not None and ratio is None and prices is None:
        raise InvalidOption("cost_budget needs costs (or cost_ratio): expected what the cells cost")
    readings = tuple(_read(method, sizes, texts, limits, interval_method) for method in source.methods)
    result = Reinterpretation(
        readings, source.ignored, claim=claimed, cost_ratio=ratio, cell_costs=prices, cost_budget=per_case
    )
    return _compared(result, source.notes)


def _compared(result: Reinterpretation, notes: Sequence[str]) -> Reinterpretation:
    """The same with its methods compared, and what there is to say."""
    made, claimed, prices, per_case = result.consistent, result.claim, result.cell_costs, result.cost_budget
    corners = {name: rankings.corners_of(each) for name, each in made.items()}
    errors = {name: rankings.error_rates(rates) for name, rates in corners.items()}
    pairs = permutations(errors, 2) if len(errors) * (len(errors) - 1) <= _MOST_PAIRS else ()
    preferences = (rankings.cheaper(name, errors[name], other, errors[other]) for name, other in pairs)
    if result.cost_ratio is not None:
        prices = CellCosts(Fraction(0), Fraction(1), result.cost_ratio, Fraction(0))
    spent = {} if prices is None else {name: prices.over(rates) for name, rates in corners.items()}
    tables = _tables(made, claimed)
    own = ((name, row) for name, rows in tables.items() for row in rows if claimed and row.method == claimed.method)
    result = replace(
        result,
        same_test_set=rankings.same_test_set(made),
        baselines={name: rankings.baselines(each) for name, each in made.items()},
        ranks=tables,
        dominance=rankings.dominating({name: each.ranges for name, each in made.items()}),
        preferences=tuple(pair for pair in preferences if pair is not None),
        standing={name: row.is_best for name, row in own},
        costs=rankings.ranks(spent, rises=False),
        affordable={} if per_case is None else {name: rankings.within(span, per_case) for name, span in spent.items()},
    )
    noted = (ReinterpretationFinding("note", note) for note in notes)
    return replace(result, findings=(*all_findings(result), *noted))


def _tables(made: Mapping[str, Reconstruction], claim: ClaimedBest | None) -> dict[str, tuple[Rank, ...]]:
    """The ranks under every score that two methods have: the usual ones, those reported, the one of the claim."""
    names = [known.name for known in known_scores() if known.complement is None]
    names += [reported.score.name for each in made.values() for reported in each.claims]
    tables = {}
    for name in dict.fromkeys([*names, *([claim.by] if claim else [])]):
        values = {method: each.ranges[name] for method, each in made.items() if name in each.ranges}
        if len(values) > 1:
            tables[name] = rankings.ranks(values, rises=score(name).direction > 0)
    return tables


def _read(
    method: Method, shared: dict[str, Any], texts: dict[str, Any], limits: dict[str, Any], interval: str | None
) -> MethodReading:
    if method.problem:
        return MethodReading(method.name, None, method.problem)
    told = f"{', '.join(method.averaged)} with a ± are means over folds; they are read as the scores of one matrix"
    notes = (f"{told}, which holds only approximately",) if method.averaged else ()
    matrix, wrong = method.matrix, list[Claim]()
    try:
        plain, intervals = split_intervals(method.scores)
        if matrix is not None:
            rates = {"sens": (matrix.tp, matrix.p), "spec": (matrix.tn, matrix.n)}  # which no other matrix has
            known = {name: report(name, Fraction(right, of), eps=0) for name, (right, of) in rates.items() if of}
            made = reconstruct(known, p=matrix.p, n=matrix.n, **limits)
            wrong = (
                [claim for claim in read_scores(plain, **texts) if not _agrees(claim, matrix.cells)] if plain else []
            )
        else:
            own = method.sizes if any(name in method.sizes for name in _SIZES) else {**shared, **method.sizes}
            sizes = {"prevalence": shared["prevalence"], **own}
            if not intervals or any(sizes.get(name) is not None for name in _SIZES):
                interval = None
            made = reconstruct(method.scores, **sizes, **texts, **limits, interval_method=interval)
    except ScoreproofError as error:
        return MethodReading(method.name, None, str(error))
    return MethodReading(method.name, made, None, notes, matrix, tuple(wrong))


def _agrees(claim: Claim, cells: tuple[int, int, int, int]) -> bool:
    """Whether a matrix has the score that was reported with it."""
    below, above = claim.score.compare(*cells, claim.low), claim.score.compare(*cells, claim.high)
    return below is not None and above is not None and below >= 0 >= above
