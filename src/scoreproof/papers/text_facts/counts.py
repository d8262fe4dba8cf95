"""Counts of cases, and of their classes, in a sentence.

A count is a whole number in front of a noun for cases ("1,143 images"), or behind one in brackets. Whose cases they are
is said in the same clause: "for testing", "in the test set". Precision comes first: a sentence about other people's
data, about augmented or pre-training data, or one whose numbers do not fall into place gives nothing.

"38 preterm and 262 term records" name their classes side by side. "624 images (390 pneumonia and 234 normal)" add up to
the count before them. "600 images, 117 of which are melanomas" leave the rest.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from scoreproof.papers.text_facts.facts import (
    NUMBER_WORDS,
    PATTERNS,
    WORDS,
    CaseCount,
    Portion,
    Sentence,
    crossed,
    doubtful,
    headed,
    mentioned,
    only_part,
    split_of,
    told_as_whole,
)

_SAYS = PATTERNS["counts"]
_BEFORE = frozenset("×x*/$€£#±=<>≤≥~≈∼^@\\_")  # marks that make the number behind them something else than a count
_JOINTS = frozenset({",", "and", "&", "plus", "versus", "vs"})
_UNITS, _CLASS_UNITS, _SMALL, _THINGS = (WORDS[name] for name in ("units", "class_units", "small", "things"))
_WHOSE = _UNITS - _CLASS_UNITS
_NO_NAMES = WORDS["people"] | (WORDS["not_classes"] - _UNITS)  # "212 polyps and 36 normal videos"
_NO_NOUNS = _SMALL | _THINGS | _NO_NAMES
_STOPS = _UNITS | _SMALL | _THINGS
_ENDS = _SMALL - {"a", "an", "the"} | NUMBER_WORDS.keys()
_BETWEEN = _UNITS | _JOINTS | {"the", "were", "was", "are", "is", "had", "have"}  # of one list of classes
_MOST_CLASSES = 30
_MOST_BETWEEN = 11  # tokens from one count to the next
_MOST_WORDS = 4  # between a number and its unit
_FEWEST = 10  # cases; fewer are mentioned as examples ("the two images")


@dataclass(frozen=True, slots=True)
class Token:
    """A word in small letters, a mark, or a number; ``value`` is set where it may count something."""

    text: str
    start: int
    end: int
    value: int | None = None

    @property
    def may_be_year(self) -> bool:
        return self.value is not None and 1900 <= self.value < 2100 and len(self.text) == 4

    @property
    def is_word(self) -> bool:
        return self.text[:1].isalpha()


def tokens(sentence: str) -> list[Token]:
    """The tokens of a sentence.

    >>> [(t.text, t.value) for t in tokens("The 1,143 images of 224 x 224 (30%) in Table 2") if t.text[0].isdigit()]
    [('1,143', 1143), ('224', None), ('224', None), ('30%', None), ('2', None)]
    """
    read: list[Token] = []
    for match in _SAYS["token"].finditer(sentence):
        number, text = match["number"], match[0]
        if number is not None:
            alone = not match["percent"] and "." not in number and _stands_alone(sentence, match, read)
            value = int(re.sub(r"\D", "", number)) if alone else None
            read.append(Token(text, match.start(), match.end(), value))
        elif not match["cite"]:
            read.append(Token(text.lower(), match.start(), match.end()))
    return read


def _stands_alone(sentence: str, match: re.Match[str], before: Sequence[Token]) -> bool:
    glued = sentence[match.start() - 1 : match.start()] if match.start() else ""
    if glued.isalnum() or glued in tuple("-–_./") or sentence[match.end() : match.end() + 1].isalnum():
        return False
    mark = sentence[: match.start()].rstrip()[-1:]
    equals = mark == "=" and len(before) > 1 and before[-2].text in ("n", "p", "total")
    if (mark in _BEFORE and mark and not equals) or _SAYS["after"].match(sentence[match.end() :].lstrip()):
        return False
    return not (before and before[-1].text in WORDS["numbered"])


def counts(sentence: Sentence) -> Sequence[CaseCount]:
    """The counts a sentence gives.

    >>> (read,) = counts(Sentence("The database has 38 preterm and 262 term records."))
    >>> read.counts, str(read.part)
    ((('preterm', 38), ('term', 262)), 'all')
    """
    if doubtful(sentence.text) or _SAYS["respectively"].search(sentence.text):
        return []
    words = tokens(sentence.text)
    numbers = [place for place, token in enumerate(words) if token.value is not None]
    return _classes(sentence, words, numbers) or _bracketed(sentence) or _cases(sentence, words)


@dataclass(frozen=True, slots=True)
class _Count:
    """A number, the words behind it, their unit, and the first token and the last."""

    value: int
    words: tuple[str, ...]
    unit: str
    first: int
    last: int


def _bracketed(sentence: Sentence) -> Sequence[CaseCount]:
    """ "training (n = 700) and test (15%, n = 150) sets", "benign (n = 357) or malignant (n = 212)"."""
    matches = [(match[1], int(match[2].replace(",", ""))) for match in _SAYS["bracketed"].finditer(sentence.text)]
    parts = {mentioned(words): count for words, count in matches}
    if None not in parts:
        return [CaseCount(count, "cases", part, sentence) for part, count in parts.items() if part]
    names = [_SAYS["name_before"].split(words)[-1] for words, _ in matches]
    plain = all(name.islower() or name == matches[0][0] for name in names)  # "Hospital Bonn (n = 210)"
    known = {word.lower() for name in names for word in name.split()}
    other = known & (_NO_NOUNS | _WHOSE) or any(len(word) == 1 for word in known)  # "the polynomial p = 3"
    if len(set(names)) < 2 or len(names) != len(set(names)) or not plain or other:
        return []
    return _made(sentence, tuple((name.lower(), count) for name, (_, count) in zip(names, matches, strict=True)))


def _cases(sentence: Sentence, words: Sequence[Token]) -> list[CaseCount]:
    """Each count with the part its own clause names; nothing where it is open of one, or where two are of one part."""
    counted = _counted(sentence, words)
    facts: list[CaseCount] = []
    for number, count in enumerate(counted):
        part = _part(sentence, words, counted, number)
        # "the 96 malignant lesions"
        some = not WORDS["no_class"].issuperset(count.words) and count.unit not in _CLASS_UNITS
        if part is None or count.value < _FEWEST or (part is Portion.ALL and some):
            return []
        facts.append(CaseCount(count.value, count.unit, part, sentence))
    return facts if len({fact.part for fact in facts}) == len(facts) else []


def _counted(sentence: Sentence, words: Sequence[Token]) -> list[_Count]:
    """The counts in order, also those without their unit ("600 for testing"); none if a number stays unexplained."""
    counted: list[_Count] = []
    for place in reversed(range(len(words))):
        value = words[place].value
        if value is None:
            continue
        behind, stop = _until_unit(words, place + 1)
        shared = counted[0] if counted and behind and _behind_joints(words, stop) == counted[0].first else None
        if stop < len(words) and words[stop].text in _UNITS:
            counted.insert(0, _Count(value, behind, words[stop].text, place, stop))
        elif shared is not None and mentioned(" ".join(behind)) and mentioned(" ".join(shared.words)):
            counted.insert(0, _Count(value, behind, shared.unit, place, stop - 1))
        elif not words[place].may_be_year and not _of_things(words, place):
            if not _SAYS["elided"].match(sentence.text, words[place].end):
                return []
            counted.insert(0, _Count(value, (), "", place, place))
    unit = next((count.unit for count in counted if count.unit), "")
    return [replace(count, unit=count.unit or unit) for count in counted] if unit else []


def _behind_joints(words: Sequence[Token], stop: int) -> int:
    """The place behind a comma, an "and" or both."""
    place = next((at for at in range(stop, len(words)) if words[at].text not in _JOINTS), len(words))
    return place if place > stop else -1


def _until_unit(words: Sequence[Token], place: int) -> tuple[tuple[str, ...], int]:
    """The words up to a unit, or up to what ends the search, and the place of that."""
    stop = place
    while stop < len(words) and stop - place <= _MOST_WORDS and words[stop].is_word and words[stop].text not in _STOPS:
        stop += 1
    return tuple(word.text for word in words[place:stop]), stop


def _part(sentence: Sentence, words: Sequence[Token], counted: Sequence[_Count], number: int) -> Portion | None:
    """Whose cases one of the counts of a sentence is of; None if that is open."""
    count, text = counted[number], sentence.text
    if len(counted) > 2 and 2 * count.value == sum(other.value for other in counted):  # the sum of the others
        return Portion.ALL
    before = text[: words[count.first].start]
    part = mentioned(" ".join(count.words)) or headed(before)
    if part is not None:
        return part
    if _SAYS["shares"].search(text):
        # All cases, where a split "of" them is told; beside other shares it is open what a count is of.
        return Portion.ALL if _SAYS["share_of"].search(before) and split_of(sentence) is not None else None
    if len(counted) == 1:
        part = only_part(text)
        return None if part is Portion.ALL and not told_as_whole(text) else part
    stop = words[counted[number + 1].first].start if number + 1 < len(counted) else len(text)
    behind = text[words[count.last].end : stop]
    return None if headed(behind) else mentioned(behind)


def _classes(sentence: Sentence, words: Sequence[Token], numbers: Sequence[int]) -> list[CaseCount]:
    """The classes a sentence counts: a whole and what adds up to it, as often as it has them, or one list of them.

    >>> text = "In 2016 the challenge had a test set of 624 scans (390 ill, 234 well)."
    >>> [(str(group.part), group.counts) for group in counts(Sentence(text))]
    [('test', (('ill', 390), ('well', 234)))]
    """
    text, groups, at = sentence.text, list[tuple[int, ...]](), 0
    while at < len(numbers):
        group = _group(words, numbers[at : at + 1 + _MOST_CLASSES])
        groups += [group] if group else []
        at += len(group) or 1
    ends = [0, *(words[group[-1]].end for group in groups)]
    stops = [*(words[group[0]].start for group in groups[1:]), len(text)]
    summed = []
    for group, since, stop in zip(groups, ends, stops, strict=False):
        named, part = _named(text, words, group[1:]), _part_of_group(text, words, group, since, stop)
        if named and part is not None:
            summed.append(CaseCount.of_classes(named, part, sentence))
    if groups:
        return summed
    numbers = [place for place in numbers if not words[place].may_be_year]
    return _subset(sentence, words, numbers) or _side_by_side(sentence, words, numbers)


def _group(words: Sequence[Token], places: Sequence[int]) -> tuple[int, ...]:
    """A whole and the counts behind it that add up to it."""
    whole, left = places[0], words[places[0]].value or 0
    for number, place in enumerate(places[1:], 1):
        left -= words[place].value or 0
        if left < 0 or place - places[number - 1] > _MOST_BETWEEN:
            return ()
        if left == 0 and number > 1 and _noun(words, whole) is not None:
            return (whole, *places[1 : number + 1])
    return ()


def _noun(words: Sequence[Token], place: int) -> Token | None:
    """What a number counts: a noun for cases, or another plural; in "n = 624;" it stands for itself."""
    for token in words[place + 1 : place + 2 + _MOST_WORDS]:
        if token.text in _UNITS or (token.text.endswith("s") and token.text not in _NO_NOUNS):
            return token
        if not token.is_word or token.text in _SMALL:
            break
    return words[place] if place and words[place - 1].text == "=" else None


def _of_things(words: Sequence[Token], place: int) -> bool:
    return place + 1 < len(words) and words[place + 1].text in _THINGS


def _named(text: str, words: Sequence[Token], places: Sequence[int]) -> tuple[tuple[str, int], ...]:
    """The names of the classes behind all counts, with these; none if they are not names of classes."""
    names = [_name_behind(text, words[place]) for place in places]
    each = {word for name in names for word in name.split()}
    dealt = any(_SAYS["dealt"].match(name) or mentioned(name) or len(name) < 2 for name in names)
    if dealt or len({*names}) < len(names) or each & _NO_NAMES:
        return ()
    return tuple((name, words[place].value or 0) for name, place in zip(names, places, strict=True))


def _name_behind(text: str, number: Token) -> str:
    """ "390 (62.5%) were pneumonia", "139 with heart disease"."""
    match, name, unit = _SAYS["name_behind"].match(text, number.end), list[str](), ""
    for word in match["name"].lower().split() if match else ():
        if word in _THINGS or word in WORDS["nameless"]:
            return ""
        if word in _ENDS and (name or word not in ("with", "without")):
            break
        if word in _WHOSE:
            if name:
                break
            unit = word
        elif word not in WORDS["no_class"] and word not in ("a", "an", "the"):
            name.append(word)
    return " ".join(name) or unit if name != ["with"] else ""


def _part_of_group(text: str, words: Sequence[Token], group: Sequence[int], since: int, stop: int) -> Portion | None:
    """Whose cases a group is of: what its clause says, or what they are said to be used for."""
    if crossed(text) and only_part(text) is Portion.TEST:
        return None  # "cross-validation on 400 patients, then tested on others"
    before, behind = text[since : words[group[0]].start], text[words[group[-1]].end : stop]
    used = _SAYS["used"].match(behind.partition(")")[2] or behind)
    clause = text[since : words[group[1]].start] + (used[0] if used else "")
    return headed(before) or only_part(clause)


def _subset(sentence: Sentence, words: Sequence[Token], numbers: Sequence[int]) -> list[CaseCount]:
    """ "600 images, 117 of which are melanomas", "600 images (117 malignant)", "Of 600 patients, 117 died"."""
    noun = _noun(words, numbers[0]) if len(numbers) == 2 else None
    named = _named(sentence.text, words, numbers[1:])
    if noun is None or not named:
        return []
    (whole, part), text, ((name, count),) = (words[place] for place in numbers), sentence.text, named
    rest, link, behind = (whole.value or 0) - count, text[noun.end : part.start], text[part.end :]
    known = noun is whole or noun.text in _UNITS or _SAYS["of_them"].search(f"{link}{behind[:16]}")
    other = not _WHOSE.isdisjoint(re.findall(r"[\w-]+", behind)[:3]) or behind.lstrip()[:1].isupper()
    if not known or other or rest <= 0 or not count or not _SAYS["link"].fullmatch(link):
        return []
    return _made(sentence, ((name, count), (f"not {name}", rest)))


def _side_by_side(sentence: Sentence, words: Sequence[Token], numbers: Sequence[int]) -> list[CaseCount]:
    """ "38 preterm and 262 term records"."""
    numbers = [place for place in numbers if not _of_things(words, place)]
    named = _named(sentence.text, words, numbers)
    names = [name for name, _ in named]
    known = {word for name in names for word in name.split()} | _BETWEEN
    gaps = [words[first + 1 : other] for first, other in pairwise(numbers)]
    texts = [{word.text for word in gap if word.is_word or word.text in _JOINTS} for gap in gaps]
    joined = all(gap & _JOINTS and gap <= known for gap in texts)
    noun = _noun(words, numbers[-1]) if len(names) > 1 else None
    cases = (noun is not None and noun.text in _UNITS) or told_as_whole(sentence.text)
    if len(names) < 2 or not cases or not joined or _WHOSE.intersection(names):
        return []
    return _made(sentence, named)


def _made(sentence: Sentence, classes: tuple[tuple[str, int], ...]) -> list[CaseCount]:
    before = re.split(r"\d", sentence.text, maxsplit=1)[0]
    shared = mentioned(before) is None and split_of(sentence) is not None
    part = Portion.ALL if shared else only_part(sentence.text)  # "2,000 of each; 10% were kept for testing"
    return [] if part is None else [CaseCount.of_classes(classes, part, sentence)]
