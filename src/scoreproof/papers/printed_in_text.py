"""Scores and tests that sentences print: a paper without tables, and statistics with their p-values.

Of a paper without tables the scores are shown as a command that checks them, for which sizes a sentence means is for a
person to say. A sentence counts if it prints as many numbers as it names scores before them ("a sensitivity and
specificity of 86.5% and 75.0%").

Statistics with their p-values in sentences, captions and cells are re-checked as statcheck does (Nuijten et al. 2016,
doi:10.3758/s13428-015-0664-2), but nobody is accused: a p-value may have been adjusted, a number misread. What cannot
be is a question with the proof of what it rests on.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Sequence
from contextlib import suppress

from scoreproof.documents import Table
from scoreproof.documents.formats import Paragraph
from scoreproof.errors import ScoreproofError
from scoreproof.papers.result import ClaimResult
from scoreproof.papers.table_semantics.words import Patterns, loaded
from scoreproof.papers.text_facts import facts
from scoreproof.papers.text_facts.facts import CaseCount, Portion, Sentence, about_others, all_sentences
from scoreproof.quantities import quantity

_SAYS = Patterns(loaded("scoreproof.papers", "patterns.toml")["scores_in_text"])
_SHOWN = 3  # sentences
_LONGEST = 160  # characters of one
_MAY_TEST = re.compile(r"[tFzZrQUWV²2}]\s?(?:[(_\[{]\s?\d|\d{0,4}\s?[=<>])")
_MOST = 100


def printed_scores(sentence: Sentence) -> dict[str, str]:
    """The scores a sentence prints, by their names.

    >>> printed_scores(Sentence("We had a sensitivity and specificity of 86.5% and 75.0%, and an F1 score of 0.81."))
    {'sens': '86.5%', 'spec': '75.0%', 'f1': '0.81'}
    """
    scores: dict[str, str] = {}
    start = 0
    for match in _SAYS["values"].finditer(sentence.text):
        values = [value.strip() for value in _SAYS["parts"].split(match[1])]
        chunks = [chunk for chunk in _SAYS["parts"].split(sentence.text[start : match.start()]) if chunk.strip()]
        names = [_name(chunk.split(), whole=place > 0) for place, chunk in enumerate(chunks[-len(values) :])]
        if len(names) == len(values) and all(names):
            scores |= {name: value for name, value in zip(names, values, strict=True) if name not in scores}
        start = match.end()
    return scores


def _name(words: list[str], *, whole: bool) -> str:
    """The score that the last words name; all of them but an article, if ``whole``."""
    for size in range(min(4, len(words)), max(0, len(words) - 2) if whole else 0, -1):
        with suppress(ScoreproofError):
            return quantity(" ".join(words[-size:]).strip("()")).name
    return ""


def instead_of_tables(paragraphs: Iterable[Paragraph]) -> str:
    """What to do with a paper without tables, in words that follow its error."""
    told = list(all_sentences([(text, place) for text, place in paragraphs if not about_others(place)]))
    sizes = _sizes(told)
    few = 1 if sizes else 2  # scores that can be checked together
    printing = [(sentence, scores) for sentence in told if len(scores := printed_scores(sentence)) >= few]
    if not printing:
        drawn = any(_SAYS["figure"].search(sentence.text) for sentence in told)
        where = "its results may be in figures, which are not read" if drawn else "its text prints no scores either"
        return f"{where}; give the numbers as a CSV file with a heading for each column"
    lines = [f"scores stand in sentences only; {'' if sizes else 'state the sizes of the test set, and '}check them:"]
    for sentence, scores in printing[:_SHOWN]:
        text = sentence.text if len(sentence.text) <= _LONGEST else f"{sentence.text[:_LONGEST]}…"
        given = " ".join(shlex.quote(f"{name}={value}") for name, value in scores.items())
        lines.append(f"  “{text}”{f' ({sentence.place})' if sentence.place else ''}")
        lines.append(f"    scoreproof check {sizes or '--p POSITIVES --n NEGATIVES'} {given}")
    return "\n".join(lines)


def _sizes(told: Iterable[Sentence]) -> str:
    """Positives and negatives, where the text gives two classes once."""
    counted = [fact for sentence in told for fact in facts(sentence) if isinstance(fact, CaseCount)]
    pairs = {fact.counts for fact in counted if len(fact.counts) == 2 and fact.part in (Portion.TEST, Portion.ALL)}
    return "--p {} --n {}".format(*(count for _, count in pairs.pop())) if len(pairs) == 1 else ""


def reported_tests(paragraphs: Iterable[Paragraph], tables: Sequence[tuple[str, Table]]) -> tuple[ClaimResult, ...]:
    """What becomes of the tests that a paper reports; those that agree with themselves are counted."""
    texts = [(text, place) for text, place in paragraphs if _MAY_TEST.search(text) and not about_others(place)]
    rows = [
        (row, f"{name}, {row[0] or f'row {k}'}") for name, table in tables for k, row in enumerate(table.body, 1) if row
    ]
    texts += [(cell, where) for row, where in rows for cell in row if _MAY_TEST.search(cell)]
    if not texts:  # what re-checks them is large
        return ()
    from scoreproof.claims.recheck import Standing
    from scoreproof.claims.sentences import read_tests, recheck_test

    asked: list[ClaimResult] = []
    agreeing = 0
    for text, place in texts:
        for rechecked in map(recheck_test, read_tests(text)):
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
    left = len(asked) - _MOST
    asked[_MOST:] = [ClaimResult(f"{left} further reported tests", None, "They are not listed.")] if left > 0 else []
    return tuple(asked)
