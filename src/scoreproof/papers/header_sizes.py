"""Sizes that stand in the headers of a table itself: "External (n = 250, 50 positive)" over columns or before a row.

They are proposals like those of sentences: assumed, shown with their header, and beside the one test set of which
nothing is known. "Random forest (n = 100)" has a hundred trees: a number of cases needs a word for data beside it, or
a class that is counted, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from scoreproof.papers.proposals import OPEN, Proposals
from scoreproof.papers.row_data import OF_DATA
from scoreproof.papers.table_semantics import Interpretation, RowKind

_SIZE = re.compile(
    r"[(\[,;:]\s*[nN]\s*=\s*(?P<total>\d{1,3}(?:,\d{3})+|\d{1,7})"
    r"(?:\s*[,;/]\s*(?:[nN]?pos\w*\s*=\s*)?(?P<part>\d[\d,]*)\s*(?P<class>pos\w*\.?|[a-z]+))?\s*[)\]]"
)
_FEWEST = 20  # cases; fewer may be runs, folds or readers
_MOST = 40  # headers


def sized_headers(made: Proposals, found: Interpretation, number: int, names: list[str]) -> dict[str, Any]:
    """What a specification says of groups of columns and of rows that have sizes in their headers."""
    if names[-1:] != [OPEN]:  # means over runs, of which a number of cases says nothing
        return {}
    known = dict(sizes_in_headers(found))
    stated: dict[str, dict[str, list[str]]] = {}
    for (key, text), (total, part, of) in list(known.items())[:_MOST]:
        said = f"{total:,} cases" + (f", {part:,} {of}" if part else "")
        dataset: dict[str, Any] = {"total": total}
        if of == "positive":
            dataset = {"p": part, "n": total - part}
        elif part:
            dataset = {"classes": {of: part, f"not {of}": total - part}, "positive": "unknown"}
        name = made.add(f"{said} of {text}", dataset, f"those of {text!r} are {said}")
        told = {"what": said, "sentence": text, "place": f"a header of table {number}", "used": name}
        made.extracted += [told] if told not in made.extracted else []
        stated.setdefault(key, {})[text] = [name, OPEN]
    return stated


def sizes_in_headers(found: Interpretation) -> Iterator[tuple[tuple[str, str], tuple[int, int, str]]]:
    """Headers of groups and of rows, with their number of cases and perhaps a class of them."""
    results = [one for one in found.reports if one.kind is RowKind.RESULT and not one.counts]
    texts = [("groups", one.group) for one in results] + [("rows", one.label) for one in results if not one.group]
    heads = " ".join(column.heading.text for column in found.label_columns)
    for key, text in dict.fromkeys(texts):
        said = _SIZE.search(text)
        total = int(said["total"].replace(",", "")) if said else 0
        part = int(said["part"].replace(",", "")) if said and said["part"] else 0
        of_data = bool(part) or OF_DATA.search(text if key == "groups" else f"{heads} {text}") is not None
        if said and of_data and total >= _FEWEST and part < total:
            of = (said["class"] or "").rstrip(".")
            yield (key, text), (total, part, "positive" if of.startswith("pos") else of)
