r"""The sources of a LaTeX paper: the files it puts in, its comments, and the abbreviations it defines.

What ``\input`` and its relatives put in is written out in its place. Files in the paper's own folder, or below it, are
read, and TeX files of its project: the folder under version control that holds it, or else the folders beside its own.
Expansion is bounded. Without it, ``\def\pms#1#2{#1$\pm$#2}`` would glue two numbers together.
"""

from __future__ import annotations

import os
import re
import tempfile
from bisect import bisect_right
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from scoreproof.csv_reader import decode
from scoreproof.errors import UnreadableInput
from scoreproof.files import read_file
from scoreproof.limits import require_within

# Comments are found first: what begins in them does not begin.
_UNREAD = re.compile(
    r"(?<!\\)((?:\\\\)*+)%[^\n]*+|\\begin\{(verbatim\*?|lstlisting|comment|minted)\}.*?(?:\\end\{\2\}|\Z)", re.DOTALL
)
_INPUT = re.compile(r"\\(?:input|(?:subfile)?include|subfile)(?![A-Za-z@])\s*+(?:\{([^{}\n]{1,200})\}|([\w./-]{1,99}))")
_DEEPEST = 10
_MOST = 500  # files
_ROOTS = (".git", ".hg", ".svn")  # what the folder of a whole project holds
_PARTS = (".tex", ".ltx", ".latex")  # what is read beyond the paper's own folder
_OUTSIDE = "it lies outside the paper's folder and its project, whose TeX files alone are read"
# What TeX reads without setting any text.
_SETTINGS = re.compile(r"glyphtounicode|pdftexconfig|.*\.(?:sty|cls|cfg|def|pgf|tikz|pdf_tex|eps_tex|bbl|ltx|clo)")

Inserted = Sequence[tuple[int, int]]  # where a text from another file begins and ends


def without_comments(text: str) -> str:
    r"""The source with comments and verbatim parts blanked, every line still on its number.

    >>> without_comments("95\\% % fine\nx")
    '95\\% \nx'
    """
    return _UNREAD.sub(lambda part: (part[1] or "") + "\n" * part[0].count("\n"), text)


def whole_paper(path: Path, text: str) -> tuple[str, Inserted, list[str]]:
    """The paper at ``path`` in one text without comments, where in it other files stand, and which were not read."""
    gathered = _Gathered(path)
    return *gathered.filled(without_comments(text)), list(dict.fromkeys(gathered.problems))


class _Gathered:
    """The parts read so far, and what was amiss."""

    def __init__(self, paper: Path) -> None:
        self._folder = _real(paper).parent
        common = {*_upwards(os.path.expanduser("~")), *_upwards(tempfile.gettempdir())}
        own = [place for place in _upwards(self._folder) if place not in common]  # nobody's project is everybody's
        marked = [place for place in own if any((place / mark).exists() for mark in _ROOTS)][:1]
        self._is_marked = bool(marked)
        self._project = (marked or own[1:2] or [self._folder])[0]
        self._open = [_real(paper)]  # the paper, and the parts in parts that are being read
        self._characters = self._files = 0
        self.problems: list[str] = []

    def filled(self, text: str) -> tuple[str, Inserted]:
        """A text with the parts it puts in, and where these stand."""
        pieces: list[str] = []
        inserted: list[tuple[int, int]] = []
        done = length = 0
        for match in _INPUT.finditer(text):
            name = (match[1] or match[2]).strip()
            try:
                part = None if _SETTINGS.fullmatch(name) else self._part(name)
            except UnreadableInput as error:
                self.problems.append(f"{match[0][:80]}: {error}; tables in it are not read")
                part = None
            if part is not None:
                pieces += [text[done : match.start()], part]
                length += len(pieces[-2]) + len(part)
                inserted.append((length - len(part), length))
                done = match.end()
        return "".join([*pieces, text[done:]]), inserted

    def _part(self, name: str) -> str:
        """The text of a part, whose ending .tex may be left out, with its own parts."""
        self._files += 1
        if self._files > _MOST or len(self._open) > _DEEPEST:
            raise UnreadableInput("too many files")
        names = () if "\x00" in name or Path(name).is_absolute() else (name, f"{name}.tex")
        paths = [_real(self._folder / name) for name in names]
        path = next((path for path in paths if self._is_near(path) and path.is_file()), None)
        if path is None:
            known = paths and self._is_near(paths[-1])
            raise UnreadableInput("no such TeX file in the paper's project" if known else _OUTSIDE)
        if path in self._open:
            raise UnreadableInput("it puts in itself")
        text = without_comments(decode(str(path), read_file(path)).text)
        self._characters += len(text)
        require_within("megabytes", self._characters >> 20, f"{self._folder.name}: the files that the paper puts in")
        self._open.append(path)
        whole, _ = self.filled(text)
        self._open.pop()
        return whole

    def _is_near(self, path: Path) -> bool:
        """Whether the paper may put in a file: of its own folder any, of its project what TeX reads."""
        beside = path.suffix in _PARTS and path.is_relative_to(self._project)
        return path.is_relative_to(self._folder) or (beside and (path.parent != self._project or self._is_marked))


def _upwards(path: str | Path) -> list[Path]:
    """A folder and those that it lies in."""
    return [_real(path), *_real(path).parents]


def _real(path: str | Path) -> Path:
    """Where a path leads; links that lead nowhere, or in circles, are left as they stand."""
    return Path(os.path.realpath(path))


def line_ends(text: str, inserted: Inserted) -> list[int]:
    """Where the lines of a paper end; what was put in from other files is on the line where it was put in."""
    starts = [start for start, _ in inserted]
    places = ((match.start(), bisect_right(starts, match.start()) - 1) for match in re.finditer("\n", text))
    return [at for at, part in places if part < 0 or inserted[part][1] <= at]


_GROUP = r"(?:[^{}\\]++|\\.)*+"
for _ in range(8):  # braces in braces; deeper ones are not read
    _GROUP = rf"(?:[^{{}}\\]++|\\.|\{{{_GROUP}\}})*+"
GROUP = rf"\s*+\{{({_GROUP})\}}"
_DEFINITIONS = tuple(
    re.compile(rf"{head}\s*+\{{(?P<body>{_GROUP})\}}", re.DOTALL)
    for head in (
        r"\\(?:(?:re)?newcommand|providecommand|DeclareRobustCommand|DeclareMathOperator)\*?\s*+\{?\s*+\\(?P<name>[A-Za-z]++)"
        r"\s*+\}?\s*+(?:\[(?P<count>\d)\]\s*+(?:\[(?P<default>[^\[\]\n]{0,200})\])?)?",
        r"\\(?:New|Renew|Provide|Declare)(?:Expandable)?DocumentCommand\s*+\{?\s*+\\(?P<name>[A-Za-z]++)\s*+\}?\s*+"
        r"\{\s*+(?:O\{(?P<default>[^{}\n]{0,200})\}\s*+)?(?P<marks>(?:m\s*+)*+)\}",
        r"\\[gex]?def\s*+\\(?P<name>[A-Za-z]++)\s*+(?P<marks>(?:#\d)*+)",
        r"\\(?:re)?newenvironment\*?\s*+\{[^{}\n]{1,60}\}\s*+(?:\[[^\[\]\n]{0,60}\]\s*+){0,2}(?P<name>)" + GROUP,
    )
)
_CALL = re.compile(r"\\([A-Za-z]++)\s*+")
_ARGUMENT = re.compile(GROUP, re.DOTALL)
_OPTIONAL = re.compile(r"\s*+\[([^\[\]]{0,200})\]")
_MOST_EXPANSIONS = 20_000
_LONGEST = 1_000_000
# Expanding these would only get in the parser's way.
_KEPT = {"", "textbf", "multicolumn", "multirow", "cite", "caption", "label", "toprule", "midrule", "bottomrule"}


class Macro(NamedTuple):
    """A definition: how many arguments it takes, what it stands for, and what a first one that may be left out is."""

    arguments: int
    body: str
    default: str | None = None


Macros = dict[str, Macro]


def definitions(text: str) -> tuple[Macros, str]:
    r"""Every simple definition by its name, and the text with all blanked: a table in one of them is a pattern.

    >>> definitions(r"\newcommand{\best}[1]{\textbf{#1}} \def\ours{U-Net}")[0]["best"]
    Macro(arguments=1, body='\\textbf{#1}', default=None)
    """
    macros: Macros = {}
    for pattern in _DEFINITIONS:
        for match in pattern.finditer(text):
            told = match.groupdict()
            default = told.get("default")
            marks = len(re.findall("[m#]", told.get("marks") or "")) + (default is not None)
            macros[match["name"]] = Macro(int(told.get("count") or marks), match["body"], default)
    for pattern in _DEFINITIONS:
        text = pattern.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    return {name: macro for name, macro in macros.items() if name not in _KEPT}, text


def expand(text: str, macros: Macros) -> str:
    r"""The text with every defined abbreviation written out.

    >>> expand(r"\pms{85.4}{1.2}", {"pms": Macro(2, r"#1$\pm$#2")})
    '85.4$\\pm$1.2'
    >>> expand(r"\pms{85.4} \pms[0.3]{91}", {"pms": Macro(2, r"#2$\pm$#1", "0.0")})
    '85.4$\\pm$0.0 91$\\pm$0.3'
    """
    position = expansions = 0
    while macros and (match := _CALL.search(text, position)) is not None:
        position = match.end()
        macro = macros.get(match[1])
        if macro is None:
            continue
        expansions += 1
        if expansions > _MOST_EXPANSIONS or len(text) > _LONGEST:
            raise UnreadableInput("a definition in the document expands without end")
        arguments, end = [], match.end()
        if macro.default is not None:
            given = _OPTIONAL.match(text, end)
            arguments.append(given[1] if given else macro.default)
            end = given.end() if given else end
        while len(arguments) < macro.arguments and (group := _ARGUMENT.match(text, end)) is not None:
            arguments.append(group[1])
            end = group.end()
        if len(arguments) >= macro.arguments:
            body = macro.body
            for number, argument in enumerate(arguments, 1):
                body = body.replace(f"#{number}", argument)
            position = match.start()
            text = text[:position] + body + text[end:]
    return text
