"""Certificates that two rows cannot be on one test set of unknown classes.

A share divides all prevalences: one row is impossible at this prevalence or above, the other at this prevalence or
below, so at no prevalence are both possible. Each half is a proof about unknown class counts, replayed with that half
of the prevalences. A row that is impossible at every prevalence is enough by itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from scoreproof_verify.experiment import integer
from scoreproof_verify.formulas import Rule
from scoreproof_verify.frame import Words
from scoreproof_verify.patience import Patience
from scoreproof_verify.printed import short_text
from scoreproof_verify.statement import Claim, claims
from scoreproof_verify.texts import Rejected, decimal, every_key, fraction, known_keys, quoted, require
from scoreproof_verify.unknown_classes import read_total, refute_sizes, size_words

KEYS = frozenset({"rows", "total", "undefined"})
_HALVES = ("above", "below")


def check(
    statement: Mapping[str, Any], proof: Mapping[str, Any], rules: Mapping[str, Rule], patience: Patience
) -> Words:
    """What a statement about two rows and its proof establish; ``Rejected`` if they do not."""
    every_key("the statement", statement, KEYS)
    total, undefined = read_total(statement.get("total")), statement.get("undefined")
    documents = statement.get("rows")
    if not isinstance(documents, list) or len(documents) != 2:
        raise Rejected("the statement does not have two rows")
    names: list[str] = []
    scores: list[list[Claim]] = []
    kind = proof.get("kind")
    alone = integer(proof.get("row"), "the row") if kind == "row" else None
    require(alone in (None, 0, 1), "the proof names a row that there is not")
    for index, document in enumerate(documents):
        row = known_keys("a row", document, "name", "scores")
        names.append(short_text(row.get("name"), "the name of a row"))
        bare = row.get("scores") == [] and alone == 1 - index  # nothing is proved of a row without scores
        scores.append([] if bare else list(claims(row.get("scores"), rules)))
        require(all(claim.spread is None for claim in scores[-1]), "one matrix has no ±")
    size = "" if total is None else f" of {size_words(total)}"
    if alone is not None:
        known_keys("the proof", proof, "kind", "row", "proof")
        refute_sizes(scores[alone], [], total, undefined, proof.get("proof"), patience)
        return lambda: (
            f"Proved: {names[0]} and {names[1]} are not on one test set{size}: no class counts give {names[alone]} its "
            f"{_listed(scores[alone])}."
        )
    require(kind == "apart", f"unknown kind of proof {quoted(kind)}")
    known_keys("the proof", proof, "kind", "lower", "share", *_HALVES)
    lower = integer(proof.get("lower"), "the lower row")
    require(lower in (0, 1), "the proof names a row that there is not")
    share = fraction(proof.get("share"), "the share")
    require(0 <= share <= 1, "the share is no prevalence")
    halves = ((lower, (share, Fraction(1))), (1 - lower, (Fraction(0), share)))
    for key, (row_index, span) in zip(_HALVES, halves, strict=True):
        refute_sizes(scores[row_index], [span], total, undefined, proof.get(key), patience)
    return lambda: (
        f"Proved: {names[0]} and {names[1]} are not on one test set{size}: with {_listed(scores[lower])} the "
        f"prevalence of {names[lower]} is below {decimal(share)}, with {_listed(scores[1 - lower])} that of "
        f"{names[1 - lower]} is above."
    )


def _listed(scores: list[Claim]) -> str:
    return ", ".join(map(str, scores))
