"""Pages, LaTeX and prose of results: one writer, one style sheet, templates that see plain values only.

``to_html``, ``to_latex`` and ``to_text`` report an audit; the other results have a page each. A name is loaded when it
is used, so that a command which writes no page waits for no template.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from scoreproof.pages.audit_view import to_html
    from scoreproof.pages.result_pages import (
        batch_page,
        collection_page,
        comparison_page,
        metrics_page,
        recommendation_page,
        reinterpretation_page,
        sota_page,
        verify_page,
    )
    from scoreproof.pages.snippets import to_latex, to_text

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
_MODULES = {
    "to_html": "audit_view",
    "to_latex": "snippets",
    "to_text": "snippets",
}  # the others are in result_pages


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES.get(name, 'result_pages')}"), name)
