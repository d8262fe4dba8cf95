"""The sentences every report shares.

An inconsistency proves that a report and the experiment as described do not fit together. It does not say why, and the
usual causes are harmless: a slip of typing, an undocumented detail of the evaluation (Fazekas and Kovács, 2024,
doi:10.1016/j.asoc.2024.111993). The wording keeps what is proved apart from what is conjectured, and accuses nobody.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoreproof.asking import Verdict
from scoreproof.audits import Outcome, ReadingVerdict, RowResult, TableResult
from scoreproof.errors import ScoreproofError
from scoreproof.kinds.binary.scores import score
from scoreproof.pages.escape import cut

_NAMED = re.compile(r"\S{1,40} (?:=|-?\d*\.\d)")
CAUTION = (
    "An inconsistency says that the printed numbers and the experiment as described do not belong together. It does "
    "not say why: typing slips, an undocumented detail of the evaluation or another test set are the usual causes, "
    "and the authors are the ones who can tell."
)


@dataclass(frozen=True, slots=True)
class Sign:
    """How an outcome is shown: a symbol (colour is never the only sign) and a word."""

    symbol: str
    word: str


SIGNS: Mapping[str, Sign] = {
    "consistent": Sign("✓", "consistent"),
    "inconsistent": Sign("✗", "inconsistent"),
    "undecided": Sign("?", "undecided"),
    "untested": Sign("–", "not tested"),
    "error": Sign("!", "not checked"),
}
MEANINGS: Mapping[str, str] = {
    "consistent": "A confusion matrix exists that gives every printed score of the row; it is shown as a witness.",
    "inconsistent": "It is proved that no outcome of the experiment, as described, gives the printed scores. "
    "The proof is a certificate that can be checked again.",
    "undecided": "The time allowed did not suffice for an answer. This is no sign of a mistake.",
    "untested": "The row has nothing that a check can use.",
    "error": "The row could not be checked; the reason is given.",
}


def sign(outcome: object) -> Sign:
    """The sign of an outcome; a question mark for what is not one."""
    return SIGNS.get(str(outcome), SIGNS["undecided"])


def entries(holder: Mapping[str, Any] | None, key: str) -> list[Mapping[str, Any]]:
    """The mappings in a list of a document; nothing where the document has no such list."""
    found = (holder or {}).get(key)
    return [one for one in found if isinstance(one, Mapping)] if isinstance(found, (list, tuple)) else []


def texts(holder: Mapping[str, Any] | None, key: str) -> list[str]:
    """The texts in a list of a document."""
    found = (holder or {}).get(key)
    return [str(one) for one in found if one] if isinstance(found, (list, tuple)) else []


def text(holder: Mapping[str, Any] | None, key: str) -> str:
    """A text of a document; empty where there is none."""
    found = (holder or {}).get(key)
    return "" if found is None else str(found)


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun.

    >>> counted(1, "row"), counted(12000, "row")
    ('1 row', '12,000 rows')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def listed(words: Iterable[str]) -> str:
    """Words as English lists them.

    >>> listed(["acc", "sens", "spec"])
    'acc, sens and spec'
    """
    parts = list(words)
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def told_apart(labels: Sequence[str]) -> tuple[str, list[str]]:
    """What labels of readings share, and each without it: the parts between commas that all of them have.

    >>> told_apart(["test images, field of view, mean", "test images, all pixels, mean"])
    ('test images, mean', ['field of view', 'all pixels'])
    """
    parts = [label.split(", ") for label in labels]
    shared = [one for one in parts[0] if all(one in other for other in parts)] if len(labels) > 1 else []
    rest = [", ".join(one for one in label if one not in shared) for label in parts]
    return (", ".join(shared), rest) if shared and all(rest) else ("", list(labels))


def sentence(words: str) -> str:
    """The words with a capital and a full stop; the name of a score before its value stays as it is.

    >>> sentence("nothing fits"), sentence("acc = 0.90 fits")
    ('Nothing fits.', 'acc = 0.90 fits.')
    """
    stripped = words.strip()
    if not stripped:
        return ""
    first = stripped[0] if _NAMED.match(stripped) else stripped[0].upper()
    return first + stripped[1:] + ("" if stripped[-1] in ".!?…" else ".")


def row_name(row: RowResult, most: int = 80) -> str:
    """The row's label with its group of columns."""
    label = cut(row.label, most) or f"row {row.row + 1}"
    return f"{label} ({cut(row.group, most)})" if row.group else label


def table_name(table: TableResult, place: int) -> str:
    return cut(table.name, 120) or f"Table {place + 1}"


def score_title(name: str) -> str:
    """The full name of a score, or the name as it stands."""
    try:
        return score(name).title
    except ScoreproofError:
        return cut(name, 60)


def canonical(name: str) -> str:
    """The registry's name of a score, or the name as it stands.

    >>> canonical("recall"), canonical("nonsense")
    ('sens', 'nonsense')
    """
    try:
        return score(name).name
    except ScoreproofError:
        return name


def verdict_sentence(row: RowResult) -> str:
    """What was found about a row, in one sentence that claims no more than is proved."""
    tried = len(row.readings)
    if row.outcome is Outcome.INCONSISTENT:
        under = "the experiment as described" if tried <= 1 else f"any of the {tried} readings of the experiment"
        return f"These numbers cannot come from {under}."
    if row.outcome is Outcome.CONSISTENT:
        if tried <= 1:
            return "These numbers can come from the experiment as described."
        return f"These numbers can come from {len(row.fitting())} of {counted(tried, 'reading')} of the experiment."
    if row.outcome is Outcome.UNDECIDED:
        reasons = listed(dict.fromkeys(one.reason for one in row.readings if one.verdict is Verdict.UNDECIDED))
        because = f" ({cut(reasons, 300)})" if reasons else ""
        return f"No answer was reached within the time allowed{because}. This is no sign of a mistake."
    if row.outcome is Outcome.ERROR:
        return sentence(f"the row could not be checked: {cut(row.error, 400) or 'no reason was given'}")
    return sentence(cut(row.error, 400)) if row.error else "Nothing in this row can be tested."


def why(row: RowResult) -> str:
    """The most telling sentence about a row: the explanation's summary, the smallest conflict, or a reason."""
    for found in (
        text(row.explanation, "summary"),
        *(text(one, "words") for one in entries(row.explanation, "conflicts")),
        *(one.reason for one in row.readings if one.verdict is Verdict.INCONSISTENT and len(row.readings) == 1),
    ):
        if found:
            return sentence(cut(found, 600))
    return ""


def proved(row: RowResult) -> list[str]:
    """What is proved about a row beyond its verdict: the smallest conflict, or else what the explanation lists."""
    found = entries(row.explanation, "conflicts")
    reading = text(row.explanation, "reading")
    under = f"Read as {reading}: " if reading else ""
    words = [f"{under}{text(one, 'words')}" for one in found[:1] if text(one, "words")]
    return words or texts(row.explanation, "proved")[:2]


def conflict_scores(row: RowResult) -> frozenset[str]:
    """The scores of the smallest conflict, where one is known."""
    found = entries(row.explanation, "conflicts")
    return frozenset(map(canonical, texts(found[0], "scores"))) if found else frozenset()


def strength(row: RowResult) -> str:
    """How strong the test of a row is, in words; empty where it was not asked for."""
    return cut(text(row.strength, "words"), 300)


def printed(row: RowResult, names: Sequence[str] | None = None) -> str:
    """The scores as printed."""
    shown = [cell for cell in row.cells if names is None or cell.score in names]
    return ", ".join(f"{cut(cell.score, 40)} {cut(cell.text, 40)}" for cell in shown)


def witness_words(reading: ReadingVerdict) -> str:
    """The counts that show a reading possible."""
    matrices = entries(reading.witness, "matrices")
    if not matrices:
        return ""
    cells = [", ".join(f"{name} {one.get(name)}" for name in ("tp", "fp", "fn", "tn")) for one in matrices[:1]]
    if len(matrices) > 1:
        return f"for example, in the first of {len(matrices)} evaluation sets, {cells[0]}"
    return f"for example {cells[0]}"
