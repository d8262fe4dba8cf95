"""Claims of significance in a specification: each is a call of ``scoreproof.claims`` with its settings.

Where a claim names rows of a table (``a``, ``b``) and a score (``by``), the printed values of these rows are taken.
What a claim does not say is left open: an unnamed method is any of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scoreproof.audits.result import ClaimResult, RowResult
from scoreproof.audits.specification.claim_keys import CLAIMS
from scoreproof.audits.specification.model import ClaimModel
from scoreproof.claims.recheck import Recheck, Standing
from scoreproof.errors import InvalidOption, ScoreproofError
from scoreproof.kinds.binary.experiment import Aggregation, KFold, TestSet
from scoreproof.kinds.binary.problem import BinaryProblem
from scoreproof.kinds.binary.scores import score
from scoreproof.kinds.common_average.problem import AverageOf
from scoreproof.kinds.curve.problem import CurveProblem

_HOLDS = {Standing.IMPOSSIBLE: False, Standing.CERTAIN: True}
_PAIRED = ("mcnemar", "paired", "means", "proportions", "auc_difference")
Rows = Mapping[str, RowResult]


def recheck_claim(claim: ClaimModel, rows: Rows) -> ClaimResult:
    """A claim re-checked; ``rows`` are those of its table by their labels."""
    name = claim.claim or ""
    try:
        settings = _settings(claim, rows)
        found = _call(name, settings)
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
    return f"{claim.claim}: {claim.value or claim.p or ', '.join(claim.values)}"


def _settings(claim: ClaimModel, rows: Rows) -> dict[str, Any]:
    """The arguments of the function, under its own names."""
    stated = [key for key in CLAIMS[claim.claim or ""] if key in claim.model_fields_set]
    given = {key: value for key in stated if (value := getattr(claim, key)) is not None}
    if claim.by is not None:
        given |= _from_rows(claim, rows)
    if claim.claim in ("mcnemar", "signed_rank"):
        given.setdefault("method", "any")
    if claim.claim == "signed_rank":
        given.setdefault("sides", "any")
    if "paired" in given:
        (both, first), (second, neither) = ((int(cell) for cell in row) for row in given.pop("paired"))
        given["discordant"] = (first, second)
        given.setdefault("n", both + first + second + neither)
    if "df" in given:
        given["df"] = given["df"][0] if len(given["df"]) == 1 else given["df"]
    if "alpha" in given:
        given["alpha"] = float(given["alpha"])
    if "test_share" in given:
        given["test_share"] = float(given["test_share"])
    names = CLAIMS[claim.claim or ""]
    return {names.get(key) or key: value for key, value in given.items()}


def _from_rows(claim: ClaimModel, rows: Rows) -> dict[str, Any]:
    """The printed values of the two rows, and of McNemar's test the cases they are of."""
    assert claim.by is not None
    if claim.claim not in _PAIRED:
        raise InvalidOption(f"by: expected none for {claim.claim}, since it is not about two rows")
    name = score(claim.by).name
    found: dict[str, Any] = {}
    for key in ("a", "b"):
        label = getattr(claim, key)
        row = rows.get(label or "")
        cell = None if row is None else next((cell for cell in row.cells if cell.score == name), None)
        if row is None or cell is None:
            shown = ", ".join(list(rows)[:8]) or "none"
            raise InvalidOption(f"{key}: expected a row with {name}, got {label!r:.60} (rows: {shown})")
        found[key] = cell.text
        if claim.claim == "mcnemar" and "n" not in claim.model_fields_set:
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


def _call(name: str, settings: Mapping[str, Any]) -> Recheck:
    from scoreproof import claims

    positional: Sequence[str] = _POSITIONAL[name]
    missing = [key for key in positional if key not in settings]
    if missing:
        raise InvalidOption(f"{name}: expected {', '.join(missing)} as well")
    found: Recheck = getattr(claims, name)(**settings)
    return found


#: What each function cannot do without.
_POSITIONAL = {
    "interval": ("value",),
    "auc_interval": ("value",),
    "spread": ("value", "k"),
    "mean_of": ("values", "mean"),
    "p_value": ("test", "statistic", "p"),
    "paired": ("a", "b", "k"),
    "means": ("a", "b", "n"),
    "signed_rank": ("k",),
    "mcnemar": ("a", "b"),
    "proportions": ("a", "b", "n"),
    "auc_difference": ("a", "b"),
    "ranks": ("means",),
    "family": ("p_values",),
}
