"""Every metric of a file of predictions, as a page."""

from __future__ import annotations

from scoreproof.pages.document import Section, document
from scoreproof.results import Result
from scoreproof.validation import declared


@declared
def metrics_page(file: str, result: Result) -> str:
    """The tables of an evaluation, as a notebook shows them."""
    return document("Metrics", f"Metrics of {file}", str(result), [Section("Scores", ready=result._repr_html_())])
