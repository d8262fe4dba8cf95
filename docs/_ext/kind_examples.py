"""``{refuted} KIND``: the example of a kind's proof page, asked anew while the site is built.

The statement is taken from ``proofs/KIND.md``, or from the block itself; the engine finds a proof of its own, the verifier checks it, and both are shown.
If either does not work any more, the build fails.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from scoreproof import ask, verify
from scoreproof.kinds import read_problem

EXAMPLE = re.compile(r"```json certificate\n(.*?)```", re.S)
MOST = 1_400  # characters of a proof that are shown


def block(text: str, language: str) -> nodes.literal_block:
    """A block of code."""
    made = nodes.literal_block(text, text)
    made["language"] = language
    return made


def said(before: str, text: str) -> nodes.paragraph:
    """A paragraph with a bold beginning."""
    return nodes.paragraph("", "", nodes.strong("", before), nodes.Text(f" {text}"))


class Refuted(SphinxDirective):
    """A report, the answer, the certificate and what the verifier says of it."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Ask, verify, show."""
        kind = self.arguments[0]
        statement = json.loads("\n".join(self.content)) if self.content else self.example(kind)
        answer = ask(read_problem(kind, statement))
        if answer.certificate is None:
            raise self.severe(f"the example of {kind} is {answer.verdict}; expected a certificate")
        checked = verify(answer.certificate)
        if not checked:
            raise self.severe(f"the certificate of {kind} is not accepted: {checked}")
        proof = json.dumps(answer.certificate["proof"], ensure_ascii=False)
        shown = proof if len(proof) <= MOST else f"{proof[:MOST]} ..."
        return [
            nodes.paragraph("", "A report, as its statement:"),
            block(json.dumps(statement, ensure_ascii=False, indent=1), "json"),
            said("The answer:", " ".join(str(answer).split())),
            nodes.paragraph("", "The proof that the engine found:"),
            block(shown, "text" if shown != proof else "json"),
            said("The verifier:", " ".join(str(checked).split())),
        ]

    def example(self, kind: str) -> dict[str, Any]:
        """The statement of the example on the kind's proof page."""
        page = Path(self.env.srcdir) / "proofs" / f"{kind}.md"
        self.env.note_dependency(str(page))
        example = EXAMPLE.search(page.read_text(encoding="utf-8"))
        if example is None:
            raise self.severe(f"{page.name} has no example")
        statement: dict[str, Any] = json.loads(example[1])["statement"]
        return statement


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the directive."""
    app.add_directive("refuted", Refuted)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
