"""Certificates that two rows of errors and R² are not on one test set.

R² = 1 - mse / v, where v > 0 is the variance of the true values, which the rows share. So (1 - R²) v = mse, and with a
row's ends of mse and R² its v is at most s' / (1 - R²') and the other's at least s / (1 - R²): it is enough that the
first is below the second, which is compared as a product so that nothing is divided by 0.
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
from scoreproof_verify.texts import Rejected, every_key, interval, known_keys, quoted, require

KEYS = frozenset({"rows"})
_KNOWN = ("mse", "rmse", "r2")


class Row:
    """A row: the ends of its mean squared error and of 1 - R²."""

    def __init__(self, document: Any) -> None:
        row = known_keys("a row", document, "name", "scores")
        self.name = short_text(row.get("name"), "the name of a row")
        scores = row.get("scores")
        require(isinstance(scores, list) and len(scores) <= len(_KNOWN), "a row has no list of scores")
        self.texts: dict[str, str] = {}
        self.squares: list[tuple[Fraction, Fraction]] = []
        self.rest: tuple[Fraction, Fraction] | None = None
        for entry in scores or []:
            self._read(entry)

    def _read(self, entry: Any) -> None:
        given = known_keys("a score", entry, "score", "name", "text", "rounding", "eps")
        name, text = given.get("score"), given.get("text")
        if not isinstance(name, str) or name not in _KNOWN or name in self.texts:
            raise Rejected("a score is not mse, rmse or r2, or is named twice")
        require("name" not in given or isinstance(given["name"], str), "the name of a score is not a text")
        low, high = interval(text, given.get("rounding"), given.get("eps"), most=1 if name == "r2" else None)
        self.texts[name] = str(text)
        if name == "r2":
            self.rest = 1 - high, 1 - low
        else:
            require(high >= 0, "an error is negative")
            low = max(low, Fraction(0))
            self.squares.append((low, high) if name == "mse" else (low * low, high * high))

    def __str__(self) -> str:
        return f"{self.name} ({', '.join(f'{name} {text}' for name, text in self.texts.items())})"


def check(
    statement: Mapping[str, Any], proof: Mapping[str, Any], rules: Mapping[str, Rule], patience: Patience
) -> Words:
    """What a statement about two rows and its proof establish; ``Rejected`` if they do not."""
    every_key("the statement", statement, KEYS)
    known_keys("the proof", proof, "kind", "lower")
    require(proof.get("kind") == "apart", f"unknown kind of proof {quoted(proof.get('kind'))}")
    lower = integer(proof.get("lower"), "the lower row")
    require(lower in (0, 1), "the proof names a row that there is not")
    documents = statement["rows"]
    if not isinstance(documents, list) or len(documents) != 2:
        raise Rejected("the statement does not have two rows")
    rows = [Row(document) for document in documents]
    small, large = rows[lower], rows[1 - lower]
    if not small.squares or not large.squares or small.rest is None or large.rest is None:
        raise Rejected("a row has no error or no R²")
    most, least = min(high for _, high in small.squares), max(low for low, _ in large.squares)
    # v <= most / rest of the first row, v >= least / rest of the second
    small_rest, large_rest = small.rest[0], large.rest[1]
    require(small_rest > 0, "R² of the first row may be 1, which leaves the variance open")
    require(large_rest > 0, "R² of the second row is 1 or more")
    require(most * large_rest < least * small_rest, "one variance may fit both rows")
    return lambda: (
        f"Proved: {rows[0]} and {rows[1]} are not on one test set where R² is 1 - mse / variance: {small.name} needs a "
        f"smaller variance of the true values than {large.name}."
    )
