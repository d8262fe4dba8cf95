"""A comparison as LaTeX tables with booktabs rules."""

from __future__ import annotations

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
        [f"\\textbf{{{escape_latex(c)}}}" if id(pair) in bold else escape_latex(c) for c in row]
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
            f"\\caption{{{escape_latex(caption.rstrip('.'))}. Bold: differs at {found.alpha:g}.}}",
            *_tabular(models_head, [[escape_latex(c) for c in row] for row in models]),
            r"\par\medskip",
            *_tabular(head, pairs),
            r"\end{table}",
        ]
    )


def _tabular(head: Sequence[str], rows: list[list[str]]) -> list[str]:
    return [
        f"\\begin{{tabular}}{{l{'r' * (len(head) - 1)}}}",
        r"\toprule",
        " & ".join(escape_latex(h) for h in head) + r" \\",
        r"\midrule",
        *(" & ".join(row) + r" \\" for row in rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]
