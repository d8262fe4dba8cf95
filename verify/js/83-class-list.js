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
    const lines = given.lines[i].slice();
    if (!given.labels) lines.push({ small: true, a: 2, b: -1, c: Number(given.sums[0] - given.groups[i].n) - part.right[0][0] });
    for (let q = part.q1[i]; q <= part.q2[i]; q += 1) {
      let [t1, t2] = [part.t1[i], part.t2[i]];
      for (const { small, a, b, c } of lines) {
        const m = small ? b * q + c : b * BigInt(q) + c;
        const floor = small ? S.floorQuotient : S.floorDiv;
        if (a > 0) t1 = Math.max(t1, Number(-floor(m, a)));
        else if (a < 0) t2 = Math.min(t2, Number(floor(m, -a)));
        else if (m < 0) t2 = t1 - 1;
      }
      for (let tp = t1; tp <= t2; tp += 1) out.push([tp, q]);
      need(out.length <= MOST_LISTED, "there are too many counts to list");
      patience.tick(2);
    }
    return out;
  }

  // What a mean says as sums over the classes, in whole numbers, for one way to count 0/0: with v the value of a class,
  // w its weight, scaled by 2^20 and rounded to the safe side, the sum of w (v - low) is not negative and that of
  // w (high - v) neither. Classes left out add nothing; null if a class may not be left out.
  function meanDemands(given, meaning) {
    const scaled = (x) => (x.n << SCALE_BITS) / x.d; // off by less than one, whatever the sign
    const claims = given.claims
      .filter((c) => c.average !== null && c.average !== "micro" && !(meaning === "of means" && S.isAveragedF(c)))
      .map((c) => ({
        score: c.score, macro: c.average === "macro", low: scaled(c.low), high: scaled(c.high),
        tops: given.groups.map((group) => S.formOf(c.score.top, group)), bottoms: given.groups.map((group) => S.formOf(c.score.bottom, group)),
      }));
    if (claims.length === 0) return null;
    return S.classWays[given.undefined].map((way) => (i, tp, q) => {
      const out = [];
      for (const { score, macro, low, high, tops, bottoms } of claims) {
        const weight = macro ? 1 : Number(given.groups[i].n);
        const bottom = S.formAt(bottoms[i], tp, q);
        let v = null;
        if (way.harmonic && score.beta !== null && tp === 0n) v = null;
        else if (bottom === 0n) v = way.fill === null ? null : way.fill.n << SCALE_BITS;
        else v = (S.formAt(tops[i], tp, q) << SCALE_BITS) / bottom;
        if (v === null && way.strict && weight > 0) return null;
        if (v === null) out.push(0, 0);
        else out.push(weight * Number(v - low + 2n), weight * Number(high - v + 2n));
      }
      return out;
    });
  }

  // What micro averages and kappa say: sums of a tp + b q + c that are not negative, whatever a 0/0 counts as
  function lineDemands(given) {
    const N = given.sums[0];
    const lines = []; // for every demand the forms of all groups
    for (const claim of given.claims) {
      if (claim.average === "micro") {
        const forms = given.groups.map((group) => [S.formOf(claim.score.top, group), S.formOf(claim.score.bottom, group)]);
        lines.push(forms.map(([top, bottom]) => top.map((x, j) => claim.low.d * x - claim.low.n * bottom[j])));
        lines.push(forms.map(([top, bottom]) => top.map((x, j) => claim.high.n * bottom[j] - claim.high.d * x)));
      } else if (claim.score === null && claim.name === "kappa") {
        // N T - S - v (N² - S), and S the sum of n q
        const at = (v, sign) => given.groups.map(({ n }, i) => [v.d * N, (v.n - v.d) * n, i === 0 ? -v.n * N * N : 0n].map((x) => sign * x));
        lines.push(at(claim.low, 1n), at(claim.high, -1n));
      }
    }
    if (lines.length === 0) return null;
    // in units of a power of two, rounded up, so that all sums stay whole numbers below 2^53
    const shifts = lines.map((forms) => {
      const size = forms.reduce((sum, form, i) => sum + S.abs(form[0]) * given.groups[i].n + S.abs(form[1]) * given.groups[i].most + S.abs(form[2]), 1n);
      return BigInt(Math.max(0, S.bitLength(size) - 48));
    });
    return (i, tp, q) => lines.map((forms, j) => {
      const value = S.formAt(forms[i], tp, q);
      return shifts[j] === 0n ? Number(value) : Number(value >> shifts[j]) + 1;
    });
  }

  const sumOf = (x, y) => {
    if (x === null || y === null) return null;
    const out = new Array(x.length);
    for (let j = 0; j < x.length; j += 1) out[j] = x[j] + y[j];
    return out;
  };

  // all choices for some classes, with the sums that decide about them
  function combined(given, members, lists, ranges, limits, demands, patience) {
    let choices = [{ before: null, i: -1, own: null, tp: 0, q: 0, most: -Infinity, line: null, means: null }];
    members.forEach((i, at) => {
      // what the classes after this one, and the other half, can still add
      const after = members.slice(at + 1);
      const rest = [0, 1, 2, 3].map((j) => after.reduce((sum, other) => sum + ranges[other][j], limits.other[j]));
      const own = lists[i].map(([tp, q]) => {
        const [t, u] = [BigInt(tp), BigInt(q)];
        return {
          tp, q, wrong: Number(given.groups[i].n) + q - 2 * tp,
          line: demands.line === null ? null : demands.line(i, t, u),
          means: demands.means === null ? null : demands.means.map((demand) => demand(i, t, u)),
        };
      });
      const next = [];
      for (const choice of choices) {
        patience.tick(1 + (own.length >> 3));
        for (const cell of own) {
          const [tp, q] = [choice.tp + cell.tp, choice.q + cell.q];
          if (tp + rest[0] > limits.right[1] || tp + rest[1] < limits.right[0]) continue;
          if (!given.labels && (q + rest[2] > limits.N || q + rest[3] < limits.N)) continue;
          const first = choice.before === null;
          next.push({
            before: choice, i, own: cell, tp, q, most: Math.max(choice.most, cell.wrong),
            line: cell.line === null || first ? cell.line : sumOf(choice.line, cell.line),
            means: cell.means === null || first ? cell.means : cell.means.map((x, w) => sumOf(choice.means[w], x)),
          });
        }
        need(next.length <= MOST_LISTED, "there are too many counts to list");
      }
      choices = next;
    });
    return choices;
  }

  const together = (x, y) => {
    for (let j = 0; j < x.length; j += 1) if (x[j] + y[j] < 0) return false;
    return true;
  };
  function fits(first, other, given, limits) {
    const T = first.tp + other.tp;
    if (T < limits.right[0] || T > limits.right[1]) return false;
    if (!given.labels && Math.max(first.most, other.most) > limits.N - T) return false;
    if (first.line !== null && other.line !== null && !together(first.line, other.line)) return false;
    if (first.means === null || other.means === null) return true;
    for (let w = 0; w < first.means.length; w += 1) {
      const [x, y] = [first.means[w], other.means[w]];
      if (x !== null && y !== null && together(x, y)) return true;
    }
    return false;
  }

  // two sets of classes with about equal numbers of choices
  function halved(lists) {
    const halves = [[], []];
    const logs = [0, 0];
    for (const i of lists.map((_, j) => j).sort((a, b) => lists[b].length - lists[a].length)) {
      const to = logs[0] <= logs[1] ? 0 : 1;
      halves[to].push(i);
      logs[to] += Math.log(lists[i].length);
    }
    return halves;
  }

  // refuses if some counts of the part give the report
  function listPart(given, part, meaning, patience) {
    need(given.sets === 1, "counts of several sets are not listed");
    const size = given.labels ? (given.totals === null ? 10n ** 7n : given.totals[0]) : given.sums[0];
    need(size <= 1_000_000n, "there are too many cases to list counts");
    const lists = given.groups.map((_, i) => listed(given, part, i, patience));
    if (lists.some((list) => list.length === 0)) return;
    const demands = { means: meanDemands(given, meaning), line: lineDemands(given) };
    // the least and greatest tp and q of every class
    const ranges = lists.map((list) => list.reduce(
      ([a, b, c, d], [tp, q]) => [Math.min(a, tp), Math.max(b, tp), Math.min(c, q), Math.max(d, q)], [Infinity, -Infinity, Infinity, -Infinity]));
    const halves = halved(lists);
    const limits = { right: part.right[0], N: Number(given.sums[0]) };
    const [left, right] = [0, 1].map((h) => {
      const other = [0, 1, 2, 3].map((j) => halves[1 - h].reduce((sum, i) => sum + ranges[i][j], 0));
      return combined(given, halves[h], lists, ranges, { ...limits, other }, demands, patience);
    });
    const byGiven = new Map();
    for (const choice of right) {
      const key = given.labels ? 0 : choice.q;
      if (!byGiven.has(key)) byGiven.set(key, []);
      byGiven.get(key).push(choice);
    }
    let [pairs, scored] = [0, 0];
    for (const first of left) {
      const others = byGiven.get(given.labels ? 0 : limits.N - first.q) || [];
      pairs += others.length;
      need(pairs <= MOST_PAIRS, "there are too many choices to list");
      patience.tick(1 + (others.length >> 4));
      for (const other of others) {
        if (!fits(first, other, given, limits)) continue;
        scored += 1;
        need(scored <= MOST_SCORED, "there are too many choices to score");
        const counts = [];
        for (let x of [first, other]) for (; x.own !== null; x = x.before) counts[x.i] = [BigInt(x.own.tp), BigInt(x.own.q)];
        patience.tick(8);
        need(!S.givesReport(given, counts, meaning), "there are counts that give the report");
      }
    }
  }

  Object.assign(S, { listPart });
})(globalThis.Scoreproof);
