"""One confusion matrix: presolve by the rates that name it, then branch and bound; and in a sentence why nothing fits.

A report about one confusion matrix: a look at the matrix its rates name, one at the box they leave, then the engine.

Printed sensitivity and specificity (or accuracy and one of them) name a matrix up to rounding; one of them alone a line
of matrices (``presolve_line``). If that matrix, or one next to it, gives every printed score, it is the witness and
nothing remains to be searched. The comparison is in integers. A report without such a matrix is mostly refuted by the
few matrices that the rates leave (``presolve_box``), and what is left goes to the engine, which decides it either way.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.kinds.binary.engine.bands import band
from scoreproof.kinds.binary.engine.rectangles import decide, filler
from scoreproof.kinds.binary.experiment import Experiment, KFold, stratified_folds, total_counts
from scoreproof.kinds.binary.presolve import NAMING, presolve_box, presolve_line
from scoreproof.kinds.binary.problem import BinaryProblem, Witness
from scoreproof.kinds.binary.scores import ConfusionMatrix, score
from scoreproof.kinds.binary.scores.score import RATIO
from scoreproof.kinds.kind import Decision
from scoreproof.reported import Claim
from scoreproof.reported.conventions import Undefined
from scoreproof.work.budget import Budget


def undefined_note(
    reported: tuple[Claim, ...], undefined: Undefined, witness: Witness, *, recall: bool
) -> tuple[str, ...]:
    """Which scores are 0/0 in the matrix found, and how they count there."""
    if recall:
        return ("balanced accuracy is taken as the recall of the only class there is, as scikit-learn has it",)
    cells = witness.matrices[0].cells
    if sum(cell == 0 for cell in cells) < 2:
        return ()  # no score is 0/0 on a matrix with both classes and both answers
    names = [claim.name for claim in reported if claim.score.ratio(*cells)[1] == 0]
    if not names:
        return ()
    if undefined is not Undefined.ANY:
        return (f"{_and(names)} {_is(names)} 0/0 in this matrix and count{'s' * (len(names) == 1)} as {undefined}",)
    return (
        f"this fits only if {_and(names)}, 0/0 there, {_is(names)} counted as zero, as scikit-learn prints it: "
        "no matrix on which all scores are defined gives the report",
    )


def _and(names: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _is(names: list[str]) -> str:
    return "is" if len(names) == 1 else "are"


def plain_reason(reported: tuple[Claim, ...], p: int, n: int, undefined: Undefined) -> str:
    """Why nothing fits, where one sentence says it all."""
    lacking = 0 in (p, n)
    for claim in reported:
        beyond = claim.beyond_range
        if beyond:
            return beyond
        if lacking and band(0, claim, p, n).undefined_everywhere:
            missing = "positives" if p == 0 else "negatives"
            counted = "" if undefined is Undefined.EXCLUDE else ", and no usual way to count 0/0 gives this value"
            return f"{claim.name} is reported, but {claim.score.title} is undefined without {missing}{counted}"
    return ""


_TREATED = {
    "zero": "counted as zero",
    "one": "counted as one",
    "skip": "left out of the mean",
    "present": "counted as the value of the class that has one",
    "harmonic": "left out where there are no true positives (2PR / (P + R) is 0/0 there)",
}


def treatment_note(name: str, ways: tuple[str, ...]) -> str:
    return f"{name} is 0/0 in some of these matrices; it fits {' or '.join(_TREATED[way] for way in ways)}"


def mean_reason(reported: tuple[Claim, ...], experiment: Experiment, undefined: Undefined) -> str:
    """Why no folds fit, where one sentence says it all."""
    for claim in reported:
        if claim.beyond_range:
            return claim.beyond_range
    if isinstance(experiment, KFold) and undefined is Undefined.EXCLUDE:
        fewest = min(experiment.p, experiment.n)
        folds = stratified_folds(experiment.p, experiment.n, experiment.k) if experiment.stratified else []
        if fewest < experiment.k and (not folds or any(0 in fold for fold in folds)):
            kind = "positives" if fewest == experiment.p else "negatives"
            empty = (0, 1) if kind == "positives" else (1, 0)
            for claim in reported:
                cells = ((0, empty[1], empty[0], 0), (empty[0], 0, 0, empty[1]))
                if all(claim.score.ratio(*cell) == (0, 0) for cell in cells):
                    return (
                        f"{fewest} {kind} cannot fill {experiment.k} folds, and {claim.name} is undefined in a fold "
                        f"without {kind}"
                    )
    return ""


def decide_matrix(problem: BinaryProblem, deadline: Budget) -> Decision[Witness]:
    """A matrix that gives the report, or the proof that there is none."""
    _refuse_parts(problem)
    p, n = total_counts(problem.experiment)
    rates = sum(claim.quantity.name in NAMING for claim in problem.claims)
    if rates:
        named = presolve_matrix(problem.claims, p, n)
        if named is not None:
            return Decision(Witness((named,)))
        proof = presolve_box(problem.claims, p, n, filler(problem.undefined)) if rates > 1 else None
        if proof is not None:
            return Decision(proof=proof)
    return _search(problem, p, n, deadline)


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
    printed = {
        claim.quantity.name: (claim.number.units, claim.number.scale)
        for claim in claims
        if claim.quantity.name in NAMING
    }
    for tp, tn in _named(printed, p, n) if len(printed) > 1 else _on_line(claims, printed, p, n):
        if not (0 <= tp <= p and 0 <= tn <= n):
            continue
        fp, fn = n - tn, p - tp
        for claim in claims:
            quantity: Any = claim.quantity
            if quantity.link is not RATIO:
                return None
            num, den = quantity.ratio(tp, fp, fn, tn)
            low, below, high, above = claim.ends
            if not den or num * below < low * den or num * above > high * den:
                break
        else:
            return ConfusionMatrix(tp, fp, fn, tn)
    return None


def _named(printed: dict[str, tuple[int, int]], p: int, n: int) -> Iterator[tuple[int, int]]:
    """The matrices that the printed rates name: the nearest, then those the accuracy would correct it to."""
    sens, spec, acc = map(printed.get, NAMING)
    if sens is not None and spec is not None:
        tp, tn = _share(sens, p), _share(spec, n)
        yield tp, tn
        right = tp + tn if acc is None else _share(acc, p + n)
        if right != tp + tn:
            yield tp, right - tp
            yield right - tn, tn
    elif acc is not None and sens is not None:
        tp = _share(sens, p)
        yield tp, _share(acc, p + n) - tp
    elif acc is not None and spec is not None:
        tn = _share(spec, n)
        yield _share(acc, p + n) - tn, tn


def _on_line(
    claims: tuple[Claim, ...], printed: dict[str, tuple[int, int]], p: int, n: int
) -> Iterator[tuple[int, int]]:
    """A matrix on the line that a single rate names."""
    of = {"sens": p, "spec": n, "acc": p + n}
    for name, rate in printed.items():
        tried = presolve_line(claims, name, _share(rate, of[name]), p, n)
        if tried is not None:
            yield tried


def _share(printed: tuple[int, int], of: int) -> int:
    """The whole number nearest to the printed share of a count."""
    units, unit = printed
    return (2 * units * of + unit) // (2 * unit)


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

    def hold(claims: tuple[Claim, ...]) -> bool:
        for claim in claims:
            quantity: Any = claim.quantity
            num, den = quantity.ratio(tp, fp, fn, tn)
            if den == 0:
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

    if hold(problem.claims):
        return True
    lacking = problem.undefined is Undefined.ANY and 0 in (tp + fn, fp + tn)
    return lacking and hold(_with_recall(problem.claims, tp + fn))
