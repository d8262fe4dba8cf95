"""An audit as one HTML file that needs nothing else: it opens from disk, prints, and can be sent to an editor.

A content security policy allows the page's own script and style sheet, named by their hashes, and nothing besides:
whatever text a table holds, the browser has no leave to run or fetch it.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files

from scoreproof.audits import AuditResult
from scoreproof.errors import InvalidValue
from scoreproof.pages.cards import Deck
from scoreproof.pages.certificates import Shelf
from scoreproof.pages.escape import cut, embed, short, whole
from scoreproof.pages.extent import Extent
from scoreproof.pages.section import section
from scoreproof.pages.summary import meanings, summary


def to_html(result: AuditResult) -> str:
    """The report of an audit as one self-contained HTML page.

    With more than 500 rows only those that are not consistent have a text of their own (600 at most, 200 of them with
    a figure); every cell keeps its card.

    >>> from scoreproof.audits import AuditResult
    >>> to_html(AuditResult("A <b>paper</b>", "paper.tex", ())).count("A &lt;b&gt;paper&lt;/b&gt;")
    2
    """
    if not isinstance(result, AuditResult):
        raise InvalidValue(f"result: expected the AuditResult of an audit, got {type(result).__name__}")
    extent = Extent.of(result)
    shelf = Shelf()
    deck = Deck()
    sections: list[str] = []
    for place, table in enumerate(result.tables):
        sections.append(section(table, place, len(deck.cards), extent, shelf))
        for index, row in enumerate(table.rows):
            deck.add(row, extent.anchor(place, index))
    body = f"{summary(result, extent)}{''.join(sections)}{shelf.section()}{meanings(result)}"
    data = f'<script type="application/json" id="cards">{embed(deck.to_dict())}</script>\n{shelf.blocks()}'
    return _document(result, body, data)


def _document(result: AuditResult, body: str, data: str) -> str:
    style, script = _shipped("report.css"), _shipped("report.js")
    policy = (
        f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; img-src data:; base-uri 'none'; "
        "form-action 'none'"
    )
    title = cut(result.title, 160) or "Consistency report"
    source = f'<p class="source">{whole(result.source, 300)}</p>' if result.source.strip() else ""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width,initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n<link rel="icon" href="data:,">\n'
        f"<title>{short(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        '<a class="skip" href="#summary">Skip to the summary</a>\n<header><div><p class="kind">Consistency report</p>'
        f"<h1>{whole(result.title, 160) or 'Untitled'}</h1>{source}</div>"
        '<button type="button" id="theme" aria-live="polite" hidden>Theme: auto</button></header>\n'
        f"<main>{body}</main>\n<footer><p>scoreproof {short(result.version, 40)}: could this experiment have produced "
        "these numbers?</p></footer>\n"
        '<div id="card" role="tooltip" hidden></div>\n'
        f"{data}\n<script>{script}</script>\n</body>\n</html>\n"
    )


@cache
def _shipped(name: str) -> str:
    """A file of this package."""
    return files("scoreproof.pages").joinpath(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
    return f"'sha256-{digest}'"
