"""Scores written line by line, as programs print them and model cards list them, as tables.

"- Accuracy: 0.91" and "Accuracy = 0.91" below each other are a table of one row, "SVM: Acc=0.91, F1=0.90" is a row with
a label, and the next line with the same names is the next row. At least two of the names are those of scores; other
lists (hyperparameters, sizes) are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scoreproof.documents.grid import tidy
from scoreproof.quantities.measures import measure

_VALUE = r"[<>~≈]?\s?\d[\d.,]*\s?%?(?:\s*(?:±|\+/-)\s*[\d.]+\s?%?)?"
_BULLET = r"\s{0,6}[-*+]\s+"
_NAMED = rf"(?P<name>[^:=|]{{1,60}}?)\s*[:=]\s*(?P<mark>[*_`]*)\s*(?P<value>{_VALUE})\s*(?P=mark)\s*"
_POINT = re.compile(rf"{_BULLET}{_NAMED}")
_PRINTED = re.compile(rf"\s{{0,12}}(?:[-*+]\s+)?(?=[*_`]*[A-Za-z]){_NAMED}")
_PAIR = re.compile(rf"(?P<name>[A-Za-z][\w @/-]{{0,30}}?)\s?[=:]\s?(?P<value>{_VALUE})(?=\s*(?:[,;|]|$))")
_LOG = re.compile(
    r"\b(?:epoch|step|iter(?:ation)?|batch|fold)\b\D?\s?\d|\d\s?/\s?\d", re.I
)  # of a training that goes on
_MARKS = str.maketrans("", "", "*`_")
_FEWEST = 2
_MOST = 60  # lines of one list
_LONGEST = 200  # characters of a line


class ScoreList(NamedTuple):
    """Scores with their names above them, and the lines they stand in: the first, and the one behind the last."""

    start: int
    end: int
    rows: list[list[str]]
    caption: str


def score_lists(lines: Sequence[str], *, printed: bool = False) -> Iterator[ScoreList]:
    """Every list of scores; without bullets only where a program ``printed`` the lines.

    >>> (scores,) = score_lists(["It gives:", "- Loss: 0.31", "- Accuracy: 0.91", "- **F1**: 0.90"])
    >>> scores.start, scores.rows
    (1, [['Loss', 'Accuracy', 'F1'], ['0.31', '0.91', '0.90']])
    >>> (scores,) = score_lists(["SVM: Acc=0.91, F1=0.90", "k-NN: Acc=0.88, F1=0.85"], printed=True)
    >>> scores.rows
    [['', 'Acc', 'F1'], ['SVM', '0.91', '0.90'], ['k-NN', '0.88', '0.85']]
    """
    shape = _PRINTED if printed else _POINT
    at = 0
    while at < len(lines):
        rows, end = _labelled(lines, at) if printed else ([], at)
        if not rows:
            run, end = _points(lines, at, shape)
            rows = [[name for name, _ in run], [value for _, value in run]] if run else []
        if rows and _is_report([name for name in rows[0] if name]):
            yield ScoreList(at, end, rows, _above(lines, at))
        at = max(end, at + 1)


def _points(lines: Sequence[str], at: int, shape: re.Pattern[str]) -> tuple[list[tuple[str, str]], int]:
    """Names and values of the lines from a place on that have one each, and where they end."""
    run: list[tuple[str, str]] = []
    while at < len(lines) and len(run) < _MOST and len(lines[at]) <= _LONGEST:
        point = shape.fullmatch(lines[at])
        if (
            point is None or _LOG.search(lines[at]) or (run and tidy(point["name"].translate(_MARKS)) == run[0][0])
        ):  # the next report
            break
        run.append((tidy(point["name"].translate(_MARKS)), tidy(point["value"])))
        at += 1
    return run, at


def _labelled(lines: Sequence[str], at: int) -> tuple[list[list[str]], int]:
    """The rows of lines with a label and the same names each, the names first, and where they end."""
    rows: list[list[str]] = []
    while at < len(lines) and len(rows) <= _MOST and len(lines[at]) <= _LONGEST:
        label, _, rest = lines[at].partition(": ")
        pairs = [(tidy(match["name"]), tidy(match["value"])) for match in _PAIR.finditer(rest or label)]
        names = ["", *(name for name, _ in pairs)]
        if len(pairs) < _FEWEST or _LOG.search(lines[at]) or (rows and names != rows[0]):
            break
        rows += [] if rows else [names]
        rows.append([re.sub(r"^\s*\d{1,3}[.)]\s+", "", label).strip() if rest else "", *(value for _, value in pairs)])
        at += 1
    return rows, at


def _is_report(names: Sequence[str]) -> bool:
    if len(names) < _FEWEST or len(set(names)) < len(names):
        return False
    return sum(measure(name) is not None for name in names) >= _FEWEST


def _above(lines: Sequence[str], start: int) -> str:
    """The nearest line above that says something."""
    near = (tidy(line.translate(_MARKS)).lstrip("# ") for line in reversed(lines[max(0, start - 3) : start]))
    return next((text for text in near if re.search(r"\w", text)), "")[:300]
