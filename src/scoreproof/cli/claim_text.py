"""``scoreproof claim "t(28) = 2.20, p = .036"``: tests as sentences have them."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from scoreproof.cli.options import AsJson, Certificate, DecimalComma, option
from scoreproof.cli.output import EXIT_NO, EXIT_OK, EXIT_UNDECIDED, console, emit_json
from scoreproof.files import write_file

SENTENCES = "statements"


def sentences_command() -> Any:
    """The command that takes a text with tests in it."""
    alone = typer.Typer(add_completion=False)
    alone.command(SENTENCES, context_settings={"help_option_names": ["-h", "--help"]})(_statements)
    return typer.main.get_command(alone)


def _statements(
    text: Annotated[str, typer.Argument(help="A sentence with statistics, degrees of freedom and p-values.")],
    *,
    alpha: Annotated[str, option("The level at which the text concludes.")] = "0.05",
    sides: Annotated[str, option("Of tests that do not say it: two, one, or any.")] = "any",
    rounding: Annotated[str, option("How printed numbers were cut to digits: any, nearest, floor or ceil.")] = "any",
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
