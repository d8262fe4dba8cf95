"""Imports point one way, from the later steps of the story to the earlier ones; importing is cheap."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import scoreproof

ROOT = Path(scoreproof.__file__).parent
LAYERS = [
    ("errors", "_version", "latex", "notebook", "word_table"),
    ("jsonable",),
    ("results",),
    ("delimited", "figures", "validation", "work"),
    ("arrays",),
    ("quantities",),
    ("reported",),
    ("kinds",),
    ("verifier",),
    ("asking",),
    ("reconstruction",),
    ("reinterpretation",),
    ("statistics",),
    ("metrics", "sota"),
    ("catalog", "documents"),
    ("explanation", "detectability"),
    ("audits",),
    ("pages",),
    ("__init__",),
    ("cli",),
    ("__main__",),
]
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}


def layer(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def for_types_only(tree: ast.AST) -> set[ast.AST]:
    """What stands under ``if TYPE_CHECKING``: names for annotations, imported by nobody at run time."""
    blocks = [node for node in ast.walk(tree) if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)]
    return {inner for block in blocks for inner in ast.walk(block)}


def imported(path: Path) -> set[str]:
    """The top-level layers a module imports from the package.

    Follow-up questions on a result (``result.explain()``) load the later step by name when they are asked.
    """
    found = set()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    typing_only = for_types_only(tree)
    for node in ast.walk(tree):
        if node in typing_only:
            continue
        names = []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = (
                [node.module] if node.module != "scoreproof" else [f"scoreproof.{alias.name}" for alias in node.names]
            )
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            if name.startswith("scoreproof."):
                part = name.split(".")[1]
                found.add(part if part in LEVEL else "__init__")
    return found


@pytest.mark.parametrize("path", sorted(ROOT.rglob("*.py")), ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_one_way(path: Path) -> None:
    here = layer(path)
    assert here in LEVEL, f"{here} is not in the list of layers"
    for other in imported(path):
        assert other == here or LEVEL[other] < LEVEL[here], f"{here} must not import {other}"


def test_the_verifier_stands_alone() -> None:
    for path in (ROOT / "verifier").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("scoreproof"):
                assert node.module.startswith("scoreproof.verifier"), f"{path.name} imports {node.module}"


def test_pages_ask_no_engine() -> None:
    """What is drawn or said was computed before: pages get data and make texts and coordinates of them."""
    deciding = ("scoreproof.kinds.binary.engine", "scoreproof.asking.check", "scoreproof.explanation")
    for path in (ROOT / "pages").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                assert not node.module.startswith(deciding), f"{path.name} imports {node.module}"


def test_templates_are_loaded_when_a_page_is_written() -> None:
    script = "import sys, scoreproof.cli.sota_answers, scoreproof.pages; print('jinja2' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "False"


def test_importing_the_package_loads_nothing_heavy() -> None:
    script = "import sys, scoreproof; print(' '.join(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    heavy = {"numpy", "scipy", "matplotlib", "pandas", "rich", "typer", "pydantic", "lxml", "yaml", "jinja2"}
    assert not heavy & set(loaded)


def test_files_stay_readable() -> None:
    for path in ROOT.rglob("*.py"):
        assert len(path.read_text(encoding="utf-8").splitlines()) <= 400, f"{path.name} wants splitting"
