"""The rules of proof that a certificate uses, and those that the pages of the specification name for its kind."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

#: Pages that are about proofs of another kind than their name says.
OWNERS = dict.fromkeys(("columns", "means", "moments", "one-matrix", "totals"), "binary")
_EXAMPLE = re.compile(r"```json certificate\n.*?```", re.S)
_STEP = re.compile(r'\["([a-z]+)"')
_KIND = re.compile(r'"kind": ((?:"[a-z ]+"(?: or )?)+)')
_TABLE = re.compile(r"((?:^\|.*\n)+)", re.M)
#: What pages say in other forms, and ways of one rule that are checked differently.
_ALSO: dict[str, tuple[str, ...]] = {
    "curve": ("step out apart", "step out low", "step out high", "step out score", "key points", "key concave"),
    "binary": (
        "kind cases",
        "kind pooled",
        "step trim below",
        "step trim above",
    ),
    "multi_class": (
        "kind cases",
        "kind parts",
        "step cut tp",
        "step cut q",
        "line mcc of 6",
        "line mcc of 4",
    ),
    "multi_label": ("kind parts", "step list", "step bound", "step cut", "line mean", "line ratio"),
    "one_test_set": ("kind rates", "kind known total"),
    "printed_matrix": ("kind rectangles",),
    "printed_shares": ("kind parts", "kind cases"),
    "unknown_classes": (
        "kind rates",
        "kind known total",
        "line out",
        "step out of 7",
        "step trim of 9",
        "step cut total",
        "step cut p",
    ),
    "unknown_counts": (
        "kind cases",
        "kind counts",
        "line product score",
        "line product weighted",
        "line product chance",
    ),
}
#: What the first column of a table names, by its heading.
_COLUMNS = {"row": "line", "line": "line", "relation": "relation", "kind": "kind"}


def used(certificate: dict[str, Any]) -> set[str]:
    """Every kind, step, line and relation of a proof, as "step cut", and every key of the statement, as "key ties"."""
    return {*_used(certificate["proof"], False), *(f"key {key}" for key in certificate["statement"])}


def _used(value: Any, within: bool) -> Iterator[str]:
    if isinstance(value, dict):
        yield from (f"{key} {value[key]}" for key in ("kind", "relation") if isinstance(value.get(key), str))
        for entry in value.values():
            yield from _used(entry, False)
    elif isinstance(value, list):
        if value and isinstance(value[0], str):
            sort = "line" if within else "step"
            yield f"{sort} {value[0]}"
            yield f"{sort} {value[0]} of {len(value)}"
            yield from (f"{sort} {value[0]} {word}" for word in value[1:] if isinstance(word, str))
            within = True
        for entry in value:
            yield from _used(entry, within)


def named(pages: Path) -> dict[str, set[str]]:
    """By kind, what its pages name."""
    found = {kind: set(rules) for kind, rules in _ALSO.items()}
    for page in sorted(pages.glob("*.md")):
        found.setdefault(OWNERS.get(page.stem, page.stem), set()).update(_named(page.read_text(encoding="utf-8")))
    found["multi_class"].discard("line ratio")  # of exclusive classes it follows from the number of correct cases
    return found


def _named(text: str) -> Iterator[str]:
    text = _EXAMPLE.sub("", text)
    yield from (f"step {name}" for name in _STEP.findall(text))
    yield from (f"kind {name}" for names in _KIND.findall(text) for name in re.findall(r'"([a-z ]+)"', names))
    for table in _TABLE.findall(text):
        heading, _, *rows = (line.split("|")[1].strip() for line in table.strip().split("\n"))
        if heading in _COLUMNS:
            for cell in rows:
                words = re.findall(r'`"([a-z]+)"' if heading == "line" else r"`([a-z][a-z0-9, ]*)`", cell)
                words = words if heading in ("line", "relation") else words[:1]
                yield from (f"{_COLUMNS[heading]} {name}" for name in words)
