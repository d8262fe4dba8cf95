"""The documentation is whole: every page in the navigation, every link leads somewhere, every name, kind and command has its place."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

import scoreproof as sp
from outside.documented import DOCS, LINK, ROOT, anchors, blocks, in_navigation, pages, prose, read
from scoreproof.cli.app import _COMMANDS
from scoreproof.kinds import kind_names

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
AT_THE_ROOT = [
    ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "CODE_OF_CONDUCT.md")
]


def test_every_page_is_in_the_navigation() -> None:
    lost = set(pages()) - in_navigation() - {DOCS / "index.md"}
    assert sorted(str(page.relative_to(DOCS)) for page in lost) == []


def test_the_navigation_names_no_page_that_is_not_there() -> None:
    assert [str(page) for page in sorted(in_navigation()) if not page.exists() and page.parent.name != "commands"] == []


@pytest.mark.parametrize("page", [*pages(), *AT_THE_ROOT], ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for found in LINK.finditer(prose(page)):
        target, _, anchor = found["target"].partition("#")
        if re.match(r"[a-z]+:", target):
            continue
        file = (page.parent / target).resolve() if target else page
        made = file.parent == DOCS / "commands" and file.stem in _COMMANDS
        assert made or file.exists(), f"{found[0]}: there is no {target}"
        assert not anchor or made or anchor in anchors(file), (
            f"{found[0]}: {target or page.name} has no heading #{anchor}"
        )


def test_every_kind_has_a_page_with_theorem_proof_certificate_and_limits() -> None:
    for name in kind_names():
        page = DOCS / "kinds" / f"{name}.md"
        assert re.findall(r"^## (.*)$", read(page), re.M) == ["Theorem", "Proof", "Certificate", "Limits"], page
        assert [block.language for block in blocks(page)] == [f"{{refuted}} {name}"], page
    assert {page.stem for page in (DOCS / "kinds").glob("*.md")} == {*kind_names(), "index"}


def test_every_command_has_an_example() -> None:
    examples = tomllib.loads((DOCS / "commands" / "examples.toml").read_text(encoding="utf-8"))
    wait_for_somebody = {"serve", "mcp"}
    assert set(_COMMANDS) - {name.split()[0] for name in examples} == wait_for_somebody
    assert {name.split()[0] for name in examples} <= set(_COMMANDS)


def test_every_public_name_is_in_the_reference() -> None:
    texts = [read(page) for page in (DOCS / "reference").glob("*.md")]
    shown = {name for text in texts for name in re.findall(r"^\.\. auto\w+:: (?:scoreproof\.)?(\w+)$", text, re.M)}
    assert set(sp.__all__) - shown == set()


def test_the_start_page_names_every_extra() -> None:
    listed = set(re.findall(r"^\| `(\w+)` \|", read(DOCS / "start.md"), re.M))
    assert listed | {"test", "bench", "docs"} == set(PROJECT["optional-dependencies"])


def test_the_gallery_begins_with_files_and_every_picture_has_words() -> None:
    cases = [page for page in (DOCS / "gallery").glob("*.md") if page.stem != "index"]
    assert len(cases) >= 15
    for page in cases:
        files = re.findall(r"\{download\}`[^<`]*<([^>]+)>`", read(page))
        assert files, f"{page.name}: there is nothing to download"
        assert all((page.parent / file).is_file() for file in files), page.name
        for block in blocks(page):
            if "plt.show()" in block.text:
                assert re.search(r"alt: >-\n      \S.{40}", block.text), f"{block}: a picture without words"
        assert any("plt.show()" in block.text or block.language.startswith("{report}") for block in blocks(page)), (
            page.name
        )


def test_files_of_the_gallery_are_all_used() -> None:
    used = "".join(read(page) for page in pages()) + (DOCS / "commands" / "examples.toml").read_text(encoding="utf-8")
    for file in (DOCS / "gallery").iterdir():
        assert file.suffix == ".md" or file.name in used, f"nothing uses {file.name}"


def test_figures_of_merit_name_their_command_day_and_commit() -> None:
    lines = (DOCS / "merit.jsonl").read_text(encoding="utf-8").splitlines()
    assert lines
    for line in lines:
        run = json.loads(line)
        assert set(run) == {"figure", "tried", "outcome", "command", "date", "commit"}
        assert re.fullmatch(r"python -m benchmarks[\w. -]*( .*)?", run["command"])
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", run["date"])
        assert re.fullmatch(r"[0-9a-f]{8}\+?", run["commit"])
        assert run["tried"] > 0


def test_no_page_loads_anything_from_a_network() -> None:
    for file in (DOCS / "_static").iterdir():
        assert "//" not in re.sub(r"(?m)^\s*//.*$", "", file.read_text(encoding="utf-8")), file.name
    assert "intersphinx" not in (DOCS / "conf.py").read_text(encoding="utf-8")
