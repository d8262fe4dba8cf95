"""Segmentation masks: overlap, surfaces, similarity."""

from scoreproof.metrics.segmentation.distances import SurfaceDistances, surface_distances
from scoreproof.metrics.segmentation.evaluation import SegmentationEvaluation, dice, evaluate_segmentation, iou
from scoreproof.metrics.segmentation.semantic import SemanticEvaluation, evaluate_semantic
from scoreproof.metrics.segmentation.ssim import StructuralSimilarity, ssim
from scoreproof.metrics.segmentation.surface import SurfaceConvention

__all__ = [
    "SegmentationEvaluation", "SemanticEvaluation", "StructuralSimilarity", "SurfaceConvention", "SurfaceDistances",
    "dice", "evaluate_segmentation", "evaluate_semantic", "iou", "ssim", "surface_distances",
]  # fmt: skip
