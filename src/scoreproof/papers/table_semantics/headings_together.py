"""What headers say only together, and what they say with the cells below them and the caption.

P with N are class counts, P with R and F1 precision and recall; SE is a sensitivity beside a specificity and a standard
error otherwise; a number of images is that of the evaluated ones where positives or negatives stand beside it. "F1"
over 1159 is a formant, "p" over 0.03 no count, and a table of differences holds no scores.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from scoreproof.papers.table_semantics import words
from scoreproof.papers.table_semantics.cells import CellKind, read_cell, read_count
from scoreproof.papers.table_semantics.headings import BY_COMPANY, CONFIRMED, DOUBTFUL, Heading, Role
from scoreproof.papers.table_semantics.words import PATTERNS, SETS, in_english, key_of
from scoreproof.quantities import quantity

_SAYS = PATTERNS["headings_together"]
_SQUARES = frozenset({"mse", "variance"})
_ERRORS = frozenset({"mae", "rmse", "maxe", "medae", "bias"}) | _SQUARES
_INSIDE = frozenset({"tp", "fp", "fn", "tn", "p", "n"})
_LETTERS = frozenset(letter for letters in words.TOGETHER for letter in letters)
MAY_BE_RUNS = "the number of what? of runs, it may be"
_LOOKED_AT = 200  # rows
_FEWEST_CASES = 20  # of a test set, where a single letter counts them


def together(headings: Sequence[Heading]) -> list[Heading]:
    """The headers of one table, with those understood that others explain."""
    return _not_scores(_counted(_of_one_unit(_explained(_letters(list(headings))))))


def _letters(headings: list[Heading]) -> list[Heading]:
    """Headers of letters that only partners in their group explain: precision and recall, positives and negatives."""
    places: dict[str, dict[str, int]] = defaultdict(dict)
    for column, heading in enumerate(headings):
        parts = [_SAYS["bare"].sub("", part) for part in heading.text.split(" / ")]
        letter = next((part for part in parts if part in _LETTERS), "")
        if letter and heading.role is not Role.SCORE:
            group = " ".join(word for word in heading.group.split(" ") if word != letter)
            places[group].setdefault(letter, column)
    for group, columns in places.items():
        company = {heading.score or heading.likely for heading in headings if heading.group == group} & SETS["company"]
        for letters, names in words.TOGETHER.items():
            if {*letters} <= columns.keys() and (letters != ("P", "R") or company):
                own = f"{group} {letters[0][:-1]}".strip()
                note = f"{' and '.join(letters)} read as {' and '.join(names)}"
                for letter, name in zip(letters, names, strict=True):
                    column = columns.pop(letter)
                    role, field = (Role.COUNT, "count") if name in _INSIDE else (Role.SCORE, "score")
                    known: dict[str, Any] = {"role": role, field: name, "group": own, "note": note}
                    headings[column] = replace(headings[column], sure=BY_COMPANY, **known)
    return headings


def _explained(headings: list[Heading]) -> list[Heading]:
    """Short names that a score of their company confirms, and words that two names share: both are of the ill."""
    names = [heading.score or (heading.likely if heading.shy else "") for heading in headings]
    beside: dict[str, set[str]] = defaultdict(set)
    for heading in headings:
        if heading.likely and not heading.shy and heading.group.strip("[]()") not in words.UNITS:
            beside[heading.group].add(heading.likely)
    read = []
    for column, heading in enumerate(headings):
        if heading.shy:
            others = {*names[:column], *names[column + 1 :]}
            explained = bool((others | {name.partition("@")[0] for name in others}) & words.SHY[heading.shy][1])
        else:
            explained = bool(heading.likely) and len(beside[heading.group]) > 1
        if explained:
            note = f"{heading.text!r} read as {quantity(heading.likely).title}"
            sure = CONFIRMED if heading.shy else BY_COMPANY
            heading = replace(heading, role=Role.SCORE, score=heading.likely, likely="", shy="", note=note, sure=sure)
        read.append(heading)
    return read


def _of_one_unit(headings: list[Heading]) -> list[Heading]:
    """Errors that are all in one unit, and their squares in its square, are no group of columns."""
    scores = [heading for heading in headings if heading.role is Role.SCORE]
    errors = [heading for heading in scores if heading.score in _ERRORS]
    units = {error.group.rstrip("²2") if error.score in _SQUARES else error.group for error in errors}
    if len(units) != 1 or not units <= words.UNITS or any(head.group and head.score not in _ERRORS for head in scores):
        return headings
    return [replace(heading, group="") if heading in errors else heading for heading in headings]


def _counted(headings: list[Heading]) -> list[Heading]:
    """Counts that nothing beside them confirms are left: TP may be a throughput, Pos a part of speech, N of species."""
    scores: dict[str, set[str]] = defaultdict(set)
    counts: dict[str, set[str]] = defaultdict(set)
    for heading in headings:
        if heading.role is Role.SCORE:
            scores[heading.group].add(heading.score)
        elif heading.count:
            counts[heading.group].add(heading.count)
    right = any(_SAYS["right"].fullmatch(heading.text) for heading in headings)
    split = any(_SAYS["train"].match(heading.text) and heading.role is not Role.SCORE for heading in headings)
    counted = []
    for heading in headings:
        beside = counts[heading.group] - {heading.count}
        if heading.count == "size":  # of the evaluated cases, if their classes stand beside it
            evaluated = beside & _INSIDE or (right and not heading.group)
            known = replace(heading, role=Role.COUNT, count="total", note="")
            counted.append(known if evaluated else replace(heading, count=""))
        else:
            note = _doubt(heading, beside, scores[heading.group], split)
            counted.append(_without(heading, note) if note else heading)
    return counted


def _doubt(heading: Heading, beside: set[str], scores: set[str], split: bool) -> str:
    """Why a count is not taken for one; nothing if it is."""
    name, tested = heading.count, "test" in key_of(heading.text)
    explained = beside & _INSIDE or scores & {*words.RATES.get(name, ())}
    if name in _INSIDE and not explained and (name not in "pn" or not beside & {"total", "size"}):
        return f"{heading.text!r} alone may be something else than a count of cases"
    if name in ("p", "n", "total") and split and not tested:
        return "cases of which set? a column of training data stands beside it"
    if name == "total" and heading.group and not scores and not tested:
        return f"the number of what? no score stands under {heading.group!r}"
    return ""


def _not_scores(headings: list[Heading]) -> list[Heading]:
    """F1, F2, F3 are factors, formants or features; beside ranks a mean average precision is one over queries."""
    scores = {heading.score for heading in headings if heading.role is Role.SCORE}
    series = {head.score for head in headings if _SAYS["series"].fullmatch(head.score) and not head.qualifier}
    notes = {}
    if series - {"f1", "f2"} or (series == {"f1", "f2"} and scores == series):
        notes = dict.fromkeys(series, f"numbered headers ({', '.join(sorted(series)).upper()}), not F-scores")
    if any(quantity(name).kind == "ranking" for name in scores) and not scores & {"ap50", "ap75"}:
        notes["map"] = "a mean average precision over queries: no check uses it yet"
    columns = Counter((heading.score, heading.group, heading.qualifier) for heading in headings)
    kept = []
    for head in headings:
        # a largest or smallest value belongs to others of its score
        chosen = head.statistic in ("min", "max") and columns[head.score, head.group, head.qualifier] == 1
        note = notes.get(head.score, "the best of several, or of all thresholds?" if chosen and head.score else "")
        kept.append(_without(head, note) if note else head)
    return kept


def _without(heading: Heading, why: str) -> Heading:
    return replace(heading, role=Role.OTHER, score="", qualifier="", statistic="", count="", note=why)


def without_doubtful(headings: list[Heading], columns: Sequence[Sequence[str]], caption: str) -> list[Heading]:
    """The headings, those left out that the cells below or the caption speak against."""
    compared = _SAYS["no_scores"].match(caption.strip()[:200])
    against = f"the caption speaks of {compared[0].split()[-1].lower()}" if compared else ""
    looked = [cells[:_LOOKED_AT] for cells in columns]
    means = any(heading.statistic in ("mean", "std", "sem") for heading in headings)
    means = means or any(2 * sum("±" in text for text in cells) > len(cells) for cells in looked)
    first = re.findall(r"\w+", in_english(headings[0].text if headings else "x").lower())  # rows are classes, or may be
    by_classes = {*first} <= SETS["heads_of_classes"] and not any(heading.count in _INSIDE for heading in headings)
    kept = []
    for heading, cells in zip(headings, looked, strict=True):
        if heading.role in (Role.SCORE, Role.COUNT):
            texts = [text.strip()[:200] for text in cells]
            filled = [text for text in texts if read_cell(text).kind is not CellKind.MISSING]
            if heading.role is Role.COUNT:
                why = _no_count(heading, filled, means, by_classes)
            else:
                why, sure = _no_score(heading, filled)
                heading, why = replace(heading, sure=sure), against or why
            heading = _without(heading, why) if why else heading
        kept.append(heading)
    return _whole_pairs(headings, kept)


def _whole_pairs(before: Sequence[Heading], after: list[Heading]) -> list[Heading]:
    """What is left of a pair of letters is no class either."""
    lost = any(old.count in ("p", "n") and not new.count for old, new in zip(before, after, strict=True))
    return [_without(head, head.note) if lost and head.count in ("p", "n") and head.note else head for head in after]


def _no_score(heading: Heading, texts: Sequence[str]) -> tuple[str, float]:
    """Why what stands under the name of a score is none, nothing if it may be; and how sure the name still is."""
    if texts and not any(char.isdigit() for text in texts for char in text):
        return "no number stands below it", heading.sure
    if heading.score == "ppv" and len(texts) > 1 and all(map(_SAYS["formats"].fullmatch, texts)):
        return "a number format, not the share of right positives", heading.sure
    least, most = quantity(heading.score).range
    numbers = [match for text in texts if (match := _SAYS["plain_number"].fullmatch(text))] if most == 1 else []
    beyond = 0  # numbers that are none of its values in any unit
    for sign, number in (match.groups() for match in numbers):
        negative = least == 0 and sign in ("-", "−", "–") and number.strip("0.,")
        beyond += bool(negative) or float(number.replace(",", ".")) > 100
    why = f"values that no {quantity(heading.score).title} has" if 1 < len(numbers) < 2 * beyond else ""
    return why, DOUBTFUL if beyond else heading.sure


def _no_count(heading: Heading, texts: Sequence[str], means: bool, by_classes: bool) -> str:
    """Why what stands under the header of a count are no cases, or not those of the whole row; nothing if they are."""
    counts = [count for text in texts if (count := read_count(text)) is not None]
    if 2 * len(counts) < sum(_SAYS["plain_number"].match(text) is not None for text in texts):
        return "no whole numbers, so no counts"
    bare = heading.count == "total" and key_of(heading.text.rpartition(" / ")[2]) == "n"
    if bare and (means or max(counts, default=0) < _FEWEST_CASES):
        return MAY_BE_RUNS
    if heading.count == "total" and by_classes and len({*counts}) > 1:
        return "all cases, or those of the row's own class? 'total' in columns says that they are all"
    return ""
