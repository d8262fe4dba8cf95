"""A comparison of models, or the test recommended for one, as a page."""

from __future__ import annotations

from scoreproof.figures import can_draw
from scoreproof.pages.document import Section, document, picture
from scoreproof.statistics.comparison import Comparison
from scoreproof.statistics.recommend import Recommendation
from scoreproof.validation import declared


@declared
def comparison_page(found: Comparison) -> str:
    """The whole report: words, figure, tables, the recommendation that was followed, LaTeX to copy."""
    models = " and ".join(found.names) if len(found.names) < 4 else f"{len(found.names)} models"
    sections = [
        *_drawn(found, "The figure"),
        Section("Figures in full", ready=found.tables_html()),
        Section("Why this test", ready=found.recommendation._repr_html_()),
        Section("LaTeX", code=found.latex()),
    ]
    return document("Comparison", f"{models}: {found.test}", found.text, sections)


@declared
def recommendation_page(found: Recommendation) -> str:
    """The recommendation with its path through the decision table."""
    sections = [*_drawn(found, "The path to it"), Section("What to do", ready=found._repr_html_())]
    return document("Recommended test", f"Recommended: {found.test}", "", sections)


def _drawn(found: Comparison | Recommendation, title: str) -> list[Section]:
    """The figure; a page without matplotlib has none."""
    return [Section(title, pictures=[picture(found.figure(), title)])] if can_draw() else []
