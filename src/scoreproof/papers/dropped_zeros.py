"""Zeros that a spreadsheet dropped: 0.9 among 0.913 and 0.876, where the text says three decimals.

As printed, 0.9 is anything from 0.85 to 0.95; with its zeros it says far more. That is only a guess: it is tried where
all else about a row is guessed, and what contradicts it is a question. A row must print so many decimals itself (one
copied from elsewhere may have fewer throughout), and no value of it more. What has more decimals than the text says is
left as it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_PLAIN = re.compile(r"(\d{1,3})(?:\.(\d{1,9}))?(%?)")


def with_zeros(scores: Mapping[str, str], decimals: int) -> dict[str, str]:
    """The scores of a row with the zeros they would have with so many decimals; empty where that changes nothing.

    >>> with_zeros({"acc": "0.9", "sens": "0.913", "f1": "0.85 ± 0.1"}, 3)
    {'acc': '0.900', 'sens': '0.913', 'f1': '0.85 ± 0.1'}
    >>> with_zeros({"acc": "0.9", "sens": "0.91"}, 3), with_zeros({"acc": "91%", "sens": "90.5%"}, 1)
    ({}, {'acc': '91.0%', 'sens': '90.5%'})
    """
    plain = {name: match for name, text in scores.items() if (match := _PLAIN.fullmatch(text)) is not None}
    lengths = {len(match[2] or "") for match in plain.values()}
    if not decimals or len(lengths) < 2 or max(lengths) != decimals:
        return {}
    return {name: _filled(plain[name], decimals) if name in plain else text for name, text in scores.items()}


def _filled(match: re.Match[str], decimals: int) -> str:
    whole, digits, percent = match.groups(default="")
    return f"{whole}.{digits.ljust(decimals, '0')}{percent}"
