"""What words name of the data behind a row: which data a size is of, and sizes in headers, captions and sentences.

"The ISIC test set has 600 images" says nothing of the row PH2. Where the rows of a table, or its groups of columns, are
of different data (data sets, hospitals, men and women, images and patients), a size is tried with those that its
sentence names; the others stay with the one test set of which nothing is known.

"Drive" is a verb and "glass" a material. A name of the catalogue counts if it is spelled as a name (DRIVE, Ionosphere,
CHASE_DB1) and stands beside a word for data: "the DRIVE dataset", "records of TPEHG", "the database STARE".

"Random forest (n = 100)" has a hundred trees: a number in a header is one of cases beside a word for data, or a class.

Whoever gives sizes may have had another table in mind. Of the words about a row those nearest to it count: its header,
else the caption of its table, else the sentences of the text. If they name sizes and none of these is the one it is
audited with, the row is impossible only under that condition; if they name others beside it, these are told.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any, NamedTuple

from scoreproof.catalog import Entry, entries, entry
from scoreproof.catalog.files import shipped_spellings
from scoreproof.papers.specification.model import UNTESTED, DatasetModel, ExtractedModel, PaperModel, TableModel
from scoreproof.papers.table_semantics import Interpretation, Report, RowKind
from scoreproof.papers.table_semantics.words import Patterns, loaded
from scoreproof.papers.task import Task
from scoreproof.papers.text_facts import facts
from scoreproof.papers.text_facts.facts import Portion, Sentence, sentences
from scoreproof.papers.text_facts.sizes import suggestions

_SAYS = Patterns(loaded("scoreproof.papers", "patterns.toml")["named_data"])
OF_DATA = _SAYS["of_data"]
_LONGEST = 2_000  # characters of a caption that are looked at
_MOST_DATA = 300  # data sets of a table


def of_rows_and_groups(
    meaning: Interpretation, names: Sequence[str], sentences: Mapping[str, Sequence[str]]
) -> dict[str, dict[str, list[str]]]:
    """For a table of different data: the experiments of each group of columns, or of each row.

    ``names`` are the experiments of the table, ``sentences`` what each was taken from; those without any are of all.
    """
    told = [text for name in names for text in sentences.get(name, ())]
    if not told or all(name in sentences for name in names):
        return {}
    return {
        key: {label: _of(data, names, sentences) for label, data in parts.items()}
        for key, parts in data_of_parts(meaning, told).items()
    }


def data_of_parts(meaning: Interpretation, told: Sequence[str]) -> dict[str, dict[str, str]]:
    """For a table of different data: its groups of columns, or its rows, with what names their data.

    ``told`` are sentences of sizes, which may name some of the data.
    """
    results = [row for row in meaning.reports if row.kind is RowKind.RESULT]
    groups = list(dict.fromkeys(row.group for row in results if row.group))
    if len(groups) > 1:
        return (
            {"groups": {group: group for group in groups}}
            if _different(groups, told, "", mentioned_is_enough=True)
            else {}
        )
    labels = _data_labels(meaning, told)
    return {"rows": labels} if len(set(labels.values())) > 1 else {}


def data_named(caption: str) -> frozenset[str]:
    """The data that a caption speaks of: names after "on" or "for", and words such as "external" and "women".

    >>> sorted(data_named("Results on PH2, external validation."))
    ['PH2', 'external', 'validation']
    """
    names = {match["name"] for match in _SAYS["on"].finditer(caption[:_LONGEST])}
    return frozenset(names | {match[0].lower() for match in OF_DATA.finditer(caption[:_LONGEST])})


def of_people(
    meaning: Interpretation, names: Sequence[str], sentences: Mapping[str, Sequence[str]]
) -> dict[str, dict[str, list[str]]]:
    """Rows of several people ("Radiologists") may be means over them, of which the size of a test set says nothing."""
    open_ones = [name for name in names if name not in sentences]
    labels = [row.label for row in meaning.reports if row.kind is RowKind.RESULT and _SAYS["people"].search(row.label)]
    return {"rows": dict.fromkeys(labels, open_ones)} if labels and open_ones and len(labels) <= _MOST_DATA else {}


def of_caption(caption: str, names: Sequence[str], sentences: Mapping[str, Sequence[str]]) -> list[str]:
    """The experiments of a table whose caption names its data: not those of sentences that name other data only.

    >>> told = {"600 images": ["The ISIC test set has 600 images."], "90 images": ["The test set has 90 images."]}
    >>> of_caption("Results on PH2.", [*told, "one test set"], told)
    ['90 images', 'one test set']
    """
    data = {match["name"] for match in _SAYS["on"].finditer(caption[:_LONGEST])}
    return [name for name in names if not data or not _all_of_others(sentences.get(name, ()), data)]


def _all_of_others(told: Sequence[str], data: set[str]) -> bool:
    """Whether every sentence names data, and none of these."""
    named = [{match["name"] for match in _SAYS["of_named"].finditer(text)} for text in told]
    return bool(named) and all(named) and not any(names_data(name, told) for name in data)


def _data_labels(meaning: Interpretation, told: Sequence[str]) -> dict[str, str]:
    """For each result its label, and the part of it that names its data; nothing if no part does."""
    rows = [row for row in meaning.rows if row.kind is RowKind.RESULT and row.label]
    for place, column in enumerate(meaning.label_columns):
        parts = [row.labels[place] for row in rows if place < len(row.labels)]
        head = column.heading.text.strip()
        if len(parts) == len(rows) and _different(parts, told, head, mentioned_is_enough=not head):
            return {row.label: row.labels[place] for row in rows}
    sections = [row.section for row in rows]
    if all(sections) and _different(sections, told, "", mentioned_is_enough=True):
        return {row.label: row.section for row in rows}
    return {}


def _different(parts: Sequence[str], told: Sequence[str], head: str, *, mentioned_is_enough: bool) -> bool:
    """Whether texts are of different data, by their header, by most of them, or since sentences of sizes name some."""
    kinds = set(parts)
    if not 2 <= len(kinds) <= _MOST_DATA:
        return False
    of_data = OF_DATA.search(head) is not None and not _SAYS["same_data"].search(head)
    if of_data or (not head and 2 * sum(OF_DATA.search(part) is not None for part in kinds) > len(kinds)):
        return True
    names = [_SAYS["sizes"].sub("", part).strip() for part in kinds]  # as they are written: "Model" is not "the model"
    return mentioned_is_enough and any(name and re.search(rf"\b{re.escape(name)}\b", " ".join(told)) for name in names)


def _of(data: str, names: Sequence[str], sentences: Mapping[str, Sequence[str]]) -> list[str]:
    return [name for name in names if name not in sentences or names_data(data, sentences[name])]


def names_data(data: str, told: Iterable[str]) -> bool:
    """Whether a text names some data: by all words of its label, brackets left out."""
    words = re.findall(r"[\w-]+", _SAYS["sizes"].sub("", data).lower())
    texts = (set(re.findall(r"[\w-]+", text.lower())) for text in told)
    return bool(words) and any(set(words) <= text for text in texts)


_DATA = r"(?:data[- ]?sets?|databases?|data|benchmarks?|challenges?|collections?|test sets?)"
_THINGS = rf"(?:{_DATA}|images|records|recordings)"
_OTHERS = re.compile(r"\bet al\b|\bprevious|\bsuch as\b|\be\.g\.|\bunlike\b|\bpretrain|\bpre-train|\bfuture\b", re.I)
_REPOSITORY = re.compile(r"\bUCI\b|\bKEEL\b|\bOpenML\b|\bscikit-learn\b|\brepository\b")
_WORD = re.compile(r"\w+")
_BEGINNING = re.compile(r"[^\W_]+")
_PARTS = re.compile(r"[-_ ]+")
_BEGIN = 8  # letters by which names are looked up
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
        loose = _REPOSITORY.search(sentence.text) is not None
        for name in _begun(sentence.text):
            if name not in told and _pattern(name, loose=loose).search(sentence.text):
                told[name] = sentence
    if len(told) > _MOST:  # a survey, or a table of data sets
        return []
    return [(entry(name), sentence) for name, sentence in told.items()]


def _begun(text: str) -> list[str]:
    """The names of the catalogue that may stand in a text, since one of its words begins like them; most have none."""
    begins = {word[:length].lower() for word in _WORD.findall(text) for length in range(1, _BEGIN + 1)}
    shared = begins & _beginnings().keys()
    order = shipped_spellings()
    return [name for name in order if any(name in _beginnings()[begin] for begin in shared)] if shared else []


@cache
def _beginnings() -> dict[str, set[str]]:
    """The names of entries by the first letters of their spellings, up to the first mark."""
    names: dict[str, set[str]] = {}
    for name, spellings in shipped_spellings().items():
        for spelling in spellings:
            names.setdefault(_BEGINNING.findall(spelling)[0][:_BEGIN].lower(), set()).add(name)
    return names


@cache
def _pattern(name: str, *, loose: bool) -> re.Pattern[str]:
    """How an entry is named anywhere, or, ``loose``, beside a repository."""
    forms = (form for spelling in shipped_spellings()[name] for form in _spellings(spelling, loose))
    names = "|".join(dict.fromkeys(forms))
    behind = rf"\b(?:{names})(?:\s*\[[\d,\s]*\])?\s+(?:[a-z]+\s+)?{_THINGS}\b"
    ahead = rf"\b{_THINGS}\s+(?:of|from|in)\s+(?:the\s+)?(?:{names})\b|\b{_DATA}\s+(?:called\s+)?(?:{names})\b"
    return re.compile(f"{behind}|{ahead}")


def _spellings(name: str, loose: bool) -> list[str]:
    """A name as papers write it: in capitals; with a capital where it is no word or a repository is named, too."""
    parts = _PARTS.split(name)
    forms = [[part.upper() for part in parts]]
    if loose or not name.isalpha():  # "German" and "hepatitis" are words
        forms += [[part.capitalize() for part in parts], parts]
    return [r"[-_ ]?".join(re.escape(part) for part in form) for form in forms]


@lru_cache(maxsize=64)
def recognised(text: str) -> tuple[str, ...]:
    """Catalogue entries that a text names as words of their own; every table asks about the whole paper again."""
    lowered, names = _spaced(text), []
    for known in entries():
        keys = {_spaced(spelling).strip() for spelling in (known.name, *known.aliases)}
        keys |= {key.replace(" ", "") for key in keys}
        if any(len(key) >= 3 and f" {key} " in lowered for key in keys):
            names.append(known.name)
    return tuple(names)


def _spaced(text: str) -> str:
    return f" {re.sub(r'[^a-z0-9]+', ' ', text.lower())} "


_SIZES = Patterns(loaded("scoreproof.papers", "patterns.toml")["named_sizes"])
_FEWEST = 20  # cases; fewer may be runs, folds or readers


def sizes_in_headers(meaning: Interpretation) -> Iterator[tuple[tuple[str, str], tuple[int, int, str]]]:
    """Headers of groups and of rows, with their number of cases and perhaps a class of them."""
    results = [row for row in meaning.reports if row.kind is RowKind.RESULT and not row.counts]
    texts = [("groups", row.group) for row in results] + [("rows", row.label) for row in results if not row.group]
    heads = " ".join(column.heading.text for column in meaning.label_columns)
    for key, text in dict.fromkeys(texts):
        stated = _SIZES["size"].search(text)
        total = int(stated["total"].replace(",", "")) if stated else 0
        part = int(stated["part"].replace(",", "")) if stated and stated["part"] else 0
        of_data = bool(part) or OF_DATA.search(text if key == "groups" else f"{heads} {text}") is not None
        if stated and of_data and total >= _FEWEST and part < total:
            of = (stated["class"] or "").rstrip(".")
            yield (key, text), (total, part, "positive" if of.startswith("pos") else of)


_Counts = tuple[int, ...]  # of each class, or of all cases
_MOST_TOLD = 2  # sentences


class Doubt(NamedTuple):
    """What names other sizes than those a row is audited with; ``condition`` if nothing names these."""

    words: str
    condition: str = ""


class _Named(NamedTuple):
    counts: _Counts
    sentence: Sentence

    def is_one_of(self, given: Iterable[_Counts]) -> bool:
        """Whether the counts are, as far as both say it, some that were given."""
        return any(
            sorted(self.counts) == sorted(own)
            if len(self.counts) == len(own)
            else sum(self.counts) == sum(own) or (len(self.counts) == 1 and self.counts[0] in own)
            for own in given
        )


class NamedSizes:
    """The sizes that words name for the rows of one table; none where somebody gave no sizes at all."""

    def __init__(
        self,
        meaning: Interpretation,
        paper: PaperModel,
        model: TableModel,
        names: Callable[[Report], Sequence[str]],  # the experiments a row is given
    ) -> None:
        self._paper, self._model, self._names = paper, model, names
        caption = meaning.table.caption
        sized = any("=" in row.group or "=" in row.label for row in meaning.reports)
        given = not all(experiment.assumed for experiment in paper.experiments.values())
        self._any = given and model.untested is None and bool(caption or sized or paper.extracted)
        if not self._any:
            return
        self._headers = {
            text: [_Named((part, total - part) if part else (total,), Sentence(text, "its header"))]
            for (_, text), (total, part, _) in sizes_in_headers(meaning)
        }
        self._caption = list(_tested(sentences(caption, "the caption"), of_table=True))
        of_text = [Sentence(told.sentence, told.place) for told in paper.extracted if _is_of_text(told)]
        texts = [sentence.text for sentence in of_text]
        here = set(of_caption(caption, texts, {text: [text] for text in texts}))
        self._text = list(_tested(sentence for sentence in of_text if sentence.text in here))
        parts = data_of_parts(meaning, texts) if self._text else {}
        self._data = {label: data for part in parts.values() for label, data in part.items()}

    def others(self, reports: Iterable[Report]) -> tuple[str, ...]:
        """What names other sizes than rows are given, each once."""
        doubts = [self.doubt(row) for row in reports] if self._any else []
        return tuple(dict.fromkeys(doubt.words for doubt in doubts if doubt is not None))

    def doubt(self, row: Report) -> Doubt | None:
        """What speaks against the sizes of the experiments that a row is given."""
        names = self._names(row) if self._any and not row.counts else ()
        given = _sizes_given(self._paper, names)
        if not given:
            return None
        named, more = self._nearest(row, given, of_table=names is self._model.experiment)
        others = [each for each in named if not each.is_one_of(given)] if not more else named
        if not others:
            return None
        sizes = " or ".join(dict.fromkeys("+".join(map(str, counts)) for counts in given))
        words = (f"{each.sentence.place or 'the text'} says {each.sentence.text!r}" for each in others)
        told = " and ".join(list(dict.fromkeys(words))[:_MOST_TOLD]) + more
        condition = f"the cases are {sizes}, although {told}" if len(others) == len(named) else ""
        return Doubt(f"audited with {sizes} cases, but {told}", condition)

    def _nearest(self, row: Report, given: Sequence[_Counts], *, of_table: bool) -> tuple[list[_Named], str]:
        """The sizes that the words nearest to a row name; or those given to it that are of other data, as they say."""
        named = self._headers.get(row.group, []) + self._headers.get(row.label, []) or self._caption
        data = self._data.get(row.group) or self._data.get(row.label)
        if named or not data:
            return named or self._text, ""
        own = [each for each in self._text if names_data(data, [each.sentence.text])]
        others = [each for each in self._text if each.is_one_of(given)] if of_table and not own else []
        return (others, f", not of {data!r}") if others else (own, "")


def with_doubt(task: Task, doubt: Doubt | None) -> Task:
    """What is asked about a row with what speaks against its sizes: a condition, or words beside an accusation."""
    if doubt is None or not task.posed:
        return task
    if not doubt.condition:
        return replace(task, other_sizes=doubt.words)
    return replace(task, posed=tuple(each._replace(assumed=each.assumed or doubt.condition) for each in task.posed))


def _sizes_given(paper: PaperModel, names: Sequence[str]) -> list[_Counts]:
    """The sizes that somebody gave a row; none where they are assumed, or where one of them is not known."""
    models = [paper.experiments[name] for name in names if name != UNTESTED]
    if all(model.assumed for model in models):
        return []
    sizes = [_of_tree(model.tree) for model in models if model.tree is not None]
    sizes += [_of_dataset(paper.datasets[own]) for model in models for own in model.dataset or ()]
    return [size for size in sizes if size is not None] if None not in sizes else []


def _of_tree(tree: Mapping[str, Any]) -> _Counts | None:
    counts: Any = tree.get("counts", [tree.get("p"), tree.get("n")])
    known = isinstance(counts, list) and all(type(count) is int for count in counts)
    return tuple(counts) if counts and known else None


def _of_dataset(dataset: DatasetModel) -> _Counts | None:
    if dataset.classes is not None:
        return tuple(dataset.classes.values())
    if dataset.sets is not None:
        return sum(p for p, _ in dataset.sets), sum(n for _, n in dataset.sets)
    if dataset.total is not None:
        return (dataset.total,)
    return (dataset.p, dataset.n) if isinstance(dataset.p, int) and isinstance(dataset.n, int) else None


def _tested(stated: Iterable[Sentence], *, of_table: bool = False) -> Iterator[_Named]:
    """The sizes of test sets that sentences name; of all cases where they name none."""
    told = suggestions(fact for sentence in stated for fact in facts(sentence, of_table=of_table))
    for suggestion in [each for each in told if each.part is Portion.TEST] or told:
        counts = tuple(count for _, count in suggestion.classes)
        yield _Named(counts or (suggestion.total or 0,), suggestion.sentences[0])


def _is_of_text(told: ExtractedModel) -> bool:
    """Whether a proposal rests, or might, on a sentence that is not of one table."""
    return not told.used.startswith("not used") and not told.place.startswith(("the caption of", "a header of"))
