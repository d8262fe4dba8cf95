"""Scores and tests that sentences print: a paper without tables, and statistics with their p-values.

Of a paper without tables the scores are shown as a command that checks them. Nothing is audited so: which sizes a
sentence means is for a person to say. A sentence counts if it prints as many numbers as it names scores before them ("a
sensitivity and specificity of 86.5% and 75.0%").

Statistics with their p-values in sentences, captions and tables are re-checked as statcheck does (Nuijten et al. 2016,
doi:10.3758/s13428-015-0664-2), but nobody is accused: a p-value may have been adjusted, a digit of the degrees of
freedom misread. What cannot be is a question with the proof of what it rests on.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence

from scoreproof.documents import Table
from scoreproof.documents.formats import Paragraph
from scoreproof.errors import ScoreproofError
from scoreproof.papers.result import ClaimResult
from scoreproof.papers.table_semantics.words import Patterns, loaded
from scoreproof.papers.text_facts import facts
from scoreproof.papers.text_facts.designs import about_others
from scoreproof.papers.text_facts.facts import ClassCounts, Portion, Sentence, all_sentences
from scoreproof.quantities import quantity

_NUMBER = r"\d{1,3}(?:[.·]\d{1,6})?\s?%?"
_SAYS = Patterns(loaded("scoreproof.papers", "patterns.toml")["scores_in_text"])
_UNKNOWN = "--p POSITIVES --n NEGATIVES"
_SHOWN = 3  # sentences
_LONGEST = 160  # characters of one


def printed_scores(sentence: Sentence) -> dict[str, str]:
    """The scores a sentence prints, by their names.

    >>> printed_scores(Sentence("We had a sensitivity and specificity of 86.5% and 75.0%, and an F1 score of 0.81."))
    {'sens': '86.5%', 'spec': '75.0%', 'f1': '0.81'}
    >>> printed_scores(Sentence("It has sensitivity 0.87 and specificity 0.75 in 5 folds."))
    {'sens': '0.87', 'spec': '0.75'}
    """
    scores: dict[str, str] = {}
    start = 0
    for match in _SAYS["values"].finditer(sentence.text):
        values = [value.strip() for value in _SAYS["parts"].split(match[1])]
        chunks = [chunk for chunk in _SAYS["parts"].split(sentence.text[start : match.start()]) if chunk.strip()][
            -len(values) :
        ]
        names = [_name(chunk.split(), whole=place > 0) for place, chunk in enumerate(chunks)]
        if len(names) == len(values) and all(names):
            scores |= {name: value for name, value in zip(names, values, strict=True) if name not in scores}
        start = match.end()
    return scores


def _name(words: list[str], *, whole: bool) -> str:
    """The score that the last words name; all of them but an article, if ``whole``."""
    for size in (4, 3, 2, 1):
        tried = words[-size:]
        if len(tried) == size and (not whole or len(words) - size <= 1):
            try:
                return quantity(" ".join(tried).strip("()")).name
            except ScoreproofError:
                continue
    return ""


def instead_of_tables(paragraphs: Iterable[Paragraph]) -> str:
    """What to do with a paper without tables, in words that follow its error."""
    kept = [(text, place) for text, place in paragraphs if not about_others(place)]
    told = list(all_sentences(kept))
    sizes = " ".join(_sizes(told))
    few = 1 if sizes != _UNKNOWN else 2  # scores that can be checked together
    printing = [(sentence, scores) for sentence in told if len(scores := printed_scores(sentence)) >= few]
    if not printing:
        drawn = any(_SAYS["figure"].search(sentence.text) for sentence in told)
        where = "its results may be in figures, which are not read" if drawn else "its text prints no scores either"
        return f"{where}; give the numbers as a CSV file with a heading for each column"
    lines = [f"  {_cut(sentence)}\n    {_command(sizes, scores)}" for sentence, scores in printing[:_SHOWN]]
    missing = "state the sizes of the test set, and " if few > 1 else ""
    return "\n".join([f"scores stand in sentences only; {missing}check them:", *lines])


def _sizes(sentences: Iterable[Sentence]) -> Iterator[str]:
    """Positives and negatives where one sentence gives two classes, else what is to be filled in."""
    pairs = {
        fact.counts: fact
        for sentence in sentences
        for fact in facts(sentence)
        if isinstance(fact, ClassCounts) and len(fact.counts) == 2 and fact.part in (Portion.TEST, Portion.ALL)
    }
    if len(pairs) != 1:
        yield _UNKNOWN
        return
    ((_, first), (_, second)) = next(iter(pairs))
    yield from ("--p", str(first), "--n", str(second))


def _command(sizes: str, scores: Mapping[str, str]) -> str:
    return f"scoreproof check {sizes} {' '.join(shlex.quote(f'{name}={value}') for name, value in scores.items())}"


def _cut(sentence: Sentence) -> str:
    text = sentence.text if len(sentence.text) <= _LONGEST else f"{sentence.text[:_LONGEST]}…"
    return f"“{text}”{f' ({sentence.place})' if sentence.place else ''}"


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
            rechecked = recheck_test(test)
            if rechecked.verdict in (Standing.IMPOSSIBLE, Standing.UNEXPLAINED):
                unless = "the p-value was adjusted or resampled, or a number was read or printed wrong"
                words = f"A question: {rechecked.words}, unless {unless}."
                asked.append(ClaimResult(f"{rechecked.claim} ({place})", None, words, rechecked.answer))
            elif not rechecked.words.startswith("not re-checked"):
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
    columns = {
        name: [(at, head["df"]) for at, head in enumerate(heads) if head is not None and form.fullmatch(head["name"])]
        for name, form in _HEADS.items()
    }
    statistics = [name for name in ("t", "F", "z", "chi2") if columns[name]]
    if len(statistics) != 1 or any(len(places) > 1 for places in columns.values()) or not columns["p"]:
        return None
    test, ((at, df),), freedom = statistics[0], columns[statistics[0]], columns["df"]
    if (test != "z") is not (bool(freedom) ^ bool(df)):
        return None
    return test, at, freedom[0][0] if freedom else df or "", columns["p"][0][0]
