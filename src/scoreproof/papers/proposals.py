"""What the text of a paper proposes for the experiments of its tables.

Every proposal is an *assumed* experiment: a test set of the size a sentence gives, or folds of the classes it counts,
and always the one test set of unknown classes. Precision comes first: sizes of all cases are no proposal for a test set
where the paper speaks of training, and beside more than two classes only sizes of all of them are one.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import Any

from scoreproof.catalog import Entry, entry
from scoreproof.catalog.files import shipped_spellings
from scoreproof.papers.table_semantics.words import Patterns, loaded
from scoreproof.papers.text_facts import facts
from scoreproof.papers.text_facts.facts import (
    CaseCount,
    Fact,
    Folds,
    Medians,
    Portion,
    Runs,
    Sentence,
    Split,
    about_others,
    all_sentences,
    crossed,
    of_wholes,
    only_part,
    sentences,
)
from scoreproof.papers.text_facts.sizes import Suggestion, suggestions

OPEN = "one test set"
_Runs = tuple[int, ...]
_Tree = dict[str, Any]
_TOGETHER = "; "  # between names of experiments
_OTHER_DATA = "not used: no table is of these cases"
_SOME: _Runs = (0,)  # runs, or random splits
_SAYS = Patterns(loaded("scoreproof.papers", "patterns.toml")["proposals"])
_MOST_WORDS = 12  # of the name of an entry
_MOST_READINGS = 40  # of an entry that is only guessed
_MOST_NAMED = 3


@dataclass(slots=True)
class Proposals:
    """Data sets, assumed experiments, which of them each table is tried with, and what sentences said."""

    datasets: dict[str, _Tree] = field(default_factory=dict)
    experiments: dict[str, _Tree] = field(default_factory=dict)
    extracted: list[dict[str, str]] = field(default_factory=list)
    of_tables: list[list[str]] = field(default_factory=list)
    medians: list[str] = field(default_factory=list)  # of each table: the sentence that says its scores are medians
    #: the names of the experiments that rest on a sentence, in their order
    rests: defaultdict[Sentence, dict[str, None]] = field(default_factory=lambda: defaultdict(dict))

    def add(
        self, name: str, dataset: _Tree, assumed: str, over: _Runs = (), told: Iterable[Sentence] = (), **design: Any
    ) -> str:
        """An experiment on a data set, both of one name, over runs or of a design, that rests on sentences."""
        words, brief, runs = _told_runs(over)
        name += brief
        self.datasets[name] = dataset
        self.experiments[name] = {"dataset": name, **(design or runs), "assumed": assumed + words}
        for sentence in told:
            self.rests[sentence][name] = None
        return name


def proposals(
    paragraphs: Iterable[tuple[str, str]], captions: Sequence[str], counted: Iterable[CaseCount] = ()
) -> Proposals:
    """What paragraphs and the captions of tables propose, and tables in which classes are ``counted``.

    >>> made = proposals([("The test set has 1,143 images.", "section 3.1")], [""])
    >>> [experiment["assumed"] for experiment in made.experiments.values()]
    ['the test set is the 1,143 images of section 3.1', 'the scores are of one test set']
    """
    of_captions, text = sentences_of(paragraphs, captions)
    read = dict.fromkeys(fact for sentence in text for fact in facts(sentence))
    cut = of_wholes(text)
    known = [*counted, *(fact for fact in read if not isinstance(fact, CaseCount) or fact.sentence not in cut)]
    paper = _Paper(text, known, _divided([*text, *(sentence for told in of_captions for sentence in told)]))
    made = Proposals()
    every: list[Fact] = [*known, *read]
    for caption, told in zip(captions, of_captions, strict=True):
        every += _of_table(made, paper, caption, told)
    for fact in dict.fromkeys(every):
        used = _TOGETHER.join(made.rests.get(fact.sentence, ())) or "not used: no proposal rests on it"
        if isinstance(fact, Runs | Medians):
            means = isinstance(fact, Runs)
            used = "scores are tried as such means, too" if means else "tables of medians are not tested"
        text_of, place = fact.sentence.text, fact.sentence.place
        made.extracted.append({"what": str(fact), "sentence": text_of, "place": place, "used": used})
    return made


def sentences_of(
    paragraphs: Iterable[tuple[str, str]], captions: Iterable[str]
) -> tuple[list[list[Sentence]], list[Sentence]]:
    """The sentences of each caption, and those of the text beside them that are not of other people's work."""
    of_captions = [list(sentences(caption, f"the caption of table {k}")) for k, caption in enumerate(captions, 1)]
    in_captions = {sentence.text for told in of_captions for sentence in told}
    here = all_sentences((text, place) for text, place in paragraphs if not about_others(place))
    return of_captions, [sentence for sentence in here if sentence.text not in in_captions]


@dataclass(frozen=True, slots=True)
class _Paper:
    """What the text says."""

    text: Sequence[Sentence]
    known: Sequence[Fact]
    divided: bool  # whether all cases are not one test set
    general: dict[tuple[str, _Runs], list[str]] = field(default_factory=dict)  # of tables whose captions say nothing


def _of_table(made: Proposals, paper: _Paper, caption: str, told: Sequence[Sentence]) -> list[Fact]:
    """Add what a table is tried with, by its caption or else by the text; the facts of the caption."""
    known = paper.known
    own = [fact for sentence in told for fact in facts(sentence, of_table=True)]
    made.medians.append(_medians(caption, own, known))
    over = _over_runs([*own, *known])
    # how the text says cases were dealt out, unless the caption says it itself
    kinds = {type(fact) for fact in own}
    designs = [fact for fact in known if isinstance(fact, Folds | Split | Runs) and type(fact) not in kinds]
    sizes = _sized(made, paper, [*own, *designs], over) if CaseCount in kinds else []
    sizes += _catalogued(made, told, over)
    part = None if crossed(caption) else only_part(caption)  # the caption's
    whose = str(part) if part in (Portion.VALIDATION, Portion.TRAINING) else ""
    if not sizes and (whose, over) not in paper.general:
        told_of = _as_tested(known, whose) if whose else known
        paper.general[whose, over] = [
            *_sized(made, paper, told_of, over, whose),
            *_catalogued(made, paper.text, over),
        ]
    sizes = sizes or paper.general[whose, over]
    made.of_tables.append(sizes if sizes and over else [*sizes, unsized(made, over_runs=bool(over))])
    return own


def resting_on(extracted: Iterable[Mapping[str, str]], name: str) -> list[Mapping[str, str]]:
    """What of the extracted sentences an experiment rests on.

    >>> told = {"sentence": "The test set has 90 images.", "used": "90 images; 90 images (1 or 5 runs)"}
    >>> [len(resting_on([told], name)) for name in ("90 images", "90 images (1 or 5 runs)", "images")]
    [1, 1, 0]
    """
    return [told for told in extracted if name in told["used"].split(_TOGETHER)]


def left_unused(extracted: Iterable[dict[str, str]], experiments: Container[str], used: Container[str]) -> None:
    """Say of sentences that experiments rest on which no table names that it is so."""
    for told in extracted:
        names = told["used"].split(_TOGETHER)
        if all(name in experiments for name in names):
            told["used"] = _TOGETHER.join(name for name in names if name in used) or _OTHER_DATA


def _as_tested(known: Iterable[Fact], whose: str) -> list[Fact]:
    """The facts of a table whose scores are of other cases than the test set: theirs are those that were tested."""
    return [
        replace(fact, part=Portion.TEST) if isinstance(fact, CaseCount) else fact
        for fact in known
        if not isinstance(fact, Folds | Split) and str(getattr(fact, "part", whose)) == whose
    ]


def _over_runs(known: Iterable[Fact]) -> _Runs:
    """The numbers of runs that scores may be means of, one among them; nothing if none is said."""
    counts = {fact.count for fact in known if isinstance(fact, Runs)}
    return _SOME if None in counts else (1, *sorted(filter(None, counts))) if counts else ()


def _told_runs(over: _Runs) -> tuple[str, str, dict[str, Any]]:
    """What is told of runs: in the words of an assumption, behind a name, and in a specification."""
    if over in ((), _SOME):
        return (", as means over runs", " (means over runs)", {"runs": "unknown"}) if over else ("", "", {})
    several = " or ".join(map(str, over[1:]))
    return f", in one run or as a mean of {several}", f" (1 or {several} runs)", {"runs": list(over)}


def _medians(caption: str, own: Iterable[Fact], known: Iterable[Fact]) -> str:
    """The sentence by which the scores of a table are medians: of its caption, of the text about it, or about all."""
    texts = [fact.sentence.text for fact in own if isinstance(fact, Medians)]
    number = _SAYS["table"].match(caption)
    for fact in known if not _SAYS["means"].search(caption) else ():
        if isinstance(fact, Medians):
            named = _SAYS["table"].findall(fact.sentence.text)
            texts += [fact.sentence.text] if not named or (number is not None and number[1] in named) else []
    return next(iter(texts), "")


def unsized(made: Proposals, *, over_runs: bool) -> str:
    """The one test set of which nothing is known, or means over runs, for which sizes say nothing."""
    unknown = {"p": "unknown", "n": "unknown"}
    return made.add(OPEN, unknown, f"the scores are of {OPEN}", _SOME if over_runs else ())


def _sized(made: Proposals, paper: _Paper, known: Sequence[Fact], over: _Runs, whose: str = "") -> list[str]:
    """The names of the experiments that facts suggest, of the test set or of what a caption names instead."""
    if over == _SOME:
        return []  # the size of a test set says nothing of means over random splits
    several = any(isinstance(fact, CaseCount) and len(fact.counts) > 2 for fact in known)
    parted = paper.divided or any(getattr(fact, "part", None) not in (None, Portion.ALL) for fact in known)
    parted = parted or any(isinstance(fact, Split) for fact in known)
    dealt = any(isinstance(fact, Folds) and fact.k is not None for fact in known)
    tried = [each for each in suggestions(known) if not several or _of_several(each)]
    return [_suggested(made, each, f"{whose or 'test'} set", over) for each in tried if _at_once(each, parted, dealt)]


def _of_several(suggestion: Suggestion) -> bool:
    """Whether a suggestion counts more than two classes, in a way that is tested: at once, or stratified."""
    return len(suggestion.classes) > 2 and (suggestion.folds is None or suggestion.stratified is True)


def _at_once(suggestion: Suggestion, parted: bool, dealt: bool) -> bool:
    """Not all cases where only some are tested: beside other parts or shares, or in folds of unknown classes."""
    whole = suggestion.part is Portion.ALL and suggestion.folds is None
    return not whole or not (parted or (dealt and suggestion.total is not None))


def _divided(text: Sequence[Sentence]) -> bool:
    """Whether all cases are not one test set: a text speaks of cases for training and for testing.

    Or of cross-validation, but not of one with so many folds: "10-fold on A and 5-fold on B".
    """
    crossing = [sentence for sentence in text if crossed(sentence.text)]
    if not crossing:
        return any(_SAYS["parted"].search(sentence.text) for sentence in text)
    return len({fact.k for sentence in crossing for fact in facts(sentence) if isinstance(fact, Folds)}) != 1


def _suggested(made: Proposals, suggestion: Suggestion, whose: str, over: _Runs) -> str:
    place = suggestion.sentences[0].place or "the text"
    dataset: _Tree = {"classes": dict(suggestion.classes)} if suggestion.classes else {"total": suggestion.total}
    dataset |= {"positive": "unknown"} if len(suggestion.classes) == 2 else {}
    label, told = suggestion.label, suggestion.sentences
    if suggestion.folds is None:
        what = label.removesuffix(" of the test set")
        name = label if what == label else f"{what} of the {whose}"
        return made.add(name, dataset, f"the {whose} is the {what} of {place}", over, told)
    repeats = sorted({suggestion.repeats, *over}) if over else suggestion.repeats
    design: _Tree = {"folds": suggestion.folds, "repeats": repeats}
    if suggestion.stratified is not None:
        design["stratified"] = suggestion.stratified
    return made.add(label, dataset, f"the scores are of the {label} of {place}", over, told, **design)


def _catalogued(made: Proposals, text: Sequence[Sentence], over: _Runs) -> list[str]:
    """The names of the experiments on data of the catalogue that sentences name."""
    names = []
    for known, sentence in named(text):
        title, used = known.title.split(",")[0], "not used: it is read in too many ways"
        if len(known.readings()) <= _MOST_READINGS:
            assumed = f"the data are {title} of {sentence.place or 'the text'}"
            used = made.add(title, {"catalog": known.name}, assumed, over, [sentence])
            names.append(used)
        told = {"what": f"the data set {title}", "sentence": sentence.text, "place": sentence.place, "used": used}
        made.extracted += [told] if told not in made.extracted else []
    return names


def named(sentences: Iterable[Sentence]) -> list[tuple[Entry, Sentence]]:
    """The entries that sentences name, each with the first sentence that does; none if they are many.

    >>> told = [Sentence("We drive the error down."), Sentence("All images of the DRIVE dataset were used.")]
    >>> [(entry.name, sentence.text) for entry, sentence in named(told)]
    [('drive', 'All images of the DRIVE dataset were used.')]
    """
    told: dict[str, Sentence] = {}
    for sentence in sentences:
        text = "" if _SAYS["of_others"].search(sentence.text) else sentence.text
        matches = [match[1] for name in ("before_data", "behind_data") for match in _SAYS[name].finditer(text)]
        for word in (*matches, *(word for match in matches for word in match.split())):
            plain = "".join(re.findall(r"[a-z0-9]+", word.lower()))
            # "German" and "hepatitis" are words, unless a repository is named, too
            if plain in _entries() and (word.isupper() or not plain.isalpha() or _SAYS["repository"].search(text)):
                told.setdefault(_entries()[plain], sentence)
    # more are of a survey, or a table of data sets
    return [(entry(name), sentence) for name, sentence in told.items()] if len(told) <= _MOST_NAMED else []


@lru_cache(maxsize=64)
def recognised(text: str) -> tuple[str, ...]:
    """Catalogue entries that a text names as words of their own; every table asks about the whole paper again."""
    words = re.findall(r"[a-z0-9]+", text.lower())
    runs = ("".join(words[start:end]) for start in range(len(words)) for end in range(start + 1, start + _MOST_WORDS))
    return tuple(dict.fromkeys(_entries()[run] for run in runs if run in _entries() and len(run) > 2))


@cache
def _entries() -> dict[str, str]:
    """The names of entries by their spellings, without capitals and marks."""
    spelled = ((spelling.lower(), name) for name, every in shipped_spellings().items() for spelling in every)
    return {"".join(re.findall(r"[a-z0-9]+", spelling)): name for spelling, name in spelled}
