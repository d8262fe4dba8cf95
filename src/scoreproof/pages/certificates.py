"""The proofs, carried inside the page.

Each certificate is a JSON script element that no browser runs, with a button that saves it as the file ``scoreproof
verify`` reads. Proofs can be large; beyond a total the rest stays in the JSON report, and the page says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from scoreproof.pages.escape import embed, escape

_MOST_BYTES = 6_000_000


@dataclass(slots=True)
class Shelf:
    """Collects certificates while the page is written; ``kept`` holds file names and JSON, ``left`` the others."""

    kept: dict[str, str] = field(default_factory=dict)
    left: list[str] = field(default_factory=list)
    size: int = 0

    def button(self, certificate: Mapping[str, Any] | None, name: str, label: str) -> str:
        """A button that saves a certificate as ``name``; nothing where there is none, words where it is too large."""
        if certificate is None:
            return ""
        document = embed(dict(certificate))
        if self.size + len(document) > _MOST_BYTES:
            self.left.append(name)
            return f'<span class="quiet">(proof of {len(document) // 1000:,} kB in the JSON report)</span>'
        self.size += len(document)
        self.kept[name] = document
        return (
            f'<button type="button" class="save" data-file="{escape(name)}" '
            f'aria-label="Save the certificate: {escape(label)}">Save certificate</button>'
        )

    def blocks(self) -> str:
        """The script elements, one per certificate."""
        return "\n".join(
            f'<script type="application/json" class="certificate" data-file="{escape(name)}">{document}</script>'
            for name, document in self.kept.items()
        )

    def section(self) -> str:
        """How to check the proofs again."""
        if not self.kept and not self.left:
            return ""
        example = next(iter(self.kept), "certificate.json")
        held = (
            f"This page holds {len(self.kept):,} of them; each is saved by the button beside its reading. "
            if self.kept
            else ""
        )
        left = f"<p>{len(self.left):,} proofs are too large for this page; the JSON report holds them all.</p>"
        return (
            '<section id="recheck"><h2>Checking the proofs again</h2>'
            "<p>Every inconsistency comes with a certificate: a JSON file that states the scores as printed, the "
            "rounding and the experiment, and proves that nothing fits. "
            f"{held}The program below re-derives the problem from the file alone, with code that shares nothing "
            "with the search that found the proof.</p>"
            f"<pre><code>pip install scoreproof\nscoreproof verify {escape(example)}</code></pre>"
            "<p>In Python: <code>scoreproof.verify(&quot;FILE&quot;)</code>. Exit status 0 means that the proof "
            f"holds, 1 that it does not.</p>{left if self.left else ''}</section>"
        )
