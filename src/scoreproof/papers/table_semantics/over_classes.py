"""Are the scores of a table averages over classes, and not those of one positive class?

A confusion matrix of two classes says nothing about an average over several. Headings and captions often name the
average (macro, micro, weighted); where they do not, recall gives it away: weighted by support it is the accuracy, in
every row, which one positive class would make a coincidence.

A bare "Top-1": accuracy, or an error?

Among more answers the right one is found more often and missed less: a Top-5 beside it that is never smaller says that
it is an accuracy, one that is smaller that it is an error. Without one the caption or an arrow must say it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from scoreproof.errors import ScoreproofError
from scoreproof.papers.table_semantics.heading_words import CLASS_MEANS
from scoreproof.papers.table_semantics.headings import Heading, Role
from scoreproof.papers.table_semantics.report import Report
from scoreproof.papers.table_semantics.rows import RowKind
from scoreproof.reported import Claim, report

_SCORED = r"(?:averag|avg|mean\b|f1|f-?\s?(?:score|measure)|precision|recall|sensitivity|accuracy|scores?\b|metrics?\b)"
_CAPTION = re.compile(
    rf"\b(?:macro|micro)(?:[-\s]+|\s*/\s*(?:macro|micro)[-\s]*)?{_SCORED}|\((?:macro|micro|weighted)\)"
    rf"|(?<!class[- ])(?<!t1[- ])(?<!t2[- ])\bweighted[-\s]*{_SCORED}|\b(?:macro|micro)-?averag\w*"
    r"|\baverag\w*\s+(?:over|across)\s+(?:all\s+)?(?:the\s+)?(?:\w+\s+)?classes|\bclass[- ]averaged",
    re.IGNORECASE,
)
_KINDS = (RowKind.RESULT, RowKind.FOLD, RowKind.MEAN, RowKind.OVERALL)


def averages_over_classes(headings: Sequence[Heading], reports: Sequence[Report], caption: str) -> dict[str, str]:
    """For every group of columns whose scores are averages over classes, why they are taken for such."""
    groups = dict.fromkeys(heading.group for heading in headings if heading.role is Role.SCORE)
    said = _CAPTION.search(caption)
    beside = next((one for one in headings if one.role is Role.OTHER and _is_class_mean(one)), None)
    found = {}
    for group in groups:
        named = next((one for one in headings if one.role is Role.SCORE and one.qualifier and one.group == group), None)
        if named is not None:
            found[group] = f"the heading {named.text!r} says {named.qualifier}"
        elif beside is not None:
            found[group] = f"{beside.text!r} beside them is an average over classes"
        elif said is not None:
            found[group] = f"the caption says {' '.join(said[0].split())!r}"
        elif _recall_is_accuracy([one for one in reports if one.group == group and one.kind in _KINDS]):
            found[group] = "recall equals accuracy in every row, as an average over classes weighted by support does"
    return found


def _is_class_mean(heading: Heading) -> bool:
    words = heading.text.partition("(")[0]
    return "".join(char for char in words.lower() if char.isalnum()) in CLASS_MEANS


def _recall_is_accuracy(reports: Sequence[Report]) -> bool:
    """Whether the printed recall is the printed accuracy wherever both are given; a perfect row says nothing."""
    telling = False
    for one in reports:
        texts = {value.score: value.text for value in reversed(one.plain)}
        if "acc" not in texts or "sens" not in texts:
            continue
        try:
            accuracy, recall = report("acc", texts["acc"]), report("sens", texts["sens"])
        except ScoreproofError:
            return False
        if not _same(accuracy, recall):
            return False
        telling = telling or accuracy.number.value != 1
    return telling


def _same(one: Claim, other: Claim) -> bool:
    """Whether two printed values are one value, perhaps cut to different digits."""
    first, second = one.number, other.number
    if first.scale == second.scale:
        return first.units == second.units
    return one.low <= second.value <= one.high and other.low <= first.value <= other.high


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
