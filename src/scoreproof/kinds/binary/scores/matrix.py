"""One confusion matrix: four counts and the scores they give."""

from __future__ import annotations

from dataclasses import dataclass

from scoreproof.kinds.binary.scores.registry import score


@dataclass(frozen=True, slots=True, order=True)
class ConfusionMatrix:
    """The four counts of a binary evaluation.

    >>> matrix = ConfusionMatrix(tp=743, fp=1968, fn=257, tn=4032)
    >>> matrix.p, matrix.n, matrix.score("f1", digits=4)
    (1000, 6000, '0.4004')
    """

    tp: int
    fp: int
    fn: int
    tn: int

    @property
    def p(self) -> int:
        return self.tp + self.fn

    @property
    def n(self) -> int:
        return self.fp + self.tn

    @property
    def cells(self) -> tuple[int, int, int, int]:
        return self.tp, self.fp, self.fn, self.tn

    def score(self, name: str, *, digits: int) -> str | None:
        """A score as text with this many decimals, rounded to nearest; None where it is undefined."""
        return score(name).text(*self.cells, digits=digits)

    def to_dict(self) -> dict[str, int]:
        return {"tp": self.tp, "fp": self.fp, "fn": self.fn, "tn": self.tn}

    def __str__(self) -> str:
        return f"tp={self.tp} fn={self.fn} fp={self.fp} tn={self.tn}"
