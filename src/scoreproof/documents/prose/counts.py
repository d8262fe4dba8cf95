"""Counts of cases and of classes in a sentence.

A count is a whole number in front of a noun for cases ("1,143 images", "38 preterm and 262 term records"), or behind
one in brackets ("benign (n = 357)"). Whose cases they are is said in the same clause: "for testing", "in the test
set", "test images". Precision comes first: a sentence about other people's data, about augmented or pre-training data,
or one whose numbers do not fall into place gives nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scoreproof.documents.prose.facts import Cases, ClassCounts, Part
from scoreproof.documents.prose.sentence import Sentence
from scoreproof.documents.prose.tokens import Token, tokens

_UNITS = {
    "images", "slices", "patients", "subjects", "cases", "samples", "records", "recordings", "instances", "examples",
    "observations", "scans", "slides", "lesions", "documents", "tweets", "reviews", "sentences", "files", "exams",
    "examinations", "women", "men", "individuals", "participants", "volumes", "patches", "segments", "signals", "ecgs",
    "x-rays", "radiographs", "eyes", "nodules", "studies", "mammograms", "biopsies", "specimens", "children", "people",
    "persons", "volunteers", "controls", "tumors", "tumours", "pregnancies", "births", "emails", "messages", "comments",
    "posts", "articles", "transactions", "customers", "compounds", "molecules", "proteins", "sequences",
    "photographs", "photos", "pictures", "videos", "clips", "frames", "utterances", 
    "flows", "packets", "admissions", "visits", "beats",
    "melanomas", "nevi", "carcinomas", "positives", "negatives", 
}  # fmt: skip
_PARTS = {
    Part.TEST: re.compile(
        r"\b(?:test(?:ing)?|tested|held[- ]out|hold[- ]?out|evaluat(?:e|ed|ion)|unseen|external validation)\b", re.I
    ),
    Part.VALIDATION: re.compile(r"\b(?:validat(?:e|ed|ion)|development set|dev set|tuning)\b", re.I),
    Part.TRAINING: re.compile(r"\b(?:train(?:ing|ed)?|learning set|fit(?:ted|ting)?)\b", re.I),
}
_OTHERS = re.compile(
    r"\bet al\b|\bprevious(?:ly)?\b|\bprior work|\bpre-?train|\bimagenet\b|\baugment|\bsynthetic|\bgenerated\b|\boversampl"
    r"|\bsmote\b|\bbatch|\bepochs?\b|\biterations?\b|\bcrowdsourc|\bannotat|\bparameters\b|\bfuture\b|\bexcluded\b|\bdiscarded\b"
    r"|\bremoved\b|\bmissing\b|\bfrom an initial\b|\bmost\b|\bat least\b|\bmore than\b|\bover \d|\babout\b|\bapproximately\b"
    r"|\baround\b|\bnearly\b|\balmost\b|\bper\b|\beach\b|\bexperts?\b|\bradiologists?\b|\bannotators?\b|\bobservers?\b|\breaders?\b",
    re.I,
)
_SMALL = {
    "the", "a", "an", "of", "in", "for", "with", "on", "to", "from", "by", "at", "as", "were", "was", "are", "is", "been",
    "had", "has", "have", "that", "which", "who", "whom", "these", "those", "this", "we", "our", "their", "its", "it",
    "or", "but", "after", "before", "during", "into", "using", "used", "containing", "contains", "including", "per",
    "than", "respectively", "while", "whereas", "between", "over", "under", "other", "remaining", "rest", "selected",
    "different", "additional", "total", "labeled", "labelled", "more", "less", "only", "all", "both", "new",
    "hours", "minutes", "seconds", "years", "days", "months", "weeks", "mm", "cm", "hz", "khz", "ms", "gb", "mb", "points",
    "features", "variables", "layers", "trees", "neurons", "units", "filters", "classes", "categories", "folds", "times",
    "hundred", "thousand", "million", "billion", "groups", "hospitals", "centers", "centres", "sites", "institutions", "models", "experiments", "runs", "seeds",
}  # fmt: skip
_FEWEST = 10  # cases; fewer are mentioned as examples ("the two images")
_THINGS = {
    "hours", "minutes", "seconds", "years", "days", "months", "weeks", "mm", "cm", "hz", "khz", "ms", "gb", "mb", "features",
    "variables", "layers", "trees", "neurons", "filters", "hospitals", "centers", "centres", "sites", "institutions", "models",
    "runs", "seeds", "folds", "times", "gpus", "radiologists", "experts", "pixels", "bits", "classifiers", "methods",
}  # fmt: skip
_NO_CLASS = {"and", "out", "train", "training", "test", "testing", "validation", "held-out", "unseen", "independent", "dermoscopic",
             "public", "retinal", "fundus", "ct", "mri", "mr", "chest", "ultrasound", "histology", "histopathology", "ecg",
             "eeg", "ehg", "color", "colour", "gray", "rgb", "unique", "annotated", "distinct", "individual", "single",
             "whole", "entire", "original", "high-quality", "adult", "medical", "digital", "consecutive", "dermoscopy", "skin", "brain"}  # fmt: skip


_HEAD = re.compile(
    r"((?:external validation|train|test|valid|evaluat|hold[- ]?out|held[- ]out)\w*(?: \w+)?) (?:sets?|data|cohort|subset|images|split)?\s*"
    r"(?:has|have|had|contain(?:s|ed)?|consist(?:s|ed) of|compris(?:es|ed|e)|includ(?:es|ed)|of|with|:|\()\s*(?:a total of )?$",
    re.I,
)
_ELIDED = re.compile(r"\s*(?:(?:were|was|are)\s+)?(?:used\s+|kept\s+|reserved\s+)?(?:for|in|as)\s+(?:the\s+)?(?:train|test|valid|evaluat)", re.I)


@dataclass(frozen=True, slots=True)
class _Count:
    """A number, the words between it and its unit, the unit, and where it begins and ends in the tokens."""

    value: int
    words: tuple[str, ...]
    unit: str
    first: int
    last: int


def counts(sentence: Sentence) -> Iterator[Cases | ClassCounts]:
    """The counts a sentence gives.

    >>> from scoreproof.documents.prose.sentence import Sentence
    >>> (found,) = counts(Sentence("The database has 38 preterm and 262 term records."))
    >>> found.counts, str(found.part)
    ((('preterm', 38), ('term', 262)), 'all')
    """
    if _OTHERS.search(sentence.text):
        return
    words = tokens(sentence.text)
    listed = _respectively(sentence, words)
    if listed is not None:
        yield from listed
        return
    chains = list(_chains(words))
    classes = _classes(sentence, words, chains)
    if classes is not None:
        yield from classes
        return
    opposed = _with_and_without(sentence)
    if opposed is not None:
        yield opposed
        return
    bracketed = _in_brackets(sentence, words)
    if bracketed is not None:
        yield bracketed
        return
    yield from _by_clause(sentence, words, chains)


def _by_clause(
    sentence: Sentence, words: Sequence[Token], chains: Sequence[tuple[_Count, ...]]
) -> Iterator[Cases]:
    """Each count with the part its own clause names; the unit may be left out after the first: "600 for testing"."""
    counted = _all_counts(sentence, words, chains)
    if not counted:
        return
    facts = []
    for number, count in enumerate(counted):
        part = _mentioned(" ".join(count.words)) or _headed(sentence.text[: words[count.first].start])
        if part is None and len(counted) == 1:
            part = _part_of_sentence(sentence)
        elif part is None:
            stop = words[counted[number + 1].first].start if number + 1 < len(counted) else len(sentence.text)
            behind = sentence.text[words[count.last].end : stop]
            part = None if _headed(behind) else _mentioned(behind)
        if part is None:
            return
        if count.value < _FEWEST:
            return
        facts.append(Cases(count.value, count.unit, part, sentence))
    if len({fact.part for fact in facts}) == len(facts):
        yield from facts


def _all_counts(
    sentence: Sentence, words: Sequence[Token], chains: Sequence[tuple[_Count, ...]]
) -> list[_Count]:
    """The counts of a sentence in order; none if some number may count cases but does not say so."""
    counted = [count for chain in chains for count in chain]
    if any(len(chain) > 1 and not all(_mentioned(" ".join(c.words)) for c in chain) for chain in chains) or not counted:
        return []
    inside = {place for count in counted for place in range(count.first, count.last + 1)}
    for place, token in enumerate(words):
        follower = words[place + 1].text if place + 1 < len(words) else ""
        if token.value is None or place in inside or token.may_be_year or follower in _THINGS:
            continue
        if _ELIDED.match(sentence.text[token.end :]):
            counted.append(_Count(token.value, (), counted[0].unit, place, place))
        elif token.is_number:
            return []
    return sorted(counted, key=lambda count: count.first)


def _headed(before: str) -> Part | None:
    """The part that is the subject of what follows: "the test set contains"."""
    match = _HEAD.search(before)
    return _mentioned(match[1]) if match else None


def _chains(words: Sequence[Token]) -> Iterator[tuple[_Count, ...]]:
    """Counts joined by "and" or commas that share a unit, such as "38 preterm and 262 term records"."""
    place = 0
    while place < len(words):
        chain = _chain(words, place)
        if chain:
            yield chain
            place = chain[-1].last + 1
        else:
            place += 1


def _chain(words: Sequence[Token], place: int) -> tuple[_Count, ...]:
    links: list[tuple[int, tuple[str, ...], int, int]] = []
    while place < len(words):
        value = words[place].value
        if value is None:
            return ()
        first, between = place, []
        place += 1
        while place < len(words) and words[place].is_word and len(between) <= 4:
            text = words[place].text
            if text in _UNITS:
                links.append((value, tuple(between), first, place))
                return tuple(_Count(v, w, text, f, last) for v, w, f, last in links)
            if text in _SMALL or text == "and" or words[place].value is not None:
                break
            between.append(text)
            place += 1
        links.append((value, tuple(between), first, place - 1))
        joined = False
        while place < len(words) and words[place].text in (",", "and", "&", "plus", "versus", "vs"):
            place, joined = place + 1, True
        if not joined or not between:
            return ()
    return ()


def _classes(
    sentence: Sentence, words: Sequence[Token], chains: Sequence[tuple[_Count, ...]]
) -> list[Cases | ClassCounts] | None:
    """Two or more counts of different classes, perhaps beside their sum; None if the counts are no classes."""
    flat = [count for chain in chains for count in chain]
    named = [count for count in flat if _class_name(count)]
    rest = [count for count in flat if not _class_name(count)]
    largest = max(flat, key=lambda count: count.value, default=None)
    if largest is not None and len(flat) > 2 and 2 * largest.value == sum(count.value for count in flat):
        named, rest = [count for count in named if count is not largest], [largest]
    if len(named) < 2 or len({_class_name(count) for count in named}) < len(named) or len(rest) > 1:
        return _subset(sentence, words, named, rest)
    if any(_mentioned(" ".join(count.words)) for count in flat):
        return None
    total = sum(count.value for count in named)
    if rest and rest[0].value != total:
        return None  # the counts of other things
    if not rest and not _adjacent(words, named):
        return None
    part = _part_of_sentence(sentence)
    if part is None:
        return None
    return [ClassCounts(tuple((_class_name(count), count.value) for count in named), part, sentence)]


def _subset(
    sentence: Sentence, words: Sequence[Token], named: Sequence[_Count], rest: Sequence[_Count]
) -> list[Cases | ClassCounts] | None:
    """ "600 images, of which 117 are melanomas": the others are the rest."""
    if len(rest) != 1:
        return None
    match = re.search(r"\b(?:of which|of whom|of these|of them|among them|among which)\b", sentence.text, re.I)
    if match is None and re.match(r"(?:of|among)\b", sentence.text, re.I):
        match = re.search(r",", sentence.text[words[rest[0].last].start :])
        match = re.compile(r",").search(sentence.text, words[rest[0].last].start) if match else None
    if match is None or words[rest[0].first].start > match.start():
        return None
    after = [t for t in words if t.start > match.start() and t.value is not None]
    part = _part_of_sentence(sentence)
    if len(after) != 1 or after[0].value is None or part is None or not 0 < after[0].value < rest[0].value:
        return None
    follow = sentence.text[after[0].end :]
    what = re.match(r"\s*(?:\([^)]*\)\s*)?(?:were |are |was |is |had |have |has |showed |contain(?:ed)? )?([a-z][a-z -]{2,40})", follow, re.I)
    name = " ".join(what[1].split()[:3]) if what else "these"
    if _mentioned(name):
        return None
    return [ClassCounts(((name.strip(), after[0].value), (f"not {name.strip()}", rest[0].value - after[0].value)), part, sentence)]


_OPPOSED = re.compile(
    r"\b(\d[\d,]*)\s+(?:\w+\s+)?(with|positive|diseased|abnormal)(?:\s+([\w-]+(?: [\w-]+)?))?,?\s+(?:and|versus|vs\.?)\s+"
    r"(\d[\d,]*)\s+(?:\w+\s+)?(without|negative|healthy|normal)\b",
    re.I,
)


def _with_and_without(sentence: Sentence) -> ClassCounts | None:
    """ "60 with COVID-19 and 60 without"."""
    said = list(_OPPOSED.finditer(sentence.text))
    part = _part_of_sentence(sentence)
    if len(said) != 1 or part is None:
        return None
    match = said[0]
    what = f"with {match[3]}" if match[2].lower() == "with" and match[3] else match[2].lower()
    first, second = (int(match[group].replace(",", "")) for group in (1, 4))
    totals = [token.value for token in tokens(sentence.text) if token.value and token.is_number]
    if any(total not in (first, second, first + second) for total in totals):
        return None
    return ClassCounts(((what, first), (match[5].lower(), second)), part, sentence)


_BRACKET = re.compile(r"([A-Za-z][\w -]{1,40}?)\s*[(\[]\s*(?:n\s*=\s*)?(\d[\d,]*)(?:\s+\w+)?\s*[)\]]")


_LISTED = re.compile(r"(?:\(|(?<=[a-z]), |(?<=[a-z]) and )(\d[\d,]*) ([a-z][\w-]+)(?=[,)]| and \d)", re.I)


def _in_brackets(sentence: Sentence, words: Sequence[Token]) -> ClassCounts | Cases | None:
    """ "benign (n = 357) and malignant (n = 212)"; one bracket alone is a number of cases."""
    said = [
        (" ".join(match[1].split()[-2:]), int(match[2].replace(",", "")))
        for match in _BRACKET.finditer(sentence.text)
        if "n" in match[0][len(match[1]) :].lower() and "=" in match[0]
    ]
    listed = _LISTED.findall(sentence.text)
    if not said and listed:
        said = [(name, int(count.replace(",", ""))) for count, name in listed]
        flat = [token.value for token in words if token.value is not None]
        if sum(count for _, count in said) not in flat or len(flat) != len(said) + 1:
            return None
    if len(said) == 1 and (part := _mentioned(said[0][0])) is not None:
        return Cases(said[0][1], "cases", part, sentence)
    if len(said) < 2:
        return None
    names = [re.sub(r"^(?:and|or|the|of|with) ", "", name.lower()) for name, _ in said]
    part = _part_of_sentence(sentence)
    if any(_mentioned(name) for name in names) or len(set(names)) < len(names) or part is None:
        return None
    return ClassCounts(tuple(zip(names, (count for _, count in said), strict=True)), part, sentence)


_LIST = r"((?:[\w-]+(?:,? and |, ))+[\w-]+)"
_PARTS_LISTED = re.compile(
    r"\b(train(?:ing)?|validation|test(?:ing)?)(?: sets?)?(?:, | and |, and )(?:the )?"
    r"(?:(train(?:ing)?|validation|test(?:ing)?)(?: sets?)?(?:, and | and ))?(?:the )?(train(?:ing)?|validation|test(?:ing)?)\b",
    re.I,
)


def _respectively(sentence: Sentence, words: Sequence[Token]) -> list[Cases | ClassCounts] | None:
    """ "The training, validation and test sets contain 2,000, 150 and 600 images, respectively." """
    if not re.search(r"\brespectively\b", sentence.text, re.I):
        return None
    numbers = [token for token in words if token.value is not None and token.is_number]
    match = _PARTS_LISTED.search(sentence.text)
    if match is None:
        return []
    names = [name for name in match.groups() if name]
    if len(names) != len(numbers) or any(token.percent is not None for token in words):
        return []
    unit = next((token.text for token in words if token.text in _UNITS), "cases")
    return [
        Cases(token.value, unit, part, sentence)
        for name, token in zip(names, numbers, strict=True)
        if token.value is not None and (part := _mentioned(name)) is not None
    ]


def _class_name(count: _Count) -> str:
    words = [word for word in count.words if word not in _NO_CLASS]
    if count.unit in ("melanomas", "nevi", "carcinomas", "positives", "negatives", "controls"):
        words.append(count.unit)
    return " ".join(words)


def _adjacent(words: Sequence[Token], named: Sequence[_Count]) -> bool:
    """Whether the counts follow each other with nothing but "and", commas and articles between."""
    return all(
        all(token.text in (",", "and", "&", "versus", "vs", "the", ";") for token in words[a.last + 1 : b.first])
        for a, b in zip(named, named[1:], strict=False)
    )


def _mentioned(text: str) -> Part | None:
    return next((part for part, pattern in _PARTS.items() if pattern.search(text)), None)


def _part_of_sentence(sentence: Sentence) -> Part | None:
    """The one part a sentence speaks of; all cases if of none; None if of several."""
    parts = [part for part, pattern in _PARTS.items() if pattern.search(sentence.text)]
    return Part.ALL if not parts else parts[0] if len(parts) == 1 else None
