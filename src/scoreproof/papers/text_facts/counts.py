"""Counts of cases and of classes in a sentence.

A count is a whole number in front of a noun for cases ("1,143 images"), or behind one in brackets. Whose cases they are
is said in the same clause: "for testing", "in the test set", "test images". Precision comes first: a sentence about
other people's data, about augmented or pre-training data, or one whose numbers do not fall into place gives nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from scoreproof.papers.text_facts.chains import Count, chains
from scoreproof.papers.text_facts.class_counts import class_counts
from scoreproof.papers.text_facts.designs import designs
from scoreproof.papers.text_facts.doubts import doubtful, told_as_whole
from scoreproof.papers.text_facts.facts import CaseCount, ClassCounts, Portion, Split
from scoreproof.papers.text_facts.many_classes import as_many_of_each
from scoreproof.papers.text_facts.parts import headed, mentioned, only_part
from scoreproof.papers.text_facts.sentence import Sentence
from scoreproof.papers.text_facts.shown_cases import with_shown_cases
from scoreproof.papers.text_facts.tokens import Token, tokens
from scoreproof.papers.text_facts.vocabulary import CLASS_UNITS, THINGS, UNITS
from scoreproof.papers.text_facts.wholes import wholes

_FEWEST = 10  # cases; fewer are mentioned as examples ("the two images")
_RESPECTIVELY = re.compile(r"\brespectively\b", re.I)
_PART = r"(train(?:ing)?|validation|dev(?:elopment)?|test(?:ing)?)"
_PARTS_LISTED = re.compile(
    rf"\b{_PART}(?: sets?)?(?:, | and |, and )(?:the )?(?:{_PART}(?: sets?)?(?:, and | and ))?(?:the )?{_PART}\b", re.I
)
_BRACKETED = re.compile(
    r"([A-Za-z][\w -]{1,40}?)\s*[(\[]\s*(?:[\d.]+\s?%\s*[,;]\s*)?[nN]\s*=\s*(\d[\d,]*)\s*(?:[,;]\s*[\d.]+\s?%\s*)?[)\]]"
)
_SLASHED = re.compile(
    r"\b(train\w*)\s*/\s*(?:(val\w*|dev\w*)\s*/\s*)?(test\w*)\b\D{1,60}?(\d[\d,]*\s*/\s*\d[\d,]*(?:\s*/\s*\d[\d,]*)?)(?!\s*%)",
    re.I,
)
_STATED = re.compile(
    r"\bnumber of (?:(?:train|test|validation|held-out)\w* )?(?P<unit>[a-z-]+) (?:in the test(?:ing)? set )?"
    r"(?:was|is|were) (?P<count>\d[\d,]*)(?![\d%.]*\d)|\btest(?:ing)? set size (?:was|is|of) (?P<size>\d[\d,]*)",
    re.I,
)
_SHARES = re.compile(r"\bper ?cent\b|\bthirds?\b|\bhalf\b|\bquarters?\b|\bfifths?\b", re.I)
_SHARE_OF = re.compile(r"\b(?:of|from)\s+(?:(?:the|all|these|our|total)\s+)*$", re.I)
_ELIDED = re.compile(
    r"\s*(?:(?:were|was|are)\s+)?(?:randomly\s+)?"
    r"(?:(?:used|kept|reserved|chosen|selected|held back|held out|set aside|assigned|allocated|taken|left)\s+)?"
    r"(?:for|in|as|to)\s+(?:the\s+)?(?:train|test|valid|evaluat)",
    re.I,
)


def counts(sentence: Sentence) -> Iterator[CaseCount | ClassCounts]:
    """The counts a sentence gives.

    >>> from scoreproof.papers.text_facts.sentence import Sentence
    >>> (read,) = counts(Sentence("The database has 38 preterm and 262 term records."))
    >>> read.counts, str(read.part)
    ((('preterm', 38), ('term', 262)), 'all')
    """
    plain = tokens(sentence.text)
    words = with_shown_cases(sentence.text, plain)
    equal = as_many_of_each(sentence)
    if equal is not None:
        yield equal
        return
    if doubtful(sentence.text):
        return
    if _RESPECTIVELY.search(sentence.text):
        yield from _in_order(sentence, plain)
        return
    summed = list(wholes(sentence, words))
    if summed:
        yield from summed
        return
    linked = list(chains(words))
    classes = class_counts(sentence, words, [count for chain in linked for count in chain])
    if classes is not None:
        yield classes
        return
    if words != plain:  # what it counts is known by its classes alone
        return
    stated = _stated(sentence, words)
    if stated is not None:
        yield stated
        return
    listed = _bracketed(sentence) or _slashed(sentence)
    if listed:
        yield from listed
        return
    yield from _by_clause(sentence, words, linked)


def _stated(sentence: Sentence, words: Sequence[Token]) -> CaseCount | None:
    """ "The number of test images was 1,143", "the test set size is 1,143"."""
    said = list(_STATED.finditer(sentence.text))
    if len(said) != 1 or len([token for token in words if token.value is not None and token.is_number]) != 1:
        return None
    unit = (said[0]["unit"] or "cases").lower()
    part = only_part(said[0][0])
    if part is None or unit not in (*UNITS, "cases"):
        return None
    count = said[0]["count"] or said[0]["size"]
    return CaseCount(_whole(count), unit, part, sentence)


def _bracketed(sentence: Sentence) -> list[CaseCount]:
    """ "training (n = 700), validation (n = 150) and test (15%, n = 150) sets"."""
    said = [(mentioned(match[1]), _whole(match[2])) for match in _BRACKETED.finditer(sentence.text)]
    parts = [part for part, _ in said]
    if None in parts or len(set(parts)) < len(parts):
        return []
    return [CaseCount(count, "cases", part, sentence) for part, count in said if part is not None]


def _slashed(sentence: Sentence) -> list[CaseCount]:
    """ "Train/val/test sizes are 8,000/1,000/1,000"; shares are no sizes."""
    said = list(_SLASHED.finditer(sentence.text))
    if len(said) != 1:
        return []
    names = [name for name in said[0].groups()[:3] if name]
    sizes = [_whole(size) for size in said[0][4].split("/")]
    if len(names) != len(sizes) or sum(sizes) in (1, 10, 100) or min(sizes) < _FEWEST:
        return []
    parts = [mentioned(name) or Portion.VALIDATION for name in names]  # "val", "dev"
    return [CaseCount(size, "cases", part, sentence) for part, size in zip(parts, sizes, strict=True)]


def _whole(text: str) -> int:
    return int(text.strip().replace(",", ""))


def _in_order(sentence: Sentence, words: Sequence[Token]) -> Iterator[CaseCount]:
    """ "The training, validation and test sets contain 2,000, 150 and 600 images, respectively." """
    numbers = [token for token in words if token.value is not None and token.is_number]
    match = _PARTS_LISTED.search(sentence.text)
    names = [name for name in match.groups() if name] if match else []
    if len(names) != len(numbers) or any(token.percent is not None for token in words):
        return
    unit = next((token.text for token in words if token.text in UNITS), "cases")
    for name, token in zip(names, numbers, strict=True):
        part = mentioned(name) or Portion.VALIDATION  # "development"
        if token.value is not None:
            yield CaseCount(token.value, unit, part, sentence)


def _by_clause(sentence: Sentence, words: Sequence[Token], linked: Sequence[tuple[Count, ...]]) -> Iterator[CaseCount]:
    """Each count with the part its own clause names."""
    counted = _all_counts(sentence, words, linked)
    facts = []
    together = sum(count.value for count in counted)
    for number, count in enumerate(counted):
        if len(counted) > 2 and 2 * count.value == together:  # the sum of the others
            facts.append(CaseCount(count.value, count.unit, Portion.ALL, sentence))
            continue
        part = mentioned(" ".join(count.words)) or headed(sentence.text[: words[count.first].start])
        if part is None and (any(token.percent is not None for token in words) or _SHARES.search(sentence.text)):
            part = _shared_out(sentence, sentence.text[: words[count.first].start])
        elif part is None and len(counted) == 1:
            part = only_part(sentence.text)
            part = None if part is Portion.ALL and not told_as_whole(sentence.text) else part
        elif part is None:
            stop = words[counted[number + 1].first].start if number + 1 < len(counted) else len(sentence.text)
            behind = sentence.text[words[count.last].end : stop]
            part = None if headed(behind) else mentioned(behind)
        if part is None or count.value < _FEWEST or (part is Portion.ALL and _names_part(count)):
            return
        facts.append(CaseCount(count.value, count.unit, part, sentence))
    if len({fact.part for fact in facts}) == len(facts):  # two counts of the same cases: which is meant?
        yield from facts


def _names_part(count: Count) -> bool:
    """ "The 96 malignant lesions" are some of the cases; melanomas may be all of them."""
    return bool(count.class_name) and count.unit not in CLASS_UNITS


def _shared_out(sentence: Sentence, before: str) -> Portion | None:
    """All cases, where a split "of" them is told; beside other shares it is open what a count is of."""
    told = any(isinstance(fact, Split) for fact in designs(sentence))
    return Portion.ALL if told and _SHARE_OF.search(before) else None


def _all_counts(sentence: Sentence, words: Sequence[Token], linked: Sequence[tuple[Count, ...]]) -> list[Count]:
    """The counts in order, also those without their unit ("600 for testing"); none if a number stays unexplained."""
    counted = [count for chain in linked for count in chain]
    if not counted or any(len(chain) > 1 and not all(mentioned(" ".join(c.words)) for c in chain) for chain in linked):
        return []
    inside = {place for count in counted for place in range(count.first, count.last + 1)}
    for place, token in enumerate(words):
        follower = words[place + 1].text if place + 1 < len(words) else ""
        if token.value is None or place in inside or token.may_be_year or follower in THINGS:
            continue
        if _ELIDED.match(sentence.text[token.end :]):
            counted.append(Count(token.value, (), counted[0].unit, place, place))
        elif token.is_number:
            return []
    return sorted(counted, key=lambda count: count.first)
