"""What a table says against itself.

An average is compared with its fold rows, a class report with its own averages, scores with the confusion matrix in
the same row, and counts with counts: all of it in exact arithmetic and without knowing the experiment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from scoreproof.documents import AverageCheck, FoldBlock, Interpretation, Report, RowKind
from scoreproof.errors import ScoreproofError
from scoreproof.kinds.binary.experiment import TestSet
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.reported import Claim, report

Check = dict[str, Any]
_OF_ONE_MATRIX = (RowKind.RESULT, RowKind.FOLD, RowKind.CLASS)


def certificates_of(check: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    """The certificates of a comparison: none, one, or the parts of its proof."""
    one = check.get("certificate")
    return tuple(check.get("certificates", () if one is None else (one,)))


def checks_inside(
    found: Interpretation,
    tested: Sequence[Report],
    rounding: str | None,
    eps: str | None,
    averaged: Callable[[FoldBlock], bool],
) -> tuple[Check, ...]:
    """Every exact comparison that needs nothing but the table.

    ``tested`` are the rows whose scores are of the data that their counts are of; ``averaged`` says which folds have a
    plain mean.
    """
    return (
        *_folds(found, rounding, averaged),
        *_class_report(found, rounding, eps),
        *_matrices(tested, rounding, eps),
        *_one_class(found, tested, rounding, eps),
    )


def _folds(found: Interpretation, rounding: str | None, averaged: Callable[[FoldBlock], bool]) -> Iterator[Check]:
    for block in found.folds:
        if block.mean is None or not averaged(block):
            continue
        name = ", ".join(filter(None, (block.label, block.group)))
        for one in block.check_averages(rounding=rounding or "any"):
            yield _average(f"{name}: {one.what}" if name else one.what, one, block.mean.row)


def _average(what: str, one: AverageCheck, row: int | None) -> Check:
    words = str(one)
    return {
        "kind": "average",
        "what": what,
        "printed": one.printed,
        "low": float(one.low),
        "high": float(one.high),
        "verdict": "consistent" if one else "inconsistent",
        "words": words if what == one.what else f"{what}{words[len(one.what) :]}",
        "row": row,
    }


def _class_report(found: Interpretation, rounding: str | None, eps: str | None) -> Iterator[Check]:
    report_ = found.class_report
    if report_ is None:
        return
    for one in report_.check_averages(rounding=rounding):
        yield _average(one.what, one, None)
    if len(report_.classes) != 2 or report_.doubts or not report_.single:
        return
    if any(one.undefined for one in report_.classes):
        return
    from scoreproof.asking.checking import check

    test_set, scores = report_.binary()
    try:
        # scikit-learn prints 0/0 as 0.
        rule = None if eps else rounding or report_.rounding
        result = check(test_set, scores, rounding=rule, eps=eps, undefined="zero")
    except ScoreproofError:
        return  # the class rows carry the error themselves
    yield {
        "kind": "both classes",
        "what": "both classes as one matrix",
        "printed": ", ".join(f"{name} {text}" for name, text in scores.items()),
        "verdict": str(result.verdict),
        "words": f"both classes read as one confusion matrix: {result}",
        "certificate": result.certificate,
        "witness": None if result.witness is None else result.witness.to_dict(),
        "row": None,
    }


def _matrices(tested: Sequence[Report], rounding: str | None, eps: str | None) -> Iterator[Check]:
    """The scores of a row against the matrix in the same row."""
    for one in tested:
        if not one.counts or one.counts.plain or one.kind is RowKind.DIFFERENCE:
            continue
        completed = one.counts.completed()
        if completed.conflict:
            yield {
                "kind": "counts",
                "what": f"counts of {one.label or f'row {one.row + 1}'}",
                "printed": str(one.counts),
                "verdict": "inconsistent",
                "words": f"{one.label or f'row {one.row + 1}'}: the counts contradict each other: {completed.conflict}",
                "row": one.row,
            }
            continue
        matrix = one.counts.matrix()
        if matrix is not None:
            yield from _against(one, matrix, rounding, eps)


def _one_class(
    found: Interpretation, tested: Sequence[Report], rounding: str | None, eps: str | None
) -> Iterator[Check]:
    """A rate of one class against the size of that class, where the other class's is not known."""
    from scoreproof.asking.checking import check

    for one in tested:
        if not one.counts or one.counts.plain or one.kind not in _OF_ONE_MATRIX or found.over_classes(one.group):
            continue
        known = one.counts.completed()
        if known.conflict or (known.p is not None and known.n is not None):
            continue
        p = known.support if one.kind is RowKind.CLASS else known.p
        n = known.n if p is None else None
        alone = TestSet(p, 0) if p else TestSet(0, n) if n else None
        own = ("sens", "fnr") if p else ("spec", "fpr")
        scores = {name: text for name, text in one.scores.items() if name in own and "±" not in text}
        if alone is None or not scores:
            continue
        try:
            result = check(alone, scores, rounding=None if eps else rounding, eps=eps)
        except ScoreproofError:
            continue  # the row carries the error itself
        name = one.label or f"row {one.row + 1}"
        yield {
            "kind": "one class",
            "what": f"{', '.join(scores)} of {name}",
            "printed": next(iter(scores.values())),
            "verdict": str(result.verdict),
            "words": f"{name}, the {p or n} cases of one class alone: {result}",
            "certificate": result.certificate,
            "row": one.row,
        }


def _against(one: Report, matrix: ConfusionMatrix, rounding: str | None, eps: str | None) -> Iterator[Check]:
    name = one.label or f"row {one.row + 1}"
    fitting: list[str] = []
    for score, text in one.scores.items():
        try:
            printed = report(score, text, rounding=None if eps else rounding, eps=eps)
        except ScoreproofError:
            continue  # the row carries the error itself
        if _fits(matrix, printed):
            fitting.append(score)
            continue
        yield {
            "kind": "matrix",
            "what": f"{score} of {name}",
            "printed": text,
            "verdict": "inconsistent",
            "words": f"{name}: {score} is printed as {text}, but the matrix in the row ({matrix}) gives "
            f"{score_of(matrix, printed)}",
            "row": one.row,
        }
    if fitting:
        yield {
            "kind": "matrix",
            "what": f"scores of {name}",
            "printed": ", ".join(f"{score} {one.scores[score]}" for score in fitting),
            "verdict": "consistent",
            "words": f"{name}: {', '.join(fitting)} follow from the matrix in the row ({matrix})",
            "row": one.row,
        }


def _fits(matrix: ConfusionMatrix, printed: Claim) -> bool:
    low = printed.score.compare(*matrix.cells, printed.low)
    high = printed.score.compare(*matrix.cells, printed.high)
    if low is None or high is None:  # scikit-learn prints 0/0 as 0
        return printed.score.ratio(*matrix.cells)[0] == 0 and printed.low <= 0 <= printed.high
    return low >= 0 >= high


def score_of(matrix: ConfusionMatrix, printed: Claim) -> str:
    """The score of a matrix with a digit or two more than were printed."""
    return printed.score.text(*matrix.cells, digits=max(4, printed.number.digits + 2)) or "nothing (0/0)"
