"""What the columns of a table hold, from their headers together, the cells below and the caption.

P with N are class counts, P with R and F1 precision and recall; "F1" over 1159 is a formant. Of two ways to read it the
one that names more scores is taken. Percent or fraction is decided once per column: a header or a sign decides;
otherwise a value from 2 to 100 is a percentage of a score that is at most 1. Cells of the rarer kind are left unread.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple

from scoreproof.documents.table import Table, looks_numeric
from scoreproof.papers.table_semantics import words
from scoreproof.papers.table_semantics.cells import CellKind, ReadCell, read_cell, read_count
from scoreproof.papers.table_semantics.headings import BY_COMPANY, CONFIRMED, DOUBTFUL, Heading, Role, read_heading
from scoreproof.papers.table_semantics.rows import is_fold_header
from scoreproof.papers.table_semantics.words import PATTERNS, SETS, in_english, key_of
from scoreproof.quantities import quantity
from scoreproof.reported.number import read_text

_SAYS = PATTERNS["columns"]
Grid = tuple[tuple[str, ...], ...]
NOT_FOLDS = "not the numbers of folds"
_MOST_LABELS = 4
_MOST_SCORES = 100  # a table with more rows than this does not list scores down its side
_COUNTS = ("p", "n", "total", "support", "tp", "fp", "fn", "tn")
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
    names = {heading.score or (heading.likely if heading.shy else "") for heading in headings}
    names |= {name.partition("@")[0] for name in names}
    beside: dict[str, set[str]] = defaultdict(set)
    for heading in headings:
        if heading.likely and not heading.shy and heading.group.strip("[]()") not in words.UNITS:
            beside[heading.group].add(heading.likely)
    read = []
    for heading in headings:
        shared = bool(heading.likely) and len(beside[heading.group]) > 1
        if (names - {heading.likely}) & words.SHY[heading.shy][1] if heading.shy else shared:
            note = f"{heading.text!r} read as {quantity(heading.likely).title}"
            sure = CONFIRMED if heading.shy else BY_COMPANY
            heading = replace(heading, role=Role.SCORE, score=heading.likely, likely="", shy="", note=note, sure=sure)
        read.append(heading)
    return read


def _of_one_unit(headings: list[Heading]) -> list[Heading]:
    """Errors that are all in one unit, and their squares in its square, are no group of columns."""
    scores = [heading for heading in headings if heading.role is Role.SCORE]
    errors = [heading for heading in scores if heading.score in SETS["errors"]]
    units = {error.group.rstrip("²2") if error.score in SETS["squares"] else error.group for error in errors}
    others = any(head.group for head in scores if head.score not in SETS["errors"])
    if len(units) != 1 or not units <= words.UNITS or others:
        return headings
    return [replace(heading, group="") if heading in errors else heading for heading in headings]


def _counted(headings: list[Heading]) -> list[Heading]:
    """Counts that nothing beside them confirms are left: TP may be a throughput, Pos a part of speech, N of species."""
    named: dict[str, set[str]] = defaultdict(set)
    for heading in headings:
        named[heading.group].add(heading.score or heading.count)
    right = any(_SAYS["right"].fullmatch(heading.text) for heading in headings)
    split = any(_SAYS["train"].match(heading.text) and heading.role is not Role.SCORE for heading in headings)
    counted = []
    for heading in headings:
        beside = named[heading.group] - {heading.count, ""}
        if heading.count == "size":  # of the evaluated cases, if their classes stand beside it
            evaluated = beside & _INSIDE or (right and not heading.group)
            known = replace(heading, role=Role.COUNT, count="total", note="")
            counted.append(known if evaluated else replace(heading, count=""))
        else:
            note = _doubt(heading, beside, split)
            counted.append(_without(heading, note) if note else heading)
    return counted


def _doubt(heading: Heading, beside: set[str], split: bool) -> str:
    """Why a count is not taken for one; nothing if it is."""
    name, tested = heading.count, "test" in key_of(heading.text)
    explained = beside & _INSIDE.union(words.RATES.get(name, ()))
    if name in _INSIDE and not explained and (name not in "pn" or not beside & {"total", "size"}):
        return f"{heading.text!r} alone may be something else than a count of cases"
    if name in ("p", "n", "total") and split and not tested:
        return "cases of which set? a column of training data stands beside it"
    if name == "total" and heading.group and beside <= {*_COUNTS, "size"} and not tested:
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


@dataclass(frozen=True, slots=True)
class Oriented:
    """A grid with scores along the top."""

    rows: Grid
    header_rows: int
    headings: tuple[Heading, ...]
    transposed: bool

    def columns(self, *roles: Role) -> list[int]:
        """The places of the columns that hold one of these."""
        return [index for index, heading in enumerate(self.headings) if heading.role in roles]


def orient(table: Table, transposed: bool | None, named: Mapping[str | int, str]) -> Oriented:
    """The table with its scores along the top; ``named`` are columns that somebody says the meaning of."""
    upright = _oriented(table, table.rows, table.header_rows, named)
    long = transposed is None and len(table.body) > _MOST_SCORES
    if transposed is False or long or not table.rows or len(table.rows[0]) < 2:
        return upright
    most = min(_MOST_LABELS, table.shape[1] - 1)  # of leading columns without numbers in the body
    numbers = (column for column in range(most) if any(looks_numeric(row[column]) for row in table.body))
    turned = _oriented(table, tuple(zip(*table.rows, strict=True)), max(1, next(numbers, most)), named)
    return replace(turned, transposed=True) if transposed or _scores(turned) > _scores(upright) else upright


def _scores(oriented: Oriented) -> int:
    """How many scores and counts the headings name; a lone match may be chance, so scores lead."""
    scores = len(oriented.columns(Role.SCORE))
    return 2 * scores + len(oriented.columns(Role.COUNT)) if scores else 0


def _oriented(table: Table, rows: Grid, headers: int, named: Mapping[str | int, str]) -> Oriented:
    levels = [list(row) for row in rows[:headers]]
    if not table.spans:
        _fill_right(levels)
    tops = [[level[column] for level in levels] for column in range(len(rows[0]) if rows else 0)]
    body = [[row[column] for row in rows[headers:]] for column in range(len(tops))]
    headings = without_doubtful(together([read_heading(top) for top in tops]), body, table.caption)
    _mark_labels(headings, body)
    for column, (heading, top) in enumerate(zip(headings, tops, strict=True)):
        keys: list[str | int] = [column, heading.text, *reversed(top)]
        if (key := next((key for key in keys if key in named), None)) is not None:
            headings[column] = _as(heading, named[key])
    return Oriented(rows, headers, tuple(headings), False)


def _mark_labels(headings: list[Heading], body: Sequence[Sequence[str]]) -> None:
    """Columns of names are labels: the first, unless it is one of losses, those of folds, those without numbers."""
    loss, pairs = words.NEVER["loss"], zip(headings, body, strict=True)
    losses = [heading.note == loss and not _is_label(cells) for heading, cells in pairs]
    first = losses.index(False) if False in losses else 0  # it may name the rows
    for column, heading in enumerate(headings):
        if heading.role is Role.OTHER:
            is_fold, numbered = is_fold_header(heading.text), _numbers_folds(body[column])
            if column == first or (is_fold and numbered) or _is_label(body[column]):
                note = NOT_FOLDS if is_fold and not numbered else ""
                headings[column] = Heading(heading.text, Role.LABEL, note=note)


def _numbers_folds(cells: Sequence[str]) -> bool:
    """Whether whole numbers under a header such as "run" number them: from 0 or 1 on, without a gap."""
    numbers = sorted({int(text) for text in cells if re.fullmatch(r"\d{1,6}", text.strip())})
    return not numbers or (numbers[0] in (0, 1) and numbers[-1] - numbers[0] == len(numbers) - 1)


def _fill_right(levels: list[list[str]]) -> None:
    """Fill blanks of the upper header levels from the left, never from a header that stands alone above blanks."""
    columns = list(zip(*levels, strict=True))
    lowest = [max((depth for depth, text in enumerate(texts) if text), default=-1) for texts in columns]
    for depth, level in enumerate(levels[:-1]):
        for column in range(1, len(level)):
            if level[column] or not level[column - 1] or min(lowest[column - 1 : column + 1]) <= depth:
                continue
            # two scores cannot stand above each other: "Pre." does not reach over "Youden"
            below = columns[column][depth + 1 :]
            if not (_names_score(level[column - 1]) and any(map(_names_score, below))):
                level[column] = level[column - 1]


def _names_score(text: str) -> bool:
    heading = read_heading(text)
    return heading.role is Role.SCORE or bool(heading.likely)


def _is_label(cells: Sequence[str]) -> bool:
    filled = [text for text in cells if text]
    numbers = sum(looks_numeric(text) or _SAYS["interval"].fullmatch(text[:60].strip()) is not None for text in filled)
    return not filled or numbers < 0.5 * len(filled)


def _as(heading: Heading, wanted: str) -> Heading:
    """The heading as the user says it is: a score's name, a count, 'label' or 'ignore'."""
    if wanted in ("label", "ignore"):
        return Heading(heading.text, Role.LABEL if wanted == "label" else Role.OTHER, note="as told")
    group = "" if heading.role is Role.OTHER else heading.group
    if wanted in _COUNTS:
        return Heading(heading.text, Role.COUNT, count=wanted, group=group, note="as told")
    stated = read_heading(wanted)
    score = stated.score or quantity(wanted).name  # which raises with the nearest names
    averaged, statistic = stated.qualifier or heading.qualifier, stated.statistic or heading.statistic
    percent = heading.percent or stated.percent
    return Heading(heading.text, Role.SCORE, score, averaged, statistic, percent=percent, group=group, note="as told")


class Scale(StrEnum):
    """The unit of a column."""

    FRACTION = "fraction"
    PERCENT = "percent"
    PLAIN = "plain"  #: the score has no upper bound: the number is taken as it stands


class ScaleDecision(NamedTuple):
    """The scale of a column, why, and which of its cells contradict it."""

    scale: Scale
    why: str
    unclear: frozenset[int] = frozenset()


@lru_cache(maxsize=1 << 16)
def _size(number: str) -> str:
    """Where a bare number lies, which says what unit it allows: only a page number or a count is above 100."""
    printed = read_text("cell", number).number
    units, scale = abs(printed.units), printed.scale
    small = "zero" if units == 0 else "below" if units <= scale else "between"
    return small if units < 2 * scale else "above" if units <= 100 * scale else "beyond"


def decide(heading: Heading, cells: Sequence[ReadCell], caption: str = "") -> ScaleDecision:
    """The scale of one column of scores."""
    if quantity(heading.score).range[1] != 1:
        return ScaleDecision(Scale.PLAIN, "the score has no upper bound")
    sizes: dict[str, set[int]] = defaultdict(set)
    for number, cell in enumerate(cells):
        if cell.kind is CellKind.NUMBER:
            size = _size(cell.number)
            sizes["signed" if cell.percent and size != "beyond" else size].add(number)
    above, below, beyond = sizes["above"], sizes["below"], frozenset(sizes["beyond"])
    if heading.percent:
        # Fractions under a percent sign, or shares below one percent? Nothing tells.
        small = below and not sizes["signed"] | sizes["between"] | above | beyond
        return ScaleDecision(Scale.PERCENT, "the header says %", frozenset(below | sizes["zero"]) if small else beyond)
    if not above:
        if sizes["signed"] and not below | sizes["zero"] | sizes["between"]:
            return ScaleDecision(Scale.PERCENT, "every value carries %", beyond)
        return ScaleDecision(Scale.FRACTION, "values up to 1" if sizes["between"] else "no value is above 1", beyond)
    if not below or _SAYS["percent"].search(caption):
        return ScaleDecision(Scale.PERCENT, "the caption speaks of percent" if below else "values above 1", beyond)
    if len(above) > len(below):
        return ScaleDecision(Scale.PERCENT, "most values are above 1", beyond | below)
    if len(above) < len(below):
        return ScaleDecision(Scale.FRACTION, "most values are not above 1", beyond | above)
    return ScaleDecision(Scale.FRACTION, "as many values above 1 as below", beyond | above | below)
