"""``scoreproof claim``: re-check an interval, a p-value, ranks or a ± from the command line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from scoreproof.cli.app import app
from scoreproof.cli.claim_text import ClaimGroup, statements_command
from scoreproof.cli.option_groups import PText, Rounding
from scoreproof.cli.options import AsJson, Certificate, DecimalComma, option
from scoreproof.cli.output import EXIT_NO, EXIT_OK, EXIT_UNDECIDED, console, emit_json, kept_proof
from scoreproof.errors import InvalidOption
from scoreproof.files import write_file
from scoreproof.validation import shown

if TYPE_CHECKING:
    from scoreproof.claims import Recheck

claim_app = typer.Typer(
    cls=ClaimGroup,
    no_args_is_help=True,
    help="""Re-check a claim of significance: an interval, a p-value, mean ranks, a ±.

    Tests are taken as they are written: scoreproof claim "t(28) = 2.20, p = .036".

    Formats understood. Values: 0.912, 91.2%, .912, 186/200. Intervals: '0.912 (0.880-0.938)', '91.2% [88.0, 93.8]',
    '0.81 (95% CI 0.77 to 0.85)', '0·983 (0·973–0·991)'. Spreads: '0.84 ± 0.03', '84.1 +/- 3.2%'. p-values: 0.03,
    'p=0.03', '< 0.05', 'P ≤ .001', '3.2 × 10−5', 'p < 10^{-4}'. Numbers keep their digits: 0.90 and 0.9 are different
    reports. A p-value or limit may have been rounded, floored or ceiled (--rounding any) unless you say otherwise.
    """,
    epilog="Exit status: 0 possible or certain, 1 impossible, 2 wrong usage, 3 unexplained (no usual method gives it).",
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(claim_app, name="claim")
claim_app.command("statements")(statements_command)

Level = Annotated[str | None, option("The level of the interval; 0.95, or what the text says.")]
_STATUS = {"impossible": EXIT_NO, "unexplained": EXIT_UNDECIDED}


def tell(found: Recheck, as_json: bool, certificate: Path | None) -> None:
    """The answer for people or as JSON, the proof into a file, and the exit status."""
    if certificate is not None and found.certificate is not None:
        import json

        write_file(certificate, json.dumps(found.certificate, indent=1, ensure_ascii=False) + "\n")
    if as_json:
        emit_json(found.to_dict())
    else:
        console().print(found)
        if found.certificate is not None:
            console().print(kept_proof(certificate))
    raise typer.Exit(_STATUS.get(str(found.verdict), EXIT_OK))


def sizes_of(text: str | None, what: str) -> Any:
    """One whole number, or several with commas between."""
    if text is None:
        return None
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isascii() and part.isdigit() and len(part) < 19 for part in parts):
        raise InvalidOption(f"{what}: expected a whole number, or several with commas between; got {shown(text)}")
    return int(parts[0]) if len(parts) == 1 else [int(part) for part in parts]


@claim_app.command("interval")
def interval_command(
    value: Annotated[str, typer.Argument(help="The proportion with its interval as printed.")],
    *,
    n: Annotated[int | None, option("The cases it is a proportion of; without it those that fit are listed.")] = None,
    method: Annotated[str | None, option("The method, if it is named: clopper-pearson, wilson, wald, ...")] = None,
    level: Level = None,
    clustered: Annotated[bool, option("Cases are not independent.", "--clustered")] = False,
    rounding: Rounding = "any",
    decimal_comma: DecimalComma = False,
    certificate: Certificate = None,
    as_json: AsJson = False,
) -> None:
    """A confidence interval of a proportion.

    Example: scoreproof claim interval "0.912 (0.880-0.938)" --n 400
    """
    from scoreproof import claims

    found = claims.interval(
        value, n, level=level, method=method, clustered=clustered, rounding=rounding, decimal_comma=decimal_comma
    )
    tell(found, as_json, certificate)


@claim_app.command("auc-interval")
def auc_interval_command(
    value: Annotated[str, typer.Argument(help="The AUC with its interval as printed.")],
    *,
    p: Annotated[int | None, option("Positives.", "--p")] = None,
    n: Annotated[int | None, option("Negatives.", "--n")] = None,
    method: Annotated[str | None, option("delong, hanley-mcneil or binomial.")] = None,
    ties: Annotated[str, option("Whether cases of both classes may share a score: possible or none.")] = "possible",
    level: Level = None,
    rounding: Rounding = "any",
    certificate: Certificate = None,
    as_json: AsJson = False,
) -> None:
    """A confidence interval of an AUC.

    Example: scoreproof claim auc-interval "0.803 (0.688-0.917)" --p 29 --n 39
    """
    from scoreproof import claims

    found = claims.auc_interval(value, p, n, level=level, method=method, ties=ties, rounding=rounding)
    tell(found, as_json, certificate)


@claim_app.command("spread")
def spread_command(
    value: Annotated[str, typer.Argument(help="The mean with its ± as printed.")],
    *,
    folds: Annotated[int, option("Over how many values it is.")],
    sizes: Annotated[str | None, option("Cases of each fold: one number, or one for each with commas.")] = None,
    kind: Annotated[str, option("What the ± is: sd, se, halfwidth or unknown.")] = "sd",
    bounds: Annotated[str, option("The least and the greatest possible value.", metavar="LOW,HIGH")] = "0,1",
    rounding: Rounding = "any",
    certificate: Certificate = None,
    as_json: AsJson = False,
) -> None:
    """A mean ± over folds.

    Example: scoreproof claim spread "0.880 ± 0.031" --folds 5 --sizes 20
    """
    from scoreproof import claims

    least, comma, most = bounds.partition(",")
    if not comma:
        raise InvalidOption(f"bounds: expected two numbers with a comma between, got {shown(bounds)}")
    found = claims.spread(
        value, folds, sizes=sizes_of(sizes, "sizes"), kind=kind, bounds=(least.strip(), most.strip()), rounding=rounding
    )
    tell(found, as_json, certificate)


@claim_app.command("mean")
def mean_command(
    mean: Annotated[str, typer.Argument(help="The printed mean.")],
    values: Annotated[list[str], typer.Argument(help="The printed values it is of.")],
    *,
    sd: Annotated[str | None, option("The printed standard deviation.")] = None,
    rounding: Rounding = "any",
    decimal_comma: DecimalComma = False,
    certificate: Certificate = None,
    as_json: AsJson = False,
) -> None:
    """A printed mean of printed values.

    Example: scoreproof claim mean 0.90 0.80 0.82
    """
    from scoreproof import claims

    tell(claims.mean_of(values, mean, sd, rounding=rounding, decimal_comma=decimal_comma), as_json, certificate)


@claim_app.command("wilcoxon")
def wilcoxon_command(
    p: PText = "<0.05",
    *,
    folds: Annotated[int, option("Pairs: folds, data sets.")],
    statistic: Annotated[str | None, option("The printed sum of ranks.")] = None,
    method: Annotated[str, option("exact, asymptotic, asymptotic-corrected, or any.")] = "any",
    sides: Annotated[str, option("two, one, or any.")] = "two",
    rounding: Rounding = "any",
    certificate: Certificate = None,
    as_json: AsJson = False,
) -> None:
    """Wilcoxon's signed-rank test, the sign test or another exact test over pairs.

    Example: scoreproof claim wilcoxon --folds 5 "p=0.03"
    """
    from scoreproof import claims

    found = claims.signed_rank(folds, p, statistic=statistic, method=method, sides=sides, rounding=rounding)
    tell(found, as_json, certificate)


@claim_app.command("mcnemar")
def mcnemar_command(
    first: Annotated[str, typer.Argument(help="The first rate: 0.93, or 186/200.")],
    second: Annotated[str, typer.Argument(help="The second.")],
    p: PText = "<0.05",
    *,
    n: Annotated[int | None, option("Cases both were tried on.", "--n")] = None,
    method: Annotated[
        str, option("exact; exact, one-sided; mid-p; chi2; chi2-corrected; chi2-corrected-always; or any.")
    ] = "exact",
    discordant: Annotated[
        str | None, option("Cases only the first and only the second gets right, if printed.", metavar="B,C")
    ] = None,
    rounding: Rounding = "any",
    certificate: Certificate = None,
    as_json: AsJson = False,
) -> None:
    """McNemar's test of two rates on the same cases.

    Example: scoreproof claim mcnemar 0.93 0.92 "p<0.05" --n 200
    """
    from scoreproof import claims

    pair = sizes_of(discordant, "discordant")
    if pair is not None and (isinstance(pair, int) or len(pair) != 2):
        raise InvalidOption(f"discordant: expected two numbers with a comma between, got {shown(discordant)}")
    found = claims.mcnemar(
        first, second, n, p, method=method, discordant=None if pair is None else (pair[0], pair[1]), rounding=rounding
    )
    tell(found, as_json, certificate)


@claim_app.command("ranks")
def ranks_command(
    means: Annotated[list[str], typer.Argument(help="The mean ranks of all methods.")],
    *,
    datasets: Annotated[int, option("Data sets they were ranked on.")],
    chi2: Annotated[str | None, option("Friedman's χ² as printed.")] = None,
    f: Annotated[str | None, option("Iman and Davenport's F as printed.", "--f")] = None,
    cd: Annotated[str | None, option("The critical difference as printed.")] = None,
    different: Annotated[
        list[str] | None, option("A pair said to differ, by place from 1 (repeatable).", metavar="I,J")
    ] = None,
    alpha: Annotated[float, option("The level of the tests.")] = 0.05,
    no_ties: Annotated[bool, option("No two methods share a rank.", "--no-ties")] = False,
    rounding: Rounding = "any",
    certificate: Certificate = None,
    as_json: AsJson = False,
) -> None:
    """Mean ranks over data sets, with Friedman's test and Nemenyi's critical difference.

    Example: scoreproof claim ranks 1.50 2.00 2.50 --datasets 10
    """
    from scoreproof import claims

    pairs: list[Any] = [tuple(part.strip() for part in pair.split(",")) for pair in different or ()]
    found = claims.ranks(
        means, datasets, chi2=chi2, f=f, cd=cd, different=pairs, alpha=alpha, ties=not no_ties, rounding=rounding
    )
    tell(found, as_json, certificate)
