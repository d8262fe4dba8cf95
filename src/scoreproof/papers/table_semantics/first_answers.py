"""A bare "Top-1": accuracy, or an error?

Among more answers the right one is found more often and missed less: a Top-5 beside it that is never smaller says that
it is an accuracy, one that is smaller that it is an error. Without one the caption or an arrow must say it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from scoreproof.papers.table_semantics.headings import Heading, Role

_FIRST = re.compile(r"top[-\s_]?1\s*(?:\(\s*%\s*\)|%)?\s*[↑↓]?", re.I)
_FIFTH = re.compile(r"top[-\s_]?(?:[2-9]|10)\s*(?:\(\s*%\s*\)|%)?\s*[↑↓]?", re.I)
_NUMBER = re.compile(r"\s*[*†$]*\s*(\d{1,3}(?:\.\d{1,8})?)\s*%?[*†‡§\s]*")
_ERROR = re.compile(r"\berr", re.I)
_ACCURACY = re.compile(r"\baccurac(?:y|ies)\b|\bacc\b", re.I)


def first_answers(headings: Sequence[Heading], columns: Sequence[Sequence[str]], caption: str) -> list[Heading]:
    """The headings, with those of a bare "Top-1" as accuracy where the table says that it is.

    >>> from scoreproof.papers.table_semantics.headings import read_heading
    >>> heads = [read_heading(text) for text in ("Top-1", "Top-5")]
    >>> [one.score for one in first_answers(heads, [["76.1", "77.4"], ["92.9", "93.5"]], "")]
    ['acc', '']
    >>> [one.score for one in first_answers(heads, [["23.9", "22.6"], ["7.1", "6.5"]], "")]
    ['', '']
    """
    if _ERROR.search(caption) or any(_ERROR.search(heading.text) for heading in headings):
        return list(headings)
    if any(heading.score == "mrr" for heading in headings):  # the first answers of a ranking
        return [
            replace(heading, role=Role.SCORE, score="hits@1", note=f"{heading.text!r} read as Hits@1")
            if _is_first(heading)
            else heading
            for heading in headings
        ]
    return [
        replace(heading, role=Role.SCORE, score="acc", note=f"{heading.text!r} read as accuracy")
        if _is_first(heading) and _right(column, headings, columns, caption)
        else heading
        for column, heading in enumerate(headings)
    ]


def _last(heading: Heading) -> str:
    return heading.text.rpartition(" / ")[2].strip()


def _is_first(heading: Heading) -> bool:
    return heading.role is Role.OTHER and _FIRST.fullmatch(_last(heading)) is not None


def _of_more(heading: Heading) -> bool:
    return _FIFTH.fullmatch(_last(heading)) is not None


def _right(column: int, headings: Sequence[Heading], columns: Sequence[Sequence[str]], caption: str) -> bool:
    """Whether a column of first answers counts right ones."""
    said = f"{caption} {headings[column].text}"
    if "↓" in headings[column].text:
        return False
    beside = next((k for k in (column + 1, column + 2) if k < len(headings) and _of_more(headings[k])), None)
    if beside is None:
        return _ACCURACY.search(said) is not None or "↑" in headings[column].text
    pairs = [
        (float(first[1]), float(fifth[1]))
        for texts in zip(columns[column], columns[beside], strict=True)
        if (first := _NUMBER.fullmatch(texts[0])) and (fifth := _NUMBER.fullmatch(texts[1]))
    ]
    return bool(pairs) and all(first <= fifth for first, fifth in pairs) and any(a < b for a, b in pairs)
