"""Importing an optional dependency, with an error that names the extra to install."""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any

from scoreproof.errors import MissingExtra


def need(module: str, extra: str, what: str) -> Any:
    """The module, or an error that says which extra brings it.

    >>> need("no_such_module_anywhere", "pdf", "PDF files")
    Traceback (most recent call last):
    ...
    scoreproof.errors.MissingExtra: reading PDF files needs an optional part: pip install 'scoreproof[pdf]'
    """
    try:
        return importlib.import_module(module)
    except ImportError:
        raise _missing(extra, what) from None


def require_extra(module: str, extra: str, what: str) -> None:
    """The same error without importing the module: that is left to the process that needs it."""
    try:
        known = importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):
        known = False
    if not known:
        raise _missing(extra, what)


def _missing(extra: str, what: str) -> MissingExtra:
    return MissingExtra(f"reading {what} needs an optional part: pip install 'scoreproof[{extra}]'")
