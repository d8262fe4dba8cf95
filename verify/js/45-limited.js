// Limits of single sets that follow from a mean and its deviation, and the counts they leave.
(function (S) {
  "use strict";

  const { need, fraction, ZERO } = S;
  const MOST_LIMITS = 300_000;
  const ONE = fraction(1n);

  // the demands with what follows from them for every set
  function limited(demands) {
    need(demands.flat, "the sets are not averaged alike");
    const { means, parts, sets } = demands;
    need(demands.limits.length + sets.length * means.length <= MOST_LIMITS, "there are too many ranges of parts");
    const k = BigInt(sets.length);
    const limits = [...demands.limits];
    for (const { score, low, high } of means) {
      if (score.most === null) continue;
      // the others are at most (least) the end of the range
      let from = low.times(k).sub(score.most.times(k - 1n));
      let to = high.times(k).sub(score.least.times(k - 1n));
      const spread = demands.spreads.find((each) => each.score.name === score.name);
      if (spread && !demands.meansDeviate) {
        const d = S.divisorsOf(demands).reduce(S.min);
        const squares = spread.high.times((k - d) * (demands.error ? k : 1n));
        const far = S.rootAbove(squares.mul(fraction(k - 1n, k)));
        [from, to] = [from.max(low.sub(far)), to.min(high.add(far))];
      }
      for (const node of parts) limits.push({ score, node, low: from, high: to });
    }
    return { ...demands, limits };
  }

  // for each set the shares of right answers (of positives, of negatives, of all) that its limits leave, by its number
  const KINDS = { sens: 0, fnr: 0, spec: 1, fpr: 1, acc: 2, err: 2 };
  const WRONG = new Set(["fnr", "fpr", "err"]);
  function sharesOf(demands) {
    const all = new Map();
    for (const { score, node, low, high } of demands.limits) {
      if (node.parts !== undefined || !Object.hasOwn(KINDS, score.name)) continue;
      let [from, to] = [low === null ? ZERO : low, high === null ? ONE : high];
      if (WRONG.has(score.name)) [from, to] = [ONE.sub(to), ONE.sub(from)];
      if (!all.has(node.set)) all.set(node.set, [[ZERO, ONE], [ZERO, ONE], [ZERO, ONE]]);
      const own = all.get(node.set);
      const [least, most] = own[KINDS[score.name]];
      own[KINDS[score.name]] = [least.max(from), most.min(to)];
    }
    return all;
  }

  // the fewest and the most tp, tn and tp + tn of p positives and n negatives; a share of no cases is not limited
  function endsOf(shares, p, n) {
    return [p, n, p + n].map((cases, i) => {
      if (shares === undefined || cases === 0n) return [0n, cases];
      const [least, most] = shares[i];
      return [S.min(least.times(cases).ceil(), cases + 1n), S.max(most.times(cases).floor(), -1n)];
    });
  }

  Object.assign(S, { limited, sharesOf, endsOf });
})(globalThis.Scoreproof);
