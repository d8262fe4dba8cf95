"""Replay a proof that a printed confusion matrix of several classes does not give the scores printed beside it.

Everything is recomputed: the cases of the matrix against the number that is stated, then all scores, with every
admitted treatment of 0/0 and every admitted meaning of an averaged F-score.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scoreproof_verify.class_scoring import gives
from scoreproof_verify.class_statement import read_report
from scoreproof_verify.experiment import integer
from scoreproof_verify.formulas import Rule
from scoreproof_verify.frame import Words
from scoreproof_verify.multi_class import KEYS as OF_CLASSES
from scoreproof_verify.patience import Patience
from scoreproof_verify.texts import Rejected, every_key, known_keys, require

KEYS = OF_CLASSES | {"matrix", "total"}
_MOST_SAID = 12


def check(
    statement: Mapping[str, Any], proof: Mapping[str, Any], rules: Mapping[str, Rule], patience: Patience
) -> Words:
    """What is proved, in words; raises ``Rejected`` if the matrix gives the scores."""
    every_key("the statement", statement, KEYS)
    known_keys("the proof", proof, "kind")
    require(proof.get("kind") == "recomputed", "unknown kind of proof")
    report = {key: value for key, value in statement.items() if key not in ("matrix", "total")}
    stated = read_report(report, exclusive=True)
    matrix = _matrix(statement["matrix"], len(stated.names))
    require(
        len(stated.counts) == 1 and [sum(row) for row in matrix] == list(stated.counts[0]), "the rows are other ones"
    )
    cases = sum(map(sum, matrix))
    total = None if statement["total"] is None else integer(statement["total"], "the number of cases")
    said = ", ".join(entry.said(stated.names) for entry in stated.entries[:_MOST_SAID])
    if total is not None and total != cases:
        return lambda: f"Proved: the printed matrix holds {cases} cases, not {total}."
    counts = [(row[i], sum(other[i] for other in matrix)) for i, row in enumerate(matrix)]
    meanings = ("mean", "of means") if stated.macro_f1 == "any" else (stated.macro_f1,)
    for meaning in meanings:
        reading = read_report({**report, "macro_f1": meaning}, exclusive=True)
        require(not gives(reading, [counts]), "the matrix gives the scores")
    return lambda: f"Proved: the printed matrix of {len(matrix)} classes and {cases} cases does not give {said}."


def _matrix(document: Any, classes: int) -> list[list[int]]:
    if not isinstance(document, list) or len(document) != classes:
        raise Rejected("the matrix does not have a row for every class")
    rows = []
    for row in document:
        if not isinstance(row, list) or len(row) != classes:
            raise Rejected("a row of the matrix does not have a cell for every class")
        cells = [integer(cell, "a cell") for cell in row]
        require(min(cells) >= 0, "a cell is negative")
        rows.append(cells)
    return rows
