"""Certificates about several classes or labels, unknown or printed: branch and bound over their counts, recomputation.

``multi_class``: no confusion matrix gives a report. All counts are cut into parts, the upper half of each cut coming
first; every part is empty by its sums, or refuted by rows and bounds, or listed. A statement that leaves open what an
averaged F-score is needs a proof for each meaning.

``multi_label``: no counts of labels that do not exclude each other give a report. As for several classes, but nothing
couples the labels. Where the number of cases is not stated, no label is taken to be given to more than 10 million
cases.

``printed_classes``: a printed confusion matrix does not give the scores printed beside it. Everything is recomputed:
the cases of the matrix against the number that is stated, then all scores, with every admitted treatment of 0/0 and
every admitted meaning of an averaged F-score.

``printed_shares``: a printed matrix of shares does not give the scores printed beside it. Each share leaves its cell
some counts out of the cases of its row. A row may be impossible by itself; else the report is refuted as that of
several classes, with tp and q of every class within what the cells leave them.

``unknown_counts``: no confusion matrix of so many classes and cases gives a report, whatever the class counts. These
are cut into parts, the upper half of each cut coming first; every part is empty by its lines, refuted by a sum of lines
that no counts of the part reach, or one choice of all class counts, for which there is a proof of its own
(docs/proofs/unknown_counts.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from typing import Any

from scoreproof_verify.formulas import Rules
from scoreproof_verify.frame import Checker, Left, Patience, Words, walk
from scoreproof_verify.replay.class_parts import Group, Part, Ranges, first_part, groups_of, keep_to, lines_of, narrowed
from scoreproof_verify.replay.class_refutation import Bounds, Cells, Lists, broken, read_cells, within_rows
from scoreproof_verify.replay.class_report import Stated, beta_squared, gives, read_report
from scoreproof_verify.replay.count_lines import CountLines, Sum
from scoreproof_verify.texts import Document, integer, known_keys, list_of, quoted, require

KEYS = frozenset({"classes", "scores", "undefined", "macro_f1"})
_MEANINGS = ("mean", "of means")
_MOST_STEPS = 100_000
_MOST_SAID = 12


def check_report(
    statement: Document,
    proof: Document,
    rules: Rules,
    patience: Patience,
    *,
    exclusive: bool,
    cells: Cells | None = None,
) -> Words:
    """What a proof about exclusive classes, or about labels, proves, in words; ``Rejected`` if it proves nothing.

    ``cells`` bound those of one matrix, where they are printed.
    """
    stated = read_report(statement, exclusive=exclusive)
    readings = [read_report({**statement, "macro_f1": meaning}, exclusive=exclusive) for meaning in meanings(stated)]
    pairs = zip(readings, proofs_of(stated, proof), strict=True)
    parts = sum(_replay(reading, own, patience, cells) for reading, own in pairs)
    return lambda: _words(stated, parts)


def meanings(stated: Stated) -> tuple[str, ...]:
    """What an averaged F-score may be: each of these needs a proof."""
    averaged = any(
        entry.average in ("macro", "weighted") and beta_squared(entry.score) is not None for entry in stated.entries
    )
    return _MEANINGS if stated.macro_f1 == "any" and averaged else (stated.macro_f1,)


def proofs_of(stated: Stated, proof: Document) -> list[Any]:
    """A proof for each of the meanings."""
    wanted = len(meanings(stated))
    if wanted == 1:
        return [proof]
    known_keys("the proof", proof, "kind", "cases")
    require(proof.get("kind") == "cases", "an averaged F-score has two meanings; each needs a proof")
    otherwise = "there is not one proof for each meaning of an averaged F-score"
    return list_of(proof.get("cases"), wanted, wanted, otherwise)


def _listed(stated: Stated) -> str:
    """The first values of a report in words."""
    more = len(stated.entries) - _MOST_SAID
    return ", ".join(entry.said(stated.names) for entry in stated.entries[:_MOST_SAID]) + (
        f" and {more} more scores as printed" if more > 0 else ""
    )


def _words(stated: Stated, parts: int) -> str:
    cases = ", ".join(map(str, stated.counts[0][:_MOST_SAID])) + (", ..." if len(stated.names) > _MOST_SAID else "")
    what = (
        f"confusion matrix of {len(stated.names)} classes"
        if stated.exclusive
        else f"choice of {len(stated.names)} labels"
    )
    sets = f" (nor mean over {len(stated.counts)} such)" if len(stated.counts) > 1 else ""
    return (
        f"Proved: no {what} with {cases} cases{sets} has {_listed(stated)}. "
        f"{parts} part{'s' * (parts != 1)} of all counts, each excluded in exact arithmetic."
    )


def _replay(stated: Stated, proof: Any, patience: Patience, cells: Cells | None) -> int:
    """``Rejected`` unless the steps exclude all counts; how many parts they exclude."""
    document = known_keys("the proof", proof, "kind", "steps")
    require(document.get("kind") == "parts", f"unknown kind of proof {quoted(document.get('kind'))}")
    steps = list_of(document.get("steps"), 1, _MOST_STEPS, "the proof is not a list of steps")
    groups = groups_of(stated)
    if cells is not None:
        _within(groups, cells)
    lines = lines_of(stated, groups)
    bounds, lists = Bounds(stated, groups, patience), Lists(stated, groups, patience, cells)

    def take(part: Part, step: Any, number: int) -> Left[Part]:
        require(isinstance(step, list) and bool(step) and isinstance(step[0], str), "a step is malformed")
        left = narrowed(lines, part, patience)
        if step[0] in ("cut", "right"):
            return _halves(groups, part, step), 0
        if step[0] == "none":
            require(len(step) == 1 and not left, "a part said to be empty is not")
        elif step[0] == "bound":
            if left:
                bounds.refute(part, step)
        else:
            require(step[0] == "list", f"there is no step {quoted(step[0])}")
            require(len(step) == 1, "a step is malformed")
            if left:
                lists.refute(part)
        return [], 1

    whole = first_part(stated, groups, patience)
    return walk([whole], steps, _MOST_STEPS, "the proof ends before all counts are excluded", take, patience)


def _within(groups: list[Group], cells: Cells) -> None:
    """tp is a cell of the diagonal, q the sum of a column."""
    for group in groups:
        t0, t1, q0, q1 = group.box
        low, high = cells[group.place][group.place]
        least, most = (sum(row[group.place][side] for row in cells) for side in (0, 1))
        group.box = max(t0, low), min(t1, high), max(q0, least), min(q1, most)


def _halves(groups: list[Group], part: Part, step: list[Any]) -> list[Part]:
    """A part cut in two, the upper half first."""
    low, high = part.copy(), part.copy()
    value = integer(step[-1], "a cut")
    at = integer(step[1], "what is cut")
    if step[0] == "right":
        require(len(step) == 3 and 0 <= at < len(part.right), "a step is malformed")
        low.right[at], high.right[at] = _cut(part.right[at], value)
        return [high, low]
    require(len(step) == 4 and 0 <= at < len(groups) and step[2] in ("tp", "q"), "a step is malformed")
    t0, t1, q0, q1 = part.boxes[at]
    if step[2] == "tp":
        low.boxes[at], high.boxes[at] = ((*ends, q0, q1) for ends in _cut((t0, t1), value))
    else:
        low.boxes[at], high.boxes[at] = ((t0, t1, *ends) for ends in _cut((q0, q1), value))
    return [high, low]


def _cut(ends: tuple[int, int], value: int) -> tuple[tuple[int, int], tuple[int, int]]:
    least, most = ends
    return (least, min(value, most)), (max(value + 1, least), most)


def check_printed_classes(statement: Document, proof: Document, rules: Rules, patience: Patience) -> Words:
    """What is proved, in words; raises ``Rejected`` if the matrix gives the scores."""
    known_keys("the proof", proof, "kind")
    require(proof.get("kind") == "recomputed", "unknown kind of proof")
    report = {key: value for key, value in statement.items() if key not in ("matrix", "total")}
    stated = read_report(report, exclusive=True)
    matrix = _matrix(statement["matrix"], len(stated.names))
    require(
        len(stated.counts) == 1 and [sum(row) for row in matrix] == list(stated.counts[0]), "the rows are other ones"
    )
    cases = sum(map(sum, matrix))
    total = None if statement["total"] is None else integer(statement["total"], "the number of cases")
    said = ", ".join(entry.said(stated.names) for entry in stated.entries[:_MOST_SAID])
    if total is not None and total != cases:
        return lambda: f"Proved: the printed matrix holds {cases} cases, not {total}."
    counts = [(row[i], sum(other[i] for other in matrix)) for i, row in enumerate(matrix)]
    for meaning in meanings(stated):
        reading = read_report({**report, "macro_f1": meaning}, exclusive=True)
        require(not gives(reading, [counts]), "the matrix gives the scores")
    return lambda: f"Proved: the printed matrix of {len(matrix)} classes and {cases} cases does not give {said}."


def _matrix(document: Any, classes: int) -> list[list[int]]:
    rows = []
    for row in list_of(document, classes, classes, "the matrix does not have a row for every class"):
        own = list_of(row, classes, classes, "a row of the matrix does not have a cell for every class")
        cells = [integer(cell, "a cell") for cell in own]
        require(min(cells) >= 0, "a cell is negative")
        rows.append(cells)
    return rows


def check_printed_shares(statement: Document, proof: Document, rules: Rules, patience: Patience) -> Words:
    """What is proved, in words; raises ``Rejected`` if nothing is."""
    report = {key: statement[key] for key in KEYS}
    stated = read_report(report, exclusive=True)
    require(len(stated.counts) == 1, "a printed matrix is of one set")
    sizes = stated.counts[0]
    cells = read_cells(statement["shares"], statement["shares_rounding"], sizes)
    if proof.get("kind") == "rows":
        known_keys("the proof", proof, "kind")
        require(broken(cells, sizes), "every row of shares is possible")
        return lambda: f"Proved: no confusion matrix of {len(sizes)} classes has the printed shares of its rows."
    words = check_report(report, proof, rules, patience, exclusive=True, cells=within_rows(cells, sizes))
    return lambda: f"{words()} Cells were held to the printed shares."


_MOST_CASES = 10**9
_MOST_LINES = 50_000


def check_unknown_counts(statement: Document, proof: Document, rules: Rules, patience: Patience) -> Words:
    """What a proof about classes of unknown size proves, in words; raises ``Rejected`` if it proves nothing."""
    cases = integer(statement["total"], "the number of cases")
    require(1 <= cases <= _MOST_CASES, "the number of cases is out of range")
    require(isinstance(statement["classes"], list), "there is no list of classes")
    stated = _read(statement, statement["macro_f1"])
    pairs = zip(meanings(stated), proofs_of(stated, proof), strict=True)
    parts = sum(_CountReplay(statement, meaning, patience).parts(own) for meaning, own in pairs)
    return lambda: (
        f"Proved: no confusion matrix of {len(stated.names)} classes on {cases} cases has {_listed(stated)}, "
        f"whatever the class counts. {parts} part{'s' * (parts != 1)} of all class counts, each excluded in exact "
        "arithmetic."
    )


def _with_counts(statement: Document, counts: list[int], macro_f1: Any) -> dict[str, Any]:
    """The statement of a report with these class counts."""
    classes = [{"name": name, "counts": [n]} for name, n in zip(statement["classes"], counts, strict=True)]
    return {**{key: statement[key] for key in ("scores", "undefined")}, "classes": classes, "macro_f1": macro_f1}


def _read(statement: Document, macro_f1: Any) -> Stated:
    """The report as if the first class had all cases; of these counts nothing is used."""
    counts = [statement["total"] if i == 0 else 0 for i in range(len(statement["classes"]))]
    return read_report(_with_counts(statement, counts, macro_f1), exclusive=True)


class _CountReplay:
    """One meaning of averaged F-scores."""

    def __init__(self, statement: Document, meaning: str, patience: Patience) -> None:
        self.statement, self.meaning, self.patience = statement, meaning, patience
        self.lines = CountLines(_read(statement, meaning), statement["total"])
        self.whole = [line.whole for line in self.lines.fixed.values()]

    def parts(self, proof: Any) -> int:
        """``Rejected`` unless the steps exclude all class counts; how many parts they exclude."""
        document = known_keys("the proof", proof, "kind", "steps")
        require(document.get("kind") == "counts", f"unknown kind of proof {quoted(document.get('kind'))}")
        steps = list_of(document.get("steps"), 1, _MOST_STEPS, "the proof is not a list of steps")
        ending = "the proof ends before all class counts are excluded"
        return walk([self.lines.all_counts()], steps, _MOST_STEPS, ending, self._step, self.patience)

    def _step(self, boxes: Ranges, step: Any, number: int) -> Left[Ranges]:
        require(isinstance(step, list) and bool(step) and isinstance(step[0], str), "a step is malformed")
        left = keep_to(self.whole, boxes, self.patience)
        if step[0] == "cut":
            return self._halves(boxes, step), 0
        require(step[0] in ("none", "bound", "known"), f"there is no step {quoted(step[0])}")
        if step[0] == "none":
            require(len(step) == 1 and not left, "a part said to be empty is not")
        elif left:
            (self._bound if step[0] == "bound" else self._known)(boxes, step)
        return [], 1

    def _halves(self, boxes: Ranges, step: list[Any]) -> list[Ranges]:
        require(len(step) == 3, "a step is malformed")
        place, value = integer(step[1], "a class"), integer(step[2], "a cut")
        require(0 <= place < self.lines.classes, "there is no such class")
        low, high = boxes["n", place]
        return [
            {**boxes, ("n", place): (max(value + 1, low), high)},
            {**boxes, ("n", place): (low, min(value, high))},
        ]

    def _known(self, boxes: Ranges, step: list[Any]) -> None:
        """All class counts are single numbers: the report is one of known class counts."""
        require(len(step) == 2 and isinstance(step[1], Mapping), "a step is malformed")
        counts = [boxes["n", i] for i in range(self.lines.classes)]
        require(all(low == high for low, high in counts), "class counts are still open")
        check_report(
            _with_counts(self.statement, [low for low, _ in counts], self.meaning),
            step[1],
            {},
            self.patience,
            exclusive=True,
        )

    def _bound(self, boxes: Ranges, step: list[Any]) -> None:
        """A sum of lines that is below 0 everywhere in the part."""
        require(len(step) == 2, "a step is malformed")
        named = list_of(step[1], 1, _MOST_LINES, "a step has no list of lines")
        total = Sum()
        for number, entry in enumerate(named):
            formed = isinstance(entry, list) and len(entry) >= 3 and isinstance(entry[0], str)
            require(formed, "a line is malformed")
            y = integer(entry[-1], "a multiplier")
            require(y > 0, "a multiplier is not positive")
            total.add(self.lines.named(entry[:-1], boxes), Fraction(y))
            if number % 256 == 0:
                self.patience.check()
        require(self.lines.span(total, boxes)[1] < 0, "some counts keep to the sum of the lines")


KINDS = {
    "multi_class": Checker(KEYS, partial(check_report, exclusive=True)),
    "multi_label": Checker(KEYS | {"total"}, partial(check_report, exclusive=False)),
    "printed_classes": Checker(KEYS | {"matrix", "total"}, check_printed_classes),
    "printed_shares": Checker(KEYS | {"shares", "shares_rounding"}, check_printed_shares),
    "unknown_counts": Checker(KEYS | {"total"}, check_unknown_counts),
}
