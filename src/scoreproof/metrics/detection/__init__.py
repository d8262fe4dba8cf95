"""Object detection: boxes, matching, average precision."""

from scoreproof.metrics.detection.coco import CocoEvaluation, evaluate_coco
from scoreproof.metrics.detection.evaluation import DetectionEvaluation, detection_curve, evaluate_detection
from scoreproof.metrics.detection.matching import Box, ImageMatches, box_iou, match_image

__all__ = [
    "Box", "CocoEvaluation", "DetectionEvaluation", "ImageMatches", "box_iou", "detection_curve", "evaluate_coco",
    "evaluate_detection", "match_image",
]  # fmt: skip
