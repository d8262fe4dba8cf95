"""Certificates of every kind, made hostile: lists repeated 10^6 times, huge numbers, wrong types, nesting, other proofs.

The corpus gives true certificates of each kind; the alterations here aim at the verifier's time and memory rather than
at its verdict. It is given ``_SECONDS`` for each, and may not take much longer: what it does between two looks at the
clock is bounded, too.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import Any

import scoreproof as sp
from benchmarks.attack.attack import Attack, python
from benchmarks.proof_corpus.__main__ import MAKERS, certificates
from benchmarks.proof_corpus.mutations import SORTS, _at, _paths, mutated
from scoreproof_verify import digest

_UNMADE = "unknown_counts"  # the corpus has no maker of these yet
KINDS = (*MAKERS, *({_UNMADE} - set(MAKERS)))
_EACH = 3  # certificates of a maker
_TOGETHER = 40  # of one child
_SECONDS, _LATE = 2, 5.0  # the verifier's own limit, and what it may take
_LARGEST = 3_000_000  # characters of a certificate
_LENGTHS = (2, 30, 1_000, 100_000, 1_000_000)
_POWERS = (1, 2, 3, 5, 6, 9, 12, 18, 60, 400, 4_000)
_TEXTS = (
    "0", "1", "-1", "100%", "1e90", "1e-90", f"0.{'3' * 90}", f"0.{'3' * 3_000}", "9" * 90, "9" * 4_000, "x" * 100_000, "1/0", "1/3", "nan",
    "0.9 ± 0.1", "\ud800", "", "0." + "0" * 60 + "1",
)  # fmt: skip
_WRONG: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    10**400,
    "",
    [],
    [[]],
    {},
    {"a": 1},
    [1, 2, 3],
    [[1, 2]] * 50,
    [[[]]] * 1_000,
)
Document = dict[str, Any]


@cache
def seeds(kind: str) -> tuple[str, ...]:
    """True certificates of a kind, as texts."""
    if kind == _UNMADE:
        experiment = sp.MultiClass(total=10, classes=3)
        answer = sp.check(experiment, {"acc": "0.95", "macro sens": "0.9512", "macro f1": "0.4321"}, rounding="nearest")
        assert answer.certificate is not None, "the example became possible"
        return (json.dumps(answer.certificate),)
    made: list[str] = []
    for make, _ in MAKERS[kind]:
        made += map(json.dumps, islice(certificates(random.Random(f"attack {kind}"), make, kind), _EACH))
    return tuple(made)


def _altered(chance: random.Random, document: Document) -> None:
    """One value replaced, in place."""
    half = chance.choice(("statement", "statement", "proof"))
    places = [path for path in _paths(document[half]) if path]
    if not places:
        return
    path = chance.choice(places)
    owner, value = _at(document[half], path[:-1]), _at(document[half], path)
    if isinstance(value, list) and value and chance.random() < 0.7:
        changed: Any = _repeated(chance, value)
    elif isinstance(value, int) and not isinstance(value, bool) and chance.random() < 0.8:
        changed = chance.choice((1, -1, 1, 1)) * 10 ** chance.choice(_POWERS) + chance.choice((-1, 0, 1))
    elif isinstance(value, str) and chance.random() < 0.7:
        changed = chance.choice(_TEXTS)
    elif chance.random() < 0.3:
        changed = value
        for _ in range(chance.choice((1, 20, 50, 70))):
            changed = [changed]
    else:
        changed = chance.choice(_WRONG)
    owner[path[-1]] = changed


def _wider(chance: random.Random, document: Document) -> None:
    """All lists of one length grown alike, names made different, so that classes, folds or rows stay of one number."""
    half = chance.choice(("statement", "statement", "proof"))
    lists = {path: entry for path in _paths(document[half]) if isinstance(entry := _at(document[half], path), list)}
    length = len(chance.choice(list(lists.values()) or [[]]))
    alike = {path: entry for path, entry in lists.items() if len(entry) == length}
    if not length:
        return
    within = max(sum(path[:k] in alike for k in range(len(path) + 1)) for path in alike)  # each other
    room = (_LARGEST / len(json.dumps(document))) ** (1 / within)
    wanted = int(min(chance.choice((5, 12, 40, 300, 3_000, 50_000)), room * length))
    for entries in alike.values():
        named = all(isinstance(entry, str) for entry in entries) and len(set(entries)) == length
        more = range(wanted - length)
        entries += [f"{entries[k % length]}{k}" if named else entries[k % length] for k in more]


def _larger(chance: random.Random, document: Document) -> None:
    """All whole numbers of the statement, or all of one name, times a power of ten."""
    places = [path for path in _paths(document["statement"]) if path]
    names = [path[-1] for path in places]
    only, factor = chance.choice((None, chance.choice(names) if names else None)), 10 ** chance.choice(_POWERS[:8])
    for path in places:
        owner, value = _at(document["statement"], path[:-1]), _at(document["statement"], path)
        if isinstance(value, int) and not isinstance(value, bool) and only in (None, path[-1]):
            owner[path[-1]] = value * factor


def _longer(chance: random.Random, document: Document) -> None:
    """All numbers that are texts, or those of one name, made long, and no two of them alike: what is put over a common
    denominator grows with every entry."""
    half = chance.choice(("statement", "statement", "proof"))
    places = [path for path in _paths(document[half]) if path and _is_number(_at(document[half], path))]
    only = chance.choice((None, chance.choice(places)[-1])) if places else None
    digits, quotients = chance.choice((20, 60, 90, 190, 395)), chance.random() < 0.5
    for path in places:
        if only in (None, path[-1]):
            number = chance.randrange(10 ** (digits - 1), 10**digits)
            below = chance.randrange(10 ** (digits - 1), 10**digits)
            _at(document[half], path[:-1])[path[-1]] = f"{number}/{below}" if quotients else f"0.{number}"


def _is_number(value: Any) -> bool:
    return isinstance(value, str) and value[:1].isdigit()


def _repeated(chance: random.Random, value: list[Any]) -> list[Any]:
    """The list grown to a length; what is repeated may be its numbers made large, too."""
    entry = chance.choice(value)
    most = max(1, _LARGEST // (len(json.dumps(entry)) + 2))
    length = min(most, chance.choice(_LENGTHS))
    return (value * (length // len(value) + 1))[:length] if chance.random() < 0.5 else value + [entry] * length


def hostile(kind: str, number: int, seed: int, texts: tuple[str, ...]) -> Document:
    """One hostile certificate; the same numbers give the same one."""
    chance = random.Random(f"{kind} {seed} {number}")
    document: Document = json.loads(chance.choice(texts))
    if chance.random() < 0.2:
        other = json.loads(chance.choice(texts))
        document = mutated(chance, chance.choice(SORTS), document, other) or document
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        if all(isinstance(document.get(half), dict) for half in ("statement", "proof")):
            for change in chance.choice(
                ((_altered,), (_altered,), (_wider,), (_larger,), (_longer,), (_wider, _longer))
            ):
                change(chance, document)
                text = json.dumps(document)
                document = json.loads(text)  # entries that are repeated are one value before
            if len(text) > _LARGEST:
                break
    try:
        document["digest"] = digest(str(document.get("kind")), document.get("statement"), document.get("proof"))
    except (TypeError, ValueError):
        document["digest"] = ""
    return document


_BODY = """
import json, time, sys
sys.set_int_max_str_digits(0)
from benchmarks.attack import kinds
from scoreproof.limits import Limits, within
texts = tuple(json.loads((folder / "seeds.json").read_text()))
slowest = 0
for number in range({first}, {last}):
    document = kinds.hostile({kind!r}, number, {seed}, texts)
    begun = time.process_time()
    with within(Limits(seconds={seconds})):
        verified = sp.verify(document)
        str(verified), verified.to_json()
    spent = time.process_time() - begun
    slowest = max(spent, slowest)
    if spent > {late}:
        raise RuntimeError(f"certificate {{number}} of {kind} took {{spent:.1f}} s: {{str(verified)[:200]}}")
return f"all judged, the slowest in {{slowest:.1f}} s"
"""


def _prepared(kind: str, body: str, folder: Path) -> list[str]:
    (folder / "seeds.json").write_text(json.dumps(seeds(kind)), encoding="utf-8")
    return python(body, folder)


def mutants(kind: str, count: int, seed: int, first: int = 0) -> Iterator[Attack]:
    """Hostile certificates of one kind, some of them together in one child."""
    for start in range(first, first + count, _TOGETHER):
        end = min(start + _TOGETHER, first + count)
        body = _BODY.format(first=start, last=end, kind=kind, seed=seed, seconds=_SECONDS, late=_LATE)
        name = f"{start} to {end - 1}, seed {seed}"
        yield Attack(f"certificates of {kind}", name, partial(_prepared, kind, body), end - start)
