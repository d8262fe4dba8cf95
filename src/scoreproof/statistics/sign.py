"""The sign test: how often did the first model win? Simple, always valid, and weak.

Under no difference each win is a fair coin (Demšar 2006, jmlr.org/papers/v7/demsar06a, section 3.1.4). Rainio, Teuho &
Klén (2024, doi:10.1038/s41598-024-56706-x) warn of its low power: prefer the Wilcoxon signed-rank test.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from scoreproof.arrays import Alternative, one_of_alternatives, pair, rounded
from scoreproof.errors import InvalidOption
from scoreproof.statistics.proportions import clopper_pearson
from scoreproof.statistics.result import Effect, TestResult
from scoreproof.statistics.signed_ranks import lost_to_rounding
from scoreproof.statistics.tails import binomial_lower, binomial_upper
from scoreproof.validation import chosen, fraction, whole


def sign_test(
    x: npt.ArrayLike | None = None,
    y: npt.ArrayLike | None = None,
    *,
    wins: int | None = None,
    losses: int | None = None,
    ties: Literal["drop", "split"] = "drop",
    alternative: Alternative = "two-sided",
    decimals: int | None = 9,
    level: float = 0.95,
) -> TestResult:
    """The exact sign test, from paired values or from the numbers of wins and losses of x.

    Equal pairs are dropped, or split evenly (``ties="split"``, one of an odd number being dropped). With
    neither wins nor losses p = 1.

    >>> sign_test([3, 5, 2, 8], [1, 4, 2, 6]).p_value
    0.25
    >>> sign_test(wins=20, losses=5).p_value
    0.004077315330505371
    >>> sign_test(wins=0, losses=0).p_value
    1.0
    """
    alternative, level = one_of_alternatives(alternative), fraction("level", level)
    chosen("ties", ties, ("drop", "split"))
    counts = wins is not None or losses is not None
    if counts == (x is not None or y is not None):
        raise InvalidOption("expected either x and y, or wins and losses; give one of the two forms")
    equal = 0
    notes: tuple[str, ...] = ()
    if counts:
        won, lost = whole("wins", wins), whole("losses", losses)
    elif x is None or y is None:
        raise InvalidOption("x and y come together: expected both")
    else:
        first, second = pair(x, y)
        d = rounded(first - second, decimals)
        won, lost = int(np.sum(d > 0)), int(np.sum(d < 0))
        notes = lost_to_rounding(first, second, decimals)
        equal = len(d) - won - lost
        if ties == "split":
            won, lost = won + equal // 2, lost + equal // 2
    n = won + lost
    return TestResult(
        test="Sign test",
        method="exact binomial"
        + (f", {equal} equal pairs {'split' if ties == 'split' else 'dropped'}" if equal else ""),
        statistic_name="wins",
        statistic=won,
        p_value=fair_coin_p(won, lost, alternative),
        alternative=alternative,
        effects=(Effect("P(win)", won / n if n else 0.5, clopper_pearson(won, n, level=level)),),
        notes=notes,
        details={"wins": won, "losses": lost, "ties": equal, "shown": f"{won} of {n}"},
        inputs={"wins": won, "losses": lost, "ties": equal, "level": level},
    )


def fair_coin_p(won: int, lost: int, alternative: Alternative) -> float:
    """The exact binomial p-value of these wins against a fair coin; 1 without any game."""
    n = won + lost
    if alternative == "two-sided":
        return min(1.0, 2 * binomial_lower(min(won, lost), n))
    return binomial_upper(won, n) if alternative == "greater" else binomial_lower(won, n)
