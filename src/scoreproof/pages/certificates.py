"""The proofs, carried inside the page.

Each certificate is a JSON script element that no browser runs, with a button that saves it as the file ``scoreproof
verify`` reads. Proofs can be large; beyond a total the rest stays in the JSON report, and the page says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup

from scoreproof.findings.words import cut, embed, visible

_MOST_BYTES = 6_000_000


@dataclass(frozen=True, slots=True)
class Proof:
    """A certificate beside what it proves: its file, what it is called, its size, and whether the page holds it."""

    file: str
    label: str
    kilobytes: int
    kept: bool

    def buttons(self) -> Markup:
        """The buttons that save it and that check it in the browser; where the page lacks it, words that say so."""
        if not self.kept:
            return Markup('<span class="quiet">(proof of {:,} kB in the JSON report)</span>').format(self.kilobytes)
        return Markup(
            '<button type="button" class="check" data-file="{0}" aria-label="Check this proof: {1}">Check this '
            'proof</button> <button type="button" class="save" data-file="{0}" aria-label="Save certificate: {1}">'
            "Save certificate</button>"
        ).format(visible(self.file), visible(self.label))


@dataclass(slots=True)
class Shelf:
    """Collects certificates while a page is prepared; ``kept`` holds file names and JSON, ``left`` the others.

    ``kinds`` are the kinds of the kept ones and of the proofs in them.
    """

    kept: dict[str, str] = field(default_factory=dict)
    left: list[str] = field(default_factory=list)
    kinds: set[str] = field(default_factory=set)
    size: int = 0

    def keep(self, certificate: Mapping[str, Any] | None, name: str, label: str) -> Proof | None:
        """The certificate under its file name; nothing where there is none."""
        if certificate is None:
            return None
        document = embed(dict(certificate))
        fits = self.size + len(document) <= _MOST_BYTES
        if fits:
            self.size += len(document)
            self.kept[name] = document
            self.kinds.update(_kinds(certificate))
        else:
            self.left.append(name)
        return Proof(name, cut(label, 300), len(document) // 1000, fits)


def _kinds(document: Any) -> Iterator[str]:
    """The kind of a certificate, and of every proof within its proof."""
    waiting = [document]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Mapping):
            if isinstance(part.get("kind"), str):
                yield part["kind"]
            waiting += [part[key] for key in ("proof", "cases") if key in part]
        elif isinstance(part, list):
            waiting += part
