"""What one cell says: a number with its spread or interval, counts of cases, a dash, or something unread.

The numbers themselves are read by ``scoreproof.reported``; this module only takes off what surrounds them in a table:
footnote marks, bold, citations, confidence intervals, counts in brackets. Whatever does not fit stays in view as
unread, with the reason, and the raw text is kept in every case.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple

from scoreproof.errors import InvalidValue
from scoreproof.jsonable import document
from scoreproof.kinds.binary.experiment import TestSet
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.papers.table_semantics.words import PATTERNS
from scoreproof.reported.number import Printed, read_text

_COUNTED = PATTERNS["counts"]
_NAMES = {"tp": "tp", "fp": "fp", "fn": "fn", "tn": "tn", "p": "p", "n": "n", "pos": "p", "neg": "n"}
# What the counts of "95.0% (190/200)" stand for, by score: the part and the whole.
_RATIOS = {
    "sens": ("tp", "p"),
    "spec": ("tn", "n"),
    "acc": ("", "total"),
    "fnr": ("fn", "p"),
    "fpr": ("fp", "n"),
    "ppv": ("tp", ""),
    "npv": ("tn", ""),
    "err": ("", "total"),
}


@dataclass(frozen=True, slots=True)
class Counts:
    """What a row says about its counts; ``conflict`` says in words what contradicts what.

    ``doubled`` are counts that are printed a second time, with another value.
    """

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

    def __bool__(self) -> bool:
        return self.p is not None or self != NO_COUNTS

    def test_set(self) -> TestSet | None:
        """The test set these counts fix, if they fix both classes."""
        known = self if self.plain else self.completed()
        if known.p is None or known.n is None or known.conflict or known.p + known.n == 0:
            return None
        return TestSet(known.p, known.n)

    @property
    def plain(self) -> bool:
        """Whether p and n are given and nothing else that could add to or contradict them."""
        others = (self.total, self.tp, self.fp, self.fn, self.tn)
        return self.p is not None and self.n is not None and others == (None,) * 5

    def matrix(self) -> ConfusionMatrix | None:
        """The confusion matrix, if all four cells are known."""
        if self.tp is None and self.fn is None and self.fp is None and self.tn is None:
            return None
        known = self.completed()
        if known.tp is None or known.fp is None or known.fn is None or known.tn is None or known.conflict:
            return None
        return ConfusionMatrix(known.tp, known.fp, known.fn, known.tn)

    def completed(self) -> Counts:
        """What follows from the counts given, and the first contradiction among them."""
        values: dict[str, Any] = {name: getattr(self, name) for name in ("tp", "fp", "fn", "tn", "p", "n", "total")}
        conflict = self.conflict
        sums = (("p", "tp", "fn"), ("n", "tn", "fp"), ("total", "p", "n"))
        for _ in range(3):
            for whole, part, other in sums:
                a, b, c = values[whole], values[part], values[other]
                if b is not None and c is not None:
                    if a is None:
                        values[whole] = b + c
                    elif a != b + c and not conflict:
                        conflict = f"{part} {b} and {other} {c} do not add up to {whole} {a}"
                elif a is not None and (b is not None or c is not None):
                    rest = a - (b if b is not None else c or 0)
                    if rest < 0:
                        conflict = conflict or f"{part if b is not None else other} is more than {whole} {a}"
                    else:
                        values[other if b is not None else part] = rest
        return replace(self, **values, conflict=conflict)

    def merged(self, other: Counts) -> Counts:
        """Both together; where they differ, the first stands and the conflict is named."""
        if self is NO_COUNTS:
            return other
        if other is NO_COUNTS:
            return self
        values: dict[str, Any] = {}
        conflict = self.conflict or other.conflict
        doubled = [*self.doubled, *other.doubled]
        for field in fields(self):
            if field.name in ("conflict", "doubled"):
                continue
            ours, theirs = getattr(self, field.name), getattr(other, field.name)
            if ours is not None and theirs is not None and ours != theirs:
                conflict = conflict or f"{field.name} is {ours} and {theirs}"
                doubled.append((field.name, theirs))
            values[field.name] = ours if ours is not None else theirs
        return Counts(**values, conflict=conflict, doubled=tuple(doubled))

    def printed(self) -> dict[str, list[int]]:
        """The counts of a confusion matrix as they stand in the row, each with all its values."""
        names = ("tp", "fp", "fn", "tn", "p", "n", "total")
        stated = {name: [getattr(self, name)] for name in names if getattr(self, name) is not None}
        for name, value in self.doubled:
            stated.get(name, []).append(value)
        return stated

    @classmethod
    def in_columns(cls, cells: Sequence[ReadCell], columns: Mapping[str, int]) -> Counts:
        """The plain numbers in some columns of a row."""
        numbers: dict[str, Any] = {name: int(cells[column].number) for name, column in columns.items()}
        return cls(**numbers)

    @classmethod
    def of(cls, name: str, number: int) -> Counts:
        """One count by its name."""
        known: dict[str, Any] = {name: number}
        return cls(**known)

    def to_dict(self) -> dict[str, Any]:
        known = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in known.items() if value not in (None, "", ())}

    def __str__(self) -> str:
        return ", ".join(f"{name} {value}" for name, value in self.to_dict().items()) or "no counts"


NO_COUNTS = Counts()


def read_count(text: str, *, decimal_comma: bool = False) -> int | None:
    """A whole number, thousands separated or not, with its share of the whole or not; None for anything else.

    Where the table's decimals are commas, "42,000" may be either number and is not read.

    >>> [read_count(text) for text in ("1,234", "42.0000", "n=26", "4912 (52%)", "52 % (4912)", "12.5", "3 (4)")]
    [1234, 42, 26, 4912, 4912, None, None]
    >>> [read_count(text, decimal_comma=True) for text in ("1.234", "42,0", "42,000")]
    [1234, 42, None]
    """
    text = text.strip().strip("*†‡§$").strip()
    if len(text) > 40:
        return None
    share = _COUNTED["before_share"].fullmatch(text) or _COUNTED["after_share"].fullmatch(text)
    form = _COUNTED["comma_count" if decimal_comma else "count"]
    match = form.fullmatch(share[1].strip() if share else text)
    return int(re.sub(r"\D", "", match[1])) if match else None


def counts_in(text: str) -> Counts:
    """The labelled counts of a cell; none if fewer than two are labelled.

    >>> counts_in("TN 1068 / FP 200 / FN 97 / TP 510").matrix()
    ConfusionMatrix(tp=510, fp=200, fn=97, tn=1068)
    """
    if len(text) > 300 or len(_COUNTED["labels"].findall(text)) < 2:
        return NO_COUNTS
    counts: dict[str, Any] = {}
    for label, digits in _COUNTED["labelled"].findall(text):
        name = _NAMES[label.lower()]
        if name in counts:
            return NO_COUNTS
        number = read_count(digits)
        if number is not None:
            counts[name] = number
    return Counts(**counts) if len(counts) >= 2 else NO_COUNTS


def counts_of_ratio(name: str, part: int, whole: int) -> Counts:
    """What "190/200" beside a score says: for sensitivity tp and p, for specificity tn and n, and so on."""
    names = _RATIOS.get(name)
    if names is None or part > whole:
        return Counts()
    known: dict[str, Any] = {label: number for label, number in zip(names, (part, whole), strict=True) if label}
    return Counts(**known)


_SAYS = PATTERNS["cells"]
_LONGEST = 200
_MISSING = {
    "", "-", "--", "---", "−", "–", "—", "―", "n/a", "na", "n.a.", "n.a", "nan", "n/r", "nr", "n.r.", "not reported",
    "not available", "not applicable", "not given", "unknown", "none", "null", "/", "…", "...", "·", "?",
}  # fmt: skip
DIFFERENCE = "a difference, not a score"


class CellKind(StrEnum):
    """What became of a cell."""

    NUMBER = "number"
    COUNTS = "counts"  #: labelled counts such as TN 1068 / FP 200
    MISSING = "missing"
    TEXT = "text"  #: a label, or a column that is not tested
    UNREAD = "unread"


class ReadCell(NamedTuple):
    """One cell, read or unread.

    ``number`` is the text of the value as printed, without a percent sign and with a point for a decimal comma;
    ``spread`` follows a ±, ``bracket`` stands in round brackets and may be a deviation, an error or a rank.
    ``interval`` holds the two ends of a confidence interval and ``ratio`` the counts of "95.0% (190/200)".
    ``markers`` are footnote signs. ``why`` says why a cell is unread.
    """

    raw: str
    kind: CellKind
    number: str = ""
    percent: bool = False
    spread: str = ""
    bracket: str = ""
    interval: tuple[str, str] | None = None
    ratio: tuple[int, int] | None = None
    markers: tuple[str, ...] = ()
    why: str = ""

    def text(self, *, percent: bool | None = None, spread: str | None = None) -> str:
        """What ``check`` is to read: the value with its spread, and a percent sign if it is a percentage."""
        width = self.spread if spread is None else spread
        sign = "%" if (self.percent if percent is None else percent) else ""
        return f"{self.number} ± {width}{sign}" if width else f"{self.number}{sign}"

    def to_dict(self) -> dict[str, Any]:
        told = document(self, "raw kind number percent spread bracket why interval ratio markers")
        return {name: value for name, value in told.items() if value or (name == "percent" and self.number)}

    def __str__(self) -> str:
        return self.text() if self.kind is CellKind.NUMBER else f"{self.kind}: {self.raw}"


@lru_cache(maxsize=1 << 16)  # large tables print the same few thousand numbers again and again
def plain_cell(text: str) -> ReadCell | None:
    """A cell that holds a decimal number and nothing else; None otherwise."""
    return ReadCell(text, CellKind.NUMBER, text) if _SAYS["plain"].fullmatch(text) else None


def read_cell(text: str, *, decimal_comma: bool = False) -> ReadCell:
    """Read one cell.

    >>> read_cell("95.67%").text(), read_cell("**70.00** (2.1)†").bracket, read_cell("–").kind.value
    ('95.67%', '2.1', 'missing')
    >>> read_cell("0.912 [0.88, 0.94]").interval, read_cell("0.91²").number, read_cell("96.3/87.1").kind.value
    (('0.88', '0.94'), '0.91', 'unread')
    >>> read_cell("0.833_0.177").number, read_cell("0.833_0.177").bracket
    ('0.833', '0.177')
    """
    plain = plain_cell(text)  # most cells; the grammar below says the same, more slowly
    if plain is not None:
        return plain
    if len(text) > _LONGEST:
        return ReadCell(text, CellKind.UNREAD, why=f"{len(text)} characters of text")
    core = _SAYS["bracketed"].sub(r"± \1", _SAYS["markup"].sub("", text.replace("\\%", "%")).strip())
    if core.lower() in _MISSING:
        return ReadCell(text, CellKind.MISSING)
    below = _SAYS["below"].fullmatch(core)
    core = f"{below[1]} ({below[2]})" if below else core.replace("_", "") if _SAYS["lowered"].fullmatch(core) else core
    core, markers = _without_marks(core)
    if core.lower() in _MISSING:
        return ReadCell(text, CellKind.MISSING, markers=markers)
    if core.startswith("+"):
        return ReadCell(text, CellKind.UNREAD, why=DIFFERENCE)
    change = _SAYS["change"].search(core)
    if change:
        core, markers = core[: change.start()], (change[0].strip(), *markers)
    interval: tuple[str, str] | None = None
    ratio: tuple[int, int] | None = None
    match = _SAYS["ratio"].fullmatch(core)
    if match:
        ratio = _whole(match["part"]), _whole(match["whole"])
        core = match["core"]
    else:
        match = _SAYS["interval"].fullmatch(core)
        if match and _is_number(match["low"], decimal_comma) and _is_number(match["high"], decimal_comma):
            interval = _bare(match["low"]), _bare(match["high"])
            core = match["core"]
    core, more = _without_marks(core)
    if _SAYS["bound"].match(core):
        return ReadCell(text, CellKind.UNREAD, why="a bound or an approximation, not a value")
    try:
        read = read_text("cell", core, decimal_comma=decimal_comma)
    except InvalidValue as error:
        return ReadCell(text, CellKind.UNREAD, markers=(*more, *markers), why=_reason(core, str(error)))
    # The grammar has accepted the text: a value, and at most one spread or bracket after it.
    value, *rest = _SAYS["sign"].split(core)
    value, _, bracket = value.partition("(")
    return ReadCell(
        text,
        CellKind.NUMBER,
        _bare(value),
        "%" in core,
        _bare(rest[0]) if read.spread is not None and rest else "",
        _bare(bracket.partition(")")[0]) if read.bracket is not None else "",
        interval,
        ratio,
        (*more, *markers),
    )


@lru_cache(maxsize=4096)
def _printed(number: str) -> Printed:
    return read_text("cell", number).number


def value_of(cell: ReadCell) -> Printed:
    """The number of a read cell as it stands, no percent applied."""
    return _printed(cell.number)


def _without_marks(text: str) -> tuple[str, tuple[str, ...]]:
    """The text without footnote signs around it. Raised digits must go before they could lengthen the number."""
    markers: list[str] = []
    while True:
        match = _SAYS["trailing"].search(text)
        if match is None or match.start() == 0:
            break
        markers.insert(0, match[0].strip())
        text = text[: match.start()].rstrip()
    lead = _SAYS["leading"].match(text)
    if lead and len(lead[0]) < len(text):
        markers.insert(0, lead[0].strip())
        text = text[lead.end() :]
    return text, tuple(markers)


def _is_number(text: str, decimal_comma: bool) -> bool:
    try:
        return read_text("cell", text, decimal_comma=decimal_comma).spread is None
    except InvalidValue:
        return False


def _bare(text: str) -> str:
    """The digits alone; a comma has been accepted as decimal by the grammar."""
    return text.replace("%", "").replace(",", ".").strip()


def _whole(text: str) -> int:
    return int(re.sub(r"[, ]", "", text))


def _reason(core: str, message: str) -> str:
    if "comma" in message:
        return "a comma that may be a decimal comma or separate thousands"
    if len(re.findall(r"\d+(?:[.,]\d+)?", core)) > 1:
        return "more than one number"
    return "not a number" if not re.search(r"\d", core) else "a number with something else"
