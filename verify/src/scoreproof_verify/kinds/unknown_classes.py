"""Replay a proof about matrices whose class counts are unknown, of any size or of a known total.

With a total the walk is over the integers (total, p): a range of p is excluded by a proof about rates with that
prevalence, a single p by a proof about the grid of its (tp, tn).

``one_test_set``: two rows cannot be on one test set of unknown classes. A share divides all prevalences: one row is
impossible at this prevalence or above, the other at this prevalence or below, so at no prevalence are both possible.
Each half is a proof about unknown class counts, replayed with that half of the prevalences. A row that is impossible at
every prevalence is enough by itself.

Matrices with a single answer, a single class or a single kind of error, where scores may be 0/0.

A proof about rates excludes every matrix on which all claimed scores are defined. Where 0/0 may count as zero, the
others must be excluded as well: built-in scores are 0/0 only where two or three of the four cells are 0. Scores depend
on the ratio x : y of the other two cells, as quotients of forms of degree at most two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

from scoreproof_verify.formulas import Rules
from scoreproof_verify.frame import Checker, Left, Patience, Words, walk
from scoreproof_verify.replay.cones import replay_rates
from scoreproof_verify.replay.rectangles import Grid, replay
from scoreproof_verify.statement import Claim, claims, rule_of
from scoreproof_verify.texts import (
    Document,
    decimal,
    fraction,
    integer,
    interval,
    known_keys,
    list_of,
    quoted,
    require,
    short_text,
)

Span = tuple[Fraction, Fraction]
Counts = tuple[int, int, int, int]  # the fewest and the most cases, and positives
_WHOLE = (Fraction(0), Fraction(1))
_LARGEST = 10**40
_MOST_STEPS = 2_000_000
_FEW = 20_000  # matrices on an edge that are tried one by one
_POINTS = ((1, 1), (1, 2), (2, 1), (1, 0), (0, 1))
KEYS = frozenset({"experiment", "scores", "undefined"})


def check(statement: Document, proof: Document, rules: Rules, patience: Patience) -> Words:
    """What a proof about unknown class counts proves, in words; raises ``Rejected`` if it proves nothing."""
    words = _check(statement, proof, rules, patience)
    return lambda: words


def _check(statement: Document, proof: Document, rules: Rules, patience: Patience) -> str:
    spans, ends, words = read_sizes(statement.get("experiment"))
    read = list(claims(statement.get("scores"), rules))
    excluded = refute_sizes(read, spans, ends, statement.get("undefined"), proof, patience)
    reported = ", ".join(map(str, read))
    if ends is None:
        return (
            f"Proved: no confusion matrix of any size has {reported}{words}. "
            f"{_counted(excluded, 'cone')} of rates, together all there are, excluded in exact arithmetic."
        )
    return (
        f"Proved: no confusion matrix of {size_words(ends)}, with whatever class counts, has {reported}{words}. "
        f"{_counted(excluded, 'part')} of all class counts, each excluded in exact arithmetic."
    )


def read_sizes(document: Any) -> tuple[list[Span], tuple[int, int] | None, str]:
    """What an experiment of unknown classes says of its prevalence and of its cases; the prevalence in words."""
    tree = known_keys("the experiment", document, "type", "total", "prevalence")
    require(tree.get("type") == "unknown_classes", "the experiment is not one of unknown classes")
    spans, words = [], ""
    if tree.get("prevalence") is not None:
        share = known_keys("the prevalence", tree["prevalence"], "text", "rounding", "eps")
        low, high = interval(share.get("text"), share.get("rounding"), share.get("eps"))
        require(low <= 1 and high >= 0, "the prevalence is none")
        spans.append((low, high))
        words = f" and a prevalence of {share['text']} (from {decimal(low)} to {decimal(high)})"
    return spans, read_total(tree.get("total")), words


def read_total(document: Any) -> tuple[int, int] | None:
    """The fewest and the most cases there may be; None if that is not said."""
    if document is None:
        return None
    pair = list_of(document, 2, 2, "the total is not a pair of integers")
    least, most = (integer(end, "the total") for end in pair)
    require(0 < least <= most <= _LARGEST, "the total is no range of positive integers")
    return least, most


def size_words(ends: tuple[int, int]) -> str:
    return f"{ends[0]} cases" if ends[0] == ends[1] else f"{ends[0]} to {ends[1]} cases"


def refute_sizes(
    read: list[Claim],
    spans: list[Span],
    ends: tuple[int, int] | None,
    undefined: Any,
    proof: Any,
    patience: Patience,
) -> int:
    """``Rejected`` unless no matrix with these prevalences and this many cases gives the claims; the parts excluded."""
    proof = known_keys("the proof", proof, "kind", "steps")
    require(undefined in ("exclude", "any"), "with unknown classes a 0/0 is excluded, or counts in any usual way")
    require(all(claim.rule.border != "registered" for claim in read), "without class counts only known scores are read")
    require(all(claim.spread is None for claim in read), "one matrix has no ±")
    if undefined == "any":
        _require_closed(read, spans, ends)
    kind = proof.get("kind")
    if ends is None:
        require(kind == "rates", f"unknown kind of proof {quoted(kind)} without a total")
        return replay_rates(read, spans, proof.get("steps"), patience)
    require(kind == "known total", f"unknown kind of proof {quoted(kind)} about a total")
    return _replay(read, spans, *ends, proof.get("steps"), patience)


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def _replay(claims: list[Claim], spans: list[Span], least: int, most: int, steps: Any, patience: Patience) -> int:
    def take(part: Counts, step: Any, number: int) -> Left[Counts]:
        a, b, c, d = part
        require(isinstance(step, list) and len(step) in (2, 3), f"step {number} is malformed")
        if step[0] == "cut":
            require(len(step) == 3 and step[1] in ("total", "p"), f"step {number} is malformed")
            v, low, high = integer(step[2], "a cut"), *((a, b) if step[1] == "total" else (c, d))
            require(low <= v < high, f"step {number} divides outside its range")
            halves = [(a, v, c, d), (v + 1, b, c, d)] if step[1] == "total" else [(a, b, c, v), (a, b, v + 1, d)]
            return [half for half in halves if half[2] <= half[1]], 0  # no more positives than cases
        require(len(step) == 2, f"step {number} is malformed")
        if step[0] == "rates":
            span = Fraction(c, b), min(Fraction(1), Fraction(d, a))
            replay_rates(claims, spans + ([span] if span != _WHOLE else []), step[1], patience)
        else:
            require(step[0] == "grid" and a == b and c == d, f"step {number} is malformed")
            replay(Grid(claims, c, a - c, None), step[1], patience)
        return [], 1

    ending = "the proof ends before all class counts are covered"
    return walk([(least, most, 0, most)], steps, _MOST_STEPS, ending, take, patience)


def _require_closed(claims: Sequence[Claim], prevalences: Sequence[Span], total: tuple[int, int] | None) -> None:
    """``Rejected`` unless no matrix with two zero cells gives the claims with 0/0 counted as zero.

    Ranges of x : y are compared; of few cases every matrix is tried where these leave something.
    """
    few = total is not None and (total[1] - total[0] + 1) * total[1] <= _FEW
    for free in combinations(range(4), 2):
        error = _verification_error(claims, prevalences, free)
        if error and few and total is not None:
            for size in range(total[0], total[1] + 1):
                for x in range(size + 1):
                    cells = [x if k == free[0] else size - x if k == free[1] else 0 for k in range(4)]
                    require(not _fits(claims, prevalences, cells), "a matrix on which a score is 0/0 is not excluded")
        else:
            require(not error, error)
    for only in range(4):
        cells = [int(k == only) for k in range(4)]
        require(not _fits(claims, prevalences, cells), "a matrix on which a score is 0/0 is not excluded")


def _verification_error(claims: Sequence[Claim], prevalences: Sequence[Span], free: tuple[int, int]) -> str:
    """What ranges of x : y leave of an edge; empty if they close it."""
    if not _closed(claims, prevalences, free):
        return "a matrix on which a score is 0/0 is not excluded"
    recall = {(0, 2): "sens", (1, 3): "spec"}.get(free)
    if recall and any(claim.name == "bacc" for claim in claims):
        # scikit-learn's balanced accuracy of one class is that class's recall
        present = rule_of(recall, {})
        again = [replace(claim, rule=present) if claim.name == "bacc" else claim for claim in claims]
        if not _closed(again, prevalences, free, open_anyway=True):
            return "balanced accuracy of one class is not excluded"
    return ""


def _fits(claims: Sequence[Claim], prevalences: Sequence[Span], cells: Sequence[int]) -> bool:
    """Whether a matrix gives the claims, and one of its scores is 0/0, which counts as zero.

    Balanced accuracy of one class may be that class's recall as well.
    """
    tp, fp, fn, tn = cells
    p, n = tp + fn, fp + tn
    hole = False
    for claim in claims:
        num, den = claim.rule.ratio(tp, tn, p, n)
        a, b, c, d = claim.ends
        if num == den == 0:
            hole = True
            values = [Fraction(0), *([Fraction(tp + tn, p + n)] if claim.name == "bacc" else [])]
            if not any(claim.low <= value <= claim.high for value in values):
                return False
        elif den == 0 or num * b < a * den or num * d > c * den:
            return False
    return hole and all(low <= Fraction(p, p + n) <= high for low, high in prevalences)


def _closed(
    claims: Sequence[Claim], prevalences: Sequence[Span], free: tuple[int, int], *, open_anyway: bool = False
) -> bool:
    """Whether no ratio of two free cells gives all claims, or every score is defined for all of them."""

    def ratio(claim: Claim, x: int, y: int) -> tuple[int, int]:
        tp, fp, fn, tn = (x if k == free[0] else y if k == free[1] else 0 for k in range(4))
        num, den = claim.rule.ratio(tp, tn, tp + fn, fp + tn)
        return num, den

    least, most = Fraction(0), Fraction(1)  # of x / (x + y)
    holes = open_anyway
    for claim in claims:
        values = {point: ratio(claim, *point) for point in _POINTS}
        inner = [values[point] for point in _POINTS[:3]]
        if all(value == (0, 0) for value in inner):
            holes = True
            if not claim.low <= 0 <= claim.high:
                return True
            continue
        low, high = claim.rule.invert(claim.low), claim.rule.invert(claim.high)
        if all(den == 0 for _, den in inner):
            return True  # infinite
        if any(den == 0 for _, den in inner):
            continue
        if len({Fraction(num, den) for num, den in inner}) == 1:
            if not low <= Fraction(*inner[0]) <= high:
                return True
            continue
        forms = _linear(values)
        if forms is None:
            continue  # says something, but nothing that is needed
        # low <= (a x + b y) / (c x + d y) <= high with x = s, y = 1 - s
        a, b, c, d = forms
        for bound, sign in ((low, 1), (high, -1)):
            slope, level = sign * (a - b - bound * (c - d)), sign * (b - bound * d)
            least, most = _half(slope, level, least, most)
    p = [int(free[0] in (0, 2)), int(free[1] in (0, 2))]
    for low, high in prevalences:
        for bound, sign in ((low, 1), (high, -1)):
            least, most = _half(Fraction(sign * (p[0] - p[1])), sign * (p[1] - bound), least, most)
    return not holes or least > most


def _linear(values: dict[tuple[int, int], tuple[int, int]]) -> tuple[int, int, int, int] | None:
    """a, b, c, d with the score (a x + b y) / (c x + d y), a common x or y cancelled; None if it is not so."""
    squares = []
    plain = True
    for part in (0, 1):
        a, b, both = (values[point][part] for point in ((1, 0), (0, 1), (1, 1)))
        at_12, at_21 = values[1, 2][part], values[2, 1][part]
        plain &= at_12 == a + 2 * b and at_21 == 2 * a + b and both == a + b
        cross = both - a - b
        squares.append((a, cross, b) if at_12 == a + 2 * cross + 4 * b and at_21 == 4 * a + 2 * cross + b else None)
    if plain:
        (a, c), (b, d) = values[1, 0], values[0, 1]
        return a, b, c, d
    num, den = squares
    if num is None or den is None:
        return None
    if num[2] == den[2] == 0:
        return num[0], num[1], den[0], den[1]
    if num[0] == den[0] == 0:
        return num[1], num[2], den[1], den[2]
    return None


def _half(slope: Fraction, level: Fraction, least: Fraction, most: Fraction) -> Span:
    """The part of [least, most] where slope * s + level >= 0."""
    if slope > 0:
        return max(least, -level / slope), most
    if slope < 0:
        return least, min(most, -level / slope)
    return (least, most) if level >= 0 else (Fraction(1), Fraction(0))


_HALVES = ("above", "below")


def check_one_test_set(statement: Document, proof: Document, rules: Rules, patience: Patience) -> Words:
    """What a statement about two rows and its proof establish; ``Rejected`` if they do not."""
    total, undefined = read_total(statement.get("total")), statement.get("undefined")
    documents = list_of(statement.get("rows"), 2, 2, "the statement does not have two rows")
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


KINDS = {
    "unknown_classes": Checker(KEYS, check, every_key=False),
    "one_test_set": Checker(frozenset({"rows", "total", "undefined"}), check_one_test_set),
}
