"""Claims of significance re-checked: intervals, p-values, ranks, ± and "significantly better".

One function per claim, texts in, a ``Recheck`` out: impossible, certain, possible or unexplained, with what would
reproduce it, what would have to hold, what was assumed, and a certificate where whole numbers decide.

>>> from scoreproof import claims
>>> print(claims.mcnemar("0.93", "0.92", n=200, p="<0.05", method="exact"))
impossible: p < 0.05 by McNemar's test (exact) for 0.93 against 0.92 on the same 200 cases: p is at least 0.125: \
the two differ by 0 to 4 cases
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from scoreproof.validation import enforce

if TYPE_CHECKING:
    from scoreproof.claims.areas import AUC_METHODS, auc_difference, auc_interval
    from scoreproof.claims.folds import mean_of, spread
    from scoreproof.claims.from_statistic import MEAN_TESTS, TESTS, family, means, p_value
    from scoreproof.claims.over_pairs import SIGNED_RANK_METHODS, paired, signed_rank, smallest_p
    from scoreproof.claims.proportion import INTERVAL_METHODS, interval
    from scoreproof.claims.rankings import ranks
    from scoreproof.claims.recheck import Recheck, Reproduction, Standing
    from scoreproof.claims.same_cases import MCNEMAR_METHODS, mcnemar
    from scoreproof.claims.sentences import statements
    from scoreproof.claims.two_groups import PROPORTION_TESTS, proportions, rank_sum

#: Every claim by the name of its function, and the module that has it. Command, keys of a specification, re-checking
#: in an audit and the form of the page are made from the signature.
CLAIMS = {
    "interval": "proportion",
    "auc_interval": "areas",
    "spread": "folds",
    "mean_of": "folds",
    "p_value": "from_statistic",
    "paired": "over_pairs",
    "means": "from_statistic",
    "signed_rank": "over_pairs",
    "mcnemar": "same_cases",
    "proportions": "two_groups",
    "rank_sum": "two_groups",
    "auc_difference": "areas",
    "ranks": "rankings",
    "family": "from_statistic",
}
# Tests need scipy, an audit without such claims does not: each part is loaded when first used.
_LATER = {
    "AUC_METHODS": "areas",
    **dict.fromkeys(("MEAN_TESTS", "TESTS"), "from_statistic"),
    **dict.fromkeys(("SIGNED_RANK_METHODS", "smallest_p"), "over_pairs"),
    "INTERVAL_METHODS": "proportion",
    **dict.fromkeys(("Recheck", "Reproduction", "Standing"), "recheck"),
    "MCNEMAR_METHODS": "same_cases",
    "statements": "sentences",
    "PROPORTION_TESTS": "two_groups",
}

__all__ = [
    "AUC_METHODS", "CLAIMS", "INTERVAL_METHODS", "MCNEMAR_METHODS", "MEAN_TESTS", "PROPORTION_TESTS",
    "SIGNED_RANK_METHODS", "TESTS", "Recheck", "Reproduction", "Standing", "auc_difference", "auc_interval",
    "family", "interval", "mcnemar", "mean_of", "means", "p_value", "paired", "proportions", "rank_sum", "ranks",
    "signed_rank", "smallest_p", "spread", "statements",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    module = CLAIMS.get(name) or _LATER.get(name)
    if module is None:
        raise AttributeError(f"module 'scoreproof.claims' has no attribute {name!r}")
    globals()[name] = getattr(importlib.import_module(f"scoreproof.claims.{module}"), name)
    enforce(globals(), [name])
    return globals()[name]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
