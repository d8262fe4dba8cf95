"""What one sentence of a paper says of an experiment: the facts, and those of its design (folds, splits, runs).

A mean over runs is no score of one matrix, and the medians of two columns may be of different runs: what is read of
these takes verdicts away and never makes one. Sizes of other people's data, of what might be done, vague ones and those
of several sets look like sizes of test sets: a sentence that speaks of any of these is left (``doubtful``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from scoreproof.papers.table_semantics.words import Patterns, loaded

_FILE = loaded(__package__, "words.toml")
WORDS = {name: frozenset(words.split()) for name, words in _FILE.items() if isinstance(words, str)}
NUMBER_WORDS: dict[str, int] = _FILE["number_words"]
_NUMBERS = "|".join(NUMBER_WORDS)
_PARTS = {
    **{name.upper(): "|".join(sorted(WORDS[name])) for name in ("units", "persons", "being")},
    "WORDS": _NUMBERS,
    "NUMBERS": rf"(?:\d|(?:{_NUMBERS})\b)",
}
PATTERNS = {part: Patterns(written, _PARTS) for part, written in loaded(__package__, "patterns.toml").items()}
_ENDS, _PART, _SAYS, _DOUBTS = (PATTERNS[name] for name in ("facts", "parts", "designs", "doubts"))
_LONGEST = 2_000  # characters; what is longer is no sentence but a table or a list that lost its lines


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, and where it stands: a page, a section, a caption."""

    text: str
    place: str = ""

    def __str__(self) -> str:
        return f"{self.text!r} ({self.place})" if self.place else repr(self.text)


def sentences(text: str, place: str = "") -> Iterator[Sentence]:
    """The sentences of a paragraph: a wrong cut is harmless, a missed one could join the counts of two experiments.

    >>> [s.text for s in sentences("We used 38 records (Fig. 2, see Smith et al. 2010). The rest was left out.")]
    ['We used 38 records (Fig. 2, see Smith et al. 2010).', 'The rest was left out.']
    """
    plain = " ".join(text.split())
    stops = [stop.end() for stop in _ENDS["stop"].finditer(plain) if not _abbreviated(plain, stop.start())]
    for start, end in pairwise([0, *stops, len(plain)]):
        own = plain[start:end].strip()
        if own and len(own) <= _LONGEST:
            yield Sentence(own, place)


def _abbreviated(plain: str, stop: int) -> bool:
    """Whether a full stop ends an abbreviation, or a lone letter: an initial ("J. Smith") more often than a class."""
    return plain[stop] == "." and _ENDS["abbreviated"].search(plain, max(0, stop - 12), stop) is not None


def all_sentences(paragraphs: Iterable[tuple[str, str]]) -> Iterator[Sentence]:
    """The sentences of paragraphs given as (text, place)."""
    for text, place in paragraphs:
        yield from sentences(text, place)


class Portion(StrEnum):
    """Which cases a count is of."""

    ALL = "all"
    TRAINING = "training"
    VALIDATION = "validation"
    TEST = "test"


def parts_named(text: str) -> list[Portion]:
    """The parts that a text names, the test set first."""
    return [part for part in (Portion.TEST, Portion.VALIDATION, Portion.TRAINING) if _PART[part].search(text)]


def mentioned(text: str) -> Portion | None:
    """The first part that a text mentions: the test set, then others."""
    return next(iter(parts_named(text)), None)


def only_part(text: str) -> Portion | None:
    """The one part a sentence speaks of; all cases if of none; None if of several.

    >>> only_part("12 test images"), only_part("12 images"), only_part("12 images for training and testing")
    (<Portion.TEST: 'test'>, <Portion.ALL: 'all'>, None)
    """
    plain = _PART["other_than"].sub(" ", text)
    plain = _PART["cross"].sub("", plain) if crossed(text) else _PART["external"].sub("test", plain)
    parts = parts_named(plain)
    return Portion.ALL if not parts else parts[0] if len(parts) == 1 else None


def crossed(text: str) -> bool:
    """Whether a text speaks of a cross-validation."""
    return _PART["crossed"].search(text) is not None


def headed(before: str) -> Portion | None:
    """The part that is the subject of what follows: "the test set contains"."""
    match = _PART["head"].search(before)
    if match and _PART["share_of"].search(before, 0, match.start()):
        return None
    return mentioned(match[1] or match[2] or match[3]) if match else None


@dataclass(frozen=True, slots=True)
class CaseCount:
    """So many cases; ``counts`` are (class, cases) in the order of the sentence, where it tells classes."""

    total: int
    unit: str
    part: Portion
    sentence: Sentence
    counts: tuple[tuple[str, int], ...] = ()

    @classmethod
    def of_classes(cls, counts: tuple[tuple[str, int], ...], part: Portion, sentence: Sentence) -> CaseCount:
        """The cases of several classes."""
        return cls(sum(count for _, count in counts), "cases", part, sentence, counts)

    @property
    def in_words(self) -> str:
        """ "120 cats, 80 dogs and 50 birds"."""
        *first, last = [f"{count:,} {name}" for name, count in self.counts or ((self.unit, self.total),)]
        return f"{', '.join(first)} and {last}" if first else last

    def __str__(self) -> str:
        return f"{self.in_words} ({self.part})"


@dataclass(frozen=True, slots=True)
class Split:
    """The shares of training, validation (0 if there is none) and test cases, in percent."""

    training: float
    validation: float
    test: float
    sentence: Sentence

    def __str__(self) -> str:
        middle = f", {self.validation:g}% for validation" if self.validation else ""
        return f"{self.training:g}% for training{middle}, {self.test:g}% for testing"


@dataclass(frozen=True, slots=True)
class Folds:
    """A cross-validation; ``k`` is None for leave-one-out, ``stratified`` where the sentence does not say."""

    k: int | None
    repeats: int | None
    stratified: bool | None
    sentence: Sentence

    def __str__(self) -> str:
        words = "leave one out" if self.k is None else f"{self.k} folds"
        words += f", repeated {self.repeats} times" if self.repeats else ""
        return words + {True: ", stratified", False: ", not stratified", None: ""}[self.stratified]


@dataclass(frozen=True, slots=True)
class Runs:
    """Scores are of so many runs on one test set; of some number of runs or of random splits if ``count`` is None."""

    count: int | None
    sentence: Sentence

    def __str__(self) -> str:
        return "scores may be means over " + ("runs or splits" if self.count is None else f"{self.count} runs")


@dataclass(frozen=True, slots=True)
class Medians:
    """Scores are medians over runs or folds: those of one row may be of different ones."""

    sentence: Sentence

    def __str__(self) -> str:
        return "scores are medians"


Fact = CaseCount | Split | Folds | Runs | Medians
_Shares = tuple[float, float, float]  # of training, validation and test cases
_COUNT_WORDS = {**NUMBER_WORDS, "twice": 2, "thrice": 3, "once": 1}
_MOST_RUNS = 200


def designs(sentence: Sentence, *, of_table: bool = False) -> Iterator[Fact]:
    """What a sentence says of the design; ``of_table`` if it is of the caption of a table.

    >>> (folds,) = designs(Sentence("We used stratified five-fold cross-validation, repeated 10 times."))
    >>> folds.k, folds.repeats, folds.stratified
    (5, 10, True)
    """
    own = not _SAYS["others"].search(sentence.text)
    folds = _folds(sentence) if own else None
    split = split_of(sentence) if own and folds is None else None
    facts = (folds, split, _runs(sentence), _medians(sentence, of_table=of_table))
    yield from (fact for fact in facts if fact is not None)


def _folds(sentence: Sentence) -> Folds | None:
    text = sentence.text
    left_out = _SAYS.within(text, "left_out")
    if not _SAYS.within(text, "cross", "left_out") or _SAYS.within(text, "group_left_out", "vague"):
        return None
    numbers = {_number(match[1]) for match in _SAYS["folds"].finditer(text)}
    numbers |= {_number(match[1] or match[2]) for match in _SAYS["folds_after"].finditer(text)}
    if len(numbers) + left_out != 1 or not numbers.isdisjoint((0, 1)):
        return None
    times = {_number(next(filter(None, match.groups()))) for match in _SAYS["fold_times"].finditer(text)} - {0, 1}
    return Folds(next(iter(numbers), None), times.pop() if len(times) == 1 else None, _stratified(text), sentence)


def _stratified(text: str) -> bool | None:
    """Whether parts have the shares of the classes that all cases have; None if not said, or if of something else."""
    if _SAYS["unstratified"].search(text):
        return False
    return True if _SAYS["stratified"].search(text) and not _SAYS["stratified_by"].search(text) else None


def split_of(sentence: Sentence) -> Split | None:
    """The shares into which a sentence says that cases were split: "80/20", "7:3", "70 % for training"."""
    text = sentence.text
    if _SAYS.within(text, "others", "of_groups", "of_classes"):
        return None
    shares = _listed(text) or _in_percent(text)
    return None if shares is None else Split(*shares, sentence)


def _ratios(text: str) -> list[list[int]]:
    """What shares in a text may be of: in percent, or "7:3", "8:1:1"."""
    listed = ((match[0], [int(group) for group in match.groups() if group]) for match in _SAYS["ratio"].finditer(text))
    return [parts for words, parts in listed if sum(parts) == 100 or (":" in words and sum(parts) in (5, 10))]


def _listed(text: str) -> _Shares | None:
    """ "80/20", "60%/20%/20%", "7:3": of training, validation and test cases."""
    ratios, named, split = _ratios(text), parts_named(text), _SAYS["split"].search(text)
    if len(ratios) != 1:
        return None
    (first, *middle, last), total = ratios[0], sum(ratios[0])
    known = total == 100 and (named not in ([], ["validation"]) or re.search(r"\bsplit", text, re.I))
    known = known or (split and "training" in named and not _SAYS["classes"].search(text))  # of classes, perhaps
    if not known or (first < last and not (total == 100 and (middle or "training" in named))):
        return None
    return first * 100 / total, sum(middle) * 100 / total, last * 100 / total


def _in_percent(text: str) -> _Shares | None:
    """ "70 % for training", "70 %, 10 % and 20 % ... training, validation and test"."""
    shares = list(_SAYS["share"].finditer(text))
    if not _SAYS["split"].search(text) or any(sum(parts) == 100 for parts in _ratios(text)):
        return None
    values = [float(match[1]) for match in shares]
    if len(values) == 1:
        parts = parts_named(re.split("[.;,]", text[shares[0].end() :][:60])[0])
        if len(parts) != 1 or "validation" in parts_named(text):
            return None
        return (values[0], 0.0, 100 - values[0]) if parts == ["training"] else (100 - values[0], 0.0, values[0])
    order = _order(text, shares) if 2 <= len(values) <= 3 and sum(values) == 100 else ()
    if len(set(order)) != len(values) or "training" not in order:
        return None
    by_part = dict(zip(order, values, strict=True))
    return by_part["training"], by_part.get("validation", 0.0), by_part.get("test", 0.0)


def _order(text: str, shares: Sequence[re.Match[str]]) -> Sequence[str]:
    """The part of each share: named behind it, or before it where it is in brackets; or all of them in their order."""
    starts, ends = [match.start() for match in shares], [match.end() for match in shares]
    bracketed = all(text[:start].rstrip().endswith("(") for start in starts)
    edges = zip([0, *ends[:-1]], starts, strict=True) if bracketed else zip(ends, [*starts[1:], len(text)], strict=True)
    beside = [parts_named(text[start:end]) for start, end in edges]
    if all(len(names) == 1 for names in beside):
        return [names[0] for names in beside]
    named = parts_named(text)
    told = len(named) == len(shares) and re.search(r"\brespectively\b", text, re.I)
    return sorted(named, key=lambda part: len(_PART[part].split(text, 1)[0])) if told else []


def _number(text: str) -> int:
    return _COUNT_WORDS.get(text.lower()) or int(text)


def _runs(sentence: Sentence) -> Runs | None:
    """What a sentence says of runs; None if nothing, or if it speaks of folds, which are runs of another sort."""
    text = sentence.text
    if _SAYS["of_folds"].search(text):
        return None
    names = ("seeds", "times", "runs", "trials") if _SAYS["done"].search(text) else ("seeds", "times")
    texts = (next(filter(None, match.groups())) for name in names for match in _SAYS[name].finditer(text))
    counts = {count for count in map(_number, texts) if 1 < count <= _MOST_RUNS}
    if len(counts) == 1 and not _SAYS["dealt_anew"].search(text):
        return Runs(counts.pop(), sentence)
    return Runs(None, sentence) if counts or _SAYS["averaged"].search(text) else None


def _medians(sentence: Sentence, *, of_table: bool) -> Medians | None:
    """Whether scores are said to be medians; in the caption of a table a range beside them is enough."""
    text = sentence.text
    if _SAYS.within(text, "one_run", "other_medians"):
        return None
    ranged = _SAYS["with_quartiles"].search(text) and (of_table or _SAYS["scores"].search(text))
    return Medians(sentence) if _SAYS["medians"].search(text) or ranged else None


def doubtful(text: str) -> bool:
    """Whether the counts of a sentence may be others than the cases that were tested.

    >>> doubtful("Some 300 images were used for testing."), doubtful("300 images were used for testing.")
    (True, False)
    """
    # "Lee (2019) used", "[14] reported"; but "the data [12] used here"
    cited = any(_DOUBTS["did"].match(text, match.end()) for match in _DOUBTS["cited"].finditer(text))
    return cited or _DOUBTS.within(text, "doubts", "of_authors", "of_each")


def told_as_whole(text: str) -> bool:
    """Whether a sentence that names neither training nor testing speaks of all cases."""
    return _DOUBTS["whole"].search(text) is not None and _DOUBTS["some"].search(text) is None


def about_others(place: str) -> bool:
    """Whether a section is about other people's work, or about what might come.

    >>> about_others("section '2 Related work', page 2"), about_others("section 'Data'")
    (True, False)
    """
    return _DOUBTS["sections"].search(place) is not None


def of_wholes(text: Sequence[Sentence]) -> frozenset[Sentence]:
    """The sentences that count what others say was cut into pieces: scores are then of these.

    >>> text = map(Sentence, ("Each recording was cut into windows.", "We had 30 recordings.", "We had 9 windows."))
    >>> [sentence.text for sentence in of_wholes(list(text))]
    ['We had 30 recordings.']
    """
    cuts = [match for sentence in text for match in _SAYS["cut"].finditer(sentence.text)]
    wholes = re.compile("|".join({rf"\b{match['whole'] or match['source']}s?\b" for match in cuts}) or "(?!)", re.I)
    named = (sentence for sentence in text if wholes.search(sentence.text))
    return frozenset(sentence for sentence in named if not _SAYS["names_pieces"].search(sentence.text))
