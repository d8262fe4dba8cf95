"""The proofs on the HTML page: beside what they prove, complete, and accepted by the verifier."""

from __future__ import annotations

import json
from dataclasses import replace

import lxml.html
import pytest
import report_fixtures
from lxml.html import HtmlElement

import scoreproof as sp
from scoreproof.kinds.order import said_best
from scoreproof.pages import to_html
from scoreproof.papers.result import AuditResult, ClaimResult


def text(found: HtmlElement) -> str:
    return " ".join(" ".join(found.itertext()).split())


def test_a_check_inside_a_table_has_its_proof() -> None:
    table = report_fixtures.simple(report_fixtures.RAINIO[1:], 300, 300)
    folds = ["0.80", "0.82"]
    checks = tuple(report_fixtures.average("acc", folds, printed, 2) for printed in ("0.90", "0.81", "0.70"))
    page = lxml.html.document_fromstring(to_html(AuditResult("", "", (replace(table, checks=checks),))))
    (card,) = page.xpath("//article")
    assert text(card.xpath("./h3")[0]) == "Mean acc: 0.90 does not fit: the printed rows give 0.8000 to 0.8200."
    files = ["certificate-finding-1.json", "certificate-finding-1-2.json"]
    assert card.xpath(".//button[@class='save']/@data-file") == files, "two averages of one row, each with its proof"
    assert page.xpath("//script[@class='certificate']/@data-file") == files
    for block in page.xpath("//script[@class='certificate']"):
        proved = sp.verify(json.loads(block.text))
        assert proved
        assert "no 2 values of acc that print as the rows" in str(proved)


def test_a_refuted_claim_has_its_proof() -> None:
    said = {name: sp.ask(said_best(name, "acc", {"A": "0.80", "B": "0.90"})) for name in "AB"}
    claims = tuple(
        ClaimResult(f"{name} is best", answer.verdict is sp.Verdict.CONSISTENT, "by acc", answer)
        for name, answer in said.items()
    )
    page = lxml.html.document_fromstring(to_html(AuditResult("", "", (), claims)))
    (card,) = page.xpath("//article")
    assert card.xpath(".//button[@class='save']/@data-file") == ["certificate-finding-1.json"]
    assert page.xpath("//section[@id='claims']//button") == []
    (block,) = page.xpath("//script[@class='certificate']")
    assert sp.verify(json.loads(block.text))


def test_embedded_certificates_are_the_proofs() -> None:
    page = lxml.html.document_fromstring(to_html(report_fixtures.example()))
    blocks = page.xpath("//script[@class='certificate']")
    files = [one.get("data-file") for one in blocks]
    assert len(files) == len(set(files)) == page.xpath("count(//button[@class='save'])") == 8
    for one in blocks:
        assert sp.verify(json.loads(one.text))
    assert "scoreproof verify certificate-finding-1.json" in text(page.get_element_by_id("recheck"))


def test_proofs_too_large_for_the_page_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scoreproof.pages.audit_view._MOST_BYTES", 3000)
    found = lxml.html.document_fromstring(to_html(report_fixtures.example()))
    kept = len(found.xpath("//script[@class='certificate']"))
    assert 0 < kept < 8
    assert f"{8 - kept} proofs are too large for this page" in text(found.get_element_by_id("recheck"))
