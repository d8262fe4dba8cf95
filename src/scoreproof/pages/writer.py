"""Every page is written here: one Jinja2 environment, one style sheet, one script, one content security policy.

A page is one file that needs nothing else: it opens from disk, prints, and can be sent to an editor. The policy allows
the page's own script and style sheet, named by their hashes, and nothing besides: whatever text a table holds, the
browser has no leave to run or fetch it. Templates see plain values and escape all of them; only what is ``Markup`` (the
style sheet, the script, JSON for the script, tables made by ``scoreproof.markup``) stands as it is.

A ``document`` is a page of sections, as plain values: words, points, tables, bars, pictures, code. The pages of
``sota``, ``reinterpret``, ``compare``, ``recommend``, ``metrics`` and ``batch`` are all made of these. Jinja2 is loaded
when a page is written, since answers have sections whether or not they become a page.

Pages carry the verifier in JavaScript, so that the reader's own browser re-checks their proofs. It was written from
``docs/proofs.md`` alone and shares nothing with the verifier in Python. Its sources are in ``verify/js`` of the
repository, files that extend one object one after the other; ``make verifier`` shortens each to one line of
``verifier.min.js`` and lists in ``verifier.parts.json`` what each adds to the object and takes from it. A page carries
the lines that the kinds of its certificates, and of the proofs in them, need.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from scoreproof._version import __version__
from scoreproof.figures import to_svg
from scoreproof.findings.words import SIGNS, counted, cut, embed, sentence, visible

if TYPE_CHECKING:
    from jinja2 import Environment, Template
    from matplotlib.figure import Figure

_FOR_READERS = re.compile(r"^[ \t]*(?://.*\n)?", re.MULTILINE)
_COMMON = "3"  # files up to this number are needed by every kind


def needed(kinds: Collection[str]) -> list[str]:
    """The files that re-check certificates of these kinds, with proofs of these kinds, in order."""
    parts = _parts()
    homes = {name: file for file, part in parts.items() for name in part["adds"]}
    wanted = {file for file in parts if file[0] <= _COMMON}
    waiting = [homes[f"kinds.{kind}"] for kind in kinds if f"kinds.{kind}" in homes]
    while waiting:
        file = waiting.pop()
        if file not in wanted:
            wanted.add(file)
            waiting += [homes[name] for name in parts[file]["takes"] if name in homes]
            for other, part in parts.items():
                waiting += [other for table, rule in part["rules"] if table in parts[file]["adds"] and rule in kinds]
    return sorted(wanted)


@cache
def _parts() -> dict[str, dict[str, Any]]:
    return {part["file"]: part for part in json.loads(_text("verifier.parts.json"))}


def _text(name: str) -> str:
    return files("scoreproof.pages").joinpath(name).read_text(encoding="utf-8")


def packed_verifier(kinds: Collection[str] | None = None) -> str:
    """The verifier of some kinds, or of all, as pages carry it: compressed (zlib) and written in base64."""
    return _packed(None if kinds is None else frozenset(kinds))


@cache
def _packed(kinds: frozenset[str] | None) -> str:
    short = dict(zip(_parts(), _text("verifier.min.js").splitlines(keepends=True), strict=True))
    script = "".join(short[file] for file in (short if kinds is None else needed(kinds)))
    return base64.b64encode(zlib.compress(script.encode("utf-8"), 9)).decode("ascii")


_SCRIPTS = ("report.js", "plane.js", "checking.js")
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
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("scoreproof.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_seen,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    style, script = _shipped("style.css"), "".join(map(_shipped, _SCRIPTS))
    environment.filters |= {
        "cut": cut,
        "embed": lambda document: Markup(embed(document)),
        "counted": counted,
        "sentence": sentence,
    }
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


def _shipped(name: str) -> str:
    """A style sheet or script of this package, without what only its readers need: indents and comments."""
    return _FOR_READERS.sub("", _text(name))


def _hash(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
    return f"'sha256-{digest}'"


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table of texts, the first of each row its heading; ``marks`` gives the class of a text, ``shaded`` of rows."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    marks: Mapping[str, str] = field(default_factory=dict)
    shaded: frozenset[int] = frozenset()
    more: int = 0  # rows left out


@dataclass(frozen=True, slots=True)
class Bars:
    """Intervals on one axis: for each its name, its ends as shares of the axis, and its words."""

    label: str
    rows: Sequence[tuple[str, float, float, str]]
    ends: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what stands under it; ``points`` are sentences with their classes, ``ready`` notebook tables."""

    title: str
    words: str = ""
    points: Sequence[tuple[str, str]] = ()
    sheet: Sheet | None = None
    bars: Bars | None = None
    pictures: Sequence[tuple[str, str]] = ()  # what it shows, and its address
    ready: str = ""
    code: str = ""


def document(kind: str, title: str, lead: str, sections: Sequence[Section]) -> str:
    """The page.

    >>> "x &lt; y" in document("Example", "A & B", "x < y", [Section("One", sheet=Sheet((), [("a", "1")]))])
    True
    """
    ready = [Markup(section.ready) for section in sections]
    return write("document", kind=kind, title=title, lead=lead, sections=list(zip(sections, ready, strict=True)))


def picture(figure: Figure, label: str) -> tuple[str, str]:
    """A figure as a picture inside the page: the policy lets no style of matplotlib's into the page itself."""
    return label, f"data:image/svg+xml;base64,{base64.b64encode(to_svg(figure).encode('utf-8')).decode('ascii')}"
