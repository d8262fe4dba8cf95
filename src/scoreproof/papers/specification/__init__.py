"""What a paper reports and how its numbers came about, in one file."""

from scoreproof.papers.specification.load import Specification, load, load_sent, schema

__all__ = ["Specification", "load", "load_sent", "schema"]
