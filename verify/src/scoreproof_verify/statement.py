"""What a certificate states: the experiment, the texts as reported, and every convention.

Intervals and counts are derived here again, by code of the verifier's own. What ``check`` would refuse is refused; keys
that nobody reads, and values that nobody knows, are refused as well.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any

from scoreproof_verify.experiment import MEAN, Node, has_both_classes, is_unknown, read_tree
from scoreproof_verify.formulas import DEFINED_FOR_BOTH, PREDICTIVE_OF_BOTH, Rule, Rules, rule
from scoreproof_verify.texts import Document, decimal, integer, interval, known_keys, one_of, quoted, require, spread_of

_MOST_SCORES = 100
_MOST_DIGITS = 100
_WORDS = {
    "undefined": ("any", "exclude", "zero", "one", "skip"),
    "spread": ("deviation", "error", "ignore"),
    "divisor": ("any", "population", "sample", "each"),
    "spread_over": ("any", "folds", "repeats", "parts"),
    "extremes_over": ("parts", "folds"),
}
_FEWEST = 3  # keys: a statement about one matrix says no more
_OF_CLAIM = frozenset({"score", "name", "text", "rounding", "eps"})
_TEXT_OR_NONE = (str, type(None))
OF_PARTS = ("spread", "divisor", "spread_over", "minimum", "maximum", "attained", "extremes_over", "fold_digits")


@dataclass(frozen=True, slots=True)
class Claim:
    """One reported score: its name, its text, and the interval it stands for; and that of what follows a ±."""

    name: str
    text: str
    low: Fraction
    high: Fraction
    rule: Rule
    spread: tuple[Fraction, Fraction] | None = None
    #: the ratios at which the score has the ends of its interval, as numerators and denominators
    ends: tuple[int, int, int, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        low, high = self.rule.invert(self.low), self.rule.invert(self.high)
        object.__setattr__(self, "ends", (*low.as_integer_ratio(), *high.as_integer_ratio()))

    def __str__(self) -> str:
        return f"{self.name} {self.text} (from {decimal(self.low)} to {decimal(self.high)})"


@dataclass(frozen=True, slots=True)
class Statement:
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


def read_statement(stated: Any, extra: Rules, *, bare: bool = False) -> Statement:
    """The statement, if it is one that a check would have made; ``bare`` if it may be without scores."""
    require("undefined" in stated, "the statement does not say what 0/0 counts as")
    words: Document = {key: one_of(stated, key, known) for key, known in _WORDS.items() if key in stated}
    if len(stated) == _FEWEST and not bare and "scores" in stated and "experiment" in stated:
        return _admitted(Statement(read_tree(stated["experiment"]), claims(stated["scores"], extra), **words))
    attained, digits = stated.get("attained", True), stated.get("fold_digits")
    require(isinstance(attained, bool), "attained is neither true nor false")
    require(digits is None or 0 <= integer(digits, "fold_digits") <= _MOST_DIGITS, "fold_digits is out of range")
    node = read_tree(stated.get("experiment"))
    scores = _perhaps(stated, "scores", extra) if bare else claims(stated.get("scores"), extra)
    least, most = (_perhaps(stated, key, extra) for key in ("minimum", "maximum"))
    return _admitted(
        Statement(node, scores, minimum=least, maximum=most, attained=attained, fold_digits=digits, **words)
    )


def _admitted(statement: Statement) -> Statement:
    """The statement, unless a check would refuse it."""
    if statement.node.summed and not is_unknown(statement.node):
        require(not statement.speaks_of_parts, "one matrix has no ±, no extremes and no rounded parts")
    if statement.undefined not in ("skip", "exclude"):
        named = (*statement.claims, *statement.minimum, *statement.maximum)
        averaged = {claim.name for claim in named} & (DEFINED_FOR_BOTH | PREDICTIVE_OF_BOTH)
        require(not averaged or has_both_classes(statement.node), MAY_LACK)
    return statement


def _perhaps(stated: Document, key: str, extra: Rules) -> tuple[Claim, ...]:
    """Reported scores or extremes of a side; an empty list, or none, if nothing is said of it."""
    return () if stated.get(key, []) == [] else claims(stated[key], extra)


def claims(scores: Any, extra: Rules) -> tuple[Claim, ...]:
    """The reported scores of a statement."""
    require(isinstance(scores, list) and 0 < len(scores) <= _MOST_SCORES, "the statement names no scores")
    read: list[Claim] = []
    for entry in scores:
        plain = entry.__class__ is dict and entry.keys() <= _OF_CLAIM
        given = entry if plain else known_keys("a score", entry, *_OF_CLAIM)
        name, text, rounding, eps = given.get("score"), given.get("text"), given.get("rounding"), given.get("eps")
        require("name" not in given or isinstance(given["name"], str), "the name of a score is not a text")
        texts = name.__class__ is str and text.__class__ is str and rounding.__class__ in _TEXT_OR_NONE
        if extra or not texts or eps.__class__ not in _TEXT_OR_NONE:
            read.append(_claim(name, text, rounding, eps, extra))
        else:
            read.append(_known_claim(name, text, rounding, eps))
    require(len({claim.name for claim in read}) == len(read), "a score is named twice")
    return tuple(read)


def _claim(name: Any, text: Any, rounding: Any, eps: Any, extra: Rules) -> Claim:
    rule = rule_of(name, extra)
    low, high = interval(text, rounding, eps, mean=True, most=rule.most)
    return Claim(str(name), str(text), low, high, rule, spread_of(str(text), rounding, eps))


@lru_cache(maxsize=65536)
def _known_claim(name: str, text: str, rounding: str | None, eps: str | None) -> Claim:
    """A claim about a built-in score; the same ones come again and again."""
    return _claim(name, text, rounding, eps, {})


def rule_of(name: Any, extra: Rules) -> Rule:
    """The rule of a score; ``Rejected`` for a name or a link the verifier does not know."""
    known = (rule(name) or extra.get(name)) if isinstance(name, str) and len(name) <= 200 else None
    require(known is not None, f"the score {quoted(name)} is not one the verifier knows")
    assert known is not None
    require(known.link in ("ratio", "root", "threshold"), f"{name} has a link the verifier does not know")
    return known
