"""What one cell says: a number with its spread or interval, a dash, or something unread.

The numbers themselves are read by ``scoreproof.reported``; this module only takes off what surrounds them in a table:
footnote marks, bold, citations, confidence intervals, counts in brackets. Whatever does not fit stays in view as
unread, with the reason, and the raw text is kept in every case.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple

from scoreproof.errors import InvalidValue
from scoreproof.jsonable import document
from scoreproof.papers.table_semantics.words import PATTERNS
from scoreproof.reported.number import Printed, read_text

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
    found = _SAYS["ratio"].fullmatch(core)
    if found:
        ratio = _whole(found["part"]), _whole(found["whole"])
        core = found["core"]
    else:
        found = _SAYS["interval"].fullmatch(core)
        if found and _is_number(found["low"], decimal_comma) and _is_number(found["high"], decimal_comma):
            interval = _bare(found["low"]), _bare(found["high"])
            core = found["core"]
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
