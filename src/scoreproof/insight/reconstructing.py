"""From reported scores to everything that follows: matrices, prevalence and other scores, as guaranteed ranges."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from importlib import import_module
from typing import Any, Unpack

import numpy as np

from scoreproof.checking import Answer, Verdict, Witness, ask
from scoreproof.checking.check import with_intervals
from scoreproof.errors import InvalidExperiment, InvalidOption
from scoreproof.insight.reconstruction import Reconstruction
from scoreproof.kinds.binary.engine.rectangles import filler
from scoreproof.kinds.binary.engine.solutions import Solutions
from scoreproof.kinds.binary.experiment import TestSet
from scoreproof.kinds.binary.kind import KIND as BINARY
from scoreproof.kinds.binary.problem import BinaryProblem
from scoreproof.kinds.unknown_classes.experiment import (
    PREVALENCE,
    Range,
    Total,
    UnknownClasses,
    above,
    below,
    leads,
    read_prevalence,
    reconstructed,
)
from scoreproof.kinds.unknown_classes.forms import CellRatio, Vector
from scoreproof.kinds.unknown_classes.kind import KIND as UNKNOWN
from scoreproof.kinds.unknown_classes.kind import MOST_GROUPS, UnknownClassesProblem
from scoreproof.kinds.unknown_classes.matrices import exact_ranges, smallest
from scoreproof.kinds.unknown_classes.rates import Group, Span, Totals, rates
from scoreproof.quantities.registry import quantity
from scoreproof.reported import Claim, Conventions, Value
from scoreproof.reported.conventions import OF_TEXTS, Stated, spelled, told
from scoreproof.reported.printed_text import split_intervals
from scoreproof.results import listed
from scoreproof.validation import real, seconds
from scoreproof.work.budget import Budget

_MOST_ROWS = 100_000  # rows of (tp, tn) that are walked for exact ranges
_WIDE = Fraction(1, 20)  # a prevalence that ranges over more than this is worth a remark
_LEAST_SECONDS = 5.0  # that the ranges get when the verdict is found, however long that took


@spelled(*OF_TEXTS, "undefined")
def reconstruct(
    scores: Mapping[str, Value | Claim],
    *,
    p: int | None = None,
    n: int | None = None,
    total: Total | None = None,
    prevalence: Value | Claim | None = None,
    tightness: float = 1e-4,
    budget: float = 30.0,
    interval_method: str | None = None,
    **stated: Unpack[Stated],
) -> Reconstruction:
    """Everything that follows from reported scores: matrices, prevalence and all other scores, as guaranteed ranges.

    With ``p`` and ``n`` the matrices that fit are listed; with a ``total`` (a number or a pair (least, most)) all class
    counts are tried; with neither, the rates of the four cells are bounded for matrices of any size, to within
    ``tightness`` of values that occur. ``prevalence`` may be given as reported. Scores may have their
    confidence intervals, "0.912 (0.880-0.938)": by a known ``interval_method`` (clopper-pearson, wilson, ..., or any
    for one of the usual ones) they bound the numbers of cases, where these are not given. The others are those of
    ``check``.

    >>> from scoreproof import reconstruct
    >>> result = reconstruct({"acc": "0.706", "tpr": "0.430", "fpr": "0.031", "ppv": "0.930"}, rounding="nearest")
    >>> result.ranges["tn"].text(4), result.ranges["prevalence"].text(4)
    ('0.4947 to 0.4975', '0.4866 to 0.4895')
    >>> reconstruct({"acc": "0.85", "ppv": "0.80", "sens": "0.75"}, total=100, rounding="nearest").verdict
    <Verdict.INCONSISTENT: 'inconsistent'>
    """
    how = told(stated)
    how.refuse_all_but((*OF_TEXTS, "undefined"), "not used by reconstruct; leave it out")
    texts, (scores, intervals) = scores, split_intervals(scores, decimal_comma=how.decimal_comma)
    claim = _prevalence(prevalence, how)
    notes: tuple[str, ...] = ()
    if interval_method is not None:
        if not intervals or any(size is not None for size in (p, n, total)):
            raise InvalidOption(
                "interval_method: expected scores with intervals such as '0.912 (0.880-0.938)', and no p, n or total"
            )
        given = {name: str(texts[name]) for name in intervals}
        total, claim, notes = _bounded(given, interval_method, how.rounding, claim)
    classes, totals = _sizes(p, n, total, claim)
    tightness, budget = real("tightness", tightness, above=0), seconds(budget)
    deadline = Budget(budget)
    known = UnknownClasses(totals, claim) if classes is None else TestSet(*classes)
    problem = (UNKNOWN if classes is None else BINARY).problem(known, scores, how)
    answer = ask(problem, budget=deadline)
    made = Reconstruction(answer, {}, groups=() if totals else None)
    if classes is not None:
        made = _with_counts(answer, *classes)
    elif isinstance(problem, UnknownClassesProblem) and answer.verdict is Verdict.CONSISTENT:
        left = deadline.longer(min(_LEAST_SECONDS, budget))
        if totals is None:
            made = _of_any_size(answer, problem, tightness, left)
        else:
            made = _of_total(answer, problem, totals, tightness, left)
    answer = with_intervals(made.answer, known, intervals, how.rounding)
    if answer.verdict is not made.answer.verdict:
        return Reconstruction(answer, {}, groups=())
    return replace(made, answer=replace(answer, notes=(*answer.notes, *notes)))


def _bounded(
    intervals: Mapping[str, str], method: str, rounding: Any, claim: Claim | None
) -> tuple[Total | None, Claim | None, tuple[str, ...]]:
    """The totals and the prevalences that intervals by a method allow, and notes on where they come from.

    An accuracy is of all cases, a sensitivity of the positives, a specificity of the negatives; those of predictive
    values are of the cases predicted so, which are all cases together.
    """
    behind = import_module("scoreproof.claims.proportion").cases_behind
    rule = rounding if isinstance(rounding, str) else "any"
    sizes: dict[str, tuple[int, int]] = {}
    notes = []
    for given, text in intervals.items():
        known = quantity(given)
        name = given if known is None else known.name
        if name not in ("acc", "sens", "spec", "ppv", "npv"):
            raise InvalidOption(
                f"{given}: expected no interval beside interval_method but of acc, sens, spec, ppv, npv"
            )
        _, sizes[name] = behind(text, method, rounding=rule)
        how = "one of the usual methods" if method == "any" else method
        notes.append(f"{name}: {text} by {how} is an interval of {sizes[name][0]:,} to {sizes[name][1]:,} cases")
    spans = [sizes["acc"]] if "acc" in sizes else []
    for rate, other in (("sens", "spec"), ("ppv", "npv")):
        if rate in sizes and other in sizes:
            spans.append((sizes[rate][0] + sizes[other][0], sizes[rate][1] + sizes[other][1]))
    total = (max(low for low, _ in spans), min(high for _, high in spans)) if spans else None
    if total is not None and total[0] > total[1]:
        raise InvalidOption(f"interval_method: no number of cases has all of these intervals ({'; '.join(notes)})")
    if "sens" in sizes and "spec" in sizes and claim is None:
        (p1, p2), (n1, n2) = sizes["sens"], sizes["spec"]
        low, high = Fraction(p1, p1 + n2), Fraction(p2, p2 + n1)
        claim = read_prevalence((low + high) / 2, eps=(high - low) / 2)
    return total, claim, tuple(notes)


def _prevalence(value: Value | Claim | None, how: Conventions) -> Claim | None:
    if value is None:
        return None
    given = {name: getattr(how, name) for name in OF_TEXTS if name != "beta"}
    single: dict[str, Any] = {name: None if isinstance(value, Mapping) else value for name, value in given.items()}
    return read_prevalence(value, **single | ({} if single["eps"] is None else {"rounding": None}))


def _sizes(
    p: int | None, n: int | None, total: Total | None, claim: Claim | None
) -> tuple[tuple[int, int] | None, tuple[int, int] | None]:
    """The class counts, or the range of totals, or neither."""
    pair = UnknownClasses(total).totals
    if p is None and n is None:
        return None, pair
    if p is None or n is None:
        if pair is None or pair[0] != pair[1]:
            missing, given = ("n", "p") if n is None else ("p", "n")
            raise InvalidOption(f"{given} alone does not fix the test set; give {missing} or the total as well")
        known = TestSet(p or 0, n or 0) if p or n else None
        count = known.p + known.n if known else 0
        if count > pair[0]:
            raise InvalidExperiment(f"p or n is {count}, more than the total of {pair[0]}")
        p, n = (count, pair[0] - count) if n is None else (pair[0] - count, count)
    if claim is not None:
        raise InvalidOption("prevalence: p and n fix it already; leave it out")
    test = TestSet(p, n)
    if pair is not None and not pair[0] <= test.p + test.n <= pair[1]:
        raise InvalidOption(f"total: p + n is {test.p + test.n}, which contradicts total={total!r}")
    return (test.p, test.n), None


def _with_counts(answer: Answer[BinaryProblem, Witness], p: int, n: int) -> Reconstruction:
    if answer.witness is None:
        return Reconstruction(answer, {})
    group = Group(p, n, answer.witness.matrix, answer.claims, filler(answer.problem.undefined))
    listed = [(p, n, answer.solutions(most_rows=_MOST_ROWS))]
    spans, cover = _ranges(answer.claims, listed, (Fraction(p, p + n),) * 2, (p + n, p + n))
    return Reconstruction(answer, spans, groups=(group,), _cover=cover)


def _of_total(
    answer: Answer[Any, Any], problem: UnknownClassesProblem, ends: tuple[int, int], tightness: float, deadline: Budget
) -> Reconstruction:
    totals = Totals(problem.claims, *ends, problem.span, deadline)
    many = totals.candidates > MOST_GROUPS
    groups = () if many or totals.span is None else tuple(totals.groups())
    complete = not many and not totals.late
    if totals.span is None or (complete and not groups):
        return Reconstruction(answer, {}, groups=())  # only matrices with a 0/0 fit
    listed = [(group.p, group.n, group.solutions) for group in groups] if complete else None
    spans, cover = _ranges(problem.claims, listed, totals.span, ends, tightness)
    questions = _open_questions(problem.claims, problem.experiment.claim, spans)
    return Reconstruction(answer, spans, groups if complete else None, open_questions=questions, _cover=cover)


def _of_any_size(
    answer: Answer[Any, Any], problem: UnknownClassesProblem, tightness: float, deadline: Budget
) -> Reconstruction:
    quantities = reconstructed(tuple(claim.score for claim in problem.claims)) + leads()
    known = rates(problem.claims, quantities, prevalence=problem.span, tightness=tightness, budget=deadline)
    bounds = known.ranges.get("prevalence")
    if bounds is None:
        return Reconstruction(answer, known.ranges)  # only matrices with a 0/0 fit
    least = smallest((problem.claims,), bounds.low, bounds.high if bounds.high is not None else Fraction(1))
    questions = _open_questions(problem.claims, problem.experiment.claim, known.ranges)
    return Reconstruction(answer, known.ranges, smallest=least, open_questions=questions, _cover=known.cover)


def _ranges(
    reported: tuple[Claim, ...],
    groups: list[tuple[int, int, Solutions]] | None,
    span: Span,
    total: tuple[int, int],
    tightness: float = 1e-4,
) -> tuple[dict[str, Range], tuple[tuple[Vector, ...], ...]]:
    """Exact ranges over the matrices that were listed.

    If they were not, or there is too much to walk: ranges over all rates, which hold for the matrices of a total too
    (cells as counts), and rays that span them.
    """
    scores = tuple(claim.score for claim in reported)
    if groups is not None and sum(solutions.rows for _, _, solutions in groups) <= _MOST_ROWS:
        return exact_ranges(groups, list(scores)), ()
    quantities = reconstructed(scores) + leads()
    known = rates(reported, quantities, prevalence=span, tightness=tightness, budget=Budget.of_work(10.0))
    spans = {name: Range(span.low, span.high, False) for name, span in known.ranges.items()}
    spans |= {name: _counted(spans[name], total) for name in ("tp", "fp", "fn", "tn") if name in spans}
    if "prevalence" in spans:
        bounds = spans["prevalence"]
        rest = Range(1 - (Fraction(1) if bounds.high is None else bounds.high), 1 - bounds.low, False)
        spans |= {"p": _counted(bounds, total), "n": _counted(rest, total)}
    return spans, known.cover


def _counted(span: Range, total: tuple[int, int]) -> Range:
    """A range of rates as counts: whole numbers only."""
    high = Fraction(1) if span.high is None else span.high
    low = -(-span.low.numerator * total[0] // span.low.denominator)
    return Range(Fraction(low), Fraction(high.numerator * total[1] // high.denominator), False)


def _open_questions(reported: tuple[Claim, ...], claim: Claim | None, spans: dict[str, Range]) -> tuple[str, ...]:
    """In words, what the scores do not determine."""
    given = [*(each.score for each in reported), *([PREVALENCE] if claim else [])]
    ratios = [quantity.ratio for quantity in given]
    names = listed([each.name for each in reported] + (["the prevalence"] if claim else []))
    bounds = spans.get("prevalence")
    questions = []
    alone = f"{names} alone {'does' if len(given) == 1 else 'do'} not"
    span = "" if bounds is None else f": it may be anything from {below(bounds.low)} to {above(bounds.high)}"
    if not fixes(ratios, PREVALENCE.ratio):
        questions.append(f"{alone} fix the prevalence{span}")
    elif bounds is not None and bounds.high is not None and bounds.high - bounds.low > _WIDE and claim is None:
        questions.append(f"the values of {names} happen to leave the prevalence open{span}")
    missing = 3 - degrees_fixed(ratios)
    if missing > 0:
        questions.append(
            f"{names} {'fixes' if len(given) == 1 else 'fix'} {3 - missing} of the three degrees of freedom of a "
            f"confusion matrix; ranges of what depends on the rest are wide, not uncertain"
        )
    return tuple(questions)


_POINT = (97, 31, 43, 211)  # cells in general position
_STEP = Fraction(1, 10**30)
_DEPENDENT = 1e-9  # of directions of length one


def degrees_fixed(ratios: Sequence[CellRatio]) -> int:
    """How many of the three degrees of freedom these scores fix: the rank of their gradients.

    >>> from scoreproof.kinds.binary.scores import score
    >>> degrees_fixed([score(name).ratio for name in ("sens", "spec", "bm")])
    2
    """
    return int(np.linalg.matrix_rank(np.array([_direction(ratio) for ratio in ratios]), tol=_DEPENDENT))


def fixes(ratios: Sequence[CellRatio], wanted: CellRatio) -> bool:
    """Whether exact values of these scores would leave only isolated values of the wanted one."""
    return degrees_fixed([*ratios, wanted]) == degrees_fixed(ratios)


@lru_cache(maxsize=256)
def _direction(ratio: CellRatio) -> list[float]:
    """The gradient of a score in the four cells, as long as one: differences so small that they err by 1e-28."""
    at = [_POINT, *([cell + _STEP * (k == place) for k, cell in enumerate(_POINT)] for place in range(4))]
    here, *beside = (Fraction(num) / Fraction(den) for num, den in (ratio(*cells) for cells in at))
    slopes = [float((value - here) / _STEP) for value in beside]
    return [slope / (math.hypot(*slopes) or 1.0) for slope in slopes]
