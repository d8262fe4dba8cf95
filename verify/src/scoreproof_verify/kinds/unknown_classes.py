"""Replay a proof about matrices whose class counts are unknown, of any size or of a known total.

With a total the walk is over the integers (total, p): a range of p is excluded by a proof about rates with that
prevalence, a single p by a proof about the grid of its (tp, tn). Two rows are not on one test set if a share divides
all prevalences: one is impossible above it, the other below.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

from scoreproof_verify.documents import Document, counted, integer, known_keys, list_of, listed
from scoreproof_verify.formulas import LINEAR, RISES, SAME, Rule, Rules
from scoreproof_verify.frame import Checker, Left, Patience, Words, walk
from scoreproof_verify.replay.cones import replay_rates
from scoreproof_verify.replay.rectangles import Grid, replay
from scoreproof_verify.statement import Claim, claims, rule_of
from scoreproof_verify.texts import decimal, interval, quoted, require

Span = tuple[Fraction, Fraction]
Counts = tuple[int, int, int, int]  # the fewest and the most cases, and positives
_WHOLE = (Fraction(0), Fraction(1))
_LARGEST = 10**40
_MOST_STEPS = 2_000_000
_FEW = 20_000  # matrices on an edge that are tried one by one
_SIXTHS = (0, 2, 3, 4, 6)  # of two cells, which the first has
_WHOLE_EDGE, _NOTHING = (Fraction(0), Fraction(6)), (Fraction(1), Fraction(0))
_PREVALENCE = Rule(lambda t, u, p, n: (p, p + n), SAME, RISES, LINEAR)
KEYS = frozenset({"experiment", "scores", "undefined"})


def check(statement: Document, proof: Document, rules: Rules, patience: Patience) -> Words:
    spans, ends, prevalence = read_sizes(statement.get("experiment"))
    read = claims(statement.get("scores"), rules)
    excluded = refute_sizes(read, spans, ends, statement.get("undefined"), proof, patience)
    if ends is None:
        size, what = "any size", f"{counted(excluded, 'cone')} of rates, together all there are,"
    else:
        size = f"{size_words(ends)}, with whatever class counts,"
        what = f"{counted(excluded, 'part')} of all class counts, each"
    return lambda: (
        f"Proved: no confusion matrix of {size} has {listed(read)}{prevalence}. {what} excluded in exact arithmetic."
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
    read: Sequence[Claim],
    spans: list[Span],
    ends: tuple[int, int] | None,
    undefined: Any,
    given: Any,
    patience: Patience,
) -> int:
    """``Rejected`` unless no matrix with these prevalences and this many cases gives the claims; the parts excluded."""
    proof = known_keys("the proof", given, "kind", "steps")
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


def _replay(claims: Sequence[Claim], spans: list[Span], least: int, most: int, steps: Any, patience: Patience) -> int:
    def take(part: Counts, step: Any, number: int) -> Left[Counts]:
        a, b, c, d = part
        require(isinstance(step, list) and len(step) in (2, 3), f"step {number} is malformed")
        if step[0] == "cut":
            require(len(step) == 3 and step[1] in ("total", "p"), f"step {number} is malformed")
            v, of_total = integer(step[2], "a cut"), step[1] == "total"
            require((a <= v < b) if of_total else (c <= v < d), f"step {number} divides outside its range")
            halves = [(a, v, c, d), (v + 1, b, c, d)] if of_total else [(a, b, c, v), (a, b, v + 1, d)]
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


def _require_closed(read: Sequence[Claim], spans: Sequence[Span], total: tuple[int, int] | None) -> None:
    """``Rejected`` unless no matrix with two zero cells gives the claims with 0/0 counted as zero.

    Ranges of x : y are compared; of few cases every matrix is tried where these leave something.
    """
    claims = [*read, *(Claim("prevalence", "", low, high, rule=_PREVALENCE) for low, high in spans)]
    otherwise = "a matrix on which a score is 0/0 is not excluded"
    few = total is not None and (total[1] - total[0] + 1) * total[1] <= _FEW
    for free in combinations(range(4), 2):
        error = "" if _closed(claims, free) else otherwise
        recall = {(0, 2): "sens", (1, 3): "spec"}.get(free)
        if not error and recall and any(claim.name == "bacc" for claim in claims):
            # scikit-learn's balanced accuracy of one class is that class's recall
            rule = rule_of(recall, {})
            again = [replace(claim, rule=rule) if claim.name == "bacc" else claim for claim in claims]
            error = "" if _closed(again, free, open_anyway=True) else "balanced accuracy of one class is not excluded"
        if error and few and total is not None:
            for size in range(total[0], total[1] + 1):
                for x in range(size + 1):
                    require(not _fits(claims, _cells(free, x, size - x)), otherwise)
        else:
            require(not error, error)
    for only in range(4):
        require(not _fits(claims, [int(k == only) for k in range(4)]), otherwise)


def _cells(free: tuple[int, int], x: Any, y: Any) -> list[Any]:
    return [x if k == free[0] else y if k == free[1] else 0 for k in range(4)]


def _fits(claims: Sequence[Claim], cells: Sequence[int]) -> bool:
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
    return hole


def _closed(claims: Sequence[Claim], free: tuple[int, int], *, open_anyway: bool = False) -> bool:
    """Whether no ratio of two free cells gives all claims, or every score is defined for all of them."""
    least, most = _WHOLE_EDGE
    holes = open_anyway
    for claim in claims:
        (low, high), hole = _on_edge(claim, free)
        if low > high:
            return True
        least, most, holes = max(least, low), min(most, high), holes or hole
    return not holes or least > most


def _on_edge(claim: Claim, free: tuple[int, int]) -> tuple[Span, bool]:
    """What a claim leaves of x with x + y = 6, and whether its score is 0/0 all along."""
    values = []
    for x in _SIXTHS:
        tp, fp, fn, tn = _cells(free, x, 6 - x)
        values.append(claim.rule.ratio(tp, tn, tp + fn, fp + tn))
    inner = values[1:-1]
    if all(value == (0, 0) for value in inner):
        return (_WHOLE_EDGE if claim.low <= 0 <= claim.high else _NOTHING), True
    below = [den for _, den in inner]
    if not all(below):
        return (_WHOLE_EDGE if any(below) else _NOTHING), False  # in places, or infinite throughout
    low, high = claim.rule.invert(claim.low), claim.rule.invert(claim.high)
    if len({Fraction(num, den) for num, den in inner}) == 1:
        return (_WHOLE_EDGE if low <= Fraction(*inner[0]) <= high else _NOTHING), False
    top, bottom = (_linear([value[part] for value in values], values) for part in (0, 1))
    least, most = _WHOLE_EDGE
    if top is not None and bottom is not None:  # else it says something, but nothing that is needed
        for bound, sign in ((low, 1), (high, -1)):
            slope, level = (sign * (a - bound * b) for a, b in zip(top, bottom, strict=True))
            if slope > 0:
                least = max(least, Fraction(-level) / slope)
            elif slope < 0:
                most = min(most, Fraction(-level) / slope)
            elif level < 0:
                return _NOTHING, False
    return (least, most), False


def _linear(parts: list[int], values: list[tuple[int, int]]) -> tuple[Fraction, Fraction] | None:
    """Slope and level of numerators or denominators in x, a common x or y of both cancelled; None if not linear."""
    zero, full = values[0] == (0, 0), values[-1] == (0, 0)
    known = {
        x: Fraction(value, (x if zero else 1) * (6 - x if full else 1))
        for x, value in zip(_SIXTHS, parts, strict=True)
        if 0 < x < 6 or not (zero if x == 0 else full)
    }
    slope = (known[4] - known[2]) / 2
    level = known[2] - 2 * slope
    return (slope, level) if all(value == slope * x + level for x, value in known.items()) else None


def check_one_test_set(statement: Document, proof: Document, rules: Rules, patience: Patience) -> Words:
    total, undefined = read_total(statement.get("total")), statement.get("undefined")
    documents = statement.list_of("rows", 2, 2, "the statement does not have two rows")
    names: list[str] = []
    scores: list[tuple[Claim, ...]] = []
    kind = proof.get("kind")
    otherwise = "the proof names a row that there is not"
    alone = proof.chosen("row", (0, 1), "the row", otherwise) if kind == "row" else None
    for index, document in enumerate(documents):
        told = known_keys("a row", document, "name", "scores")
        names.append(told.text("name", "the name of a row"))
        bare = told.get("scores") == [] and alone == 1 - index  # nothing is proved of a row without scores
        scores.append(() if bare else claims(told.get("scores"), rules))
        require(all(claim.spread is None for claim in scores[-1]), "one matrix has no ±")
    size = "" if total is None else f" of {size_words(total)}"
    if alone is not None:
        proof.keep_to("kind", "row", "proof")
        refute_sizes(scores[alone], [], total, undefined, proof.get("proof"), patience)
        return lambda: (
            f"Proved: {names[0]} and {names[1]} are not on one test set{size}: no class counts give {names[alone]} its "
            f"{listed(scores[alone])}."
        )
    require(kind == "apart", f"unknown kind of proof {quoted(kind)}")
    proof.keep_to("kind", "lower", "share", "above", "below")
    lower = proof.chosen("lower", (0, 1), "the lower row", otherwise)
    share = proof.fraction("share", "the share")
    require(0 <= share <= 1, "the share is no prevalence")
    for key, row, span in (("above", lower, (share, Fraction(1))), ("below", 1 - lower, (Fraction(0), share))):
        refute_sizes(scores[row], [span], total, undefined, proof.get(key), patience)
    return lambda: (
        f"Proved: {names[0]} and {names[1]} are not on one test set{size}: with {listed(scores[lower])} the "
        f"prevalence of {names[lower]} is below {decimal(share)}, with {listed(scores[1 - lower])} that of "
        f"{names[1 - lower]} is above."
    )


KINDS = {
    "unknown_classes": Checker(KEYS, check, every_key=False),
    "one_test_set": Checker(frozenset({"rows", "total", "undefined"}), check_one_test_set),
}
