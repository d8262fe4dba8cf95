"""The frame of every certificate: format, digest, plain data; and the table from kinds to their checkers.

Unknown kinds and keys are rejected here, unknown rules and steps by the checkers.
"""

from __future__ import annotations

import hashlib
import html
import importlib
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from scoreproof_verify.documents import Document, known_keys, object_of
from scoreproof_verify.formulas import Rules
from scoreproof_verify.texts import Rejected, quoted, require

FORMAT = "scoreproof-certificate/3"
_DEEPEST = 60  # lists and objects within each other
_LARGEST_INTEGER = 14_000  # bits, about what Python reads from a text
_MOST_VALUES = 10_000_000  # of a statement or a proof

MALFORMED = (TypeError, KeyError, IndexError, ValueError, ArithmeticError, RecursionError, MemoryError)
Words = Callable[[], str]  # what was proved, said when asked
Part = TypeVar("Part")  # of what a proof excludes
Left = tuple[list[Part], int]  # what a step leaves open, and how many parts it excludes


@dataclass(frozen=True, slots=True)
class Checker:
    """What checks the certificates of one kind: the keys its statements may have, whether all must be there, the check.

    ``check(statement, proof, rules, patience)`` gives the words of what was proved or raises ``Rejected``; so do the
    functions ``check`` of all kinds.
    """

    keys: frozenset[str]
    check: Callable[[Document, Document, Rules, Patience], Words]
    every_key: bool = True


#: The checker of each kind, or the module whose table ``KINDS`` has it.
CHECKERS: dict[str, Checker | str] = {
    **dict.fromkeys(("average", "order", "relation"), "comparisons"),
    **dict.fromkeys(("binary", "printed_matrix"), "binary"),
    **dict.fromkeys(("multi_class", "multi_label", "printed_classes", "printed_shares", "unknown_counts"), "classes"),
    **dict.fromkeys(("shared_variance", "proportion_interval", "value_spread"), "deviations"),
    **dict.fromkeys(("paired_counts", "sign_patterns", "mean_ranks"), "significance"),
    **dict.fromkeys(("unknown_classes", "one_test_set"), "unknown_classes"),
    "common_average": "common_average",
    "curve": "curve",
    "detection": "detection",
    "ranking": "ranking",
    "regression": "regression",
    "reported_test": "reported_test",
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


def verify_certificate(certificate: Any, rules: Rules | None = None, seconds: float = float("inf")) -> Verification:
    """Re-check a certificate within so many seconds; ``rules`` are those of scores that are not built in."""
    try:
        return Verification(True, _verify(certificate, rules or {}, Patience(seconds)))
    except Rejected as error:
        return Verification(False, f"Not proved: {error}.")
    except MALFORMED:
        return Verification(False, "Not proved: the certificate is malformed.")


def accepts(kind: str, statement: Mapping[str, Any], proof: Any, rules: Rules, seconds: float = float("inf")) -> str:
    """Why a statement is not proved (within so many seconds), in words; empty if it is. For who just made both."""
    try:
        _establish(kind, statement, proof, rules, Patience(seconds))
    except Rejected as error:
        return f"Not proved: {error}."
    except MALFORMED as error:
        return f"Not proved: the proof is malformed ({error})."
    return ""


def _verify(certificate: Any, rules: Rules, patience: Patience) -> str:
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


def checker_of(kind: str) -> Checker:
    """What checks certificates of a kind; ``Rejected`` for one that there is not."""
    checker = CHECKERS.get(kind)
    if isinstance(checker, str):
        checker = CHECKERS[kind] = importlib.import_module(f"scoreproof_verify.kinds.{checker}").KINDS[kind]
    if checker is None:
        raise Rejected(f"unknown kind {quoted(kind)}")
    return checker


def _establish(kind: str, statement: Any, proof: Any, rules: Rules, patience: Patience) -> Words:
    checker = checker_of(kind)
    document = known_keys("the statement", statement, *checker.keys)
    given = object_of("the proof", proof)
    if checker.every_key:
        known_keys("the statement", document, *checker.keys, every=True)
    return checker.check(document, given, rules, patience)


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


class Patience:
    """So many seconds from now on."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._end = time.monotonic() + seconds

    def check(self) -> None:
        """Go on, or give up: nothing is proved then."""
        if time.monotonic() > self._end:
            raise Rejected(f"it was not re-checked to its end within {self._seconds:g} s")


def walk(
    waiting: list[Part],
    steps: Any,
    most: int,
    ending: str,
    take: Callable[[Part, Any, int], Left[Part]],
    patience: Patience,
) -> int:
    """Take the steps of a proof one by one until no part is open, the last one left open first; the parts excluded.

    ``take(part, step, number)`` says what the step leaves open of the part, what is treated first coming first, and how
    many parts it excludes. ``ending`` is why a proof is refused that leaves parts open.
    """
    require(isinstance(steps, list) and len(steps) <= most, "the proof is not a list of steps")
    excluded = 0
    for number, step in enumerate(steps, 1):
        if not waiting:
            raise Rejected("the proof has steps left over")
        if number % 16 == 1:
            patience.check()
        left, closed = take(waiting.pop(), step, number)
        waiting += left[::-1]
        excluded += closed
    require(not waiting, ending)
    return excluded
