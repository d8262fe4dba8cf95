"""An explanation on the terminal: what is proved first, what is possible after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

    from scoreproof.insight.explanation import Explanation

_CONFLICTS = 3
_REPAIRS = 5


def show_explanation(explanation: Explanation, out: Console) -> None:
    """Conflicts, repairs and hypotheses, each said to be proved or merely possible."""
    out.print()
    if explanation.identities:
        out.print("[bold]Known rules it breaks[/] (proved)")
        for words in explanation.identities:
            out.print(f"  • {words}", markup=False)
    out.print("[bold]Smallest conflict[/] (proved)")
    for conflict in explanation.conflicts[:_CONFLICTS]:
        out.print(f"  • {conflict}", markup=False)
    more = len(explanation.conflicts) - _CONFLICTS
    if more > 0:
        out.print(f"  and {more} more (--json lists all)")
    out.print("[bold]Nearest repairs[/] (each would fit; possible, not proved)")
    for number, repair in enumerate(explanation.repairs[:_REPAIRS], start=1):
        out.print(f"  {number}. {repair}", markup=False)
    if not explanation.repairs:
        out.print("  none found: no single slip makes the report fit")
    if explanation.hypotheses:
        out.print("[bold]Other assumptions[/] (possible, not proved)")
        sign = {"fits": "[green]✓[/]", "does not fit": "[red]✗[/]", "undecided": "[yellow]?[/]"}
        ranked = sorted(explanation.hypotheses, key=lambda one: list(sign).index(str(one.answer)))
        for one in ranked:
            out.print(f"  {sign[str(one.answer)]}", end=" ")
            out.print(str(one), markup=False)
    if explanation.untried:
        out.print(f"Not finished within --explain-budget: {'; '.join(explanation.untried)}", markup=False)
    out.print("These are possibilities. Only the conflict is proved; what happened, the authors know.")
