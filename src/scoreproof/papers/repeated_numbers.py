"""Numbers of a table that its paper repeats in the abstract, the text or a caption, one slip away: a list to look at.

For the author before submission only. Of such near misses in other people's papers hardly one is a slip (they are other
results, thresholds, sizes), so nothing is concluded from them. A number is listed if it stands in no table, as printed,
rounded or in the other unit, and a cell differs by two neighbouring digits swapped whose row or heading the sentence
names, or by one digit if it names both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from scoreproof.documents import Table
from scoreproof.documents.formats import Paragraph
from scoreproof.results import Result

_NUMBER = re.compile(r"(?<![\w.,])\d{1,3}\.\d{1,4}(?![\w.]\d|\d|\.\d)")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z(])")
_NO_SCORE = re.compile(r"(?:[<>=≤≥]|\b(?:v|version|section|sec|table|fig|figure|eq|p|lr|rate of|python))\.?\s*$", re.I)
_WORD = re.compile(r"[a-z0-9][\w+-]*", re.I)
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
    cells = [cell for number, table in enumerate(tables, 1) for cell in _cells(table, number)]
    printed = {text for text, *_ in cells}
    values = {Decimal(text) for text in printed}
    captions = [(table.caption, f"the caption of {_name(table, number)}") for number, table in enumerate(tables, 1)]
    told: dict[tuple[str, str], NearMiss] = {}
    for sentence, place in _sentences([*paragraphs, *captions]):
        for match in _NUMBER.finditer(sentence):
            number = match[0]
            if number in printed or _NO_SCORE.search(sentence[: match.start()]) or _is_repeated(number, values):
                continue
            if len(number.replace(".", "").lstrip("0")) < _LEAST_DIGITS:
                continue
            words = {word.lower() for word in _WORD.findall(sentence)}
            for text, table, row, heading in cells:
                if _slips(number, text) <= _named(row, words) + _named(heading, words):
                    shown = sentence[:_LONGEST]
                    told.setdefault((number, place), NearMiss(number, place, text, table, row, heading, shown))
    return tuple(told.values())


def _cells(table: Table, number: int) -> Iterator[tuple[str, str, str, str]]:
    name = _name(table, number)
    for row in table.body:
        for column, cell in enumerate(row[1:], 1):
            heading = " ".join(dict.fromkeys(level[column] for level in table.header if level[column]))
            yield from ((text, name, row[0], heading) for text in _NUMBER.findall(cell))


def _name(table: Table, number: int) -> str:
    numbered = re.match(r"\s*(Table|Tab\.?)\s*([0-9]+|[IVX]+)\b", table.caption, re.I)
    return f"Table {numbered[2]}" if numbered else f"table {number}"


def _sentences(paragraphs: Iterable[Paragraph]) -> Iterator[tuple[str, str]]:
    count = 0
    for text, place in paragraphs:
        for sentence in _SENTENCE.split(text):
            count += 1
            if count > _MOST_SENTENCES:
                return
            yield sentence, "the abstract" if "abstract" in place.lower() else place or "the text"


def _is_repeated(number: str, values: set[Decimal]) -> bool:
    """Whether a number is a cell rounded, or in percent instead of a fraction."""
    given = Decimal(number)
    step = Decimal(1).scaleb(int(given.as_tuple().exponent))
    return any(abs(value * unit - given) <= step for value in values for unit in (1, 100, Decimal("0.01")))


def _slips(number: str, text: str) -> int:
    """How much must speak for a slip: 1 for two neighbours swapped, 2 for another digit, 3 for anything else.

    >>> _slips("94.2", "92.4"), _slips("94.2", "94.7"), _slips("94.2", "93.1"), _slips("94.2", "9.42")
    (1, 2, 3, 3)
    """
    if len(number) != len(text) or number.find(".") != text.find("."):
        return 3
    pairs = list(zip(number.replace(".", ""), text.replace(".", ""), strict=True))
    places = [place for place, (own, other) in enumerate(pairs) if own != other]
    if len(places) == 1:
        return 2
    neighbours = len(places) == 2 and places[1] - places[0] == 1
    return 1 if neighbours and pairs[places[0]] == pairs[places[1]][::-1] else 3


def _named(label: str, words: set[str]) -> bool:
    own = [word.lower() for word in _WORD.findall(label)]
    return bool(own) and all(word in words for word in own)
