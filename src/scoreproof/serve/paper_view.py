"""The paper beside its tables: pages of a PDF as pictures, and where the sentences that count cases stand on them."""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from scoreproof.documents.readers.pdf_page import Glyph, Page, Pages
from scoreproof.errors import UnreadableInput, need
from scoreproof.papers.proposals import OPEN, proposals, resting_on

_WIDE = 1_100  # pixels of a page's picture
_ENDS = 40  # characters at either end of a sentence by which it is found where something stands in between
_PAGE = re.compile(r"\bpage (\d{1,5})")
_CAPTION = re.compile(r"(?:the caption|a header) of table (\d{1,5})")
_IGNORED = re.compile(r"[\s\-\u00ad\u2010-\u2015]")

Box = tuple[float, float, float, float]  # left, top, width and height, as shares of the page


def sentences_of(
    extracted: Sequence[Mapping[str, str]], rest: Mapping[str, Any], pages: Sequence[int | None]
) -> Iterator[dict[str, Any]]:
    """Each sentence once: what it says, its page, and the experiments that rest on it.

    A sentence that no table uses has those that it proposes by itself, which are added to ``rest``: somebody may know
    better which table it is about.
    """
    for text in dict.fromkeys(told["sentence"] for told in extracted):
        uses = [told for told in extracted if told["sentence"] == text]
        place = uses[0]["place"]
        names = [name for name in rest["experiments"] if resting_on(uses, name)]
        if not names:
            alone = proposals([(text, place)], [""])
            names = [name for name in alone.experiments if not name.startswith(OPEN)]
            for kept, made in (("experiments", alone.experiments), ("datasets", alone.datasets)):
                rest[kept].update((name, made[name]) for name in names if name in made and name not in rest[kept])
        if not names:
            continue
        page, table = _PAGE.search(place), _CAPTION.search(place)
        at = int(page[1]) if page else pages[int(table[1]) - 1] if table and int(table[1]) <= len(pages) else None
        yield {"sentence": text, "place": place, "page": at, "experiments": names, "boxes": []}


def mark(path: str, sentences: Sequence[dict[str, Any]]) -> int:
    """Say where sentences stand on their pages; the number of pages."""
    document = Pages(Path(path).name, Path(path).read_bytes())
    for number in {sentence["page"] for sentence in sentences} & set(range(1, len(document) + 1)):
        page = document.page(number - 1)
        for sentence in sentences:
            if page is not None and sentence["page"] == number:
                sentence["boxes"] = boxes(page, sentence["sentence"])
    return len(document)


def boxes(page: Page, sentence: str) -> list[Box]:
    """The lines of a sentence on its page; none if it does not stand there as it was read."""
    letters = [(letter, glyph) for glyph in page.glyphs if not glyph.turn for letter in _plain(glyph.text)]
    text, wanted = "".join(letter for letter, _ in letters), _plain(sentence)
    begin, end = text.find(wanted), text.find(wanted) + len(wanted)
    if begin < 0:
        begin = text.find(wanted[:_ENDS])
        end = text.find(wanted[-_ENDS:], begin) + len(wanted[-_ENDS:])
        if begin < 0 or not begin < end <= begin + 2 * len(wanted):
            return []
    lines = groupby((glyph for _, glyph in letters[begin:end]), key=lambda glyph: round(glyph.y))
    return [_box(page, list(line)) for _, line in lines]


def _plain(text: str) -> str:
    return _IGNORED.sub("", text.casefold())


def _box(page: Page, line: Sequence[Glyph]) -> Box:
    left, right = min(glyph.x0 for glyph in line), max(glyph.x1 for glyph in line)
    top, bottom = min(glyph.top for glyph in line), max(glyph.bottom for glyph in line)
    return left / page.width, top / page.height, (right - left) / page.width, (bottom - top) / page.height


def picture(path: str, number: int) -> bytes:
    """A page of a PDF as PNG."""
    pdfium = need("pypdfium2", "pdf", "PDF files")
    try:
        page = pdfium.PdfDocument(Path(path))[number - 1]
        scale = min(_WIDE / max(page.get_width(), 1), 3 * _WIDE / max(page.get_height(), 1))
        shown = page.render(scale=scale, rev_byteorder=True)
    except (pdfium.PdfiumError, IndexError) as error:
        raise UnreadableInput(f"page {number} cannot be shown ({error})") from None
    rows, channels = memoryview(bytes(shown.buffer)), shown.n_channels
    lines = (rows[y * shown.stride : y * shown.stride + shown.width * channels] for y in range(shown.height))
    head = struct.pack(">IIBBBBB", shown.width, shown.height, 8, {1: 0, 3: 2, 4: 6}[channels], 0, 0, 0)
    pixels = zlib.compress(b"".join(b"\0" + bytes(line) for line in lines), 6)
    return b"\x89PNG\r\n\x1a\n" + b"".join(map(_chunk, (b"IHDR", b"IDAT", b"IEND"), (head, pixels, b"")))


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
