"""What stands on a PDF page, from PDFium: its glyphs with their baselines, and the straight lines and boxes it draws.

PDFium gives both some ten to forty times as fast as parsers in Python, so that a thesis is read within the limits.
Places are in points from the upper left corner of the page as it is shown; a page that is stored sideways is turned.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple

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
_UNREADABLE = {4: "the PDF asks for a password; save a copy without one, and give that"}  # FPDF_ERR_PASSWORD

Matrix = tuple[float, float, float, float, float, float]


@dataclass(frozen=True, slots=True)
class Glyph:
    """A character: its sides, its baseline, and where its line runs: 0 to the right, 1 up, -1 down.

    ``blank`` if the text has a blank before it, or PDFium thinks so.
    """

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


class DrawnShape(NamedTuple):
    """A straight line, or a box; ``stroke`` if its border is drawn."""

    x0: float
    x1: float
    top: float
    bottom: float
    stroke: bool


@dataclass(frozen=True, slots=True)
class Page:
    """Everything that is read of a page."""

    width: float
    height: float
    glyphs: Sequence[Glyph]
    shapes: Sequence[DrawnShape] = ()
    pictures: bool = False

    def turned(self) -> Page | None:
        """The page with its rotated text upright, for tables set sideways; None where hardly any text is rotated."""
        up = sum(glyph.turn for glyph in self.glyphs) >= 0
        rotated = [glyph for glyph in self.glyphs if glyph.turn == (1 if up else -1)]
        if len(rotated) < _FEWEST_TURNED:
            return None

        def box(part: Glyph | DrawnShape) -> tuple[float, float, float, float]:
            """What ran up the page now runs to the right."""
            if up:
                return self.height - part.bottom, self.height - part.top, part.x0, part.x1
            return part.top, part.bottom, self.width - part.x1, self.width - part.x0

        glyphs = []
        for glyph in rotated:
            x0, x1, top, bottom = box(glyph)
            baseline = glyph.y if up else self.width - glyph.y
            glyphs.append(replace(glyph, x0=x0, x1=x1, top=top, bottom=bottom, y=baseline, turn=0))
        return Page(self.height, self.width, glyphs, [DrawnShape(*box(shape), shape.stroke) for shape in self.shapes])


class Pages:
    """The pages of a PDF, one after the other."""

    def __init__(self, name: str, data: bytes) -> None:
        pdfium = need("pypdfium2", "pdf", "PDF files")
        self._raw: Any = need("pypdfium2.raw", "pdf", "PDF files")
        try:
            self._document = pdfium.PdfDocument(data)
        except pdfium.PdfiumError as error:
            unknown = f"not a readable PDF ({str(error).rstrip('.')}); save it anew in a viewer"
            why = _UNREADABLE.get(getattr(error, "err_code", 0), unknown)
            raise UnreadableInput(f"{name}: {why}") from None
        self._error = pdfium.PdfiumError

    def __len__(self) -> int:
        return len(self._document)

    def page(self, index: int) -> Page | None:
        """One page; None where it is damaged."""
        try:
            page = self._document[index]
        except self._error:
            return None
        try:
            return _Reading(self._raw, page).page()
        finally:
            page.close()


class _Reading:
    """Reads one page."""

    def __init__(self, raw: Any, page: Any) -> None:
        self._raw, self._page = raw, page
        turns, (x0, y0, x1, y1) = page.get_rotation() // 90, page.get_bbox()
        upright, across = (1, 0, 0, -1, -x0, y1), (0, 1, 1, 0, -y0, -x0)
        # From a place of the file to where it is shown.
        self._matrix: Matrix = (upright, across, (-1, 0, 0, 1, x1, -y0), (0, -1, -1, 0, y1, x1))[turns]
        self._size = (x1 - x0, y1 - y0) if turns % 2 == 0 else (y1 - y0, x1 - x0)
        self._objects = 0
        self._pictures = False

    def page(self) -> Page:
        glyphs, shapes = list(self._glyphs()), list(self._shapes(self._page.raw, self._matrix, 0))
        return Page(*self._size, glyphs, shapes, self._pictures)

    def _glyphs(self) -> Iterator[Glyph]:
        raw, matrix = self._raw, self._matrix
        text = raw.FPDFText_LoadPage(self._page.raw)
        x, y, box = ctypes.c_double(), ctypes.c_double(), raw.FS_RECTF()
        fonts: dict[int, tuple[float, bool, int | None]] = {}
        blank = False
        try:
            for index in range(raw.FPDFText_CountChars(text)):
                code = raw.FPDFText_GetUnicode(text, index)
                shown = "" if code in _BLANKS else self._character(text, index, code)
                blank = blank or code in _BLANKS
                if not shown:
                    continue
                part = ctypes.cast(raw.FPDFText_GetTextObject(text, index), ctypes.c_void_p).value or 0
                if part not in fonts:
                    fonts[part] = self._font(text, index)
                size, bold, turn = fonts[part]
                if turn is None or not raw.FPDFText_GetCharOrigin(text, index, x, y):
                    continue
                raw.FPDFText_GetLooseCharBox(text, index, box)
                left, top = _moved(matrix, box.left, box.top)
                right, bottom = _moved(matrix, box.right, box.bottom)
                across, baseline = _moved(matrix, x.value, y.value)
                sides = (min(left, right), max(left, right), min(top, bottom), max(top, bottom))
                yield Glyph(shown, *sides, across if turn else baseline, size, bold, turn, blank)
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
        name = ctypes.create_string_buffer(_FONT_NAME)
        raw.FPDFText_GetFontInfo(text, index, name, _FONT_NAME, None)
        right, down = _moved((*self._matrix[:4], 0, 0), matrix.a, matrix.b)
        turn: int | None = None
        if abs(down) <= _SLANT * right:
            turn = 0
        elif abs(right) <= _SLANT * abs(down):
            turn = 1 if down < 0 else -1
        return size, _BOLD.search(name.value.decode("utf-8", "replace")) is not None, turn

    def _shapes(self, parent: Any, outer: Matrix, depth: int) -> Iterator[DrawnShape]:
        raw, matrix = self._raw, self._raw.FS_MATRIX()
        count = raw.FPDFFormObj_CountObjects if depth else raw.FPDFPage_CountObjects
        child = raw.FPDFFormObj_GetObject if depth else raw.FPDFPage_GetObject
        for index in range(count(parent)):
            self._objects += 1
            if self._objects > _MOST_OBJECTS:
                return
            part = child(parent, index)
            kind = raw.FPDFPageObj_GetType(part)
            self._pictures = self._pictures or kind == raw.FPDF_PAGEOBJ_IMAGE
            if kind in (raw.FPDF_PAGEOBJ_PATH, raw.FPDF_PAGEOBJ_FORM):
                raw.FPDFPageObj_GetMatrix(part, matrix)
                own = _product((matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f), outer)
                if kind == raw.FPDF_PAGEOBJ_PATH:
                    yield from self._path(part, own)
                elif depth < _DEEPEST:
                    yield from self._shapes(part, own, depth + 1)

    def _path(self, part: Any, matrix: Matrix) -> Iterator[DrawnShape]:
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
            pieces[-1].append(_moved(matrix, x.value, y.value))
        for points in pieces:
            across, down = [point[0] for point in points], [point[1] for point in points]
            sides = (min(across), max(across), min(down), max(down))
            if len(points) > 2 and _is_box(points, sides):
                if fill.value or stroke.value:
                    yield DrawnShape(*sides, bool(stroke.value))
            elif stroke.value:
                for (x0, y0), (x1, y1) in pairwise(points):
                    if abs(x0 - x1) < 1 or abs(y0 - y1) < 1:
                        yield DrawnShape(min(x0, x1), max(x0, x1), min(y0, y1), max(y0, y1), True)


def _is_box(points: Sequence[tuple[float, float]], sides: tuple[float, float, float, float]) -> bool:
    """Whether points are the corners of a box with upright sides."""
    x0, x1, top, bottom = sides
    corners = {(abs(x - x0) <= abs(x - x1), abs(y - top) <= abs(y - bottom)) for x, y in points}
    upright = all(min(abs(x - x0), abs(x - x1)) < 0.5 and min(abs(y - top), abs(y - bottom)) < 0.5 for x, y in points)
    return 4 <= len(points) <= 5 and upright and (len(corners) == 4 or x1 - x0 < 3 or bottom - top < 3)


def _moved(matrix: Matrix, x: float, y: float) -> tuple[float, float]:
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def _product(inner: Matrix, outer: Matrix) -> Matrix:
    a, b, c, d, *origin = inner
    return (*_moved((*outer[:4], 0, 0), a, b), *_moved((*outer[:4], 0, 0), c, d), *_moved(outer, *origin))
