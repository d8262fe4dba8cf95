"""One paper's table: methods with the scores reported for them, from mappings or a CSV file.

A cell that is blank, "n/a" or a dash says nothing. A cell with a ± is a mean over folds; its value is used as that of
one matrix, and the result says so. A row that cannot be read keeps its error and does not lose the others.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations
from os import PathLike
from typing import Any

from scoreproof.arrays import written
from scoreproof.csv_reader import MISSING, read_rows
from scoreproof.errors import InvalidOption, InvalidValue, ScoreproofError, UnknownScore
from scoreproof.insight.rankings import surely_above
from scoreproof.insight.reconstruction import Reconstruction
from scoreproof.jsonable import Jsonable, document
from scoreproof.kinds.binary.scores import ConfusionMatrix, score
from scoreproof.kinds.unknown_classes.experiment import Range
from scoreproof.kinds.unknown_classes.matrices import smallest
from scoreproof.quantities.registry import key
from scoreproof.reported import Claim, report
from scoreproof.validation import shown

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
    if isinstance(table, MethodTable):
        return table
    if isinstance(table, (str, PathLike)):
        return _read_file(table)
    if isinstance(table, Mapping):
        rows = [(written(name), values) for name, values in table.items()]
    elif isinstance(table, Sequence):
        rows = [_named(row, number) for number, row in enumerate(table, start=1)]
    else:
        raise InvalidValue(
            f"table: expected a CSV file, a mapping from names to scores, or a list of rows; got {type(table).__name__}"
        )
    ignored: dict[str, None] = {}
    methods = [_method(name, values, ignored) for name, values in rows]
    return _checked(methods, ignored)


def _checked(methods: list[Method], ignored: Mapping[str, None]) -> MethodTable:
    if not methods:
        raise InvalidValue("table: expected at least one method, got none")
    seen: set[str] = set()
    unique: list[Method] = []
    for method in methods:
        if method.name in seen:
            unique.append(Method(method.name, problem=f"a second row is called {method.name!r}; give it another name"))
        else:
            unique.append(method)
        seen.add(method.name)
    return MethodTable(tuple(unique), tuple(ignored))


def _named(row: Any, number: int) -> tuple[str, Any]:
    if not isinstance(row, Mapping):
        return f"row {number}", row
    values = {written(label): value for label, value in row.items()}
    label = next((label for label in values if key(label) in _NAMES), None)
    name = "" if label is None else written(values.pop(label)).strip()
    return name or f"row {number}", values


def _read_file(path: str | PathLike[str]) -> MethodTable:
    rows = read_rows(path)
    header = rows.header
    if not any(_use(label) for label in header):
        raise InvalidValue(f"{path}: no column is a score; the first line must name them, such as name,acc,f1")
    place = next((k for k, label in enumerate(header) if key(label) in _NAMES and label), None)
    if place is None:
        place = next((k for k, label in enumerate(header) if _use(label) is None), None)
    ignored: dict[str, None] = {}
    methods: list[Method] = []
    for number, line in enumerate(rows.lines, start=1):
        row = line[1]
        name = row[place] if place is not None and place < len(row) else ""
        name = name or f"row {number}"
        if rows.ragged(line):
            methods.append(Method(name, problem=rows.ragged(line)))
            continue
        pairs = [(label, cell) for k, (label, cell) in enumerate(zip(header, row, strict=True)) if k != place]
        labels = [label for label, cell in pairs if cell]
        if len(set(labels)) < len(labels):
            methods.append(Method(name, problem="two columns have the same heading"))
            continue
        methods.append(_method(name, dict(pairs), ignored))
    return replace(_checked(methods, ignored), decimal_comma=rows.decimal_comma, notes=rows.notes)


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


def _method(name: str, values: Any, ignored: dict[str, None]) -> Method:
    try:
        return _read_row(name, values, ignored)
    except ScoreproofError as error:
        return Method(name, problem=str(error))


def _read_row(name: str, values: Any, ignored: dict[str, None]) -> Method:
    if isinstance(values, ConfusionMatrix):
        return Method(name, matrix=values)
    if not isinstance(values, Mapping):
        raise InvalidValue(f"expected a mapping of scores, got {type(values).__name__}")
    scores: dict[str, Any] = {}
    given: dict[str, Any] = {}
    averaged: list[str] = []
    for label, value in values.items():
        label = written(label)
        if isinstance(value, ConfusionMatrix):
            given |= value.to_dict()
            continue
        if _missing(value):
            continue
        use = _use(label)
        if use is None:
            ignored[label] = None
            continue
        if use in CELLS + _SIZES:
            given[use] = _count(label, value)
            continue
        if isinstance(value, str):
            text = _SPREAD.sub("%" if value.rstrip().endswith("%") else "", value)
            if text != value:
                averaged.append(label)
            in_percent = _PERCENT.search(label) and "%" not in text
            label, value = _PERCENT.sub("", label).strip(), f"{text.strip()}%" if in_percent else text
        if use == "prevalence":
            given[use] = value
        else:
            scores[label] = value
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
    cells = [given.get(cell) for cell in CELLS]
    if all(cell is None for cell in cells):
        return None
    if any(cell is None for cell in cells):
        missing = ", ".join(name for name, cell in zip(CELLS, cells, strict=True) if cell is None)
        raise InvalidValue(f"a matrix needs all of tp, fp, fn and tn; {missing} is missing")
    if not any(cells):
        raise InvalidValue("tp, fp, fn and tn are all 0: there is nothing to evaluate")
    return ConfusionMatrix(*(int(cell or 0) for cell in cells))


def exact_scores(matrix: ConfusionMatrix) -> dict[str, Claim]:
    """Scores, exactly, that this matrix alone has among those with its class counts."""
    made = {}
    if matrix.p:
        made["sens"] = report("sens", Fraction(matrix.tp, matrix.p), eps=0)
    if matrix.n:
        made["spec"] = report("spec", Fraction(matrix.tn, matrix.n), eps=0)
    return made


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
        return SameTestSet(spans, (), _among_listed(list(made.values())), None)
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


def _among_listed(made: list[Reconstruction]) -> tuple[int, int] | None:
    """Class counts that every method with a list has, and that fit the others."""
    from scoreproof.checking.check import check
    from scoreproof.kinds.binary.experiment import TestSet

    shared = set.intersection(*(counts for each in made if (counts := _counts(each)) is not None))
    others = [{claim.name: claim for claim in each.claims} for each in made if each.groups is None]
    for p, n in sorted(shared):
        if all(check(TestSet(p, n), report).verdict == "consistent" for report in others):
            return p, n
    return None
