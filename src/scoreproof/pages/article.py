"""The text of one row: verdict, readings, smallest conflict, nearest repairs, hypotheses, strength, figure.

What is proved and what is conjectured are kept apart, in words that accuse nobody.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from scoreproof.asking import Verdict
from scoreproof.audits import Outcome, ReadingVerdict, RowResult
from scoreproof.pages.certificates import Shelf
from scoreproof.pages.escape import cut, short
from scoreproof.pages.figure import caption, figure
from scoreproof.pages.region import region
from scoreproof.pages.words import (
    SIGNS,
    conflict_scores,
    counted,
    entries,
    printed,
    row_name,
    sentence,
    sign,
    strength,
    text,
    texts,
    told_apart,
    verdict_sentence,
    witness_words,
)

_MOST_ITEMS = 12
_MOST_CONFLICTS = 3
_MOST_FIGURES = 2
_LONG = 1200


def article(row: RowResult, anchor: str, shelf: Shelf, *, drawn: bool = True) -> str:
    """The article of a row, at ``anchor``; certificates go to the shelf."""
    shown = sign(row.outcome)
    facts = "".join(f"<dt>{name}</dt><dd>{body}</dd>" for name, body in _facts(row, anchor, shelf) if body)
    figures = "".join(_figures(row)) if drawn else ""
    return (
        f'<article id="{anchor}" class="row {row.outcome}" tabindex="-1"><h4><span class="sign" aria-hidden="true">'
        f"{shown.symbol}</span> {short(row_name(row, 160), 330)} <em>{shown.word}</em></h4>"
        f'<p class="verdict">{short(verdict_sentence(row), _LONG)} {short(_summary(row), _LONG)}</p>'
        f"<dl>{facts}</dl>{figures}</article>"
    )


def _summary(row: RowResult) -> str:
    return sentence(text(row.explanation, "summary"))


def _facts(row: RowResult, anchor: str, shelf: Shelf) -> Iterator[tuple[str, str]]:
    said = row.explanation
    yield "Printed", f'<span class="num">{short(printed(row), 600)}</span>'
    yield "Experiment", short(row.experiment or text(said, "experiment"), _LONG)
    yield "Readings" if len(row.readings) > 1 else "Check", _readings(row, anchor, shelf)
    yield "Explained as", short(sentence(text(said, "reading")), _LONG)
    conflicts = entries(said, "conflicts")
    yield "Smallest conflict", _items([*map(_conflict, conflicts[:_MOST_CONFLICTS]), _more(conflicts)])
    yield "Nearest repairs", _items(_repair(one) for one in entries(said, "repairs")[:_MOST_ITEMS])
    yield "Other assumptions", _items(_hypotheses(entries(said, "hypotheses")), "plain")
    # What stands above in its own place is not said twice.
    known = [text(one, "words") for key in ("conflicts", "repairs", "hypotheses") for one in entries(said, key)]
    for key in ("proved", "conjectured"):
        fresh = [one for one in texts(said, key) if not any(words and words in one for words in known)]
        yield key.capitalize(), _items(short(sentence(one), _LONG) for one in fresh[:_MOST_ITEMS])
    yield "Strength of the test", short(sentence(strength(row)), _LONG)
    yield "Assumed", _items(short(sentence(one), _LONG) for one in row.notes[:_MOST_ITEMS])
    untried = texts(said, "untried")
    if untried or (said is not None and said.get("complete") is False):
        yield "Not reached", _items([short(sentence(one), _LONG) for one in untried]) or "The time allowed ran out."


def _items(parts: Iterable[str], kind: str = "") -> str:
    """One paragraph, or a list of several."""
    found = [one for one in parts if one]
    if len(found) <= 1:
        return "".join(found)
    return f"<ul{f' class={chr(34)}{kind}{chr(34)}' if kind else ''}>{''.join(f'<li>{one}</li>' for one in found)}</ul>"


def _readings(row: RowResult, anchor: str, shelf: Shelf) -> str:
    shared, labels = told_apart([one.label for one in row.readings])
    lines = [
        _reading(one, label, f"{anchor}{f'-{place}' * (place > 1)}", shelf)
        for place, (one, label) in enumerate(zip(row.readings, labels, strict=True), 1)
    ]
    return _items([*lines, f'<span class="quiet">All: {short(shared)}.</span>' if shared else ""], "plain")


def _reading(one: ReadingVerdict, label: str, name: str, shelf: Shelf) -> str:
    shown = sign(one.verdict)
    more = witness_words(one) if one.verdict is Verdict.CONSISTENT else one.reason
    # A label is often the beginning of the words; the longer of the two then says it all.
    both = label if label and one.words and not one.words.startswith(label) else ""
    words = f'{short(label, 300)} <span class="quiet">({short(one.words, 400)})</span>' if both else ""
    said = f"<em>{shown.word}</em>. {words or short(one.words or label, 400)}{'; ' if more else ''}{short(more, 600)}"
    button = shelf.button(one.certificate, f"certificate-{name}.json", label or one.words)
    return (
        f'<div class="reading"><span class="sign {one.verdict}" aria-hidden="true">{shown.symbol}</span>'
        f"<span>{said}</span>{button}</div>"
    )


def _conflict(one: Mapping[str, Any]) -> str:
    names = ", ".join(texts(one, "scores"))
    words = sentence(text(one, "words")) or sentence(f"{names} exclude each other")
    return short(words, _LONG)


def _repair(one: Mapping[str, Any]) -> str:
    changes = "; ".join(
        f"{short(text(change, 'score'), 40)} <s>{short(text(change, 'from'), 60)}</s> → "
        f'<b class="num">{short(text(change, "to"), 60)}</b>'
        for change in entries(one, "changes")[:_MOST_ITEMS]
    )
    slip = text(one, "slip")
    words = text(one, "words")
    if not changes:
        return short(sentence(words), _LONG)
    # Words that only repeat the changes are left out.
    repeats = all(text(change, "to") in words for change in entries(one, "changes"))
    because = f" ({short(slip, 120)})" if slip else ""
    return f"{changes}{because}. {'' if repeats else short(sentence(words), _LONG)}".strip()


def _hypotheses(found: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Those that fit or are open one by one, those that do not fit together."""
    for one in found:
        answer = text(one, "answer")
        if answer != "does not fit":
            kind = "consistent" if answer == "fits" else "undecided"
            words, label = text(one, "words"), text(one, "label") or text(one, "name")
            said = words if words.startswith(label) else f"{label}: {answer or 'undecided'}. {sentence(words)}"
            yield (
                f'<span class="sign {kind}" aria-hidden="true">{SIGNS[kind].symbol}</span> '
                f"{short(sentence(said), _LONG)}"
            )
    failed = [text(one, "label") or text(one, "name") for one in found if text(one, "answer") == "does not fit"]
    if failed:
        listed = "; ".join(cut(one, 200) for one in failed[:_MOST_ITEMS])
        shown = f'<span class="sign inconsistent" aria-hidden="true">{SIGNS["inconsistent"].symbol}</span>'
        yield f"{shown} Would not explain it: {short(listed, _LONG)}."


def _more(conflicts: Sequence[Mapping[str, Any]]) -> str:
    more = len(conflicts) - _MOST_CONFLICTS
    return f'<span class="quiet">and {counted(more, "more conflict")}.</span>' if more > 0 else ""


def _figures(row: RowResult) -> Iterator[str]:
    """One figure for each test set (p, n) among the readings with one confusion matrix."""
    seen: set[tuple[int, int]] = set()
    if row.outcome in (Outcome.UNTESTED, Outcome.ERROR):
        return
    for one in row.readings:
        if len(seen) == _MOST_FIGURES:
            return
        wrong = one.verdict is Verdict.INCONSISTENT
        found = region(one.statement, conflict_scores(row) if wrong and len(row.readings) == 1 else ())
        if found is not None and (found.p, found.n) not in seen:
            seen.add((found.p, found.n))
            name = row_name(row)
            said = caption(found, one.verdict)
            if len(row.readings) > 1:
                said = f"{sentence(one.label or one.words)} {said}"
            yield figure(found, name, said)
