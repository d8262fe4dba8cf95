"""What one cell says: a number with its spread or interval, counts of cases, a dash, or something unread.

The numbers themselves are read by ``scoreproof.reported``, once what surrounds them in a table is taken off: footnote
marks, bold, citations, intervals, counts in brackets. Whatever does not fit stays in view as unread, with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple

from scoreproof.errors import InvalidValue
from scoreproof.jsonable import document
from scoreproof.kinds.binary.experiment import TestSet
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.kinds.printed_matrix import follow
from scoreproof.papers.table_semantics.words import MISSING, PATTERNS, RATIOS
from scoreproof.reported.number import read_text

_COUNTED, _SAYS = PATTERNS["counts"], PATTERNS["cells"]
_CELLS = ("tp", "fp", "fn", "tn", "p", "n", "total")
_LONGEST = 200
DIFFERENCE = "a difference, not a score"


@dataclass(slots=True, unsafe_hash=True)  # not frozen: each row of a long table has one, made thrice as fast so
class Counts:
    """What a row says about its counts; ``doubled`` are those that it prints a second time, with another value."""

    tp: int | None = None
    fp: int | None = None
    fn: int | None = None
    tn: int | None = None
    p: int | None = None
    n: int | None = None
    total: int | None = None
    support: int | None = None
    conflict: str = ""
    doubled: tuple[tuple[str, int], ...] = ()

    @classmethod
    def of(cls, named: Iterable[tuple[str, int]]) -> Counts:
        """Counts with their names; where a name comes twice, the first number stands."""
        pairs = list(named)
        known: dict[str, Any] = dict(reversed(pairs))
        twice = len(known) < len(pairs)
        doubled = tuple([(name, number) for name, number in pairs if known[name] != number]) if twice else ()
        return cls(**known, doubled=doubled) if known else NO_COUNTS

    def named(self) -> list[tuple[str, int]]:
        """Every count as it stands in the row."""
        known = ((name, getattr(self, name)) for name in (*_CELLS, "support"))
        return [*(count for count in known if count[1] is not None), *self.doubled]

    def __bool__(self) -> bool:
        return self.p is not None or self != NO_COUNTS

    @property
    def plain(self) -> bool:
        """Whether p and n are given and nothing else that could add to or contradict them."""
        alone = self.total is self.tp is self.fp is self.fn is self.tn is None
        return alone and self.p is not None and self.n is not None and not self.doubled

    def test_set(self) -> TestSet | None:
        """The test set these counts fix, if they fix both classes."""
        known = self if self.plain else self.completed()
        if known.p is None or known.n is None or known.conflict or known.p + known.n == 0:
            return None
        return TestSet(known.p, known.n)

    def matrix(self) -> ConfusionMatrix | None:
        """The confusion matrix, if all four cells are known."""
        return follow(self._stated()).matrix

    def completed(self) -> Counts:
        """What follows from the counts given, and the first contradiction among them."""
        known = follow(self._stated())
        values: dict[str, Any] = {**known.counts, "conflict": known.conflict}
        return replace(self, **values)

    def _stated(self) -> tuple[tuple[str, int], ...]:
        return tuple((name, number) for name, number in self.named() if name != "support")

    def merged(self, other: Counts) -> Counts:
        """Both together; where they differ, the first stands."""
        return Counts.of([*self.named(), *other.named()]) if self and other else self or other

    def printed(self) -> dict[str, list[int]]:
        """The counts of a confusion matrix as they stand in the row, each with all its values."""
        stated = self._stated()
        return {name: [number for other, number in stated if other == name] for name, _ in stated}

    def to_dict(self) -> dict[str, Any]:
        told = document(self, "tp fp fn tn p n total support conflict doubled")
        return {name: value for name, value in told.items() if value not in (None, "", [], ())}

    def __str__(self) -> str:
        return ", ".join(f"{name} {value}" for name, value in self.to_dict().items()) or "no counts"


NO_COUNTS = Counts()


def read_count(text: str, *, decimal_comma: bool = False) -> int | None:
    """A whole number, thousands separated or not, with its share of the whole or not; None for anything else.

    >>> [read_count(text) for text in ("1,234", "42.0000", "n=26", "4912 (52%)", "52 % (4912)", "12.5", "3 (4)")]
    [1234, 42, 26, 4912, 4912, None, None]
    """
    if len(text) < 20 and text.isascii() and text.isdigit():
        return int(text)
    text = text.strip().strip("*†‡§$").strip()
    if len(text) > 40:
        return None
    share = _COUNTED["before_share"].fullmatch(text) or _COUNTED["after_share"].fullmatch(text)
    form = _COUNTED["comma_count" if decimal_comma else "count"]
    match = form.fullmatch(share[1].strip() if share else text)
    return int(re.sub(r"\D", "", match[1])) if match else None


def counts_of_ratio(name: str, ratio: tuple[int, int]) -> Counts:
    """What "190/200" beside a score says: for sensitivity tp and p, for specificity tn and n, and so on."""
    pairs = zip(RATIOS.get(name, ()), ratio, strict=False) if ratio[0] <= ratio[1] else ()
    return Counts.of((label, count) for label, count in pairs if label != "-")


class CellKind(StrEnum):
    """What became of a cell."""

    NUMBER = "number"
    MISSING = "missing"
    TEXT = "text"  #: a label, or a column that is not tested
    UNREAD = "unread"


class ReadCell(NamedTuple):
    """One cell, read or unread: the value without a percent sign, with a point for a decimal comma.

    ``spread`` follows a ±, ``bracket`` may be a deviation, an error or a rank; ``ratio`` is of "95.0% (190/200)".
    """

    raw: str
    kind: CellKind
    number: str = ""
    percent: bool = False
    spread: str = ""
    bracket: str = ""
    ratio: tuple[int, int] | None = None
    why: str = ""

    def text(self, *, percent: bool | None = None, spread: str | None = None) -> str:
        """What ``check`` is to read: the value with its spread, and a percent sign if it is a percentage."""
        width = self.spread if spread is None else spread
        sign = "%" if (self.percent if percent is None else percent) else ""
        return f"{self.number} ± {width}{sign}" if width else f"{self.number}{sign}"

    def to_dict(self) -> dict[str, Any]:
        told = document(self, "raw kind number percent spread bracket why ratio")
        return {name: value for name, value in told.items() if value or (name == "percent" and self.number)}


@lru_cache(maxsize=1 << 16)  # large tables print the same few thousand numbers again and again
def read_cell(text: str, *, decimal_comma: bool = False) -> ReadCell:
    """Read one cell.

    >>> read_cell("95.67%").text(), read_cell("**70.00** (2.1)†").bracket, read_cell("–").kind.value
    ('95.67%', '2.1', 'missing')
    >>> read_cell("0.912 [0.88, 0.94]").number, read_cell("0.91²").number, read_cell("96.3/87.1").kind.value
    ('0.912', '0.91', 'unread')
    """
    if _SAYS["plain"].fullmatch(text):  # most cells; the grammar below says the same, more slowly
        return ReadCell(text, CellKind.NUMBER, text)
    if len(text) > _LONGEST:
        return ReadCell(text, CellKind.UNREAD, why=f"{len(text)} characters of text")
    core = _SAYS["bracketed"].sub(r"± \1", _SAYS["markup"].sub("", text.replace("\\%", "%")).strip())
    core = _without_marks(_SAYS["below"].sub(r"\1 (\2)", core))
    if core.lower() in MISSING:
        return ReadCell(text, CellKind.MISSING)
    if core.startswith("+"):
        return ReadCell(text, CellKind.UNREAD, why=DIFFERENCE)
    ratio: tuple[int, int] | None = None
    if match := _SAYS["ratio"].fullmatch(core):
        ratio = int(re.sub(r"\D", "", match["part"])), int(re.sub(r"\D", "", match["whole"]))
    if match := match or _SAYS["interval"].fullmatch(core):
        core = _without_marks(match["core"])
    if _SAYS["bound"].match(core):
        return ReadCell(text, CellKind.UNREAD, why="a bound or an approximation, not a value")
    try:
        read = read_text("cell", core, decimal_comma=decimal_comma)
    except InvalidValue as error:
        return ReadCell(text, CellKind.UNREAD, why=_reason(core, str(error)))
    # The grammar has accepted the text: a value, and at most one spread or bracket after it.
    value, *rest = _SAYS["sign"].split(core)
    value, _, bracket = value.partition("(")
    spread = _bare(rest[0]) if read.spread is not None and rest else ""
    bracket = _bare(bracket.partition(")")[0]) if read.bracket is not None else ""
    return ReadCell(text, CellKind.NUMBER, _bare(value), "%" in core, spread, bracket, ratio)


def _without_marks(text: str) -> str:
    """Without footnote signs and comparisons. Raised digits must go before they could lengthen the number."""
    while (match := _SAYS["trailing"].search(text)) and match.start():
        text = text[: match.start()].rstrip()
    return text


def _bare(text: str) -> str:
    """The digits alone; a comma has been accepted as decimal by the grammar."""
    return text.replace("%", "").replace(",", ".").strip()


def _reason(core: str, message: str) -> str:
    if "comma" in message:
        return "a comma that may be a decimal comma or separate thousands"
    if len(re.findall(r"\d+(?:[.,]\d+)?", core)) > 1:
        return "more than one number"
    return "not a number" if not re.search(r"\d", core) else "a number with something else"
