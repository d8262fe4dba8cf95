r"""Abbreviations a document defines, expanded before its tables are parsed.

Authors write ``\newcommand{\best}[1]{\textbf{#1}}`` or ``\def\pms#1#2{#1$\pm$#2}``; without expansion the second
would glue two numbers together. Expansion is bounded, so that a definition which calls itself ends in an error.
"""

from __future__ import annotations

import re

from scoreproof.errors import UnreadableInput

_NEW = re.compile(r"\\(?:re)?(?:newcommand|providecommand|DeclareRobustCommand)\*?\s*\{?\s*\\([A-Za-z]+)\s*\}?"
                  r"\s*(?:\[(\d)\])?\s*(\[)?")  # fmt: skip
_DEF = re.compile(r"\\def\s*\\([A-Za-z]+)\s*((?:#\d)*)\s*\{")
_MOST_EXPANSIONS = 20_000
_LONGEST = 4_000_000
# Expanding these would only get in the parser's way.
_KEPT = {"textbf", "multicolumn", "multirow", "cite", "caption", "label", "toprule", "midrule", "bottomrule"}


def definitions(text: str) -> dict[str, tuple[int, str]]:
    r"""Name, number of arguments and body of every simple definition.

    >>> definitions(r"\newcommand{\best}[1]{\textbf{#1}} \def\ours{U-Net}")
    {'best': (1, '\\textbf{#1}'), 'ours': (0, 'U-Net')}
    """
    found: dict[str, tuple[int, str]] = {}
    for match in _NEW.finditer(text):
        if match[3]:
            continue  # an optional argument: left to the parser
        body = _group(text, match.end())
        if body is not None and match[1] not in _KEPT:
            found[match[1]] = (int(match[2] or 0), body[0])
    for match in _DEF.finditer(text):
        body = _group(text, match.end() - 1)
        if body is not None and match[1] not in _KEPT:
            found[match[1]] = (match[2].count("#"), body[0])
    return found


def expand(text: str, macros: dict[str, tuple[int, str]]) -> str:
    r"""The text with every defined abbreviation written out.

    >>> expand(r"\pms{85.4}{1.2}", {"pms": (2, r"#1$\pm$#2")})
    '85.4$\\pm$1.2'
    """
    if not macros:
        return text
    names = re.compile(r"\\(" + "|".join(sorted(macros, key=len, reverse=True)) + r")(?![A-Za-z])\s*")
    position = 0
    for _ in range(_MOST_EXPANSIONS):
        match = names.search(text, position)
        if match is None:
            return text
        count, body = macros[match[1]]
        arguments, end = [], match.end()
        for _ in range(count):
            group = _group(text, end)
            if group is None:
                break
            arguments.append(group[0])
            end = group[1]
        if len(arguments) < count:
            position = match.end()
            continue
        for number, argument in enumerate(arguments, 1):
            body = body.replace(f"#{number}", argument)
        text = text[: match.start()] + body + text[end:]
        position = match.start()
        if len(text) > _LONGEST:
            break
    raise UnreadableInput("a definition in the document expands without end")


def _group(text: str, at: int) -> tuple[str, int] | None:
    """The braced group that begins at ``at`` (blanks before it skipped) and where it ends."""
    while at < len(text) and text[at] in " \t\n":
        at += 1
    if at >= len(text) or text[at] != "{":
        return None
    depth = 0
    for end in range(at, min(len(text), at + 20_000)):
        if text[end] in "{}" and text[end - 1] != "\\":
            depth += 1 if text[end] == "{" else -1
            if depth == 0:
                return text[at + 1 : end], end + 1
    return None
