"""Certificates that a method said to be best, or better than another, is not ahead by the printed numbers.

Numbers are compared as numbers (90% is 0.90), and by the verifier's own word on which way a score is better. Numbers
with unlike digits must differ by at least a unit of the coarser.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoreproof_verify.experiment import integer
from scoreproof_verify.formulas import Rule
from scoreproof_verify.frame import Words
from scoreproof_verify.patience import Patience
from scoreproof_verify.printed import Printed, read_all, read_printed, short_text
from scoreproof_verify.statement import rule_of
from scoreproof_verify.texts import every_key, known_keys, quoted, require

KEYS = frozenset({"quantity", "relation", "method", "claim", "rivals"})
_MOST_RIVALS = 10_000


def check(
    statement: Mapping[str, Any], proof: Mapping[str, Any], rules: Mapping[str, Rule], patience: Patience
) -> Words:
    """What a statement about an order and its proof establish; ``Rejected`` if they do not."""
    every_key("the statement", statement, KEYS)
    name, relation = statement.get("quantity"), statement.get("relation")
    rule = rule_of(name, rules)
    require(relation in ("best", "better"), f"unknown relation {quoted(relation)}")
    method = short_text(statement.get("method"), "the method")
    own = read_printed(statement.get("claim"), "the claim", mean=True)
    rivals = read_all(statement.get("rivals"), "a rival", 1, 1 if relation == "better" else _MOST_RIVALS, mean=True)
    known_keys("the proof", proof, "kind", "rival")
    require(proof.get("kind") == "ahead", f"unknown kind of proof {quoted(proof.get('kind'))}")
    index = integer(proof.get("rival"), "the rival")
    require(0 <= index < len(rivals), "the proof names a rival that there is not")
    rival = rivals[index]
    for printed in (own, rival):
        require(_possible(printed, rule), f"{printed.text} is no value of {name}")
    lead = (rival.value - own.value) * rule.direction
    ahead = lead > 0 if rival.unit == own.unit else lead >= max(rival.unit, own.unit)
    require(ahead, "the rival is not ahead by the printed numbers")
    better = "larger" if rule.direction > 0 else "smaller"
    return lambda: (
        f"Proved: {method} ({own.text}) is not {relation} by {name}: {rival.name or 'a rival'} ({rival.text}) is "
        f"ahead, and {better} is better."
    )


def _possible(printed: Printed, rule: Rule) -> bool:
    """Whether a score can have a value that prints like that; another unit would be compared with its own otherwise."""
    low_enough = rule.most is None or printed.low <= rule.most
    return low_enough and (rule.least is None or printed.high >= rule.least)
