"""One honest report: scores of a true evaluation, printed, with what may truly be said about them.

Each report is made from a seed and a number, so that any of them can be made again. ``questions`` are the ways to ask
about it: the bare report under rounding ``any``, under ``nearest`` where the printing rounds so, and with true details
(extremes, ranges, the 0/0 convention, the divisor, digits of the folds) stated.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

import numpy as np

import scoreproof as sp
from benchmarks.honest import printing, tools
from benchmarks.honest.cohorts import Generator, cohort
from benchmarks.honest.designs import Design, Matrix, design
from benchmarks.honest.printing import Printer
from benchmarks.honest.tools import Tool

TRAINED = 0.05  # the share of reports whose predictions scikit-learn makes
EXTREMES = ("minimum", "maximum", "attained", "extremes_over")
_MOST_CURVED = 2  # scores not linear in the cells, in one report of a mean: more are rarely decided in the time given
_MANY_CASES = 250  # from which on one such score is enough


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of ``check``, and in a word what is peculiar about how."""

    experiment: sp.Experiment
    scores: dict[str, str]
    options: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Report:
    """A report and everything that is true of it."""

    place: str  # SEED:INDEX
    design: Design
    tool: str
    printer: str
    scores: dict[str, str]
    questions: tuple[Question, ...]
    names: dict[str, str]  # from the spelling to the score
    exact: dict[str, Decimal | None]  # the value that ought to be printed; None if it is 0/0
    convention: str
    width: int
    over: str


@dataclass(slots=True)
class _Author:
    """One author at work: a tool, a printer, and habits."""

    rng: Generator
    design: Design
    tool: Tool
    printer: Printer
    digits: int
    over: str = "folds"  # what a ± and extremes are over: folds, or rounds
    ddof: int = 0
    standard_error: bool = False
    fold_digits: int | None = None
    sign: str = " ± "
    scores: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)  # from the spelling to the score
    minimum: dict[str, str] = field(default_factory=dict)
    maximum: dict[str, str] = field(default_factory=dict)
    exact: dict[str, Decimal | None] = field(default_factory=dict)

    def write(self, value: Any) -> str:
        with np.errstate(all="ignore"):  # half precision overflows in numpy.round and gives nan
            return self.printer.write(value, self.digits)

    def values(self, name: str) -> list[list[Any]]:
        """The score of every fold of every round, rounded if the author kept rounded ones."""
        values = [[self.tool.value(name, matrix) for matrix in folds] for folds in self.design.rounds]
        if self.fold_digits is None:
            return values
        return [[round(float(value), self.fold_digits) for value in folds] for folds in values]

    def report(self, name: str, spelling: str, *, deviation: bool, extremes: bool) -> None:
        """Print one score, if it has a value."""
        if len(self.design.evaluated) == 1:
            value = self.tool.value(name, self.design.evaluated[0])
            if math.isfinite(value):
                self._say(name, spelling, self.write(value))
            return
        values = self.values(name)
        every = [value for folds in values for value in folds]
        rounds = [self.tool.mean(folds) for folds in values]
        mean = self.tool.mean(rounds if self.design.data_sets else every)
        if not math.isfinite(mean) or any(math.isinf(value) for value in every):
            return
        text = self.write(mean)
        parts = [value for value in (rounds if self.over == "rounds" else every) if not math.isnan(value)]
        if deviation and len(parts) > 1:
            spread = self.tool.deviation(parts, self.ddof)
            if self.standard_error:
                spread /= math.sqrt(len(parts))
            text = printing.joined(text, self.write(spread), self.sign)
        self._say(name, spelling, text)
        if extremes and spelling in self.scores:
            self.minimum[spelling], self.maximum[spelling] = self.write(min(parts)), self.write(max(parts))

    def _say(self, name: str, spelling: str, text: str) -> None:
        if "nan" in text:
            return
        self.scores[spelling], self.names[spelling] = text, name
        rounds = [self.design.evaluated] if not self.design.data_sets else self.design.rounds
        means = [self._exact_mean(name, matrices) for matrices in rounds]
        known = [mean for mean in means if mean is not None]
        self.exact[spelling] = sum(known, Decimal(0)) / len(known) if known else None

    def _exact_mean(self, name: str, matrices: Sequence[Matrix]) -> Decimal | None:
        """The mean by definition; what is 0/0 counts as it does for the tool."""
        values = [tools.exactly(name, matrix) for matrix in matrices]
        if self.tool.convention == "zero":
            values = [
                Decimal(float(self.tool.value(name, matrix))) if value is None else value
                for value, matrix in zip(values, matrices, strict=True)
            ]
            values = [None if value is None or value.is_nan() else value for value in values]
        known = [value for value in values if value is not None]
        return sum(known, Decimal(0)) / len(known) if known else None

    @property
    def has_deviations(self) -> bool:
        return any(sign.strip() in text for text in self.scores.values() for sign in printing.PLUS_MINUS)

    def is_defined(self) -> bool:
        """Whether no convention for 0/0 was needed for what was reported."""
        return all(
            tools.is_number(self.tool.name, name, matrix)
            for name in self.names.values()
            for matrix in self.design.evaluated
        )


def report(seed: int, index: int) -> Report | None:
    """The report of a seed and a number; None where the data drawn allow none."""
    rng = np.random.default_rng([seed, index])
    data = cohort(rng, trained=bool(rng.random() < TRAINED))
    done = design(rng, data)
    if done is None:
        return None
    author = _author(rng, done)
    many = len(done.matrices) > 1 and not done.pooled
    names = _chosen(rng, author.tool, sum(map(sum, done.matrices)) if many else 0)
    deviation, extremes = many and rng.random() < 0.4, many and rng.random() < 0.25
    if "numpy array" in author.printer.name or "to_" in author.printer.name:
        deviation = False  # those print single numbers
    for name in names:
        spelling = str(rng.choice(tools.SPELLINGS.get(name, (name,))))
        author.report(name, spelling, deviation=bool(deviation and rng.random() < 0.7), extremes=bool(extremes))
    if not author.scores:
        return None
    return Report(
        f"{seed}:{index}", done, author.tool.name, author.printer.name, author.scores, tuple(_questions(rng, author)),
        author.names, author.exact, author.tool.convention, author.tool.width, author.over,
    )  # fmt: skip


def _author(rng: Generator, done: Design) -> _Author:
    tool = tools.TOOLS[str(rng.choice(list(tools.TOOLS), p=tools.CHANCES))]
    if len(done.matrices) > 30 and tool.name == "scikit-learn itself":
        tool = tools.TOOLS["scikit-learn"]
    printer = printing.PRINTERS[str(rng.choice(list(printing.PRINTERS), p=printing.CHANCES))]
    author = _Author(rng, done, tool, printer, int(rng.choice([2, 3, 3, 4, 4, 5, 6])))
    if done.data_sets or (len(done.rounds) > 1 and rng.random() < 0.4):
        author.over = "rounds"
    author.ddof = 1 if tool.name == "R" else int(rng.integers(2))
    author.standard_error = bool(rng.random() < 0.1)
    author.sign = str(rng.choice(printing.PLUS_MINUS))
    many = len(done.matrices) > 1 and not done.pooled
    if many and tool.width == 64 and rng.random() < 0.12:
        author.fold_digits = int(rng.integers(2, 5))
    return author


def _chosen(rng: Generator, tool: Tool, cases: int) -> list[str]:
    """Some scores, the usual ones more often; few that are not linear in the cells for the mean over so many cases."""
    common = [name for name in tools.COMMON if name in tool.names]
    rare = [name for name in tools.RARE if name in tool.names]
    names = [str(name) for name in rng.choice(common, int(rng.integers(1, 6)), replace=False)]
    if rare and rng.random() < 0.25:
        names += [str(name) for name in rng.choice(rare, min(len(rare), int(rng.integers(1, 3))), replace=False)]
    names = [name for name in names if tools.COMPLEMENTS.get(name) not in names]
    if cases:
        curved = [name for name in names if name not in ("acc", "sens", "spec", "bacc", "bm", "fpr", "fnr", "err")]
        names = [name for name in names if name not in curved[1 if cases > _MANY_CASES else _MOST_CURVED :]]
    return names


def _questions(rng: Generator, author: _Author) -> Iterator[Question]:
    needed: dict[str, Any] = {}
    if author.fold_digits is not None:
        needed["fold_digits"] = author.fold_digits
    if author.standard_error and author.has_deviations:
        needed["spread"] = "error"
    if author.tool.width == 16 and author.printer.name not in ("repr", "json"):
        needed["eps"] = dict.fromkeys(author.scores, "0.005")  # half precision looks like a rounded number
    # what single precision rounds to nearest may be across a tie of the true value: "nearest" is not true of it
    rules = ["any", "nearest"] if author.printer.nearest and author.tool.width == 64 else ["any"]
    for rule in rules if "eps" not in needed else [None]:
        basic = needed if rule in (None, "any") else {**needed, "rounding": rule}
        yield from _question(author, basic, {})
        details = _details(rng, author)
        if details:
            yield from _question(author, basic, details)


def _question(author: _Author, basic: dict[str, Any], details: dict[str, Any]) -> Iterator[Question]:
    """A question with a description that is true of all it states; none if there is no such description."""
    experiment = _described(author, extremes="minimum" in details or "maximum" in details)
    if experiment is None:
        return
    if {"minimum", "maximum"} <= set(details) and author.rng.random() < 0.4:
        experiment, details = _as_ranges(experiment, details)
    yield Question(experiment, author.scores, {**basic, **details})


def _as_ranges(experiment: sp.Experiment, details: dict[str, Any]) -> tuple[sp.Experiment, dict[str, Any]]:
    """The same extremes said as ranges of the parts, where the experiment takes them."""
    if not isinstance(experiment, (sp.MeanOfScores, sp.KFold)):
        return experiment, details
    ranges = {name: (details["minimum"][name], details["maximum"][name]) for name in details["minimum"]}
    return replace(experiment, ranges=ranges), {key: value for key, value in details.items() if key not in EXTREMES}


def _described(author: _Author, *, extremes: bool) -> sp.Experiment | None:
    """One of the descriptions that are true of the ± and of the extremes stated."""
    done = author.design
    skips = author.tool.convention == "skip" and not author.is_defined()
    true = [
        one.experiment
        for one in done.descriptions
        if (not author.has_deviations or one.over in (author.over, "either"))
        and (not extremes or one.over == author.over or (one.over == "either" and author.over == "folds"))
        # the mean of rounds that left folds out is not the mean of the folds
        and (done.data_sets or one.over != "rounds" or not skips)
    ]
    return true[int(author.rng.integers(len(true)))] if true else None


def _details(rng: Generator, author: _Author) -> dict[str, Any]:
    """Some of the details that are true."""
    stated: dict[str, Any] = {}
    if author.is_defined():
        if rng.random() < 0.3:
            stated["undefined"] = str(rng.choice(["exclude", "zero", "skip"]))
    elif rng.random() < 0.5 and _is_plain_convention(author):
        stated["undefined"] = author.tool.convention
    if author.minimum:
        if rng.random() < 0.7:
            stated["minimum"] = author.minimum
        if rng.random() < 0.7:
            stated["maximum"] = author.maximum
        if stated.keys() & {"minimum", "maximum"}:
            if rng.random() < 0.2:
                stated["attained"] = False
            if author.over == "folds" and rng.random() < 0.2:
                stated["extremes_over"] = "folds"
    if author.has_deviations:
        if rng.random() < 0.5:
            stated["divisor"] = ("population", "sample")[author.ddof]
        elif rng.random() < 0.1:
            stated["spread"] = "ignore"
        if len(author.design.rounds) > 1 and not author.design.data_sets and rng.random() < 0.3:
            stated["spread_over"] = {"rounds": "repeats"}.get(author.over, author.over)
    return stated


def _is_plain_convention(author: _Author) -> bool:
    """Whether every 0/0 was treated as the tool's convention says: not so scikit-learn's bacc and kappa."""
    return not {"bacc", "kappa"} & set(author.names.values()) and author.tool.name != "R"
