"""A paper without tables: the scores its sentences print, as a command that checks them.

Nothing is audited so: which sizes a sentence means is for a person to say. A sentence counts if it prints as many
numbers as it names scores before them ("a sensitivity and specificity of 86.5% and 75.0%").
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping

from scoreproof.documents.formats import Paragraph
from scoreproof.errors import ScoreproofError
from scoreproof.papers.table_semantics.words import Patterns, loaded
from scoreproof.papers.text_facts import ClassCounts, Portion, Sentence, about_others, all_sentences, facts
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
    said = list(all_sentences(kept))
    sizes = " ".join(_sizes(said))
    few = 1 if sizes != _UNKNOWN else 2  # scores that can be checked together
    printing = [(sentence, scores) for sentence in said if len(scores := printed_scores(sentence)) >= few]
    if not printing:
        drawn = any(_SAYS["figure"].search(sentence.text) for sentence in said)
        where = "its results may be in figures, which are not read" if drawn else "its text prints no scores either"
        return f"{where}; give the numbers as a CSV file with a heading for each column"
    lines = [f"  {_cut(sentence)}\n    {_command(sizes, scores)}" for sentence, scores in printing[:_SHOWN]]
    missing = "state the sizes of the test set, and " if few > 1 else ""
    return "\n".join([f"scores stand in sentences only; {missing}check them:", *lines])


def _sizes(said: Iterable[Sentence]) -> Iterator[str]:
    """Positives and negatives where one sentence gives two classes, else what is to be filled in."""
    pairs = {
        fact.counts: fact
        for sentence in said
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
