"""Drafting a specification from the tables of a paper; ``draft.yaml.j2`` is how the draft looks.

What the tables say is written down (columns, units, rows, counts, folds); what only a reader of the paper can know is
marked FILL IN, and an audit refuses to start while a mark is left. Each table or part of other data wants a data set
and an experiment of its own; tables share one only where their captions speak of the same data and the text does not
name several sizes.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined

from scoreproof.documents.read import read_paper
from scoreproof.errors import UnreadableInput
from scoreproof.papers.collecting import table_name, title_of
from scoreproof.papers.named_data import data_named, data_of_parts, names_data
from scoreproof.papers.proposals import recognised, sentences_of
from scoreproof.papers.specification.load import FILL_IN
from scoreproof.papers.table_semantics import Interpretation, Report, RowKind, Scale, interpret
from scoreproof.papers.text_facts import facts
from scoreproof.papers.text_facts.facts import CaseCount, Fact, Folds, Portion, Sentence, Split
from scoreproof.papers.text_facts.sizes import Suggestion, suggestions
from scoreproof.quantities import quantity

_MOST_ROWS = 60
_SIMPLE = re.compile(r"(?!(?:true|false|yes|no|null|on|off|y|n)$)[A-Za-z][A-Za-z0-9_]*", re.I)
_CAPITALS = re.compile(r"\b[A-Z][A-Z0-9_-]+\b")  # "drive" is a verb, DRIVE a name
_TESTED = (RowKind.RESULT, RowKind.FOLD, RowKind.MEAN, RowKind.OVERALL)


@dataclass(slots=True)
class Need:
    """A data set and an experiment that a table, or a part of it, needs; tables of the same data share it."""

    name: str
    why: str
    folds: int | None
    spread: bool
    told: Sequence[Suggestion]  # the sizes that are offered
    catalog: str = ""
    known: dict[str, None] = field(default_factory=dict)  # names of the catalogue that are offered


_Needs = dict[Hashable, Need]
_Sizes = Sequence[Suggestion]


class DraftedTable:
    """What is written of a table; its needs are added to those of the tables before it."""

    def __init__(self, needs: _Needs, meaning: Interpretation, index: int, own: _Sizes, told: _Sizes) -> None:
        self.meaning, self.index, self.name = meaning, index, table_name(meaning.table, index)
        self.percent = {column.scale for column in meaning.score_columns} == {Scale.PERCENT}
        self._needs, self._told = needs, own or told
        spread = any(value.cell.spread for report in meaning.reports for value in report.values)
        self._design = max((block.k for block in meaning.folds), default=None), spread
        tested = {_size(each) for each in told if each.part is Portion.TEST} or set(map(_size, told))
        self._unclear = not own and len(tested) > 1  # the text does not say which table has which size
        self._of = data_named(meaning.table.caption), tuple(map(_size, own))
        self.needs_none = _needs_none(meaning, [report for report in meaning.reports if report.kind in _TESTED])
        self.experiment, self.groups, self.rows = "", dict[str, str](), dict[str, str]()

    def fill(self, mentioned: tuple[str, ...]) -> None:
        """Name what the table, its groups of columns or its rows were evaluated on, if that is to be said."""
        if self.needs_none:
            return
        groups = _different(row.group for row in self.meaning.reports)
        labels = _different(row.label for row in self.meaning.reports if row.kind in _TESTED)
        of, every = self._of_data(groups), groups or labels
        if not (every and of.keys() >= {*every}):
            self.experiment = self._of_table(mentioned)
        experiments = {
            data: self._of_part(data, "columns" if groups else "rows") for data in dict.fromkeys(of.values())
        }
        if groups:
            self.groups = {group: experiments[of[group]] for group in groups if group in of}
        elif of or (self.experiment and len(labels) <= _MOST_ROWS):
            self.rows = {label: experiments[of[label]] if label in of else self.experiment for label in labels}

    def _of_data(self, groups: Sequence[str]) -> Mapping[str, str]:
        """The groups of columns, or else the rows, that are of data of their own, with these."""
        parts = data_of_parts(self.meaning, [sentence.text for each in self._told for sentence in each.sentences])
        if groups:
            return parts.get("groups") or {group: group for group in groups if recognised(group)}
        rows = parts.get("rows", {})
        return rows if len({*rows.values()}) <= _MOST_ROWS else {}

    def _of_table(self, mentioned: tuple[str, ...]) -> str:
        need = self._need("main", "", (self._of, self if self._unclear else None), self._told)
        need.why = f"{need.why}, {self.name}" if need.why else f"what was evaluated in {self.name}"
        need.known |= dict.fromkeys((recognised(self.meaning.table.caption) or mentioned)[:3])
        return need.name

    def _of_part(self, data: str, what: str) -> str:
        why, known = f"the {what} {data}", recognised(data)
        if known:
            return self._need(known[0], why, None, (), known[0]).name
        told = [each for each in self._told if names_data(data, [sentence.text for sentence in each.sentences])]
        return self._need(data, f"{why} of {self.name}", self._of, told).name

    def _need(self, wanted: str, why: str, of: Hashable, told: _Sizes, catalog: str = "") -> Need:
        key = wanted, catalog or (of, self._design)
        if key not in self._needs:
            taken, (folds, spread) = {need.name for need in self._needs.values()}, self._design
            names = (wanted, *(f"{wanted}{number}" for number in range(2, len(taken) + 2)))
            name = next(name for name in names if name not in taken)
            self._needs[key] = Need(name, why, folds, spread and not catalog, told, catalog)
        return self._needs[key]


def _different(texts: Iterable[str]) -> list[str]:
    return list(filter(None, dict.fromkeys(texts)))


def _size(suggestion: Suggestion) -> tuple[int, ...]:
    return tuple(sorted(count for _, count in suggestion.classes)) or (suggestion.total or 0,)


def _needs_none(meaning: Interpretation, tested: Sequence[Report]) -> str:
    """Why a table needs no experiment, as the template knows it; nothing if it does."""
    if not tested and any(report.kind is RowKind.CLASS for report in meaning.reports):
        return "classes"
    counted = [row.counts.test_set() is not None for row in tested if row.kind is not RowKind.MEAN]
    if counted and all(counted):
        return "counts"
    errors = all(quantity(column.heading.score).kind == "regression" for column in meaning.score_columns)
    return "errors" if errors else ""


@dataclass(frozen=True, slots=True)
class Draft:
    """A drafted specification, and how much of it is for a person to fill in."""

    text: str
    tables: int
    marks: int
    problems: tuple[str, ...] = ()

    def __str__(self) -> str:
        tables = f"{self.tables} table{'s' * (self.tables != 1)}"
        return f"{tables} drafted, {self.marks} place{'s' * (self.marks != 1)} to fill in"


def draft(paper: str | Path, *, kind: str | None = None, beside: str | Path | None = None) -> Draft:
    """The draft of a specification for a paper; file names are written relative to ``beside``."""
    path = Path(paper)
    read = read_paper(path, kind=kind)
    meanings = [interpret(table) for table in read.tables]
    useful = {index: each for index, each in enumerate(meanings) if each.score_columns and each.reports}
    if not useful:
        raise UnreadableInput(
            f"{path}: {len(meanings)} table{'s' * (len(meanings) != 1)} found, but no column is named like a score; "
            "'scoreproof tables' shows what was read, and with --column HEADING=SCORE what it would be"
        )
    captions, text = sentences_of(read.paragraphs, [table.caption for table in read.tables])
    known = [fact for sentence in text for fact in facts(sentence)]
    needs: _Needs = {}
    tables = list(_tables(needs, useful, captions, known))
    mentioned = recognised(" ".join(word for sentence in text for word in _CAPITALS.findall(sentence.text)))
    for table in tables:
        table.fill(mentioned)
    counts = (fact for fact in reversed(known) if isinstance(fact, CaseCount))
    counted = {fact.sentence: str(fact) for fact in counts}  # the first of a sentence
    shown = _template().render(
        file=path.name,
        path=os.path.relpath(path, beside if beside is not None else path.parent),
        title=title_of(path),
        kind=kind,
        needs=list(needs.values()),
        count=len(meanings),
        tables=tables,
        left=[str(table) for index, table in enumerate(read.tables) if index not in useful],
        counted=list(reversed(counted.items())),
    )
    marks = sum(FILL_IN in line.split("#")[0] for line in shown.split("\n"))
    return Draft(shown, len(useful), marks, read.tables.problems)


def _tables(
    needs: _Needs, useful: Mapping[int, Interpretation], captions: list[list[Sentence]], known: Sequence[Fact]
) -> Iterator[DraftedTable]:
    designs, every = [fact for fact in known if isinstance(fact, Folds | Split)], suggestions(known)
    for index, meaning in useful.items():
        own = [fact for sentence in captions[index] for fact in facts(sentence, of_table=True)]
        yield DraftedTable(needs, meaning, index, suggestions([*own, *designs]), every)


def _template() -> Any:
    environment = Environment(
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True, undefined=StrictUndefined
    )
    environment.filters |= {"quoted": _quoted, "comment": _comment}
    environment.globals["mark"] = FILL_IN
    text = resources.files("scoreproof.papers") / "draft.yaml.j2"
    return environment.from_string(text.read_text(encoding="utf-8"))


def _quoted(text: str) -> str:
    """A text as YAML: bare where that is safe, in double quotes otherwise."""
    if _SIMPLE.fullmatch(text):
        return text
    return (
        json.dumps(text, ensure_ascii=False).replace("\x7f", "\\x7f").replace("\u2028", "\\L").replace("\u2029", "\\P")
    )


def _comment(text: str) -> str:
    """A text on one line, fit for a comment."""
    shown = "".join(char if char.isprintable() else " " for char in " ".join(text.split()))
    return shown if len(shown) <= 110 else f"{shown[:107]}..."
