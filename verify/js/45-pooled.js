// Means of alike sets: their linear scores are those of one matrix, the sum of theirs.
(function (S) {
  "use strict";

  const { need, fraction } = S;

  // the sets of a part as one of all their cases
  function together(demands, node, weight) {
    const shares = S.weightsOf(node, () => true);
    const own = demands.sets.slice(node.first, node.last);
    const [first] = own;
    const alike = own.every(({ p, n, family, hexagon }) => family < 0 && hexagon === null && p === first.p && n === first.n);
    const even = [...shares.values()].every((share) => share.eq(shares.get(node.first)));
    need(alike && even, "a part that deviates holds sets that are not alike");
    const count = BigInt(own.length);
    return { family: -1, hexagon: null, repeat: 0, p: first.p * count, n: first.n * count, weight };
  }

  // what is said of linear scores, with one set in the place of each part that deviates
  function pooled(demands) {
    need(demands.meansDeviate, "the deviation is not over means of sets");
    const weight = fraction(1n, BigInt(demands.deviating.length));
    const sets = demands.deviating.map((node) => together(demands, node, weight));
    const means = demands.means.filter(({ score }) => score.linear && sets.every(({ p, n }) => score.bottom(0n, 0n, p, n) > 0n));
    need(means.length > 0, "no linear score is reported");
    const scores = means.map(({ score }) => score);
    const parts = sets.map((_, set) => ({ set, first: set, last: set + 1 }));
    return {
      ...demands, sets, families: [], root: { parts, first: 0, last: sets.length }, parts, flat: true, overRepeats: false, deviating: parts,
      meansDeviate: false, means, spreads: demands.spreads.filter(({ score }) => scores.includes(score)), names: new Set(scores.map(({ name }) => name)),
      limits: [], scores, minimum: new Map(), maximum: new Map(), extremeParts: parts,
    };
  }

  S.pooled = pooled;
})(globalThis.Scoreproof);
