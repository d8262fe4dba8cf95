"""Proofs re-checked by the reader's own browser: in a report from disk, and on the page that does nothing else."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from benchmarks.proof_corpus.__main__ import rare
from benchmarks.proof_corpus.long_proofs import staircase
from selenium import webdriver
from selenium.webdriver.common.by import By
from verify.js.build import parts, sources

import scoreproof as sp
from outside.report_browser import HANGING, chrome, only
from scoreproof.pages.audit_view import Shelf
from scoreproof.pages.writer import needed, packed_verifier
from scoreproof_verify.frame import CHECKERS

SPECIFICATION = {
    "datasets": {"cases": {"p": 38, "n": 262}},
    "experiments": {"test": {"dataset": "cases"}},
    "tables": [
        {
            "grid": [["Method", "Acc", "Sens", "Spec"], ["A", "0.9633", "0.9211", "0.9885"]],
            "experiment": "test",
        },
        {"grid": [["Fold", "Acc"], ["Fold 1", "0.80"], ["Fold 2", "0.82"], ["Average", "0.90"]]},
    ],
}
LARGEST = 60_000  # bytes that a report may grow by


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    browser = chrome(tmp_path_factory.mktemp("browser"))
    yield browser
    browser.quit()


def until(found: Callable[[], Any]) -> Any:
    end = time.monotonic() + HANGING
    while time.monotonic() < end:
        if value := found():
            return value
        time.sleep(0.05)
    raise AssertionError("nothing came")


def said(page: webdriver.Chrome, place: int) -> str:
    """What is said once the proof of a button is checked."""
    button = page.find_elements(By.CSS_SELECTOR, "button.check")[place]
    page.execute_script("arguments[0].click()", button)
    shown = 'return [...arguments[0].parentElement.querySelectorAll(".checked")].map((one) => one.textContent).join()'
    return str(until(lambda: re.match("[✓✗]", words := page.execute_script(shown, button)) and words))


def test_a_report_from_disk_checks_its_own_proofs(page: webdriver.Chrome, tmp_path: Path) -> None:
    result = sp.audit(SPECIFICATION, explain=False, strength=False)
    (tmp_path / "report.html").write_text(sp.pages.to_html(result), encoding="utf-8")
    page.get((tmp_path / "report.html").as_uri())
    held = [
        json.loads(one.get_attribute("textContent"))
        for one in page.find_elements(By.CSS_SELECTOR, "script.certificate")
    ]
    assert [one["kind"] for one in held] == ["binary", "average"]
    words = [said(page, place) for place in range(2)]
    assert sorted(words) == sorted(f"✓ {sp.verify(one)}" for one in held)
    page.execute_script(
        "for (const one of document.querySelectorAll('script.certificate')) one.textContent = one.textContent.replace('262', '261')"
    )
    assert {said(page, place)[0] for place in range(2)} == {"✓", "✗"}
    severe = [entry["message"] for entry in page.get_log("browser") if entry["level"] == "SEVERE"]
    assert severe == []


def test_the_page_that_only_verifies(page: webdriver.Chrome, tmp_path: Path) -> None:
    certificate = sp.check(sp.TestSet(38, 262), {"acc": "0.9633", "sens": "0.9211", "spec": "0.9885"}).certificate
    assert certificate is not None
    (tmp_path / "verify.html").write_text(sp.pages.verify_page(), encoding="utf-8")
    (tmp_path / "good.json").write_text(json.dumps(certificate))
    (tmp_path / "bad.json").write_text(json.dumps(certificate).replace("262", "261"))
    (tmp_path / "none.json").write_text("{}")
    page.get((tmp_path / "verify.html").as_uri())
    only(page, "#certificates").send_keys(
        "\n".join(str(tmp_path / name) for name in ("good.json", "bad.json", "none.json"))
    )
    lines = until(
        lambda: len(found := page.find_elements(By.CSS_SELECTOR, "#verdicts li.yes, #verdicts li.no")) == 3 and found
    )
    verdicts = {line.text.split()[1]: line.text for line in lines}
    assert verdicts["good.json:"] == f"✓ good.json: {sp.verify(certificate)}"
    assert verdicts["bad.json:"] == "✗ bad.json: Not proved: it was altered after it was made (digest)."
    assert verdicts["none.json:"].startswith("✗ none.json: It could not be read")


def test_a_long_proof_does_not_freeze_the_page(page: webdriver.Chrome, tmp_path: Path) -> None:
    (tmp_path / "verify.html").write_text(sp.pages.verify_page(), encoding="utf-8")
    (tmp_path / "long.json").write_text(json.dumps(staircase(100_000)))
    page.get((tmp_path / "verify.html").as_uri())
    page.execute_script("""
        window.ticks = 0;
        const list = document.getElementById("verdicts");
        const tick = () => {
          if (list.querySelector("li.yes, li.no")) return;
          if (list.textContent.includes("checking")) window.ticks += 1;
          setTimeout(tick, 1);
        };
        tick();
    """)
    only(page, "#certificates").send_keys(str(tmp_path / "long.json"))
    line = until(lambda: page.find_elements(By.CSS_SELECTOR, "#verdicts li.yes, #verdicts li.no"))
    assert "long.json: Proved: no confusion matrix with 100000 positives" in line[0].text
    assert page.execute_script("return window.ticks") >= 10  # on the page itself the proof would leave it none


MEANS = ("totals", "columns", "moments")
TOGETHER = [
    *((kind, *MEANS) for kind in sorted(CHECKERS)),
    (
        "binary",
        "totals",
        "columns",
        "unknown_classes",
        "one_test_set",
        "printed_matrix",
        "average",
        "relation",
        "order",
    ),
    ("binary", "unknown_classes", "multi_class", "printed_classes", "average", "order", "common_average"),
    (
        "multi_class",
        "multi_label",
        "printed_classes",
        "printed_shares",
        "unknown_counts",
        "average",
        "relation",
        "order",
    ),
    (
        "regression",
        "shared_variance",
        "ranking",
        "detection",
        "value_spread",
        "mean_ranks",
        "average",
        "relation",
        "order",
    ),
]


@pytest.mark.parametrize("kinds", TOGETHER, ids=lambda kinds: kinds[0])
def test_a_report_grows_by_little(kinds: tuple[str, ...]) -> None:
    """What a page carries knows its kinds, and is short."""
    carried = [sources()[file] for file in needed(kinds)]
    assert all(any(f"S.kinds.{kind} = " in text for text in carried) for kind in kinds if kind not in MEANS)
    script = files("scoreproof.pages").joinpath("checking.js").read_bytes()
    assert len(packed_verifier(kinds)) + len(script) <= LARGEST


def test_a_page_carries_the_proofs_of_its_certificates_only() -> None:
    shelf = Shelf()
    for case in rare():
        if case["proof"]["kind"] in ("rectangles", "cases", "columns"):
            shelf.keep(case, f"{len(shelf.kept)}.json", "")
    assert {"binary", "rectangles", "cases", "columns"} <= shelf.kinds
    alone = needed(["binary", "rectangles"])
    assert "40-one-matrix.js" in alone
    assert not {"46-totals.js", "49-column-rows.js", "50-large.js", "51-moments.js"} & {*alone}
    assert "46-totals.js" in needed(["binary", "totals"])
    assert {"47-judge.js", "49-column-rows.js"} <= {*needed(["binary", "columns"])}


def test_the_shortened_verifier_is_of_these_sources() -> None:
    """Every sentence of every file is in its line; 'make verifier' writes them again."""
    lines = files("scoreproof.pages").joinpath("verifier.min.js").read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(sources())
    assert json.loads(
        files("scoreproof.pages").joinpath("verifier.parts.json").read_text(encoding="utf-8")
    ) == json.loads(json.dumps(parts()))
    for line, (name, text) in zip(lines, sources().items(), strict=True):
        code = re.sub(r"^\s*//.*$", "", text, flags=re.MULTILINE)
        sentences = re.findall(r'[(,] ?"([a-z][a-z0-9 ]{11,})"[,)]', code)
        assert [one for one in sentences if one not in line] == [], f"{name}: run 'make verifier'"
