"""What headers say only together.

P with N are class counts, P with R and F1 precision and recall; SE is a sensitivity beside a specificity and a standard
error otherwise; "DRIVE Acc, DRIVE F1, STARE Acc, STARE F1" are two data sets, "Suffix err." alone is nothing known; a
number of images is that of the evaluated ones where positives or negatives stand beside it. A known unit that all
errors have in common makes no group: the R² beside them is of the same numbers.

And what they say with the cells below them: "Precision" over fp16 and fp32 is a number format, "F1" over 1159 a
formant, "runs" over 3 and 5 no numbers of folds, "p" over 0.03 no count. Captions are asked, too: a table of
differences holds no scores.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from scoreproof.papers.table_semantics.cells import CellKind, counts_in, read_cell, read_count
from scoreproof.papers.table_semantics.headings import BY_COMPANY, CONFIRMED, DOUBTFUL, Heading, Role
from scoreproof.papers.table_semantics.words import HEADS_OF_CLASSES, PATTERNS, SHY, UNCLEAR, UNITS, in_english, key_of
from scoreproof.quantities import quantity

_SAYS = PATTERNS["headings_together"]
_SQUARES = frozenset({"mse", "variance"})
_ERRORS = frozenset({"mae", "rmse", "maxe", "medae", "bias"}) | _SQUARES
_CELLS = frozenset({"tp", "fp", "fn", "tn"})
_CLASSES = frozenset({"p", "n"})
# The rates that are of these counts alone.
_RATES = {"tp": {"sens"}, "fn": {"sens", "fnr"}, "tn": {"spec"}, "fp": {"spec", "fpr"}, "p": {"sens"}, "n": {"spec"}}
# What is printed beside precision and recall, and not beside a correlation and its p-value.
_COMPANY = frozenset({"f1", "f2", "f0.5", "acc", "ap", "map", "ap50", "ji", "mcc", "auprc", "spec", "fpr"})
_LETTERS = frozenset({"P", "R", "N", "p", "r", "n", "LP", "LR", "LF", "UP", "UR", "UF"})
_SPLITS = frozenset({"train", "training", "trainset", "trainingset", "ntrain", "trainsize", "trainsamples",
                     "trainimages",
                     "trainingsamples", "trainingimages", "trainingcases", "trainingsize", "traincases"})  # fmt: skip


MAY_BE_RUNS = "the number of what? of runs, it may be"
_LOOKED_AT = 200  # rows
_FEWEST_CASES = 20  # of a test set, where a single letter counts them


def together(headings: Sequence[Heading]) -> list[Heading]:
    """The headers of one table, with those understood that others explain.

    >>> from scoreproof.papers.table_semantics.headings import read_heading
    >>> [one.score for one in together([read_heading(text) for text in ("SE", "SP", "AUC")])]
    ['sens', 'spec', 'auc']
    >>> [one.score for one in together([read_heading(text) for text in ("Estimate", "SE")])]
    ['', '']
    """
    sized = _grids(_short(_letters(list(headings))))
    sized = _sizes(_units(_of_queries(sized)))
    return _chosen(_numbered(_counted(sized)))


def _letters(headings: list[Heading]) -> list[Heading]:
    """One-letter headers that only partners in their group explain: precision and recall, positives and negatives."""
    places: dict[str, dict[str, int]] = defaultdict(dict)
    for column, heading in enumerate(headings):
        parts = [_SAYS["bare"].sub("", part) for part in heading.text.split(" / ")]
        letter = next((part for part in parts if part in _LETTERS), "")
        if letter and heading.role is not Role.SCORE:
            group = " ".join(word for word in heading.group.split(" ") if word != letter)
            places[group].setdefault(letter, column)
    for group, letters in places.items():
        names = {heading.score or heading.likely for heading in headings if heading.group == group}
        if {"P", "R"} <= letters.keys() and (names & _COMPANY or _has_cells(headings, group)):
            _read_as(headings, {"ppv": letters["P"], "sens": letters["R"]}, "P and R read as precision and recall")
        elif {"p", "r"} <= letters.keys() and names & {"f1"}:
            _read_as(headings, {"ppv": letters["p"], "sens": letters["r"]}, "p and r read as precision and recall")
        _edges(headings, group, letters)
        _classes(headings, letters)
    return headings


def _classes(headings: list[Heading], letters: Mapping[str, int]) -> None:
    """P beside N that are no scores: positives and negatives."""
    for p, n in ("PN", "pn"):
        if {p, n} <= letters.keys() and headings[letters[p]].role is not Role.SCORE:
            for letter in (p, n):
                heading = headings[letters[letter]]
                note = f"{p} and {n} read as positives and negatives"
                headings[letters[letter]] = replace(heading, role=Role.COUNT, count=letter.lower(), note=note)


def _edges(headings: list[Heading], group: str, letters: Mapping[str, int]) -> None:
    """Labelled and unlabelled edges of a parser: LP, LR and LF, or UP, UR and UF, all three."""
    for kind in "LU":
        triple = [f"{kind}{letter}" for letter in "PRF"]
        if letters.keys() >= {*triple}:
            columns = dict(zip(("ppv", "sens", "f1"), (letters[name] for name in triple), strict=True))
            _read_as(headings, columns, f"{', '.join(triple)} read as precision, recall and F1")
            for column in columns.values():
                headings[column] = replace(headings[column], group=f"{group} {kind}".strip())


def _has_cells(headings: Sequence[Heading], group: str) -> bool:
    own = (heading for heading in headings if heading.group == group)
    return any(heading.role is Role.COUNT and heading.count in _CELLS for heading in own)


def _read_as(headings: list[Heading], names: Mapping[str, int], note: str) -> None:
    for name, column in names.items():
        headings[column] = replace(headings[column], role=Role.SCORE, score=name, note=note, sure=BY_COMPANY)


def _short(headings: list[Heading]) -> list[Heading]:
    """Short names of several senses count where a score of their company, or both class counts, are in the table."""
    counted = {heading.count for heading in headings if heading.role is Role.COUNT}
    names = [heading.score or (heading.likely if heading.shy else "") for heading in headings]
    read = []
    for column, heading in enumerate(headings):
        wanted = SHY[heading.shy][1] if heading.shy else frozenset()
        confirmed = bool(wanted) and (
            (counted >= _CLASSES and heading.shy not in UNCLEAR and len(heading.shy) > 1)  # T and F are counts, too
            or any({name, name.partition("@")[0]} & wanted for other, name in enumerate(names) if other != column)
        )
        read.append(_as_score(heading) if confirmed else heading)
    return read


def _grids(headings: list[Heading]) -> list[Heading]:
    """Words beside names are groups where two scores share them: "Precision (ill)", "Recall (ill)" are of the ill."""
    beside: dict[str, set[str]] = defaultdict(set)
    for heading in headings:
        if heading.likely and not heading.shy:
            beside[heading.group].add(heading.likely)
    groups = {group for group, names in beside.items() if len(names) >= 2 and group.strip("[]()") not in UNITS}
    return [
        _as_score(heading) if heading.likely and not heading.shy and heading.group in groups else heading
        for heading in headings
    ]


def _of_queries(headings: list[Heading]) -> list[Heading]:
    """Beside scores of a ranking a mean average precision is one over queries, and none of a detector."""
    kinds = {quantity(heading.score).kind for heading in headings if heading.role is Role.SCORE}
    if "ranking" not in kinds or any(heading.score in ("ap50", "ap75") for heading in headings):
        return headings
    note = "a mean average precision over queries: no check uses it yet"
    return [_other(heading, note) if heading.score == "map" else heading for heading in headings]


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
    inside = _CELLS | _CLASSES
    confirmed = {heading.group for heading in headings if heading.role is Role.COUNT and heading.count in inside}
    confirmed |= {"" for heading in headings if _SAYS["right"].fullmatch(heading.text)}
    return [
        replace(heading, role=Role.COUNT, count="total", note="")
        if heading.count == "size" and heading.group in confirmed
        else replace(heading, count="")
        if heading.count == "size"
        else heading
        for heading in headings
    ]


def _counted(headings: list[Heading]) -> list[Heading]:
    """Counts that nothing beside them confirms are left: TP may be a throughput, Pos a part of speech, N of species."""
    scores: dict[str, set[str]] = defaultdict(set)
    counts: dict[str, list[str]] = defaultdict(list)
    for heading in headings:
        if heading.role is Role.SCORE:
            scores[heading.group].add(heading.score)
        elif heading.role is Role.COUNT:
            counts[heading.group].append(heading.count)
    split = any(heading.role is not Role.SCORE and key_of(heading.text) in _SPLITS for heading in headings)
    counted = []
    for heading in headings:
        note = ""
        if heading.role is Role.COUNT:
            beside = {*counts[heading.group]} - {heading.count}
            note = _doubt(heading, beside, scores[heading.group], split)
        counted.append(_other(heading, note) if note else heading)
    return counted


def _doubt(heading: Heading, beside: set[str], scores: set[str], split: bool) -> str:
    """Why a count is not taken for one; nothing if it is."""
    name, text = heading.count, heading.text
    inside = beside & (_CELLS | _CLASSES)
    explained = inside or scores & _RATES.get(name, set())
    named = "test" in key_of(text)
    if name in _CELLS and not explained:
        return f"{text!r} alone may be something else than a count of the confusion matrix"
    if name in _CLASSES and (text == "POS" or "total" not in beside) and not explained:
        return f"{text!r} alone may be something else than the number of a class"
    if name in _CLASSES | {"total"} and split and not named and not beside & _CELLS:
        return "cases of which set? a column of training data stands beside it"
    if name == "total" and not named and heading.group and not scores:
        return f"the number of what? no score stands under {heading.group!r}"
    return ""


def _numbered(headings: list[Heading]) -> list[Heading]:
    """F1, F2, F3 are factors, formants or features, and no F-scores of beta 1, 2 and 3."""
    series = {
        heading.score for heading in headings if _SAYS["series"].fullmatch(heading.score) and not heading.qualifier
    }
    others = {heading.score for heading in headings if heading.role is Role.SCORE} - series
    if not (series - {"f1", "f2"} or (series == {"f1", "f2"} and not others)):
        return headings
    note = f"numbered headers ({', '.join(sorted(series)).upper()}), not F-scores"
    return [_other(head, note) if head.role is Role.SCORE and head.score in series else head for head in headings]


def _chosen(headings: list[Heading]) -> list[Heading]:
    """A largest or smallest value belongs to others of its score; alone it is one that was chosen."""
    named = Counter((heading.score, heading.group, heading.qualifier) for heading in headings)
    alone = [
        heading.score != ""
        and heading.statistic in ("min", "max")
        and named[heading.score, heading.group, heading.qualifier] == 1
        for heading in headings
    ]
    note = "the best of several, or of all thresholds?"
    return [_other(heading, note) if lone else heading for heading, lone in zip(headings, alone, strict=True)]


def first_answers(headings: list[Heading], caption: str) -> list[Heading]:
    """A bare "Top-1" is an accuracy where the table says so and nothing speaks of errors, and Hits@1 beside an MRR."""
    words = " ".join((caption, *(heading.text for heading in headings)))
    ranked = any(heading.score == "mrr" for heading in headings)
    if _SAYS.within(words, "error") or not (ranked or _SAYS.within(words, "accuracy")):
        return headings
    name = "hits@1" if ranked else "acc"
    return [
        replace(heading, role=Role.SCORE, score=name, note=f"{heading.text!r} read as {quantity(name).title}")
        if heading.role is Role.OTHER and _SAYS["first"].fullmatch(heading.text.rpartition(" / ")[2])
        else heading
        for heading in headings
    ]


def _other(heading: Heading, note: str) -> Heading:
    return Heading(heading.text, Role.OTHER, group=heading.group, percent=heading.percent, note=note)


def _as_score(heading: Heading) -> Heading:
    note = f"{heading.text!r} read as {quantity(heading.likely).title}"
    sure = CONFIRMED if heading.shy else BY_COMPANY
    return replace(heading, role=Role.SCORE, score=heading.likely, likely="", shy="", note=note, sure=sure)


def without_doubtful(headings: list[Heading], columns: Sequence[Sequence[str]], caption: str) -> list[Heading]:
    """The headings, those left out that the cells below or the caption speak against."""
    compared = _SAYS["no_scores"].match(caption.strip()[:200])
    cut = [cells[:_LOOKED_AT] for cells in columns]
    means = _prints_means(headings, cut)
    by_classes = _heads_classes(headings[0].text if headings else "x") and not any(
        heading.count in _CELLS | _CLASSES for heading in headings
    )
    words = f"the caption speaks of {compared[0].split()[-1].lower()}" if compared else ""
    kept: list[Heading] = []
    for heading, cells in zip(headings, cut, strict=True):
        why = ""
        if heading.role is Role.SCORE:
            why = words or _no_score(heading, cells)
        elif heading.role is Role.COUNT and heading.count != "matrix":
            why = _no_count(cells) or _no_cases(heading, cells, means) or _of_one_class(heading, cells, by_classes)
        kept.append(_without(heading, why) if why else _less_sure(heading, cells))
    lost = any(old.count in ("p", "n") and not new.count for old, new in zip(headings, kept, strict=True))
    # what is left of a pair of letters is no class either
    return [_without(head, head.note) if lost and head.count in ("p", "n") and head.note else head for head in kept]


def _prints_means(headings: Sequence[Heading], columns: Sequence[Sequence[str]]) -> bool:
    named = any(heading.statistic in ("mean", "std", "sem") for heading in headings)
    return named or any(2 * sum("±" in text for text in cells) > len(cells) for cells in columns)


def _without(heading: Heading, why: str) -> Heading:
    return replace(heading, role=Role.OTHER, score="", qualifier="", statistic="", count="", note=why)


def _less_sure(heading: Heading, cells: Sequence[str]) -> Heading:
    beyond = heading.role is Role.SCORE and _beyond(heading, cells)[1]
    return replace(heading, sure=DOUBTFUL) if beyond else heading


def _no_score(heading: Heading, cells: Sequence[str]) -> str:
    filled = [text.strip() for text in cells if read_cell(text[:200]).kind is not CellKind.MISSING]
    if filled and not any(char.isdigit() for text in filled for char in text):
        return "no number stands below it"
    if heading.score == "ppv" and len(filled) > 1 and all(_SAYS["formats"].fullmatch(text) for text in filled):
        return "a number format, not the share of right positives"
    numbers, beyond = _beyond(heading, filled)
    return f"values that no {quantity(heading.score).title} has" if numbers > 1 and 2 * beyond > numbers else ""


def _beyond(heading: Heading, cells: Sequence[str]) -> tuple[int, int]:
    """How many numbers stand under the name of a score, and how many of them are none of its values in any unit."""
    least, most = quantity(heading.score).range
    numbers = [match for text in cells if (match := _SAYS["plain_number"].fullmatch(text.strip()))] if most == 1 else []
    return len(numbers), sum(
        float(match[2].replace(",", ".")) > 100
        or (least == 0 and match[1] in ("-", "−", "–") and bool(match[2].strip("0.,")))
        for match in numbers
    )


def _no_count(cells: Sequence[str]) -> str:
    """Counts are whole: most cells under a header of a count must be."""
    filled = [text for text in cells if read_cell(text[:200]).kind is not CellKind.MISSING]
    whole = sum(1 for text in filled if read_count(text[:200]) is not None or counts_in(text[:200]))
    numbers = sum(1 for text in filled if _SAYS["plain_number"].match(text))
    return "no whole numbers, so no counts" if numbers and 2 * whole < numbers else ""


def _no_cases(heading: Heading, cells: Sequence[str], means: bool) -> str:
    """A bare N counts cases, but runs where means stand beside it, or where it is so small."""
    if heading.count != "total" or key_of(heading.text.rpartition(" / ")[2]) != "n":
        return ""
    numbers = [count for text in cells if (count := read_count(text[:200])) is not None]
    few = max(numbers, default=0) < _FEWEST_CASES
    return MAY_BE_RUNS if means or few else ""


def _heads_classes(text: str) -> bool:
    """Whether rows below a header are classes, or may be since it says nothing."""
    return all(word in HEADS_OF_CLASSES for word in re.findall(r"\w+", in_english(text).lower()))


def _of_one_class(heading: Heading, cells: Sequence[str], by_classes: bool) -> str:
    """Rows of classes count the cases of each class, or all that were tested for it: "Finding, N, Sensitivity"."""
    numbers = {count for text in cells if (count := read_count(text[:200])) is not None}
    if not by_classes or heading.count != "total" or len(numbers) < 2:
        return ""
    return "all cases, or those of the row's own class? 'total' in columns says that they are all"


def numbers_folds(cells: Sequence[str]) -> bool:
    """Whether whole numbers under a header such as "run" number them: from 0 or 1 on, without a gap.

    >>> numbers_folds(["1", "2", "3", "Mean"]), numbers_folds(["3", "5"]), numbers_folds(["A", "B"])
    (True, False, True)
    """
    numbers = sorted({int(text) for text in cells if re.fullmatch(r"\d{1,6}", text.strip())})
    return not numbers or (numbers[0] in (0, 1) and numbers[-1] - numbers[0] == len(numbers) - 1)
