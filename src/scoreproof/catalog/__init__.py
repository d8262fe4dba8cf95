"""Known experiments as data: class counts with citation, and the readings papers usually leave open."""

from scoreproof.catalog.benchmarks import Benchmark, benchmarks, named_in
from scoreproof.catalog.entry import Axis, Entry, KnownSet, Reading
from scoreproof.catalog.files import entries, entry, read_entries
from scoreproof.catalog.identify import Identification, identify

__all__ = [
    "Axis",
    "Benchmark",
    "Entry",
    "Identification",
    "KnownSet",
    "Reading",
    "benchmarks",
    "entries",
    "entry",
    "identify",
    "named_in",
    "read_entries",
]
