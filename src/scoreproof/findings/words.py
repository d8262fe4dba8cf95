"""Text of a paper made presentable: one line, of bounded length, with nothing in it that cannot be seen.

A cell may hold anything: tags, quotes, control characters, marks that turn the writing direction so that 0.68 reads
86.0, a hundred thousand letters. Templates escape markup; here invisible characters are shown by their code point (a
reviewer must see that they are there), and long texts are cut.

The sentences and signs every report shares.

An inconsistency proves that a report and the experiment as described do not fit together. It does not say why, and the
usual causes are harmless: a slip of typing, an undocumented detail of the evaluation (Fazekas and Kovács, 2024,
doi:10.1016/j.asoc.2024.111993). The wording keeps what is proved apart from what is conjectured, and accuses nobody.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

# Control characters but tab and line feed, lone surrogates, non-characters, and everything that turns the direction.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff\ud800-\udfff]"
)


def visible(text: object) -> str:
    """The text with characters that nobody can see replaced by their code points.

    >>> visible("0.68\\u202e\\x00")
    '0.68[U+202E][U+0000]'
    """
    plain = str(text)
    if plain.isascii() and plain.isprintable():
        return plain
    plain = plain.replace("\r\n", "\n").replace("\r", "\n")
    return _INVISIBLE.sub(lambda match: f"[U+{ord(match[0]):04X}]", plain)


def cut(text: object, most: int = 200) -> str:
    """At most so many characters on one line, with an ellipsis where something is missing.

    >>> cut("a  very\\nlong name", 11)
    'a very lon…'
    """
    # A text far longer than what is shown need not be looked at as a whole, an ordinary one need not be changed.
    if isinstance(text, str) and len(text) <= most and text.isascii() and text.isprintable():
        return " ".join(text.split())
    shown = " ".join(visible(str(text)[: 4 * most + 100]).split())
    return shown if len(shown) <= most else shown[: most - 1] + "…"


def embed(document: Any) -> str:
    """JSON for a script element: no character in it can end the element or start another.

    >>> embed("</script>")
    '"\\\\u003c/script\\\\u003e"'
    """
    text = json.dumps(document, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


_NAMED = re.compile(r"\S{1,40} (?:[=<>≤≥]|-?\d*\.\d)")
_COUNTS = re.compile(r"\bp=(\d+), n=(\d+)")
CAUTION = (
    "An inconsistency says that the printed numbers and the experiment as described do not belong together. It does "
    "not say why: typing slips, an undocumented detail of the evaluation or another test set are the usual causes, "
    "and the authors are the ones who can tell."
)


@dataclass(frozen=True, slots=True)
class Sign:
    """How an outcome is shown: a symbol (colour is never the only sign), a word, and what it means."""

    symbol: str
    word: str
    meaning: str


SIGNS: Mapping[str, Sign] = {
    "consistent": Sign(
        "✓",
        "consistent",
        "A confusion matrix exists that gives every printed score of the row; it is shown as a witness.",
    ),
    "inconsistent": Sign(
        "✗",
        "inconsistent",
        "It is proved that no outcome of the experiment, as described, gives the printed scores. "
        "The proof is a certificate that can be checked again.",
    ),
    "question": Sign(
        "≠",
        "question",
        "The printed scores are impossible if something is so that the tool read and the table does not settle: sizes "
        "from the text, what a column holds. This is a question to the authors, not a finding.",
    ),
    "undecided": Sign(
        "?", "undecided", "The time allowed did not suffice for an answer. This is no sign of a mistake."
    ),
    "not tested": Sign("–", "not tested", "Nothing was asked of the row, or nothing could have refuted it."),
    "error": Sign("!", "not checked", "The row could not be checked; the reason is given."),
}


def known_sign(outcome: object) -> str:
    """The outcome, if it is one that has a sign; undecided otherwise."""
    return str(outcome) if str(outcome) in SIGNS else "undecided"


def text(holder: Mapping[str, Any] | None, key: str) -> str:
    """A text of a document; empty where there is none."""
    held = (holder or {}).get(key)
    return "" if held is None else str(held)


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun.

    >>> counted(1, "row"), counted(12000, "row")
    ('1 row', '12,000 rows')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def told_apart(labels: Sequence[str]) -> tuple[str, list[str]]:
    """What labels of readings share, and each without it: the parts between commas that all of them have.

    >>> told_apart(["test images, field of view, mean", "test images, all pixels, mean"])
    ('test images, mean', ['field of view', 'all pixels'])
    """
    parts = [label.split(", ") for label in labels]
    shared = [part for part in parts[0] if all(part in other for other in parts)] if len(labels) > 1 else []
    rest = [", ".join(part for part in label if part not in shared) for label in parts]
    return (", ".join(shared), rest) if shared and all(rest) else ("", list(labels))


def sentence(words: str) -> str:
    """The words with a capital and a full stop; the name of a score before its value stays as it is.

    >>> sentence("nothing fits"), sentence("p < 0.05 fits")
    ('Nothing fits.', 'p < 0.05 fits.')
    """
    stripped = words.strip()
    if not stripped:
        return ""
    first = stripped[0] if _NAMED.match(stripped) else stripped[0].upper()
    return first + stripped[1:] + ("" if stripped[-1] in ".!?…" else ".")


def class_counts(words: str) -> list[str]:
    """The class counts in the words of an experiment.

    >>> class_counts("one test set, p=300, n=1200")
    ['300 positives and 1,200 negatives']
    """
    return [f"{counted(int(p), 'positive')} and {counted(int(n), 'negative')}" for p, n in _COUNTS.findall(words)]


def with_counts_in_words(words: str) -> str:
    """The words of an experiment with its class counts written out.

    >>> with_counts_in_words("5 folds of p=38, n=262, mean of scores")
    '5 folds of 38 positives and 262 negatives, mean of scores'
    """
    return _COUNTS.sub(lambda match: class_counts(match[0])[0], words)
