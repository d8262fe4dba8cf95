"""What a column is about, from its header over one or more levels.

Score names are looked up in the registry and nowhere else. Around them stand a unit ("(%)"), an arrow, an averaging
word (macro, micro, weighted), a statistic (mean, std), and words that say of what the score is: a data set above it, a
class behind it. Nothing is dropped silently: words that are none of these become the heading's ``group``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from scoreproof.errors import ScoreproofError
from scoreproof.scores import Score, score


class Role(StrEnum):
    """What a column holds."""

    LABEL = "label"
    SCORE = "score"
    COUNT = "count"
    OTHER = "other"  #: numbers that no check uses


_QUALIFIERS = {
    "macro": "macro", "macroaveraged": "macro", "macroaverage": "macro", "mac": "macro", "macroavg": "macro",
    "micro": "micro", "microaveraged": "micro", "microaverage": "micro", "mic": "micro", "microavg": "micro",
    "weighted": "weighted", "weightedaveraged": "weighted", "weightedaverage": "weighted", "weightedavg": "weighted",
    "samples": "samples",
}  # fmt: skip
_STATISTICS = {
    "mean": "mean", "average": "mean", "avg": "mean", "median": "median", "min": "min", "minimum": "min",
    "max": "max", "maximum": "max", "std": "std", "sd": "std", "stdev": "std", "stddev": "std",
    "standarddeviation": "std", "sem": "sem", "standarderror": "sem", "meansd": "mean", "meanstd": "mean",
    "95ci": "interval", "ci": "interval", "ci95": "interval", "meansem": "mean", "meanstandarddeviation": "mean",
}  # fmt: skip
_COUNTS = {
    "tp": "tp", "truepositive": "tp", "truepositives": "tp", "fp": "fp", "falsepositive": "fp", "falsepositives": "fp",
    "fn": "fn", "falsenegative": "fn", "falsenegatives": "fn", "tn": "tn", "truenegative": "tn", "truenegatives": "tn",
    "pos": "p", "positive": "p", "positives": "p", "positivesamples": "p", "positivecases": "p", "npos": "p",
    "positiveimages": "p", "noofpositives": "p", "numberofpositives": "p", "nopositives": "p", "numpos": "p",
    "neg": "n", "negative": "n", "negatives": "n", "negativesamples": "n", "negativecases": "n", "nneg": "n",
    "negativeimages": "n", "noofnegatives": "n", "numberofnegatives": "n", "nonegatives": "n", "numneg": "n",
    "n": "total", "samples": "total", "nsamples": "total", "total": "total", "cases": "total", "patients": "total",
    "instances": "total", "images": "total", "size": "total", "testsamples": "total", "testsize": "total",
    "noofsamples": "total", "numberofsamples": "total", "numsamples": "total", "noofcases": "total",
    "numberofcases": "total", "noofimages": "total", "numberofimages": "total", "noofpatients": "total",
    "numberofpatients": "total", "ntest": "total", "records": "total", "subjects": "total",
    "support": "support",
    "confusionmatrix": "matrix", "matrix": "matrix", "cm": "matrix", "confusion": "matrix", "tntpfpfn": "matrix",
}  # fmt: skip
# Quantities a table often has and no check uses yet; named so that the report can say what was left out.
_OTHERS = {
    "auc": "area under the ROC curve", "auroc": "area under the ROC curve", "rocauc": "area under the ROC curve",
    "aucroc": "area under the ROC curve", "aucpr": "area under the precision-recall curve",
    "auprc": "area under the precision-recall curve", "prauc": "area under the precision-recall curve",
    "averageprecision": "average precision", "meanaverageprecision": "mean average precision",
    "averageprecisionscore": "average precision", "ap": "average precision", "map": "mean average precision",
    "time": "time", "runtime": "time", "params": "size",
    "parameters": "size", "flops": "cost", "gflops": "cost", "fps": "speed", "loss": "loss", "rmse": "error",
    "mae": "error", "mse": "error", "hd": "Hausdorff distance", "hd95": "Hausdorff distance", "pvalue": "p-value",
    "top1": "top-1 accuracy over many classes", "top5": "top-5 accuracy", "miou": "mean over classes",
    "year": "year", "logloss": "loss", "brier": "Brier score", "p": "one letter: precision, positives or a p-value",
    "r": "one letter: recall or a correlation",
}  # fmt: skip
_UNITS = {
    "mm",
    "cm",
    "px",
    "pixel",
    "pixels",
    "s",
    "sec",
    "ms",
    "min",
    "h",
    "m",
    "k",
    "mb",
    "gb",
    "g",
    "usd",
    "eur",
    "years",
}
_ARROWS = {"↑": "up", "↓": "down", "▲": "up", "▼": "down", "⬆": "up", "⬇": "down"}
_UNIT = re.compile(r"[(\[]\s*(?:in\s+)?%\s*[)\]]|\bin\s*%|[,/]\s*%|(?<=\s)%|%$|\(\s*in percent\s*\)", re.IGNORECASE)
_SPREAD = re.compile(
    r"\s*[(\[]?\s*(?:(?:mean|avg\.?|average)\s*)?±\s*(?:std\.?|s\.?d\.?|s\.?e\.?m?\.?)?\s*[)\]]?", re.IGNORECASE
)
_NOISE = re.compile(r"[*†‡§¶]+|\^\w+|\[\d{1,3}(?:\s*[,–-]\s*\d{1,3})*\]|\\[a-zA-Z]+|[$`]|\*\*")


@dataclass(frozen=True, slots=True)
class Heading:
    """A column's header, understood.

    ``score`` is the registry's name of the score, ``qualifier`` an averaging word, ``statistic`` what was taken over
    folds (mean, std, min, max, median). ``group`` holds the words that belong to neither: a data set, a class.
    ``note`` says what was assumed or why the column cannot be used.
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

    def to_dict(self) -> dict[str, Any]:
        entry: dict[str, Any] = {"text": self.text, "role": str(self.role)}
        names = ("score", "qualifier", "statistic", "count", "percent", "arrow", "group", "note")
        entry.update({name: getattr(self, name) for name in names if getattr(self, name)})
        return entry


def read_heading(levels: Sequence[str] | str) -> Heading:
    """What a header says, given its levels from top to bottom.

    >>> one = read_heading(["DRIVE", "Acc. (%) ↑"])
    >>> one.score, one.percent, one.group, one.arrow
    ('acc', True, 'DRIVE', 'up')
    >>> read_heading("Macro F1").qualifier, read_heading("AUC").role.value, read_heading("TP").count
    ('macro', 'other', 'tp')
    """
    given = [levels] if isinstance(levels, str) else [level for level in levels if level.strip()]
    text = " / ".join(dict.fromkeys(level.strip() for level in given))
    if not given or len(text) > 300:
        return Heading(text, Role.OTHER, note="no header" if not given else "a header of many characters")
    parts = _Parts()
    leftovers: list[str] = []
    for level in dict.fromkeys(given):
        rest = parts.take(level)
        if rest:
            leftovers.append(rest)
    found: Score | None = None
    spelled = ""
    group: list[str] = []
    count = ""
    for words in reversed(leftovers):  # the lowest level names the score, if any does
        if found is None and not count:
            found, beside = (None, []) if _outer(words) in _OTHERS else _score_in(words)
            if found is not None:
                spelled = words
                group = [*beside, *group]
                continue
            if _outer(words) in _COUNTS:
                count = _COUNTS[_outer(words)]
                continue
        elif found is not None and _same(words, found):
            continue
        group.insert(0, words)
    shared: dict[str, Any] = {"percent": parts.percent, "arrow": parts.arrow, "group": " ".join(group)}
    if found is not None:
        return Heading(
            text, Role.SCORE, found.name, parts.qualifier, parts.statistic, note=_said(spelled, found), **shared
        )
    if count:
        return Heading(text, Role.COUNT, count=count, statistic=parts.statistic, **shared)
    known = next((_OTHERS[_outer(words)] for words in reversed(leftovers) if _outer(words) in _OTHERS), "")
    note = f"no check uses it yet ({known})" if known else "no score of this name is known"
    return Heading(text, Role.OTHER, qualifier=parts.qualifier, statistic=parts.statistic, note=note, **shared)


class _Parts:
    """What is taken off a header before the name is looked up."""

    def __init__(self) -> None:
        self.percent = False
        self.arrow = ""
        self.qualifier = ""
        self.statistic = ""

    def take(self, level: str) -> str:
        """The words of a level that are neither unit, arrow, averaging word nor statistic."""
        text = _NOISE.sub(" ", level)
        if _UNIT.search(text):
            self.percent = True
            text = _UNIT.sub(" ", text)
        for arrow, direction in _ARROWS.items():
            if arrow in text:
                self.arrow = direction
                text = text.replace(arrow, " ")
        text = re.sub(r"\(\s*\)", " ", text)
        if _lookup(text) is not None or _key(text) in _COUNTS or _outer(text) in _OTHERS:
            return text.strip()
        spread = _SPREAD.search(text)
        if spread:
            self.statistic = self.statistic or "mean"
            text = text[: spread.start()] + " " + text[spread.end() :]
        return self._words(text)

    def _words(self, text: str) -> str:
        kept: list[str] = []
        for word in re.findall(r"\([^)]*\)|\[[^\]]*\]|[^\s()\[\]]+", text):
            kept.extend(self._word(word))
        return " ".join(kept).strip(" ,;:-–/_")

    def _word(self, word: str) -> list[str]:
        key = _key(word)
        if key in _QUALIFIERS and self.qualifier in ("", _QUALIFIERS[key]):
            self.qualifier = _QUALIFIERS[key]
            return []
        if key in ("averaged", "average", "avg") and self.qualifier:
            return []
        if key in _STATISTICS and self.statistic in ("", _STATISTICS[key]):
            self.statistic = _STATISTICS[key]
            return []
        joined = re.fullmatch(r"(?i)[(\[]?(macro|micro|weighted)[-_ ]?(?:averaged?|avg\.?)?[-_ ]?(.*?)[)\]]?", word)
        if joined and not self.qualifier and (joined[2] == "" or _lookup(joined[2]) is not None):
            self.qualifier = joined[1].lower()
            return [joined[2]] if joined[2] else []
        ending = re.fullmatch(r"(?i)(.+?)[-_](macro|micro|weighted|mean|std)", word)
        if ending and _lookup(ending[1]) is not None:
            ((statistic, qualifier),) = [
                (_STATISTICS.get(ending[2].lower(), ""), _QUALIFIERS.get(ending[2].lower(), ""))
            ]
            self.statistic, self.qualifier = statistic or self.statistic, qualifier or self.qualifier
            return [ending[1]]
        return [word]


def _key(text: str) -> str:
    return "".join(char for char in text.lower() if char.isalnum())


def _outer(text: str) -> str:
    """The key of what stands outside brackets, if anything does."""
    return _key(re.sub(r"[(\[][^)\]]*[)\]]", " ", text)) or _key(text)


def _lookup(name: str) -> Score | None:
    name = name.strip(" ,;:()[]")
    if not name or len(name) > 60:
        return None
    try:
        return score(name)
    except ScoreproofError:
        return None


def _score_in(words: str) -> tuple[Score | None, list[str]]:
    """The score some words name, and the words beside its name."""
    whole = _lookup(words)
    if whole is not None:
        return whole, []
    outside = " ".join(re.sub(r"[(\[][^)\]]*[)\]]", " ", words).split())
    inside = [part.strip() for part in re.findall(r"[(\[]([^)\]]*)[)\]]", words)]
    if any(part.lower() in _UNITS for part in inside):
        return None, []
    found = _lookup(outside)
    if found is not None:
        return found, [part for part in inside if part and not _same(part, found)]
    for part in inside:
        named = _lookup(part)
        if named is not None and len(inside) == 1:
            # "Overall correctness (ACC)": the bracket names the score; the words beside it stay in view.
            return named, [outside] if outside else []
    for separator in (r"\s+[-–—|:/]\s+|\s*[:|]\s*", r"\s+", r"[-_]"):
        pieces = [piece for piece in re.split(separator, outside) if piece]
        for cut in range(len(pieces) - 1, 0, -1):
            for name, other in ((pieces[cut:], pieces[:cut]), (pieces[:cut], pieces[cut:])):
                named = _lookup(" ".join(name))
                if named is not None and len(_key(" ".join(name))) > 2:
                    return named, [" ".join(other), *[part for part in inside if part]]
    return None, []


def _same(words: str, found: Score) -> bool:
    other = _lookup(words)
    return other is not None and other.name == found.name


def _said(spelled: str, found: Score) -> str:
    return "" if _key(spelled) in (found.name, _key(found.title)) else f"{spelled!r} read as {found.title}"
