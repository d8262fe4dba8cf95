"""A real Chromium for the tests of pages, and what they ask of it."""

from __future__ import annotations

import base64
import io
import time
from pathlib import Path
from typing import Any

import pdfplumber
import pytest
from benchmarks import browser
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By

HANGING = 240.0  # seconds after which whatever was waited for never comes, on the busiest machine
CONTRAST = """
const parse = (text) => text.match(/[\\d.]+/g).map(Number);
const bright = (c) => c.slice(0, 3).map((v) => v / 255).map((v) => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
  .reduce((sum, v, k) => sum + v * [.2126, .7152, .0722][k], 0);
const behind = (one) => {
  for (; one; one = one.parentElement) {
    const c = parse(getComputedStyle(one).backgroundColor);
    if (c.length < 4 || c[3] > 0) return c;
  }
  return [255, 255, 255];
};
const low = [];
for (const one of document.querySelectorAll("p, li, dt, dd, h1, h2, h3, h4, td, th, em, a, button, .sign, small, figcaption")) {
  if (!one.textContent.trim() || !one.checkVisibility()) continue;
  const [a, b] = [bright(parse(getComputedStyle(one).color)), bright(behind(one))];
  const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
  if (ratio < 4.5) low.push([one.tagName, one.className, one.textContent.slice(0, 30), ratio]);
}
return low;
"""


def chrome(folder: Path) -> webdriver.Chrome:
    found = browser.chrome(folder)
    if found is None:
        pytest.fail("chromium and chromedriver are needed to test the report: run tools/browser.sh", pytrace=False)
    return found


def only(page: webdriver.Chrome, selector: str) -> Any:
    return page.find_element(By.CSS_SELECTOR, selector)


def emulate(page: webdriver.Chrome, *, media: str = "screen", dark: bool = False) -> None:
    feature = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media, "features": [feature]})


def background(page: webdriver.Chrome) -> str:
    return page.execute_script("return getComputedStyle(document.body).backgroundColor")


def printed(page: webdriver.Chrome) -> Any:
    made = page.execute_cdp_cmd("Page.printToPDF", {"paperWidth": 8.27, "paperHeight": 11.69})
    return pdfplumber.open(io.BytesIO(base64.b64decode(made["data"])))


def saved(page: webdriver.Chrome, button: Any, folder: Path) -> Path:
    """The file that a button saves."""
    page.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)})
    ActionChains(page).scroll_to_element(button).click(button).perform()
    file = folder / button.get_attribute("data-file")
    until = time.monotonic() + HANGING
    while not file.exists() and time.monotonic() < until:
        time.sleep(0.05)
    return file
