"""The findings of an audit: rows, questions and comparisons that have one cause are one finding with its rows listed.

The cause may be the description (most rows of an experiment fail, or one other assumption lets all of them pass), a
column (the same scores fail in several rows), a convention or a size that nobody stated (one question of the table), or
a relation between numbers that the other lines obey.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from scoreproof.checking import Answer, Verdict
from scoreproof.claims.recheck import Recheck, Standing, shown
from scoreproof.findings.finding import Finding, Ground, Where, of_answer, stated
from scoreproof.findings.words import Speech, canonical, counted, cut, headings, labels, with_counts_in_words
from scoreproof.papers.result import (
    Answered,
    AuditResult,
    ClaimResult,
    Outcome,
    Question,
    RowResult,
    TableCheck,
    TableResult,
)
from scoreproof.papers.text_facts.sizes import Extraction

_MOST_ITEMS = 12
_UNKNOWN = "no score of this name is known"
_ORDER = (Verdict.INCONSISTENT, Verdict.QUESTION)


def of_audit(result: AuditResult) -> tuple[Finding, ...]:
    """What is inconsistent, then what is a question, in the order of the tables.

    >>> from scoreproof import audit
    >>> grid = [["Method", "Acc", "Sens"], ["A", "0.95", "0.50"], ["B", "0.80", "0.50"]]
    >>> finding, = of_audit(audit({"datasets": {"d": {"p": 10, "n": 20}}, "experiments": {"e": {"dataset": "d"}},
    ...     "tables": [{"experiment": "e", "grid": grid}]}, strength=False))
    >>> print(finding.where, finding.headline, sep=": ")
    table 1, A: Acc 0.95 is not possible with 30 cases: 28 of 30 is 0.93, 29 of 30 is 0.97
    """
    made = [finding for number, table in enumerate(result.tables, 1) for finding in _Table(result, table, number)()]
    made += [finding for claim in result.claims for finding in of_claim(claim, result.title)]
    return tuple(finding for verdict in _ORDER for finding in _once(made) if finding.verdict is verdict)


def _once(findings: Sequence[Finding]) -> list[Finding]:
    """The same numbers of the same experiment, in several rows or tables, are one finding."""
    kept: dict[Any, Finding] = {}
    for number, finding in enumerate(findings):
        problem = None if finding.answer is None else finding.answer.problem
        key = number if problem is None or len(finding.where.names) != 1 else (finding.verdict, problem)
        known = kept.get(key)
        if known is None:
            kept[key] = finding
        elif finding.where.number == known.where.number:
            here, there = known.where, finding.where
            rows, names, cells = here.rows + there.rows, here.names + there.names, here.cells + there.cells
            kept[key] = replace(known, where=replace(here, rows=rows, names=names, cells=cells))
        else:
            kept[key] = replace(known, also=(*known.also, finding.where))
    return list(kept.values())


def row_name(row: RowResult, most: int = 80) -> str:
    """The row's label with its group of columns."""
    label = cut(row.label, most) or f"row {row.row + 1}"
    return f"{label} ({cut(row.group, most)})" if row.group else label


def row_headline(row: RowResult, heads: tuple[list[str], list[str]]) -> str:
    """What is impossible about a row, in the paper's names; empty of others."""
    reading = failing(row)
    say = Speech(labels(row.cells, row.label, heads)).plain
    told = () if reading is None else of_answer(reading.answer, row.explanation, say=say)
    return told[0].headline if told else ""


def next_tests(result: AuditResult) -> tuple[str, ...]:
    """What somebody would have to say so that more rows can be tested; tables that lack the same are named together."""
    lacking: dict[str, list[str]] = {}
    for table in result.tables:
        untested = (row for row in table.rows if row.outcome is Outcome.NOT_TESTED)
        reasons = Counter(row.error or next(iter(row.notes), "") for row in untested)
        for reason, number in reasons.most_common(3):
            words = cut(reason, 300) or "nothing that could be tested"
            sizes = "no experiment is given" in reason
            words = "state the size of the test set (how many positive, how many negative)" if sizes else words
            lacking.setdefault(words, []).append(f"{table.name}, {counted(number, 'row')}")
        if not table.rows and table.untested:
            unknown = [each.removesuffix(f": {_UNKNOWN}") for each in table.untested if each.endswith(_UNKNOWN)]
            names = [name for name in unknown if any(letter.isalpha() for letter in name)]  # a time of day is none
            words = f"say which scores its headings mean: {', '.join(names[:8])}" if unknown else table.untested[0]
            if names or not unknown:
                lacking.setdefault(cut(words, 300), []).append(table.name)
    return tuple(f"{'; '.join(tables)}: {words}" for words, tables in lacking.items())


def failing(row: RowResult) -> Answered | None:
    """The reading of a row that is impossible: the one that is explained, else the first."""
    refuted = [reading for reading in row.readings if reading.verdict is Verdict.INCONSISTENT]
    explained = [r for r in refuted if row.explanation is not None and r.label == row.explanation.reading]
    return next(iter((*explained, *refuted)), None)


class _Table:
    """The findings of one table."""

    def __init__(self, audit: AuditResult, table: TableResult, number: int) -> None:
        self.audit, self.table, self.number = audit, table, number
        self.heads = headings(table.table)
        self.speech = _speech(table)
        self.compared = dict(zip(map(id, table.checks), comparisons(table), strict=True))
        self.tested = Counter(_tested_as(row) for row in table.rows if row.readings)
        self.failed = Counter(_tested_as(row) for row in table.rows if row.outcome is Outcome.INCONSISTENT)
        self.fitting = Counter(label for row in table.rows for label in dict.fromkeys(row.fitting()))

    def __call__(self) -> Iterator[Finding]:
        wrong = [row for row in self.table.rows if row.outcome is Outcome.INCONSISTENT]
        findings = [finding for rows in self._of_one_cause(wrong) for finding in self._of_rows(rows)]
        for checks in _alike(self.table.checks):
            for finding in self._of_checks(checks):
                lines = finding.where.rows
                home = next((k for k, own in enumerate(findings) if lines and set(lines) <= set(own.where.rows)), None)
                if home is None:
                    findings.append(finding)
                else:  # a row that is impossible by itself, and by what stands beside it
                    own, cells = findings[home], (*findings[home].where.cells, *finding.where.cells)
                    detail = ("Also inside the table (proved)", (finding.headline,))
                    findings[home] = replace(
                        own, where=replace(own.where, cells=tuple(dict.fromkeys(cells))), details=(detail, *own.details)
                    )
        yield from findings
        asked: set[int] = set()
        for question in self.table.questions:
            rows = [row for row in self.table.rows if row.outcome is Outcome.QUESTION and row.row in question.rows]
            asked |= {id(row) for row in rows}
            yield from self._of_rows(rows, question)
        others: dict[str, list[RowResult]] = {}
        for row in self.table.rows:
            if row.outcome is Outcome.QUESTION and id(row) not in asked:
                others.setdefault(row.condition, []).append(row)
        for rows in others.values():
            yield from self._of_rows(rows)

    def _of_one_cause(self, wrong: Sequence[RowResult]) -> list[list[RowResult]]:
        """The impossible rows by their cause: the description of an experiment, or the same scores."""
        together: dict[Any, list[RowResult]] = {}
        explained = self.table.explanation is not None and self.table.explanation.explains_all
        for row in wrong:
            failed, tested = self.failed[_tested_as(row)], self.tested[_tested_as(row)]
            described = failed > 1 and (explained or 2 * failed > tested)
            key = _tested_as(row) if described else (_tested_as(row), self._scores(row))
            together.setdefault(key, []).append(row)
        return list(together.values())

    def _scores(self, row: RowResult) -> tuple[str, ...]:
        conflicts = () if row.explanation is None else row.explanation.conflicts
        return conflicts[0].scores if conflicts else (row_name(row),)

    def _where(self, rows: Sequence[RowResult], cells: Sequence[tuple[int, int]]) -> Where:
        lines = tuple(dict.fromkeys(row.row for row in rows))
        names = tuple(dict.fromkeys(map(row_name, rows)))
        return Where(self.audit.title, self.table.name, self.number, lines, names, tuple(dict.fromkeys(cells)))

    def _of_rows(self, rows: Sequence[RowResult], question: Question | None = None) -> Iterator[Finding]:
        """One finding about rows with one cause: told of the first that has an explanation, the others listed."""
        about = [(row, reading) for row in rows if (reading := failing(row)) is not None]
        if not about:
            return
        row, reading = min(about, key=lambda pair: pair[0].explanation is None)
        speech = Speech(labels(row.cells, row.label, self.heads))
        verdict = Verdict.INCONSISTENT if row.outcome is Outcome.INCONSISTENT else Verdict.QUESTION
        condition = (
            (question.condition if question is not None else reading.assumed) if verdict.QUESTION is verdict else ""
        )
        cells = [place for each, told in about for place in _at_fault(each, told.answer)]
        where = self._where([each for each, _ in about], cells)
        finding = next(
            iter(
                of_answer(
                    reading.answer,
                    row.explanation,
                    where=where,
                    rests_on=tuple(self._grounds(row, reading, question)),
                    verdict=verdict,
                    condition=condition,
                    say=speech.plain,
                    called=speech.names,
                )
            )
        )
        if self.table.other_sizes:
            finding = replace(finding, why="; ".join(filter(None, (*self.table.other_sizes, finding.why))))
        if len(about) > 1:
            finding = self._listing(finding, about)
        settling = (("What would settle it", (question.clears,)),) if question is not None and question.clears else ()
        yield replace(finding, details=(*settling, *finding.details, *self._beside(row)))

    def _listing(self, finding: Finding, about: Sequence[tuple[RowResult, Answered]]) -> Finding:
        """The finding with the headlines of its rows, and what would explain all of them."""
        lines = [f"{row_name(row)}: {row_headline(row, self.heads)}" for row, _ in about[:_MOST_ITEMS]]
        together = self.table.explanation
        fits = () if together is None else together.explains_all
        tested = sum(bool(row.readings) for row in self.table.rows)
        subject = with_counts_in_words(about[0][1].answer.subject)
        if finding.verdict is Verdict.INCONSISTENT:
            headline = f"{len(about)} of {counted(tested, 'tested row')} cannot come from {subject}; {lines[0]}"
            repair = f"one other assumption would fit all rows ({fits[0]})" if fits else finding.repair
            question = f"Are the {len(about)} rows really of {subject}?"
            finding = replace(finding, headline=headline, repair=repair, question=question)
        elif len({row_headline(row, self.heads) for row, _ in about}) > 1:  # of the first row alone
            headline = f"{len(about)} of {counted(tested, 'tested row')} cannot be as printed; {lines[0]}"
            finding = replace(finding, headline=headline)
        more = len(about) - len(lines)
        listed_rows = (*lines, *((f"and {counted(more, 'more row')}",) if more > 0 else ()))
        return replace(finding, details=(("Row by row", listed_rows), *finding.details))

    def _grounds(self, row: RowResult, reading: Answered, question: Question | None) -> Iterator[Ground]:
        """What the reading rests on: what was stated, or the sentences it was read from; the rows that bear it out."""
        used = [quote for quote in self.audit.extracted if _is_of(quote, row, reading)]
        if used:
            yield from (Ground("read", cut(quote.what, 200), quote.sentence, quote.place) for quote in used[:3])
        elif reading.assumed:
            yield Ground("assumed", with_counts_in_words(reading.answer.subject))
        else:
            yield stated(reading.answer)
        passing = max(self.fitting[reading.label], 0 if question is None else question.passing)
        if passing:
            fit = "fits it" if passing == 1 else "fit it"
            yield Ground("borne out", f"{counted(passing, 'other row')} {fit}")

    def _beside(self, row: RowResult) -> Iterator[tuple[str, tuple[str, ...]]]:
        """What is said of a row beside its verdict."""
        if len(row.readings) > 1:
            readings = [f"{with_counts_in_words(each.words or each.label)}: {each.verdict}" for each in row.readings]
            yield "Read as", tuple(dict.fromkeys(readings))
        if row.strength is not None:
            yield "Strength of the test", (row.strength.words,)
        if row.notes:
            yield "Assumed", tuple(cut(note, 600) for note in row.notes[:_MOST_ITEMS])

    def _of_checks(self, checks: Sequence[TableCheck]) -> Iterator[Finding]:
        """One finding about comparisons inside a table with one cause."""
        first, where = checks[0], self._where_of(checks)
        borne, _, _ = first.words.partition("; in ") if first.sort else ("", "", "")
        grounds = [Ground("borne out", borne)] if borne else [Ground("stated", "the numbers that the table prints")]
        say, called = self.speech.plain, self.speech.names
        for finding in of_answer(
            first.answer, first.explanation, where=where, rests_on=grounds, say=say, called=called
        ):
            headline, *rest = (self.compared[id(check)] for check in checks)
            listing = (("The same elsewhere", tuple(rest[:_MOST_ITEMS])),) if rest else ()
            claim = first.answer.claims[0].text if first.answer.claims else "the number"
            asked = f"Is {claim} ({first.what}) as it was computed, and from which numbers?"
            asked = finding.question if finding.repair and first.kind != "relation" else asked
            place, _, rest_of_it = headline.partition(": ")
            if len(where.names) == 1 and rest_of_it and place.endswith(where.names[0]):  # the card says where
                headline = rest_of_it
            yield replace(finding, headline=headline, question=asked, details=(*listing, *finding.details))

    def _where_of(self, checks: Sequence[TableCheck]) -> Where:
        lines = tuple(dict.fromkeys(line for check in checks for line in check.rows))
        grid = self.table.table.rows
        known = {row.row: row_name(row) for row in self.table.rows if not row.group}
        first_cells = {line: grid[line][0].strip() for line in lines if line < len(grid) and grid[line]}
        names = tuple(name or known.get(line) or f"row {line + 1}" for line, name in first_cells.items())
        cells = tuple(place for check in checks for place in self._printed_in(check))
        return Where(self.audit.title, self.table.name, self.number, lines, names, cells)

    def _printed_in(self, check: TableCheck) -> Iterator[tuple[int, int]]:
        """The cells of its lines that hold the printed text of a comparison's claims."""
        texts = {claim.text.strip() for claim in check.answer.used}
        places = {cell.place: canonical(cell.score) for row in self.table.rows for cell in row.cells}
        scores = {claim.quantity.name for claim in check.answer.used}
        for line in check.rows:
            cells = self.table.table.rows[line] if line < len(self.table.table.rows) else ()
            for column, text in enumerate(cells):
                known = places.get((line, column))
                if text.strip() in texts and (known is None or known in scores or check.kind == "relation"):
                    yield line, column


def _tested_as(row: RowResult) -> tuple[str, ...]:
    return tuple(reading.label for reading in row.readings)


def _at_fault(row: RowResult, answer: Answer[Any, Any]) -> Iterator[tuple[int, int]]:
    """The cells of the smallest conflict that is told; without one, those that the proof speaks of."""
    told = of_answer(answer, row.explanation)
    scores = {canonical(name) for finding in told for name in finding.scores}
    known = {canonical(cell.score) for cell in row.cells}
    # averages over classes have other names in a problem than in a table: these are known by their texts
    texts = {claim.text for claim in answer.claims if canonical(claim.name) in scores - known}
    yield from (cell.place for cell in row.cells if canonical(cell.score) in scores or cell.text in texts)


def _is_of(quote: Extraction, row: RowResult, reading: Answered) -> bool:
    """Whether a sentence of the paper gave the experiment of a reading."""
    return bool(quote.used) and bool(reading.assumed) and (quote.used in row.experiment) and quote.used in reading.label


def _alike(checks: Sequence[TableCheck]) -> list[list[TableCheck]]:
    """Comparisons that do not fit, those of one relation together."""
    together: dict[Any, list[TableCheck]] = {}
    for check in checks:
        if check.verdict is Verdict.INCONSISTENT:
            together.setdefault((check.kind, check.sort, check.words.partition("; in ")[0]), []).append(check)
    return list(together.values())


def comparisons(table: TableResult) -> list[str]:
    """What each comparison inside a table says: of a number computed from printed ones what it would be."""
    say = _speech(table).plain
    return [say(_of_printed(check) or check.words, 600) for check in table.checks]


def _speech(table: TableResult) -> Speech:
    """The names of scores that rows of a table have."""
    heads = headings(table.table)
    return Speech({k: v for row in table.rows[:50] for k, v in labels(row.cells, row.label, heads).items()})


def _of_printed(check: TableCheck) -> str:
    claims = check.answer.claims
    told = of_answer(check.answer, check.explanation) if check.kind == "relation" else ()
    instead = told[0].instead if told else None
    if not claims or instead is None:
        return ""
    verb = "lies" if instead.between and instead.low != instead.high else "is"
    return f"{check.what} cannot be {claims[0].text}: {cut(check.answer.subject, 200)} {verb} {instead.words}"


def of_claim(claim: ClaimResult, title: str) -> Iterator[Finding]:
    """The finding of a claim of the paper that is refuted."""
    if claim.recheck is not None:
        yield from (replace(finding, where=Where(title)) for finding in of_recheck(claim.recheck))
    elif claim.holds is False and claim.answer is not None and claim.answer.certificate is not None:
        headline = f"“{cut(claim.text, 300)}” does not hold: {cut(claim.words, 400)}".rstrip(".")
        question = f"On which numbers does “{cut(claim.text, 300)}” rest?"
        grounds = (Ground("stated", "the numbers that the tables print"),)
        yield Finding(
            Verdict.INCONSISTENT, Where(title), headline, rests_on=grounds, question=question, answer=claim.answer
        )


def of_recheck(recheck: Recheck) -> tuple[Finding, ...]:
    """The finding of a claim of significance that is impossible, or that whole numbers refute."""
    if recheck.verdict is not Standing.IMPOSSIBLE:
        return ()
    # what a tail of a distribution decides has no certificate, and so is a question
    proved = recheck.answer is not None and recheck.answer.verdict is Verdict.INCONSISTENT
    grounds = tuple(Ground("assumed", words) for words in recheck.assumes)
    ask = f"How was “{recheck.claim}” computed?"
    low, high = recheck.range or (0.0, 0.0)
    between = (f"{recheck.of} between {shown(low)} and {shown(high)}",) if low != high else ()
    titled = (("It can be", between), ("It would need", tuple(recheck.needs)))
    return (
        Finding(
            Verdict.INCONSISTENT if proved else Verdict.QUESTION,
            Where(),
            f"{recheck.claim}: {recheck.words}",
            rests_on=grounds,
            question=ask,
            details=tuple((title, items) for title, items in titled if items),
            answer=recheck.answer,
        ),
    )
