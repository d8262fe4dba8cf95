"""Pages, LaTeX and prose of results: one writer, one style sheet, templates that see plain values only.

``to_html``, ``to_latex`` and ``to_text`` report an audit; the other results have a page each. A name is loaded when it
is used, so that a command which writes no page waits for no template.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scoreproof.pages.audit import to_html
    from scoreproof.pages.batch import batch_page
    from scoreproof.pages.collection import collection_page
    from scoreproof.pages.comparison import comparison_page, recommendation_page
    from scoreproof.pages.latex import to_latex
    from scoreproof.pages.metrics import metrics_page
    from scoreproof.pages.prose import to_text
    from scoreproof.pages.reinterpretation import reinterpretation_page
    from scoreproof.pages.sota import sota_page
    from scoreproof.pages.verify import verify_page

__all__ = [
    "batch_page",
    "collection_page",
    "comparison_page",
    "metrics_page",
    "recommendation_page",
    "reinterpretation_page",
    "sota_page",
    "to_html",
    "to_latex",
    "to_text",
    "verify_page",
]
_MODULES = {"recommendation_page": "comparison", "to_html": "audit", "to_latex": "latex", "to_text": "prose"}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES.get(name) or name.removesuffix('_page')}"), name)
