"""The corpus against which another verifier is run: all kinds, all sorts of alterations, and verdicts in words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from benchmarks.proof_corpus.__main__ import MAKERS, rare, write
from benchmarks.proof_corpus.mutations import SORTS
from benchmarks.proof_corpus.rules import named, used

import scoreproof as sp
from scoreproof.checking import ask
from scoreproof.kinds import kind_named
from scoreproof_verify.frame import CHECKERS

PAGES = Path(__file__).parents[2] / "docs" / "proofs"
ENGINES = {*CHECKERS} - {"binary"}  # of means the portfolio takes the first proof that it meets


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_the_corpus_has_all_kinds_and_sorts_and_what_the_verifier_says(tmp_path: Path) -> None:
    write(tmp_path, count=45, altered=8 * len(SORTS), seed=7)
    certificates, altered = (lines_of(tmp_path / f"{name}.jsonl") for name in ("certificates", "mutations"))
    assert {line["kind"] for line in certificates} == {*MAKERS} == {*CHECKERS}
    met: dict[str, set[str]] = {}
    for line in certificates:
        met.setdefault(line["kind"], set()).update(used(json.loads(line["certificate"])))
    missing = {kind: sorted(rules - met[kind]) for kind, rules in named(PAGES).items() if rules - met[kind]}
    assert not missing, "rules of the specification that no certificate of the corpus uses"
    assert sum(map(len, named(PAGES).values())) > 120
    assert all(line["valid"] and line["words"].startswith("Proved: ") for line in certificates)
    assert len(SORTS) > 20
    assert {line["sort"] for line in altered} == {*SORTS}
    assert 10 < sum(line["valid"] for line in altered) < 150
    for line in altered:
        assert line["words"].startswith("Proved: " if line["valid"] else "Not proved: ")
        assert line["words"] != "Not proved: the certificate is malformed."  # whatever is wrong has its own sentence
        assert sp.verify(json.loads(line["certificate"])).words == line["words"]


def test_an_engine_makes_a_proof_by_every_rule() -> None:
    """Asked for the stored statements, the engines use every rule themselves: none is there for forgers alone."""
    met: dict[str, set[str]] = {}
    for stored in rare():
        kind = stored["kind"]
        if kind in ENGINES:
            answer = ask(kind_named(kind).read(stored["statement"]), budget=120)
            assert answer.certificate is not None, stored["statement"]
            met.setdefault(kind, set()).update(used(answer.certificate))
    missing = {kind: sorted(rules - met[kind]) for kind, rules in named(PAGES).items() if kind in ENGINES}
    assert not {kind: rules for kind, rules in missing.items() if rules}
