// reported_test: a statistic, its degrees of freedom and a p-value (docs/proofs/reported_test.md)
(function (S) {
  "use strict";

  const { need, get, fraction, ZERO, ONE } = S;
  const KEYS = ["test", "df", "relation", "statistic", "sides", "p"];
  const FREEDOM = { z: 0, t: 1, r: 1, chi2: 1, F: 2 };
  const SIDES = { any: "on one side or two", two: "on two sides", one: "on one side" };
  const MOST = 2000n;
  const FAR = fraction(4000n);
  const UNIT = 1n << 256n;
  const SMALL = 1n << 20n;
  // 10^59 pi, rounded down
  const PI = 314159265358979323846264338327950288419716939937510582097494n;
  const PI_SCALE = 10n ** 59n;

  function degrees(list, count) {
    need(S.isList(list) && list.length === count, "the test has other degrees of freedom");
    return list.map((span) => {
      need(S.isList(span) && span.length === 2, "degrees of freedom are not between two whole numbers");
      const [low, high] = span.map((end) => S.integer(end, "a degree of freedom"));
      need(low >= 0n && low <= high && high <= 10n ** 9n && high > 0n, "degrees of freedom are out of range");
      return [low, high];
    });
  }

  // the sum 1 + r0 + r0 r1 + ...: [low, high] in units; ratio(j) is [top, bottom], none from j on exceeds bound(j)
  function series(ratio, bound, patience) {
    let [low, high, total, above] = [UNIT, UNIT, UNIT, UNIT];
    for (let j = 0n; ; ) {
      const [top, bottom] = ratio(j);
      low = (low * top) / bottom;
      high = S.ceilDiv(high * top, bottom);
      total += low;
      above += high;
      j += 1n;
      if (j % 256n === 0n) patience.look();
      if (high < SMALL && top < bottom) {
        const last = bound(j);
        if (last.lt(ONE)) return [total, above + fraction(high).mul(last).div(ONE.sub(last)).ceil()];
      }
    }
  }

  function factorial(k) {
    let product = 1n;
    for (let i = 2n; i <= k; i += 1n) product *= i;
    return product;
  }

  // the square of Gamma(k/2), over pi where k is odd: [top, bottom]
  function gammaSquare(k) {
    if (k % 2n === 0n) return [factorial(k / 2n - 1n) ** 2n, 1n];
    const j = k / 2n;
    return [factorial(2n * j) ** 2n, (4n ** j * factorial(j)) ** 2n];
  }

  // the root of top / bottom over pi^halves, in units: [low, high]
  function root(top, bottom, halves) {
    const n = top * PI_SCALE ** halves * UNIT * UNIT;
    return [S.isqrt(n / (bottom * (PI + 1n) ** halves)), S.isqrt(n / (bottom * PI ** halves)) + 1n];
  }

  // I_x(k/2, m/2)
  function beta(x, k, m, patience) {
    const ratio = (j) => [(k + m + 2n * j) * x.n, (k + 2n + 2n * j) * x.d];
    const [low, high] = series(ratio, (j) => fraction(...ratio(j)).max(x), patience);
    const [[top, down], [up, bottom], [over, under]] = [gammaSquare(k + m), gammaSquare(k + 2n), gammaSquare(m)];
    const rest = top * bottom * under * x.n ** k * (x.d - x.n) ** m;
    const [least, most] = root(rest, down * up * over * x.d ** (k + m), k % 2n && m % 2n ? 2n : 0n);
    return [fraction(low * least, UNIT * UNIT), fraction(high * most, UNIT * UNIT).min(ONE)];
  }

  // P(chi2_m / chi2_k > c)
  function ratioTail(c, m, k, patience) {
    need(m + k <= 2n * MOST, "there are too many degrees of freedom");
    if (c.le(ZERO)) return [ONE, ONE];
    const x = ONE.div(ONE.add(c));
    if (x.times(k + m + 4n).gt(fraction(k + 2n))) {
      const [low, high] = beta(ONE.sub(x), m, k, patience);
      return [ONE.sub(high), ONE.sub(low)];
    }
    return beta(x, k, m, patience);
  }

  // P(chi2_k > x)
  function chiTail(x, k, patience) {
    need(k <= MOST, "there are too many degrees of freedom");
    if (x.le(ZERO)) return [ONE, ONE];
    if (x.gt(FAR)) return [ZERO, chiTail(FAR, k, patience)[1]];
    const of = (first) => {
      const ratio = (j) => [x.n, (first + 2n * j) * x.d];
      return series(ratio, (j) => fraction(...ratio(j)), patience);
    };
    const [low, high] = of(k + 2n);
    const [least, most] = of(2n);
    const [up, bottom] = gammaSquare(k + 2n);
    const before = root(x.n ** k * bottom, (2n * x.d) ** k * up, k % 2n);
    const inside = [fraction(low * before[0], most * UNIT), fraction(high * before[1], least * UNIT)];
    return [ONE.sub(inside[1]).max(ZERO), ONE.sub(inside[0]).min(ONE)];
  }

  // the least and the greatest tail beyond a size, over the degrees of freedom
  function tail(test, size, df, patience) {
    const square = size.mul(size);
    if (test === "z") return chiTail(square, 1n, patience);
    if (test === "chi2") {
      const [k1, k2] = df[0];
      return [k1 > 0n ? chiTail(size, k1, patience)[0] : ZERO, chiTail(size, k2, patience)[1]];
    }
    if (test === "F" && !(df[0][0] === 1n && df[0][1] === 1n)) {
      const [[m1, m2], [k1, k2]] = df;
      const low = m1 > 0n && k1 > 0n ? ratioTail(size.times(m2).div(fraction(k1)), m1, k2, patience)[0] : ZERO;
      return [low, k1 > 0n ? ratioTail(size.times(m1).div(fraction(k2)), m2, k1, patience)[1] : ONE];
    }
    if (test === "r" && square.ge(ONE)) return [ZERO, ZERO];
    const [k1, k2] = df[df.length - 1];
    const t2 = (k) => (test === "F" ? size : test === "r" ? square.times(k).div(ONE.sub(square)) : square);
    const low = k2 > MOST ? chiTail(t2(k2), 1n, patience)[0] : ratioTail(t2(k2).div(fraction(k2)), 1n, k2, patience)[0];
    const few = S.min(k1, MOST);
    return [low, few > 0n ? ratioTail(t2(k1).div(fraction(few)), 1n, few, patience)[1] : ONE];
  }

  // [name, least p, greatest p] by the sides of the test
  function readings(test, sides, df, low, high) {
    const two = fraction(2n);
    const half = [low.div(two), high.div(two)];
    const probabilities = [];
    if (test === "F" || test === "chi2") {
      probabilities.push(["upper tail", low, high]);
      if (test === "F" && sides !== "one") {
        const ends = [low, high].map((end) => end.times(2n).min(two.sub(end.times(2n))));
        const least = ends[0].min(ends[1]);
        const most = low.times(2n).le(ONE) && high.times(2n).ge(ONE) ? ONE : ends[0].max(ends[1]);
        probabilities.push(["both tails", least, most]);
      }
      if (df[0][0] <= 1n && sides !== "two") probabilities.push(["one side", ...half]);
      return probabilities;
    }
    if (sides !== "one") probabilities.push(["two sides", low, high]);
    if (sides !== "two") probabilities.push(["one side", ...half], ["the other side", ONE.sub(half[1]), ONE.sub(half[0])]);
    return probabilities;
  }

  function check(statement, proof, patience) {
    S.all(statement, "the statement", KEYS);
    const [test, sides, relation] = ["test", "sides", "relation"].map((key) => get(statement, key));
    need(S.isText(test) && Object.hasOwn(FREEDOM, test), () => "unknown test " + S.quoted(test));
    need(S.isText(sides) && Object.hasOwn(SIDES, sides), () => "unknown sides " + S.quoted(sides));
    need(S.isText(relation) && ["=", "<", ">"].includes(relation), () => "unknown relation " + S.quoted(relation));
    const df = degrees(get(statement, "df"), FREEDOM[test]);
    const p = get(statement, "p") === null ? null : S.printedP(get(statement, "p"));
    need(get(statement, "statistic") !== null, "the statement has no statistic");
    const printed = S.printed(get(statement, "statistic"), "the statistic");
    const size = (x) => S.bitLength(x.n) + S.bitLength(x.d);
    need(Math.max(size(printed.low), size(printed.high)) <= 400, "the statistic has too many digits");
    const [a, b] = [printed.low.abs(), printed.high.abs()];
    let [near, far] = [printed.low, printed.high];
    const { value } = printed;
    if (relation === "<" && value.sign() > 0) [near, far] = [ZERO, value];
    else if (relation !== "=") [near, far] = [relation === "<" ? value.abs() : value.max(ZERO), null]; // t < -4, t > -4
    else if (test !== "F" && test !== "chi2") {
      near = printed.low.le(ZERO) && printed.high.ge(ZERO) ? ZERO : a.min(b);
      far = a.max(b);
    }
    const shown = df.map(([low, high]) => (low === high ? String(low) : low + " to " + high)).join(", ");
    const words = test + (df.length > 0 ? "(" + shown + ")" : "") + " " + relation + " " + S.shown(printed);
    S.keys(proof, "the proof", ["kind"]);
    const kind = get(proof, "kind");
    if (kind === "range") {
      need((far !== null && far.lt(ZERO)) || (test === "r" && near.gt(ONE)), "there may be such a statistic");
      return "Proved: no statistic has this value (" + words + ").";
    }
    need(kind === "tails" && p !== null, () => "unknown kind of proof " + S.quoted(kind));
    const low = far === null ? ZERO : tail(test, far.max(ZERO), df, patience)[0];
    const high = tail(test, near.max(ZERO), df, patience)[1];
    for (const [name, least, most] of readings(test, sides, df, low, high)) {
      need(least.gt(p.high) || most.lt(p.low), () => "the test may have given the p-value (" + name + ")");
    }
    return "Proved: a test with " + words + " does not give " + p.words + ", " + SIDES[sides] + ".";
  }

  S.kinds.reported_test = { keys: KEYS, check };
})(globalThis.Scoreproof);
