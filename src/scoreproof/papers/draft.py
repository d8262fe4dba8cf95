"""Drafting a specification from the tables of a paper.

What the tables say is written down (columns, units, rows, counts, folds); what only a person who reads the paper can
know is marked FILL IN, and an audit refuses to start while a mark is left. Nothing is guessed in silence: catalogue
names found in the text are offered as comments. Each table of other data, and such a part of a table, wants a data set
and an experiment of its own; tables share one only where their captions speak of the same data and the text does not
name several sizes.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from scoreproof.documents.read import read_paper
from scoreproof.errors import UnreadableInput
from scoreproof.papers.collecting import table_name, text_of_file, title_in
from scoreproof.papers.named_data import data_named, data_of_parts, names_data, recognised
from scoreproof.papers.proposals import sentences_of
from scoreproof.papers.specification.load import FILL_IN
from scoreproof.papers.table_semantics import Interpretation, Report, Role, RowKind, Scale, interpret
from scoreproof.papers.text_facts import facts
from scoreproof.papers.text_facts.facts import CaseCount, ClassCounts, Fact, Folds, Portion, Split
from scoreproof.papers.text_facts.sizes import Suggestion, suggestions
from scoreproof.quantities import quantity


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

    @property
    def texts(self) -> list[str]:
        """The sentences of sizes."""
        return [sentence.text for suggestion in self._told for sentence in suggestion.sentences]

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


def _size(suggestion: Suggestion) -> tuple[int, ...]:
    return tuple(sorted(count for _, count in suggestion.classes)) or (suggestion.total or 0,)


_MOST_ROWS = 60
_MOST_UNREAD = 5
_OF_ERRORS = (
    "errors of predicted numbers; without an experiment what holds for means over folds is tested",
    "of one evaluation say under experiments  errors: {tree: {type: regression, n: 100}}  and here",
    "experiment: errors",
)
_SIMPLE = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_RESERVED = {"true", "false", "yes", "no", "null", "on", "off", "y", "n"}


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
    tables = read.tables
    meanings = [interpret(table) for table in tables]
    useful = [(index, meaning) for index, meaning in enumerate(meanings) if meaning.score_columns and meaning.reports]
    if not useful:
        raise UnreadableInput(
            f"{path}: {len(meanings)} table{'s' * (len(meanings) != 1)} found, but no column is named like a score; "
            "'scoreproof tables' shows what was read, and with --column HEADING=SCORE what it would be"
        )
    shown = os.path.relpath(path, beside if beside is not None else path.parent)
    words = text_of_file(path)
    captions, text = sentences_of(read.paragraphs, [table.caption for table in tables])
    known = [fact for sentence in text for fact in facts(sentence)]
    designs = [fact for fact in known if isinstance(fact, Folds | Split)]
    needs: dict[Hashable, Need] = {}
    body: list[str] = []
    for index, meaning in useful:
        own = [fact for sentence in captions[index] for fact in facts(sentence, of_table=True)]
        told = suggestions([*own, *designs]), suggestions(known)
        needed = DraftedData(needs, meaning, table_name(meaning.table, index), *told, words)
        body += _table(meaning, index, shown, kind, len(tables), needed)
    left = (meaning.table for index, meaning in enumerate(meanings) if (index, meaning) not in useful)
    body += [f"  # {_comment(str(table))}: no column is named like a score; left out" for table in left]
    lines = [*_head(path, words), *_sections([*needs.values()]), "", "tables:", *body]
    lines += [*_extracted(known), *_CLAIMS]
    marks = sum(FILL_IN in line.split("#")[0] for line in lines)
    return Draft("\n".join(lines) + "\n", len(useful), marks, tables.problems)


def _head(path: Path, words: str) -> list[str]:
    return [
        f"# Drafted by 'scoreproof init {path.name}' from the tables it found. Compare it with the paper, write what",
        f"# the paper says at every {FILL_IN}, then run 'scoreproof audit' on this file. 'unknown' is an answer, too:",
        "# every usual reading is then tried. 'scoreproof audit --schema' lists all keys.",
        f"title: {_quoted(title_in(words) or path.stem)}",
        f"source: {_quoted(path.name)}  # citation, DOI or address",
    ]


_CLAIMS = (
    "",
    "# What the paper claims, if it is to be compared with the tables:",
    "# claims:",
    "#   - {best: METHOD, by: acc}",
    "#   - {better: METHOD, than: OTHER, by: sens, significant: true}",
)


def _sections(needs: Sequence[Need]) -> Iterator[str]:
    """Data sets and experiments, none where every row gives its own counts; and options."""
    yield ""
    if not needs:
        yield "# Every row gives its own counts or needs none, so no data set and no experiment is needed."
    else:
        yield from ("datasets:", *(line for need in needs for line in _dataset(need)), "", "experiments:")
    for need in needs:
        yield f"  {_quoted(need.name)}:"
        yield f"    dataset: {_quoted(need.name)}"
        in_folds = need.folds is not None or need.spread
        if not in_folds:
            yield "    # one test set; for cross-validation add, for example:"
        way = "mean_of_scores" if need.folds is None and need.spread else "unknown"
        design = (
            f"folds: {_folds(need)}",
            "stratified: unknown  # true, false or unknown",
            f"aggregation: {way}  # mean_of_scores, score_of_means or unknown",
        )
        yield from (f"    {'' if in_folds else '# '}{line}" for line in design)
    yield from ("", "options:", "  rounding: any  # any (rounded, floored or ceiled), nearest, floor or ceil")
    if any(need.spread for need in needs):
        yield "  spread: deviation  # what follows a ±: deviation, error or ignore"


def _dataset(need: Need) -> Iterator[str]:
    yield f"  {_quoted(need.name)}:  # {_comment(need.why)}"
    if need.catalog:
        yield f"    catalog: {_quoted(need.catalog)}  # recognised; 'scoreproof catalog {need.catalog}' shows it"
        return
    yield f"    p: {FILL_IN}  # positive cases that were evaluated, or unknown"
    yield f"    n: {FILL_IN}  # negative cases"
    yield from dict.fromkeys(map(_offered, need.told))
    for name in need.known:
        yield f"    # the text mentions {name}; if that is the data set, write instead of p and n:  catalog: {name}"


def _folds(need: Need) -> str:
    """How many folds there are, or may be."""
    if need.folds is not None:
        return str(need.folds)
    if need.spread:
        return f"{FILL_IN}  # the table has a ±: of how many folds? (remove the line if of none)"
    told = next((suggestion for suggestion in need.told if suggestion.folds is not None), None)
    return "5" if told is None else _comment(f"{told.folds}  # the text says {told.sentences[-1].text!r}")


def _offered(suggestion: Suggestion) -> str:
    """What the text says of the counts, for a person to accept."""
    if len(suggestion.classes) == 2:
        (first, cases), (_, other) = suggestion.classes
        counts = f"p: {cases}, n: {other} (if {first} is the positive class)"
    elif suggestion.classes:
        counts = f"classes: {{{', '.join(f'{name}: {count}' for name, count in suggestion.classes)}}}"
    else:
        counts = f"total: {suggestion.total} instead of p and n"
    sentence = suggestion.sentences[0]
    place = f" in {sentence.place}" if sentence.place else ""
    return f"    # {_comment(f'{counts}: the text says {sentence.text!r}{place}')}"


def _table(
    meaning: Interpretation, index: int, file: str, kind: str | None, count: int, needed: DraftedData
) -> Iterator[str]:
    table = meaning.table
    yield f"  - name: {_quoted(table_name(table, index))}"
    yield f"    file: {_quoted(file)}"
    if kind is not None:
        yield f"    kind: {_quoted(kind)}"
    if count > 1:
        yield f"    table: {index + 1}"
    if table.caption:
        yield f"    # {_comment(table.caption)}"
    yield from _columns(meaning)
    if meaning.transposed:
        yield "    transposed: true"
    if meaning.decimal_comma:
        yield "    decimal_comma: true"
    yield from (f"    # not read: {_comment(str(cell))}" for cell in meaning.unread[:_MOST_UNREAD])
    if len(meaning.unread) > _MOST_UNREAD:
        yield f"    # and {len(meaning.unread) - _MOST_UNREAD} more cells that were not read"
    kinds = (RowKind.RESULT, RowKind.FOLD, RowKind.MEAN, RowKind.OVERALL)
    tested = [report for report in meaning.reports if report.kind in kinds]
    why = _needs_none(meaning, tested)
    yield from [f"    # {line}" for line in why] if why else _experiments(meaning, tested, needed)


def _columns(meaning: Interpretation) -> Iterator[str]:
    scales = {column.scale for column in meaning.score_columns}
    yield "    columns:"
    seen: set[str] = set()
    for column in meaning.columns:
        heading = column.heading
        if not heading.text or heading.text in seen or heading.role is Role.LABEL:
            continue
        seen.add(heading.text)
        if heading.role is Role.COUNT:
            yield f"      {_quoted(heading.text)}: {heading.count}"
        elif heading.role is Role.OTHER:
            yield f"      {_quoted(heading.text)}: ignore  # {_comment(heading.note)}"
        else:
            name = f"{heading.qualifier} {heading.score}".strip()
            words = f"{column.scale} ({_comment(column.why)})"
            if heading.qualifier:
                words += f"; {heading.qualifier} averages are not tested"
            yield f"      {_quoted(heading.text)}: {_quoted(name)}  # {words}"
    if scales == {Scale.PERCENT}:
        yield "    percent: true"


def _experiments(meaning: Interpretation, tested: Sequence[Report], needed: DraftedData) -> Iterator[str]:
    """The experiment of the table, of its column groups, and of its rows."""
    groups = list(filter(None, dict.fromkeys(report.group for report in meaning.reports)))
    labels = list(filter(None, dict.fromkeys(report.label for report in tested)))
    parts = data_of_parts(meaning, needed.texts)
    of_groups = parts.get("groups", {}).keys() or list(filter(recognised, groups))
    of_rows = {} if groups else parts.get("rows", {})
    of_rows = of_rows if len({*of_rows.values()}) <= _MOST_ROWS else {}
    every = groups or labels
    default = "" if every and {*(of_groups or of_rows)}.issuperset(every) else needed.of_table()
    if default:
        yield f"    experiment: {_quoted(default)}"
    if of_groups:
        yield "    groups:"
    for group in of_groups:
        yield f"      {_quoted(group)}: {_quoted(needed.of_part(group, f'the columns {group}'))}"
    if of_rows or (default and 0 < len(labels) <= _MOST_ROWS and not groups):
        yield "    rows:  # the experiment of each row, or untested"
        for label in labels:
            data = of_rows.get(label)
            name = default if data is None else needed.of_part(data, f"the rows {data}")
            yield f"      {_quoted(label)}: {_quoted(name)}"
    elif len(labels) > _MOST_ROWS:
        yield f"    # {len(labels)} rows have the experiment above; give single ones another with rows: {{LABEL: NAME}}"


def _needs_none(meaning: Interpretation, tested: Sequence[Report]) -> tuple[str, ...]:
    """Why a table needs no experiment; nothing if it does."""
    if not tested and any(report.kind is RowKind.CLASS for report in meaning.reports):
        return ("a class report: its classes are compared with its averages",)
    if tested and _gives_counts(meaning, tested):
        return ("the counts of each row stand in the table",)
    if all(quantity(column.heading.score).kind == "regression" for column in meaning.score_columns):
        return _OF_ERRORS
    return ()


def _gives_counts(meaning: Interpretation, tested: Sequence[Report]) -> bool:
    """Whether each row has its own counts, or is the average of folds that have them."""
    averages = {
        (block.mean.row, block.mean.group)
        for block in meaning.folds
        if block.mean is not None and all(fold.counts.test_set() is not None for fold in block.folds)
    }
    return all(report.counts.test_set() is not None or (report.row, report.group) in averages for report in tested)


def _extracted(known: Sequence[Fact]) -> Iterator[str]:
    """The sentences of sizes, which an audit compares with the sizes that are filled in."""
    counted = {fact.sentence: str(fact) for fact in reversed(known) if isinstance(fact, CaseCount | ClassCounts)}
    if counted:
        yield ""
        yield "extracted:  # what the text says; it is told beside other sizes that are filled in"
    for sentence, what in reversed(counted.items()):
        place = f", place: {_quoted(sentence.place)}" if sentence.place else ""
        yield f"  - {{what: {_quoted(what)}, sentence: {_quoted(sentence.text)}{place}}}"


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
