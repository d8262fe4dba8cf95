"""Counts of classes in a sentence, in the ways papers write them (``wholes``: those that add up to a count)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from scoreproof.papers.text_facts.chains import JOINTS, Count
from scoreproof.papers.text_facts.designs import designs
from scoreproof.papers.text_facts.facts import ClassCounts, Portion, Split
from scoreproof.papers.text_facts.many_classes import listed
from scoreproof.papers.text_facts.parts import DEALT, mentioned, only_part
from scoreproof.papers.text_facts.sentence import Sentence
from scoreproof.papers.text_facts.tokens import Token
from scoreproof.papers.text_facts.vocabulary import (
    CLASS_UNITS,
    NAMELESS,
    NOT_CLASSES,
    NUMBER_WORDS,
    OBJECTS,
    PEOPLE,
    QUERIES,
    SMALL,
    THINGS,
    UNITS,
)

_COUNTED_BESIDE = (OBJECTS | QUERIES | NOT_CLASSES) - UNITS  # "212 polyps and 36 normal videos"
_NO_NAMES = SMALL | THINGS | NAMELESS | (UNITS - CLASS_UNITS) | NUMBER_WORDS.keys()
_OF_WHICH = re.compile(r"\b(?:of which|of whom|of these|of them|among them|among which|including)\b", re.I)
_WHAT = re.compile(
    r"\s*(?:\([^)]*\)\s*)?(?:were |are |was |is |had |have |has |showed |contain(?:ed)? )?([a-z][a-z -]{2,40})", re.I
)
_OPPOSED = re.compile(
    r"\b(\d[\d,]*)\s+(?:\w+\s+)?(with|positive|diseased|abnormal)(?:\s+([\w-]+(?: [\w-]+)?))?,?\s+(?:and|versus|vs\.?)"
    r"\s+(\d[\d,]*)\s+(?:\w+\s+)?(without|negative|healthy|normal)\b",
    re.I,
)
_BRACKET = re.compile(r"([A-Za-z][\w -]{1,40}?)\s*[(\[]\s*n\s*=\s*(\d[\d,]*)(?:\s+\w+)?\s*[)\]]")
_POSITIVE = re.compile(
    r"\b(?:n\s*=\s*(?P<n>\d[\d,]*)|(?P<total>\d[\d,]*)\s+(?:[a-z-]+\s+)?(?P<unit>[a-z-]+))\s*[;,(]\s*"
    r"(?:with\s+|of which\s+)?(?P<part>\d[\d,]*)\s+(?:(?:were|are)\s+)?"
    r"(?P<name>positives?|malignant|abnormal|diseased|infected|fraudulent|events|deaths|melanomas|defective|faulty|septic"
    r"|anomalous|pathological|glaucomatous|cancerous|hateful|toxic|preterm|defaults|defaulted|churned|offensive|abusive|spam"
    r"|phishing|malicious|sarcastic|ironic|vulnerable|diabetic|with [a-z-]+(?: [a-z-]+)?)\s*[)\].;,]",
    re.I,
)
_PLACE = re.compile(
    r"\b(?:hospital|site|cent(?:er|re)|clinic|institution|university|school|cohort|country|city|scanner|vendor|batch|session"
    r"|database|dataset|corpus|domain|language|region|machine|speaker|subset|fold|phase|year|(?:group|arm) [a-d1-9])\b",
    re.I,
)
# What a part of the cases has beside its class: "210 of them with follow-up".
_BESIDE = re.compile(
    r"\b(?:follow|contrast|complete|available|known|full|prior|previous|metadata|consent|were|was|access)",
    re.I,
)
_TESTED_PART = re.compile(
    r"\b(?P<total>\d[\d,]*) (?:held-out |independent )?test(?:ing)? (?P<unit>[a-z-]+)(?:,|;| \() ?"
    r"(?P<part>\d[\d,]*) of (?:which|whom|them|these)\b",
    re.I,
)
_PART_OF = re.compile(r"\b(\d[\d,]*) of (?:whom|which|them|these)\b", re.I)
_ARTICLE = re.compile(r"^(?:and|or|the|of|with|were|was|are|is) ")


def class_counts(sentence: Sentence, words: Sequence[Token], counts: Sequence[Count]) -> ClassCounts | None:
    """The classes a sentence counts, or None."""
    return (
        _tested_part(sentence)
        or _named(sentence, words, counts)
        or _subset(sentence, words, counts)
        or _opposed(sentence, words)
        or _positive(sentence, words)
        or _bracketed(sentence)
        or listed(sentence, words)
    )


def _named(sentence: Sentence, words: Sequence[Token], counts: Sequence[Count]) -> ClassCounts | None:
    """ "38 preterm and 262 term records", perhaps beside their sum."""
    classes, total = [count for count in counts if count.class_name], None
    largest = max(counts, key=lambda count: count.value, default=None)
    summed = largest is not None and len(counts) > 2 and 2 * largest.value == sum(count.value for count in counts)
    if largest is not None and summed and not (largest.class_name and _side_by_side(words, counts)):
        classes, total = [count for count in counts if count is not largest], largest
    names = [count.class_name for count in classes]
    if len(classes) < 2 or len(set(names)) < len(names) or not all(names):
        return None
    if len(classes) + (total is not None) != len(counts) or any(mentioned(" ".join(c.words)) for c in counts):
        return None
    if total is None and not _side_by_side(words, classes):
        return None
    return _made(sentence, names, [count.value for count in classes])


def _side_by_side(words: Sequence[Token], counts: Sequence[Count]) -> bool:
    """Whether nothing but joints and articles stands between the counts."""
    return all(
        all(token.text in JOINTS or token.text in ("the", ";") for token in words[a.last + 1 : b.first])
        for a, b in pairwise(counts)
    )


def _subset(sentence: Sentence, words: Sequence[Token], counts: Sequence[Count]) -> ClassCounts | None:
    """ "600 images, of which 117 are melanomas"; "Of 600 images, 117 were melanomas": the others are the rest."""
    whole = [count for count in counts if not count.class_name]
    if len(whole) != 1:
        return None
    text, last = sentence.text, words[whole[0].last]
    part = _PART_OF.search(text, last.end)
    if part is not None:
        return _part_of(sentence, words, whole[0].value, part)
    match = _OF_WHICH.search(text, last.end)
    if match is None and re.match(r"(?:out of|of|among)\b", text, re.I):
        match = re.compile(",").search(text, last.end)
    if match is None:
        return None
    after = [token for token in words if token.start > match.start() and token.value is not None]
    before = [token for token in words if token.start < match.start() and token.value is not None]
    if len(after) != 1 or len(before) != 1 or after[0].value is None or not 0 < after[0].value < whole[0].value:
        return None
    name = _what(text[after[0].end :])
    if not name:
        return None
    return _made(sentence, [name, f"not {name}"], [after[0].value, whole[0].value - after[0].value])


def _tested_part(sentence: Sentence) -> ClassCounts | None:
    """ "872 development sentences and 2,210 test sentences, 1,101 of which are positive": its clause says of what."""
    said = list(_TESTED_PART.finditer(sentence.text))
    if len(said) != 1 or said[0]["unit"].lower() not in UNITS:
        return None
    total, count = _whole(said[0]["total"]), _whole(said[0]["part"])
    name = _what(sentence.text[said[0].end() :])
    if not name or not 0 < count < total or any(word in PEOPLE for word in name.split()):
        return None
    return ClassCounts(((name, count), (f"not {name}", total - count)), Portion.TEST, sentence)


def _part_of(sentence: Sentence, words: Sequence[Token], total: int, part: re.Match[str]) -> ClassCounts | None:
    """ "3,809 patients were included, 412 of whom developed sepsis"."""
    count = _whole(part[1])
    name = _what(sentence.text[part.end() :])
    if _others(words, (total, count)) or not 0 < count < total or not name:
        return None
    return _made(sentence, [name, f"not {name}"], [count, total - count])


def _others(words: Sequence[Token], known: tuple[int, ...]) -> bool:
    """Whether a sentence has numbers beside those known and years."""
    numbers = [token for token in words if token.value is not None and token.is_number]
    return len([t for t in numbers if t.value in known]) != len(known) or any(
        t.value not in known and not t.may_be_year for t in numbers
    )


def _what(behind: str) -> str:
    """What is said of a part of the cases: "were melanomas", "developed sepsis"; empty if it names no class."""
    match = _WHAT.match(behind)
    words = [word for word in match[1].lower().split()[:3] if word not in ("the", "a", "an")] if match else []
    named = words[1:] if words[:1] == ["with"] and not _BESIDE.search(behind) else words
    others = not named or mentioned(" ".join(named)) or named[0] in _NO_NAMES
    others = others or DEALT.match(" ".join(words)) is not None  # "318 were allocated to the test set"
    return "" if others else " ".join(words)


def _opposed(sentence: Sentence, words: Sequence[Token]) -> ClassCounts | None:
    """ "60 with COVID-19 and 60 without"."""
    said = list(_OPPOSED.finditer(sentence.text))
    if len(said) != 1:
        return None
    match = said[0]
    what = f"with {match[3]}" if match[2].lower() == "with" and match[3] else match[2].lower()
    first, second = (int(match[group].replace(",", "")) for group in (1, 4))
    numbers = [token.value for token in words if token.value and token.is_number]
    if any(number not in (first, second, first + second) for number in numbers):
        return None
    return _made(sentence, [what, match[5].lower()], [first, second])


def _positive(sentence: Sentence, words: Sequence[Token]) -> ClassCounts | None:
    """ "(n = 312; 104 positive)", "(379 images, 75 malignant)": the others are negative."""
    said = list(_POSITIVE.finditer(sentence.text))
    numbers = [token for token in words if token.value is not None and token.is_number]
    if len(said) != 1 or len(numbers) != 2:
        return None
    match = said[0]
    if match["unit"] and match["unit"].lower() not in UNITS:
        return None
    total, count, name = _whole(match["n"] or match["total"]), _whole(match["part"]), _what(f" {match['name']}")
    return _made(sentence, [name, f"not {name}"], [count, total - count]) if name and count < total else None


def _bracketed(sentence: Sentence) -> ClassCounts | None:
    """ "benign (n = 357) and malignant (n = 212)"."""
    said = [(" ".join(match[1].split()[-2:]), match[2]) for match in _BRACKET.finditer(sentence.text)]
    names = [_ARTICLE.sub("", name.lower()) for name, _ in said]
    if len(said) < 2 or len(set(names)) < len(names) or any(mentioned(name) for name in names):
        return None
    if any(_PLACE.search(match[1]) for match in _BRACKET.finditer(sentence.text)):
        return None  # where cases are from, not what they are
    return _made(sentence, names, [_whole(count) for _, count in said])


def _whole(text: str) -> int:
    return int(text.replace(",", ""))


def _made(sentence: Sentence, names: Sequence[str], values: Sequence[int]) -> ClassCounts | None:
    first = re.search(r"\d", sentence.text)
    before = sentence.text[: first.start()] if first else ""
    shared = mentioned(before) is None and any(isinstance(fact, Split) for fact in designs(sentence))
    part = Portion.ALL if shared else only_part(sentence.text)  # "2,000 of each; 10% were kept for testing"
    if any(word in PEOPLE or word in _COUNTED_BESIDE for name in names for word in name.split()):
        return None
    return None if part is None else ClassCounts(tuple(zip(names, values, strict=True)), part, sentence)
