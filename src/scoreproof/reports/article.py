"""The text of one row: verdict, readings, smallest conflict, nearest repairs, hypotheses, strength, figure.

What is proved and what is conjectured are kept apart, in words that accuse nobody.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from scoreproof.audit import Outcome, ReadingVerdict, RowResult
from scoreproof.reports.certificates import Shelf
from scoreproof.reports.escape import short
from scoreproof.reports.figure import caption, figure
from scoreproof.reports.region import region
from scoreproof.reports.words import (
    SIGNS,
    conflict_scores,
    entries,
    printed,
    row_name,
    sentence,
    sign,
    strength,
    text,
    texts,
    verdict_sentence,
    witness_words,
)
from scoreproof.verdict import Verdict

_ANSWERS = {"fits": "consistent", "does not fit": "inconsistent", "undecided": "undecided"}
_MOST_ITEMS = 12
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
    yield "Experiment", short(sentence(row.experiment or text(said, "experiment")), _LONG)
    yield "Readings" if len(row.readings) > 1 else "Check", _readings(row, anchor, shelf)
    conflicts = entries(said, "conflicts")
    yield "Smallest conflict", _items(_conflict(one) for one in conflicts[:3])
    yield "Nearest repairs", _items(_repair(one) for one in entries(said, "repairs")[:_MOST_ITEMS])
    yield "Other assumptions", _items((_hypothesis(one) for one in entries(said, "hypotheses")[:_MOST_ITEMS]), "plain")
    yield "Proved", _items(short(sentence(one), _LONG) for one in texts(said, "proved")[:_MOST_ITEMS])
    yield "Conjectured", _items(short(sentence(one), _LONG) for one in texts(said, "conjectured")[:_MOST_ITEMS])
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
    return _items(
        (_reading(one, f"{anchor}{f'-{place}' * (place > 1)}", shelf) for place, one in enumerate(row.readings, 1)),
        "plain",
    )


def _reading(one: ReadingVerdict, name: str, shelf: Shelf) -> str:
    shown = sign(one.verdict)
    words = one.words or one.label
    more = witness_words(one) if one.verdict is Verdict.CONSISTENT else one.reason
    label = f"{short(one.label, 300)}: " if one.label and one.label != words else ""
    said = f"<em>{shown.word}</em>. {label}{short(words, 400)}{'; ' if more else ''}{short(more, 600)}"
    button = shelf.button(one, f"certificate-{name}.json", one.label or words)
    return (
        f'<div class="reading"><span class="sign {one.verdict}" aria-hidden="true">{shown.symbol}</span>'
        f"<span>{said}</span>{button}</div>"
    )


def _conflict(one: Mapping[str, Any]) -> str:
    names = ", ".join(texts(one, "scores"))
    words = sentence(text(one, "words")) or sentence(f"{names} exclude each other")
    return f"{short(words, _LONG)} {short(text(one, 'identity'), _LONG)}".strip()


def _repair(one: Mapping[str, Any]) -> str:
    changes = "; ".join(
        f"{short(text(change, 'score'), 40)} <s>{short(text(change, 'from'), 60)}</s> → "
        f'<b class="num">{short(text(change, "to"), 60)}</b>'
        for change in entries(one, "changes")[:_MOST_ITEMS]
    )
    slip = text(one, "slip")
    words = sentence(text(one, "words"))
    head = f"{changes} ({short(slip, 120)}). " if changes and slip else f"{changes}. " if changes else ""
    return f"{head}{short(words, _LONG)}"


def _hypothesis(one: Mapping[str, Any]) -> str:
    answer = text(one, "answer")
    kind = _ANSWERS.get(answer, "undecided")
    words = sentence(text(one, "words"))
    label = text(one, "label") or text(one, "name")
    return (
        f'<span class="sign {kind}" aria-hidden="true">{SIGNS[kind].symbol}</span> {short(label, 400)}: '
        f"<em>{short(answer or 'undecided', 40)}</em>. {short(words, _LONG)}"
    )


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
