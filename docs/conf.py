"""How the documentation site is built: ``make docs``. Nothing is fetched from a network, warnings are errors."""

from __future__ import annotations

import sys
from pathlib import Path

DOCS = Path(__file__).parent
sys.path.insert(0, str(DOCS / "_ext"))
sys.path[:0] = [str(DOCS.parent / "src"), str(DOCS.parent / "verify" / "src")]

from scoreproof import __version__  # noqa: E402

project = "scoreproof"
author = "The scoreproof maintainers"
copyright = "the scoreproof maintainers"  # noqa: A001
release = version = __version__

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "console_blocks",  # commands, run while the site is built
    "command_pages",  # one page for each command, from the application itself
    "reference_pages",  # the public names
    "pages_below",  # the navigation below pages that do not speak of it
    "kind_examples",  # a report, refuted and verified while the site is built
    "architecture_picture",  # drawn from the imports
    "convention_table",  # the registry of conventions
    "migration_table",  # names of other packages and our way
    "gallery_pictures",  # the cases of the gallery at a glance
    "save_the_row",  # the card of the first page, whose point can be moved
    "merit_page",  # figures of long runs and of small ones made now
]
source_suffix = {".md": "myst-nb"}
exclude_patterns = ["_build", "_ext", "_static"]
pages_below = {"proofs": "proofs/*", "claims/README": "claims/*"}
html_theme = "furo"
html_title = "scoreproof"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False
html_extra_path = ["specification.schema.json"]
html_theme_options = {"navigation_with_keys": False}

myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence", "deflist"]
myst_links_external_new_tab = False
smartquotes = False  # --p is an option, not a dash
suppress_warnings = ["config.cache"]
nitpicky = False

nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 600
nb_execution_show_tb = True
nb_merge_streams = True

autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_format = "short"
