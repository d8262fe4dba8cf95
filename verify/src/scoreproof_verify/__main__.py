"""Re-check certificates: ``scoreproof-verify FILE...`` or ``python -m scoreproof_verify FILE...``."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scoreproof_verify._version import __version__
from scoreproof_verify.frame import Verification, verify_certificate

_LARGEST = 64_000_000  # bytes of a certificate
_SECONDS = 12.0
_SHOWN = 200  # characters of what is wrong with a file
_EPILOG = """\
exit status: 0 every certificate proves its statement, 1 one does not, 2 one cannot be read.
Proofs that use a score of your own need the definition of it: scoreproof.verify knows those that you registered."""


class Unreadable(Exception):
    """Why a file is no certificate."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Re-check the certificates that are named; the exit status."""
    given = _parser().parse_args(arguments)
    status = 0
    for name in given.files:
        shown = "standard input" if name == "-" else _printable(name)
        try:
            verification = verify_certificate(read(name), seconds=given.seconds)
        except Unreadable as error:
            sys.stderr.write(f"error: {shown}: {_printable(str(error))}\n")
            status = 2
            continue
        status = max(status, 0 if verification else 1)
        sys.stdout.write(_line(shown, verification, given.json, len(given.files) > 1))
    return status


def read(name: str) -> Any:
    """The certificate in a file, or in what is piped in (``-``); ``Unreadable`` if there is none."""
    try:
        if name == "-":
            data = sys.stdin.buffer.read(_LARGEST + 1)
        elif Path(name).exists() and not Path(name).is_file():
            raise Unreadable("expected a regular file; what is piped in is read with -")
        else:
            with Path(name).open("rb") as file:
                data = file.read(_LARGEST + 1)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise Unreadable(f"expected a certificate, but it cannot be opened: {why}") from None
    if len(data) > _LARGEST:
        raise Unreadable(f"expected a certificate of at most {_LARGEST // 1_000_000} MB")
    try:
        document = json.loads(data.decode("utf-8"), object_pairs_hook=_unique)
    except (ValueError, RecursionError) as error:
        why = str(error) or type(error).__name__
        raise Unreadable(f"expected a JSON certificate, but it cannot be read: {why[:_SHOWN]}") from None
    if not isinstance(document, dict) or "statement" not in document:
        raise Unreadable("expected a scoreproof certificate, an object with a 'statement'")
    return document


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys are given once: with one given twice it could mean two things."""
    made = dict(pairs)
    if len(made) < len(pairs):
        (twice, _), *_ = Counter(key for key, _ in pairs).most_common(1)
        raise ValueError(f"the key {twice!r} is given twice")
    return made


def _line(shown: str, verification: Verification, as_json: bool, several: bool) -> str:
    if as_json:
        return json.dumps({"file": shown, **verification.to_dict()}, ensure_ascii=True) + "\n"
    word = "valid" if verification else "not valid"
    return f"{shown + ': ' if several else ''}{word}\n{_printable(verification.words)}\n"


def _printable(text: str) -> str:
    """The text without what could steer a terminal, or a job of GitHub."""
    return "".join(char if char.isprintable() else "�" for char in text).replace("##[", "## [")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scoreproof-verify",
        description="Re-check certificates of scoreproof from their statements alone, with exact arithmetic.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="a certificate (JSON); - reads standard input")
    parser.add_argument("--json", action="store_true", help="print one JSON object a certificate: file, valid, words")
    parser.add_argument(
        "--seconds", type=_seconds, default=_SECONDS, help="time for one certificate; default: %(default)g"
    )
    parser.add_argument("--version", action="version", version=f"scoreproof-verify {__version__}")
    return parser


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not value > 0:
        raise argparse.ArgumentTypeError(f"expected a positive number of seconds, got {text[:40]!r}")
    return value


if __name__ == "__main__":
    sys.exit(main())
