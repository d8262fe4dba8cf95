"""No reader is worse than linear on text made to be slow: sixteen times the text takes about sixteen times the work.

A quadratic scan would take 256 times as much. Ratios of processor time are compared, the least of some runs, with room
for four times as much on either side, so that what else the machine does changes nothing; what takes some tenths of a
second in all is fast enough whatever its ratio.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from scoreproof.documents.formats import FORMATS, Source, sniff_text
from scoreproof.documents.read import read_here
from scoreproof.documents.readers.latex_source import definitions, expand, without_comments
from scoreproof.documents.readers.markdown import _inline
from scoreproof.errors import ScoreproofError
from scoreproof.files import read_json, read_yaml
from scoreproof.limits import Limits, within

_SIZE, _TIMES = 500, 16
_FAST = 0.3  # seconds: what is worse than linear takes many at these sizes
_MOST_RATIO = 64.0  # between linear and quadratic growth
_WIDE = Limits(tables=10**6, cells=10**7, cell_characters=10**7, values=10**7, columns=10**6)


def document(kind: str, text: Callable[[int], str]) -> Callable[[int], object]:
    return lambda size: read_here(FORMATS[kind].reader, Source("", kind, text=text(size)))


def cell(mark: str) -> Callable[[int], object]:
    return lambda size: _inline(mark * size)


HEAD = "| a | b |\n|---|---|\n"
SLOW: dict[str, Callable[[int], object]] = {
    **{f"a Markdown cell of {mark!r}": cell(mark) for mark in ("*", "**", "**a ", "_", "__a ", "~~", "`", "`a ", "[", "![", "](", "[](", "<", "<sup>", "\\", "*a ")},
    **{f"sniffed {mark!r}": (lambda size, mark=mark: sniff_text("a b\n" + mark * (20 * size) + "\nc d")) for mark in ("\n", "\t", " ", "-", "|", "- |", "|-", "precision ", "- \n", "\\begin ")},  # type: ignore[misc]
    "blank lines": document("text", lambda size: "a  b\n" + "\n" * (50 * size) + "1  2\n"),
    "tabs": document("text", lambda size: "a  b\n" + "\t" * (50 * size) + "1  2\n"),
    "words": document("text", lambda size: "a b 1 2 3\n" * size),
    "prose": document("text", lambda size: "Table 1: some words.\n" * (5 * size)),
    "Markdown tables": document("markdown", lambda size: (HEAD + "| 1 | 2 |\nx\n") * (size // 4)),
    "a paragraph and tables": document("markdown", lambda size: "x\n" * (10 * size) + (HEAD + "| 1 | 2 |\n\n") * (size // 8)),
    "HTML tables in Markdown": document("markdown", lambda size: "x $1$\n\n<table><tr><td>1<td>$\\pm$ 2</table>\n\n" * (size // 8)),
    "open HTML tables in Markdown": document("markdown", lambda size: HEAD + "| 1 | 2 |\n\n" + "<table>\n" * (4 * size)),
    "a Markdown rule": document("markdown", lambda size: "| a |\n-" + " " * (100 * size) + "x\n"),
    "backticks in a row": document("markdown", lambda size: HEAD + "| " + "`a " * (4 * size) + "| 1 |\n"),
    "captions above a CSV": document("csv", lambda size: "x\n" * (4 * size) + "a,b\n1,2\n"),
    "verbatim": lambda size: without_comments("\\begin{verbatim}" * (10 * size)),
    "backslashes": lambda size: without_comments("\\" * (200 * size) + "%"),
    "definitions": lambda size: definitions("\\newcommand{\\a}{" * (4 * size)),
    "macros": lambda size: expand("\\b " * (4 * size), {f"a{'b' * k}": (0, "x") for k in range(size // 4)}),
    "HTML captions": document("html", lambda size: "<div><p>" + "x " * (2 * size) + "</p><div>" + "<table><tr><td>1<td>2<tr><td>3<td>4</table>" * (size // 8) + "</div></div>"),
    "HTML headers": document("html", lambda size: "<table>" + "<tr><th>a<th>b" * size + "</table>"),
    "keys given twice": lambda size: read_json("a", '{"b": {' + ", ".join(f'"{k}": 1' for k in range(20 * size)) + ', "0": 1}}'),
    "YAML keys": lambda size: read_yaml("a", "".join(f"k{k}: 1\n" for k in range(size))),
}  # fmt: skip


def least(action: Callable[[int], object], size: int) -> float:
    best = float("inf")
    for _ in range(3):
        begun = time.process_time()
        try:
            with within(_WIDE):
                action(size)
        except ScoreproofError:
            pass
        best = min(best, time.process_time() - begun)
        if best < _FAST:
            break
    return best


@pytest.mark.parametrize("what", SLOW)
def test_growth(what: str) -> None:
    action = SLOW[what]
    large = least(action, _TIMES * _SIZE)
    assert large < _FAST or large / max(least(action, _SIZE), 1e-4) < _MOST_RATIO
