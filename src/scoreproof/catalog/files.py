"""Entries read from files: those shipped with the package, and a user's own beside them in the same small format.

An entry is a YAML file with a name, a title, a citation, and its counts in one of three forms: ``p`` and ``n``;
``classes`` with their counts, each of which may be the positive one; or ``sets``, a list (or a CSV file beside it) of
items with ``p``, ``n`` and a column for each of the ``axes``.
"""

from __future__ import annotations

import difflib
import itertools
import os
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

from scoreproof.catalog.benchmarks import by_key as benchmarks_by_key
from scoreproof.catalog.benchmarks import key as benchmark_key
from scoreproof.catalog.entry import ANY, Axis, Entry, KnownSet
from scoreproof.csv_reader import Content, decode, read_content, rows_of
from scoreproof.errors import InvalidOption, UnreadableInput
from scoreproof.files import read_file, read_yaml
from scoreproof.validation import shown

_KEYS = {
    "name", "title", "task", "citation", "item", "axes", "sets", "notes", "aliases", "p", "n", "classes", "collection",
}  # fmt: skip
_AXIS_KEYS = {"use", "values", "default"}
_MOST_MERGED = 5  # classes of which every subset is offered
OTHERS = "others"


def read_entries(path: str | Path) -> list[Entry]:
    """The entries of a user's file: one, or one per row of a collection."""
    file = Path(path)
    text = decode(str(path), read_file(file, advice="; expected a YAML file with a catalogue entry")).text

    def beside(name: str) -> str:
        other = file.parent / name
        if Path(name).name != name or not os.path.isfile(other):  # Path.is_file raises if it is too long
            raise UnreadableInput(f"{path}: sets: no file {shown(name)} beside it")
        return read_content(other).text

    return entries_of(str(path), text, beside)


def entries_of(source: str, text: str, beside: Any) -> list[Entry]:
    """The entries a YAML text describes; ``beside`` gives the text of a CSV file it names."""
    document = _document(source, text)
    if document.get("collection") == "true":
        return _collection(source, document, beside)
    return [_entry(source, document, beside)]


def spellings_of(source: str, text: str, beside: Any) -> dict[str, tuple[str, ...]]:
    """The names of these entries, each with how it may be spelled; the counts of an entry are not read for it."""
    document = _document(source, text)
    if document.get("collection") == "true":
        return {entry.name: (entry.name, *entry.aliases) for entry in _collection(source, document, beside)}
    shared = _shared(source, document)
    return {shared["name"]: (shared["name"], *shared["aliases"])}


def _document(source: str, text: str) -> dict[str, Any]:
    root = read_yaml(source, text)
    document = root.value if root is not None else None
    if not isinstance(document, dict):
        raise UnreadableInput(f"{source}: expected a mapping with a name, a title, a citation and counts")
    _known(source, document, _KEYS, "entry")
    for needed in ("name", "title", "citation"):
        if not isinstance(document.get(needed), str) or not document[needed].strip():
            raise UnreadableInput(f"{source}: {needed} is missing; an entry needs a name, a title and a citation")
    return document


def _known(source: str, mapping: Mapping[str, Any], keys: set[str], what: str) -> None:
    for key in mapping:
        if key not in keys:
            near = difflib.get_close_matches(str(key), keys, n=1)
            hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(sorted(keys))}"
            raise UnreadableInput(f"{source}: unknown key {key!r} in an {what}; {hint}")


def _collection(source: str, document: Mapping[str, Any], beside: Any) -> list[Entry]:
    rows = _rows(source, document.get("sets"), beside)
    entries = []
    for row in rows:
        extra = set(row) - {"name", "p", "n"}
        if extra or "name" not in row:
            raise UnreadableInput(f"{source}: a collection has the columns name, p and n; got {', '.join(row)}")
        known_set = KnownSet("", {}, _whole(source, row, "p"), _whole(source, row, "n"))
        shared = _shared(source, {**document, "title": f"{row['name']}, {document['title']}", "name": row["name"]})
        entries.append(Entry(**shared, item="data set", axes=(), sets=(known_set,)))
    return entries


def _entry(source: str, document: Mapping[str, Any], beside: Any) -> Entry:
    forms = [form for form in ("p", "classes", "sets") if form in document]
    if len(forms) != 1 or ("n" in document) != ("p" in document):
        raise UnreadableInput(f"{source}: expected the counts once, as p and n, as classes, or as sets")
    shared = _shared(source, document)
    if forms == ["p"]:
        known_set = KnownSet("", {}, _whole(source, document, "p"), _whole(source, document, "n"))
        return Entry(**shared, item="data set", axes=(), sets=(known_set,))
    if forms == ["classes"]:
        return _of_classes(source, document, shared)
    axes = _axes(source, document.get("axes", {}))
    names = {axis.name: axis for axis in axes}
    sets = []
    for row in _rows(source, document["sets"], beside):
        item = row.get("item", "")
        odd = set(row) - {"item", "p", "n"} - set(names)
        missing = set(names) - set(row)
        if odd or missing:
            what = f"unknown column {min(odd)!r}" if odd else f"no column {min(missing)!r}"
            raise UnreadableInput(f"{source}: sets: {what}; expected item, {', '.join(names)}, p, n")
        at = {name: row[name] for name in names}
        for name, value in at.items():
            if value not in names[name].values:
                raise UnreadableInput(f"{source}: sets: {name} {value!r} is not among its values")
        sets.append(KnownSet(item, at, _whole(source, row, "p"), _whole(source, row, "n")))
    places = [(known_set.item, *known_set.at.values()) for known_set in sets]
    if not sets or len(set(places)) != len(places):
        raise UnreadableInput(f"{source}: sets: {'none given' if not sets else 'an item stands twice at one place'}")
    return Entry(**shared, item=str(document.get("item", "set")), axes=axes, sets=tuple(sets))


def _shared(source: str, document: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "name": document["name"].strip(),
        "title": " ".join(document["title"].split()),
        "task": str(document.get("task", "")),
        "citation": " ".join(document["citation"].split()),
        "notes": tuple(" ".join(str(note).split()) for note in _list(source, document, "notes")),
        "aliases": tuple(str(alias) for alias in _list(source, document, "aliases")),
        "source": source,
    }


def _list(source: str, document: Mapping[str, Any], key: str) -> list[Any]:
    value = document.get(key, [])
    if not isinstance(value, list):
        raise UnreadableInput(f"{source}: {key}: expected a list, got {value!r}")
    return value


def _of_classes(source: str, document: Mapping[str, Any], shared: dict[str, Any]) -> Entry:
    classes = document["classes"]
    if not isinstance(classes, dict) or len(classes) < 2:
        raise UnreadableInput(f"{source}: classes: expected at least two, with their counts")
    counts = {str(name): _whole(source, classes, name) for name in classes}
    total = sum(counts.values())
    if not 2 < len(counts) <= _MOST_MERGED:
        values = {name: f"{name} against the others" for name in counts}
        sets = tuple(KnownSet("", {"positive": name}, count, total - count) for name, count in counts.items())
        axis = Axis("positive", "select", values, next(iter(counts)))
        return Entry(**shared, item="data set", axes=(axis,), sets=sets)
    merged = {"+".join(some): some for size in range(1, len(counts)) for some in itertools.combinations(counts, size)}
    many = {name: sum(counts[label] for label in some) for name, some in merged.items()}
    positive = Axis(
        "positive", "select", {name: " or ".join(some) for name, some in merged.items()}, next(iter(counts))
    )
    against = {
        OTHERS: "against the others",
        **{name: f"against {' or '.join(some)} alone" for name, some in merged.items()},
    }
    known = [KnownSet("", {"positive": name, "negative": OTHERS}, many[name], total - many[name]) for name in merged]
    known += [
        KnownSet("", {"positive": first, "negative": other}, many[first], many[other])
        for first, other in itertools.permutations(merged, 2)
        if not set(merged[first]) & set(merged[other])
    ]
    axes = (positive, Axis("negative", "select", against, OTHERS))
    return Entry(**shared, item="data set", axes=axes, sets=tuple(known))


def _axes(source: str, axes: Any) -> tuple[Axis, ...]:
    if not isinstance(axes, dict):
        raise UnreadableInput(f"{source}: axes: expected a mapping from names to their use and values")
    read = []
    for name, axis in axes.items():
        if not isinstance(axis, dict) or not isinstance(axis.get("values"), dict) or not axis["values"]:
            raise UnreadableInput(f"{source}: axis {name!r}: expected use and values (a mapping from value to words)")
        _known(source, axis, _AXIS_KEYS, f"axis ({name})")
        use, default = axis.get("use", "reading"), axis.get("default")
        if use not in ("select", "reading"):
            raise UnreadableInput(f"{source}: axis {name!r}: use must be select or reading, got {use!r}")
        if use == "select" and default != ANY and default not in axis["values"]:
            raise UnreadableInput(f"{source}: axis {name!r}: a select axis needs a default out of its values, or '*'")
        read.append(Axis(str(name), use, {str(k): str(v) for k, v in axis["values"].items()}, default))
    return tuple(read)


def _rows(source: str, sets: Any, beside: Any) -> list[dict[str, str]]:
    if isinstance(sets, str):
        return rows_of(Content(sets, beside(sets))).mappings()
    if not isinstance(sets, list) or not all(isinstance(row, dict) for row in sets):
        raise UnreadableInput(f"{source}: sets: expected a list of mappings with p and n, or the name of a CSV file")
    return [{str(key): str(value) for key, value in row.items()} for row in sets]


def _whole(source: str, mapping: Mapping[str, Any], key: str) -> int:
    text = str(mapping.get(key, "")).strip()
    if not text.isascii() or not text.isdigit() or len(text) > 18:
        raise UnreadableInput(f"{source}: {key}: expected a whole number not below 0, got {text[:40]!r}")
    return int(text)


_SHIPPED = (
    "drive", "stare", "chasedb1", "hrf", "diaretdb0", "diaretdb1", "diaretdb1_images", "drishti_gs", "tpehg",
    "isic2016", "isic2017", "common",
)  # fmt: skip


@lru_cache(maxsize=1)
def _shipped() -> tuple[Entry, ...]:
    return tuple(entry for name in _SHIPPED for entry in entries_of(f"{name}.yaml", _text(f"{name}.yaml"), _text))


@lru_cache(maxsize=1)
def shipped_spellings() -> dict[str, tuple[str, ...]]:
    """The name of every shipped entry with its spellings, in their order; much sooner known than the entries.

    >>> shipped_spellings()["chasedb1"]
    ('chasedb1', 'chase', 'chase_db1')
    """
    return {
        entry: spellings
        for name in _SHIPPED
        for entry, spellings in spellings_of(f"{name}.yaml", _text(f"{name}.yaml"), _text).items()
    }


def _text(name: str) -> str:
    """The text of a shipped file."""
    return (resources.files("scoreproof.catalog") / "data" / name).read_text(encoding="utf-8")


def entries(files: Iterable[str | Path] = ()) -> tuple[Entry, ...]:
    """Every entry, the user's own first; an own entry hides a shipped one of the same name.

    >>> [one.name for one in entries()][:3]
    ['drive', 'stare', 'chasedb1']
    """
    own = [entry for file in files for entry in read_entries(file)]
    taken = {_key(entry.name) for entry in own}
    if len(taken) < len(own):
        raise InvalidOption("catalogue files: two entries have one name")
    return (*own, *(entry for entry in _shipped() if _key(entry.name) not in taken))


def entry(name: str, files: Iterable[str | Path] = ()) -> Entry:
    """The entry of this name; case, blanks, dashes and underscores do not matter. Benchmarks of known size are entries.

    >>> entry("CHASE_DB1").item, entry("arc-easy").title
    ('image', 'ARC-Easy: 2,376 or 570 cases')
    >>> entry("drvie")
    Traceback (most recent call last):
    ...
    scoreproof.errors.InvalidOption: no catalogue entry is called 'drvie'; did you mean drive?
    """
    by_key = {}
    for known in reversed(entries(files)):
        for spelling in (known.name, *known.aliases):
            by_key[_key(spelling)] = known
    entry = by_key.get(_key(name))
    if entry is None and (sized := benchmarks_by_key().get(benchmark_key(name))) is not None:
        return sized.entry()
    if entry is None:
        near = [by_key[key].name for key in difflib.get_close_matches(_key(name), by_key, n=3, cutoff=0.6)]
        hint = f"did you mean {' or '.join(near)}?" if near else "'scoreproof catalog --all' lists them"
        raise InvalidOption(f"no catalogue entry is called {name!r}; {hint}")
    return entry


def _key(name: str) -> str:
    return "".join(char for char in str(name).lower() if char.isalnum())
