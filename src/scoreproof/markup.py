"""What a result shows in a notebook: a sentence, a coloured verdict, a small table.

Every ``_repr_html_`` is made of these, so that markup is escaped in one place and every heading of a table says what it
heads. Whole pages have templates of their own (``scoreproof.pages``), which may hold these pieces as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

_COLOURS = {
    "consistent": "#1a7f37",
    "inconsistent": "#b42318",
    "question": "#1f5a86",
    "undecided": "#8a6d00",
    "not tested": "#656d76",
    "error": "#65409a",
}


@dataclass(frozen=True, slots=True)
class HtmlCell:
    """A cell of a table: its text, the cells it spans, and how it is set; ``verdict`` colours it."""

    text: str
    rows: int = 1
    columns: int = 1
    bold: bool = False
    verdict: str = ""
    head: str = ""  # "col" or "row" for a heading


def html_words(words: object) -> str:
    """A paragraph.

    >>> html_words("p < 0.05")
    '<p>p &lt; 0.05</p>'
    """
    return f"<p>{escape(str(words))}</p>"


def html_list(items: Iterable[object], title: str = "") -> str:
    """A list with its title; nothing where there is nothing to list."""
    lines = "".join(f"<li>{escape(str(item))}</li>" for item in items)
    head = f"<p><strong>{escape(title)}</strong></p>" if title else ""
    return f"{head}<ul>{lines}</ul>" if lines else ""


def html_verdict(sentence: object) -> str:
    """A sentence; one that begins with a verdict and a colon has the verdict in its colour.

    >>> html_verdict("undecided: 5 s were not enough")
    '<p><strong style="color:#8a6d00">undecided</strong>: 5 s were not enough</p>'
    """
    verdict, colon, words = str(sentence).partition(": ")
    if verdict not in _COLOURS:
        return html_words(sentence)
    return f'<p><strong style="color:{_COLOURS[verdict]}">{verdict}</strong>{colon}{escape(words)}</p>'


def html_table(rows: Iterable[Sequence[object]], *, caption: str = "", head: Sequence[object] = ()) -> str:
    """A table; a text at the beginning of a row is the row's heading.

    >>> html_table([("p", "< 0.05")], caption="Sign test")
    '<table><caption>Sign test</caption><tr><th scope="row">p</th><td>&lt; 0.05</td></tr></table>'
    """
    lines = [[HtmlCell(str(name), head="col") for name in head]] if head else []
    for row in rows:
        named = bool(row) and isinstance(row[0], str)
        heads = ["row" if named else "", *[""] * len(row)]
        cells = zip(row, heads, strict=False)
        lines.append([HtmlCell(str(value), verdict=str(value), head=kind) for value, kind in cells])
    return html_grid(lines, caption=caption)


def html_grid(lines: Iterable[Iterable[HtmlCell]], *, caption: str = "") -> str:
    """A table of cells that may span others."""
    top = f"<caption>{escape(caption)}</caption>" if caption else ""
    body = "".join(f"<tr>{''.join(map(_cell, line))}</tr>" for line in lines)
    return f"<table>{top}{body}</table>"


def _cell(cell: HtmlCell) -> str:
    tag = "th" if cell.head else "td"
    scope = f' scope="{cell.head}"' if cell.head else ""
    reach = f' rowspan="{cell.rows}"' * (cell.rows > 1) + f' colspan="{cell.columns}"' * (cell.columns > 1)
    colour = f' style="color:{_COLOURS[cell.verdict]}"' if cell.verdict in _COLOURS else ""
    text = f"<b>{escape(cell.text)}</b>" if cell.bold else escape(cell.text)
    return f"<{tag}{scope}{reach}{colour}>{text}</{tag}>"
