"""Reports of an audit: one HTML page, a LaTeX table, and a paragraph for a review."""

from scoreproof.report.latex import to_latex
from scoreproof.report.page import to_html
from scoreproof.report.prose import to_text

__all__ = ["to_html", "to_latex", "to_text"]
