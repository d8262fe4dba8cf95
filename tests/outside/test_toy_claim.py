"""A new claim in one function and one line, and everything the house makes of its signature.

The printed shares of all groups add up to 100 % within the rounding of each.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator, Sequence
from typing import Annotated

import pytest
from typer.testing import CliRunner

import scoreproof as sp
import scoreproof.cli.claim
from scoreproof import claims
from scoreproof.claims.recheck import Recheck, RoundingWord, Standing
from scoreproof.cli.app import app
from scoreproof.papers.specification import schema
from scoreproof.reported import report
from scoreproof.serve.application import offered
from scoreproof.validation import Doc

assert scoreproof.cli.claim


def shares(
    values: Annotated[Sequence[str], Doc("The printed shares of all groups.")],
    *,
    open_ended: Annotated[bool, Doc("Some groups are not listed.")] = False,
    rounding: RoundingWord = "any",
) -> Recheck:
    """Re-check that shares of all groups add up.

    >>> shares(["0.50", "0.60"]).verdict
    <Standing.IMPOSSIBLE: 'impossible'>
    """
    read = [report("acc", value, rounding=rounding) for value in values]
    low, high = sum(share.low for share in read), sum(share.high for share in read)
    fits = low <= 1 and (open_ended or high >= 1)
    verdict = Standing.POSSIBLE if fits else Standing.IMPOSSIBLE
    return Recheck(f"shares {', '.join(values)}", verdict, f"they add up to {float(low):g} to {float(high):g}", "sum")


@pytest.fixture(autouse=True)
def declared(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The function in a module of ``scoreproof.claims``, and its line in ``CLAIMS``."""
    module = types.ModuleType("scoreproof.claims.toy")
    module.shares = shares  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "scoreproof.claims.toy", module)
    monkeypatch.setitem(claims.CLAIMS, "shares", "toy")
    yield
    vars(claims).pop("shares", None)


def test_the_command() -> None:
    refuted = CliRunner().invoke(app, ["claim", "shares", "0.50", "0.60"])
    assert refuted.exit_code == 1, refuted.output
    assert refuted.output.startswith("impossible\n  shares 0.50, 0.60: they add up to")
    assert CliRunner().invoke(app, ["claim", "shares", "0.30", "0.40", "--open-ended"]).exit_code == 0
    shown = CliRunner().invoke(app, ["claim", "shares", "--help"], env={"COLUMNS": "100"}).output
    assert "Re-check that shares of all groups add up." in shown
    assert "Some groups are not listed." in shown
    assert "shares " in CliRunner().invoke(app, ["claim", "--help"]).output


def paper(**claim: object) -> dict[str, object]:
    return {
        "datasets": {"cases": {"p": 10, "n": 10}},
        "experiments": {"test": {"dataset": "cases"}},
        "tables": [{"experiment": "test", "grid": [["Method", "Acc"], ["A", "0.95"]]}],
        "claims": [{"claim": "shares", **claim}],
    }


def test_a_specification() -> None:
    (found,) = sp.audit(paper(values=["0.50", "0.60"], where="page 3"), explain=False, strength=False).claims
    assert found.holds is False
    assert found.text == "shares 0.50, 0.60 (page 3)"
    (open_ended,) = sp.audit(paper(values="0.30, 0.40", open_ended="yes"), explain=False, strength=False).claims
    assert open_ended.holds is None
    with pytest.raises(sp.ScoreproofError, match=r"claims.1: shares: expected some of open_ended, rounding, values"):
        sp.audit(paper(vlaues=["0.50"]))


def test_the_schema_and_the_form_of_the_page() -> None:
    forms = schema()["$defs"]["ClaimModel"]["anyOf"]
    (own,) = (form for form in forms if form["properties"].get("claim") == {"const": "shares"})
    assert own["properties"]["open_ended"]["description"] == "Some groups are not listed."
    fields = offered()["claims"]["shares"]
    assert [field["name"] for field in fields] == ["values", "open_ended", "rounding"]
    assert fields[2]["default"] == "any"
