"""The HTML report in a real Chromium: cards, keys, themes, paper, phone, downloads, and hostile text that stays text."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pytest
import report_fixtures
import report_hostile
from report_browser import CONTRAST, HANGING, background, chrome, emulate, only, printed, saved
from selenium import webdriver
from selenium.common.exceptions import NoAlertPresentException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.wait import WebDriverWait
from typer.testing import CliRunner

import scoreproof as sp
import scoreproof.cli.audit
import scoreproof.cli.check
import scoreproof.cli.compare
import scoreproof.cli.inference
import scoreproof.cli.metrics
import scoreproof.cli.sota
from scoreproof.cli.app import app
from scoreproof.pages import batch_page, to_html


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    found = chrome(tmp_path_factory.mktemp("browser"))
    yield found
    found.quit()


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    (folder / "example.html").write_text(to_html(report_fixtures.example()), encoding="utf-8")
    (folder / "hostile.html").write_text(to_html(report_hostile.hostile()), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def others(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages of the other commands, with text in them that wants to be markup."""
    folder = tmp_path_factory.mktemp("others")
    bad = "<img src=x onerror=alert(1)>"
    (folder / "board.csv").write_text(f"team,score\n{bad},0.95\nB,0.93\nC,0.90\n", encoding="utf-8")
    (folder / "table.csv").write_text(
        f"method,acc,sens,spec\n{bad},0.706,0.43,0.969\nB,0.742,0.602,0.88\n", encoding="utf-8"
    )
    scores = [f"data,{bad},B,C", *(f"d{k},{0.8 + k / 100},{0.7 + k / 90},{0.75 + k / 80}" for k in range(12))]
    (folder / "scores.csv").write_text("\n".join(scores) + "\n", encoding="utf-8")
    (folder / f"{bad.replace('/', '')}.csv").write_text("truth,score\n1,0.9\n1,0.4\n0,0.2\n0,0.6\n", encoding="utf-8")
    for name, *arguments in (
        ("sota", "sota", folder / "board.csv", "--cases", "3000"),
        ("reinterpretation", "reinterpret", folder / "table.csv"),
        ("comparison", "compare", folder / "scores.csv"),
        ("recommendation", "recommend", folder / "scores.csv"),
        ("metrics", "metrics", folder / f"{bad.replace('/', '')}.csv"),
    ):
        done = CliRunner().invoke(app, [*map(str, arguments), "--html", str(folder / f"{name}.html")])
        assert done.exit_code in (0, 1), done.output
    rows = [(bad, "100", "200", text) for text in ("0.95", "0.985", "2.0", "")]
    frame = pa.table(dict(zip(("study", "p", "n", "acc"), map(list, zip(*rows, strict=True)), strict=True)))
    (folder / "batch.html").write_text(batch_page(sp.batch(frame, experiment=sp.TestSet(10, 20))), encoding="utf-8")
    return folder


OTHERS = ["sota", "reinterpretation", "comparison", "recommendation", "metrics", "batch"]


@pytest.mark.parametrize("name", OTHERS)
def test_every_page_is_quiet_narrow_and_safe(browser: webdriver.Chrome, others: Path, name: str) -> None:
    browser.get_log("browser")
    browser.get((others / f"{name}.html").as_uri())
    metrics = {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    try:
        assert browser.execute_script("return document.documentElement.scrollWidth") <= 390
        pictures = "return [...document.images].map((one) => one.complete && one.naturalWidth > 0)"
        assert all(browser.execute_script(pictures))
        assert browser.execute_script("return document.querySelectorAll('th:not([scope])').length") == 0
        handlers = "return [...document.querySelectorAll('*')].flatMap((e) => e.getAttributeNames()).filter((n) => n.startsWith('on'))"
        assert browser.execute_script(handlers) == []
        assert only(browser, "#theme").is_displayed()
        for dark in (False, True):
            emulate(browser, dark=dark)
            assert browser.execute_script(CONTRAST) == []
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})
    assert browser.get_log("browser") == []


AXE = Path(sys.prefix) / "axe-core" / "package" / "axe.min.js"
Opener = Callable[[str], webdriver.Chrome]


@pytest.fixture
def opened(browser: webdriver.Chrome, pages: Path) -> Iterator[Opener]:
    """Open a page afresh, with the logs and every emulation cleared."""

    def open_page(name: str) -> webdriver.Chrome:
        for log in ("browser", "performance"):
            browser.get_log(log)
        browser.get("about:blank")
        browser.get((pages / f"{name}.html").as_uri())
        return browser

    yield open_page
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})


@pytest.mark.parametrize("name", ["example", "hostile"])
def test_opens_quietly_and_asks_the_network_for_nothing(opened: Opener, name: str) -> None:
    page = opened(name)
    ActionChains(page).move_to_element(only(page, "td.c")).perform()
    assert page.get_log("browser") == []
    events = [json.loads(entry["message"])["message"] for entry in page.get_log("performance")]
    sent = [one["params"] for one in events if one["method"] == "Network.requestWillBeSent"]
    # What the browser's own empty tab still loads is none of the page's.
    asked = [one["request"]["url"] for one in sent if not one["documentURL"].startswith("chrome:")]
    assert any(url.endswith(f"{name}.html") for url in asked)
    assert [url for url in asked if not url.startswith(("file:", "data:", "about:"))] == []


def test_hovering_shows_the_card_of_the_cell(opened: Opener) -> None:
    page = opened("example")
    cell = only(page, "#table-1 td.inconsistent:nth-of-type(3)")
    card = only(page, "#card")
    assert not card.is_displayed()
    page.execute_script("arguments[0].scrollIntoView({block: 'center'})", cell)
    ActionChains(page).move_to_element(cell).perform()
    assert card.is_displayed()
    assert "inconsistent · Deep & Thin" in card.text
    assert cell.get_attribute("aria-describedby") == "card"
    box, at = card.rect, cell.rect
    assert box["y"] >= at["y"] + at["height"] or box["y"] + box["height"] <= at["y"], "the card hides its cell"
    ActionChains(page).move_to_element(only(page, "h1")).perform()
    assert not card.is_displayed()


def test_the_keyboard_reaches_cells_cards_and_texts(opened: Opener) -> None:
    page = opened("example")
    box = only(page, "#table-1 .box")
    page.execute_script("arguments[0].focus()", box)
    ActionChains(page).send_keys(Keys.TAB).perform()
    card = only(page, "#card")
    assert "U-Net" in card.text
    assert "Acc (accuracy): 0.9494" in card.text
    ActionChains(page).send_keys(Keys.ARROW_RIGHT).perform()
    assert "Sens (sensitivity): 0.7450" in card.text
    ActionChains(page).send_keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN).perform()
    assert "Deep & Thin" in card.text
    assert "Sens (sensitivity): 0.9450" in card.text
    ActionChains(page).send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT).perform()
    assert "Not tested" in card.text
    ActionChains(page).send_keys(Keys.ESCAPE).perform()
    assert not card.is_displayed()
    ActionChains(page).send_keys(Keys.ARROW_LEFT, Keys.ENTER).perform()
    assert page.execute_script("return document.activeElement.id") == "finding-1"
    assert page.current_url.endswith("#finding-1")


def test_addresses_open_what_is_folded(opened: Opener) -> None:
    page = opened("example")
    text = only(page, "#recheck pre")
    assert not text.is_displayed()
    page.execute_script("location.hash = 'recheck'")
    page.execute_async_script("setTimeout(arguments[0], 100)")
    assert text.is_displayed()


def test_a_point_is_moved_on_the_plane_by_keys_and_by_hand(opened: Opener) -> None:
    page = opened("example")
    figure = only(page, "#finding-3 figure[data-plane]")
    pad, gauges = (figure.find_element(By.CSS_SELECTOR, name) for name in (".pad", ".gauges ul"))
    data = json.loads(figure.get_attribute("data-plane"))
    tp, tn = data["best"]
    assert pad.text == f"tp {tp}, tn {tn:,}"
    assert [line[0] for line in gauges.text.splitlines()].count("✓") == 2, "the nearest point hits two of three scores"
    pad.send_keys(Keys.ARROW_RIGHT, Keys.ARROW_UP)
    assert pad.text == f"tp {tp + 1}, tn {tn + 1:,}"
    value = (tp + 1 + tn + 1) / 7000
    assert f"Acc {value:.5f}, printed 0.6801" in gauges.text
    assert "printed scores are hit" in figure.find_element(By.CSS_SELECTOR, "[role=status]").get_attribute(
        "textContent"
    )
    svg = figure.find_element(By.CSS_SELECTOR, "svg.plane")
    ActionChains(page).scroll_to_element(svg).move_to_element(svg).click_and_hold().move_by_offset(
        60, 40
    ).release().perform()
    moved = pad.text
    assert moved != f"tp {tp + 1}, tn {tn + 1:,}"
    figure.find_element(By.XPATH, ".//button[text()='Nearest point']").click()
    assert pad.text == f"tp {tp}, tn {tn:,}"


def test_the_row_on_the_first_page_of_the_site_can_be_tried(browser: webdriver.Chrome, tmp_path: Path) -> None:
    """The card of the directive ``save-the-row``, as a page without our style sheet shows it."""
    index = (Path(__file__).parents[2] / "docs" / "index.md").read_text(encoding="utf-8")
    values = dict(word.split("=") for word in index.split("{save-the-row}")[1].split("```")[0].split())
    experiment = sp.TestSet(int(values.pop("p")), int(values.pop("n")))
    (finding,) = sp.check(experiment, values).explain(budget=30).findings
    script = (Path(sp.__file__).parent / "pages" / "plane.js").read_text(encoding="utf-8")
    (tmp_path / "index.html").write_text(
        f"<!doctype html>{finding.html(styled=True)}<script>{script}</script>", "utf-8"
    )
    browser.get((tmp_path / "index.html").as_uri())
    pad, gauges = (only(browser, name) for name in (".pad", ".gauges ul"))
    assert [line.strip()[0] for line in gauges.text.splitlines()].count("✓") == len(values) - 1
    before = pad.text
    pad.send_keys(Keys.ARROW_LEFT)
    assert pad.text != before
    ActionChains(browser).drag_and_drop_by_offset(only(browser, "svg.plane .point"), 50, 30).perform()
    assert int(pad.text.split()[1].rstrip(",")) > int(before.split()[1].rstrip(","))


def test_the_text_for_a_review_is_copied_or_shown(opened: Opener) -> None:
    page = opened("example")
    button = only(page, "#finding-1 button.copy")
    page.execute_script("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    button.click()
    shown = only(page, "#finding-1 textarea").get_attribute("value")
    assert shown.startswith("Table 2, Deep & Thin: Acc 0.9494, Sens 0.9450 and Spec 0.9793 cannot stand together.")


def test_axe_finds_nothing(opened: Opener) -> None:
    page = opened("example")
    page.execute_script("document.querySelectorAll('details:not(.long)').forEach((one) => { one.open = true; })")
    page.execute_cdp_cmd("Runtime.evaluate", {"expression": AXE.read_text(encoding="utf-8")})
    run = "axe.run().then((found) => arguments[0](found.violations.map((v) => [v.id, v.impact, v.nodes[0].html])))"
    assert page.execute_async_script(run) == []


def test_unread_cells_say_why(opened: Opener) -> None:
    page = opened("example")
    page.execute_script("window.scrollTo(0, 0)")
    ActionChains(page).scroll_to_element(only(page, "td.unread")).move_to_element(only(page, "td.unread")).perform()
    assert only(page, "#card").text == "Unread: not a number"


def test_light_dark_and_the_toggle(opened: Opener) -> None:
    page = opened("example")
    emulate(page)
    light = background(page)
    emulate(page, dark=True)
    dark = background(page)
    assert light != dark
    button = only(page, "#theme")
    button.click()
    assert (button.text, background(page)) == ("Theme: light", light)
    button.click()
    emulate(page)
    assert (button.text, background(page)) == ("Theme: dark", dark)
    emulate(page, media="print")
    assert background(page) == "rgb(255, 255, 255)"
    button = only(page, "#theme")
    emulate(page)
    button.click()
    assert button.text == "Theme: auto"


@pytest.mark.parametrize("dark", [False, True])
def test_contrast_is_enough_in_both_themes(opened: Opener, dark: bool) -> None:
    page = opened("example")
    emulate(page, dark=dark)
    page.execute_script("document.querySelectorAll('details:not(.long)').forEach((one) => { one.open = true; })")
    assert page.execute_script(CONTRAST) == []


@pytest.mark.parametrize("name", ["example", "hostile"])
@pytest.mark.parametrize("width", [390, 1200])
def test_only_tables_scroll_sideways(opened: Opener, name: str, width: int) -> None:
    page = opened(name)
    metrics = {"width": width, "height": 844, "deviceScaleFactor": 2, "mobile": width < 500}
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    page.execute_script("document.querySelectorAll('details:not(.long)').forEach((one) => { one.open = true; })")
    assert page.execute_script("return document.documentElement.scrollWidth") <= width
    wide = page.execute_script(
        "return [...document.querySelectorAll('main *')].filter((one) => !one.closest('.box, .long, .hidden, svg') && "
        "one.checkVisibility() && one.getBoundingClientRect().right > innerWidth + 1).map((one) => one.outerHTML.slice(0, 90))"
    )
    assert wide == []
    if name == "example" and width == 390:
        assert page.execute_script(
            "const b = document.querySelector('#table-1 .box'); return b.scrollWidth > b.clientWidth"
        )


def test_on_a_phone_the_first_card_needs_no_scrolling(opened: Opener) -> None:
    page = opened("example")
    metrics = {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True}
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    edges = "return [...document.querySelectorAll('.finding, .finding h3, .headline')].map((e) => e.getBoundingClientRect().right)"
    rights = page.execute_script(edges)
    assert len(rights) == 11
    assert max(rights) <= 390
    assert page.execute_script("return document.querySelector('.finding h3').getBoundingClientRect().bottom") < 844
    heights = "return [...document.querySelectorAll('.finding svg text')].map((e) => Math.min(e.getBoundingClientRect().height, e.getBoundingClientRect().width))"
    assert min(page.execute_script(heights)) > 8, "what a picture says can be read"


def test_on_paper_findings_are_whole_and_nothing_sticks(opened: Opener) -> None:
    page = opened("example")
    emulate(page, media="print")
    assert not any(button.is_displayed() for button in page.find_elements(By.TAG_NAME, "button"))
    stuck = "return [...document.querySelectorAll('*')].filter((e) => /sticky|fixed/.test(getComputedStyle(e).position)).length"
    assert page.execute_script(stuck) == 0
    folded = "return [...document.querySelectorAll('details:not([open])')].filter((e) => e.getBoundingClientRect().height).length"
    assert page.execute_script(folded) == 0, "a heading of something folded says nothing on paper"
    breaks = "return [...document.querySelectorAll('article, figure, tr')].map((e) => getComputedStyle(e).breakInside)"
    assert set(page.execute_script(breaks)) == {"avoid"}
    with printed(page) as pdf:
        text = " ".join(" ".join(sheet.extract_text() for sheet in pdf.pages).split())
        assert len(pdf.pages) <= 4
        # The headline of a finding and its figure stand on one sheet.
        (whole,) = [sheet for sheet in pdf.pages if "Table 5, as printed" in sheet.extract_text()]
        assert "Each band holds the confusion matrices" in whole.extract_text()
    assert "Deep & Thin 0.9494✗ 0.9450✗ 0.9793✗" in text
    for words in ("Save certificate", "Assumed when reading", "Try to save the row", "Tried, does not help"):
        assert words not in text, "what is folded stays folded"


ONE_WRONG_CELL = {
    "title": "One wrong cell",
    "datasets": {"cases": {"p": 96, "n": 200}},
    "experiments": {"test": {"dataset": "cases"}},
    "tables": [
        {
            "name": "Table 1",
            "experiment": "test",
            "grid": [
                ["Method", "Acc", "Sens", "Spec", "PPV", "F1"],
                ["CNN", "0.841", "0.771", "0.875", "0.747", "0.759"],
                ["SVM", "0.797", "0.708", "0.840", "0.680", "0.694"],
                ["Ours", "0.895", "0.871", "0.905", "0.816", "0.844"],
                ["Forest", "0.828", "0.740", "0.870", "0.732", "0.736"],
            ],
        }
    ],
}


def test_a_paper_with_one_wrong_cell_fits_two_screens_and_two_sheets(browser: webdriver.Chrome, tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    report.write_text(to_html(sp.audit(ONE_WRONG_CELL, jobs=1, strength=False)), encoding="utf-8")
    assert report.stat().st_size < 80_000
    metrics = {"width": 1280, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    browser.get(report.as_uri())
    assert browser.execute_script("return document.documentElement.scrollHeight") <= 2 * 800
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    with printed(browser) as pdf:
        assert len(pdf.pages) <= 2


def test_saved_certificates_are_proofs(opened: Opener, tmp_path: Path) -> None:
    page = opened("example")
    file = saved(page, only(page, "#finding-3 button.save"), tmp_path)
    assert file.name == "certificate-finding-3.json"
    assert sp.verify(file)
    assert json.loads(file.read_text(encoding="utf-8"))["statement"]["scores"][0]["text"] == "0.6801"
    file = saved(page, only(page, "#finding-5 button.save"), tmp_path)
    assert file.name == "certificate-finding-5.json"
    assert sp.verify(file)


def test_an_average_that_does_not_fit_has_a_proof_to_save(browser: webdriver.Chrome, tmp_path: Path) -> None:
    """From the specification to the file that ``scoreproof verify`` accepts, as a reader goes."""
    (tmp_path / "folds.csv").write_text("Fold,Acc\nFold 1,0.80\nFold 2,0.82\nAverage,0.90\n", encoding="utf-8")
    paper, report = tmp_path / "paper.scoreproof.yaml", tmp_path / "report.html"
    paper.write_text("title: Two folds\ntables: [{file: folds.csv}]\n", encoding="utf-8")
    done = CliRunner().invoke(app, ["audit", str(paper), "--html", str(report)])
    assert done.exit_code == 1, done.output
    browser.get(report.as_uri())
    assert "No row of 3 result rows could be tested; 1 finding." in only(browser, "header .headline").text
    (cell,) = browser.find_elements(By.CSS_SELECTOR, "td.inconsistent[data-n]")
    assert cell.text.startswith("0.90")
    (button,) = browser.find_elements(By.CSS_SELECTOR, "button.save")
    assert button.is_displayed()
    file = saved(browser, button, tmp_path)
    done = CliRunner().invoke(app, ["verify", str(file)])
    assert done.exit_code == 0, done.output
    assert "no 2 values of acc that print as the rows have a mean that prints as 0.90" in " ".join(done.output.split())


def test_hostile_text_stays_text(opened: Opener) -> None:
    page = opened("hostile")
    assert page.title == report_hostile.HOSTILE[0]
    lines = {}
    for kind in ("c", "n"):
        for cell in page.find_elements(By.CSS_SELECTOR, f"td[data-{kind}]"):
            page.execute_script("arguments[0].dispatchEvent(new MouseEvent('mouseover', {bubbles: true}))", cell)
            card = "return [...document.querySelectorAll('#card *')].map((element) => element.tagName)"
            tags = page.execute_script(card)
            assert set(tags) == {"P"}
            lines.setdefault(kind, []).append(len(tags))
    assert len(lines["c"]) == 3 * len(report_hostile.HOSTILE)
    assert min(lines["c"]) > 2
    assert lines["n"] == [1, 1], "an unread cell, and an average held against its rows"
    with pytest.raises(NoAlertPresentException):
        _ = page.switch_to.alert
    assert page.execute_script("return document.querySelectorAll('img, iframe, object, embed, form').length") == 0
    handlers = "return [...document.querySelectorAll('*')].flatMap((e) => e.getAttributeNames()).filter((n) => n.startsWith('on'))"
    assert page.execute_script(handlers) == []
    scripts = page.execute_script(
        "return [...document.scripts].filter((one) => !['application/json', 'text/plain'].includes(one.type)).length"
    )
    assert scripts == 1
    assert page.title == report_hostile.HOSTILE[0]
    long = page.find_elements(By.CSS_SELECTOR, "td details.long")
    assert len(long) == 4
    assert page.execute_script("return arguments[0].querySelector('div').textContent.length", long[0]) == 100_000
    assert long[0].size["height"] < 200


def test_the_policy_stops_what_is_not_the_page(opened: Opener) -> None:
    page = opened("example")
    page.execute_script(
        "const s = document.createElement('script'); s.textContent = 'window.ran = 1'; document.body.append(s);"
        "const d = document.createElement('div'); d.innerHTML = '<img src=x onerror=\"window.ran = 2\">'; document.body.append(d);"
    )
    page.execute_async_script("setTimeout(arguments[0], 100)")
    assert page.execute_script("return window.ran") is None
    assert "Content Security Policy" in " ".join(entry["message"] for entry in page.get_log("browser"))


def test_on_a_touch_screen_a_tap_shows_the_card_inside_the_screen(opened: Opener) -> None:
    page = opened("example")
    page.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True}
    )
    page.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    cell = only(page, "#table-1 td.inconsistent")
    page.execute_script("arguments[0].scrollIntoView({block: 'center'})", cell)
    at = page.execute_script("const r = arguments[0].getBoundingClientRect(); return [r.x + 5, r.y + 5]", cell)
    for kind, points in (("touchStart", [{"x": at[0], "y": at[1]}]), ("touchEnd", [])):
        page.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    page.execute_async_script("setTimeout(arguments[0], 500)")
    page.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
    box = page.execute_script(
        "const r = document.getElementById('card').getBoundingClientRect(); return [r.left, r.right, r.height]"
    )
    assert box[0] >= 0
    assert box[1] <= 390
    assert box[2] > 50
    assert page.current_url.endswith("example.html"), "a tap shows the card and leads nowhere"


def test_the_rows_of_a_long_table_are_found_by_their_words(browser: webdriver.Chrome, tmp_path: Path) -> None:
    path = tmp_path / "long.html"
    path.write_text(to_html(report_fixtures.many(2400, 800)), encoding="utf-8")
    browser.get(path.as_uri())
    status = only(browser, ".search [role=status]")
    only(browser, ".search input").send_keys("inconsistent Method 23")
    WebDriverWait(browser, HANGING).until(lambda _: "match" in status.text)
    rows = [row.text for row in browser.find_elements(By.CSS_SELECTOR, ".search tbody tr")]
    assert status.text == f"{len(rows)} match."
    assert rows
    assert all("23" in row and "inconsistent" in row and "0.6801" in row for row in rows)
    only(browser, ".search input").clear()
    only(browser, ".search input").send_keys("method")
    WebDriverWait(browser, HANGING).until(lambda _: "first 200" in status.text)
    assert status.text == "400 match, the first 200 are shown."
    assert browser.get_log("browser") == []
