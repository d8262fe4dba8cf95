"""What a reconstruction says, and how it prints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from scoreproof.checking import Answer, OfAnswer, Verdict, Witness
from scoreproof.errors import InvalidOption
from scoreproof.figures import new_figure
from scoreproof.jsonable import document, rebuilt
from scoreproof.kinds.binary.engine.rectangles import filler
from scoreproof.kinds.binary.engine.solutions import Block
from scoreproof.kinds.binary.experiment import TestSet
from scoreproof.kinds.binary.scores import ConfusionMatrix
from scoreproof.kinds.unknown_classes.experiment import UnknownClasses
from scoreproof.kinds.unknown_classes.forms import Vector
from scoreproof.kinds.unknown_classes.ranges import Range, above, below
from scoreproof.kinds.unknown_classes.rates import Group
from scoreproof.kinds.unknown_classes.smallest import Smallest
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
        experiment = self.answer.problem.experiment
        return experiment.totals if isinstance(experiment, UnknownClasses) else None

    @property
    def prevalence(self) -> Claim | None:
        """The prevalence as printed, if it was."""
        experiment = self.answer.problem.experiment
        return experiment.claim if isinstance(experiment, UnknownClasses) else None

    @property
    def known(self) -> str:
        """What was known besides the scores: "counts", "total" or "rates" (nothing)."""
        return "counts" if self.classes else "total" if self.total else "rates"

    @property
    def admissible_p(self) -> tuple[int, ...] | None:
        """The numbers of positives that fit; None if they were not listed."""
        return None if self.groups is None else tuple(sorted({group.p for group in self.groups}))

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
        return None if any(one is None for one in counted) else sum(one or 0 for one in counted)

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
        return region_figure(self)

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


Rectangle = tuple[float, float, float, float]  # x from, x to, y from, y to

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f", "#8c564b")
_GRID = 400
_PREVALENCES = 25
_MOST_PATCHES = 4_000


def region_figure(found: Reconstruction) -> Figure:
    """The region in the plane of (tp, tn) if counts are known, of (sens, spec) otherwise."""
    if not found.ranges:
        raise InvalidOption("a figure needs an admissible region; this report has none")
    figure = new_figure(7.0, 5.2)
    axes = figure.add_subplot()
    patches = _count_patches(found) if found.groups else _rate_patches(found)
    as_counts = bool(found.groups)
    window = _window(patches, found, as_counts)
    handles = _bands(axes, found, window, as_counts)
    handles += _cells(axes, patches) if as_counts else _sampled(axes, found, window)
    axes.legend(handles=handles, loc="upper left", bbox_to_anchor=(1.02, 1), frameon=False, fontsize=9)
    axes.set_xlim(window[0], window[1])
    axes.set_ylim(window[2], window[3])
    axes.set_xlabel("true positives" if as_counts else "sensitivity")
    axes.set_ylabel("true negatives" if as_counts else "specificity")
    axes.set_title(_title(found, as_counts), fontsize=10, loc="left")
    return figure


def _title(found: Reconstruction, as_counts: bool) -> str:
    p, n = _classes(found)
    at = f"p = {p}, n = {n}" if as_counts else f"prevalence {p / (p + n):.4f}"
    return f"Confusion matrices {found.setting()}\nbands drawn at {at}"


def _classes(found: Reconstruction) -> tuple[int, int]:
    """The class counts at which bands are drawn: the middle one of those that fit."""
    if found.groups:
        middle = found.groups[len(found.groups) // 2]
        return middle.p, middle.n
    span = found.ranges["prevalence"]
    share = (float(span.low) + float(1 if span.high is None else span.high)) / 2
    return round(share * 10**6), 10**6 - round(share * 10**6)


def _count_patches(found: Reconstruction) -> list[Rectangle]:
    patches = []
    for _, block in found.blocks():
        patches.append((block.tp[0] - 0.5, block.tp[1] + 0.5, block.tn[0] - 0.5, block.tn[1] + 0.5))
        if len(patches) > _MOST_PATCHES:
            return [_of_ranges(found, "tp", "tn")]
    return patches


def _rate_patches(found: Reconstruction) -> list[Rectangle]:
    """The rectangle of (sens, spec) that is guaranteed to hold everything admissible."""
    return [_of_ranges(found, "sens", "spec")]


def _of_ranges(found: Reconstruction, across: str, up: str) -> Rectangle:
    x, y = found.ranges[across], found.ranges[up]
    return float(x.low), float(x.high or 0), float(y.low), float(y.high or 0)


def _window(patches: list[Rectangle], found: Reconstruction, as_counts: bool) -> Rectangle:
    """The region with a margin around it."""
    p, n = _classes(found) if as_counts else (1, 1)
    sides = []
    for k, most in ((0, p), (2, n)):
        low, high = min(patch[k] for patch in patches), max(patch[k + 1] for patch in patches)
        margin = max(0.75 * (high - low), 0.004 * most, 3.5 if as_counts else 0.0)
        sides += [max(low - margin, -0.02 * most), min(high + margin, 1.02 * max(most, high))]
    return sides[0], sides[1], sides[2], sides[3]


def _bands(axes: Axes, found: Reconstruction, window: Rectangle, as_counts: bool) -> list[Any]:
    """Every reported score's band, between its lower and upper border."""
    from matplotlib.patches import Patch

    p, n = _classes(found)
    x, y = _mesh(window)
    tp, tn = (x, y) if as_counts else (x * p, y * n)
    handles: list[Any] = []
    for k, one in enumerate(found.claims):
        colour = COLOURS[k % len(COLOURS)]
        _fill(axes, x, y, _values(one, tp, tn, p, n), float(one.low), float(one.high), colour)
        handles.append(Patch(facecolor=colour, alpha=0.45, label=str(one)))
    return handles


def _mesh(window: Rectangle) -> tuple[NDArray[Any], NDArray[Any]]:
    import numpy as np

    x, y = np.meshgrid(np.linspace(window[0], window[1], _GRID), np.linspace(window[2], window[3], _GRID))
    return x, y


def _values(one: Claim, tp: NDArray[Any], tn: NDArray[Any], p: int, n: int) -> NDArray[Any]:
    """A score over the plane; NaN outside the grid and where it is undefined."""
    import numpy as np

    inside = (tp >= 0) & (tp <= p) & (tn >= 0) & (tn <= n)
    values = one.score.values(np.clip(tp, 0, p), n - np.clip(tn, 0, n), p - np.clip(tp, 0, p), np.clip(tn, 0, n))
    return np.where(inside & np.isfinite(values), values, np.nan)


def _fill(
    axes: Axes, x: NDArray[Any], y: NDArray[Any], values: NDArray[Any], low: float, high: float, colour: str
) -> None:
    import numpy as np

    if np.isnan(values).all() or np.nanmax(values) < low or np.nanmin(values) > high:
        return
    axes.contourf(x, y, values, levels=[low, high if high > low else low + 1e-9], colors=[colour], alpha=0.35)
    axes.contour(x, y, values, levels=[low, high] if high > low else [low], colors=[colour], linewidths=0.8)


def _cells(axes: Axes, patches: list[Rectangle]) -> list[Any]:
    """The matrices that fit, one square each."""
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Patch
    from matplotlib.patches import Rectangle as Box

    shapes = [Box((a, c), b - a, d - c) for a, b, c, d in dict.fromkeys(patches)]
    axes.add_collection(PatchCollection(shapes, facecolor="black", edgecolor="none", alpha=0.65, zorder=3))
    return [Patch(facecolor="black", alpha=0.65, label="admissible")]


def _sampled(axes: Axes, found: Reconstruction, window: Rectangle) -> list[Any]:
    """Where some prevalence admits (sens, spec), sampled; and the guaranteed box around all of it."""
    import numpy as np
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch
    from matplotlib.patches import Rectangle as Box

    x, y = _mesh(window)
    span = found.ranges["prevalence"]
    admitted = np.zeros(x.shape, dtype=bool)
    for share in np.linspace(float(span.low), float(1 if span.high is None else span.high), _PREVALENCES):
        p = round(float(share) * 10**9)
        n = 10**9 - p
        here = np.ones(x.shape, dtype=bool)
        for one in found.claims:
            values = _values(one, x * p, y * n, p, n)
            with np.errstate(invalid="ignore"):
                here &= (values >= float(one.low)) & (values <= float(one.high))
        admitted |= here
    if admitted.any():
        axes.contourf(x, y, admitted.astype(float), levels=[0.5, 1.5], colors=["black"], alpha=0.65, zorder=3)
    a, b, c, d = _of_ranges(found, "sens", "spec")
    axes.add_patch(Box((a, c), b - a, d - c, fill=False, edgecolor="black", linestyle="--", linewidth=1, zorder=4))
    return [
        Patch(facecolor="black", alpha=0.65, label="admissible at\nsome prevalence"),
        Line2D([], [], color="black", linestyle="--", label="guaranteed ranges"),
    ]
