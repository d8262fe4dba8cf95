"""Counts of cases, of queries and of objects in a sentence.

A count is a whole number in front of a noun for cases ("1,143 images"), or behind one in brackets. Whose cases they are
is said in the same clause: "for testing", "in the test set", "test images". Precision comes first: a sentence about
other people's data, about augmented or pre-training data, or one whose numbers do not fall into place gives nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from scoreproof.papers.text_facts.classes import class_counts
from scoreproof.papers.text_facts.designs import split_of
from scoreproof.papers.text_facts.facts import CaseCount, ClassCounts, Portion, Sentence, Sought
from scoreproof.papers.text_facts.parts import headed, mentioned, only_part
from scoreproof.papers.text_facts.tokens import Count, Token, chains, tokens
from scoreproof.papers.text_facts.words import (
    CLASS_UNITS,
    NO_CLASS,
    OBJECTS,
    QUERIES,
    SMALL,
    THINGS,
    UNITS,
    doubtful,
    told_as_whole,
)

_FEWEST = 10  # cases; fewer are mentioned as examples ("the two images")
_FEWEST_SOUGHT = 5
_RESPECTIVELY = re.compile(r"\brespectively\b", re.I)
_PART = r"(train(?:ing)?|validation|dev(?:elopment)?|test(?:ing)?)"
_PARTS_LISTED = re.compile(
    rf"\b{_PART}(?: sets?)?(?:, | and |, and )(?:the )?(?:{_PART}(?: sets?)?(?:, and | and ))?(?:the )?{_PART}\b", re.I
)
_BRACKETED = re.compile(
    r"([A-Za-z][\w -]{1,40}?)\s*[(\[]\s*(?:[\d.]+\s?%\s*[,;]\s*)?[nN]\s*=\s*(\d[\d,]*)\s*(?:[,;]\s*[\d.]+\s?%\s*)?[)\]]"
)
_SHARES = re.compile(r"\bper ?cent\b|\bthirds?\b|\bhalf\b|\bquarters?\b|\bfifths?\b", re.I)
_SHARE_OF = re.compile(r"\b(?:of|from)\s+(?:(?:the|all|these|our|total)\s+)*$", re.I)
_ELIDED = re.compile(
    r"\s*(?:(?:were|was|are)\s+)?(?:randomly\s+)?"
    r"(?:(?:used|kept|reserved|chosen|selected|held back|held out|set aside|assigned|allocated|taken|left)\s+)?"
    r"(?:for|in|as|to)\s+(?:the\s+)?(?:train|test|valid|evaluat)",
    re.I,
)
_WHOLES = (
    r"(?P<whole>image|slide|recording|signal|video|scan|volume|ecg|eeg|record|file|utterance|picture|photograph|radiograph"
    r"|mammogram|document|sequence|trial|session|exam|study|case|patient|subject)s?"
)
_PIECES = (
    r"(?:patch|tile|window|segment|crop|frame|slice|epoch|clip|beat|chunk|piece|block|sub-?image|excerpt|paragraph"
    r"|sub-?sequence|heartbeat|snippet|superpixel|cell|pixel|voxel)e?s"
)
_CUT = re.compile(
    rf"\b{_WHOLES}\b[^.;]{{0,60}}?\b(?:divided|split|cut|segmented|cropped|tiled|chopped|windowed|partitioned|broken|sliced)"
    rf"(?: up)? (?:into|in)\b[^.;]{{0,60}}?\b{_PIECES}\b"
    rf"|\b{_PIECES}\b[^.;]{{0,40}}?\b(?:were|are) (?:\w+ )?"
    rf"(?:extracted|cropped|cut|sampled|taken|segmented|obtained) from\b"
    rf"[^.;]{{0,40}}?\b{_WHOLES.replace('whole', 'source')}\b",
    re.I,
)
_NAMES_PIECES = re.compile(rf"\b{_PIECES}\b", re.I)


def counts(sentence: Sentence) -> Iterator[CaseCount | ClassCounts]:
    """The counts a sentence gives.

    >>> (read,) = counts(Sentence("The database has 38 preterm and 262 term records."))
    >>> read.counts, str(read.part)
    ((('preterm', 38), ('term', 262)), 'all')
    """
    if doubtful(sentence.text):
        return
    words = tokens(sentence.text)
    if _RESPECTIVELY.search(sentence.text):
        yield from _in_order(sentence, words)
        return
    linked = list(chains(words))
    classes = class_counts(sentence, words, [count for chain in linked for count in chain])
    yield from classes or _bracketed(sentence) or _by_clause(sentence, words, linked)


def _bracketed(sentence: Sentence) -> list[CaseCount]:
    """ "training (n = 700), validation (n = 150) and test (15%, n = 150) sets"."""
    said = [(mentioned(match[1]), int(match[2].replace(",", ""))) for match in _BRACKETED.finditer(sentence.text)]
    parts = [part for part, _ in said]
    if None in parts or len(set(parts)) < len(parts):
        return []
    return [CaseCount(count, "cases", part, sentence) for part, count in said if part is not None]


def _in_order(sentence: Sentence, words: Sequence[Token]) -> Iterator[CaseCount]:
    """ "The training, validation and test sets contain 2,000, 150 and 600 images, respectively." """
    numbers = [token for token in words if token.value is not None]
    match = _PARTS_LISTED.search(sentence.text)
    names = [name for name in match.groups() if name] if match else []
    if len(names) != len(numbers) or any(token.percent is not None for token in words):
        return
    unit = next((token.text for token in words if token.text in UNITS), "cases")
    for name, token in zip(names, numbers, strict=True):
        part = mentioned(name) or Portion.VALIDATION  # "development"
        if token.value is not None:
            yield CaseCount(token.value, unit, part, sentence)


def _by_clause(sentence: Sentence, words: Sequence[Token], linked: Sequence[tuple[Count, ...]]) -> list[CaseCount]:
    """Each count with the part its own clause names; nothing where it is open of one, or where two are of one part."""
    counted = _all_counts(sentence, words, linked)
    facts: list[CaseCount] = []
    for number, count in enumerate(counted):
        part = _part(sentence, words, counted, number)
        if part is None or count.value < _FEWEST or (part is Portion.ALL and _names_part(count)):
            return []
        facts.append(CaseCount(count.value, count.unit, part, sentence))
    return facts if len({fact.part for fact in facts}) == len(facts) else []


def _part(sentence: Sentence, words: Sequence[Token], counted: Sequence[Count], number: int) -> Portion | None:
    """Whose cases one of the counts of a sentence is of; None if that is open."""
    count, text = counted[number], sentence.text
    if len(counted) > 2 and 2 * count.value == sum(other.value for other in counted):  # the sum of the others
        return Portion.ALL
    before = text[: words[count.first].start]
    part = mentioned(" ".join(count.words)) or headed(before)
    if part is not None:
        return part
    if any(token.percent is not None for token in words) or _SHARES.search(text):
        # All cases, where a split "of" them is told; beside other shares it is open what a count is of.
        return Portion.ALL if _SHARE_OF.search(before) and split_of(sentence) is not None else None
    if len(counted) == 1:
        part = only_part(text)
        return None if part is Portion.ALL and not told_as_whole(text) else part
    stop = words[counted[number + 1].first].start if number + 1 < len(counted) else len(text)
    behind = text[words[count.last].end : stop]
    return None if headed(behind) else mentioned(behind)


def _names_part(count: Count) -> bool:
    """ "The 96 malignant lesions" are some of the cases; melanomas may be all of them."""
    return bool(count.class_name) and count.unit not in CLASS_UNITS


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
        if not _ELIDED.match(sentence.text[token.end :]):
            return []
        counted.append(Count(token.value, (), counted[0].unit, place, place))
    return sorted(counted, key=lambda count: count.first)


def sought(sentence: Sentence) -> Iterator[Sought]:
    """The queries of a search, and the objects to be detected, that a sentence counts; nothing where it is open which.

    >>> [str(fact) for fact in sought(Sentence("The test set has 1,186 nodules in 888 scans."))]
    ['1,186 nodules (test)']
    """
    if doubtful(sentence.text, of_each=True):
        return
    words = tokens(sentence.text)
    for names in (QUERIES, OBJECTS):
        own = [fact for place in range(len(words)) for fact in _sought(sentence, words, place, names)]
        tested = [fact for fact in own if fact.part is Portion.TEST]
        if len(own) == 1 or len(tested) == 1:
            yield (tested or own)[0]


def _sought(sentence: Sentence, words: Sequence[Token], place: int, names: frozenset[str]) -> Iterator[Sought]:
    """What a number counts, if it is one of the names: right behind it, or behind an adjective of cases."""
    count, behind = words[place], [word.text for word in words[place + 1 : place + 3]]
    noun = next((word for word in behind if word in names), None)
    if count.value is None or count.value < _FEWEST_SOUGHT or count.may_be_year or noun is None:
        return
    between = behind[: behind.index(noun)]
    own = mentioned(" ".join(between))
    if not (own or NO_CLASS.issuperset(between)) or SMALL.intersection(between):
        return  # "150 malignant nodules"
    part = own or headed(sentence.text[: count.start])
    if part is None and all(_explained(words, other) for other in range(len(words)) if other != place):
        part = only_part(sentence.text)
    if part is Portion.TEST or (part is Portion.ALL and told_as_whole(sentence.text)):
        yield Sought(count.value, noun, names is QUERIES, part, sentence)


def _explained(words: Sequence[Token], place: int) -> bool:
    """Whether a number is of something else than what is sought: of pictures, of years, of things that are no cases."""
    token, followers = words[place], {word.text for word in words[place + 1 : place + 3]}
    glued = place > 0 and words[place - 1].is_word and words[place - 1].end == token.start  # "LUNA16"
    known = token.value is not None and not followers.isdisjoint(THINGS | UNITS)
    return not token.is_number or token.may_be_year or glued or known


def cut_up(text: Iterable[Sentence]) -> frozenset[str]:
    """What the sentences of a paper say was cut into the pieces that are classified: scores are then of windows.

    >>> sorted(cut_up([Sentence("Each recording was cut into windows of 10 s."), Sentence("Images were split 80/20.")]))
    ['recording']
    """
    cuts = (match for sentence in text for match in _CUT.finditer(sentence.text))
    return frozenset((match["whole"] or match["source"]).lower() for match in cuts)


def of_wholes(sentence: Sentence, cut: frozenset[str]) -> bool:
    """Whether the counts of a sentence are of what was cut up, and not of its pieces."""
    if not cut or _NAMES_PIECES.search(sentence.text):
        return False
    return re.search(rf"\b(?:{'|'.join(map(re.escape, sorted(cut)))})s?\b", sentence.text, re.I) is not None
