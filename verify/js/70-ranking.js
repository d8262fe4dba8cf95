// ranking: one relevant item per query, after docs/proofs/ranking.md
(function (S) {
  "use strict";

  const { need, get, fraction, ZERO } = S;
  const KEYS = ["experiment", "scores"];
  const NAME = /^(hits|p|mrr|ndcg|mr)(?:@([0-9]*))?$/;
  const MOST = 10n ** 12n;

  function read(statement) {
    const experiment = get(statement, "experiment");
    S.keys(experiment, "the experiment", ["type", "queries", "candidates"]);
    need(get(experiment, "type") === "ranking", "the experiment is not one of queries");
    const [queries, candidates] = ["queries", "candidates"].map((name) => {
      const given = get(experiment, name);
      return given === null ? null : S.integer(given, name);
    });
    need([queries, candidates].every((number) => number === null || (number >= 1n && number <= MOST)), "a number is out of range");
    const list = get(statement, "scores");
    need(S.isList(list) && list.length >= 1 && list.length <= 100, "the statement names no scores");
    const claims = list.map((entry) => {
      S.keys(entry, "a score", ["score", "name", "text", "rounding", "eps"]);
      const score = get(entry, "score");
      need(S.isText(score) && S.textLength(score) <= 20, "a score is not named");
      const match = NAME.exec(score);
      need(match !== null, () => "unknown score " + S.quoted(score));
      const measure = match[1];
      const k = BigInt(match[2] || "0");
      need(k <= 100_000n && (k >= 1n || ["mrr", "ndcg", "mr"].includes(measure)), "a cut-off is out of range");
      need(measure !== "mr" || k === 0n, "a mean rank has no cut-off");
      need(!entry.has("name") || S.isText(get(entry, "name")), "the name of a score is not a text");
      const { low, high } = S.interval(get(entry, "text"), get(entry, "rounding"), get(entry, "eps"), false, measure === "mr" ? null : S.ONE);
      return { measure, k, low, high, text: get(entry, "text"), label: measure + (k > 0n ? "@" + k : "") };
    });
    need(new Set(claims.map((c) => c.label)).size === claims.length, "a score is named twice");
    return { Q: queries === null ? wholeShares(claims) : queries, queries, candidates, claims };
  }

  // the least Q of which all ends of hits are whole numbers: of any number of queries no end is rounded
  function wholeShares(claims) {
    let Q = 1n;
    for (const { measure, k, low, high } of claims) {
      const unit = measure === "hits" ? 1n : measure === "p" ? k : null;
      if (unit !== null) for (const end of [low, high]) Q = S.lcm(Q, end.times(unit).d);
    }
    return Q;
  }

  // what the hits leave N(k) at every cut-off: [{c, least, most}] with growing c
  function cutOffs({ Q, candidates, claims }) {
    const ends = new Map([[0n, [0n, 0n]]]);
    const meet = (c, low, high) => {
      const [a, b] = ends.get(c) || [0n, Q];
      ends.set(c, [S.max(a, low), S.min(b, high)]);
    };
    for (const { measure, k, low, high } of claims) {
      const all = measure === "hits" ? Q : measure === "p" ? k * Q : null;
      if (all !== null) meet(k, low.times(all).ceil(), high.times(all).floor());
    }
    if (candidates !== null) meet(candidates, Q, Q);
    const list = [...ends].sort((x, y) => (x[0] < y[0] ? -1 : 1)).map(([c, [least, most]]) => ({ c, least, most }));
    for (let i = 1; i < list.length; i += 1) list[i].least = S.max(list[i].least, list[i - 1].least);
    for (let i = list.length - 2; i >= 0; i -= 1) list[i].most = S.min(list[i].most, list[i + 1].most);
    return list;
  }

  // 1/log2(m) between two fractions, by mediants
  function inverseLog(m) {
    const whole = BigInt(S.bitLength(m) - 1);
    if (m === 1n << whole) return { low: fraction(1n, whole), high: fraction(1n, whole) };
    let [a, b, c, d] = [whole, 1n, whole + 1n, 1n];
    let [left, right] = [m, m]; // m^b and m^d
    for (let i = 0; i < 400 && b + d <= 4000n; i += 1) {
      const power = left * right;
      // 2^(a + c) <= m^(b + d)
      if (BigInt(S.bitLength(power)) > a + c) [a, b, left] = [a + c, b + d, power];
      else [c, d, right] = [a + c, b + d, power];
    }
    return { low: fraction(d, c), high: fraction(b, a) };
  }

  const NOTHING = { low: ZERO, high: ZERO };
  // the gain of a rank, 0 beyond the cut-off of the score
  function gain(claim, r) {
    if (claim.k > 0n && r > claim.k) return NOTHING;
    if (claim.measure === "ndcg") return inverseLog(1n + r);
    return { low: fraction(1n, r), high: fraction(1n, r) };
  }

  // the least and the greatest sum over the queries; null if there is no greatest
  function sums(claim, list, Q, patience) {
    let [least, most] = [ZERO, ZERO];
    list.forEach(({ c, least: few, most: many }, i) => {
      const next = list[i + 1];
      patience.tick(64);
      if (claim.measure === "mr") {
        if (next === undefined) {
          least = least.add(fraction(Q - many));
          if (few !== Q) most = null;
          return;
        }
        least = least.add(fraction(Q - many + (next.c - c - 1n) * (Q - next.most)));
        most = most.add(fraction((next.c - c) * (Q - few)));
        return;
      }
      const [here, after] = next === undefined ? [NOTHING, NOTHING] : [gain(claim, next.c), gain(claim, next.c + 1n)];
      if (c > 0n) least = least.add(gain(claim, c).low.sub(here.high).times(few));
      most = most.add(gain(claim, c + 1n).high.sub(after.low).times(next === undefined ? Q : next.most));
    });
    return { least, most };
  }

  const shown = (claim) => claim.label + " " + S.shown(claim);

  function check(statement, proof, patience) {
    const given = read(statement);
    const { Q, queries, claims } = given;
    const list = cutOffs(given);
    const contradictory = list.some(({ least, most }) => least > most);
    const kind = get(proof, "kind");
    if (kind === "hits") {
      S.keys(proof, "the proof", ["kind"]);
      need(contradictory, "the hits do not contradict each other");
    } else if (kind === "harmonic") {
      S.keys(proof, "the proof", ["kind"]);
      const [mr, mrr] = ["mr", "mrr"].map((label) => claims.find((c) => c.label === label));
      need(mr !== undefined && mrr !== undefined, "there is no mean rank beside a mean reciprocal rank");
      need(mr.high.sign() >= 0 && mrr.high.sign() >= 0, "a mean is negative");
      need(mr.high.mul(mrr.high).lt(S.ONE), "the means are as far apart as they must be");
    } else {
      need(kind === "mean", () => "unknown kind of proof " + S.quoted(kind));
      S.keys(proof, "the proof", ["kind", "score"]);
      const index = S.integer(get(proof, "score"), "the score");
      const claim = index >= 0n && index < BigInt(claims.length) ? claims[Number(index)] : null;
      need(claim !== null && ["mrr", "ndcg", "mr"].includes(claim.measure), "the proof names no mean");
      need(!contradictory, "the hits contradict each other, which this proof does not say");
      const { least, most } = sums(claim, list, Q, patience);
      need(claim.high.times(Q).lt(least) || (most !== null && claim.low.times(Q).gt(most)), () => shown(claim) + " is possible");
    }
    return "Proved: no ranks of one relevant item in each of " + (queries === null ? "any number of" : queries) + " queries have " + claims.map(shown).join(", ") + ".";
  }

  S.kinds.ranking = { keys: KEYS, check };
})(globalThis.Scoreproof);
