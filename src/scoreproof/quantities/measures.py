"""One registry of what is measured of models: which way is better, its range, its unit, its tasks, by its name.

What a kind registers knows its own range and direction; ``measures.toml`` has the rest, and for all of them the tasks.
Names come as people head columns: ``val_loss``, ``test/RMSE (mm)``, ``neg_mean_squared_error``, ``FID ↓``. A name that
says nothing (``score``, ``value``) is not known, and nothing is guessed.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from scoreproof.quantities.registry import key, registered

_DATA = tomllib.loads(Path(__file__).with_name("measures.toml").read_text(encoding="utf-8"))
_TABLE: dict[str, dict[str, Any]] = _DATA["measures"]
_OTHER_USES, _OF_ANOTHER, _PREPOSITIONS, _UNITS, _METHODS, _NEGATED, _AFFIXES = (
    frozenset(_DATA["words"][key].replace("\n", " ").split(", "))
    for key in ("other_uses", "of_another", "prepositions", "units", "methods", "negated", "affixes")
)


@dataclass(frozen=True, slots=True)
class MetricFacts:
    """Something measured of a model; ``direction`` is 1 if larger is better, -1 if smaller is, 0 if neither."""

    name: str
    direction: int
    low: float = -math.inf
    high: float = math.inf
    unit: str = ""
    tasks: tuple[str, ...] = ()

    @property
    def negated(self) -> MetricFacts:
        return replace(self, direction=-self.direction, low=-self.high, high=-self.low)

    @property
    def complement(self) -> MetricFacts:
        """One minus it."""
        return replace(self, direction=-self.direction, low=1 - self.high, high=1 - self.low)


def _listed(name: str, row: dict[str, Any]) -> MetricFacts:
    low, high = row.get("range", (-math.inf, math.inf))
    direction = {"high": 1, "low": -1}[row["better"]]
    return MetricFacts(name, direction, low, high, row.get("unit", ""), tuple(row.get("tasks", ())))


_SPELLINGS = {key(spelling): name for name, row in _TABLE.items() for spelling in (name, *row.get("also", ()))}
#: The metrics of each task, and what else they are called.
TASKS: dict[str, tuple[str, ...]] = {
    task: tuple(name for name, row in _TABLE.items() if task in row.get("tasks", ()))
    for task in ("binary", "multiclass", "multilabel", "regression", "segmentation", "detection", "retrieval")
}
SYNONYMS = {
    also.replace(" ", "-"): name for name, row in _TABLE.items() for also in row.get("also", ()) if "tasks" in row
}
_NEITHER = frozenset({"bias", "variance"})  # better the nearer to a target
_ENDINGS = {key(word): word for name, row in _TABLE.items() for word in (name, *row.get("also", ())) if " " not in word}
_ENDINGS |= dict.fromkeys(("accuracy", "auroc", "specificity", "sensitivity"), "") | {"err": "error", "miou": "iou"}
_ARROWS = {"↑": 1, "⬆": 1, "↓": -1, "⬇": -1}
_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z][a-z])")
_ASIDE = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|±.*|@\d+$")
_COMPLEMENT = re.compile(r"1\s*[-−–]\s*(?=\D)")
_SIGNED = re.compile(r"\s*([-−–]\s*[^\W\d]|1\s*/)")
_GAPS = re.compile(r"[\s_/:|]+|(?<=[^\W\d])[.-](?=\w)|(?<=\d)-(?=[^\W\d])")


def measure(name: str) -> MetricFacts | None:
    """What is called so, or None if the name does not say.

    >>> facts = measure("test/RMSE (mm)")
    >>> facts.name, facts.direction, facts.low, facts.tasks
    ('rmse', -1, 0.0, ('regression',))
    >>> measure("neg_mean_squared_error").high, measure("1 - accuracy").direction, measure("score")
    (-0.0, -1, None)
    """
    arrow = next((sign for mark, sign in _ARROWS.items() if mark in name), None)
    if arrow is not None:
        known = measure("".join(char for char in name if char not in _ARROWS))
        return MetricFacts(name, arrow) if known is None else replace(known, direction=arrow)
    if _SIGNED.match(name):
        return None  # "-rmse", or an item of a list; "1/rmse"
    if (known := _known(name)) is not None:  # "mAP@0.5", "LR-": what is registered may hold any sign
        return known
    text = _CAPITAL.sub(" ", _ASIDE.sub("", name).strip()).lower()
    complement = _COMPLEMENT.match(text)
    known = None if complement is None else _of_words(_words(text[complement.end() :]), whole=True)
    return _of_words(_words(text)) if known is None else known.complement  # "1-shot accuracy" is no complement


def _words(text: str) -> list[str]:
    return [word for word in _GAPS.split(text) if word]


def _of_words(words: list[str], *, whole: bool = False) -> MetricFacts | None:
    """What several words stand for, without units, affixes and what negates it, or (unless whole) their last one."""
    negated = False
    while words:
        known = _known(" ".join(words))
        if known is None and words[-1] in _UNITS and len(words) > 1:
            words = words[:-1]
            continue
        if known is None and words[0] not in _AFFIXES | _NEGATED and words[-1] not in _AFFIXES:
            known = None if whole else _by_ending(words)
            if known is None:
                return None
        if known is not None:
            return known.negated if negated else known
        negated ^= words[0] in _NEGATED
        words = words[:-1] if words[-1] in _AFFIXES else words[1:]
    return None


def _by_ending(words: list[str]) -> MetricFacts | None:
    """The direction of what the last word says; None where another word makes it another thing ("accuracy/latency")."""
    *others, word = words[2:] if words[:2] == ["number", "of"] else words
    ending = None if word in _OTHER_USES or _OF_ANOTHER & {*others} else _ENDINGS.get(word)
    known = None if ending is None else _known(ending or word)
    before = next((other for other in reversed(others) if other not in _AFFIXES and not other[0].isdigit()), "")
    if known is None or before in _PREPOSITIONS:
        return None
    opposite = word not in _METHODS and any(direction(other) == -known.direction for other in others)
    return None if opposite else MetricFacts(known.name, known.direction)


def direction(name: str) -> int | None:
    """1 if larger values of what is called so are better, -1 if smaller ones are, None if the name does not say.

    >>> [direction(name) for name in ("RMSE (mm)", "val_loss", "neg_mean_squared_error", "Top-1 Accuracy", "FID ↓")]
    [-1, -1, 1, 1, -1]
    >>> [direction(name) for name in ("A_logloss", "lstm_mape", "latency_ms", "resnet_hd95_mm")]
    [-1, -1, -1, -1]
    >>> [direction(name) for name in ("1 - accuracy", "score", "value", "bias", "error reduction", "survival_time")]
    [-1, None, None, None, None, None]
    >>> [direction(name) for name in ("time to accuracy", "std_f1", "drop in accuracy", "accuracy/latency", "1/rmse")]
    [None, None, None, None, None]
    """
    known = measure(name)
    return None if known is None or known.direction == 0 else known.direction


def shared(names: Iterable[str]) -> str | None:
    """The metric that all names end in, as columns of one file do; None where they may be names of methods.

    >>> shared(["A_logloss", "B_logloss"]), shared(["lstm latency (ms)", "gru latency (ms)"])
    ('logloss', 'latency')
    >>> shared(["rmse", "mae"]), shared(["focal_loss", "hinge_loss"]), shared(["rmse_a", "rmse_b"])
    (None, None, None)
    """
    endings = set()
    for name in names:
        words = [word for word in _GAPS.split(_ASIDE.sub("", name).strip().lower()) if word]
        while words and words[-1] in _UNITS:
            words.pop()
        known = len(words) > 1 and words[-1] not in _METHODS and direction(name) is not None
        endings.add(words[-1] if known else None)
    return endings.pop() if len(endings) == 1 else None


def _known(name: str) -> MetricFacts | None:
    """What a whole name stands for."""
    plain = key(name)
    if len(plain) < 2:
        return None
    quantity = registered(name)
    listed = _SPELLINGS.get(plain)
    if listed is not None and "better" in _TABLE[listed]:
        return _listed(listed, _TABLE[listed])
    if quantity is None:
        return None
    low, high = (end if end is None else float(end) for end in quantity.range)
    neither = plain in _NEITHER or quantity.name in _NEITHER
    return MetricFacts(
        quantity.name,
        0 if neither else quantity.direction,
        -math.inf if low is None else low,
        math.inf if high is None else high,
        tasks=tuple(_TABLE.get(quantity.name, {}).get("tasks", ())),
    )
