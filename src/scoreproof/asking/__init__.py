"""Asking problems: verdicts, answers, certificates, and the check that everybody starts with."""

from scoreproof.asking.answer import Answer
from scoreproof.asking.certificate import Certificate, certificate_text, certify, flaw, read_certificate, verify
from scoreproof.asking.contract import ask, refuted_by, verdict_on
from scoreproof.asking.verdict import Verdict
from scoreproof.kinds.binary.problem import Witness
from scoreproof_verify import Verification

__all__ = [
    "Answer",
    "Certificate",
    "Verdict",
    "Verification",
    "Witness",
    "ask",
    "certificate_text",
    "certify",
    "flaw",
    "read_certificate",
    "refuted_by",
    "verdict_on",
    "verify",
]
