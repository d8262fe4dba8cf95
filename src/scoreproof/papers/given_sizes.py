"""What speaks against sizes that somebody gave: the words of a table or of the text propose others for a row.

Whoever gives sizes may have had another table in mind. If the words nearest to a row (its header, else the caption,
else the text) name sizes and none of these is the one it is audited with, the row is impossible only under that
condition; if they name others beside it, these are told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from scoreproof.papers.proposals import of_parts, proposals, resting_on
from scoreproof.papers.specification.model import UNTESTED, PaperModel, TableModel
from scoreproof.papers.table_semantics import Interpretation, Report
from scoreproof.papers.task import Task

_Counts = tuple[int, ...]  # of each class, or of all cases
_MOST_TOLD = 2  # sentences


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
    """The sizes that words name for the rows of one table; none where somebody gave no sizes at all."""

    def __init__(
        self,
        meaning: Interpretation,
        paper: PaperModel,
        model: TableModel,
        names: Callable[[Report], Sequence[str]],  # the experiments a row is given
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
