"""Thousands to millions of reports: a frame in, the same rows with verdicts out, in parts that are a journal, too.

A name is loaded when it is used, so that the process which looks through a stranger's file starts quickly.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scoreproof.batches.batching import batch, open_batch
    from scoreproof.batches.result import BatchResult, RefutedRow, SourceCount

__all__ = ["BatchResult", "RefutedRow", "SourceCount", "batch", "open_batch"]
_MODULES = {"batch": "batching", "open_batch": "batching"}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES.get(name, 'result')}"), name)
