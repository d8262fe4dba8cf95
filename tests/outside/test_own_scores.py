"""Scores of one's own: proved or declared, refused with a counterexample, and never a false alarm."""

from __future__ import annotations

import contextlib
import random
import warnings
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import scoreproof as sp
from scoreproof.kinds.binary.assumptions import NAMES, over_classes
from scoreproof.kinds.binary.scores.monotone import monotonicity, proved_direction
from scoreproof.kinds.binary.scores.registry import register, unregister
from scoreproof.kinds.binary.scores.score import RATIO, THRESHOLD

Ratio = Callable[[Any, Any, Any, Any], Any]


@pytest.fixture
def own() -> Iterator[Callable[..., sp.Score]]:
    """Registers scores, and forgets them afterwards."""
    names = []

    def add(name: str, ratio: Ratio, **options: Any) -> sp.Score:
        made = register(name, ratio, **options)
        names.append(name)
        return made

    yield add
    for name in names:
        unregister(name)


def signed(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    excess = tp * tn - fp * fn
    return excess * abs(excess), (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)


# Proved.


def test_the_directions_of_the_built_in_scores_are_proved() -> None:
    unproved = set()
    for one in sp.known_scores():
        found = proved_direction(one.ratio)
        assert found in (one.direction, None), one.name
        if found is None:
            unproved.add(one.name)
    assert unproved == {"mcc"}  # its ratio carries the sign of a difference: abs is no polynomial


def test_the_averages_over_classes_are_proved_too() -> None:
    formulas = [over_classes(kind, name).ratio for kind in ("weighted", "macro") for name in NAMES]
    assert all(proved_direction(formula) == 1 for formula in formulas)


powers = st.lists(st.integers(0, 3), max_size=2).map(lambda cells: tuple(cells.count(k) for k in range(4)))
forms, positive = (st.lists(st.tuples(powers, st.integers(least, 3)), min_size=1, max_size=4) for least in (-1, 1))


def _formula(terms: Any) -> Callable[..., Any]:
    def value(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
        return sum(f * tp**a * fp**b * fn**c * tn**d for (a, b, c, d), f in terms)

    return value


@settings(max_examples=400)
@given(forms, positive)
def test_what_is_proved_holds_for_every_small_matrix(above: Any, below: Any) -> None:
    num, den = _formula(above), _formula(below)
    direction = proved_direction(lambda *cells: (num(*cells), den(*cells)))
    if direction is None:
        return
    for p, n in product(range(6), repeat=2):
        values = {
            (tp, tn): (num(tp, n - tn, p - tp, tn), den(tp, n - tn, p - tp, tn))
            for tp, tn in product(range(p + 1), range(n + 1))
        }
        for (tp, tn), (a, b) in values.items():
            assert b > 0 or (b == 0 and a >= 0)
            for other in ((tp + 1, tn), (tp, tn + 1)):
                if other in values and (0, 0) not in ((a, b), values[other]):
                    c, d = values[other]
                    assert direction * (c * b - a * d) >= 0


def test_a_provable_score_needs_no_word(own: Callable[..., sp.Score]) -> None:
    made = own("kulczynski", lambda tp, fp, fn, tn: (tp, fp + fn))
    assert (made.direction, made.declared) == (1, False)
    falling = own("miss odds", lambda tp, fp, fn, tn: (fn * fn, (tp + fn) * (tp + fn)), monotone="falls", link="root")
    assert (falling.direction, falling.declared) == (-1, False)
    assert sp.check(sp.TestSet(10, 20), {"miss odds": "0.30"}, rounding="nearest", strict=True).witness is not None
    refuted = sp.check(sp.TestSet(10, 20), {"miss odds": "0.35"}, rounding="nearest", strict=True)
    assert refuted.verdict == "inconsistent"
    assert sp.verify(refuted.certificate)


def test_a_score_of_the_class_counts_alone(own: Callable[..., sp.Score]) -> None:
    own("share of positives", lambda tp, fp, fn, tn: (tp + fn, tp + fp + fn + tn))
    for experiment in (sp.TestSet(10, 20), sp.KFold(10, 20, 5)):
        assert sp.check(experiment, {"share of positives": "0.333"}, strict=True).verdict == "consistent"
        assert sp.check(experiment, {"share of positives": "0.340"}, strict=True).verdict == "inconsistent"


# Declared.


def test_a_score_that_cannot_be_proved_needs_its_authors_word(own: Callable[..., sp.Score]) -> None:
    with pytest.raises(sp.ScoreproofError, match=r"nothing proves.*monotone=True"):
        register("phi two", signed, link="root")
    made = own("phi two", signed, link="root", monotone=True)
    assert (made.direction, made.declared) == (1, True)
    for experiment in (sp.TestSet(40, 60), sp.MeanOfScores([sp.TestSet(7, 9), sp.TestSet(8, 9)])):
        for text in ("0.512", "0.999"):
            ours, theirs = (
                sp.check(experiment, {name: text, "acc": "0.750"}, strict=True) for name in ("phi two", "mcc")
            )
            assert ours.verdict == theirs.verdict
            assert ours.certificate is None or sp.verify(ours.certificate)


@pytest.mark.parametrize("monotone", [None, True, "rises"])
@pytest.mark.parametrize(
    "ratio",
    [
        lambda tp, fp, fn, tn: (tp * (15 - tp), 1),  # rises up to 7
        lambda tp, fp, fn, tn: (tn * (30 - tn) + tp, 1),
        lambda tp, fp, fn, tn: (tp * (400_000 - tp), 1),
        lambda tp, fp, fn, tn: (tp + tn, 1 + (tn - 9) ** 2 * tn),
        lambda tp, fp, fn, tn: ((tp + 10) ** 2 - 300 * (tp > 12), 1),
        lambda tp, fp, fn, tn: (tp, tn + 1),
    ],
)
def test_a_score_that_turns_is_refused_with_the_counterexample(ratio: Ratio, monotone: Any) -> None:
    with pytest.raises(sp.ScoreproofError, match=r"rises from .* for tp=\d+.*, and it falls from .* to "):
        register("hump", ratio, monotone=monotone)
    with pytest.raises(sp.ScoreproofError, match="no score is called"):
        sp.score("hump")


def test_a_turn_beyond_what_can_be_tried_needs_a_word(own: Callable[..., sp.Score]) -> None:
    def late(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
        return tp * (10**8 - tp), 10**16

    with pytest.raises(sp.ScoreproofError, match="nothing proves"):
        register("late turn", late)
    assert own("late turn", late, monotone=True).declared


def test_a_formula_that_treats_numbers_otherwise_is_not_proved() -> None:
    def sly(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
        return (tp + 1 if isinstance(tp, int | np.ndarray) else tp), 1

    assert proved_direction(sly) == 1
    with pytest.raises(sp.ScoreproofError, match="nothing proves"):
        register("sly", sly)


@pytest.mark.parametrize(("monotone", "said"), [("falls", "declared to fall, but it rises")])
def test_the_wrong_word_is_refused(monotone: str, said: str) -> None:
    with pytest.raises(sp.ScoreproofError, match=said):
        register("upside", lambda tp, fp, fn, tn: (tp, tp + fp), monotone=monotone)


# Formulas that are none.


def _raises(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
    return tp // (tp + fp), 1


WRONG: dict[str, tuple[Ratio, str]] = {
    "raises": (_raises, "raised ZeroDivisionError"),
    "three cells": (lambda tp, fp, fn: (tp, fp), "raised TypeError"),
    "one value": (lambda tp, fp, fn, tn: tp, "two whole numbers"),
    "three values": (lambda tp, fp, fn, tn: (tp, fp, fn), "two whole numbers"),
    "a text": (lambda tp, fp, fn, tn: "ab", "two whole numbers"),
    "nothing": (lambda tp, fp, fn, tn: None, "two whole numbers"),
    "fractions": (lambda tp, fp, fn, tn: (Fraction(tp, 2), 1), "Fraction and int"),
    "floats": (lambda tp, fp, fn, tn: (tp / 2, 1), "float and int"),
    "numpy": (lambda tp, fp, fn, tn: (np.int64(tp), 1), "int64 and int"),
    "truth": (lambda tp, fp, fn, tn: (tp > 3, 1), "bool and int"),
    "negative": (lambda tp, fp, fn, tn: (tp, -1), "denominator must not be negative"),
    "minus infinity": (lambda tp, fp, fn, tn: (tp - 1, 0), "denominator must not be negative"),
    "undefined inside": (lambda tp, fp, fn, tn: (tp, tp), "0/0 for matrices other than"),
    "minimum": (lambda tp, fp, fn, tn: (min(tp, tn), tp + fp + fn + tn), "numpy arrays"),
    "branch": (lambda tp, fp, fn, tn: (tp, tp + fn) if tp else (0, 1), "numpy arrays"),
    "floor": (lambda tp, fp, fn, tn: (tp, (tp + fn) * (fp + tn) + int(tp > 10**9)), "numpy arrays"),
    "huge": (lambda tp, fp, fn, tn: (tp**1000, 1), "do not fit into floats"),
    "long": (lambda tp, fp, fn, tn: (10**400 * tp, 10**400 * (tp + fp)), "do not fit into floats"),
    "one long value": (lambda tp, fp, fn, tn: (tp + 10) ** 9000, "a very long int"),
    "a crowd": (lambda tp, fp, fn, tn: [tp] * 10_000, "[0, 0, 0,"),
    "minus a lot": (lambda tp, fp, fn, tn: (tp, -((tp + 10) ** 9000)), "do not fit into floats"),
    "constant": (lambda tp, fp, fn, tn: (1, 2), "the same for all matrices"),
    "cancelling": (
        lambda tp, fp, fn, tn: ((10**20 + tp) ** 3 - 10**60 - 3 * 10**40 * tp - 3 * 10**20 * tp * tp, 10**18),
        "as floats its formula gives",
    ),
}


@pytest.mark.parametrize("what", WRONG)
@pytest.mark.parametrize("monotone", [None, True])
def test_what_is_no_ratio_is_refused_at_once(what: str, monotone: Any) -> None:
    ratio, words = WRONG[what]
    with pytest.raises(sp.ScoreproofError, match="cannot be registered") as caught:
        register("odd one", ratio, monotone=monotone)
    assert words in str(caught.value)
    with pytest.raises(sp.ScoreproofError, match="no score is called"):
        sp.score("odd one")


@pytest.mark.parametrize("monotone", [False, "up", 1, 0, ["rises"], "True"])
def test_words_that_declare_nothing(monotone: Any) -> None:
    with pytest.raises(sp.ScoreproofError, match="expected True, 'rises' or 'falls'"):
        register("odd one", lambda tp, fp, fn, tn: (tp, 1), monotone=monotone)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("", lambda tp, fp, fn, tn: (tp, 1)), "expected a name"),
        (("!!", lambda tp, fp, fn, tn: (tp, 1)), "expected a name"),
        ((3, lambda tp, fp, fn, tn: (tp, 1)), "expected a name"),
        (("odd one", "tp / p"), "expected a function"),
    ],
)
def test_what_is_no_name_and_no_function(arguments: Any, words: str) -> None:
    with pytest.raises(sp.ScoreproofError, match=words):
        register(*arguments)


def test_synonyms_are_names() -> None:
    for synonyms in ("abc", (1,), ("",)):
        with pytest.raises(sp.ScoreproofError, match="synonyms"):
            register("odd one", lambda tp, fp, fn, tn: (tp, 1), synonyms=synonyms)  # type: ignore[arg-type]


# Links.


class Cube:
    """A link that no verifier knows."""

    name = "ratio"  # and that poses as one it does

    def inverse(self, value: Fraction) -> Fraction:
        return value**3

    def floor(self, num: int, den: int, scale: int) -> int:
        return num * scale // den

    def forward(self, ratio: Any) -> Any:
        return ratio ** (1 / 3)


@pytest.mark.parametrize("link", ["cube", "", "Root", None, Cube(), 3])
def test_unknown_links_are_refused(link: Any) -> None:
    with pytest.raises(sp.ScoreproofError, match="'ratio', 'root', 'threshold'"):
        register("odd one", lambda tp, fp, fn, tn: (tp, tp + fn), link=link)


def test_links_by_name(own: Callable[..., sp.Score]) -> None:
    made = own("root of recall", lambda tp, fp, fn, tn: (tp, tp + fn), link="root")
    assert made.text(1, 0, 3, 5, digits=3) == "0.500"
    refuted = sp.check(sp.TestSet(4, 5), {"root of recall": "0.600"}, strict=True)
    assert refuted.verdict == "inconsistent"
    assert sp.verify(refuted.certificate)


def test_a_threshold_lies_between_0_and_1(own: Callable[..., sp.Score]) -> None:
    with pytest.raises(sp.ScoreproofError, match="ratio between 0 and 1"):
        register("odd one", lambda tp, fp, fn, tn: (tp, 1 + fn), link="threshold")
    assert own("fine", lambda tp, fp, fn, tn: (fn, tp + fn), link="threshold").declared is False


# No honest report is accused.


@pytest.mark.parametrize(
    ("ratio", "options"),
    [
        (lambda tp, fp, fn, tn: (tp, fp + fn), {}),
        (lambda tp, fp, fn, tn: ((tp + fn) * tn + 2 * tp * (fp + tn), 3 * (tp + fn) * (fp + tn)), {}),
        (lambda tp, fp, fn, tn: (fn + 2 * fp, tp + fp + fn + tn), {}),
        (signed, {"link": "root", "monotone": "rises"}),
    ],
)
def test_true_reports_of_own_scores(own: Callable[..., sp.Score], ratio: Ratio, options: dict[str, Any]) -> None:
    made = own("own one", ratio, **options)
    rng = random.Random(5)
    for _ in range(150):
        p, n = round(10 ** rng.uniform(0, 5)), round(10 ** rng.uniform(0, 5))
        tp, tn = rng.randint(0, p), rng.randint(0, n)
        cells = tp, n - tn, p - tp, tn
        texts = {name: sp.score(name).text(*cells, digits=rng.choice((2, 3, 4))) for name in ("own one", "acc", "f1")}
        scores = {name: text for name, text in texts.items() if text is not None}
        if "own one" in scores:
            assert sp.check(sp.TestSet(p, n), scores, rounding="nearest", strict=True).verdict == "consistent", (
                p,
                n,
                scores,
            )
    assert monotonicity("again", ratio, made.link, options.get("monotone")).direction == made.direction


def test_sets_without_a_class_are_tried_too() -> None:
    def breaks(tp: Any, fp: Any, fn: Any, tn: Any) -> Any:
        if type(tp) is int and tp + fn == 0:
            raise RuntimeError("no positives")
        return tp, tp + fn

    with pytest.raises(sp.ScoreproofError, match="raised RuntimeError: no positives"):
        monotonicity("breaks", breaks, RATIO, True)
    assert monotonicity("plain", lambda tp, fp, fn, tn: (fn, tp + fn), THRESHOLD, None).direction == -1


# Expressions of any sort: refused in words, or answered.

_CELLS = ("tp", "fp", "fn", "tn")
_leaves = st.sampled_from(
    [
        *_CELLS,
        "tp",
        "(tp + fn)",
        "(tp + fp + fn + tn)",
        "0",
        "1",
        "3",
        "-2",
        "0.5",
        "10**30",
        "None",
        "'x'",
        "[]",
        "(tp, fp)",
    ]
)
_expressions = st.recursive(
    _leaves,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*", "/", "//", "%", "**", "<", "and"]), inner).map(
            lambda parts: f"({' '.join(parts)})"
        ),
        st.tuples(st.sampled_from(["abs", "min", "max", "bool", "float", "sum", "len", "-"]), inner).map(
            lambda parts: f"{parts[0]}({parts[1]})"
        ),
    ),
    max_leaves=5,
)


@example("10**30", "tp", "ratio", None)  # larger than the whole numbers of a row
@settings(max_examples=150, deadline=None)
@given(
    _expressions, _expressions, st.sampled_from(["ratio", "root", "threshold"]), st.sampled_from([None, True, "falls"])
)
def test_any_expression_is_refused_in_words_or_answered(above: str, below: str, link: str, monotone: Any) -> None:
    source = f"lambda tp, fp, fn, tn: ({above}, {below})"
    if source.count("**") > 1:  # towers of powers are the author's own time
        return
    ratio = eval(source)
    with warnings.catch_warnings(), contextlib.suppress(sp.ScoreproofError):
        warnings.simplefilter("ignore")
        made = register("any", ratio, link=link, monotone=monotone)
        try:
            value = made(3, 1, 2, 4)
            assert isinstance(value, float)
            answers = [
                sp.check(sp.TestSet(5, 6), {"any": "0.50", "acc": "0.8"}, budget=2, strict=True),
                sp.check(sp.KFold(6, 9, 3), {"any": "0.50", "acc": "0.80"}, budget=0.3, strict=True),
            ]
            assert all(answer.verdict in sp.Verdict for answer in answers)
        finally:
            unregister("any")
