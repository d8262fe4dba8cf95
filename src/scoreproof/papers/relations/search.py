"""A search for formulas that hold between the columns, or the rows, of a table: every candidate, all lines at once.

Candidates are runs of neighbours and of columns under one last heading (by cumulative sums), and pairs and single
series near each other. What most of a few full lines obey in floats is given to ``belief``, with the share of its lines
that rivals obey.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

import numpy as np
import numpy.typing as npt

from scoreproof.papers.relations.grid import PATTERNS, Bools, Floats, View

Arguments = dict[str, Any]  # of ``printed_relation``
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
class TableFormula:
    """A formula by name; ``made`` gives its arguments for so many parts in a unit (1 or 100)."""

    name: str
    sort: str  # of check that it counts as
    parts: int  # 0: runs of two or more
    made: Callable[[int, int], Arguments]
    told: str = ""  # linear: of averages, too; units: parts and target may differ in theirs; named: needs its heading

    def is_named(self, heading: str) -> bool:
        """Whether a heading of a target names it: a prior, never a reason."""
        return PATTERNS["formulas"][self.name].search(heading) is not None


def _ratio(factor: int, offset: int = 0, whole: int = 0) -> Arguments:
    more = {"complements": (whole, whole)} if whole else {}
    return {"formula": "product", "weights": (1, -1), "factor": factor, "offset": offset, **more}


def _harmonic(beta_squared: Fraction | int = 1) -> Arguments:
    return {"formula": "harmonic", "weights": (1, beta_squared)}


AVERAGES, IDENTITIES, GAINS, COUNTS = "average or sum", "identity of a row", "difference or gain", "share of counts"
RUNS = (
    TableFormula("mean", AVERAGES, 0, lambda k, u: {"factor": Fraction(1, k)}, "linear"),
    TableFormula("sum", AVERAGES, 0, lambda k, u: {}, "linear units"),
    TableFormula("geometric mean", AVERAGES, 0, lambda k, u: {"formula": "product", "root": k}, "named"),
    TableFormula("harmonic mean", AVERAGES, 0, lambda k, u: {"formula": "harmonic"}, "named"),
)
WEIGHTED = TableFormula("weighted mean", AVERAGES, 0, lambda k, u: {}, "linear")
PAIRS = (
    TableFormula("F1 (harmonic mean)", IDENTITIES, 2, lambda k, u: _harmonic()),
    TableFormula("mean of two", AVERAGES, 2, lambda k, u: {"factor": Fraction(1, 2)}, "linear"),
    TableFormula("difference", GAINS, 2, lambda k, u: {"weights": (1, -1)}, "linear"),
    TableFormula("relative gain in percent", GAINS, 2, lambda k, u: _ratio(100, -100), "units"),
    TableFormula("reduction in percent", GAINS, 2, lambda k, u: _ratio(-100, 100), "units"),
    TableFormula("error reduction in percent", GAINS, 2, lambda k, u: _ratio(-100, 100, u), "named units"),
    TableFormula("ratio", GAINS, 2, lambda k, u: _ratio(1), "units"),
    TableFormula("share in percent", COUNTS, 2, lambda k, u: _ratio(100), "units"),
    TableFormula("geometric mean of two", IDENTITIES, 2, lambda k, u: {"formula": "product", "root": 2}, "named"),
    TableFormula("informedness", IDENTITIES, 2, lambda k, u: {"offset": -u}, "linear named"),
    TableFormula("F2", IDENTITIES, 2, lambda k, u: _harmonic(4), "named"),
    TableFormula("F0.5", IDENTITIES, 2, lambda k, u: _harmonic(Fraction(1, 4)), "named"),
)
SINGLES = (
    TableFormula("complement", IDENTITIES, 1, lambda k, u: {"weights": (-1,), "offset": u}, "linear"),
    TableFormula("Dice of IoU", IDENTITIES, 1, lambda k, u: {"formula": "harmonic", "constant": u}),
    TableFormula("square", IDENTITIES, 1, lambda k, u: {"formula": "product", "weights": (2,)}, "units"),
)
FORMS = {form.name: form for form in (*RUNS, WEIGHTED, *PAIRS, *SINGLES)}


def span(made: Arguments, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Between which floats the value of a formula lies; the last axis of both arrays is the parts."""
    weights = np.array([float(w) for w in made.get("weights", (1,) * low.shape[-1])])
    formula, root = made.get("formula", "linear"), made.get("root", 1)
    if "complements" in made:
        low, high = made["complements"][0] - high, made["complements"][0] - low
    if "constant" in made:
        filler = np.full((*low.shape[:-1], 1), float(made["constant"]))
        low, high = (np.concatenate([end, filler], -1) for end in (low, high))
        weights = np.ones(low.shape[-1])
    least, most = np.where(weights >= 0, low, high), np.where(weights >= 0, high, low)
    with np.errstate(all="ignore"):
        if formula == "linear":
            ends = [(end * weights).sum(-1) for end in (least, most)]
        elif formula == "harmonic":
            ends = [weights.sum() / (weights / np.maximum(end, 1e-12)).sum(-1) for end in (least, most)]
        else:
            ends = [np.prod(np.maximum(end, 1e-12) ** weights, axis=-1) ** (1 / root) for end in (least, most)]
        if formula != "linear":
            ends = [np.where((high < 0).any(-1), np.nan, end) for end in ends]
    factor, offset = float(made.get("factor", 1)), float(made.get("offset", 0))
    first, last = (np.clip(offset + factor * end, -1e300, 1e300) for end in ends)
    return (last, first) if factor < 0 else (first, last)


def names_of(labels: Sequence[str]) -> list[str]:
    """Names that tell parts apart, for a statement."""
    return [label if labels.count(label) == 1 else f"{label} ({place + 1})" for place, label in enumerate(labels)]


@dataclass(frozen=True, slots=True)
class RelationCandidate:
    """A formula for a target."""

    form: TableFormula
    target: int
    parts: tuple[int, ...]
    made: Arguments
    tried: int  # how many were tried
    rate: float  # share of lines that rivals obey
    hinted: bool  # the heading of the target names the formula
    natural: bool = False  # the parts are all that stands beside it
    weights: int | None = None  # the line whose whole numbers are the weights


class _Screen:
    """The lines on which candidates are screened, and what all forms share."""

    def __init__(self, view: View) -> None:
        present = (~np.isnan(view.values)).sum(1)
        order = np.argsort(-present, kind="stable")[: max(_SAMPLE, int((present == present.max()).sum()))]
        self.lines = np.sort(order[np.linspace(0, len(order) - 1, min(_SAMPLE, len(order))).astype(int)])
        values, room = view.values[self.lines], view.steps[self.lines] / 2 + SLACK
        self.view, self.low, self.high = view, values - room, values + room
        self.units, self.kinds = np.array(view.units), np.array([series.part for series in view.series])
        names = [series.name for series in view.series]
        self.hinted = {form.name: np.array(list(map(form.is_named, names)), bool) for form in FORMS.values()}


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
    names: dict[tuple[str, ...], list[int]] = {}
    for place in plain:
        names.setdefault(view.series[place].head[1:][-1:], []).append(place)
    yield from (group for name, group in names.items() if name and 3 <= len(group) < len(plain))


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
    enough = np.flatnonzero(2 * whole.sum(1) >= max(4, len(view.series)))
    own = {int(line): view.values[line][whole[line]] for line in enough if len(view.series) <= _MOST_SIZED}
    sizes = [line for line, numbers in own.items() if len(np.unique(numbers)) > 1 and numbers.max() >= 10]
    for places in filter(lambda places: len(places) >= 3, _sequences(view)):
        for form in RUNS:
            if "named" not in form.told or screen.hinted[form.name][places].any():
                yield from _run_form(screen, places, form, None)
        for weights in sizes[:_WEIGHT_LINES]:
            if whole[weights][places].sum() >= 2:
                yield from _run_form(screen, places, WEIGHTED, weights)


def _run_form(
    screen: _Screen, places: Sequence[int], form: TableFormula, weights: int | None
) -> Iterator[RelationCandidate]:
    """Runs of a sequence against every series of it; a target inside its run is left out of it."""
    view, seq = screen.view, np.array(places)
    scale = np.ones(len(seq)) if weights is None else np.nan_to_num(view.values[weights, seq])
    first, last = _ends(view, places)
    have, ends = _run_values(screen, seq, form, scale, weights, (first, last))
    one_unit = "units" not in form.told and not view.turned  # rows may have a column in every unit
    if one_unit:
        have &= screen.units[seq] == np.median(screen.units[seq])
    passed = have & (ends[0] <= screen.high[:, seq][:, None, :]) & (ends[1] >= screen.low[:, seq][:, None, :])
    hinted, tried = screen.hinted[form.name][seq], int((have.sum(0) > 1).sum())
    for run, own, rate in _kept(passed.sum(0), have.sum(0), hinted):
        inside = [k for k in range(first[run], last[run]) if k != own]
        parts = tuple(places[k] for k in inside)
        sizes = tuple(int(scale[k]) for k in inside)
        mixed = one_unit and not hinted[own] and len({int(screen.units[part]) for part in parts}) > 1
        if mixed or not all(sizes):
            continue
        made = form.made(len(parts), 1) if weights is None else {"weights": sizes, "factor": Fraction(1, sum(sizes))}
        natural = _is_natural(int(first[run]), int(last[run]), own, hinted)
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

    def over_runs(values: Floats) -> Floats:  # by cumulative sums
        sums = np.cumsum(np.pad(values, ((0, 0), (1, 0))), axis=1)
        return np.asarray(sums[:, last] - sums[:, first])[:, :, None]

    within = (first[:, None] <= np.arange(len(seq))) & (np.arange(len(seq)) < last[:, None])  # the run holds the target
    sizes = (last - first)[:, None] - within
    totals = over_runs(scale[None])[0] - within * scale
    missing = (last - first)[:, None] - over_runs(valid.astype(float))
    full = (missing == 0) | ((missing == 1) & within & ~valid[:, None, :])  # or only the target's weight is missing
    ended = (first[:, None] == np.arange(len(seq))) | (last[:, None] == np.arange(len(seq)) + 1)  # the run without it
    have = full & ~np.isnan(screen.low[:, seq])[:, None, :] & (sizes >= 2) & ~ended
    ends = []
    for end in (low, high):
        known = np.where(valid, end, 0)
        value = over_runs(known) - within * known[:, None, :]
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
    width = have.shape[-1]
    passes, have = passes.reshape(-1, width), have.reshape(-1, width)
    share = np.where(have > 1, passes / np.maximum(have, 1), 0.0)
    good = np.argwhere((share >= _SCREENED) & (passes >= np.where(hinted, 2, 3)))
    rivals: dict[int, float] = {}
    for target in np.unique(good[:, 1]):
        rates = np.sort(share[:, target][have[:, target] > 1])
        few = int(have.max()) < _FEW  # of which nine tenths of the rivals obey one by chance, or none
        if len(rates) > 9:
            rivals[int(target)] = float(rates[:-1].mean() if few else rates[int(0.9 * (len(rates) - 1))])
    order = np.argsort(-share[good[:, 0], good[:, 1]], kind="stable")[:_MOST_FOUND]
    for parts, target in good[order]:
        yield int(parts), int(target), rivals.get(int(target), 0.0)


def _near(screen: _Screen) -> Iterator[RelationCandidate]:
    """Values of one or two parts against every target near them, in windows that overlap by half."""
    count = len(screen.view.series)
    for start in range(0, max(1, count - _WINDOW // 2), _WINDOW // 2) if count > _WINDOW else (0,):
        seq = np.arange(start, min(count, start + _WINDOW))
        for form in (*PAIRS, *SINGLES):
            if "named" not in form.told or screen.hinted[form.name][seq].any():
                yield from _near_form(screen, seq, form)


def _near_form(screen: _Screen, seq: Places, form: TableFormula) -> Iterator[RelationCandidate]:
    low, high, kinds, units = screen.low[:, seq], screen.high[:, seq], screen.kinds[seq], screen.units[seq]
    series, main, hinted = [screen.view.series[place] for place in seq], kinds == "main", screen.hinted[form.name][seq]
    pick = combinations if len(set(form.made(2, 1).get("weights", (1,)))) == 1 else permutations  # in any order or not
    chosen = np.array(list(pick(range(len(seq)), form.parts)))
    chosen = chosen[np.isin(kinds, ("main", "hits", "cases"))[chosen].all(1)]
    if form.name == "Dice of IoU":
        chosen = chosen[[PATTERNS["formulas"].within(series[own[0]].name, "IoU") for own in chosen]]
    targets = hinted if "named" in form.told else np.isin(kinds, ("main", "change", "bracket"))
    if form.name in ("relative gain in percent", "reduction in percent") and len(seq) > _FEW_SERIES:
        targets = targets & (hinted | ~main)
    mask = targets & (chosen[:, :, None] != np.arange(len(seq))).all(1)
    one_unit = "units" not in form.told
    for unit in np.unique(units) if one_unit or "complements" in form.made(2, 1) else (1,):
        own = mask
        if one_unit:
            alike = (units == unit) | ~main | (hinted & (form.name == "difference"))
            own = mask & alike & (units[chosen] == unit).all(1)[:, None]
        made = form.made(form.parts, int(unit))
        ends = span(made, low[:, chosen], high[:, chosen])
        have = own & ~np.isnan(ends[0])[..., None] & ~np.isnan(low)[:, None]
        passed = have & (ends[0][..., None] <= high[:, None]) & (ends[1][..., None] >= low[:, None])
        for row, target, rate in _kept(passed.sum(0), have.sum(0), hinted):
            cells = [series[place] for place in (target, *chosen[row])]
            counted = [cell.part for cell in cells] == ["main", "hits", "cases"]
            in_cell = counted and len({cell.index for cell in cells}) == 1
            parts, named = tuple(map(int, seq[chosen[row]])), bool(hinted[target]) or in_cell
            yield RelationCandidate(form, int(seq[target]), parts, made, int(own.sum()), rate, named, in_cell)
