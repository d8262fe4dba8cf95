"""Every metric of a file of predictions, as a page."""

from __future__ import annotations

from typing import Any

from scoreproof.pages.document import Section, document


def metrics_page(file: str, result: Any) -> str:
    """The tables of an evaluation, as a notebook shows them."""
    return document("Metrics", f"Metrics of {file}", str(result), [Section("Scores", ready=result._repr_html_())])
