"""Which rows and columns of a table a size from the text is of.

"The ISIC test set has 600 images" says nothing of the row PH2. Where the rows of a table, or its groups of columns, are
of different data (data sets, hospitals, men and women, images and patients), a size is tried with those that its
sentence names; the others stay with the one test set of which nothing is known.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from scoreproof.papers.table_semantics import Interpretation, RowKind
from scoreproof.papers.table_semantics.words import Patterns, loaded

_SAYS = Patterns(loaded("scoreproof.papers", "patterns.toml")["row_data"])
OF_DATA = _SAYS["of_data"]
_LONGEST = 2_000  # characters of a caption that are looked at
_MOST = 300  # data sets of a table


def of_rows_and_groups(
    found: Interpretation, names: Sequence[str], sentences: Mapping[str, Sequence[str]]
) -> dict[str, dict[str, list[str]]]:
    """For a table of different data: the experiments of each group of columns, or of each row.

    ``names`` are the experiments of the table, ``sentences`` what each was taken from; those without any are of all.
    """
    told = [text for name in names for text in sentences.get(name, ())]
    if not told or all(name in sentences for name in names):
        return {}
    return {
        key: {label: _of(data, names, sentences) for label, data in parts.items()}
        for key, parts in data_of_parts(found, told).items()
    }


def data_of_parts(found: Interpretation, told: Sequence[str]) -> dict[str, dict[str, str]]:
    """For a table of different data: its groups of columns, or its rows, with what names their data.

    ``told`` are sentences of sizes, which may name some of the data.
    """
    results = [one for one in found.reports if one.kind is RowKind.RESULT]
    groups = list(dict.fromkeys(one.group for one in results if one.group))
    if len(groups) > 1:
        return (
            {"groups": {group: group for group in groups}}
            if _different(groups, told, "", mentioned_is_enough=True)
            else {}
        )
    labels = _data_labels(found, told)
    return {"rows": labels} if len(set(labels.values())) > 1 else {}


def data_named(caption: str) -> frozenset[str]:
    """The data that a caption speaks of: names after "on" or "for", and words such as "external" and "women".

    >>> sorted(data_named("Results on PH2, external validation."))
    ['PH2', 'external', 'validation']
    """
    names = {match["name"] for match in _SAYS["on"].finditer(caption[:_LONGEST])}
    return frozenset(names | {match[0].lower() for match in OF_DATA.finditer(caption[:_LONGEST])})


def of_people(
    found: Interpretation, names: Sequence[str], sentences: Mapping[str, Sequence[str]]
) -> dict[str, dict[str, list[str]]]:
    """Rows of several people ("Radiologists") may be means over them, of which the size of a test set says nothing."""
    open_ones = [name for name in names if name not in sentences]
    labels = [one.label for one in found.reports if one.kind is RowKind.RESULT and _SAYS["people"].search(one.label)]
    return {"rows": dict.fromkeys(labels, open_ones)} if labels and open_ones and len(labels) <= _MOST else {}


def of_caption(caption: str, names: Sequence[str], sentences: Mapping[str, Sequence[str]]) -> list[str]:
    """The experiments of a table whose caption names its data: not those of sentences that name other data only.

    >>> told = {"600 images": ["The ISIC test set has 600 images."], "90 images": ["The test set has 90 images."]}
    >>> of_caption("Results on PH2.", [*told, "one test set"], told)
    ['90 images', 'one test set']
    """
    data = {match["name"] for match in _SAYS["on"].finditer(caption[:_LONGEST])}
    return [name for name in names if not data or not _all_of_others(sentences.get(name, ()), data)]


def _all_of_others(told: Sequence[str], data: set[str]) -> bool:
    """Whether every sentence names data, and none of these."""
    named = [{match["name"] for match in _SAYS["of_named"].finditer(text)} for text in told]
    return bool(named) and all(named) and not any(names_data(name, told) for name in data)


def _data_labels(found: Interpretation, told: Sequence[str]) -> dict[str, str]:
    """For each result its label, and the part of it that names its data; nothing if no part does."""
    rows = [row for row in found.rows if row.kind is RowKind.RESULT and row.label]
    for place, column in enumerate(found.label_columns):
        parts = [row.labels[place] for row in rows if place < len(row.labels)]
        head = column.heading.text.strip()
        if len(parts) == len(rows) and _different(parts, told, head, mentioned_is_enough=not head):
            return {row.label: row.labels[place] for row in rows}
    sections = [row.section for row in rows]
    if all(sections) and _different(sections, told, "", mentioned_is_enough=True):
        return {row.label: row.section for row in rows}
    return {}


def _different(parts: Sequence[str], told: Sequence[str], head: str, *, mentioned_is_enough: bool) -> bool:
    """Whether texts are of different data, by their header, by most of them, or since sentences of sizes name some."""
    kinds = set(parts)
    if not 2 <= len(kinds) <= _MOST:
        return False
    of_data = OF_DATA.search(head) is not None and not _SAYS["same_data"].search(head)
    if of_data or (not head and 2 * sum(OF_DATA.search(part) is not None for part in kinds) > len(kinds)):
        return True
    names = [_SAYS["sizes"].sub("", part).strip() for part in kinds]  # as they are written: "Model" is not "the model"
    return mentioned_is_enough and any(name and re.search(rf"\b{re.escape(name)}\b", " ".join(told)) for name in names)


def _of(data: str, names: Sequence[str], sentences: Mapping[str, Sequence[str]]) -> list[str]:
    return [name for name in names if name not in sentences or names_data(data, sentences[name])]


def names_data(data: str, told: Iterable[str]) -> bool:
    """Whether a text names some data: by all words of its label, brackets left out."""
    words = re.findall(r"[\w-]+", _SAYS["sizes"].sub("", data).lower())
    texts = (set(re.findall(r"[\w-]+", text.lower())) for text in told)
    return bool(words) and any(set(words) <= text for text in texts)
