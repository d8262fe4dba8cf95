"""What a re-interpretation says, and how it prints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from importlib import import_module
from typing import TYPE_CHECKING, Any, Self

from scoreproof.errors import InvalidOption
from scoreproof.figures import new_figure
from scoreproof.insight.costs import CellCosts, Preference
from scoreproof.insight.published_table import SameTestSet
from scoreproof.insight.rankings import CERTAIN, NO, POSSIBLE, Baseline, ClaimedBest, Rank
from scoreproof.insight.reconstruction import COLOURS, Reconstruction
from scoreproof.jsonable import document, rebuilt
from scoreproof.kinds.binary.scores import ConfusionMatrix, score
from scoreproof.kinds.unknown_classes.ranges import Range
from scoreproof.notebook import html_list
from scoreproof.reported import Claim
from scoreproof.results import Result, SmallTable, Tabular
from scoreproof.validation import declared

if TYPE_CHECKING:
    from matplotlib.figure import Figure


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
    problem: str = ""
    notes: tuple[str, ...] = ()
    matrix: ConfusionMatrix | None = None
    contradicted: tuple[Claim, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return document(self, "name problem notes matrix contradicted reconstruction", problem=self.problem or None)

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        return rebuilt(cls, {**document, "problem": document["problem"] or ""})

    def __str__(self) -> str:
        return f"{self.name}: {self.reconstruction or self.problem}"


@dataclass(frozen=True, slots=True)
class Reinterpretation(Tabular):
    """A table re-read. ``ranks`` maps score names to the ranks of all methods under them; ``standing`` says for the
    claim under which scores its method is certainly, possibly or certainly not the best; ``costs`` ranks the methods
    at the given cost ratio or cell costs, and ``affordable`` says who stays within the budget."""

    readings: tuple[MethodReading, ...]
    ignored: tuple[str, ...]
    same_test_set: SameTestSet | None
    baselines: dict[str, tuple[Baseline, ...]]
    ranks: dict[str, tuple[Rank, ...]]
    dominance: tuple[tuple[str, str], ...]
    preferences: tuple[Preference, ...]
    claim: ClaimedBest | None
    standing: dict[str, str]
    cost_ratio: Fraction | None
    costs: tuple[Rank, ...]
    cell_costs: CellCosts | None = None
    cost_budget: Fraction | None = None
    affordable: dict[str, str] = field(default_factory=dict)
    findings: tuple[ReinterpretationFinding, ...] = ()
    _told = "methods=readings ignored_columns=ignored *"
    _errors: dict[str, tuple[tuple[Fraction, Fraction], ...]] = field(default_factory=dict, repr=False, compare=False)

    @declared
    def with_findings(self, findings: tuple[ReinterpretationFinding, ...]) -> Reinterpretation:
        """The same with its findings in words."""
        return replace(self, findings=findings)

    def __getitem__(self, name: str) -> MethodReading:
        for reading in self.readings:
            if reading.name == name:
                return reading
        raise KeyError(name)

    def rank_figure(self, name: str) -> Figure:
        """The ranges of one score, method by method, in the order of their ranks."""

        return rank_figure(self, name)

    def cost_figure(self) -> Figure:
        """The cost of every method against the cost ratio, as bands."""

        return cost_figure(self)

    def to_html(self) -> str:
        """A page of its own, with everything on it and nothing loaded from elsewhere."""
        page: str = import_module("scoreproof.pages").reinterpretation_page(self)
        return page

    def to_dict(self) -> dict[str, Any]:
        claim = None if self.claim is None else {"best": self.claim.method, "by": self.claim.by.name}
        return document(self, self._told, claim=claim)

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """The re-interpretation a document describes, with its numbers as floats; the figure of costs is lost."""
        claim = document["claim"]
        plain = rebuilt(cls, {**document, "claim": None})
        return plain if claim is None else replace(plain, claim=ClaimedBest(claim["best"], score(claim["by"])))

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {"score": name, **document(rank, "method best worst is_best"), **rank.value.to_dict()}
            for name, ranks in self.ranks.items()
            for rank in ranks
        ]

    def _tables(self) -> list[SmallTable]:
        rows = [
            (rank.method, name, rank.value, f"{rank.best} to {rank.worst}", rank.is_best)
            for name, ranks in self.ranks.items()
            for rank in ranks
        ]
        return [SmallTable(rows, ("method", "score", "value", "rank", "best"))] if rows else []

    def __str__(self) -> str:
        return "\n".join(f"- {finding}" for finding in self.findings)

    def _repr_html_(self) -> str:
        return html_list(self.findings)


_RATIOS = (0.1, 100.0)
_STEPS = 400


def rank_figure(result: Reinterpretation, name: str) -> Figure:
    """The range of one score for every method, the best rank on top, with the rank written beside it."""
    wanted = score(name)
    rows = result.ranks.get(wanted.name)
    if not rows:
        raise InvalidOption(f"a rank plot needs at least two methods with {wanted.title}; the table has none such")
    figure = new_figure(7.0, 1.1 + 0.38 * len(rows))
    axes = figure.add_subplot()
    claimed = result.claim.method if result.claim else None
    finite = [float(row.value.high) for row in rows if row.value.high is not None] or [1.0]
    edge = max(finite) * 1.25
    for place, row in enumerate(rows):
        low = float(row.value.low)
        high = edge if row.value.high is None else float(row.value.high)
        colour = COLOURS[1] if row.method == claimed else COLOURS[0]
        axes.plot([low, high], [place, place], color=colour, linewidth=5, solid_capstyle="butt", zorder=2)
        axes.plot([low, high], [place, place], "|", color=colour, markersize=12, zorder=3)
        rank = f"{row.best}" if row.best == row.worst else f"{row.best} to {row.worst}"
        axes.annotate(f"rank {rank}", (1.02, place), xycoords=("axes fraction", "data"), va="center", fontsize=9)
    axes.set_yticks(range(len(rows)), [row.method for row in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlabel(f"{wanted.title} (guaranteed range)")
    axes.grid(axis="x", color="#dddddd", zorder=0)
    axes.spines[["top", "right"]].set_visible(False)
    return figure


def cost_figure(result: Reinterpretation) -> Figure:
    """Cost per case, in units of C_FP, against the ratio C_FN / C_FP."""
    import numpy as np

    if not result._errors:
        raise InvalidOption("a cost plot needs at least one method whose errors are known; the table has none")
    figure = new_figure(7.0, 4.4)
    axes = figure.add_subplot()
    ratios = np.geomspace(*_RATIOS, _STEPS)
    for k, (name, corners) in enumerate(result._errors.items()):
        lines = np.array([[float(fn) * ratio + float(fp) for ratio in ratios] for fn, fp in corners])
        colour = COLOURS[k % len(COLOURS)]
        axes.fill_between(ratios, lines.min(axis=0), lines.max(axis=0), color=colour, alpha=0.3, linewidth=0)
        axes.plot(ratios, lines.min(axis=0), color=colour, linewidth=1.2, label=name)
        axes.plot(ratios, lines.max(axis=0), color=colour, linewidth=1.2)
    if result.cost_ratio is not None:
        axes.axvline(float(result.cost_ratio), color="black", linestyle=":", linewidth=1)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("cost of a false negative / cost of a false positive")
    axes.set_ylabel("cost per case (false positive = 1)")
    axes.legend(frameon=False, fontsize=9)
    axes.grid(color="#eeeeee")
    axes.spines[["top", "right"]].set_visible(False)
    return figure


_BARELY = 0.1  # a Matthews correlation that may be no larger is hardly better than chance
_SHOWN_PAIRS = 6
ADVICE = (
    "Publish the confusion matrix of every method (four numbers): every score, cost and comparison follows from it, "
    "and none of the ranges above would be needed."
)


def all_findings(result: Reinterpretation) -> tuple[ReinterpretationFinding, ...]:
    """Everything worth saying, the gravest first."""
    found = [
        *_impossible(result),
        *_one_test_set(result),
        *_claimed(result),
        *_chance(result),
        *_dominance(result),
        *_costs(result),
        *_unread(result),
    ]
    ordered = sorted(found, key=lambda one: not one.grave)
    return (*ordered, ReinterpretationFinding("advice", ADVICE))


def _impossible(result: Reinterpretation) -> Iterator[ReinterpretationFinding]:
    for one in result.readings:
        found = one.reconstruction
        if found is not None and found.verdict == "inconsistent":
            printed = ", ".join(map(str, found.claims))
            yield ReinterpretationFinding(
                "impossible", f"{one.name}: no confusion matrix {found.setting()} has {printed}", (one.name,), True
            )
        if one.matrix is not None and one.contradicted:
            wrong = ", ".join(
                f"{given.name} is {given.score.text(*one.matrix.cells, digits=max(1, given.number.digits))}, "
                f"not {given.text}"
                for given in one.contradicted
            )
            yield ReinterpretationFinding(
                "contradiction", f"{one.name}: with its matrix ({one.matrix}) {wrong}", (one.name,), True
            )


def _one_test_set(result: Reinterpretation) -> Iterator[ReinterpretationFinding]:
    same = result.same_test_set
    if same is None:
        return
    if same.apart:
        shown = "; ".join(
            f"{one} ({same.prevalences[one]}) and {other} ({same.prevalences[other]})"
            for one, other in same.apart[:_SHOWN_PAIRS]
        )
        more = f" and {len(same.apart) - _SHOWN_PAIRS} more pairs" if len(same.apart) > _SHOWN_PAIRS else ""
        yield ReinterpretationFinding(
            "test set",
            f"not all methods were evaluated on the same test set: the prevalence, or the class counts, cannot agree "
            f"for {shown}{more}. Their scores are not comparable as they stand",
            tuple(dict.fromkeys(name for pair in same.apart for name in pair)),
            True,
        )
    elif same.common is not None:
        p, n = same.common
        yield ReinterpretationFinding(
            "test set",
            f"one test set is possible for all methods, for example {p} positives and {n} negatives "
            "(that it was one is not proved by this)",
        )
    elif same.searched is not None:
        yield ReinterpretationFinding(
            "test set",
            f"the prevalences could agree, but no common class counts were found among totals up to {same.searched}",
        )
    else:
        yield ReinterpretationFinding(
            "test set", "no class counts fit all methods at once: they were not tested on one test set", (), True
        )


def _claimed(result: Reinterpretation) -> Iterator[ReinterpretationFinding]:
    claim = result.claim
    if claim is None:
        return
    by = result.standing.get(claim.by.name)
    if by is not None and by != CERTAIN:
        how = "not the best" if by == NO else "not certainly the best"
        yield ReinterpretationFinding(
            "claim", f"{claim.method} is {how} even by {claim.by.title}", (claim.method,), by == NO
        )
    rest = {name: standing for name, standing in result.standing.items() if name != claim.by.name}
    words = {
        CERTAIN: f"{claim.method} is certainly the best by",
        POSSIBLE: f"{claim.method} may or may not be the best by",
        NO: f"{claim.method} is certainly not the best by",
    }
    for standing, start in words.items():
        names = [name for name, value in rest.items() if value == standing]
        if names:
            words_on = f"{start} {', '.join(names)}{_winners(result, names, standing)}"
            yield ReinterpretationFinding("claim", words_on, (claim.method,))


def _winners(result: Reinterpretation, names: list[str], standing: str) -> str:
    """Who is ahead instead, under the best known of these scores."""
    if standing != NO:
        return ""
    name = next((name for name in ("mcc", "kappa", "bacc") if name in names), names[0])
    assert result.claim is not None
    rows = {row.method: row for row in result.ranks[name]}
    first = result.ranks[name][0]
    own = rows[result.claim.method]
    return f"; by {score(name).title} {first.method} has {first.value} and {own.method} {own.value}"


def _chance(result: Reinterpretation) -> Iterator[ReinterpretationFinding]:
    for name, rows in result.baselines.items():
        for one in rows:
            if one.better == NO:
                yield ReinterpretationFinding(
                    "chance",
                    f"{name} is no better than the {one.against} classifier by {score(one.score).title}: "
                    f"its lead is {one.lead}, where that classifier has {one.value}",
                    (name,),
                    one.against == "random",
                )
        link = next((one.lead for one in rows if one.score == "mcc"), None)
        if link is not None and link.low <= _BARELY and not _below_zero(link):
            yield ReinterpretationFinding(
                "chance", f"{name} may be hardly better than chance: its Matthews correlation is {link}", (name,)
            )


def _below_zero(span: Range) -> bool:
    return span.high is not None and span.high <= 0


def _dominance(result: Reinterpretation) -> Iterator[ReinterpretationFinding]:
    if result.dominance:
        shown = "; ".join(f"{one} over {other}" for one, other in result.dominance[:_SHOWN_PAIRS])
        more = f" and {len(result.dominance) - _SHOWN_PAIRS} more" if len(result.dominance) > _SHOWN_PAIRS else ""
        yield ReinterpretationFinding(
            "dominance", f"certainly higher in both sensitivity and specificity: {shown}{more}"
        )


def _costs(result: Reinterpretation) -> Iterator[ReinterpretationFinding]:
    for one in result.preferences[: 2 * _SHOWN_PAIRS]:
        yield ReinterpretationFinding("cost", str(one), (one.one, one.other))
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
    for one in result.readings:
        if one.problem:
            yield ReinterpretationFinding("unread", f"{one.name} could not be read: {one.problem}", (one.name,))
        for note in one.notes:
            yield ReinterpretationFinding("note", f"{one.name}: {note}", (one.name,))
        found = one.reconstruction
        if found is not None:
            for question in found.open_questions[:1]:
                yield ReinterpretationFinding("open", f"{one.name}: {question}", (one.name,))
            if found.verdict == "undecided":
                yield ReinterpretationFinding(
                    "undecided", f"{one.name}: not decided ({found.reason}); no sign of a mistake", (one.name,)
                )
    if result.ignored:
        yield ReinterpretationFinding(
            "unread", f"columns that are no score of one confusion matrix: {', '.join(result.ignored)}"
        )
