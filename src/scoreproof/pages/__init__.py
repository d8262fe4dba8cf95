"""Reports of an audit: one HTML page, a LaTeX table, and a paragraph for a review."""

from scoreproof.pages.latex import to_latex
from scoreproof.pages.page import to_html
from scoreproof.pages.prose import to_text

__all__ = ["to_html", "to_latex", "to_text"]
