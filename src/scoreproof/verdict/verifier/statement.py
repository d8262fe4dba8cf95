"""What a certificate claims, read from its own statement.

The statement holds the texts as reported, the rounding rule and the experiment. Intervals and counts are derived
here again from those, by code of the verifier's own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from scoreproof.verdict.verifier.formulas import Rule, rule


class Rejected(Exception):
    """The certificate does not prove its statement; the message says why."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One reported score: its name, its text, and the interval it stands for."""

    name: str
    text: str
    low: Fraction
    high: Fraction
    rule: Rule

    def __str__(self) -> str:
        return f"{self.name} {self.text} (from {decimal(self.low)} to {decimal(self.high)})"


_NUMBER = re.compile(r"\s*([+-]?)(\d*)[.,]?(\d*)(?:[eE]([+-]?\d{1,3}))?\s*(%?)\s*")
_HALVES = {"any": (2, 2), "nearest": (1, 1), "floor": (0, 2), "ceil": (2, 0)}


def require(condition: bool, message: str) -> None:
    if not condition:
        raise Rejected(message)


def known_keys(owner: str, document: Any, *known: str) -> Mapping[str, Any]:
    """The document, if it is a mapping without keys that nobody reads."""
    require(isinstance(document, Mapping), f"{owner} is not an object")
    extra = sorted(set(document) - set(known))
    require(not extra, f"{owner} has unknown keys: {', '.join(map(str, extra))}")
    result: Mapping[str, Any] = document
    return result


def integer(value: Any, what: str) -> int:
    require(isinstance(value, int) and not isinstance(value, bool), f"{what} is not an integer")
    return int(value)


def interval(text: Any, rounding: Any, eps: Any) -> tuple[Fraction, Fraction]:
    """The closed interval a reported text stands for."""
    require(isinstance(text, str) and len(text) <= 200, "a reported value is not a text")
    if eps is not None:
        require(rounding is None, "a score has both eps and rounding")
        margin, value = fraction(eps, "eps"), _value(text)[0]
        require(margin >= 0, "eps is negative")
        return value - margin, value + margin
    require(rounding in _HALVES, f"unknown rounding {rounding!r}")
    value, unit = _value(text)
    below, above = _HALVES[rounding]
    return value - below * unit / 2, value + above * unit / 2


def fraction(text: Any, what: str) -> Fraction:
    try:
        return Fraction(str(text))
    except (ValueError, ZeroDivisionError):
        raise Rejected(f"{what} is not a number: {text!r}") from None


def _value(text: str) -> tuple[Fraction, Fraction]:
    plain = text
    for minus in "−–—‐‑﹣－":
        plain = plain.replace(minus, "-")
    plain = re.split(r"±|\+/-|\+-|\\pm", plain)[0] + ("%" if plain.rstrip().endswith("%") else "")
    match = _NUMBER.fullmatch(plain.replace("%%", "%"))
    if match is None or not (match[2] or match[3]):
        if re.fullmatch(r"-?\d+/\d+", plain.strip()):
            return Fraction(plain.strip()), Fraction(0)
        raise Rejected(f"{text!r} is not a number")
    places = len(match[3]) - int(match[4] or 0) + (2 if match[5] else 0)
    unit = Fraction(1, 10**places) if places >= 0 else Fraction(10**-places)
    value = int(match[2] + match[3]) * unit
    return (-value if match[1] == "-" else value), unit


def claims(scores: Any, extra: Mapping[str, Rule]) -> list[Claim]:
    """The reported scores of a statement."""
    require(isinstance(scores, list) and len(scores) > 0, "the statement names no scores")
    read: list[Claim] = []
    for entry in scores:
        one = known_keys("a score", entry, "score", "name", "text", "rounding", "eps")
        name = one.get("score")
        found = (rule(name) or extra.get(name)) if isinstance(name, str) else None
        if found is None:
            raise Rejected(f"the score {name!r} is not one the verifier knows")
        low, high = interval(one.get("text"), one.get("rounding"), one.get("eps"))
        read.append(Claim(str(name), one["text"], low, high, found))
    require(len({claim.name for claim in read}) == len(read), "a score is named twice")
    return read


def summed_counts(tree: Any, depth: int = 0) -> tuple[int, int]:
    """The p and n of the one confusion matrix an experiment sums to."""
    require(depth <= 50, "the experiment is nested too deeply")
    require(isinstance(tree, Mapping), "the experiment is not an object")
    kind = tree.get("type")
    if kind == "testset":
        known_keys("testset", tree, "type", "p", "n")
        return counts(tree)
    if kind == "kfold":
        known_keys("kfold", tree, "type", "p", "n", "k", "repeats", "stratified", "aggregation")
        require(tree.get("aggregation") == "score_of_means", "the folds are not summed to one matrix")
        repeats = integer(tree.get("repeats", 1), "repeats")
        require(repeats >= 1, "repeats is below 1")
        p, n = counts(tree)
        return repeats * p, repeats * n
    require(kind == "score_of_means", f"an experiment of type {kind!r} is not one confusion matrix")
    known_keys("score_of_means", tree, "type", "parts")
    require(isinstance(tree.get("parts"), list) and len(tree["parts"]) > 0, "score_of_means has no parts")
    parts = [summed_counts(part, depth + 1) for part in tree["parts"]]
    return sum(p for p, _ in parts), sum(n for _, n in parts)


def counts(tree: Mapping[str, Any]) -> tuple[int, int]:
    p, n = integer(tree.get("p"), "p"), integer(tree.get("n"), "n")
    require(p >= 0 and n >= 0 and p + n > 0, f"p = {p}, n = {n} is no evaluation set")
    return p, n


def decimal(value: Fraction) -> str:
    """A short decimal for people; exact where it can be."""
    for digits in range(12):
        if (value * 10**digits).denominator == 1:
            return f"{float(value):.{digits}f}"
    return f"{float(value):.10g}"
