"""Tables of PDF files that carry text (a scanned page does not)."""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Iterator
from typing import Any

from scoreproof.documents.contents import Contents
from scoreproof.documents.grid import tidy
from scoreproof.documents.readers.pdf_columns import grid_of
from scoreproof.documents.readers.pdf_prose import PageTexts
from scoreproof.documents.readers.pdf_regions import Region, regions_of
from scoreproof.documents.readers.pdf_turned import turned
from scoreproof.documents.readers.pdf_words import Line, lines_of
from scoreproof.documents.source import Source
from scoreproof.documents.table import Position, Table
from scoreproof.errors import UnreadableInput
from scoreproof.extras import need

_CAPTION = re.compile(r"(?:Supplementary\s+)?(?:Table|Tab\.)\s*\S", re.IGNORECASE)
_LABEL = re.compile(
    r"((?:Supplementary\s+)?Tab(?:le|\.)\s*(?:[A-Z]?\d{1,3}|[IVXL]{1,6}))(?:\s*[.:]|$)",
    re.IGNORECASE,
)
_MOST_PAGES = 300
_MOST_MISSING = 50  # captions without a table that are named
_FAR = 60.0  # points between a caption and its table


def read(source: Source) -> Contents:
    """The tables of all pages."""
    pdfplumber = need("pdfplumber", "pdf", "PDF files")
    logging.getLogger("pdfminer").setLevel(logging.ERROR)
    tables: list[Table] = []
    problems: list[str] = []
    text = PageTexts()
    captions: dict[str, int] = {}  # by their numbers: the page where each stands first
    try:
        with pdfplumber.open(io.BytesIO(source.data)) as document:
            pages = document.pages
            if len(pages) > _MOST_PAGES:
                raise UnreadableInput(f"{source.name}: {len(pages)} pages; at most {_MOST_PAGES} are read")
            glyphs = 0
            for number, page in enumerate(pages, 1):
                glyphs += len(page.chars)
                once = page.dedupe_chars()
                _read_page(once, number, tables, problems, text, captions, source)
                sideways = turned(once)
                if sideways is not None:
                    _read_page(sideways, number, tables, problems, text, captions, source)
                page.close()
    except UnreadableInput:
        raise
    except Exception as error:  # pdfminer raises whatever a damaged or encrypted file makes it meet
        kind = type(error).__name__
        words = "it asks for a password" if "Password" in kind else f"{kind}: {error}"
        raise UnreadableInput(f"{source.name}: not a readable PDF ({tidy(words)[:200]})") from None
    if glyphs == 0:
        raise UnreadableInput(
            f"{source.name}: the PDF has no text, its pages are pictures; run character recognition (OCR) on it first"
        )
    problems += _without_table(captions, tables)
    return Contents(tables, problems, text.paragraphs())


def _labels(lines: list[Line]) -> Iterator[str]:
    """The numbers of the captions that begin in some lines: "Table 5:"."""
    for line in lines:
        for part in line.segments(1.5):
            match = _LABEL.match(" ".join(word.text for word in part[:3]))
            if match is not None:
                yield tidy(match[1]).lower()


def _without_table(captions: dict[str, int], tables: list[Table]) -> Iterator[str]:
    """Words for every caption under which no table was found: a table may be drawn in a way that is not read."""
    found = {tidy(match[1]).lower() for table in tables if (match := _LABEL.match(table.caption)) is not None}
    missing = [(label, page) for label, page in captions.items() if label not in found]
    for label, page in missing[:_MOST_MISSING]:
        yield f"page {page}: no table was read under the caption of {label}"
    if len(missing) > _MOST_MISSING:
        yield f"no table was read under {len(missing) - _MOST_MISSING:,} more captions"


def _read_page(
    page: Any,
    number: int,
    tables: list[Table],
    problems: list[str],
    text: PageTexts,
    captions: dict[str, int],
    source: Source,
) -> None:
    lines = lines_of(page)
    for label in _labels(lines):
        captions.setdefault(label, number)
    if not lines:
        if page.images:
            problems.append(f"page {number} is a picture without text and was not read")
        return
    regions = regions_of(page, lines)
    text.add(number, lines, regions, float(page.width))
    for region in regions:
        draft, headers, notes = grid_of(region)
        if len(draft.rows) < 2 or len(draft.rows[0]) < 2:
            continue
        tables.append(
            draft.table(
                Position(len(tables), page=number),
                header_rows=headers,
                caption=_caption(region, lines),
                source=source.name,
                kind="pdf",
                notes=notes,
            )
        )


def _caption(region: Region, lines: list[Line]) -> str:
    """The paragraph that begins with "Table" right above the region, or else right below it."""
    above = [line for line in lines if region.top - _FAR < line.y <= region.top + 1]
    found: list[str] = []
    for line in reversed(above):
        text = _beside(line, region)
        if text:
            found.insert(0, text)
            if _CAPTION.match(text):
                return tidy(" ".join(found))
    wide = [line.text for line in above if _CAPTION.match(line.text) and len(line.segments(1.5)) == 1]
    if wide and not any(_beside(line, region) for line in above):  # centred on the page over a table at its edge
        return tidy(wide[-1])
    below = [line for line in lines if region.bottom + 1 < line.y < region.bottom + _FAR]
    found = []
    last = region.bottom
    for line in below:
        text = _beside(line, region)
        if not text or (not found and not _CAPTION.match(text)) or (found and line.y - last > 1.6 * line.size):
            break
        found.append(text)
        last = line.y
    return tidy(" ".join(found))


def _beside(line: Line, region: Region) -> str:
    """The part of a line that stands over or under the region, also where it is wider."""
    parts = [part for part in line.segments(1.5) if part[0].x0 < region.x1 and region.x0 < part[-1].x1]
    return " ".join(word.text for part in parts for word in part)
