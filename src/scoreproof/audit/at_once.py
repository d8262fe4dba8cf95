"""A possible row is usually seen to be possible at once.

Printed sensitivity and specificity (or accuracy and one of them) name a confusion matrix up to rounding. If that
matrix, or one next to it, gives every printed score, it is the witness and nothing remains to be searched. The
comparison is in integers; a row without such a matrix goes to the engine, which decides it either way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from scoreproof.audit.readings import Reading
from scoreproof.audit.result import ReadingVerdict
from scoreproof.experiment import TestSet
from scoreproof.reported import Rounding, report
from scoreproof.reported.rounding import interval
from scoreproof.scores import score
from scoreproof.scores.links import RATIO
from scoreproof.verdict import Verdict

Bounds = tuple[int, int, int, int, int]  # low and high over one denominator, then the printed number


@lru_cache(maxsize=32768)
def _bounds(text: str, rule: str) -> Bounds | None:
    """The interval of a plain number such as 0.8700 or 87.00%, in integers."""
    digits = text.removesuffix("%")
    if not digits.isascii() or not digits.replace(".", "", 1).isdigit() or len(digits) > 20:
        return None
    number = report("lrp", text).number  # a score without upper bound accepts any number
    low, high = interval(number.units, number.scale, Rounding.of(rule))
    scale = 2 * number.scale
    return int(low * scale), int(high * scale), scale, number.units, number.scale


@lru_cache(maxsize=256)
def _ratio(name: str) -> Any:
    """The formula of a score that is its ratio; None for one behind a square root."""
    found = score(name)
    return found.ratio if found.link is RATIO and found.builtin else None


def seen_at_once(scores: Mapping[str, str], reading: Reading, rule: str) -> ReadingVerdict | None:
    """The verdict ``consistent`` with its witness, or None where more than a look is needed.

    >>> found = seen_at_once({"acc": "0.90", "sens": "0.80", "spec": "0.95"}, Reading("", TestSet(10, 20)), "any")
    >>> found.witness
    {'matrices': [{'tp': 8, 'fp': 1, 'fn': 2, 'tn': 19}]}
    """
    test = reading.experiment
    if not isinstance(test, TestSet):
        return None
    p, n = test.p, test.n
    demands: list[tuple[Any, int, int, int]] = []
    printed: dict[str, Bounds] = {}
    for name, text in scores.items():
        bounds, ratio = _bounds(text, rule), _ratio(name)
        if bounds is None or ratio is None:
            return None
        printed[name] = bounds
        demands.append((ratio, bounds[0], bounds[1], bounds[2]))
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
                    "experiment": test.to_dict(),
                    "scores": [{"score": name, "text": text, "rounding": rule} for name, text in scores.items()],
                    "undefined": "exclude",
                },
                "",
                {"matrices": [{"tp": tp, "fp": fp, "fn": fn, "tn": tn}]},
            )
    return None


def _named(printed: Mapping[str, Bounds], p: int, n: int) -> Iterator[tuple[int, int]]:
    """The matrices that the printed rates name: the nearest, then those the accuracy would correct it to."""
    sens, spec, acc = printed.get("sens"), printed.get("spec"), printed.get("acc")
    tp = None if sens is None else _share(sens, p)
    tn = None if spec is None else _share(spec, n)
    right = None if acc is None else _share(acc, p + n)
    if tp is not None and tn is not None:
        yield tp, tn
        if right is not None and right != tp + tn:
            yield tp, right - tp
            yield right - tn, tn
    elif right is not None and tp is not None:
        yield tp, right - tp
    elif right is not None and tn is not None:
        yield right - tn, tn


def _share(bounds: Bounds, of: int) -> int:
    units, scale = bounds[3], bounds[4]
    return (2 * units * of + scale) // (2 * scale)
