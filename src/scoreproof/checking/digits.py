"""What dropped digits hide.

"1" beside "0.9705" and "0.5317" is read as printed: anything from 0 to 2, which excludes nothing. That is sound, but a
trap: the author may have meant 1.0000. So such a value carries a note, with the verdict of the reading in which it has
the digits of its siblings.
"""

from __future__ import annotations

from collections.abc import Callable

from scoreproof.checking.answer import Verdict
from scoreproof.reported import Claim, report
from scoreproof.reported.rounding import machine_reach

_MOST_NAMED = 12  # a longer list is no note
_PLAIN_SCALE = 10**6  # below it, no value of size one has enough digits to be a machine's
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six")
_VERDICTS = {
    Verdict.CONSISTENT: "it would be possible, too",
    Verdict.INCONSISTENT: "it would be impossible",
    Verdict.UNDECIDED: "it could not be decided",
}


def digit_notes(reported: tuple[Claim, ...], ask: Callable[[tuple[Claim, ...]], Verdict]) -> tuple[str, ...]:
    """Notes on values with fewer digits than their siblings, or that exclude nothing; ``ask`` decides a reading."""
    if not reported:
        return ()
    first = reported[0].number.scale
    if 1 < first < _PLAIN_SCALE and all(claim.number.scale == first for claim in reported):
        return ()  # as many decimals each, and some
    plain = [claim for claim in reported if _is_plain(claim)]
    most = max((claim.number.digits for claim in plain), default=0)
    short = [claim for claim in plain if claim.number.digits < most]
    notes = tuple(
        f"{claim} was read {_with(claim.number.digits)} and excludes nothing"
        for claim in plain
        if claim.number.digits == most and excludes_nothing(claim)
    )
    if not 0 < len(short) <= _MOST_NAMED:
        return notes
    padded = {claim.name: _padded(claim, most) for claim in short}
    verdict = ask(tuple(padded.get(claim.name, claim) for claim in reported))
    names = ", ".join(f"{claim} {_with(claim.number.digits)}" for claim in short)
    nothing = [claim.name for claim in short if excludes_nothing(claim)]
    aside = f" ({', '.join(nothing)}: that excludes nothing)" if nothing else ""
    return (*notes, f"read as printed: {names}{aside}; {_with(most)}, as the others have, {_VERDICTS[verdict]}")


def excludes_nothing(claim: Claim) -> bool:
    """Whether every value the score can have prints like this."""
    least, most = claim.quantity.range
    return least is not None and most is not None and claim.low <= least and claim.high >= most


def _is_plain(claim: Claim) -> bool:
    """Whether the digits say how a value was rounded: no eps was given, and they are not a machine's."""
    return claim.eps is None and machine_reach(claim.number.units, claim.number.scale) is None


def _with(digits: int) -> str:
    count = _NUMBERS[digits] if digits < len(_NUMBERS) else str(digits)
    return f"with {count} decimal{'s' * (digits != 1)}"


def _padded(claim: Claim, digits: int) -> Claim:
    """The same value with more decimals, all of them zero, and its ± as it is."""
    _, _, after = claim.text.partition("±")
    percent = "%" in claim.text
    shown = digits - 2 if percent else digits
    units = claim.number.units * 10 ** (digits - claim.number.digits)
    sign, scale = "-" if units < 0 else "", 10**shown
    whole, rest = divmod(abs(units), scale)
    text = f"{sign}{whole}" + (f".{rest:0{shown}d}" if shown > 0 else "")
    spread = f" ± {after.strip().rstrip('%')}" if after else ""
    again = report(claim.quantity, f"{text}{spread}{'%' if percent else ''}", rounding=claim.rounding)
    return Claim(
        again.quantity, claim.name, again.text, again.number, again.low, again.high, again.rounding, None, claim.spread
    )
