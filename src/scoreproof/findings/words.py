"""Words that every report shares: signs, sentences, text of a paper made presentable, scores by the paper's own names.

An inconsistency proves that a report and the experiment as described do not fit together. It does not say why, and the
usual causes are harmless: a slip of typing, an undocumented detail of the evaluation (Fazekas and Kovács, 2024,
doi:10.1016/j.asoc.2024.111993). The wording keeps what is proved apart from what is conjectured, and accuses nobody.

A cell may hold anything: tags, quotes, control characters, marks that turn the writing direction so that 0.68 reads
86.0, a hundred thousand letters. Templates escape markup; here invisible characters are shown by their code point (a
reviewer must see that they are there), and long texts are cut to one line.

The sentences of an explanation name scores by the registry's short names; here they are put into the paper's own:
Precision where its column says so, and not ppv. A cell's heading stands above its column or, in a transposed table,
before its line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from scoreproof.errors import ScoreproofError
from scoreproof.quantities import quantity

if TYPE_CHECKING:
    from scoreproof.documents import Table
    from scoreproof.papers.result import CellText

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


_NAMED = re.compile(r"p (?:is|lies)\b|\S{1,40} (?:[=<>≤≥]|-?\d*\.\d)")
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


_LONGEST = 30
_ENGLISH = frozenset({"for"})  # names of scores that are words, too: taken for a score only before its value


def canonical(name: str) -> str:
    """The registry's name of a score, or the name as it stands.

    >>> canonical("recall"), canonical("nonsense")
    ('sens', 'nonsense')
    """
    try:
        return quantity(name).name
    except ScoreproofError:
        return name


def title(name: str) -> str:
    """The full name of a score, or the name as it stands."""
    try:
        return quantity(name).title
    except ScoreproofError:
        return cut(name, 60)


def headings(table: Table) -> tuple[list[str], list[str]]:
    """The heading of every column (its lowest level), and what stands first in every line."""
    above = [next((row[k] for row in reversed(table.header) if row[k].strip()), "") for k in range(table.shape[1])]
    return above, [row[0] if row else "" for row in table.rows]


def labels(cells: Sequence[CellText], row: str, heads: tuple[list[str], list[str]]) -> dict[str, str]:
    """What the paper calls the scores of a row; a name that says nothing of its own (or too much) is left out.

    >>> from scoreproof.papers.result import CellText
    >>> labels([CellText((1, 1), "ppv", "0.9", "0.9")], "A", (["", "Precision"], ["", "A"]))
    {'ppv': 'Precision'}
    """
    above, before = heads
    in_line = len({cell.place[0] for cell in cells}) <= 1
    if in_line and any(_at(above, cell.place[1]) == row for cell in cells):
        in_line = False  # a transposed table: the method stands above
    names = [cut(_at(above, cell.place[1]) if in_line else _at(before, cell.place[0]), 200) for cell in cells]
    return {
        canonical(cell.score): name
        for cell, name in zip(cells, names, strict=True)
        if 0 < len(name) <= _LONGEST and names.count(name) == 1 and not name[0].isdigit()
    }


def _at(texts: Sequence[str], place: int) -> str:
    return texts[place] if place < len(texts) else ""


def in_the_papers_words(words: str, names: Mapping[str, str]) -> str:
    """The words with the scores called as the paper calls them.

    >>> in_the_papers_words("ppv = 0.9 is too high for acc = 0.7", {"ppv": "Precision", "acc": "Acc."})
    'Precision = 0.9 is too high for Acc. = 0.7'
    """
    different = tuple(name for name, label in names.items() if name != label)
    return _pattern(different).sub(lambda match: names[match[0]], words) if different and words else words


@lru_cache(maxsize=256)
def _pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    whole, before_value = r"(?![\w-])", "(?= =| [0-9])"
    ends = (re.escape(name) + (before_value if name in _ENGLISH else whole) for name in names)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(ends)})")


class Speech:
    """Sentences in the paper's own names of scores."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = names

    def plain(self, words: str, most: int = 1200) -> str:
        return cut(in_the_papers_words(cut(words, most), self.names), most)

    def name(self, score: str) -> str:
        return self.names.get(canonical(score)) or cut(score, 40)
