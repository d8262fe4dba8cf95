"""A new kind of problem in a few lines, and everything the house gives it without a change to the house.

The mean of n answers on a Likert scale from 1 to 5 is a whole number over n: 3.27 of 10 answers cannot be (the
granularity of means: Brown and Heathers 2017, doi:10.1177/1948550616673876).
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor
from typing import Any, ClassVar

import pytest

import scoreproof as sp
from scoreproof import kinds
from scoreproof.kinds.kind import Decision, Kind
from scoreproof.pages import to_html, to_text
from scoreproof.quantities import Quantity, Register, declare
from scoreproof.reported import Claim, Conventions, report
from scoreproof.reported.claim import claim_from_dict
from scoreproof_verify import CHECKERS, Checker
from scoreproof_verify.documents import known_keys
from scoreproof_verify.texts import interval, require

# ---------------------------------------------------------------------------------------------------- the kind: 40 lines
RATING = Quantity(
    "rating", "mean rating", synonyms=("mean rating", "rating"), range=(Fraction(1), Fraction(5)), kind="likert"
)


@dataclass(frozen=True, slots=True)
class Survey:
    kind: ClassVar[str] = "likert"
    n: int


@dataclass(frozen=True, slots=True)
class Likert:
    kind: ClassVar[str] = "likert"
    experiment: Survey
    claims: tuple[Claim, ...]

    def to_dict(self) -> dict[str, Any]:
        return {"n": self.experiment.n, "scores": [claim.to_dict() for claim in self.claims]}

    def with_claims(self, claims: Iterable[Claim]) -> Likert:
        return replace(self, claims=tuple(claims))


@dataclass(frozen=True, slots=True)
class Sum:
    total: int

    def to_dict(self) -> dict[str, Any]:
        return {"total": self.total}


class LikertKind(Kind[Likert, Sum]):
    name = "likert"

    def experiment(self, settings: Mapping[str, Any]) -> Survey:
        return Survey(int(settings["n"]))

    def posed(self, experiment: Survey, scores: Mapping[str, Any], how: Conventions) -> Likert:
        return Likert(experiment, tuple(report(RATING, text, **how.stated) for text in scores.values()))

    def read(self, statement: Mapping[str, Any]) -> Likert:
        claims = tuple(claim_from_dict(entry, kind="likert") for entry in statement["scores"])
        return Likert(Survey(statement["n"]), claims)

    def read_witness(self, document: Mapping[str, Any]) -> Sum:
        return Sum(document["total"])

    def decide(self, problem: Likert, *, deadline: Any, seed: int) -> Decision[Sum]:
        n = problem.experiment.n
        low = max([n, *(ceil(claim.low * n) for claim in problem.claims)])
        high = min([5 * n, *(floor(claim.high * n) for claim in problem.claims)])
        return Decision(Sum(low)) if low <= high else Decision(proof={"kind": "granularity"})

    def holds(self, problem: Likert, witness: Sum) -> bool:
        n = problem.experiment.n
        mean = Fraction(witness.total, n)
        return n <= witness.total <= 5 * n and all(claim.low <= mean <= claim.high for claim in problem.claims)

    def subject(self, problem: Likert) -> str:
        return f"{problem.experiment.n} answers from 1 to 5"


def check_likert(statement: Mapping[str, Any], proof: Mapping[str, Any], rules: Any, patience: Any) -> Any:
    known_keys("the proof", proof, "kind")
    require(proof["kind"] == "granularity" and statement["n"] > 0, "unknown proof")
    spans = [
        interval(entry["text"], entry.get("rounding"), entry.get("eps"), most=None) for entry in statement["scores"]
    ]
    for total in range(statement["n"], 5 * statement["n"] + 1):
        mean = Fraction(total, statement["n"])
        require(not all(low <= mean <= high for low, high in spans), f"a sum of {total} fits")
    return lambda: f"Proved: no {statement['n']} answers have such a mean."


# ------------------------------------------------------------------------------------------------------------- the tests
@pytest.fixture(autouse=True)
def likert() -> Iterator[None]:
    kinds.add_kind(LikertKind())
    CHECKERS["likert"] = Checker(frozenset({"n", "scores"}), check_likert)
    declare("likert", Register()).admit(RATING)
    yield
    del CHECKERS["likert"]
    kinds.remove_kind("likert")


def test_it_is_asked_and_verified() -> None:
    possible, wrong = (sp.check(Survey(10), {"rating": text}, rounding="nearest") for text in ("3.30", "3.27"))
    assert (possible.verdict, str(possible.witness)) == ("consistent", "Sum(total=33)")
    assert wrong.verdict == "inconsistent"
    certificate = json.loads(json.dumps(wrong.certificate))
    assert str(sp.verify(certificate)) == "Proved: no 10 answers have such a mean."
    assert not sp.verify({**certificate, "statement": {**certificate["statement"], "n": 11}})
    assert not sp.verify({**certificate, "kind": "binary"})
    for answer in (possible, wrong):
        assert sp.Answer.from_dict(json.loads(answer.to_json())) == answer
        assert pickle.loads(pickle.dumps(answer.problem)) == answer.problem
        assert "10 answers from 1 to 5" in str(answer)
        assert str(answer.verdict) in answer._repr_html_()


def test_it_is_explained() -> None:
    said = sp.check(Survey(10), {"rating": "3.27"}, rounding="nearest").explain()
    assert said.conflicts[0].scores == (RATING.name,)
    assert sp.verify(said.conflicts[0].certificate or {})
    assert "3.20" in {change.repaired for repair in said.repairs for change in repair.changes}
    assert said.headline == "rating 3.27 alone cannot come from 10 answers from 1 to 5"
    assert type(said).from_dict(json.loads(said.to_json())) == said


def test_it_has_audited_rows_and_an_article_in_the_report() -> None:
    paper = {
        "title": "A survey",
        "options": {"rounding": "nearest"},
        "experiments": {"survey": {"tree": {"type": "likert", "n": 10}}},
        "tables": [
            {"grid": [["Item", "Mean rating"], ["Clear", "3.30"], ["Useful", "3.27"]], "experiment": "survey"},
        ],
    }
    result = sp.audit(paper)
    assert [(row.label, str(row.outcome)) for row in result.rows()] == [
        ("Clear", "consistent"),
        ("Useful", "inconsistent"),
    ]
    wrong = result.rows()[1]
    assert sp.verify(wrong.readings[0].certificate or {})
    assert wrong.explanation is not None
    assert sp.AuditResult.from_dict(json.loads(result.to_json())) == result
    page = to_html(result)
    assert "10 answers from 1 to 5" in page
    assert "Save certificate" in page
    assert "Mean rating 3.27 alone cannot come from" in page
    assert "Useful" in to_text(result)
