"""Drafting a specification from the tables of a paper.

What the tables say is written down (columns, units, rows, counts, folds); what only a person who reads the paper can
know is marked FILL IN, and an audit refuses to start while a mark is left. Nothing is guessed in silence: catalogue
names found in the text are offered as comments. Each table of other data, and such a part of a table, wants a data set
and an experiment of its own; tables share one only where their captions speak of the same data and the text does not
name several sizes. ``draft.yaml.j2`` is how the draft looks.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined

from scoreproof.documents.read import read_paper
from scoreproof.errors import UnreadableInput
from scoreproof.papers.collecting import table_name, text_of_file, title_in
from scoreproof.papers.named_data import data_named, data_of_parts, names_data
from scoreproof.papers.proposals import recognised, sentences_of
from scoreproof.papers.specification.load import FILL_IN
from scoreproof.papers.table_semantics import Interpretation, Report, Role, RowKind, Scale, interpret
from scoreproof.papers.text_facts import facts
from scoreproof.papers.text_facts.facts import CaseCount, Fact, Folds, Portion, Sentence, Split
from scoreproof.papers.text_facts.sizes import Suggestion, suggestions
from scoreproof.quantities import quantity

_MOST_ROWS = 60
_OF_ERRORS = (
    "errors of predicted numbers; without an experiment what holds for means over folds is tested",
    "of one evaluation say under experiments  errors: {tree: {type: regression, n: 100}}  and here",
    "experiment: errors",
)
_SIMPLE = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_RESERVED = {"true", "false", "yes", "no", "null", "on", "off", "y", "n"}
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

    @property
    def offered(self) -> Iterable[str]:
        """What the text says of the counts, for a person to accept."""
        return dict.fromkeys(map(_offered, self.told))

    @property
    def folds_said(self) -> str:
        """How many folds there may be."""
        told = next((suggestion for suggestion in self.told if suggestion.folds is not None), None)
        return "5" if told is None else f"{told.folds}  # the text says {told.sentences[-1].text!r}"


def _offered(suggestion: Suggestion) -> str:
    counts = f"total: {suggestion.total} instead of p and n"
    if suggestion.classes:
        counts = f"classes: {{{', '.join(f'{name}: {count}' for name, count in suggestion.classes)}}}"
    if len(suggestion.classes) == 2:
        (first, cases), (_, other) = suggestion.classes
        counts = f"p: {cases}, n: {other} (if {first} is the positive class)"
    sentence = suggestion.sentences[0]
    return f"{counts}: the text says {sentence.text!r}{f' in {sentence.place}' if sentence.place else ''}"


class DraftedData:
    """The data sets and experiments of one table, or of parts of it: shared only with tables of the same data."""

    def __init__(
        self,
        needs: dict[Hashable, Need],
        meaning: Interpretation,
        name: str,
        own: Sequence[Suggestion],
        told: Sequence[Suggestion],
        words: str,
    ) -> None:
        self._needs, self._words, self._name, self._caption = needs, words, name, meaning.table.caption
        self._folds = max((block.k for block in meaning.folds), default=None)
        self._spread = any(value.cell.spread for report in meaning.reports for value in report.values)
        self._told = own or told
        tested = {_size(each) for each in told if each.part is Portion.TEST} or set(map(_size, told))
        self._unclear = not own and len(tested) > 1  # the text does not say which table has which size
        self._of = data_named(self._caption), tuple(map(_size, own))

    def of_parts(self, meaning: Interpretation, tested: Sequence[Report]) -> dict[str, Any]:
        """The names of what the table was evaluated on, and its groups of columns and its rows."""
        groups, labels = _different(row.group for row in meaning.reports), _different(row.label for row in tested)
        of = self._of_data(meaning, groups)
        every = groups or labels
        whole = "" if every and of.keys() >= {*every} else self.of_table()
        what = "columns" if groups else "rows"
        named = {data: self.of_part(data, f"the {what} {data}") for data in dict.fromkeys(of.values())}
        listed = not groups and (of or (whole and len(labels) <= _MOST_ROWS))
        return {
            "experiment": whole,
            "groups": {group: named[of[group]] for group in groups if group in of},
            "rows": {label: named[of[label]] if label in of else whole for label in labels if listed},
            "many": 0 if listed or len(labels) <= _MOST_ROWS else len(labels),
        }

    def _of_data(self, meaning: Interpretation, groups: Sequence[str]) -> Mapping[str, str]:
        """The groups of columns, or else the rows, that are of data of their own, with these."""
        parts = data_of_parts(meaning, [sentence.text for each in self._told for sentence in each.sentences])
        if groups:
            return parts.get("groups") or {group: group for group in groups if recognised(group)}
        rows = parts.get("rows", {})
        return rows if len({*rows.values()}) <= _MOST_ROWS else {}

    def of_table(self) -> str:
        """The name of what the whole table was evaluated on."""
        need = self._need("main", "", (self._of, self if self._unclear else None), self._told)
        need.why = f"{need.why}, {self._name}" if need.why else f"what was evaluated in {self._name}"
        need.known |= dict.fromkeys((recognised(self._caption) or recognised(self._words))[:3])
        return need.name

    def of_part(self, data: str, why: str) -> str:
        """The name of what rows or columns were evaluated on that have their own data."""
        known = recognised(data)
        if known:
            return self._need(known[0], why, None, (), known[0]).name
        told = [each for each in self._told if names_data(data, [sentence.text for sentence in each.sentences])]
        return self._need(data, f"{why} of {self._name}", self._of, told).name

    def _need(self, wanted: str, why: str, of: Hashable, told: Sequence[Suggestion], catalog: str = "") -> Need:
        key = wanted, catalog or (of, self._folds, self._spread)
        if key not in self._needs:
            taken = {need.name for need in self._needs.values()}
            names = (wanted, *(f"{wanted}{number}" for number in range(2, len(taken) + 2)))
            name = next(name for name in names if name not in taken)
            self._needs[key] = Need(name, why, self._folds, self._spread and not catalog, told, catalog)
        return self._needs[key]


def _different(texts: Iterable[str]) -> list[str]:
    return list(filter(None, dict.fromkeys(texts)))


def _size(suggestion: Suggestion) -> tuple[int, ...]:
    return tuple(sorted(count for _, count in suggestion.classes)) or (suggestion.total or 0,)


@dataclass(frozen=True, slots=True)
class Draft:
    """A drafted specification: its text, and how much of it is for a person to fill in."""

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
    useful = [(index, meaning) for index, meaning in enumerate(meanings) if meaning.score_columns and meaning.reports]
    if not useful:
        raise UnreadableInput(
            f"{path}: {len(meanings)} table{'s' * (len(meanings) != 1)} found, but no column is named like a score; "
            "'scoreproof tables' shows what was read, and with --column HEADING=SCORE what it would be"
        )
    words = text_of_file(path)
    captions, text = sentences_of(read.paragraphs, [table.caption for table in read.tables])
    known = [fact for sentence in text for fact in facts(sentence)]
    tables, needs = _tables(useful, captions, known, words)
    drafted = {index for index, _ in useful}
    counts = (fact for fact in reversed(known) if isinstance(fact, CaseCount))
    counted = {fact.sentence: str(fact) for fact in counts}  # the first of a sentence
    shown = _template().render(
        file=path.name,
        path=os.path.relpath(path, beside if beside is not None else path.parent),
        title=title_in(words) or path.stem,
        kind=kind,
        needs=needs,
        count=len(meanings),
        tables=tables,
        left=[str(table) for index, table in enumerate(read.tables) if index not in drafted],
        counted=list(reversed(counted.items())),
    )
    marks = sum(FILL_IN in line.split("#")[0] for line in shown.split("\n"))
    return Draft(shown, len(useful), marks, read.tables.problems)


def _tables(
    useful: Sequence[tuple[int, Interpretation]],
    captions: Sequence[Sequence[Sentence]],
    known: Sequence[Fact],
    words: str,
) -> tuple[list[Mapping[str, Any]], list[Need]]:
    """What is written of tables, and the data sets and experiments that they need."""
    designs = [fact for fact in known if isinstance(fact, Folds | Split)]
    needs: dict[Hashable, Need] = {}
    tables = []
    for index, meaning in useful:
        own = [fact for sentence in captions[index] for fact in facts(sentence, of_table=True)]
        told = suggestions([*own, *designs]), suggestions(known)
        data = DraftedData(needs, meaning, table_name(meaning.table, index), *told, words)
        tables.append(_table(meaning, index, data))
    return tables, list(needs.values())


def _template() -> Any:
    environment = Environment(
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True, undefined=StrictUndefined
    )
    environment.filters |= {"quoted": _quoted, "comment": _comment}
    environment.globals["mark"] = FILL_IN
    text = resources.files("scoreproof.papers") / "draft.yaml.j2"
    return environment.from_string(text.read_text(encoding="utf-8"))


def _table(meaning: Interpretation, index: int, data: DraftedData) -> Mapping[str, Any]:
    """What is written of a table."""
    tested = [report for report in meaning.reports if report.kind in _TESTED]
    why = _needs_none(meaning, tested)
    parts = {"experiment": "", "groups": {}, "rows": {}, "many": 0} if why else data.of_parts(meaning, tested)
    percent = {column.scale for column in meaning.score_columns} == {Scale.PERCENT}
    known = {"name": table_name(meaning.table, index), "index": index, "meaning": meaning, "needs_none": why}
    return {**known, "columns": _columns(meaning), "percent": percent, **parts}


def _columns(meaning: Interpretation) -> list[tuple[str, str, str]]:
    """The headers of columns, with what they hold and a note."""
    columns: dict[str, tuple[str, str, str]] = {}
    for column in meaning.columns:
        heading = column.heading
        if not heading.text or heading.role is Role.LABEL:
            continue
        name, note = f"{heading.qualifier} {heading.score}".strip(), f"{column.scale} ({column.why})"
        if heading.role in (Role.COUNT, Role.OTHER):
            name, note = (str(heading.count), "") if heading.role is Role.COUNT else ("ignore", heading.note)
        elif heading.qualifier:
            note += f"; {heading.qualifier} averages are not tested"
        columns.setdefault(heading.text, (heading.text, name, note))
    return list(columns.values())


def _needs_none(meaning: Interpretation, tested: Sequence[Report]) -> tuple[str, ...]:
    """Why a table needs no experiment; nothing if it does."""
    if not tested and any(report.kind is RowKind.CLASS for report in meaning.reports):
        return ("a class report: its classes are compared with its averages",)
    averages = {
        (block.mean.row, block.mean.group)
        for block in meaning.folds
        if block.mean is not None and all(fold.counts.test_set() is not None for fold in block.folds)
    }
    counted = [row.counts.test_set() is not None or (row.row, row.group) in averages for row in tested]
    if counted and all(counted):
        return ("the counts of each row stand in the table",)
    if all(quantity(column.heading.score).kind == "regression" for column in meaning.score_columns):
        return _OF_ERRORS
    return ()


def _quoted(text: str) -> str:
    """A text as YAML: bare where that is safe, in double quotes otherwise."""
    if _SIMPLE.fullmatch(text) and text.lower() not in _RESERVED:
        return text
    return (
        json.dumps(text, ensure_ascii=False).replace("\x7f", "\\x7f").replace("\u2028", "\\L").replace("\u2029", "\\P")
    )


def _comment(text: str) -> str:
    """A text on one line, fit for a comment."""
    shown = "".join(char if char.isprintable() else " " for char in " ".join(text.split()))
    return shown if len(shown) <= 110 else f"{shown[:107]}..."
