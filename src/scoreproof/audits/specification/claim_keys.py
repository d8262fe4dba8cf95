"""Which settings each claim of significance takes, and how the function of ``scoreproof.claims`` calls them."""

from __future__ import annotations

# By the name of the function: the keys of the specification, and the function's own name where it is another.
CLAIMS: dict[str, dict[str, str]] = {
    "interval": dict.fromkeys(("value", "n", "level", "method", "clustered", "rounding"), ""),
    "auc_interval": {
        **dict.fromkeys(("value", "level", "method", "ties", "rounding"), ""),
        "positives": "p",
        "negatives": "n",
    },
    "spread": dict.fromkeys(("value", "k", "sizes", "kind", "rounding"), ""),
    "mean_of": {**dict.fromkeys(("values", "sd", "rounding"), ""), "value": "mean"},
    "p_value": dict.fromkeys(("test", "statistic", "df", "p", "sides", "rounding"), ""),
    "paired": {**dict.fromkeys(("a", "b", "k", "p", "test_share", "rounding"), ""), "kind": "spread"},
    "means": dict.fromkeys(("a", "b", "n", "p", "test", "rounding"), ""),
    "signed_rank": dict.fromkeys(("k", "p", "statistic", "method", "sides", "rounding"), ""),
    "mcnemar": dict.fromkeys(("a", "b", "n", "p", "method", "paired", "rounding"), ""),
    "proportions": dict.fromkeys(("a", "b", "n", "p", "test", "rounding"), ""),
    "auc_difference": {
        **dict.fromkeys(("a", "b", "intervals", "level", "rounding"), ""),
        "positives": "p",
        "negatives": "n",
        "p": "pvalue",
    },
    "ranks": {
        **dict.fromkeys(("datasets", "chi2", "f", "cd", "higher", "alpha", "rounding"), ""),
        "values": "means",
        "scores": "table",
    },
    "family": {**dict.fromkeys(("alpha", "rounding"), ""), "values": "p_values", "correction": "method"},
}
#: What any claim may say.
COMMON = frozenset({"claim", "text", "where", "table", "by"})
