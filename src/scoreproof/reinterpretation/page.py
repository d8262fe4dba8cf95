"""A re-interpretation as one HTML page that loads nothing from elsewhere.

Intervals are drawn as inline SVG, so the page needs neither matplotlib nor a network. Every text that came from the
table is escaped.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from scoreproof._version import __version__
from scoreproof.kinds.binary.scores import score
from scoreproof.kinds.unknown_classes.ranges import Range, above, below

if TYPE_CHECKING:
    from scoreproof.reinterpretation.ranking import Rank
    from scoreproof.reinterpretation.result import Reinterpretation

_SHOWN = ("prevalence", "mcc", "bacc", "kappa", "bm", "mk", "sens", "spec", "ppv", "npv", "f1", "acc", "lrp", "lrn")
_DRAWN = ("mcc", "bacc", "kappa", "f1", "acc")
_STYLE = """
body{font:15px/1.5 system-ui,sans-serif;color:#1f2328;max-width:70rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}
.scroll{overflow-x:auto}table{border-collapse:collapse;font-size:13px}
th,td{border-bottom:1px solid #d8dee4;padding:.3rem .55rem;text-align:left;white-space:nowrap}
.grave{color:#b42318;font-weight:600}.no{color:#b42318}.yes{color:#1a7f37}.maybe{color:#8a6d00}
footer{margin-top:3rem;color:#656d76;font-size:12px}svg text{font:12px system-ui,sans-serif;fill:#1f2328}
"""
_CLASS = {"certainly": "yes", "possibly": "maybe", "certainly not": "no"}


def page(result: Reinterpretation) -> str:
    """The whole page."""
    parts = [
        "<!doctype html><html lang='en'><head><meta charset='utf-8'>",
        "<meta name='viewport' content='width=device-width,initial-scale=1'>",
        f"<title>A table re-read</title><style>{_STYLE}</style></head><body><h1>A table re-read</h1>",
        "<p>Every range holds for every confusion matrix that could have produced the reported numbers.</p>",
        _findings(result),
        _methods(result),
        _chance(result),
        _standing(result),
        *(_drawn(name, result.ranks[name]) for name in _DRAWN if name in result.ranks),
        _costs(result),
        f"<footer>scoreproof {escape(__version__)}</footer></body></html>",
    ]
    return "\n".join(part for part in parts if part)


def _findings(result: Reinterpretation) -> str:
    items = "".join(
        f"<li{' class=grave' * one.grave}>{escape(one.words[:1].upper() + one.words[1:])}</li>"
        for one in result.findings
    )
    return f"<h2>Findings</h2><ul>{items}</ul>"


def _methods(result: Reinterpretation) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in ("method", "verdict", *_SHOWN))
    rows = []
    for one in result.readings:
        found = one.reconstruction
        verdict = "unread" if found is None else str(found.verdict)
        cells = [_cell(found.ranges.get(name) if found else None) for name in _SHOWN]
        rows.append(f"<tr><td>{escape(one.name)}</td><td>{verdict}</td>{''.join(cells)}</tr>")
    return f"<h2>What follows for each method</h2><div class=scroll><table><tr>{head}</tr>{''.join(rows)}</table></div>"


def _cell(span: Range | None) -> str:
    return "<td></td>" if span is None else f"<td>{span.text(3)}</td>"


def _chance(result: Reinterpretation) -> str:
    rows = [
        f"<tr><td>{escape(name)}</td><td>{one.against}</td><td>{one.score}</td><td>{one.value.text(3)}</td>"
        f"<td>{one.lead.text(3)}</td><td class={_CLASS[one.better]}>{one.better}</td></tr>"
        for name, baselines in result.baselines.items()
        for one in baselines
    ]
    if not rows:
        return ""
    head = "<tr><th>method</th><th>against</th><th>by</th><th>which has</th><th>lead</th><th>better?</th></tr>"
    return f"<h2>Better than chance?</h2><div class=scroll><table>{head}{''.join(rows)}</table></div>"


def _standing(result: Reinterpretation) -> str:
    if result.claim is None:
        return ""
    rows = "".join(
        f"<tr><td>{escape(score(name).title)}</td><td class={_CLASS[word]}>{word}</td></tr>"
        for name, word in result.standing.items()
    )
    return f"<h2>The claim: {escape(str(result.claim))}</h2><table><tr><th>by</th><th>best?</th></tr>{rows}</table>"


def _drawn(name: str, rows: tuple[Rank, ...]) -> str:
    """The ranges of one score as bars."""
    left, width, step = 190, 520, 24
    lows = [float(row.value.low) for row in rows]
    highs = [float(row.value.low if row.value.high is None else row.value.high) for row in rows]
    start, stop = min(0.0, *lows), max(1.0, *highs)

    def across(value: float) -> float:
        return left + width * (value - start) / (stop - start)

    marks = []
    for place, row in enumerate(rows):
        y = 14 + step * place
        a, b = across(lows[place]), across(highs[place])
        rank = f"{row.best}" if row.best == row.worst else f"{row.best}-{row.worst}"
        label = row.method if len(row.method) <= 28 else row.method[:27] + "…"
        marks.append(
            f"<text x='0' y='{y + 4}'>{escape(label)}</text>"
            f"<rect x='{a:.1f}' y='{y - 5}' width='{max(b - a, 2):.1f}' height='10' fill='#0072b2'/>"
            f"<text x='{left + width + 10}' y='{y + 4}'>rank {rank}: {below(row.value.low, 3)} to "
            f"{above(row.value.high, 3)}</text>"
        )
    height = step * len(rows) + 30
    axis = (
        f"<line x1='{left}' x2='{left + width}' y1='{height - 22}' y2='{height - 22}' stroke='#8c959f'/>"
        f"<text x='{left}' y='{height - 6}'>{start:.2g}</text>"
        f"<text x='{left + width - 10}' y='{height - 6}'>{stop:.2g}</text>"
    )
    title = escape(score(name).title[:1].upper() + score(name).title[1:])
    return (
        f"<h2>{title}</h2><div class=scroll><svg width='{left + width + 230}' height='{height}' role='img' "
        f"aria-label='{title}'>{''.join(marks)}{axis}</svg></div>"
    )


def _costs(result: Reinterpretation) -> str:
    if not result.preferences:
        return ""
    items = "".join(f"<li>{escape(str(one))}</li>" for one in result.preferences)
    return f"<h2>Costs</h2><ul>{items}</ul>"
