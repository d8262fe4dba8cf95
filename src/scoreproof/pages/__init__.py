"""Pages, LaTeX and prose of results: one writer, one style sheet, templates that see plain values only.

``to_html``, ``to_latex`` and ``to_text`` report an audit; the other results have a page each. A name is loaded when it
is used, so that a command which writes no page waits for no template.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scoreproof.pages.audit import to_html
    from scoreproof.pages.comparison import comparison_page, recommendation_page
    from scoreproof.pages.latex import to_latex
    from scoreproof.pages.metrics import metrics_page
    from scoreproof.pages.prose import to_text
    from scoreproof.pages.reinterpretation import reinterpretation_page
    from scoreproof.pages.sota import sota_page

_MODULES = {
    "comparison_page": "comparison",
    "metrics_page": "metrics",
    "recommendation_page": "comparison",
    "reinterpretation_page": "reinterpretation",
    "sota_page": "sota",
    "to_html": "audit",
    "to_latex": "latex",
    "to_text": "prose",
}
__all__ = [
    "comparison_page",
    "metrics_page",
    "recommendation_page",
    "reinterpretation_page",
    "sota_page",
    "to_html",
    "to_latex",
    "to_text",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
