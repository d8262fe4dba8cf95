"""Claims of significance in a specification: each is a call of ``scoreproof.claims`` with its settings.

Where a claim names rows of a table (``a``, ``b``) and a score (``by``), the printed values of these rows are taken.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoreproof.claims.recheck import Recheck, Standing
from scoreproof.claims.texts import recheck, settings_of_claim
from scoreproof.errors import InvalidOption, ScoreproofError
from scoreproof.kinds.binary.experiment import Aggregation, KFold, TestSet
from scoreproof.kinds.binary.problem import BinaryProblem
from scoreproof.kinds.binary.scores import score
from scoreproof.kinds.common_average.problem import AverageOf
from scoreproof.kinds.curve.problem import CurveProblem
from scoreproof.papers.result import ClaimResult, RowResult
from scoreproof.papers.specification.model import ClaimModel

_HOLDS = {Standing.IMPOSSIBLE: False, Standing.CERTAIN: True}
Rows = Mapping[str, RowResult]


def recheck_claim(claim: ClaimModel, rows: Rows) -> ClaimResult:
    """A claim re-checked; ``rows`` are those of its table by their labels."""
    name = claim.claim or ""
    try:
        read = {} if claim.by is None else _from_rows(name, claim.by, claim.settings, rows)
        found = recheck(name, {**claim.settings, **read})
    except ScoreproofError as error:
        return ClaimResult(claim.text or titled(claim), None, f"This claim cannot be checked: {error}.")
    return claim_result(found, claim.text, claim.where)


def claim_result(found: Recheck, text: str = "", where: str = "") -> ClaimResult:
    """What re-checking found, as the audit tells it."""
    place = f" ({where})" if where else ""
    words = found.words if found.words.startswith("p ") else found.words[:1].upper() + found.words[1:]
    holds = _HOLDS.get(found.verdict)
    return ClaimResult((text or found.claim) + place, holds, f"{words}.", found.answer, found)


def titled(claim: ClaimModel) -> str:
    """A claim of significance by its name and what it is about."""
    given = next(iter(claim.settings.values()), "")
    return f"{claim.claim}: {', '.join(map(str, given)) if isinstance(given, list) else given}"


def _from_rows(claim: str, by: str, settings: Mapping[str, Any], rows: Rows) -> dict[str, Any]:
    """The printed values of the two rows, and of McNemar's test the cases they are of."""
    if not {"a", "b"} <= settings_of_claim(claim).keys():
        raise InvalidOption(f"by: expected none for {claim}, since it is not about two rows")
    name = score(by).name
    found: dict[str, Any] = {}
    for key in ("a", "b"):
        label = settings.get(key)
        row = rows.get(label or "")
        cell = None if row is None else next((cell for cell in row.cells if cell.score == name), None)
        if row is None or cell is None:
            shown = ", ".join(list(rows)[:8]) or "none"
            raise InvalidOption(f"{key}: expected a row with {name}, got {label!r:.60} (rows: {shown})")
        found[key] = cell.text
        if claim == "mcnemar" and "n" not in settings:
            found.update({"n": size} if (size := cases_of(row, name)) else {})
    return found


def cases_of(row: RowResult, name: str) -> int | None:
    """Of how many cases a rate of a row is, if the row is one test set."""
    classes = classes_of(row)
    return None if classes is None else {"sens": classes.p, "spec": classes.n, "acc": classes.p + classes.n}.get(name)


def classes_of(row: RowResult) -> TestSet | None:
    """The positives and negatives of a row that is one test set."""
    problem = row.readings[0].answer.problem if len(row.readings) == 1 else None
    if isinstance(problem, CurveProblem):
        problem = problem.base
    if not isinstance(problem, BinaryProblem) or not isinstance(problem.experiment, TestSet):
        return None
    return problem.experiment


def folds_of(row: RowResult) -> int | None:
    """Over how many folds, not repeated, a row is under every reading; None where that is open."""
    sizes: set[int | None] = set()
    for reading in row.readings:
        experiment = getattr(reading.answer.problem, "experiment", None)
        if isinstance(experiment, KFold):
            added = experiment.aggregation is Aggregation.SCORE_OF_MEANS  # whose sum is that of any number of folds
            sizes |= set() if added else {experiment.k if experiment.repeats == 1 else None}
        else:
            sizes.add(experiment.parts if isinstance(experiment, AverageOf) else None)
    return sizes.pop() if len(sizes) == 1 else None
