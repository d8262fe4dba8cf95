"""From reported scores to everything that follows from them: the three cases, and what is asked of their input."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from scoreproof.asking import Verdict, Witness, flaw
from scoreproof.asking.check import check
from scoreproof.asking.digits import digit_notes
from scoreproof.errors import InvalidExperiment, InvalidOption, InvalidValue
from scoreproof.kinds.binary.engine.rectangles import filler
from scoreproof.kinds.binary.engine.solutions import Solutions
from scoreproof.kinds.binary.experiment import TestSet
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.reconstruction import Total
from scoreproof.reconstruction.cone import Vector
from scoreproof.reconstruction.edges import closed, edge_witnesses
from scoreproof.reconstruction.extremes import Extremes, lead_measures, measures
from scoreproof.reconstruction.freedom import degrees_fixed, fixes
from scoreproof.reconstruction.quantities import PREVALENCE, leads, reconstructed
from scoreproof.reconstruction.ranges import Range, below
from scoreproof.reconstruction.rates import rates
from scoreproof.reconstruction.result import Reconstruction
from scoreproof.reconstruction.smallest import smallest
from scoreproof.reconstruction.totals import Group, Span, Totals
from scoreproof.reported import Reported, Value, read_scores, report
from scoreproof.reported.conventions import Undefined, choice
from scoreproof.validation import real, seconds

_MOST_GROUPS = 60_000  # class counts that are listed
_MOST_ROWS = 100_000  # rows of (tp, tn) that are walked for exact ranges
_WIDE = Fraction(1, 20)  # a prevalence that ranges over more than this is worth a remark
Cover = tuple[tuple[Vector, ...], ...]


def from_scores(scores: Mapping[str, Value | Reported], **options: Any) -> Reconstruction:
    """What ``scoreproof.reconstruct`` does, all options given; with notes on values whose few digits say little."""
    found = _from_scores(scores, **options)
    if found.verdict is not Verdict.CONSISTENT:
        return found
    again = {key: value for key, value in options.items() if key not in ("rounding", "eps", "digits")}

    def ask(claims: tuple[Reported, ...]) -> Reconstruction:
        named: dict[str, Value | Reported] = {claim.name: claim for claim in claims}
        return _from_scores(named, rounding=None, eps=None, digits=None, **again)

    notes = digit_notes(found.reported, ask)
    return replace(found, notes=found.notes + notes) if notes else found


def _from_scores(
    scores: Mapping[str, Value | Reported],
    *,
    p: int | None,
    n: int | None,
    total: Total | None,
    prevalence: Value | Reported | None,
    rounding: Any,
    eps: Any,
    digits: Any,
    beta: Any,
    undefined: str,
    decimal_comma: bool,
    tightness: float,
    budget: float,
) -> Reconstruction:
    options = {"rounding": rounding, "eps": eps, "digits": digits, "beta": beta, "decimal_comma": decimal_comma}
    reported = read_scores(scores, **options)
    for one in reported:
        if one.spread is not None:
            raise InvalidValue(
                f"{one.name}: {one.text!r} has a ±, so it is a mean over folds, but a reconstruction is about one "
                "confusion matrix; leave the ± out to treat the value as that of one matrix"
            )
    claim = _prevalence(prevalence, options)
    span = None if claim is None else (claim.low, claim.high)
    if span is not None and (span[0] > 1 or span[1] < 0):
        raise InvalidValue(f"prevalence: expected a value from 0 to 1, got {claim.text if claim else ''}")
    classes, totals = _sizes(p, n, total, claim)
    tightness, budget = real("tightness", tightness, above=0), seconds(budget)
    if classes is not None:
        return _with_counts(reported, classes, undefined, budget)
    convention = choice(Undefined, "undefined", undefined)
    if convention not in (Undefined.ANY, Undefined.EXCLUDE):
        raise InvalidOption(
            f"undefined={undefined!r} needs p and n; without them it is 'any' (the default) or 'exclude'"
        )
    experiment: dict[str, Any] = {"type": "unknown_classes"}
    if claim is not None:
        experiment["prevalence"] = {key: text for key, text in claim.to_dict().items() if key not in ("score", "name")}
    common: dict[str, Any] = {"reported": reported, "prevalence": claim, "classes": None, "undefined": str(convention)}
    if totals is not None:
        common |= {"total": totals, "_experiment": {**experiment, "total": list(totals)}}
        found = _with_total(common, Totals(reported, *totals, span, budget), tightness)
    else:
        common |= {"total": None, "_experiment": experiment}
        found = _without_counts(common, span, tightness, budget)
    if found.verdict is Verdict.INCONSISTENT and convention is Undefined.ANY:
        found = _on_edges(found, span)
    return _verified(found)


def _verified(found: Reconstruction) -> Reconstruction:
    """The same if it is not a refutation, or one that the verifier accepts; undecided otherwise."""
    if found.verdict is not Verdict.INCONSISTENT:
        return found
    wrong = flaw(found.statement(), found._proof)
    if not wrong:
        return found
    reason = f"a refutation was found that the verifier does not accept ({wrong})"
    return replace(found, verdict=Verdict.UNDECIDED, reason=reason, _proof=None)


def _on_edges(refuted: Reconstruction, span: Span | None) -> Reconstruction:
    """Where 0/0 may count as zero, matrices on which a score is undefined may give what no others do."""
    if closed(refuted.reported, span, refuted.total):
        return refuted
    for matrix in edge_witnesses(refuted.reported, span, refuted.total):
        note = "this fits only if 0/0 counts as zero, as scikit-learn prints it; no other matrix gives the report"
        return replace(refuted, verdict=Verdict.CONSISTENT, witness=Witness((matrix,)), notes=(note,), _proof=None)
    reason = "no matrix on which all scores are defined fits; with 0/0 counted as zero it is open"
    return replace(refuted, verdict=Verdict.UNDECIDED, reason=reason, _proof=None)


def _prevalence(value: Value | Reported | None, options: dict[str, Any]) -> Reported | None:
    if value is None or isinstance(value, Reported):
        return value
    single: dict[str, Any] = {
        key: None if isinstance(given, Mapping) else given for key, given in options.items() if key != "beta"
    }
    if single["rounding"] is not None and single["eps"] is not None:
        single["rounding"] = None
    one = report(PREVALENCE, value, **single)
    if one.spread is not None:
        raise InvalidValue(f"prevalence: expected one number, got {one.text!r} with a ±")
    return one


def _sizes(
    p: int | None, n: int | None, total: Total | None, claim: Reported | None
) -> tuple[tuple[int, int] | None, tuple[int, int] | None]:
    """The class counts, or the range of totals, or neither."""
    pair = _total(total)
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


def _total(total: Any) -> tuple[int, int] | None:
    if total is None:
        return None
    ends = total if isinstance(total, (tuple, list)) else (total, total)
    if len(ends) != 2 or any(isinstance(end, bool) or not isinstance(end, int) for end in ends):
        raise InvalidExperiment(f"total: expected a whole number or a pair (least, most), got {total!r}")
    low, high = ends
    if not 1 <= low <= high:
        raise InvalidExperiment(f"total: expected 1 <= least <= most, got {total!r}")
    return low, high


def _with_counts(
    reported: tuple[Reported, ...], classes: tuple[int, int], undefined: str, budget: float
) -> Reconstruction:
    p, n = classes
    checked = check(TestSet(p, n), {one.name: one for one in reported}, undefined=undefined, budget=budget)
    common: dict[str, Any] = {
        "reported": reported,
        "prevalence": None,
        "total": None,
        "classes": classes,
        "undefined": str(checked.undefined),
        "_experiment": checked.experiment.to_dict(),
    }
    if checked.witness is None:
        return Reconstruction(checked.verdict, ranges={}, reason=checked.reason, _proof=checked._proof, **common)
    common["notes"] = tuple(note for note in checked.notes if not note.startswith("read as printed"))
    solutions = checked.solutions(most_rows=_MOST_ROWS)
    group = Group(p, n, checked.witness.matrix, reported, filler(checked.undefined))
    listed = _exact(reported, [(p, n, solutions)])
    if listed is None:
        listed = _relaxed(reported, (Fraction(p, p + n),) * 2, (p + n, p + n))
    spans, cover = listed
    return Reconstruction(
        Verdict.CONSISTENT, ranges=spans, witness=checked.witness, groups=(group,), _cover=cover, **common
    )


def _with_total(common: dict[str, Any], totals: Totals, tightness: float) -> Reconstruction:
    reported: tuple[Reported, ...] = common["reported"]
    if totals.span is None:
        proof = {"kind": "known total", "steps": totals.refute()}
        return Reconstruction(Verdict.INCONSISTENT, ranges={}, groups=(), _proof=proof, **common)
    many = totals.candidates > _MOST_GROUPS
    groups: list[Group] = []
    for group in totals.groups(totals.likely() if many else None):
        groups.append(group)
        if many:
            break
    if not groups:
        steps = None if totals.late else totals.refute()
        if steps is not None:
            proof = {"kind": "known total", "steps": steps}
            return Reconstruction(Verdict.INCONSISTENT, ranges={}, groups=(), _proof=proof, **common)
        reason = f"{totals.candidates} class counts could not all be decided within {totals.budget:g} s"
        return Reconstruction(Verdict.UNDECIDED, ranges={}, reason=reason, **common)
    complete = not many and not totals.late
    listed = _exact(reported, [(one.p, one.n, one.solutions) for one in groups]) if complete else None
    spans, cover = listed or _relaxed(reported, totals.span, common["total"], tightness)
    return Reconstruction(
        Verdict.CONSISTENT,
        ranges=spans,
        witness=Witness((groups[0].example,)),
        groups=tuple(groups) if complete else None,
        open_questions=_open_questions(reported, common["prevalence"], spans),
        _cover=cover,
        **common,
    )


def _without_counts(common: dict[str, Any], span: Span | None, tightness: float, budget: float) -> Reconstruction:
    reported: tuple[Reported, ...] = common["reported"]
    start = time.monotonic()
    quantities = reconstructed(tuple(one.score for one in reported)) + leads()
    known = rates(reported, quantities, prevalence=span, tightness=tightness, budget=budget)
    if known.proof is not None:
        proof = {"kind": "rates", "steps": known.proof}
        reason = next((one.beyond_range for one in reported if one.beyond_range), "") or ""
        return Reconstruction(Verdict.INCONSISTENT, ranges={}, reason=reason, _proof=proof, **common)
    if known.witness is None:
        reason = f"{known.cones} cones of rates within {time.monotonic() - start:.1f} s"
        return Reconstruction(Verdict.UNDECIDED, ranges=known.ranges, reason=reason, **common)
    bounds = known.ranges["prevalence"]
    least = smallest((reported,), bounds.low, bounds.high if bounds.high is not None else Fraction(1))
    witness = least.matrices[0] if least.matrices else ConfusionMatrix(*known.witness)
    return Reconstruction(
        Verdict.CONSISTENT,
        ranges=known.ranges,
        witness=Witness((witness,)),
        smallest=least,
        open_questions=_open_questions(reported, common["prevalence"], known.ranges),
        _cover=known.cover,
        **common,
    )


def _exact(
    reported: tuple[Reported, ...], groups: list[tuple[int, int, Solutions]]
) -> tuple[dict[str, Range], Cover] | None:
    """Exact ranges over everything listed; None if it is too much to walk."""
    if sum(solutions.rows for _, _, solutions in groups) > _MOST_ROWS:
        return None
    found = Extremes([*measures(one.score for one in reported), *lead_measures()])
    for p, n, solutions in groups:
        found.add(p, n, solutions)
    return found.ranges(), ()


def _relaxed(
    reported: tuple[Reported, ...], span: Span, total: tuple[int, int], tightness: float = 1e-4
) -> tuple[dict[str, Range], Cover]:
    """Ranges over all rates, which hold for the matrices of a total too (cells as counts), and rays that span them."""
    quantities = reconstructed(tuple(one.score for one in reported)) + leads()
    known = rates(reported, quantities, prevalence=span, tightness=tightness, budget=10.0)
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


def _open_questions(reported: tuple[Reported, ...], claim: Reported | None, spans: dict[str, Range]) -> tuple[str, ...]:
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
