"""Certificates about the ranks of one relevant item per query.

Let N(r) be how many of the Q ranks are at most r: whole numbers that never fall, from N(0) = 0 on. Hits@k is N(k) / Q,
the precision at k N(k) / (k Q). Bounds on N at the reported cut-offs bound N everywhere, and with it the sum over
queries of a function f that falls to 0, which is the sum over r of (f(r) - f(r + 1)) N(r).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Any

from scoreproof_verify.documents import Document, Score, known_keys, listed, read_scores
from scoreproof_verify.formulas import Rules
from scoreproof_verify.frame import Checker, Patience, Words
from scoreproof_verify.texts import quoted, require

_MOST_QUERIES = 10**12
_DEEPEST = 100_000
_LARGEST_POWER, _MEDIANTS = 4_000, 400  # of the comparisons that enclose a logarithm
_MEASURES = ("hits", "p", "mrr", "ndcg", "mr")


class Mean(Score):
    """A printed mean over queries, of a measure with or without a cut-off."""

    __slots__ = ()

    @property
    def measure(self) -> str:
        return self.name.partition("@")[0]

    @property
    def cutoff(self) -> int:
        """0 if there is none."""
        return int(self.name.partition("@")[2] or 0)


def check(statement: Document, proof: Document, rules: Rules, patience: Patience) -> Words:
    tree = known_keys("the experiment", statement.get("experiment"), "type", "queries", "candidates")
    require(tree.get("type") == "ranking", "the experiment is not one of queries")
    stated, last = (None if tree.get(key) is None else tree.integer(key, key) for key in ("queries", "candidates"))
    for number in (stated, last):
        require(number is None or 1 <= number <= _MOST_QUERIES, "a number is out of range")
    means = [
        Mean(_plain_name(score.name), score.text, score.low, score.high)
        for score in read_scores(statement.get("scores"), _most_of)
    ]
    require(len({mean.name for mean in means}) == len(means), "a score is named twice")
    queries = _whole_shares(means) if stated is None else stated
    known = _Known(queries, last, means)
    kind = proof.kind(hits="", harmonic="", mean="score")
    if kind == "hits":
        require(known.contradictory, "the hits do not contradict each other")
    elif kind == "harmonic":
        plain = {mean.measure: mean for mean in means if not mean.cutoff}
        require({"mr", "mrr"} <= set(plain), "there is no mean rank beside a mean reciprocal rank")
        require(plain["mr"].high >= 0 and plain["mrr"].high >= 0, "a mean is negative")
        require(plain["mr"].high * plain["mrr"].high < 1, "the means are as far apart as they must be")
    else:
        mean = proof.chosen("score", means, "the score", "the proof names no mean")
        require(mean.measure in ("mrr", "ndcg", "mr"), "the proof names no mean")
        require(not known.contradictory, "the hits contradict each other, which this proof does not say")
        least, most = known.rank_sum() if mean.measure == "mr" else known.gain_sum(mean)
        above = most is not None and mean.low * queries > most
        require(above or mean.high * queries < least, f"{mean} is possible")
    asked = "any number of" if stated is None else stated
    return lambda: f"Proved: no ranks of one relevant item in each of {asked} queries have {listed(means)}."


def _whole_shares(means: Sequence[Mean]) -> int:
    """The least Q of which all ends of hits are whole numbers of queries."""
    shares = [mean for mean in means if mean.measure in ("hits", "p")]
    units = [mean.cutoff if mean.measure == "p" else 1 for mean in shares]
    ends = [end * unit for mean, unit in zip(shares, units, strict=True) for end in (mean.low, mean.high)]
    return lcm(*(end.denominator for end in ends))


def _plain_name(name: str) -> str:
    measure, _, cut = name.partition("@")
    return f"{measure}@{int(cut)}" if cut and int(cut) else measure


def _most_of(name: Any) -> int | None:
    require(isinstance(name, str) and len(name) <= 20, "a score is not named")
    measure, _, cut = str(name).partition("@")
    require(measure in _MEASURES and (not cut or (cut.isascii() and cut.isdigit())), f"unknown score {quoted(name)}")
    cutoff = int(cut) if cut else 0
    require(cutoff <= _DEEPEST and (cutoff >= 1 or measure in ("mrr", "ndcg", "mr")), "a cut-off is out of range")
    require(measure != "mr" or not cutoff, "a mean rank has no cut-off")
    return None if measure == "mr" else 1


class _Known:
    """Bounds on N(r), the number of ranks that are at most r."""

    def __init__(self, queries: int, last: int | None, means: Sequence[Mean]) -> None:
        self.queries, self.last = queries, last
        stated = [(0, 0, 0)]
        for mean in means:
            if mean.measure in ("hits", "p"):
                unit = Fraction(1, queries * (mean.cutoff if mean.measure == "p" else 1))
                stated.append((mean.cutoff, int(-(-mean.low // unit)), int(mean.high // unit)))
        if last is not None:
            stated.append((last, queries, queries))
        self.cuts = sorted({cut for cut, _, _ in stated})
        # N(r) is at least whatever is said of a smaller cut-off, at most whatever is said of a larger one
        self.least = [max([0, *(low for cut, low, _ in stated if cut <= here)]) for here in self.cuts]
        self.most = [min([queries, *(high for cut, _, high in stated if cut >= here)]) for here in self.cuts]

    @property
    def contradictory(self) -> bool:
        return any(low > high for low, high in zip(self.least, self.most, strict=True))

    def gain_sum(self, mean: Mean) -> tuple[Fraction, Fraction]:
        """The least and the greatest sum of a gain that falls with the rank."""
        after = [*self.cuts[1:], None]
        least = most = Fraction(0)
        for place, cut in enumerate(self.cuts):
            then = after[place]
            bound = self.queries if then is None else self.most[place + 1]
            falls = Fraction(0) if then is None else _gain(mean, then + 1)[0]
            most += bound * (_gain(mean, cut + 1)[1] - falls)
            if cut:  # N(0) is 0
                falls = Fraction(0) if then is None else _gain(mean, then)[1]
                least += self.least[place] * (_gain(mean, cut)[0] - falls)
        return least, most

    def rank_sum(self) -> tuple[Fraction, Fraction | None]:
        """The least and the greatest sum of the ranks; None if nothing bounds it from above."""
        least, most = 0, 0
        for place, cut in enumerate(self.cuts[:-1]):
            width = self.cuts[place + 1] - cut
            # Q - N(r) for r from this cut-off up to just before the next one
            least += self.queries - self.most[place] + (width - 1) * (self.queries - self.most[place + 1])
            most += width * (self.queries - self.least[place])
        least += self.queries - self.most[-1]
        closed = self.least[-1] == self.queries
        return Fraction(least), Fraction(most) if closed else None


def _gain(mean: Mean, rank: int) -> tuple[Fraction, Fraction]:
    if mean.cutoff and rank > mean.cutoff:
        return Fraction(0), Fraction(0)
    return (Fraction(1, rank), Fraction(1, rank)) if mean.measure == "mrr" else _discount(rank)


@lru_cache(maxsize=4096)
def _discount(rank: int) -> tuple[Fraction, Fraction]:
    """Rationals around 1 / log2(1 + rank), by mediants: a/b <= log2(m) if 2^a <= m^b, compared in whole numbers."""
    m = rank + 1
    a, b, c, d = m.bit_length() - 1, 1, m.bit_length(), 1
    if 1 << a == m:
        return Fraction(1, a), Fraction(1, a)
    for _ in range(_MEDIANTS):
        if b + d > _LARGEST_POWER:
            break
        if 1 << (a + c) <= m ** (b + d):
            a, b = a + c, b + d
        else:
            c, d = a + c, b + d
    return Fraction(d, c), Fraction(b, a)


KINDS = {"ranking": Checker(frozenset({"experiment", "scores"}), check, every_key=False)}
