"""The experiment of a statement, read and refused key by key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Any

from scoreproof_verify.formulas import rule
from scoreproof_verify.texts import Document, fraction, integer, interval, known_keys, quoted, require, require_share

MEAN, SUM, UNKNOWN = "mean_of_scores", "score_of_means", "unknown"
_DEEPEST = 50
_MOST_NODES = 100_000
_LARGEST = 10**40  # cases of a set
_MOST_LEVELS = 12  # of unknown aggregation
_MOST_READ = 1_000_000  # nodes of all readings together

Ends = tuple[Fraction | None, Fraction | None]


@dataclass(frozen=True, slots=True)
class Node:
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
    if tree.__class__ is dict and tree.get("type") == "testset":
        return _test_set(tree)
    return _Reader().read(tree, 0)


def _test_set(tree: Document) -> Node:
    known_keys("testset", tree, "type", "p", "n")
    return Node(SUM, *_counts(tree))


@dataclass(slots=True)
class _Reader:
    nodes: int = 0

    def read(self, tree: Any, depth: int) -> Node:
        require(isinstance(tree, (dict, Mapping)), "the experiment is not an object")
        require(depth <= _DEEPEST, "the experiment is nested too deeply")
        self.nodes += 1
        require(self.nodes <= _MOST_NODES, "the experiment has too many parts")
        kind = tree.get("type")
        if kind == "testset":
            return _test_set(tree)
        if kind == "kfold":
            return self._folds(tree)
        require(kind in (MEAN, SUM, "unknown_aggregation"), f"an experiment of unknown type {quoted(kind)}")
        unknown = kind == "unknown_aggregation"
        known_keys(str(kind), tree, "type", "parts", *(() if unknown else ("ranges",)))
        parts = tree.get("parts")
        require(isinstance(parts, list) and len(parts) > 0, f"{kind} has no parts")
        inside = tuple(self.read(part, depth + 1) for part in parts)
        require(kind != SUM or not any(part.way == MEAN for part in inside), "a sum has a part that is a mean")
        return Node(UNKNOWN if unknown else str(kind), parts=inside, ranges=_ranges(tree.get("ranges", {})))

    def _folds(self, tree: Document) -> Node:
        known_keys("kfold", tree, "type", "p", "n", "k", "repeats", "stratified", "aggregation", "rule", "ranges")
        p, n = _counts(tree)
        k, repeats = integer(tree.get("k"), "k"), integer(tree.get("repeats", 1), "repeats")
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


def _counts(tree: Document) -> tuple[int, int]:
    p, n = integer(tree.get("p"), "p"), integer(tree.get("n"), "n")
    require(min(p, n) >= 0 and p + n > 0, "p and n are no evaluation set")
    require(p + n <= _LARGEST, "an evaluation set is too large")
    return p, n


def _ranges(ranges: Any) -> tuple[tuple[str, Ends], ...]:
    require(isinstance(ranges, Mapping) and len(ranges) <= 1000, "ranges are malformed")
    read = []
    for name, pair in ranges.items():
        require(isinstance(name, str) and isinstance(pair, list) and len(pair) == 2, "a range is malformed")
        known = rule(name)
        low, high = (_end(value, side, None if known is None else known.most) for side, value in enumerate(pair))
        require(low is None or high is None or low <= high, "a range has its ends crossed")
        read.append((name, (low, high)))
    return tuple(read)


def _end(value: Any, side: int, most: int | None) -> Fraction | None:
    """One end of a range as the statement writes it: null, a number, or a reported text with its rounding."""
    if value is None:
        return None
    if isinstance(value, Mapping):
        claim = known_keys("a range", value, "text", "rounding", "eps")
        return interval(claim.get("text"), claim.get("rounding"), claim.get("eps"), most=most)[side]
    end = fraction(value, "a range")
    if most == 1:
        require_share(end, quoted(value))
    return end


def readings(node: Node) -> list[Node]:
    """Every reading of an experiment, one choice per level, mean before sum; readings that sum means are left out."""
    levels = _levels(node)
    require(levels <= _MOST_LEVELS, "too many levels of unknown aggregation")
    require(_size(node) << levels <= _MOST_READ, "too many parts of unknown aggregation")
    found = (_read(node, choice) for choice in product((MEAN, SUM), repeat=levels))
    return list(dict.fromkeys(reading for reading in found if reading is not None))


def _size(node: Node) -> int:
    return 1 + sum(map(_size, node.parts))


def _levels(node: Node) -> int:
    return int(node.way == UNKNOWN) + (max(map(_levels, node.parts)) if node.parts else 0)


def _read(node: Node, choice: tuple[str, ...]) -> Node | None:
    here = node.way == UNKNOWN
    way = choice[0] if here else node.way
    parts = [_read(part, choice[1:] if here else choice) for part in node.parts]
    if any(part is None for part in parts) or (way == SUM and any(part and not part.summed for part in parts)):
        return None
    return replace(node, way=way, parts=tuple(part for part in parts if part is not None))


def is_unknown(node: Node) -> bool:
    return _levels(node) > 0
