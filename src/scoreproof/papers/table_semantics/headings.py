"""What a column is about, from its header over one or more levels.

Names are looked up in the registry of quantities and nowhere else. A header is a score only if every word of it is
accounted for: the score's name (or two names of one score, as in "Dice/F1"), a unit ("(%)"), an arrow, an averaging
word (macro, micro, weighted), a statistic (mean, std), the test set; on another level also whatever the score is of, a
data set or a class. A header that merely holds a score's name ("Suffix err.", "Recall@10", "Δ Acc") is none: unknown is
better than wrong. What it would be stays in ``likely``, for the case that the other columns explain the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from scoreproof.errors import ScoreproofError
from scoreproof.papers.table_semantics.words import (
    ALIASES,
    ARROWS,
    COUNTS,
    FILLERS,
    GENERIC,
    INTERVALS,
    NEVER,
    OTHERS,
    OWN_FILLERS,
    PATTERNS,
    QUALIFIERS,
    QUANTILES,
    SET_WORDS,
    SHY,
    SIZES,
    STATISTICS,
    TESTS,
    TRAINS,
    VALIDATIONS,
    in_english,
    key_of,
)
from scoreproof.quantities import Quantity, quantity
from scoreproof.quantities.registry import OF_TEXTS, UNTESTED, why_untested
from scoreproof.quantities.task_quantities import KIND_NAME as REGRESSION

_SAYS = PATTERNS["headings"]


class Role(StrEnum):
    """What a column holds."""

    LABEL = "label"
    SCORE = "score"
    COUNT = "count"
    OTHER = "other"  #: numbers that no check uses


_MOST_WORDS = 14
_NO_UNITS = {*TESTS, *TRAINS, *VALIDATIONS, *QUALIFIERS, *STATISTICS, *NEVER, *INTERVALS}
# "for" is no false omission rate, but FOR may be one; mAP is a score, but MAP may be maximum a posteriori.
_CAPITALS = ("for", "map")
#: How sure words are: a known name; a short one that others confirm; a letter, or words left over; strange numbers.
EXPLICIT, CONFIRMED, BY_COMPANY, DOUBTFUL = 0.97, 0.9, 0.5, 0.25
_IN_COMPANY = ("mae", "mse")  # short names that other columns with the same words beside them confirm
_OF_WHICH_SET = "cases of which set? 'total' in columns says that they are the evaluated ones"
_WITH_AT = ("ranking", "detection")  # kinds of quantities whose names have a cut-off or an overlap behind an @


@dataclass(frozen=True, slots=True)
class Heading:
    """A column's header, understood.

    ``score`` is the registry's name of the score, ``qualifier`` an averaging word, ``statistic`` what was taken over
    folds (mean, std, min, max, median). ``group`` holds the words that belong to neither: a data set, a class.
    ``note`` says what was assumed or why the column cannot be used; ``likely`` is the score a header of role OTHER
    would be if the words left over in ``group``, or its short name, had an explanation, and ``count`` is "size" for
    numbers of cases that may be those of the training data. ``shy`` is a short name of more than one sense. ``sure`` is
    how likely its words, where nothing else is known, mean what was read into them.
    """

    text: str
    role: Role
    score: str = ""
    qualifier: str = ""
    statistic: str = ""
    count: str = ""
    percent: bool = False
    arrow: str = ""
    group: str = ""
    note: str = ""
    likely: str = ""
    shy: str = ""
    sure: float = EXPLICIT

    def to_dict(self) -> dict[str, Any]:
        entry: dict[str, Any] = {"text": self.text, "role": str(self.role)}
        names = ("score", "qualifier", "statistic", "count", "percent", "arrow", "group", "note")
        entry.update({name: getattr(self, name) for name in names if getattr(self, name)})
        return entry


@dataclass(frozen=True, slots=True)
class _Said:
    """What one level says: its score (or several), the words left over, or why it is no score."""

    words: str = ""
    scores: tuple[Quantity, ...] = ()
    spelled: str = ""
    count: str = ""
    never: str = ""
    other: str = ""
    shy: str = ""
    part: str = ""

    @property
    def beside(self) -> Iterator[str]:
        """What stands beside a name: a part of the data, and words."""
        return filter(None, (self.part, self.words))


def read_heading(levels: Sequence[str] | str) -> Heading:
    """What a header says, given its levels from top to bottom.

    >>> one = read_heading(["DRIVE", "Acc. (%) ↑"])
    >>> one.score, one.percent, one.group, one.arrow
    ('acc', True, 'DRIVE', 'up')
    >>> read_heading("Macro F1").qualifier, read_heading("AUROC").score, read_heading("TP").count
    ('macro', 'auc', 'tp')
    >>> [read_heading(text).score for text in ("Dice/F1", "Top-1 Acc", "Top-5 Acc", "Suffix err.", "Precision/Recall")]
    ['f1', 'acc', '', '', '']
    """
    given = [levels] if isinstance(levels, str) else [level for level in levels if level.strip()]
    text = " / ".join(dict.fromkeys(level.strip() for level in given))
    if not given or len(text) > 300:
        return Heading(text, Role.OTHER, note="no header" if not given else "a header of many characters")
    reader = _Reader()
    told = [reader.level(level) for level in dict.fromkeys(given)]
    shared: dict[str, Any] = {
        "qualifier": reader.qualifier,
        "statistic": reader.statistic,
        "percent": reader.percent,
        "arrow": reader.arrow,
    }
    return _joined(text, told, shared)


def _joined(text: str, levels: Sequence[_Said], shared: dict[str, Any]) -> Heading:
    """All levels together: one may name the score, the others say of what it is."""
    names = {score.name: score for level in levels for score in level.scores}
    group = " ".join(dict.fromkeys(part for level in levels for part in level.beside))
    at_end = levels[::-1]  # the lowest level first

    def other(note: str, likely: str = "") -> Heading:
        return Heading(text, Role.OTHER, group=group, note=note, likely=likely, **shared)

    if never := _first(levels, "never"):
        return other(never)
    if len(names) > 1:
        return other("two scores in one header: " + " and ".join(names))
    first_score = next(iter(names.values()), None)
    if known := _first(at_end, "other"):
        if known == OF_TEXTS and first_score is not None and first_score.name in ("ppv", "sens", "f1"):
            # of pairs of texts: precision, recall and F1 are averaged over these
            return Heading(text, Role.SCORE, first_score.name, group=group, **{**shared, "qualifier": "samples"})
        return other(f"no check uses it yet ({known})")
    if first_score is not None:
        own = next(level for level in levels if level.scores)
        note = _unsure(own, first_score)
        if note:
            return replace(other(note, first_score.name), shy=own.shy)
        return Heading(text, Role.SCORE, first_score.name, group=group, note=_note(own.spelled, first_score), **shared)
    count = "" if shared["percent"] else _count(at_end)
    if count == "size":
        return replace(other(_OF_WHICH_SET), count=count)
    counted = Heading(text, Role.COUNT, count=count, group=group, **shared)
    return counted if count else other("no score of this name is known")


def _count(levels: Sequence[_Said]) -> str:
    """What the first level counts that counts something; nothing if words are left beside one."""
    return "" if any(level.count and level.words for level in levels) else _first(levels, "count")


def _unsure(own: _Said, score: Quantity) -> str:
    """Why the name of a score may be of something else; nothing if it is not."""
    if own.shy:
        return f"{own.spelled!r} may be {score.title}; no other column confirms it"
    return f"{own.words!r} beside the name of {score.title} is not understood" if own.words else ""


def _first(levels: Sequence[_Said], name: str) -> str:
    """What the first level says that says anything of a sort."""
    return next((text for level in levels if (text := getattr(level, name))), "")


class _Reader:
    """Reads level by level; what holds for all levels is gathered on the way."""

    def __init__(self) -> None:
        self.percent = False
        self.arrow = ""
        self.qualifier = ""
        self.statistic = ""

    def level(self, level: str) -> _Said:
        text = _SAYS["noise"].sub(" ", _SAYS["squared"].sub("R2", in_english(level).replace("−", "-")))
        text = _SAYS["top_1"].sub("top1", _SAYS["at_1"].sub(r"\1", text))
        if _SAYS["difference"].search(text):
            return _Said(never="a difference, not a score")
        at = _lookup(self._unit(text)) if "@" in text else None
        if at is not None and at.kind in _WITH_AT:
            return _Said(scores=(at,), spelled=text)
        why = why_untested(self._unit(text))
        if why:
            return _Said(other=why, words=" ".join(text.split()))
        if "@" in text or _SAYS["top_k"].search(text):
            return _Said(never="of the first k answers, or at a threshold")
        text = self._unit(text)
        if key_of(text) in GENERIC:
            return _Said()
        for key in (key_of(text), *map(key_of, re.split(r"[\s()\[\],/_-]+", text))):
            if key in NEVER:
                return _Said(never=NEVER[key])
        bracket = _SAYS["last_bracket"].search(text)
        if bracket and _SAYS["interval"].fullmatch(bracket[0].strip()):
            text = text[: bracket.start()] or text
        whole = self._whole(text) or self._with_unit(text)
        if whole is not None:
            return whole
        if _SAYS["interval"].fullmatch(text.strip()):
            return _Said(other="a confidence interval")
        spread = _SAYS["spread"].search(text)
        if spread:
            self.statistic = self.statistic or "mean"
            text = text[: spread.start()] + " " + text[spread.end() :]
            whole = self._whole(text)
            if whole is not None:
                return whole
        return self._pieces(text)

    def _unit(self, text: str) -> str:
        if _SAYS["unit"].search(text):
            self.percent = True
            text = _SAYS["unit"].sub(" ", text)
        for arrow, direction in ARROWS.items():
            if arrow in text:
                self.arrow = direction
                text = text.replace(arrow, " ")
        return re.sub(r"\(\s*\)|\[\s*\]", " ", text).strip()

    def _whole(self, text: str) -> _Said | None:
        """A level that is one known name from end to end."""
        key = key_of(text)
        if key in ALIASES:
            name, qualifier = ALIASES[key]
            self.qualifier = qualifier or self.qualifier
            return _Said(scores=(quantity(name),), spelled=text)
        if key in OTHERS:
            return _Said(other=OTHERS[key])
        if key in SHY and (key not in _CAPITALS or text == key.upper()):
            return _Said(scores=(quantity(SHY[key][0]),), spelled=text, shy=key)
        score = _lookup(text) if key not in SHY or key == "map" else None
        if score is not None:
            return _Said(scores=(score,), spelled=text)
        if key in COUNTS:
            return _Said(count=COUNTS[key])
        return _Said(count="size") if key in SIZES else None

    def _with_unit(self, text: str) -> _Said | None:
        """An error of predicted numbers with its unit in brackets; columns of one unit are a group."""
        match = _SAYS["in_brackets"].fullmatch(text.strip())
        if match is None or key_of(match[2]) in _NO_UNITS:
            return None
        whole = self._whole(match[1])
        if whole is None or not whole.scores or whole.scores[0].kind != REGRESSION:
            return None
        return replace(whole, part=match[2].strip())

    def _pieces(self, text: str) -> _Said:
        """The parts between brackets and bars: names of one score, and words that are accounted for."""
        pieces = [piece.split() for piece in _SAYS["pieces"].split(text) if piece.strip(" -–—_.")]
        pieces = [piece for piece in pieces if len(pieces) == 1 or key_of("".join(piece)) not in INTERVALS]
        if sum(map(len, pieces)) > _MOST_WORDS:
            return _Said(words=" ".join(text.split()))
        for piece in pieces:
            known = _other_in(piece)
            if known:
                return _Said(other=known, words=" ".join(text.split()))
            self._qualifiers(piece)
        scores: dict[str, Quantity] = {}
        left: list[str] = []
        parts: list[str] = []
        counted = ""
        for piece in pieces:
            key = key_of("".join(piece))
            named, rest = _named(piece)
            if named is not None:
                scores[named.name] = named
            elif len(pieces) == 1 and (key in COUNTS or key in SIZES):
                counted = COUNTS.get(key, "size")
                continue
            left += self._left(rest, next(iter(scores.values()), None), parts)
        if not scores and not counted:
            return _Said(words=_without_averages(text, [word for piece in pieces for word in piece]))
        return _Said(" ".join(left), tuple(scores.values()), text, "" if scores else counted, part=" ".join(parts))

    def _qualifiers(self, words: Iterable[str]) -> None:
        for word in [part for whole in words for part in (whole, *_SAYS["joints"].split(whole))]:
            key = key_of(word)
            if key in QUALIFIERS and self.qualifier in ("", QUALIFIERS[key]):
                self.qualifier = QUALIFIERS[key]

    def _left(self, words: Sequence[str], score: Quantity | None, parts: list[str]) -> list[str]:
        """The words that nothing accounts for; names of the training data go to ``parts``."""
        keys = [key_of(word) for word in words]
        known = {""} | (SET_WORDS if {*keys} & (TESTS | TRAINS | VALIDATIONS) else set())
        known |= set() if score is None else FILLERS | TESTS | OWN_FILLERS.get(score.name, set())
        known |= {word for word, average in QUALIFIERS.items() if average == self.qualifier}
        left = []
        for word, key, before in zip(words, keys, ["", *keys], strict=False):
            if key == "min" and before.isdigit():  # "15 min" are minutes
                left.append(word)
            elif key in STATISTICS and (self.qualifier or self.statistic in ("", STATISTICS[key])):
                averaged = self.qualifier and STATISTICS[key] == "mean"  # "macro average" is one word
                self.statistic = self.statistic or ("" if averaged else STATISTICS[key])
            elif key in TRAINS | VALIDATIONS:
                parts.append(word)
            elif key not in known:
                left.append(word)
        return left


def _without_averages(text: str, words: Sequence[str]) -> str:
    """A text as it stands if none of its words speaks of averages or statistics, else its other words."""
    keys = list(map(key_of, words))
    left_out = QUALIFIERS.keys() | STATISTICS.keys() | (QUANTILES if "median" in keys else set())
    plain = [word for word, key in zip(words, keys, strict=True) if key not in left_out]
    return " ".join(text.split() if len(plain) == len(words) else plain)


def _lookup(name: str) -> Quantity | None:
    name = name.strip(" ,;:()[]")
    if not name or len(name) > 60:
        return None
    try:
        return quantity(name)
    except ScoreproofError:
        return None


def _confident(words: Sequence[str]) -> Quantity | None:
    """The score some words name, unless the name is short or has another sense too."""
    key = key_of("".join(words))
    if (key in SHY and key not in _IN_COMPANY) or key in OTHERS or (len(key) < 3 and not re.fullmatch(r"f\d", key)):
        return None
    if key in ALIASES:
        return None  # only as a whole: their averaging word would be lost
    return _lookup(" ".join(words))


def _named(words: Sequence[str]) -> tuple[Quantity | None, list[str]]:
    """The score that the most of these words name, and the words beside its name."""
    for tried in (list(words), [part for word in words for part in _SAYS["joints"].split(word) if part]):
        for size in range(len(tried), 0, -1):
            for start in range(len(tried) - size + 1):
                score = _confident(tried[start : start + size])
                if score is not None:
                    return score, [*tried[:start], *tried[start + size :]]
    return None, list(words)


def _other_in(words: Sequence[str]) -> str:
    """A quantity of another kind among the words; "mean average precision X" holds no precision."""
    for size in range(len(words), 0, -1):
        for start in range(len(words) - size + 1):
            key = key_of("".join(words[start : start + size]))
            if key in OTHERS and (len(key) > 2 or size == len(words)) and key not in ("err", "error", "top1"):
                return OTHERS[key]
            if key in UNTESTED and (len(key) > 3 or size == len(words)):  # ASD is also a disorder
                return UNTESTED[key]
    return ""


def _note(spelled: str, score: Quantity) -> str:
    return "" if key_of(spelled) in (score.name, key_of(score.title)) else f"{spelled!r} read as {score.title}"
