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
from scoreproof.verdict.verifier.rectangles import Grid, replay
from scoreproof.verdict.verifier.statement import Rejected, claims, known_keys, require, summed_counts

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
    statement = known_keys("the statement", document.get("statement"), "experiment", "scores", "undefined")
    proof = known_keys("the proof", document.get("proof"), "kind", "steps")
    require(document.get("digest") == digest(statement, proof), "it was altered after it was made (digest)")
    undefined = statement.get("undefined")
    require(undefined in ("exclude", "zero", "skip"), f"unknown treatment of undefined scores {undefined!r}")
    read = claims(statement.get("scores"), extra)
    if proof.get("kind") in ("rates", "totals"):
        from scoreproof.verdict.verifier.totals import verify_unknown  # on use: imports stay cheap

        return verify_unknown(read, statement.get("experiment"), undefined, proof)
    require(proof.get("kind") == "rectangles", f"unknown kind of proof {proof.get('kind')!r}")
    p, n = summed_counts(statement.get("experiment"))
    excluded = replay(Grid(read, p, n, undefined == "zero"), proof.get("steps"))
    cells = (p + 1) * (n + 1)
    reported = ", ".join(map(str, read))
    return (
        f"Proved: no confusion matrix with {p} positives and {n} negatives has {reported}. "
        f"{excluded} rectangle{'s' * (excluded != 1)} cover{'s' * (excluded == 1)} all {cells} cells, "
        "and each was excluded in exact arithmetic."
    )
