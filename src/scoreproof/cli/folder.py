r"""Which files of a folder are papers.

Folders below it are looked through, too. A LaTeX paper is a project of several files: what it puts in (``\input``,
``\includegraphics``, ``\pgfplotstableread``) is a part of it and no paper of its own, a ``.tex`` without
``\documentclass`` beside one that has it is a part as well, and ``paper.pdf`` beside ``paper.tex`` is the same paper.
Hidden folders and folders of results are left alone. What was left out is said.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from scoreproof.csv_reader import decode
from scoreproof.errors import InvalidOption, ScoreproofError
from scoreproof.files import read_file

RESULTS = "papers.jsonl"  # the journal of many papers, by which their folder is known
_LATEX = (".tex", ".ltx", ".latex")
_WHOLE = re.compile(r"^[^%\n]*\\documentclass\b", re.MULTILINE)
_NAMES = re.compile(r"\{([^{}\n]{1,200})\}")
_MOST_FILES = 20_000
_SHOWN = 5


@dataclass(slots=True)
class Papers:
    """The papers of a folder, and what in it is none, by reason."""

    papers: list[Path] = field(default_factory=list)
    left: dict[str, list[str]] = field(default_factory=dict)

    def leave(self, reason: str, name: str) -> None:
        self.left.setdefault(reason, []).append(name)

    @property
    def words(self) -> tuple[str, ...]:
        """What was not looked at, in a line for each reason."""
        return tuple(
            f"not looked at: {reason}: {', '.join(names[:_SHOWN])}"
            + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")
            for reason, names in self.left.items()
        )


def papers_in(folder: Path, out: Path | None = None) -> Papers:
    """The papers in a folder and in those below it; ``out`` is where reports go."""
    found = Papers()
    files = sorted(_files(folder, out, found))
    latex = {file: text for file in files if file.suffix.lower() in _LATEX and (text := _text(file)) is not None}
    whole = {file for file, text in latex.items() if _WHOLE.search(text)}
    named = _named(latex, {file.parent for file in whole})
    for file in files:
        name = os.path.relpath(file, folder)
        homes = [home for home in file.parents if home in named]
        if file in whole:
            found.papers.append(file)
        elif any(file.with_suffix(suffix) in whole for suffix in _LATEX):
            found.leave("printed from the LaTeX file beside it", name)
        elif homes and (file in latex or any(file.stem in named[home] for home in homes)):
            found.leave("part of a LaTeX paper", name)
        elif _is_audited(file):
            found.papers.append(file)
    if not found.papers:
        raise InvalidOption(f"{folder}: there is no paper in this folder, nor in one below it")
    return found


def _files(folder: Path, out: Path | None, found: Papers) -> Iterator[Path]:
    seen = 0
    results = out.resolve() if out is not None else None
    for home, below, names in os.walk(folder):
        here = Path(home)
        if here != folder and (RESULTS in names or here.resolve() == results):
            found.leave("reports of an audit", os.path.relpath(here, folder))
            below.clear()
            continue
        hidden = [name for name in below if name.startswith((".", "__"))]
        for name in hidden:
            found.leave("hidden", os.path.relpath(here / name, folder))
        below[:] = sorted(set(below) - set(hidden))
        seen += len(names)
        if seen > _MOST_FILES:
            raise InvalidOption(f"{folder}: expected at most {_MOST_FILES:,} files in and below it; name the papers")
        for file in (here / name for name in names if not name.startswith(".")):
            if file.is_symlink() and not Path(os.path.realpath(file)).is_relative_to(os.path.realpath(folder)):
                found.leave("links that lead out of the folder", os.path.relpath(file, folder))
            elif file.is_file():
                yield file


def _text(file: Path) -> str | None:
    try:
        return decode(str(file), read_file(file)).text
    except ScoreproofError:
        return None


def _named(latex: dict[Path, str], homes: set[Path]) -> dict[Path, set[str]]:
    """For each folder with a LaTeX paper: the names of files that its texts, and those below it, hold in braces."""
    named: dict[Path, set[str]] = {home: set() for home in homes}
    for file, text in latex.items():
        stems = {Path(name.strip()).stem for match in _NAMES.finditer(text) for name in match[1].split(",")}
        for home in file.parents:
            if home in named:
                named[home] |= stems
    return named


def _is_audited(path: Path) -> bool:
    from scoreproof.papers.collecting import is_paper

    ours = path.name.endswith((".audit.html", ".audit.yaml"))
    return not ours and (is_paper(path) or path.name.endswith((".scoreproof.yaml", ".scoreproof.yml")))
