"""What a score is: names, exact formulas, directions and ranges."""

from scoreproof.kinds.binary.scores.registry import (
    ConfusionMatrix,
    known_scores,
    pack_scores,
    register,
    registered_scores,
    score,
    spellings,
    unregister,
)
from scoreproof.kinds.binary.scores.score import Score, Shape, Surd

__all__ = [
    "ConfusionMatrix",
    "Score",
    "Shape",
    "Surd",
    "known_scores",
    "pack_scores",
    "register",
    "registered_scores",
    "score",
    "spellings",
    "unregister",
]
