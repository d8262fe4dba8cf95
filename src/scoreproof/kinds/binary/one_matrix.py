"""Presolve of one matrix by the rates that name it (Savelsbergh 1994, doi:10.1287/ijoc.6.4.445), then the engine.

Printed sensitivity and specificity (or accuracy and one of them) name a matrix up to rounding. If that matrix, or one
next to it, gives every printed score, it is the witness.

Sensitivity and specificity together leave a box, at usual sizes a handful of matrices, and a score that was mistyped
lies outside its interval on all of them, which a corner shows, since scores are monotone: two trims and an exclusion.
What neither shows goes to branch and bound (``engine.rectangles``), which decides it. All comparisons are in integers.
``presolve_batch`` does the same for many reports at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.kinds.binary.engine.bands import band
from scoreproof.kinds.binary.engine.rectangles import Step, decide, filler
from scoreproof.kinds.binary.experiment import total_counts
from scoreproof.kinds.binary.problem import BinaryProblem, Witness
from scoreproof.kinds.binary.reasons import undefined_note
from scoreproof.kinds.binary.scores import ConfusionMatrix, score
from scoreproof.kinds.binary.scores.score import RATIO
from scoreproof.kinds.kind import Decision
from scoreproof.reported import Claim
from scoreproof.reported.conventions import Undefined
from scoreproof.work.budget import Budget

NAMING = ("sens", "spec", "acc")  # the scores that name a matrix
_PLACES = {name: place for place, name in enumerate(NAMING)}


def presolve_box(claims: tuple[Claim, ...], p: int, n: int, filled: int | None) -> list[Step] | None:
    """The proof that nothing fits, from the box that sensitivity and specificity leave; None if that shows nothing.

    ``filled`` is what a 0/0 counts as; None if it excludes its matrix.
    """
    by = {claim.quantity.name: index for index, claim in enumerate(claims)}
    if "sens" not in by or "spec" not in by or not (p and n):
        return None
    (a, b), (c, d) = (_counted(claims[by[name]], of) for name, of in (("sens", p), ("spec", n)))
    if not (0 <= a <= b <= p and 0 <= c <= d <= n):
        return None
    for index, claim in enumerate(claims):
        side = 0 if index in (by["sens"], by["spec"]) else _beyond(claim, (a, b, c, d), p, n, filled)
        if side:
            word, ends = ("below", (a, c, 0, 0)) if side > 0 else ("above", (b, d, p, n))
            trims = (("tp", ends[0], ends[2], by["sens"]), ("tn", ends[1], ends[3], by["spec"]))
            return [*(["trim", axis, word, v, of] for axis, v, whole, of in trims if v != whole), ["out", index]]
    return None


def _beyond(claim: Claim, box: tuple[int, int, int, int], p: int, n: int, filled: int | None) -> int:
    """1 if even the fewest right answers in a box are too many for a claim, -1 if the most are too few, else 0."""
    score: Any = claim.quantity
    if score.link is not RATIO:
        return 0
    a, b, c, d = box
    low, below, high, above = claim.ends
    for tp, tn, side, rest in ((a, c, 1, (a, p, c, n)), (b, d, -1, (0, b, 0, d))):
        num, den = score.ratio(tp, n - tn, p - tp, tn)
        outside = num * above > high * den if side == score.direction else num * below < low * den
        if den and outside and (filled is None or _is_defined(score, rest, p, n)):
            return side  # a 0/0 that counts as a number is not monotone
    return 0


def _counted(rate: Claim, of: int) -> tuple[int, int]:
    """The least and the most right answers of a class that a rate allows."""
    low, below, high, above = rate.ends
    return -(-low * of // below), high * of // above


def _is_defined(score: Any, box: tuple[int, int, int, int], p: int, n: int) -> bool:
    """Whether a score is no 0/0 at the corners of a box."""
    return all(any(score.ratio(tp, n - tn, p - tp, tn)) for tp in box[:2] for tn in box[2:])


def decide_matrix(problem: BinaryProblem, deadline: Budget) -> Decision[Witness]:
    """A matrix that gives the report, or the proof that there is none."""
    _refuse_parts(problem)
    p, n = total_counts(problem.experiment)
    named = presolve_matrix(problem.claims, p, n)
    if named is not None:
        return Decision(Witness((named,)))
    steps = presolve_box(problem.claims, p, n, filler(problem.undefined))
    return _search(problem, p, n, deadline) if steps is None else Decision(proof={"kind": "rectangles", "steps": steps})


def _refuse_parts(problem: BinaryProblem) -> None:
    stated = problem.about_parts
    if stated.startswith("the ±"):
        raise InvalidValue(
            f"{stated}: {problem.experiment} gives one value without a spread; leave the ± out, or use spread='ignore'"
        )
    if stated:
        raise InvalidOption(f"{stated}: that speaks of parts, but {problem.experiment} has one matrix")


def presolve_matrix(claims: tuple[Claim, ...], p: int, n: int) -> ConfusionMatrix | None:
    """A matrix named by the printed rates that gives every score, all of them defined."""
    there, right, sizes = [False] * 3, [0] * 3, (p, n, p + n)
    for claim in claims:
        place = _PLACES.get(claim.quantity.name)
        if place is not None:
            number = claim.number
            there[place], right[place] = True, nearest_count(number.units, number.scale, sizes[place])
    if sum(there) < 2:
        return None
    for tp, tn, applies in named_cells(there, *right):
        if applies and 0 <= tp <= p and 0 <= tn <= n and _gives(claims, (tp, n - tn, p - tp, tn), None):
            return ConfusionMatrix(tp, n - tn, p - tp, tn)
    return None


def nearest_count(units: Any, scale: Any, of: Any) -> Any:
    """The whole number nearest to the printed share of a count."""
    return (2 * units * of + scale) // (2 * scale)


def named_cells(there: Sequence[Any], tp: Any, tn: Any, right: Any) -> Iterator[tuple[Any, Any, Any]]:
    """The matrices (tp, tn) that printed rates name, and whether they do: the nearest, then as accuracy corrects it.

    ``there`` says which of sensitivity, specificity and accuracy are printed; of one report, or of many as arrays.
    """
    sens, spec, acc = there
    yield tp, tn, sens & spec
    corrected = sens & spec & acc & (right != tp + tn)
    yield tp, right - tp, corrected | (acc & sens & (spec ^ True))
    yield right - tn, tn, corrected | (acc & spec & (sens ^ True))


def _search(problem: BinaryProblem, p: int, n: int, deadline: Budget) -> Decision[Witness]:
    claims, undefined = problem.claims, problem.undefined
    bands = [band(index, claim, p, n) for index, claim in enumerate(claims)]
    searched = decide(bands, undefined=undefined, budget=deadline)
    proof: dict[str, Any] = {"kind": "rectangles", "steps": searched.proof}
    if searched.proof is not None and undefined is Undefined.ANY and 0 in (p, n):
        recall = _with_recall(claims, p)
        if recall != claims:
            bands = [band(index, claim, p, n) for index, claim in enumerate(recall)]
            searched = decide(bands, undefined=undefined, budget=deadline)
            proof["present"] = searched.proof
    if searched.cell is not None:
        tp, tn = searched.cell
        witness = Witness((ConfusionMatrix(tp, n - tn, p - tp, tn),))
        return Decision(witness, notes=undefined_note(claims, undefined, witness, recall="present" in proof))
    return Decision(reason=searched.reason) if searched.proof is None else Decision(proof=proof)


def _with_recall(claims: tuple[Claim, ...], p: int) -> tuple[Claim, ...]:
    """scikit-learn's balanced accuracy of a set that lacks a class is the recall of the other."""
    recall = score("sens" if p else "spec")
    return tuple(replace(claim, quantity=recall) if claim.score.name == "bacc" else claim for claim in claims)


def matrix_holds(problem: BinaryProblem, witness: Witness) -> bool:
    """Whether one matrix has the class counts and gives every claim, each 0/0 as the convention has it."""
    if len(witness.matrices) != 1 or problem.about_parts:
        return False
    cells = witness.matrices[0].cells
    tp, fp, fn, tn = cells
    if min(cells) < 0 or (tp + fn, fp + tn) != total_counts(problem.experiment):
        return False
    filled = filler(problem.undefined)
    if _gives(problem.claims, cells, filled):
        return True
    lacking = problem.undefined is Undefined.ANY and 0 in (tp + fn, fp + tn)
    return lacking and _gives(_with_recall(problem.claims, tp + fn), cells, filled)


def _gives(claims: tuple[Claim, ...], cells: tuple[int, int, int, int], filled: int | None) -> bool:
    """Whether a matrix gives every claim, where a 0/0 counts as ``filled``, or excludes the matrix."""
    tp, fp, fn, tn = cells
    for claim in claims:
        quantity: Any = claim.quantity
        num, den = quantity.ratio(tp, fp, fn, tn)
        if not den:
            if num != 0 or filled is None or not claim.low <= filled <= claim.high:
                return False
            continue
        low, below, high, above = claim.ends
        if quantity.link is not RATIO:
            low, below = quantity.link.inverse(claim.low).as_integer_ratio()
            high, above = quantity.link.inverse(claim.high).as_integer_ratio()
        if num * below < low * den or num * above > high * den:
            return False
    return True
