"""Any text as LaTeX that prints it: special characters made harmless, Greek letters, signs and accents spelled out."""

from __future__ import annotations

import unicodedata

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\ensuremath{<}",
    ">": r"\ensuremath{>}",
    "|": r"\ensuremath{|}",
    '"': "''",
    "[": "{[}",
    "]": "{]}",
    "`": r"\textasciigrave{}",
    "-": "{-}",
}
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
