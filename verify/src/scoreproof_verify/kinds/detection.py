"""Certificates about object detectors.

Of G objects tp are found by d detections: every tp is tried, and for each the whole numbers d that give the printed
values. The average precision never rises with the overlap; mAP is the mean over 0.50, 0.55, ..., 0.95.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from math import ceil, floor
from typing import Any, NamedTuple

from scoreproof_verify.documents import Document, Score, chosen, given, known_keys, listed, read_scores
from scoreproof_verify.formulas import Rules
from scoreproof_verify.frame import Checker, Patience, Words
from scoreproof_verify.texts import quoted, require

_OVERLAPS = [f"ap{percent}" for percent in range(50, 100, 5)]
_RECALLS = ["ar1", "ar10", "ar100"]
_SIZES = ["small", "medium", "large"]
_BY_CLASS = {"map", *_OVERLAPS, *(f"ap_{size}" for size in _SIZES)}
_COUNTED = ("ppv", "sens", "f1")
_NAMES = {*_COUNTED, "max_recall", *_BY_CLASS, *_RECALLS, *(f"ar_{size}" for size in _SIZES)}
_CLASS = re.compile(r"(.*) of class ([1-9][0-9]{0,8})", re.ASCII)
_MOST_OBJECTS = 10**9
_MOST_TRIED = 2_000_000
_STRIDE = 4096


def check(statement: Document, proof: Document, rules: Rules, patience: Patience) -> Words:
    tree = known_keys("the experiment", statement.get("experiment"), "type", "objects", "classes")
    require(tree.get("type") == "detection", "the experiment is not one of detections")
    for key in ("objects", "classes"):
        if key in tree:
            tree.integer(key, key, 1, _MOST_OBJECTS)
    require(statement.get("interpolation") in ("any", "101", "11", "all"), "unknown interpolation")
    values = read_scores(statement.get("scores"), lambda name: _most_of(name, tree.get("classes")))
    require(len({value.name for value in values}) == len(values), "a score is named twice")
    if any(value.name in _COUNTED for value in values):
        require("objects" in tree, "the number of objects is not stated")
        require(tree.get("classes", 1) == 1, "precision and recall may be means over several classes")
    kind = proof.get("kind")
    if kind == "counts":
        proof.keep_to("kind")
        require(any(value.name in _COUNTED for value in values), "nothing of the counts is reported")
        _counts({value.name: value for value in values}, tree["objects"], patience)
        return lambda: (
            f"Proved: no numbers of true positives and detections of {tree['objects']} objects, counted together, give "
            f"{listed(value for value in values if value.name in _COUNTED)}."
        )
    proof.keep_to("kind", "scores")
    places = proof.list_of("scores", 1, 2, "the proof names no scores")
    named = [chosen(values, place, "a score", "the proof names a score that is not reported") for place in places]
    count, reason, relation = RULES.get(kind, (0, "", _range)) if isinstance(kind, str) else (0, "", _range)
    known = count == len(named) and (kind != "mean" or _parts(named[0].name)[0] == "map")
    require(known, f"unknown kind of proof {quoted(kind)}")
    relation(_Report(named, values, statement["interpolation"], tree.get("classes")))
    return lambda: f"Proved: no detector has {listed(values)}: {reason}."


def _parts(name: str) -> tuple[str, int]:
    """A score and the number of its class, 0 for all classes."""
    match = _CLASS.fullmatch(name)
    return (name, 0) if match is None else (match[1], int(match[2]))


def _most_of(name: Any, classes: int | None) -> int:
    own, number = _parts(name) if isinstance(name, str) else ("", 0)
    require(own in (_BY_CLASS if number else _NAMES), f"unknown score {quoted(name)}")
    require(classes is None or number <= classes, "a class is beyond their number")
    return 1


def _counts(values: Mapping[str, Score], objects: int, patience: Patience) -> None:
    """``Rejected`` if whole numbers give the printed precision, recall and F1."""
    first, last = 0, objects
    if "sens" in values:
        first, last = values["sens"].span.times(objects).within(0, objects).whole
    if "f1" in values and 0 < values["f1"].low < 2:  # with d >= tp, F1 <= 2 tp / (G + tp) < this one's low before
        need = values["f1"].low * objects / (2 - values["f1"].low)
        first = max(first, ceil(need))
    if {"f1", "ppv"} <= values.keys() and values["ppv"].low > 0 and values["f1"].high > 0 and first > 0:
        # d <= tp / P.low and d >= 2 tp / F1.high - G: no larger tp than where these cross
        slope = 2 / values["f1"].high - 1 / values["ppv"].low
        if slope > 0:
            last = min(last, floor(objects / slope))
    require(last - first < _MOST_TRIED, "too many numbers of true positives to be tried")
    for tp in range(first, last + 1):
        if tp % _STRIDE == 0:
            patience.check()
        require(not _detections(values, objects, tp), f"{tp} true positives fit")


def _detections(values: Mapping[str, Score], objects: int, tp: int) -> bool:
    """Whether some number of detections gives the printed values with so many true positives."""
    precision, f1 = values.get("ppv"), values.get("f1")
    if tp == 0:
        if f1 is not None and not f1.low <= 0 <= f1.high:
            return False
        return precision is None or precision.low <= 0 <= precision.high or precision.low <= 1 <= precision.high
    fewest, most = tp, None  # type: tuple[int, int | None]
    for value, top, beside in ((precision, tp, 0), (f1, 2 * tp, objects)):
        if value is None:
            continue
        if value.high <= 0:
            return False
        # top / (beside + d) <= high  <=>  d >= top / high - beside
        fewest = max(fewest, -((-top * value.high.denominator) // value.high.numerator) - beside)
        if value.low > 0:
            end = top * value.low.denominator // value.low.numerator - beside
            most = end if most is None else min(most, end)
    return most is None or fewest <= most


class _Report(NamedTuple):
    """What a relation is about: the values that the proof names, all that are printed, and the experiment."""

    named: list[Score]
    values: list[Score]
    interpolation: str
    classes: int | None


def _range(report: _Report) -> None:
    (value,) = report.named
    require(value.low > 1 or value.high < 0, "the value is within its range")


def _order(report: _Report) -> None:
    (first, own), (second, other) = (_parts(value.name) for value in report.named)
    overlaps = {first, second} <= set(_OVERLAPS) and first < second
    require(overlaps, "these are not two overlaps, the smaller first")
    require(own == other, "these are not of one class")
    require(report.named[0].high < report.named[1].low, "the average precisions need not rise")


def _mean(report: _Report) -> None:
    split = [(*_parts(value.name), value) for value in report.values]
    known = {name: value for name, number, value in split if number == _parts(report.named[0].name)[1]}
    most = least = Fraction(0)
    for here in _OVERLAPS:
        most += min([Fraction(1), *(known[name].high for name in _OVERLAPS if name in known and name <= here)])
        least += max([Fraction(0), *(known[name].low for name in _OVERLAPS if name in known and name >= here)])
    (mean,) = report.named
    require(mean.low * 10 > most or mean.high * 10 < least, "the mean is possible")


def _recalls(report: _Report) -> None:
    first, second = (value.name for value in report.named)
    require({first, second} <= set(_RECALLS), "these are not two average recalls")
    require(_RECALLS.index(first) < _RECALLS.index(second), "the fewer detections do not come first")
    require(report.named[0].low > report.named[1].high, "the average recalls need not fall")


def _recall(report: _Report) -> None:
    precision, recall = report.named
    most = min(recall.high, Fraction(1))
    if recall.name == "ar100":
        require(precision.name == "map", "only the mean over the same overlaps is limited by AR100")
    elif recall.name in [f"ar_{size}" for size in _SIZES]:
        require(precision.name == f"ap_{recall.name[3:]}", "these are not of objects of one size")
    else:
        require(recall.name == "max_recall" and precision.name in ("map", *_OVERLAPS), "these are not comparable")
        require(report.classes == 1, "there may be several classes")
        require(precision.low > _limit(most, report.interpolation, mean=False), "it is possible")
        return
    require(precision.low > _limit(most, report.interpolation, mean=True), "the recall allows that precision")


def _classes(report: _Report) -> None:
    """``Rejected`` unless no values of the classes, those that are printed and the others, have such a mean."""
    (mean,) = report.named
    require(mean.name in _BY_CLASS, "that is no mean over classes")
    classes = given(report.classes, "the number of classes is not stated")
    own = [value for value in report.values if _parts(value.name)[1] and _parts(value.name)[0] == mean.name]
    require(bool(own), "no class has that score")
    least = sum(max(value.low, Fraction(0)) for value in own)
    most = sum(min(value.high, Fraction(1)) for value in own) + classes - len(own)
    require(mean.low * classes > most or mean.high * classes < least, "the classes may have that mean")


def _limit(recall: Fraction, interpolation: str, *, mean: bool) -> Fraction:
    """The largest average precision with a recall of all detections: of one class, or a mean, by lines above steps."""
    limits = {"all": recall}
    for points in (101, 11):
        steps = (points - 1) * recall
        limits[str(points)] = Fraction((steps if mean else max(-1, floor(steps))) + 1) / points
    return max(limits.values()) if interpolation == "any" else limits[interpolation]


#: The relations: how many values one is about, why it holds, and what refuses values that keep it.
RULES: dict[str, tuple[int, str, Callable[[_Report], None]]] = {
    "range": (1, "every value of a detector lies from 0 to 1", _range),
    "order": (2, "the average precision never rises with the overlap", _order),
    "mean": (1, "mAP is the mean of ten average precisions that never rise with the overlap", _mean),
    "recall": (2, "the average precision is limited by the recall of all detections", _recall),
    "classes": (1, "a mean over classes is that of theirs", _classes),
    "recalls": (2, "average recall never falls with the number of detections per image", _recalls),
}
KINDS = {"detection": Checker(frozenset({"experiment", "scores", "interpolation"}), check, every_key=False)}
