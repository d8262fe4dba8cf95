"""COCO files, evaluated by the ``detection`` extra.

The JSON files of the COCO challenges (Lin et al. 2014, doi:10.1007/978-3-319-10602-1_48) can hold run-length
encoded masks as well as boxes, and hundreds of thousands of detections; faster-coco-eval reads and evaluates
them in compiled code. Lists of boxes need no extra: see ``evaluate_detection``.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Literal

from scoreproof.errors import InvalidValue, need
from scoreproof.files import read_file, shown_path
from scoreproof.metrics.labels import number, small_table
from scoreproof.results import Result, SmallTable
from scoreproof.validation import shown

IouType = Literal["bbox", "segm"]
#: COCO's names of its twelve numbers, and what the library calls them.
_NAMES = {
    "AP": "AP_all", "AP50": "AP_50", "AP75": "AP_75", "APs": "AP_small", "APm": "AP_medium", "APl": "AP_large",
    "AR1": "AR_all", "AR10": "AR_second", "AR100": "AR_third", "ARs": "AR_small", "ARm": "AR_medium", "ARl": "AR_large",
}  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class CocoEvaluation(Result):
    """COCO's twelve numbers; NaN where there is no object of the kind."""

    summary: Mapping[str, float]
    iou_type: IouType
    images: int
    objects: int
    detections: int

    task: ClassVar[str] = "detection"
    _told = "task *"

    def __str__(self) -> str:
        return (
            f"mAP@[.5:.95] {number(self.summary['AP'])}, mAP@0.5 {number(self.summary['AP50'])}, mAP@0.75 "
            f"{number(self.summary['AP75'])} ({self.iou_type}, {self.images} images, {self.objects} objects)."
        )

    def _tables(self) -> list[SmallTable]:
        return [small_table("Detection (COCO)", ["metric", "value"], list(self.summary.items()))]


def evaluate_coco(truth: str | Path, detected: str | Path, *, iou_type: IouType = "bbox") -> CocoEvaluation:
    """Evaluate a COCO results file against a COCO annotation file (boxes or masks).

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> objects = [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [0, 0, 9, 9], "area": 81, "iscrowd": 0}]
    >>> truth = {"images": [{"id": 1}], "categories": [{"id": 1, "name": "cat"}], "annotations": objects}
    >>> boxes = [{"image_id": 1, "category_id": 1, "bbox": [0, 0, 9, 8], "score": 0.9}]
    >>> _ = (folder / "truth.json").write_text(json.dumps(truth))
    >>> _ = (folder / "boxes.json").write_text(json.dumps(boxes))
    >>> round(evaluate_coco(folder / "truth.json", folder / "boxes.json").summary["AP"], 4)
    0.8
    """
    coco = need("faster_coco_eval", "detection", "COCO files")
    annotations, results = _read(Path(truth), Path(detected), "bbox" if iou_type == "bbox" else "segmentation")
    images, categories = annotations["images"], annotations["categories"]
    given = results
    if not results and iou_type == "bbox" and images and categories:
        # Older versions of the library stumble over no detection; one of no area changes no figure.
        empty = {"image_id": images[0]["id"], "category_id": categories[0]["id"], "bbox": [0, 0, 0, 0], "score": 0.0}
        given = [empty]
    try:
        reference = coco.COCO(annotations, print_function=_silent)
        evaluator = coco.COCOeval_faster(reference, reference.loadRes(given), iou_type, print_function=_silent)
        evaluator.run()
    except (LookupError, TypeError, ValueError, AttributeError, RuntimeError, AssertionError) as error:
        raise InvalidValue(f"{detected} cannot be evaluated against {truth}: {shown(error)}") from None
    values = {name: float(evaluator.stats_as_dict[theirs]) for name, theirs in _NAMES.items()}
    summary = MappingProxyType({name: value if value >= 0 else float("nan") for name, value in values.items()})
    objects = sum(not item.get("iscrowd", 0) for item in annotations["annotations"])
    return CocoEvaluation(summary, iou_type, len(images), objects, len(results))


def _read(truth: Path, detected: Path, shape: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The annotations and the results, entry by entry as COCO has them."""
    annotations, results = _load(truth), _load(detected)
    if not isinstance(annotations, dict):
        raise InvalidValue(f"{truth}: a COCO annotation file is a JSON object, got a {type(annotations).__name__}")
    for part in ("images", "annotations", "categories"):
        if not isinstance(annotations.get(part), list):
            raise InvalidValue(f"{truth}: no list of {shown(part)}; is it a COCO annotation file?")
    if not isinstance(results, list):
        raise InvalidValue(f"{detected}: a COCO results file is a JSON list, got a {type(results).__name__}")
    _check_items(truth, annotations["images"], ("id",))
    _check_items(truth, annotations["categories"], ("id",))
    _check_items(truth, annotations["annotations"], ("id", "image_id", "category_id", "area", shape))
    _check_items(detected, results, ("image_id", "category_id", "score", shape))
    known = {image["id"] for image in annotations["images"]}
    for i, result in enumerate(results):
        if result["image_id"] not in known:
            raise InvalidValue(f"{detected}: entry {i} is of image {shown(result['image_id'])}, which the truth lacks")
    return annotations, results


def _silent(*_: object, **__: object) -> None:
    """Libraries do not print."""


def _load(path: Path) -> Any:
    try:
        return json.loads(read_file(path, limit="data_megabytes"))
    except (ValueError, RecursionError) as error:
        raise InvalidValue(f"{shown_path(path)}: no JSON document ({error})") from None


def _check_items(path: Path, items: list[Any], needed: tuple[str, ...]) -> None:
    for i, item in enumerate(items):
        missing = [key for key in needed if not isinstance(item, dict) or key not in item]
        if missing:
            raise InvalidValue(f"{path}: entry {i} has no {shown(missing[0])}; a COCO entry needs {', '.join(needed)}")
        box = item.get("bbox")
        if "bbox" in needed and not (isinstance(box, list) and len(box) == 4 and all(map(_finite, box))):
            raise InvalidValue(f"{path}: entry {i}: bbox must be [x, y, width, height], got {shown(box)}")
        if "score" in needed and not _finite(item["score"]):
            raise InvalidValue(f"{path}: entry {i}: score must be a number, got {shown(item['score'])}")


def _finite(value: object) -> bool:
    return isinstance(value, int | float) and math.isfinite(value)
