"""Text of a paper made presentable: one line, of bounded length, with nothing in it that cannot be seen.

A cell may hold anything: tags, quotes, control characters, marks that turn the writing direction so that 0.68 reads
86.0, a hundred thousand letters. Templates escape markup; here invisible characters are shown by their code point (a
reviewer must see that they are there), and long texts are cut.
"""

from __future__ import annotations

import json
import re
from typing import Any

# Control characters but tab and line feed, lone surrogates, non-characters, and everything that turns the direction.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff\ud800-\udfff]"
)


def visible(text: object) -> str:
    """The text with characters that nobody can see replaced by their code points.

    >>> visible("0.68\\u202e\\x00")
    '0.68[U+202E][U+0000]'
    """
    plain = str(text)
    if plain.isascii() and plain.isprintable():
        return plain
    plain = plain.replace("\r\n", "\n").replace("\r", "\n")
    return _INVISIBLE.sub(lambda match: f"[U+{ord(match[0]):04X}]", plain)


def cut(text: object, most: int = 200) -> str:
    """At most so many characters on one line, with an ellipsis where something is missing.

    >>> cut("a  very\\nlong name", 11)
    'a very lon…'
    """
    # A text far longer than what is shown need not be looked at as a whole, an ordinary one need not be changed.
    if isinstance(text, str) and len(text) <= most and text.isascii() and text.isprintable():
        return " ".join(text.split())
    shown = " ".join(visible(str(text)[: 4 * most + 100]).split())
    return shown if len(shown) <= most else shown[: most - 1] + "…"


def embed(document: Any) -> str:
    """JSON for a script element: no character in it can end the element or start another.

    >>> embed("</script>")
    '"\\\\u003c/script\\\\u003e"'
    """
    text = json.dumps(document, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
