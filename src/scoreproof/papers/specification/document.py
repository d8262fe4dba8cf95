"""A YAML or JSON file as plain lists, mappings and *texts*, every one of which knows its line.

Every scalar stays the text that was written (see ``scoreproof.structured``); what is a number or a truth value is
decided by the schema.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scoreproof.errors import UnreadableInput
from scoreproof.files import read_file, shown_path
from scoreproof.limits import require_within
from scoreproof.structured import Piece, read_json, read_yaml


@dataclass(frozen=True, slots=True)
class Document:
    """The content of a specification, and where each part of it stands."""

    source: str
    content: Any
    _root: Piece | None = None

    def line(self, path: Sequence[str | int]) -> int | None:
        """The line on which the part at ``path`` begins, or the nearest part above it."""
        node, line = self._root, None
        for step in path:
            if node is None:
                break
            below = node.below
            if isinstance(below, dict) and str(step) in below:
                line = node.key_lines[str(step)]
                node = below[str(step)]
            elif isinstance(below, list) and isinstance(step, int) and 0 <= step < len(below):
                node = below[step]
                line = node.line
            else:
                break
        return line if line is not None or self._root is None else self._root.line

    def where(self, path: Sequence[str | int]) -> str:
        """File and line, as editors understand them: ``paper.yaml:12``."""
        line = self.line(path)
        name = self.source or "specification"
        return name if line is None else f"{name}:{line}"


def open_document(spec: str | Path | Mapping[str, Any]) -> Document:
    """The document behind a path, a text (a string of several lines) or a mapping."""
    if isinstance(spec, Mapping):
        return Document("", dict(spec))
    if isinstance(spec, str) and ("\n" in spec or spec.lstrip().startswith("{")):
        require_within("megabytes", len(spec) >> 20, "the specification")
        return _parse("", spec)
    return _parse(str(spec), _content(Path(spec)))


def _content(path: Path) -> str:
    name = shown_path(path)
    data = read_file(path, advice="; expected a specification ('scoreproof init PAPER' drafts one)")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UnreadableInput(
            f"{name}: expected a specification in YAML or JSON, got other bytes; for a paper run "
            f"'scoreproof init {path.name}' first"
        ) from None
    if not text.strip():
        raise UnreadableInput(f"{name}: the file is blank; expected a specification ('scoreproof init' drafts one)")
    return text


def _parse(source: str, text: str) -> Document:
    name = shown_path(source) or "specification"
    if text.lstrip().startswith("{"):
        return _parse_json(source, name, text)
    root = read_yaml(name, text)
    if root is None:
        raise UnreadableInput(f"{name}: nothing but comments; expected a specification ('scoreproof init' drafts one)")
    if not isinstance(root.below, dict):
        raise UnreadableInput(
            f"{name}:{root.line}: expected a mapping with title, datasets, experiments and tables; for a paper run "
            "'scoreproof init' first"
        )
    return Document(source, root.value, root)


def _parse_json(source: str, name: str, text: str) -> Document:
    content = read_json(name, text)
    try:
        # JSON is YAML but for tabs between tokens: the same composer tells the lines.
        root = read_yaml(name, text.replace("\t", " "))
    except UnreadableInput:
        root = None
    return Document(source, content, root)
