r"""Abbreviations a document defines, expanded before its tables are parsed.

Authors write ``\newcommand{\best}[1]{\textbf{#1}}`` or ``\def\pms#1#2{#1$\pm$#2}``; without expansion the second
would glue two numbers together. Expansion is bounded, so that a definition which calls itself ends in an error.
"""

from __future__ import annotations

import re

from scoreproof.errors import UnreadableInput

_NEW = re.compile(
    r"\\(?:re)?(?:newcommand|providecommand|DeclareRobustCommand)\*?\s*+\{?\s*+\\([A-Za-z]++)\s*+\}?"
    r"\s*+(?:\[(\d)\])?\s*+(\[)?"
)
_DEF = re.compile(r"\\def\s*+\\([A-Za-z]++)\s*+((?:#\d)*+)\s*+\{")
_CALL = re.compile(r"\\([A-Za-z]++)\s*+")
_BRACE = re.compile(r"(?<!\\)[{}]")
_LONGEST_GROUP = 20_000  # characters
_MOST_EXPANSIONS = 20_000
_LONGEST = 1_000_000
# Expanding these would only get in the parser's way.
_KEPT = {"textbf", "multicolumn", "multirow", "cite", "caption", "label", "toprule", "midrule", "bottomrule"}


def definitions(text: str) -> dict[str, tuple[int, str]]:
    r"""Name, number of arguments and body of every simple definition.

    >>> definitions(r"\newcommand{\best}[1]{\textbf{#1}} \def\ours{U-Net}")
    {'best': (1, '\\textbf{#1}'), 'ours': (0, 'U-Net')}
    """
    found: dict[str, tuple[int, str]] = {}
    ends = _ends(text) if "\\def" in text or "command" in text or "Command" in text else {}
    for match in _NEW.finditer(text):
        if match[3]:
            continue  # an optional argument: left to the parser
        body = _group(text, match.end(), ends)
        if body is not None and match[1] not in _KEPT:
            found[match[1]] = (int(match[2] or 0), body[0])
    for match in _DEF.finditer(text):
        body = _group(text, match.end() - 1, ends)
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
    position = expansions = 0
    while (match := _CALL.search(text, position)) is not None:
        if match[1] not in macros:
            position = match.end()
            continue
        expansions += 1
        if expansions > _MOST_EXPANSIONS or len(text) > _LONGEST:
            raise UnreadableInput("a definition in the document expands without end")
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
    return text


def _ends(text: str) -> dict[int, int]:
    """Where each brace that opens a group of sensible length is closed."""
    found: dict[int, int] = {}
    still_open: list[int] = []
    for match in _BRACE.finditer(text):
        if match[0] == "{":
            still_open.append(match.start())
        elif still_open:
            start = still_open.pop()
            if match.start() - start < _LONGEST_GROUP:
                found[start] = match.start()
    return found


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
