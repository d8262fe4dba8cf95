"""A search for formulas that hold between the columns, or the rows, of a table: every candidate, all lines at once.

Candidates are runs of neighbours and of columns under one last heading (means, sums, weighted means; by cumulative
sums), and pairs and single series near each other (differences, gains, F-scores, complements). They are screened on a
few full lines under usual rounding; what most of these obey is given to ``belief``, with the share of its lines that
other candidates for the same target obey: a relation must stand out from them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, permutations

import numpy as np
import numpy.typing as npt

from scoreproof.papers.relations.formulas import PAIRS, RUNS, SINGLES, WEIGHTED, Arguments, TableFormula, span
from scoreproof.papers.relations.grid import Floats, View

Bools = npt.NDArray[np.bool_]
Places = npt.NDArray[np.intp]
SLACK = 1e-9
_SAMPLE = 12  # lines on which candidates are screened
_SCREENED = 0.6  # share of them that must obey
_WINDOW = 18  # series among which pairs are tried, and the most of which all runs are
_LONGEST = 12  # a run that does not begin or end with its sequence or block
_WEIGHT_LINES = 3
_MOST_SIZED = 3 * _WINDOW  # series of which weighted means are sought
_FEW_SERIES = 8  # of which any may be a gain in percent, whatever it is called
_FEW = 5  # lines of which the rivals' mean share is taken
_MOST_FOUND = 100  # candidates of one form that are looked at closely, the best first
#: By what a run is summed up, and back.
_SUMMED: dict[str, tuple[Callable[[Floats], Floats], Callable[[Floats], Floats]]] = {
    "geometric mean": (np.log, np.exp),
    "harmonic mean": (lambda x: -1 / x, lambda x: -1 / x),
}


@dataclass(frozen=True, slots=True)
class RelationCandidate:
    """A formula for a target: ``tried`` is how many were tried, ``rate`` the share of lines that rivals obey.

    ``hinted`` says that the heading of the target names the formula, ``natural`` that the parts are all that stands
    beside it. ``weights`` is the line whose whole numbers are the weights.
    """

    form: TableFormula
    target: int
    parts: tuple[int, ...]
    made: Arguments
    tried: int
    rate: float
    hinted: bool
    natural: bool = False
    weights: int | None = None


class _Screen:
    """The lines on which candidates are screened, and what all forms share."""

    def __init__(self, view: View) -> None:
        present = (~np.isnan(view.values)).sum(1)
        order = np.argsort(-present, kind="stable")[: max(_SAMPLE, int((present == present.max()).sum()))]
        self.lines = np.sort(order[np.linspace(0, len(order) - 1, min(_SAMPLE, len(order))).astype(int)])
        values, room = view.values[self.lines], view.steps[self.lines] / 2 + SLACK
        self.view, self.low, self.high = view, values - room, values + room
        self.units, self.kinds = np.array(view.units), np.array([series.part for series in view.series])
        self.headed: dict[str, Bools] = {}

    def hinted(self, form: TableFormula) -> Bools:
        """Of which series the heading names a form."""
        if form.name not in self.headed:
            named = [form.heading.search(series.name) is not None for series in self.view.series]
            self.headed[form.name] = np.array(named, dtype=bool)
        return self.headed[form.name]


def candidates(view: View) -> list[RelationCandidate]:
    """Every formula that most screened lines of a view obey."""
    if len(view.series) < 2 or len(view.lines) < 2:
        return []
    screen = _Screen(view)
    with np.errstate(all="ignore"):
        made = [*_runs(screen), *_near(screen)]
    return list({(each.form.name, each.target, each.parts, each.weights): each for each in made}.values())


def _sequences(view: View) -> Iterator[list[int]]:
    """Series that may be summed up together: all of one kind, those with one last heading."""
    plain = [place for place, series in enumerate(view.series) if series.part == "main"]
    yield plain
    names: dict[str, list[int]] = {}
    for place in plain:
        head = view.series[place].head
        if len(head) > 1:
            names.setdefault(head[-1], []).append(place)
    yield from (group for group in names.values() if 3 <= len(group) < len(plain))


def _ends(view: View, places: Sequence[int]) -> tuple[Places, Places]:
    """First and last place (not included) of the runs that are tried: of long sequences short ones and whole blocks."""
    count = len(places)
    first, last = np.triu_indices(count + 1, 2)
    if count > _WINDOW:
        blocks = [view.series[place].block for place in places]
        starts = [0, *(k for k in range(1, count) if blocks[k] != blocks[k - 1]), count]
        kept = (last - first <= _LONGEST) | np.isin(first, starts) | np.isin(last, starts)
        first, last = first[kept], last[kept]
    return first, last


def _runs(screen: _Screen) -> Iterator[RelationCandidate]:
    """Means and sums, also with the whole numbers of one line (supports, sizes) as weights."""
    view = screen.view
    whole = (view.steps == 1) & (view.values >= 1)
    sizes: list[int] = []
    enough = 2 * whole.sum(1) >= max(4, len(view.series))
    for line in map(int, np.flatnonzero(enough)) if len(view.series) <= _MOST_SIZED else ():
        numbers = view.values[line][whole[line]]
        if len(np.unique(numbers)) > 1 and numbers.max() >= 10 and len(sizes) < _WEIGHT_LINES:
            sizes.append(line)
    for places in _sequences(view):
        for form in RUNS if len(places) >= 3 else ():
            if not form.named or screen.hinted(form)[places].any():
                yield from _run_form(screen, places, form, None)
        for weights in sizes if len(places) >= 3 else ():
            if whole[weights][places].sum() >= 2:
                yield from _run_form(screen, places, WEIGHTED, weights)


def _run_form(
    screen: _Screen, places: Sequence[int], form: TableFormula, weights: int | None
) -> Iterator[RelationCandidate]:
    """Runs of a sequence against every series of it, by cumulative sums; a target inside its run is left out of it."""
    view, seq = screen.view, np.array(places)
    scale = np.ones(len(seq)) if weights is None else np.nan_to_num(view.values[weights, seq])
    first, last = _ends(view, places)
    have, ends = _run_values(screen, seq, form, scale, weights, (first, last))
    one_unit = form.one_unit and not view.turned  # rows may have a column in every unit
    if one_unit:
        have &= screen.units[seq] == np.median(screen.units[seq])
    passed = have & (ends[0] <= screen.high[:, seq][:, None, :]) & (ends[1] >= screen.low[:, seq][:, None, :])
    hinted = screen.hinted(form)[seq]
    for run, own, rate in _kept(passed.sum(0), have.sum(0), hinted):
        inside = [k for k in range(first[run], last[run]) if k != own]
        parts = tuple(places[k] for k in inside)
        sizes = [int(scale[k]) for k in inside]
        mixed = one_unit and not hinted[own] and len({int(screen.units[part]) for part in parts}) > 1
        if mixed or not all(sizes):
            continue
        made = form.made(len(parts), 1)
        if weights is not None:
            made = {"weights": tuple(sizes), "factor": Fraction(1, sum(sizes))}
        natural, tried = _is_natural(int(first[run]), int(last[run]), own, hinted), int((have.sum(0) > 1).sum())
        yield RelationCandidate(form, places[own], parts, made, tried, rate, bool(hinted[own]), natural, weights)


def _run_values(
    screen: _Screen, seq: Places, form: TableFormula, scale: Floats, weights: int | None, runs: tuple[Places, Places]
) -> tuple[Bools, list[Floats]]:
    """By line, run and target: whether all numbers are there, and between which ends the value of the run lies."""
    first, last = runs
    low, high = screen.low[:, seq] * scale, screen.high[:, seq] * scale
    to, back = _SUMMED.get(form.name, (None, None))
    if to is not None:
        low, high = to(np.maximum(low, 1e-12)), to(np.maximum(high, 1e-12))
    valid = ~np.isnan(low)
    if weights is not None:
        valid &= (scale > 0) & (screen.lines != weights)[:, None]
    counted = np.cumsum(np.pad(valid, ((0, 0), (1, 0))), axis=1)
    within = (first[:, None] <= np.arange(len(seq))) & (np.arange(len(seq)) < last[:, None])  # the run holds the target
    sizes = (last - first)[:, None] - within
    held = np.cumsum(np.pad(scale, (1, 0)))
    totals = (held[last] - held[first])[:, None] - within * scale
    missing = ((last - first) - (counted[:, last] - counted[:, first]))[:, :, None]
    full = (missing == 0) | ((missing == 1) & within & ~valid[:, None, :])  # or only the target's weight is missing
    ended = (first[:, None] == np.arange(len(seq))) | (last[:, None] == np.arange(len(seq)) + 1)  # the run without it
    have = full & ~np.isnan(screen.low[:, seq])[:, None, :] & (sizes >= 2) & ~ended
    ends = []
    for end in (low, high):
        sums = np.cumsum(np.pad(np.where(valid, end, 0), ((0, 0), (1, 0))), axis=1)
        value = (sums[:, last] - sums[:, first])[:, :, None] - within * np.where(valid, end, 0)[:, None, :]
        value = value if form.name == "sum" else value / totals
        ends.append(value if back is None else back(value))
    return have, ends


def _is_natural(first: int, last: int, target: int, hinted: Bools) -> bool:
    """Whether a run is all that stands before or after its target, up to the end or to the next such target."""
    stops = [-1, *np.flatnonzero(hinted).tolist(), len(hinted)]
    before, after = max(stop for stop in stops if stop < target), min(stop for stop in stops if stop > target)
    whole = {(before + 1, target), (target + 1, after), (before + 1, after), (0, target), (0, len(hinted))}
    return (first, last) in whole


def _kept(passes: Places, have: Places, hinted: Bools) -> Iterator[tuple[int, int, float]]:
    """Parts and target of what most lines obey, the best first, with the share that rivals for the target obey."""
    share = np.where(have > 1, passes / np.maximum(have, 1), 0.0)
    flat_share, width = share.reshape(-1, share.shape[-1]), share.shape[-1]
    good = np.argwhere((flat_share >= _SCREENED) & (passes.reshape(-1, width) >= np.where(hinted, 2, 3)))
    if not len(good):
        return
    rivals: dict[int, float] = {}
    for target in np.unique(good[:, 1]):
        rates = np.sort(flat_share[:, target][have.reshape(-1, width)[:, target] > 1])
        few = int(have.max()) < _FEW  # of which nine tenths of the rivals obey one by chance, or none
        if len(rates) > 9:
            rivals[int(target)] = float(rates[:-1].mean() if few else rates[int(0.9 * (len(rates) - 1))])
    order = np.argsort(-flat_share[good[:, 0], good[:, 1]], kind="stable")[:_MOST_FOUND]
    for parts, target in good[order]:
        yield int(parts), int(target), rivals.get(int(target), 0.0)


def _windows(count: int) -> Iterator[Places]:
    """Series near each other, in windows that overlap by half."""
    for first in range(0, max(1, count - _WINDOW // 2), _WINDOW // 2) if count > _WINDOW else (0,):
        yield np.arange(first, min(count, first + _WINDOW))


@lru_cache(maxsize=64)
def _tuples(count: int, parts: int, symmetric: bool) -> Places:
    """The choices of parts among so many series, in any order unless that does not matter."""
    chosen = (combinations if symmetric else permutations)(range(count), parts)
    return np.array(list(chosen), dtype=int).reshape(-1, parts)


def _near(screen: _Screen) -> Iterator[RelationCandidate]:
    """Values of one or two parts against every target near them."""
    for seq in _windows(len(screen.view.series)):
        low, high, kinds, units = screen.low[:, seq], screen.high[:, seq], screen.kinds[seq], screen.units[seq]
        part, main = np.isin(kinds, ("main", "hits", "cases")), kinds == "main"
        for form in (*PAIRS, *SINGLES):
            hinted = screen.hinted(form)[seq]
            if form.named and not hinted.any():
                continue
            chosen = _tuples(len(seq), form.parts, form.symmetric)
            chosen = chosen[part[chosen].all(1)]
            if form.of is not None:
                chosen = chosen[[form.of.search(screen.view.series[seq[own[0]]].name) is not None for own in chosen]]
            targets = hinted if form.named else np.isin(kinds, ("main", "change", "bracket"))
            if form.name in ("relative gain in percent", "reduction in percent") and len(seq) > _FEW_SERIES:
                targets = targets & (hinted | ~main)
            mask = targets & (chosen[:, :, None] != np.arange(len(seq))).all(1)
            several = form.one_unit or "complements" in form.made(2, 1)
            for unit in np.unique(units) if several else (1,):
                own = mask
                if form.one_unit:
                    alike = (units == unit) | ~main | (hinted & (form.name == "difference"))
                    own = mask & alike & (units[chosen] == unit).all(1)[:, None]
                made = form.made(form.parts, int(unit))
                ends = span(made, low[:, chosen], high[:, chosen])
                have = own & ~np.isnan(ends[0])[..., None] & ~np.isnan(low)[:, None]
                passed = have & (ends[0][..., None] <= high[:, None]) & (ends[1][..., None] >= low[:, None])
                for row, target, rate in _kept(passed.sum(0), have.sum(0), hinted):
                    parts = tuple(map(int, seq[chosen[row]]))
                    cells = [screen.view.series[place] for place in (seq[target], *parts)]
                    counted = [cell.part for cell in cells] == ["main", "hits", "cases"]
                    in_cell = counted and len({cell.index for cell in cells}) == 1
                    named = bool(hinted[target]) or in_cell
                    yield RelationCandidate(form, int(seq[target]), parts, made, int(own.sum()), rate, named, in_cell)
