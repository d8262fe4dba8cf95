"""What a paper reports and how its numbers came about, in one file."""

from scoreproof.papers.specification.document import Document
from scoreproof.papers.specification.load import Specification, load, load_sent, schema
from scoreproof.papers.specification.model import (
    ClaimModel,
    ColumnModel,
    DatasetModel,
    ExperimentModel,
    HypothesisModel,
    OptionsModel,
    PaperModel,
    TableModel,
)

__all__ = [
    "ClaimModel",
    "ColumnModel",
    "DatasetModel",
    "Document",
    "ExperimentModel",
    "HypothesisModel",
    "OptionsModel",
    "PaperModel",
    "Specification",
    "TableModel",
    "load",
    "load_sent",
    "schema",
]
