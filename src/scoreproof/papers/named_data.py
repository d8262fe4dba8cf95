"""What words name of the data behind a row: which data a size is of, and sizes in headers, captions and sentences.

"The ISIC test set has 600 images" says nothing of the row PH2: where rows or groups of columns are of different data
(data sets, hospitals, men and women), a size is tried with those that its sentence names. A name of the catalogue
counts if it is spelled as a name (DRIVE, CHASE_DB1) beside a word for data, for "drive" is a verb; a number in a header
counts beside a word for data, or a class, for "random forest (n = 100)" has a hundred trees.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache

from scoreproof.catalog import Entry, entry
from scoreproof.catalog.files import shipped_spellings
from scoreproof.papers.table_semantics import Interpretation, RowKind
from scoreproof.papers.table_semantics.words import Patterns, loaded
from scoreproof.papers.text_facts.facts import Sentence

_SAYS = Patterns(loaded("scoreproof.papers", "patterns.toml")["named_data"])
OF_DATA = _SAYS["of_data"]
_LONGEST = 2_000  # characters of a caption that are looked at
_MOST_DATA = 300  # data sets of a table


def data_of_parts(meaning: Interpretation, told: Sequence[str]) -> dict[str, dict[str, str]]:
    """For a table of different data: its groups of columns, or its rows, with what names their data.

    ``told`` are sentences of sizes, which may name some of the data.
    """
    groups = {row.group: row.group for row in meaning.reports if row.kind is RowKind.RESULT and row.group}
    if len(groups) > 1:
        return {"groups": groups} if _different(groups, told, "") else {}
    rows = [row for row in meaning.rows if row.kind is RowKind.RESULT and row.label]
    heads = [column.heading.text.strip() for column in meaning.label_columns]
    axes = [(head, [row.labels[place] for row in rows if place < len(row.labels)]) for place, head in enumerate(heads)]
    for head, names in (*axes, ("", [row.section for row in rows if row.section])):
        if len(names) == len(rows) and _different(names, told, head):
            labels = {row.label: name for row, name in zip(rows, names, strict=True)}
            return {"rows": labels} if len(set(labels.values())) > 1 else {}
    return {}


def _different(parts: Iterable[str], told: Sequence[str], head: str) -> bool:
    """Whether texts are of different data: by their header, else by most of them, or since sentences name some."""
    kinds = set(parts)
    if not 2 <= len(kinds) <= _MOST_DATA:
        return False
    if head:
        return OF_DATA.search(head) is not None and not _SAYS["same_data"].search(head)
    if 2 * sum(OF_DATA.search(part) is not None for part in kinds) > len(kinds):
        return True
    names = [_SAYS["sizes"].sub("", part).strip() for part in kinds]  # as they are written: "Model" is not "the model"
    return any(name and re.search(rf"\b{re.escape(name)}\b", " ".join(told)) for name in names)


def data_named(caption: str) -> frozenset[str]:
    """The data that a caption speaks of: names after "on" or "for", and words such as "external" and "women".

    >>> sorted(data_named("Results on PH2, external validation."))
    ['PH2', 'external', 'validation']
    """
    names = {match["name"] for match in _SAYS["on"].finditer(caption[:_LONGEST])}
    return frozenset(names | {match[0].lower() for match in OF_DATA.finditer(caption[:_LONGEST])})


def of_people(meaning: Interpretation) -> list[str]:
    """Rows of several people ("Radiologists"): means over them, of which the size of a test set says nothing."""
    rows = (row.label for row in meaning.reports if row.kind is RowKind.RESULT)
    return [label for label in rows if _SAYS["people"].search(label)][:_MOST_DATA]


def of_caption(caption: str, names: Sequence[str], sentences: Mapping[str, Sequence[str]]) -> list[str]:
    """The experiments of a table whose caption names its data: not those of sentences that name other data only.

    >>> told = {"600 images": ["The ISIC test set has 600 images."], "90 images": ["The test set has 90 images."]}
    >>> of_caption("Results on PH2.", [*told, "one test set"], told)
    ['90 images', 'one test set']
    """
    data = {match["name"] for match in _SAYS["on"].finditer(caption[:_LONGEST])}
    kept = []
    for name in names:
        told = sentences.get(name, ())
        of_others = bool(data and told) and all(_SAYS["of_named"].search(text) for text in told)
        kept += [name] if not of_others or any(names_data(own, told) for own in data) else []
    return kept


def names_data(data: str, told: Iterable[str]) -> bool:
    """Whether a text names some data: by all words of its label, brackets left out."""
    words = re.findall(r"[\w-]+", _SAYS["sizes"].sub("", data).lower())
    texts = (set(re.findall(r"[\w-]+", text.lower())) for text in told)
    return bool(words) and any(set(words) <= text for text in texts)


_DATA = r"(?:data[- ]?sets?|databases?|data|benchmarks?|challenges?|collections?|test sets?)"
_THINGS = rf"(?:{_DATA}|images|records|recordings)"
_NAME = r"([\w-]+(?: [\w-]+)?)"
_BEHIND = re.compile(rf"\b(?={_NAME}(?:\s*\[[\d,\s]*\])?(?:\s+[a-z]+)?\s+{_THINGS}\b)")
_AHEAD = re.compile(rf"\b(?:{_THINGS}\s+(?:of|from|in)\s+(?:the\s+)?|{_DATA}\s+(?:called\s+)?){_NAME}")
_OTHERS = re.compile(r"\bet al\b|\bprevious|\bsuch as\b|\be\.g\.|\bunlike\b|\bpre-?train|\bfuture\b", re.I)
_REPOSITORY = re.compile(r"\bUCI\b|\bKEEL\b|\bOpenML\b|\bscikit-learn\b|\brepository\b")
_MOST_WORDS = 12  # of the name of an entry
_MOST = 3


def named(sentences: Iterable[Sentence]) -> list[tuple[Entry, Sentence]]:
    """The entries that sentences name, each with the first sentence that does; none if they are many.

    >>> said = [Sentence("We drive the error down."), Sentence("All images of the DRIVE dataset were used.")]
    >>> [(entry.name, sentence.text) for entry, sentence in named(said)]
    [('drive', 'All images of the DRIVE dataset were used.')]
    """
    told: dict[str, Sentence] = {}
    for sentence in sentences:
        if _OTHERS.search(sentence.text):
            continue
        pairs = [match[1] for match in _BEHIND.finditer(sentence.text)]
        words = [word for pair in pairs for word in pair.split()]
        pairs += (ahead := [match[1] for match in _AHEAD.finditer(sentence.text)])
        for word in (*pairs, *words, *(pair.split()[0] for pair in ahead)):
            name = _entries().get(_plain(word), "")
            # "German" and "hepatitis" are words, unless a repository is named, too
            if name and (word.isupper() or not _plain(word).isalpha() or _REPOSITORY.search(sentence.text)):
                told.setdefault(name, sentence)
    if len(told) > _MOST:  # a survey, or a table of data sets
        return []
    return [(entry(name), sentence) for name, sentence in told.items()]


@lru_cache(maxsize=64)
def recognised(text: str) -> tuple[str, ...]:
    """Catalogue entries that a text names as words of their own; every table asks about the whole paper again."""
    words = re.findall(r"[a-z0-9]+", text.lower())
    runs = ("".join(words[start:end]) for start in range(len(words)) for end in range(start + 1, start + _MOST_WORDS))
    return tuple(dict.fromkeys(_entries()[run] for run in runs if run in _entries() and len(run) > 2))


@cache
def _entries() -> dict[str, str]:
    """The names of entries by their spellings, without capitals and marks."""
    return {_plain(spelling): name for name, every in shipped_spellings().items() for spelling in every}


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "", text.lower())


_SIZES = Patterns(loaded("scoreproof.papers", "patterns.toml")["named_sizes"])
_FEWEST = 20  # cases; fewer may be runs, folds or readers


def sizes_in_headers(meaning: Interpretation) -> Iterator[tuple[tuple[str, str], tuple[int, int, str]]]:
    """Headers of groups and of rows, with their number of cases and perhaps a class of them."""
    results = [row for row in meaning.reports if row.kind is RowKind.RESULT and not row.counts]
    texts = [("groups", row.group) for row in results] + [("rows", row.label) for row in results if not row.group]
    heads = " ".join(column.heading.text for column in meaning.label_columns)
    for key, text in dict.fromkeys(texts):
        stated = _SIZES["size"].search(text)
        if stated is None:
            continue
        total, part = (int((stated[name] or "0").replace(",", "")) for name in ("total", "part"))
        of_data = part > 0 or OF_DATA.search(text if key == "groups" else f"{heads} {text}") is not None
        if of_data and total >= _FEWEST and part < total:
            of = (stated["class"] or "").rstrip(".")
            yield (key, text), (total, part, "positive" if of.startswith("pos") else of)
