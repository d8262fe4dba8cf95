"""The formulas that are looked for in tables, as one list: what each computes, what its headings say, how it is proved.

A ``Form`` makes the arguments of a problem of the kind ``relation`` for so many parts in a unit (1 or 100). From the
same arguments ``span`` computes in floats where the value lies, for whole arrays of parts at once: floats propose.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from scoreproof.kinds.relation import VALUE, RelationProblem, printed_relation
from scoreproof.papers.relations.grid import Floats
from scoreproof.reported import Claim, report

Arguments = dict[str, Any]  # of ``printed_relation``
LARGE = 1e300
_MEAN = r"\b(?:avg|average[ds]?|mean|overall|total|macro|all|score|ave|mca|moy)\b|平均|均值|总分|综合"
_GAIN = r"Δ|∆|delta|gain|improv|change|gap|drop|increase|decrease|reduc|diff|boost|saving|speed|\+/-|^\+|rel"


@dataclass(frozen=True, slots=True)
class TableFormula:
    """A formula by name.

    ``sort`` is the sort of check it counts as, ``parts`` the number of its parts (0: runs of two or more), ``heading``
    what the heading of a target may say: a prior, never a reason. ``symmetric`` says that the order of two parts does
    not matter, ``one_unit`` that parts and target are all in one unit, ``named`` that it is only looked for under such
    headings. A ``linear`` one holds of averages and differences of lines as well.
    """

    name: str
    sort: str
    parts: int
    heading: re.Pattern[str]
    made: Callable[[int, int], Arguments]
    linear: bool
    symmetric: bool
    one_unit: bool
    named: bool
    of: re.Pattern[str] | None = None  # what the heading of a part must say


def _form(
    name: str, sort: str, parts: int, heading: str, made: Callable[[int, int], Arguments], told: str = "", of: str = ""
) -> TableFormula:
    flags = ("linear" in told, "symmetric" in told, "units" not in told, "named" in told)
    own = re.compile(of, re.IGNORECASE) if of else None
    return TableFormula(name, sort, parts, re.compile(heading, re.IGNORECASE), made, *flags, own)


def _over(count: int) -> Arguments:
    return {"factor": Fraction(1, count)}


def _ratio(factor: int, offset: int = 0, whole: int = 0) -> Arguments:
    more = {"complements": (whole, whole)} if whole else {}
    return {"formula": "product", "weights": (1, -1), "factor": factor, "offset": offset, **more}


def _root(count: int) -> Arguments:
    return {"formula": "product", "root": count}


def _harmonic(beta_squared: Fraction | int = 1) -> Arguments:
    return {"formula": "harmonic", "weights": (1, beta_squared)}


AVERAGES, IDENTITIES, GAINS = "average or sum", "identity of a row", "difference or gain"
COUNTS = "share of counts"
RUNS = (
    _form("mean", AVERAGES, 0, _MEAN, lambda k, u: _over(k), "linear"),
    _form("sum", AVERAGES, 0, r"\b(?:total|sum|all|overall)\b|∑", lambda k, u: {}, "linear units"),
    _form("geometric mean", AVERAGES, 0, r"\bgeo|\bgm\b|g-?mean", lambda k, u: _root(k), "named"),
    _form("harmonic mean", AVERAGES, 0, r"harmonic|\bhm\b|^h$", lambda k, u: {"formula": "harmonic"}, "named"),
)
WEIGHTED = _form("weighted mean", AVERAGES, 0, r"weighted|micro|" + _MEAN, lambda k, u: {}, "linear")
_F = r"\bf[-_ ]?1|f[-_ ]?(?:score|measure)|\bh\b|\bhm\b|harmonic|\bf\b|dice|\bhos\b|h-?mean|max ?f"
_G = r"g[- ]?mean|\bgm\b|geometric|fowlkes|fmi"
_J = r"informed|youden|\bj\b|tss"
_DICE = r"dice|dsc|f1|f-?score"
_IOU = r"iou|jacc|\bji\b|\bji?sc\b|overlap|intersection"
_ERROR = r"err|fpr|fnr|fdr|far|frr|1\s*[-−]|100\s*[-−]|miss|loss|wer|spec|acc|tnr|tpr"
_SHARE = r"share|%|percent|rate|acc|ratio|prop"
_SPEED = r"speed|ratio|factor|×|accel|\bx\b|effic|\beff\b"
PAIRS = (
    _form("F1 (harmonic mean)", IDENTITIES, 2, _F, lambda k, u: _harmonic(), "symmetric"),
    _form("mean of two", AVERAGES, 2, _MEAN + "|balanced|bacc", lambda k, u: _over(2), "linear symmetric"),
    _form("difference", GAINS, 2, _GAIN, lambda k, u: {"weights": (1, -1)}, "linear"),
    _form("relative gain in percent", GAINS, 2, _GAIN + "|%", lambda k, u: _ratio(100, -100), "units"),
    _form("reduction in percent", GAINS, 2, _GAIN + "|%", lambda k, u: _ratio(-100, 100), "units"),
    _form("error reduction in percent", GAINS, 2, "err|" + _GAIN, lambda k, u: _ratio(-100, 100, u), "named units"),
    _form("ratio", GAINS, 2, _SPEED, lambda k, u: _ratio(1), "units"),
    _form("share in percent", COUNTS, 2, _SHARE, lambda k, u: _ratio(100), "units"),
    _form("geometric mean of two", IDENTITIES, 2, _G, lambda k, u: _root(2), "symmetric named"),
    _form("informedness", IDENTITIES, 2, _J, lambda k, u: {"offset": -u}, "linear symmetric named"),
    _form("F2", IDENTITIES, 2, r"f[-_ ]?2\b|f[-_ ]?beta", lambda k, u: _harmonic(4), "named"),
    _form("F0.5", IDENTITIES, 2, r"f[-_ ]?0?\.5|f[-_ ]?beta", lambda k, u: _harmonic(Fraction(1, 4)), "named"),
)  # fmt: skip
SINGLES = (
    _form("complement", IDENTITIES, 1, _ERROR, lambda k, u: {"weights": (-1,), "offset": u}, "linear"),
    _form("Dice of IoU", IDENTITIES, 1, _DICE, lambda k, u: {"formula": "harmonic", "constant": u}, of=_IOU),
    _form("square", IDENTITIES, 1, r"mse|var", lambda k, u: {"formula": "product", "weights": (2,)}, "units"),
)  # fmt: skip
FORMS = {form.name: form for form in (*RUNS, WEIGHTED, *PAIRS, *SINGLES)}


def span(made: Arguments, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Between which floats the value of a formula lies; the last axis of both arrays is the parts."""
    weights = np.array([float(w) for w in made.get("weights", (1,) * low.shape[-1])])
    formula, root = made.get("formula", "linear"), made.get("root", 1)
    for place, complement in enumerate(made.get("complements", ())):
        if complement is not None:
            low, high = low.copy(), high.copy()
            low[..., place], high[..., place] = complement - high[..., place], complement - low[..., place]
    if "constant" in made:
        filler = np.full((*low.shape[:-1], 1), float(made["constant"]))
        low, high = (np.concatenate([end, filler], -1) for end in (low, high))
        weights = np.ones(low.shape[-1])
    least, most = np.where(weights >= 0, low, high), np.where(weights >= 0, high, low)
    with np.errstate(all="ignore"):
        if formula == "linear":
            ends = [(end * weights).sum(-1) for end in (least, most)]
        elif formula == "harmonic":
            ends = [weights.sum() / (weights / np.maximum(end, 1e-12)).sum(-1) for end in (least, most)]
        else:
            ends = [np.prod(np.maximum(end, 1e-12) ** weights, axis=-1) ** (1 / root) for end in (least, most)]
        if formula != "linear":
            ends = [np.where((high < 0).any(-1), np.nan, end) for end in ends]
    factor, offset = float(made.get("factor", 1)), float(made.get("offset", 0))
    first, last = (np.clip(offset + factor * end, -LARGE, LARGE) for end in ends)
    return (last, first) if factor < 0 else (first, last)


def exact(name: str, parts: Mapping[str, str | Claim], target: str, made: Arguments) -> RelationProblem:
    """The problem of one line, under every rounding that the paper may have used."""
    arguments, given = dict(made), dict(parts)
    if (whole := arguments.pop("constant", None)) is not None:
        given[str(whole)] = report(VALUE, str(whole), eps="0")
    return printed_relation(name, given, target, **arguments)


def names_of(labels: Sequence[str]) -> list[str]:
    """Names that tell parts apart, for a statement."""
    return [label if labels.count(label) == 1 else f"{label} ({place + 1})" for place, label in enumerate(labels)]
