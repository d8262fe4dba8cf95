"""Certificates about several classes or labels, unknown or printed: branch and bound over their counts, recomputation.

``multi_class``, ``multi_label``: no counts of classes that exclude each other, or of labels that do not, give a report.
All counts are cut into parts; each is empty by its sums, or refuted by rows and bounds, or listed. A statement that
leaves open what an averaged F-score is needs a proof for each meaning.

``printed_classes``: a printed confusion matrix does not give the scores printed beside it: all is recomputed.
``printed_shares``: nor does a printed matrix of shares, each of which leaves its cell some counts of its row.

``unknown_counts``: no confusion matrix of so many classes and cases gives a report, whatever the class counts. Every
part of these is empty by its lines, refuted by a sum of lines, or one choice of all class counts with its own proof.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from scoreproof_verify.documents import Document, counted, integer, list_of, listed
from scoreproof_verify.formulas import Rules
from scoreproof_verify.frame import Checker, Patience, Words
from scoreproof_verify.replay.class_parts import (
    Group,
    Ranges,
    Variable,
    first_part,
    groups_of,
    keep_to,
    lines_of,
    replay_parts,
)
from scoreproof_verify.replay.class_refutation import Bounds, Lists
from scoreproof_verify.replay.class_report import Stated, beta_squared, gives, read_report
from scoreproof_verify.replay.count_lines import CountLines, Sum
from scoreproof_verify.texts import interval, require

Cells = list[list[tuple[int, int]]]
KEYS = frozenset({"classes", "scores", "undefined", "macro_f1"})
_MEANINGS = ("mean", "of means")
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
    parts = sum(_replay(stated.meant(way), own, patience, cells) for way, own in proofs_of(stated, proof))
    return lambda: _words(stated, parts)


def meanings(stated: Stated) -> tuple[str, ...]:
    """What an averaged F-score may be: each of these needs a proof."""
    averaged = any(
        entry.average in ("macro", "weighted") and beta_squared(entry.score) is not None for entry in stated.entries
    )
    return _MEANINGS if stated.macro_f1 == "any" and averaged else (stated.macro_f1,)


def proofs_of(stated: Stated, proof: Document) -> list[tuple[str, Any]]:
    """Each of the meanings with its proof."""
    ways = meanings(stated)
    if len(ways) == 1:
        return [(ways[0], proof)]
    proof.keep_to("kind", "cases")
    require(proof.get("kind") == "cases", "an averaged F-score has two meanings; each needs a proof")
    otherwise = "there is not one proof for each meaning of an averaged F-score"
    return [*zip(ways, proof.list_of("cases", len(ways), len(ways), otherwise), strict=True)]


def _listed(stated: Stated) -> str:
    more = len(stated.entries) - _MOST_SAID
    first = listed(entry.said(stated.names) for entry in stated.entries[:_MOST_SAID])
    return first + (f" and {more} more scores as printed" if more > 0 else "")


def _words(stated: Stated, parts: int) -> str:
    cases = listed(stated.counts[0][:_MOST_SAID]) + (", ..." if len(stated.names) > _MOST_SAID else "")
    names = len(stated.names)
    what = f"confusion matrix of {names} classes" if stated.exclusive else f"choice of {names} labels"
    sets = f" (nor mean over {len(stated.counts)} such)" if len(stated.counts) > 1 else ""
    return (
        f"Proved: no {what} with {cases} cases{sets} has {_listed(stated)}. "
        f"{counted(parts, 'part')} of all counts, each excluded in exact arithmetic."
    )


def _replay(stated: Stated, proof: Any, patience: Patience, cells: Cells | None) -> int:
    """``Rejected`` unless the steps exclude all counts; how many parts they exclude."""
    groups = groups_of(stated)
    if cells is not None:
        _within(groups, cells)
    lines = lines_of(stated, groups)
    rules = {
        "bound": Bounds(stated, groups, patience).refute,
        "list": Lists(stated, groups, patience).refute,
    }

    def cut(step: list[Any]) -> tuple[Variable, int] | None:
        if step[0] not in ("cut", "right"):
            return None
        value = integer(step[-1], "a cut")
        at = integer(step[1], "what is cut")
        if step[0] == "right":
            require(len(step) == 3 and 0 <= at < len(stated.counts), "a step is malformed")
            return ("right", at), value
        require(len(step) == 4 and 0 <= at < len(groups) and step[2] in ("tp", "q"), "a step is malformed")
        return (step[2], at), value

    whole = first_part(stated, groups, patience)
    ending = "the proof ends before all counts are excluded"
    return replay_parts(proof, "parts", whole, partial(keep_to, lines, patience=patience), cut, rules, ending, patience)


def _within(groups: list[Group], cells: Cells) -> None:
    """tp is a cell of the diagonal, q the sum of a column."""
    for group in groups:
        t0, t1, q0, q1 = group.box
        low, high = cells[group.place][group.place]
        least, most = (sum(row[group.place][side] for row in cells) for side in (0, 1))
        group.box = max(t0, low), min(t1, high), max(q0, least), min(q1, most)


def check_printed_classes(statement: Document, proof: Document, rules: Rules, patience: Patience) -> Words:
    proof.keep_to("kind")
    require(proof.get("kind") == "recomputed", "unknown kind of proof")
    report = Document({key: value for key, value in statement.items() if key not in ("matrix", "total")})
    stated = read_report(report, exclusive=True)
    k = len(stated.names)
    rows = statement.list_of("matrix", k, k, "the matrix does not have a row for every class")
    matrix = [list_of(row, k, k, "a row of the matrix does not have a cell for every class") for row in rows]
    require(all(integer(cell, "a cell") >= 0 for row in matrix for cell in row), "a cell is negative")
    require(
        len(stated.counts) == 1 and [sum(row) for row in matrix] == list(stated.counts[0]), "the rows are other ones"
    )
    cases = sum(map(sum, matrix))
    total = None if statement["total"] is None else statement.integer("total", "the number of cases")
    if total is not None and total != cases:
        return lambda: f"Proved: the printed matrix holds {cases} cases, not {total}."
    counts = [(row[i], sum(other[i] for other in matrix)) for i, row in enumerate(matrix)]
    for way in meanings(stated):
        require(not gives(stated.meant(way), [counts]), "the matrix gives the scores")
    shown = listed(entry.said(stated.names) for entry in stated.entries[:_MOST_SAID])
    return lambda: f"Proved: the printed matrix of {k} classes and {cases} cases does not give {shown}."


def _cells(statement: Document, sizes: Sequence[int]) -> Cells:
    """Least and greatest count of every cell; least above greatest where a share is none of so many cases."""
    k = len(sizes)
    rows = statement.list_of("shares", k, k, "the shares do not have a row for every class")
    cells: Cells = []
    for row, n in zip(rows, sizes, strict=True):
        texts = list_of(row, k, k, "a row of shares does not have a cell for every class")
        spans = [interval(text, statement["shares_rounding"], None).times(n) for text in texts]
        cells.append([span.within(0, n).whole for span in spans])
    return cells


def check_printed_shares(statement: Document, proof: Document, rules: Rules, patience: Patience) -> Words:
    report = Document({key: statement[key] for key in KEYS})
    stated = read_report(report, exclusive=True)
    require(len(stated.counts) == 1, "a printed matrix is of one set")
    sizes = stated.counts[0]
    cells = _cells(statement, sizes)
    fewest, most = ([sum(cell[side] for cell in row) for row in cells] for side in (0, 1))
    if proof.get("kind") == "rows":
        proof.keep_to("kind")
        rows = [fewest[i] <= n <= most[i] and all(low <= high for low, high in cells[i]) for i, n in enumerate(sizes)]
        require(not all(rows), "every row of shares is possible")
        return lambda: f"Proved: no confusion matrix of {len(sizes)} classes has the printed shares of its rows."
    # what the other cells of its row leave of every cell, since the row adds up
    left = [
        [(max(low, n - (most[i] - high)), min(high, n - (fewest[i] - low))) for low, high in cells[i]]
        for i, n in enumerate(sizes)
    ]
    words = check_report(report, proof, rules, patience, exclusive=True, cells=left)
    return lambda: f"{words()} Cells were held to the printed shares."


_MOST_CASES = 10**9
_MOST_LINES = 50_000


def check_unknown_counts(statement: Document, proof: Document, rules: Rules, patience: Patience) -> Words:
    statement.integer("total", "the number of cases", 1, _MOST_CASES)
    require(isinstance(statement["classes"], list), "there is no list of classes")
    stated = _read(statement, statement["macro_f1"])
    parts = sum(_replay_counts(statement, way, own, patience) for way, own in proofs_of(stated, proof))
    return lambda: (
        f"Proved: no confusion matrix of {len(stated.names)} classes on {statement['total']} cases has "
        f"{_listed(stated)}, whatever the class counts. {counted(parts, 'part')} of all class counts, each excluded in "
        "exact arithmetic."
    )


def _with_counts(statement: Document, counts: list[int], macro_f1: Any) -> Document:
    """The statement of a report with these class counts."""
    classes = [{"name": name, "counts": [n]} for name, n in zip(statement["classes"], counts, strict=True)]
    return Document(scores=statement["scores"], undefined=statement["undefined"], classes=classes, macro_f1=macro_f1)


def _read(statement: Document, macro_f1: Any) -> Stated:
    """The report as if the first class had all cases; of these counts nothing is used."""
    counts = [statement["total"] if i == 0 else 0 for i in range(len(statement["classes"]))]
    return read_report(_with_counts(statement, counts, macro_f1), exclusive=True)


def _replay_counts(statement: Document, meaning: str, proof: Any, patience: Patience) -> int:
    """``Rejected`` unless the steps exclude all class counts; how many parts they exclude."""
    lines = CountLines(_read(statement, meaning), statement["total"])
    classes = range(lines.classes)

    def cut(step: list[Any]) -> tuple[Variable, int] | None:
        if step[0] != "cut":
            return None
        require(len(step) == 3, "a step is malformed")
        place, value = integer(step[1], "a class"), integer(step[2], "a cut")
        require(place in classes, "there is no such class")
        return ("n", place), value

    def known(boxes: Ranges, step: list[Any]) -> None:
        """All class counts are single numbers: the report is one of known class counts."""
        require(len(step) == 2 and isinstance(step[1], Mapping), "a step is malformed")
        counts = [boxes["n", i] for i in classes]
        require(all(low == high for low, high in counts), "class counts are still open")
        report = _with_counts(statement, [low for low, _ in counts], meaning)
        check_report(report, Document(step[1]), {}, patience, exclusive=True)

    def bound(boxes: Ranges, step: list[Any]) -> None:
        """A sum of lines that is below 0 everywhere in the part."""
        require(len(step) == 2, "a step is malformed")
        total = Sum()
        for number, entry in enumerate(list_of(step[1], 1, _MOST_LINES, "a step has no list of lines")):
            formed = isinstance(entry, list) and len(entry) >= 3 and isinstance(entry[0], str)
            require(formed, "a line is malformed")
            y = integer(entry[-1], "a multiplier")
            require(y > 0, "a multiplier is not positive")
            total.plus(lines.named(entry[:-1], boxes), y)
            if number % 256 == 0:
                patience.check()
        require(lines.span(total, boxes)[1] < 0, "some counts keep to the sum of the lines")

    narrow = partial(keep_to, [line.whole for line in lines.fixed.values()], patience=patience)
    ending = "the proof ends before all class counts are excluded"
    rules = {"bound": bound, "known": known}
    return replay_parts(proof, "counts", lines.all_counts(), narrow, cut, rules, ending, patience)


KINDS = {
    "multi_class": Checker(KEYS, partial(check_report, exclusive=True)),
    "multi_label": Checker(KEYS | {"total"}, partial(check_report, exclusive=False)),
    "printed_classes": Checker(KEYS | {"matrix", "total"}, check_printed_classes),
    "printed_shares": Checker(KEYS | {"shares", "shares_rounding"}, check_printed_shares),
    "unknown_counts": Checker(KEYS | {"total"}, check_unknown_counts),
}
