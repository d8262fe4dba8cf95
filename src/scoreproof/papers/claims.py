"""Claims beside what the tables of a paper say: those that a specification states, and those that cells make.

"Best" is compared with the printed numbers; "significantly better" is McNemar's test, if both rows are of one test set.
A claim of significance is a call of ``scoreproof.claims``, which may take printed values of rows (``a``, ``b``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import Any

from scoreproof.checking import Verdict, ask
from scoreproof.claims import interval, spread
from scoreproof.claims.recheck import Recheck, Standing, recheck, settings_of_claim
from scoreproof.claims.same_cases import recheck_pairs
from scoreproof.errors import InvalidOption, InvalidValue, ScoreproofError
from scoreproof.kinds.average import printed_average
from scoreproof.kinds.binary.experiment import Aggregation, KFold, TestSet
from scoreproof.kinds.binary.problem import BinaryProblem
from scoreproof.kinds.binary.scores import score
from scoreproof.kinds.common_average.problem import AverageOf
from scoreproof.kinds.curve.problem import CurveProblem
from scoreproof.kinds.order import OrderProblem, said_best, said_better
from scoreproof.kinds.paired_counts import RATE, RatePair
from scoreproof.limits import current
from scoreproof.papers.relations.grid import PATTERNS
from scoreproof.papers.result import CellText, ClaimResult, Outcome, RowResult, TableResult
from scoreproof.papers.specification.model import ClaimModel
from scoreproof.papers.table_semantics import Interpretation
from scoreproof.papers.table_semantics.columns import Scale
from scoreproof.reported import Claim, report
from scoreproof.reported.claim import without_spread
from scoreproof.reported.printed_text import read_interval, read_p
from scoreproof.work.budget import Budget

_HOLDS = {Standing.IMPOSSIBLE: False, Standing.CERTAIN: True}
_SECONDS = 5.0
_SHARES = {"acc", "sens", "spec", "ppv", "npv"}
_SPREADS = {"sd": "standard_deviation", "se": "standard_error", "halfwidth": "confidence"}
_MOST = 200  # claims of cells that are listed
_SAYS = PATTERNS["claims"]
_Printed = tuple[Claim, RowResult]


def check_claims(claims: Sequence[ClaimModel], tables: Sequence[TableResult]) -> tuple[ClaimResult, ...]:
    """Every claim with what the tables say about it; the limit of seconds is for all of them together."""
    due = Budget(current().seconds)
    late = f"Not looked at: the claims before it took all of {current().seconds} s; --allow seconds=N gives them more."
    return tuple(ClaimResult(_text(own), None, late) if due.passed else _check(own, tables) for own in claims)


def _check(claim: ClaimModel, tables: Sequence[TableResult]) -> ClaimResult:
    named = [t for k, t in enumerate(tables, 1) if claim.table in (None, t.name, f"table {k}")]
    try:
        return _compared(claim, named) if claim.claim is None else _rechecked(claim, claim.claim, named)
    except ScoreproofError as error:
        return ClaimResult(_text(claim), None, f"This claim cannot be checked: {error}.")


def _text(claim: ClaimModel) -> str:
    """The words of a claim, or what it says."""
    if claim.text:
        return claim.text
    if claim.claim is not None:
        given = next(iter(claim.settings.values()), "")
        return f"{claim.claim}: {', '.join(map(str, given)) if isinstance(given, list) else given}"
    if claim.best is not None:
        return f"{claim.best} is best by {claim.by}"
    how = {True: "significantly better", False: "not significantly better", None: "better"}[claim.significant]
    return f"{claim.better} is {how} than {claim.than} by {claim.by}"


def _compared(claim: ClaimModel, tables: Sequence[TableResult]) -> ClaimResult:
    """A claim that a method is best, or better than another, by the table that has them all."""
    wanted = [label for label in (claim.best, claim.better, claim.than) if label is not None]
    if claim.by is None or not wanted:
        raise InvalidOption("it names no method and no score")
    name = score(claim.by).name
    read: list[dict[str, _Printed]] = []
    for table in tables:
        read.append({})
        for row in table.rows:
            with suppress(ScoreproofError):
                if name in row.scores:
                    read[-1].setdefault(row.label, (report(name, row.scores[name]), row))
    values = next((own for own in read if all(label in own for label in wanted)), next(filter(None, read), {}))
    if missing := [label for label in wanted if label not in values]:
        shown = ", ".join(list(values)[:8]) or "none"
        raise InvalidOption(f"no {name} of {', '.join(missing)} was read (rows with {name}: {shown})")
    if claim.best is not None:
        return _best(claim, name, values)
    return _better(claim, name, *(values[label] for label in wanted))


def _ordered(text: str, problem: OrderProblem, holds: str, equal: str) -> ClaimResult:
    """A claim about an order, as the printed numbers have it; equal numbers leave it open."""
    answer = ask(problem, budget=Budget.of_work(_SECONDS))
    if answer.verdict is Verdict.INCONSISTENT:
        return ClaimResult(text, False, f"{answer.reason[:1].upper()}{answer.reason[1:]}.", answer)
    if answer.verdict is Verdict.UNDECIDED:
        return ClaimResult(text, None, f"{answer.reason}.", answer)
    tied = [rival.name for rival in problem.rivals if rival.number.value == problem.claims[0].number.value]
    return ClaimResult(text, None if tied else True, f"{equal} {', '.join(tied)}." if tied else holds, answer)


def _best(claim: ClaimModel, name: str, values: Mapping[str, _Printed]) -> ClaimResult:
    method, word = claim.best or "", "highest" if score(name).direction > 0 else "lowest"
    own = values[method][0].text
    if len(values) == 1:
        return ClaimResult(_text(claim), True, f"{method} has the {word} printed {name} ({own}).")
    return _ordered(
        _text(claim),
        said_best(method, name, {label: value for label, (value, _) in values.items()}),
        f"{method} has the {word} printed {name} of {len(values)} ({own}).",
        f"{method} shares the {word} printed {name} ({own}) with",
    )


def _better(claim: ClaimModel, name: str, first: _Printed, second: _Printed) -> ClaimResult:
    better, than = claim.better or "", claim.than or ""
    printed = f"The printed {name} are {first[0].text} and {second[0].text}"
    ordered = _ordered(
        _text(claim),
        said_better(better, than, name, {better: first[0], than: second[0]}),
        f"{printed}: {better} is ahead.",
        f"{printed}: to the digits given {better} equals",
    )
    if claim.significant is None or (ordered.holds is False and claim.significant):
        return ordered
    return _significance(claim, name, f"{printed}. ", (first[1], second[1]))


def _significance(claim: ClaimModel, name: str, printed: str, rows: tuple[RowResult, RowResult]) -> ClaimResult:
    """Whether two rates can differ significantly by McNemar's test, whichever cases the two methods share."""
    sizes = [_classes_of(row) for row in rows]
    wrong = next((row.label for row in rows if name == "acc" and row.outcome is Outcome.INCONSISTENT), None)
    unknown = next((row.label for row, size in zip(rows, sizes, strict=True) if size is None), None)
    reasons = (
        (name not in ("sens", "spec", "acc"), "McNemar's test is about sensitivity, specificity or accuracy"),
        (wrong is not None, f"the scores of {wrong} are inconsistent"),
        (unknown is not None, f"{unknown} is not one confusion matrix of known size"),
        (sizes[0] != sizes[1], "the two rows are about different test sets"),
    )
    if why := next((words for holds, words in reasons if holds), None):
        words = f"{printed}Whether the difference is significant cannot be checked: {why}."
        return ClaimResult(_text(claim), None, words)
    discordant = None
    try:
        pairs = _rate_pairs(name, *rows)
        if claim.paired is not None:
            (both, b), (c, neither) = ((int(cell) for cell in row) for row in claim.paired)
            discordant = b, c
            if both + b + c + neither != sum(pair.cases for pair in pairs):
                raise InvalidValue("the cases are others")
        rechecked = recheck_pairs(pairs, read_p(f"<{claim.alpha}"), "exact", discordant, _text(claim))
    except ScoreproofError:
        words = f"{printed}The table of both methods' answers does not add up to them, so nothing follows."
        return ClaimResult(_text(claim), None, words)
    significant = _HOLDS.get(rechecked.verdict)
    word = {True: ": significant in every case", False: ": not significant in any case", None: ""}[significant]
    words = f"{printed}By McNemar's exact test {rechecked.words}; the claim is p <= {claim.alpha}{word}."
    holds = None if significant is None else significant is claim.significant
    return ClaimResult(_text(claim), holds, words, rechecked.answer if holds is False and claim.significant else None)


def _rate_pairs(name: str, first: RowResult, second: RowResult) -> tuple[RatePair, ...]:
    """The rates of both rows on their cases; of an accuracy those of both classes where they are printed."""
    problems = [_of_matrix(row) for row in (first, second)]
    sets = problems[0].experiment
    sizes = {"sens": sets.p, "spec": sets.n, "acc": sets.p + sets.n}
    every = [{claim.quantity.name: claim for claim in problem.claims} for problem in problems]
    both = name == "acc" and all({"sens", "spec"} <= set(own) for own in every)
    pairs = []
    for rate in ("sens", "spec") if both else (name,):
        claims = (without_spread(own[rate]) for own in every)
        named = [replace(each, quantity=RATE, name=f"{rate} of {k}") for k, each in enumerate(claims, 1)]
        pairs.append(RatePair(sizes[rate], *named))
    return tuple(pairs)


def _rechecked(claim: ClaimModel, name: str, tables: Sequence[TableResult]) -> ClaimResult:
    """A claim of significance by its settings, and by the rows of the table that has them both."""
    read: dict[str, Any] = {}
    if claim.by is not None:
        every = [{row.label: row for row in reversed(table.rows)} for table in tables]
        both = [rows for rows in every if {claim.settings.get(key) for key in ("a", "b")} <= rows.keys()]
        read = _from_rows(name, claim.by, claim.settings, next(iter(both or every), {}))
    return _told(recheck(name, {**claim.settings, **read}), claim.text, claim.where)


def _told(rechecked: Recheck, text: str = "", where: str = "") -> ClaimResult:
    """What re-checking found, as the audit tells it."""
    words = rechecked.words if rechecked.words.startswith("p ") else rechecked.words[:1].upper() + rechecked.words[1:]
    title = (text or rechecked.claim) + (f" ({where})" if where else "")
    return ClaimResult(title, _HOLDS.get(rechecked.verdict), f"{words}.", rechecked.answer, rechecked)


def _from_rows(claim: str, by: str, settings: Mapping[str, Any], rows: Mapping[str, RowResult]) -> dict[str, Any]:
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
        if claim == "mcnemar" and "n" not in settings and (size := _cases_of(row, name)):
            arguments["n"] = size
    return arguments


def _of_matrix(row: RowResult) -> Any:
    """The problem of a row about one confusion matrix; None of others."""
    problem = row.readings[0].answer.problem if len(row.readings) == 1 else None
    problem = problem.base if isinstance(problem, CurveProblem) else problem
    return problem if isinstance(problem, BinaryProblem) else None


def _classes_of(row: RowResult) -> TestSet | None:
    """The positives and negatives of a row that is one test set."""
    experiment = getattr(_of_matrix(row), "experiment", None)
    return experiment if isinstance(experiment, TestSet) else None


def _cases_of(row: RowResult, name: str) -> int | None:
    """Of how many cases a rate of a row is, if the row is one test set."""
    sets = _classes_of(row)
    return None if sets is None else {"sens": sets.p, "spec": sets.n, "acc": sets.p + sets.n}.get(name)


def _folds_of(row: RowResult) -> int | None:
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


def found_claims(tables: Sequence[tuple[TableResult, Interpretation]]) -> tuple[ClaimResult, ...]:
    """What cells claim, re-checked; of very many those that cannot be come first."""
    claims = [claim for each in tables for check in (_with_spreads, _with_counts) for claim in check(*each)]
    if len(claims) > _MOST:
        claims.sort(key=lambda claim: claim.holds is not False)
        left = f"{len(claims) - _MOST} further claims were found in the tables"
        claims[_MOST:] = [ClaimResult(left, None, "They are not listed; those that cannot be come first.")]
    return tuple(claims)


def _with_spreads(table: TableResult, meaning: Interpretation) -> Iterator[ClaimResult]:
    """Values with their confidence intervals, and values ± over folds, of which those that can be are counted."""
    caption, allowed = f"{table.name} {table.table.caption or ''}", 0
    for row in table.rows:
        for cell in row.cells:
            if not _SAYS["claiming"].search(cell.raw):
                continue
            column = cell.place[0 if meaning.transposed else 1]
            heading = meaning.columns[column].heading.text if column < len(meaning.columns) else ""
            own = None
            with suppress(ScoreproofError):  # what cannot be read in one way only is no claim
                own = _of_cell(cell, row, f"{heading} {caption}")
            if own is not None and own.of in ("sd", "±") and own.verdict is not Standing.IMPOSSIBLE:
                allowed += 1
            elif own is not None:
                yield _told(own, where=f"{table.name}, {row.label or f'row {row.row + 1}'}")
    if allowed:
        text = f"{allowed} value{'s' * (allowed > 1)} ± over folds ({table.name})"
        yield ClaimResult(text, None, "Each ± is one that so many values from 0 to 1 can have.")


def _of_cell(cell: CellText, row: RowResult, words: str) -> Recheck | None:
    folds = _folds_of(row) or 0
    if cell.score in _SHARES and _SAYS["confidence"].search(f"{words} {cell.raw}"):
        read, cases = read_interval(cell.raw), _cases_of(row, cell.score)
        percent = "%" if cell.text.endswith("%") and not read.value.endswith("%") else ""
        level = "" if read.level is None else f"{float(read.level) * 100:g}% CI "
        return interval(f"{read.value}{percent} ({level}{read.low} to {read.high})", cases) if cases else None
    if folds < 2 or "±" not in cell.text or score(cell.score).range != (Fraction(0), Fraction(1)):
        return None
    kinds = [kind for kind, pattern in _SPREADS.items() if _SAYS[pattern].search(words)]
    return spread(cell.text, folds, kind=kinds[0] if len(kinds) == 1 else "unknown")


def _with_counts(table: TableResult, meaning: Interpretation) -> Iterator[ClaimResult]:
    """Values beside the counts they are of, "95.0% (190/200)" or "190/200 (95.0%)": known exactly."""
    shares = [column for column in meaning.score_columns if column.heading.score in _SHARES]
    for row, column in ((row, column) for row in meaning.rows for column in shares):
        raw, name = row.cells[column.index].raw, column.heading.score
        match = "/" in raw and (_SAYS["counted"].fullmatch(raw) or _SAYS["counts_first"].fullmatch(raw))
        hits, cases = (int(match[part].replace(",", "")) for part in ("hits", "cases")) if match else (0, 0)
        if match and 0 < cases >= hits:
            percent = "%" if column.scale is Scale.PERCENT and "%" not in match["value"] else ""
            with suppress(ScoreproofError):
                own = _counted(raw, name, match["value"].strip() + percent, hits, cases)
                yield _told(own, where=f"{table.name}, {row.label or f'row {row.index + 1}'}")


def _counted(raw: str, name: str, value: str, hits: int, cases: int) -> Recheck:
    share = replace(report(name, Fraction(hits, cases), eps="0"), name=f"{hits} of {cases}")
    answer = ask(printed_average(name, [share], value), budget=Budget.of_work(_SECONDS))
    claim, assumes = f"{raw}: {name} {value} is {hits:,} of {cases:,}", ("the counts are as printed",)
    if answer.verdict is Verdict.INCONSISTENT:
        words = f"{hits:,} of {cases:,} is {hits / cases:.6g}"
        return Recheck(claim, Standing.IMPOSSIBLE, words, name, assumes=assumes, answer=answer)
    return Recheck(claim, Standing.CERTAIN, "the counts give it", name, assumes=assumes)
