"""What is reported of object detectors: counts of matched objects, and average precisions by overlap.

AP50 is the average precision at an intersection over union of 0.50, mAP the mean over 0.50, 0.55, ..., 0.95 (Lin et al.
2014, doi:10.1007/978-3-319-10602-1_48). The names of precision, recall and F1 are those of the confusion matrix, so a
column of a table is the same score whatever the experiment. "AP50 of class 3" is that of one class, AP_s, AP_m and AP_l
(AR_s, ...) those of small, medium and large objects.
"""

from __future__ import annotations

import re

from scoreproof.quantities.names import Quantity, spelled
from scoreproof.quantities.registry import Register, declare

THRESHOLDS = tuple(range(50, 100, 5))
PRECISION = Quantity("ppv", "precision", synonyms=("precision", "p"), kind="detection")
RECALL = Quantity("sens", "recall", synonyms=("recall", "sensitivity", "r", "tpr"), kind="detection")
F1 = Quantity("f1", "F1", synonyms=("f1 score", "f measure", "f score"), kind="detection")
MEAN_AP = Quantity("map", "mean of AP50, AP55, ..., AP95", synonyms=("ap", "mean average precision"), kind="detection")
MAX_RECALL = Quantity(
    "max_recall",
    "recall of all detections",
    synonyms=("maximum recall", "max recall", "recall of all detections"),
    kind="detection",
)
AT_THRESHOLD = {f"ap{t}": Quantity(f"ap{t}", f"AP at an overlap of 0.{t}", kind="detection") for t in THRESHOLDS}
AVERAGE_RECALL = {
    most: Quantity(
        f"ar{most}", f"average recall with {most} detections per image", synonyms=(f"ar@{most}",), kind="detection"
    )
    for most in (1, 10, 100)
}
SIZES = ("small", "medium", "large")
SIZED_PRECISION = {size: Quantity(f"ap_{size}", f"AP of {size} objects", kind="detection") for size in SIZES}
SIZED_RECALL = {size: Quantity(f"ar_{size}", f"average recall of {size} objects", kind="detection") for size in SIZES}

_OVERLAPS = r"[\[({]?(?:0?\.)?50?(?:[:\-–,to]+|:(?:0?\.)?0?5:)(?:0?\.)?95[\])}]?"
_WHOLE = re.compile(rf"m?ap(?:[@_]?(?:iou=?)?{_OVERLAPS})|(?:ap|map)(?:50-95|50:95)|coco(?:m?ap)|m?ap(?:coco)")
_SINGLE = re.compile(r"m?ap(?:@|@iou=?|iou=?|_|at)?[(\[]?(?:0?\.([5-9][05]?)|([5-9][05]))[)\]]?%?")

# "Arm" and "APS" head other columns: a single letter stands apart from the name, or is written small behind capitals.
_SIZED = re.compile(r"(?i:m?(ap|ar)[\s_^{(@-]+(s|m|l|small|medium|large)[})\s]*)|m?(AP|AR)(s|m|l|small|medium|large)")
_OF_CLASS = re.compile(r"(.{1,60}?) of class ([1-9][0-9]{0,8})", re.IGNORECASE)


def _resolved(name: str, more: object) -> Quantity | None:
    """A name that a list cannot hold: of a class, of objects of one size, at an overlap."""
    match = _OF_CLASS.fullmatch(name.strip())
    if match is not None:
        meant = DETECTION.find(match[1])
        return None if meant is None or meant.name not in BY_CLASS else of_class(meant, int(match[2]))
    return _of_a_size(name) or _average_precision(name)


def _of_a_size(name: str) -> Quantity | None:
    """AP_s, APm, AR^L, AP small."""
    match = _SIZED.fullmatch(name.strip())
    if match is None:
        return None
    which, letter = (match[1] or match[3]).lower(), (match[2] or match[4])[0].lower()
    sized = SIZED_PRECISION if which == "ap" else SIZED_RECALL
    return next(quantity for size, quantity in sized.items() if size[0] == letter)


def _average_precision(name: str) -> Quantity | None:
    """AP50, mAP@0.5, AP@.75, mAP@[.5:.95]: the overlap stands in the name."""
    text = spelled(name)
    if _WHOLE.fullmatch(text):
        return MEAN_AP
    match = _SINGLE.fullmatch(text)
    return None if match is None else AT_THRESHOLD.get(f"ap{match[1] or match[2]:0<2}")


def of_class(mean: Quantity, number: int) -> Quantity:
    """The quantity of one class, whose mean over the classes is another; classes are numbered from 1."""
    return Quantity(f"{mean.name} of class {number}", f"{mean.title}, of class {number}", kind="detection")


BY_CLASS = ("map", *AT_THRESHOLD, *(quantity.name for quantity in SIZED_PRECISION.values()))
DETECTION = declare("detection", Register(_resolved, numbered=True, beginnings=("ap", "ar", "map")))
for _quantity in (
    *(PRECISION, RECALL, F1, MEAN_AP, MAX_RECALL, *AT_THRESHOLD.values(), *AVERAGE_RECALL.values()),
    *(*SIZED_PRECISION.values(), *SIZED_RECALL.values()),
):
    DETECTION.admit(_quantity)
