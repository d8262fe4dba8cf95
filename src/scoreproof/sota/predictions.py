"""A leaderboard out of a CSV file, one whose predictions are at hand, and one that releases only what improves.

Columns are found by their usual names or named by the user; a cell that is no score is refused with its line, because a
silently dropped entry changes m. With the predictions nothing need be assumed about how entries depend on each other:
AUCs have DeLong's covariance (1988, doi:10.2307/2531595), accuracies that of their right answers. An entry could be the
best if no other leads it by more than chance allows (Hsu 1981, multiple comparisons with the best), judged by
bootstrapping cases. Random splits of the cases into a public and a private part show what the public leader is worth.
The ladder is that of Blum and Hardt (2015, arXiv:1502.04585).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from scoreproof.arrays import Floats, as_array, numbers
from scoreproof.csv_reader import Line, Rows, number, read_rows
from scoreproof.errors import InvalidOption, InvalidValue
from scoreproof.results import Result, SmallTable, Tabular
from scoreproof.sota.law import MOST_CASES, count
from scoreproof.statistics.auc import placements
from scoreproof.validation import Share, fraction, random_seed, real, whole

_SCORE = (
    "private", "private score", "privatescore", "private lb", "score", "final score", "test score", "auc", "auroc",
    "roc auc", "accuracy", "acc", "test accuracy", "test acc", "top 1 accuracy", "top1 accuracy", "top 1 acc", "top 1",
    "top1", "acc@1", "accuracy@1", "overall accuracy", "percentage correct", "value",
)  # fmt: skip
_PUBLIC = ("public", "public score", "publicscore", "public lb")
_NAME = (
    "team", "team name", "teamname", "name", "entry", "method", "model", "model name", "classifier", "submission",
    "participant", "user", "algorithm", "approach",
)  # fmt: skip
_TRUTH = ("y", "y true", "truth", "true", "label", "labels", "target", "class", "gold", "ground truth")
_IDENTIFIERS = ("id", "case", "index", "image", "sample", "file", "patient", "")


@dataclass(frozen=True, slots=True)
class BoardFile(Tabular):
    """The columns of a leaderboard file."""

    names: tuple[str, ...] | None
    scores: tuple[float, ...]
    public: tuple[float, ...] | None
    percent: bool = False  #: whether the heading says so
    auc: bool = False  #: whether the heading says so
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        public = "" if self.public is None else ", with public scores"
        return f"{len(self.scores):,} scores from {min(self.scores):g} to {max(self.scores):g}{public}"

    def _rows(self) -> list[dict[str, Any]]:
        columns = {"name": self.names, "score": self.scores, "public": self.public}
        given = {name: values for name, values in columns.items() if values is not None}
        return [dict(zip(given, row, strict=True)) for row in zip(*given.values(), strict=True)]


def read_leaderboard(
    path: str | Path, *, column: str | None = None, public_column: str | None = None, name_column: str | None = None
) -> BoardFile:
    r"""Names, scores and, where there are any, public scores of a CSV file; ``-`` is standard input.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "board.csv"
    >>> _ = file.write_text("team;score;public\nA;0,95;0,96\nB;0,94;0,97\n")
    >>> read_leaderboard(file)
    <BoardFile: 2 scores from 0.94 to 0.95, with public scores>
    >>> _ = file.write_text("0.95\n0.94\n")
    >>> read_leaderboard(file).scores
    (0.95, 0.94)
    """
    rows = read_rows(path)
    rows.check_width()
    header, source = rows.header, rows.source
    if any(number(cell) is not None for cell in header):
        if column or public_column or name_column:
            raise InvalidOption(f"{source}: a column was named, but the file has no line of column names")
        return _without_header(rows)
    score = _column(header, column, _SCORE, source, "column")
    public = _column(header, public_column, _PUBLIC, source, "public column")
    name = _column(header, name_column, _NAME, source, "name column")
    score = 0 if len(header) == 1 else score
    if score is None:
        raise InvalidOption(f"{source}: no column of scores among {', '.join(header) or 'no names'}; say --column")
    return BoardFile(
        None if name is None else _texts(rows.lines, name),
        _numbers(rows, rows.lines, score),
        None if public is None or public == score else _numbers(rows, rows.lines, public),
        "%" in header[score],
        re.search("auc|auroc", _plain(header[score])) is not None,
        rows.notes,
    )


def _without_header(rows: Rows) -> BoardFile:
    lines = ((rows.header_line, list(rows.header)), *rows.lines)
    width = len(rows.header)
    if width == 1:
        return BoardFile(None, _numbers(rows, lines, 0), None, notes=rows.notes)
    if width == 2 and number(rows.header[0]) is None:
        return BoardFile(_texts(lines, 0), _numbers(rows, lines, 1), None, notes=rows.notes)
    raise InvalidOption(f"{rows.source}: {width} columns without names; add a first line such as team,score,public")


def _column(header: Sequence[str], wanted: str | None, usual: Sequence[str], source: str, what: str) -> int | None:
    names = [_plain(cell) for cell in header]
    if wanted is not None:
        key = _plain(wanted)
        if key not in names:
            raise InvalidOption(f"{source}: no {what} {wanted!r}; the columns are {', '.join(header)}")
        return names.index(key)
    return next((names.index(name) for name in usual if name in names), None)


def _plain(heading: str) -> str:
    """A heading without its unit, arrow and marks: "Top-1 Accuracy (%) ↑" is "top 1 accuracy"."""
    bare = re.sub(r"[(\[](?:%|↑|↓|in %|percent|higher is better)[)\]]|[%↑↓*#▲▼]", " ", heading.lower())
    return " ".join(re.sub(r"[_\-\s]+", " ", bare).split())


def _numbers(rows: Rows, lines: Sequence[Line], index: int) -> tuple[float, ...]:
    cells = _texts(lines, index)
    if len({"%" in cell for cell in cells}) > 1:
        raise InvalidValue(f"{rows.source}: some scores carry a percent sign and some do not; write them all one way")
    values = []
    for (line, _), cell in zip(lines, cells, strict=True):
        value = number(cell)
        if value is None:
            raise InvalidValue(f"{rows.source}, line {line}: expected a score, got {cell!r}")
        values.append(value)
    return tuple(values)


def _texts(lines: Sequence[Line], index: int) -> tuple[str, ...]:
    return tuple(cells[index] for _, cells in lines)


def read_predictions(path: str | Path, *, truth: str | None = None) -> tuple[list[Any], dict[str, list[Any]]]:
    """The true labels and every entry's predictions of a CSV file with a column for each; identifiers are left out."""
    rows = read_rows(path)
    rows.check_width()
    place = _column(rows.header, truth, _TRUTH, rows.source, "column of true labels")
    if place is None:
        raise InvalidOption(f"{rows.source}: no true labels among {', '.join(rows.header)}; name them with --column")
    kept = [i for i, name in enumerate(rows.header) if i == place or _plain(name) not in _IDENTIFIERS]
    values = {rows.header[i]: [(number(cell), cell) for cell in _texts(rows.lines, i)] for i in kept}
    columns = {name: [cell if value is None else value for value, cell in cells] for name, cells in values.items()}
    return columns.pop(rows.header[place]), columns


_MOST_CELLS = 50_000_000


@dataclass(frozen=True, slots=True)
class PredictedEntry(Result):
    """One line of the board, best first."""

    name: str
    score: float
    se: float
    behind: float  #: how far it trails the best of the others; below 0 for the leader
    allowed: float  #: by how much it may trail and still be the best
    could_be_best: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictionBoard(Tabular):
    """What a board is worth of which the predictions are known."""

    score: str
    cases: int
    alpha: float
    entries: tuple[PredictedEntry, ...]
    correlation: float  #: the mean correlation between two entries' scores
    optimism: float  #: what picking the best adds if all entries are equally good
    public_share: float | None = None
    public_leader_wins: float | None = None  #: how often the leader of the public part leads the private one
    public_drop: float | None = None  #: what the public leader loses on the private part, on average

    def __str__(self) -> str:
        able = sum(entry.could_be_best for entry in self.entries)
        top = self.entries[0]
        text = (
            f"{able:,} of {len(self.entries):,} entries could be the best by {self.score} on {self.cases:,} cases "
            f"({100 * (1 - self.alpha):g}% confidence; scores of two entries correlate by {self.correlation:.2f} on "
            f"average). Were all entries equally good, picking the best would add {self.optimism:.4f}: {top.name}'s "
            f"{top.score:.4f} would stand for {top.score - self.optimism:.4f}."
        )
        if self.public_share is not None:
            text += (
                f" With a public part of {self.public_share:g} of the cases its leader leads the private part in "
                f"{100 * (self.public_leader_wins or 0):.0f}% of random splits, and loses {self.public_drop:.4f} there."
            )
        return text

    def _rows(self) -> list[dict[str, Any]]:
        return [entry.to_dict() for entry in self.entries]

    def _tables(self) -> list[SmallTable]:
        head = ("entry", self.score, "se", "behind", "may trail by", "could be best")
        shown = self.entries[:50]
        numbers = [[f"{x:.4f}" for x in (e.score, e.se, max(0.0, e.behind), e.allowed)] for e in shown]
        rows = [(e.name, *row, "yes" if e.could_be_best else "no") for e, row in zip(shown, numbers, strict=True)]
        return [SmallTable(rows, head)]


def prediction_board(
    truth: Sequence[Any],
    predictions: Mapping[str, Sequence[Any]],
    *,
    score: Literal["accuracy", "auc"] = "accuracy",
    alpha: Share = 0.05,
    public_share: float | None = None,
    draws: int = 2000,
    seed: int | None = 0,
) -> PredictionBoard:
    """Read a leaderboard from the predictions of its entries: labels for accuracies, scores for AUCs (truth 0 and 1).

    ``public_share`` splits the cases at random, ``draws`` times at most 500, into a public and a private part.

    >>> rng = np.random.default_rng(1)
    >>> y = rng.integers(0, 2, 400)
    >>> entries = {f"model {k}": np.where(rng.random(400) < a, y, 1 - y) for k, a in enumerate((0.9, 0.88, 0.7))}
    >>> [entry.could_be_best for entry in prediction_board(y, entries).entries]
    [True, True, False]
    """
    draws = whole("draws", draws, at_least=100, at_most=100_000)
    rng = np.random.default_rng(random_seed(seed))
    names, values, parts = _contributions(truth, predictions, score)
    m = len(names)
    moves = np.sum([_resampled(part, draws, rng) for part in parts], axis=0)  # of every score, by draw
    covariance = np.atleast_2d(np.cov(moves, rowvar=False)) if m > 1 else np.array([[float(np.var(moves))]])
    error = np.sqrt(np.diag(covariance))
    entries = []
    for i in np.argsort(-values, kind="stable"):
        others = [j for j in range(m) if j != i]
        lead = float(np.max(values[others] - values[i])) if others else -math.inf
        allowed = float(np.quantile(np.max(moves[:, others] - moves[:, [i]], axis=1), 1 - alpha)) if others else 0.0
        entries.append(PredictedEntry(names[i], float(values[i]), float(error[i]), lead, allowed, lead <= allowed))
    apart = covariance / np.outer(error, error) if np.all(error > 0) else np.eye(m)
    shared = float((apart.sum() - m) / (m * (m - 1))) if m > 1 else 1.0
    split = {} if public_share is None else _splits(parts, values, fraction("public_share", public_share), draws, rng)
    return PredictionBoard(
        score=score, cases=len(truth), alpha=alpha, entries=tuple(entries), correlation=shared,
        optimism=float(np.max(moves, axis=1).mean()), **split,
    )  # fmt: skip


def _contributions(truth: Any, predictions: Any, score: str) -> tuple[list[str], Floats, list[Floats]]:
    """The names, the scores, and by class (or for all cases) what each case adds to each score beyond its mean."""
    if not isinstance(predictions, Mapping) or not predictions:
        raise InvalidValue("predictions: expected the predictions of each entry by its name, got none")
    labels = as_array("truth", truth)
    if labels.ndim != 1 or len(labels) < 2 or len(labels) * len(predictions) > _MOST_CELLS:
        raise InvalidValue(f"truth: expected at least two labels in a row, got {labels.shape}")
    columns = {str(name): as_array(f"predictions of {name}", values) for name, values in predictions.items()}
    for name, values in columns.items():
        if values.shape != labels.shape:
            raise InvalidValue(f"predictions: {name} has {values.size:,} values: expected {len(labels):,} cases")
    if score == "accuracy":
        try:
            right = np.stack([(values == labels).astype(float) for values in columns.values()], axis=1)
        except ArithmeticError:
            raise InvalidValue("truth, predictions: expected labels, got one that equals nothing (sNaN)") from None
        return list(columns), right.mean(axis=0), [right - right.mean(axis=0)]
    labels = numbers("truth", truth)
    if {*labels.tolist()} != {0, 1}:
        raise InvalidValue("truth: expected 0 and 1, both of them, for AUCs")
    placed = [placements(labels == 1, numbers(f"predictions of {name}", values)) for name, values in columns.items()]
    areas = np.array([placement.auc for placement in placed])
    of_classes = [[placement.positives for placement in placed], [placement.negatives for placement in placed]]
    return list(columns), areas, [np.stack(values, axis=1) - areas for values in of_classes]


def _resampled(part: Floats, draws: int, rng: np.random.Generator) -> Floats:
    """How the scores move when the cases of a part are drawn again."""
    n = len(part)
    step = max(1, 20_000_000 // n)
    rows = [
        rng.multinomial(n, np.full(n, 1 / n), size=min(step, draws - at)) @ part / n for at in range(0, draws, step)
    ]
    return np.concatenate(rows)


def _splits(
    parts: list[Floats], values: Floats, share: float, draws: int, rng: np.random.Generator
) -> dict[str, float]:
    """What the leader of a random public part is worth on the rest."""
    wins, drops = [], []
    for _ in range(min(draws, 500)):
        public, private = values.copy(), values.copy()
        for part in parts:
            order = rng.permutation(len(part))
            cut = min(len(part) - 1, max(1, round(share * len(part))))
            public += part[order[:cut]].mean(axis=0)
            private += part[order[cut:]].mean(axis=0)
        leader = int(np.argmax(public))
        wins.append(private[leader] >= private.max() - 1e-12)
        drops.append(public[leader] - private[leader])
    told = (share, float(np.mean(wins)), float(np.mean(drops)))
    return dict(zip(("public_share", "public_leader_wins", "public_drop"), told, strict=True))


@dataclass(frozen=True, slots=True)
class Ladder(Result):
    """What a leaderboard releases that only tells improvements by more than a step."""

    step: float
    released: tuple[float, ...]  #: what each submission is told
    improvements: tuple[int, ...]  #: the submissions that were told something new, from 1
    top: float  #: the highest score that was submitted

    def __str__(self) -> str:
        return (
            f"Of {len(self.released):,} submissions {len(self.improvements):,} improve by more than {self.step:.4g}; "
            f"rounded to it the ladder ends at {self.released[-1]:.4f}; the highest score is {self.top:.4f}."
        )


def ladder(scores: Sequence[float], *, cases: int | None = None, step: float | None = None) -> Ladder:
    """The ladder of Blum and Hardt (2015) over scores in the order of their submission.

    A score is released, rounded to the step, only if it exceeds the last released one by more than the step; without a
    ``step`` it is 1/√cases.

    >>> print(ladder([0.90, 0.905, 0.93, 0.931, 0.96], step=0.02))
    Of 5 submissions 3 improve by more than 0.02; rounded to it the ladder ends at 0.9600; the highest score is 0.9600.
    """
    if step is None:
        if cases is None:
            raise InvalidOption("step: expected a step, or the number of cases from which it follows")
        step = 1 / math.sqrt(count("cases", cases, most=MOST_CASES))
    step = real("step", step, above=0, below=1)
    values = [real(f"scores[{k}]", score, error=InvalidValue) for k, score in enumerate(scores)]
    if not values:
        raise InvalidValue("scores: expected the scores of submissions in their order, got none")
    released: list[float] = []
    improvements = []
    best = -math.inf
    for k, value in enumerate(values, 1):
        if value > best + step:
            best = value if abs(value) >= step * 2**53 else round(value / step) * step  # a float has no finer step
            improvements.append(k)
        released.append(best)
    return Ladder(step, tuple(released), tuple(improvements), max(values))
