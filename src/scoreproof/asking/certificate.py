"""Certificates: JSON documents that state a problem in full and prove that it has no solution."""

from __future__ import annotations

import json
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from scoreproof.errors import InvalidCertificate
from scoreproof.kinds.binary.scores import registered_scores
from scoreproof.verifier import FORMAT, Rule, Verification, accepts, digest, verify_certificate

Certificate = dict[str, Any]
_LARGEST_FILE = 512 * 1024 * 1024


def certify(kind: str, statement: dict[str, Any], proof: dict[str, Any], version: str) -> Certificate:
    """The document that carries a problem's statement and its proof."""
    return {
        "format": FORMAT,
        "scoreproof": version,
        "kind": kind,
        "statement": statement,
        "proof": proof,
        "digest": digest(kind, statement, proof),
    }


def read_certificate(path: str | PathLike[str]) -> Certificate:
    """A certificate from a file; an error that says what is wrong if it is none."""
    file = Path(path)
    if file.is_dir():
        raise InvalidCertificate(f"{file}: expected a certificate file, got a folder")
    if file.exists() and file.stat().st_size > _LARGEST_FILE:
        raise InvalidCertificate(f"{file}: larger than {_LARGEST_FILE >> 20} MiB; this is no certificate of ours")
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise InvalidCertificate(f"{file}: expected a JSON certificate, but it cannot be read: {error}") from None
    if not isinstance(document, dict) or "statement" not in document:
        raise InvalidCertificate(f"{file}: expected a scoreproof certificate (an object with a 'statement')")
    return document


def verify(certificate: Mapping[str, Any] | str | PathLike[str]) -> Verification:
    """Re-check a certificate (or the file it is in) with code that shares nothing with the engines.

    The result is true or false, and says in words what was proved or what is wrong.
    """
    document = certificate if isinstance(certificate, Mapping) else read_certificate(certificate)
    return verify_certificate(document, _own_rules())


def flaw(kind: str, statement: Mapping[str, Any], proof: Mapping[str, Any], seconds: float = float("inf")) -> str:
    """What the verifier finds wrong with a proof just made, in words; empty if it accepts it within the time."""
    return accepts(kind, statement, proof, _own_rules(), seconds)


def _own_rules() -> dict[str, Rule]:
    """What the verifier has to be told: the user's own scores, whose monotonicity is their word."""
    return {
        own.name: Rule(
            _in_four_counts(own.ratio), own.link.name, own.direction, "registered", None, None, declared=own.declared
        )
        for own in registered_scores()
    }


def _in_four_counts(ratio: Any) -> Any:
    return lambda tp, tn, p, n: ratio(tp, n - tn, p - tp, tn)
