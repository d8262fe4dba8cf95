"""What a reader makes of a document in one parse: its tables, what it could not read, and its paragraphs.

A paragraph is a text beside the tables with the place it stands in; captions are among them, since papers often give
the size of a test set there. What is too long to be prose is left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from scoreproof.documents.table import Table

MOST_TEXT = 2_000_000  # characters of a document that are looked through for paragraphs
_LONGEST = 20_000  # characters of a paragraph; what is longer is data
_MOST = 50_000  # paragraphs

Paragraph = tuple[str, str]  # the text, and where it stands


class Contents(NamedTuple):
    """The tables of a document, its problems, and its paragraphs in order, made when they are asked for."""

    tables: list[Table]
    problems: list[str]
    paragraphs: Iterable[Paragraph] = ()


def prose(paragraphs: Iterable[Paragraph]) -> list[Paragraph]:
    """The paragraphs that are prose, as far as a document is looked through.

    >>> prose([("We used 12 images.", "section 'Data'"), ("", "section 'Data'")])
    [('We used 12 images.', "section 'Data'")]
    """
    kept: list[Paragraph] = []
    length = 0
    for text, place in paragraphs:
        if text and len(text) <= _LONGEST:
            kept.append((text, place))
            length += len(text)
        if length > MOST_TEXT or len(kept) >= _MOST:
            break
    return kept
