"""Replay a proof that no confusion matrix of so many classes and cases gives a report, whatever the class counts.

The class counts are cut into parts, the upper half of each cut coming first; every part is empty by its lines, refuted
by a sum of lines that no counts of the part reach, or one choice of all class counts, for which there is a proof of its
own (docs/proofs/unknown_counts.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import lcm
from typing import Any

from scoreproof_verify.experiment import integer
from scoreproof_verify.formulas import Rules
from scoreproof_verify.frame import Checker, Left, Patience, Words, walk
from scoreproof_verify.kinds.classes import check_report, meanings, proofs_of
from scoreproof_verify.replay.class_report import Stated, read_report
from scoreproof_verify.replay.count_lines import Boxes, CountLines, Sum, Variable
from scoreproof_verify.texts import Document, Rejected, known_keys, quoted, require

KEYS = frozenset({"classes", "total", "scores", "undefined", "macro_f1"})
_MOST_STEPS = 100_000
_MOST_CASES = 10**9
_MOST_LINES = 50_000
_ROUNDS = 80
_MOST_SAID = 12

Whole = tuple[list[tuple[Variable, int]], int]


def check(statement: Document, proof: Document, rules: Rules, patience: Patience) -> Words:
    """What a proof about classes of unknown size proves, in words; raises ``Rejected`` if it proves nothing."""
    cases = integer(statement["total"], "the number of cases")
    require(1 <= cases <= _MOST_CASES, "the number of cases is out of range")
    names = statement["classes"]
    if not isinstance(names, list):
        raise Rejected("there is no list of classes")
    stated = _read(statement, statement["macro_f1"])
    pairs = zip(meanings(stated), proofs_of(stated, proof), strict=True)
    parts = sum(_Replay(statement, meaning, patience).parts(own) for meaning, own in pairs)
    return lambda: _words(stated, cases, parts)


def _words(stated: Stated, cases: int, parts: int) -> str:
    said = ", ".join(entry.said(stated.names) for entry in stated.entries[:_MOST_SAID])
    more = len(stated.entries) - _MOST_SAID
    return (
        f"Proved: no confusion matrix of {len(stated.names)} classes on {cases} cases has {said}"
        f"{f' and {more} more scores as printed' if more > 0 else ''}, whatever the class counts. "
        f"{parts} part{'s' * (parts != 1)} of all class counts, each excluded in exact arithmetic."
    )


def _with_counts(statement: Document, counts: list[int], macro_f1: Any) -> dict[str, Any]:
    """The statement of a report with these class counts."""
    classes = [{"name": name, "counts": [n]} for name, n in zip(statement["classes"], counts, strict=True)]
    return {**{key: statement[key] for key in ("scores", "undefined")}, "classes": classes, "macro_f1": macro_f1}


def _read(statement: Document, macro_f1: Any) -> Stated:
    """The report as if the first class had all cases; of these counts nothing is used."""
    counts = [statement["total"] if i == 0 else 0 for i in range(len(statement["classes"]))]
    return read_report(_with_counts(statement, counts, macro_f1), exclusive=True)


class _Replay:
    """One meaning of averaged F-scores."""

    def __init__(self, statement: Document, meaning: str, patience: Patience) -> None:
        self.statement, self.meaning, self.patience = statement, meaning, patience
        self.lines = CountLines(_read(statement, meaning), statement["total"])
        self.whole = [_whole(line) for line in self.lines.fixed.values()]

    def parts(self, proof: Any) -> int:
        """``Rejected`` unless the steps exclude all class counts; how many parts they exclude."""
        document = known_keys("the proof", proof, "kind", "steps")
        require(document.get("kind") == "counts", f"unknown kind of proof {quoted(document.get('kind'))}")
        steps = document.get("steps")
        if not isinstance(steps, list) or not 1 <= len(steps) <= _MOST_STEPS:
            raise Rejected("the proof is not a list of steps")
        ending = "the proof ends before all class counts are excluded"
        return walk([self.lines.all_counts()], steps, _MOST_STEPS, ending, self._step, self.patience)

    def _step(self, boxes: Boxes, step: Any, number: int) -> Left[Boxes]:
        require(isinstance(step, list) and bool(step) and isinstance(step[0], str), "a step is malformed")
        left = self._narrow(boxes)
        if step[0] == "cut":
            return self._halves(boxes, step), 0
        require(step[0] in ("none", "bound", "known"), f"there is no step {quoted(step[0])}")
        if step[0] == "none":
            require(len(step) == 1 and not left, "a part said to be empty is not")
        elif left:
            (self._bound if step[0] == "bound" else self._known)(boxes, step)
        return [], 1

    def _halves(self, boxes: Boxes, step: list[Any]) -> list[Boxes]:
        require(len(step) == 3, "a step is malformed")
        place, value = integer(step[1], "a class"), integer(step[2], "a cut")
        require(0 <= place < self.lines.classes, "there is no such class")
        low, high = boxes["n", place]
        return [
            {**boxes, ("n", place): (max(value + 1, low), high)},
            {**boxes, ("n", place): (low, min(value, high))},
        ]

    def _known(self, boxes: Boxes, step: list[Any]) -> None:
        """All class counts are single numbers: the report is one of known class counts."""
        require(len(step) == 2 and isinstance(step[1], Mapping), "a step is malformed")
        counts = [boxes["n", i] for i in range(self.lines.classes)]
        require(all(low == high for low, high in counts), "class counts are still open")
        check_report(
            _with_counts(self.statement, [low for low, _ in counts], self.meaning),
            step[1],
            self.patience,
            exclusive=True,
        )

    def _bound(self, boxes: Boxes, step: list[Any]) -> None:
        """A sum of lines that is below 0 everywhere in the part."""
        require(len(step) == 2, "a step is malformed")
        named = step[1]
        if not isinstance(named, list) or not 1 <= len(named) <= _MOST_LINES:
            raise Rejected("a step has no list of lines")
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

    def _narrow(self, boxes: Boxes) -> bool:
        """Narrow the boxes by the lines between counts; whether anything is left."""
        if any(low > high for low, high in boxes.values()):
            return False
        for _ in range(_ROUNDS):
            self.patience.check()
            changed = False
            for parts, rest in self.whole:
                room = rest + sum(max(value * end for end in boxes[variable]) for variable, value in parts)
                if room < 0:
                    return False
                for variable, value in parts:
                    low, high = boxes[variable]
                    # value times x may fall short of its greatest by at most the room
                    ends = (
                        (max(low, high - room // value), high) if value > 0 else (low, min(high, low + room // -value))
                    )
                    if ends != (low, high):
                        boxes[variable] = ends
                        changed = True
            if not changed:
                break
        return True


def _whole(line: Sum) -> Whole:
    unit = lcm(line.rest.denominator, *(value.denominator for value in line.parts.values()))
    return [(variable, int(value * unit)) for variable, value in line.parts.items() if value], int(line.rest * unit)


KINDS = {"unknown_counts": Checker(KEYS, check)}
