"""From facts to experiments a table may have come from, each with the sentences that suggest it.

A suggestion is what somebody would write into a specification after one reading: the classes of the test set,
or of all cases with the folds they were dealt to, or the size of a test set that a split leaves. Where sentences
disagree each gets its own suggestion; nothing is chosen here, and nothing that was proposed accuses by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import ceil, floor, prod
from typing import TypeVar

from scoreproof.papers.text_facts.facts import CaseCount, ClassCounts, Fact, Folds, Portion, Sentence, Split
from scoreproof.results import Result

_MOST = 16
_MOST_SIZES = 9  # ways to round the shares of all classes
_OF = {Portion.TEST: " of the test set", Portion.ALL: ""}


@dataclass(frozen=True, slots=True)
class Extraction(Result):
    """What a sentence says of the experiments; ``used`` names the experiment that rests on it, or why none does."""

    what: str
    sentence: str
    place: str = ""
    used: str = ""

    def __str__(self) -> str:
        return f"{self.what}: {self.sentence!r}{f' ({self.place})' if self.place else ''}"


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Class counts, or a total where the classes are unknown, with or without folds; and where it was read."""

    label: str
    classes: tuple[tuple[str, int], ...] = ()
    total: int | None = None
    folds: int | None = None
    repeats: int = 1
    stratified: bool | None = None
    part: Portion = Portion.ALL
    sentences: tuple[Sentence, ...] = ()

    def __str__(self) -> str:
        return self.label


def suggestions(facts: Iterable[Fact]) -> tuple[Suggestion, ...]:
    """What the facts of a paper suggest, the most definite first.

    >>> from scoreproof.papers.text_facts import facts, sentences
    >>> text = "We had 38 preterm and 262 term records. Performance was estimated by 5-fold cross-validation."
    >>> [str(p) for p in suggestions(fact for s in sentences(text) for fact in facts(s))]
    ['38 preterm and 262 term in 5 folds', '38 preterm and 262 term']
    """
    known = tuple(facts)
    folds, split = _agreed(_those(Folds, known)), _one(_those(Split, known))
    classes, cases = _by_part(_those(ClassCounts, known)), _by_part(_those(CaseCount, known))
    whole, everything = classes[Portion.ALL], cases[Portion.ALL]
    made = [_of_classes(fact) for fact in classes[Portion.TEST]]
    if folds is not None and folds.k is not None:
        made += [_in_folds(fact, folds) for fact in whole if folds.k <= fact.total]
    made += [_of_total(case) for case in cases[Portion.TEST]]
    if split is not None:
        made += [test for fact in whole for test in _classes_left_by(split, fact)]
        made += _left_by(split, {case.total: case.sentence for case in everything})
    made += [*map(_of_classes, whole), *map(_of_total, everything)]
    return _different(made)


_Sort = TypeVar("_Sort")
_Counted = TypeVar("_Counted", CaseCount, ClassCounts)


def _those(sort: type[_Sort], known: Iterable[object]) -> list[_Sort]:
    return [fact for fact in known if isinstance(fact, sort)]


def _by_part(counts: Iterable[_Counted]) -> dict[Portion, list[_Counted]]:
    parts: dict[Portion, list[_Counted]] = {part: [] for part in Portion}
    for count in counts:
        parts[count.part].append(count)
    return parts


def _of_total(case: CaseCount) -> Suggestion:
    label = f"{case.total:,} {case.unit}{_OF[case.part]}"
    return Suggestion(label, total=case.total, part=case.part, sentences=(case.sentence,))


def _of_classes(fact: ClassCounts) -> Suggestion:
    label = f"{fact.in_words}{_OF[fact.part]}"
    return Suggestion(label, classes=fact.counts, part=fact.part, sentences=(fact.sentence,))


def _in_folds(fact: ClassCounts, folds: Folds) -> Suggestion:
    repeated = f", repeated {folds.repeats} times" if folds.repeats else ""
    return Suggestion(
        f"{fact.in_words} in {folds.k} folds{repeated}",
        classes=fact.counts,
        folds=folds.k,
        repeats=folds.repeats or 1,
        stratified=folds.stratified,
        sentences=tuple(dict.fromkeys((fact.sentence, folds.sentence))),
    )


def _classes_left_by(split: Split, whole: ClassCounts) -> list[Suggestion]:
    """The test sets that a split leaves: so much of each class if it is stratified, else of all cases."""
    tested = whole.total * Fraction(str(split.test)) / 100  # a whole number of these is dealt out, or of each class
    low, high = Fraction(floor(tested), whole.total), Fraction(ceil(tested), whole.total)
    ways = [range(floor(count * low), ceil(count * high) + 1) for _, count in whole.counts]
    if not split.stratified or prod(map(len, ways)) > _MOST_SIZES or min(way[0] for way in ways) < 1:
        return _left_by(split, {whole.total: whole.sentence})
    names = [name for name, _ in whole.counts]
    sentences = tuple(dict.fromkeys((whole.sentence, split.sentence)))
    made = []
    for size in product(*ways):
        test = ClassCounts(tuple(zip(names, size, strict=True)), Portion.TEST, whole.sentence)
        label = f"{test.in_words} ({split.test:g}% of each class)"
        made.append(Suggestion(label, classes=test.counts, part=Portion.TEST, sentences=sentences))
    return made


def _left_by(split: Split, totals: Mapping[int, Sentence]) -> list[Suggestion]:
    """The test sets a split leaves: of the share's size, rounded either way."""
    made = []
    for total, sentence in totals.items():
        share = total * Fraction(str(split.test)) / 100
        for size in dict.fromkeys((floor(share), ceil(share))):
            if 0 < size < total:
                label = f"{size:,} cases ({split.test:g}% of {total:,})"
                sentences = tuple(dict.fromkeys((sentence, split.sentence)))
                made.append(Suggestion(label, total=size, part=Portion.TEST, sentences=sentences))
    return made


def _agreed(said: Sequence[Folds]) -> Folds | None:
    """The cross-validation all sentences mean; what only some of them say of it counts, unless others deny it."""
    folds = [fact for fact in said if fact.k is not None]
    if len({fact.k for fact in folds}) != 1:
        return None
    repeats = {fact.repeats for fact in folds if fact.repeats is not None}
    stratified = {fact.stratified for fact in folds if fact.stratified is not None}
    return Folds(
        folds[0].k,
        repeats.pop() if len(repeats) == 1 else None,
        stratified.pop() if len(stratified) == 1 else None,
        False,
        folds[0].sentence,
    )


def _one(told: Sequence[Split]) -> Split | None:
    splits = [split for split in told if split.test > 0]
    shares = {(split.training, split.validation, split.test) for split in splits}
    said = {split.stratified: split for split in reversed(splits)}
    return said.get(False) or said.get(True) or splits[0] if len(shares) == 1 else None


def _different(made: Iterable[Suggestion]) -> tuple[Suggestion, ...]:
    kept: dict[tuple[object, ...], Suggestion] = {}
    for suggestion in made:
        kept.setdefault((frozenset(suggestion.classes), suggestion.total, suggestion.folds), suggestion)
    return tuple(kept.values())[:_MOST]
