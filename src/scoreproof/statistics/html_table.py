"""Small HTML tables for notebooks and reports; every cell is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape


def html_table(rows: Iterable[Sequence[object]], *, caption: str, head: Sequence[str] = ()) -> str:
    """A table; the first cell of each row is its header.

    >>> html_table([("p", "< 0.05")], caption="Sign test")
    '<table><caption>Sign test</caption><tbody><tr><th>p</th><td>&lt; 0.05</td></tr></tbody></table>'
    """
    top = "".join(f"<th>{escape(str(h))}</th>" for h in head)
    body = "".join(
        f"<tr><th>{escape(str(first))}</th>{''.join(f'<td>{escape(str(c))}</td>' for c in rest)}</tr>"
        for first, *rest in rows
    )
    header = f"<thead><tr>{top}</tr></thead>" if top else ""
    return f"<table><caption>{escape(caption)}</caption>{header}<tbody>{body}</tbody></table>"
