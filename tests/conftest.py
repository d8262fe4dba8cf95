"""Shared by all tests: shipped data, and hypothesis without deadlines (machines differ)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import hypothesis

DATA = Path(__file__).parent / "data"

hypothesis.settings.register_profile("scoreproof", deadline=None, print_blob=True)
hypothesis.settings.load_profile("scoreproof")


def data(name: str) -> Any:
    """A JSON file of ``tests/data``."""
    return json.loads((DATA / name).read_text(encoding="utf-8"))
