"""What stands on a PDF page, from PDFium: its glyphs, their words and lines, and the straight lines and boxes it draws.

PDFium reads some ten to forty times as fast as parsers in Python. Places are in points from the upper left corner of
the page as it is shown. Glyphs are gathered into lines by their baselines (the boxes of mathematical fonts mislead);
small raised or lowered ones are marked, so that no footnote lengthens a number.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from statistics import median
from typing import Any, NamedTuple, TypeVar

from scoreproof.documents.readers.hypertext import subscript, superscript
from scoreproof.errors import UnreadableInput, need

_BOLD = re.compile(r"bold|heavy|black|cmbx|cmmib|cmbsy|sfbx|-bd", re.IGNORECASE)
_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
_BLANKS = {9, 10, 13, 32, 0xA0}
_HYPHENS = {2, 0xAD}  # PDFium gives the one that divides a word at the end of a line as 2
UNKNOWN = "\ufffd"  # a glyph for which the file names no character
_MOST_OBJECTS = 60_000  # of a page; what comes after them is a drawing
_MOST_SEGMENTS = 400  # of a path; more are a curve
_DEEPEST = 5  # forms within forms
_FEWEST_TURNED = 30  # rotated glyphs of a page set sideways; fewer are labels of axes, or a stamp in the margin
_SLANT = 0.1  # of its length that a line of text may rise
_FONT_NAME = 200  # bytes
_BLANK = 0.18  # gap between words, as a share of the type size
_MARKED = 0.05  # the same where the text itself has a blank: an italic f hangs over it
_SMALL = 0.87  # glyphs below this share of the line's type size may be raised or lowered
_LOCKED = "the PDF asks for a password; save a copy without one, and give that"


class Glyph(NamedTuple):
    """A character: its sides and baseline, where its line runs (0 right, 1 up, -1 down), its place in the file."""

    text: str
    x0: float
    x1: float
    top: float
    bottom: float
    y: float
    size: float
    bold: bool = False
    turn: int = 0
    blank: bool = False
    order: int = 0


class DrawnShape(NamedTuple):
    """A straight line, or a box; ``stroke`` if its border is drawn."""

    x0: float
    x1: float
    top: float
    bottom: float
    stroke: bool


_Part = TypeVar("_Part", Glyph, DrawnShape)


class Page(NamedTuple):
    """Everything that is read of a page."""

    width: float
    height: float
    glyphs: Sequence[Glyph]
    shapes: Sequence[DrawnShape] = ()
    pictures: bool = False

    def turned(self) -> Page | None:
        """The page with its rotated text upright, for tables set sideways; None where hardly any text is rotated."""
        up, width, height = sum(glyph.turn for glyph in self.glyphs) >= 0, self.width, self.height
        rotated = [glyph for glyph in self.glyphs if glyph.turn == (1 if up else -1)]
        if len(rotated) < _FEWEST_TURNED:
            return None

        def upright(part: _Part) -> _Part:
            """What ran up the page now runs to the right."""
            x0, x1, top, bottom = part.top, part.bottom, width - part.x1, width - part.x0
            if up:
                x0, x1, top, bottom = height - part.bottom, height - part.top, part.x0, part.x1
            return part._replace(x0=x0, x1=x1, top=top, bottom=bottom)

        glyphs = [upright(glyph._replace(y=glyph.y if up else width - glyph.y, turn=0)) for glyph in rotated]
        return Page(height, width, glyphs, list(map(upright, self.shapes)))


class Pages:
    """The pages of a PDF, one after the other."""

    def __init__(self, name: str, data: bytes) -> None:
        self._pdfium: Any = need("pypdfium2", "pdf", "PDF files")
        try:
            self._document = self._pdfium.PdfDocument(data)
        except self._pdfium.PdfiumError as error:
            unknown = f"not a readable PDF ({str(error).rstrip('.')}); save it anew in a viewer"
            locked = getattr(error, "err_code", 0) == self._pdfium.raw.FPDF_ERR_PASSWORD
            raise UnreadableInput(f"{name}: {_LOCKED if locked else unknown}") from None

    def __len__(self) -> int:
        return len(self._document)

    def page(self, index: int) -> Page | None:
        """One page; None where it is damaged."""
        try:
            page = self._document[index]
        except self._pdfium.PdfiumError:
            return None
        try:
            reading = _Reading(self._pdfium, page)
            shapes = list(reading.shapes(page.raw, reading.matrix, 0))
            return Page(*reading.size, list(reading.glyphs()), shapes, reading.pictures)
        finally:
            page.close()


class _Reading:
    """Reads one page."""

    def __init__(self, pdfium: Any, page: Any) -> None:
        self._raw, self._page, self._of_raw = pdfium.raw, page, pdfium.PdfMatrix.from_raw
        turns, (x0, y0, x1, y1) = page.get_rotation() // 90, page.get_bbox()
        upright, across = (1, 0, 0, -1, -x0, y1), (0, 1, 1, 0, -y0, -x0)
        # From a place of the file to where it is shown.
        self.matrix = pdfium.PdfMatrix(*(upright, across, (-1, 0, 0, 1, x1, -y0), (0, -1, -1, 0, y1, x1))[turns])
        self.size = (x1 - x0, y1 - y0) if turns % 2 == 0 else (y1 - y0, x1 - x0)
        self._objects = 0
        self.pictures = False

    def glyphs(self) -> Iterator[Glyph]:
        raw, shown_at = self._raw, self.matrix.on_point
        text = raw.FPDFText_LoadPage(self._page.raw)
        x, y, box = ctypes.c_double(), ctypes.c_double(), raw.FS_RECTF()
        fonts: dict[int, tuple[float, bool, int | None]] = {}
        blank = False
        try:
            for index in range(raw.FPDFText_CountChars(text)):
                code = raw.FPDFText_GetUnicode(text, index)
                blank = blank or code in _BLANKS
                if code in _BLANKS or not (shown := self._character(text, index, code)):
                    continue
                part = ctypes.cast(raw.FPDFText_GetTextObject(text, index), ctypes.c_void_p).value or 0
                if part not in fonts:
                    fonts[part] = self._font(text, index)
                size, bold, turn = fonts[part]
                if turn is None or not raw.FPDFText_GetCharOrigin(text, index, x, y):
                    continue
                raw.FPDFText_GetLooseCharBox(text, index, box)
                sides = _sides([shown_at(box.left, box.top), shown_at(box.right, box.bottom)])
                yield Glyph(shown, *sides, shown_at(x.value, y.value)[not turn], size, bold, turn, blank, index)
                blank = False
        finally:
            raw.FPDFText_ClosePage(text)

    def _character(self, text: Any, index: int, code: int) -> str:
        """What a glyph stands for; nothing for one that cannot be seen."""
        if code in _HYPHENS:
            return "-"
        if code < 32 or 0xD800 <= code < 0xE000 or self._raw.FPDFText_IsGenerated(text, index) == 1:
            return ""
        if code == 0xFFFE or self._raw.FPDFText_HasUnicodeMapError(text, index) == 1:
            return UNKNOWN
        return _LIGATURES.get(chr(code), chr(code))

    def _font(self, text: Any, index: int) -> tuple[float, bool, int | None]:
        """The size of the type of a text, whether it is bold, and where it runs; None for text that is slanted."""
        raw, matrix = self._raw, self._raw.FS_MATRIX()
        raw.FPDFText_GetMatrix(text, index, matrix)
        size = raw.FPDFText_GetFontSize(text, index) * (matrix.c**2 + matrix.d**2) ** 0.5
        shown = self._of_raw(matrix).multiply(self.matrix)
        name = ctypes.create_string_buffer(_FONT_NAME)
        raw.FPDFText_GetFontInfo(text, index, name, _FONT_NAME, None)
        level, upright = abs(shown.b) <= _SLANT * shown.a, abs(shown.a) <= _SLANT * abs(shown.b)
        turn = 0 if level else (1 if shown.b < 0 else -1) if upright else None
        return size, _BOLD.search(name.value.decode("utf-8", "replace")) is not None, turn

    def shapes(self, parent: Any, outer: Any, depth: int) -> Iterator[DrawnShape]:
        raw, matrix = self._raw, self._raw.FS_MATRIX()
        count = raw.FPDFFormObj_CountObjects if depth else raw.FPDFPage_CountObjects
        child = raw.FPDFFormObj_GetObject if depth else raw.FPDFPage_GetObject
        for index in range(count(parent)):
            self._objects += 1
            if self._objects > _MOST_OBJECTS:
                return
            part = child(parent, index)
            kind = raw.FPDFPageObj_GetType(part)
            self.pictures = self.pictures or kind == raw.FPDF_PAGEOBJ_IMAGE
            if kind in (raw.FPDF_PAGEOBJ_PATH, raw.FPDF_PAGEOBJ_FORM):
                raw.FPDFPageObj_GetMatrix(part, matrix)
                own = self._of_raw(matrix).multiply(outer)
                if kind == raw.FPDF_PAGEOBJ_PATH:
                    yield from self._path(part, own)
                elif depth < _DEEPEST:
                    yield from self.shapes(part, own, depth + 1)

    def _path(self, part: Any, matrix: Any) -> Iterator[DrawnShape]:
        """The straight lines of a path that is stroked, and the boxes of one that is filled."""
        raw = self._raw
        fill, stroke = ctypes.c_int(), ctypes.c_int()
        count = raw.FPDFPath_CountSegments(part)
        if not 2 <= count <= _MOST_SEGMENTS or not raw.FPDFPath_GetDrawMode(part, fill, stroke):
            return
        x, y = ctypes.c_float(), ctypes.c_float()
        pieces: list[list[tuple[float, float]]] = []
        for index in range(count):
            segment = raw.FPDFPath_GetPathSegment(part, index)
            kind = raw.FPDFPathSegment_GetType(segment)
            if kind not in (raw.FPDF_SEGMENT_MOVETO, raw.FPDF_SEGMENT_LINETO):
                return  # a curve
            raw.FPDFPathSegment_GetPoint(segment, x, y)
            if kind == raw.FPDF_SEGMENT_MOVETO or not pieces:
                pieces.append([])
            pieces[-1].append(matrix.on_point(x.value, y.value))
        for points in pieces:
            if _is_box(points):
                if fill.value or stroke.value:
                    yield DrawnShape(*_sides(points), bool(stroke.value))
            elif stroke.value:
                lines = map(_sides, pairwise(points))
                yield from (DrawnShape(*line, True) for line in lines if min(line[1] - line[0], line[3] - line[2]) < 1)


def _sides(points: Sequence[tuple[float, float]]) -> tuple[float, float, float, float]:
    """The left, right, upper and lower side of the box around points."""
    across, down = zip(*points, strict=True)
    return min(across), max(across), min(down), max(down)


def _is_box(points: Sequence[tuple[float, float]]) -> bool:
    """Whether points are the corners of a box with upright sides."""
    x0, x1, top, bottom = _sides(points)
    near = all(min(abs(x - x0), abs(x - x1)) < 0.5 and min(abs(y - top), abs(y - bottom)) < 0.5 for x, y in points)
    return 4 <= len(points) <= 5 and near


class Word(NamedTuple):
    """Glyphs without a blank between them."""

    text: str
    x0: float
    x1: float
    size: float
    bold: bool = False
    order: int = 0

    @property
    def middle(self) -> float:
        return (self.x0 + self.x1) / 2


class Line(NamedTuple):
    """Words on one baseline, from left to right; ``y`` grows downwards."""

    y: float
    words: tuple[Word, ...]

    @property
    def size(self) -> float:
        return median(word.size for word in self.words)

    @property
    def text(self) -> str:
        return text_of(self.words)

    def within(self, left: float, right: float) -> Line | None:
        """The part of the line between two places."""
        kept = tuple(word for word in self.words if left <= word.middle <= right)
        return Line(self.y, kept) if kept else None

    def segments(self, gap: float) -> list[tuple[Word, ...]]:
        """Words that are less than ``gap`` type sizes apart stay together."""
        far = gap * self.size
        starts = [at for at, (left, right) in enumerate(pairwise(self.words), 1) if right.x0 - left.x1 >= far]
        return [self.words[start:end] for start, end in pairwise([0, *starts, len(self.words)])]


def text_of(words: Sequence[Word]) -> str:
    """Words with a blank between them."""
    return " ".join(word.text for word in words)


def lines_of(page: Page) -> list[Line]:
    """The lines of a page, top to bottom; text at right angles is left out."""
    rows: list[list[Glyph]] = []
    for glyph in sorted((glyph for glyph in page.glyphs if not glyph.turn), key=lambda glyph: glyph.y):
        if rows and glyph.y - rows[-1][0].y <= 0.2 * glyph.size:
            rows[-1].append(glyph)
        else:
            rows.append([glyph])
    return [_line(row) for row in _with_raised(rows) if row]


def _with_raised(rows: list[list[Glyph]]) -> list[list[Glyph]]:
    """Small glyphs a little above or below a line join it where they touch one of its glyphs, or one that joined."""
    sizes = [max(glyph.size for glyph in row) for row in rows]
    kept: list[list[Glyph]] = [[] for _ in rows]
    for index, row in enumerate(rows):
        joined: dict[int, Glyph] = {}  # of each line the last glyph of this one that joined it
        near = [at for at in (index - 1, index + 1, index - 2, index + 2) if 0 <= at < len(rows)]
        for glyph in sorted(row, key=lambda glyph: glyph.x0):
            home = index
            for other in near:
                reach, last = 0.25 * sizes[other], joined.get(other)
                if glyph.size >= _SMALL * sizes[other] or abs(rows[other][0].y - glyph.y) > 0.6 * sizes[other]:
                    continue
                if (last is not None and abs(glyph.x0 - last.x1) <= reach) or any(
                    abs(glyph.x0 - beside.x1) <= reach and beside.size > glyph.size for beside in rows[other]
                ):
                    home, joined[other] = other, glyph
                    break
            kept[home].append(glyph)
    return kept


def _line(row: list[Glyph]) -> Line:
    size = max(glyph.size for glyph in row)
    baseline = median(glyph.y for glyph in row if glyph.size >= _SMALL * size)
    row.sort(key=lambda glyph: glyph.x0)
    gaps = enumerate(pairwise(row), 1)
    starts = [at for at, (a, b) in gaps if b.x0 - a.x1 > (_MARKED if b.blank else _BLANK) * size]
    words = (_word(row[start:end], baseline, size) for start, end in pairwise([0, *starts, len(row)]))
    return Line(baseline, tuple(words))


def _word(glyphs: Sequence[Glyph], baseline: float, size: float) -> Word:
    def side(glyph: Glyph) -> int:
        """1 for one that is raised, -1 for one that is lowered."""
        shift = (baseline - glyph.y) / size if glyph.size < _SMALL * size else 0.0
        return (shift > 0.1) - (shift < -0.05)

    text = ""
    for shifted, run in groupby(glyphs, key=side):
        part = "".join(glyph.text for glyph in run)
        text += superscript(part) if shifted > 0 else subscript(text, part) if shifted else part
    bold = all(glyph.bold for glyph in glyphs if glyph.text.isalnum()) and any(glyph.bold for glyph in glyphs)
    return Word(text, glyphs[0].x0, glyphs[-1].x1, size, bold, glyphs[0].order)
