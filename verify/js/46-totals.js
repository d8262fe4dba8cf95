// Totals: linear scores depend only on the total tp and tn of alike folds; rows in these, and boxes excluded by sums of rows.
(function (S) {
  "use strict";

  const { need, integer, fraction, get, ZERO } = S;
  const MOST_STEPS = 2_000_000;
  const MOST_PLANES = 10_000;
  const MOST_ROWS = 5_000_000;

  // a linear score of (p, n): base + right tp + up tn over denominator; null if that is 0
  function linear(score, p, n) {
    const denominator = score.bottom(0n, 0n, p, n);
    if (denominator === 0n) return null;
    const base = score.top(0n, 0n, p, n);
    return { base, right: score.top(1n, 0n, p, n) - base, up: score.top(0n, 1n, p, n) - base, denominator };
  }

  // the means as rows will have them: {score, low, high, weights by set}
  function meanRows(demands, used, counts) {
    const { root, limits, minimum, maximum, extremeParts } = demands;
    const own = (score) => used.includes(score);
    const rows = demands.means.filter((mean) => own(mean.score)).map((mean) => ({ ...mean, node: root }));
    for (const limit of limits) if (limit.node.parts !== undefined && own(limit.score)) rows.push(limit);
    for (const score of used) {
      const [least, most] = [minimum.get(score.name), maximum.get(score.name)];
      if (!least && !most) continue;
      for (const node of extremeParts) {
        if (node.parts !== undefined) rows.push({ score, node, low: least ? least.low : null, high: most ? most.high : null });
      }
    }
    need(rows.length * demands.sets.length <= MOST_ROWS, "there are too many means of sets");
    return rows.map(({ score, low, high, node }) => ({ score, low, high, weights: S.weightsOf(node, (i) => counts(score, i), demands.sets) }))
      .filter((row) => row.weights !== null);
  }

  // what is said of each set alone: score name -> {low, high}
  function alone(demands, used, counts) {
    const out = demands.sets.map(() => new Map());
    const meet = (score, i, low, high) => {
      if (!used.includes(score) || !counts(score, i)) return;
      const old = out[i].get(score.name) || { low: null, high: null };
      out[i].set(score.name, {
        low: low === null ? old.low : old.low === null ? low : old.low.max(low),
        high: high === null ? old.high : old.high === null ? high : old.high.min(high),
      });
    };
    for (const { score, node, low, high } of demands.limits) if (node.parts === undefined) meet(score, node.set, low, high);
    for (const node of demands.extremeParts) {
      if (node.parts !== undefined) continue;
      for (const { score, low } of demands.minimum.values()) meet(score, node.set, low, null);
      for (const { score, high } of demands.maximum.values()) meet(score, node.set, null, high);
    }
    return out;
  }

  const end = (x) => (x === null ? "" : x.key());

  // kinds of sets: {p, n, folds: {count, z} (z the variable's place and its coefficient), hexagon, bounds, weights by row}
  function kindsOf(demands, rows, bounds) {
    const { sets, families } = demands;
    const kinds = new Map();
    const ofFamily = new Map();
    sets.forEach((set, i) => {
      const ranges = [...bounds[i]].sort(([x], [y]) => S.byCodePoints(x, y));
      const hexagon = set.hexagon === null ? "" : Object.values(set.hexagon).join(" ");
      const weights = rows.map((row) => row.weights.get(i) || null);
      const key = [set.p, set.n, set.family, hexagon, ...ranges.map(([name, { low, high }]) => name + end(low) + ":" + end(high)), ...weights.map(end)].join(";");
      if (!kinds.has(key)) kinds.set(key, { set, ranges, weights, count: 0n });
      kinds.get(key).count += 1n;
      if (set.family >= 0) {
        if (!ofFamily.has(set.family)) ofFamily.set(set.family, key);
        need(ofFamily.get(set.family) === key, "the folds of a data set are not alike");
      }
    });
    const out = [];
    const overlaps = families.map(({ p, n, members }) => {
      const folds = BigInt(members.length);
      const [r, s] = [p - folds * sets[members[0]].p, n - folds * sets[members[0]].n];
      return { folds, r, s, low: S.max(0n, r + s - folds), high: S.min(r, s) };
    });
    for (const { set, ranges, weights, count } of kinds.values()) {
      const add = (p, n, constant, slope) => {
        const six = ranges.filter(([name]) => Object.hasOwn(S.HEXAGON, name)).map(([name, range]) => ({ name, ...range }));
        const start = set.hexagon || S.fullHexagon(p, n);
        const hexagon = six.length > 0 ? S.narrowed(start, p, n, six) : start;
        const others = ranges.filter(([name]) => !Object.hasOwn(S.HEXAGON, name));
        out.push({ p, n, weights, hexagon, others, family: set.family, constant, slope });
      };
      if (set.family < 0) add(set.p, set.n, count, 0n);
      else {
        const { folds, r, s } = overlaps[set.family];
        add(set.p + 1n, set.n + 1n, 0n, 1n);
        add(set.p + 1n, set.n, r, -1n);
        add(set.p, set.n + 1n, s, -1n);
        add(set.p, set.n, folds - r - s, 1n);
      }
    }
    return { kinds: out, overlaps };
  }

  function refuted(demands, used, ways, entry, patience) {
    const { sets, families } = demands;
    const counts = (score, i) => !(ways.get(score.name) === "skip" && S.isAbsent(score, sets[i], families));
    const means = meanRows(demands, used, counts);
    const { kinds, overlaps } = kindsOf(demands, means, alone(demands, used, counts));
    const width = 2 * kinds.length + overlaps.length;
    const zOf = (kind) => 2 * kinds.length + kind.family;
    // the ends of the variables
    const low = new Array(width);
    const high = new Array(width);
    overlaps.forEach((overlap, i) => [low[2 * kinds.length + i], high[2 * kinds.length + i]] = [overlap.low, overlap.high]);
    kinds.forEach((kind, t) => {
      const { a, b, c, d } = kind.hexagon;
      const folds = kind.slope === 0n ? [kind.constant] : [overlaps[kind.family].low, overlaps[kind.family].high].map((z) => kind.constant + kind.slope * z);
      const least = (x) => folds.map((count) => count * x).reduce(S.min);
      const most = (x) => folds.map((count) => count * x).reduce(S.max);
      [low[2 * t], high[2 * t], low[2 * t + 1], high[2 * t + 1]] = [least(a), most(b), least(c), most(d)];
    });

    const rows = [];
    const limit = () => need(rows.length * width <= MOST_ROWS, "there are too many rows of totals");
    for (const mean of means) {
      const row = new Array(width).fill(ZERO);
      let constant = ZERO;
      const add = (kind, value) => {
        // so much for each of its folds
        constant = constant.add(value.times(kind.constant));
        if (kind.slope !== 0n) row[zOf(kind)] = row[zOf(kind)].add(value.times(kind.slope));
      };
      const place = means.indexOf(mean);
      kinds.forEach((kind, t) => {
        const weight = kind.weights[place];
        if (weight === null) return;
        const form = linear(mean.score, kind.p, kind.n);
        if (form !== null) {
          row[2 * t] = weight.mul(fraction(form.right, form.denominator));
          row[2 * t + 1] = weight.mul(fraction(form.up, form.denominator));
          add(kind, weight.mul(fraction(form.base, form.denominator)));
          return;
        }
        const way = ways.get(mean.score.name);
        if (way === "one") add(kind, weight);
        else if (way === "present") {
          if (kind.p > 0n) row[2 * t] = weight.mul(fraction(1n, kind.p));
          else row[2 * t + 1] = weight.mul(fraction(1n, kind.n));
        }
      });
      rows.push({ row, low: mean.low === null ? null : mean.low.sub(constant), high: mean.high === null ? null : mean.high.sub(constant), mean: true });
      limit();
    }
    kinds.forEach((kind, t) => {
      const { a, b, c, d, e, f } = kind.hexagon;
      // right tp + up tn against x for each fold
      const add = (right, up, x, isLow) => {
        const row = new Array(width).fill(ZERO);
        row[2 * t] = fraction(right);
        row[2 * t + 1] = fraction(up);
        if (kind.slope !== 0n) row[zOf(kind)] = x.times(-kind.slope);
        const bound = x.times(kind.constant);
        rows.push({ row, low: isLow ? bound : null, high: isLow ? null : bound, mean: false });
        limit();
      };
      if (kind.family >= 0) {
        add(1n, 0n, fraction(a), true);
        add(1n, 0n, fraction(b), false);
        add(0n, 1n, fraction(c), true);
        add(0n, 1n, fraction(d), false);
      }
      if (e > a + c || f < b + d) {
        add(1n, 1n, fraction(e), true);
        add(1n, 1n, fraction(f), false);
      }
      for (const [name, range] of kind.others) {
        const form = linear(S.scoreOf(name), kind.p, kind.n);
        if (form === null) continue;
        const against = (x) => x.times(form.denominator).sub(fraction(form.base));
        if (range.low !== null) add(form.right, form.up, against(range.low), true);
        if (range.high !== null) add(form.right, form.up, against(range.high), false);
      }
    });

    const bits = get(entry, "bits");
    if (bits !== null) {
      integer(bits, "bits");
      need(bits >= 1n && bits <= 4096n, "bits out of range");
    }
    const whole = rows.map((row) => wholeRow(row, row.mean ? bits : null, low, high));
    return walkBoxes(get(entry, "steps"), whole, low, high, patience);
  }

  // the least (greatest) value of a row on a box
  function extreme(row, low, high, least) {
    let sum = 0n;
    for (let i = 0; i < row.length; i += 1) {
      const x = row[i];
      if (x !== 0n) sum += x * (x > 0n === least ? low[i] : high[i]);
    }
    return sum;
  }

  function wholeRow({ row, low, high }, bits, least, most) {
    const D = bits === null ? row.reduce((d, x) => S.lcm(d, x.d), 1n) : 1n << bits;
    need(bits !== null || S.bitLength(D) * row.length <= 2 ** 25, "the coefficients of a row are too long");
    let coefficients = row.map((x) => x.times(D).floor());
    let from = low === null ? null : low.times(D).ceil();
    let to = high === null ? null : high.times(D).floor();
    if (bits !== null && from !== null) from -= most.reduce((x, y) => x + y, 0n);
    const g = bits === null ? coefficients.reduce(S.gcd, 0n) : 1n;
    if (g > 1n) {
      coefficients = coefficients.map((x) => x / g);
      from = from === null ? null : S.ceilDiv(from, g);
      to = to === null ? null : S.floorDiv(to, g);
    }
    if (from === null) from = extreme(coefficients, least, most, true);
    if (to === null) to = extreme(coefficients, least, most, false);
    return { row: coefficients, low: from, high: to };
  }

  // does the sum of multiples of the rows fail on the box?
  function fails(y, rows, low, high) {
    need(S.isList(y) && y.length === rows.length, "multipliers are malformed");
    for (const x of y) integer(x, "a multiplier");
    const sum = new Array(low.length).fill(0n);
    let [from, to] = [0n, 0n];
    rows.forEach(({ row, low: a, high: b }, i) => {
      const k = y[i];
      if (k === 0n) return;
      for (let v = 0; v < row.length; v += 1) if (row[v] !== 0n) sum[v] += k * row[v];
      from += k > 0n ? k * a : k * b;
      to += k > 0n ? k * b : k * a;
    });
    const g = sum.reduce(S.gcd, 0n);
    if (g > 1n) {
      for (let v = 0; v < sum.length; v += 1) sum[v] /= g;
      from = S.ceilDiv(from, g);
      to = S.floorDiv(to, g);
    }
    return from > to || extreme(sum, low, high, true) > to || extreme(sum, low, high, false) < from;
  }

  function walkBoxes(steps, rows, low, high, patience) {
    need(S.isList(steps) && steps.length <= MOST_STEPS, "the proof is not a list of steps");
    if (low.some((x, i) => x > high[i])) {
      need(steps.length === 0, "the proof has steps left over");
      return 1;
    }
    // each box with the planes on the way to it, as further rows
    const stack = [[low, high, rows]];
    let at = 0;
    let count = 0;
    const withAt = (list, i, x) => {
      const copy = list.slice();
      copy[i] = x;
      return copy;
    };
    while (stack.length > 0) {
      let [from, to, own] = stack.pop();
      for (;;) {
        patience.at(at, steps.length);
        need(at < steps.length, "the proof ends before every case is closed");
        const step = steps[at];
        at += 1;
        const malformed = "step " + at + " is malformed";
        need(S.isList(step) && step.length >= 2, malformed);
        if (step[0] === "out") {
          need(step.length === 2 && fails(step[1], own, from, to), "step " + at + " does not exclude its box");
          count += 1;
          break;
        }
        if (step[0] === "plane") {
          const [, g, b] = step;
          need(step.length === 3 && S.isList(g) && g.length === low.length, "a plane is malformed");
          need(own.length - rows.length < MOST_PLANES, "there are too many planes");
          for (const x of g) integer(x, "a plane");
          integer(b, "a bound");
          stack.push([from, to, [...own, { row: g, low: b + 1n, high: extreme(g, from, to, false) }]]);
          own = [...own, { row: g, low: extreme(g, from, to, true), high: b }];
          continue;
        }
        const cut = step[0] === "cut";
        need(step.length === (cut ? 3 : 5), malformed);
        integer(step[1], "a variable");
        const bound = integer(step[cut ? 2 : 3], "a bound");
        need(step[1] >= 0n && step[1] < BigInt(low.length), "step " + at + " names no variable");
        const v = Number(step[1]);
        need(cut || (step[0] === "trim" && (step[2] === "below" || step[2] === "above")), malformed);
        const below = !cut && step[2] === "below";
        const last = below ? bound - 1n : bound;
        need(from[v] <= last && last < to[v], "a step divides outside its box");
        const first = [from, withAt(to, v, last)];
        const second = [withAt(from, v, last + 1n), to];
        if (cut) {
          stack.push([...second, own]);
          [from, to] = first;
          continue;
        }
        const [strip, rest] = below ? [first, second] : [second, first];
        need(fails(step[4], own, ...strip), "step " + at + " trims what it does not exclude");
        count += 1;
        [from, to] = rest;
      }
    }
    need(at === steps.length, "the proof has steps left over");
    return count;
  }

  S.meanProofs.totals = (demands, proof, patience) => {
    const { sets, families, scores } = demands;
    need(families.every((family) => family.type === "balanced"), "the folds are open");
    const defined = (score) => sets.every((set) => set.family < 0 || S.setOptions(set, families).every(([p, n]) => score.bottom(0n, 0n, p, n) > 0n));
    const used = scores.filter((score) => score.linear && defined(score));
    need(used.length > 0, "no linear score is reported");
    return S.eachCase(demands, used, proof, ["treatments", "bits", "steps"], (ways, entry) => refuted(demands, used, ways, entry, patience));
  };
})(globalThis.Scoreproof);
