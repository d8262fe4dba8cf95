"""Counts of cases, and of their classes in a sentence.

A count is a whole number in front of a noun for cases ("1,143 images"), or behind one in brackets. Whose cases they are
is said in the same clause: "for testing", "in the test set", "test images". Precision comes first: a sentence about
other people's data, about augmented or pre-training data, or one whose numbers do not fall into place gives nothing.

"38 preterm and 262 term records" name their classes side by side. "624 images (390 pneumonia and 234 normal)" add up to
the count before them, which says what they are, so that other numbers may stand in the sentence, and several such
groups, each of the cases that its own clause names. "600 images, 117 of which are melanomas" leave the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from scoreproof.papers.text_facts.designs import doubtful, split_of, told_as_whole
from scoreproof.papers.text_facts.facts import (
    BEING,
    CLASS_UNITS,
    JOINTS,
    NAMELESS,
    NOT_CLASSES,
    NUMBER_WORDS,
    OBJECTS,
    OPENING,
    PATTERNS,
    PEOPLE,
    QUERIES,
    SMALL,
    THINGS,
    UNITS,
    CaseCount,
    ClassCounts,
    Count,
    Portion,
    Sentence,
    Token,
    chains,
    crossed,
    headed,
    mentioned,
    only_part,
    tokens,
)

_SAYS = PATTERNS["counts"]
_COUNTED_BESIDE = (OBJECTS | QUERIES | NOT_CLASSES) - UNITS  # "212 polyps and 36 normal videos"
_NO_NAMES = SMALL | THINGS | NAMELESS | (UNITS - CLASS_UNITS) | NUMBER_WORDS.keys()
_NO_NOUNS = SMALL | THINGS | _COUNTED_BESIDE | PEOPLE
_MOST_EQUAL = 200  # classes of one size
_MOST_CLASSES = 30
_MOST_BETWEEN = 11  # tokens from one count to the next
_MOST_WORDS = 3  # of a name
_THEM = frozenset({"which", "whom", "them", "these"})
_BEFORE_COUNT = frozenset({":", "=", "(", "[", "n"})
_FEWEST = 10  # cases; fewer are mentioned as examples ("the two images")


def counts(sentence: Sentence) -> Iterator[CaseCount | ClassCounts]:
    """The counts a sentence gives.

    >>> (read,) = counts(Sentence("The database has 38 preterm and 262 term records."))
    >>> read.counts, str(read.part)
    ((('preterm', 38), ('term', 262)), 'all')
    """
    words = tokens(sentence.text)
    yield from equal_classes(sentence, words)
    if doubtful(sentence.text):
        return
    if _SAYS["respectively"].search(sentence.text):
        yield from _in_order(sentence, words)
        return
    linked = list(chains(words))
    classes = class_counts(sentence, words, [count for chain in linked for count in chain])
    yield from classes or _bracketed_parts(sentence) or _by_clause(sentence, words, linked)


def _bracketed_parts(sentence: Sentence) -> list[CaseCount]:
    """ "training (n = 700), validation (n = 150) and test (15%, n = 150) sets"."""
    counted = [
        (mentioned(match[1]), int(match[2].replace(",", ""))) for match in _SAYS["bracketed"].finditer(sentence.text)
    ]
    parts = [part for part, _ in counted]
    if None in parts or len(set(parts)) < len(parts):
        return []
    return [CaseCount(count, "cases", part, sentence) for part, count in counted if part is not None]


def _in_order(sentence: Sentence, words: Sequence[Token]) -> Iterator[CaseCount]:
    """ "The training, validation and test sets contain 2,000, 150 and 600 images, respectively." """
    numbers = [token for token in words if token.value is not None]
    match = _SAYS["parts_listed"].search(sentence.text)
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
    if any(token.percent is not None for token in words) or _SAYS["shares"].search(text):
        # All cases, where a split "of" them is told; beside other shares it is open what a count is of.
        return Portion.ALL if _SAYS["share_of"].search(before) and split_of(sentence) is not None else None
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
        if not _SAYS["elided"].match(sentence.text[token.end :]):
            return []
        counted.append(Count(token.value, (), counted[0].unit, place, place))
    return sorted(counted, key=lambda count: count.first)


def class_counts(sentence: Sentence, words: Sequence[Token], counts: Sequence[Count]) -> list[ClassCounts]:
    """The classes a sentence counts.

    >>> text = "Of 700 scans 76 were left out; a test set of 624 scans (390 ill, 234 well) remained."
    >>> [(str(group.part), group.counts) for group in class_counts(Sentence(text), tokens(text), ())]
    [('test', (('ill', 390), ('well', 234)))]
    """
    summed = list(_wholes(sentence, words))
    if summed:
        return summed
    alone = _side_by_side(sentence, words, counts) or _bracketed_classes(sentence, words) or _subset(sentence, words)
    return [] if alone is None else [alone]


def equal_classes(sentence: Sentence, words: Sequence[Token]) -> Iterator[ClassCounts]:
    """ "10 classes with 1,000 test images each", "600 images of three classes, 200 per class"."""
    text = sentence.text
    match = None if doubtful(text, of_each=True) or _SAYS.within(text, "one_class") else _SAYS["classes"].search(text)
    matches = [(size["unit"] or "", size["size"] or size["alone"]) for size in _SAYS["size_of_each"].finditer(text)]
    if match is None or len(matches) != 1:
        return
    unit, size = matches[0][0], int(matches[0][1].replace(",", ""))
    number = NUMBER_WORDS.get(match["many"].lower()) or int(match["many"])
    part = mentioned(unit) or only_part(text)
    training = {token.value for token, after in pairwise(words) if mentioned(after.text) is Portion.TRAINING}
    others = {token.value for token in words} - {None, number, size, number * size} - training
    if part is not None and not others and 1 < number <= _MOST_EQUAL and size >= _FEWEST:
        yield ClassCounts(tuple((f"class {k + 1}", size) for k in range(number)), part, sentence)


def _bracketed_classes(sentence: Sentence, words: Sequence[Token]) -> ClassCounts | None:
    """ "Benign (n = 357) and malignant (n = 212) lesions"."""
    places = [place for place, token in enumerate(words) if token.value is not None and not token.may_be_year]
    names = [_before_count(words, place) for place in places]
    closed = all(words[place - 1].text == "=" for place in places)
    titled = re.search(r"(?<!^)\b[A-Z][a-z]+ \(", sentence.text[1:])  # "Hospital Bonn (n = 210)"
    letters = any(len(word) == 1 for name in names for word in name.split())  # "the polynomial p = 3"
    if len(places) < 2 or not closed or titled or letters or not all(names) or not _names(words, places):
        return None
    return _made(sentence, names, [words[place].value or 0 for place in places])


def _side_by_side(sentence: Sentence, words: Sequence[Token], counts: Sequence[Count]) -> ClassCounts | None:
    """ "38 preterm and 262 term records"."""
    names = [count.class_name for count in counts]
    joined = all(
        all(token.text in JOINTS or token.text in ("the", ";") for token in words[a.last + 1 : b.first])
        for a, b in pairwise(counts)
    )
    if len(counts) < 2 or not joined or not all(names) or len(set(names)) < len(names):
        return None
    if any(mentioned(" ".join(count.words)) for count in counts):
        return None
    if any(count.unit not in UNITS for count in counts) and not told_as_whole(sentence.text):
        return None
    return _made(sentence, names, [count.value for count in counts])


def _subset(sentence: Sentence, words: Sequence[Token]) -> ClassCounts | None:
    """ "600 images, 117 of which are melanomas", "600 images (117 malignant)", "Of 600 patients, 117 died"."""
    numbers = [place for place, token in enumerate(words) if token.value is not None and not token.may_be_year]
    noun = _noun(words, numbers[0]) if len(numbers) == 2 else None
    if len(numbers) != 2 or (noun is None and words[numbers[0] - 1].text != "="):
        return None
    whole, part = words[numbers[0]], words[numbers[1]]
    link, behind = sentence.text[noun.end if noun else whole.end : part.start], sentence.text[part.end :]
    name = _what(_SAYS["of_them"].sub("", behind))
    known = noun is None or noun.text in UNITS or _SAYS["of_them"].search(f"{link}{behind[:16]}")
    sized = whole.value is not None and part.value is not None and 0 < part.value < whole.value
    if not sized or not known or not name or not _SAYS["link"].fullmatch(link):
        return None
    return _made(sentence, [name, f"not {name}"], [part.value or 0, (whole.value or 0) - (part.value or 0)])


def _noun(words: Sequence[Token], place: int) -> Token | None:
    """What a number counts: a noun for cases, or another plural; None behind "n = 312"."""
    for token in words[place + 1 : place + 2 + _MOST_WORDS]:
        if token.text in UNITS or (token.text.endswith("s") and token.text not in _NO_NOUNS):
            return token
        if not token.is_word or token.text in SMALL:
            break
    return None


def _what(behind: str) -> str:
    """What is said of a part of the cases: "were melanomas", "developed sepsis"; empty if it names no class."""
    match = _SAYS["what"].match(behind)
    words = [word for word in match[1].lower().split()[:3] if word not in ("the", "a", "an")] if match else []
    named = words[1:] if words[:1] == ["with"] and not _SAYS["beside"].search(behind) else words
    named = [] if _SAYS["beside"].match(" ".join(named)) else named
    others = not named or mentioned(" ".join(named)) or named[0] in _NO_NAMES or named[0] in ("false", "true")
    others = others or any(word in UNITS - CLASS_UNITS for word in named) or all(len(word) < 4 for word in named)
    others = others or (match is not None and match[1][0].isupper())  # of a maker or a place
    others = others or _SAYS["dealt"].match(" ".join(words)) is not None  # "318 were allocated to the test set"
    return "" if others else " ".join(words)


def _made(sentence: Sentence, names: Sequence[str], values: Sequence[int]) -> ClassCounts | None:
    first = re.search(r"\d", sentence.text)
    before = sentence.text[: first.start()] if first else ""
    shared = mentioned(before) is None and split_of(sentence) is not None
    part = Portion.ALL if shared else only_part(sentence.text)  # "2,000 of each; 10% were kept for testing"
    if part is None or any(word in PEOPLE or word in _COUNTED_BESIDE for name in names for word in name.split()):
        return None
    return ClassCounts(tuple(zip(names, values, strict=True)), part, sentence)


def _wholes(sentence: Sentence, words: Sequence[Token]) -> Iterator[ClassCounts]:
    """A whole and the classes that add up to it, as often as a sentence has them."""
    places = [place for place, token in enumerate(words) if token.value is not None]
    groups = list(_groups(words, places))
    for number, (whole, *parts) in enumerate(groups):
        names = _names(words, parts)
        before = sentence.text[words[groups[number - 1][-1]].end if number else 0 : words[whole].start]
        stop = words[groups[number + 1][0]].start if number + 1 < len(groups) else len(sentence.text)
        between = sentence.text[words[whole].end : words[parts[0]].start]
        behind = sentence.text[words[parts[-1]].end : stop]
        closed = re.search(r"[)\]]", behind)
        part = _part_of_group(sentence.text, before, between, behind[closed.end() :] if closed else behind)
        if names and part is not None:
            counts = tuple((name, words[place].value or 0) for name, place in zip(names, parts, strict=True))
            yield ClassCounts(counts, part, sentence)


def _groups(words: Sequence[Token], places: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """A whole and the counts behind it that add up to it, as places; groups do not overlap."""
    at = 0
    while at < len(places):
        group = _group(words, places[at : at + 1 + _MOST_CLASSES])
        if group:
            yield group
        at += len(group) or 1


def _group(words: Sequence[Token], places: Sequence[int]) -> tuple[int, ...]:
    whole, left = places[0], words[places[0]].value or 0
    for number, place in enumerate(places[1:], 1):
        left -= words[place].value or 0
        if left < 0 or place - places[number - 1] > _MOST_BETWEEN:
            return ()
        if left == 0 and _counts_cases(words, whole):
            opened = words[places[1] - 1].text in OPENING or words[places[1] - 1].text in _BEFORE_COUNT
            return (whole, *places[1 : number + 1]) if number > 1 and opened else ()
    return ()


def _counts_cases(words: Sequence[Token], place: int) -> bool:
    """Whether a number counts cases of any class: "624 chest images", "n = 624;"."""
    for token in words[place + 1 : place + 3 + _MOST_WORDS]:
        if token.text in UNITS or (token.text.endswith("s") and token.text not in _NO_NOUNS):
            return True
        if not token.is_word or token.text in SMALL:
            return not words[place + 1].is_word and token.text != ","
    return False


def _names(words: Sequence[Token], places: Sequence[int]) -> tuple[str, ...]:
    """The names of the classes, behind all counts or before all of them; none if they are not names of classes."""
    for name in (_behind_count, _before_count):
        names = tuple(name(words, place) for place in places)
        if all(names) and len(set(names)) == len(names):
            people = any(word in PEOPLE for name in names for word in name.split())
            units = all(name in UNITS - CLASS_UNITS for name in names)
            dealt = any(_SAYS["dealt"].match(name) for name in names)
            letters = any(len(name) == 1 for name in names)  # hospitals A, B and C
            return () if units or people or dealt or letters or any(map(mentioned, names)) else names
    return ()


def _behind_count(words: Sequence[Token], place: int) -> str:
    """ "390 (62.5%) were pneumonia", "139 with heart disease"."""
    place += 1
    if place + 2 < len(words) and words[place].text in "([" and words[place + 1].percent is not None:
        place += 3
    if place + 1 < len(words) and words[place].text == "of" and words[place + 1].text in _THEM:
        place += 2
    while place < len(words) and (words[place].text in BEING or words[place].text == "the"):
        place += 1
    name = [words[place].text] if place < len(words) and words[place].text in ("with", "without") else []
    for token in words[place + len(name) : place + _MOST_WORDS]:
        if token.text in THINGS or token.text in NAMELESS:
            return ""
        if not token.is_word or token.text in SMALL or (name and token.text in UNITS - CLASS_UNITS):
            break
        name.append(token.text)
    return " ".join(name)


def _before_count(words: Sequence[Token], place: int) -> str:
    """ "benign: 357", "malignant (n = 212)"."""
    place -= 1
    marked = False
    while place >= 0 and words[place].text in _BEFORE_COUNT:
        marked, place = True, place - 1
    names: list[str] = []
    while marked and place >= 0 and len(names) < 2 and words[place].is_word and words[place].text not in SMALL:
        if words[place].text in THINGS or words[place].text in UNITS - CLASS_UNITS:
            break
        names.insert(0, words[place].text)
        place -= 1
    return " ".join(names)


def _part_of_group(text: str, before: str, between: str, behind: str) -> Portion | None:
    """Whose cases a group is of: what its clause says, or what they are said to be used for."""
    part = headed(before)
    if part is not None:
        return part
    if crossed(text):
        part = only_part(text)
        return None if part is Portion.TEST else part  # "cross-validation on 400 patients, then tested on others"
    for phrase in (between, before):
        if mentioned(phrase) is not None:
            return only_part(phrase)
    used = _SAYS["used"].match(behind)
    return only_part(used["part"] or used["done"]) if used else Portion.ALL
