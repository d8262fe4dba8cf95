"""Claims of the paper beside what its tables say.

"Best" is compared with the printed numbers, exactly. "Significantly better" is McNemar's test where both rows are of
one test set: the cases on which the two methods differ are bounded by their rates. A claim of significance is a call of
``scoreproof.claims`` with its settings; where it names rows of a table (``a``, ``b``) and a score (``by``), the printed
values of these rows are taken. What cannot be checked is said to be so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from scoreproof.checking import Verdict, ask
from scoreproof.claims.recheck import Recheck, Standing, recheck, settings_of_claim
from scoreproof.claims.same_cases import recheck_pairs
from scoreproof.errors import InvalidOption, InvalidValue, ScoreproofError
from scoreproof.kinds.binary.experiment import Aggregation, KFold, TestSet
from scoreproof.kinds.binary.problem import BinaryProblem
from scoreproof.kinds.binary.scores import score
from scoreproof.kinds.common_average.problem import AverageOf
from scoreproof.kinds.curve.problem import CurveProblem
from scoreproof.kinds.order import OrderProblem, said_best, said_better
from scoreproof.kinds.paired_counts import RATE, RatePair
from scoreproof.limits import current
from scoreproof.papers.result import ClaimResult, Outcome, RowResult, TableResult
from scoreproof.papers.specification.model import ClaimModel
from scoreproof.reported import Claim, report
from scoreproof.reported.claim import without_spread
from scoreproof.reported.printed_text import read_p
from scoreproof.work.budget import Budget

_HOLDS = {Standing.IMPOSSIBLE: False, Standing.CERTAIN: True}
Rows = Mapping[str, RowResult]
_SECONDS = 5.0
_TESTED = ("sens", "spec", "acc")


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
    missing = [label for label in (method, claim.than) if label is not None and label not in values]
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
    wanted = [label for label in (claim.best, claim.better, claim.than) if label is not None]
    best: dict[str, tuple[Claim, RowResult]] = {}
    for index, table in enumerate(tables, 1):
        if claim.table is not None and claim.table not in (table.name, f"table {index}"):
            continue
        reported: dict[str, tuple[Claim, RowResult]] = {}
        for row in table.rows:
            text = row.scores.get(name)
            if text is None:
                continue
            try:
                reported.setdefault(row.label, (report(name, text), row))
            except ScoreproofError:
                continue
        if all(label in reported for label in wanted):
            return reported
        best = best or reported
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
    ordered = _ordered(
        text,
        said_better(claim.better, claim.than, name, {claim.better: first[0], claim.than: second[0]}),
        f"{printed}: {claim.better} is ahead.",
        f"{printed}: to the digits given {claim.better} equals",
    )
    if claim.significant is None or (ordered.holds is False and claim.significant):
        return ordered
    return _significance(claim, text, name, printed, (first[1], second[1]))


def _significance(
    claim: ClaimModel, text: str, name: str, printed: str, rows: tuple[RowResult, RowResult]
) -> ClaimResult:
    """Whether two rates can differ significantly by McNemar's test, whichever cases the two methods share."""
    opening = f"{printed}. Whether the difference is significant cannot be checked: "
    if name not in _TESTED:
        return ClaimResult(text, None, f"{opening}McNemar's test is about sensitivity, specificity or accuracy.")
    wrong = next((row.label for row in rows if name == "acc" and row.outcome is Outcome.INCONSISTENT), None)
    if wrong is not None:
        return ClaimResult(text, None, f"{opening}the scores of {wrong} are inconsistent.")
    sizes = [classes_of(row) for row in rows]
    if None in sizes:
        unknown = rows[sizes.index(None)].label
        return ClaimResult(text, None, f"{opening}{unknown} is not one confusion matrix of known size.")
    if sizes[0] != sizes[1]:
        return ClaimResult(text, None, f"{opening}the two rows are about different test sets.")
    discordant = None
    if claim.paired is not None:
        (both, b), (c, neither) = ((int(cell) for cell in row) for row in claim.paired)
        discordant = b, c
    try:
        pairs = _rate_pairs(name, *rows)
        if discordant is not None and both + b + c + neither != sum(pair.cases for pair in pairs):
            raise InvalidValue("the cases are others")
        rechecked = recheck_pairs(pairs, read_p(f"<{claim.alpha}"), "exact", discordant, text)
    except ScoreproofError:
        words = f"{printed}. The table of both methods' answers does not add up to them, so nothing follows."
        return ClaimResult(text, None, words)
    holds = _HOLDS.get(rechecked.verdict)
    word = {True: ": significant in every case", False: ": not significant in any case", None: ""}[holds]
    words = f"{printed}. By McNemar's exact test {rechecked.words}; the claim is p <= {claim.alpha}{word}."
    refuted = holds is False and bool(claim.significant)
    return ClaimResult(
        text, None if holds is None else holds is bool(claim.significant), words, rechecked.answer if refuted else None
    )


def _rate_pairs(name: str, first: RowResult, second: RowResult) -> tuple[RatePair, ...]:
    """The rates of both rows on their cases; of an accuracy those of both classes where they are printed."""
    problems = [_of_matrix(row) for row in (first, second)]
    experiment = problems[0].experiment
    sizes = {"sens": experiment.p, "spec": experiment.n, "acc": experiment.p + experiment.n}
    every = [{claim.quantity.name: claim for claim in problem.claims} for problem in problems]
    both = name == "acc" and all({"sens", "spec"} <= set(own) for own in every)
    pairs = []
    for rate in ("sens", "spec") if both else (name,):
        claims = (without_spread(own[rate]) for own in every)
        named = [replace(each, quantity=RATE, name=f"{rate} of {k}") for k, each in enumerate(claims, 1)]
        pairs.append(RatePair(sizes[rate], *named))
    return tuple(pairs)


def recheck_claim(claim: ClaimModel, rows: Rows) -> ClaimResult:
    """A claim re-checked; ``rows`` are those of its table by their labels."""
    name = claim.claim or ""
    try:
        read = {} if claim.by is None else _from_rows(name, claim.by, claim.settings, rows)
        rechecked = recheck(name, {**claim.settings, **read})
    except ScoreproofError as error:
        return ClaimResult(claim.text or titled(claim), None, f"This claim cannot be checked: {error}.")
    return claim_result(rechecked, claim.text, claim.where)


def claim_result(rechecked: Recheck, text: str = "", where: str = "") -> ClaimResult:
    """What re-checking found, as the audit tells it."""
    place = f" ({where})" if where else ""
    words = rechecked.words if rechecked.words.startswith("p ") else rechecked.words[:1].upper() + rechecked.words[1:]
    holds = _HOLDS.get(rechecked.verdict)
    return ClaimResult((text or rechecked.claim) + place, holds, f"{words}.", rechecked.answer, rechecked)


def titled(claim: ClaimModel) -> str:
    """A claim of significance by its name and what it is about."""
    given = next(iter(claim.settings.values()), "")
    return f"{claim.claim}: {', '.join(map(str, given)) if isinstance(given, list) else given}"


def _from_rows(claim: str, by: str, settings: Mapping[str, Any], rows: Rows) -> dict[str, Any]:
    """The printed values of the two rows, and of McNemar's test the cases they are of."""
    if not {"a", "b"} <= settings_of_claim(claim).keys():
        raise InvalidOption(f"by: expected none for {claim}, since it is not about two rows")
    name = score(by).name
    arguments: dict[str, Any] = {}
    for key in ("a", "b"):
        label = settings.get(key)
        row = rows.get(label or "")
        cell = None if row is None else next((cell for cell in row.cells if cell.score == name), None)
        if row is None or cell is None:
            shown = ", ".join(list(rows)[:8]) or "none"
            raise InvalidOption(f"{key}: expected a row with {name}, got {label!r:.60} (rows: {shown})")
        arguments[key] = cell.text
        if claim == "mcnemar" and "n" not in settings:
            arguments.update({"n": size} if (size := cases_of(row, name)) else {})
    return arguments


def _of_matrix(row: RowResult) -> Any:
    """The problem of a row about one confusion matrix; None of others."""
    problem = row.readings[0].answer.problem if len(row.readings) == 1 else None
    problem = problem.base if isinstance(problem, CurveProblem) else problem
    return problem if isinstance(problem, BinaryProblem) else None


def classes_of(row: RowResult) -> TestSet | None:
    """The positives and negatives of a row that is one test set."""
    experiment = getattr(_of_matrix(row), "experiment", None)
    return experiment if isinstance(experiment, TestSet) else None


def cases_of(row: RowResult, name: str) -> int | None:
    """Of how many cases a rate of a row is, if the row is one test set."""
    classes = classes_of(row)
    return None if classes is None else {"sens": classes.p, "spec": classes.n, "acc": classes.p + classes.n}.get(name)


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
