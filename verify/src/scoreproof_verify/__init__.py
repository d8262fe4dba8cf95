"""The independent verifier: re-checks a certificate from its own statement.

It shares no code with the engines. It reads the statement (texts as reported, rounding rule, experiment), derives
the problem anew, and replays the proof with exact integers.
"""

from scoreproof_verify._version import __version__
from scoreproof_verify.formulas import Rule
from scoreproof_verify.frame import CHECKERS, FORMAT, Checker, Verification, accepts, digest, verify_certificate
from scoreproof_verify.texts import Rejected

__all__ = [
    "CHECKERS",
    "FORMAT",
    "Checker",
    "Rejected",
    "Rule",
    "Verification",
    "__version__",
    "accepts",
    "digest",
    "verify_certificate",
]
