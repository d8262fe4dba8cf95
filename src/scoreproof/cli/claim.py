"""``scoreproof claim``: tests as sentences have them, and a command for each function of ``scoreproof.claims``.

Texts that stand before the ``*`` of a signature are arguments of the command, several texts last; all else is an
option. A function is loaded when its command is asked for.
"""

from __future__ import annotations

import ast
import inspect
import json
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from scoreproof.claims import CLAIMS
from scoreproof.claims.recheck import settings_of_claim
from scoreproof.cli.app import AsJson, Certificate, DecimalComma, app, option, parameter_of, readable
from scoreproof.cli.output import EXIT_NO, EXIT_OK, EXIT_UNDECIDED, console, emit_json, kept_proof
from scoreproof.cli.reports import show_findings
from scoreproof.files import write_file
from scoreproof.results import in_terminal
from scoreproof.validation import Notation, Setting, read_settings

if TYPE_CHECKING:
    from scoreproof.claims import Recheck

SENTENCES = "statements"
_HELP = {"help_option_names": ["-h", "--help"]}


def sentences_command() -> Any:
    """The command that takes a text with tests in it."""
    alone = typer.Typer(add_completion=False)
    alone.command(SENTENCES, context_settings=_HELP)(_statements)
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
    from scoreproof import claims

    rechecks = claims.statements(text, alpha=alpha, sides=sides, rounding=rounding, decimal_comma=decimal_comma)
    _tell(rechecks, certificate, [_document(recheck) for recheck in rechecks] if as_json else None)


class _Claims(TyperGroup):
    """The commands, of which only the one that is asked for is made; a text with = or < in it is one with tests."""

    def list_commands(self, ctx: Any) -> list[str]:
        return [*(name.replace("_", "-") for name in CLAIMS), SENTENCES]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        name = cmd_name.replace("-", "_")
        made = sentences_command() if name == SENTENCES else _command(name) if name in CLAIMS else None
        return readable(made, ctx)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        as_text = bool(args) and any(sign in args[0] for sign in "=<>")
        return super().resolve_command(ctx, [SENTENCES, *args] if as_text else args)


claim_app = typer.Typer(
    cls=_Claims,
    no_args_is_help=True,
    help="""Re-check a claim of significance: an interval, a p-value, mean ranks, a ±.

    Tests are taken as they are written: scoreproof claim "t(28) = 2.20, p = .036".

    Formats understood. Values: 0.912, 91.2%, .912, 186/200. Intervals: '0.912 (0.880-0.938)', '91.2% [88.0, 93.8]',
    '0.81 (95% CI 0.77 to 0.85)', '0·983 (0·973–0·991)'. Spreads: '0.84 ± 0.03', '84.1 +/- 3.2%'. p-values: 0.03,
    'p=0.03', '< 0.05', 'P ≤ .001', '3.2 × 10−5', 'p < 10^{-4}'. Numbers keep their digits: 0.90 and 0.9 are different
    reports. A p-value or limit may have been rounded, floored or ceiled (--rounding any) unless you say otherwise.
    """,
    epilog="Exit status: 0 possible or certain, 1 impossible, 2 wrong usage, 3 unexplained (no usual method gives it).",
    context_settings=_HELP,
)
app.add_typer(claim_app, name="claim")


def _command(name: str) -> Any:
    """The command that re-checks claims by one function."""
    from scoreproof import claims
    from scoreproof.claims.recheck import recheck

    known = settings_of_claim(name)

    def call(*, certificate: Path | None, as_json: bool, **given: Any) -> None:
        stated = {key: value for key, value in given.items() if value is not None and value != []}
        rechecked = recheck(name, read_settings(name, known, stated))
        _tell([rechecked], certificate, _document(rechecked) if as_json else None)

    shown = [inspect.Parameter("certificate", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Certificate)]
    shown += [inspect.Parameter("as_json", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=AsJson)]
    settings = sorted(known.values(), key=lambda setting: (not _is_argument(setting), setting.form is Notation.SEVERAL))
    parameters = [*(parameter_of(setting, argument=_is_argument(setting)) for setting in settings), *shown]
    call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    call.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    words, _, examples = (inspect.getdoc(getattr(claims, name)) or "").partition(">>> ")
    call.__doc__ = f"{words.replace('``', '').strip()}\n\n{_example(name, settings, examples)}"
    alone = typer.Typer(add_completion=False)
    alone.command(name.replace("_", "-"), context_settings=_HELP)(call)
    return typer.main.get_command(alone)


def _example(name: str, settings: Sequence[Setting], examples: str) -> str:
    """The first call in a function's examples as a line of this command."""
    first = examples.partition("\n")[0].partition(f"{name}(")[2]
    ends = (
        k for k, letter in enumerate(first) if letter == ")" and first.count("(", 0, k) < first.count(")", 0, k + 1)
    )
    call = ast.parse(f"{name}({first[: next(ends, 0)]})", mode="eval").body
    if not (first and isinstance(call, ast.Call)):
        return ""
    given = dict(zip(settings_of_claim(name), call.args, strict=False)) | {str(k.arg): k.value for k in call.keywords}
    line = ["scoreproof", "claim", name.replace("_", "-")]
    for setting in settings:
        value = ast.literal_eval(given.get(setting.name, ast.Constant(None)))
        several = value if isinstance(value, list) else [] if value is None else [value]
        texts = [",".join(map(str, text)) if isinstance(text, tuple) else str(text) for text in several]
        option_name = [] if _is_argument(setting) else [f"--{setting.name.replace('_', '-')}"]
        line += [word for text in texts for word in (*option_name, text)]
    return f"Example: {shlex.join(line)}"


def _is_argument(setting: Setting) -> bool:
    return setting.by_place and setting.part is str and setting.form in (Notation.ONE, Notation.SEVERAL)


def _document(recheck: Recheck) -> dict[str, Any]:
    return {**recheck.to_dict(), "findings": [finding.brief() for finding in recheck.findings]}


def _tell(rechecks: Sequence[Recheck], certificate: Path | None, document: Any) -> None:
    """The cards of what is impossible, the rest in a sentence and a table, or JSON; proofs, and the exit status."""
    proofs = [recheck.certificate for recheck in rechecks if recheck.certificate is not None]
    if certificate is not None and proofs:
        write_file(certificate, json.dumps(proofs if proofs[1:] else proofs[0], indent=1, ensure_ascii=False) + "\n")
    if document is not None:
        emit_json(document)
    else:
        out = console()
        for recheck in rechecks:
            out.print(recheck if not recheck.findings else in_terminal(str(recheck.verdict)))
            show_findings(recheck.findings, out, full=True)
        if proofs:
            out.print(f"This is proved. {kept_proof(certificate)}")
    verdicts = {str(recheck.verdict) for recheck in rechecks}
    raise typer.Exit(EXIT_NO if "impossible" in verdicts else EXIT_UNDECIDED if "unexplained" in verdicts else EXIT_OK)
