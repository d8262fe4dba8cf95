"""Names: no public function hides a package, what is public says so, and everything the README shows resolves."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import scoreproof as sp

README = Path(sp.__file__).parents[2] / "README.md"


@pytest.mark.parametrize("name", [name for name in sp.__all__ if name != "__version__"])
def test_a_public_name_resolves_and_says_that_it_is_ours(name: str) -> None:
    value = getattr(sp, name)
    assert name in dir(sp)
    module = getattr(value, "__module__", None)
    assert module in (None, "scoreproof", "types", "typing", "builtins"), f"sp.{name} says it is of {module}"


def test_nothing_but_public_names_is_listed() -> None:
    assert dir(sp) == sorted(sp.__all__)


def test_no_function_hides_a_package() -> None:
    script = (
        "import importlib, pkgutil, sys, types, scoreproof as sp\n"
        "for name in sp.__all__: getattr(sp, name)\n"
        "for info in pkgutil.walk_packages(sp.__path__, 'scoreproof.'):\n"
        "    if not info.ispkg: continue\n"
        "    importlib.import_module(info.name)\n"
        "    parent, _, own = info.name.rpartition('.')\n"
        "    if not isinstance(getattr(sys.modules[parent], own), types.ModuleType): print(info.name)\n"
    )
    hidden = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    assert hidden == []


def test_everything_the_readme_shows_resolves() -> None:
    shown = set(re.findall(r"\bsp\.(\w+)", README.read_text(encoding="utf-8")))
    assert shown
    assert [name for name in sorted(shown) if not hasattr(sp, name)] == []


# The two pillars beside the proof house use the field's words for their own results.
BESIDE = {"Entry", "Power", "Regression", "Rule"}


def test_a_class_name_has_one_meaning() -> None:
    """Two classes of one name are told apart by nobody."""
    homes: dict[str, list[str]] = {}
    root = Path(sp.__file__).parent
    for path in root.rglob("*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_") and node.name not in BESIDE:
                homes.setdefault(node.name, []).append(str(path.relative_to(root)))
    assert {name: places for name, places in homes.items() if len(places) > 1} == {}


def test_packages_are_importable_by_their_names() -> None:
    for info in pkgutil.iter_modules(sp.__path__):
        if info.ispkg:
            assert importlib.import_module(f"scoreproof.{info.name}").__doc__
