"""Sizes that a header, a caption or a sentence names, where a table is audited with others.

Whoever gives sizes may have had another table in mind. Of the words about a row those nearest to it count: its header,
else the caption of its table, else the sentences of the text. If they name sizes and none of these is the one it is
audited with, the row is impossible only under that condition; if they name others beside it, these are told.

Sizes that stand in the headers of a table itself: "External (n = 250, 50 positive)" over columns or before a row.

They are proposals like those of sentences: assumed, shown with their header, and beside the one test set of which
nothing is known. "Random forest (n = 100)" has a hundred trees: a number of cases needs a word for data beside it, or
a class that is counted, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from scoreproof.papers.proposals import OPEN, Proposals
from scoreproof.papers.row_data import OF_DATA, data_of_parts, names_data, of_caption
from scoreproof.papers.specification.model import UNTESTED, DatasetModel, ExtractedModel, PaperModel, TableModel
from scoreproof.papers.table_semantics import Interpretation, Report, RowKind
from scoreproof.papers.table_semantics.words import Patterns, loaded
from scoreproof.papers.task import Task
from scoreproof.papers.text_facts import facts
from scoreproof.papers.text_facts.facts import Portion, Sentence, sentences
from scoreproof.papers.text_facts.sizes import suggestions

_SAYS = Patterns(loaded("scoreproof.papers", "patterns.toml")["other_sizes"])
_FEWEST = 20  # cases; fewer may be runs, folds or readers
_MOST_HEADERS = 40


def sized_headers(made: Proposals, found: Interpretation, number: int, names: list[str]) -> dict[str, Any]:
    """What a specification says of groups of columns and of rows that have sizes in their headers."""
    if names[-1:] != [OPEN]:  # means over runs, of which a number of cases says nothing
        return {}
    known = dict(sizes_in_headers(found))
    stated: dict[str, dict[str, list[str]]] = {}
    for (key, text), (total, part, of) in list(known.items())[:_MOST_HEADERS]:
        said = f"{total:,} cases" + (f", {part:,} {of}" if part else "")
        dataset: dict[str, Any] = {"total": total}
        if of == "positive":
            dataset = {"p": part, "n": total - part}
        elif part:
            dataset = {"classes": {of: part, f"not {of}": total - part}, "positive": "unknown"}
        name = made.add(f"{said} of {text}", dataset, f"those of {text!r} are {said}")
        told = {"what": said, "sentence": text, "place": f"a header of table {number}", "used": name}
        made.extracted += [told] if told not in made.extracted else []
        stated.setdefault(key, {})[text] = [name, OPEN]
    return stated


def sizes_in_headers(found: Interpretation) -> Iterator[tuple[tuple[str, str], tuple[int, int, str]]]:
    """Headers of groups and of rows, with their number of cases and perhaps a class of them."""
    results = [one for one in found.reports if one.kind is RowKind.RESULT and not one.counts]
    texts = [("groups", one.group) for one in results] + [("rows", one.label) for one in results if not one.group]
    heads = " ".join(column.heading.text for column in found.label_columns)
    for key, text in dict.fromkeys(texts):
        said = _SAYS["size"].search(text)
        total = int(said["total"].replace(",", "")) if said else 0
        part = int(said["part"].replace(",", "")) if said and said["part"] else 0
        of_data = bool(part) or OF_DATA.search(text if key == "groups" else f"{heads} {text}") is not None
        if said and of_data and total >= _FEWEST and part < total:
            of = (said["class"] or "").rstrip(".")
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
        found: Interpretation,
        paper: PaperModel,
        model: TableModel,
        names: Callable[[Report], Sequence[str]],  # the experiments a row is given
    ) -> None:
        self._paper, self._model, self._names = paper, model, names
        caption = found.table.caption
        sized = any("=" in one.group or "=" in one.label for one in found.reports)
        given = not all(experiment.assumed for experiment in paper.experiments.values())
        self._any = given and model.untested is None and bool(caption or sized or paper.extracted)
        if not self._any:
            return
        self._headers = {
            text: [_Named((part, total - part) if part else (total,), Sentence(text, "its header"))]
            for (_, text), (total, part, _) in sizes_in_headers(found)
        }
        self._caption = list(_tested(sentences(caption, "the caption"), of_table=True))
        said = [Sentence(told.sentence, told.place) for told in paper.extracted if _is_of_text(told)]
        texts = [sentence.text for sentence in said]
        here = set(of_caption(caption, texts, {text: [text] for text in texts}))
        self._text = list(_tested(sentence for sentence in said if sentence.text in here))
        parts = data_of_parts(found, texts) if self._text else {}
        self._data = {label: data for part in parts.values() for label, data in part.items()}

    def others(self, reports: Iterable[Report]) -> tuple[str, ...]:
        """What names other sizes than rows are given, each once."""
        doubts = [self.doubt(one) for one in reports] if self._any else []
        return tuple(dict.fromkeys(doubt.words for doubt in doubts if doubt is not None))

    def doubt(self, one: Report) -> Doubt | None:
        """What speaks against the sizes of the experiments that a row is given."""
        names = self._names(one) if self._any and not one.counts else ()
        given = _sizes_given(self._paper, names)
        if not given:
            return None
        named, more = self._nearest(one, given, of_table=names is self._model.experiment)
        others = [each for each in named if not each.is_one_of(given)] if not more else named
        if not others:
            return None
        sizes = " or ".join(dict.fromkeys("+".join(map(str, counts)) for counts in given))
        words = (f"{each.sentence.place or 'the text'} says {each.sentence.text!r}" for each in others)
        told = " and ".join(list(dict.fromkeys(words))[:_MOST_TOLD]) + more
        condition = f"the cases are {sizes}, although {told}" if len(others) == len(named) else ""
        return Doubt(f"audited with {sizes} cases, but {told}", condition)

    def _nearest(self, one: Report, given: Sequence[_Counts], *, of_table: bool) -> tuple[list[_Named], str]:
        """The sizes that the words nearest to a row name; or those given to it that are of other data, as they say."""
        named = self._headers.get(one.group, []) + self._headers.get(one.label, []) or self._caption
        data = self._data.get(one.group) or self._data.get(one.label)
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


def _tested(said: Iterable[Sentence], *, of_table: bool = False) -> Iterator[_Named]:
    """The sizes of test sets that sentences name; of all cases where they name none."""
    told = suggestions(fact for sentence in said for fact in facts(sentence, of_table=of_table))
    for suggestion in [each for each in told if each.part is Portion.TEST] or told:
        counts = tuple(count for _, count in suggestion.classes)
        yield _Named(counts or (suggestion.total or 0,), suggestion.sentences[0])


def _is_of_text(told: ExtractedModel) -> bool:
    """Whether a proposal rests, or might, on a sentence that is not of one table."""
    return not told.used.startswith("not used") and not told.place.startswith(("the caption of", "a header of"))
