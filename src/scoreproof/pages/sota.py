"""What the state of the art is worth, as a page: sentences for the paper, figures, then tables for the curious."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from scoreproof.errors import InvalidOption
from scoreproof.pages.document import Section, Sheet, document, picture
from scoreproof.validation import declared, shown

if TYPE_CHECKING:
    from scoreproof.sota import AucLeaderboard, Best, Leaderboard
    from scoreproof.sota.best import Convention

_CONVENTIONS: tuple[tuple[Convention, str], ...] = (
    ("quantile", "smallest z with F(z) ≥ α/2"),
    ("holds", "really holds ≤ α/2"),
)


@declared
def sota_page(answers: Sequence[Section], figures: Mapping[str, Any]) -> str:
    """The page of some answers; their tables stand below the figures."""
    for figure in figures.values():
        if not hasattr(figure, "savefig"):
            raise InvalidOption(f"figures: expected figures of matplotlib, got {shown(figure)}")
    said = [Section(answer.title, answer.words) for answer in answers]
    drawn = [Section("Figures", pictures=[picture(figure, name.replace("_", " ")) for name, figure in figures.items()])]
    numbers = [Section(f"{answer.title}: the numbers", sheet=answer.sheet) for answer in answers if answer.sheet]
    sections = [*said, *(drawn if figures else []), *numbers]
    return document("State of the art", "What is the state of the art worth?", "", sections)


def best_rows(best: Best, alpha: float) -> list[tuple[str, str]]:
    """What there is to say about a best score, label by label: mean, spread and both conventions of the interval."""
    rows = [
        ("true " + best.score, f"{best.truth:.6g}"),
        ("expected best", f"{best.mean:.6f}"),
        ("standard deviation", f"{best.sd:.6f}"),
        ("optimism (expected best - truth)", f"{best.bias:+.6f}"),
        ("median", f"{best.median:.6f}"),
    ]
    for convention, words in _CONVENTIONS:
        interval = best.interval(alpha, convention)
        ends = " to ".join("none" if end is None else f"{end:.6f}" for end in (interval.low, interval.high))
        rows.append((f"{100 * (1 - alpha):g}% interval, {words}", ends))
        rows.append(("    P(best ≤ low), P(best ≥ high)", f"{interval.p_low:.5f}, {interval.p_high:.5f}"))
    reference = getattr(best, "reference", None)
    if reference is not None:
        rows.append(("dependence: p_dep, q", f"{reference.p_dep:.6g}, {reference.q:.6g}"))
        rows.append(("pairwise correlation", f"{reference.correlation:.6g}"))
    return rows


def leaderboard_sheet(board: Leaderboard | AucLeaderboard, most: int = 100) -> Sheet:
    """The shrunken ranking; entries that cannot be told from the top are shaded."""
    shown = board.entries[:most]
    rows = [
        (
            entry.name,
            str(entry.rank),
            f"{entry.score:.4f}",
            f"{entry.shrunken:.4f}",
            f"{entry.low:.4f} to {entry.high:.4f}",
            f"{entry.expected_rank:.1f}",
            f"{entry.chance_best:.3f}",
        )
        for entry in shown
    ]
    close = frozenset(place for place, entry in enumerate(shown) if entry.indistinguishable)
    head = ("entry", "rank", "score", "shrunken", "interval", "expected rank", "chance best")
    return Sheet(head, rows, shaded=close, more=max(0, len(board.entries) - most))
