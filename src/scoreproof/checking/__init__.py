"""Asking problems: verdicts, answers, certificates, and the check that everybody starts with."""

from scoreproof.checking.answer import (
    Answer,
    Certificate,
    OfAnswer,
    Verdict,
    certificate_text,
    certify,
    read_certificate,
    verification_error,
    verify,
)
from scoreproof.checking.ask import ask, trial
from scoreproof.checking.check import with_conventions
from scoreproof.kinds.binary.problem import Witness
from scoreproof_verify import Verification

__all__ = [
    "Answer",
    "Certificate",
    "OfAnswer",
    "Verdict",
    "Verification",
    "Witness",
    "ask",
    "certificate_text",
    "certify",
    "read_certificate",
    "trial",
    "verification_error",
    "verify",
    "with_conventions",
]
