"""Before submission: every printed cell beside what the predictions give, and numbers of the text that nearly are one.

A cell that is not what they give is named with the slip that would explain it, and the row is written as it should be.
Numbers that abstract, text or a caption repeat, one slip away, are a list to look at: in other people's papers hardly
one is a slip. A number is listed if it stands in no table (as printed, rounded or in the other unit) and a cell differs
by two neighbouring digits swapped whose row or heading the sentence names, or by one digit if it names both.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import chain, islice
from typing import Any

from numpy.typing import ArrayLike

from scoreproof.documents import Table, Tables, read_tables
from scoreproof.documents.formats import Paragraph
from scoreproof.documents.read import PaperText, read_paper
from scoreproof.documents.readers.records import PandasFrame, is_frame
from scoreproof.errors import InvalidOption
from scoreproof.insight.repairs import text_slips
from scoreproof.papers.collecting import table_name
from scoreproof.papers.evaluated import Evaluated, evaluations
from scoreproof.papers.relations.findings import to_look_at
from scoreproof.papers.table_semantics import Interpretation, Report, Value, interpret
from scoreproof.papers.text_facts.facts import all_sentences
from scoreproof.reported import Rounding, report
from scoreproof.results import Result, SmallTable, Tabular
from scoreproof.validation import chosen, shown


@dataclass(frozen=True, slots=True)
class CheckedCell(Result):
    """A printed score: what the predictions give with its digits, whether it is that, and which slip it may be."""

    table: int
    row: str
    score: str
    printed: str
    correct: str
    fits: bool
    slip: str = ""

    def __str__(self) -> str:
        wrong = f"printed {self.printed}, the predictions give {self.correct}{f' ({self.slip})' if self.slip else ''}"
        return f"{self.row}, {self.score}: {f'{self.printed} is right' if self.fits else wrong}"


@dataclass(frozen=True, slots=True)
class SelfCheck(Tabular):
    """The printed cells of rows, compared with predictions; ``corrected`` are these rows as they should read.

    ``to_look_at`` (numbers of the text that nearly repeat a cell) and ``beside_others`` change no verdict.
    """

    cells: tuple[CheckedCell, ...]
    corrected: tuple[str, ...] = ()
    ways: tuple[str, ...] = ()
    untested: tuple[str, ...] = ()
    to_look_at: tuple[NearMiss, ...] = ()
    beside_others: tuple[str, ...] = ()

    @property
    def wrong(self) -> tuple[CheckedCell, ...]:
        return tuple(cell for cell in self.cells if not cell.fits)

    def __bool__(self) -> bool:
        """Whether every cell that was compared is right; false if none was."""
        return bool(self.cells) and not self.wrong

    def __str__(self) -> str:
        if not self.cells:
            return "no printed score could be compared with the predictions"
        right = f"{len(self.cells) - len(self.wrong)} of {len(self.cells)}"
        return "; ".join([f"{right} printed scores are what the predictions give", *map(str, self.wrong)])

    def _rows(self) -> list[dict[str, Any]]:
        return [cell.to_dict() for cell in self.cells]

    def _tables(self) -> list[SmallTable]:
        rows = [(c.row, c.score, c.printed, c.correct, "right" if c.fits else c.slip or "wrong") for c in self.cells]
        return [SmallTable(rows, ("row", "score", "printed", "correct", "is"))] if rows else []


def selfcheck(
    y_true: ArrayLike,
    y_pred: ArrayLike | Mapping[str, ArrayLike],
    table: str | os.PathLike[str] | PandasFrame | Table | Tables | PaperText,
    *,
    row: str | None = None,
    folds: ArrayLike | None = None,
    positive: Any = None,
    rounding: str = "nearest",
) -> SelfCheck:
    """Compare the printed cells of a table with what predictions give.

    ``y_pred`` are the predicted labels of one method, or of several by the labels of their rows. ``table`` is a paper,
    a text, a data frame or a table. ``row`` names the row of the one method; without it the row is taken that fits
    best. ``folds`` says to which fold each case belongs. ``positive`` names the positive label where it is not 1; of
    more than two labels accuracy, kappa, MCC and averages over the classes are compared.

    >>> checked = selfcheck([1, 1, 1, 0, 0], [1, 1, 0, 0, 1], "Method,Acc,Sens\\nA,0.60,0.76\\n")
    >>> print(checked.wrong[0])
    A, sens: printed 0.76, the predictions give 0.67 (two digits swapped)
    >>> bool(checked), checked.corrected
    (False, ('A,0.60,0.67',))
    """
    if row is not None and (not isinstance(row, str) or isinstance(y_pred, Mapping)):
        raise InvalidOption(f"row: expected a label, and nothing beside predictions by rows; got {shown(row)}")
    chosen("rounding", rounding, [str(rule) for rule in Rounding])
    paper = _paper(table)
    tables, meant = paper.tables, [interpret(table) for table in paper.tables]
    methods = y_pred if isinstance(y_pred, Mapping) else {row or "": y_pred}
    cells: list[CheckedCell] = []
    corrected, read_as, untested = [], [], []
    for label, predicted in methods.items():
        ways = evaluations(y_true, predicted, folds, positive, rounding)
        rows = _rows_of(meant, str(label), ways)
        if not rows:
            untested.append(f"{label or 'the predictions'}: no row of a table fits them or has this name")
        for place, meaning, line in rows:
            way = _best(line, ways)
            tested = way.tested(line)
            own = [_compared(place, value, line, way, ways) for value in tested]
            cells += own
            read_as.append(f"{line.label}: {way.way}")
            left = (f"{value.qualifier} {value.score}".strip() for value in line.values if value not in tested)
            untested += [f"{line.label}: {name} cannot be computed from labels" for name in left]
            texts = [] if meaning.transposed else list(tables[place].rows[line.row])
            corrected.append(_written(texts, tables[place].format, tested, own))
    near, beside = near_misses(tables, paper.paragraphs), tuple(words for each in tables for words in to_look_at(each))
    return SelfCheck(tuple(cells), tuple(corrected), tuple(read_as), tuple(dict.fromkeys(untested)), near, beside)


def _paper(given: Any) -> PaperText:
    if isinstance(given, PaperText):
        return given
    if isinstance(given, Table | Tables):
        return PaperText(given if isinstance(given, Tables) else Tables((given,)))
    return PaperText(read_tables(given)) if is_frame(given) else read_paper(given)


_Place = tuple[int, Interpretation, Report]


def _rows_of(meant: Sequence[Interpretation], label: str, ways: Sequence[Evaluated]) -> list[_Place]:
    """The rows of a label; without one the row in which most cells are right."""
    lines = ((place, meaning, line) for place, meaning in enumerate(meant) for line in meaning.reports)
    every = [each for each in lines if any(way.tested(each[2]) for way in ways)]
    if label:
        return [each for each in every if label in (each[2].label, each[2].label.split(" / ")[-1])]
    right = [_best(line, ways).right(line) for _, _, line in every]
    if right.count(max(right, default=0)) > 1:
        names = ", ".join(repr(line.label) for _, _, line in every[:8])
        raise InvalidOption(f"row: expected the row that the predictions are of; the rows are {names}")
    return [every[right.index(max(right))]] if every else []


def _best(line: Report, ways: Sequence[Evaluated]) -> Evaluated:
    """The way of averaging that makes most cells right; the first where several do."""
    return max(ways, key=lambda way: way.right(line))


def _compared(place: int, value: Value, line: Report, way: Evaluated, ways: Sequence[Evaluated]) -> CheckedCell:
    """A printed value beside the correct one, with the plainest cause of a difference."""
    correct, fits, slip = way.text(value) or "undefined", way.gives(value), ""
    if not fits and way.gives(value, "any"):
        slip = "cut off or rounded up, not rounded to nearest"
    elif not fits:
        others = (f"this is {other.way}" for other in ways if other.name(value) and other.gives(value))
        slips = [slip for slip, text in text_slips(report(value.score, value.text)) if text.strip() == correct]
        slip = next(chain(way.exchanged(value, line), others, map(str, slips[-1:])), "")
    return CheckedCell(place, line.label, way.name(value), value.text, correct, fits, slip)


def _written(texts: list[str], style: str, tested: Sequence[Value], cells: Sequence[CheckedCell]) -> str:
    """The row of the table with its wrong cells corrected, in the table's own format."""
    if not texts:
        return ", ".join(f"{cell.score} {cell.correct}" for cell in cells)
    for value, cell in zip(tested, cells, strict=True):
        if not cell.fits:
            texts[value.place[1]] = cell.correct if "%" in value.cell.raw else cell.correct.replace("%", "")
    if style == "latex":
        return " & ".join(text.replace("%", r"\%").replace("±", r"$\pm$") for text in texts) + r" \\"
    between = {"tsv": "\t", "csv": ","}.get(style)
    return f"| {' | '.join(texts)} |" if between is None else between.join(texts)


_NUMBER = re.compile(r"(?<![\w.,])\d{1,3}\.\d{1,4}(?![\w.]\d|\d|\.\d)")
_NO_SCORE = re.compile(r"(?:[<>=≤≥]|\b(?:v|version|section|sec|table|fig|figure|eq|p|lr|rate of|python))\.?\s*$", re.I)
_WORD = re.compile(r"[a-z0-9][\w+-]*", re.I)
_UNITS = (1, 100, Decimal("0.01"))
_LEAST_DIGITS = 3  # significant ones of a number that is compared
_MOST_SENTENCES = 20_000
_LONGEST = 300  # characters of a sentence that is shown


@dataclass(frozen=True, slots=True)
class NearMiss(Result):
    """A number of the text that no table has, and the cell that it may repeat."""

    number: str
    place: str
    cell: str
    table: str
    row: str
    heading: str
    sentence: str

    def __str__(self) -> str:
        return f"{self.number} in {self.place}, {self.cell} in {self.table} ({self.row}, {self.heading})"


def near_misses(tables: Sequence[Table], paragraphs: Iterable[Paragraph]) -> tuple[NearMiss, ...]:
    """The numbers of the text that nearly repeat a cell.

    >>> table = Table((("Method", "Accuracy"), ("U-Net", "92.4"), ("ours", "93.1")), caption="Table 3: results")
    >>> print(*near_misses([table], [("The accuracy of U-Net is 94.2, ours has 93.1.", "section 'Abstract'")]))
    94.2 in the abstract, 92.4 in Table 3 (U-Net, Accuracy)
    """
    named = [(table_name(table, index), table) for index, table in enumerate(tables)]
    cells = [cell for name, table in named for cell in _cells(table, name)]
    values = {cell.cell: Decimal(cell.cell) for cell in cells}
    texts = [*paragraphs, *((table.caption, f"the caption of {name}") for name, table in named)]
    told: dict[tuple[str, str], NearMiss] = {}
    for sentence in islice(all_sentences(texts), _MOST_SENTENCES):
        place = "the abstract" if "abstract" in sentence.place.lower() else sentence.place or "the text"
        words = _words(sentence.text)
        for number in _in_no_table(sentence.text, values):
            for cell in cells:
                if _slips(number, cell.cell) <= sum(
                    bool(own) and own <= words for own in map(_words, (cell.row, cell.heading))
                ):
                    near = replace(cell, number=number, place=place, sentence=sentence.text[:_LONGEST])
                    told.setdefault((number, place), near)
    return tuple(told.values())


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.lower()))


def _cells(table: Table, name: str) -> Iterator[NearMiss]:
    for row in table.body:
        for column, cell in enumerate(row[1:], 1):
            heading = " ".join(dict.fromkeys(level[column] for level in table.header if level[column]))
            yield from (NearMiss("", "", text, name, row[0], heading, "") for text in _NUMBER.findall(cell))


def _in_no_table(sentence: str, values: Mapping[str, Decimal]) -> Iterator[str]:
    """The numbers of a sentence, but those that are a cell: as printed, rounded, or in the other unit."""
    for match in _NUMBER.finditer(sentence):
        number = Decimal(match[0])
        step = Decimal(1).scaleb(int(number.as_tuple().exponent))
        score = len(match[0].replace(".", "").lstrip("0")) >= _LEAST_DIGITS and match[0] not in values
        score = score and not _NO_SCORE.search(sentence[: match.start()])
        if score and all(abs(value * unit - number) > step for value in values.values() for unit in _UNITS):
            yield match[0]


def _slips(number: str, text: str) -> int:
    """How much must speak for a slip: 1 for two neighbours swapped, 2 for another digit, 3 for anything else."""
    if len(number) != len(text) or number.find(".") != text.find("."):
        return 3
    pairs = list(zip(number.replace(".", ""), text.replace(".", ""), strict=True))
    first, *others = [place for place, (own, other) in enumerate(pairs) if own != other] or [0]
    swapped = others == [first + 1] and pairs[first] == pairs[first + 1][::-1]
    return 2 if not others else 1 if swapped else 3
