"""How scores came about, in a sentence (folds, splits, runs), and which of its counts are no cases.

A mean over runs is no score of one matrix, and the medians of two columns may be of different runs: what is read of
these takes verdicts away and never makes one. Sizes of other people's data, of what might be done, vague ones and those
of several sets look like sizes of test sets: a sentence that speaks of any of these is left (``doubtful``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from scoreproof.papers.text_facts.facts import (
    NUMBER_WORDS,
    PATTERNS,
    Fact,
    Folds,
    Medians,
    Runs,
    Sentence,
    Split,
    parts_named,
)

_COUNT_WORDS = {**NUMBER_WORDS, "twice": 2, "thrice": 3, "once": 1}
_SAYS, _DOUBTS = PATTERNS["designs"], PATTERNS["doubts"]
_MOST_RUNS = 200
_Shares = tuple[float, float, float]  # of training, validation and test cases


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
    if len(numbers) + left_out != 1 or min(numbers, default=2) < 2:
        return None
    times = {_number(next(filter(None, match.groups()))) for match in _SAYS["fold_times"].finditer(text)} - {0, 1}
    return Folds(next(iter(numbers), None), times.pop() if len(times) == 1 else None, _stratified(text), sentence)


def _stratified(text: str) -> bool | None:
    """Whether parts have the shares of the classes that all cases have; None if not said, or if of something else.

    >>> [_stratified(text) for text in ("stratified folds", "folds stratified by patient", "unstratified folds")]
    [True, None, False]
    """
    if _SAYS["unstratified"].search(text):
        return False
    return True if _SAYS["stratified"].search(text) and not _SAYS["stratified_by"].search(text) else None


def split_of(sentence: Sentence) -> Split | None:
    """The shares into which a sentence says that cases were split: "80/20", "7:3", "70 % for training"."""
    text = sentence.text
    if _SAYS.within(text, "others", "of_groups", "of_classes"):
        return None
    shares = _listed(text) or _in_percent(text)
    return None if shares is None else Split(*shares, sentence, _stratified(text))


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
        behind = re.match(r"[^.;,]{0,60}", text[shares[0].end() :])
        parts = parts_named(behind[0] if behind else "")
        if len(parts) != 1 or "validation" in parts_named(text):
            return None
        training = values[0] if parts == ["training"] else 100 - values[0]
        return training, 0.0, 100 - training
    if not 2 <= len(values) <= 3 or sum(values) != 100:
        return None
    order = _order(text, shares)
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
    return sorted(named, key=lambda part: len(PATTERNS["parts"][part].split(text, 1)[0])) if told else []


def _number(text: str) -> int:
    return _COUNT_WORDS.get(text.lower()) or int(text)


def _runs(sentence: Sentence) -> Runs | None:
    """What a sentence says of runs; None if nothing, or if it speaks of folds, which are runs of another sort.

    >>> [getattr(_runs(Sentence(text)), "count", "-") for text in
    ...  ("Averages over three runs.", "We report means over ten random splits.", "It is up to 8 times as fast.")]
    [3, None, '-']
    """
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
    """Whether scores are said to be medians; in the caption of a table a range beside them is enough.

    >>> [_medians(Sentence(text), of_table=False) is not None for text in
    ...  ("We report the median over five runs.", "We show the run with the median accuracy of five runs.")]
    [True, False]
    """
    text = sentence.text
    if _SAYS.within(text, "one_run", "other_medians"):
        return None
    ranged = _SAYS["with_quartiles"].search(text) and (of_table or _SAYS["scores"].search(text))
    return Medians(sentence) if _SAYS["medians"].search(text) or ranged else None


def doubtful(text: str, *, of_each: bool = False) -> bool:
    """Whether the counts of a sentence may be others than the cases that were tested; ``of_each``: those of each class.

    >>> doubtful("Some 300 images were used for testing."), doubtful("300 images were used for testing.")
    (True, False)
    """
    if _DOUBTS["doubts"].search(text) or _DOUBTS["of_authors"].search(text):
        return True
    # "Lee (2019) used", "[14] reported"; but "the data [12] used here"
    cited = any(_DOUBTS["did"].match(text, match.end()) for match in _DOUBTS["cited"].finditer(text))
    return cited or (not of_each and _DOUBTS["of_each"].search(text) is not None)


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

    >>> said = map(Sentence, ("Each recording was cut into windows.", "We had 30 recordings.", "We had 9 windows."))
    >>> [sentence.text for sentence in of_wholes(list(said))]
    ['We had 30 recordings.']
    """
    cuts = [match for sentence in text for match in _SAYS["cut"].finditer(sentence.text)]
    wholes = re.compile("|".join({rf"\b{match['whole'] or match['source']}s?\b" for match in cuts}) or "(?!)", re.I)
    named = (sentence for sentence in text if wholes.search(sentence.text))
    return frozenset(sentence for sentence in named if not _SAYS["names_pieces"].search(sentence.text))
