"""The frame of every certificate: format, digest, plain data; and the table from kinds to their checkers.

A checker module has ``KEYS``, the keys a statement of its kind may have, and ``check(statement, proof, rules,
patience)``, which gives the words of what was proved or raises ``Rejected``. Unknown kinds and keys are rejected here,
unknown rules and steps by the checkers.
"""

from __future__ import annotations

import hashlib
import html
import importlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from scoreproof_verify.formulas import Rule
from scoreproof_verify.patience import Patience
from scoreproof_verify.texts import Rejected, known_keys, quoted, require

FORMAT = "scoreproof-certificate/3"
_DEEPEST = 60  # lists and objects within each other
_LARGEST_INTEGER = 14_000  # bits, about what Python reads from a text
_MOST_VALUES = 10_000_000  # of a statement or a proof

MALFORMED = (TypeError, KeyError, IndexError, ValueError, ArithmeticError, RecursionError, MemoryError)
Words = Callable[[], str]  # what was proved, said when asked


class Checker(Protocol):
    """What checks the certificates of one kind."""

    KEYS: frozenset[str]

    def check(
        self, statement: Mapping[str, Any], proof: Mapping[str, Any], rules: Mapping[str, Rule], patience: Patience
    ) -> Words: ...


CHECKERS: dict[str, Checker | str] = {
    "average": "scoreproof_verify.average",
    "binary": "scoreproof_verify.binary",
    "common_average": "scoreproof_verify.common_average",
    "curve": "scoreproof_verify.curve",
    "detection": "scoreproof_verify.detection",
    "one_test_set": "scoreproof_verify.one_test_set",
    "multi_class": "scoreproof_verify.multi_class",
    "multi_label": "scoreproof_verify.multi_label",
    "order": "scoreproof_verify.order",
    "printed_classes": "scoreproof_verify.printed_classes",
    "printed_matrix": "scoreproof_verify.printed_matrix",
    "printed_shares": "scoreproof_verify.printed_shares",
    "ranking": "scoreproof_verify.ranking",
    "regression": "scoreproof_verify.regression",
    "shared_variance": "scoreproof_verify.shared_variance",
    "mean_ranks": "scoreproof_verify.mean_ranks",
    "paired_counts": "scoreproof_verify.paired_counts",
    "proportion_interval": "scoreproof_verify.proportion_interval",
    "reported_test": "scoreproof_verify.reported_test",
    "sign_patterns": "scoreproof_verify.sign_patterns",
    "value_spread": "scoreproof_verify.value_spread",
    "unknown_classes": "scoreproof_verify.unknown_classes",
    "unknown_counts": "scoreproof_verify.unknown_counts",
}


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

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Verification:
        valid, words = (
            (document.get(key) for key in ("valid", "words")) if isinstance(document, Mapping) else (None, None)
        )
        if not isinstance(valid, bool) or not isinstance(words, str):
            return cls(False, "not verified: this is no document of a verification")
        return cls(valid, words)

    def to_json(self, *, indent: int | None = None) -> str:
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False)

    def __repr__(self) -> str:
        return f"<Verification: {self.words if len(self.words) <= 80 else self.words[:79] + '…'}>"

    def _repr_html_(self) -> str:
        return f'<p style="color:{"#1a7f37" if self.valid else "#b42318"}">{html.escape(self.words)}</p>'

    def __rich__(self) -> Any:
        from rich.text import Text

        shown = "".join(char if char.isprintable() else "�" for char in self.words)
        return Text(shown, style="green" if self.valid else "red")


def digest(kind: str, statement: Any, proof: Any) -> str:
    """A fingerprint of kind, statement and proof, so that an altered file is noticed as such."""
    text = json.dumps([kind, statement, proof], sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def verify_certificate(
    certificate: Any, rules: Mapping[str, Rule] | None = None, seconds: float = float("inf")
) -> Verification:
    """Re-check a certificate within so many seconds; ``rules`` are those of scores that are not built in."""
    try:
        return Verification(True, _verify(certificate, rules or {}, Patience(seconds)))
    except Rejected as flaw:
        return Verification(False, f"Not proved: {flaw}.")
    except MALFORMED:
        return Verification(False, "Not proved: the certificate is malformed.")


def accepts(
    kind: str, statement: Mapping[str, Any], proof: Any, rules: Mapping[str, Rule], seconds: float = float("inf")
) -> str:
    """Why a statement is not proved (within so many seconds), in words; empty if it is. For who just made both."""
    try:
        _establish(kind, statement, proof, rules, Patience(seconds))
    except Rejected as flaw:
        return f"Not proved: {flaw}."
    except MALFORMED as flaw:
        return f"Not proved: the proof is malformed ({flaw})."
    return ""


def _verify(certificate: Any, rules: Mapping[str, Rule], patience: Patience) -> str:
    document = known_keys(
        "the certificate", certificate, "format", "scoreproof", "kind", "statement", "proof", "digest"
    )
    require(document.get("format") == FORMAT, f"its format is {quoted(document.get('format'))}, not '{FORMAT}'")
    kind, statement, proof = document.get("kind"), document.get("statement"), document.get("proof")
    require(isinstance(kind, str), "its kind is not a text")
    _plain(statement)
    _plain(proof)
    require(document.get("digest") == digest(str(kind), statement, proof), "it was altered after it was made (digest)")
    return _establish(str(kind), statement, proof, rules, patience)()


def _establish(kind: str, statement: Any, proof: Any, rules: Mapping[str, Rule], patience: Patience) -> Words:
    checker = CHECKERS.get(kind)
    if isinstance(checker, str):
        module: Any = importlib.import_module(checker)
        checker = CHECKERS[kind] = module
    if checker is None:
        raise Rejected(f"unknown kind {quoted(kind)}")
    known_keys("the statement", statement, *checker.KEYS)
    if not isinstance(proof, Mapping):
        raise Rejected("the proof is not an object")
    return checker.check(statement, proof, rules, patience)


def _plain(document: Any) -> None:
    """Nothing but texts, whole numbers, truth values, lists and objects, not nested beyond measure: no floats."""
    level, values = [document], 0
    for _ in range(_DEEPEST):
        below: list[Any] = []
        for value in level:
            if isinstance(value, Mapping):
                require(all(isinstance(key, str) for key in value), "a key is not a text")
                below += value.values()
            elif isinstance(value, list):
                below += [entry for entry in value if not isinstance(entry, (str, bool)) or isinstance(entry, list)]
            elif isinstance(value, int):
                require(value.bit_length() <= _LARGEST_INTEGER, "a number is too large")
            else:
                require(value is None or isinstance(value, str), "a value is neither text nor whole number")
            require(values + len(below) <= _MOST_VALUES, "the certificate is too large")
        if not below:
            return
        level, values = below, values + len(below)
    require(False, "the certificate is nested too deeply")
