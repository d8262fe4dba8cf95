"""Printing true values as papers do, and certificates as a forger would alter them."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from math import isqrt
from typing import Any

import scoreproof as sp
from scoreproof.checking import Answer, Verdict, ask
from scoreproof.kinds import read_problem
from scoreproof_verify import FORMAT, digest

RULES = ("nearest", "floor", "ceil")


def decimal_text(units: int, digits: int) -> str:
    """A number of units of the last of so many decimals."""
    sign = "-" if units < 0 else ""
    whole, rest = divmod(abs(units), 10**digits)
    return f"{sign}{whole}.{rest:0{digits}d}" if digits else f"{sign}{whole}"


def printed_as(value: Fraction, digits: int, rule: str) -> str:
    """A true value as printed with so many decimals."""
    scaled = value * 10**digits
    units = {"floor": scaled.__floor__(), "ceil": scaled.__ceil__(), "nearest": (scaled + Fraction(1, 2)).__floor__()}
    return decimal_text(units[rule], digits)


def root_printed_as(square: Fraction, digits: int, rule: str) -> str:
    """The root of a true value as printed with so many decimals."""
    scaled = square * 100**digits
    floor = isqrt(scaled.__floor__())
    exact = floor * floor == scaled
    twice = isqrt((4 * scaled).__floor__())
    return decimal_text({"floor": floor, "ceil": floor + (not exact), "nearest": (twice + 1) // 2}[rule], digits)


def sealed(kind: str, statement: Any, proof: Any) -> dict[str, Any]:
    """A certificate with a digest of its own, as it comes out of a file."""
    document = {
        "format": FORMAT,
        "scoreproof": "0",
        "kind": kind,
        "statement": statement,
        "proof": proof,
        "digest": digest(kind, statement, proof),
    }
    read: dict[str, Any] = json.loads(json.dumps(document))
    return read


def certificate_of(answer: Answer[Any, Any]) -> dict[str, Any]:
    """The certificate of a refuted problem as it comes out of a file."""
    assert answer.certificate is not None, str(answer)
    read: dict[str, Any] = json.loads(json.dumps(answer.certificate))
    return read


def alterations(document: Any) -> Iterator[Any]:
    """The document with one thing changed: a key left out or added, an entry left out or twice, another value."""
    for path in list(_paths(document)):
        target, last = document, None
        for step in path[:-1]:
            target = target[step]
        last = path[-1] if path else None
        for change in _changes(document if last is None else target[last]):
            if change == (document if last is None else target[last]):
                continue
            altered = copy.deepcopy(document)
            if last is None:
                yield change
                continue
            place = altered
            for step in path[:-1]:
                place = place[step]
            place[last] = change
            yield altered


def with_a_key_twice(document: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The text with a key given twice, and the key: each of the certificate, its statement and its proof.

    The other value stands before or after the true one, and is the same or another.
    """

    def written(entries: list[tuple[str, str]]) -> str:
        return "{" + ", ".join(f"{json.dumps(key)}: {value}" for key, value in entries) + "}"

    def doubled(owner: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        entries = [(key, json.dumps(value)) for key, value in owner.items()]
        for place, (key, value) in enumerate(entries):
            for other in ("{}", value):
                yield key, written([*entries[:place], (key, other), *entries[place:]])
                yield key, written([*entries, (key, other)])

    yield from doubled(document)
    entries = [(key, json.dumps(value)) for key, value in document.items()]
    for half in ("statement", "proof"):
        for key, inner in doubled(document[half]):
            yield key, written([(name, inner if name == half else value) for name, value in entries])


def alterations_prove_nothing_possible(
    document: dict[str, Any], budget: float, is_same: Callable[[Any, Any], bool] | None = None
) -> None:
    """An altered statement that is accepted is refuted anew; an altered proof is rejected, unless it says the same."""
    kind, statement, proof = document["kind"], document["statement"], document["proof"]
    assert not sp.verify({**document, "digest": "0" * 64})
    for altered in alterations(statement):
        if sp.verify(sealed(kind, altered, proof)):
            again = read_problem(kind, altered)  # what a check refuses is not accepted
            assert ask(again, budget=budget).verdict == "inconsistent", altered
    for altered in alterations(proof):
        if sp.verify(sealed(kind, statement, altered)):
            assert is_same is not None
            assert is_same(altered, proof)


def some_alterations_prove_nothing_possible(document: dict[str, Any], size: int, budget: float, seed: str) -> None:
    """The same of some alterations, where each takes long: no witness contradicts what is accepted."""
    kind = document["kind"]
    assert not sp.verify({**document, "digest": "0" * 64})
    changed = [(altered, document["proof"]) for altered in alterations(document["statement"])]
    changed += [(document["statement"], altered) for altered in alterations(document["proof"])]
    rejected = 0
    for statement, proof in random.Random(seed).sample(changed, min(len(changed), size)):
        if not sp.verify(sealed(kind, statement, proof)):
            rejected += 1
            continue
        answer = ask(read_problem(kind, statement), budget=budget)
        assert answer.verdict is not Verdict.CONSISTENT, (statement, proof)
    assert rejected >= 10


def widened(statement: dict[str, Any], eps: str = "1") -> dict[str, Any]:
    """A statement whose values exclude nothing."""
    wide: dict[str, Any] = copy.deepcopy(statement)
    for entry in wide["scores"]:
        entry.pop("rounding", None)
        entry["eps"] = eps
    return wide


def _paths(document: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    inner = (
        document.items() if isinstance(document, dict) else enumerate(document) if isinstance(document, list) else ()
    )
    for key, value in inner:
        yield from _paths(value, (*path, key))


def _changes(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        yield {**value, "remark": "nobody reads this"}
        for key in value:
            yield {other: inner for other, inner in value.items() if other != key}
    elif isinstance(value, list):
        yield [*value, value[-1] if value else 0]
        yield value[:-1]
        yield value[::-1]
    elif isinstance(value, bool) or value is None:
        yield 7
    elif isinstance(value, int):
        yield from (value + 1, value - 1, -value, 10**60, str(value), True)
    else:
        yield from ("", value + "0", "1" + value, "any", 3, None, "nan")
        if any(character.isdigit() for character in value):  # other forms of a claim: runs, shares, limits, more digits
            yield from (f"{value} ± 0.05", f"{value}%", f"[{value}, 1]", f"{value}000000", f"<{value}")
