"""What a column is about, from its header over one or more levels, by the names of the registry and nothing else.

A header is a score only if every word of it is accounted for; on another level also a data set or a class. One that
merely holds a score's name ("Suffix err.", "Δ Acc") is none: unknown is better than wrong.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import chain
from typing import Any

from scoreproof.errors import ScoreproofError
from scoreproof.papers.table_semantics import words
from scoreproof.papers.table_semantics.words import SETS, key_of
from scoreproof.quantities import Quantity, quantity
from scoreproof.quantities.registry import UNTESTED, registered, why_untested
from scoreproof.quantities.task_quantities import KIND_NAME as REGRESSION

_SAYS = words.PATTERNS["headings"]


class Role(StrEnum):
    """What a column holds."""

    LABEL = "label"
    SCORE = "score"
    COUNT = "count"
    OTHER = "other"  #: numbers that no check uses


_MOST_WORDS = 14
_OF_THE_DATA = words.TRAINS | words.VALIDATIONS
#: How sure words are: a known name; a short one that others confirm; a letter, or words left over; strange numbers.
EXPLICIT, CONFIRMED, BY_COMPANY, DOUBTFUL = 0.97, 0.9, 0.5, 0.25
_WITH_AT = ("ranking", "detection")  # kinds of quantities whose names have a cut-off or an overlap behind an @


@dataclass(frozen=True, slots=True)
class Heading:
    """A column's header, understood: a score, its averaging word, what was taken over folds; data set or class (group).

    ``likely`` is the score that OTHER would be if the words in ``group``, or its short name (``shy``), had an
    explanation; a ``count`` of "size" may be of the training data. ``sure`` is how likely its words alone are right.
    """

    text: str
    role: Role
    score: str = ""
    qualifier: str = ""
    statistic: str = ""
    count: str = ""
    percent: bool = False
    group: str = ""
    note: str = ""
    likely: str = ""
    shy: str = ""
    sure: float = EXPLICIT

    def to_dict(self) -> dict[str, Any]:
        names = ("score", "qualifier", "statistic", "count", "percent", "group", "note")
        entry = {name: getattr(self, name) for name in names if getattr(self, name)}
        return {"text": self.text, "role": str(self.role), **entry}


def read_heading(levels: Sequence[str] | str) -> Heading:
    """What a header says, given its levels from top to bottom.

    >>> [read_heading(text).score for text in ("Dice/F1", "Top-1 Acc", "Top-5 Acc", "Suffix err.", "Precision/Recall")]
    ['f1', 'acc', '', '', '']
    """
    given = [levels] if isinstance(levels, str) else [level for level in levels if level.strip()]
    text = " / ".join(dict.fromkeys(level.strip() for level in given))
    if not given or len(text) > 300:
        return Heading(text, Role.OTHER, note="no header" if not given else "a header of many characters")
    reader = _Reader()
    for level in dict.fromkeys(given):
        reader.level(level)
    return reader.heading(text)


@dataclass(slots=True)
class _Reader:
    """What the levels of a header say, gathered level by level: one may name the score, others say of what it is."""

    scores: dict[str, Quantity] = field(default_factory=dict)
    group: dict[str, None] = field(default_factory=dict)  # words that belong to no name, in their order
    qualifier: str = ""
    statistic: str = ""
    percent: bool = False
    count: str = ""
    never: str = ""
    other: str = ""
    shy: str = ""
    unsure: str = ""  # why the name of the score may be of something else
    spelled: str = ""

    def heading(self, text: str) -> Heading:
        def heading(role: Role, **more: Any) -> Heading:
            told: dict[str, Any] = {"qualifier": self.qualifier, "statistic": self.statistic, "percent": self.percent}
            return Heading(text, role, group=" ".join(self.group), **told, **more)

        score = next(iter(self.scores.values()), None)
        twice = f"two scores in one header: {' and '.join(self.scores)}" if len(self.scores) > 1 else ""
        if refused := self.never or twice or (self.other and f"no check uses it yet ({self.other})"):
            return heading(Role.OTHER, note=refused)
        if score is not None and self.unsure:
            return heading(Role.OTHER, note=self.unsure, likely=score.name, shy=self.shy)
        if score is not None:
            known = key_of(self.spelled) in (score.name, key_of(score.title))
            note = "" if known else f"{self.spelled!r} read as {score.title}"
            return heading(Role.SCORE, score=score.name, note=note)
        if self.percent or not self.count:
            return heading(Role.OTHER, note="no score of this name is known")
        unsure = "cases of which set? 'total' in columns says that they are the evaluated ones"
        size = self.count == "size"
        return heading(Role.OTHER if size else Role.COUNT, note=unsure if size else "", count=self.count)

    def level(self, level: str) -> None:
        text = _SAYS["noise"].sub(" ", _SAYS["squared"].sub("R2", words.in_english(level).replace("−", "-")))
        text = _SAYS["top_1"].sub("top1", _SAYS["at_1"].sub(r"\1", text))
        is_difference = _SAYS["difference"].search(text) is not None
        self.percent = self.percent or (not is_difference and _SAYS["unit"].search(text) is not None)
        text = _SAYS["empty"].sub(" ", _SAYS["unit"].sub(" ", text)).strip()
        score = _registered(text) if "@" in text else None
        if is_difference:
            self.never = self.never or "a difference, not a score"
        elif score is not None and score.kind in _WITH_AT:
            self._name(score, text)
        elif why := why_untested(text):
            self._untested(why, text)
        elif "@" in text or _SAYS["top_k"].search(text):
            self.never = self.never or "of the first k answers, or at a threshold"
        elif key_of(text) not in SETS["generic"]:
            self._read(text)

    def _read(self, text: str) -> None:
        keys = (key_of(text), *map(key_of, re.split(r"[\s()\[\],/_-]+", text)))
        if never := next((words.NEVER[key] for key in keys if key in words.NEVER), ""):
            self.never = self.never or never
            return
        if spread := _SAYS["spread"].search(text):
            self.statistic = self.statistic or "mean"
            text = f"{text[: spread.start()]} {text[spread.end() :]}"
        if _SAYS["interval"].fullmatch(text.strip()):
            self._untested("a confidence interval")
            return
        text = _SAYS["interval_after"].sub("", text)
        if not (self._whole(text) or self._with_unit(text)):
            self._pieces(text)

    def _name(self, score: Quantity, spelled: str, *, shy: str = "", left: str = "") -> None:
        if not self.scores:
            self.spelled, self.shy = spelled, shy
            if shy:
                self.unsure = f"{spelled!r} may be {score.title}; no other column confirms it"
            elif left:
                self.unsure = f"{left!r} beside the name of {score.title} is not understood"
        self.scores[score.name] = score

    def _untested(self, why: str, text: str = "") -> None:
        self.other = why
        self._beside(" ".join(text.split()))

    def _beside(self, *texts: str) -> None:
        self.group |= dict.fromkeys(filter(None, texts))

    def _whole(self, text: str) -> bool:
        """Whether the level is one known name from end to end."""
        key = key_of(text)
        if key in words.ALIASES:
            name, qualifier = words.ALIASES[key]
            self.qualifier = qualifier or self.qualifier
            self._name(quantity(name), text)
        elif key in words.OTHERS:
            self._untested(words.OTHERS[key])
        elif key in words.SHY and (key not in SETS["capitals"] or text == key.upper()):
            self._name(quantity(words.SHY[key][0]), text, shy=key)
        elif (key not in words.SHY or key == "map") and (score := _registered(text)) is not None:
            self._name(score, text)
        elif key in words.COUNTS:
            self.count = words.COUNTS[key]
        else:
            return False
        return True

    def _with_unit(self, text: str) -> bool:
        """Whether it is an error of predicted numbers with its unit in brackets; columns of one unit are a group."""
        match = _SAYS["in_brackets"].fullmatch(text.strip())
        score = _registered(match[1]) if match else None
        if match is None or score is None or score.kind != REGRESSION or key_of(match[2]) in words.NO_UNITS:
            return False
        self._name(score, match[1], shy=key if (key := key_of(match[1])) in words.SHY else "")
        self._beside(match[2].strip())
        return True

    def _pieces(self, text: str) -> None:
        """The parts between brackets and bars: names of one score, and words that are accounted for."""
        parts = (part for part in _SAYS["pieces"].split(text) if part.strip(" -–—_."))
        pieces = [part.split() for part in parts if key_of(part) not in SETS["intervals"]]
        if sum(map(len, pieces)) > _MOST_WORDS:
            self._beside(" ".join(text.split()))
            return
        if known := next(filter(None, map(_other_in, pieces)), ""):
            self._untested(known, text)
            return
        for word in chain(*pieces):
            for part in (word, *_SAYS["joints"].split(word)):
                self._qualify(key_of(part))
        scores: dict[str, Quantity] = {}
        left: list[str] = []
        for piece in pieces:
            score, rest = _named(piece)
            scores |= {score.name: score} if score is not None else {}
            left += self._left(rest, next(iter(scores), ""))
        data = [word for word in left if key_of(word) in _OF_THE_DATA] if scores else []
        left = [word for word in left if word not in data]
        plain = not scores and sum(map(len, pieces)) == len(left)
        self._beside(" ".join(data), " ".join(text.split() if plain else left))
        for score in scores.values():
            self._name(score, text, left=" ".join(left))

    def _qualify(self, key: str) -> None:
        if key in words.QUALIFIERS and self.qualifier in ("", words.QUALIFIERS[key]):
            self.qualifier = words.QUALIFIERS[key]

    def _left(self, texts: Sequence[str], score: str) -> list[str]:
        """The words that nothing accounts for, and those that name the training data."""
        keys = [key_of(word) for word in texts]
        known = {word for word, average in words.QUALIFIERS.items() if average == self.qualifier}
        if score:
            known |= {""} | SETS["fillers"] | SETS["tests"] | words.OWN_FILLERS.get(score, set())
            known |= SETS["set_words"] if {*keys} & (SETS["tests"] | _OF_THE_DATA) else set()
        left = []
        for word, key, before in zip(texts, keys, ["", *keys], strict=False):
            known |= SETS["quantiles"] if self.statistic == "median" else set()
            free = self.qualifier or self.statistic in ("", words.STATISTICS.get(key))
            if key in words.STATISTICS and free and not before.isdigit():  # "15 min" are minutes
                averaged = self.qualifier and words.STATISTICS[key] == "mean"  # "macro average" is one word
                self.statistic = self.statistic or ("" if averaged else words.STATISTICS[key])
            elif key not in known:
                left.append(word)
        return left


def _registered(name: str) -> Quantity | None:
    name = name.strip(" ,;:()[]")
    with suppress(ScoreproofError):  # "Fβ" needs its beta
        return registered(name) if 0 < len(name) <= 60 else None
    return None


def _named(texts: Sequence[str]) -> tuple[Quantity | None, list[str]]:
    """The score that the most of these words name surely, and the words beside its name."""
    for tried in (list(texts), [part for word in texts for part in _SAYS["joints"].split(word) if part]):
        for size, start in _runs(tried):
            run = tried[start : start + size]
            key = key_of("".join(run))
            short = len(key) < 3 and not re.fullmatch(r"f\d", key)
            # an abbreviation counts only as a whole: its averaging word would be lost
            if short or key in words.SHY.keys() - SETS["in_company"] or key in words.OTHERS or key in words.ALIASES:
                continue
            if score := _registered(" ".join(run)):
                return score, [*tried[:start], *tried[start + size :]]
    return None, list(texts)


def _other_in(texts: Sequence[str]) -> str:
    """A quantity of another kind among the words; "mean average precision X" holds no precision."""
    for size, start in _runs(texts):
        key, whole = key_of("".join(texts[start : start + size])), size == len(texts)
        if key in words.OTHERS and (len(key) > 2 or whole) and key not in ("err", "error"):
            return words.OTHERS[key]
        if key in UNTESTED and (len(key) > 3 or whole):  # ASD is also a disorder
            return UNTESTED[key]
    return ""


def _runs(texts: Sequence[str]) -> list[tuple[int, int]]:
    """Sizes and starts of the runs of some words, the longest first."""
    return [(size, start) for size in range(len(texts), 0, -1) for start in range(len(texts) - size + 1)]
