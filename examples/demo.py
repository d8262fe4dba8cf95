"""The main job on real examples: three published reports, decided with proof."""

from __future__ import annotations

from rich.console import Console
from rich.rule import Rule

import scoreproof as sp

out = Console(highlight=False)


def chapter(title: str, story: str) -> None:
    out.print()
    out.print(Rule(title, align="left"))
    out.print(story)


def decide(p: int, n: int, scores: dict[str, str], rounding: str = "any") -> sp.CheckResult:
    """Check one report and say what came out."""
    result = sp.check(sp.TestSet(p, n), scores, rounding=rounding)
    report = ", ".join(f"{name} {text}" for name, text in scores.items())
    out.print(f"\n  p = {p}, n = {n}: {report}")
    if result.certificate is not None:
        out.print(f"  [bold red]{result.verdict}[/]  {sp.verify(result.certificate)}")
        return result
    solutions = result.solutions()
    shown = "  ".join(f"(tp {m.tp}, tn {m.tn})" for m in solutions.matrices())
    out.print(f"  [bold green]{result.verdict}[/]  {solutions.count} of {(p + 1) * (n + 1)} matrices fit: {shown}")
    return result


def typo_in_a_paper_about_typos() -> None:
    chapter(
        "1  A typo in the paper about typos",
        "Fazekas and Kovács (2024), section 3.3, print acc 0.6801 and name two matrices that give it.\n"
        "As printed the example is impossible; with 0.6821 it gives exactly the two matrices they name.",
    )
    decide(1000, 6000, {"acc": "0.6801", "npv": "0.9401", "f1": "0.4004"})
    decide(1000, 6000, {"acc": "0.6821", "npv": "0.9401", "f1": "0.4004"})


def shifted_columns() -> None:
    chapter(
        "2  Shifted columns",
        "Rainio, Teuho and Klén (2024), Table 4, row InceptionV3 on 300 positive and 300 negative images:\n"
        "the F1, kappa and MCC columns are shifted by one. Rotated back, one matrix fits.",
    )
    shifted = {"acc": "0.732", "sens": "0.753", "spec": "0.710", "ppv": "0.722"}
    decide(300, 300, {**shifted, "f1": "0.463", "kappa": "0.464", "mcc": "0.737"})
    decide(300, 300, {**shifted, "f1": "0.737", "kappa": "0.463", "mcc": "0.464"})


def no_prevalence_fits() -> None:
    chapter(
        "3  A matrix that cannot exist",
        "DConfusion's documentation reconstructs a matrix from N = 100, accuracy .85, precision .80, recall .75\n"
        "(rounded to nearest). No integer matrix has these scores, whatever the number of positives: all are tried.",
    )
    scores = {"accuracy": "0.85", "precision": "0.80", "recall": "0.75"}
    verdicts = [sp.check(sp.TestSet(p, 100 - p), scores, rounding="nearest") for p in range(1, 100)]
    proved = sum(bool(one.certificate and sp.verify(one.certificate)) for one in verdicts)
    out.print(
        f"\n  p from 1 to 99: {proved} of {len(verdicts)} proved [bold red]inconsistent[/], every proof re-checked"
    )


if __name__ == "__main__":
    out.print("[bold]scoreproof[/]: could this experiment have produced these numbers?")
    typo_in_a_paper_about_typos()
    shifted_columns()
    no_prevalence_fits()
