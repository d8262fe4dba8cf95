"""Figures need matplotlib, which is an extra; say so before the work is done."""

from __future__ import annotations

from importlib.util import find_spec

from scoreproof.errors import InvalidOption


def require_matplotlib() -> None:
    """An error that tells how to get matplotlib, where it is missing."""
    if find_spec("matplotlib") is None:
        raise InvalidOption("--plot needs matplotlib: expected it installed; run pip install 'scoreproof[plot]'")
