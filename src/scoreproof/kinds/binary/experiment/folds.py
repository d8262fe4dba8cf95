"""The class counts of folds.

scikit-learn's stratified folds follow Fazekas and Kovács (2024), Table 6; other tools let the odd cases of the two
classes overlap differently. Without stratification only the sizes of the folds are known; ``fold_configurations``
lists every way the classes can fall (their Algorithm 2, as partitions of the positives over folds of two sizes).
"""

from __future__ import annotations

from collections.abc import Iterator

from scoreproof.errors import InvalidExperiment
from scoreproof.validation import whole

_MOST = 100_000  # cases of a data set whose folds are listed

Fold = tuple[int, int]


def stratified_folds(p: int, n: int, k: int) -> list[Fold]:
    """The class counts of k stratified folds, larger folds first.

    >>> stratified_folds(38, 262, 5)
    [(8, 52), (8, 52), (8, 52), (7, 53), (7, 53)]
    """
    p_div, p_mod = divmod(p, k)
    n_div, n_mod = divmod(n, k)
    both = max(0, p_mod + n_mod - k)
    neither = max(0, k - p_mod - n_mod)
    return (
        [(p_div + 1, n_div + 1)] * both
        + [(p_div + 1, n_div)] * (p_mod - both)
        + [(p_div, n_div + 1)] * (n_mod - both)
        + [(p_div, n_div)] * neither
    )


def overlaps(p: int, n: int, k: int) -> tuple[int, int]:
    """How many of k balanced folds may have an odd positive and an odd negative: at least, at most; none is empty.

    >>> overlaps(38, 262, 5)
    (0, 2)
    """
    p_mod, n_mod = p % k, n % k
    least = max(0, p_mod + n_mod - k)
    return least, least if max(p, n) < k else min(p_mod, n_mod)


def fold_sizes(p: int, n: int, k: int) -> list[tuple[int, int]]:
    """The sizes of k folds and how many folds have each: the larger first.

    >>> fold_sizes(126, 132, 4)
    [(65, 2), (64, 2)]
    """
    size, larger = divmod(p + n, k)
    return [(cases, count) for cases, count in ((size + 1, larger), (size, k - larger)) if count]


def fold_configurations(p: int, n: int, k: int) -> Iterator[tuple[Fold, ...]]:
    """Every way p positives and n negatives can fall into k folds of equal size (give or take one case).

    Each configuration is a tuple of (positives, negatives); their order carries no meaning. As in Algorithm 2, at
    least two folds hold a positive and at least two a negative, so that every training set has both classes.

    >>> sum(1 for _ in fold_configurations(30, 300, 5))
    673
    """
    sizes: list[int] = []
    for what, count, least, most in (("p (positives)", p, 0, _MOST), ("n (negatives)", n, 0, _MOST), ("k", k, 2, 500)):
        sizes.append(whole(what, count, at_least=least, at_most=most, error=InvalidExperiment))
    return dealt_folds(*sizes, trainable=True)


def dealt_folds(p: int, n: int, k: int, *, trainable: bool) -> Iterator[tuple[Fold, ...]]:
    """Every way classes can fall into k folds, the larger folds first; trainable: with each class in two of them.

    >>> list(dealt_folds(2, 3, 2, trainable=False))
    [((0, 3), (2, 0)), ((1, 2), (1, 1)), ((2, 1), (0, 2))]
    """
    size, larger = divmod(p + n, k)
    for positives in range(max(0, p - (k - larger) * size), min(p, larger * (size + 1)) + 1):
        for first in _partitions(positives, larger, size + 1):
            for second in _partitions(p - positives, k - larger, size):
                folds = tuple((q, size + 1 - q) for q in first) + tuple((q, size - q) for q in second)
                if not trainable or min(sum(a > 0 for a, _ in folds), sum(b > 0 for _, b in folds)) >= 2:
                    yield folds


def _partitions(total: int, parts: int, largest: int) -> Iterator[tuple[int, ...]]:
    """All ways to write ``total`` as ``parts`` non-increasing numbers from 0 to ``largest``."""
    if parts == 0:
        if total == 0:
            yield ()
        return
    least = -(-total // parts)
    for head in range(min(total, largest), least - 1, -1):
        for rest in _partitions(total - head, parts - 1, head):
            yield (head, *rest)
