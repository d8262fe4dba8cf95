"""What a re-interpretation says, and how it prints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from importlib import import_module
from typing import TYPE_CHECKING, Any

from scoreproof.errors import InvalidOption
from scoreproof.figures import new_figure
from scoreproof.insight.published_table import SameTestSet
from scoreproof.insight.rankings import (
    CERTAIN,
    NO,
    POSSIBLE,
    Baseline,
    CellCosts,
    ClaimedBest,
    Preference,
    Rank,
    corners_of,
    error_rates,
)
from scoreproof.insight.reconstruction import COLOURS, Reconstruction
from scoreproof.kinds.binary.scores import ConfusionMatrix, score
from scoreproof.markup import html_list
from scoreproof.reported import Claim
from scoreproof.results import Result, SmallTable, Tabular

if TYPE_CHECKING:
    from matplotlib.figure import Figure


_RATIOS = (0.1, 100.0)
_STEPS = 400


@dataclass(frozen=True, slots=True)
class ReinterpretationFinding(Result):
    """One thing a reader should know, in plain words; ``kind`` says what it is about, ``about`` which methods."""

    kind: str
    words: str
    about: tuple[str, ...] = ()
    grave: bool = False

    def __str__(self) -> str:
        return self.words


@dataclass(frozen=True, slots=True)
class MethodReading(Result):
    """One row of the table: what follows from it, or why it could not be read.

    ``contradicted`` holds the reported scores that the given matrix does not have.
    """

    name: str
    reconstruction: Reconstruction | None
    problem: str | None = None
    notes: tuple[str, ...] = ()
    matrix: ConfusionMatrix | None = None
    contradicted: tuple[Claim, ...] = ()

    _told = "name problem notes matrix contradicted reconstruction"

    def __str__(self) -> str:
        return f"{self.name}: {self.reconstruction or self.problem}"


@dataclass(frozen=True, slots=True)
class Reinterpretation(Tabular):
    """A table re-read. ``ranks`` maps score names to the ranks of all methods under them; ``standing`` says for the
    claim under which scores its method is certainly, possibly or certainly not the best; ``costs`` ranks the methods
    at the given cost ratio or cell costs, and ``affordable`` says who stays within the budget."""

    readings: tuple[MethodReading, ...]
    ignored: tuple[str, ...]
    same_test_set: SameTestSet | None = None
    baselines: dict[str, tuple[Baseline, ...]] = field(default_factory=dict)
    ranks: dict[str, tuple[Rank, ...]] = field(default_factory=dict)
    dominance: tuple[tuple[str, str], ...] = ()
    preferences: tuple[Preference, ...] = ()
    claim: ClaimedBest | None = None
    standing: dict[str, str] = field(default_factory=dict)
    cost_ratio: Fraction | None = None
    costs: tuple[Rank, ...] = ()
    cell_costs: CellCosts | None = None
    cost_budget: Fraction | None = None
    affordable: dict[str, str] = field(default_factory=dict)
    findings: tuple[ReinterpretationFinding, ...] = ()
    _told = "methods=readings ignored_columns=ignored *"

    @property
    def consistent(self) -> dict[str, Reconstruction]:
        """The methods that some confusion matrix can stand behind, by name."""
        made = [(reading.name, reading.reconstruction) for reading in self.readings]
        return {name: each for name, each in made if each is not None and each.verdict == "consistent"}

    def __getitem__(self, name: str) -> MethodReading:
        for reading in self.readings:
            if reading.name == name:
                return reading
        raise KeyError(name)

    def rank_figure(self, name: str) -> Figure:
        """The range of one score for every method, the best rank on top, with the rank written beside it."""
        wanted = score(name)
        rows = self.ranks.get(wanted.name)
        if not rows:
            raise InvalidOption(f"a rank plot needs at least two methods with {wanted.title}; the table has none such")
        figure = new_figure(7.0, 1.1 + 0.38 * len(rows))
        axes = figure.add_subplot()
        claimed = self.claim.method if self.claim else None
        finite = [float(row.value.high) for row in rows if row.value.high is not None] or [1.0]
        edge = max(finite) * 1.25
        for place, row in enumerate(rows):
            low = float(row.value.low)
            high = edge if row.value.high is None else float(row.value.high)
            colour = COLOURS[1] if row.method == claimed else COLOURS[0]
            axes.plot([low, high], [place, place], color=colour, linewidth=5, solid_capstyle="butt", zorder=2)
            axes.plot([low, high], [place, place], "|", color=colour, markersize=12, zorder=3)
            rank = " to ".join(map(str, dict.fromkeys(row.rank)))
            axes.annotate(f"rank {rank}", (1.02, place), xycoords=("axes fraction", "data"), va="center", fontsize=9)
        axes.set_yticks(range(len(rows)), [row.method for row in rows])
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.set_xlabel(f"{wanted.title} (guaranteed range)")
        axes.grid(axis="x", color="#dddddd", zorder=0)
        axes.spines[["top", "right"]].set_visible(False)
        return figure

    def cost_figure(self) -> Figure:
        """The cost per case of every method as a band, in units of C_FP, against the ratio C_FN / C_FP."""
        import numpy as np

        errors = {name: error_rates(corners_of(each)) for name, each in self.consistent.items()}
        if not errors:
            raise InvalidOption("a cost plot needs at least one method whose errors are known; the table has none")
        figure = new_figure(7.0, 4.4)
        axes = figure.add_subplot()
        ratios = np.geomspace(*_RATIOS, _STEPS)
        for k, (name, corners) in enumerate(errors.items()):
            lines = np.array([[float(fn) * ratio + float(fp) for ratio in ratios] for fn, fp in corners])
            colour = COLOURS[k % len(COLOURS)]
            axes.fill_between(ratios, lines.min(axis=0), lines.max(axis=0), color=colour, alpha=0.3, linewidth=0)
            axes.plot(ratios, lines.min(axis=0), color=colour, linewidth=1.2, label=name)
            axes.plot(ratios, lines.max(axis=0), color=colour, linewidth=1.2)
        if self.cost_ratio is not None:
            axes.axvline(float(self.cost_ratio), color="black", linestyle=":", linewidth=1)
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlabel("cost of a false negative / cost of a false positive")
        axes.set_ylabel("cost per case (false positive = 1)")
        axes.legend(frameon=False, fontsize=9)
        axes.grid(color="#eeeeee")
        axes.spines[["top", "right"]].set_visible(False)
        return figure

    def to_html(self) -> str:
        """A page of its own, with everything on it and nothing loaded from elsewhere."""
        page: str = import_module("scoreproof.pages").reinterpretation_page(self)
        return page

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {"score": name, "method": rank.method, "best": rank.rank[0], "worst": rank.rank[1], "is_best": rank.is_best}
            | rank.value.to_dict()
            for name, ranks in self.ranks.items()
            for rank in ranks
        ]

    def _tables(self) -> list[SmallTable]:
        rows = [
            (rank.method, name, rank.value, "{} to {}".format(*rank.rank), rank.is_best)
            for name, ranks in self.ranks.items()
            for rank in ranks
        ]
        return [SmallTable(rows, ("method", "score", "value", "rank", "best"))] if rows else []

    def __str__(self) -> str:
        return "\n".join(f"- {finding}" for finding in self.findings)

    def _repr_html_(self) -> str:
        return html_list(self.findings)


_BARELY = 0.1  # a Matthews correlation that may be no larger is hardly better than chance
_SHOWN_PAIRS = 6
_BEST_KNOWN = ("mcc", "kappa", "bacc")
ADVICE = (
    "Publish the confusion matrix of every method (four numbers): every score, cost and comparison follows from it, "
    "and none of the ranges above would be needed."
)


def all_findings(result: Reinterpretation) -> tuple[ReinterpretationFinding, ...]:
    """Everything worth saying, the gravest first."""
    sorts = (_impossible, _one_test_set, _claimed, _chance, _dominance, _costs, _unread)
    findings = [finding for sort in sorts for finding in sort(result)]
    return (*sorted(findings, key=lambda finding: not finding.grave), ReinterpretationFinding("advice", ADVICE))


def _first(pairs: Iterable[str], more: str = "") -> str:
    """The first of some pairs in words, and how many more there are."""
    listed = list(pairs)
    left = len(listed) - _SHOWN_PAIRS
    return "; ".join(listed[:_SHOWN_PAIRS]) + (f" and {left} more{more}" if left > 0 else "")


def _impossible(result: Reinterpretation) -> Iterator[ReinterpretationFinding]:
    for reading in result.readings:
        made = reading.reconstruction
        if made is not None and made.verdict == "inconsistent":
            words = f"{reading.name}: no confusion matrix {made.setting()} has {', '.join(map(str, made.claims))}"
            yield ReinterpretationFinding("impossible", words, (reading.name,), True)
        if reading.matrix is not None and reading.contradicted:
            cells = reading.matrix.cells
            wrong = ", ".join(
                f"{claim.name} is {claim.score.text(*cells, digits=max(1, claim.number.digits))}, not {claim.text}"
                for claim in reading.contradicted
            )
            words = f"{reading.name}: with its matrix ({reading.matrix}) {wrong}"
            yield ReinterpretationFinding("contradiction", words, (reading.name,), True)


def _one_test_set(result: Reinterpretation) -> Iterator[ReinterpretationFinding]:
    same = result.same_test_set
    if same is None:
        return
    about: tuple[str, ...] = ()
    if same.apart:
        spans = same.prevalences
        pairs = _first((f"{a} ({spans[a]}) and {b} ({spans[b]})" for a, b in same.apart), " pairs")
        words = (
            f"not all methods were evaluated on the same test set: the prevalence, or the class counts, cannot agree "
            f"for {pairs}. Their scores are not comparable as they stand"
        )
        about = tuple(dict.fromkeys(name for pair in same.apart for name in pair))
    elif same.common is not None:
        p, n = same.common
        words = (
            f"one test set is possible for all methods, for example {p} positives and {n} negatives "
            "(that it was one is not proved by this)"
        )
    elif same.searched is not None:
        words = f"the prevalences could agree, but no common class counts were found among totals up to {same.searched}"
    else:
        words = "no class counts fit all methods at once: they were not tested on one test set"
    yield ReinterpretationFinding("test set", words, about, same.possible is False)


def _claimed(result: Reinterpretation) -> Iterator[ReinterpretationFinding]:
    claim = result.claim
    if claim is None:
        return
    by = result.standing.get(claim.by, CERTAIN)
    if by != CERTAIN:
        how = "not the best" if by == NO else "not certainly the best"
        words = f"{claim.method} is {how} even by {score(claim.by).title}"
        yield ReinterpretationFinding("claim", words, (claim.method,), by == NO)
    for standing, verb in ((CERTAIN, "is certainly"), (POSSIBLE, "may or may not be"), (NO, "is certainly not")):
        names = [name for name, value in result.standing.items() if value == standing and name != claim.by]
        if names:
            ahead = _winner(result, claim.method, names) if standing == NO else ""
            words = f"{claim.method} {verb} the best by {', '.join(names)}{ahead}"
            yield ReinterpretationFinding("claim", words, (claim.method,))


def _winner(result: Reinterpretation, method: str, names: list[str]) -> str:
    """Who is ahead instead, under the best known of these scores."""
    name = next((name for name in _BEST_KNOWN if name in names), names[0])
    first = result.ranks[name][0]
    own = next(row for row in result.ranks[name] if row.method == method)
    return f"; by {score(name).title} {first.method} has {first.value} and {own.method} {own.value}"


def _chance(result: Reinterpretation) -> Iterator[ReinterpretationFinding]:
    for name, rows in result.baselines.items():
        for row in rows:
            if row.better == NO:
                words = (
                    f"{name} is no better than the {row.against} classifier by {score(row.score).title}: "
                    f"its lead is {row.lead}, where that classifier has {row.value}"
                )
                yield ReinterpretationFinding("chance", words, (name,), row.against == "random")
        link = next((row.lead for row in rows if row.score == "mcc"), None)
        if link is not None and link.low <= _BARELY and (link.high is None or link.high > 0):
            words = f"{name} may be hardly better than chance: its Matthews correlation is {link}"
            yield ReinterpretationFinding("chance", words, (name,))


def _dominance(result: Reinterpretation) -> Iterator[ReinterpretationFinding]:
    if result.dominance:
        pairs = _first(f"{better} over {worse}" for better, worse in result.dominance)
        words = f"certainly higher in both sensitivity and specificity: {pairs}"
        yield ReinterpretationFinding("dominance", words)


def _costs(result: Reinterpretation) -> Iterator[ReinterpretationFinding]:
    for pair in result.preferences[: 2 * _SHOWN_PAIRS]:
        yield ReinterpretationFinding("cost", str(pair), (pair.cheaper, pair.than))
    if result.costs:
        rows = ", ".join(f"{row.method} {row.value}" for row in result.costs)
        what = f"with the costs {result.cell_costs}"
        if result.cost_ratio is not None:
            what = f"if a missed positive costs {float(result.cost_ratio):g} false alarms,"
        sure = result.costs[0].is_best == CERTAIN
        best = f"{result.costs[0].method} is certainly the cheapest" if sure else "the cheapest is not certain"
        yield ReinterpretationFinding("cost", f"{what} the cost per case is {rows}; {best}")
    if result.affordable and result.cost_budget is not None:
        told = "; ".join(f"{name} {word}" for name, word in result.affordable.items())
        yield ReinterpretationFinding("cost", f"within a budget of {float(result.cost_budget):g} per case: {told}")


def _unread(result: Reinterpretation) -> Iterator[ReinterpretationFinding]:
    for reading in result.readings:
        name, about, made = reading.name, (reading.name,), reading.reconstruction
        if reading.problem:
            yield ReinterpretationFinding("unread", f"{name} could not be read: {reading.problem}", about)
        for note in reading.notes:
            yield ReinterpretationFinding("note", f"{name}: {note}", about)
        for question in () if made is None else made.open_questions[:1]:
            yield ReinterpretationFinding("open", f"{name}: {question}", about)
        if made is not None and made.verdict == "undecided":
            words = f"{name}: not decided ({made.reason}); no sign of a mistake"
            yield ReinterpretationFinding("undecided", words, about)
    if result.ignored:
        words = f"columns that are no score of one confusion matrix: {', '.join(result.ignored)}"
        yield ReinterpretationFinding("unread", words)
