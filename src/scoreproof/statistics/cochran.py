"""Right or wrong, by several models on the same cases: Cochran's Q; and by two models into k classes: Bowker's.

Q asks whether all models are right equally often (Cochran 1950, doi:10.1093/biomet/37.3-4.256); with two it is
McNemar's χ². Bowker's test (1948, doi:10.1080/01621459.1948.10483284) asks whether two models put cases into the
classes alike: it sees a difference that leaves the accuracy unchanged.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from scoreproof.arrays import same_length, score_table
from scoreproof.errors import InvalidValue
from scoreproof.statistics.result import TestResult
from scoreproof.statistics.tails import chi2_p


def cochran_q(right: npt.ArrayLike) -> TestResult:
    """Are all models (columns of 0 and 1) right equally often on the same cases (rows)?

    >>> table = [[1, 1, 0], [1, 1, 0], [1, 0, 0], [1, 1, 1], [0, 1, 0], [1, 0, 0]]
    >>> round(cochran_q(table).statistic, 4), round(cochran_q(table).p_value, 4)
    (5.2, 0.0743)
    """
    table = score_table(right, at_least=(1, 2))
    if not np.isin(table, (0, 1)).all():
        raise InvalidValue("right holds other values than 0 and 1: expected 1 where a model is right, else 0")
    k = table.shape[1]
    columns, rows = table.sum(axis=0), table.sum(axis=1)
    room = float(np.sum(rows * (k - rows)))
    q = (k - 1) * k * float(np.sum((columns - columns.mean()) ** 2)) / room if room else 0.0
    return TestResult(
        test="Cochran's Q test",
        method="χ² approximation" if room else "no model differs from another on any case",
        statistic_name="Q",
        statistic=q,
        df=(float(k - 1),),
        p_value=chi2_p(q, k - 1),
        details={"right": columns.astype(int).tolist(), "cases": len(table)},
        inputs={"right": table},
    )


def bowker(first: npt.ArrayLike, second: npt.ArrayLike) -> TestResult:
    """Do two models put the same cases into k classes alike? Symmetry of the table of their answers.

    >>> first = ["a"] * 8 + ["b"] * 6 + ["c"] * 6
    >>> second = ["a"] * 2 + ["b"] * 6 + ["b"] * 5 + ["c"] + ["c"] * 6
    >>> round(bowker(first, second).p_value, 4)
    0.0302
    """
    one, two = np.asarray(first).astype(str), np.asarray(second).astype(str)
    same_length("first", one, "second", two)
    labels, codes = np.unique(np.concatenate([one, two]), return_inverse=True)
    k = len(labels)
    codes = codes.reshape(2, -1)
    table = np.bincount(codes[0] * k + codes[1], minlength=k * k).reshape(k, k)
    i, j = np.triu_indices(k, 1)
    total = table[i, j] + table[j, i]
    used = total > 0
    chi2 = float(np.sum((table[i, j] - table[j, i])[used] ** 2 / total[used]))
    df = int(used.sum())
    return TestResult(
        test="Bowker test",
        method="χ² of symmetry" if df else "the models agree on every case",
        statistic_name="χ²",
        statistic=chi2,
        df=(float(df),),
        p_value=chi2_p(chi2, df) if df else 1.0,
        notes=("it asks whether the models confuse the classes alike, not which of them is better",),
        details={"labels": labels.tolist(), "table": table.tolist()},
        inputs={"cases": len(one)},
    )
