"""A table as it stands in the paper, each cell marked by what became of it.

Spans, bold type, header rows and the caption are kept. A checked cell points to its row's card; unread and untested
cells say so themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from scoreproof.audits import TableResult
from scoreproof.documents import Span
from scoreproof.pages.escape import short, whole
from scoreproof.pages.places import Place, Places
from scoreproof.pages.words import sentence

_CELL = 120  # characters of a cell in view


def grid(result: TableResult, marked: Places, first_card: int) -> str:
    """The printed table; ``first_card`` is the number of the first of its rows' cards."""
    table = result.table
    if not table.rows:
        return '<p class="quiet">The table has no rows.</p>'
    covered: dict[Place, Span] = {
        (row, column): span
        for span in table.spans
        for row in range(span.row, span.row + span.rows)
        for column in range(span.column, span.column + span.columns)
    }
    line = partial(_line, result, marked, covered, first_card)
    caption = f"<caption>{whole(table.caption, 600)}</caption>" if table.caption.strip() else ""
    head = "".join(map(line, range(table.header_rows)))
    body = "".join(map(line, range(table.header_rows, len(table.rows))))
    tall = " tall" if len(table.rows) > 60 else ""
    top = f"<thead>{head}</thead>" if head else ""
    return (
        f'<div class="box{tall}" tabindex="0" role="region" aria-label="the printed table">'
        f'<table class="paper">{caption}{top}<tbody>{body}</tbody></table></div>'
    )


def _line(result: TableResult, marked: Places, covered: dict[Place, Span], first_card: int, line: int) -> str:
    return f"<tr>{''.join(_cells(result, marked, covered, first_card, line))}</tr>\n"


def _cells(
    result: TableResult, marked: Places, covered: dict[Place, Span], first_card: int, line: int
) -> Iterator[str]:
    table = result.table
    kind = "th" if line < table.header_rows else "td"
    for column, text in enumerate(table.rows[line]):
        place = line, column
        span = covered.get(place)
        if span is not None and (span.row, span.column) != place:
            continue
        reach = "" if span is None else _reach(span, table.shape)
        shown = whole(text, _CELL)
        if place in table.bold:
            shown = f"<b>{shown}</b>"
        yield f"<{kind}{_signs(text, place, marked, first_card)}{reach}>{shown}</{kind}>"


def _signs(text: str, place: Place, marked: Places, first_card: int) -> str:
    """The class of a cell, and for a checked one the number of its card and of the cell on it."""
    checked = marked.checked.get(place)
    wide = " w" if len(text) > _CELL else ""
    if checked is not None:
        key = " key" if checked.in_conflict else ""
        numbers = f"{first_card + checked.row}.{checked.cell}"
        return f' class="c {checked.outcome}{key}{wide}" data-c="{numbers}"'
    if place in marked.unread:
        return f' class="unread{wide}" data-n="Unread: {short(marked.unread[place], 300)}"'
    if place in marked.compared:
        verdict, words = marked.compared[place]
        return f' class="c {short(verdict, 20)}{wide}" data-n="{short(sentence(words), 500)}"'
    if place in marked.untested:
        return f' class="skipped{wide}" data-n="Not tested: {short(marked.untested[place], 300)}"'
    return ' class="w"' if wide else ""


def _reach(span: Span, shape: tuple[int, int]) -> str:
    rows, columns = min(span.rows, shape[0] - span.row), min(span.columns, shape[1] - span.column)
    down = f' rowspan="{rows}"' if rows > 1 else ""
    across = f' colspan="{columns}"' if columns > 1 else ""
    return down + across
