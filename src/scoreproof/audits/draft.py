"""Drafting a specification from the tables of a paper.

What the tables say is written down (columns, units, rows, counts, folds); what only a person who reads the paper can
know is marked FILL IN, and an audit refuses to start while a mark is left. Nothing is guessed in silence: catalogue
names found in the text are offered as comments.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from scoreproof.audits.row_data import data_named, data_of_parts, names_data
from scoreproof.audits.specification.load import FILL_IN
from scoreproof.catalog import entries
from scoreproof.documents import Interpretation, Role, RowKind, Scale, Table, interpret
from scoreproof.documents.prose import Folds, Portion, Split, Suggestion, all_sentences, facts, sentences, suggestions
from scoreproof.documents.read import read_paper
from scoreproof.errors import UnreadableInput
from scoreproof.quantities import quantity

_MOST_ROWS = 60
_MOST_TEXT = 2 * 2**20
_SIMPLE = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_RESERVED = {"true", "false", "yes", "no", "null", "on", "off", "y", "n"}
_TEXTS = {".tex", ".ltx", ".md", ".markdown", ".html", ".htm", ".txt", ".csv", ".tsv"}


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


@dataclass(slots=True)
class _Need:
    """A data set and an experiment that a table, or a part of it, needs; tables of the same data share it."""

    name: str
    why: str
    of: Hashable  # what tables that share it have in common
    folds: int | None
    spread: bool
    told: Sequence[Suggestion]  # the sizes that are offered
    known: list[str]  # names of the catalogue that are
    catalog: str = ""


def draft(paper: str | Path, *, kind: str | None = None, beside: str | Path | None = None) -> Draft:
    """The draft of a specification for a paper; file names are written relative to ``beside``."""
    path = Path(paper)
    read = read_paper(path, kind=kind)
    tables = read.tables
    found = [interpret(one) for one in tables]
    useful = [(index, one) for index, one in enumerate(found) if one.score_columns and one.reports]
    if not useful:
        raise UnreadableInput(
            f"{path}: {len(found)} table{'s' * (len(found) != 1)} found, but no column is named like a score; "
            "'scoreproof tables' shows what was read"
        )
    shown = os.path.relpath(path, beside if beside is not None else path.parent)
    words = text_of_file(path)
    captions = [list(sentences(table.caption, f"the caption of table {k}")) for k, table in enumerate(tables, 1)]
    in_captions = {sentence.text for said in captions for sentence in said}
    prose = [said for said in all_sentences(read.paragraphs) if said.text not in in_captions]
    known = [fact for sentence in prose for fact in facts(sentence)]
    designs = [fact for fact in known if isinstance(fact, Folds | Split)]
    needs: dict[str, _Need] = {}
    body: list[str] = []
    for index, one in useful:
        own = [fact for sentence in captions[index] for fact in facts(sentence, of_table=True)]
        needed = _Needs(needs, one, index, suggestions([*own, *designs]), suggestions(known), words)
        body += _table(one, index, shown, kind, len(tables), needed)
    left = [one for index, one in enumerate(found) if (index, one) not in useful]
    lines = [
        f"# Drafted by 'scoreproof init {path.name}' from the tables it found. Compare it with the paper, write what",
        f"# the paper says at every {FILL_IN}, then run 'scoreproof audit' on this file. 'unknown' is an answer, too:",
        "# every usual reading is then tried. 'scoreproof audit --schema' lists all keys.",
        f"title: {_quoted(title_in(words) or path.stem)}",
        f"source: {_quoted(path.name)}  # citation, DOI or address",
        *_sections(needs),
        "",
        "options:",
        "  rounding: any  # any (rounded, floored or ceiled), nearest, floor or ceil",
        *(["  spread: deviation  # what follows a ±: deviation, error or ignore"] if _spreads(needs) else []),
        "",
        "tables:",
        *body,
        *_left_out(left),
        "",
        "# What the paper claims, if it is to be compared with the tables:",
        "# claims:",
        "#   - {best: METHOD, by: acc}",
        "#   - {better: METHOD, than: OTHER, by: sens, significant: true}",
    ]
    text = "\n".join(lines) + "\n"
    marks = sum(FILL_IN in line.split("#")[0] for line in lines)
    return Draft(text, len(useful), marks, tables.problems)


def _spreads(needs: dict[str, _Need]) -> bool:
    return any(need.spread for need in needs.values())


def _sections(needs: dict[str, _Need]) -> Iterator[str]:
    """Data sets and experiments; none where every row gives its own counts."""
    if not needs:
        yield ""
        yield "# Every row gives its own counts or needs none, so no data set and no experiment is needed."
        return
    yield ""
    yield "datasets:"
    for need in needs.values():
        yield f"  {_quoted(need.name)}:  # {_comment(need.why)}"
        if need.catalog:
            yield f"    catalog: {_quoted(need.catalog)}  # recognised; 'scoreproof catalog {need.catalog}' shows it"
            continue
        yield f"    p: {FILL_IN}  # positive cases that were evaluated, or unknown"
        yield f"    n: {FILL_IN}  # negative cases"
        yield from dict.fromkeys(map(_offered, need.told))
        for name in need.known:
            yield f"    # the text mentions {name}; if that is the data set, write instead of p and n:  catalog: {name}"
    yield ""
    yield "experiments:"
    for need in needs.values():
        yield f"  {_quoted(need.name)}:"
        yield f"    dataset: {_quoted(need.name)}"
        if need.folds is not None:
            yield f"    folds: {need.folds}"
            yield "    stratified: unknown  # true, false or unknown"
            yield "    aggregation: unknown  # mean_of_scores, score_of_means or unknown"
        elif need.spread:
            yield f"    folds: {FILL_IN}  # the table has a ±: of how many folds? (remove the line if of none)"
            yield "    stratified: unknown  # true, false or unknown"
            yield "    aggregation: mean_of_scores  # mean_of_scores, score_of_means or unknown"
        else:
            folds = next((suggestion for suggestion in need.told if suggestion.folds is not None), None)
            yield "    # one test set; for cross-validation add, for example:"
            said = "5" if folds is None else f"{folds.folds}  # the text says {folds.sentences[-1].text!r}"
            yield f"    # folds: {_comment(said)}"
            yield "    # stratified: unknown  # true, false or unknown"
            yield "    # aggregation: unknown  # mean_of_scores, score_of_means or unknown"


def _offered(suggestion: Suggestion) -> str:
    """What the text says of the counts, for a person to accept."""
    if len(suggestion.classes) == 2:
        (first, one), (_, other) = suggestion.classes
        counts = f"p: {one}, n: {other} (if {first} is the positive class)"
    elif suggestion.classes:
        counts = f"classes: {{{', '.join(f'{name}: {count}' for name, count in suggestion.classes)}}}"
    else:
        counts = f"total: {suggestion.total} instead of p and n"
    sentence = suggestion.sentences[0]
    place = f" in {sentence.place}" if sentence.place else ""
    return f"    # {_comment(f'{counts}: the text says {sentence.text!r}{place}')}"


def _table(
    found: Interpretation,
    index: int,
    file: str,
    kind: str | None,
    count: int,
    needed: _Needs,
) -> Iterator[str]:
    table = found.table
    yield f"  - name: {_quoted(table_name(table, index))}"
    yield f"    file: {_quoted(file)}"
    if kind is not None:
        yield f"    kind: {_quoted(kind)}"
    if count > 1:
        yield f"    table: {index + 1}"
    if table.caption:
        yield f"    # {_comment(table.caption)}"
    yield from _columns(found)
    if found.transposed:
        yield "    transposed: true"
    if found.decimal_comma:
        yield "    decimal_comma: true"
    for cell in found.unread[:5]:
        yield f"    # not read: {_comment(str(cell))}"
    if len(found.unread) > 5:
        yield f"    # and {len(found.unread) - 5} more cells that were not read"
    yield from _experiments(found, needed)


def _columns(found: Interpretation) -> Iterator[str]:
    scales = {column.scale for column in found.score_columns}
    yield "    columns:"
    seen: set[str] = set()
    for column in found.columns:
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
            said = f"{column.scale} ({_comment(column.why)})"
            if heading.qualifier:
                said += f"; {heading.qualifier} averages are not tested"
            yield f"      {_quoted(heading.text)}: {_quoted(name)}  # {said}"
    if scales == {Scale.PERCENT}:
        yield "    percent: true"


def _experiments(found: Interpretation, needed: _Needs) -> Iterator[str]:
    """The experiment of the table, of its column groups, and of its rows."""
    kinds = (RowKind.RESULT, RowKind.FOLD, RowKind.MEAN, RowKind.OVERALL)
    tested = [one for one in found.reports if one.kind in kinds]
    if not tested and any(one.kind is RowKind.CLASS for one in found.reports):
        yield "    # a class report: its classes are compared with its averages"
        return
    averages = {
        (block.mean.row, block.mean.group)
        for block in found.folds
        if block.mean is not None and all(fold.counts.test_set() is not None for fold in block.folds)
    }
    if tested and all(one.counts.test_set() is not None or (one.row, one.group) in averages for one in tested):
        yield "    # the counts of each row stand in the table"
        return
    if all(quantity(column.heading.score).kind == "regression" for column in found.score_columns):
        yield "    # errors of predicted numbers; without an experiment what holds for means over folds is tested"
        yield "    # of one evaluation say under experiments  errors: {tree: {type: regression, n: 100}}  and here"
        yield "    # experiment: errors"
        return
    groups = [group for group in dict.fromkeys(one.group for one in found.reports) if group]
    parts = data_of_parts(found, needed.texts)
    of_groups = parts.get("groups") or {group: group for group in groups if _recognised(group)}
    of_rows = parts.get("rows", {})
    if groups or len(set(of_rows.values())) > _MOST_ROWS:
        of_rows = {}
    labels = list(dict.fromkeys(one.label for one in tested if one.label))
    default = ""
    own, every = set(of_groups or of_rows), set(groups or labels)
    if not every or not every <= own:
        default = needed.of_table()
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


class _Needs:
    """The data sets and experiments of one table, or of parts of it: shared only with tables of the same data."""

    def __init__(
        self,
        needs: dict[str, _Need],
        found: Interpretation,
        index: int,
        own: Sequence[Suggestion],
        told: Sequence[Suggestion],
        words: str,
    ) -> None:
        self._needs, self._words = needs, words
        self._caption, self._name = found.table.caption, table_name(found.table, index)
        self._folds = max((block.k for block in found.folds), default=None)
        self._spread = any(value.cell.spread for one in found.reports for value in one.values)
        self._told = own or told
        tested = {_size(each) for each in told if each.part is Portion.TEST} or set(map(_size, told))
        unclear = index if not own and len(tested) > 1 else None  # the text does not say which table has which size
        self._of = data_named(self._caption), tuple(map(_size, own)), unclear

    @property
    def texts(self) -> list[str]:
        """The sentences of sizes."""
        return [sentence.text for suggestion in self._told for sentence in suggestion.sentences]

    def of_table(self) -> str:
        """The name of what the whole table was evaluated on."""
        known = _recognised(self._caption) or _recognised(self._words)
        need = self._need("main", "", self._of, self._told)
        need.why = f"{need.why}, {self._name}" if need.why else f"what was evaluated in {self._name}"
        need.known.extend(name for name in known[:3] if name not in need.known)
        return need.name

    def of_part(self, data: str, why: str) -> str:
        """The name of what rows or columns were evaluated on that have their own data."""
        known = _recognised(data)
        if known:
            return self._need(known[0], why, known[0], (), known[0]).name
        told = [each for each in self._told if names_data(data, [sentence.text for sentence in each.sentences])]
        return self._need(data, f"{why} of {self._name}", self._of, told).name

    def _need(self, wanted: str, why: str, of: Hashable, told: Sequence[Suggestion], catalog: str = "") -> _Need:
        name, number = wanted, 1
        while name in self._needs and not self._is_of(self._needs[name], of):
            number += 1
            name = f"{wanted}{number}"
        return self._needs.setdefault(
            name, _Need(name, why, of, self._folds, self._spread and not catalog, told, [], catalog)
        )

    def _is_of(self, need: _Need, of: Hashable) -> bool:
        same = need.of == of
        return same and (bool(need.catalog) or (need.folds, need.spread) == (self._folds, self._spread))


def _size(suggestion: Suggestion) -> tuple[int, ...]:
    counts = [count for _, count in suggestion.classes]
    return tuple(sorted(counts)) if counts else (suggestion.total or 0,)


@lru_cache(maxsize=64)
def _recognised(text: str) -> tuple[str, ...]:
    """Catalogue entries that a text names as words of their own; every table asks about the whole paper again."""
    lowered = f" {re.sub(r'[^a-z0-9]+', ' ', text[:_MOST_TEXT].lower())} "
    found = []
    for entry in entries():
        spellings = (entry.name, *entry.aliases)
        keys = {re.sub(r"[^a-z0-9]+", " ", spelling.lower()).strip() for spelling in spellings}
        keys |= {key.replace(" ", "") for key in keys}
        if any(len(key) >= 3 and f" {key} " in lowered for key in keys):
            found.append(entry.name)
    return tuple(found)


def _left_out(left: Sequence[Interpretation]) -> Iterator[str]:
    for one in left:
        yield f"  # {_comment(str(one.table))}: no column is named like a score; left out"


def text_of_file(path: Path) -> str:
    """The words of a paper that is a text file, for the names of data sets."""
    if path.suffix.lower() not in _TEXTS:
        return ""
    return path.read_bytes()[:_MOST_TEXT].decode("utf-8", errors="replace")


def title_in(words: str) -> str:
    """The title that a LaTeX or HTML source gives itself."""
    match = re.search(r"\\title\s*\{([^{}]{3,200})\}|<title>([^<]{3,200})</title>", words, re.IGNORECASE)
    return " ".join((match[1] or match[2]).split()) if match else ""


def table_name(table: Table, index: int) -> str:
    """What a caption calls a table, or its number."""
    match = re.match(r"\s*(tab(?:le|\.)?\s*[0-9IVX]+[a-z]?)\b", table.caption, re.IGNORECASE)
    return match[1].strip() if match else f"Table {index + 1}"


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
