// Printed texts and the intervals they stand for, and numbers as sentences show them.
(function (S) {
  "use strict";

  const { need, quoted, fraction, tenTo, firstDigit, ZERO, ONE, isText, isList } = S;

  const BLANK = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
  const END_BLANKS = new RegExp("[" + BLANK + "]+$");
  const START_BLANKS = new RegExp("^[" + BLANK + "]+");
  const MINUS = /[\u2212\u2013\u2014\u2010\u2011\ufe63\uff0d]/g;
  const PLUS_MINUS = /±|\+\/-|\+-|\\pm/;
  const QUOTIENT = /^-?[0-9]{1,400}\/[0-9]{1,400}$/;
  const DECIMAL = new RegExp(
    "^[" + BLANK + "]*([-+]?)([0-9]*)[.,]?([0-9]*)(?:[eE]([-+]?[0-9]{1,3}))?[" + BLANK + "]*(%?)[" + BLANK + "]*$"
  );

  const trimEnd = (text) => text.replace(END_BLANKS, "");
  const trim = (text) => trimEnd(text).replace(START_BLANKS, "");

  // the number of a text: {value, unit, whole}, unit 0 for a quotient
  function numberOf(text) {
    let head = trimEnd(text.split(PLUS_MINUS, 1)[0]);
    if (trimEnd(text).endsWith("%") && !head.endsWith("%")) head += "%";
    const bare = trim(head);
    if (QUOTIENT.test(bare)) return { value: S.number(bare, "a value"), unit: ZERO, whole: 0n };
    const match = DECIMAL.exec(head.replace(MINUS, "-"));
    need(match !== null && match[2].length + match[3].length > 0, () => quoted(text) + " is not a number");
    const places = match[3].length - Number(match[4] || 0) + (match[5] === "%" ? 2 : 0);
    need(places >= 0, () => "the last digit of " + quoted(text) + " stands above the decimal point");
    const whole = BigInt(match[2] + match[3]);
    const unit = tenTo(-places);
    return {
      value: unit.times(match[1] === "-" ? -whole : whole),
      unit,
      whole,
    };
  }

  // is the double nearest to x a whole number below 2^bits times a power of two, and a multiple of 2^least?
  function shortDouble(x, bits, least) {
    let [m, e] = S.doubleParts(S.toDouble(x));
    if (m === 0n) return true;
    while ((m & 1n) === 0n) {
      m >>= 1n;
      e += 1;
    }
    return S.bitLength(m) <= bits && e >= least;
  }

  // is x, printed with so many digits, the decimal of a number of so many bits that is a multiple of 2^least?
  function prints(x, digits, bits, least) {
    const twoTo = (k) => (k >= 0 ? fraction(1n << BigInt(k)) : fraction(1n, 1n << BigInt(-k)));
    const size = x.abs();
    let e = S.bitLength(size.n) - S.bitLength(size.d) - bits;
    while (size.ge(twoTo(e + bits))) e += 1;
    while (size.lt(twoTo(e + bits - 1))) e -= 1;
    if (e < least) e = least;
    const step = twoTo(e);
    const nearest = step.times(x.div(step).add(fraction(1n, 2n)).floor());
    return nearest.sub(x).abs().times(2n).le(tenTo(firstDigit(x) + 1 - digits));
  }

  // how many digits of a machine number are kept, 0 if it is none
  function kept(value, whole) {
    const digits = whole.toString().length;
    if (digits < 6 || value.sign() === 0) return 0;
    const size = value.abs();
    if (size.lt(tenTo(-290)) || size.ge(tenTo(291))) return 0;
    const both = [value, value.times(100n)];
    const machine = (x, bits, least, exactFrom) =>
      (digits >= exactFrom && shortDouble(x, bits, least)) || (size.le(ONE) && prints(x, digits, bits, least));
    if (whole.toString().replace(/0+$/, "").length >= 6 && both.some((x) => machine(x, 11, -24, 6))) return 3;
    if (digits >= 7 && both.some((x) => machine(x, 24, -149, 9))) return 6;
    return digits >= 15 ? 13 : 0;
  }

  // {low, high, value, unit}; only of a mean may a ± follow; far above the most it can be it may be a percentage
  function interval(text, rounding, eps, mean = false, most = ONE) {
    const ends = span(text, rounding, eps, mean);
    if (most !== null && most.eq(ONE) && ends.low.gt(ONE) && !text.includes("%")) share(ends.value, () => quoted(text));
    return ends;
  }
  function share(value, shown) {
    need(value.lt(fraction(2n)) || value.gt(fraction(100n)), () => shown() + " may be a percentage");
  }
  function span(text, rounding, eps, mean) {
    need(isText(text) && S.textLength(text) <= 200, "a reported value is not a text");
    need(eps === null || isText(eps) || S.isTruth(eps) || S.isWhole(eps), "eps is not a number");
    need(rounding === null || isText(rounding), "the rounding is not a text");
    need(mean || !PLUS_MINUS.test(text), () => "the ± of " + quoted(text) + " is not tested");
    const { value, unit, whole } = numberOf(text);
    const around = (below, above) => ({ low: value.sub(below), high: value.add(above), value, unit });
    if (eps !== null) {
      need(rounding === null, "a score has both eps and rounding");
      const e = S.number(eps, "eps");
      need(e.sign() >= 0, "eps is negative");
      return around(e, e);
    }
    need(["any", "nearest", "floor", "ceil"].includes(rounding), () => "unknown rounding " + quoted(rounding));
    need(unit.sign() !== 0, () => quoted(text) + " has no digits to be rounded at");
    const printed = (step) => {
      if (rounding === "nearest") return around(step.mul(fraction(1n, 2n)), step.mul(fraction(1n, 2n)));
      return around(rounding === "floor" ? ZERO : step, rounding === "ceil" ? ZERO : step);
    };
    // with a zero at its end that is not the only digit after the point, it says no less than without
    const read = (step, digits) => {
      const keep = kept(value, digits);
      if (keep === 0) return printed(step);
      let margin = tenTo(firstDigit(value) + 1 - keep).max(tenTo(-keep));
      const longer = step.times(10n);
      if (digits % 10n === 0n && longer.lt(ONE)) {
        const { low, high } = read(longer, digits / 10n);
        margin = margin.min(high.sub(low).mul(fraction(1n, 2n)));
      }
      return around(margin, margin);
    };
    return read(unit, whole);
  }

  // what follows a ±, or null
  function spread(text, rounding, eps) {
    const pieces = text.split(PLUS_MINUS);
    if (pieces.length === 1) return null;
    need(pieces.length === 2, () => quoted(text) + " has more than one ±");
    const tail = pieces[1] + (pieces[0].includes("%") && !pieces[1].includes("%") ? "%" : "");
    const { low, high } = interval(tail, rounding, eps, false, null);
    const negative = trim(tail).replace(MINUS, "-").startsWith("-");
    need(high.sign() >= 0 && !negative, "a ± is negative");
    return { low: low.max(ZERO), high };
  }

  function shortText(x, what) {
    need(isText(x) && x !== "" && S.textLength(x) <= 200, () => what + " is not a short text");
    return x;
  }

  // a printed value: {name, text, low, high, value, unit}
  function printed(x, what, mean = false, top = null) {
    S.keys(x, what, ["name", "text", "rounding", "eps"]);
    const [text, rounding, eps] = ["text", "rounding", "eps"].map((key) => S.get(x, key));
    const ends = interval(text, rounding, eps, mean, top);
    spread(text, rounding, eps); // a number, though nobody uses it
    const name = S.get(x, "name");
    if (x.has("name")) shortText(name, "the name of " + what);
    return { name, text, ...ends };
  }
  function printedValues(x, what, least, most, mean = false, top = null) {
    need(isList(x) && x.length >= least && x.length <= most, () => "the statement does not have " + least + " to " + most +
      " entries where " + what + " is expected");
    return x.map((entry) => printed(entry, what, mean, top));
  }

  function decimal(x) {
    const minus = x.n < 0n ? "-" : "";
    const size = x.abs();
    const place = (digits, decimals) => {
      // the digits of a whole number with a point before the last so many
      const padded = digits.padStart(decimals + 1, "0");
      const end = padded.length - decimals;
      const after = padded.slice(end).replace(/0+$/, "");
      return minus + padded.slice(0, end) + (after === "" ? "" : "." + after);
    };
    const scaled = size.times(S.pow10(24));
    if (scaled.d === 1n) return place(scaled.n.toString(), 24);
    let f = firstDigit(size);
    let whole = size.mul(tenTo(11 - f)).add(fraction(1n, 2n)).floor();
    if (whole >= S.pow10(12)) {
      whole /= 10n;
      f += 1;
    }
    const digits = whole.toString();
    if (f >= -4 && f <= 11) return place(digits, 11 - f);
    return place(digits, 11) + "e" + (f < 0 ? "-" : "+") + String(Math.abs(f)).padStart(2, "0");
  }

  const range = (x) => "(from " + decimal(x.low) + " to " + decimal(x.high) + ")";
  const shown = (x) => x.text + " " + range(x);
  const shownList = (list) => list.map(shown).join(", ");

  Object.assign(S, { interval, share, spread, printed, printedValues, shortText, decimal, range, shown, shownList, trimBlanks: trim });
})(globalThis.Scoreproof);
