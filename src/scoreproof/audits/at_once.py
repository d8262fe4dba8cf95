"""A possible row is usually seen to be possible at once.

Printed sensitivity and specificity (or accuracy and one of them) name a confusion matrix up to rounding. If that
matrix, or one next to it, gives every printed score, it is the witness and nothing remains to be searched. The
comparison is in integers; a row without such a matrix goes to the engine, which decides it either way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from inspect import signature
from typing import Any

from scoreproof.asking import Verdict
from scoreproof.asking.checking import check
from scoreproof.audits.readings import Reading
from scoreproof.audits.result import ReadingVerdict
from scoreproof.kinds.binary.experiment import TestSet
from scoreproof.kinds.binary.scores import score
from scoreproof.kinds.binary.scores.links import RATIO
from scoreproof.reported import Rounding
from scoreproof.reported.rounding import REACH

_MOST_DIGITS = 18
_TENS = tuple(10**places for places in range(_MOST_DIGITS + 3))
# What check states where nothing is said; a matrix in which every score is defined fits under every convention.
_UNDEFINED = str(signature(check).parameters["undefined"].default)
_NAMING = ("sens", "spec", "acc")  # the scores that name a matrix


@lru_cache(maxsize=256)
def _ratio(name: str) -> Any:
    """The formula of a score that is its ratio; None for one behind a square root."""
    found = score(name)
    return found.ratio if found.link is RATIO and found.builtin else None


@lru_cache(maxsize=8)
def _reach(rule: str) -> tuple[int, int]:
    return REACH[Rounding.of(rule)]


@lru_cache(maxsize=1 << 16)  # tables of scores print the same few thousand texts again and again
def _printed(text: str) -> tuple[int, int] | None:
    """A plain decimal or percentage as units and how many of them make one; None for anything else."""
    percent = text[-1:] == "%"
    whole, _, decimals = (text[:-1] if percent else text).partition(".")
    digits = whole + decimals
    if not whole or not digits.isdigit() or len(digits) > _MOST_DIGITS or not digits.isascii():
        return None
    return int(digits), _TENS[len(decimals) + 2 if percent else len(decimals)]


def seen_at_once(scores: Mapping[str, str], reading: Reading, rule: str) -> ReadingVerdict | None:
    """The verdict ``consistent`` with its witness, or None where more than a look is needed.

    >>> found = seen_at_once({"acc": "0.90", "sens": "0.80", "spec": "0.95"}, Reading("", TestSet(10, 20)), "any")
    >>> found.witness
    {'matrices': [{'tp': 8, 'fp': 1, 'fn': 2, 'tn': 19}]}
    """
    test = reading.experiment
    if not isinstance(test, TestSet):
        return None
    below, above = _reach(rule)
    demands: list[tuple[Any, int, int, int]] = []  # ratio, low, high, scale: low <= scale * num / den <= high
    printed: dict[str, tuple[int, int]] = {}
    for name, text in scores.items():
        ratio, value = _ratio(name), _printed(text)
        if ratio is None or value is None:
            return None
        units, unit = value
        if unit == 1 or (demands and 2 * unit != demands[0][3]):
            return None  # few digits say little: the check has a note for that
        demands.append((ratio, 2 * units - below, 2 * units + above, 2 * unit))
        if name in _NAMING:
            printed[name] = value
    p, n = test.p, test.n
    for tp, tn in _named(printed, p, n):
        if not (0 <= tp <= p and 0 <= tn <= n):
            continue
        fp, fn = n - tn, p - tp
        for ratio, low, high, scale in demands:
            num, den = ratio(tp, fp, fn, tn)
            if not den or not low * den <= num * scale <= high * den:
                break
        else:
            return ReadingVerdict(
                reading.label,
                str(test),
                Verdict.CONSISTENT,
                {
                    "experiment": {"type": "testset", "p": p, "n": n},
                    "scores": [{"score": name, "text": text, "rounding": rule} for name, text in scores.items()],
                    "undefined": _UNDEFINED,
                },
                "",
                {"matrices": [{"tp": tp, "fp": fp, "fn": fn, "tn": tn}]},
            )
    return None


def _named(printed: Mapping[str, tuple[int, int]], p: int, n: int) -> Iterator[tuple[int, int]]:
    """The matrices that the printed rates name: the nearest, then those the accuracy would correct it to."""
    sens, spec, acc = (printed.get(name) for name in _NAMING)
    if sens is not None and spec is not None:
        tp, tn = _share(sens, p), _share(spec, n)
        yield tp, tn
        right = tp + tn if acc is None else _share(acc, p + n)
        if right != tp + tn:
            yield tp, right - tp
            yield right - tn, tn
    elif acc is not None and sens is not None:
        tp = _share(sens, p)
        yield tp, _share(acc, p + n) - tp
    elif acc is not None and spec is not None:
        tn = _share(spec, n)
        yield _share(acc, p + n) - tn, tn


def _share(printed: tuple[int, int], of: int) -> int:
    """The whole number nearest to the printed share of a count."""
    units, unit = printed
    return (2 * units * of + unit) // (2 * unit)
