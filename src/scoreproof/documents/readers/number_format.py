"""A number as Excel shows it: the stored 0.8 with the format 0.00 is printed 0.80.

The format codes are those of ECMA-376, part 1, section 18.8.31. Codes this module does not know (fractions, dates,
conditions) give None, and the reader then says so instead of guessing the digits.
"""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation

_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|_(?P<padding>.)|\*(?P<fill>.)|(?P<bracket>\[[^\]]*\])'
    r"|(?P<digits>[0#?.,]+)|(?P<exponent>[Ee][+-]0+)|(?P<percent>%)|(?P<text>@)|(?P<other>.)"
)
_LITERAL = set(" ()-+/:!^&'~{}<>=$€£¥±–−")


def shown(value: float | int | Decimal, code: str | None) -> str | None:
    """The number as printed with a format code; None if the code is beyond this module.

    >>> shown(0.8, "0.00"), shown(0.9567, "0.0%"), shown(1234, "#,##0"), shown(-0.5, "0.0;(0.0)"), shown(0.25, "# ?/?")
    ('0.80', '95.7%', '1,234', '(0.5)', None)
    """
    number = Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
    if not number.is_finite():
        return None
    if code is None or code.strip().lower() in ("general", "", "@"):
        return _general(number)
    sections = _sections(code)
    if any(re.search(r"\[[<>=]", section) for section in sections):
        return None
    section = sections[0]
    negative = number < 0
    if negative and len(sections) > 1:
        section, number, negative = sections[1], -number, False
    elif number == 0 and len(sections) > 2:
        section = sections[2]
    if section.strip().lower() == "general":
        return _general(-number if negative else number)
    return _section(abs(number), section, "-" if negative else "")


def _general(number: Decimal) -> str:
    """Excel's General: at most eleven digits, none of them trailing zeros."""
    text = f"{number:.10g}" if len(number.as_tuple().digits) > 11 else f"{number:f}"
    try:
        plain = f"{Decimal(text):f}"
    except InvalidOperation:
        return text
    return plain.rstrip("0").rstrip(".") if "." in plain else plain


def _sections(code: str) -> list[str]:
    sections, current, quoted = [], "", False
    previous = ""
    for char in code:
        quoted ^= char == '"'
        if char == ";" and not quoted and previous != "\\":
            sections.append(current)
            current = ""
        else:
            current += char
        previous = char
    return [*sections, current]


def _section(number: Decimal, section: str, sign: str) -> str | None:
    before, after, mask, exponent, percents = "", "", "", "", 0
    for match in _TOKEN.finditer(section):
        literal = ""
        if match["digits"]:
            if mask:
                return None
            mask = match["digits"]
        elif match["exponent"]:
            exponent = match["exponent"]
        elif match["percent"]:
            percents, literal = percents + 1, "%"
        elif match["quoted"] is not None:
            literal = match["quoted"]
        elif match["escaped"]:
            literal = match["escaped"]
        elif match["other"]:
            if match["other"] not in _LITERAL:
                return None
            literal = match["other"]
        elif match["text"]:
            return None
        elif match["bracket"] and match["bracket"].startswith("[$"):
            literal = match["bracket"][2:-1].partition("-")[0]
        if mask:
            after += literal
        else:
            before += literal
    if not mask or "?" in mask or "/" in after:
        return before + after if not mask and not exponent else None
    digits = _digits(number * Decimal(100) ** percents, mask, exponent)
    return None if digits is None else f"{sign if digits.strip('0.,') else ''}{before}{digits}{after}".strip()


def _digits(number: Decimal, mask: str, exponent: str) -> str | None:
    whole, point, decimals = mask.partition(".")
    if "," in decimals or "." in decimals or whole.endswith(","):
        return None
    places, required = len(decimals), decimals.count("0")
    power = 0
    if exponent:
        if set(whole) - {"0", "#"} or len(whole) != 1:
            return None
        power = number.adjusted() if number else 0
        number = number.scaleb(-power)
    rounded = number.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP)
    integer, _, fraction = f"{rounded:f}".partition(".")
    least = whole.count("0")
    integer = integer.lstrip("0").rjust(least, "0")
    while len(fraction) > required and fraction.endswith("0"):
        fraction = fraction[:-1]
    if "," in whole:
        integer = re.sub(r"(?<=\d)(?=(?:\d{3})+$)", ",", integer)
    text = integer + ("." + fraction if point else "")
    if exponent:
        text += f"{exponent[0]}{'-' if power < 0 else '+' if '+' in exponent else ''}{abs(power):0{len(exponent) - 2}d}"
    return text
