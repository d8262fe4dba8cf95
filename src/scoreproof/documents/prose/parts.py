"""Which cases a clause speaks of: those for training, validation or testing, or all."""

from __future__ import annotations

import re

from scoreproof.documents.prose.facts import Portion

_PARTS = {
    Portion.TEST: re.compile(
        r"\b(?:test(?:ing)?|tested|held[- ]out|hold[- ]?out|evaluat(?:e|ed|ion)|unseen|external validation)\b", re.I
    ),
    Portion.VALIDATION: re.compile(r"\b(?:validat(?:e|ed|ion)|development set|dev set|tuning)\b", re.I),
    Portion.TRAINING: re.compile(r"\b(?:train(?:ing|ed)?|learning set|fit(?:ted|ting)?)\b", re.I),
}
_EXTERNAL = re.compile(r"\bexternal validation\b", re.I)
# All cases of a cross-validation are evaluated, and none of them is a validation set.
_CROSS = re.compile(r"\bcross[- ]?validat\w+|\bevaluat\w+|\bleave[- ]one[- ]out\b", re.I)
_HEAD = re.compile(
    r"((?:external validation|train|test|valid|evaluat|hold[- ]?out|held[- ]out)\w*(?: \w+)?)"
    r" (?:sets?|data|cohort|subset|images|split)?\s*"
    r"(?:has|have|had|contain(?:s|ed)?|consist(?:s|ed) of|compris(?:es|ed|e)|includ(?:es|ed)|of|with|:|\()\s*"
    r"(?:a total of )?$",
    re.I,
)


def mentioned(text: str) -> Portion | None:
    """The first part of the list above that a text mentions."""
    return next((part for part, pattern in _PARTS.items() if pattern.search(text)), None)


def only_part(text: str) -> Portion | None:
    """The one part a sentence speaks of; all cases if of none; None if of several.

    >>> only_part("12 test images"), only_part("12 images"), only_part("12 images for training and testing")
    (<Portion.TEST: 'test'>, <Portion.ALL: 'all'>, None)
    """
    plain = _CROSS.sub("", text) if crossed(text) else _EXTERNAL.sub("test", text)
    parts = [part for part, pattern in _PARTS.items() if pattern.search(plain)]
    return Portion.ALL if not parts else parts[0] if len(parts) == 1 else None


def crossed(text: str) -> bool:
    """Whether a text speaks of a cross-validation."""
    return re.search(r"\bcross[- ]?validat|\bfold\b", text, re.I) is not None


def headed(before: str) -> Portion | None:
    """The part that is the subject of what follows: "the test set contains"."""
    match = _HEAD.search(before)
    return mentioned(match[1]) if match else None
