"""A comparison or a recommendation as one HTML page that needs nothing else: no scripts, no fonts, no
network."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from scoreproof.figures import can_draw, to_svg

if TYPE_CHECKING:
    from scoreproof.statistics.comparison import Comparison
    from scoreproof.statistics.recommend import Recommendation

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #222; max-width: 60rem; margin: 2rem auto; }
body { padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
table { border-collapse: collapse; margin: 1rem 0; }
caption { text-align: left; font-weight: 600; padding: .3rem 0; }
th, td { text-align: left; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid #ddd; vertical-align: top; }
thead th { border-bottom: 2px solid #888; } tbody th { font-weight: 500; }
svg { max-width: 100%; height: auto; }
pre { background: #f5f5f5; padding: .8rem; overflow-x: auto; font-size: 13px; }
"""


def comparison_page(found: Comparison) -> str:
    """The whole report: words, tables, figure, the recommendation that was followed, LaTeX to copy."""
    title = f"{' and '.join(found.names) if len(found.names) < 4 else f'{len(found.names)} models'}: {found.test}"
    return _page(
        title,
        [
            f"<p>{escape(found.text)}</p>",
            to_svg(found.figure()) if can_draw() else "",
            "<h2>Figures in full</h2>",
            found.tables_html(),
            "<h2>Why this test</h2>",
            found.recommendation._repr_html_(),
            "<h2>LaTeX</h2>",
            f"<pre>{escape(found.latex())}</pre>",
        ],
    )


def recommendation_page(found: Recommendation) -> str:
    """The recommendation with its path through the decision table."""
    drawn = to_svg(found.figure()) if can_draw() else ""
    return _page(f"Recommended: {found.test}", [drawn, found._repr_html_()])


def _page(title: str, parts: list[str]) -> str:
    head = f'<meta charset="utf-8"><title>{escape(title)}</title><style>{_STYLE}</style>'
    body = f"<h1>{escape(title)}</h1>{''.join(parts)}"
    return f'<!doctype html><html lang="en"><head>{head}</head><body>{body}</body></html>\n'
