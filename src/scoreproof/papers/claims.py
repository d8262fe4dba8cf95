"""Claims of the paper beside what its tables say.

"Best" is compared with the printed numbers, exactly. "Significantly better" can be checked where both rows are single
matrices of one test set: McNemar's test needs the cases on which the two methods differ, which the matrices bound. What
cannot be checked is said to be so.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from scoreproof.checking import Answer, Verdict, ask
from scoreproof.errors import ScoreproofError
from scoreproof.kinds.binary.experiment import TestSet
from scoreproof.kinds.binary.problem import BinaryProblem
from scoreproof.kinds.binary.scores import ConfusionMatrix, score
from scoreproof.kinds.curve.problem import CurveProblem
from scoreproof.kinds.order import OrderProblem, said_best, said_better
from scoreproof.kinds.paired_counts import RATE, PairedCountsProblem, RatePair
from scoreproof.limits import current
from scoreproof.papers.rechecking import recheck_claim, titled
from scoreproof.papers.result import ClaimResult, Outcome, RowResult, TableResult
from scoreproof.papers.specification.model import ClaimModel
from scoreproof.reported import Claim, report
from scoreproof.reported.claim import without_spread
from scoreproof.reported.p_text import read_p
from scoreproof.work.budget import Budget

_SECONDS = 5.0
_MOST_MATRICES = 40  # of each row that are compared with each other
_TESTED = {"sens": "sensitivity", "spec": "specificity", "acc": "accuracy"}


def check_claims(claims: Sequence[ClaimModel], tables: Sequence[TableResult]) -> tuple[ClaimResult, ...]:
    """Every claim with what the tables say about it; the limit of seconds is for all of them together."""
    due = Budget(current().seconds)
    return tuple(_late(claim) if due.passed else _check(claim, tables) for claim in claims)


def _late(claim: ClaimModel) -> ClaimResult:
    words = f"Not looked at: the claims before it took all of {current().seconds} s; --allow seconds=N gives them more."
    return ClaimResult(claim.text or (_sentence(claim) if claim.claim is None else titled(claim)), None, words)


def _check(claim: ClaimModel, tables: Sequence[TableResult]) -> ClaimResult:
    if claim.claim is not None:
        return recheck_claim(claim, _rows(claim, tables))
    text = claim.text or _sentence(claim)
    if claim.by is None:
        return ClaimResult(text, None, "This claim cannot be checked: it names no method and no score.")
    try:
        name = score(claim.by).name
    except ScoreproofError as error:
        return ClaimResult(text, None, f"This claim cannot be checked: {error}.")
    values = _values(claim, name, tables)
    method = claim.best if claim.best is not None else claim.better
    missing = [one for one in (method, claim.than) if one is not None and one not in values]
    if missing:
        shown = ", ".join(list(values)[:8]) or "none"
        return ClaimResult(
            text,
            None,
            f"This claim cannot be checked: no {name} of {', '.join(missing)} was read (rows with {name}: {shown}).",
        )
    assert method is not None
    if claim.best is not None:
        return _best(text, method, name, {label: value for label, (value, _) in values.items()})
    assert claim.than is not None
    return _better(claim, text, name, values[method], values[claim.than])


def _rows(claim: ClaimModel, tables: Sequence[TableResult]) -> dict[str, RowResult]:
    """The rows of the table a claim names, or of the first that has those it is about."""
    named = [
        {row.label: row for row in reversed(table.rows)}
        for index, table in enumerate(tables, 1)
        if claim.table is None or claim.table in (table.name, f"table {index}")
    ]
    both = [rows for rows in named if {claim.settings.get(key) for key in ("a", "b")} <= rows.keys()]
    return next(iter(both or named), {})


def _sentence(claim: ClaimModel) -> str:
    if claim.best is not None:
        return f"{claim.best} is best by {claim.by}"
    how = {True: "significantly better", False: "not significantly better", None: "better"}[claim.significant]
    return f"{claim.better} is {how} than {claim.than} by {claim.by}"


def _values(claim: ClaimModel, name: str, tables: Sequence[TableResult]) -> dict[str, tuple[Claim, RowResult]]:
    """The printed values of a score by method, from the table the claim names or the first that has them all."""
    wanted = [one for one in (claim.best, claim.better, claim.than) if one is not None]
    best: dict[str, tuple[Claim, RowResult]] = {}
    for index, table in enumerate(tables, 1):
        if claim.table is not None and claim.table not in (table.name, f"table {index}"):
            continue
        found: dict[str, tuple[Claim, RowResult]] = {}
        for row in table.rows:
            text = row.scores.get(name)
            if text is None:
                continue
            try:
                found.setdefault(row.label, (report(name, text), row))
            except ScoreproofError:
                continue
        if all(one in found for one in wanted):
            return found
        best = best or found
    return best


def _ordered(text: str, problem: OrderProblem, holds: str, equal: str) -> ClaimResult:
    """A claim about an order, as the printed numbers have it; equal numbers leave it open."""
    answer = ask(problem, budget=Budget.of_work(_SECONDS))
    if answer.verdict is Verdict.INCONSISTENT:
        return ClaimResult(text, False, f"{answer.reason[:1].upper()}{answer.reason[1:]}.", answer)
    if answer.verdict is Verdict.UNDECIDED:
        return ClaimResult(text, None, f"{answer.reason}.", answer)
    tied = [rival.name for rival in problem.rivals if rival.number.value == problem.claims[0].number.value]
    return (
        ClaimResult(text, None, f"{equal} {', '.join(tied)}.", answer)
        if tied
        else ClaimResult(text, True, holds, answer)
    )


def _best(text: str, method: str, name: str, values: dict[str, Claim]) -> ClaimResult:
    word = "highest" if score(name).direction > 0 else "lowest"
    own = values[method].text
    if len(values) == 1:
        return ClaimResult(text, True, f"{method} has the {word} printed {name} ({own}).")
    return _ordered(
        text,
        said_best(method, name, dict(values)),
        f"{method} has the {word} printed {name} of {len(values)} ({own}).",
        f"{method} shares the {word} printed {name} ({own}) with",
    )


def _better(
    claim: ClaimModel, text: str, name: str, first: tuple[Claim, RowResult], second: tuple[Claim, RowResult]
) -> ClaimResult:
    assert claim.better is not None
    assert claim.than is not None
    printed = f"The printed {name} are {first[0].text} and {second[0].text}"
    said = _ordered(
        text,
        said_better(claim.better, claim.than, name, {claim.better: first[0], claim.than: second[0]}),
        f"{printed}: {claim.better} is ahead.",
        f"{printed}: to the digits given {claim.better} equals",
    )
    if claim.significant is None or (said.holds is False and claim.significant):
        return said
    return _significance(claim, text, name, printed, first[1], second[1])


def _significance(
    claim: ClaimModel, text: str, name: str, printed: str, first: RowResult, second: RowResult
) -> ClaimResult:
    if name not in _TESTED:
        return ClaimResult(
            text,
            None,
            f"{printed}. Whether the difference is significant cannot be checked: McNemar's "
            "test is about sensitivity, specificity or accuracy.",
        )
    ours, theirs = _matrices(first, name), _matrices(second, name)
    why = _incomparable(first, ours) or _incomparable(second, theirs)
    if not why and (ours[0].p, ours[0].n) != (theirs[0].p, theirs[0].n):
        why = "the two rows are about different test sets"
    if why:
        return ClaimResult(text, None, f"{printed}. Whether the difference is significant cannot be checked: {why}.")
    from scoreproof.statistics import mcnemar_range

    alpha = float(claim.alpha)
    if claim.paired is not None:
        return _settled(claim, text, name, printed, (ours, theirs))
    ranges = [
        mcnemar_range(one, other, score=_TESTED[name], alpha=alpha)  # type: ignore[arg-type]
        for one, other in itertools.product(ours, theirs)
    ]
    low, high = min(one.p_low for one in ranges), max(one.p_high for one in ranges)
    said = (
        f"{printed}. McNemar's exact test of {_TESTED[name]} gives p from {low:.3g} to {high:.3g}, depending on which "
    )
    said += "cases the two methods share"
    if high <= alpha:
        return ClaimResult(text, bool(claim.significant), f"{said}: significant at {alpha:g} in every case.")
    if low > alpha:
        answer = _refutation(claim, name, first, second) if claim.significant else None
        return ClaimResult(text, not claim.significant, f"{said}: not significant at {alpha:g} in any case.", answer)
    return ClaimResult(text, None, f"{said}: the tables alone do not settle it at {alpha:g}.")


def _settled(
    claim: ClaimModel,
    text: str,
    name: str,
    printed: str,
    matrices: tuple[Sequence[ConfusionMatrix], Sequence[ConfusionMatrix]],
) -> ClaimResult:
    """The test from the paper's own table of both methods' answers."""
    from scoreproof.statistics import mcnemar

    (both, b), (c, neither) = ((int(cell) for cell in row) for row in claim.paired or ())
    right = [{{"sens": m.tp, "spec": m.tn, "acc": m.tp + m.tn}[name] for m in side} for side in matrices]
    some = matrices[0][0]
    cases = {"sens": some.p, "spec": some.n, "acc": some.p + some.n}[name]
    if both + b + c + neither != cases or both + b not in right[0] or both + c not in right[1]:
        return ClaimResult(
            text, None, f"{printed}. The table of both methods' answers does not add up to them, so nothing follows."
        )
    p, alpha = mcnemar(b, c).p_value, float(claim.alpha)
    word = "significant" if p <= alpha else "not significant"
    said = (
        f"{printed}. By the paper's own table {b} cases are right by {claim.better} alone and {c} by {claim.than} alone"
    )
    holds = (p <= alpha) is bool(claim.significant)
    return ClaimResult(text, holds, f"{said}: McNemar's exact test gives p = {p:.3g}, {word} at {alpha:g}.")


def _refutation(claim: ClaimModel, name: str, first: RowResult, second: RowResult) -> Answer[Any, Any] | None:
    """The proof in whole numbers that no method of McNemar's test is significant for the printed rates."""
    pairs = _rate_pairs(name, first, second)
    if not pairs:
        return None
    answer = ask(PairedCountsProblem(pairs, read_p(f"<{claim.alpha}")), budget=Budget.of_work(_SECONDS))
    return answer if answer.verdict is Verdict.INCONSISTENT else None


def _rate_pairs(name: str, first: RowResult, second: RowResult) -> tuple[RatePair, ...]:
    """The rates of both rows on their cases; of an accuracy those of both classes where they are printed."""
    problems = [row.readings[0].answer.problem for row in (first, second)]
    sizes = {"sens": problems[0].experiment.p, "spec": problems[0].experiment.n}
    every = [{claim.quantity.name: claim for claim in problem.claims} for problem in problems]
    wanted = ["sens", "spec"] if name == "acc" and all({"sens", "spec"} <= set(own) for own in every) else [name]
    found = []
    for one in wanted:
        claims = [own.get(one) for own in every]
        if None in claims:
            return ()
        named = [replace(without_spread(c), quantity=RATE, name=f"{one} of {k}") for k, c in enumerate(claims, 1) if c]
        found.append(RatePair(sizes.get(one, sum(sizes.values())), *named))
    return tuple(found)


def _incomparable(row: RowResult, matrices: Sequence[ConfusionMatrix]) -> str:
    if matrices:
        return ""
    if row.outcome is Outcome.INCONSISTENT:
        return f"the scores of {row.label} are inconsistent"
    return f"{row.label} is not one confusion matrix of known size with few solutions"


def _matrices(row: RowResult, name: str) -> list[ConfusionMatrix]:
    """The confusion matrices that a row may be, if it is one test set and they are few.

    Sensitivity needs tp alone and specificity tn alone, so there the other scores of the row do not matter; the other
    class is counted as all wrong.
    """
    if len(row.readings) != 1:
        return []
    problem = row.readings[0].answer.problem
    if isinstance(problem, CurveProblem):
        problem = problem.base
    if not isinstance(problem, BinaryProblem) or not isinstance(problem.experiment, TestSet):
        return []
    p, n = problem.experiment.p, problem.experiment.n
    result = ask(problem.with_claims(claim for claim in problem.claims if name in ("acc", claim.score.name)))
    if result.witness is None:
        return []
    found: set[ConfusionMatrix] = set()
    for number, block in enumerate(result.solutions()):
        if number > 10 * _MOST_MATRICES:
            return []
        positives = range(block.tp[0], block.tp[1] + 1) if name != "spec" else (0,)
        negatives = range(block.tn[0], block.tn[1] + 1) if name != "sens" else (0,)
        if len(positives) * len(negatives) > _MOST_MATRICES:
            return []
        found.update(ConfusionMatrix(tp, n - tn, p - tp, tn) for tp in positives for tn in negatives)
        if len(found) > _MOST_MATRICES:
            return []
    return sorted(found)
