r"""The text of a LaTeX paper that stands in several files: ``\input`` and its relatives, written out in their places.

Only files in the paper's own folder, or below it, are read. What was put in from other files is remembered, so that
lines are counted in the paper itself; a part that is not there is a problem that is reported, not an end.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from scoreproof.csv_reader import decode
from scoreproof.errors import UnreadableInput
from scoreproof.files import read_file
from scoreproof.limits import require_within

_VERBATIM = re.compile(r"\\begin\{(verbatim\*?|lstlisting|comment|minted)\}")
_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%[^\n]*")
_INPUT = re.compile(r"\\(?:input|include|subfile|subfileinclude)\s*+(?:\{([^{}\n]{1,200})\}|([\w./-]{1,200}))")
_DEEPEST = 10
_MOST = 500  # files
# What TeX reads without setting any text.
_SETTINGS = re.compile(r"glyphtounicode|pdftexconfig|.*\.(?:sty|cls|cfg|def|pgf|tikz|pdf_tex|eps_tex|bbl|ltx|clo)")

Inserted = tuple[tuple[int, int], ...]  # where a text from another file begins and ends


class Whole(NamedTuple):
    """A paper in one text without comments, what of it stood in other files, and which files were not read."""

    text: str
    inserted: Inserted = ()
    problems: tuple[str, ...] = ()


def without_comments(text: str) -> str:
    r"""The source with comments and verbatim parts blanked, every line still on its number.

    >>> without_comments("95\\% % fine\nx")
    '95\\% \nx'
    """
    pieces: list[str] = []
    done, closed = 0, True
    while closed and (match := _VERBATIM.search(text, done)) is not None:
        end = text.find(f"\\end{{{match[1]}}}", match.end())
        closed = end >= 0  # one that never ends is passed over, and so is all that follows
        if closed:
            end += len(match[1]) + len("\\end{}")
            pieces += [text[done : match.start()], "\n" * text.count("\n", match.start(), end)]
            done = end
    return _COMMENT.sub(r"\1", "".join([*pieces, text[done:]]))


def whole_paper(path: Path, text: str) -> Whole:
    """The text of the paper at ``path`` with the files it puts in."""
    gathered = _Gathered(path)
    pieces: list[str] = []
    inserted: list[tuple[int, int]] = []
    done = length = 0
    text = without_comments(text)
    for match in _INPUT.finditer(text):
        part = gathered.part(match)
        if part is None:
            continue
        pieces += [text[done : match.start()], part]
        length += match.start() - done
        inserted.append((length, length + len(part)))
        length += len(part)
        done = match.end()
    return Whole("".join([*pieces, text[done:]]), tuple(inserted), tuple(dict.fromkeys(gathered.problems)))


class _Gathered:
    """The parts read so far, and what was amiss."""

    def __init__(self, paper: Path) -> None:
        self._folder = paper.parent
        self._open = [paper.resolve()]  # the paper, and the parts in parts that are being read
        self._characters = self._files = 0
        self.problems: list[str] = []

    def part(self, match: re.Match[str]) -> str | None:
        """The text of a part with its own parts; None where it is left as it stands."""
        name = (match[1] or match[2]).strip()
        if _SETTINGS.fullmatch(name):
            return None
        path = self._path(name)
        why = self._refused(path)
        if path is None or why:
            self.problems.append(f"{match[0][:80]}: {why}; tables in it are not read")
            return None
        self._files += 1
        try:
            text = without_comments(decode(str(path), read_file(path)).text)
        except UnreadableInput as error:
            self.problems.append(f"{match[0][:80]}: {error}; tables in it are not read")
            return None
        self._characters += len(text)
        require_within("megabytes", self._characters >> 20, f"{self._folder.name}: the files that the paper puts in")
        pieces, done = [], 0
        self._open.append(path.resolve())
        for inner in _INPUT.finditer(text):
            part = self.part(inner)
            if part is not None:
                pieces += [text[done : inner.start()], part]
                done = inner.end()
        self._open.pop()
        return "".join([*pieces, text[done:]])

    def _refused(self, path: Path | None) -> str:
        if path is None:
            return "no such file in the paper's folder"
        if path.resolve() in self._open:
            return "it puts in itself"
        return "too many files" if self._files >= _MOST or len(self._open) > _DEEPEST else ""

    def _path(self, name: str) -> Path | None:
        """The file of a part, if it is in the paper's folder; the ending .tex may be left out."""
        if "\x00" in name or Path(name).is_absolute():
            return None
        for tried in (name, f"{name}.tex"):
            path = self._folder / tried
            if path.is_file() and path.resolve().is_relative_to(self._folder.resolve()):
                return path
        return None


class LineCount:
    """Counts the lines of a paper; what was put in from other files is on the line where it was put in."""

    def __init__(self, text: str, inserted: Sequence[tuple[int, int]]) -> None:
        pieces, done = [], 0
        for start, end in inserted:
            pieces += [text[done:start], text[start:end].replace("\n", " ")]
            done = end
        self._text = "".join([*pieces, text[done:]])
        self._line, self._counted = 1, 0

    def of(self, place: int) -> int:
        """The line of a place; places are asked for in their order."""
        self._line += self._text.count("\n", self._counted, place)
        self._counted = place
        return self._line
