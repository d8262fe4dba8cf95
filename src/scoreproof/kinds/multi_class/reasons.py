"""Why no counts give a report, where one sentence says it; no verdict rests on it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scoreproof.kinds.multi_class.cells import columns
from scoreproof.kinds.multi_class.features import score_ends
from scoreproof.kinds.multi_class.forms import form_named
from scoreproof.kinds.multi_class.model import ClassesModel, Mean, model_of
from scoreproof.kinds.multi_class.node import narrowed, root_of, rules_at
from scoreproof.kinds.multi_class.problem import ClassesProblem, MacroF1, asked_of

_MOST_Q = 5_000


def reason(problem: ClassesProblem) -> str:
    """Which class, which sum or which average cannot be; empty where it takes more than that."""
    if len(problem.counts) > 1:
        return ""
    model = model_of(problem)
    alone = _class_alone(model)
    if alone:
        return alone
    if problem.exclusive:
        sums = _sums(model)
        if sums:
            return sums
    return _average(model)


def _class_alone(model: ClassesModel) -> str:
    for c, cell in enumerate(model.cells):
        if model.contradiction == c or not len(columns(cell.box, cell.rules, _MOST_Q).q):
            if cell.box.q1 - cell.box.q0 >= _MOST_Q:
                continue
            own = [claim for claim in model.problem.claims if asked_of(claim).place == cell.place]
            printed = " and ".join(f"{form_named(asked_of(claim).score).word} {claim.text}" for claim in own)
            name = model.problem.classes[cell.place]
            return f"no counts of right and wrong cases give class {name} with {cell.n} cases {printed}"
    return ""


def _sums(model: ClassesModel) -> str:
    """What the classes add up to, against what the whole asks for."""
    least, most = model.right[0]
    total = model.cells[0].total
    if least > most:
        return f"no whole number of correct cases out of {total} gives the scores of the whole"
    boxes = [cell.box for cell in model.cells]
    right = sum(box.t0 for box in boxes), sum(box.t1 for box in boxes)
    if right[0] > most or right[1] < least:
        return f"the classes have {_range(*right)} correct cases, but the whole report asks for {_range(least, most)}"
    wrong = total - min(right[1], most), total - max(right[0], least)
    given = [0, 0]
    for cell in model.cells:
        spread = columns(cell.box, cell.rules, _MOST_Q)
        if not len(spread.q):
            return ""
        given[0] += int((spread.q - spread.high).min())
        given[1] += int((spread.q - spread.low).max())
    if given[0] > wrong[1] or given[1] < wrong[0]:
        return (
            f"the classes' scores leave {_range(*given)} false positives, but {_range(*wrong)} false negatives; in one "
            "confusion matrix these are the same cases"
        )
    if narrowed(model, root_of(model)) is None:
        return "no counts that give the classes' scores add up to one confusion matrix"
    return ""


def _average(model: ClassesModel) -> str:
    """An average outside of what the classes leave it."""
    node = narrowed(model, root_of(model))
    if node is None:
        return ""
    for goal in model.goals:
        if not isinstance(goal, Mean) or (goal.form.harmonic and model.problem.macro_f1 is MacroF1.ANY):
            continue
        least = most = 0.0
        for c, cell in enumerate(model.cells):
            spread = columns(node.boxes[c], rules_at(model, node, c), _MOST_Q)
            if not goal.weights[c] or not len(spread.q):
                continue
            tp = np.concatenate((spread.low, spread.high)).astype(float)
            low, high = score_ends(model, goal, cell, tp, np.concatenate((spread.q, spread.q)).astype(float))
            least, most = least + float(goal.weights[c]) * low.min(), most + float(goal.weights[c]) * high.max()
        if least > float(goal.high) + 1e-12 or most < float(goal.low) - 1e-12:
            claim = model.problem.claims[goal.index]
            return f"{claim}, but the classes give {least:.6g} to {most:.6g}"
    return ""


def together(problem: ClassesProblem) -> str:
    """What is said where nothing shorter holds."""
    about = [asked_of(claim) for claim in problem.claims]
    parts: Sequence[str] = [
        "the classes' scores" * any(one.place is not None for one in about),
        "the averages" * any(bool(one.average) for one in about),
        "the scores of the whole" * any(one.place is None and not one.average for one in about),
    ]
    named = " and ".join(filter(None, parts))
    if problem.exclusive:
        return f"no counts that add up to one confusion matrix give {named} together"
    return f"no counts of the labels give {named} together"


def _range(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} to {high}"
