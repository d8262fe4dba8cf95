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
from selenium import webdriver
from selenium.webdriver.common.by import By

import scoreproof as sp
from outside.report_browser import chrome, only
from scoreproof.pages.verifier_script import needed, packed_verifier, sources
from scoreproof.verifier.frame import CHECKERS

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
    end = time.monotonic() + 30
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


@pytest.mark.parametrize("kind", sorted(CHECKERS))
def test_a_report_grows_by_little(kind: str) -> None:
    """What a page carries knows its kind, and is short."""
    assert any(f"S.kinds.{kind} = " in sources()[file] for file in needed([kind]))
    script = files("scoreproof.pages").joinpath("checking.js").read_bytes()
    assert len(packed_verifier([kind])) + len(script) <= LARGEST


def test_the_shortened_verifier_is_of_these_sources() -> None:
    """Every sentence of every file is in its line; 'make verifier' writes them again."""
    lines = files("scoreproof.pages").joinpath("verifier.min.js").read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(sources())
    for line, (name, text) in zip(lines, sources().items(), strict=True):
        code = re.sub(r"^\s*//.*$", "", text, flags=re.MULTILINE)
        sentences = re.findall(r'[(,] ?"([a-z][a-z0-9 ]{11,})"[,)]', code)
        assert [one for one in sentences if one not in line] == [], f"{name}: run 'make verifier'"
