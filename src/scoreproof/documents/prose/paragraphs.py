"""The paragraphs of a paper's source, without its tables, each with the section it stands in.

Text files, Markdown, HTML and LaTeX are read; other formats have no paragraphs here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from scoreproof.documents.readers.hypertext import text_of
from scoreproof.documents.readers.latex import without_comments
from scoreproof.documents.readers.latex_text import render_text
from scoreproof.documents.readers.markdown import plain
from scoreproof.documents.source import Source
from scoreproof.errors import UnreadableInput

Paragraph = tuple[str, str]  # the text, and where it stands

_MOST_TEXT = 2_000_000  # characters
_LONGEST = 20_000  # characters of a paragraph; what is longer is data
_BLANK = re.compile(r"\n[ \t]*\n")
_HEADING = re.compile(r"(#{1,6})[ \t]+(.{1,120})")
_SECTION = re.compile(r"\\(?:sub){0,2}section\*?\s*\{([^{}]{1,120})\}")
_ENVIRONMENT = re.compile(
    r"\\begin\{(tabular[*xy]?|longtable|array|equation\*?|align\*?|figure\*?|thebibliography|lstlisting|tikzpicture)\}"
)


def paragraphs(source: Source) -> list[Paragraph]:
    """The paragraphs of a source, in order."""
    readers = {"markdown": _markdown, "text": _markdown, "html": _html, "latex": _latex}
    reader = readers.get(source.format)
    if reader is None:
        return []
    text = source.text[:_MOST_TEXT]
    return [(said, place) for said, place in reader(text) if said and len(said) <= _LONGEST]


def _markdown(text: str) -> Iterator[Paragraph]:
    place = ""
    for block in _BLANK.split(text):
        lines = []
        for line in block.strip().splitlines():
            heading = _HEADING.match(line)
            if heading is not None:
                place = f"section {heading[2].strip()!r}"
            elif line.count("|") < 2:
                lines.append(line)
        yield plain(" ".join(lines)), place


def _html(text: str) -> Iterator[Paragraph]:
    import lxml.html

    try:
        root = lxml.html.document_fromstring(text.encode(), parser=lxml.html.HTMLParser(encoding="utf-8"))
    except (ValueError, lxml.etree.ParserError):
        return
    place = ""
    for element in root.iter("h1", "h2", "h3", "h4", "p", "li", "figcaption", "caption"):
        said = text_of(element)
        if element.tag in ("h1", "h2", "h3", "h4"):
            place = f"section {said[:120]!r}"
        elif element.getparent() is None or not any(above.tag == "td" for above in element.iterancestors()):
            yield said, place


def _latex(text: str) -> Iterator[Paragraph]:
    place = ""
    for block in _BLANK.split(_without_environments(without_comments(text))):
        pieces = _SECTION.split(block)  # text, title, text, title, text ...
        for number, piece in enumerate(pieces):
            if number % 2:
                place = f"section {piece.strip()!r}"
                continue
            try:
                yield render_text(piece).strip(), place
            except (UnreadableInput, RecursionError):
                continue


def _without_environments(text: str) -> str:
    """The source without tables, equations and the like; captions of tables stay, as they stand outside of these."""
    kept, start = [], 0
    for match in _ENVIRONMENT.finditer(text):
        if match.start() < start:
            continue
        end = text.find(f"\\end{{{match[1]}}}", match.end())
        if end < 0:
            break
        kept.append(text[start : match.start()])
        start = end + len(match[1]) + 6
    return "".join([*kept, text[start:]])
