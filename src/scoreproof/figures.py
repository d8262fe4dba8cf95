"""The one door for figures: an empty one, a file of it, and SVG to stand inside a page.

Figures are matplotlib ``Figure`` objects that belong to no window; nothing global is touched. matplotlib is an extra:
without it every figure ends in the same error, and a command can ask for that before it begins to work.
"""

from __future__ import annotations

import io
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from scoreproof.errors import InvalidOption, MissingExtra
from scoreproof.files import write_file

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: The endings of files, with what would make two files of the same figure differ.
_DATES: dict[str, dict[str, None]] = {".png": {}, ".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
_DPI = 150


def can_draw() -> bool:
    """Whether matplotlib is installed."""
    return find_spec("matplotlib") is not None


def check_drawable(path: str | Path) -> None:
    """An error if no figure can be written under this name, or none can be drawn at all.

    >>> check_drawable("curve.doc")
    Traceback (most recent call last):
        ...
    scoreproof.errors.InvalidOption: figure: expected a file named .png, .svg or .pdf; got 'curve.doc'
    """
    if Path(path).suffix.lower() not in _DATES:
        raise InvalidOption(f"figure: expected a file named .png, .svg or .pdf; got {str(path)!r}")
    if not can_draw():
        raise _missing()


def _missing() -> MissingExtra:
    return MissingExtra("figures need matplotlib, which is not installed: run pip install 'scoreproof[plot]'")


def new_figure(width: float, height: float, *, layout: Literal["constrained"] | None = "constrained") -> Figure:
    """An empty figure, its size in inches.

    >>> new_figure(4, 3).axes
    []
    """
    if not can_draw():
        raise _missing()
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout=layout)


def save_figure(figure: Figure, path: str | Path) -> None:
    """Write a figure, whole or not at all; the ending of the name says how."""
    check_drawable(path)
    write_file(path, _drawn(figure, Path(path).suffix.lower()))


def to_svg(figure: Figure) -> str:
    """The figure as SVG to stand inside a page, without declaration or date."""
    text = _drawn(figure, ".svg").decode("utf-8")
    return text[text.index("<svg") :]


def _drawn(figure: Figure, ending: str) -> bytes:
    import matplotlib as mpl

    buffer = io.BytesIO()
    with mpl.rc_context({"svg.hashsalt": "scoreproof", "svg.fonttype": "path"}):
        figure.savefig(buffer, format=ending[1:], dpi=_DPI, metadata=_DATES[ending])
    return buffer.getvalue()
