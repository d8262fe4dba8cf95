"""The pages of the documentation as text: their blocks of code, links, headings and places in the navigation."""

from __future__ import annotations

import re
import runpy
from collections.abc import Iterator
from functools import cache
from pathlib import Path, PurePosixPath
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
FENCE = re.compile(r"^(?P<ticks>```+)(?P<language>[^\n`]*)\n(?P<text>.*?)^(?P=ticks)\s*$", re.S | re.M)
LINK = re.compile(r"(?<!!)\[[^\]]*\]\((?P<target>[^)\s]+)\)")


class Block(NamedTuple):
    """A block of code, where it begins, and what it is said to be."""

    page: Path
    line: int
    language: str
    text: str

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


@cache
def pages() -> tuple[Path, ...]:
    """The pages that are kept (those of commands are made by the build)."""
    made = {path for path in (DOCS / "commands").glob("*.md") if path.stem != "index"}
    return tuple(sorted(set(DOCS.rglob("*.md")) - made))


@cache
def read(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def blocks(page: Path) -> Iterator[Block]:
    """Every fenced block."""
    text = read(page)
    for found in FENCE.finditer(text):
        yield Block(page, text.count("\n", 0, found.start()) + 1, found["language"].strip(), found["text"])


def prose(page: Path) -> str:
    """A page without its blocks of code and inline code."""
    return re.sub(r"`[^`\n]*`", "", FENCE.sub("", read(page)))


def anchors(page: Path) -> set[str]:
    """What headings are called in addresses, as GitHub and the site have it."""
    headings = re.findall(r"^#+ (.+)$", FENCE.sub("", read(page)), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-") for heading in headings}


def in_navigation() -> set[Path]:
    """Every page that a list of contents names."""
    found: set[Path] = set()
    for page in pages():
        entries = [entry for block in blocks(page) if block.language == "{toctree}" for entry in block.text.split("\n")]
        for entry in entries:
            if entry.strip() and not entry.startswith(":"):
                found |= _named(page.parent, entry.strip())
    for pattern in runpy.run_path(str(DOCS / "conf.py"))["pages_below"].values():
        found |= _named(DOCS, pattern)
    return found


def _named(folder: Path, entry: str) -> set[Path]:
    name = str(PurePosixPath(entry)) + ".md"
    return set(folder.glob(name)) if "*" in name else {folder / name}
