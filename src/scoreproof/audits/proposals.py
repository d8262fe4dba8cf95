"""What the text of a paper proposes for the experiments of its tables.

Every proposal is an *assumed* experiment: a test set of the size a sentence gives, folds of the classes it counts, a
data set of the catalogue it names; and always the one test set of unknown classes. Precision comes first: sizes of all
cases are no proposal for a test set where the paper speaks of training, and beside more than two classes only sizes of
all of them are one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from scoreproof.audits.known_names import named
from scoreproof.catalog import Entry
from scoreproof.documents.prose import (
    Averaged,
    CaseCount,
    ClassCounts,
    Decimals,
    Fact,
    Folds,
    Portion,
    Sentence,
    Split,
    Suggestion,
    facts,
    sentences,
    suggestions,
)

OPEN = "one test set"
_MOST_READINGS = 40  # of a catalogue entry that is only guessed
_IN_CELLS = "cells are read with as many digits as they show, shorter ones of a row with their zeros as a guess"


@dataclass(slots=True)
class Proposals:
    """Data sets, assumed experiments, which of them each table is tried with, and what sentences said."""

    datasets: dict[str, dict[str, Any]] = field(default_factory=dict)
    experiments: dict[str, dict[str, Any]] = field(default_factory=dict)
    extracted: list[dict[str, str]] = field(default_factory=list)
    of_tables: list[list[str]] = field(default_factory=list)
    decimals: int | None = None  # that values are said to have, by one number throughout the paper

    def add(self, name: str, dataset: dict[str, Any], assumed: str, **more: Any) -> str:
        """An experiment on a data set, both of one name."""
        self.datasets[name] = dataset
        self.experiments[name] = {"dataset": name, **more, "assumed": assumed}
        return name


def proposals(
    paragraphs: Iterable[tuple[str, str]], captions: Sequence[str], counted: Iterable[ClassCounts] = ()
) -> Proposals:
    """What paragraphs and the captions of tables propose; ``counted`` are classes that tables count.

    >>> made = proposals([("The test set has 1,143 images.", "section 3.1")], [""])
    >>> [experiment["assumed"] for experiment in made.experiments.values()]
    ['the test set is the 1,143 images of section 3.1', 'the scores are of one test set']
    """
    of_captions = [list(sentences(caption, f"the caption of table {k}")) for k, caption in enumerate(captions, 1)]
    in_captions = {sentence.text for told in of_captions for sentence in told}
    text = [one for said, place in paragraphs for one in sentences(said, place) if one.text not in in_captions]
    known = [*counted, *(fact for sentence in text for fact in facts(sentence))]
    made = Proposals()
    rests: dict[Sentence, str] = {}
    general = _sized(made, known, rests) + _catalogued(made, text, rests)
    every = list(known)
    for told in of_captions:
        own = [fact for sentence in told for fact in facts(sentence)]
        every += own
        sizes = _sized(made, [*own, *_designs(known, own)], rests) if _counts(own) else []
        sizes += _catalogued(made, told, rests)
        made.of_tables.append([*(sizes or general), OPEN])
    made.add(OPEN, {"p": "unknown", "n": "unknown"}, "the scores are of one test set")
    digits = {fact.digits for fact in every if isinstance(fact, Decimals)}
    made.decimals = digits.pop() if len(digits) == 1 else None
    made.extracted += [_told(fact, rests, agreed=made.decimals is not None) for fact in dict.fromkeys(every)]
    return made


def _counts(known: Iterable[Fact]) -> bool:
    return any(isinstance(fact, CaseCount | ClassCounts) for fact in known)


def _designs(known: Iterable[Fact], own: Iterable[Fact]) -> list[Fact]:
    """How the text says cases were dealt out, unless the caption says it itself."""
    said = {type(fact) for fact in own}
    return [fact for fact in known if isinstance(fact, Folds | Split | Averaged) and type(fact) not in said]


def _sized(made: Proposals, known: Sequence[Fact], rests: dict[Sentence, str]) -> list[str]:
    """The names of the experiments that facts suggest."""
    names = []
    many = _of_many_classes(known)
    for suggestion in _in_folds(suggestions(known), known):
        if many and not _of_several(suggestion, known):
            continue
        if suggestion.part is Portion.ALL and suggestion.folds is None and _says_more(known):
            continue
        names.append(_suggested(made, suggestion, known))
        rests |= {sentence: names[-1] for sentence in suggestion.sentences if sentence not in rests}
    return names


def _in_folds(suggested: Iterable[Suggestion], known: Iterable[Fact]) -> Iterator[Suggestion]:
    """The suggestions; all cases of unknown classes also in the folds that the text names, before they are one set."""
    folds = [fact for fact in known if isinstance(fact, Folds)]
    said = folds[0] if len({fact.k for fact in folds}) == 1 else None
    for suggestion in suggested:
        total = suggestion.total if suggestion.part is Portion.ALL and suggestion.folds is None else None
        if said is not None and total is not None and said.k is not None and said.k <= total:
            sentences = tuple(dict.fromkeys((*suggestion.sentences, said.sentence)))
            label = f"{suggestion.label} in {said.k} folds"
            yield replace(suggestion, label=label, folds=said.k, repeats=said.repeats or 1, sentences=sentences)
        yield suggestion


def _of_many_classes(known: Iterable[Fact]) -> bool:
    return any(isinstance(fact, ClassCounts) and len(fact.counts) > 2 for fact in known)


def _of_several(suggestion: Suggestion, known: Sequence[Fact]) -> bool:
    """Whether a suggestion counts more than two classes, in a way that is tested: at once, or stratified or pooled."""
    if len(suggestion.classes) < 3:
        return False
    pooled = {fact.mean for fact in known if isinstance(fact, Averaged)} == {False}
    return suggestion.folds is None or suggestion.stratified is True or pooled


def _says_more(known: Sequence[Fact]) -> bool:
    """Whether the text tells the test set, or folds that scores are averaged over, from all cases."""
    parts = {fact.part for fact in known if isinstance(fact, CaseCount | ClassCounts)}
    means = any(isinstance(fact, Averaged) and fact.mean for fact in known)
    folds = any(isinstance(fact, Folds) for fact in known)
    return bool(parts - {Portion.ALL}) or any(isinstance(fact, Split) for fact in known) or (means and folds)


def _suggested(made: Proposals, suggestion: Suggestion, known: Sequence[Fact]) -> str:
    place = suggestion.sentences[0].place or "the text"
    dataset: dict[str, Any] = {"total": suggestion.total}
    if suggestion.classes:
        dataset = {"classes": dict(suggestion.classes)}
        if len(suggestion.classes) == 2:
            dataset["positive"] = "unknown"
    if suggestion.folds is None:
        what = suggestion.label.removesuffix(" of the test set")
        return made.add(suggestion.label, dataset, f"the test set is the {what} of {place}")
    ways = {fact.mean for fact in known if isinstance(fact, Averaged)}
    more: dict[str, Any] = {"folds": suggestion.folds, "repeats": suggestion.repeats}
    if suggestion.stratified is not None:
        more["stratified"] = suggestion.stratified
    if len(ways) == 1:
        more["aggregation"] = "mean_of_scores" if ways.pop() else "score_of_means"
    return made.add(suggestion.label, dataset, f"the scores are of the {suggestion.label} of {place}", **more)


def _catalogued(made: Proposals, text: Sequence[Sentence], rests: dict[Sentence, str]) -> list[str]:
    names = []
    for entry, sentence in named(text):
        known = entry.title.split(",")[0]
        told = {"what": f"the data set {known}", "sentence": sentence.text, "place": sentence.place}
        if _few(entry):
            place = sentence.place or "the text"
            names.append(made.add(known, {"catalog": entry.name}, f"the data are {known} of {place}"))
        made.extracted.append({**told, "used": known if _few(entry) else "not used: it is read in too many ways"})
        rests.setdefault(sentence, known)
    return names


def _few(entry: Entry) -> bool:
    return sum(1 for _ in entry.readings()) <= _MOST_READINGS


def _told(fact: Fact, rests: dict[Sentence, str], *, agreed: bool) -> dict[str, str]:
    used = rests.get(fact.sentence, "")
    if isinstance(fact, Decimals):
        used = _IN_CELLS if agreed else "not used: the text says other digits, too"
    told = {"what": str(fact), "sentence": fact.sentence.text, "place": fact.sentence.place}
    return {**told, "used": used or "not used: no proposal rests on it"}
