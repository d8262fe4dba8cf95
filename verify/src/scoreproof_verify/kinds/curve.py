"""Certificates about areas under curves beside scores of the same classifier (docs/proofs/curve.md has the arguments).

A ranking of p positives and n negatives is a walk from (0, 0) to (n, p), and 2 p n AUC counts half cells under it: a
whole number, an even one without ties. Between what an area lies on walks through an operating point rises with its tp
and tn, so a rectangle of (tp, tn) is excluded at a corner, as for scores. Means of rates bound the mean AUC as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import isqrt
from typing import Any

from scoreproof_verify.documents import Document, Score, counted, given, known_keys, listed, object_of, read_score
from scoreproof_verify.formulas import CURVED, LINEAR, RISES, SAME, Rule, Rules
from scoreproof_verify.frame import Checker, Patience, Words
from scoreproof_verify.kinds import binary, unknown_classes
from scoreproof_verify.replay.rectangles import Grid, replay, replay_points
from scoreproof_verify.statement import MEAN, OF_PARTS, Claim, Node, claims, read_statement, read_tree
from scoreproof_verify.texts import Interval, decimal, quoted, require

KEYS = frozenset({"experiment", "scores", "undefined", "ties", "points", "concave", *OF_PARTS})
_AREAS = ("auc", "ap", "auprc", "best_acc")
_MOST_SCORES = 100
_MOST_POSITIVES = 20_000  # whose precisions are added up
_MOST_POINTS = 20
_FINE = 1 << 80
_OF_CURVES = ("ties", "points", "concave")
_NO_BORDER = "area"
_HALF = Fraction(1, 2)


class Stated:
    """A statement about areas: these, the scores beside them at one threshold, and those at further thresholds."""

    def __init__(self, statement: Document, rules: Rules) -> None:
        require(isinstance(statement.get("ties"), bool), "the statement does not say whether there are ties")
        self.ties, self.undefined = statement["ties"], statement.word("undefined", binary.FILLERS)
        entries = statement.list_of("scores", 1, _MOST_SCORES, "the statement names no scores")
        self.tree = object_of("the experiment", statement.get("experiment"))
        self.of_any_size = self.tree.get("type") == "unknown_classes"
        self.mean = self.tree.get("type") != "testset" and not self.of_any_size
        named = [entry for entry in entries if _is_area(entry)]
        self.areas = [read_score(entry, "an area", lambda _: 1, mean=self.mean) for entry in named]
        self.others = [entry for entry in entries if not _is_area(entry)]
        require(len({area.name for area in self.areas}) == len(self.areas), "an area is named twice")
        self.points: list[tuple[Claim, ...]] = []
        if "points" in statement:
            further = statement.list_of("points", 1, _MOST_POINTS, "there are no further thresholds")
            self.points = [claims(point, rules) for point in further]
        self.concave = "concave" in statement
        if self.concave:
            require(statement["concave"] is True, "concave is said, and not as true")
            require(self.ties and not self.points, "beside concave neither ties nor points are said")
            require(all(area.name == "auc" for area in self.areas), "an area is no AUC")
        self.statement = Document({key: value for key, value in statement.items() if key not in _OF_CURVES})
        self.statement["scores"] = self.others
        self.rules = rules
        self.listed = listed(self.areas)

    def read_scores(self) -> None:
        """Read the scores at the threshold, and refuse a ± where there is no mean."""
        self.read = claims(self.others, self.rules) if self.others else ()
        plain = all(claim.spread is None for point in (self.read, *self.points) for claim in point)
        require(self.mean or plain or self.statement.get("spread") == "ignore", "one matrix has no ±")

    def read_sizes(self) -> None:
        node = read_tree(self.tree)
        require(not node.parts and not node.k, "the experiment is not one test set")
        require(not any(key in self.statement for key in OF_PARTS), "a test set has no parts")
        require(node.p > 0 and node.n > 0, "a class has no cases, so there is no curve")
        self.p, self.n = node.p, node.n

    def half_cells(self, area: Score) -> tuple[int, int]:
        """The least and the greatest number of half cells under a curve that prints like this."""
        grain = 1 if self.ties else 2
        least, most = area.span.within(0, 1).times(Fraction(2 * self.p * self.n, grain)).whole
        return least * grain, most * grain

    def auc_cells(self) -> tuple[int, int]:
        """The same of the AUC; all there are if it is not printed."""
        ends = (self.half_cells(area) for area in self.areas if area.name == "auc")
        return next(ends, (0, 2 * self.p * self.n))

    def only_auc(self) -> Score:
        return given(next((area for area in self.areas if area.name == "auc"), None), "there is no AUC")

    def require_plain_mean(self, node: Node) -> None:
        """``Rejected`` unless it is a mean over sets of which each has both classes, nothing of it added up."""
        if node.k:
            require(node.way == MEAN and node.rule in ("balanced", "scikit-learn"), "the folds may lack a class")
            require(min(node.p, node.n) >= node.k, "a fold may lack a class")
        elif node.parts:
            require(node.way == MEAN, "matrices are added up, or nobody knows")
            for part in node.parts:
                self.require_plain_mean(part)
        else:
            require(node.p > 0 and node.n > 0, "a set lacks a class")
        require(self.statement.get("fold_digits") is None, "parts that were rounded do not keep to the bounds")

    def named(self, proof: Document, name: str, message: str) -> Score:
        proof.keep_to("kind", "score")
        area = proof.chosen("score", (*self.read, *self.areas), "the score", message)
        require(area.name == name and not isinstance(area, Claim), message)
        return area


def check(statement: Document, proof: Document, rules: Rules, patience: Patience) -> Words:
    stated = Stated(statement, rules)
    kind = proof.get("kind")
    if kind in ("scores", "staircases"):
        return _by_scores(stated, proof, patience)
    stated.read_scores()
    if kind == "rates":
        proof.keep_to("kind")
        require(bool(stated.read) or stated.concave, "no rate is claimed")
        return _by_rates(stated)
    stated.read_sizes()
    require(not stated.concave or kind == "rectangles", "of concave curves there is no such proof")
    if kind in ("best", "grain"):
        return (_by_best if kind == "best" else _by_grain)(stated, proof)
    proof.keep_to("kind", "steps")
    if kind == "points":
        return _by_points(stated, proof, patience)
    require(not stated.points, "there are further thresholds, which this proof does not treat")
    require(kind == "rectangles", f"unknown kind of proof {quoted(kind)}")
    return _by_rectangles(stated, proof, patience)


def _by_scores(stated: Stated, proof: Document, patience: Patience) -> Words:
    """A proof about the scores alone, or with what the AUC says of the lowest and highest areas of each set."""
    proof.keep_to("kind", "proof")
    inner, rules = stated.statement, stated.rules
    if proof["kind"] == "staircases":
        require(not stated.concave, "of concave curves there is no such proof")
        rules = {**rules, "lowest area": _LOWEST, "highest area": _HIGHEST}
        inner["scores"] = [*stated.others, *_staircases(stated)]
    own = object_of("the proof about the scores", proof.get("proof"))
    if stated.of_any_size:
        known_keys("the statement", inner, *unknown_classes.KEYS)
        return unknown_classes.check(inner, own, rules, patience)
    return binary.check(inner, own, rules, patience)


def _by_rectangles(stated: Stated, proof: Document, patience: Patience) -> Words:
    p, n = stated.p, stated.n
    bounded = [claim for area in stated.areas for claim in _bounds(stated, area)]
    grid = Grid([*stated.read, *bounded], p, n, binary.FILLERS[stated.undefined])
    excluded = replay(grid, proof.get("steps"), patience)
    ties, curve = "" if stated.ties else " without ties", " with a concave ROC curve" if stated.concave else ""
    return lambda: (
        f"Proved: no ranking{ties}{curve} of {p} positives and {n} negatives has "
        f"{listed([*stated.read, *stated.areas])}, the scores at one of its thresholds. "
        f"{counted(excluded, 'rectangle')} cover{'s' * (excluded == 1)} all operating "
        "points, and each was excluded in exact arithmetic."
    )


def _by_points(stated: Stated, proof: Document, patience: Patience) -> Words:
    points = [*([stated.read] if stated.read else []), *stated.points]
    require(bool(points), "no threshold is claimed")
    require(all(claim.rule.border == LINEAR for point in points for claim in point), "a score may be 0/0 somewhere")
    require(all(area.name == "auc" for area in stated.areas), "an area is no AUC")
    excluded = replay_points(points, stated.p, stated.n, stated.auc_cells(), proof.get("steps"), patience)
    return lambda: (
        f"Proved: no ranking of {stated.p} positives and {stated.n} negatives has {stated.listed} and "
        f"thresholds with {'; '.join(map(listed, points))}. {excluded} products of rectangles cover all of them, each "
        "excluded in exact arithmetic."
    )


def _is_area(entry: Any) -> bool:
    return isinstance(entry, Mapping) and isinstance(entry.get("score"), str) and entry["score"] in _AREAS


def _by_grain(stated: Stated, proof: Document) -> Words:
    area = stated.named(proof, "auc", "the proof names no AUC")
    p, n = stated.p, stated.n
    least, most = stated.half_cells(area)
    require(least > most, f"{least} of {2 * p * n} half cells print like this")
    cells = f"{2 * p * n} half cells" if stated.ties else f"{p * n} cells"
    return lambda: f"Proved: no whole number of the {cells} of {p} positives and {n} negatives gives {area}."


def _by_best(stated: Stated, proof: Document) -> Words:
    """c right answers at the best threshold need (N - c)^2 <= 2 p n - u, 2 M (c - M) <= u and M <= c."""
    best = stated.named(proof, "best_acc", "the proof names no best accuracy")
    p, n = stated.p, stated.n
    total, more = p + n, max(p, n)
    least, most = stated.auc_cells()
    require(least <= most, "the AUC is impossible alone, which this proof does not say")
    low, high = best.span.times(total).within(more, total).whole
    fewest = max(low, total - isqrt(2 * p * n - least))  # more right answers need a larger u
    require(fewest > high or 2 * more * (fewest - more) > most, "a number of right answers fits")
    return lambda: (
        f"Proved: no ranking of {p} positives and {n} negatives has {stated.listed}: with c right "
        f"answers of {total} at the best threshold, ({total} - c)² <= 2pn(1 - AUC) and {more} (c - {more}) <= pn AUC."
    )


#: The areas of the rectangles below the lowest and the highest curve through a point.
_LOWEST = Rule(lambda t, u, p, n: (t * u, p * n), SAME, RISES, CURVED)
_HIGHEST = Rule(lambda t, u, p, n: (p * n - (p - t) * (n - u), p * n), SAME, RISES, CURVED)


def _bounds(stated: Stated, area: Score) -> tuple[Claim, Claim]:
    """What an area demands of the operating point: its lowest curve not above, its highest not below."""
    low, high, p, n, least = area.low, area.high, stated.p, stated.n, Fraction(-1)
    if stated.concave:  # the chords not above, the best line not below
        least, lowest, highest = _HALF, _AVERAGE, _LINE
    elif area.name == "best_acc":  # no threshold has more right answers
        low, high = least, Fraction(area.high * (p + n) // 1, p + n)
        lowest = highest = Rule(lambda t, u, p, n: (t + u, p + n), SAME, RISES, LINEAR)
    elif area.name == "auc":
        low, high = (Fraction(cells, 2 * p * n) for cells in stated.half_cells(area))
        lowest, highest = _LOWEST, _HIGHEST
    else:
        require(area.name != "ap" or p <= _MOST_POSITIVES, "too many positives to add up their precisions")
        lowest = Rule(_least_precisions if area.name == "ap" else _chords, SAME, RISES, _NO_BORDER)
        highest = Rule(lambda t, u, p, n: (t * (p + n - u) + (p - t) * p, p * (p + n - u)), SAME, RISES, _NO_BORDER)
    return (
        Claim(f"lowest {area.name}", area.text, least, high, rule=lowest),
        Claim(f"highest {area.name}", area.text, low, Fraction(2), rule=highest),
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


def _by_rates(stated: Stated) -> Words:
    """The rates bound the AUC; everything else in the statement is read, if only to be refused."""
    auc = stated.only_auc()
    sens, spec = _rate(stated.read, "sens", "fnr"), _rate(stated.read, "spec", "fpr")
    if stated.of_any_size:
        known_keys("the statement", stated.statement, *unknown_classes.KEYS)
        unknown_classes.read_sizes(stated.tree)
        least, most = sens[0] * spec[0], 1 - (1 - sens[1]) * (1 - spec[1])
        what, one_curve = "no rankings of any size", True
    else:
        node = read_statement(stated.statement, stated.rules, bare=True).node
        stated.require_plain_mean(node)
        least, most = sens[0] + spec[0] - 1, sens[1] + spec[1]
        what, one_curve = "no rankings of the sets of this experiment, on average,", not (node.parts or node.k)
    if stated.concave:
        least, most = max(_HALF, (sens[0] + spec[0]) / 2), most_under(sens[1], spec[1]) if one_curve else Fraction(1)
        if sens[1] + spec[1] < 1:  # there is none
            least, most = Fraction(1), Fraction(0)
        what = what.replace("rankings", "rankings with concave ROC curves")
    require(auc.high < least or auc.low > most, "the AUC lies between its bounds")
    beside = f" beside {listed(stated.read)}" if stated.read else ""
    if least > most:
        return lambda: f"Proved: {what} have {auc}{beside}: no point of a concave curve lies below the diagonal."
    low, high = max(least, Fraction(0)), min(most, Fraction(1))
    return lambda: f"Proved: {what} have {auc}{beside}: the AUC lies from {decimal(low)} to {decimal(high)}."


def _staircases(stated: Stated) -> list[dict[str, str]]:
    """The mean AUC of sets that all have both classes, as what it says of the lowest and highest areas of each."""
    auc = stated.only_auc()
    stated.require_plain_mean(read_tree(stated.tree))
    low, high = auc.span.within(0, 1)
    require(high >= 0 and low <= 1, "the AUC lies outside of its range")
    return [
        {"score": "lowest area", "text": str(high / 2), "eps": str(high / 2)},
        {"score": "highest area", "text": str((1 + low) / 2), "eps": str((1 - low) / 2)},
    ]


def _rate(read: Sequence[Claim], name: str, complement: str) -> Interval:
    """The interval of a rate within 0 and 1; an empty one proves nothing here."""
    span = Interval(Fraction(0), Fraction(1))
    for claim in read:
        if claim.name in (name, complement):
            span = span.within(*(claim.span if claim.name == name else claim.span.rest))
    require(span.low <= span.high, f"the claims about {name} contradict each other, which this proof does not say")
    return span


def most_under(sens: Fraction, spec: Fraction) -> Fraction:
    """The greatest area under a concave curve through a point; 0 if there is none."""
    x, y = 1 - spec, sens
    if y < x:
        return Fraction(0)
    lost = x * (1 - y)
    if lost == 0:
        return Fraction(1)
    divided = sorted((x, _HALF, y))[1]
    return 1 - lost / (2 * divided * (1 - divided))


_AVERAGE = Rule(lambda t, u, p, n: (n * t + p * u, 2 * n * p), SAME, RISES, LINEAR)
_LINE = Rule(lambda t, u, p, n: most_under(Fraction(t, p), Fraction(u, n)).as_integer_ratio(), SAME, RISES, _NO_BORDER)
KINDS = {"curve": Checker(KEYS, check, every_key=False)}
