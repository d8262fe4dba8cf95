r"""``scoreproof audit`` of many papers: a report each, an index, all rows in one file; it goes on where it stopped.

Folders below a folder are looked through, too. A LaTeX paper is a project of several files: what it puts in
(``\input``, ``\includegraphics``, ``\pgfplotstableread``) is a part of it and no paper of its own, a ``.tex``
without ``\documentclass`` beside one that has it is a part as well, and ``paper.pdf`` beside ``paper.tex`` is the
same paper. Hidden folders and folders of results are left alone. What was left out is said.
"""

from __future__ import annotations

import glob
import hashlib
import json
import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from scoreproof._version import __version__
from scoreproof.cli.output import EXIT_FAULT, EXIT_INTERRUPTED, EXIT_USAGE, STATUS, console, emit_json, progress_bar
from scoreproof.cli.reports import announce
from scoreproof.csv_reader import decode
from scoreproof.csv_reader.content import spreadsheet_lines
from scoreproof.errors import InvalidOption, ScoreproofError, fault
from scoreproof.files import read_file, write_file
from scoreproof.work.journal import Journal
from scoreproof.work.pool import pool_of

if TYPE_CHECKING:
    from scoreproof.cli.audit import ReportOptions
    from scoreproof.findings.collection import Collection, PaperLine


RESULTS = "papers.jsonl"  # the journal of many papers, by which their folder is known
_LATEX = (".tex", ".ltx", ".latex")
_WHOLE = re.compile(r"^[^%\n]*\\documentclass\b", re.MULTILINE)
_YAML = re.compile(r"(?<!\.audit)\.ya?ml$", re.IGNORECASE)
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
    papers = Papers()
    files = sorted(_files(folder, out, papers))
    latex = {file: text for file in files if file.suffix.lower() in _LATEX and (text := _text(file)) is not None}
    whole = {file for file, text in latex.items() if _WHOLE.search(text)}
    named = _named(latex, {file.parent for file in whole})
    for file in files:
        name = os.path.relpath(file, folder)
        homes = [home for home in file.parents if home in named]
        if file in whole:
            papers.papers.append(file)
        elif any(file.with_suffix(suffix) in whole for suffix in _LATEX):
            papers.leave("printed from the LaTeX file beside it", name)
        elif homes and (file in latex or any(file.stem in named[home] for home in homes)):
            papers.leave("part of a LaTeX paper", name)
        elif _is_audited(file):
            papers.papers.append(file)
        elif _YAML.search(file.name):
            papers.leave("YAML (specifications end in .scoreproof.yaml, or are named one by one)", name)
    if not papers.papers:
        raise InvalidOption(f"{folder}: there is no paper in this folder, nor in one below it")
    return papers


def _files(folder: Path, out: Path | None, papers: Papers) -> Iterator[Path]:
    seen = 0
    results = out.resolve() if out is not None else None
    for home, below, names in os.walk(folder):
        here = Path(home)
        if here != folder and (RESULTS in names or here.resolve() == results):
            papers.leave("reports of an audit", os.path.relpath(here, folder))
            below.clear()
            continue
        hidden = [name for name in below if name.startswith((".", "__"))]
        for name in hidden:
            papers.leave("hidden", os.path.relpath(here / name, folder))
        below[:] = sorted(set(below) - set(hidden))
        seen += len(names)
        if seen > _MOST_FILES:
            raise InvalidOption(f"{folder}: expected at most {_MOST_FILES:,} files in and below it; name the papers")
        for file in (here / name for name in names if not name.startswith(".")):
            if file.is_symlink() and not Path(os.path.realpath(file)).is_relative_to(os.path.realpath(folder)):
                papers.leave("links that lead out of the folder", os.path.relpath(file, folder))
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


_STATUS = STATUS | {"error": EXIT_USAGE}
_COLUMNS = ("paper", "table", "row", "group", "verdict", "reason", "printed")


def listed(names: Sequence[str], out: Path | None = None) -> tuple[list[Path], list[str]]:
    """The papers that are meant: files, the papers in a folder, what a pattern finds; and what was left out, in words.

    ``out`` is where reports go.
    """
    files: list[Path] = []
    words: list[str] = []
    for name in names:
        if not name.strip():  # which Python takes for the folder we are in
            raise InvalidOption("audit: expected the name of a paper, a folder or a pattern, got an empty one")
        path = Path(name)
        if path.is_dir():
            inside = papers_in(path, out)
            files += inside.papers
            words += inside.words
        elif not path.exists() and any(mark in name for mark in "*?["):
            matched = sorted(map(Path, glob.glob(name, recursive=True)))
            if not matched:
                raise InvalidOption(f"{name}: no file is named like this")
            files += matched
        else:
            files.append(path)
    return list(dict.fromkeys(files)), words


def audit_papers(papers: Sequence[Path], reports: ReportOptions, how: dict[str, Any], *, as_json: bool) -> None:
    """Audit them, several at once, and end the command with the gravest verdict."""
    from scoreproof.findings.collection import Collection, PaperLine

    out = reports.out
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
    interrupted = False
    shown = console(stderr=as_json)
    about = {"version": __version__}
    journal_file = out / RESULTS if out is not None else None
    with (
        Journal(journal_file, "papers", PaperLine.from_dict, about=about) as journal,
        progress_bar("papers", shown) as (progress, tell),
    ):
        keys = [_key(paper, how) for paper in papers]
        missing = [place for place, key in enumerate(keys) if key not in journal or _lost(journal[key], out)]
        names = _names(papers)
        pool = pool_of(-1 if how["jobs"] is None else how["jobs"]).at_most(len(missing))
        alone = how if pool.here else {**how, "jobs": 1}
        calls = ((_audited, (papers[place], names[place], out, alone)) for place in missing)
        try:
            for done, (number, line) in enumerate(pool.as_finished(calls)):
                journal[keys[missing[number]]] = line
                if progress is not None:
                    progress(len(papers) - len(missing) + done + 1, len(papers), line.paper)
                tell(str(line))
        except KeyboardInterrupt:
            interrupted = True
        lines = [journal[key] for key in keys if key in journal]
    _end(Collection(tuple(lines), interrupted), reports, as_json=as_json)


def _end(collection: Collection, reports: ReportOptions, *, as_json: bool) -> None:
    """Write and say what came out, and end with the exit status."""
    out = reports.out
    if out is not None:
        _write(collection, out)
    if as_json:
        emit_json(collection.to_dict())
    announce(collection.papers, reports.sarif, annotate=reports.annotate)
    written = (
        f"index: {out / 'index.html'}; findings: {out / 'findings.csv'}; all rows: {out / 'rows.csv'}" if out else ""
    )
    gone_on = "interrupted; run the same command again to go on" if collection.interrupted else ""
    for words in filter(None, (str(collection), written, gone_on)):
        console(stderr=True).print(words, markup=False)
    if collection.interrupted:
        raise typer.Exit(EXIT_INTERRUPTED)
    faulty = any(line.by_fault for line in collection.papers)
    raise typer.Exit(reports.gated(EXIT_FAULT if faulty else _STATUS[collection.verdict]))


def _lost(line: PaperLine, out: Path | None) -> bool:
    """Whether a paper is to be audited again: it failed, or its report is gone."""
    return bool(line.error) or (out is not None and not (out / line.report).is_file())


def _names(papers: Sequence[Path]) -> list[str]:
    """A name for the report of each paper; papers of one name are told apart by their folder, then numbered."""
    stems = [paper.stem.removesuffix(".scoreproof") for paper in papers]
    often = Counter(stems)
    taken: Counter[str] = Counter()
    names = []
    for paper, stem in zip(papers, stems, strict=True):
        name = f"{paper.parent.name}-{stem}" if often[stem] > 1 and paper.parent.name else stem
        taken[name] += 1
        names.append(name if taken[name] == 1 else f"{name}-{taken[name]}")
    return names


def _key(paper: Path, how: dict[str, Any]) -> str:
    """What the line of a paper depends on: its name, its content, and how it is audited."""
    try:
        content = read_file(paper)
    except ScoreproofError as error:
        content = str(error).encode()
    settings = json.dumps([str(paper), {name: value for name, value in how.items() if name != "jobs"}], sort_keys=True)
    return hashlib.sha256(content + settings.encode("utf-8", "backslashreplace")).hexdigest()[:32]


def _audited(paper: Path, name: str, out: Path | None, how: dict[str, Any]) -> PaperLine:
    """The line of one paper; whatever is wrong with it, the others go on."""
    from scoreproof.findings.collection import PaperLine
    from scoreproof.papers.auditing import audit
    from scoreproof.papers.collecting import is_paper, propose

    try:
        spec: Any = propose(paper, beside=out) if is_paper(paper) else paper
        result = audit(spec, **how)
        if out is None:
            return PaperLine.of(str(paper), "", result)
        from scoreproof.pages import to_html

        if spec is not paper:
            write_file(out / f"{name}.audit.yaml", spec.text)
        write_file(out / f"{name}.audit.html", to_html(result))
        return PaperLine.of(str(paper), f"{name}.audit.html", result)
    except ScoreproofError as error:
        return PaperLine(str(paper), "error", error=str(error).removeprefix(f"{paper}: "))
    except Exception as error:  # a fault of ours: said, and the other papers are audited
        return PaperLine(str(paper), "error", error=fault(error), by_fault=True)


def _write(collection: Collection, out: Path) -> None:
    from scoreproof.findings.collection import FINDING
    from scoreproof.pages import collection_page

    write_file(out / "index.html", collection_page(collection))
    head = ("paper", *FINDING)
    findings = [["" if each[name] is None else each[name] for name in head] for each in collection.findings]
    write_file(out / "findings.csv", spreadsheet_lines([head, *findings]))
    rows = [[row[name] for name in _COLUMNS] for row in collection._rows()]
    write_file(out / "rows.csv", spreadsheet_lines([_COLUMNS, *rows]))
