"""Seeded slips: true reports in which one number, or the order of some, went wrong as people get them wrong."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from scoreproof import ConfusionMatrix, TestSet, score
from scoreproof.insight.repairs import Slip

NAMES = ("acc", "sens", "spec", "ppv", "npv", "f1", "mcc", "kappa", "bacc")
SLIPS = (
    Slip.DIGIT,
    Slip.SWAPPED_DIGITS,
    Slip.EXCHANGED,
    Slip.SHIFTED,
    Slip.PERCENT,
    Slip.COMPLEMENT,
    Slip.EXCHANGED_PAIR,
    Slip.ROUNDING,
)


@dataclass(frozen=True, slots=True)
class Slipped:
    """A report with one slip: what is true, what was printed, and the rounding rule a reader would assume."""

    slip: Slip
    test_set: TestSet
    true: dict[str, str]
    printed: dict[str, str]
    rounding: str

    @property
    def wrong(self) -> dict[str, str]:
        """The scores that went wrong, with their true texts."""
        return {name: text for name, text in self.true.items() if self.printed[name] != text}


def slipped_reports(seed: int) -> Iterator[Slipped]:
    """True reports of random matrices, each with one random slip."""
    rng = random.Random(seed)
    while True:
        slip = rng.choice(SLIPS)
        found = _slipped(rng, slip)
        if found is not None and found.wrong:
            yield found


def _slipped(rng: random.Random, slip: Slip) -> Slipped | None:
    p, n = (int(10 ** rng.uniform(1, 3.7)) for _ in range(2))
    tp, tn = int(p * rng.uniform(0.5, 1)), int(n * rng.uniform(0.5, 1))
    matrix = ConfusionMatrix(tp, n - tn, p - tp, tn)
    digits = rng.choice((2, 3, 3, 4, 4))
    names = rng.sample(NAMES, rng.randint(3, 6))
    if slip is Slip.EXCHANGED_PAIR:
        names = list(dict.fromkeys(["ppv", "sens", *names]))
    texts = {name: score(name).text(*matrix.cells, digits=digits) for name in names}
    true = {name: text for name, text in texts.items() if text is not None}
    if len(true) < len(texts):
        return None
    printed = _spoilt(rng, slip, true, matrix, digits)
    return None if printed is None else Slipped(
        slip, TestSet(p, n), true, printed, "nearest" if slip is Slip.ROUNDING else "any"
    )  # fmt: skip


def _spoilt(
    rng: random.Random, slip: Slip, true: dict[str, str], matrix: ConfusionMatrix, digits: int
) -> dict[str, str] | None:
    names = list(true)
    name = rng.choice([one for one in names if score(one).range[0] == 0])
    text = true[name]
    places = range(text.index(".") + 1, len(text))
    if slip is Slip.DIGIT:
        place = rng.choice(places)
        digit = rng.choice([one for one in "0123456789" if one != text[place]])
        return {**true, name: text[:place] + digit + text[place + 1 :]}
    if slip is Slip.SWAPPED_DIGITS:
        a, b = rng.sample(places, 2)
        chars = list(text)
        chars[a], chars[b] = chars[b], chars[a]
        return {**true, name: "".join(chars)}
    if slip is Slip.PERCENT:
        return {**true, name: text + "%"}
    if slip is Slip.COMPLEMENT:
        return {**true, name: f"{1 - float(text):.{digits}f}"}
    if slip is Slip.ROUNDING:
        other = score(name).text(*matrix.cells, digits=digits, rounding=rng.choice(("floor", "ceil")))
        return {**true, name: other or text}
    if slip is Slip.SHIFTED:
        size = rng.randint(3, len(names))
        start = rng.randint(0, len(names) - size)
        window, step = names[start : start + size], rng.choice((1, -1))
        return {**true, **{one: true[window[(at + step) % size]] for at, one in enumerate(window)}}
    pair = ("ppv", "sens") if slip is Slip.EXCHANGED_PAIR else tuple(rng.sample(names, 2))
    return {**true, pair[0]: true[pair[1]], pair[1]: true[pair[0]]}
