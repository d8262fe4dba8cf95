"""The independent verifier: re-checks a certificate from its own statement.

It shares no code with the engines. It reads the statement (texts as reported, rounding rule, experiment), derives
the problem anew, and replays the proof with exact integers.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scoreproof.verdict.verifier.formulas import Rule
from scoreproof.verdict.verifier.readings import readings, single_part
from scoreproof.verdict.verifier.rectangles import Grid, replay
from scoreproof.verdict.verifier.statement import Claim, Rejected, claims, known_keys, require, summed_counts

__all__ = ["FORMAT", "Rejected", "Rule", "Verification", "digest", "verify_certificate"]

FORMAT = "scoreproof-certificate/1"


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
    except (TypeError, KeyError, IndexError, ValueError, OverflowError, RecursionError) as flaw:
        return Verification(False, f"Not proved: the certificate is malformed ({flaw}).")


def _verify(certificate: Any, extra: Mapping[str, Rule]) -> str:
    document = known_keys("the certificate", certificate, "format", "scoreproof", "statement", "proof", "digest")
    require(document.get("format") == FORMAT, f"its format is {document.get('format')!r}, not {FORMAT!r}")
    statement, proof = document.get("statement"), document.get("proof")
    require(document.get("digest") == digest(statement, proof), "it was altered after it was made (digest)")
    return _prove(statement, proof, extra)


_STATEMENT = (
    *("experiment", "scores", "undefined", "spread", "divisor", "minimum", "maximum", "attained", "fold_digits"),
)


def _prove(statement: Any, proof: Any, extra: Mapping[str, Rule]) -> str:
    """What a statement and its proof establish, in words; ``Rejected`` if they do not."""
    known_keys("the statement", statement, *_STATEMENT)
    known_keys("the proof", proof, "kind", "steps", "groups", "bits", "readings", "multipliers")
    undefined = statement.get("undefined")
    require(undefined in ("exclude", "zero", "skip"), f"unknown treatment of undefined scores {undefined!r}")
    read = claims(statement.get("scores"), extra)
    kind = proof.get("kind")
    if kind in ("rates", "known total"):
        from scoreproof.verdict.verifier.unknown_classes import verify_unknown

        return verify_unknown(read, statement.get("experiment"), undefined, proof)
    if kind == "readings":
        return _every_reading(statement, proof, extra)
    if kind in ("columns", "totals", "large"):
        return _mean(statement, proof, extra, read)
    require(kind == "rectangles", f"unknown kind of proof {kind!r}")
    require(not statement.get("minimum") and not statement.get("maximum"), "one matrix has no minimum or maximum")
    p, n = summed_counts(single_part(statement.get("experiment")))
    excluded = replay(Grid(read, p, n, undefined == "zero"), proof.get("steps"))
    cells = (p + 1) * (n + 1)
    return (
        f"Proved: no confusion matrix with {p} positives and {n} negatives has {', '.join(map(str, read))}. "
        f"{excluded} rectangle{'s' * (excluded != 1)} cover{'s' * (excluded == 1)} all {cells} cells, "
        "and each was excluded in exact arithmetic."
    )


def _mean(statement: Mapping[str, Any], proof: Mapping[str, Any], extra: Mapping[str, Rule], read: list[Claim]) -> str:
    from scoreproof.verdict.verifier.averages import read as read_demands

    demands = read_demands(statement, extra)
    if proof["kind"] == "totals":
        from scoreproof.verdict.verifier.totals import Totals

        nodes = Totals(demands, proof.get("bits")).run(proof.get("steps"))
    elif proof["kind"] == "large":
        from scoreproof.verdict.verifier.large import refute

        nodes = refute(demands, proof)
    else:
        from scoreproof.verdict.verifier.columns import Model
        from scoreproof.verdict.verifier.walk import Replay

        nodes = Replay(Model(demands, proof)).run(proof.get("steps"))
    sets = len(demands.sets)
    return (
        f"Proved: no confusion matrices for the {sets} evaluation set{'s' * (sets != 1)} of the experiment have "
        f"the mean {', '.join(map(str, read))}{_further(demands)}. {nodes} case{'s' * (nodes != 1)} cover all "
        "possible matrices, and each was excluded in integer arithmetic."
    )


def _further(demands: Any) -> str:
    parts = []
    if demands.variances:
        parts.append(f"the reported spread of {', '.join(demands.variances)}")
    if demands.minima or demands.maxima:
        parts.append(f"the reported extremes of {', '.join({**demands.minima, **demands.maxima})}")
    if demands.limits:
        parts.append("the stated ranges of the parts")
    if demands.families:
        parts.append("any class counts of the folds")
    return f" with {' and '.join(parts)}" if parts else ""


def _every_reading(statement: Mapping[str, Any], proof: Mapping[str, Any], extra: Mapping[str, Rule]) -> str:
    """Each way to read an unknown aggregation must be refuted."""
    expected = readings(statement.get("experiment"))
    given = proof.get("readings")
    require(isinstance(given, list) and len(given) == len(expected), "not every reading of the experiment is refuted")
    assert isinstance(given, list)
    words = []
    for one, tree in zip(given, expected, strict=True):
        known_keys("a reading", one, "statement", "proof")
        here = one.get("statement")
        known_keys("the statement", here, *_STATEMENT)
        same = all(here.get(key) == statement.get(key) for key in ("scores", "undefined"))
        require(same and here.get("experiment") == tree, "a reading refutes something else than the statement")
        words.append(_prove(here, one.get("proof"), extra))
    return " ".join(words)
