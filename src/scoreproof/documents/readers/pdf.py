"""Tables of PDF files that carry text (a scanned page does not)."""

from __future__ import annotations

import io
import logging
from typing import Any, NamedTuple

from scoreproof.documents.contents import Contents
from scoreproof.documents.grid import GridDraft, tidy
from scoreproof.documents.readers.pdf_captions import NearCaptions, labels, near_captions, settled, without_table
from scoreproof.documents.readers.pdf_columns import grid_of
from scoreproof.documents.readers.pdf_prose import PageTexts, outside
from scoreproof.documents.readers.pdf_regions import regions_of
from scoreproof.documents.readers.pdf_rules import rules_of
from scoreproof.documents.readers.pdf_turned import turned
from scoreproof.documents.readers.pdf_words import lines_of
from scoreproof.documents.source import Source
from scoreproof.documents.table import Position
from scoreproof.errors import ScoreproofError, UnreadableInput, need
from scoreproof.limits import require_within

_MOST_PAGES = 300


def read(source: Source) -> Contents:
    """The tables of all pages."""
    pdfplumber = need("pdfplumber", "pdf", "PDF files")
    logging.getLogger("pdfminer").setLevel(logging.ERROR)
    pages_read = _Pages(source.name)
    try:
        with pdfplumber.open(io.BytesIO(source.data)) as document:
            pages = document.pages
            if len(pages) > _MOST_PAGES:
                raise UnreadableInput(f"{source.name}: {len(pages)} pages; at most {_MOST_PAGES} are read")
            glyphs = 0
            for number, page in enumerate(pages, 1):
                glyphs += len(page.chars)
                once = page.dedupe_chars()
                pages_read.add(number, once)
                sideways = turned(once)
                if sideways is not None:
                    pages_read.add(number, sideways)
                page.close()
    except ScoreproofError:
        raise
    except Exception as error:  # pdfminer raises whatever a damaged or encrypted file makes it meet
        # pdfplumber hands on what pdfminer raised, as the argument of an error of its own
        cause = next((inner for inner in error.args if isinstance(inner, Exception)), error)
        kind = type(cause).__name__
        if "Password" in kind:
            raise UnreadableInput(
                f"{source.name}: the PDF asks for a password; save a copy without one, and give that"
            ) from None
        words = tidy(f"{kind}: {cause}").strip(": ")
        raise UnreadableInput(f"{source.name}: not a readable PDF ({words[:200]})") from None
    if glyphs == 0:
        raise UnreadableInput(
            f"{source.name}: the PDF has no text, its pages are pictures; run character recognition (OCR) on it first"
        )
    return pages_read.contents()


class _DraftedTable(NamedTuple):
    """A table before it is known which caption it has."""

    page: int
    draft: GridDraft
    headers: int
    notes: tuple[str, ...]
    captions: NearCaptions


class _Pages:
    """Collects tables, running text and captions of pages one after the other."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._drafted: list[_DraftedTable] = []
        self._problems: list[str] = []
        self._text = PageTexts()
        self._captions: dict[str, int] = {}  # by their numbers: the page where each stands first

    def add(self, number: int, page: Any) -> None:
        """What stands on one page, or on one that was turned."""
        rules = rules_of(page)
        lines = lines_of(page, rules.seams)
        for label in labels(lines):
            self._captions.setdefault(label, number)
        if not lines:
            if page.images:
                self._problems.append(f"page {number} is a picture without text and was not read")
            return
        regions, overrun = regions_of(rules, lines)
        if overrun:
            many = "a table is wider than its" if overrun == 1 else f"{overrun} tables are wider than their"
            self._problems.append(f"page {number}: {many} rules, over other text, and therefore not read")
        text = outside(lines, regions)
        gutter = self._text.add(number, text, float(page.width))
        for region in regions:
            draft, headers, notes = grid_of(region)
            if len(draft.rows) >= 2 and len(draft.rows[0]) >= 2:
                near = near_captions(number, region, text, gutter)
                self._drafted.append(_DraftedTable(number, draft, headers, notes, near))
                require_within("tables", len(self._drafted), self._source, least=True)

    def contents(self) -> Contents:
        """Everything that was collected."""
        captions = settled([table.captions for table in self._drafted])
        tables = [
            table.draft.table(
                Position(index, page=table.page),
                header_rows=table.headers,
                caption=caption,
                source=self._source,
                kind="pdf",
                notes=table.notes,
            )
            for index, (table, caption) in enumerate(zip(self._drafted, captions, strict=True))
        ]
        missing = without_table(self._captions, captions)
        return Contents(tables, [*self._problems, *missing], self._text.paragraphs())
