"""What is reported of object detectors: counts of matched objects, and average precisions by overlap.

AP50 is the average precision at an intersection over union of 0.50, mAP the mean over 0.50, 0.55, ..., 0.95 (Lin et al.
2014, doi:10.1007/978-3-319-10602-1_48). The names of precision, recall and F1 are those of the confusion matrix, so a
column of a table is the same score whatever the experiment.
"""

from __future__ import annotations

import re

from scoreproof.quantities.names import spelled
from scoreproof.quantities.quantity import Quantity
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

_OVERLAPS = r"[\[({]?(?:0?\.)?50?(?:[:\-–,to]+|:(?:0?\.)?0?5:)(?:0?\.)?95[\])}]?"
_WHOLE = re.compile(rf"m?ap(?:[@_]?(?:iou=?)?{_OVERLAPS})|(?:ap|map)(?:50-95|50:95)|coco(?:m?ap)|m?ap(?:coco)")
_SINGLE = re.compile(r"m?ap(?:@|@iou=?|iou=?|_|at)?[(\[]?(?:0?\.([5-9][05]?)|([5-9][05]))[)\]]?%?")


def _average_precision(name: str, more: object) -> Quantity | None:
    """AP50, mAP@0.5, AP@.75, mAP@[.5:.95]: the overlap stands in the name."""
    text = spelled(name)
    if _WHOLE.fullmatch(text):
        return MEAN_AP
    match = _SINGLE.fullmatch(text)
    return None if match is None else AT_THRESHOLD.get(f"ap{match[1] or match[2]:0<2}")


DETECTION = declare("detection", Register(_average_precision, numbered=True))
for _quantity in (PRECISION, RECALL, F1, MEAN_AP, MAX_RECALL, *AT_THRESHOLD.values(), *AVERAGE_RECALL.values()):
    DETECTION.admit(_quantity)
