"""Certificates: JSON documents that state a problem in full and prove that it has no solution."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from os import PathLike
from typing import Any

from scoreproof.errors import InvalidCertificate, LimitExceeded, UnreadableInput
from scoreproof.files import read_file, shown_path
from scoreproof.kinds.binary.scores import registered_scores
from scoreproof.limits import current
from scoreproof.structured import unique
from scoreproof_verify import FORMAT, Rule, Verification, accepts, digest, verify_certificate

Certificate = dict[str, Any]
_written = json.JSONEncoder(sort_keys=True, separators=(",", ":"), check_circular=False).encode  # as the digest has it


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


def certificate_text(kind: str, statement: dict[str, Any], proof: dict[str, Any], version: str) -> tuple[str, str]:
    """The digest and the JSON of what ``certify`` gives; of many certificates each part is written once.

    >>> digest, text = certificate_text("binary", {"undefined": "any"}, {"kind": "cases"}, "0")
    >>> certify("binary", {"undefined": "any"}, {"kind": "cases"}, "0") == json.loads(text)
    True
    """
    named, stated, proved = _written(kind), _written(statement), _written(proof)
    mark = hashlib.sha256(f"[{named},{stated},{proved}]".encode()).hexdigest()
    return mark, (
        f'{{"format":"{FORMAT}","scoreproof":{_written(version)},"kind":{named},"statement":{stated},"proof":{proved},'
        f'"digest":"{mark}"}}'
    )


def read_certificate(path: str | PathLike[str]) -> Certificate:
    """A certificate from a file; an error that says what is wrong if it is none."""
    if not isinstance(path, (str, PathLike)):
        raise InvalidCertificate(f"certificate: expected the path of a file, got {type(path).__name__}")
    name = shown_path(path)
    try:
        data = read_file(path, limit="certificate_megabytes")
        document = json.loads(data.decode("utf-8"), object_pairs_hook=unique)
    except LimitExceeded:
        raise
    except UnreadableInput as error:
        raise InvalidCertificate(f"{error}; expected a certificate") from None
    except (ValueError, RecursionError) as error:
        why = str(error) or type(error).__name__
        raise InvalidCertificate(f"{name}: expected a JSON certificate, but it cannot be read: {why[:200]}") from None
    if not isinstance(document, dict) or "statement" not in document:
        raise InvalidCertificate(f"{name}: expected a scoreproof certificate (an object with a 'statement')")
    return document


def verify(certificate: Mapping[str, Any] | str | PathLike[str]) -> Verification:
    """Re-check a certificate (or the file it is in) with code that shares nothing with the engines.

    The result is true or false, and says in words what was proved or what is wrong. A certificate is re-checked for as
    long as the limit ``seconds`` of ``Limits`` says; what takes longer is not proved.
    """
    if not isinstance(certificate, (Mapping, str, PathLike)):
        raise InvalidCertificate(f"certificate: expected a mapping or a path, got {type(certificate).__name__}")
    document = certificate if isinstance(certificate, Mapping) else read_certificate(certificate)
    return verify_certificate(document, _own_rules(), current().seconds)


def verification_error(
    kind: str, statement: Mapping[str, Any], proof: Mapping[str, Any], seconds: float = float("inf")
) -> str:
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
