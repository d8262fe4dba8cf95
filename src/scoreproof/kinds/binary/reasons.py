"""In a sentence: why nothing fits, or under which convention something does."""

from __future__ import annotations

from scoreproof.kinds.binary.engine.bands import band
from scoreproof.kinds.binary.experiment import Experiment, KFold, stratified_folds
from scoreproof.kinds.binary.witness import Witness
from scoreproof.reported import Claim
from scoreproof.reported.conventions import Undefined


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
