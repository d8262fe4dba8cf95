"""Certificates about binary confusion matrices: one matrix, or means over several.

A statement that leaves something open (the way of averaging, what a ± is over) is refuted case by case; which cases
there are is derived here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from importlib import import_module
from typing import Any

from scoreproof_verify.documents import Document, counted, given, integer, list_of, listed, object_of
from scoreproof_verify.formulas import PREDICTIVE_OF_BOTH, Rules
from scoreproof_verify.frame import Checker, Patience, Words
from scoreproof_verify.replay.rectangles import Grid, replay
from scoreproof_verify.statement import MAY_LACK, OF_PARTS, Claim, Statement, claims, read_statement, readings, rule_of
from scoreproof_verify.texts import Rejected, quoted, require

#: What a 0/0 counts as on one matrix; where it is None, it is on none of those that are asked about.
FILLERS = {"any": 0, "zero": 0, "one": 1, "exclude": None, "skip": None}


def check(statement: Document, proof: Document, rules: Rules, patience: Patience) -> Words:
    return _prove(read_statement(statement, rules), proof, rules, patience)


def _prove(statement: Statement, given: Any, extra: Rules, patience: Patience) -> Words:
    proof = object_of("the proof", given)
    kind = proof.get("kind")
    for name, _ in statement.node.ranges:
        rule_of(name, extra)
    cases = _cases(statement)
    if cases is not None:
        proof.keep_to("kind", "cases")
        proofs = proof.get("cases") if kind == "cases" else None
        if not isinstance(proofs, list):
            raise Rejected(f"a proof of kind {quoted(kind)} where there are cases")
        require(len(proofs) == len(cases), "not every case of the statement is refuted")
        proved = [_prove(case, inner, extra, patience) for case, inner in zip(cases, proofs, strict=True)]
        return lambda: " ".join(words() for words in proved)
    require(kind != "cases", "there are no cases")
    return _one_matrix(statement, proof, patience) if statement.one_matrix else _mean(statement, proof, extra, patience)


def _cases(statement: Statement) -> list[Statement] | None:
    """The statements of which each must be refuted: readings of the aggregation, and of what a ± is over."""
    if statement.node.levels:
        nodes = readings(statement.node)
        require(len(nodes) > 0, "the experiment has no reading")
        nodes = [node for node in nodes if not (statement.speaks_of_parts and node.summed)]
        require(len(nodes) > 0, "no reading of the experiment has parts that are averaged")
        return [statement._replace(node=node) for node in nodes]
    node = statement.node
    if statement.spread_over == "any" and not node.summed and statement.has_spread:
        if node.k and node.repeats > 1:
            return [statement._replace(spread_over=over) for over in ("folds", "repeats")]
        if not all(part.summed for part in node.parts):
            return [statement._replace(spread_over=over) for over in ("folds", "parts")]
    return None


def _one_matrix(statement: Statement, proof: Document, patience: Patience) -> Words:
    require(not statement.speaks_of_parts, "one matrix has no ±, no extremes and no rounded parts")
    if statement.undefined not in ("skip", "exclude"):
        require(PREDICTIVE_OF_BOTH.isdisjoint([claim.name for claim in statement.claims]), MAY_LACK)
    p, n = statement.inner.counts
    excluded = refute_matrix(statement.claims, p, n, statement.undefined, proof, patience)
    return lambda: (
        f"Proved: no confusion matrix with {p} positives and {n} negatives has {listed(statement.claims)}. "
        f"{counted(excluded, 'rectangle')} cover{'s' * (excluded == 1)} all {(p + 1) * (n + 1)} cells, "
        f"and each was excluded in exact arithmetic.{_conditions(statement)}"
    )


def refute_matrix(claims: Sequence[Claim], p: int, n: int, undefined: str, proof: Document, patience: Patience) -> int:
    """``Rejected`` unless no matrix of these class counts gives the claims; the number of rectangles excluded."""
    proof.keep_to("kind", "steps", "present")
    require(proof.get("kind") == "rectangles", f"unknown kind of proof {quoted(proof.get('kind'))}")
    filler = FILLERS[undefined]
    excluded = replay(Grid(claims, p, n, filler), proof.get("steps"), patience)
    present = _recalls(claims, p, n, undefined)
    if present is None:
        require("present" not in proof, "the proof treats a case that there is not")
        return excluded
    return excluded + replay(Grid(present, p, n, filler), proof.get("present"), patience)


def _recalls(claims: Sequence[Claim], p: int, n: int, undefined: str) -> list[Claim] | None:
    """With scikit-learn's balanced accuracy of a set that lacks a class, which is the recall of the other."""
    if undefined != "any" or 0 not in (p, n) or all(claim.name != "bacc" for claim in claims):
        return None
    recall = rule_of("sens" if p else "spec", {})
    return [replace(claim, rule=recall) if claim.name == "bacc" else claim for claim in claims]


def _mean(statement: Statement, proof: Document, extra: Rules, patience: Patience) -> Words:
    from scoreproof_verify.replay.flattening import demands_of, pooled

    whole = demands = demands_of(statement, extra)
    if proof.get("kind") == "pooled":
        proof.keep_to("kind", "proof")
        demands, proof = pooled(whole), object_of("the proof", proof.get("proof"))
    _, module, function = RULES[proof.kind(**{name: keys for name, (keys, _, _) in RULES.items()})]
    nodes: int = getattr(import_module(f"scoreproof_verify.replay.{module}"), function)(demands, proof, patience)
    sets, (p, n) = len(whole.sets), statement.node.counts
    return lambda: (
        f"Proved: no confusion matrices for the {counted(sets, 'evaluation set')} of the experiment, with {p} "
        f"positives and {n} negatives in all, have "
        f"the mean {listed(statement.claims)}{_further(statement, whole)}. "
        f"{counted(nodes, 'case')} cover{'s' * (nodes == 1)} all "
        f"possible matrices, and each was excluded in integer arithmetic.{_conditions(statement)}"
    )


#: How a mean is refuted: the keys of such a proof beside its kind, and where the rule is that counts excluded cases.
RULES = {
    "totals": ("cases", "integer_rows", "refute_totals"),
    "moments": ("defined left_out peaks", "dual_bound", "refute_moments"),
    "columns": ("groups bits steps", "branching", "refute_columns"),
}


_UNDEFINED = {
    "any": " A score that is 0/0 counts as zero, or is left out, as each score's usual treatments have it.",
    "zero": " A score that is 0/0 counts as zero.",
    "one": " A score that is 0/0 counts as one.",
    "skip": " A score that is 0/0 is left out of the mean.",
    "exclude": " Matrices on which a reported score is 0/0 are not admitted.",
}


def _conditions(statement: Statement) -> str:
    """What the proof takes for granted: the convention for 0/0, and the word of those who declared scores."""
    declared = [claim.name for claim in statement.claims if claim.rule.declared]
    return _UNDEFINED[statement.undefined] + "".join(
        f" This holds if {name} is monotone as declared." for name in declared
    )


def _further(statement: Statement, demands: Any) -> str:
    parts = []
    if demands.variances:
        over = f"means of the {demands.spread_over}" if demands.means_deviate else "evaluation sets"
        what = "standard error" if demands.error else "standard deviation"
        divisors = " (with one divisor for all)" if demands.one_divisor and len(demands.variances) > 1 else ""
        parts.append(f"the reported {what} of {', '.join(demands.variances)} over the {over}{divisors}")
    if demands.minima or demands.maxima:
        over = "evaluation sets" if demands.over_folds else "parts"
        parts.append(f"the reported extremes of {', '.join({**demands.minima, **demands.maxima})} over the {over}")
    if statement.node.bounded:
        parts.append("the stated ranges of the parts")
    if statement.fold_digits is not None:
        parts.append(f"parts rounded to {statement.fold_digits} digits before they were averaged")
    words = {
        "any": "any class counts of the folds",
        "trainable": "any class counts of the folds that leave each class in two of them",
        "balanced": "any balanced class counts of the folds",
    }
    rules = {family.rule for family in demands.families}
    parts += [text for name, text in words.items() if name in rules]
    return f" with {' and '.join(parts)}" if parts else ""


_NAMES = ("tp", "fp", "fn", "tn", "p", "n", "total")
_LARGEST = 10**40
_MOST_COUNTS = 100
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


def check_printed_matrix(statement: Document, proof: Document, rules: Rules, patience: Patience) -> Words:
    undefined = statement.word("undefined", FILLERS)
    printed, doubled = _counts(statement.get("counts"))
    scores = statement.get("scores")
    read = () if scores == [] else claims(scores, rules)
    require(all(claim.spread is None for claim in read), "one matrix has no ±")
    printed_counts = ", ".join(f"{name} {value}" for name, value in statement["counts"])
    if proof.get("kind") == "counts":
        proof.keep_to("kind")
        require(doubled or _classes(printed) is None, "the counts do not contradict each other")
        return lambda: f"Proved: no confusion matrix has {printed_counts}: these counts contradict each other."
    require(not doubled, "a count has two values")
    classes = given(_classes(printed), "the counts contradict each other, which this proof does not say")
    if proof.get("kind") == "matrix":
        return _against_matrix(classes, read, undefined, proof, printed_counts)
    return _on_grid(classes, read, undefined, proof, printed_counts, patience)


def _counts(document: Any) -> tuple[dict[str, int], bool]:
    """The counts by name, and whether one of them has two values."""
    printed: dict[str, int] = {}
    doubled = False
    for pair in list_of(document, 1, _MOST_COUNTS, "the statement has no counts"):
        name, value = list_of(pair, 2, 2, "a count is not a name and a number")
        require(isinstance(name, str) and name in _NAMES, f"unknown count {quoted(name)}")
        integer(value, "a count", 0, _LARGEST)
        if printed.setdefault(name, value) != value:
            doubled = True
    return printed, doubled


def _classes(printed: Mapping[str, int]) -> tuple[Class, Class] | None:
    """Both classes with the sizes they may have; None if there is none for one of them."""
    classes: list[Class] = []
    for right, wrong, size in (("tp", "fn", "p"), ("tn", "fp", "n")):
        cells = printed.get(right), printed.get(wrong)
        least = sum(cell for cell in cells if cell is not None)
        most = None if None in cells else least
        if size in printed:
            if printed[size] < least or (most is not None and printed[size] > most):
                return None
            least = most = printed[size]
        classes.append(Class(*cells, least, most))
    total = printed.get("total")
    if total is None:
        return classes[0], classes[1]
    narrowed = []
    for own, other in (classes, classes[::-1]):
        least = own.least if other.most is None else max(own.least, total - other.most)
        most = total - other.least if own.most is None else min(own.most, total - other.least)
        if least > most:
            return None
        narrowed.append(replace(own, least=least, most=most))
    return narrowed[0], narrowed[1]


def _against_matrix(
    classes: tuple[Class, Class], read: tuple[Claim, ...], undefined: str, proof: Document, printed_counts: str
) -> Words:
    proof.keep_to("kind", "score")
    (p, tp), (n, tn) = (
        [given(count, "the counts leave the matrix open") for count in (own.size, own.hits)] for own in classes
    )
    claim = proof.chosen("score", read, "the score", "the proof names a score that is not reported")
    filler = FILLERS[undefined]
    require(not _inside(claim, p, n, tp, tn, filler), f"the matrix gives {claim.name} as it is printed")
    for recall in _recalls([claim], p, n, undefined) or ():
        require(not _inside(recall, p, n, tp, tn, filler), "the recall of the only class is as it is printed")
    return lambda: (
        f"Proved: the only confusion matrix with {printed_counts} (tp {tp}, fp {n - tn}, fn {p - tp}, tn {tn}) does "
        f"not have {claim}."
    )


def _inside(claim: Claim, p: int, n: int, tp: int, tn: int, filler: int | None) -> bool:
    place = Grid([claim], p, n, filler).place(0, tp, tn)
    return place == 0 or (place is None and filler is not None and claim.low <= filler <= claim.high)


def _on_grid(
    classes: tuple[Class, Class],
    read: tuple[Claim, ...],
    undefined: str,
    proof: Document,
    printed_counts: str,
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
            pinned.append(Claim(rate, f"{own.hits} of {own.size}", share, share, rule=rule_of(rate, {})))
    excluded = refute_matrix([*chosen, *pinned], p, n, undefined, proof, patience)
    return lambda: (
        f"Proved: no confusion matrix with {printed_counts} has {listed(chosen)}. {counted(excluded, 'rectangle')} "
        "cover all of its possible cells, and each was excluded in exact arithmetic."
    )


KINDS = {
    "binary": Checker(frozenset({"experiment", "scores", "undefined", *OF_PARTS}), check, every_key=False),
    "printed_matrix": Checker(frozenset({"counts", "scores", "undefined"}), check_printed_matrix),
}
