"""What the text of a paper proposes for the experiments of its tables.

Every proposal is an *assumed* experiment: a test set of the size a sentence gives, folds of the classes it counts, a
data set of the catalogue it names; and always the one test set of unknown classes. Precision comes first: sizes of all
cases are no proposal for a test set where the paper speaks of training, and beside more than two classes only sizes of
all of them are one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from scoreproof.papers.named_data import named, sizes_in_headers
from scoreproof.papers.table_semantics import Interpretation
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
    crossed,
    only_part,
    sentences,
)
from scoreproof.papers.text_facts.sizes import Suggestion, of_all, of_caption, suggestions

OPEN = "one test set"
_Runs = tuple[int, ...]
_Rests = defaultdict[Sentence, dict[str, None]]  # the names of the experiments that rest on a sentence, in their order
_TOGETHER = "; "  # between these names
_OTHER_DATA = "not used: no table is of these cases"
_SOME: _Runs = (0,)  # runs, or random splits
_MOST_SOUGHT = 3
_MOST_HEADERS = 40  # with sizes in them
_SAYS = Patterns(loaded("scoreproof.papers", "patterns.toml")["proposals"])
_MOST_READINGS = 40  # of a catalogue entry that is only guessed
_AS_MEDIANS = "tables of medians are not tested"
_AS_MEANS = "scores are tried as such means, too"


@dataclass(slots=True)
class Proposals:
    """Data sets, assumed experiments, which of them each table is tried with, and what sentences said."""

    datasets: dict[str, dict[str, Any]] = field(default_factory=dict)
    experiments: dict[str, dict[str, Any]] = field(default_factory=dict)
    extracted: list[dict[str, str]] = field(default_factory=list)
    of_tables: list[list[str]] = field(default_factory=list)
    sought: list[dict[str, list[str]]] = field(default_factory=list)  # of rankings and detectors, by their kind
    one_relevant: bool = False  # whether the text says that each query has one relevant item
    divided: bool = False  # whether all cases are not one test set
    medians: list[str] = field(default_factory=list)  # of each table: the sentence that says its scores are medians

    def of_table(self, index: int, kinds: Iterable[str]) -> list[str]:
        """The experiments a table is tried with, by the kinds of quantities that it prints.

        Precision and recall beside the APs of a detector are shares of objects: how many images there are says nothing.
        """
        kinds = list(kinds)
        sized = self.of_tables[index]
        if "detection" in kinds:
            sized = [name for name in sized if name.startswith(OPEN)] or sized
        return [*(name for kind in kinds for name in self.sought[index].get(kind, ())), *sized]

    def add(self, name: str, dataset: dict[str, Any], assumed: str, **more: Any) -> str:
        """An experiment on a data set, both of one name."""
        self.datasets[name] = dataset
        self.experiments[name] = {"dataset": name, **more, "assumed": assumed}
        return name


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
    of_captions = [list(sentences(caption, f"the caption of table {k}")) for k, caption in enumerate(captions, 1)]
    in_captions = {sentence.text for told in of_captions for sentence in told}
    told_here = (sentences(paragraph, place) for paragraph, place in paragraphs if not about_others(place))
    text = [sentence for told in told_here for sentence in told if sentence.text not in in_captions]
    cut = cut_up(text)
    read = [fact for sentence in text for fact in facts(sentence)]
    known = [*counted, *of_all(data_sizes), *(fact for fact in read if not _of_wholes(fact, cut))]
    made = Proposals()
    paper = _Paper(text, known, data_sizes, several=any(_SAYS["classes"].search(sentence.text) for sentence in text))
    made.one_relevant = any(_SAYS["one_relevant"].search(sentence.text) for sentence in text)
    every = [*known, *(fact for fact in read if _of_wholes(fact, cut))]
    made.divided = _divided([*text, *(sentence for told in of_captions for sentence in told)])
    for caption, told in zip(captions, of_captions, strict=True):
        every += _of_table(made, paper, caption, told)
    made.extracted += [_told(fact, paper.rests) for fact in dict.fromkeys(every)]
    return made


@dataclass(slots=True)
class _Paper:
    """What the text says, and what rests on it."""

    text: Sequence[Sentence]
    known: Sequence[Fact]
    data_sizes: Sequence[Sequence[tuple[str, CaseCount]]]
    several: bool  # whether it speaks of several classes
    rests: _Rests = field(default_factory=lambda: defaultdict(dict))
    general: dict[tuple[str, _Runs], list[str]] = field(default_factory=dict)  # of tables whose captions say nothing


def _of_table(made: Proposals, paper: _Paper, caption: str, told: Sequence[Sentence]) -> list[Fact]:
    """Add what a table is tried with, by its caption or else by the text; the facts of the caption."""
    known, rests = paper.known, paper.rests
    own = [fact for sentence in told for fact in facts(sentence, of_table=True)]
    own += [] if _counts(own) else of_caption(paper.data_sizes, caption)
    made.medians.append(_medians(caption, own, known))
    over = _over_runs([*own, *known])
    sizes = _sized(made, [*own, *_designs(known, own)], rests, over) if _counts(own) else []
    sizes += _catalogued(made, told, rests, over)
    whose = _whose(caption)
    if not sizes and (whose, over) not in paper.general:
        sized = _sized(made, _as_tested(known, whose) if whose else known, rests, over, whose)
        paper.general[whose, over] = [*sized, *_catalogued(made, paper.text, rests, over)]
    sizes = sizes or paper.general[whose, over]
    made.of_tables.append(sizes if sizes and over else [*sizes, unsized(made, over_runs=bool(over))])
    sought = {} if over else _sought(made, own, rests, paper.several) or _sought(made, known, rests, paper.several)
    made.sought.append(sought)
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


def _of_wholes(fact: Fact, cut: frozenset[str]) -> bool:
    """Whether a count is of what was cut into the pieces that are classified."""
    return isinstance(fact, CaseCount | ClassCounts) and of_wholes(fact.sentence, cut)


def _counts(known: Iterable[Fact]) -> bool:
    return any(isinstance(fact, CaseCount | ClassCounts) for fact in known)


def _designs(known: Iterable[Fact], own: Iterable[Fact]) -> list[Fact]:
    """How the text says cases were dealt out, unless the caption says it itself."""
    kinds = {type(fact) for fact in own}
    return [fact for fact in known if isinstance(fact, Folds | Split | Averaged | Runs) and type(fact) not in kinds]


def _whose(caption: str) -> str:
    """The cases a caption speaks of where these are not the test set's: those for validation or training."""
    part = None if crossed(caption) else only_part(caption)
    return str(part) if part in (Portion.VALIDATION, Portion.TRAINING) else ""


def _as_tested(known: Iterable[Fact], whose: str) -> list[Fact]:
    """The facts of a table whose scores are of other cases than the test set: theirs are those that were tested."""
    kept: list[Fact] = []
    for fact in known:
        if isinstance(fact, CaseCount | ClassCounts):
            kept += [replace(fact, part=Portion.TEST)] if str(fact.part) == whose else []
        elif not isinstance(fact, Folds | Split):
            kept.append(fact)
    return kept


def _sought(made: Proposals, known: Iterable[Fact], rests: _Rests, several: bool) -> dict[str, list[str]]:
    """Rankings of the queries, detectors of the objects that facts count; several classes have shares of their own."""
    names: dict[str, list[str]] = {}
    counted = [fact for fact in known if isinstance(fact, Sought)]
    tested = [fact for fact in counted if fact.part is Portion.TEST] or counted
    for fact in tested:
        if several and not fact.queries:
            continue
        kind, what = ("ranking", "queries") if fact.queries else ("detection", "objects")
        more = "each with one relevant item" if fact.queries else "counted together"
        label = f"{fact.total:,} {fact.unit}"
        known_as = f"{fact.total:,}" if fact.unit == what else label
        assumed = f"the {what} are the {known_as} of {fact.sentence.place or 'the text'}, {more}"
        made.experiments[label] = {"tree": {"type": kind, what: fact.total}, "assumed": assumed}
        rests[fact.sentence][label] = None
        names.setdefault(kind, []).append(label)
    return {kind: list(dict.fromkeys(own))[:_MOST_SOUGHT] for kind, own in names.items()}


def _over_runs(known: Iterable[Fact]) -> _Runs:
    """The numbers of runs that scores may be means of, one among them; nothing if none is said."""
    counts = {fact.count for fact in known if isinstance(fact, Runs)}
    return _SOME if None in counts else (1, *sorted(filter(None, counts))) if counts else ()


def _medians(caption: str, own: Iterable[Fact], known: Iterable[Fact]) -> str:
    """The sentence by which the scores of a table are medians: of its caption, of the text about it, or about all."""
    if any(isinstance(fact, Averaged) for fact in own) or _SAYS["means"].search(caption):
        return next((fact.sentence.text for fact in own if isinstance(fact, Medians)), "")
    texts = [fact.sentence.text for fact in (*own, *known) if isinstance(fact, Medians)]
    number = _SAYS["table"].match(caption)
    about = [
        text
        for text in texts
        if text in caption or not (named := _SAYS["table"].findall(text)) or (number is not None and number[1] in named)
    ]
    return about[0] if about else ""


def unsized(made: Proposals, *, over_runs: bool) -> str:
    """The one test set of which nothing is known, or means over runs, for which sizes say nothing."""
    over = _SOME if over_runs else ()
    assumed = f"the scores are of {OPEN}{_in_words(over)}"
    return made.add(f"{OPEN}{_briefly(over)}", {"p": "unknown", "n": "unknown"}, assumed, **_stated(over))


def _in_words(over: _Runs) -> str:
    several = " or ".join(map(str, over[1:]))
    return "" if not over else f", in one run or as a mean of {several}" if several else ", as means over runs"


def _briefly(over: _Runs) -> str:
    if not over:
        return ""
    return " (means over runs)" if over == _SOME else f" ({' or '.join(map(str, over))} runs)"


def _stated(over: _Runs) -> dict[str, Any]:
    return {} if not over else {"runs": "unknown" if over == _SOME else list(over)}


def _sized(made: Proposals, known: Sequence[Fact], rests: _Rests, over: _Runs, whose: str = "") -> list[str]:
    """The names of the experiments that facts suggest, of the test set or of what a caption names instead."""
    names: list[str] = []
    if over == _SOME:
        return names  # the size of a test set says nothing of means over random splits
    many = any(isinstance(fact, ClassCounts) and len(fact.counts) > 2 for fact in known)
    for suggestion in _in_folds(suggestions(known), known):
        if many and not _of_several(suggestion, known):
            continue
        whole = suggestion.part is Portion.ALL and suggestion.folds is None
        if whole and (made.divided or _says_more(known)):
            continue
        names.append(_suggested(made, suggestion, known, f"{whose or 'test'} set", over))
        for sentence in suggestion.sentences:
            rests[sentence][names[-1]] = None
    return names


def _in_folds(suggested: Iterable[Suggestion], known: Iterable[Fact]) -> Iterator[Suggestion]:
    """The suggestions; all cases of unknown classes also in the folds that the text names, before they are one set."""
    folds = [fact for fact in known if isinstance(fact, Folds)]
    design = folds[0] if len({fact.k for fact in folds}) == 1 else None
    for suggestion in suggested:
        total = suggestion.total if suggestion.part is Portion.ALL and suggestion.folds is None else None
        if design is not None and total is not None and design.k is not None and design.k <= total:
            sentences = tuple(dict.fromkeys((*suggestion.sentences, design.sentence)))
            label = f"{suggestion.label} in {design.k} folds"
            yield replace(suggestion, label=label, folds=design.k, repeats=design.repeats or 1, sentences=sentences)
        yield suggestion


def _of_several(suggestion: Suggestion, known: Sequence[Fact]) -> bool:
    """Whether a suggestion counts more than two classes, in a way that is tested: at once, or stratified or pooled."""
    if len(suggestion.classes) < 3:
        return False
    pooled = {fact.mean for fact in known if isinstance(fact, Averaged)} == {False}
    return suggestion.folds is None or suggestion.stratified is True or pooled


def _divided(text: Sequence[Sentence]) -> bool:
    """Whether all cases are not one test set: a text speaks of cases for training and for testing.

    Or of cross-validation, but not of one with so many folds: "10-fold on A and 5-fold on B".
    """
    crossing = [sentence for sentence in text if crossed(sentence.text)]
    if not crossing:
        return any(_SAYS["parted"].search(sentence.text) for sentence in text)
    read = [fact for sentence in crossing for fact in facts(sentence) if isinstance(fact, Folds)]
    return not read or len({(fact.k, fact.left_out) for fact in read}) > 1


def _says_more(known: Sequence[Fact]) -> bool:
    """Whether the text tells the test set, or folds that scores are averaged over, from all cases."""
    parts = {fact.part for fact in known if isinstance(fact, CaseCount | ClassCounts)}
    means = any(isinstance(fact, Averaged) and fact.mean for fact in known)
    folds = any(isinstance(fact, Folds) for fact in known)
    return bool(parts - {Portion.ALL}) or any(isinstance(fact, Split) for fact in known) or (means and folds)


def _suggested(made: Proposals, suggestion: Suggestion, known: Sequence[Fact], whose: str, over: _Runs) -> str:
    place = suggestion.sentences[0].place or "the text"
    dataset: dict[str, Any] = {"total": suggestion.total}
    if suggestion.classes:
        dataset = {"classes": dict(suggestion.classes)}
        if len(suggestion.classes) == 2:
            dataset["positive"] = "unknown"
    if suggestion.folds is None:
        what = suggestion.label.removesuffix(" of the test set")
        name = suggestion.label if what == suggestion.label else f"{what} of the {whose}"
        assumed = f"the {whose} is the {what} of {place}{_in_words(over)}"
        return made.add(f"{name}{_briefly(over)}", dataset, assumed, **_stated(over))
    ways = {fact.mean for fact in known if isinstance(fact, Averaged)}
    repeats = sorted({suggestion.repeats, *over})
    more: dict[str, Any] = {"folds": suggestion.folds, "repeats": repeats if over else suggestion.repeats}
    if suggestion.stratified is not None:
        more["stratified"] = suggestion.stratified
    if len(ways) == 1:
        more["aggregation"] = "mean_of_scores" if ways.pop() else "score_of_means"
    label = f"{suggestion.label}{_briefly(over)}"
    return made.add(label, dataset, f"the scores are of the {suggestion.label} of {place}{_in_words(over)}", **more)


def _catalogued(made: Proposals, text: Sequence[Sentence], rests: _Rests, over: _Runs) -> list[str]:
    names = []
    for entry, sentence in named(text):
        known = entry.title.split(",")[0]
        name = f"{known}{_briefly(over)}"
        told = {"what": f"the data set {known}", "sentence": sentence.text, "place": sentence.place}
        few = len(entry.readings()) <= _MOST_READINGS
        if few:
            place = sentence.place or "the text"
            assumed = f"the data are {known} of {place}{_in_words(over)}"
            names.append(made.add(name, {"catalog": entry.name}, assumed, **_stated(over)))
        told["used"] = name if few else "not used: it is read in too many ways"
        made.extracted += [told] if told not in made.extracted else []
        rests[sentence][name] = None
    return names


def _told(fact: Fact, rests: _Rests) -> dict[str, str]:
    used = _TOGETHER.join(rests.get(fact.sentence, ()))
    if isinstance(fact, Runs | Medians):
        used = _AS_MEANS if isinstance(fact, Runs) else _AS_MEDIANS
    told = {"what": str(fact), "sentence": fact.sentence.text, "place": fact.sentence.place}
    return {**told, "used": used or "not used: no proposal rests on it"}


def sized_headers(made: Proposals, meaning: Interpretation, number: int, names: list[str]) -> dict[str, Any]:
    """What a specification says of groups of columns and of rows that have sizes in their headers."""
    if names[-1:] != [OPEN]:  # means over runs, of which a number of cases says nothing
        return {}
    known = dict(sizes_in_headers(meaning))
    stated: dict[str, dict[str, list[str]]] = {}
    for (key, text), (total, part, of) in list(known.items())[:_MOST_HEADERS]:
        sizes = f"{total:,} cases" + (f", {part:,} {of}" if part else "")
        dataset: dict[str, Any] = {"total": total}
        if of == "positive":
            dataset = {"p": part, "n": total - part}
        elif part:
            dataset = {"classes": {of: part, f"not {of}": total - part}, "positive": "unknown"}
        name = made.add(f"{sizes} of {text}", dataset, f"those of {text!r} are {sizes}")
        told = {"what": sizes, "sentence": text, "place": f"a header of table {number}", "used": name}
        made.extracted += [told] if told not in made.extracted else []
        stated.setdefault(key, {})[text] = [name, OPEN]
    return stated
