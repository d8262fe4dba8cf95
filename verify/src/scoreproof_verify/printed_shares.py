"""Replay a proof that a printed matrix of shares does not give the scores printed beside it (docs/proofs.md).

Each share leaves its cell some counts out of the cases of its row. A row may be impossible by itself; else the report
is refuted as that of several classes, with tp and q of every class within what the cells leave them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoreproof_verify.class_cells import broken, read_cells, within_rows
from scoreproof_verify.class_statement import read_report
from scoreproof_verify.formulas import Rule
from scoreproof_verify.frame import Words
from scoreproof_verify.multi_class import KEYS as OF_CLASSES
from scoreproof_verify.multi_class import check_report
from scoreproof_verify.patience import Patience
from scoreproof_verify.texts import every_key, known_keys, require

KEYS = OF_CLASSES | {"shares", "shares_rounding"}


def check(
    statement: Mapping[str, Any], proof: Mapping[str, Any], rules: Mapping[str, Rule], patience: Patience
) -> Words:
    """What is proved, in words; raises ``Rejected`` if nothing is."""
    every_key("the statement", statement, KEYS)
    report = {key: statement[key] for key in OF_CLASSES}
    stated = read_report(report, exclusive=True)
    require(len(stated.counts) == 1, "a printed matrix is of one set")
    sizes = stated.counts[0]
    cells = read_cells(statement["shares"], statement["shares_rounding"], sizes)
    if proof.get("kind") == "rows":
        known_keys("the proof", proof, "kind")
        require(broken(cells, sizes), "every row of shares is possible")
        return lambda: f"Proved: no confusion matrix of {len(sizes)} classes has the printed shares of its rows."
    words = check_report(report, proof, patience, exclusive=True, cells=within_rows(cells, sizes))
    return lambda: f"{words()} Cells were held to the printed shares."
