"""Every extra alone, and none: the commands that an extra is for need nothing that it does not bring.

Each set of extras has an environment of its own, which sees no package beside those that pip would install for it.
All of them together are what the other tests run in. ``make wheel`` installs them for good, and tries every pair.
"""

from __future__ import annotations

import sysconfig
import tomllib
from pathlib import Path

import pytest
from tools.extras import ROOT, USES, faults, linked, sets_of_extras

import scoreproof as sp
import scoreproof_verify

PACKAGES = Path(sysconfig.get_path("purelib"))
OURS = {"test", "bench", "docs"}  # for working on scoreproof itself


def test_every_extra_is_tried() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert set(USES) == set(project["optional-dependencies"]) - OURS


ALONE = [extras for extras in sets_of_extras() if len(extras) < 2]


@pytest.mark.parametrize("extras", ALONE, ids=lambda extras: "+".join(extras) or "none")
def test_extras(extras: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONPATH", raising=False)
    python = linked(tmp_path / "environment", extras, PACKAGES)
    (package,) = (tmp_path / "environment").glob("lib/*/site-packages")
    for module in (sp, scoreproof_verify):
        (package / module.__name__).symlink_to(Path(module.__file__).parent)
    (tmp_path / "work").mkdir()
    assert list(faults(python, tmp_path / "work", extras)) == []
