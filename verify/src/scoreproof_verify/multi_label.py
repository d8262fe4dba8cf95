"""Replay a proof that no counts of labels that do not exclude each other give a report.

As for several classes, but nothing couples the labels. Where the number of cases is not stated, no label is taken to be
given to more than 10 million cases.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoreproof_verify.formulas import Rule
from scoreproof_verify.frame import Words
from scoreproof_verify.multi_class import KEYS as OF_CLASSES
from scoreproof_verify.multi_class import check_report
from scoreproof_verify.patience import Patience
from scoreproof_verify.texts import every_key

KEYS = OF_CLASSES | {"total"}


def check(
    statement: Mapping[str, Any], proof: Mapping[str, Any], rules: Mapping[str, Rule], patience: Patience
) -> Words:
    """What a proof about labels proves, in words; raises ``Rejected`` if it proves nothing."""
    every_key("the statement", statement, KEYS)
    return check_report(statement, proof, patience, exclusive=False)
