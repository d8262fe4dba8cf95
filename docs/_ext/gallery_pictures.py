"""The pictures of the gallery on its first page: of each case the first picture, computed when its own page was built."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

INDEX = "gallery/index"


def show(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Put the pictures below the list of cases, each leading to its page."""
    if docname != INDEX:
        return
    gallery = nodes.container(classes=["gallery"])
    for page in app.env.toctree_includes.get(INDEX, []):
        picture = next(iter(app.env.get_doctree(page).findall(nodes.image)), None)
        if picture is not None:
            address = app.builder.get_relative_uri(INDEX, page)
            copy = picture.deepcopy()
            for name in ("width", "height", "scale"):
                copy.attributes.pop(name, None)
            linked = nodes.reference("", "", copy, internal=True, refuri=address)
            caption = nodes.caption("", app.env.titles[page].astext())
            gallery += nodes.figure("", linked, caption, ids=[f"picture-{page.rpartition('/')[2]}"])
    if not gallery.children:
        raise RuntimeError("the gallery has no picture: its pages show none")
    next(iter(doctree.findall(nodes.section))).append(gallery)


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect."""
    app.connect("doctree-resolved", show)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
