"""What a score is: names, exact formulas, directions and ranges."""

from scoreproof.scores.matrix import ConfusionMatrix
from scoreproof.scores.registry import known_scores, register, registered_scores, score, spellings, unregister
from scoreproof.scores.score import Score, Shape
from scoreproof.scores.surds import Surd

__all__ = [
    "ConfusionMatrix",
    "Score",
    "Shape",
    "Surd",
    "known_scores",
    "register",
    "registered_scores",
    "score",
    "spellings",
    "unregister",
]
