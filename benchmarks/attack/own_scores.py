"""Scores of one's own that raise, return nonsense, or use what the engines cannot follow."""

from __future__ import annotations

from benchmarks.attack.attack import snippet

_RATIOS = {
    "raises": "1 // 0",
    "raises something odd": "(_ for _ in ()).throw(SystemError('odd'))",
    "returns one value": "tp",
    "returns three": "(tp, 1, 2)",
    "returns nothing": "None",
    "returns a fraction": "__import__('fractions').Fraction(1, 2)",
    "returns fractions": "(__import__('fractions').Fraction(1, 2), 1)",
    "returns floats": "(0.5, 1.0)",
    "returns text": "('1', '2')",
    "uses min": "(min(tp, tn), tp + fp + tn + fn)",
    "uses max": "(max(tp, tn), tp + fp + tn + fn)",
    "is exponential": "(2 ** tp, 3 ** (tp + tn + fp + fn))",
    "raises at a large count": "(tp if tp < 5 else [][0], tp + fp + fn + tn)",
    "is not monotone": "(tp * fn, (tp + fn) ** 2)",
    "is of degree nine": "(tp ** 9, (tp + fp) ** 9)",
    "turns negative": "(tp, tp - fp)",
}
_USES = (
    "sp.check(sp.TestSet(40, 50), {'mine': '0.9123'}, budget=5)",
    "sp.check(sp.KFold(40, 50, 5), {'mine': '0.9123', 'acc': '0.95'}, budget=5)",
    "sp.reconstruct({'mine': '0.9', 'acc': '0.9'}, p=40, n=50, budget=5)",
)
ATTACKS = [
    snippet(
        "own scores",
        f"sp.register('mine', lambda tp, fp, fn, tn: {ratio})\n{use}",
        f"{what}: {use}",
    )
    for what, ratio in _RATIOS.items()
    for use in _USES
]
