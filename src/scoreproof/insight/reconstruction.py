"""What a reconstruction says, and how it prints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import cycle, islice
from typing import TYPE_CHECKING, Any, Self

from scoreproof.checking import Answer, OfAnswer, Verdict, Witness
from scoreproof.errors import InvalidOption
from scoreproof.figures import new_figure
from scoreproof.jsonable import document, rebuilt
from scoreproof.kinds.binary.engine.rectangles import filler
from scoreproof.kinds.binary.engine.solutions import Block
from scoreproof.kinds.binary.experiment import TestSet
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.kinds.unknown_classes.experiment import Range, above, below
from scoreproof.kinds.unknown_classes.forms import Vector
from scoreproof.kinds.unknown_classes.matrices import Smallest
from scoreproof.kinds.unknown_classes.rates import Group
from scoreproof.reported import Claim
from scoreproof.results import SmallTable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Reconstruction(OfAnswer):
    """All that follows from reported scores.

    ``ranges`` maps tp, fp, fn, tn (counts if a total is known, rates otherwise), prevalence and every score to its
    guaranteed range. ``groups`` holds the class counts that fit, where they were listed; ``smallest`` the smallest
    totals that fit, where none is known. ``open_questions`` says in words what the scores leave undetermined.
    """

    answer: Answer[Any, Any]
    ranges: dict[str, Range] = field(hash=False)
    groups: tuple[Group, ...] | None = None
    smallest: Smallest | None = None
    open_questions: tuple[str, ...] = ()
    _cover: tuple[tuple[Vector, ...], ...] = field(default=(), repr=False, compare=False)

    @property
    def witness(self) -> Witness | None:
        """The smallest matrix that fits, where that was looked for; otherwise one that does."""
        if self.smallest is not None and self.smallest.matrices:
            return Witness(self.smallest.matrices[:1])
        witness: Witness | None = self.answer.witness
        return witness

    @property
    def classes(self) -> tuple[int, int] | None:
        """The class counts, if they were given."""
        experiment = self.answer.problem.experiment
        return (experiment.p, experiment.n) if isinstance(experiment, TestSet) else None

    @property
    def total(self) -> tuple[int, int] | None:
        """The fewest and the most cases, if that is what was given."""
        return getattr(self.answer.problem.experiment, "totals", None)

    @property
    def prevalence(self) -> Claim | None:
        """The prevalence as printed, if it was."""
        return getattr(self.answer.problem.experiment, "claim", None)

    @property
    def known(self) -> str:
        """What was known besides the scores: "counts", "total" or "rates" (nothing)."""
        return "counts" if self.classes else "total" if self.total else "rates"

    def matrices(self) -> Iterator[ConfusionMatrix]:
        """Every confusion matrix that fits, group by group."""
        for group in self.groups or ():
            yield from group.solutions.matrices()

    def blocks(self) -> Iterator[tuple[Group, Block]]:
        """Every confusion matrix that fits, in compact form."""
        for group in self.groups or ():
            for block in group.solutions:
                yield group, block

    @property
    def count(self) -> int | None:
        """How many matrices fit; None if they were not listed."""
        if self.groups is None:
            return None
        counted = [group.solutions.count for group in self.groups]
        return None if any(number is None for number in counted) else sum(number or 0 for number in counted)

    def corners(self) -> Iterator[Vector]:
        """Cells (tp, fp, fn, tn), up to a factor, of which all that is admissible is a mixture."""
        if self._cover:
            yield from dict.fromkeys(ray for cone in self._cover for ray in cone)
            return
        for group, block in self.blocks():
            for tp in set(block.tp):
                for tn in set(block.tn):
                    yield tp, group.n - tn, group.p - tp, tn

    def figure(self) -> Figure:
        """The admissible region with the band of each score: (tp, tn) if counts are known, (sens, spec) otherwise."""
        if not self.ranges:
            raise InvalidOption("a figure needs an admissible region; this report has none")
        figure = new_figure(7.0, 5.2)
        axes = figure.add_subplot()
        import numpy as np
        from matplotlib.collections import PatchCollection
        from matplotlib.lines import Line2D
        from matplotlib.patches import Patch, Rectangle

        counted = bool(self.groups)
        p, n = self._drawn_at()
        names, sizes, least = (("tp", "tn"), (p, n), 3.5) if counted else (("sens", "spec"), (1, 1), 0.0)
        (a, b), (c, d) = sides = [_ends(self.ranges[name]) for name in names]
        window = [_window(*side, size, least) for side, size in zip(sides, sizes, strict=True)]
        x, y = np.meshgrid(*(np.linspace(*ends, _GRID) for ends in window))
        handles = self._draw_bands(axes, x, y, counted)
        dark: dict[str, Any] = {"alpha": 0.65, "zorder": 3}
        if counted:
            blocks = list(islice((block for _, block in self.blocks()), _MOST_PATCHES + 1))
            spans = {(*block.tp, *block.tn) for block in blocks} if 0 < len(blocks) <= _MOST_PATCHES else {(a, b, c, d)}
            squares = [Rectangle((t - 0.5, u - 0.5), t2 - t + 1, u2 - u + 1) for t, t2, u, u2 in spans]
            axes.add_collection(PatchCollection(squares, facecolor="black", edgecolor="none", **dark))
        else:
            admitted = self._admitted(x, y)
            if admitted.any():
                axes.contourf(x, y, admitted.astype(float), levels=[0.5, 1.5], colors=["black"], **dark)
            axes.add_patch(Rectangle((a, c), b - a, d - c, fill=False, edgecolor="black", linestyle="--", zorder=4))
            handles.append(Line2D([], [], color="black", linestyle="--", label="guaranteed ranges"))
        label = "admissible" if counted else "admissible at\nsome prevalence"
        handles.append(Patch(facecolor="black", alpha=0.65, label=label))
        axes.legend(handles=handles, loc="upper left", bbox_to_anchor=(1.02, 1), frameon=False, fontsize=9)
        axes.set(xlim=window[0], ylim=window[1])
        axes.set_xlabel("true positives" if counted else "sensitivity")
        axes.set_ylabel("true negatives" if counted else "specificity")
        at = f"p = {p}, n = {n}" if counted else f"prevalence {p / (p + n):.4f}"
        title = f"Confusion matrices {self.setting()}\nbands drawn at {at}"
        axes.set_title(title, fontsize=10, loc="left")
        return figure

    def _draw_bands(self, axes: Axes, x: NDArray[Any], y: NDArray[Any], counted: bool) -> list[Any]:
        """The band of each score, between its lower and upper border; what a legend says of them."""
        import numpy as np
        from matplotlib.patches import Patch

        p, n = self._drawn_at()
        handles: list[Any] = []
        for claim, colour in zip(self.claims, cycle(COLOURS), strict=False):
            low, high = float(claim.low), float(claim.high)
            values = _values(claim, *((x, y) if counted else (x * p, y * n)), p, n)
            if not np.isnan(values).all() and np.nanmax(values) >= low and np.nanmin(values) <= high:
                axes.contourf(x, y, values, levels=[low, max(high, low + 1e-9)], colors=[colour], alpha=0.35)
                axes.contour(x, y, values, levels=sorted({low, high}), colors=[colour], linewidths=0.8)
            handles.append(Patch(facecolor=colour, alpha=0.45, label=str(claim)))
        return handles

    def _drawn_at(self) -> tuple[int, int]:
        """The class counts at which bands are drawn: the middle one of those that fit."""
        if self.groups:
            middle = self.groups[len(self.groups) // 2]
            return middle.p, middle.n
        share = round(sum(_ends(self.ranges["prevalence"])) / 2 * 10**6)
        return share, 10**6 - share

    def _admitted(self, x: NDArray[Any], y: NDArray[Any]) -> NDArray[Any]:
        """Where some prevalence, of those sampled, admits (sens, spec)."""
        import numpy as np

        admitted = np.zeros(x.shape, dtype=bool)
        for share in np.linspace(*_ends(self.ranges["prevalence"]), _PREVALENCES):
            p = round(float(share) * 10**9)
            n = 10**9 - p
            values = [_values(claim, x * p, y * n, p, n) for claim in self.claims]
            with np.errstate(invalid="ignore"):
                inside = [(v >= float(c.low)) & (v <= float(c.high)) for v, c in zip(values, self.claims, strict=True)]
            admitted |= np.all(inside, axis=0)
        return admitted

    def to_dict(self) -> dict[str, Any]:
        told = {**self.answer.to_dict(), **document(self, "known ranges open_questions")}
        if self.groups is not None:
            told["groups"] = [document(group, "p n example") for group in self.groups]
        if self.smallest is not None:
            told["smallest"] = document(self.smallest, "matrices totals searched")
        return told

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """The reconstruction a document describes, its ranges as wide as their floats; the figure of rates is lost."""
        own = ("known", "ranges", "open_questions", "groups", "smallest")
        answer = Answer.from_dict({key: value for key, value in document.items() if key not in own})
        zero = filler(answer.problem.undefined) if isinstance(answer.problem.experiment, TestSet) else None
        groups = document.get("groups")
        if groups is not None:
            examples = [(group["p"], group["n"], ConfusionMatrix(**group["example"])) for group in groups]
            groups = tuple(Group(p, n, example, answer.claims, zero) for p, n, example in examples)
        return rebuilt(cls, {**document, "answer": answer, "groups": groups})

    def setting(self) -> str:
        """What was known besides the scores, in words."""
        words = "of any size"
        if self.classes:
            words = f"with {self.classes[0]} positives and {self.classes[1]} negatives"
        elif self.total:
            low, high = self.total
            words = f"of {low} cases" if low == high else f"of {low} to {high} cases"
        return words + (f" and prevalence {self.prevalence.text}" if self.prevalence else "")

    def __str__(self) -> str:
        report = ", ".join(map(str, self.claims))
        if self.verdict is Verdict.INCONSISTENT:
            because = f" ({self.reason})" if self.reason else ""
            return f"inconsistent: no confusion matrix {self.setting()} has {report}{because}"
        if self.verdict is Verdict.UNDECIDED:
            return f"undecided: {report} {self.setting()} ({self.reason}); this is no sign of a mistake"
        shown = [f"{name} {self.ranges[name]}" for name in ("prevalence", "mcc") if name in self.ranges]
        notes = "".join(f". Note: {note}" for note in self.notes)
        return f"consistent: {report} {self.setting()}{'; ' * bool(shown)}{', '.join(shown)}{notes}"

    def _rows(self) -> list[dict[str, Any]]:
        return [{"quantity": name, **span.to_dict()} for name, span in self.ranges.items()]

    def _tables(self) -> list[SmallTable]:
        rows = [(name, below(span.low), above(span.high)) for name, span in self.ranges.items()]
        return [SmallTable(rows, ("", "at least", "at most"))] if rows else []


COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f", "#8c564b")
_GRID = 400
_PREVALENCES = 25
_MOST_PATCHES = 4_000


def _ends(span: Range) -> tuple[float, float]:
    return float(span.low), float(1 if span.high is None else span.high)


def _window(low: float, high: float, most: float, least: float) -> tuple[float, float]:
    """A range with a margin around it."""
    margin = max(0.75 * (high - low), 0.004 * most, least)
    return max(low - margin, -0.02 * most), min(high + margin, 1.02 * max(most, high))


def _values(claim: Claim, tp: NDArray[Any], tn: NDArray[Any], p: int, n: int) -> NDArray[Any]:
    """A score over the plane; NaN outside the grid and where it is undefined."""
    import numpy as np

    inside = (tp >= 0) & (tp <= p) & (tn >= 0) & (tn <= n)
    right, wrong = np.clip(tp, 0, p), n - np.clip(tn, 0, n)
    values = claim.score.values(right, wrong, p - right, n - wrong)
    return np.where(inside & np.isfinite(values), values, np.nan)
