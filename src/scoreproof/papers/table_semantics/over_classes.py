"""Are the scores of a table averages over classes, and not those of one positive class?

A confusion matrix of two classes says nothing about an average over several. Headings and captions often name the
average (macro, micro, weighted); where they do not, recall gives it away: weighted by support it is the accuracy, in
every row, which one positive class would make a coincidence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

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
