"""Options that several commands share, each described once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from scoreproof.errors import InvalidOption


def where(processes: int | None, cluster: str | None, *, otherwise: int | None) -> Any:
    """Where the work is done: so many processes, or a cluster; not both."""
    if processes is not None and cluster is not None:
        raise InvalidOption(
            "--cluster: the work is done there or in processes here (--jobs, --workers); give one of them"
        )
    return cluster if cluster is not None else otherwise if processes is None else processes


def option(words: str = "", *names: str, **more: Any) -> Any:
    """An option, described first; its own names only where the parameter's would not do."""
    return typer.Option(*names, help=words, **more)


CLASSES = "Cases of every class, of several that exclude each other: 50,70,30, or cat=50,dog=70."
Classes = Annotated[str | None, option(CLASSES, "--classes")]
OnCluster = Annotated[
    str | None, option("A Dask cluster to do the work: the address of its scheduler, tcp://HOST:PORT.", "--cluster")
]
OUTPUT = "Output"
AsJson = Annotated[bool, option("One JSON document on standard output.", "--json", rich_help_panel=OUTPUT)]
Certificate = Annotated[
    Path | None,
    option("Write the proof of an inconsistency to this file.", metavar="FILE", rich_help_panel=OUTPUT),
]
DecimalComma = Annotated[bool, option("Read 0,912 as 0.912.", "--decimal-comma")]
Plot = Annotated[
    Path | None, option("Draw the figure to this file (.png, .svg, .pdf).", metavar="FILE", rich_help_panel=OUTPUT)
]
Html = Annotated[Path | None, option("Write a page of its own to this file.", metavar="FILE", rich_help_panel=OUTPUT)]
