// Judging one matrix per set exactly: is there for each score a way to count 0/0 under which all that is said of it holds?
(function (S) {
  "use strict";

  const { fraction, ZERO, ONE } = S;
  const BITS = 200n;

  // values are pairs [low, high] of fractions, equal where they are exact
  const exact = (x) => [x, x];
  const add = (a, b) => [a[0].add(b[0]), a[1].add(b[1])];
  const over = (a, k) => {
    const d = fraction(k);
    return [a[0].div(d), a[1].div(d)];
  };
  const meets = (a, low, high) => (low === null || a[1].ge(low)) && (high === null || a[0].le(high));
  function squared([low, high]) {
    if (low === high) return exact(low.mul(low));
    const [a, b] = [low.mul(low), high.mul(high)];
    return [low.sign() <= 0 && high.sign() >= 0 ? ZERO : a.min(b), a.max(b)];
  }

  // the square root of a fraction that is not negative, exactly if it is one
  function root(x) {
    const [top, bottom] = [S.isqrt(x.n), S.isqrt(x.d)];
    if (top * top === x.n && bottom * bottom === x.d) return exact(fraction(top, bottom));
    const floor = S.isqrt((x.n << (2n * BITS)) / x.d);
    return [fraction(floor, 1n << BITS), fraction(floor + 1n, 1n << BITS)];
  }

  // the value of a score on a matrix: a pair, null for 0/0, undefined for infinite
  function valueOf(score, [p, n, t, u]) {
    const top = score.top(t, u, p, n);
    const bottom = score.bottom(t, u, p, n);
    if (bottom === 0n) return top === 0n ? null : undefined;
    const w = fraction(top, bottom);
    if (score.link === "ratio") return exact(w);
    const size = root(w.abs());
    if (score.link === "root") return w.sign() < 0 ? [size[1].neg(), size[0].neg()] : size;
    const rest = root(ONE.sub(w));
    // rising in the first root and falling in the second, so opposite ends go together
    return [size[0].div(size[0].add(rest[1])), size[1].div(size[1].add(rest[0]))];
  }

  // values of all sets under a way, null where a set does not count; undefined if the matrix cannot be
  function counted(score, cells, values, way) {
    const out = new Array(cells.length);
    for (let i = 0; i < cells.length; i += 1) {
      const [p, n, t, u] = cells[i];
      let value = values[i];
      if (value === undefined) return undefined;
      if (way === "harmonic" && (score.harmonic === "tp" ? t : u) === 0n) value = null;
      else if (value === null) {
        if (way === null) return undefined;
        if (way !== "skip" && S.isPredictive(score)) value = exact(fraction(...S.ofOneClass(score, way, t, u, p, n)));
        else if (way === "zero") value = exact(ZERO);
        else if (way === "one") value = exact(ONE);
        else if (way === "present") value = exact(p > 0n ? fraction(t, p) : fraction(u, n));
      }
      out[i] = value;
    }
    return out;
  }

  // the mean over what counts, null if nothing does
  function meanOf(node, values) {
    if (node.parts === undefined) return values[node.set];
    let total = null;
    let count = 0n;
    for (const part of node.parts) {
      const value = meanOf(part, values);
      if (value === null) continue;
      total = total === null ? value : add(total, value);
      count += 1n;
    }
    return total === null ? null : over(total, count);
  }

  // does the variance of these values fit, for some admitted divisor?
  function spreadFits(demands, spread, values) {
    const m = BigInt(values.length);
    if (m === 0n) return false;
    const mean = over(values.reduce(add), m);
    const squares = values.map((x) => squared([x[0].sub(mean[1]), x[1].sub(mean[0])])).reduce(add);
    // an error is divided by the root of those that count, or of all
    const [least, most] = demands.error ? [m, BigInt(demands.deviating.length)] : [1n, 1n];
    return S.divisorsOf(demands).some((d) => m > d && meets(over(squares, m - d), spread.low.times(least), spread.high.times(most)));
  }

  function scoreFits(demands, score, values) {
    const mean = demands.means.find((each) => each.score === score);
    if (mean !== undefined) {
      const value = meanOf(demands.root, values);
      if (value === null || !meets(value, mean.low, mean.high)) return false;
    }
    const spread = demands.spreads.find((each) => each.score === score);
    if (spread !== undefined) {
      const list = demands.deviating.map((node) => meanOf(node, values)).filter((x) => x !== null);
      if (!spreadFits(demands, spread, list)) return false;
    }
    const [least, most] = [demands.minimum.get(score.name), demands.maximum.get(score.name)];
    if (least || most) {
      const list = demands.extremeParts.map((part) => meanOf(part, values)).filter((x) => x !== null);
      if (!list.every((x) => meets(x, least ? least.low : null, most ? most.high : null))) return false;
      for (const range of [least, most]) {
        if (range && demands.attained && !list.some((x) => meets(x, range.low, range.high))) return false;
      }
    }
    return demands.limits.every((limit) => {
      if (limit.score !== score) return true;
      const value = meanOf(limit.node, values);
      return value === null || meets(value, limit.low, limit.high);
    });
  }

  function familiesFit(demands, cells) {
    return demands.families.every(({ type, p, n, members }) => {
      const own = members.map((i) => cells[i]);
      if (own.reduce((sum, cell) => sum + cell[0], 0n) !== p || own.reduce((sum, cell) => sum + cell[1], 0n) !== n) return false;
      return type !== "trainable" || [0, 1].every((k) => own.filter((cell) => cell[k] > 0n).length >= 2);
    });
  }

  // do these matrices, [p, n, tp, tn] by set, fit the report? (their hexagons hold already)
  function judged(demands, cells) {
    if (demands.divisor === "any" && demands.spreads.length > 1) {
      return ["population", "sample"].some((divisor) => judged({ ...demands, divisor }, cells));
    }
    if (!familiesFit(demands, cells)) return false;
    return demands.scores.every((score) => {
      const values = cells.map((cell) => valueOf(score, cell));
      const ways = S.ways(score, demands.undefined);
      return (ways.length > 0 ? ways : [null]).some((way) => {
        const list = counted(score, cells, values, way);
        return list !== undefined && scoreFits(demands, score, list);
      });
    });
  }

  S.judged = judged;
})(globalThis.Scoreproof);
