"""Sizes of well-known test sets: a score that counts right answers is k/N for a whole number k.

Brown and Heathers (2017, doi:10.1177/1948550616673876) test printed means of whole numbers so; here N is the size of a
benchmark that everybody uses. The sizes stand in ``data/benchmarks.toml``, each with the source it was read in, and
with what else is printed under the name and is no share: means over subjects, means over samples, F1.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import resources

from scoreproof.catalog.entry import Axis, Entry, KnownSet
from scoreproof.results import Result

_TOKEN = re.compile(r"[a-z0-9]+(?:\.[0-9]+)?(?:@[0-9]+|\+)?")
#: Words that leave a heading what it is: how many examples were shown, which part of the data, how it was prompted.
_NEUTRAL = re.compile(
    r"[0-9]{1,2}|shots?|zero|one|few|five|k|cot|greedy|test|testing|val|valid|validation|dev|set|split|en|english|acc"
    r"|accuracy|norm|strict|flexible|score|scores|percent|pct|chat|prompt|prompting|fewshot|0shot|[0-9]{1,2}shot|gen|ppl|v2|none|value|extract|[0-9a-f]{6}"
)
_LONGEST = 6  # words of a name
_STATED: ContextVar[Mapping[str, tuple[int, ...]]] = ContextVar("sizes that a paper states", default={})  # noqa: B039
_SCORES = {
    "accuracy": re.compile(r"acc|accuracy|top1|top@1|top|err|error|rate"),
    "exact match": re.compile(r"em|exact|match|acc|accuracy"),
    "pass@1": re.compile(r"pass@1|p@1|pass|1|acc|accuracy|rate"),
    "resolved": re.compile(r"resolved?|rate|pass@1|success"),
    "hits": re.compile(r"(?:hits?|h|hr|hit)@[0-9]{1,3}"),
}


@dataclass(frozen=True, slots=True)
class Benchmark(Result):
    """A test set of known size; ``score`` says of which score a print is a share, ``no_share`` what is none.

    ``splits`` are the sizes that are in use. ``named`` demands that a heading names the score, since another is as
    usual; ``sampled`` says that answers are often drawn several times, so that a mean over them is k/(rN), ``parts``
    that it is often a mean of the shares of its parts.
    """

    name: str
    area: str
    splits: Mapping[str, int]
    score: str
    source: str
    aliases: tuple[str, ...] = ()
    named: bool = False
    sampled: bool = False
    parts: bool = False
    no_share: str = ""

    def entry(self) -> Entry:
        """The benchmark as a known experiment: every split is a reading, a case is what is to be got right."""
        sets = tuple(KnownSet("", {"split": split}, size, 0) for split, size in self.splits.items())
        axis = Axis("split", "reading", {split: f"{split} ({size:,} cases)" for split, size in self.splits.items()})
        notes = (f"a share of N cases: {self.score}", *((self.no_share,) if self.no_share else ()))
        title = f"{self.name}: {' or '.join(f'{size:,}' for size in self.splits.values())} cases"
        return Entry(self.name, title, self.area, self.source, "", (axis,), sets, notes, self.aliases)

    def __str__(self) -> str:
        return f"{self.name}: {', '.join(f'{size:,} ({split})' for split, size in self.splits.items())}"


@lru_cache(maxsize=1)
def benchmarks() -> tuple[Benchmark, ...]:
    """Every benchmark of known size.

    >>> sizes = {known.name: dict(known.splits) for known in benchmarks()}
    >>> sizes["GSM8K"], sizes["MBPP+"]
    ({'test': 1319}, {'v0.2.0': 378, 'v0.1.0': 399})
    """
    text = (resources.files("scoreproof.catalog") / "data" / "benchmarks.toml").read_text(encoding="utf-8")
    return tuple(
        Benchmark(**{**stated, "aliases": tuple(stated.get("aliases", ()))})
        for stated in tomllib.loads(text)["benchmark"]
    )


def key(text: str) -> str:
    """A name without blanks, dashes and capitals.

    >>> key("Human-Eval+"), key("CIFAR-10.1")
    ('humaneval+', 'cifar10.1')
    """
    return "".join(_tokens(text))


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(text.lower().replace("_", " "))


@lru_cache(maxsize=1)
def by_key() -> dict[str, Benchmark]:
    """The benchmarks by every spelling."""
    return {key(spelling): known for known in benchmarks() for spelling in (*known.aliases, known.name)}


def counts_right_answers(heading: str, *, named: bool = True) -> bool:
    """Whether a heading names a score that is a share of the cases, or, not ``named``, at least no other.

    >>> [counts_right_answers(text) for text in ("acc_norm (5-shot)", "exact_match", "balanced accuracy", "F1")]
    [True, True, False, False]
    """
    tokens = _tokens(heading)
    right = [token for token in tokens if any(words.fullmatch(token) for words in _SCORES.values())]
    return bool(right or not named) and all(token in right or _NEUTRAL.fullmatch(token) for token in tokens)


def named_in(heading: str, *, score_named: bool = False) -> Benchmark | None:
    """The benchmark whose score a heading names, if every other word of it is known to change nothing.

    ``score_named`` demands that it names the score as well.

    >>> [named_in(text).name for text in ("GSM8K (8-shot, CoT)", "ARC-c acc_norm", "HumanEval+ pass@1")]
    ['GSM8K', 'ARC-Challenge', 'HumanEval+']
    >>> [named_in(text) for text in ("GSM8K-hard", "TruthfulQA MC2", "MRPC F1", "MRPC", "FB15k-237 MRR", "")]
    [None, None, None, None, None, None]
    """
    benchmark = _in_catalogue(heading, score_named)
    stated = None if benchmark is None else _STATED.get().get(benchmark.name)
    if benchmark is None or not stated:
        return benchmark
    return replace(benchmark, splits={f"the paper says {size:,}": size for size in stated})


@lru_cache(maxsize=4096)
def _in_catalogue(heading: str, score_named: bool) -> Benchmark | None:
    tokens = _tokens(heading)
    known = _spans(tokens)
    if not known:
        return None
    first, last = max(known, key=lambda span: len("".join(tokens[span[0] : span[1]])))
    benchmark = by_key()["".join(tokens[first:last])]
    rest = tokens[:first] + tokens[last:]
    own = [token for token in rest if _SCORES[benchmark.score].fullmatch(token)]
    if any(not _NEUTRAL.fullmatch(token) for token in rest if token not in own):
        return None
    return None if (benchmark.named or score_named) and not own else benchmark


def _spans(tokens: list[str]) -> list[tuple[int, int]]:
    """Where names of benchmarks stand among words."""
    ends = ((first, last) for first in range(len(tokens)) for last in range(first + 1, first + _LONGEST + 1))
    return [(first, last) for first, last in ends if last <= len(tokens) and "".join(tokens[first:last]) in by_key()]


@contextmanager
def stated_sizes(told: Iterable[tuple[str, int]]) -> Iterator[None]:
    """Sizes that a paper gives its own test sets, in texts that name one benchmark each: they win over the catalogue.

    >>> with stated_sizes([("Our GSM8K subset", 500), ("GSM8K or MATH-500", 90)]):
    ...     dict(named_in("GSM8K").splits), dict(named_in("HumanEval").splits)
    ({'the paper says 500': 500}, {'test': 164})
    """
    sizes: dict[str, dict[int, None]] = {}
    for text, size in told:
        tokens = _tokens(text)
        names = {by_key()["".join(tokens[first:last])].name for first, last in _spans(tokens)}
        if len(names) == 1:
            sizes.setdefault(names.pop(), {})[size] = None
    token = _STATED.set({name: tuple(own) for name, own in sizes.items()})
    try:
        yield
    finally:
        _STATED.reset(token)
