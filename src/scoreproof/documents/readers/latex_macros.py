r"""Abbreviations a document defines, expanded before its tables are parsed.

Authors write ``\newcommand{\best}[1]{\textbf{#1}}`` or ``\def\pms#1#2{#1$\pm$#2}``; without expansion the second
would glue two numbers together. Expansion is bounded, so that a definition which calls itself ends in an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from scoreproof.errors import UnreadableInput

_NEW = re.compile(
    r"\\(?:(?:re)?newcommand|providecommand|DeclareRobustCommand|DeclareMathOperator)\*?\s*+\{?\s*+\\([A-Za-z]++)\s*+\}?"
    r"\s*+(?:\[(\d)\])?\s*+(\[[^\[\]\n]{0,200}\])?"
)
_DOCUMENT = re.compile(
    r"\\(?:New|Renew|Provide|Declare)(?:Expandable)?DocumentCommand\s*+\{?\s*+\\([A-Za-z]++)\s*+\}?\s*+"
    r"\{\s*+(?:O\{([^{}\n]{0,200})\}\s*+)?((?:m\s*+)*+)\}\s*+"
)
_DEF = re.compile(r"\\[gex]?def\s*+\\([A-Za-z]++)\s*+((?:#\d)*+)\s*+\{")
_ENVIRONMENT = re.compile(r"\\(?:re)?newenvironment\*?\s*+\{[^{}\n]{1,60}\}\s*+(?:\[[^\[\]\n]{0,60}\]\s*+){0,2}")
_CALL = re.compile(r"\\([A-Za-z]++)\s*+")
_BRACE = re.compile(r"(?<!\\)[{}]")
_OPTIONAL = re.compile(r"\s*+\[([^\[\]]{0,200})\]")
_LONGEST_GROUP = 20_000  # characters
_MOST_EXPANSIONS = 20_000
_LONGEST = 1_000_000
# Expanding these would only get in the parser's way.
_KEPT = {"textbf", "multicolumn", "multirow", "cite", "caption", "label", "toprule", "midrule", "bottomrule"}


class Macro(NamedTuple):
    """A definition: how many arguments it takes, what it stands for, and what a first one that may be left out is."""

    arguments: int
    body: str
    default: str | None = None


Macros = dict[str, Macro]


def definitions(text: str) -> Macros:
    r"""Every simple definition by its name.

    >>> definitions(r"\newcommand{\best}[1]{\textbf{#1}} \def\ours{U-Net}")["best"]
    Macro(arguments=1, body='\\textbf{#1}', default=None)
    """
    return {name: macro for name, macro, _ in _defined(text) if name not in _KEPT}


def without_definitions(text: str) -> str:
    r"""The text with the bodies of definitions blanked: a table in one of these is a pattern, not a table.

    >>> without_definitions(r"\newcommand{\cell}[1]{[#1]} x")
    '\\newcommand{\\cell}[1]{    } x'
    """
    pieces, done = [], 0
    for start, end in sorted(place for _, _, place in _defined(text, environments=True)):
        if start >= done:
            blank = re.sub(r"[^\n]", " ", text[start:end])
            pieces += [text[done:start], blank]
            done = end
    return "".join([*pieces, text[done:]])


def _defined(text: str, *, environments: bool = False) -> Iterator[tuple[str, Macro, tuple[int, int]]]:
    """Name, definition and the place of its body; those of environments have no name."""
    ends = _ends(text) if re.search(r"\\[gex]?def|[Cc]ommand|Operator|newenv", text) else {}
    if not ends:
        return
    for match in _NEW.finditer(text):
        default = match[3][1:-1] if match[3] and match[2] else None
        if (body := _group(text, match.end(), ends)) is not None:
            yield match[1], Macro(int(match[2] or 0), body[0], default), (body[1] - 1 - len(body[0]), body[1] - 1)
    for match in _DOCUMENT.finditer(text):
        if (body := _group(text, match.end(), ends)) is not None:
            count = match[3].count("m") + (match[2] is not None)
            yield match[1], Macro(count, body[0], match[2]), (body[1] - 1 - len(body[0]), body[1] - 1)
    for match in _DEF.finditer(text):
        if (body := _group(text, match.end() - 1, ends)) is not None:
            yield match[1], Macro(match[2].count("#"), body[0]), (body[1] - 1 - len(body[0]), body[1] - 1)
    for match in _ENVIRONMENT.finditer(text) if environments else ():
        at = match.end()
        while (body := _group(text, at, ends)) is not None:
            yield "", Macro(0, body[0]), (body[1] - 1 - len(body[0]), body[1] - 1)
            at = body[1]


def expand(text: str, macros: Macros) -> str:
    r"""The text with every defined abbreviation written out.

    >>> expand(r"\pms{85.4}{1.2}", {"pms": Macro(2, r"#1$\pm$#2")})
    '85.4$\\pm$1.2'
    >>> expand(r"\pms{85.4} \pms[0.3]{91}", {"pms": Macro(2, r"#2$\pm$#1", "0.0")})
    '85.4$\\pm$0.0 91$\\pm$0.3'
    """
    if not macros:
        return text
    position = expansions = 0
    while (match := _CALL.search(text, position)) is not None:
        macro = macros.get(match[1])
        if macro is None:
            position = match.end()
            continue
        expansions += 1
        if expansions > _MOST_EXPANSIONS or len(text) > _LONGEST:
            raise UnreadableInput("a definition in the document expands without end")
        arguments, end = [], match.end()
        if macro.default is not None:
            given = _OPTIONAL.match(text, end)
            arguments.append(given[1] if given else macro.default)
            end = given.end() if given else end
        while len(arguments) < macro.arguments and (group := _group(text, end)) is not None:
            arguments.append(group[0])
            end = group[1]
        if len(arguments) < macro.arguments:
            position = match.end()
            continue
        body = macro.body
        for number, argument in enumerate(arguments, 1):
            body = body.replace(f"#{number}", argument)
        text = text[: match.start()] + body + text[end:]
        position = match.start()
    return text


def _ends(text: str) -> dict[int, int]:
    """Where each brace that opens a group of sensible length is closed."""
    closed: dict[int, int] = {}
    still_open: list[int] = []
    for match in _BRACE.finditer(text):
        if match[0] == "{":
            still_open.append(match.start())
        elif still_open:
            start = still_open.pop()
            if match.start() - start < _LONGEST_GROUP:
                closed[start] = match.start()
    return closed


def _group(text: str, at: int, ends: dict[int, int] | None = None) -> tuple[str, int] | None:
    """The braced group that begins at ``at`` (blanks before it skipped) and where it ends."""
    while at < len(text) and text[at] in " \t\n":
        at += 1
    if at >= len(text) or text[at] != "{":
        return None
    end = closing(text, at) if ends is None else ends.get(at)
    return None if end is None else (text[at + 1 : end], end + 1)


def closing(text: str, brace: int) -> int | None:
    """Where the group that opens at ``brace`` is closed; None if it is not, or only far away."""
    depth = 0
    for match in _BRACE.finditer(text, brace, brace + _LONGEST_GROUP):
        depth += 1 if match[0] == "{" else -1
        if depth == 0:
            return match.start()
    return None
