"""Verdicts, witnesses, certificates, and the independent verifier."""

from scoreproof.verdict.certificate import Certificate, certify, flaw, read_certificate, verify
from scoreproof.verdict.verdict import Verdict, Witness
from scoreproof.verdict.verifier import Verification

__all__ = ["Certificate", "Verdict", "Verification", "Witness", "certify", "flaw", "read_certificate", "verify"]
