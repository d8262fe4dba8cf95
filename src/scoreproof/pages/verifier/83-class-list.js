// The step "list" of proofs about several classes: every choice of counts of a part is tried
(function (S) {
  "use strict";

  const { need } = S;
  const MOST_LISTED = 200_000;
  const MOST_PAIRS = 20_000_000;
  const MOST_SCORED = 300_000;
  const SCALE_BITS = 20n;

  // all counts of a group within its box and inequalities: [[tp, q], ...]
  function listed(given, part, i, patience) {
    const out = [];
    const lines = given.lines[i];
    for (let q = part.q1[i]; q <= part.q2[i]; q += 1) {
      let [t1, t2] = [part.t1[i], part.t2[i]];
      for (const { small, a, b, c } of lines) {
        const m = small ? BigInt(b * q + c) : b * BigInt(q) + c;
        const A = BigInt(a);
        if (A > 0n) t1 = Math.max(t1, Number(-S.floorDiv(m, A)));
        else if (A < 0n) t2 = Math.min(t2, Number(S.floorDiv(m, -A)));
        else if (m < 0n) t2 = t1 - 1;
      }
      for (let tp = t1; tp <= t2; tp += 1) out.push([tp, q]);
      need(out.length <= MOST_LISTED, "there are too many counts to list");
      patience.tick(4);
    }
    return out;
  }

  // What a mean says as sums over the classes, in whole numbers, for one way to count 0/0: with v the value of a class,
  // w its weight, scaled by 2^20 and rounded to the safe side, the sum of w (v - low) is not negative and that of
  // w (v - high) is not positive. Classes left out add nothing.
  function demandsOf(given, meaning) {
    const scaled = (x) => (x.n << SCALE_BITS) / x.d; // off by less than one, whatever the sign
    return S.classWays[given.undefined].map((way) => {
      const claims = given.claims.filter((c) => c.average !== null && c.average !== "micro" && !(meaning === "of means" && S.isAveragedF(c)));
      return (i, tp, q) => {
        const out = [];
        for (const claim of claims) {
          const group = given.groups[i];
          const weight = claim.average === "macro" ? 1 : Number(group.n);
          const bottom = S.formAt(S.formOf(claim.score.bottom, group), tp, q);
          let v = null;
          if (way.harmonic && claim.score.beta !== null && tp === 0n) v = null;
          else if (bottom === 0n) v = way.fill === null ? null : way.fill.n << SCALE_BITS;
          else v = (S.formAt(S.formOf(claim.score.top, group), tp, q) << SCALE_BITS) / bottom;
          if (v === null && way.strict && weight > 0) return null;
          if (v === null) out.push(0, 0);
          else out.push(weight * Number(v - scaled(claim.low) + 2n), -weight * Number(v - scaled(claim.high) - 2n));
        }
        return out;
      };
    });
  }

  // all choices for some classes, with the sums that decide about them
  function combined(given, members, lists, limits, demands, patience) {
    const width = demands.length;
    let choices = [{ picked: [], tp: 0, q: 0, most: -Infinity, sums: null }];
    const rest = members.map((i) => ({
      tp: [Math.min(...lists[i].map((x) => x[0])), Math.max(...lists[i].map((x) => x[0]))],
      q: [Math.min(...lists[i].map((x) => x[1])), Math.max(...lists[i].map((x) => x[1]))],
    }));
    members.forEach((i, at) => {
      // what the classes after this one, and the other half, can still add
      const after = rest.slice(at + 1);
      const add = (key, end) => after.reduce((sum, r) => sum + r[key][end], limits.other[key][end]);
      const own = lists[i].map(([tp, q]) => ({
        tp, q, wrong: Number(given.groups[i].n) + q - 2 * tp,
        sums: Array.from({ length: width }, (_, w) => demands[w](i, BigInt(tp), BigInt(q))),
      }));
      const [t1, t2, q1, q2] = [add("tp", 0), add("tp", 1), add("q", 0), add("q", 1)];
      const next = [];
      for (const choice of choices) {
        patience.tick(own.length >> 4);
        for (const one of own) {
          const [tp, q] = [choice.tp + one.tp, choice.q + one.q];
          if (tp + t1 > limits.right[1] || tp + t2 < limits.right[0]) continue;
          if (!given.labels && (q + q1 > limits.N || q + q2 < limits.N)) continue;
          const sums = one.sums.map((s, w) => {
            const before = choice.sums === null ? null : choice.sums[w];
            if (s === null || (choice.sums !== null && before === null)) return null;
            return before === null ? s : s.map((x, j) => x + before[j]);
          });
          next.push({ picked: [...choice.picked, [i, one.tp, one.q]], tp, q, most: Math.max(choice.most, one.wrong), sums });
        }
        need(next.length <= MOST_LISTED, "there are too many counts to list");
      }
      choices = next;
    });
    return choices;
  }

  function fits(one, other, given, limits) {
    const T = one.tp + other.tp;
    if (T < limits.right[0] || T > limits.right[1]) return false;
    if (!given.labels && Math.max(one.most, other.most) > limits.N - T) return false;
    if (one.sums === null || other.sums === null) return true;
    for (let w = 0; w < one.sums.length; w += 1) {
      const [x, y] = [one.sums[w], other.sums[w]];
      if (x === null || y === null) continue;
      let all = true;
      for (let j = 0; j < x.length && all; j += 1) all = x[j] + y[j] >= 0;
      if (all) return true;
    }
    return false;
  }

  // refuses if some counts of the part give the report; `matrix(counts)` may exclude counts that do
  function listPart(given, part, meaning, patience, matrix = null) {
    need(given.sets === 1, "counts of several sets are not listed");
    const size = given.labels ? (given.totals === null ? 10n ** 7n : given.totals[0]) : given.sums[0];
    need(size <= 1_000_000n, "there are too many cases to list counts");
    const lists = given.groups.map((_, i) => listed(given, part, i, patience));
    if (lists.some((list) => list.length === 0)) return;
    const demands = demandsOf(given, meaning);
    // halves of about equal numbers of choices
    const halves = [[], []];
    const logs = [0, 0];
    for (const i of lists.map((_, j) => j).sort((a, b) => lists[b].length - lists[a].length)) {
      const to = logs[0] <= logs[1] ? 0 : 1;
      halves[to].push(i);
      logs[to] += Math.log(lists[i].length);
    }
    const range = (members, entry) => [
      members.reduce((sum, i) => sum + lists[i].reduce((x, y) => Math.min(x, y[entry]), Infinity), 0),
      members.reduce((sum, i) => sum + lists[i].reduce((x, y) => Math.max(x, y[entry]), -Infinity), 0),
    ];
    const limits = { right: part.right[0], N: Number(given.sums[0]) };
    const [left, right] = [0, 1].map((h) =>
      combined(given, halves[h], lists, { ...limits, other: { tp: range(halves[1 - h], 0), q: range(halves[1 - h], 1) } }, demands, patience));
    const groups = new Map();
    for (const choice of right) {
      const key = given.labels ? 0 : choice.q;
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(choice);
    }
    let [pairs, scored] = [0, 0];
    for (const one of left) {
      const others = groups.get(given.labels ? 0 : limits.N - one.q) || [];
      pairs += others.length;
      need(pairs <= MOST_PAIRS, "there are too many choices to list");
      patience.tick(1 + (others.length >> 4));
      for (const other of others) {
        if (!fits(one, other, given, limits)) continue;
        scored += 1;
        need(scored <= MOST_SCORED, "there are too many choices to score");
        const counts = [];
        for (const [i, tp, q] of [...one.picked, ...other.picked]) counts[i] = [BigInt(tp), BigInt(q)];
        patience.tick(8);
        if (matrix !== null && !matrix(counts)) continue;
        need(!S.givesReport(given, counts, meaning), "there are counts that give the report");
      }
    }
  }

  Object.assign(S, { listPart });
})(globalThis.Scoreproof);
