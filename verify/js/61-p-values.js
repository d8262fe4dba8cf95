// p-values as printed, and those of McNemar's tests, exactly or enclosed (docs/proofs/paired_counts.md)
(function (S) {
  "use strict";

  const { need, get, fraction, ZERO, ONE } = S;
  const MOST_TOSSES = 3000n;

  // {low, high, shown}: a p-value with its relation
  function printedP(p) {
    S.keys(p, "the p-value", ["relation", "text", "rounding", "eps"]);
    const relation = get(p, "relation");
    need(relation === "=" || relation === "<" || relation === ">", () => "unknown relation " + S.quoted(relation));
    const rest = new Map(p);
    rest.delete("relation");
    const printed = S.printed(rest, "the p-value");
    const { text, low, high, value } = printed;
    need(value.ge(ZERO) && value.le(ONE), "the p-value is out of range");
    const words = "p " + relation + " " + (relation === "=" ? S.shown(printed) : text);
    if (relation === "<") return { low: ZERO, high: value, words };
    if (relation === ">") return { low: value, high: ONE, words };
    return { low: low.max(ZERO), high: high.min(ONE), words };
  }

  // P(X <= k) 2^N for X heads of N fair tosses, and the last term
  function heads(N, k) {
    let term = 1n;
    let sum = 1n;
    for (let i = 1n; i <= k; i += 1n) {
      term = (term * (N - i + 1n)) / i;
      sum += term;
    }
    return { sum, term };
  }

  // fixed-point numbers with so many binary digits after the point; every rounding is off by less than one unit
  const BITS = 240n;
  const UNIT = 1n << BITS;
  // 10^60 pi, rounded down
  const PI = 3141592653589793238462643383279502884197169399375105820974944n;
  const PI_SCALE = 10n ** 60n;

  // sum of the terms t_0 = 1, t_k = t_(k-1) x / divisor(k): between the result and the result plus its error
  function series(x, divisor, ratio) {
    let term = UNIT;
    let sum = UNIT;
    let count = 1n;
    for (let k = 1n; ; k += 1n) {
      term = (term * x.n) / (x.d * divisor(k));
      sum += term;
      count += 1n;
      // terms that follow are less than half of the one before, each
      if (term === 0n && ratio(k)) return { low: sum, high: sum + count * count + 2n };
    }
  }

  // the tail of chi-squared with one degree of freedom at x: {low, high}
  function chiTail(x) {
    if (x.sign() === 0) return { low: ONE, high: ONE };
    if (x.gt(fraction(100n))) return { low: ZERO, high: fraction(2n, 10n ** 23n) };
    const half = x.div(fraction(2n));
    // e^(x/2), and 1 + x/3 + x^2/15 + ...; errors of a floored term grow by x/k <= 100 and shrink afterwards: the
    // factor 2^90 is far more than the largest product of such factors (e^50)
    const slack = 1n << 90n;
    const grown = series(half, (k) => k, (k) => k > 200n);
    const odd = series(x, (k) => 2n * k + 1n, (k) => k > 200n);
    // root of 2x/pi
    const low = S.isqrt((2n * x.n * PI_SCALE * UNIT * UNIT) / (x.d * (PI + 1n)));
    const high = S.isqrt((2n * x.n * PI_SCALE * UNIT * UNIT) / (x.d * PI)) + 1n;
    const least = (low * odd.low) / (grown.high + slack);
    const most = (high * (odd.high + slack)) / grown.low + 1n;
    const of = (part) => ONE.sub(fraction(part, UNIT));
    return { low: of(most).max(ZERO), high: of(least).min(ONE) };
  }

  // the p-value of b against c by a method: {low, high}
  function mcnemar(method, b, c) {
    const N = b + c;
    const exactly = (x) => ({ low: x, high: x });
    const lead = S.abs(b - c);
    if (method.startsWith("chi2")) {
      if (N === 0n) return exactly(ONE);
      if (method === "chi2") return chiTail(fraction(lead * lead, N));
      if (method === "chi2-corrected" && lead === 0n) return exactly(ONE);
      return chiTail(fraction((lead - 1n) * (lead - 1n), N));
    }
    need(N <= MOST_TOSSES, "there are too many discordant cases");
    if (N === 0n) return exactly(ONE);
    const least = S.min(b, c);
    const { sum, term } = heads(N, least);
    const whole = 1n << N;
    if (method === "exact, one-sided") return exactly(fraction(sum, whole));
    if (method === "exact") return exactly(lead === 0n ? ONE : fraction(2n * sum, whole).min(ONE));
    if (lead === 0n) return exactly(ONE.sub(fraction(term, 2n * whole)));
    return exactly(fraction(2n * sum, whole).min(ONE).sub(fraction(term, whole)));
  }

  Object.assign(S, { printedP, mcnemar });
})(globalThis.Scoreproof);
