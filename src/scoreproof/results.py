"""What every result can do, whoever made it: say itself in a sentence, a line, a notebook, a terminal, JSON, a frame.

A result is a dataclass with a ``__str__``. It may show tables (``_tables``, the same ones in a notebook and in a
terminal) and may have rows (``_rows``), which ``to_frame`` gives to pandas. rich and pandas are loaded when asked for.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from scoreproof.errors import MissingExtra
from scoreproof.jsonable import Jsonable
from scoreproof.markup import html_table, html_verdict

if TYPE_CHECKING:
    from pandas import DataFrame
    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
    from rich.table import Table

#: What outcomes look like in a terminal.
COLOURS = {
    "consistent": "green", "inconsistent": "red", "question": "blue", "undecided": "yellow", "not tested": "dim",
    "error": "magenta", "impossible": "red", "certain": "green", "possible": "green", "unexplained": "yellow",
}  # fmt: skip
_LONGEST = 80  # characters of a sentence in a repr
_MOST_LINES = 200  # of a table in a terminal
_BETWEEN = 3  # characters between two columns


class SmallTable(NamedTuple):
    """A small table to show; a text at the beginning of a row is the row's heading."""

    rows: Iterable[Sequence[object]]
    head: Sequence[object] = ()
    caption: str = ""


class Result(Jsonable):
    """The protocol of results.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True, slots=True)
    ... class Share(Result):
    ...     of: int
    ...     all: int
    ...     def __str__(self) -> str:
    ...         return f"{self.of} of {self.all} cases"
    >>> share = Share(3, 4)
    >>> share, share.to_json(), share._repr_html_(), Share.from_dict(share.to_dict()) == share
    (<Share: 3 of 4 cases>, '{"of": 3, "all": 4}', '<p>3 of 4 cases</p>', True)
    """

    __slots__ = ()

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        if "__repr__" not in vars(cls):
            cls.__repr__ = Result.__repr__  # type: ignore[method-assign]  # a dataclass would list all its fields

    def to_json(self, *, indent: int | None = None) -> str:
        """The document of ``to_dict`` as a text."""
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False)

    def __str__(self) -> str:
        told = ((name, value) for name, value in self.to_dict().items() if not isinstance(value, dict | list))
        return ", ".join(f"{name} {value}" for name, value in told)

    def __repr__(self) -> str:
        return short_line(self)

    def _said(self) -> str:
        """The sentence above the tables."""
        return str(self)

    def _tables(self) -> Iterable[SmallTable]:
        """What is shown beside, or instead of, the sentence: a table with a caption speaks for itself."""
        return ()

    def _repr_html_(self) -> str:
        tables = list(self._tables())
        alone = bool(tables) and all(table.caption for table in tables)
        written = (html_table(table.rows, head=table.head, caption=table.caption) for table in tables)
        return "".join(["" if alone else html_verdict(self._said()), *written])

    def __rich__(self) -> RenderableType:
        return in_terminal(self._said(), self._tables())


class Tabular(Result, ABC):
    """A result with rows."""

    __slots__ = ()

    @abstractmethod
    def _rows(self) -> list[dict[str, Any]]:
        """One mapping from columns to values for each row."""

    def to_frame(self) -> DataFrame:
        """The rows as a pandas data frame."""
        return frame(self._rows())


def listed(words: Iterable[str]) -> str:
    """Words as English lists them.

    >>> listed(["acc", "sens", "spec"]), listed(["acc"])
    ('acc, sens and spec', 'acc')
    """
    parts = list(words)
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def short_line(result: object) -> str:
    """``<Name: sentence>``, a long sentence cut."""
    sentence = plain(" ".join(str(result).split()))
    if len(sentence) > _LONGEST:
        sentence = f"{sentence[: _LONGEST - 1].rpartition(' ')[0] or sentence[: _LONGEST - 1]}…"
    return f"<{type(result).__name__}: {sentence}>"


def plain(text: str) -> str:
    """Text of a paper without what could steer a terminal."""
    return "".join(char if char.isprintable() else "�" for char in text)


def frame(rows: Sequence[Any], columns: Sequence[str] | None = None) -> DataFrame:
    """Rows as a pandas data frame."""
    return pandas().DataFrame(rows, columns=columns)


def pandas() -> Any:
    """pandas, which no extra brings: whoever asks for its frames has it."""
    try:
        import pandas as pd
    except ImportError:
        raise MissingExtra("to_frame: expected pandas to be installed; pip install pandas") from None
    return pd


def in_terminal(sentence: str, tables: Iterable[SmallTable] = ()) -> RenderableType:
    """A sentence, its verdict in colour, and tables under it, for rich."""
    from rich.console import Group
    from rich.text import Text

    sentence = "\n".join(map(plain, sentence.splitlines()))
    verdict, colon, words = sentence.partition(": ")
    lead = Text(sentence) if verdict not in COLOURS else Text.assemble(_coloured(verdict), colon + words)
    parts: list[RenderableType] = [lead] if sentence else []
    for table in tables:
        shown = word_table()
        lines = [[str(value) for value in row] for row in islice(table.rows, _MOST_LINES + 1)]
        head = [str(name) for name in table.head] or [""] * max(map(len, lines), default=0)
        shown.show_header = any(head)
        for place, name in enumerate(head):
            numbers = place > 0 and all(line[place][:1] in "-.0123456789" for line in lines)
            shown.add_column(Text(plain(name)), justify="right" if numbers else "left")
        for line in lines[:_MOST_LINES]:
            shown.add_row(*map(_coloured, line))
        parts += [Text(plain(table.caption), style="bold")] if table.caption else []
        parts += [shown, *([Text("and more")] if len(lines) > _MOST_LINES else [])]
    return Group(*parts)


def _coloured(text: str) -> Any:
    from rich.text import Text

    return Text(plain(text), style=f"bold {COLOURS[text]}" if text in COLOURS else "")


def word_table(title: str | None = None) -> Table:
    """A table whose columns are never narrower than their longest word, as long as all words fit beside each other.

    rich narrows the widest columns first and breaks words where need be: "Kruskal-Walli s test". Here the widest are
    narrowed too, but no further than to their longest word.
    """
    from rich import box
    from rich.measure import measure_renderables
    from rich.table import Table

    class WordTable(Table):
        def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
            room = options.max_width - _BETWEEN * (len(self.columns) - 1) - 2
            parts = ([*([column.header] if self.show_header else []), *column.cells, ""] for column in self.columns)
            sizes = [measure_renderables(console, options, list(column)) for column in parts]
            least = [s.maximum if c.no_wrap else s.minimum for c, s in zip(self.columns, sizes, strict=True)]
            most = [size.maximum for size in sizes]
            if sum(least) <= room < sum(most):
                narrowed = (
                    [max(a, min(b, k)) for a, b in zip(least, most, strict=True)] for k in range(max(most), -1, -1)
                )
                widths = next(widths for widths in narrowed if sum(widths) <= room)
                for column, width in zip(self.columns, widths, strict=True):
                    column.width = width
            yield from super().__rich_console__(console, options)

    return WordTable(box=box.SIMPLE_HEAD, pad_edge=False, title=title, title_justify="left", title_style="bold")
