"""Reports of an audit: one HTML page, a LaTeX table, and a paragraph for a review."""

from scoreproof.reports.latex import to_latex
from scoreproof.reports.page import to_html
from scoreproof.reports.prose import to_text

__all__ = ["to_html", "to_latex", "to_text"]
