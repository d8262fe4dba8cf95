// Proofs about means: the kinds of proof, the divisors of a deviation, and cases by how a 0/0 is counted.
(function (S) {
  "use strict";

  const { need, quoted, get } = S;
  const KINDS = {
    totals: ["kind", "cases"],
    moments: ["kind", "defined", "left_out", "peaks"],
    columns: ["kind", "groups", "bits", "steps"],
  };

  // the number of cases a proof treats
  function meanProof(all, whole, patience) {
    let [demands, proof] = [all, whole];
    if (get(whole, "kind") === "pooled") {
      S.keys(whole, "the proof", ["kind", "proof"]);
      [demands, proof] = [S.pooled(all), get(whole, "proof")];
      need(S.isObject(proof), "the proof is not an object");
    }
    const kind = get(proof, "kind");
    need(S.isText(kind) && Object.hasOwn(KINDS, kind), () => "unknown kind of proof " + quoted(kind));
    need(Object.hasOwn(S.meanProofs, kind), "this page carries nothing that checks proofs of this kind");
    S.keys(proof, "the proof", KINDS[kind]);
    return S.meanProofs[kind](demands, proof, patience);
  }

  // which divisors less than the number of values are admitted: 0 (population), 1 (sample)
  const divisors = (demands) => ({ population: [0n], sample: [1n] })[demands.divisor] || [0n, 1n];

  // the combinations of ways for scores that are 0/0 on every matrix of some set
  function treatments(demands, scores) {
    const { sets, families } = demands;
    const kinds = new Map();
    for (const set of sets) {
      const key = set.family < 0 ? set.p + "," + set.n : "family " + set.family + "," + set.size;
      if (!kinds.has(key)) kinds.set(key, { set, count: 0 });
      kinds.get(key).count += 1;
    }
    const means = new Set(demands.names);
    let out = [new Map()];
    for (const score of scores) {
      let absent = 0;
      for (const { set, count } of kinds.values()) if (isAbsent(score, set, families)) absent += count;
      if (absent === 0) continue;
      let ways = S.ways(score, demands.undefined);
      if (absent === sets.length && means.has(score.name)) ways = ways.filter((way) => way !== "skip");
      need(out.length * ways.length <= 100_000, "too many ways to count 0/0");
      out = out.flatMap((before) => ways.map((way) => new Map(before).set(score.name, way)));
    }
    return out;
  }
  const isAbsent = (score, set, families) => S.setOptions(set, families).every(([p, n]) => S.absentOn(score, p, n));

  // the entries of a proof by cases, each checked against its case just before it is used
  function eachCase(demands, scores, proof, keys, use) {
    const treated = treatments(demands, scores);
    const list = get(proof, "cases");
    need(S.isList(list) && list.length === treated.length, "the proof does not treat every case");
    let count = 0;
    treated.forEach((ways, i) => {
      const entry = list[i];
      need(S.isObject(entry) && entry.size === keys.length && keys.every((key) => entry.has(key)), "a case of the proof is malformed");
      const told = get(entry, "treatments");
      const same = S.isObject(told) && told.size === ways.size && [...ways].every(([name, way]) => told.get(name) === way);
      need(same, "a case of the proof is another than the statement has");
      count += use(ways, entry);
    });
    return count;
  }

  S.meanProofs = Object.create(null);
  Object.assign(S, { meanProof, divisorsOf: divisors, eachCase, isAbsent });
})(globalThis.Scoreproof);
