// Whether counts of several classes of one set give a report, in one of the ways to count 0/0
(function (S) {
  "use strict";

  const { fraction, ZERO, ONE } = S;

  // fill: what a 0/0 counts as, null if it is left out; harmonic: F-scores of classes with tp = 0 are left out with it;
  // strict: nothing printed may be 0/0
  const WAYS = {
    zero: [{ fill: ZERO }],
    one: [{ fill: ONE }],
    skip: [{ fill: null }, { fill: null, harmonic: true }],
    exclude: [{ fill: null, strict: true }],
  };
  WAYS.any = [...WAYS.zero, ...WAYS.one, ...WAYS.skip];

  // the value of a class, or null if it is left out
  function ofClass(score, group, tp, q, way) {
    if (way.harmonic && score.beta !== null && tp === 0n) return null;
    const bottom = S.formAt(S.formOf(score.bottom, group), tp, q);
    if (bottom === 0n) return way.fill;
    return fraction(S.formAt(S.formOf(score.top, group), tp, q), bottom);
  }

  // a macro or weighted mean, or null if there is none
  function mean(score, average, groups, counts, way) {
    let [sum, weights] = [ZERO, 0n];
    for (let i = 0; i < groups.length; i += 1) {
      const weight = average === "macro" ? 1n : groups[i].n;
      if (average === "weighted" && weight === 0n) continue;
      const value = ofClass(score, groups[i], counts[i][0], counts[i][1], way);
      if (value === null) {
        if (way.strict) return null;
        continue;
      }
      sum = sum.add(value.times(weight));
      weights += weight;
    }
    return weights === 0n ? null : sum.div(fraction(weights));
  }

  function micro(score, groups, counts, way) {
    let [top, bottom] = [0n, 0n];
    groups.forEach((group, i) => {
      top += S.formAt(S.formOf(score.top, group), counts[i][0], counts[i][1]);
      bottom += S.formAt(S.formOf(score.bottom, group), counts[i][0], counts[i][1]);
    });
    return bottom === 0n ? way.fill : fraction(top, bottom);
  }

  const PPV = S.classScore("ppv");
  const SENS = S.classScore("sens");
  function ofMeans(claim, groups, counts, way) {
    const P = mean(PPV, claim.average, groups, counts, way);
    const R = mean(SENS, claim.average, groups, counts, way);
    if (P === null || R === null) return null;
    const b = claim.score.beta;
    const bottom = b.mul(P).add(R);
    if (bottom.sign() === 0) return way.fill;
    return ONE.add(b).mul(P).mul(R).div(bottom);
  }

  // a score of the whole matrix: its numerator, and its denominator (squared, of mcc)
  function whole(name, groups, counts) {
    let [N, T, S_, squares, own] = [0n, 0n, 0n, 0n, 0n];
    groups.forEach(({ n }, i) => {
      const [tp, q] = counts[i];
      N += n;
      T += tp;
      S_ += n * q;
      squares += q * q;
      own += n * n;
    });
    if (name === "acc") return { top: T, bottom: N };
    if (name === "kappa") return { top: N * T - S_, bottom: N * N - S_ };
    return { top: N * T - S_, bottom: (N * N - squares) * (N * N - own), root: true };
  }

  const within = (claim, value) => value !== null && claim.low.le(value) && claim.high.ge(value);

  function holds(claim, groups, counts, way, meaning) {
    if (claim.score === null) {
      const { top, bottom, root } = whole(claim.name, groups, counts);
      if (bottom === 0n) return within(claim, way.fill);
      if (!root) return within(claim, fraction(top, bottom));
      // with squares that keep their sign, since root(bottom) may be no fraction
      const signed = (x) => x.mul(x.abs());
      const value = fraction(top * S.abs(top), bottom);
      return signed(claim.low).le(value) && signed(claim.high).ge(value);
    }
    if (claim.cls !== null) {
      const [tp, q] = counts[claim.cls];
      return within(claim, ofClass(claim.score, groups[claim.cls], tp, q, way));
    }
    if (claim.average === "micro") return within(claim, micro(claim.score, groups, counts, way));
    if (meaning === "of means" && S.isAveragedF(claim)) return within(claim, ofMeans(claim, groups, counts, way));
    return within(claim, mean(claim.score, claim.average, groups, counts, way));
  }

  // do counts [[tp, q], ...] give every printed value in one of the admitted ways?
  function givesReport(given, counts, meaning) {
    return WAYS[given.undefined].some((way) => given.claims.every((claim) => holds(claim, given.groups, counts, way, meaning)));
  }

  Object.assign(S, { givesReport, classWays: WAYS });
})(globalThis.Scoreproof);
