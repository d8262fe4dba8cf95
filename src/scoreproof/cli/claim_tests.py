"""``scoreproof claim``: tests that tails of t, F, χ² and the normal decide."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from scoreproof.cli.claim import PText, Rounding, claim_app, sizes_of, tell
from scoreproof.cli.options import AsJson, option
from scoreproof.errors import InvalidOption


@claim_app.command("p-value")
def p_value_command(
    test: Annotated[str, typer.Argument(help="t, z, F, chi2 or r.")],
    statistic: Annotated[str, typer.Argument(help="The statistic as printed.")],
    p: PText,
    *,
    df: Annotated[str | None, option("Degrees of freedom; two with a comma for F.")] = None,
    sides: Annotated[str, option("two, one, or any.")] = "any",
    rounding: Rounding = "any",
    as_json: AsJson = False,
) -> None:
    """A p-value against its statistic.

    Example: scoreproof claim p-value t 2.77 0.024 --df 8
    """
    from scoreproof import claims

    freedom: Any = None if df is None else [part.strip() for part in df.split(",")]
    freedom = freedom[0] if freedom is not None and len(freedom) == 1 else freedom
    tell(claims.p_value(test, statistic, freedom, p, sides=sides, rounding=rounding), as_json, None)


@claim_app.command("paired")
def paired_command(
    first: Annotated[str, typer.Argument(help="The first mean with its ±.")],
    second: Annotated[str, typer.Argument(help="The second.")],
    p: PText = "<0.05",
    *,
    folds: Annotated[int, option("Folds both were tried on.")],
    test_share: Annotated[
        float | None, option("Test over training cases: the corrected test of Nadeau and Bengio.", "--test-share")
    ] = None,
    spread: Annotated[str, option("What the ± is: sd or se.")] = "sd",
    rounding: Rounding = "any",
    as_json: AsJson = False,
) -> None:
    """The paired t test of two mean ± sd over the same folds.

    Example: scoreproof claim paired "0.912 ± 0.012" "0.905 ± 0.011" "p<0.05" --folds 5
    """
    from scoreproof import claims

    found = claims.paired(first, second, folds, p, test_share=test_share, spread=spread, rounding=rounding)
    tell(found, as_json, None)


@claim_app.command("means")
def means_command(
    first: Annotated[str, typer.Argument(help="The first mean with its ±.")],
    second: Annotated[str, typer.Argument(help="The second.")],
    p: PText = "<0.05",
    *,
    n: Annotated[str, option("Values behind each mean; two numbers with a comma if they differ.", "--n")],
    test: Annotated[str | None, option("t, welch or F; without it any of them.")] = None,
    rounding: Rounding = "any",
    as_json: AsJson = False,
) -> None:
    """A test of two independent samples from mean ± sd.

    Example: scoreproof claim means "0.84 ± 0.03" "0.81 ± 0.05" "p=0.02" --n 20 --test welch
    """
    from scoreproof import claims

    tell(claims.means(first, second, sizes_of(n, "n"), p, test=test, rounding=rounding), as_json, None)


@claim_app.command("proportions")
def proportions_command(
    first: Annotated[str, typer.Argument(help="The first proportion.")],
    second: Annotated[str, typer.Argument(help="The second, of other cases.")],
    p: PText = "<0.05",
    *,
    n: Annotated[str, option("Cases of each; two numbers with a comma if they differ.", "--n")],
    test: Annotated[str | None, option("pooled z, unpooled z, chi2-corrected or fisher.")] = None,
    rounding: Rounding = "any",
    as_json: AsJson = False,
) -> None:
    """A test of two proportions of different cases.

    Example: scoreproof claim proportions 0.930 0.905 "p=0.04" --n 1000
    """
    from scoreproof import claims

    tell(claims.proportions(first, second, sizes_of(n, "n"), p, test=test, rounding=rounding), as_json, None)


@claim_app.command("auc-difference")
def auc_difference_command(
    first: Annotated[str, typer.Argument(help="The first AUC.")],
    second: Annotated[str, typer.Argument(help="The second.")],
    pvalue: PText = "<0.05",
    *,
    p: Annotated[int | None, option("Positives.", "--p")] = None,
    n: Annotated[int | None, option("Negatives.", "--n")] = None,
    interval: Annotated[list[str] | None, option("The limits of each AUC, as 0.53-0.73 (twice).")] = None,
    level: Annotated[str | None, option("The level of the intervals; 0.95.")] = None,
    rounding: Rounding = "any",
    as_json: AsJson = False,
) -> None:
    """DeLong's test of two AUCs on the same cases.

    Example: scoreproof claim auc-difference 0.95 0.70 "p<0.05" --p 200 --n 200
    """
    from scoreproof import claims

    if interval and len(interval) != 2:
        raise InvalidOption(f"interval: expected the limits of both AUCs, got {len(interval)}")
    limits = (interval[0], interval[1]) if interval else None
    found = claims.auc_difference(first, second, p, n, pvalue, intervals=limits, level=level, rounding=rounding)
    tell(found, as_json, None)


@claim_app.command("family")
def family_command(
    p_values: Annotated[list[str], typer.Argument(help="All p-values of the family, as printed.")],
    *,
    method: Annotated[str, option("holm, bonferroni, bh, hochberg, hommel, by or none.")] = "holm",
    alpha: Annotated[float, option("The level.")] = 0.05,
    significant: Annotated[
        list[str] | None, option("A p-value that is said to stay significant, by place from 1 (repeatable).")
    ] = None,
    rounding: Rounding = "any",
    as_json: AsJson = False,
) -> None:
    """Which p-values stay significant when they are adjusted for their number.

    Example: scoreproof claim family 0.03 "<0.001" 0.012 --method bonferroni
    """
    from scoreproof import claims

    found = claims.family(p_values, method=method, alpha=alpha, significant=significant or None, rounding=rounding)
    tell(found, as_json, None)
