"""More than two classes in a sentence: as many cases of each, or a list of what a test set holds.

"10 classes with 1,000 test images each", "The test set contains 120 cats, 80 dogs and 50 birds".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from scoreproof.papers.text_facts.doubts import doubtful
from scoreproof.papers.text_facts.facts import ClassCounts, Portion
from scoreproof.papers.text_facts.parts import mentioned
from scoreproof.papers.text_facts.sentence import Sentence
from scoreproof.papers.text_facts.tokens import Token
from scoreproof.papers.text_facts.vocabulary import NOT_CLASSES, NUMBER_WORDS, PEOPLE, SMALL, THINGS, UNITS

_NUMBER = r"(?:\d{1,3}(?:,\d{3})+|\d+)"
_WORDS = "|".join(NUMBER_WORDS)
_OF_EACH = r"(?:each\b|per (?:class|category)\b|(?:for|in|from|of) each (?:class|category)\b)"
_CLASSES = re.compile(rf"\b({_NUMBER}|{_WORDS}) (?:\w+ )?(?:classes|categories)\b", re.I)
_NAMED_CLASSES = re.compile(r"(?<!per )(?<!each )\b(?:class(?:es)?|categor(?:y|ies))\b", re.I)
_EACH = re.compile(
    rf"\b({_NUMBER}) (?:(train\w*|valid\w*|test\w*|held-out) )?(?:(?P<unit>[a-z]+) )?(?:{_OF_EACH})", re.I
)
_PAIR = re.compile(
    rf"\b({_NUMBER}) train\w*(?: [a-z]+)? and ({_NUMBER}) test\w* (?P<unit>[a-z]+)(?: \w+)? (?:{_OF_EACH})", re.I
)
_HOLDS = re.compile(
    r"\b((?:test(?:ing)?|held-out|hold-?out|evaluation) (?:set|data ?set|data|images|split))\s+"
    r"(?:has|contains|contained|consists of|consisted of|comprises|comprised|includes|included)\s+"
    r"(?:a total of )?(?=\d)",
    re.I,
)
_MOST_CLASSES = 100
_FEWEST = 3


def as_many_of_each(sentence: Sentence) -> ClassCounts | None:
    """ "10 classes, 1,000 test images each": classes without names, all of one size."""
    text = sentence.text
    said = _CLASSES.findall(text)
    if len(said) != 1 or len(_NAMED_CLASSES.findall(text)) != 1 or doubtful(text, of_each=True):
        return None
    classes = NUMBER_WORDS.get(said[0].lower()) or int(re.sub(r"\D", "", said[0]) or 0)
    pair, each = _PAIR.search(text), _EACH.findall(text)
    if pair is not None:
        count, unit, part = pair[2], pair["unit"], Portion.TEST
    elif len(each) == 1:
        count, which, unit = each[0]
        own = mentioned(which)
        around = {one for one in Portion if one is not Portion.ALL and mentioned(text) is one}
        part = own or (next(iter(around)) if around else Portion.ALL)
    else:
        return None
    size = int(count.replace(",", ""))
    others = re.findall(rf"(?<![\w.-]){_NUMBER}(?![\w%])", text)
    product = {f"{classes * size:,}", str(classes * size)}
    known = {said[0], count, *(pair.groups()[:2] if pair else ()), *product}
    cases = unit.lower() in UNITS or (not unit and bool(product & {*others}))
    if not cases or not 2 <= classes <= _MOST_CLASSES or size < 2 or {*others} - known:
        return None
    names = tuple((f"class {number}", size) for number in range(1, classes + 1))
    return ClassCounts(names, part, sentence)


def listed(sentence: Sentence, words: Sequence[Token]) -> ClassCounts | None:
    """ "The test set contains 120 cats, 80 dogs and 50 birds": three names and more, or opposites."""
    match = _HOLDS.search(sentence.text)
    if match is None:
        return None
    numbers = [place for place, token in enumerate(words) if token.is_number]
    found: list[tuple[str, int]] = []
    for place in numbers:
        name, value = (words[place + 1] if place + 1 < len(words) else None), words[place].value
        if name is None or value is None or words[place].start < match.end() or not _is_class(name):
            return None
        after = words[place + 2].text if place + 2 < len(words) else "."
        if after not in (",", "and", ".", ";", ")"):
            return None
        found.append((name.text, value))
    names = {name for name, _ in found}
    if len(names) < len(found) or (len(found) < _FEWEST and not _opposites(names)):
        return None
    return ClassCounts(tuple(found), Portion.TEST, sentence)


def _opposites(names: set[str]) -> bool:
    """ "Survivors" and "non-survivors": two names that are all classes there can be."""
    return len(names) == 2 and any({name, f"{no}{name}"} == names for name in names for no in ("non-", "non", "in"))


def _is_class(token: Token) -> bool:
    unlike = SMALL | THINGS | UNITS | NOT_CLASSES | PEOPLE
    return token.is_word and token.text.endswith("s") and len(token.text) > 3 and token.text not in unlike
