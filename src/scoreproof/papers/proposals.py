"""What the text of a paper proposes for the experiments of its tables.

Every proposal is an *assumed* experiment: a test set of the size a sentence gives, folds of the classes it counts, a
data set of the catalogue it names; and always the one test set of unknown classes. Precision comes first: sizes of all
cases are no proposal for a test set where the paper speaks of training, and beside more than two classes only sizes of
all of them are one. A name of the catalogue counts if it is spelled as a name (DRIVE, CHASE_DB1) and stands beside a
word for data, for "drive" is a verb.
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
from scoreproof.papers.text_facts.designs import about_others, cut_up, of_wholes
from scoreproof.papers.text_facts.facts import (
    Averaged,
    CaseCount,
    ClassCounts,
    Fact,
    Folds,
    Medians,
    Portion,
    Runs,
    Sentence,
    Sought,
    Split,
    all_sentences,
    crossed,
    only_part,
    sentences,
)
from scoreproof.papers.text_facts.sizes import Suggestion, of_all, of_caption, suggestions

OPEN = "one test set"
_Runs = tuple[int, ...]
_TOGETHER = "; "  # between names of experiments
_OTHER_DATA = "not used: no table is of these cases"
_SOME: _Runs = (0,)  # runs, or random splits
_MOST_SOUGHT = 3
_SAYS = Patterns(loaded("scoreproof.papers", "patterns.toml")["proposals"])
_MOST_READINGS = 40  # of a catalogue entry that is only guessed


@dataclass(slots=True)
class Proposals:
    """Data sets, assumed experiments, which of them each table is tried with, and what sentences said."""

    datasets: dict[str, dict[str, Any]] = field(default_factory=dict)
    experiments: dict[str, dict[str, Any]] = field(default_factory=dict)
    extracted: list[dict[str, str]] = field(default_factory=list)
    of_tables: list[list[str]] = field(default_factory=list)
    sought: list[dict[str, list[str]]] = field(default_factory=list)  # of rankings and detectors, by their kind
    one_relevant: bool = False  # whether the text says that each query has one relevant item
    medians: list[str] = field(default_factory=list)  # of each table: the sentence that says its scores are medians
    #: the names of the experiments that rest on a sentence, in their order
    rests: defaultdict[Sentence, dict[str, None]] = field(default_factory=lambda: defaultdict(dict))

    def of_table(self, index: int, kinds: Iterable[str]) -> list[str]:
        """The experiments a table is tried with, by the kinds of quantities that it prints.

        Precision and recall beside the APs of a detector are shares of objects: how many images there are says nothing.
        """
        kinds = list(kinds)
        sized = self.of_tables[index]
        if "detection" in kinds:
            sized = [name for name in sized if name.startswith(OPEN)] or sized
        return [*(name for kind in kinds for name in self.sought[index].get(kind, ())), *sized]

    def add(
        self,
        name: str,
        dataset: dict[str, Any],
        assumed: str,
        over: _Runs = (),
        told: Iterable[Sentence] = (),
        **design: Any,
    ) -> str:
        """An experiment on a data set, both of one name, over runs or of a design, that rests on sentences."""
        words, brief, runs = _told_runs(over)
        name += brief
        self.datasets[name] = dataset
        self.experiments[name] = {"dataset": name, **(design or runs), "assumed": assumed + words}
        for sentence in told:
            self.rests[sentence][name] = None
        return name

    def add_told(self, what: str, sentence: str, place: str, used: str) -> None:
        """What a sentence says, once."""
        told = {"what": what, "sentence": sentence, "place": place, "used": used}
        self.extracted += [told] if told not in self.extracted else []


def proposals(
    paragraphs: Iterable[tuple[str, str]],
    captions: Sequence[str],
    counted: Iterable[ClassCounts] = (),
    data_sizes: Sequence[Sequence[tuple[str, CaseCount]]] = (),
) -> Proposals:
    """What paragraphs and the captions of tables propose; tables count classes, or have sizes of named data.

    >>> made = proposals([("The test set has 1,143 images.", "section 3.1")], [""])
    >>> [experiment["assumed"] for experiment in made.experiments.values()]
    ['the test set is the 1,143 images of section 3.1', 'the scores are of one test set']
    """
    of_captions, text = sentences_of(paragraphs, captions)
    cut = cut_up(text)
    read = [fact for sentence in text for fact in facts(sentence)]
    counts = (fact for fact in read if isinstance(fact, CaseCount | ClassCounts))
    wholes = dict.fromkeys(fact for fact in counts if of_wholes(fact.sentence, cut))
    known = [*counted, *of_all(data_sizes), *(fact for fact in read if fact not in wholes)]
    divided = _divided([*text, *(sentence for told in of_captions for sentence in told)])
    paper = _Paper(text, known, data_sizes, any(_SAYS["classes"].search(sentence.text) for sentence in text), divided)
    made = Proposals(one_relevant=any(_SAYS["one_relevant"].search(sentence.text) for sentence in text))
    every = [*known, *wholes]
    for caption, told in zip(captions, of_captions, strict=True):
        every += _of_table(made, paper, caption, told)
    for fact in dict.fromkeys(every):
        used = _TOGETHER.join(made.rests.get(fact.sentence, ())) or "not used: no proposal rests on it"
        if isinstance(fact, Runs | Medians):
            means = isinstance(fact, Runs)
            used = "scores are tried as such means, too" if means else "tables of medians are not tested"
        told_by = {"sentence": fact.sentence.text, "place": fact.sentence.place}
        made.extracted.append({"what": str(fact), **told_by, "used": used})
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
    data_sizes: Sequence[Sequence[tuple[str, CaseCount]]]
    several: bool  # whether it speaks of several classes
    divided: bool  # whether all cases are not one test set
    general: dict[tuple[str, _Runs], list[str]] = field(default_factory=dict)  # of tables whose captions say nothing


def _of_table(made: Proposals, paper: _Paper, caption: str, told: Sequence[Sentence]) -> list[Fact]:
    """Add what a table is tried with, by its caption or else by the text; the facts of the caption."""
    known = paper.known
    own = [fact for sentence in told for fact in facts(sentence, of_table=True)]
    counted = any(isinstance(fact, CaseCount | ClassCounts) for fact in own)
    sized = [] if counted else of_caption(paper.data_sizes, caption)
    own += sized
    made.medians.append(_medians(caption, own, known))
    over = _over_runs([*own, *known])
    # how the text says cases were dealt out, unless the caption says it itself
    kinds = {type(fact) for fact in own}
    designs = [fact for fact in known if isinstance(fact, Folds | Split | Averaged | Runs) and type(fact) not in kinds]
    sizes = _sized(made, paper, [*own, *designs], over) if counted or sized else []
    sizes += _catalogued(made, told, over)
    whose = _whose(caption)
    if not sizes and (whose, over) not in paper.general:
        general = _sized(made, paper, _as_tested(known, whose) if whose else known, over, whose)
        paper.general[whose, over] = [*general, *_catalogued(made, paper.text, over)]
    sizes = sizes or paper.general[whose, over]
    made.of_tables.append(sizes if sizes and over else [*sizes, unsized(made, over_runs=bool(over))])
    made.sought.append({} if over else _sought(made, own, paper.several) or _sought(made, known, paper.several))
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


def _whose(caption: str) -> str:
    """The cases a caption speaks of where these are not the test set's: those for validation or training."""
    part = None if crossed(caption) else only_part(caption)
    return str(part) if part in (Portion.VALIDATION, Portion.TRAINING) else ""


def _as_tested(known: Iterable[Fact], whose: str) -> list[Fact]:
    """The facts of a table whose scores are of other cases than the test set: theirs are those that were tested."""
    return [
        replace(fact, part=Portion.TEST) if isinstance(fact, CaseCount | ClassCounts) else fact
        for fact in known
        if not isinstance(fact, Folds | Split) and str(getattr(fact, "part", whose)) == whose
    ]


def _sought(made: Proposals, known: Iterable[Fact], several: bool) -> dict[str, list[str]]:
    """Rankings of the queries, detectors of the objects that facts count; several classes have shares of their own."""
    names: dict[str, list[str]] = {}
    counted = [fact for fact in known if isinstance(fact, Sought)]
    for fact in [fact for fact in counted if fact.part is Portion.TEST] or counted:
        if several and not fact.queries:
            continue
        kind, what = ("ranking", "queries") if fact.queries else ("detection", "objects")
        more = "each with one relevant item" if fact.queries else "counted together"
        label = f"{fact.total:,} {fact.unit}"
        known_as = f"{fact.total:,}" if fact.unit == what else label
        assumed = f"the {what} are the {known_as} of {fact.sentence.place or 'the text'}, {more}"
        made.experiments[label] = {"tree": {"type": kind, what: fact.total}, "assumed": assumed}
        made.rests[fact.sentence][label] = None
        names.setdefault(kind, []).append(label)
    return {kind: list(dict.fromkeys(own))[:_MOST_SOUGHT] for kind, own in names.items()}


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
    if not any(isinstance(fact, Averaged) for fact in own) and not _SAYS["means"].search(caption):
        number = _SAYS["table"].match(caption)
        for fact in known:
            named = _SAYS["table"].findall(fact.sentence.text) if isinstance(fact, Medians) else ["none"]
            texts += [fact.sentence.text] if not named or (number is not None and number[1] in named) else []
    return texts[0] if texts else ""


def unsized(made: Proposals, *, over_runs: bool) -> str:
    """The one test set of which nothing is known, or means over runs, for which sizes say nothing."""
    unknown = {"p": "unknown", "n": "unknown"}
    return made.add(OPEN, unknown, f"the scores are of {OPEN}", _SOME if over_runs else ())


def _sized(made: Proposals, paper: _Paper, known: Sequence[Fact], over: _Runs, whose: str = "") -> list[str]:
    """The names of the experiments that facts suggest, of the test set or of what a caption names instead."""
    names: list[str] = []
    if over == _SOME:
        return names  # the size of a test set says nothing of means over random splits
    many = any(isinstance(fact, ClassCounts) and len(fact.counts) > 2 for fact in known)
    for suggestion in suggestions(known):
        no_test_set = (
            suggestion.part is Portion.ALL and suggestion.folds is None and _is_parted(suggestion, paper, known)
        )
        if not (many and not _of_several(suggestion, known)) and not no_test_set:
            names.append(_suggested(made, suggestion, known, f"{whose or 'test'} set", over))
    return names


def _is_parted(suggestion: Suggestion, paper: _Paper, known: Sequence[Fact]) -> bool:
    """Whether only some of all cases are tested: beside other parts or shares, or in folds of unknown classes."""
    counted = (fact for fact in known if isinstance(fact, CaseCount | ClassCounts))
    parted = any(fact.part is not Portion.ALL for fact in counted) or any(isinstance(fact, Split) for fact in known)
    dealt = any(isinstance(fact, Folds) and not fact.left_out for fact in known)
    return paper.divided or parted or (dealt and suggestion.total is not None)


def _of_several(suggestion: Suggestion, known: Sequence[Fact]) -> bool:
    """Whether a suggestion counts more than two classes, in a way that is tested: at once, or stratified or pooled."""
    pooled = {fact.mean for fact in known if isinstance(fact, Averaged)} == {False}
    return len(suggestion.classes) > 2 and (suggestion.folds is None or suggestion.stratified is True or pooled)


def _divided(text: Sequence[Sentence]) -> bool:
    """Whether all cases are not one test set: a text speaks of cases for training and for testing.

    Or of cross-validation, but not of one with so many folds: "10-fold on A and 5-fold on B".
    """
    crossing = [sentence for sentence in text if crossed(sentence.text)]
    if not crossing:
        return any(_SAYS["parted"].search(sentence.text) for sentence in text)
    read = {(fact.k, fact.left_out) for sentence in crossing for fact in facts(sentence) if isinstance(fact, Folds)}
    return len(read) != 1


def _suggested(made: Proposals, suggestion: Suggestion, known: Sequence[Fact], whose: str, over: _Runs) -> str:
    place = suggestion.sentences[0].place or "the text"
    dataset: dict[str, Any] = {"total": suggestion.total}
    if suggestion.classes:
        dataset = {"classes": dict(suggestion.classes)}
        dataset |= {"positive": "unknown"} if len(suggestion.classes) == 2 else {}
    label, told = suggestion.label, suggestion.sentences
    if suggestion.folds is None:
        what = label.removesuffix(" of the test set")
        name = label if what == label else f"{what} of the {whose}"
        return made.add(name, dataset, f"the {whose} is the {what} of {place}", over, told)
    ways = {fact.mean for fact in known if isinstance(fact, Averaged)}
    repeats = sorted({suggestion.repeats, *over})
    design: dict[str, Any] = {"folds": suggestion.folds, "repeats": repeats if over else suggestion.repeats}
    if suggestion.stratified is not None:
        design["stratified"] = suggestion.stratified
    if len(ways) == 1:
        design["aggregation"] = "mean_of_scores" if ways.pop() else "score_of_means"
    return made.add(label, dataset, f"the scores are of the {label} of {place}", over, told, **design)


def _catalogued(made: Proposals, text: Sequence[Sentence], over: _Runs) -> list[str]:
    """The names of the experiments on data of the catalogue that sentences name."""
    names = []
    for known, sentence in named(text):
        title = known.title.split(",")[0]
        used = "not used: it is read in too many ways"
        if len(known.readings()) <= _MOST_READINGS:
            assumed = f"the data are {title} of {sentence.place or 'the text'}"
            used = made.add(title, {"catalog": known.name}, assumed, over, [sentence])
            names.append(used)
        made.add_told(f"the data set {title}", sentence.text, sentence.place, used)
    return names


_DATA = r"(?:data[- ]?sets?|databases?|data|benchmarks?|challenges?|collections?|test sets?)"
_THINGS = rf"(?:{_DATA}|images|records|recordings)"
_NAME = r"([\w-]+(?: [\w-]+)?)"
_BEHIND = re.compile(rf"\b(?={_NAME}(?:\s*\[[\d,\s]*\])?(?:\s+[a-z]+)?\s+{_THINGS}\b)")
_AHEAD = re.compile(rf"\b(?:{_THINGS}\s+(?:of|from|in)\s+(?:the\s+)?|{_DATA}\s+(?:called\s+)?){_NAME}")
_OTHERS = re.compile(r"\bet al\b|\bprevious|\bsuch as\b|\be\.g\.|\bunlike\b|\bpre-?train|\bfuture\b", re.I)
_REPOSITORY = re.compile(r"\bUCI\b|\bKEEL\b|\bOpenML\b|\bscikit-learn\b|\brepository\b")
_MOST_WORDS = 12  # of the name of an entry
_MOST = 3


def named(sentences: Iterable[Sentence]) -> list[tuple[Entry, Sentence]]:
    """The entries that sentences name, each with the first sentence that does; none if they are many.

    >>> said = [Sentence("We drive the error down."), Sentence("All images of the DRIVE dataset were used.")]
    >>> [(entry.name, sentence.text) for entry, sentence in named(said)]
    [('drive', 'All images of the DRIVE dataset were used.')]
    """
    told: dict[str, Sentence] = {}
    for sentence in sentences:
        if _OTHERS.search(sentence.text):
            continue
        pairs = [match[1] for match in _BEHIND.finditer(sentence.text)]
        words = [word for pair in pairs for word in pair.split()]
        pairs += (ahead := [match[1] for match in _AHEAD.finditer(sentence.text)])
        for word in (*pairs, *words, *(pair.split()[0] for pair in ahead)):
            name = _entries().get(_plain(word), "")
            # "German" and "hepatitis" are words, unless a repository is named, too
            if name and (word.isupper() or not _plain(word).isalpha() or _REPOSITORY.search(sentence.text)):
                told.setdefault(name, sentence)
    if len(told) > _MOST:  # a survey, or a table of data sets
        return []
    return [(entry(name), sentence) for name, sentence in told.items()]


@lru_cache(maxsize=64)
def recognised(text: str) -> tuple[str, ...]:
    """Catalogue entries that a text names as words of their own; every table asks about the whole paper again."""
    words = re.findall(r"[a-z0-9]+", text.lower())
    runs = ("".join(words[start:end]) for start in range(len(words)) for end in range(start + 1, start + _MOST_WORDS))
    return tuple(dict.fromkeys(_entries()[run] for run in runs if run in _entries() and len(run) > 2))


@cache
def _entries() -> dict[str, str]:
    """The names of entries by their spellings, without capitals and marks."""
    return {_plain(spelling): name for name, every in shipped_spellings().items() for spelling in every}


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "", text.lower())
