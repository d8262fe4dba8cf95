"""Certificates that an exact test over k pairs cannot have a printed p-value, or sum of ranks.

The test counts sign patterns among the 2^k, so p is j / 2^k with j from 1 to 2^k; on two sides patterns come in
mirrored pairs, so j is even. The sum of all ranks is k (k + 1) / 2.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoreproof_verify.experiment import integer
from scoreproof_verify.formulas import Rule
from scoreproof_verify.frame import Words
from scoreproof_verify.p_value import read_p_value
from scoreproof_verify.patience import Patience
from scoreproof_verify.printed import read_printed
from scoreproof_verify.texts import every_key, known_keys, quoted, require

KEYS = frozenset({"pairs", "sides", "p", "statistic"})
_MOST_PAIRS = 1000


def check(
    statement: Mapping[str, Any], proof: Mapping[str, Any], rules: Mapping[str, Rule], patience: Patience
) -> Words:
    """What a statement about an exact test and its proof establish; ``Rejected`` if they do not."""
    every_key("the statement", statement, KEYS)
    pairs = integer(statement.get("pairs"), "the number of pairs")
    require(1 <= pairs <= _MOST_PAIRS, "the number of pairs is out of range")
    sides = statement.get("sides")
    require(sides in ("any", "two", "one"), f"unknown sides {quoted(sides)}")
    known_keys("the proof", proof, "kind")
    p = None if statement.get("p") is None else read_p_value(statement["p"])
    printed = None if statement.get("statistic") is None else read_printed(statement["statistic"], "the statistic")
    if proof.get("kind") == "sum":
        require(printed is not None, "the statement has no sum of ranks")
        assert printed is not None
        require(2 * printed.low > pairs * (pairs + 1), "there may be such a sum of ranks")
        return lambda: f"Proved: the ranks of {pairs} pairs do not add up to {printed}."
    require(proof.get("kind") == "multiple" and p is not None, f"unknown kind of proof {quoted(proof.get('kind'))}")
    assert p is not None
    every = 1 << pairs
    last = int((p.high * every).__floor__())  # the most patterns that are not too many
    last -= last % 2 if sides == "two" else 0
    require(last <= 0 or last < p.low * every, "so many sign patterns give the p-value")
    side = {"two": "two-sided ", "one": "one-sided ", "any": ""}[str(sides)]
    return lambda: f"Proved: no exact {side}test over {pairs} pairs gives {p}: it counts sign patterns among {every}."
