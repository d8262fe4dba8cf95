"""The local page in a real browser: papers dropped, sentences put on tables, cells changed, reports taken away."""

from __future__ import annotations

import json
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

import scoreproof as sp
from outside.page_steps import (
    PHONE,
    cards,
    choose,
    drop,
    faults,
    fill,
    outcomes,
    put,
    shows,
    until,
    width_on_a_phone,
)
from outside.report_browser import background, emulate, only
from outside.served import Served
from outside.table_formats import write
from scoreproof.pages.audit_view import audit_view

PAPERS = Path(__file__).parents[1] / "data" / "papers"
GRID = [
    ["Method", "Accuracy", "Sensitivity", "Specificity"],
    ["Forest", "0.9033", "0.5263", "0.9580"],
    ["Ours", "0.9633", "0.9211", "0.9885"],
]


def paste(page: webdriver.Chrome, text: str) -> None:
    fill(page, "paste", text)


def sizes(page: webdriver.Chrome) -> list[str]:
    return [str(only(page, f"#{name}").get_attribute("value")) for name in ("p", "n", "total", "folds")]


def saved(tmp_path: Path, name: str, text: str) -> Path:
    (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path / name


def press(page: webdriver.Chrome, words: str, within: str = "#readings") -> None:
    until(
        lambda: (
            next(b for b in page.find_elements(By.CSS_SELECTOR, f"{within} button") if b.text == words).click() or True
        )
    )


def example(page: webdriver.Chrome) -> None:
    page.execute_script("document.getElementById('example').click()")  # which may be folded


def test_paste_edit_and_say_what_a_column_is(page: webdriver.Chrome) -> None:
    paste(page, "\n".join(",".join(row) for row in GRID).replace("Specificity", "Quality") + "\n")
    until(lambda: outcomes(page))
    fill(page, "p", "38")
    fill(page, "n", "262")
    shows(page, "consistent", "consistent")
    Select(page.find_elements(By.CSS_SELECTOR, "#grid thead select")[3]).select_by_value("spec")
    shows(page, "consistent", "inconsistent")
    red = [cell.text for cell in page.find_elements(By.CSS_SELECTOR, "#grid td.inconsistent")]
    assert len(red) == 3  # of the row that is wrong, those of the conflict
    wrong = only(page, "input[aria-label='row 2, Quality']")
    wrong.clear()
    wrong.send_keys("0.9695")
    shows(page, "consistent", "consistent")
    assert cards(page) == []
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


def test_what_the_text_says_is_assumed_accuses_nobody_and_is_confirmed_or_not(
    page: webdriver.Chrome, tmp_path: Path
) -> None:
    more = f"{PAPER}\nTable 2. Elsewhere.\n\n{PAPER.partition('Results.')[2]}"
    file = saved(tmp_path, "paper.md", more)
    drop(page, file)
    shows(page, "consistent", "question")
    alone = sp.audit(file, explain=False, strength=False)
    assert [str(row.outcome) for row in alone.tables[0].rows] == outcomes(page)
    assert only(page, "#verdict").text.startswith(audit_view(alone, told=False).headline)
    assert "question" in only(page, "#verdict").get_attribute("class")
    assert "The test set has 1,143 images, of which 300 are melanomas." in only(page, "#readings").text
    assert "used" in only(page, "#sheets .mark").get_attribute("class")
    said = page.find_elements(By.CSS_SELECTOR, "td.why")[1].text
    assert said.startswith(cards(page)[0].rstrip("."))
    press(page, "This is right", "#cards article")  # somebody stands for it
    shows(page, "consistent", "inconsistent")
    assert "You said" in only(page, "#readings").text
    choose(page, 1)
    shows(page, "consistent", "question")  # of this table nobody said so
    press(page, "Another set")
    shows(page, "consistent", "consistent")
    assert "used" not in only(page, "#sheets .mark").get_attribute("class")
    put(page, "The test set has 1,143 images", 1)
    shows(page, "consistent", "question")


def test_sizes_are_assumed_of_the_rows_that_they_are_of(page: webdriver.Chrome, tmp_path: Path) -> None:
    said = "The ISIC test set has 600 images, of which 117 are melanomas. PH2 was used, too."
    table = "| Data set | Acc | Sens | Spec |\n|---|---|---|---|\n| ISIC | 0.885 | 0.744 | 0.919 |\n| PH2 | 0.915 | 0.925 | 0.913 |"
    drop(page, saved(tmp_path, "skin.md", f"# Data\n\n{said}\n\nTable 1. Results.\n\n{table}\n"))
    shows(page, "consistent", "consistent")
    assert "the 117 melanomas" in only(page, "#readings").text
    fill(page, "p", "117")  # somebody says it of the whole table, the text of ISIC alone
    fill(page, "n", "483")
    shows(page, "consistent", "question")
    assert "The ISIC test set has 600 images" in only(page, "#other-sizes").text
    fill(page, "p", "")
    fill(page, "n", "")  # and nobody says anything any more
    shows(page, "consistent", "consistent")
    assert "the 117 melanomas" in only(page, "#readings").text


def test_every_file_table_and_example_is_a_new_sheet(page: webdriver.Chrome, tmp_path: Path) -> None:
    """Sizes, rounding and claims of the last sheet say nothing of the next one; the address of each is kept."""
    example(page)
    shows(page, "consistent", "consistent", "question")
    fill(page, "p", "38")
    fill(page, "n", "262")
    shows(page, "consistent", "consistent", "inconsistent")
    Select(only(page, "#rounding")).select_by_value("nearest")
    only(page, "#claim-box summary").click()
    for name, text in (("best", "Ours"), ("by", "acc")):
        only(page, f"#claim-fields input[name={name}]").send_keys(text)
    only(page, "#claim button").click()
    until(lambda: "Ours" in only(page, "#claims").text)
    page.refresh()
    shows(page, "consistent", "consistent", "inconsistent")
    assert sizes(page) == ["38", "262", "", ""]
    honest = [GRID[0], ["A", "0.8000", "0.8667", "0.7333"], ["B", "0.8667", "0.9333", "0.8000"]]  # of 15 and 15
    csv = "\n".join(",".join(row) for row in honest) + "\n"
    for begin in (lambda: drop(page, write(honest, "csv", tmp_path)), lambda: paste(page, csv)):
        begin()
        shows(page, "consistent", "consistent")
        assert sizes(page) == [""] * 4
        assert only(page, "#rounding").get_attribute("value") == "any"
        assert len(page.find_elements(By.CSS_SELECTOR, "#tables button")) == 1
        assert "Ours" not in only(page, "#claims").text
    page.back()
    page.back()
    shows(page, "consistent", "consistent", "inconsistent")


def test_nothing_of_the_last_sheet_stays_under_an_error(page: webdriver.Chrome, tmp_path: Path) -> None:
    empty = saved(tmp_path, "empty.md", "No table here.\n")
    drop(page, PAPERS / "sepsis.pdf")
    until(lambda: cards(page))
    drop(page, empty)
    until(lambda: "no table" in only(page, "#status").text)
    assert not only(page, "#work").is_displayed()
    assert cards(page) == []
    good = write(GRID, "csv", tmp_path)
    drop(page, good, empty)  # of two files that come together each is told of
    shows(page, "consistent", "consistent")
    until(lambda: "no table" in only(page, "#status").text and good.name in only(page, "#status").text)
    assert not only(page, "#index").is_displayed()


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


def test_sizes_are_of_one_table_and_a_caption_that_denies_them_turns_yellow(
    page: webdriver.Chrome, tmp_path: Path
) -> None:
    drop(page, saved(tmp_path, "two.md", TWO_SETS))
    shows(page, "consistent", "consistent")
    fill(page, "p", "90")
    fill(page, "n", "210")
    shows(page, "consistent", "consistent")
    choose(page, 1)
    assert sizes(page) == [""] * 4
    shows(page, "consistent", "consistent")
    fill(page, "p", "nonsense")  # an error here is none of the other table
    until(lambda: "nonsense" in only(page, "#verdict").text)
    choose(page, 0)
    shows(page, "consistent", "consistent")
    assert sizes(page) == ["90", "210", "", ""]
    choose(page, 1)
    fill(page, "p", "90")  # those of Table 1
    fill(page, "n", "210")
    shows(page, "question", "question")
    told = only(page, "#other-sizes")
    assert "the caption says 'Results on the external test set (41 melanomas and 119 nevi).'" in told.text
    assert told.location["y"] < only(page, "#grid").location["y"]
    assert "denied" in only(page, "#caption").get_attribute("class")
    assert faults(page) == []
    assert width_on_a_phone(page) <= PHONE["width"]
    fill(page, "p", "41")
    fill(page, "n", "119")
    shows(page, "consistent", "consistent")
    assert told.text == ""
    mark = page.find_elements(By.CSS_SELECTOR, "#sheets .mark")[0]  # the same with the keyboard
    assert "90 melanomas" in mark.text
    mark.send_keys(Keys.ENTER)
    until(lambda: page.switch_to.active_element == page.find_elements(By.CSS_SELECTOR, "#tables button")[0])
    page.execute_script("document.getElementById('p').dispatchEvent(new Event('input'))")  # an answer comes meanwhile
    shows(page, "consistent", "consistent")
    assert page.switch_to.active_element == page.find_elements(By.CSS_SELECTOR, "#tables button")[0]
    assert only(page, "#status").text.startswith("Which table is this sentence about?")
    until(lambda: page.find_elements(By.CSS_SELECTOR, "#tables button")[1].send_keys(Keys.ENTER) or True)
    until(lambda: "the caption says" in only(page, "#other-sizes").text)
    assert only(page, "#status").text == ""
    assert "inconsistent" not in outcomes(page)


def test_what_is_changed_and_left_at_once_is_asked_all_the_same(page: webdriver.Chrome, tmp_path: Path) -> None:
    drop(page, saved(tmp_path, "two.md", TWO_SETS))
    shows(page, "consistent", "consistent")
    page.execute_script("""
        for (const [id, value] of [["p", "90"], ["n", "211"]]) {
            document.getElementById(id).value = value;
            document.getElementById(id).dispatchEvent(new Event("input"));
        }
        document.querySelectorAll("#tables button")[1].click();""")
    until(lambda: cards(page))
    shows(page, "consistent", "consistent")  # of the second table
    assert "Table 1" in only(page, "#cards article .place").text
    choose(page, 0)
    shows(page, "question", "question")  # the caption says otherwise
    page.execute_script("""
        const rounding = document.getElementById("rounding");
        rounding.value = "nearest";
        rounding.dispatchEvent(new Event("input"));
        document.querySelectorAll("#tables button")[1].click();""")
    shows(page, "consistent", "consistent")


def test_a_specification_of_one_experiment_is_changed_at_one_table(page: webdriver.Chrome, tmp_path: Path) -> None:
    """Both tables name the experiment; what is typed, or stood for, at one of them leaves the other as it was."""
    grid = [["Method", "Sens", "Spec", "Acc"], ["A", "0.8000", "0.9048", "0.8733"]]
    tables = [{"name": name, "grid": grid, "experiment": name} for name in ("test", "cross")]
    experiments = {"test": {"dataset": "data"}, "cross": {"dataset": "data"}}
    spec = {"datasets": {"data": {"p": 90, "n": 210}}, "experiments": experiments, "tables": tables}
    drop(page, saved(tmp_path, "paper.yaml", json.dumps(spec, indent=1)))
    shows(page, "consistent")
    fill(page, "n", "211")
    shows(page, "inconsistent")
    choose(page, 1)
    shows(page, "consistent")
    assert sizes(page) == ["90", "210", "", ""]


def test_several_papers_are_listed_worst_first(page: webdriver.Chrome, tmp_path: Path) -> None:
    drop(page, write(GRID[:2], "csv", tmp_path), PAPERS / "sepsis.pdf")
    until(lambda: "sepsis.pdf." in only(page, "#status").text)
    assert only(page, "#title").text == "sepsis", "the worst is open"
    assert len(only(page, "#status").text.splitlines()) == 2, "a line for each"
    lines = [line.text for line in page.find_elements(By.CSS_SELECTOR, "#papers tr")]
    assert "sepsis.pdf question Accuracy 0.865 is not possible with 80 cases" in lines[0]
    assert "consistent" in lines[1]
    only(page, "#papers tr button").click()
    assert only(page, "#title").text == "sepsis"
    shows(page, "consistent", "question")
    assert faults(page) == []


def test_the_report_its_files_and_on_from_the_specification(page: webdriver.Chrome, tmp_path: Path) -> None:
    example(page)
    shows(page, "consistent", "consistent", "question")
    press(page, "This is right")
    shows(page, "consistent", "consistent", "inconsistent")
    press(page, "Check this proof", "#cards")
    assert "Proved" in until(lambda: only(page, "#cards .actions [role=status]").text)
    only(page, "#report").click()
    until(lambda: only(page, "#downloads").is_displayed())
    for link in page.find_elements(By.CSS_SELECTOR, "#downloads a[download]"):
        link.click()
    files = ("report.html", "report.tex", "report.txt", "report.json", "certificates.zip", "paper.scoreproof.yaml")
    until(lambda: all((tmp_path / name).exists() for name in files))
    assert json.loads((tmp_path / "report.json").read_text())["verdict"] == "inconsistent"
    again = sp.audit(tmp_path / "paper.scoreproof.yaml", explain=False, strength=False)
    assert [str(row.outcome) for row in again.rows()] == ["consistent", "consistent", "inconsistent"]
    drop(page, tmp_path / "paper.scoreproof.yaml")
    until(lambda: "paper.scoreproof.yaml" in only(page, "#status").text)
    shows(page, "consistent", "consistent", "inconsistent")
    assert not only(page, "#downloads").is_displayed()
    assert only(page, "#report-status").text == ""


def test_verdicts_stand_beside_what_they_say(page: webdriver.Chrome) -> None:
    """Of a table that is wider than its room the numbers move below both columns; neither hides the other."""
    example(page)
    shows(page, "consistent", "consistent", "question")
    for width in (1100, 1280, 1600):
        metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        try:
            hidden = page.execute_script("""return [...document.querySelectorAll("#grid td.outcome > *, #grid td.why > *")].filter((made) => {
                made.scrollIntoView({ block: "center" });
                const box = made.getBoundingClientRect();
                return [box.left + 2, box.right - 2].some((x) => !made.contains(document.elementFromPoint(x, box.top + 8)));
            }).map((made) => made.textContent)""")
        finally:
            page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        assert hidden == []


def test_a_certificate_is_rechecked(page: webdriver.Chrome, tmp_path: Path) -> None:
    certificate = sp.check(sp.TestSet(p=38, n=262), {"acc": "0.9633", "sens": "0.9211", "spec": "0.9885"}).certificate
    assert certificate is not None
    for name, text in (("good", json.dumps(certificate)), ("bad", json.dumps(certificate).replace("262", "261"))):
        drop(page, saved(tmp_path, f"{name}.json", text))
        said = until(lambda name=name: f"{name}.json:" in only(page, "#status").text and only(page, "#status").text)
        assert said.startswith("✓" if name == "good" else "✗")


def test_claims_and_a_long_report_that_is_cancelled(page: webdriver.Chrome) -> None:
    rows = "".join(f"{k},0.91{k:02}7,0.7351,0.6911\n" for k in range(40))
    paste(page, f"Method,Acc,F1,MCC\n{rows}")
    until(lambda: outcomes(page))
    only(page, "#claim-box summary").click()
    Select(only(page, "#claim-kind")).select_by_value("signed_rank")
    for name, text in (("k", "5"), ("p", "0.03"), ("method", "exact"), ("sides", "two")):
        only(page, f"#claim-fields input[name={name}]").send_keys(text)
    only(page, "#claim button").click()
    until(lambda: ": inconsistent." in only(page, "#claims").text)
    assert cards(page)
    only(page, "#claims button").click()
    until(lambda: only(page, "#claims").text == "")
    assert cards(page) == []
    for name, text in (("p", "5040"), ("n", "20160"), ("folds", "10")):
        fill(page, name, text)
    only(page, "#report").click()
    until(lambda: only(page, "#cancel").is_displayed()) and only(page, "#cancel").click()
    until(lambda: only(page, "#report-status").text == "Cancelled.")
    assert only(page, "#report").is_enabled()


def test_reading_shows_how_far_it_is_and_is_cancelled(page: webdriver.Chrome, tmp_path: Path) -> None:
    page.execute_script("""window.said = [];
        const changed = { childList: true, subtree: true, attributes: true, characterData: true };
        new MutationObserver(() => said.push(document.getElementById("status").textContent)).observe(document.body, changed);""")
    drop(page, PAPERS / "hospitals.pdf")
    until(lambda: "hospitals.pdf." in only(page, "#status").text)
    said = page.execute_script("return said")
    # what comes in one piece is seen once
    assert any(words.startswith("hospitals.pdf: ") and words.endswith(("pages read", "rows checked")) for words in said)
    page.execute_script("""const bar = document.getElementById("reading");
        const stop = () => bar.hidden || document.getElementById("stop").click();
        new MutationObserver(stop).observe(bar, { attributes: true });""")
    drop(page, PAPERS / "hospitals.pdf")
    until(lambda: only(page, "#status").text == "Cancelled.")
    assert not only(page, "#reading").is_displayed()
    assert not only(page, "#work").is_displayed()


def test_no_accessibility_fault_in_the_light_in_the_dark_and_on_a_phone(page: webdriver.Chrome) -> None:
    assert faults(page) == []
    drop(page, PAPERS / "sepsis.pdf")
    shows(page, "consistent", "question")
    title, card = only(page, "#title"), only(page, "#cards article")
    assert 0 < card.location["y"] - title.location["y"] - title.size["height"] < 60  # the first thing below the title
    until(lambda: page.execute_script("return document.querySelector('.page img').naturalWidth > 500"))
    for dark in (False, True):
        emulate(page, dark=dark)
        assert (background(page) == "rgb(20, 23, 27)") is dark
        assert faults(page) == []
    assert width_on_a_phone(page) <= PHONE["width"]


def test_nothing_was_refused_by_the_policy(page_browser: webdriver.Chrome, page_server: Served) -> None:
    said = [entry["message"] for entry in page_browser.get_log("browser") if entry["level"] == "SEVERE"]
    assert [words for words in said if "Content Security Policy" in words or "Uncaught" in words] == []
