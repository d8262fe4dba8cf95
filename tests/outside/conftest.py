"""One server and one browser for all tests of the local page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver

from outside.report_browser import chrome, emulate
from outside.served import Served, serving


@pytest.fixture(scope="session")
def page_server() -> Iterator[Served]:
    with serving() as served:
        yield served


@pytest.fixture(scope="session")
def page_browser(page_server: Served, tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    opened = chrome(tmp_path_factory.mktemp("browser"))
    opened.get(page_server.address)
    yield opened
    opened.quit()


@pytest.fixture
def page(page_browser: webdriver.Chrome, page_server: Served, tmp_path: Path) -> webdriver.Chrome:
    """The page with nothing on it."""
    page_browser.get(f"http://{page_server.place}/")
    page_browser.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)})
    emulate(page_browser)
    return page_browser
