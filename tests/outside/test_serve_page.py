"""The local page in a real browser: files dropped, text pasted, cells changed, reports taken away."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select

import scoreproof as sp
from outside.report_browser import HANGING, background, chrome, emulate, only
from outside.served import Served, serving
from outside.table_formats import html_table, print_pdf, write
from scoreproof.pages.audit_view import audit_view

AXE = Path(sys.prefix) / "axe-core" / "package" / "axe.min.js"
PHONE = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
GRID = [
    ["Method", "Accuracy", "Sensitivity", "Specificity"],
    ["Forest", "0.9033", "0.5263", "0.9580"],
    ["Ours", "0.9633", "0.9211", "0.9885"],
]


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    with serving() as served:
        yield served


@pytest.fixture(scope="module")
def browser(server: Served, tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    page = chrome(tmp_path_factory.mktemp("browser"))
    page.get(server.address)
    yield page
    page.quit()


@pytest.fixture
def page(browser: webdriver.Chrome, server: Served, tmp_path: Path) -> webdriver.Chrome:
    browser.get(f"http://{server.place}/")
    browser.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)})
    emulate(browser)
    return browser


def until(found: Callable[[], Any], seconds: float = HANGING) -> Any:
    """What is found, once there is something."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if value := found():
                return value
        except Exception as error:  # the page changes while it is looked at
            if "stale" not in str(error):
                raise
        time.sleep(0.1)
    raise AssertionError("nothing came")


def outcomes(page: webdriver.Chrome) -> list[str]:
    return [button.text.split()[-1] for button in page.find_elements(By.CSS_SELECTOR, "td.outcome button")]


def shows(page: webdriver.Chrome, *wanted: str) -> None:
    """Wait until the rows have these verdicts."""
    seen: list[list[str]] = []
    until(lambda: seen.append(outcomes(page)) or seen[-1] == list(wanted))


def fill(page: webdriver.Chrome, name: str, text: str) -> None:
    field = only(page, f"#{name}")
    field.clear()
    field.send_keys(text)


def width_on_a_phone(page: webdriver.Chrome) -> int:
    """How wide the page is there; wider than the screen is scrolled sideways, or shown smaller."""
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)
    try:
        return int(page.execute_script("return document.documentElement.scrollWidth"))
    finally:
        page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def serious_faults(page: webdriver.Chrome) -> list[Any]:
    """What axe-core finds to be a serious fault of accessibility."""
    page.execute_cdp_cmd("Runtime.evaluate", {"expression": AXE.read_text(encoding="utf-8")})
    faults = page.execute_async_script(
        "axe.run().then((found) => arguments[0](found.violations.map((v) => [v.id, v.impact, v.nodes[0].html])))"
    )
    return [fault for fault in faults if fault[1] in ("serious", "critical")]


@pytest.mark.parametrize("kind", ["csv", "latex", "word", "excel", "pdf"])
def test_a_dropped_file_is_read_and_judged_while_one_types(page: webdriver.Chrome, tmp_path: Path, kind: str) -> None:
    file = (
        print_pdf(
            f"<style>table {{ border-collapse: collapse }} td, th {{ border: 1px solid; padding: 4px 12px }}</style>{html_table(GRID)}",
            tmp_path,
        )
        if kind == "pdf"
        else write(GRID, kind, tmp_path)
    )
    only(page, "#file").send_keys(str(file))
    until(lambda: len(outcomes(page)) == 2)
    fill(page, "p", "38")
    fill(page, "n", "262")
    shows(page, "consistent", "inconsistent")
    assert "1 of 2" in only(page, "#verdict").text


def test_paste_edit_and_say_what_a_column_is(page: webdriver.Chrome) -> None:
    text = "\n".join(",".join(row) for row in GRID).replace("Specificity", "Quality") + "\n"
    paste(page, text)
    until(lambda: outcomes(page))
    fill(page, "p", "38")
    fill(page, "n", "262")
    shows(page, "consistent", "consistent")
    Select(page.find_elements(By.CSS_SELECTOR, "#grid thead select")[3]).select_by_value("spec")
    shows(page, "consistent", "inconsistent")
    wrong = only(page, "input[aria-label='row 2, Quality']")
    wrong.clear()
    wrong.send_keys("0.9695")
    shows(page, "consistent", "consistent")
    fill(page, "n", "263")
    shows(page, "question", "inconsistent")  # half precision would save the first


PAPER = """# Data

The test set has 1,143 images, of which 300 are melanomas.

Table 1. Results.

| Method | Acc | Sens | Spec |
|---|---|---|---|
| A | 0.9003 | 0.8000 | 0.9359 |
| B | 0.9123 | 0.8000 | 0.9359 |
"""


def test_sizes_of_the_text_are_assumed_with_one_click_and_accuse_nobody(page: webdriver.Chrome, tmp_path: Path) -> None:
    file = tmp_path / "paper.md"
    file.write_text(PAPER, encoding="utf-8")
    only(page, "#file").send_keys(str(file))
    shows(page, "consistent", "consistent")  # of unknown classes; B is impossible only for the sizes of the text
    said = only(page, "#proposals").text
    assert "the test set is the 300 melanomas and 843 not melanomas of section 'Data'" in said
    assert "The test set has 1,143 images, of which 300 are melanomas." in said
    only(page, "#assume").click()
    shows(page, "consistent", "question")
    alone = sp.audit(file, explain=False, strength=False)
    assert [str(row.outcome) for row in alone.rows()] == outcomes(page)
    assert only(page, "#verdict").text == audit_view(alone).headline
    assert only(page, "#assumed").text.startswith("Assumed, not known: the test set is the 300 melanomas")
    assert "question" in only(page, "#verdict").get_attribute("class")
    until(lambda: "If the test set is the 300 melanomas" in page.find_elements(By.CSS_SELECTOR, "td.why")[1].text)
    assert serious_faults(page) == []
    assert width_on_a_phone(page) <= PHONE["width"]
    only(page, "#firm").click()  # somebody stands for them
    shows(page, "consistent", "inconsistent")
    assert not only(page, "#assumed").is_displayed()


def test_queries_and_runs_of_the_text_are_assumed_with_one_click(page: webdriver.Chrome, tmp_path: Path) -> None:
    said = "We use 50 queries, each with one relevant document."
    table = (
        "| Model | MRR | Hits@1 |\n|---|---|---|\n| A | 0.600 | 0.500 |\n| B | 0.601 | 0.513 |\n| C | 0.642 | 0.580 |"
    )
    file = tmp_path / "search.md"
    file.write_text(f"# Data\n\n{said}\n\nTable 1. Results.\n\n{table}\n", encoding="utf-8")
    only(page, "#file").send_keys(str(file))
    until(lambda: "the queries are the 50 of" in only(page, "#proposals").text)
    only(page, "#assume").click()
    shows(page, "consistent", "question", "consistent")
    sizes = "The test set has 1,143 images, of which 300 are melanomas. Means over five random seeds are given."
    table = "| Model | Acc | Sens | Spec |\n|---|---|---|---|\n| A | 0.9050 | 0.8073 | 0.9398 |"
    file.write_text(f"# Data\n\n{sizes}\n\nTable 1. Results.\n\n{table}\n", encoding="utf-8")
    only(page, "#file").send_keys(str(file))
    until(lambda: "in one run or as a mean of 5" in only(page, "#proposals").text)


def test_sizes_are_assumed_of_the_rows_that_they_are_of(page: webdriver.Chrome, tmp_path: Path) -> None:
    said = "The ISIC test set has 600 images, of which 117 are melanomas. PH2 was used, too."
    table = "| Data set | Acc | Sens | Spec |\n|---|---|---|---|\n| ISIC | 0.885 | 0.744 | 0.919 |\n| PH2 | 0.915 | 0.925 | 0.913 |"
    file = tmp_path / "skin.md"
    file.write_text(f"# Data\n\n{said}\n\nTable 1. Results.\n\n{table}\n", encoding="utf-8")
    only(page, "#file").send_keys(str(file))
    until(lambda: "The ISIC test set has 600 images" in only(page, "#proposals").text)
    only(page, "#assume").click()
    shows(page, "consistent", "consistent")
    until(lambda: not only(page, "#assume").is_displayed())
    assert "the 117 melanomas" in only(page, "#assumed").text
    fill(page, "p", "117")  # somebody says it of the whole table, the text of ISIC alone
    fill(page, "n", "483")
    shows(page, "consistent", "question")
    assert "The ISIC test set has 600 images" in only(page, "#other-sizes").text


def paste(page: webdriver.Chrome, text: str) -> None:
    page.execute_script(
        "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input'))", only(page, "#paste"), text
    )


def sizes(page: webdriver.Chrome) -> list[str]:
    return [str(only(page, f"#{name}").get_attribute("value")) for name in ("p", "n", "total", "folds")]


@pytest.mark.parametrize("how", ["file", "paste", "example"])
def test_every_file_table_and_example_is_a_new_sheet(page: webdriver.Chrome, tmp_path: Path, how: str) -> None:
    """Sizes, rounding, claims and a report of the last sheet say nothing of the next one."""
    only(page, "#example").click()
    shows(page, "consistent", "consistent", "inconsistent")
    Select(only(page, "#rounding")).select_by_value("floor")
    for name, text in (("best", "Ours"), ("by", "acc")):
        only(page, f"#claim-fields input[name={name}]").send_keys(text)
    only(page, "#claim button").click()
    until(lambda: "Ours" in only(page, "#claims").text)
    only(page, "#report").click()
    until(lambda: only(page, "#downloads").is_displayed(), 60)
    honest = [GRID[0], ["A", "0.8000", "0.8667", "0.7333"], ["B", "0.8667", "0.9333", "0.8000"]]  # of 15 and 15
    if how == "file":
        only(page, "#file").send_keys(str(write(honest, "csv", tmp_path)))
        shows(page, "consistent", "consistent")
    elif how == "paste":
        paste(page, "\n".join(",".join(row) for row in honest) + "\n")
        shows(page, "consistent", "consistent")
    else:
        fill(page, "n", "300")
        shows(page, "question", "question", "question")  # the example's text says otherwise
        only(page, "#example").click()
        shows(page, "consistent", "consistent", "inconsistent")
    assert sizes(page) == (["38", "262", "", ""] if how == "example" else [""] * 4)
    assert only(page, "#rounding").get_attribute("value") == "any"
    assert len(page.find_elements(By.CSS_SELECTOR, "#tables button")) == 1
    assert "Ours" not in only(page, "#claims").text
    assert not only(page, "#downloads").is_displayed()
    assert only(page, "#report-status").text == ""


def test_nothing_of_the_last_sheet_stays_under_an_error(page: webdriver.Chrome, tmp_path: Path) -> None:
    file = tmp_path / "empty.md"
    file.write_text("No table here.\n", encoding="utf-8")
    only(page, "#example").click()
    shows(page, "consistent", "consistent", "inconsistent")
    only(page, "#file").send_keys(str(file))
    until(lambda: "no table" in only(page, "#status").text)
    assert not only(page, "#work").is_displayed()
    only(page, "#example").click()
    shows(page, "consistent", "consistent", "inconsistent")
    paste(page, "nothing\nlike a table\n")
    until(lambda: "no table" in only(page, "#status").text)
    assert not only(page, "#work").is_displayed()
    good = write(GRID, "csv", tmp_path)
    only(page, "#file").send_keys(f"{good}\n{file}")  # of two files that come together each is told of
    shows(page, "consistent", "consistent")
    assert only(page, "#paste").get_attribute("value") == ""
    until(lambda: "no table" in only(page, "#status").text and good.name in only(page, "#status").text)


TWO_SETS = """# Melanomas

Table 1. Results on the internal test set (90 melanomas and 210 nevi).

| Method | Sensitivity | Specificity | Accuracy |
|---|---|---|---|
| A | 0.8000 | 0.9048 | 0.8733 |
| B | 0.8667 | 0.9571 | 0.9300 |

Table 2. Results on the external test set (41 melanomas and 119 nevi).

| Method | Sensitivity | Specificity | Accuracy |
|---|---|---|---|
| A | 0.7317 | 0.8487 | 0.8188 |
| B | 0.8537 | 0.9244 | 0.9062 |
"""


def test_sizes_typed_at_a_table_are_of_this_table(page: webdriver.Chrome, tmp_path: Path) -> None:
    file = tmp_path / "two.md"
    file.write_text(TWO_SETS, encoding="utf-8")
    only(page, "#file").send_keys(str(file))
    shows(page, "consistent", "consistent")
    fill(page, "p", "90")
    fill(page, "n", "210")
    shows(page, "consistent", "consistent")
    page.find_elements(By.CSS_SELECTOR, "#tables button")[1].click()
    until(lambda: sizes(page) == [""] * 4)
    shows(page, "consistent", "consistent")
    fill(page, "p", "nonsense")  # an error here is none of the other table
    until(lambda: not outcomes(page))
    page.find_elements(By.CSS_SELECTOR, "#tables button")[0].click()
    shows(page, "consistent", "consistent")
    assert sizes(page) == ["90", "210", "", ""]
    page.find_elements(By.CSS_SELECTOR, "#tables button")[1].click()
    fill(page, "p", "41")
    fill(page, "n", "119")
    shows(page, "consistent", "consistent")
    only(page, "#report").click()
    until(lambda: only(page, "#downloads").is_displayed(), 60)
    assert "inconsistent" not in only(page, "#report-status").text


def test_sizes_that_the_caption_denies_are_said_before_a_verdict(page: webdriver.Chrome, tmp_path: Path) -> None:
    file = tmp_path / "two.md"
    file.write_text(TWO_SETS, encoding="utf-8")
    only(page, "#file").send_keys(str(file))
    shows(page, "consistent", "consistent")
    page.find_elements(By.CSS_SELECTOR, "#tables button")[1].click()
    until(lambda: "external" in only(page, "#caption").text)
    fill(page, "p", "90")  # those of Table 1
    fill(page, "n", "210")
    shows(page, "question", "question")
    told = only(page, "#other-sizes")
    assert "the caption says 'Results on the external test set (41 melanomas and 119 nevi).'" in told.text
    assert told.location["y"] < only(page, "#verdict").location["y"]
    assert serious_faults(page) == []
    assert width_on_a_phone(page) <= PHONE["width"]
    fill(page, "p", "41")
    fill(page, "n", "119")
    shows(page, "consistent", "consistent")
    until(lambda: told.text == "")


def test_a_specification_of_one_experiment_is_changed_at_one_table(page: webdriver.Chrome, tmp_path: Path) -> None:
    """Both tables name the experiment; what is typed, or stood for, at one of them leaves the other as it was."""
    grid = [["Method", "Sens", "Spec", "Acc"], ["A", "0.8000", "0.9048", "0.8733"]]
    tables = [{"name": name, "grid": grid, "experiment": name} for name in ("test", "cross")]
    experiments = {"test": {"dataset": "data"}, "cross": {"dataset": "data"}}
    spec = {"datasets": {"data": {"p": 90, "n": 210}}, "experiments": experiments, "tables": tables}
    (tmp_path / "paper.yaml").write_text(json.dumps(spec, indent=1), encoding="utf-8")
    only(page, "#file").send_keys(str(tmp_path / "paper.yaml"))
    shows(page, "consistent")
    fill(page, "n", "211")
    shows(page, "inconsistent")
    page.find_elements(By.CSS_SELECTOR, "#tables button")[1].click()
    shows(page, "consistent")
    assert sizes(page) == ["90", "210", "", ""]


def test_the_text_is_right_about_one_table(page: webdriver.Chrome, tmp_path: Path) -> None:
    file = tmp_path / "paper.md"
    file.write_text(f"{PAPER}\nTable 2. Elsewhere.\n\n{PAPER.partition('Results.')[2]}", encoding="utf-8")
    only(page, "#file").send_keys(str(file))
    shows(page, "consistent", "consistent")
    only(page, "#assume").click()
    shows(page, "consistent", "question")
    only(page, "#firm").click()
    shows(page, "consistent", "inconsistent")
    page.find_elements(By.CSS_SELECTOR, "#tables button")[1].click()
    shows(page, "consistent", "question")


def test_the_example_a_row_and_the_report(page: webdriver.Chrome, tmp_path: Path) -> None:
    only(page, "#example").click()
    shows(page, "consistent", "consistent", "inconsistent")
    page.find_elements(By.CSS_SELECTOR, "td.outcome button")[2].click()
    until(lambda: only(page, "#row-page").is_displayed())
    page.switch_to.frame(only(page, "#row-page"))
    assert "0.9695" in until(lambda: only(page, "article").text)
    page.switch_to.default_content()
    only(page, "#row-close").click()
    only(page, "#report").click()
    until(lambda: only(page, "#downloads").is_displayed())
    for link in page.find_elements(By.CSS_SELECTOR, "#downloads a[download]"):
        link.click()
    files = ("report.html", "report.tex", "report.txt", "report.json", "certificates.zip", "paper.scoreproof.yaml")
    until(lambda: all((tmp_path / name).exists() for name in files))
    assert json.loads((tmp_path / "report.json").read_text())["verdict"] == "inconsistent"
    again = sp.audit(tmp_path / "paper.scoreproof.yaml", explain=False, strength=False)
    assert [str(row.outcome) for row in again.rows()] == ["consistent", "consistent", "inconsistent"]
    only(page, "#file").send_keys(str(tmp_path / "paper.scoreproof.yaml"))  # and on from the specification
    shows(page, "consistent", "consistent", "inconsistent")
    assert only(page, "#p").get_attribute("value") == "38"


def test_a_certificate_is_rechecked(page: webdriver.Chrome, tmp_path: Path) -> None:
    certificate = sp.check(sp.TestSet(p=38, n=262), {"acc": "0.9633", "sens": "0.9211", "spec": "0.9885"}).certificate
    assert certificate is not None
    for name, text in (("good", json.dumps(certificate)), ("bad", json.dumps(certificate).replace("262", "261"))):
        (tmp_path / f"{name}.json").write_text(text)
        only(page, "#file").send_keys(str(tmp_path / f"{name}.json"))
        said = until(lambda name=name: f"{name}.json:" in only(page, "#status").text and only(page, "#status").text)
        assert said.startswith("✓" if name == "good" else "✗")


def test_claims(page: webdriver.Chrome) -> None:
    only(page, "#example").click()
    shows(page, "consistent", "consistent", "inconsistent")
    Select(only(page, "#claim-kind")).select_by_value("signed_rank")
    for name, text in (("k", "5"), ("p", "0.03"), ("method", "exact"), ("sides", "two")):
        only(page, f"#claim-fields input[name={name}]").send_keys(text)
    only(page, "#claim button").click()
    assert "impossible" in until(lambda: only(page, "#claims").text)
    only(page, "#claims button").click()
    until(lambda: "impossible" not in only(page, "#claims").text)


def test_a_long_report_is_cancelled(page: webdriver.Chrome) -> None:
    rows = "".join(f"{k},0.91{k:02}7,0.7351,0.6911\n" for k in range(40))
    paste(page, f"Method,Acc,F1,MCC\n{rows}")
    until(lambda: outcomes(page))
    for name, text in (("p", "5040"), ("n", "20160"), ("folds", "10")):
        fill(page, name, text)
    only(page, "#report").click()
    until(lambda: only(page, "#cancel").is_displayed()) and only(page, "#cancel").click()
    until(lambda: "cancelled" in only(page, "#report-status").text)
    assert only(page, "#report").is_enabled()


@pytest.mark.parametrize("dark", [False, True])
def test_no_serious_accessibility_fault(page: webdriver.Chrome, dark: bool) -> None:
    emulate(page, dark=dark)
    only(page, "#example").click()
    shows(page, "consistent", "consistent", "inconsistent")
    assert (background(page) == "rgb(20, 23, 27)") is dark
    assert serious_faults(page) == []


def test_a_phone_shows_it_without_scrolling_sideways(page: webdriver.Chrome) -> None:
    only(page, "#example").click()
    shows(page, "consistent", "consistent", "inconsistent")
    assert width_on_a_phone(page) <= PHONE["width"]


def test_nothing_was_refused_by_the_policy(browser: webdriver.Chrome) -> None:
    said = [entry["message"] for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]
    assert [words for words in said if "Content Security Policy" in words or "Uncaught" in words] == []
