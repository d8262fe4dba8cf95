// Exact numbers: whole numbers are BigInt, fractions are pairs of them in lowest terms. Doubles appear only where the
// specification asks for them, and then through `toDouble` (the nearest one) and `fromDouble` (exactly).
"use strict";
globalThis.Scoreproof = globalThis.Scoreproof || {};
(function (S) {
  "use strict";

  const abs = (a) => (a < 0n ? -a : a);
  const min = (a, b) => (a < b ? a : b);
  const max = (a, b) => (a > b ? a : b);
  const sign = (a) => (a > 0n ? 1 : a < 0n ? -1 : 0);

  function gcd(a, b) {
    a = abs(a);
    b = abs(b);
    while (b !== 0n) {
      // small numbers are far faster as doubles, and exact below 2^53
      if (a <= 9007199254740991n && b <= 9007199254740991n) {
        let x = Number(a);
        let y = Number(b);
        while (y !== 0) [x, y] = [y, x % y];
        return BigInt(x);
      }
      [a, b] = [b, a % b];
    }
    return a;
  }

  const lcm = (a, b) => (a === 0n || b === 0n ? 0n : abs((a / gcd(a, b)) * b));

  // BigInt division cuts towards 0; these round down and up
  function floorDiv(a, b) {
    const q = a / b;
    return q * b !== a && a < 0n !== b < 0n ? q - 1n : q;
  }
  const ceilDiv = (a, b) => -floorDiv(-a, b);

  function bitLength(a) {
    a = abs(a);
    if (a === 0n) return 0;
    const hex = a.toString(16);
    return 4 * hex.length - (hex[0] < "2" ? 3 : hex[0] < "4" ? 2 : hex[0] < "8" ? 1 : 0);
  }

  // the whole part of the square root, by Newton's method from above
  function isqrt(a) {
    if (a < 2n) return a;
    let x = 1n << BigInt((bitLength(a) + 1) >> 1);
    for (;;) {
      const y = (x + a / x) >> 1n;
      if (y >= x) return x;
      x = y;
    }
  }

  const powers = new Map();
  function pow10(k) {
    let value = powers.get(k);
    if (value === undefined) {
      value = 10n ** BigInt(k);
      if (k <= 1000) powers.set(k, value);
    }
    return value;
  }

  class Fraction {
    // the denominator is positive and the two have no common divisor
    constructor(n, d) {
      this.n = n;
      this.d = d;
    }
    static of(n, d = 1n) {
      if (d === 1n) return new Fraction(n, 1n);
      if (d === 0n) throw new RangeError("a fraction has denominator 0");
      if (d < 0n) {
        n = -n;
        d = -d;
      }
      const g = gcd(n, d);
      return g === 1n ? new Fraction(n, d) : new Fraction(n / g, d / g);
    }
    add(o) {
      return this.d === o.d ? Fraction.of(this.n + o.n, this.d) : Fraction.of(this.n * o.d + o.n * this.d, this.d * o.d);
    }
    sub(o) {
      return this.d === o.d ? Fraction.of(this.n - o.n, this.d) : Fraction.of(this.n * o.d - o.n * this.d, this.d * o.d);
    }
    mul(o) {
      return Fraction.of(this.n * o.n, this.d * o.d);
    }
    div(o) {
      return Fraction.of(this.n * o.d, this.d * o.n);
    }
    neg() {
      return new Fraction(-this.n, this.d);
    }
    abs() {
      return this.n < 0n ? this.neg() : this;
    }
    sign() {
      return sign(this.n);
    }
    // -1, 0 or 1: below, equal to, above the other
    cmp(o) {
      if (this.d === o.d) return this.n < o.n ? -1 : this.n > o.n ? 1 : 0;
      const a = this.n * o.d;
      const b = o.n * this.d;
      return a < b ? -1 : a > b ? 1 : 0;
    }
    lt(o) {
      return this.cmp(o) < 0;
    }
    le(o) {
      return this.cmp(o) <= 0;
    }
    gt(o) {
      return this.cmp(o) > 0;
    }
    ge(o) {
      return this.cmp(o) >= 0;
    }
    eq(o) {
      return this.n === o.n && this.d === o.d;
    }
    floor() {
      return floorDiv(this.n, this.d);
    }
    ceil() {
      return ceilDiv(this.n, this.d);
    }
    min(o) {
      return this.cmp(o) <= 0 ? this : o;
    }
    max(o) {
      return this.cmp(o) >= 0 ? this : o;
    }
    // times a whole number
    times(k) {
      return Fraction.of(this.n * k, this.d);
    }
    // a text that is the same for equal fractions, as a key
    key() {
      return this.n + "/" + this.d;
    }
  }

  const fraction = Fraction.of;
  const ZERO = fraction(0n);
  const ONE = fraction(1n);

  // 10^k as a fraction, for k of either sign
  const tenTo = (k) => (k >= 0 ? fraction(pow10(k)) : new Fraction(1n, pow10(-k)));

  // the power of ten of the first digit of x, which is not 0
  function firstDigit(x) {
    const a = abs(x.n);
    let f = a.toString().length - x.d.toString().length;
    // 10^f <= x fails by at most one place
    const reaches = (k) => (k >= 0 ? a >= x.d * pow10(k) : a * pow10(-k) >= x.d);
    while (!reaches(f)) f -= 1;
    while (reaches(f + 1)) f += 1;
    return f;
  }

  // the double nearest to n/d (ties to even), infinite if there is none
  function toDouble(x) {
    const a = abs(x.n);
    if (a === 0n) return 0;
    // the exponent e for which the quotient by 2^e has 53 binary digits, or that of the smallest doubles
    let e = bitLength(a) - bitLength(x.d) - 53;
    const scaled = (k) => (k >= 0 ? [a, x.d << BigInt(k)] : [a << BigInt(-k), x.d]);
    let [top, bottom] = scaled(e);
    if (top / bottom >= 1n << 53n) e += 1;
    else if (top / bottom < 1n << 52n) e -= 1;
    if (e < -1074) e = -1074;
    [top, bottom] = scaled(e);
    let q = top / bottom;
    const twice = 2n * (top - q * bottom);
    if (twice > bottom || (twice === bottom && (q & 1n) === 1n)) q += 1n;
    // in two factors, since 2^e alone may underflow; each product is exact
    const half = Math.trunc(e / 2);
    const value = Number(q) * 2 ** half * 2 ** (e - half);
    return x.n < 0n ? -value : value;
  }

  const words = new DataView(new ArrayBuffer(8));
  // a finite double as [m, e]: m times 2^e, m a BigInt
  function parts(v) {
    words.setFloat64(0, v);
    const bits = words.getBigUint64(0);
    const exponent = Number((bits >> 52n) & 2047n);
    const mantissa = bits & ((1n << 52n) - 1n);
    const m = exponent === 0 ? mantissa : mantissa | (1n << 52n);
    return [v < 0 ? -m : m, (exponent === 0 ? 1 : exponent) - 1075];
  }
  function fromDouble(v) {
    if (!Number.isFinite(v)) throw new RangeError("a double is not finite");
    const [m, e] = parts(v);
    return e >= 0 ? fraction(m << BigInt(e)) : fraction(m, 1n << BigInt(-e));
  }

  Object.assign(S, {
    abs, min, max, sign, gcd, lcm, floorDiv, ceilDiv, bitLength, isqrt, pow10,
    Fraction, fraction, ZERO, ONE, tenTo, firstDigit, toDouble, fromDouble, doubleParts: parts,
  });
})(globalThis.Scoreproof);
