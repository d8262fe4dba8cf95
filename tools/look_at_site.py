"""The built site in a real browser, wide, narrow and dark: ``make site`` after ``make docs``.

axe-core must find no serious fault. Every page is opened from its file, so that what it wanted from a network is seen:
requests to other places fail the check, and so do errors of scripts and pages wider than a phone.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from selenium import webdriver

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.browser import chrome  # noqa: E402

SITE = ROOT / "build" / "docs"
VIEWS = {"desktop": (1200, 900, "light"), "phone": (390, 800, "light"), "dark": (1200, 900, "dark")}
GRAVE = {"serious", "critical"}
OWN = ("file:", "data:", "blob:", "about:", "chrome:")


def show(page: webdriver.Chrome, file: Path, view: str) -> None:
    """Open a page in one of the views."""
    width, height, theme = VIEWS[view]
    page.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": view == "phone"},
    )
    feature = {"name": "prefers-color-scheme", "value": theme}
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
    page.get(file.as_uri())
    time.sleep(0.2)


def faults(page: webdriver.Chrome, axe: str, view: str) -> list[str]:
    """What is wrong with the page as it is shown."""
    said = [entry["message"] for entry in page.get_log("browser") if entry["level"] == "SEVERE"]
    said += [f"asks for {address}" for address in asked(page) if not address.startswith(OWN)]
    if view == "phone" and page.execute_script("return document.documentElement.scrollWidth > innerWidth + 1"):
        said.append("wider than the phone")
    page.execute_script(axe)
    found: list[dict[str, Any]] = page.execute_async_script(
        "const done = arguments[0]; axe.run(document, {iframes: false, preload: false, resultTypes: ['violations']})"
        ".then((result) => done(result.violations),"
        " (error) => done([{id: String(error), impact: 'critical', nodes: [{target: ''}]}]));"
    )
    grave = (fault for fault in found if fault["impact"] in GRAVE)
    return [*said, *(f"{fault['id']} ({fault['impact']}): {fault['nodes'][0]['target']}" for fault in grave)]


def asked(page: webdriver.Chrome) -> list[str]:
    """The addresses that were asked for since the last time."""
    messages = [json.loads(entry["message"])["message"] for entry in page.get_log("performance")]
    sent = (message["params"] for message in messages if message["method"] == "Network.requestWillBeSent")
    return [parameters["request"]["url"] for parameters in sent]


def main(names: list[str]) -> int:
    """Look at the named pages, or all; status 1 if something is wrong."""
    axe = (Path(sys.prefix) / "axe-core" / "package" / "axe.min.js").read_text(encoding="utf-8")
    files = [SITE / name for name in names] or sorted(
        file for file in SITE.rglob("*.html") if "reports" not in file.parts and "_static" not in file.parts
    )
    wrong: dict[str, list[str]] = {}
    with tempfile.TemporaryDirectory() as folder:
        page = chrome(Path(folder))
        if page is None:
            sys.exit("there is no Chromium here; sh tools/browser.sh installs it")
        page.set_script_timeout(60)
        for file in files:
            for view in VIEWS:
                show(page, file, view)
                for said in faults(page, axe, view):
                    wrong.setdefault(said, []).append(f"{file.relative_to(SITE)} ({view})")
        page.quit()
    for said, places in wrong.items():
        sys.stdout.write(f"{said}\n    {len(places)} times: {', '.join(places[:4])}\n")
    sys.stdout.write(f"{len(files)} pages in {len(VIEWS)} views: {sum(map(len, wrong.values()))} faults\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
