"""Folds, repeats, splits, averaging and rounding in a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from scoreproof.papers.text_facts.facts import Averaged, Decimals, Fact, Folds, Split
from scoreproof.papers.text_facts.sentence import Sentence
from scoreproof.papers.text_facts.vocabulary import NUMBER_WORDS

_COUNT_WORDS = {**NUMBER_WORDS, "twice": 2, "thrice": 3, "once": 1}
_NUMBER = r"(\d{1,3}|" + "|".join(_COUNT_WORDS) + r")"
_OTHERS = re.compile(
    r"\bet al\b|\bprevious(?:ly)? |\bprior work|\bhyper-?parameters?\b|\bgrid search|\binner\b|\btuned?\b|\bfuture\b"
    r"|\b(?:on|within) (?:the|our) training (?:set|data|split|portion)\b|\bmodel selection\b"
    r"|\bto (?:choose|select|pick|optimi[sz]e|determine)\b",
    re.I,
)
_CROSS = re.compile(r"\bcross[- ]?validat|\bCV\b|\bfolds\b", re.I)
_FOLDS = re.compile(rf"\b{_NUMBER}[- –]?folds?\b(?![- ]change)", re.I)
_FOLDS_AFTER = re.compile(
    rf"\bk[- ]?folds?\b.{{0,60}}?\bk\s*=\s*{_NUMBER}\b|\binto {_NUMBER} (?:equal(?:ly sized)? |disjoint )?folds\b", re.I
)
_VAGUE = re.compile(
    r"\bat (?:least|most)\b|\btypical|\bfor (?:example|instance)\b|\b\d+-? (?:or|and|to) \d+-?folds?\b", re.I
)
_TIMES = re.compile(
    r"\b(?:repeated|run|performed|carried out)\s+(twice|thrice)\b"
    rf"|\b{_NUMBER}\s*(?:times|repeats|repetitions|runs)\b|\b{_NUMBER}\s*[x×]\s*(?=(?:\d+)[- ]?fold)",
    re.I,
)
_BY = re.compile(r"\b(\d{1,3})\s*[x×]\s*(\d{1,3})(?:[- ]?fold)?\s*(?:cross|CV)", re.I)
_UNSTRATIFIED = re.compile(r"\b(?:un|non-?)stratified|\bwithout stratif|\bnot stratif", re.I)
_BY_CLASS = (
    r"(?:(?:the|their|its|class|binary|target|diagnostic|disease|true|ground[- ]truth) )*"
    r"(?:class|label|diagnos|outcome|target|categor|disease|status|response|malignan|survival|mortality)"
)
_STRATIFIED_BY = re.compile(
    rf"\bstratif\w+ (?:split\w* |sampl\w* )?(?:by|on|over|across|for|with|according to) (?!{_BY_CLASS})", re.I
)
# Shares of patients or speakers, of which each has cases of its own.
_OF_GROUPS = re.compile(
    r"\b(?:patient|subject|speaker|person|participant|group|hospital|site|user|author|family)s?[- ]?"
    r"(?:level|wise|independent|disjoint)\b"
    r"|\b(?:split|divided|separated|partitioned)\b[^.;]{0,40}?\b(?:by|per|across) (?:the )?"
    r"(?:patient|subject|speaker|person|participant|group|hospital|site|user|author|famil|date|year)",
    re.I,
)
_KEPT_SHARES = re.compile(
    r"\b(?:preserv|maintain|keep|kept|retain|same|equal|identical)\w*\b[^.;]{0,40}\b(?:class|label)\w* "
    r"(?:ratio|distribution|proportion|balance|prevalence|share|frequenc)"
    r"|\b(?:preserv|maintain|keep|kept|retain)\w*\b[^.;]{0,25}\b(?:ratio|distribution|proportions?|prevalence|balance) "
    r"(?:of|between) (?:the |both )?(?:class|label|positive)",
    re.I,
)
_LEFT_OUT = re.compile(r"\bleave[- ]one[- ]out\b|\bLOOCV\b", re.I)
_GROUP_LEFT_OUT = re.compile(r"\bleave[- ]one[- ](?:subject|patient|group|speaker|site|session|dataset)", re.I)
_SLASHES = re.compile(r"\b(\d{1,2})\s*%?\s*[/:–-]\s*(\d{1,2})\s*%?(?:\s*[/:–-]\s*(\d{1,2})\s*%?)?(?!\d)")
_RATIO = re.compile(r"(?<![\d.:/])([1-9])\s?:\s?([1-9])(?:\s?:\s?([1-9]))?(?![\d.:/%])")
_CLASSES = re.compile(r"\b(?:positives?|negatives?|controls?|benign|healthy)\b|\b(?:class|im)?balanc|\bclass", re.I)
_SHARE = re.compile(r"(\d{1,2}(?:\.\d+)?)\s?(?:%|percent)")
_PART_WORDS = {
    "training": re.compile(r"\btrain(?:ing|ed)?\b|\bfit(?:ting)?\b", re.I),
    "validation": re.compile(r"\bvalidat(?:ion|e|ing)\b|\bdevelopment\b", re.I),
    "test": re.compile(r"\btest(?:ing|ed)?\b|\bhold[- ]?out\b|\bheld[- ]out\b|\bevaluation\b", re.I),
}
_SPLIT = re.compile(
    r"\bsplit|\bdivid|\bpartition|\bratio\b|\bfor (?:training|testing|validation)\b|\bused (?:for|to)\b|\bset aside\b"
    r"|\breserved\b",
    re.I,
)
_PARTS_OF_MEANS = r"(?:folds|repeats|repetitions)"
_MEAN = re.compile(
    rf"\b(?:average[ds]?|averag(?:ing|es)|means?)\b.{{0,60}}\b(?:{_PARTS_OF_MEANS}|cross[- ]validation)\b"
    rf"|\b{_PARTS_OF_MEANS} (?:were|was|are|is) averaged\b",
    re.I,
)
_ADDED = r"(?:pooled|concatenated|accumulated|summed|merged)"
_POOLED = re.compile(rf"\b{_ADDED}\b.{{0,80}}\bfolds\b|\bfolds\b.{{0,80}}\b{_ADDED}\b", re.I)
_DECIMALS = re.compile(
    rf"\b(?:round(?:ed|ing)?|report(?:ed)?|given?|shown?|print(?:ed)?|present(?:ed)?|expressed|stated)\b.{{0,40}}?"
    rf"\b(?:to|with|at)\s+(?:one|{_NUMBER})\s+(?:decimals?|decimal (?:places?|digits?|points?)|digits)\b",
    re.I,
)
_NO_SCORES = re.compile(r"\b(?:p[- ]?values?|ages?|times?|weights?|coefficients?|loss(?:es)?|prices?)\b", re.I)


def designs(sentence: Sentence) -> Iterator[Fact]:
    """What a sentence says of the design.

    >>> from scoreproof.papers.text_facts.sentence import Sentence
    >>> (folds,) = designs(Sentence("We used stratified five-fold cross-validation, repeated 10 times."))
    >>> folds.k, folds.repeats, folds.stratified
    (5, 10, True)
    """
    text = sentence.text
    if _OTHERS.search(text):
        return
    folds = _folds(sentence)
    if folds is not None:
        yield folds
    split = _split(sentence) if folds is None else None
    if split is not None:
        yield split
    if _MEAN.search(text) and not _POOLED.search(text):
        yield Averaged(True, sentence)
    elif _POOLED.search(text) and not _MEAN.search(text):
        yield Averaged(False, sentence)
    match = None if _NO_SCORES.search(text) else _DECIMALS.search(text)
    if match is not None:
        yield Decimals(_number(match[1] or "1"), sentence)


def _folds(sentence: Sentence) -> Folds | None:
    text = sentence.text
    if not _CROSS.search(text) and not _LEFT_OUT.search(text):
        return None
    if _GROUP_LEFT_OUT.search(text) or _VAGUE.search(text):
        return None
    stratified = _stratified(text)
    by = _BY.search(text)
    if by is not None:
        first, second = int(by[1]), int(by[2])
        named = re.search(r"fold", by[0], re.I) is not None
        if not named and first != second:
            return None  # which number is of the folds?
        return Folds(second, first, stratified, False, sentence)
    numbers = {_number(match[1]) for match in _FOLDS.finditer(text)}
    numbers |= {_number(match[1] or match[2]) for match in _FOLDS_AFTER.finditer(text)}
    left_out = _LEFT_OUT.search(text) is not None
    if len(numbers) > 1 or (numbers and left_out) or not (numbers or left_out):
        return None
    k = numbers.pop() if numbers else None
    if k is not None and k < 2:
        return None
    times = [_number(next(group for group in match.groups() if group)) for match in _TIMES.finditer(text)]
    times = [number for number in times if number >= 2]
    return Folds(k, times[0] if len(set(times)) == 1 else None, stratified, left_out, sentence)


def _stratified(text: str) -> bool | None:
    """Whether parts have the shares of the classes that all cases have; None if not said, or if of something else.

    >>> [_stratified(text) for text in ("stratified folds", "folds stratified by patient", "unstratified folds")]
    [True, None, False]
    """
    if _UNSTRATIFIED.search(text):
        return False
    if _STRATIFIED_BY.search(text):
        return None
    return True if re.search(r"\bstratif", text, re.I) or _KEPT_SHARES.search(text) else None


def _split(sentence: Sentence) -> Split | None:
    said = None if _OF_GROUPS.search(sentence.text) else _shares(sentence)
    return said if said is None else replace(said, stratified=_stratified(sentence.text))


def _shares(sentence: Sentence) -> Split | None:
    """ "80/20", "70 % for training", "70 %, 10 % and 20 % ... training, validation and test"."""
    text = sentence.text
    mentioned = {name: pattern.search(text) is not None for name, pattern in _PART_WORDS.items()}
    small = _ratio(sentence) if any(mentioned.values()) else None
    if small is not None:
        return small
    slashes = [match for match in _SLASHES.finditer(text) if _sum(match) == 100]
    if len(slashes) == 1 and (mentioned["training"] or mentioned["test"] or re.search(r"\bsplit", text, re.I)):
        match = slashes[0]
        if match[3] is None:
            high, low = float(match[1]), float(match[2])
            return None if high < low and not mentioned["training"] else Split(high, 0.0, low, sentence)
        return Split(float(match[1]), float(match[2]), float(match[3]), sentence)
    if slashes or not _SPLIT.search(text):
        return None
    shares = [(float(match[1]), match.start(), match.end()) for match in _SHARE.finditer(text)]
    if len(shares) == 1 and sum(mentioned.values()) >= 1:
        return _one_share(sentence, shares[0])
    if not 2 <= len(shares) <= 3 or sum(share for share, *_ in shares) != 100:
        return None
    return _in_order(sentence, shares)


def _ratio(sentence: Sentence) -> Split | None:
    """ "7:3", "8:1:1": of training, validation and test cases, unless classes may be meant."""
    text = sentence.text
    said = list(_RATIO.finditer(text))
    if len(said) != 1 or not _SPLIT.search(text) or _CLASSES.search(text):
        return None
    shares = [int(group) for group in said[0].groups() if group]
    if sum(shares) not in (5, 10) or shares[0] != max(shares) or not _PART_WORDS["training"].search(text):
        return None
    training, *middle, test = [share * 100 / sum(shares) for share in shares]
    return Split(training, middle[0] if middle else 0.0, test, sentence)


def _sum(match: re.Match[str]) -> int:
    return sum(int(group) for group in match.groups() if group)


def _one_share(sentence: Sentence, share: tuple[float, int, int]) -> Split | None:
    value, _, end = share
    after = re.match(r"[^.;,]{0,60}", sentence.text[end:])
    said = after[0] if after else ""
    parts = [name for name, pattern in _PART_WORDS.items() if pattern.search(said)]
    if len(parts) != 1 or parts[0] == "validation" or _PART_WORDS["validation"].search(sentence.text):
        return None
    training = value if parts[0] == "training" else 100 - value
    return Split(training, 0.0, 100 - training, sentence)


def _in_order(sentence: Sentence, shares: list[tuple[float, int, int]]) -> Split | None:
    """Each share with the part named behind it; or shares and parts in the same order."""
    text = sentence.text
    starts = [0] + [end for _, _, end in shares[:-1]]
    ahead = [
        [name for name, pattern in _PART_WORDS.items() if pattern.search(text[stop:start])]
        for (_, start, _), stop in zip(shares, starts, strict=True)
    ]
    stops = [start for _, start, _ in shares[1:]] + [len(text)]
    behind = [
        [name for name, pattern in _PART_WORDS.items() if pattern.search(text[end:stop])]
        for (_, _, end), stop in zip(shares, stops, strict=True)
    ]
    bracketed = all(text[:start].rstrip().endswith("(") for _, start, _ in shares)
    if bracketed and all(len(names) == 1 for names in ahead):
        order = [names[0] for names in ahead]
    elif not bracketed and all(len(names) == 1 for names in behind):
        order = [names[0] for names in behind]
    else:
        firsts = {name: match.start() for name, pattern in _PART_WORDS.items() if (match := pattern.search(text))}
        order = sorted(firsts, key=lambda name: firsts[name])
        if len(order) != len(shares) or not re.search(r"\brespectively\b", text, re.I):
            return None
    if len(set(order)) != len(order) or "training" not in order:
        return None
    values = dict(zip(order, (share for share, *_ in shares), strict=True))
    return Split(values["training"], values.get("validation", 0.0), values.get("test", 0.0), sentence)


def _number(text: str) -> int:
    return _COUNT_WORDS.get(text.lower()) or int(text)
