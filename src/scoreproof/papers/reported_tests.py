"""Statistics with their p-values in the sentences, captions and tables of a paper, re-checked.

As statcheck does (Nuijten et al. 2016, doi:10.3758/s13428-015-0664-2), but nobody is accused: a p-value may have been
adjusted, a digit of the degrees of freedom misread. What cannot be is a question with the proof of what it rests on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from scoreproof.documents import Table
from scoreproof.documents.formats import Paragraph
from scoreproof.papers.result import ClaimResult
from scoreproof.papers.text_facts import about_others

_MAY_TEST = re.compile(r"[tFzZrQUWV²2}]\s?(?:[(_\[{]\s?\d|\d{0,4}\s?[=<>])")
_MOST = 100
_HEADS = {
    "t": re.compile(r"t|t[-\s]?(?:values?|stat(?:istics?)?\.?)", re.IGNORECASE),
    "F": re.compile(r"F|F[-\s]?(?:values?|stat(?:istics?)?\.?)"),
    "z": re.compile(r"z|z[-\s]?(?:values?|scores?|stat(?:istics?)?\.?)", re.IGNORECASE),
    "chi2": re.compile(r"(?:χ|chi|X)\s?[-^]?\s?(?:2|²|squared?)|chi", re.IGNORECASE),
    "df": re.compile(r"d\.?f\.?|degrees of freedom", re.IGNORECASE),
    "p": re.compile(r"p|p[-\s]?val(?:ue)?s?\.?", re.IGNORECASE),
}
_FREEDOM = re.compile(r"(?P<name>.*?)(?:\s?\((?:df\s?=\s?)?(?P<df>\d[\d., ]*)\))?$")


def reported_tests(paragraphs: Iterable[Paragraph], tables: Sequence[tuple[str, Table]]) -> tuple[ClaimResult, ...]:
    """What becomes of the tests that a paper reports; those that agree with themselves are counted."""
    texts = list(_texts(paragraphs, tables))
    if not texts:  # what re-checks them is large
        return ()
    from scoreproof.claims.recheck import Standing
    from scoreproof.claims.sentences import read_tests, recheck_test

    asked: list[ClaimResult] = []
    agreeing = 0
    for text, place in texts:
        for test in read_tests(text):
            found = recheck_test(test)
            if found.verdict in (Standing.IMPOSSIBLE, Standing.UNEXPLAINED):
                unless = "the p-value was adjusted or resampled, or a number was read or printed wrong"
                words = f"A question: {found.words}, unless {unless}."
                asked.append(ClaimResult(f"{found.claim} ({place})", None, words, found.answer))
            elif not found.words.startswith("not re-checked"):
                agreeing += 1
    if agreeing:
        which = "test" if agreeing == 1 else "tests"
        words = f"Statistic, degrees of freedom and p-value of {agreeing} {which} agree."
        asked.append(ClaimResult(f"{agreeing} reported {which}", True, words))
    if len(asked) > _MOST:
        left = f"{len(asked) - _MOST} further reported tests"
        return (*asked[:_MOST], ClaimResult(left, None, "They are not listed."))
    return tuple(asked)


def _texts(paragraphs: Iterable[Paragraph], tables: Sequence[tuple[str, Table]]) -> Iterator[Paragraph]:
    for text, place in paragraphs:
        if _MAY_TEST.search(text) and not about_others(place):
            yield text, place
    for name, table in tables:
        columns = _columns(table)
        for number, row in enumerate(table.body, 1):
            where = f"{name}, {row[0] or f'row {number}'}" if row else name
            yield from ((cell, where) for cell in row if _MAY_TEST.search(cell))
            if columns is not None:
                test, at, df, p = columns
                df = row[df] if isinstance(df, int) else df
                relation = "" if re.match(r"\s*(?:p|n\.?\s?s|[<>=≤≥])", row[p], re.IGNORECASE) else "= "
                printed = row[p] if re.match(r"\s*(?:p|n\.?\s?s)", row[p], re.IGNORECASE) else f"p {relation}{row[p]}"
                yield f"{test}{df and f'({df})'} = {row[at]}, {printed}", where


def _columns(table: Table) -> tuple[str, int, int | str, int] | None:
    """A test, the columns of its statistic, its degrees of freedom (or what the heading says) and its p-value."""
    if not table.header:
        return None
    heads = [_FREEDOM.match(re.sub(r"[$*\\{}]", "", text).strip()) for text in table.header[-1]]
    found = {
        name: [(at, head["df"]) for at, head in enumerate(heads) if head is not None and form.fullmatch(head["name"])]
        for name, form in _HEADS.items()
    }
    statistics = [name for name in ("t", "F", "z", "chi2") if found[name]]
    if len(statistics) != 1 or any(len(places) > 1 for places in found.values()) or not found["p"]:
        return None
    test, ((at, df),), freedom = statistics[0], found[statistics[0]], found["df"]
    if (test != "z") is not (bool(freedom) ^ bool(df)):
        return None
    return test, at, freedom[0][0] if freedom else df or "", found["p"][0][0]
