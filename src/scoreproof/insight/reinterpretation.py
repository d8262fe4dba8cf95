"""What a re-interpretation says, and how it prints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from importlib import import_module
from itertools import chain
from typing import TYPE_CHECKING, Any

from scoreproof.errors import InvalidOption
from scoreproof.figures import new_figure
from scoreproof.insight.rankings import (
    CERTAIN,
    NO,
    POSSIBLE,
    Baseline,
    CellCosts,
    ClaimedBest,
    Preference,
    Rank,
    SameTestSet,
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
        return {reading.name: reading for reading in reversed(self.readings)}[name]

    def rank_figure(self, name: str) -> Figure:
        """The range of one score for every method, the best rank on top, with the rank written beside it."""
        wanted = score(name)
        rows = self.ranks.get(wanted.name)
        if not rows:
            raise InvalidOption(f"a rank plot needs at least two methods with {wanted.title}; the table has none such")
        figure = new_figure(7.0, 1.1 + 0.38 * len(rows))
        axes = figure.add_subplot()
        claimed = self.claim.method if self.claim else None
        edge = 1.25 * max([float(row.value.high) for row in rows if row.value.high is not None] or [1.0])
        for place, row in enumerate(rows):
            ends = [float(row.value.low), edge if row.value.high is None else float(row.value.high)]
            colour = COLOURS[row.method == claimed]
            axes.plot(ends, [place, place], color=colour, linewidth=5, solid_capstyle="butt", zorder=2)
            axes.plot(ends, [place, place], "|", color=colour, markersize=12, zorder=3)
            rank = " to ".join(map(str, dict.fromkeys(row.rank)))
            axes.annotate(f"rank {rank}", (1.02, place), xycoords=("axes fraction", "data"), va="center", fontsize=9)
        axes.set_yticks(range(len(rows)), [row.method for row in rows])
        axes.set(ylim=(len(rows) - 0.5, -0.5), xlabel=f"{wanted.title} (guaranteed range)")
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
            lines = np.array([float(fn) * ratios + float(fp) for fn, fp in corners])
            colour, least, most = COLOURS[k % len(COLOURS)], lines.min(axis=0), lines.max(axis=0)
            axes.fill_between(ratios, least, most, color=colour, alpha=0.3, linewidth=0)
            axes.plot(ratios, least, color=colour, linewidth=1.2, label=name)
            axes.plot(ratios, most, color=colour, linewidth=1.2)
        if self.cost_ratio is not None:
            axes.axvline(float(self.cost_ratio), color="black", linestyle=":", linewidth=1)
        axes.set(xscale="log", xlabel="cost of a false negative / cost of a false positive")
        axes.set(yscale="log", ylabel="cost per case (false positive = 1)")
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


Told = tuple[str, str, tuple[str, ...], bool]  # the fields of a finding


def all_findings(result: Reinterpretation) -> tuple[ReinterpretationFinding, ...]:
    """Everything worth saying, the gravest first."""
    sorts = (_impossible, _one_test_set, _claimed, _chance, _compared, _unread)
    told = sorted((told for sort in sorts for told in sort(result)), key=lambda each: not each[3])
    return (*(ReinterpretationFinding(*each) for each in told), ReinterpretationFinding("advice", ADVICE))


def _first(pairs: Iterable[str], more: str = "") -> str:
    """The first of some pairs in words, and how many more there are."""
    listed = list(pairs)
    left = len(listed) - _SHOWN_PAIRS
    return "; ".join(listed[:_SHOWN_PAIRS]) + (f" and {left} more{more}" if left > 0 else "")


def _impossible(result: Reinterpretation) -> Iterator[Told]:
    for reading in result.readings:
        made, matrix = reading.reconstruction, reading.matrix
        if made is not None and made.verdict == "inconsistent":
            words = f"{reading.name}: no confusion matrix {made.setting()} has {', '.join(map(str, made.claims))}"
            yield "impossible", words, (reading.name,), True
        if matrix is not None and reading.contradicted:
            wrong = ", ".join(
                f"{claim.name} is {claim.score.text(*matrix.cells, digits=max(1, claim.number.digits))}, "
                f"not {claim.text}"
                for claim in reading.contradicted
            )
            yield "contradiction", f"{reading.name}: with its matrix ({matrix}) {wrong}", (reading.name,), True


def _one_test_set(result: Reinterpretation) -> Iterator[Told]:
    same = result.same_test_set
    if same is None:
        return
    if same.apart:
        spans = same.prevalences
        pairs = _first((f"{a} ({spans[a]}) and {b} ({spans[b]})" for a, b in same.apart), " pairs")
        words = (
            f"not all methods were evaluated on the same test set: the prevalence, or the class counts, cannot agree "
            f"for {pairs}. Their scores are not comparable as they stand"
        )
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
    yield "test set", words, tuple(dict.fromkeys(chain.from_iterable(same.apart))), same.possible is False


def _claimed(result: Reinterpretation) -> Iterator[Told]:
    claim = result.claim
    if claim is None:
        return
    about = (claim.method,)
    by = result.standing.get(claim.by, CERTAIN)
    if by != CERTAIN:
        how = "not the best" if by == NO else "not certainly the best"
        yield "claim", f"{claim.method} is {how} even by {score(claim.by).title}", about, by == NO
    for standing, verb in ((CERTAIN, "is certainly"), (POSSIBLE, "may or may not be"), (NO, "is certainly not")):
        names = [name for name, value in result.standing.items() if value == standing and name != claim.by]
        if names:
            ahead = _winner(result, claim.method, names) if standing == NO else ""
            yield "claim", f"{claim.method} {verb} the best by {', '.join(names)}{ahead}", about, False


def _winner(result: Reinterpretation, method: str, names: list[str]) -> str:
    """Who is ahead instead, under the best known of these scores."""
    name = next((name for name in _BEST_KNOWN if name in names), names[0])
    first = result.ranks[name][0]
    own = next(row for row in result.ranks[name] if row.method == method)
    return f"; by {score(name).title} {first.method} has {first.value} and {own.method} {own.value}"


def _chance(result: Reinterpretation) -> Iterator[Told]:
    for name, rows in result.baselines.items():
        for row in rows:
            if row.better == NO:
                words = (
                    f"{name} is no better than the {row.against} classifier by {score(row.score).title}: "
                    f"its lead is {row.lead}, where that classifier has {row.value}"
                )
                yield "chance", words, (name,), row.against == "random"
        link = next((row.lead for row in rows if row.score == "mcc"), None)
        if link is not None and link.low <= _BARELY and (link.high is None or link.high > 0):
            words = f"{name} may be hardly better than chance: its Matthews correlation is {link}"
            yield "chance", words, (name,), False


def _compared(result: Reinterpretation) -> Iterator[Told]:
    """Who is better in both rates, and who costs less."""
    if result.dominance:
        pairs = _first(f"{better} over {worse}" for better, worse in result.dominance)
        yield "dominance", f"certainly higher in both sensitivity and specificity: {pairs}", (), False
    for pair in result.preferences[: 2 * _SHOWN_PAIRS]:
        yield "cost", str(pair), (pair.cheaper, pair.than), False
    if result.costs:
        rows = ", ".join(f"{row.method} {row.value}" for row in result.costs)
        what = f"with the costs {result.cell_costs}"
        if result.cost_ratio is not None:
            what = f"if a missed positive costs {float(result.cost_ratio):g} false alarms,"
        sure = result.costs[0].is_best == CERTAIN
        best = f"{result.costs[0].method} is certainly the cheapest" if sure else "the cheapest is not certain"
        yield "cost", f"{what} the cost per case is {rows}; {best}", (), False
    if result.affordable and result.cost_budget is not None:
        told = "; ".join(f"{name} {word}" for name, word in result.affordable.items())
        yield "cost", f"within a budget of {float(result.cost_budget):g} per case: {told}", (), False


def _unread(result: Reinterpretation) -> Iterator[Told]:
    for reading in result.readings:
        made = reading.reconstruction
        told = [("unread", f" could not be read: {reading.problem}")] if reading.problem else []
        told += [("note", f": {note}") for note in reading.notes]
        told += [("open", f": {question}") for question in (() if made is None else made.open_questions[:1])]
        if made is not None and made.verdict == "undecided":
            told.append(("undecided", f": not decided ({made.reason}); no sign of a mistake"))
        for kind, words in told:
            yield kind, f"{reading.name}{words}", (reading.name,), False
    if result.ignored:
        yield "unread", f"columns that are no score of one confusion matrix: {', '.join(result.ignored)}", (), False
