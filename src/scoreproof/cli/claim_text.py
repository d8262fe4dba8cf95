"""``scoreproof claim "t(28) = 2.20, p = .036"``: tests as sentences have them."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from scoreproof.cli.option_groups import Rounding
from scoreproof.cli.options import AsJson, Certificate, DecimalComma, option
from scoreproof.cli.output import EXIT_NO, EXIT_OK, EXIT_UNDECIDED, console, emit_json
from scoreproof.files import write_file

_TEXT = "statements"


class ClaimGroup(TyperGroup):
    """The commands of ``claim``; what is none of them, and no option, is a text with tests in it."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and any(sign in args[0] for sign in "=<>"):
            args = [_TEXT, *args]
        return super().resolve_command(ctx, args)


def statements_command(
    text: Annotated[str, typer.Argument(help="A sentence with statistics, degrees of freedom and p-values.")],
    *,
    alpha: Annotated[str, option("The level at which the text concludes.")] = "0.05",
    sides: Annotated[str, option("Of tests that do not say it: two, one, or any.")] = "any",
    rounding: Rounding = "any",
    decimal_comma: DecimalComma = False,
    certificate: Certificate = None,
    as_json: AsJson = False,
) -> None:
    """Tests as sentences have them: t, F, chi2, Q, z, r, U, W with their p-values.

    Example: scoreproof claim "t(28) = 2.20, p = .036"
    """
    import json

    from scoreproof import claims

    found = claims.statements(text, alpha=alpha, sides=sides, rounding=rounding, decimal_comma=decimal_comma)
    proofs = [recheck.certificate for recheck in found if recheck.certificate is not None]
    if certificate is not None and proofs:
        write_file(certificate, json.dumps(proofs[0] if len(proofs) == 1 else proofs, indent=1) + "\n")
    if as_json:
        emit_json([recheck.to_dict() for recheck in found])
    else:
        for recheck in found:
            console().print(recheck)
    verdicts = {str(recheck.verdict) for recheck in found}
    raise typer.Exit(EXIT_NO if "impossible" in verdicts else EXIT_UNDECIDED if "unexplained" in verdicts else EXIT_OK)
