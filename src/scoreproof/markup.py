"""Text of results as markup that shows it as it is: HTML for notebooks, and LaTeX.

Every ``_repr_html_`` is made of a sentence, a coloured verdict, a list and a small table, so that markup is escaped in
one place and every heading of a table says what it heads. Whole pages have templates of their own
(``scoreproof.pages``), which may hold these pieces as they are. In LaTeX special characters are made harmless, and
Greek letters, signs and accents spelled out.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

_COLOURS = {
    "consistent": "#1a7f37", "inconsistent": "#b42318", "question": "#1f5a86", "undecided": "#8a6d00",
    "not tested": "#656d76", "error": "#65409a",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class HtmlCell:
    """A cell of a table: its text, the cells it spans, and how it is set; ``verdict`` colours it."""

    text: str
    rows: int = 1
    columns: int = 1
    bold: bool = False
    verdict: str = ""
    head: str = ""  # "col" or "row" for a heading


def html_words(words: object) -> str:
    """A paragraph.

    >>> html_words("p < 0.05")
    '<p>p &lt; 0.05</p>'
    """
    return f"<p>{escape(str(words))}</p>"


def html_list(items: Iterable[object], title: str = "") -> str:
    """A list with its title; nothing where there is nothing to list."""
    lines = "".join(f"<li>{escape(str(item))}</li>" for item in items)
    head = f"<p><strong>{escape(title)}</strong></p>" if title else ""
    return f"{head}<ul>{lines}</ul>" if lines else ""


def html_verdict(sentence: object) -> str:
    """A sentence; one that begins with a verdict and a colon has the verdict in its colour.

    >>> html_verdict("undecided: 5 s were not enough")
    '<p><strong style="color:#8a6d00">undecided</strong>: 5 s were not enough</p>'
    """
    verdict, colon, words = str(sentence).partition(": ")
    if verdict not in _COLOURS:
        return html_words(sentence)
    return f'<p><strong style="color:{_COLOURS[verdict]}">{verdict}</strong>{colon}{escape(words)}</p>'


def html_table(rows: Iterable[Sequence[object]], *, caption: str = "", head: Sequence[object] = ()) -> str:
    """A table; a text at the beginning of a row is the row's heading.

    >>> html_table([("p", "< 0.05")], caption="Sign test")
    '<table><caption>Sign test</caption><tr><th scope="row">p</th><td>&lt; 0.05</td></tr></table>'
    """
    lines = [[HtmlCell(str(name), head="col") for name in head]] if head else []
    for row in rows:
        named = bool(row) and isinstance(row[0], str)
        heads = ["row" if named else "", *[""] * len(row)]
        cells = zip(row, heads, strict=False)
        lines.append([HtmlCell(str(value), verdict=str(value), head=kind) for value, kind in cells])
    return html_grid(lines, caption=caption)


def html_grid(lines: Iterable[Iterable[HtmlCell]], *, caption: str = "") -> str:
    """A table of cells that may span others."""
    top = f"<caption>{escape(caption)}</caption>" if caption else ""
    body = "".join(f"<tr>{''.join(map(_cell, line))}</tr>" for line in lines)
    return f"<table>{top}{body}</table>"


def _cell(cell: HtmlCell) -> str:
    tag = "th" if cell.head else "td"
    scope = f' scope="{cell.head}"' if cell.head else ""
    reach = f' rowspan="{cell.rows}"' * (cell.rows > 1) + f' colspan="{cell.columns}"' * (cell.columns > 1)
    colour = f' style="color:{_COLOURS[cell.verdict]}"' if cell.verdict in _COLOURS else ""
    text = f"<b>{escape(cell.text)}</b>" if cell.bold else escape(cell.text)
    return f"<{tag}{scope}{reach}{colour}>{text}</{tag}>"


_SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\ensuremath{<}", ">": r"\ensuremath{>}",
    "|": r"\ensuremath{|}", '"': "''", "[": "{[}", "]": "{]}", "`": r"\textasciigrave{}", "-": "{-}",
}  # fmt: skip
_MATHS = {
    "±": r"\pm", "×": r"\times", "÷": r"\div", "−": "-", "≤": r"\leq", "≥": r"\geq", "≠": r"\neq", "≈": r"\approx",
    "→": r"\to", "←": r"\leftarrow", "↑": r"\uparrow", "↓": r"\downarrow", "∞": r"\infty", "√": r"\surd", "·": r"\cdot",
    "²": "^2", "³": "^3", "¹": "^1", "°": r"^\circ", "∅": r"\emptyset", "∈": r"\in", "✓": r"\surd", "✗": r"\times",
    "⋅": r"\cdot", "∗": "*", "⁻": "^-", "µ": r"\mu",
    "α": r"\alpha", "β": r"\beta", "γ": r"\gamma", "δ": r"\delta", "ε": r"\epsilon", "ζ": r"\zeta", "η": r"\eta",
    "θ": r"\theta", "ι": r"\iota", "κ": r"\kappa", "λ": r"\lambda", "μ": r"\mu", "ν": r"\nu", "ξ": r"\xi", "π": r"\pi",
    "ρ": r"\rho", "σ": r"\sigma", "τ": r"\tau", "φ": r"\phi", "χ": r"\chi", "ψ": r"\psi", "ω": r"\omega",
    "Γ": r"\Gamma", "Δ": r"\Delta", "Θ": r"\Theta", "Λ": r"\Lambda", "Σ": r"\Sigma", "Φ": r"\Phi", "Ψ": r"\Psi",
    "Ω": r"\Omega",
}  # fmt: skip
_LETTERS = {
    "–": "--", "—": "---", "‐": "{-}", "‑": "{-}", "‘": "`", "’": "'", "“": "``", "”": "''", "…": r"\dots{}",
    "†": r"\dag{}", "‡": r"\ddag{}", "§": r"\S{}", "¶": r"\P{}", "©": r"\copyright{}", "£": r"\pounds{}",
    "ß": r"\ss{}", "æ": r"\ae{}", "Æ": r"\AE{}", "œ": r"\oe{}", "Œ": r"\OE{}", "ø": r"\o{}", "Ø": r"\O{}",
    "ł": r"\l{}", "Ł": r"\L{}", "ı": r"\i{}", "\u00a0": "~", "\u2009": r"\,", "\t": " ", "\n": " ",
}  # fmt: skip
_ACCENTS = {
    "\u0300": r"\`", "\u0301": r"\'", "\u0302": r"\^", "\u0303": r"\~", "\u0308": r'\"', "\u030a": r"\r",
    "\u0327": r"\c", "\u030c": r"\v", "\u0304": r"\=", "\u0306": r"\u", "\u0307": r"\.", "\u030b": r"\H",
}  # fmt: skip


def escape_latex(text: str) -> str:
    r"""The text as LaTeX that prints it.

    >>> print(escape_latex("50% of $x_1$ é β 中"))
    50\% of \$x\_1\$ \'{e} \ensuremath{\beta} {[}U+4E2D{]}
    """
    return "".join(map(_character, text))


def _character(character: str) -> str:
    if character in _SPECIAL:
        return _SPECIAL[character]
    if character.isascii() and character.isprintable():
        return character
    if character in _MATHS:
        return rf"\ensuremath{{{_MATHS[character]}}}"
    if character in _LETTERS:
        return _LETTERS[character]
    base, *marks = list(unicodedata.normalize("NFD", character))
    if len(marks) == 1 and base.isascii() and base.isalpha() and marks[0] in _ACCENTS:
        # An accent replaces the dot of an i.
        return f"{_ACCENTS[marks[0]]}{{{chr(92) + base if base in 'ij' else base}}}"
    return f"{{[}}U+{ord(character):04X}{{]}}"
