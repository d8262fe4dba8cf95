"""A real Chromium, for pages that must open and be used."""

from __future__ import annotations

import shutil
from pathlib import Path

from selenium import webdriver

_FLAGS = (
    "--headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync --window-size=1200,900"
)


def chrome(folder: Path) -> webdriver.Chrome | None:
    """A browser whose profile is in a folder; None if there is none on this machine."""
    binary, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if binary is None or driver is None:
        return None
    options = webdriver.ChromeOptions()
    options.binary_location = binary
    for flag in (*_FLAGS.split(), f"--user-data-dir={folder / 'profile'}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
