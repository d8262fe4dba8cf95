"""What headers say only together.

P with N are class counts, P with R precision and recall; SE is a sensitivity beside a specificity and a standard error
otherwise; "DRIVE Acc, DRIVE F1, STARE Acc, STARE F1" are two data sets, "Suffix err." alone is nothing known; a number
of images is that of the evaluated ones where positives or negatives stand beside it. A known unit that all errors
have in common makes no group: the R² beside them is of the same numbers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from scoreproof.documents.meaning.heading_words import SHY, UNITS
from scoreproof.documents.meaning.headings import Heading, Role
from scoreproof.quantities import quantity

_SQUARES = frozenset({"mse", "variance"})
_ERRORS = frozenset({"mae", "rmse", "maxe", "medae", "bias"}) | _SQUARES
_CELLS = frozenset({"p", "n", "tp", "fp", "fn", "tn"})


def together(headings: Sequence[Heading]) -> list[Heading]:
    """The headers of one table, with those understood that others explain.

    >>> from scoreproof.documents.meaning.headings import read_heading
    >>> [one.score for one in together([read_heading(text) for text in ("SE", "SP", "AUC")])]
    ['sens', 'spec', 'auc']
    >>> [one.score for one in together([read_heading(text) for text in ("Estimate", "SE")])]
    ['', '']
    """
    found = _letters(list(headings))
    found = _short(found)
    found = _grids(found)
    found = _units(found)
    return _sizes(found)


def _letters(headings: list[Heading]) -> list[Heading]:
    """One-letter headers that only a partner explains."""
    letters = {heading.text.strip().lower(): column for column, heading in enumerate(headings)}
    if "p" in letters and "n" in letters:
        for letter in "pn":
            note = "P and N read as positives and negatives"
            headings[letters[letter]] = Heading(headings[letters[letter]].text, Role.COUNT, count=letter, note=note)
    elif "p" in letters and "r" in letters:
        for letter, name in (("p", "ppv"), ("r", "sens")):
            note = "P and R read as precision and recall"
            headings[letters[letter]] = Heading(headings[letters[letter]].text, Role.SCORE, name, note=note)
    return headings


def _short(headings: list[Heading]) -> list[Heading]:
    """Short names of several senses count where a score of their company, or both class counts, are in the table."""
    counted = {heading.count for heading in headings if heading.role is Role.COUNT}
    names = [heading.score or (heading.likely if heading.shy else "") for heading in headings]
    found = []
    for column, heading in enumerate(headings):
        wanted = SHY[heading.shy][1] if heading.shy else frozenset()
        confirmed = bool(wanted) and (
            {"p", "n"} <= counted or any(name in wanted for other, name in enumerate(names) if other != column)
        )
        found.append(_as_score(heading) if confirmed else heading)
    return found


def _grids(headings: list[Heading]) -> list[Heading]:
    """Words beside names are groups where at least two of them share at least two scores."""
    beside: dict[str, set[str]] = defaultdict(set)
    for heading in headings:
        if heading.likely and not heading.shy:
            beside[heading.group].add(heading.likely)
    groups = {
        group
        for group, names in beside.items()
        if any(other != group and len(names & theirs) >= 2 for other, theirs in beside.items())
    }
    return [
        _as_score(heading) if heading.likely and not heading.shy and heading.group in groups else heading
        for heading in headings
    ]


def _units(headings: list[Heading]) -> list[Heading]:
    """Errors that are all in one unit, and their squares in its square, are no group of columns."""
    scores = [heading for heading in headings if heading.role is Role.SCORE]
    units = {_unit(heading) for heading in scores if heading.score in _ERRORS}
    others = {heading.group for heading in scores if heading.score not in _ERRORS}
    if len(units) != 1 or not units <= UNITS or others - {""}:
        return headings
    return [replace(heading, group="") if heading.score in _ERRORS else heading for heading in headings]


def _unit(heading: Heading) -> str:
    return heading.group.rstrip("²2") if heading.score in _SQUARES else heading.group


def _sizes(headings: list[Heading]) -> list[Heading]:
    """Numbers of cases whose classes stand beside them are those of the evaluated cases."""
    confirmed = {heading.group for heading in headings if heading.role is Role.COUNT and heading.count in _CELLS}
    return [
        replace(heading, role=Role.COUNT, count="total", note="")
        if heading.count == "size" and heading.group in confirmed
        else replace(heading, count="")
        if heading.count == "size"
        else heading
        for heading in headings
    ]


def _as_score(heading: Heading) -> Heading:
    note = f"{heading.text!r} read as {quantity(heading.likely).title}"
    return replace(heading, role=Role.SCORE, score=heading.likely, likely="", shy="", note=note)
