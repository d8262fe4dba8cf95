"""What somebody does on the local page, and what is seen there."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.webdriver.common.by import By

from outside.report_browser import HANGING, only

AXE = Path(sys.prefix) / "axe-core" / "package" / "axe.min.js"
PHONE = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}


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
        time.sleep(0.05)
    raise AssertionError("nothing came")


def outcomes(page: webdriver.Chrome) -> list[str]:
    """The verdicts on the rows of the table that is shown, once they are up to date."""
    told = "return document.querySelector('#verdict[aria-busy]') ? [] : [...document.querySelectorAll('td.outcome')]"
    return page.execute_script(f"{told}.map((cell) => cell.textContent.replace(/^\\S+ /, ''))")


def shows(page: webdriver.Chrome, *wanted: str) -> None:
    """Wait until the rows have these verdicts."""
    until(lambda: outcomes(page) == list(wanted))


def fill(page: webdriver.Chrome, name: str, text: str) -> None:
    """Type a text, and wait until what it changes is asked."""
    typed = (
        "const f = document.getElementById(arguments[0]); f.value = arguments[1]; f.dispatchEvent(new Event('input'))"
    )
    page.execute_script(typed, name, text)


def drop(page: webdriver.Chrome, *files: Path) -> None:
    only(page, "#file").send_keys("\n".join(map(str, files)))


def put(page: webdriver.Chrome, sentence: str, table: int) -> None:
    """Click a sentence of the paper, then a table."""

    def click() -> bool:
        marks = page.find_elements(By.CSS_SELECTOR, "#sheets .mark")
        mark = next(mark for mark in marks if sentence in (mark.get_attribute("aria-label") or ""))
        next(iter(mark.find_elements(By.CSS_SELECTOR, "span")), mark).click()  # a line, on a page that is a picture
        return True

    until(click)
    choose(page, table)


def choose(page: webdriver.Chrome, table: int) -> None:
    until(lambda: page.find_elements(By.CSS_SELECTOR, "#tables button")[table].click() or True)


def cards(page: webdriver.Chrome) -> list[str]:
    """The headlines of the findings."""
    return [card.text for card in page.find_elements(By.CSS_SELECTOR, "#findings article h3")]


def width_on_a_phone(page: webdriver.Chrome) -> int:
    """How wide the page is there; wider than the screen is scrolled sideways, or shown smaller."""
    page.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", PHONE)
    try:
        return int(page.execute_script("return document.documentElement.scrollWidth"))
    finally:
        page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def faults(page: webdriver.Chrome) -> list[Any]:
    """What axe-core finds to be a fault of accessibility."""
    page.execute_cdp_cmd("Runtime.evaluate", {"expression": AXE.read_text(encoding="utf-8")})
    return page.execute_async_script(
        "axe.run().then((found) => arguments[0](found.violations.map((v) => [v.id, v.impact, v.nodes[0].html])))"
    )
