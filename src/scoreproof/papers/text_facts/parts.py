"""Which cases a clause speaks of: those for training, validation or testing, or all."""

from __future__ import annotations

import re

from scoreproof.papers.text_facts.facts import Portion

_PARTS = {
    Portion.TEST: re.compile(
        r"\b(?:test(?:ing)?|tested|held[- ]out|hold[- ]?out|evaluat(?:e|ed|ion)|unseen"
        r"|external (?:validation|set|cohort|data ?set|data))\b",
        re.I,
    ),
    Portion.VALIDATION: re.compile(r"\b(?:validat(?:e|ed|ion)|development set|dev set|tuning)\b", re.I),
    Portion.TRAINING: re.compile(r"\b(?:train(?:ing|ed)?|learning set|fit(?:ted|ting)?)\b", re.I),
}
_EXTERNAL = re.compile(r"\bexternal validation\b", re.I)
# What cases are not: "that were not in the training set", "independent of the training data".
_OTHER_THAN = re.compile(
    r"\b(?:not|never|no|none|independent|disjoint|separate|apart|distinct|different)\b[^,;.()]{0,40}?"
    r"\b(?:train\w*|learning|validation|development)(?: (?:set|data|images|cohort|phase))?\b",
    re.I,
)
# All cases of a cross-validation are evaluated, and none of them is a validation set.
_CROSS = re.compile(
    r"\bcross[- ]?validat\w+|\bevaluat\w+|\btested (?:on|by|with|using|in)\b|\bleave[- ]one[- ]out\b", re.I
)
# What is done to cases, not what they are: "318 were allocated to the test set".
DEALT = re.compile(
    r"(?:randomly |then |finally )?(?:allocat|assign|randomi[sz]|enrol|exclud|includ|reserv|select|set aside|held|kept"
    r"|drawn|taken|remov|annotat|label|chosen|left|picked|sampled|split|divid|used|withheld|retain|discard|added|came|collect"
    r"|obtain|acquir|tested|read|seen|scanned|complet|serv)",
    re.I,
)
_HEAD = re.compile(
    r"((?:external validation|train|test|valid|dev|evaluat|hold[- ]?out|held[- ]out)\w*(?: \w+)?)"
    r" (?:sets?|data|cohort|subset|images|split)?\s*"
    r"(?:(?:still|now|then|finally|only) )?"
    r"(?:has|have|had|contain(?:s|ed)?|consist(?:s|ed) of|compris(?:es|ed|e)|includ(?:es|ed)|holds?|held|of|with|:|\()"
    r"\s*"
    r"(?:a total of )?$"
    r"|(?:\band|,|\bwhile|\bwhereas) the ((?:train|test|valid)\w*) (?:set|cohort|data|split) $"
    r"|\b(train(?:ed)?|tested) (?:\w+ ){0,3}on (?:a |an |the )?(?:further |other |additional |new |separate )?$",
    re.I,
)
_SHARE_OF = re.compile(r"(?:%|\bpercent|\bhalf|\bthirds?|\bquarters?|\bfifths?|\btenth) of (?:\w+ ){0,2}$", re.I)


def mentioned(text: str) -> Portion | None:
    """The first part of the list above that a text mentions."""
    return next((part for part, pattern in _PARTS.items() if pattern.search(text)), None)


def only_part(text: str) -> Portion | None:
    """The one part a sentence speaks of; all cases if of none; None if of several.

    >>> only_part("12 test images"), only_part("12 images"), only_part("12 images for training and testing")
    (<Portion.TEST: 'test'>, <Portion.ALL: 'all'>, None)
    """
    plain = _OTHER_THAN.sub(" ", text)
    plain = _CROSS.sub("", plain) if crossed(text) else _EXTERNAL.sub("test", plain)
    parts = [part for part, pattern in _PARTS.items() if pattern.search(plain)]
    return Portion.ALL if not parts else parts[0] if len(parts) == 1 else None


def crossed(text: str) -> bool:
    """Whether a text speaks of a cross-validation."""
    return re.search(r"\bcross[- ]?validat|\bfold\b", text, re.I) is not None


def headed(before: str) -> Portion | None:
    """The part that is the subject of what follows: "the test set contains"."""
    match = _HEAD.search(before)
    if match and _SHARE_OF.search(before, 0, match.start()):
        return None
    return mentioned(match[1] or match[2] or match[3]) if match else None
