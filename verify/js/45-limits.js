// The counts that limits of single sets leave.
(function (S) {
  "use strict";

  const { ZERO, ONE } = S;

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

  Object.assign(S, { sharesOf, endsOf });
})(globalThis.Scoreproof);
