"""Certificates about areas under curves beside scores of the same classifier.

A ranking of p positives and n negatives is a walk from (0, 0) to (n, p), and 2 p n AUC counts half cells under it: a
whole number, an even one if no two cases are tied. A walk through the operating point (fp, tp) runs above the
rectangle right of it and below it, tn wide and tp high, and below the one left of it and above it, fp wide and fn
high:

    tp tn <= p n AUC <= p n - fp fn

Both ends rise with tp and tn, so a rectangle of (tp, tn) is excluded at a corner, as for scores. The average precision
is the mean over the positives of the precision at their rank. Up to the operating point the i-th positive has at most
fp negatives before it, after it at most n: the least precision is i / (fp + i), then i / (n + i); the greatest is 1,
then p / (p + fp). An area under the precision-recall curve by trapezoids or interpolated is at least that of the
chords of these concave functions of i. Dividing by p n, sens spec <= AUC <= 1 - (1 - sens)(1 - spec) whatever the
sizes; and since x y >= x + y - 1 and x + y - x y <= x + y on the unit square, means over folds have sens + spec - 1 <=
AUC <= sens + spec. With the class counts of every fold the mean AUC lies between the means of tp tn / (p n) and of
1 - fp fn / (p n): two more scores of the folds' matrices, which rise with tp and tn. What is known of curves that the
statement says are concave, and only of these, is in ``concave``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import isqrt
from typing import Any

from scoreproof_verify.experiment import MEAN, Node, integer, read_tree
from scoreproof_verify.formulas import CURVED, LINEAR, RISES, SAME, Rule, Rules
from scoreproof_verify.frame import Checker, Patience, Words
from scoreproof_verify.kinds import binary, unknown_classes
from scoreproof_verify.replay.curve_points import area_between, concave_bounds, replay_points
from scoreproof_verify.replay.rectangles import Grid, replay
from scoreproof_verify.statement import OF_PARTS, Claim, claims, read_statement
from scoreproof_verify.texts import Document, Rejected, Score, decimal, known_keys, quoted, read_score, require

KEYS = frozenset({"experiment", "scores", "undefined", "ties", "points", "concave", *OF_PARTS})
_AREAS = ("auc", "ap", "auprc", "best_acc")
_MOST_SCORES = 100
_MOST_POSITIVES = 20_000  # whose precisions are added up
_MOST_POINTS = 20
_FINE = 1 << 80
_OF_CURVES = ("ties", "points", "concave")
_FILLERS = {"any": 0, "zero": 0, "one": 1, "exclude": None, "skip": None}
_NO_BORDER = "area"


def check(statement: Document, proof: Document, rules: Rules, patience: Patience) -> Words:
    """What a statement about areas and its proof establish; ``Rejected`` if they do not."""
    require(isinstance(statement.get("ties"), bool), "the statement does not say whether there are ties")
    undefined = statement.get("undefined")
    require(isinstance(undefined, str) and undefined in _FILLERS, f"unknown undefined {quoted(undefined)}")
    entries: Any = statement.get("scores")
    require(isinstance(entries, list) and 0 < len(entries) <= _MOST_SCORES, "the statement names no scores")
    tree: Any = statement.get("experiment")
    require(isinstance(tree, Mapping), "the experiment is not an object")
    mean = tree.get("type") not in ("testset", "unknown_classes")
    areas = [read_score(entry, "an area", lambda _: 1, mean=mean) for entry in entries if _is_area(entry)]
    others = [entry for entry in entries if not _is_area(entry)]
    require(len({area.name for area in areas}) == len(areas), "an area is named twice")
    points = _points(statement, rules)
    concave = _said_concave(statement, areas)
    kind = proof.get("kind")
    inner = {key: value for key, value in statement.items() if key not in _OF_CURVES} | {"scores": others}
    if kind in ("scores", "staircases"):
        known_keys("the proof", proof, "kind", "proof")
        if kind == "staircases":
            require(not concave, "of concave curves there is no such proof")
            rules = {**rules, **_STAIRCASES}
            inner["scores"] = [*others, *_staircases(statement, areas)]
        require(isinstance(proof.get("proof"), Mapping), "the proof about the scores is not an object")
        if tree.get("type") == "unknown_classes":
            known_keys("the statement", inner, *unknown_classes.KEYS)
            return unknown_classes.check(inner, proof["proof"], rules, patience)
        return binary.check(inner, proof["proof"], rules, patience)
    read = list(claims(others, rules)) if others else []
    plain = all(claim.spread is None for point in (read, *points) for claim in point)
    require(mean or plain or statement.get("spread") == "ignore", "one matrix has no ±")
    if kind == "rates":
        known_keys("the proof", proof, "kind")
        require(bool(read) or concave, "no rate is claimed")
        return _by_rates(inner, areas, read, rules, concave)
    node = read_tree(tree)
    require(not node.parts and not node.k, "the experiment is not one test set")
    require(not any(key in statement for key in OF_PARTS), "a test set has no parts")
    require(node.p > 0 and node.n > 0, "a class has no cases, so there is no curve")
    require(not concave or kind == "rectangles", "of concave curves there is no such proof")
    if kind == "best":
        return _by_best(areas, len(read), node, statement["ties"], proof)
    if kind == "grain":
        return _by_grain(areas, len(read), node, statement["ties"], proof)
    known_keys("the proof", proof, "kind", "steps")
    if kind == "points":
        return _by_points([*([read] if read else []), *points], areas, node, statement["ties"], proof, patience)
    require("points" not in statement, "there are further thresholds, which this proof does not treat")
    require(kind == "rectangles", f"unknown kind of proof {quoted(kind)}")
    bounded = [
        bound
        for area in areas
        for bound in (concave_bounds(area) if concave else _bounds(area, node.p, node.n, statement["ties"]))
    ]
    excluded = replay(Grid([*read, *bounded], node.p, node.n, _FILLERS[str(undefined)]), proof.get("steps"), patience)
    listed = ", ".join(map(str, [*read, *areas]))
    ties = "" if statement["ties"] else " without ties"
    curve = " with a concave ROC curve" if concave else ""
    return lambda: (
        f"Proved: no ranking{ties}{curve} of {node.p} positives and {node.n} negatives has {listed}, the scores at one "
        f"of its thresholds. {excluded} rectangle{'s' * (excluded != 1)} cover{'s' * (excluded == 1)} all operating "
        "points, and each was excluded in exact arithmetic."
    )


def _by_points(
    points: Sequence[Sequence[Claim]],
    areas: Sequence[Score],
    node: Node,
    ties: bool,
    proof: Document,
    patience: Patience,
) -> Words:
    require(bool(points), "no threshold is claimed")
    require(all(claim.rule.border == LINEAR for point in points for claim in point), "a score may be 0/0 somewhere")
    require(all(area.name == "auc" for area in areas), "an area is no AUC")
    ends = [_half_cells(area, node.p, node.n, ties) for area in areas] or [(0, 2 * node.p * node.n)]
    excluded = replay_points(points, node.p, node.n, ends[0], proof.get("steps"), patience)
    listed = "; ".join(", ".join(map(str, point)) for point in points)
    return lambda: (
        f"Proved: no ranking of {node.p} positives and {node.n} negatives has {', '.join(map(str, areas))} and "
        f"thresholds with {listed}. {excluded} products of rectangles cover all of them, each excluded in exact "
        "arithmetic."
    )


def _points(statement: Document, rules: Rules) -> list[list[Claim]]:
    """The scores at further thresholds."""
    if "points" not in statement:
        return []
    given = statement["points"]
    if not isinstance(given, list) or not 0 < len(given) <= _MOST_POINTS:
        raise Rejected("there are no further thresholds")
    return [list(claims(point, rules)) for point in given]


def _is_area(entry: Any) -> bool:
    return isinstance(entry, Mapping) and isinstance(entry.get("score"), str) and entry["score"] in _AREAS


def _half_cells(area: Score, p: int, n: int, ties: bool) -> tuple[int, int]:
    """The least and the greatest number of half cells under a curve that prints like this."""
    step = Fraction(1 if ties else 2, 2 * p * n)
    least, most = -(-max(area.low, Fraction(0)) // step), min(area.high, Fraction(1)) // step
    return int(least) * (1 if ties else 2), int(most) * (1 if ties else 2)


def _by_grain(areas: Sequence[Score], first: int, node: Node, ties: bool, proof: Document) -> Words:
    known_keys("the proof", proof, "kind", "score")
    index = integer(proof.get("score"), "the score") - first
    require(0 <= index < len(areas) and areas[index].name == "auc", "the proof names no AUC")
    least, most = _half_cells(areas[index], node.p, node.n, ties)
    require(least > most, f"{least} of {2 * node.p * node.n} half cells print like this")
    cells = "half cells" if ties else "cells"
    return lambda: (
        f"Proved: no whole number of the {node.p * node.n * (2 if ties else 1)} {cells} of {node.p} positives and "
        f"{node.n} negatives gives {areas[index]}."
    )


def _by_best(areas: Sequence[Score], first: int, node: Node, ties: bool, proof: Document) -> Words:
    """No number of right answers at the best threshold fits its accuracy and the AUC.

    Tried from both sides: c right answers need (N - c)^2 <= 2 p n - u, 2 M (c - M) <= u and M <= c, M the larger class.
    """
    known_keys("the proof", proof, "kind", "score")
    index = integer(proof.get("score"), "the score") - first
    require(0 <= index < len(areas) and areas[index].name == "best_acc", "the proof names no best accuracy")
    p, n, total, more = node.p, node.n, node.p + node.n, max(node.p, node.n)
    ends = [_half_cells(area, p, n, ties) for area in areas if area.name == "auc"] or [(0, 2 * p * n)]
    (least, most), best = ends[0], areas[index]
    require(least <= most, "the AUC is impossible alone, which this proof does not say")
    low, high = max(more, -(-best.low * total // 1)), min(total, best.high * total // 1)
    # more right answers need a larger u, fewer a smaller one: the ends of the printed range decide
    possible = low <= high and 2 * more * (low - more) <= most and (total - high) ** 2 <= 2 * p * n - least
    if possible:
        fewest = max(low, total - isqrt(2 * p * n - least))
        possible = 2 * more * (fewest - more) <= most and fewest <= high
    require(not possible, "a number of right answers fits")
    return lambda: (
        f"Proved: no ranking of {p} positives and {n} negatives has {', '.join(map(str, areas))}: with c right "
        f"answers of {total} at the best threshold, ({total} - c)² <= 2pn(1 - AUC) and {more} (c - {more}) <= pn AUC."
    )


def _bounds(area: Score, p: int, n: int, ties: bool) -> tuple[Claim, Claim]:
    """What an area demands of the operating point: its lowest curve not above, its highest not below."""
    low, high = area.low, area.high
    if area.name == "best_acc":  # no threshold has more right answers
        rule = Rule(lambda t, u, p, n: (t + u, p + n), SAME, RISES, LINEAR)
        return (
            Claim("accuracy", area.text, Fraction(-1), Fraction(area.high * (p + n) // 1, p + n), rule),
            Claim("accuracy", area.text, Fraction(-1), Fraction(2), rule),
        )
    if area.name == "auc":
        low, high = (Fraction(cells, 2 * p * n) for cells in _half_cells(area, p, n, ties))
        lowest = Rule(lambda t, u, p, n: (t * u, p * n), SAME, RISES, CURVED)
        highest = Rule(lambda t, u, p, n: (p * n - (p - t) * (n - u), p * n), SAME, RISES, CURVED)
    else:
        if area.name == "ap":
            require(p <= _MOST_POSITIVES, "too many positives to add up their precisions")
        lowest = Rule(_least_precisions if area.name == "ap" else _chords, SAME, RISES, _NO_BORDER)
        highest = Rule(lambda t, u, p, n: (t * (p + n - u) + (p - t) * p, p * (p + n - u)), SAME, RISES, _NO_BORDER)
    return (
        Claim(f"lowest {area.name}", area.text, Fraction(-1), high, lowest),
        Claim(f"highest {area.name}", area.text, low, Fraction(2), highest),
    )


def _least_precisions(tp: int, tn: int, p: int, n: int) -> tuple[int, int]:
    """The precisions of all positives at their least, each rounded down."""
    fp = n - tn
    total = sum(i * _FINE // (fp + i) for i in range(1, tp + 1))
    total += sum(i * _FINE // (n + i) for i in range(tp + 1, p + 1))
    return total, p * _FINE


def _chords(tp: int, tn: int, p: int, n: int) -> tuple[int, int]:
    """Trapezoids under the least precisions: from 0 to tp, then from tp to p."""
    rises = Fraction(tp * tp, n - tn + tp) if tp else Fraction(0)
    goes_on = (p - tp) * (Fraction(tp, n + tp) + Fraction(p, n + p))
    return ((rises + goes_on) / (2 * p)).as_integer_ratio()


def _said_concave(statement: Document, areas: Sequence[Score]) -> bool:
    """Whether the curves are said to be concave; then there is nothing but the AUC, and no word on ties."""
    if "concave" not in statement:
        return False
    require(statement["concave"] is True, "concave is said, and not as true")
    require(statement["ties"] and "points" not in statement, "beside concave neither ties nor points are said")
    require(all(area.name == "auc" for area in areas), "an area is no AUC")
    return True


def _by_rates(
    statement: Document,
    areas: Sequence[Score],
    read: Sequence[Claim],
    rules: Rules,
    concave: bool,
) -> Words:
    """The rates bound the AUC; everything else in the statement is read, if only to be refused."""
    auc = [area for area in areas if area.name == "auc"]
    require(len(auc) == 1, "there is no AUC")
    sens, spec = _rate(read, "sens", "fnr"), _rate(read, "spec", "fpr")
    of_any_size = statement["experiment"].get("type") == "unknown_classes"
    if of_any_size:
        known_keys("the statement", statement, *unknown_classes.KEYS)
        unknown_classes.read_sizes(statement["experiment"])
        least, most = sens[0] * spec[0], 1 - (1 - sens[1]) * (1 - spec[1])
        what = "no rankings of any size"
    else:
        node = read_statement(statement, rules, bare=True).node
        _require_plain_mean(node)
        require(statement.get("fold_digits") is None, "parts that were rounded do not keep to the bounds")
        least, most = sens[0] + spec[0] - 1, sens[1] + spec[1]
        what = "no rankings of the sets of this experiment, on average,"
    if concave:
        one_curve = of_any_size or not (node.parts or node.k)
        least, most = area_between(sens, spec, one_curve=one_curve)
        what = what.replace("rankings", "rankings with concave ROC curves")
    require(auc[0].high < least or auc[0].low > most, "the AUC lies between its bounds")
    beside = f" beside {', '.join(map(str, read))}" if read else ""
    if least > most:
        return lambda: f"Proved: {what} have {auc[0]}{beside}: no point of a concave curve lies below the diagonal."
    return lambda: (
        f"Proved: {what} have {auc[0]}{beside}: the AUC lies from "
        f"{decimal(max(least, Fraction(0)))} to {decimal(min(most, Fraction(1)))}."
    )


_STAIRCASES = {
    "lowest area": Rule(lambda t, u, p, n: (t * u, p * n), SAME, RISES, CURVED),
    "highest area": Rule(lambda t, u, p, n: (p * n - (p - t) * (n - u), p * n), SAME, RISES, CURVED),
}


def _staircases(statement: Document, areas: Sequence[Score]) -> list[dict[str, str]]:
    """The mean AUC of sets that all have both classes, as what it says of the lowest and highest areas of each.

    The mean of the lowest is at most the upper end of the AUC, the mean of the highest at least its lower end.
    """
    auc = [area for area in areas if area.name == "auc"]
    require(len(auc) == 1, "there is no AUC")
    _require_plain_mean(read_tree(statement["experiment"]))
    require(statement.get("fold_digits") is None, "parts that were rounded do not keep to the bounds")
    high, low = min(auc[0].high, Fraction(1)), max(auc[0].low, Fraction(0))
    require(high >= 0 and low <= 1, "the AUC lies outside of its range")
    return [
        {"score": "lowest area", "text": str(high / 2), "eps": str(high / 2)},
        {"score": "highest area", "text": str((1 + low) / 2), "eps": str((1 - low) / 2)},
    ]


def _rate(read: Sequence[Claim], name: str, complement: str) -> tuple[Fraction, Fraction]:
    """The interval of a rate within 0 and 1; an empty one proves nothing here."""
    low, high = Fraction(0), Fraction(1)
    for claim in read:
        if claim.name == name:
            low, high = max(low, claim.low), min(high, claim.high)
        elif claim.name == complement:
            low, high = max(low, 1 - claim.high), min(high, 1 - claim.low)
    require(low <= high, f"the claims about {name} contradict each other, which this proof does not say")
    return low, high


def _require_plain_mean(node: Node) -> None:
    """``Rejected`` unless it is a mean over sets of which each has both classes, nothing of it added up."""
    if node.k:
        require(node.way == MEAN and node.rule in ("balanced", "scikit-learn"), "the folds may lack a class")
        require(min(node.p, node.n) >= node.k, "a fold may lack a class")
    elif node.parts:
        require(node.way == MEAN, "matrices are added up, or nobody knows")
        for part in node.parts:
            _require_plain_mean(part)
    else:
        require(node.p > 0 and node.n > 0, "a set lacks a class")


KINDS = {"curve": Checker(KEYS, check, every_key=False)}
