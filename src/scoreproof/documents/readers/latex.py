r"""Tables of LaTeX sources: tabular and its relatives, multicolumn, multirow, booktabs.

Only the table environments are parsed (with pylatexenc), so that a package the document uses elsewhere cannot
disturb. Abbreviations defined in the document (``\newcommand{\best}[1]{\textbf{#1}}``) are expanded first, and files
that it puts in (``\input``) stand in their places. A table that TeX could not set either is reported with its line; the
others are still read.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from scoreproof.documents.formats import MOST_TEXT, Contents, Paragraph
from scoreproof.documents.readers.latex_grid import grid_of
from scoreproof.documents.readers.latex_source import (
    LineCount,
    Macros,
    closing,
    definitions,
    expand,
    without_comments,
    without_definitions,
)
from scoreproof.documents.readers.latex_text import ENVIRONMENTS, render_text
from scoreproof.documents.source import Source
from scoreproof.errors import UnreadableInput

_NAMES = "|".join(re.escape(name) for name in ENVIRONMENTS)
_BEGIN_END = re.compile(rf"\\(begin|end)\s*+\{{({_NAMES})\}}")
_FLOAT = re.compile(r"\\(begin|end)\s*+\{((?:side(?:ways)?|wrap|long)?table\*?|figure\*?|center)\}")
_CAPTION = re.compile(r"\\caption(?:of\s*+\{\w++\})?\s*+\*?\s*+(?:\[[^\[\]]*+\])?\s*+\{")
_TABLE_END = re.compile(r"\\end\s*+\{(?:side(?:ways)?|wrap)?table\*?\}")
_MOST_CHARACTERS = 500_000
_BLANK = re.compile(r"\n[ \t]*\n")
_SECTION = re.compile(r"\\(?:sub){0,2}section\*?\s*+\{([^{}]{1,120})\}")
_FRAME = re.compile(r"\\(?:begin|end)\s*+\{[A-Za-z]{1,30}\*?\}(?:\[[^\[\]]{0,40}\])?")  # floats, lists and the like
_ASIDE = re.compile(rf"\\begin\{{({_NAMES}|equation\*?|align\*?|thebibliography|lstlisting|tikzpicture)\}}")


def read(source: Source) -> Contents:
    """Every outermost tabular of a LaTeX source."""
    text = without_comments(source.text)
    macros = definitions(text)
    contents = Contents(source, problems=list(source.notes), paragraphs=_paragraphs(text[:MOST_TEXT], macros))
    captions = _Captions(text, macros)
    lines = LineCount(text, source.inserted)
    for start, end in _environments(without_definitions(text)):
        line = lines.of(start)
        if end is None:
            contents.problems.append(f"line {line}: this table environment has no matching \\end")
            continue
        if text[start:end].startswith("\\begin{array}") and "&" not in text[start:end]:
            continue
        with contents.noting(f"line {line}"):
            if end - start > _MOST_CHARACTERS:
                raise UnreadableInput(f"a table of {end - start:,} characters; at most {_MOST_CHARACTERS:,} are read")
            grid = grid_of(expand(text[start:end], macros))
            if grid.rows:
                contents.add(grid, caption=captions.of(start, end), line=line)
    return contents


def _paragraphs(text: str, macros: Macros) -> Iterator[Paragraph]:
    """The paragraphs of a source without comments; the captions of tables are among them."""
    place = ""
    for block in _BLANK.split(_without_environments(_body(text))):
        pieces = _SECTION.split(block)  # text, title, text, title, text ...
        for number, piece in enumerate(pieces):
            if number % 2:
                place = f"section {piece.strip()!r}"
                continue
            try:
                yield render_text(expand(piece, macros)).strip(), place
            except (UnreadableInput, RecursionError):
                continue


def _body(text: str) -> str:
    """What stands between the beginning and the end of the document, where these are marked."""
    start, end = text.find(r"\begin{document}"), text.rfind(r"\end{document}")
    return text[max(start, 0) : end if end > start else len(text)]


def _without_environments(text: str) -> str:
    """The source without tables, equations and the like; captions of tables stay, as they stand outside of these."""
    kept, start = [], 0
    for match in _ASIDE.finditer(text):
        if match.start() < start:
            continue
        end = text.find(f"\\end{{{match[1]}}}", match.end())
        if end < 0:
            break
        kept.append(text[start : match.start()])
        start = end + len(match[1]) + 6
    return _FRAME.sub("\n\n", "\n\n".join([*kept, text[start:]]))


def _environments(text: str) -> Iterator[tuple[int, int | None]]:
    """Start and end of every outermost table environment; no end where it is missing."""
    depth, start = 0, 0
    for match in _BEGIN_END.finditer(text):
        if match[1] == "begin":
            if depth == 0:
                start = match.start()
            depth += 1
        elif depth > 0:
            depth -= 1
            if depth == 0:
                yield start, match.end()
    if depth > 0:
        yield start, None


class _Captions:
    r"""The \caption of the float around a table, or inside a longtable; the source is looked through once."""

    def __init__(self, text: str, macros: Macros) -> None:
        self._text, self._macros = text, macros
        self._floats = [(match.start(), match[1] == "begin") for match in _FLOAT.finditer(text)]
        self._ends = [match.start() for match in _TABLE_END.finditer(text)]
        self._captions = [(match.start(), match.end()) for match in _CAPTION.finditer(text)]
        self._open: list[int] = []  # floats that are open before the one at ``_next``
        self._next = 0

    def of(self, start: int, end: int) -> str:
        """The caption of the table from ``start`` to ``end``; tables are asked for in their order."""
        while self._next < len(self._floats) and self._floats[self._next][0] < start:
            place, begins = self._floats[self._next]
            if begins:
                self._open.append(place)
            elif self._open:
                self._open.pop()
            self._next += 1
        low = self._open[-1] if self._open else start
        after = bisect_left(self._ends, end) if self._open else len(self._ends)
        high = self._ends[after] if after < len(self._ends) else end
        first = bisect_left(self._captions, (low, 0))
        before = bisect_left(self._captions, (start, 0)) - 1
        chosen = before if before >= first else first
        if chosen >= len(self._captions) or self._captions[chosen][1] > high:
            return ""
        brace = self._captions[chosen][1] - 1
        closed = closing(self._text, brace)
        return render_text(expand(self._text[brace + 1 : closed], self._macros)) if closed is not None else ""
