"""The main job: three papers audited, from their tables to a report that can be sent to an editor."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.rule import Rule

from scoreproof.pages import to_html
from scoreproof.papers.auditing import audit
from scoreproof.papers.result import AuditResult

PAPERS = Path(__file__).parent / "papers"
REPORTS = Path(__file__).parents[1] / "build" / "demo"
STORIES = {
    "rainio2024": "Two networks on 600 X-rays. In one row three columns are shifted by one: no matrix fits.",
    "ehg2017": "Five folds of 300 records cannot give these means; with a class oversampled before the split they can.",
    "vessels": "Made up: three methods on DRIVE. The scores alone tell which pixels were evaluated, if any.",
}
out = Console(highlight=False, soft_wrap=True)


def show(result: AuditResult) -> None:
    """The findings as cards, then how the rows of each table ended, and the claims."""
    for finding in result.findings:
        out.print(f"\n{finding.text()}", markup=False)
    for table in result.tables:
        out.print(f"\n  {table}", markup=False)
        for label in table.fits_all[:3]:
            out.print(f"    every row fits: {label}", markup=False)
    for claim in result.claims:
        standing = {True: "[green]holds[/]", False: "[red]does not hold[/]", None: "[yellow]open[/]"}[claim.holds]
        out.print(f"\n  {standing}  {claim.text}\n                {claim.words}")


def main() -> None:
    """Audit the example papers and say where the reports are."""
    REPORTS.mkdir(parents=True, exist_ok=True)
    out.print("[bold]scoreproof[/]: could this experiment have produced these numbers?")
    for name, story in STORIES.items():
        result = audit(PAPERS / f"{name}.scoreproof.yaml")
        out.print()
        out.print(Rule(result.title, align="left"))
        out.print(story)
        show(result)
        file = REPORTS / f"{name}.html"
        file.write_text(to_html(result), encoding="utf-8")
        out.print(f"\n  {result}\n  report: {file}")


if __name__ == "__main__":
    main()
