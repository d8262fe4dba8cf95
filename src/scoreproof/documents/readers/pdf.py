"""Tables of PDF files that carry text (a scanned page does not)."""

from __future__ import annotations

from typing import NamedTuple

from scoreproof.documents.contents import Contents
from scoreproof.documents.grid import GridDraft
from scoreproof.documents.readers.pdf_captions import NearCaptions, labels, near_captions, settled, without_table
from scoreproof.documents.readers.pdf_columns import grid_of
from scoreproof.documents.readers.pdf_page import Page, Pages
from scoreproof.documents.readers.pdf_prose import PageTexts, outside
from scoreproof.documents.readers.pdf_regions import regions_of
from scoreproof.documents.readers.pdf_rules import rules_of
from scoreproof.documents.readers.pdf_words import lines_of
from scoreproof.documents.source import Source
from scoreproof.documents.table import Position
from scoreproof.errors import UnreadableInput
from scoreproof.limits import require_within

_MOST_PAGES = 300


def read(source: Source) -> Contents:
    """The tables of all pages."""
    document = Pages(source.name, source.data)
    pages_read = _Pages(source.name)
    if len(document) > _MOST_PAGES:
        raise UnreadableInput(f"{source.name}: {len(document)} pages; at most {_MOST_PAGES} are read")
    glyphs = 0
    for index in range(len(document)):
        page = document.page(index)
        if page is None:
            pages_read.damaged(index + 1)
            continue
        glyphs += len(page.glyphs)
        pages_read.add(index + 1, page)
        sideways = page.turned()
        if sideways is not None:
            pages_read.add(index + 1, sideways)
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

    def damaged(self, number: int) -> None:
        """A page that cannot be read."""
        self._problems.append(f"page {number} is damaged and was not read")

    def add(self, number: int, page: Page) -> None:
        """What stands on one page, or on one that was turned."""
        rules = rules_of(page)
        lines = lines_of(page, rules.seams)
        for label in labels(lines):
            self._captions.setdefault(label, number)
        if not lines:
            if page.pictures:
                self._problems.append(f"page {number} is a picture without text and was not read")
            return
        regions, overrun = regions_of(rules, lines)
        if overrun:
            many = "a table is wider than its" if overrun == 1 else f"{overrun} tables are wider than their"
            self._problems.append(f"page {number}: {many} rules, over other text, and therefore not read")
        text = outside(lines, regions)
        gutter = self._text.add(number, text, page.width)
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
