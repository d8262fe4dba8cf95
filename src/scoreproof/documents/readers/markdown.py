"""Markdown as the page that its reader sees: pipe tables, HTML tables, and classification reports in code.

The text becomes an HTML page with every block on its own line, which ``hypertext`` reads; formulas are typeset before.
Model cards of Hugging Face have a YAML head; a ``model-index`` in it is read as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from html import escape, unescape
from typing import Any

from scoreproof.documents.formats import Contents, Source
from scoreproof.documents.readers.hypertext import add_page
from scoreproof.documents.readers.latex import render_text
from scoreproof.documents.readers.plain_text import add_reports, score_lists
from scoreproof.documents.table import guess_header_rows, rectangle
from scoreproof.errors import UnreadableInput

_HEAD = re.compile(r"\A---[ \t]*\n(?:.+\n)*?---[ \t]*(?:\n|$)")
_RULE = re.compile(r"\|?+\s*+:?+-++:?+\s*+(?:\|\s*+:?+-++:?+\s*+)*+\|?+\s*+")
_BAR = re.compile(r"\\\||`[^`]*+`|(\|)")
# Two dollars around prose are prices: a formula begins and ends beside its dollars, and no digit follows it.
_MATH = re.compile(r"(?<!\\)(\$\$?)(?!\$)(\s*+)([^$]*+)(?<!\\)\1(?![0-9])")
_END = re.compile(r"</(?:body|html)\s*+>", re.IGNORECASE)  # behind which a page is not read on
_BETWEEN_TAGS = re.compile(r"[^<>]++")
_TABLE_TAGS = re.compile(r"</?(?:table|thead|tbody|tfoot|t[rdh])\b[^<>]*+>", re.IGNORECASE)
_DEEPEST = 60  # levels of lists and quotations; what lies deeper takes what follows with it


def read(source: Source) -> Contents:
    """Every table of a Markdown text, after those of a ``model-index`` in its head."""
    contents = Contents(source)
    if source.text.startswith("---") and re.search(r"^model-index\s*:", source.text, re.MULTILINE):
        from scoreproof.documents.readers.records import add_models

        with contents.noting("model-index"):
            add_models(contents, source.text)
    text = _HEAD.sub(lambda head: "\n" * head[0].count("\n"), source.text, count=1)
    closed, mark, rest = _END.sub("", text).rpartition("-->")
    text = closed + mark + rest.replace("<!--", "&lt;!--")  # a comment that is never closed is none
    lines, tokens, tag = text.split("\n"), list[Any](), ""
    page, prose = ["<body>", *[""] * len(lines)], [""] * len(lines)  # each block on the line on which it begins
    _parser().block.parse(text, _parser(), {}, tokens)
    if deep := next((token.map[0] + 1 for token in tokens if token.map and token.level == _DEEPEST - 1), 0):
        contents.problems.append(f"line {deep}: lists or quotations are nested too deeply; what follows may be missing")
    for token in tokens:
        start, end = token.map or (0, 0)
        if token.type == "inline":
            prose[start:end] = lines[start:end]
            _set(page, tag, start, token.content.split("\n"))
        elif token.type == "html_block":
            for at, line in enumerate(_BETWEEN_TAGS.sub(_with_formulas, token.content).split("\n"), start):
                page[at] += line
        elif token.type == "fence" and end >= len(lines) - 1 and not lines[end - 1].strip().endswith(token.markup):
            contents.problems.append(f"line {start + 1}: this block of code is never closed; what follows is not read")
        tag = token.tag
    add_page(contents, "\n".join(page))
    add_reports(contents, source.text)  # as code
    for start, _, scores, caption in score_lists(prose):
        contents.add(rectangle(scores, 1), caption=caption, line=start + 1)
    return contents


def _set(page: list[str], tag: str, first: int, lines: Sequence[str]) -> None:
    """Put the lines of a paragraph or a heading on a page: pipe tables, a line for each row, and what is between."""
    done = 0
    for start, end in [*_pipe_tables(lines), (len(lines), len(lines))]:
        if start > done:
            page[first + done] += f"<{tag}>{_inline(' '.join(lines[done:start]))}</{tag}>"
        rows = [_split(lines[number]) for number in range(start, end) if number != start + 1]
        head = max(1, guess_header_rows(rows))
        for number, row in enumerate(rows):
            kind = "th" if number < head else "td"
            texts = (_TABLE_TAGS.sub(" ", _inline(cell)) for cell in row)  # a cell ends where its row says so
            cells = "".join(f"<{kind}>{text}</{kind}>" for text in texts)
            page[first + start + number + (number > 0)] += f"{'<table>' * (number == 0)}<tr>{cells}</tr>"
        page[first + end - 1] += "</table>" * (end > start)
        done = end


def _pipe_tables(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The first line of every pipe table, and the line behind its last."""
    number = 0
    while number + 1 < len(lines):
        start, number = number, number + 1
        if "|" in lines[start] and "|" in lines[number] and _RULE.fullmatch(lines[number].strip()):
            while number < len(lines) and "|" in lines[number]:
                number += 1
            yield start, number


def _split(line: str) -> list[str]:
    r"""The cells of one line; ``\|`` and bars in code do not separate.

    >>> _split(r"| a \| b | `c|d` |")
    ['a | b', '`c|d`']
    """
    line = line.strip()
    parted = _BAR.sub(lambda mark: "\n" if mark[1] else mark[0], line).split("\n")
    cells = [cell.strip().replace("\\|", "|") for cell in parted]
    return cells[line.startswith("|") : len(cells) - (line.endswith("|") and not line.endswith("\\|"))]


@lru_cache(maxsize=1)
def _parser() -> Any:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"maxNesting": _DEEPEST}).enable("strikethrough").disable("code")
    parser.inline.ruler.before("escape", "formula", _formula)
    return parser


def _inline(text: str) -> str:
    r"""A text with its inline markup as HTML, on one line, formulas typeset.

    >>> _inline(r"**96.30** $\pm$ 0.2 [code](http://x.y)")
    '<strong>96.30</strong> ± 0.2 <a href="http://x.y">code</a>'
    """
    return str(_parser().renderInline(text)).replace("\n", " ").replace("\\pm", "±")


def _formula(state: Any, silent: bool) -> bool:
    """Whether a formula begins where the parser is; it becomes a text."""
    match = _MATH.match(state.src, state.pos) if state.src[state.pos] == "$" else None
    shown = None if match is None else _typeset(match)
    if match is None or shown is None:
        return False
    state.pos = match.end()
    if not silent:
        state.push("text", "", 0).content = shown
    return True


def _typeset(match: re.Match[str]) -> str | None:
    blank, inside = match[2], match[3]
    spaced = bool(blank) or inside[-1:].isspace()
    if not inside or (spaced and re.search(r"[A-Za-z]{2}", inside) and not re.search(r"[\\^_]", inside)):
        return None
    try:
        return render_text(f"${inside}$")
    except (UnreadableInput, RecursionError):  # one that TeX could not set either
        return None


def _with_formulas(part: re.Match[str]) -> str:
    """What stands between two tags, its formulas typeset."""
    if "$" not in part[0]:
        return part[0]
    return escape(_MATH.sub(lambda match: _typeset(match) or match[0], unescape(part[0])), quote=False)
