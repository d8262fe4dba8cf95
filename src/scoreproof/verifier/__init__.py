"""The independent verifier: re-checks a certificate from its own statement.

It shares no code with the engines. It reads the statement (texts as reported, rounding rule, experiment), derives
the problem anew, and replays the proof with exact integers.
"""

from scoreproof.verifier.formulas import Rule
from scoreproof.verifier.frame import CHECKERS, FORMAT, Verification, accepts, digest, verify_certificate
from scoreproof.verifier.texts import Rejected

__all__ = ["CHECKERS", "FORMAT", "Rejected", "Rule", "Verification", "accepts", "digest", "verify_certificate"]
