"""The tables for those who come from elsewhere name everything that is there, and what they name here exists."""

from __future__ import annotations

import importlib
import pkgutil
import re
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import mlscorecheck
import pytest

import scoreproof as sp
from outside.documented import DOCS, ROOT
from scoreproof.cli.app import _COMMANDS

TABLES: dict[str, list[dict[str, Any]]] = tomllib.loads((DOCS / "migration.toml").read_text(encoding="utf-8"))


def public_names() -> set[str]:
    """What the modules of mlscorecheck export, by the packages they are in."""
    found = set()
    for info in pkgutil.walk_packages(mlscorecheck.__path__, "mlscorecheck."):
        if info.ispkg:
            continue
        package = ".".join(part for part in info.name.split(".")[1:] if not part.startswith("_"))
        exported = getattr(importlib.import_module(info.name), "__all__", ())
        found |= {f"{package}.{name}" for name in exported if not name.startswith("_")}
    return found


def listed(package: str) -> Counter[str]:
    return Counter(name for row in TABLES[package] for name in row["names"])


def test_every_public_name_of_mlscorecheck_is_listed_once() -> None:
    assert set(listed("mlscorecheck")) == public_names()
    assert set(listed("mlscorecheck").values()) == {1}


def test_every_public_name_of_dconfusion_is_listed_once() -> None:
    lines = Path(ROOT / "tests" / "data" / "peers" / "dconfusion_1.1.1.txt").read_text(encoding="utf-8").splitlines()
    assert set(listed("dconfusion")) == {line for line in lines if not line.startswith("#")}
    assert set(listed("dconfusion").values()) == {1}


@pytest.mark.parametrize("package", TABLES)
def test_our_way_exists(package: str) -> None:
    for row in TABLES[package]:
        assert row["ours"] != "not ours" or row["why"]
        for dotted in re.findall(r"`(?:sp|scoreproof)\.([\w.]+)", row["ours"]):
            value: Any = sp
            for part in dotted.split("."):
                value = getattr(value, part, None) or importlib.import_module(f"scoreproof.{part}")
        for command in re.findall(r"`scoreproof (\w+)", row["ours"]):
            assert command in _COMMANDS
