"""Thousands to millions of reports: a frame in, the same rows with verdicts out, in parts that are a journal, too."""

from scoreproof.batches.batching import batch, open_batch
from scoreproof.batches.result import BatchResult, Refutation, SourceCount

__all__ = ["BatchResult", "Refutation", "SourceCount", "batch", "open_batch"]
