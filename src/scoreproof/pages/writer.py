"""Every page is written here: one Jinja2 environment, one style sheet, one script, one content security policy.

A page is one file that needs nothing else: it opens from disk, prints, and can be sent to an editor. The policy allows
the page's own script and style sheet, named by their hashes, and nothing besides: whatever text a table holds, the
browser has no leave to run or fetch it. Templates see plain values and escape all of them; only what is ``Markup`` (the
style sheet, the script, JSON for the script, tables made by ``scoreproof.notebook``) stands as it is.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from scoreproof._version import __version__
from scoreproof.pages.texts import cut, embed, visible
from scoreproof.pages.verifier_script import packed_verifier
from scoreproof.pages.words import SIGNS, counted, sentence

_DRAWN_ON = {"audit": ("base", "macros", "table")}


def write(template: str, **values: Any) -> str:
    """The page of a template."""
    return load(template).render(values)


def load(template: str) -> Template:
    """A template ready to be filled in, those it draws on included; reading them takes a while."""
    environment = _environment()
    for name in _DRAWN_ON.get(template, ()):
        environment.get_template(f"{name}.html.j2")
    return environment.get_template(f"{template}.html.j2")


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("scoreproof.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_seen,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    style, script = _shipped("style.css"), _shipped("report.js") + _shipped("checking.js")
    environment.filters |= {"cut": cut, "embed": _embedded, "counted": counted, "sentence": sentence}
    environment.globals |= {
        "signs": SIGNS,
        "style": Markup(style),
        "script": Markup(script),
        "policy": f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; img-src data:; "
        "worker-src blob:; base-uri 'none'; form-action 'none'",
        "scoreproof": __version__,
        "verifier": packed_verifier,
    }
    return environment


def _seen(value: Any) -> Any:
    """What a template prints: invisible characters of a paper's text are shown by their code points."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _embedded(document: Any) -> Markup:
    return Markup(embed(document))


def _shipped(name: str) -> str:
    """A file of this package."""
    return files("scoreproof.pages").joinpath(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
    return f"'sha256-{digest}'"
