// Areas under curves as claims about one operating point, after docs/proofs/curve.md
(function (S) {
  "use strict";

  const { need, fraction, ZERO, ONE } = S;
  const MOST_POSITIVES = 20_000n;
  const FINE = 80n; // binary digits of each precision that is added up
  const TWO = fraction(2n);
  const HALF = fraction(1n, 2n);
  const MINUS = ONE.neg();

  // half cells: twice the cells under the curve, of 2pn, are a whole number, and an even one without ties
  function halfCells(auc, p, n, ties) {
    const all = 2n * p * n;
    if (auc === undefined) return [0n, all];
    const step = ties ? 1n : 2n;
    const least = auc.low.max(ZERO).times(all);
    const most = auc.high.min(ONE).times(all);
    return [S.ceilDiv(least.ceil(), step) * step, S.floorDiv(most.floor(), step) * step];
  }

  // a rising ratio as a score, for the rules of rectangles
  const ratio = (border, top, bottom) => ({ rises: true, linear: border === "linear", border, top, bottom, inverse: (v) => v });
  const ruled = (score, low, high, p, n) => S.ruleOf({ score, low, high, from: low, to: high }, p, n, null);

  // a claim about a value that is computed at each cell and has no border
  const computed = (value, low, high) => ({
    rises: true,
    linear: false,
    filled: false,
    place: (t, u) => {
      const x = value(t, u);
      return x.lt(low) ? -1 : x.gt(high) ? 1 : 0;
    },
    border: () => null,
  });

  // p times the lowest average precision at (tp, fp), in multiples of 2^-80
  function lowestPrecisions(p, n) {
    const term = (i, before) => (i << FINE) / (before + i);
    // sums over i > tp of i/(n + i), and for every fp over i <= tp of i/(fp + i), as far as they were needed
    const after = [0n];
    for (let i = p; i >= 1n; i -= 1n) after.push(after[after.length - 1] + term(i, n));
    const upTo = new Map();
    return (tp, fp) => {
      let sums = upTo.get(fp);
      if (sums === undefined) {
        if (upTo.size > 200) upTo.clear();
        upTo.set(fp, (sums = [0n]));
      }
      for (let i = BigInt(sums.length); i <= tp; i += 1n) sums.push(sums[sums.length - 1] + term(i, fp));
      return sums[Number(tp)] + after[Number(p - tp)];
    };
  }

  function precisionRules(area, p, n) {
    let lowest;
    if (area.score === "ap") {
      need(p <= MOST_POSITIVES, "too many positives to add up their precisions");
      const sum = lowestPrecisions(p, n);
      lowest = (t, u) => fraction(sum(t, n - u), p << FINE);
    } else {
      lowest = (t, u) => {
        const fp = n - u;
        const first = t === 0n ? ZERO : fraction(t * t, fp + t);
        const ends = fraction(t, n + t).add(fraction(p, n + p));
        return first.add(ends.times(p - t)).div(fraction(2n * p));
      };
    }
    const highest = (t, u) => fraction(t).add(fraction((p - t) * p, p + n - u)).div(fraction(p));
    return [computed(lowest, MINUS, area.high), computed(highest, area.low, TWO)];
  }

  // the two rules of an area on the grid of p and n
  function areaRules(area, p, n, ties) {
    if (area.score === "auc") {
      const [u1, u2] = halfCells(area, p, n, ties);
      const all = 2n * p * n;
      const under = ratio("curved", (t, u) => t * u, () => p * n);
      const over = ratio("curved", (t, u) => p * n - (n - u) * (p - t), () => p * n);
      return [ruled(under, MINUS, fraction(u2, all), p, n), ruled(over, fraction(u1, all), TWO, p, n)];
    }
    if (area.score === "best_acc") {
      const right = ratio("linear", (t, u) => t + u, () => p + n);
      const most = fraction(area.high.times(p + n).floor(), p + n);
      return [ruled(right, MINUS, most, p, n), ruled(right, MINUS, TWO, p, n)];
    }
    return precisionRules(area, p, n);
  }

  // The greatest area under a concave curve through a point: a line through the point lies above it all. Of slope s it
  // leaves a triangle of (1 - y + s x)²/(2 s) above it, and s runs from (1 - y)/(1 - x) to y/x.
  function mostConcave(sens, spec) {
    const [x, y] = [ONE.sub(spec), sens];
    const miss = ONE.sub(y);
    if (y.lt(x)) return ZERO;
    if (x.sign() === 0 || miss.sign() === 0) return ONE;
    const slope = miss.div(x).max(miss.div(ONE.sub(x))).min(y.div(x));
    const height = miss.add(slope.mul(x));
    return ONE.sub(height.mul(height).div(slope.mul(TWO)));
  }

  // between which ends the area lies, of one curve or of several on average
  function underConcave(sens, spec, oneCurve) {
    if (sens.high.add(spec.high).lt(ONE)) return [ONE, ZERO];
    return [HALF.max(sens.low.add(spec.low).mul(HALF)), oneCurve ? mostConcave(sens.high, spec.high) : ONE];
  }

  function concaveRules(area, p, n) {
    const chords = ratio("linear", (t, u) => n * t + p * u, () => 2n * n * p);
    const highest = (t, u) => mostConcave(fraction(t, p), fraction(u, n));
    return [ruled(chords, HALF, area.high, p, n), computed(highest, area.low, TWO)];
  }

  Object.assign(S, { halfCells, areaRules, underConcave, concaveRules });
})(globalThis.Scoreproof);
