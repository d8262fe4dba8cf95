"""Certificates about scores and counts of one confusion matrix against printed counts.

Each class has a size: at least the cells of it that are printed, exactly that if both are, and what p, n or total leave
for it. Counts contradict each other if a class can have no size. A class of known size with one cell printed has both;
with both classes that is the only matrix, and every score is compared with it. What is left open is refuted on the grid
of (tp, tn), the printed cells as exact rates.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from scoreproof_verify.experiment import integer
from scoreproof_verify.formulas import Rules
from scoreproof_verify.frame import Checker, Patience, Words
from scoreproof_verify.kinds.binary import refute_matrix
from scoreproof_verify.statement import Claim, claims, rule_of
from scoreproof_verify.texts import Document, Rejected, known_keys, quoted, require

KEYS = frozenset({"counts", "scores", "undefined"})
_NAMES = ("tp", "fp", "fn", "tn", "p", "n", "total")
_LARGEST = 10**40
_MOST_COUNTS = 100
_FILLERS = {"any": 0, "zero": 0, "one": 1, "exclude": None, "skip": None}
_OF_CLASS = (("sens", "fnr"), ("spec", "fpr"))


@dataclass(frozen=True, slots=True)
class Class:
    """One class: the right and the wrong answers on it, as far as they are printed, and the sizes it may have."""

    right: int | None
    wrong: int | None
    least: int
    most: int | None

    @property
    def size(self) -> int | None:
        return self.least if self.least == self.most else None

    @property
    def hits(self) -> int | None:
        """The right answers, if they are known."""
        if self.right is not None or self.wrong is None or self.size is None:
            return self.right
        return self.size - self.wrong


def check(statement: Document, proof: Document, rules: Rules, patience: Patience) -> Words:
    """What a statement about printed counts and its proof establish; ``Rejected`` if they do not."""
    undefined = statement.get("undefined")
    require(isinstance(undefined, str) and undefined in _FILLERS, f"unknown undefined {quoted(undefined)}")
    printed, doubled = _counts(statement.get("counts"))
    scores = statement.get("scores")
    read = () if scores == [] else claims(scores, rules)
    require(all(claim.spread is None for claim in read), "one matrix has no ±")
    said = ", ".join(f"{name} {value}" for name, value in statement["counts"])
    if proof.get("kind") == "counts":
        known_keys("the proof", proof, "kind")
        require(doubled or _classes(printed) is None, "the counts do not contradict each other")
        return lambda: f"Proved: no confusion matrix has {said}: these counts contradict each other."
    require(not doubled, "a count has two values")
    classes = _classes(printed)
    if classes is None:
        raise Rejected("the counts contradict each other, which this proof does not say")
    if proof.get("kind") == "matrix":
        return _against_matrix(classes, read, str(undefined), proof, said)
    return _on_grid(classes, read, str(undefined), proof, said, patience)


def _counts(document: Any) -> tuple[dict[str, int], bool]:
    """The counts by name, and whether one of them has two values."""
    require(isinstance(document, list) and 0 < len(document) <= _MOST_COUNTS, "the statement has no counts")
    printed: dict[str, int] = {}
    doubled = False
    for pair in document:
        require(isinstance(pair, list) and len(pair) == 2, "a count is not a name and a number")
        name, value = pair
        require(isinstance(name, str) and name in _NAMES, f"unknown count {quoted(name)}")
        require(0 <= integer(value, "a count") <= _LARGEST, "a count is out of range")
        if printed.setdefault(name, value) != value:
            doubled = True
    return printed, doubled


def _classes(printed: Mapping[str, int]) -> tuple[Class, Class] | None:
    """Both classes with the sizes they may have; None if there is none for one of them."""
    found: list[Class] = []
    for right, wrong, size in (("tp", "fn", "p"), ("tn", "fp", "n")):
        cells = printed.get(right), printed.get(wrong)
        least = sum(cell for cell in cells if cell is not None)
        most = None if None in cells else least
        if size in printed:
            if printed[size] < least or (most is not None and printed[size] > most):
                return None
            least = most = printed[size]
        found.append(Class(*cells, least, most))
    total = printed.get("total")
    if total is None:
        return found[0], found[1]
    narrowed = []
    for own, other in ((found[0], found[1]), (found[1], found[0])):
        least = own.least if other.most is None else max(own.least, total - other.most)
        most = total - other.least if own.most is None else min(own.most, total - other.least)
        if least > most:
            return None
        narrowed.append(replace(own, least=least, most=most))
    return narrowed[0], narrowed[1]


def _against_matrix(
    classes: tuple[Class, Class], read: tuple[Claim, ...], undefined: str, proof: Document, said: str
) -> Words:
    known_keys("the proof", proof, "kind", "score")
    (p, tp), (n, tn) = ((own.size, own.hits) for own in classes)
    if p is None or n is None or tp is None or tn is None:
        raise Rejected("the counts leave the matrix open")
    index = integer(proof.get("score"), "the score")
    require(0 <= index < len(read), "the proof names a score that is not reported")
    claim = read[index]
    filler = _FILLERS[undefined]
    require(not _inside(claim, p, n, tp, tn, filler), f"the matrix gives {claim.name} as it is printed")
    if undefined == "any" and claim.name == "bacc" and 0 in (p, n):
        recall = replace(claim, rule=rule_of("sens" if p else "spec", {}))
        require(not _inside(recall, p, n, tp, tn, filler), "the recall of the only class is as it is printed")
    return lambda: (
        f"Proved: the only confusion matrix with {said} (tp {tp}, fp {n - tn}, fn {p - tp}, tn {tn}) does not have "
        f"{claim}."
    )


def _inside(claim: Claim, p: int, n: int, tp: int, tn: int, filler: int | None) -> bool:
    num, den = claim.rule.ratio(tp, tn, p, n)
    if den == 0:
        return num == 0 and filler is not None and claim.low <= filler <= claim.high
    return bool(claim.rule.invert(claim.low) * den <= num <= claim.rule.invert(claim.high) * den)


def _on_grid(
    classes: tuple[Class, Class],
    read: tuple[Claim, ...],
    undefined: str,
    proof: Document,
    said: str,
    patience: Patience,
) -> Words:
    sizes = [own.size for own in classes]
    require(sizes != [None, None], "the counts leave both classes open")
    chosen = list(read)
    for size, others in zip(sizes, reversed(_OF_CLASS), strict=True):
        if size is None:  # then only what depends on the other class can be said
            chosen = [claim for claim in read if claim.name in others]
    p, n = (size or 0 for size in sizes)
    require(p + n > 0 and len(chosen) > 0, "the counts say nothing of the scores")
    pinned = []
    for own, (rate, _) in zip(classes, _OF_CLASS, strict=True):
        if own.size and own.hits is not None:
            share = Fraction(own.hits, own.size)
            pinned.append(Claim(rate, f"{own.hits} of {own.size}", share, share, rule_of(rate, {})))
    excluded = refute_matrix([*chosen, *pinned], p, n, undefined, proof, patience)
    names = ", ".join(map(str, chosen))
    return lambda: (
        f"Proved: no confusion matrix with {said} has {names}. {excluded} rectangle{'s' * (excluded != 1)} "
        "cover all of its possible cells, and each was excluded in exact arithmetic."
    )


KINDS = {"printed_matrix": Checker(KEYS, check)}
