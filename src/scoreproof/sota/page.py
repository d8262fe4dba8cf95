"""One self-contained HTML page: sentences for the paper, tables for the curious, figures as inline SVG.

No script, no style sheet and no picture is fetched from anywhere, so the page can be mailed or archived.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from scoreproof.sota.accuracy import BestAccuracy
from scoreproof.sota.auc_leaderboard import AucLeaderboard
from scoreproof.sota.best import Best, Convention
from scoreproof.sota.leaderboard import Leaderboard

_STYLE = """
body{font:16px/1.5 system-ui,sans-serif;color:#222;max-width:52rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.5rem}h2{font-size:1.1rem;margin-top:2rem}
table{border-collapse:collapse;font-size:.9rem;margin:.8rem 0}
th,td{padding:.2rem .7rem;text-align:right;border-bottom:1px solid #ddd;white-space:nowrap}
figure{margin:1.5rem 0}
th:first-child,td:first-child{text-align:left}
tr.close td{background:#e8eff5}svg{max-width:100%;height:auto}
.note{color:#555;font-size:.85rem}
"""
_CONVENTIONS: tuple[tuple[Convention, str], ...] = (
    ("quantile", "smallest z with F(z) ≥ α/2"),
    ("holds", "really holds ≤ α/2"),
)


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, what is said under it, and ready-made HTML for tables and figures."""

    title: str
    sentence: str
    body: str = ""


def page(title: str, sections: Sequence[Section], figures: Sequence[str] = ()) -> str:
    """The whole document: what is said, then the pictures, then the tables.

    >>> page("A & B", [Section("One", "x < y")])[:15]
    '<!doctype html>'
    """
    parts = [f"<h2>{escape(part.title)}</h2><p>{escape(part.sentence)}</p>" for part in sections]
    parts += [f"<figure>{svg}</figure>" for svg in figures]
    parts += [f"<h2>{escape(part.title)}: the numbers</h2>{part.body}" for part in sections if part.body]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body><h1>{escape(title)}</h1>"
        + "\n".join(parts)
        + "</body></html>\n"
    )


def best_table(best: Best, alpha: float) -> str:
    """Mean, spread and both conventions of the interval."""
    rows = best_rows(best, alpha)
    return table(("", ""), rows)


def best_rows(best: Best, alpha: float) -> list[tuple[str, str]]:
    """What there is to say about a best score, label by label."""
    rows = [
        ("true " + best.score, f"{best.truth:.6g}"),
        ("expected best", f"{best.mean:.6f}"),
        ("standard deviation", f"{best.sd:.6f}"),
        ("optimism (expected best - truth)", f"{best.bias:+.6f}"),
        ("median", f"{best.median:.6f}"),
    ]
    for convention, words in _CONVENTIONS:
        found = best.interval(alpha, convention)
        rows.append((f"{100 * (1 - alpha):g}% interval, {words}", f"{_limit(found.low)} to {_limit(found.high)}"))
        rows.append(("    P(best ≤ low), P(best ≥ high)", f"{found.p_low:.5f}, {found.p_high:.5f}"))
    if isinstance(best, BestAccuracy) and best.reference is not None:
        reference = best.reference
        rows.append(("dependence: p_dep, q", f"{reference.p_dep:.6g}, {reference.q:.6g}"))
        rows.append(("pairwise correlation", f"{reference.correlation:.6g}"))
    return rows


def leaderboard_table(board: Leaderboard | AucLeaderboard, most: int = 100) -> str:
    """The shrunken ranking; entries that cannot be told from the top are shaded."""
    head = ("entry", "rank", "score", "shrunken", "interval", "expected rank", "chance best")
    lines = "".join(
        f'<tr class="{"close" if e.indistinguishable else "far"}">'
        + "".join(
            f"<td>{escape(cell)}</td>"
            for cell in (
                e.name,
                str(e.rank),
                f"{e.score:.4f}",
                f"{e.shrunken:.4f}",
                f"{e.low:.4f} to {e.high:.4f}",
                f"{e.expected_rank:.1f}",
                f"{e.chance_best:.3f}",
            )
        )
        + "</tr>"
        for e in board.entries[:most]
    )
    rest = len(board.entries) - most
    more = f'<p class="note">and {rest:,} more entries</p>' if rest > 0 else ""
    return f"<table><tr>{''.join(f'<th>{h}</th>' for h in head)}</tr>{lines}</table>{more}"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A plain table; an empty head is left out."""
    top = f"<tr>{''.join(f'<th>{escape(h)}</th>' for h in head)}</tr>" if any(head) else ""
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table>{top}{body}</table>"


def _limit(value: float | None) -> str:
    return "none" if value is None else f"{value:.6f}"
