"""Sizes of experiments: from tables that count cases, and from facts to the experiments a table may have come from.

A suggestion is what somebody would write into a specification after one reading: the classes of the test set, or of all
cases with the folds they were dealt to, or the size of a test set that a split leaves. Where sentences disagree each
gets its own suggestion.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor

from scoreproof.documents.table import Table
from scoreproof.papers.table_semantics.cells import read_count
from scoreproof.papers.text_facts.facts import PATTERNS, CaseCount, Fact, Folds, Portion, Sentence, Split
from scoreproof.results import Result

_SAYS = PATTERNS["tables"]
_FEWEST = 20  # cases
_MOST_LINES = 40
_MOST_CLASSES = 101  # with a line of their total
_PERCENT = 100
_MOST = 16
_OF = {Portion.TEST: " of the test set", Portion.ALL: ""}


def class_tables(tables: Sequence[Table]) -> Iterator[CaseCount]:
    """The classes that tables count ("Class | Train | Test"), with the table in words; a last line may be the total."""
    for number, table in enumerate(tables, 1):
        headers = [header.strip() for header in table.headers]
        if not headers:
            continue
        what = "plain" if not any(map(_SAYS["parts"].search, headers[1:])) else "test_set"
        columns = [column for column, header in enumerate(headers) if column and _SAYS[what].fullmatch(header)]
        told = _SAYS["class"].fullmatch(headers[0]) or (
            _SAYS["caption"].search(table.caption) and not headers[0].isdigit()
        )
        if len(columns) != 1 or not told or len(table.body) > _MOST_CLASSES or table.header_rows > 2:
            continue
        counts = _without_total(_counts(table, columns[0]))
        if len(counts) > 1 and min(counts.values()) > 0:
            header = headers[columns[0]]
            text = f"{headers[0] or 'class'} | {header}: {', '.join(f'{name} {n:,}' for name, n in counts.items())}"
            part = Portion.TEST if _SAYS["test_set"].fullmatch(header) else Portion.ALL
            yield CaseCount.of_classes(tuple(counts.items()), part, Sentence(text, f"table {number}"))


def _counts(table: Table, column: int) -> dict[str, int]:
    """The counts of a column by the names of their lines; none if a line has no name or no count, or names repeat."""
    read = {row[0].strip(): read_count(row[column]) for row in table.body}
    counts = {name: count for name, count in read.items() if name and count is not None}
    return counts if len(counts) == len(table.body) else {}


def _without_total(counts: dict[str, int]) -> dict[str, int]:
    """The classes without a last line that is their total; none if a total is another number, or stands elsewhere."""
    totals = [name for name in counts if _SAYS["total"].fullmatch(name)]
    classes = {name: count for name, count in counts.items() if name not in totals}
    whole = totals == list(counts)[-1:] and counts[totals[0]] == sum(classes.values())
    return classes if not totals or whole else {}


def size_tables(tables: Sequence[Table]) -> Iterator[tuple[str, int]]:
    """The names of the data in tables of data sets ("Dataset | #Train | #Test"), each with the size of its test set."""
    for table in tables:
        headers = [header.strip() for header in table.headers]
        tests = [column for column, header in enumerate(headers) if column and _SAYS["test"].fullmatch(header)]
        if len(tests) != 1 or len(table.body) > _MOST_LINES or not _SAYS["data"].fullmatch(headers[0]):
            continue
        sizes = _counts(table, tests[0])
        percent = max(sizes.values(), default=0) <= _PERCENT and not _SAYS["counted"].search(headers[tests[0]])
        if (
            sizes and any(map(_SAYS["train"].search, headers)) and not percent and min(sizes.values()) >= _FEWEST
        ):  # no accuracies
            yield from sizes.items()


@dataclass(frozen=True, slots=True)
class Extraction(Result):
    """What a sentence says of the experiments; ``used`` names the experiment that rests on it, or why none does."""

    what: str
    sentence: str
    place: str = ""
    used: str = ""

    def __str__(self) -> str:
        return f"{self.what}: {self.sentence!r}{f' ({self.place})' if self.place else ''}"


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Class counts, or a total where the classes are unknown, with or without folds; and where it was read."""

    label: str
    classes: tuple[tuple[str, int], ...] = ()
    total: int | None = None
    folds: int | None = None
    repeats: int = 1
    stratified: bool | None = None
    part: Portion = Portion.ALL
    sentences: tuple[Sentence, ...] = ()

    def __str__(self) -> str:
        return self.label


def suggestions(facts: Iterable[Fact]) -> tuple[Suggestion, ...]:
    """What the facts of a paper suggest, the most definite first.

    >>> from scoreproof.papers.text_facts import facts
    >>> from scoreproof.papers.text_facts.facts import sentences
    >>> text = "We had 38 preterm and 262 term records. Performance was estimated by 5-fold cross-validation."
    >>> [str(p) for p in suggestions(fact for s in sentences(text) for fact in facts(s))]
    ['38 preterm and 262 term in 5 folds', '38 preterm and 262 term']
    """
    known = tuple(facts)
    folds, split = _agreed(known), _one(known)
    counted = [fact for fact in known if isinstance(fact, CaseCount)]
    counted.sort(key=lambda fact: not fact.counts)  # those with classes first
    tested, whole = ([fact for fact in counted if fact.part is part] for part in (Portion.TEST, Portion.ALL))
    made = [_stated(fact) for fact in tested if fact.counts]
    if folds is not None:
        made += [_in_folds(fact, folds) for fact in whole if fact.counts and (folds.k or 0) <= fact.total]
    made += [_stated(fact) for fact in tested if not fact.counts]
    made += [test for fact in whole for test in _left_by(split, fact)] if split is not None else []
    made += map(_stated, whole)
    kept: dict[tuple[object, ...], Suggestion] = {}
    for suggestion in made:
        kept.setdefault((frozenset(suggestion.classes), suggestion.total, suggestion.folds), suggestion)
    return tuple(kept.values())[:_MOST]


def _stated(fact: CaseCount) -> Suggestion:
    """All cases, or the test set, as they are counted."""
    total, label = None if fact.counts else fact.total, f"{fact.in_words}{_OF[fact.part]}"
    return Suggestion(label, fact.counts, total, part=fact.part, sentences=(fact.sentence,))


def _in_folds(fact: CaseCount, folds: Folds) -> Suggestion:
    repeated = f", repeated {folds.repeats} times" if folds.repeats else ""
    label, told = f"{fact.in_words} in {folds.k} folds{repeated}", dict.fromkeys((fact.sentence, folds.sentence))
    return Suggestion(label, fact.counts, None, folds.k, folds.repeats or 1, folds.stratified, sentences=tuple(told))


def _left_by(split: Split, fact: CaseCount) -> list[Suggestion]:
    """The test sets a split leaves, rounded either way."""
    tested = fact.total * Fraction(str(split.test)) / 100
    sizes = [size for size in dict.fromkeys((floor(tested), ceil(tested))) if 0 < size < fact.total]
    labels = [(f"{size:,} cases ({split.test:g}% of {fact.total:,})", size) for size in sizes]
    sentences = tuple(dict.fromkeys((fact.sentence, split.sentence)))
    return [Suggestion(label, (), size, part=Portion.TEST, sentences=sentences) for label, size in labels]


def _agreed(known: Iterable[Fact]) -> Folds | None:
    """The cross-validation all sentences mean; what only some of them say of it counts, unless others deny it."""
    folds = [fact for fact in known if isinstance(fact, Folds) and fact.k is not None]
    if len({fact.k for fact in folds}) != 1:
        return None
    values = ({getattr(fact, name) for fact in folds} - {None} for name in ("repeats", "stratified"))
    repeats, stratified = (each.pop() if len(each) == 1 else None for each in values)
    return replace(folds[0], repeats=repeats, stratified=stratified)


def _one(known: Iterable[Fact]) -> Split | None:
    splits = [fact for fact in known if isinstance(fact, Split) and fact.test > 0]
    return splits[0] if len({(split.training, split.validation, split.test) for split in splits}) == 1 else None
