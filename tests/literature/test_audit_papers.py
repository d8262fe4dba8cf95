"""Papers audited whole: the shipped examples, and documented examples of mlscorecheck 1.0.3 on our catalogue."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import scoreproof as sp
from scoreproof.papers.auditing import audit
from scoreproof.papers.result import AuditResult, Outcome

PAPERS = Path(__file__).parents[2] / "examples" / "papers"


def verdicts(result: AuditResult) -> dict[str, str]:
    return {row.label: str(row.outcome) for row in result.tables[0].rows}


def one_row(scores: dict[str, str], dataset: dict[str, Any], **experiment: Any) -> Any:
    spec = {
        "datasets": {"known": dataset},
        "experiments": {"stated": {"dataset": "known", **experiment}},
        "options": {"eps": "0.0001"},
        "tables": [{"experiment": "stated", "grid": [["Method", *scores], ["X", *scores.values()]]}],
    }
    (row,) = audit(spec, explain=False, strength=False).rows()
    return row


def test_shifted_columns_are_found_and_explained() -> None:
    """Rainio, Teuho & Klén 2024, Table 4: the F1, kappa and MCC of InceptionV3 stand one column to the left."""
    result = audit(PAPERS / "rainio2024.scoreproof.yaml", strength=False, jobs=1)
    assert verdicts(result) == {"U-Net": "consistent", "InceptionV3": "inconsistent"}
    wrong = result.tables[0].rows[1]
    assert wrong.cells[5].raw == "0.463"
    assert wrong.cells[5].place == (2, 6)
    assert wrong.explanation is not None
    assert "shifted" in wrong.explanation.summary
    beside = [check for check in result.tables[1].checks if check.verdict == "inconsistent"]
    assert all(sp.verify(check.certificate or {}) for check in beside)
    assert [check.what for check in beside] == ["f1 of InceptionV3", "mcc of InceptionV3"]
    assert "0.73736" in beside[0].words
    assert {row.outcome for row in result.tables[2].rows} == {Outcome.CONSISTENT}  # its numbers belong together
    assert [cell.score for cell in result.tables[0].rows[0].cells][-1] == "auc"
    assert result.tables[0].untested == ()
    assert result.verdict == "inconsistent"


def test_claims_of_the_paper() -> None:
    """Its McNemar tests: the sensitivities differ whatever the overlap, the specificities only by Table 3."""
    spec = (PAPERS / "rainio2024.scoreproof.yaml").read_text(encoding="utf-8")
    result = audit(spec.replace("file: ", f"file: {PAPERS}/"), explain=False, strength=False)
    assert [claim.holds for claim in result.claims] == [True, True, True, True]
    assert "p is 5.06e-05" in result.claims[0].words
    assert "p is 0.0205" in result.claims[1].words
    assert str(result.claims[2].recheck and result.claims[2].recheck.verdict) == "certain"
    without = re.sub(r", (paired: \[\[[^}]*\]|discordant: \[[^]]*)\]", "", spec).replace("file: ", f"file: {PAPERS}/")
    result = audit(without, explain=False, strength=False)
    assert [claim.holds for claim in result.claims] == [True, None, None, True]
    assert "5.82e-11 and 0.00128" in result.claims[0].words


def test_oversampling_before_the_split() -> None:
    """Fazekas & Kovács 2024, section 5.2: no five folds of (38, 262) give the scores, five of (244, 262) do."""
    result = audit(PAPERS / "ehg2017.scoreproof.yaml", strength=False)
    (row,) = result.rows()
    assert row.outcome is Outcome.INCONSISTENT
    assert len(row.readings) == 3
    assert all(sp.verify(dict(one.certificate or {})) for one in row.readings)
    assert row.explanation is not None
    # What is proved of one reading is said of that reading.
    assert row.explanation.reading == row.readings[0].label
    assert row.explanation.summary.startswith(f"Read as {row.readings[0].label}: sens 0.9139 alone cannot come from")
    (own,) = [tried for tried in row.explanation.hypotheses if "raised to 244 before the data" in tried.label]
    assert own.answer == "fits"


def test_the_evaluated_pixels_are_identified() -> None:
    result = audit(PAPERS / "vessels.scoreproof.yaml", explain=False, strength=False)
    a, b, c = result.tables[0].rows
    assert all("field of view" in label for label in a.fitting())
    assert all("all pixels" in label for label in b.fitting())
    assert len(a.fitting()) == len(b.fitting()) == 2
    assert c.outcome is Outcome.INCONSISTENT
    assert result.tables[0].fits_all == ()
    assert [claim.holds for claim in result.claims] == [True, False]


def test_drive_image_01() -> None:
    scores = {"acc": "0.9633", "sens": "0.7406", "spec": "0.9849"}
    row = one_row(scores, {"catalog": "DRIVE", "items": ["01"], "axes": {"annotator": "1"}})
    found = {one.label: str(one.verdict) for one in row.readings}
    assert [verdict for label, verdict in found.items() if "field of view" in label] == ["inconsistent"]
    assert [verdict for label, verdict in found.items() if "all pixels" in label] == ["consistent"]
    assert row.outcome is Outcome.CONSISTENT


def test_drive_test_set() -> None:
    scores = {"acc": "0.9494", "sens": "0.7450", "spec": "0.9793"}
    row = one_row(scores, {"catalog": "drive", "axes": {"annotator": "1"}})
    assert len(row.readings) == 4
    assert {("field of view" in one.label, str(one.verdict)) for one in row.readings} == {
        (True, "consistent"),
        (False, "inconsistent"),
    }


def test_isic_2016() -> None:
    row = one_row({"acc": "0.7916", "sens": "0.2933", "spec": "0.9145"}, {"catalog": "isic2016"})
    assert row.outcome is Outcome.CONSISTENT


@pytest.mark.parametrize(("stratified", "readings"), [("unknown", 3), (True, 2), (False, 2)])
def test_tpehg(stratified: Any, readings: int) -> None:
    scores = {"acc": "0.9447", "sens": "0.9139", "spec": "0.9733"}
    row = one_row(scores, {"catalog": "tpehg"}, folds=5, stratified=stratified)
    assert row.outcome is Outcome.INCONSISTENT
    assert len(row.readings) == readings
