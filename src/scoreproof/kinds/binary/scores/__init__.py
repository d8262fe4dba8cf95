"""What a score is: names, exact formulas, directions and ranges."""

from scoreproof.kinds.binary.scores.matrix import ConfusionMatrix
from scoreproof.kinds.binary.scores.registry import (
    known_scores,
    register,
    registered_scores,
    score,
    spellings,
    unregister,
)
from scoreproof.kinds.binary.scores.score import Score, Shape
from scoreproof.kinds.binary.scores.surds import Surd
from scoreproof.kinds.binary.scores.travelling import pack_scores

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
