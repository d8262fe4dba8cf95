"""A comparison as LaTeX tables with booktabs rules."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from scoreproof.latex import escape_latex
from scoreproof.statistics.posthoc import correction_name

if TYPE_CHECKING:
    from scoreproof.statistics.comparison import Comparison


def comparison_latex(comparison: Comparison) -> str:
    """Two tabulars in one table: the models, and the pairs with the significant ones in bold."""
    bold = {id(p) for p in comparison.significant()}
    head, rows = comparison.pair_table()
    pairs = [
        [f"\\textbf{{{_cell(c)}}}" if id(pair) in bold else _cell(c) for c in row]
        for pair, row in zip(comparison.pairs, rows, strict=True)
    ]
    models_head, models = comparison.model_table()
    caption = f"{comparison.pair_test}, {comparison.rows} {comparison.unit}"
    if any(p.p_adjusted != p.result.p_value for p in comparison.pairs):
        caption += f", {correction_name(comparison.correction)}"
    if comparison.omnibus is not None:
        caption += f". {comparison.omnibus}"
    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            f"\\caption{{{_cell(caption.rstrip('.'))}. Bold: differs at {comparison.alpha:g}.}}",
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
    for match in _SIGNED.finditer(text):
        parts += [escape_latex(text[end : match.start()]), _number(match)]
        end = match.end()
    return "".join([*parts, escape_latex(text[end:])])


#: A minus that is one (not a hyphen), with its number if it has one; and numbers with a power of ten.
_SIGNED = re.compile(r"−|(?<![\w.])-(?=\d)|(?<![\w.-])(-?\d(?:\.\d+)?)e([+-])0*(\d+)")


def _number(match: re.Match[str]) -> str:
    if match[1] is None:
        return "$-$"
    return f"${match[1]} \\times 10^{{{'-' if match[2] == '-' else ''}{match[3]}}}$"


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
