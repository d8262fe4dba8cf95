"""A rich console that shows control characters of printed text instead of sending them to the terminal."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from scoreproof.results import plain


class InertConsole(Console):
    """As its base; only the console's own control codes and styles reach the terminal."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            if segment.control or segment.text.isprintable() or segment.text == "\n":
                yield segment
            else:
                yield segment._replace(text="\n".join(plain(line) for line in segment.text.split("\n")))
