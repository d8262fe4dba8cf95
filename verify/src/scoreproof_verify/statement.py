"""What a certificate states: the experiment, the texts as reported, and every convention.

The experiment is read and refused key by key. Intervals and counts are derived here again, by code of the verifier's
own. What ``check`` would refuse is refused; keys that nobody reads, and values that nobody knows, are refused as well.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

from scoreproof_verify.documents import Document, Score, given, integer, known_keys, object_of
from scoreproof_verify.formulas import DEFINED_FOR_BOTH, PREDICTIVE_OF_BOTH, Rule, Rules, rule
from scoreproof_verify.texts import fraction, interval, quoted, require, require_share, spread_of

MEAN, SUM, UNKNOWN = "mean_of_scores", "score_of_means", "unknown"
_DEEPEST = 50
_MOST_NODES = 100_000
_LARGEST = 10**40  # cases of a set
_MOST_LEVELS = 12  # of unknown aggregation
_MOST_READ = 1_000_000  # nodes of all readings together

Ends = tuple[Fraction | None, Fraction | None]


class Node(NamedTuple):
    """A test set (no parts), the folds of a data set (k), or parts that are averaged, summed, or nobody knows."""

    way: str  # MEAN, SUM or UNKNOWN; of a test set SUM
    p: int = 0
    n: int = 0
    k: int = 0
    repeats: int = 1
    rule: str = ""
    parts: tuple[Node, ...] = ()
    ranges: tuple[tuple[str, Ends], ...] = ()

    @property
    def summed(self) -> bool:
        """Whether it is one confusion matrix."""
        return self.way == SUM and (not self.parts or all(part.summed for part in self.parts))

    @property
    def bounded(self) -> bool:
        """Whether it bounds scores of the matrices it is the sum of."""
        return bool(self.ranges) or (bool(self.parts) and any(part.bounded for part in self.parts))

    @property
    def levels(self) -> int:
        """At how many levels nobody knows the way."""
        return (self.way == UNKNOWN) + (max(part.levels for part in self.parts) if self.parts else 0)

    @property
    def counts(self) -> tuple[int, int]:
        """The positives and negatives of all parts and repeats."""
        if not self.parts:
            return self.repeats * self.p, self.repeats * self.n
        counted = [part.counts for part in self.parts]
        return sum(p for p, _ in counted), sum(n for _, n in counted)


def has_both_classes(node: Node) -> bool:
    """Whether every matrix that is scored surely has both classes."""
    if node.summed:
        return min(node.counts) > 0
    if node.k:
        return node.rule in ("balanced", "scikit-learn") and min(node.p, node.n) >= node.k
    return all(map(has_both_classes, node.parts))


def read_tree(tree: Any) -> Node:
    """The experiment a statement describes; every key is read or refused."""
    return _Reader().read(tree, 0)


@dataclass(slots=True)
class _Reader:
    nodes: int = 0

    def read(self, value: Any, depth: int) -> Node:
        require(depth <= _DEEPEST, "the experiment is nested too deeply")
        self.nodes += 1
        require(self.nodes <= _MOST_NODES, "the experiment has too many parts")
        if value.__class__ is dict and value.keys() == _OF_TEST_SET and value["type"] == "testset":
            return Node(SUM, *_counts(value))
        tree = object_of("the experiment", value)
        kind = tree.get("type")
        if kind == "testset":
            return Node(SUM, *_counts(known_keys("testset", tree, "type", "p", "n")))
        if kind == "kfold":
            return self._folds(tree)
        require(kind in (MEAN, SUM, "unknown_aggregation"), f"an experiment of unknown type {quoted(kind)}")
        unknown = kind == "unknown_aggregation"
        fields = known_keys(str(kind), tree, "type", "parts", *(() if unknown else ("ranges",)))
        parts = fields.list_of("parts", 1, sys.maxsize, f"{kind} has no parts")
        inside = tuple(self.read(part, depth + 1) for part in parts)
        require(kind != SUM or not any(part.way == MEAN for part in inside), "a sum has a part that is a mean")
        return Node(UNKNOWN if unknown else str(kind), parts=inside, ranges=_ranges(fields.get("ranges", {})))

    def _folds(self, tree: Document) -> Node:
        known_keys("kfold", tree, "type", "p", "n", "k", "repeats", "stratified", "aggregation", "rule", "ranges")
        p, n = _counts(tree)
        k, repeats = tree.integer("k", "k"), integer(tree.get("repeats", 1), "repeats")
        require(2 <= k <= p + n and repeats >= 1 and k * repeats <= _MOST_NODES, "the folds are malformed")
        self.nodes += k * repeats
        require(self.nodes <= _MOST_NODES, "the experiment has too many parts")
        stratified = tree.get("stratified", True)
        require(isinstance(stratified, bool), "stratified is neither true nor false")
        allowed = ("balanced", "scikit-learn") if stratified else ("any", "trainable")
        rule, way = tree.get("rule", allowed[0]), tree.get("aggregation", MEAN)
        require(rule in allowed, f"unknown rule of folds {quoted(rule)}")
        require(way in (MEAN, SUM, UNKNOWN), f"unknown aggregation {quoted(way)}")
        return Node(way, p, n, k, repeats, rule, ranges=_ranges(tree.get("ranges", {})))


def _counts(tree: Mapping[str, Any]) -> tuple[int, int]:
    p, n = integer(tree.get("p"), "p"), integer(tree.get("n"), "n")
    require(p >= 0 <= n and p + n > 0, "p and n are no evaluation set")
    require(p + n <= _LARGEST, "an evaluation set is too large")
    return p, n


def _ranges(ranges: Any) -> tuple[tuple[str, Ends], ...]:
    require(isinstance(ranges, Mapping) and len(ranges) <= 1000, "ranges are malformed")
    read = []
    for name, pair in ranges.items():
        require(isinstance(name, str) and isinstance(pair, list) and len(pair) == 2, "a range is malformed")
        known = rule(name)
        most = None if known is None else known.most
        low, high = _end(pair[0], most)[0], _end(pair[1], most)[1]
        require(low is None or high is None or low <= high, "a range has its ends crossed")
        read.append((name, (low, high)))
    return tuple(read)


def _end(value: Any, most: int | None) -> Ends:
    """What a range may end at: nothing, a number, or from where to where a reported text with its rounding stands."""
    if value is None:
        return None, None
    if isinstance(value, Mapping):
        claim = known_keys("a range", value, "text", "rounding", "eps")
        return interval(claim.get("text"), claim.get("rounding"), claim.get("eps"), most=most)
    end = fraction(value, "a range")
    if most == 1:
        require_share(end, quoted(value))
    return end, end


def readings(node: Node) -> list[Node]:
    """Every reading of an experiment, one choice per level, mean before sum; readings that sum means are left out."""
    require(node.levels <= _MOST_LEVELS, "too many levels of unknown aggregation")
    require(_size(node) << node.levels <= _MOST_READ, "too many parts of unknown aggregation")
    read = (_read(node, choice) for choice in product((MEAN, SUM), repeat=node.levels))
    return list(dict.fromkeys(reading for reading in read if reading is not None))


def _size(node: Node) -> int:
    return 1 + sum(map(_size, node.parts))


def _read(node: Node, choice: tuple[str, ...]) -> Node | None:
    here = node.way == UNKNOWN
    way = choice[0] if here else node.way
    read = [_read(part, choice[1:] if here else choice) for part in node.parts]
    parts = tuple(part for part in read if part is not None and (way != SUM or part.summed))
    return node._replace(way=way, parts=parts) if len(parts) == len(read) else None


_MOST_SCORES = 100
_MOST_DIGITS = 100
_WORDS = {
    "undefined": ("any", "exclude", "zero", "one", "skip"),
    "spread": ("deviation", "error", "ignore"),
    "divisor": ("any", "population", "sample", "each"),
    "spread_over": ("any", "folds", "repeats", "parts"),
    "extremes_over": ("parts", "folds"),
}
_OF_CLAIM = frozenset({"score", "name", "text", "rounding", "eps"})
_OF_TEST_SET = frozenset({"type", "p", "n"})
_AVERAGED = DEFINED_FOR_BOTH | PREDICTIVE_OF_BOTH
OF_PARTS = ("spread", "divisor", "spread_over", "minimum", "maximum", "attained", "extremes_over", "fold_digits")


@dataclass(frozen=True, slots=True)
class Claim(Score):
    """One reported score with its rule."""

    rule: Rule = field(kw_only=True)
    #: the ratios at which the score has the ends of its interval, as numerators and denominators
    ends: tuple[int, int, int, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        low, high = self.rule.invert(self.low), self.rule.invert(self.high)
        object.__setattr__(self, "ends", (*low.as_integer_ratio(), *high.as_integer_ratio()))


class Statement(NamedTuple):
    """A problem about matrices of known experiments."""

    node: Node
    claims: tuple[Claim, ...]
    undefined: str
    spread: str = "deviation"
    divisor: str = "any"
    spread_over: str = "any"
    minimum: tuple[Claim, ...] = ()
    maximum: tuple[Claim, ...] = ()
    attained: bool = True
    extremes_over: str = "parts"
    fold_digits: int | None = None

    @property
    def has_spread(self) -> bool:
        return self.spread != "ignore" and bool([claim for claim in self.claims if claim.spread is not None])

    @property
    def speaks_of_parts(self) -> bool:
        """Whether it says what one matrix cannot have: a ±, extremes, rounded parts."""
        return self.has_spread or bool(self.minimum or self.maximum) or self.fold_digits is not None

    @property
    def one_matrix(self) -> bool:
        """Whether it is about a single confusion matrix and nothing else."""
        node = self.node
        if node.summed:
            return not node.bounded
        inner = self.inner
        return inner.summed and not inner.bounded and not self.speaks_of_parts

    @property
    def inner(self) -> Node:
        """A mean over one part is that part."""
        node = self.node
        while node.way == MEAN and len(node.parts) == 1 and not node.ranges:
            node = node.parts[0]
        return node


MAY_LACK = "an average over both classes may be 0/0 in one of them"


def read_statement(stated: Document, extra: Rules, *, bare: bool = False) -> Statement:
    """The statement, if it is one that a check would have made; ``bare`` if it may be without scores."""
    require("undefined" in stated, "the statement does not say what 0/0 counts as")
    words: dict[str, Any] = {key: stated.word(key, _WORDS[key]) for key in stated if key in _WORDS}
    attained, digits = stated.get("attained", True), stated.get("fold_digits")
    require(isinstance(attained, bool), "attained is neither true nor false")
    if digits is not None:
        integer(digits, "fold_digits", 0, _MOST_DIGITS)
    node = read_tree(stated.get("experiment"))
    scores = () if bare and stated.get("scores", []) == [] else claims(stated.get("scores"), extra)
    least, most = (claims(own, extra) if (own := stated.get(key, [])) != [] else () for key in ("minimum", "maximum"))
    read = Statement(node, scores, minimum=least, maximum=most, attained=attained, fold_digits=digits, **words)
    require(not (read.speaks_of_parts and node.summed), "one matrix has no ±, no extremes and no rounded parts")
    if read.undefined not in ("skip", "exclude"):
        named = [claim.name for claim in (*scores, *least, *most)]
        require(_AVERAGED.isdisjoint(named) or has_both_classes(node), MAY_LACK)
    return read


def claims(scores: Any, extra: Rules) -> tuple[Claim, ...]:
    require(isinstance(scores, list) and 0 < len(scores) <= _MOST_SCORES, "the statement names no scores")
    read: list[Claim] = []
    for entry in scores:
        plain = entry.__class__ is dict and entry.keys() <= _OF_CLAIM
        fields = entry if plain else known_keys("a score", entry, *_OF_CLAIM)
        if "name" in fields:
            require(isinstance(fields["name"], str), "the name of a score is not a text")
        told = fields.get("score"), fields.get("text"), fields.get("rounding"), fields.get("eps")
        try:
            read.append(_claim(*told, extra) if extra else _known_claim(*told))
        except TypeError:  # what is no text has no place in a table
            read.append(_claim(*told, extra))
    require(len({claim.name for claim in read}) == len(read), "a score is named twice")
    return tuple(read)


def _claim(name: Any, text: Any, rounding: Any, eps: Any, extra: Rules) -> Claim:
    rule = rule_of(name, extra)
    span = interval(text, rounding, eps, mean=True, most=rule.most)
    return Claim(name, text, *span, spread_of(text, rounding, eps), rule=rule)


@lru_cache(maxsize=65536, typed=True)  # true is not 1
def _known_claim(name: Any, text: Any, rounding: Any, eps: Any) -> Claim:
    """A claim about a built-in score; the same ones come again and again."""
    return _claim(name, text, rounding, eps, {})


def rule_of(name: Any, extra: Rules) -> Rule:
    """The rule of a score; ``Rejected`` for a name or a link the verifier does not know."""
    known = (rule(name) or extra.get(name)) if isinstance(name, str) and len(name) <= 200 else None
    known = given(known, f"the score {quoted(name)} is not one the verifier knows")
    require(known.link in ("ratio", "root", "threshold"), f"{name} has a link the verifier does not know")
    return known
