"""Certificates: forged, deep, wide, of wrong types, and files that are none."""

from __future__ import annotations

import contextlib
import copy
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.attack.attack import Attack, command

Made = dict[str, Any]


def _single() -> Made:
    import scoreproof as sp

    return _of(sp.check(sp.TestSet(100, 200), {"acc": "0.9567", "sens": "0.8545", "spec": "0.9734"}, strict=True))


def _mean() -> Made:
    import scoreproof as sp

    return _of(
        sp.check(sp.KFold(20, 30, 5), {"acc": "0.9333", "sens": "0.8", "spec": "0.9"}, rounding="nearest", strict=True)
    )


def _nonlinear() -> Made:
    import scoreproof as sp

    return _of(sp.check(sp.KFold(8, 12, 2), {"f1": "0.91234", "acc": "0.95"}, strict=True))


def _unknown() -> Made:
    import scoreproof as sp

    return _of(sp.check(sp.UnknownClasses(10), {"acc": "0.9123", "f1": "0.8123"}, strict=True))


def _of(answer: Any) -> Made:
    assert answer.certificate is not None, "the example of an attack became possible"
    made: Made = answer.certificate
    return made


def _changed(place: tuple[str | int, ...], value: Any) -> Callable[[Made], Made]:
    """The certificate with one value replaced; places that are not there are made."""

    def change(document: Made) -> Made:
        inner: Any = document
        for step in place[:-1]:
            inner = inner[step] if not isinstance(inner, dict) else inner.setdefault(step, {})
        inner[place[-1]] = value
        return document

    return change


def _signed(document: Made) -> str:
    """The text of a certificate with the digest it should have."""
    from scoreproof_verify import digest

    with contextlib.suppress(ValueError, RecursionError):
        document["digest"] = digest(document.get("kind", ""), document.get("statement"), document.get("proof"))
    try:
        return json.dumps(document)
    except ValueError:  # a number of thousands of digits
        return json.dumps(document, default=str)


def _attack(name: str, base: Callable[[], Made], *changes: Callable[[Made], Made]) -> Attack:
    def make(folder: Path) -> list[str]:
        document = copy.deepcopy(base())
        for change in changes:
            document = change(document)
        (folder / "proof.json").write_text(_signed(document))
        return command("verify", str(folder / "proof.json"))

    return Attack("certificates", name, make)


def _text(name: str, text: Callable[[], str]) -> Attack:
    def make(folder: Path) -> list[str]:
        (folder / "proof.json").write_text(text())
        return command("verify", str(folder / "proof.json"))

    return Attack("certificates", name, make)


def _fifo(folder: Path) -> list[str]:
    os.mkfifo(folder / "pipe")
    return command("verify", str(folder / "pipe"))


def _frame(statement: str, proof: str, kind: str = "binary") -> str:
    return (
        f'{{"format": "scoreproof-certificate/3", "scoreproof": "0", "kind": "{kind}", "statement": {statement}, '
        f'"proof": {proof}, "digest": "x"}}'
    )


def _deep(value: Any, depth: int) -> Any:
    for _ in range(depth):
        value = [value]
    return value


def _readings(depth: int) -> Any:
    proof: Any = {"kind": "rectangles", "steps": []}
    for _ in range(depth):
        proof = {"kind": "readings", "readings": [proof, proof]}
    return proof


def _tree(way: str, depth: int, width: int = 1) -> Any:
    tree: Any = {"type": "testset", "p": 14050, "n": 85950}  # where the scores of ``_single`` are possible
    for _ in range(depth):
        tree = {"type": way, "parts": [tree] * width}
    return tree


_WRONG: tuple[Any, ...] = (None, True, -1, 0, 10**400, 1.5, "", "x", [], [[]], {}, {"a": 1}, [1, 2, 3], "1/0")
_PLACES: tuple[tuple[str | int, ...], ...] = (
    ("kind",), ("format",), ("statement",), ("proof",), ("digest",), ("scoreproof",),
    ("statement", "experiment"), ("statement", "scores"), ("statement", "undefined"), ("statement", "ranges"),
    ("statement", "experiment", "ranges"), ("statement", "experiment", "parts"), ("statement", "experiment", "p"),
    ("statement", "experiment", "type"), ("statement", "scores", 0), ("statement", "scores", 0, "text"),
    ("statement", "scores", 0, "eps"), ("statement", "scores", 0, "rounding"), ("statement", "scores", 0, "score"),
    ("statement", "minimum"), ("statement", "fold_digits"), ("proof", "kind"), ("proof", "steps"), ("proof", "cases"),
    ("proof", "theta"), ("proof", "cuts"), ("proof", "bits"), ("proof", "readings"),
)  # fmt: skip


def _garbled(base: Callable[[], Made]) -> Attack:
    """Every place with every wrong value, in one child."""
    lines = f"""
import copy, json
from benchmarks.attack import certificates as made
document = made.{base.__name__}()
count = 0
for place in made._PLACES:
    for value in made._WRONG:
        try:
            forged = made._changed(place, value)(copy.deepcopy(document))
        except (TypeError, KeyError, IndexError, AttributeError):
            continue
        same = json.dumps(forged.get("statement")) == json.dumps(document["statement"])
        forged["digest"] = made.digest_of(forged)
        verified = sp.verify(forged)
        if same and forged.get("proof") == document["proof"]:
            continue
        count += 1
return count
"""

    def make(folder: Path) -> list[str]:
        from benchmarks.attack.attack import python

        return python(lines, folder)

    return Attack("certificates", f"wrong values everywhere ({base.__name__.strip('_')})", make)


def digest_of(document: Made) -> str:
    """The digest a document should have, if it can have one."""
    from scoreproof_verify import digest

    try:
        return digest(str(document.get("kind")), document.get("statement"), document.get("proof"))
    except (TypeError, ValueError):
        return ""


def _large_folds(number: int) -> Made:
    return {"type": "kfold", "p": number, "n": number, "k": number, "repeats": 1, "stratified": False,
            "aggregation": "mean_of_scores", "rule": "any"}  # fmt: skip


ATTACKS = [
    *(Attack("certificates", file, lambda folder, file=file: command("verify", file))  # type: ignore[misc]
      for file in ("/dev/zero", "/dev/null", "/", "/proc/self/mem", "nothing.json", "a\x1b[31m.json")),
    Attack("certificates", "a fifo", _fifo),
    _text("an empty file", lambda: ""),
    _text("a list 1,000,000 deep", lambda: "[" * 1_000_000),
    _text("objects 300,000 deep", lambda: '{"statement":' * 300_000),
    _text("a number of 4,000,000 digits", lambda: _frame("9" * 4_000_000, "{}")),
    _text("66 kB of wide lists", lambda: _frame('{"experiment": ' + "[" * 25 + "[],".join([""] * 16_000) + "0" + "]" * 25 + "}", "{}")),
    _text("4 MB of empty lists", lambda: _frame("{}", '{"steps": [' + "[]," * 1_300_000 + "[]]}")),
    _text("4 MB of empty objects", lambda: _frame("{}", '{"steps": [' + "{}," * 1_300_000 + "{}]}")),
    _text("100,000 keys", lambda: _frame("{" + ",".join(f'"k{i}": {i}' for i in range(100_000)) + "}", "{}")),
    _text("duplicate keys", lambda: _frame("{" + ",".join('"k": 1' for i in range(300_000)) + "}", "{}")),
    _text("infinities", lambda: _frame('{"experiment": Infinity}', '{"steps": [NaN, -Infinity]}')),
    *(_attack(f"readings nested {depth} deep", _single, _changed(("proof",), _readings(depth))) for depth in (2, 10, 14)),
    *(_attack(f"a {way} {depth} deep", base, _changed(("statement", "experiment"), _tree(way, depth)))
      for way in ("unknown_aggregation", "mean_of_scores", "score_of_means") for depth in (16, 25, 40)
      for base in (_single, _mean)),
    _attack("a tree 12 deep and 2 wide, of unknown aggregation", _mean,
            _changed(("statement", "experiment"), _tree("unknown_aggregation", 12, 2))),
    *(_attack(f"unstratified folds of 10^{power}", _mean, _changed(("statement", "experiment"), _large_folds(10**power)))
      for power in (4, 6, 9, 31)),
    *(_attack(f"repeats {repeats}", base, _changed(("statement", "experiment", "repeats"), repeats))
      for repeats in (10_000, 10**9, 10**31) for base in (_mean, _nonlinear)),
    *(_attack(f"{count} cuts", _single, _changed(("proof", "steps"), [["cut", "tp", k] for k in range(count)]))
      for count in (10_000, 200_000)),
    _attack("100,000 trims", _single, _changed(("proof", "steps"), [["trim", "tp", "above", 99, 0]] * 100_000)),
    _attack("theta 0", _unknown, _changed(("proof", "theta"), "0")),
    _attack("p of 10^4000", _single, _changed(("statement", "experiment", "p"), 10**4000)),
    _attack("100 scores of 200 digits", _single, _changed(("statement", "scores"), [
        {"score": f"f{k + 2}", "text": "0." + "1" * 195, "rounding": "any"} for k in range(100)])),
    _attack("a beta of 190 digits", _single, _changed(("statement", "scores", 0, "score"), "f" + "9" * 190)),
    *(map(_garbled, (_single, _mean, _nonlinear, _unknown))),
]  # fmt: skip
