"""The independent verifier: re-checks a certificate from its own statement.

It shares no code with the engines. It reads the statement (texts as reported, rounding rule, experiment), derives
the problem anew, and replays the proof with exact integers.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from scoreproof.verifier.experiment import is_unknown, known_keys, readings
from scoreproof.verifier.formulas import Rule
from scoreproof.verifier.patience import FOREVER, Patience
from scoreproof.verifier.rectangles import Grid, replay
from scoreproof.verifier.statement import Statement, read_statement, rule_of
from scoreproof.verifier.texts import Rejected, require

__all__ = ["FORMAT", "Rejected", "Rule", "Verification", "accepts", "digest", "verify_certificate"]

FORMAT = "scoreproof-certificate/2"
_DEEPEST = 60  # lists and objects within each other
_LARGEST_INTEGER = 1 << 20  # bits


@dataclass(frozen=True, slots=True)
class Verification:
    """Whether a certificate holds, and in words what it proves or why it does not."""

    valid: bool
    words: str

    def __bool__(self) -> bool:
        return self.valid

    def __str__(self) -> str:
        return self.words

    def to_dict(self) -> dict[str, Any]:
        return {"valid": self.valid, "words": self.words}


def digest(statement: Any, proof: Any) -> str:
    """A fingerprint of the statement and the proof, so that an altered file is noticed as such."""
    text = json.dumps([statement, proof], sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def verify_certificate(certificate: Any, extra: Mapping[str, Rule] | None = None) -> Verification:
    """Re-check a certificate; ``extra`` holds rules for scores that are not built in."""
    try:
        return Verification(True, _verify(certificate, extra or {}))
    except Rejected as flaw:
        return Verification(False, f"Not proved: {flaw}.")
    except (TypeError, KeyError, IndexError, ValueError, ArithmeticError, RecursionError, MemoryError) as flaw:
        return Verification(False, f"Not proved: the certificate is malformed ({flaw}).")


def accepts(statement: Mapping[str, Any], proof: Any, extra: Mapping[str, Rule], seconds: float) -> str:
    """Why a statement is not proved (within so many seconds), in words; empty if it is. For who just made both."""
    try:
        _establish(statement, proof, extra, Patience(seconds))
    except Rejected as flaw:
        return f"Not proved: {flaw}."
    return ""


def _verify(certificate: Any, extra: Mapping[str, Rule]) -> str:
    document = known_keys("the certificate", certificate, "format", "scoreproof", "statement", "proof", "digest")
    require(document.get("format") == FORMAT, f"its format is {str(document.get('format'))[:60]!r}, not {FORMAT!r}")
    statement, proof = document.get("statement"), document.get("proof")
    _plain(statement)
    _plain(proof)
    require(document.get("digest") == digest(statement, proof), "it was altered after it was made (digest)")
    if not isinstance(statement, Mapping):
        raise Rejected("the statement is not an object")
    return _establish(statement, proof, extra, FOREVER)()


Words = Callable[[], str]  # what was proved, said when asked


def _establish(statement: Mapping[str, Any], proof: Any, extra: Mapping[str, Rule], patience: Patience) -> Words:
    experiment = statement.get("experiment")
    if isinstance(experiment, Mapping) and experiment.get("type") == "unknown_classes":
        from scoreproof.verifier.unknown_classes import verify_unknown

        words = verify_unknown(statement, _object(proof), extra, patience)
        return lambda: words
    return _prove(read_statement(statement, extra), proof, extra, patience)


def _plain(document: Any) -> None:
    """Nothing but texts, whole numbers, truth values, lists and objects, not nested beyond measure: no floats."""
    level = [document]
    for _ in range(_DEEPEST):
        below: list[Any] = []
        for value in level:
            if isinstance(value, Mapping):
                require(all(isinstance(key, str) for key in value), "a key is not a text")
                below += value.values()
            elif isinstance(value, list):
                below += [entry for entry in value if not isinstance(entry, (str, bool)) or isinstance(entry, list)]
            elif isinstance(value, int):
                require(value.bit_length() <= _LARGEST_INTEGER, "a number is too large")
            else:
                require(value is None or isinstance(value, str), f"a value is neither text nor whole number: {value!r}")
        if not below:
            return
        level = below
    require(False, "the certificate is nested too deeply")


def _object(proof: Any) -> Mapping[str, Any]:
    require(isinstance(proof, Mapping), "the proof is not an object")
    found: Mapping[str, Any] = proof
    return found


def _prove(statement: Statement, proof: Any, extra: Mapping[str, Rule], patience: Patience) -> Words:
    """What a statement and its proof establish; ``Rejected`` if they do not."""
    kind = _object(proof).get("kind")
    for name, _ in statement.node.ranges:
        rule_of(name, extra)
    cases = _cases(statement)
    if cases is not None:
        known_keys("the proof", proof, "kind", "cases")
        given = proof.get("cases")
        require(
            kind == "cases" and isinstance(given, list), f"a proof of kind {str(kind)[:40]!r} where there are cases"
        )
        require(len(given) == len(cases), "not every case of the statement is refuted")
        proved = [_prove(case, inner, extra, patience) for case, inner in zip(cases, given, strict=True)]
        return lambda: " ".join(words() for words in proved)
    require(kind != "cases", "there are no cases")
    return _one_matrix(statement, proof) if statement.one_matrix else _mean(statement, proof, extra, patience)


def _cases(statement: Statement) -> list[Statement] | None:
    """The statements of which each must be refuted: readings of the aggregation, and of what a ± is over."""
    if is_unknown(statement.node):
        found = readings(statement.node)
        require(len(found) > 0, "the experiment has no reading")
        found = [node for node in found if not (statement.speaks_of_parts and node.summed)]
        require(len(found) > 0, "no reading of the experiment has parts that are averaged")
        return [replace(statement, node=node) for node in found]
    node = statement.node
    repeated = node.k and node.repeats > 1 and not node.summed
    if statement.has_spread and statement.spread_over == "any" and repeated:
        return [replace(statement, spread_over=over) for over in ("folds", "repeats")]
    return None


def _one_matrix(statement: Statement, proof: Mapping[str, Any]) -> Words:
    known_keys("the proof", proof, "kind", "steps", "present")
    require(proof.get("kind") == "rectangles", f"unknown kind of proof {str(proof.get('kind'))[:40]!r}")
    require(not statement.speaks_of_parts, "one matrix has no ±, no extremes and no rounded parts")
    p, n = statement.inner.counts
    filler = {"any": 0, "zero": 0, "one": 1}.get(statement.undefined)
    excluded = replay(Grid(statement.claims, p, n, filler), proof.get("steps"))
    if statement.undefined == "any" and 0 in (p, n) and any(claim.name == "bacc" for claim in statement.claims):
        # scikit-learn's balanced accuracy of a set that lacks a class is the recall of the other
        recall = rule_of("sens" if p else "spec", {})
        present = [replace(claim, rule=recall) if claim.name == "bacc" else claim for claim in statement.claims]
        excluded += replay(Grid(present, p, n, filler), proof.get("present"))
    else:
        require("present" not in proof, "the proof treats a case that there is not")
    return lambda: (
        f"Proved: no confusion matrix with {p} positives and {n} negatives has {_listed(statement)}. "
        f"{excluded} rectangle{'s' * (excluded != 1)} cover{'s' * (excluded == 1)} all {(p + 1) * (n + 1)} cells, "
        f"and each was excluded in exact arithmetic.{_conditions(statement)}"
    )


def _mean(statement: Statement, proof: Mapping[str, Any], extra: Mapping[str, Rule], patience: Patience) -> Words:
    from scoreproof.verifier.flattening import demands_of

    demands = demands_of(statement, extra)
    kind = proof.get("kind")
    if kind == "totals":
        from scoreproof.verifier.totals import refute_totals

        known_keys("the proof", proof, "kind", "cases")
        nodes = refute_totals(demands, proof, patience)
    elif kind == "large":
        from scoreproof.verifier.large import refute

        known_keys("the proof", proof, "kind", "cases")
        nodes = refute(demands, proof, patience)
    else:
        from scoreproof.verifier.columns import Model
        from scoreproof.verifier.walk import Replay

        require(kind == "columns", f"unknown kind of proof {str(kind)[:40]!r}")
        known_keys("the proof", proof, "kind", "groups", "bits", "steps")
        nodes = Replay(Model(demands, proof, patience), patience).run(proof.get("steps"))
    sets = len(demands.sets)
    return lambda: (
        f"Proved: no confusion matrices for the {sets} evaluation set{'s' * (sets != 1)} of the experiment have "
        f"the mean {_listed(statement)}{_further(statement, demands)}. "
        f"{nodes} case{'s' * (nodes != 1)} cover{'s' * (nodes == 1)} all "
        f"possible matrices, and each was excluded in integer arithmetic.{_conditions(statement)}"
    )


def _listed(statement: Statement) -> str:
    return ", ".join(map(str, statement.claims))


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
    word = "".join(f" This holds if {name} is monotone as declared." for name in declared)
    return _UNDEFINED[statement.undefined] + word


def _further(statement: Statement, demands: Any) -> str:
    parts = []
    if demands.variances:
        over = "means of the repeats" if demands.over_repeats else "evaluation sets"
        what = "standard error" if demands.error else "standard deviation"
        parts.append(f"the reported {what} of {', '.join(demands.variances)} over the {over}")
    if demands.minima or demands.maxima:
        over = "evaluation sets" if demands.over_folds else "parts"
        parts.append(f"the reported extremes of {', '.join({**demands.minima, **demands.maxima})} over the {over}")
    if demands.limits or demands.hexagons:
        parts.append("the stated ranges of the parts")
    if statement.fold_digits is not None:
        parts.append(f"parts rounded to {statement.fold_digits} digits before they were averaged")
    rules = {family.rule for family in demands.families}
    if "any" in rules:
        parts.append("any class counts of the folds")
    if "trainable" in rules:
        parts.append("any class counts of the folds that leave each class in two of them")
    if "balanced" in rules:
        parts.append("any balanced class counts of the folds")
    return f" with {' and '.join(parts)}" if parts else ""
