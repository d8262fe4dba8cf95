"""A comparison as LaTeX tables with booktabs rules."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from scoreproof.latex import escape_latex
from scoreproof.statistics.posthoc import correction_name

if TYPE_CHECKING:
    from scoreproof.statistics.comparison import Comparison


def comparison_latex(found: Comparison) -> str:
    """Two tabulars in one table: the models, and the pairs with the significant ones in bold."""
    bold = {id(p) for p in found.significant()}
    head, rows = found.pair_table()
    pairs = [
        [f"\\textbf{{{_cell(c)}}}" if id(pair) in bold else _cell(c) for c in row]
        for pair, row in zip(found.pairs, rows, strict=True)
    ]
    models_head, models = found.model_table()
    caption = f"{found.pair_test}, {found.rows} {found.unit}"
    if any(p.p_adjusted != p.result.p_value for p in found.pairs):
        caption += f", {correction_name(found.correction)}"
    if found.omnibus is not None:
        caption += f". {found.omnibus}"
    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            f"\\caption{{{_cell(caption.rstrip('.'))}. Bold: differs at {found.alpha:g}.}}",
            *_tabular(models_head, [[_cell(c) for c in row] for row in models]),
            r"\par\medskip",
            *_tabular(head, pairs),
            r"\end{table}",
        ]
    )


def _cell(text: str) -> str:
    """A cell with its minus signs and powers of ten as mathematics.

    >>> _cell("-0.03 (-0.05 to 1.20e-05)"), _cell("U-Net")
    ('$-$0.03 ($-$0.05 to $1.20 \\\\times 10^{-5}$)', 'U{-}Net')
    """
    parts, end = [], 0
    for found in _SIGNED.finditer(text):
        parts += [escape_latex(text[end : found.start()]), _number(found)]
        end = found.end()
    return "".join([*parts, escape_latex(text[end:])])


#: A minus that is one (not a hyphen), with its number if it has one; and numbers with a power of ten.
_SIGNED = re.compile(r"−|(?<![\w.])-(?=\d)|(?<![\w.-])(-?\d(?:\.\d+)?)e([+-])0*(\d+)")


def _number(found: re.Match[str]) -> str:
    if found[1] is None:
        return "$-$"
    return f"${found[1]} \\times 10^{{{'-' if found[2] == '-' else ''}{found[3]}}}$"


def _tabular(head: Sequence[str], rows: list[list[str]]) -> list[str]:
    return [
        f"\\begin{{tabular}}{{l{'r' * (len(head) - 1)}}}",
        r"\toprule",
        " & ".join(_cell(h) for h in head) + r" \\",
        r"\midrule",
        *(" & ".join(row) + r" \\" for row in rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]
