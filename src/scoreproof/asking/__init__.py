"""Verdicts, witnesses, certificates, and the independent verifier."""

from scoreproof.asking.certificate import Certificate, certify, flaw, read_certificate, verify
from scoreproof.asking.verdict import Verdict, Witness
from scoreproof.verifier import Verification

__all__ = ["Certificate", "Verdict", "Verification", "Witness", "certify", "flaw", "read_certificate", "verify"]
