"""What words name of the data behind a row: which data a size is of, and sizes in headers, captions and sentences.

"The ISIC test set has 600 images" says nothing of the row PH2: where rows or groups of columns are of different data, a
size is tried with those that its sentence names. A number in a header counts beside a word for data, or a class, for
"random forest (n = 100)" has a hundred trees. If the words nearest to a row (its header, else the caption, else the
text) name sizes and none of these is the one it is given, the row is impossible only under that condition.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, NamedTuple

from scoreproof.papers.proposals import OPEN, Proposals, proposals, resting_on, unsized
from scoreproof.papers.specification.model import UNTESTED, PaperModel, TableModel
from scoreproof.papers.table_semantics import Interpretation, Report, RowKind
from scoreproof.papers.table_semantics.columns import MAY_BE_RUNS
from scoreproof.papers.table_semantics.words import Patterns, loaded
from scoreproof.papers.task import Task

_SAYS = Patterns(loaded("scoreproof.papers", "patterns.toml")["named_data"])
_LONGEST = 2_000  # characters of a caption that are looked at
_MOST_DATA = 300  # data sets of a table
_MOST_HEADERS = 40  # with sizes in them
_FEWEST = 20  # cases; fewer may be runs, folds or readers
_MOST_TOLD = 2  # sentences
_Counts = tuple[int, ...]  # of each class, or of all cases


def data_of_parts(meaning: Interpretation, told: Sequence[str]) -> dict[str, dict[str, str]]:
    """For a table of different data: its groups of columns, or its rows, with what names their data.

    ``told`` are sentences of sizes, which may name some of the data.
    """
    groups = {row.group: row.group for row in meaning.reports if row.kind is RowKind.RESULT and row.group}
    if len(groups) > 1:
        return {"groups": groups} if _different(groups, told, "") else {}
    rows = [row for row in meaning.rows if row.kind is RowKind.RESULT and row.label]
    heads = [column.heading.text.strip() for column in meaning.label_columns]
    axes = [(head, [row.labels[place] for row in rows if place < len(row.labels)]) for place, head in enumerate(heads)]
    for head, names in (*axes, ("", [row.section for row in rows if row.section])):
        if len(names) == len(rows) and _different(names, told, head):
            labels = {row.label: name for row, name in zip(rows, names, strict=True)}
            return {"rows": labels} if len(set(labels.values())) > 1 else {}
    return {}


def _different(parts: Iterable[str], told: Sequence[str], head: str) -> bool:
    """Whether texts are of different data: by their header, else by most of them, or since sentences name some."""
    kinds = set(parts)
    if not 2 <= len(kinds) <= _MOST_DATA:
        return False
    if head:
        return _SAYS["of_data"].search(head) is not None and not _SAYS["same_data"].search(head)
    if 2 * sum(_SAYS["of_data"].search(part) is not None for part in kinds) > len(kinds):
        return True
    names = [_SAYS["sizes"].sub("", part).strip() for part in kinds]  # as they are written: "Model" is not "the model"
    return any(name and re.search(rf"\b{re.escape(name)}\b", " ".join(told)) for name in names)


def data_named(caption: str) -> frozenset[str]:
    """The data that a caption speaks of: names after "on" or "for", and words such as "external" and "women".

    >>> sorted(data_named("Results on PH2, external validation."))
    ['PH2', 'external', 'validation']
    """
    names = {match["name"] for match in _SAYS["on"].finditer(caption[:_LONGEST])}
    return frozenset(names | {match[0].lower() for match in _SAYS["of_data"].finditer(caption[:_LONGEST])})


def _of_caption(caption: str, names: Sequence[str], sentences: Mapping[str, Sequence[str]]) -> list[str]:
    """The experiments of a table whose caption names its data: not those of sentences that name other data only.

    >>> told = {"600 images": ["The ISIC test set has 600 images."], "90 images": ["The test set has 90 images."]}
    >>> _of_caption("Results on PH2.", [*told, "one test set"], told)
    ['90 images', 'one test set']
    """
    data = {match["name"] for match in _SAYS["on"].finditer(caption[:_LONGEST])}
    kept = []
    for name in names:
        told = sentences.get(name, ())
        of_others = bool(data and told) and all(_SAYS["of_named"].search(text) for text in told)
        kept += [name] if not of_others or any(names_data(own, told) for own in data) else []
    return kept


def names_data(data: str, told: Iterable[str]) -> bool:
    """Whether a text names some data: by all words of its label, brackets left out."""
    words = re.findall(r"[\w-]+", _SAYS["sizes"].sub("", data).lower())
    texts = (set(re.findall(r"[\w-]+", text.lower())) for text in told)
    return bool(words) and any(set(words) <= text for text in texts)


def _sizes_in_headers(meaning: Interpretation) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    """Headers of groups and of rows, with the sizes they give in words and as a data set."""
    results = [row for row in meaning.reports if row.kind is RowKind.RESULT and not row.counts]
    texts = [("groups", row.group) for row in results] + [("rows", row.label) for row in results if not row.group]
    heads = " ".join(column.heading.text for column in meaning.label_columns)
    for key, text in dict.fromkeys(texts):
        stated = _SAYS["size"].search(text)
        total, part = (int((stated[name] or "0").replace(",", "")) if stated else 0 for name in ("total", "part"))
        of_data = part > 0 or _SAYS["of_data"].search(text if key == "groups" else f"{heads} {text}") is not None
        if stated and of_data and total >= _FEWEST and part < total:
            yield key, text, *_sizes_told(total, part, (stated["class"] or "").rstrip("."))


def _sizes_told(total: int, part: int, name: str) -> tuple[str, dict[str, Any]]:
    if not part:
        return f"{total:,} cases", {"total": total}
    if name.startswith("pos"):
        return f"{total:,} cases, {part:,} positive", {"p": part, "n": total - part}
    classes = {name: part, f"not {name}": total - part}
    return f"{total:,} cases, {part:,} {name}", {"classes": classes, "positive": "unknown"}


def of_parts(made: Proposals, meaning: Interpretation, number: int, names: list[str]) -> dict[str, Any]:
    """The experiments of a table, and those of single rows and groups of columns where these are of different data."""
    if any(column.heading.note == MAY_BE_RUNS for column in meaning.columns):
        return {"experiment": [unsized(made, over_runs=True)]}
    resting = {name: [told["sentence"] for told in resting_on(made.extracted, name)] for name in names}
    every = list(dict.fromkeys(text for told in resting.values() for text in told))
    sources = {name: told or every for name, told in resting.items() if not name.startswith(OPEN)}
    names = _of_caption(meaning.table.caption, names, sources)
    unsaid = [name for name in names if name not in sources]
    parts = _of_data(meaning, names, sources) if unsaid else {}
    of_all = unsaid if parts else names
    if unsaid and not parts and (people := _of_people(meaning)):
        parts["rows"] = dict.fromkeys(people, unsaid)
    if names[-1:] == [OPEN]:  # not means over runs, of which a number of cases says nothing
        for key, text, sizes, dataset in islice(_sizes_in_headers(meaning), _MOST_HEADERS):
            name = made.add(f"{sizes} of {text}", dataset, f"those of {text!r} are {sizes}")
            place = f"a header of table {number}"
            made.extracted.append({"what": sizes, "sentence": text, "place": place, "used": name})
            parts.setdefault(key, {})[text] = [name, OPEN]
    return {"experiment": of_all, **parts}


def _of_people(meaning: Interpretation) -> list[str]:
    """Rows of several people ("Radiologists"): means over them, of which the size of a test set says nothing."""
    rows = (row.label for row in meaning.reports if row.kind is RowKind.RESULT)
    return [label for label in rows if _SAYS["people"].search(label)][:_MOST_DATA]


def _of_data(
    meaning: Interpretation, names: Sequence[str], sources: Mapping[str, Sequence[str]]
) -> dict[str, dict[str, list[str]]]:
    """For a table of different data: the experiments of each group of columns, or of each row."""
    told = [text for name in names for text in sources.get(name, ())]
    parts = data_of_parts(meaning, told) if told else {}
    every = {data for part in parts.values() for data in part.values()}
    own = {data: [name for name in names if name not in sources or names_data(data, sources[name])] for data in every}
    return {key: {label: own[data] for label, data in part.items()} for key, part in parts.items()}


class _Named(NamedTuple):
    counts: _Counts
    words: str

    def is_one_of(self, given: Iterable[_Counts]) -> bool:
        """Whether the counts are, as far as both say it, some that were given."""
        own = sorted(self.counts)
        return any(
            own == sorted(counts)
            if len(own) == len(counts)
            else sum(own) == sum(counts) or (len(own) == 1 and own[0] in counts)
            for counts in given
        )


class NamedSizes:
    """The sizes that words name for the rows of a table, which are given experiments; none where nobody gave sizes."""

    def __init__(
        self, meaning: Interpretation, paper: PaperModel, model: TableModel, names: Callable[[Report], Sequence[str]]
    ) -> None:
        self._paper, self._model, self._names = paper, model, names
        self._any = model.untested is None and not all(each.assumed for each in paper.experiments.values())
        if not self._any:
            return
        text = [  # which might be of this table
            (told.sentence, told.place)
            for told in paper.extracted
            if not told.used.startswith("not used") and not told.place.startswith(("the caption of", "a header of"))
        ]
        made = proposals(text, [meaning.table.caption])
        self._every = made.of_tables[0]
        self._parts = of_parts(made, meaning, 1, self._every)
        self._named: dict[str, _Named] = {}
        for name, dataset in made.datasets.items():
            counts, told = _counts(dataset), resting_on(made.extracted, name)
            if counts and told:
                place = told[0]["place"].removesuffix(" of table 1").replace("a header", "its header")
                self._named[name] = _Named(counts, f"{place or 'the text'} says {told[0]['sentence']!r}")

    def others(self, reports: Iterable[Report]) -> tuple[str, ...]:
        """What names other sizes than rows are given, each once."""
        return tuple(dict.fromkeys(filter(None, (self.doubt(row)[0] for row in reports)))) if self._any else ()

    def doubt(self, row: Report) -> tuple[str, str]:
        """What names other sizes than those a row is given, and a condition if nothing names these."""
        names = self._names(row) if self._any and not row.counts else ()
        given = _sizes_given(self._paper, names)
        if not given:
            return "", ""
        part = self._parts.get("rows", {}).get(row.label) or self._parts.get("groups", {}).get(row.group)
        named = self._sized(part or self._parts["experiment"])
        others, more = [each for each in named if not each.is_one_of(given)], ""
        if part and not named and names is self._model.experiment:  # sizes that are of other data, as words say
            named = others = [each for each in self._sized(self._every) if each.is_one_of(given)]
            more = f", not of {row.group or row.label!r}"
        if not others:
            return "", ""
        sizes = " or ".join(dict.fromkeys("+".join(map(str, counts)) for counts in given))
        told = " and ".join(list(dict.fromkeys(each.words for each in others))[:_MOST_TOLD]) + more
        condition = f"the cases are {sizes}, although {told}" if len(others) == len(named) else ""
        return f"audited with {sizes} cases, but {told}", condition

    def _sized(self, names: Iterable[str]) -> list[_Named]:
        return [self._named[name] for name in names if name in self._named]


def with_doubt(task: Task, doubt: tuple[str, str]) -> Task:
    """What is asked about a row with what speaks against its sizes: a condition, or words beside an accusation."""
    words, condition = doubt
    if not task.posed or not words:
        return task
    if not condition:
        return replace(task, other_sizes=words)
    return replace(task, posed=tuple(each._replace(assumed=each.assumed or condition) for each in task.posed))


def _sizes_given(paper: PaperModel, names: Sequence[str]) -> list[_Counts]:
    """The sizes that somebody gave a row; none where they are assumed, or where one of them is not known."""
    models = [paper.experiments[name] for name in names if name != UNTESTED]
    if all(model.assumed for model in models):
        return []
    given = [model.tree for model in models if model.tree is not None]
    given += [paper.datasets[own].model_dump() for model in models for own in model.dataset or ()]
    sizes = list(map(_counts, given))
    return [] if () in sizes else sizes


def _counts(given: Mapping[str, Any]) -> _Counts:
    """The counts of a data set or of an experiment written as a tree; none if they are not known."""
    if given.get("sets"):
        return sum(p for p, _ in given["sets"]), sum(n for _, n in given["sets"])
    named, total = given.get("classes"), given.get("total")
    counts = list(named.values()) if isinstance(named, Mapping) else given.get("counts")
    counts = counts or ([given.get("p"), given.get("n")] if total is None else [total])
    return tuple(counts) if isinstance(counts, list) and all(type(count) is int for count in counts) else ()
