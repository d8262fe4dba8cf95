"""From reported scores to everything that follows: matrices, prevalence and other scores, as guaranteed ranges."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from importlib import import_module
from typing import Any

from scoreproof.asking import Answer, Verdict, ask
from scoreproof.errors import InvalidExperiment, InvalidOption
from scoreproof.kinds.binary.engine.rectangles import filler
from scoreproof.kinds.binary.engine.solutions import Solutions
from scoreproof.kinds.binary.experiment import TestSet
from scoreproof.kinds.binary.kind import KIND as BINARY
from scoreproof.kinds.unknown_classes.experiment import Total, UnknownClasses, read_prevalence
from scoreproof.kinds.unknown_classes.forms import Vector
from scoreproof.kinds.unknown_classes.kind import KIND as UNKNOWN
from scoreproof.kinds.unknown_classes.kind import MOST_GROUPS, UnknownClassesProblem
from scoreproof.kinds.unknown_classes.quantities import PREVALENCE, leads, reconstructed
from scoreproof.kinds.unknown_classes.ranges import Range, below
from scoreproof.kinds.unknown_classes.rates import Group, Span, Totals, rates
from scoreproof.kinds.unknown_classes.smallest import smallest
from scoreproof.quantities.registry import quantity
from scoreproof.reconstruction.extremes import Extremes, lead_measures, measures
from scoreproof.reconstruction.freedom import degrees_fixed, fixes
from scoreproof.reconstruction.result import Reconstruction
from scoreproof.reported import Claim, Value
from scoreproof.validation import real, seconds
from scoreproof.work.deadline import Deadline

_MOST_ROWS = 100_000  # rows of (tp, tn) that are walked for exact ranges
_WIDE = Fraction(1, 20)  # a prevalence that ranges over more than this is worth a remark
_LEAST_SECONDS = 5.0  # that the ranges get when the verdict is found, however long that took
Cover = tuple[tuple[Vector, ...], ...]


def reconstruct(
    scores: Mapping[str, Value | Claim],
    *,
    p: int | None = None,
    n: int | None = None,
    total: Total | None = None,
    prevalence: Value | Claim | None = None,
    rounding: Any = None,
    eps: Any = None,
    digits: Any = None,
    beta: Any = None,
    undefined: str = "any",
    decimal_comma: bool = False,
    tightness: float = 1e-4,
    budget: float = 30.0,
    interval: str | None = None,
    interval_method: str | None = None,
) -> Reconstruction:
    """Everything that follows from reported scores: matrices, prevalence and all other scores, as guaranteed ranges.

    With ``p`` and ``n`` the matrices that fit are listed; with a ``total`` (a number or a pair (least, most)) all class
    counts are tried; with neither, the rates of the four cells are bounded for matrices of any size, to within
    ``tightness`` of values that occur. ``prevalence`` may be given as reported. ``interval`` is the accuracy with its
    confidence interval as printed, "0.912 (0.880-0.938)": by a known ``interval_method`` (clopper-pearson, wilson, ...)
    it bounds the total. The other options are those of ``check``.

    >>> from scoreproof import reconstruct
    >>> found = reconstruct({"acc": "0.706", "tpr": "0.430", "fpr": "0.031", "ppv": "0.930"}, rounding="nearest")
    >>> found.ranges["tn"].text(4), found.ranges["prevalence"].text(4)
    ('0.4947 to 0.4975', '0.4866 to 0.4895')
    >>> reconstruct({"acc": "0.85", "ppv": "0.80", "sens": "0.75"}, total=100, rounding="nearest").verdict
    <Verdict.INCONSISTENT: 'inconsistent'>
    """
    options = {"rounding": rounding, "eps": eps, "digits": digits, "beta": beta, "decimal_comma": decimal_comma}
    if interval is not None or interval_method is not None:
        scores, total, note = _bounded(scores, interval, interval_method, rounding, (p, n, total))
        found = reconstruct(
            scores,
            total=total,
            prevalence=prevalence,
            undefined=undefined,
            tightness=tightness,
            budget=budget,
            **options,
        )
        return replace(found, answer=replace(found.answer, notes=(*found.answer.notes, note)))
    claim = _prevalence(prevalence, options)
    classes, totals = _sizes(p, n, total, claim)
    tightness, budget = real("tightness", tightness, above=0), seconds(budget)
    deadline = Deadline(budget)
    if classes is not None:
        problem = BINARY.problem(TestSet(*classes), scores, undefined=undefined, **options)
        return _with_counts(ask(problem, budget=deadline), classes)
    unknown = UNKNOWN.problem(UnknownClasses(totals, claim), scores, undefined=undefined, **options)
    answer = ask(unknown, budget=deadline)
    if answer.verdict is not Verdict.CONSISTENT:
        return Reconstruction(answer, {}, groups=() if totals else None)
    left = deadline.longer(min(_LEAST_SECONDS, budget))
    if totals is None:
        return _of_any_size(answer, unknown, tightness, left)
    return _of_total(answer, unknown, totals, tightness, left)


def _bounded(
    scores: Mapping[str, Value | Claim], interval: str | None, method: str | None, rounding: Any, sizes: tuple[Any, ...]
) -> tuple[Mapping[str, Value | Claim], Total, str]:
    """The scores with the accuracy of an interval, the totals it allows, and a note on where they come from."""
    if interval is None or method is None:
        raise InvalidOption("interval, interval_method: expected both, an accuracy with its interval and its method")
    if any(size is not None for size in sizes):
        raise InvalidOption("interval: expected no p, n or total beside it, since it bounds the total")
    if any(quantity(name).name == "acc" for name in scores):
        raise InvalidOption("interval: expected the accuracy in the interval alone, got it among the scores as well")
    rule = rounding if isinstance(rounding, str) else "any"
    behind = import_module("scoreproof.claims.cases_behind").cases_behind
    value, total = behind(interval, method, rounding=rule)
    note = f"{interval} by {method} is an interval of {total[0]:,} to {total[1]:,} cases"
    return {**scores, "acc": value}, total, note


def _prevalence(value: Value | Claim | None, options: dict[str, Any]) -> Claim | None:
    if value is None:
        return None
    single: dict[str, Any] = {
        key: None if isinstance(given, Mapping) else given for key, given in options.items() if key != "beta"
    }
    if single["rounding"] is not None and single["eps"] is not None:
        single["rounding"] = None
    return read_prevalence(value, **single)


def _sizes(
    p: int | None, n: int | None, total: Total | None, claim: Claim | None
) -> tuple[tuple[int, int] | None, tuple[int, int] | None]:
    """The class counts, or the range of totals, or neither."""
    pair = UnknownClasses(total).totals
    if (p is None) != (n is None):
        if pair is None or pair[0] != pair[1]:
            missing, given = ("n", "p") if n is None else ("p", "n")
            raise InvalidOption(f"{given} alone does not fix the test set; give {missing} or the total as well")
        known = TestSet(p if p is not None else 0, n if n is not None else 0) if (p or n) else None
        count = (known.p + known.n) if known else 0
        if count > pair[0]:
            raise InvalidExperiment(f"p or n is {count}, more than the total of {pair[0]}")
        p, n = (p, pair[0] - p) if p is not None else (pair[0] - (n or 0), n)
    if p is None or n is None:
        return None, pair
    if claim is not None:
        raise InvalidOption("prevalence: p and n fix it already; leave it out")
    test = TestSet(p, n)
    if pair is not None and not pair[0] <= test.p + test.n <= pair[1]:
        raise InvalidOption(f"total: p + n is {test.p + test.n}, which contradicts total={total!r}")
    return (test.p, test.n), None


def _with_counts(answer: Answer[Any, Any], classes: tuple[int, int]) -> Reconstruction:
    if answer.witness is None:
        return Reconstruction(answer, {})
    p, n = classes
    solutions = answer.solutions(most_rows=_MOST_ROWS)
    group = Group(p, n, answer.witness.matrix, answer.claims, filler(answer.problem.undefined))
    spans, cover = _exact(answer.claims, [(p, n, solutions)]) or _relaxed(
        answer.claims, (Fraction(p, p + n),) * 2, (p + n, p + n)
    )
    return Reconstruction(answer, spans, groups=(group,), _cover=cover)


def _of_total(
    answer: Answer[Any, Any],
    problem: UnknownClassesProblem,
    ends: tuple[int, int],
    tightness: float,
    deadline: Deadline,
) -> Reconstruction:
    totals = Totals(problem.claims, *ends, problem.span, deadline)
    many = totals.candidates > MOST_GROUPS
    groups = [] if many or totals.span is None else list(totals.groups())
    complete = not many and not totals.late
    if totals.span is None or (complete and not groups):
        return Reconstruction(answer, {}, groups=())  # only matrices with a 0/0 fit
    listed = _exact(problem.claims, [(group.p, group.n, group.solutions) for group in groups]) if complete else None
    spans, cover = listed or _relaxed(problem.claims, totals.span, ends, tightness)
    return Reconstruction(
        answer,
        spans,
        groups=tuple(groups) if complete else None,
        open_questions=_open_questions(problem.claims, problem.experiment.claim, spans),
        _cover=cover,
    )


def _of_any_size(
    answer: Answer[Any, Any], problem: UnknownClassesProblem, tightness: float, deadline: Deadline
) -> Reconstruction:
    quantities = reconstructed(tuple(claim.score for claim in problem.claims)) + leads()
    known = rates(problem.claims, quantities, prevalence=problem.span, tightness=tightness, budget=deadline)
    bounds = known.ranges.get("prevalence")
    if bounds is None:
        return Reconstruction(answer, known.ranges)  # only matrices with a 0/0 fit
    least = smallest((problem.claims,), bounds.low, bounds.high if bounds.high is not None else Fraction(1))
    return Reconstruction(
        answer,
        known.ranges,
        smallest=least,
        open_questions=_open_questions(problem.claims, problem.experiment.claim, known.ranges),
        _cover=known.cover,
    )


def _exact(
    reported: tuple[Claim, ...], groups: list[tuple[int, int, Solutions]]
) -> tuple[dict[str, Range], Cover] | None:
    """Exact ranges over everything listed; None if it is too much to walk."""
    if sum(solutions.rows for _, _, solutions in groups) > _MOST_ROWS:
        return None
    found = Extremes([*measures(one.score for one in reported), *lead_measures()])
    for p, n, solutions in groups:
        found.add(p, n, solutions)
    return found.ranges(), ()


def _relaxed(
    reported: tuple[Claim, ...], span: Span, total: tuple[int, int], tightness: float = 1e-4
) -> tuple[dict[str, Range], Cover]:
    """Ranges over all rates, which hold for the matrices of a total too (cells as counts), and rays that span them."""
    quantities = reconstructed(tuple(one.score for one in reported)) + leads()
    known = rates(reported, quantities, prevalence=span, tightness=tightness, budget=Deadline.of_work(10.0))
    spans = {name: Range(one.low, one.high, False) for name, one in known.ranges.items()}
    for name in ("tp", "fp", "fn", "tn"):
        if name in spans:
            spans[name] = _counted(spans[name], total)
    if "prevalence" in spans:
        bounds = spans["prevalence"]
        spans["p"] = _counted(bounds, total)
        rest = Range(1 - (Fraction(1) if bounds.high is None else bounds.high), 1 - bounds.low, False)
        spans["n"] = _counted(rest, total)
    return spans, known.cover


def _counted(span: Range, total: tuple[int, int]) -> Range:
    """A range of rates as counts: whole numbers only."""
    high = Fraction(1) if span.high is None else span.high
    low = -(-span.low.numerator * total[0] // span.low.denominator)
    return Range(Fraction(low), Fraction(high.numerator * total[1] // high.denominator), False)


def _open_questions(reported: tuple[Claim, ...], claim: Claim | None, spans: dict[str, Range]) -> tuple[str, ...]:
    """In words, what the scores do not determine."""
    given = [*(one.score for one in reported), *([PREVALENCE] if claim else [])]
    ratios = [one.ratio for one in given]
    names = _listed([one.name for one in reported] + (["the prevalence"] if claim else []))
    bounds = spans.get("prevalence")
    found = []
    alone = f"{names} alone {'does' if len(given) == 1 else 'do'} not"
    span = "" if bounds is None else f": it may be anything from {below(bounds.low)} to {_top(bounds)}"
    if not fixes(ratios, PREVALENCE.ratio):
        found.append(f"{alone} fix the prevalence{span}")
    elif bounds is not None and bounds.high is not None and bounds.high - bounds.low > _WIDE and claim is None:
        found.append(f"the values of {names} happen to leave the prevalence open{span}")
    missing = 3 - degrees_fixed(ratios)
    if missing > 0:
        found.append(
            f"{names} {'fixes' if len(given) == 1 else 'fix'} {3 - missing} of the three degrees of freedom of a "
            f"confusion matrix; ranges of what depends on the rest are wide, not uncertain"
        )
    return tuple(found)


def _top(span: Range) -> str:
    return span.text().rpartition(" to ")[2]


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
