// Columns: sets in groups that are alike, and the points of a set, listed, one column for each way to count a 0/0.
(function (S) {
  "use strict";

  const { need, integer, fraction } = S;
  const twoTo = (k) => 2 ** k;

  // ---- groups of alike sets

  function groupsOf(demands, list, bits) {
    const { sets } = demands;
    need(S.isList(list) && list.every((group) => S.isList(group) && group.length > 0), "groups are malformed");
    for (const group of list) for (const x of group) integer(x, "a set");
    const all = list.flat();
    const seen = new Set(all);
    const fine = all.length === sets.length && seen.size === sets.length && all.every((x) => x >= 0n && x < BigInt(sets.length));
    need(fine, "the groups do not hold every set once");
    const keys = alike(demands);
    const groups = list.map((group) => group.map(Number));
    for (const group of groups) need(group.every((i) => keys[i] === keys[group[0]]), "a group holds sets that are not alike");
    need(groups.length * bits.length <= 1_000_000, "the proof has too many groups and rows");
    return groups;
  }

  // a text for each set that is the same for sets that are alike
  function alike(demands) {
    const { sets, root, flat, undefined: undefined_ } = demands;
    const keys = sets.map((set) => [set.p, set.n, set.size, set.weight.key(), set.family, set.hexagon === null ? "" : Object.values(set.hexagon).join(" ")]);
    if (!flat && (undefined_ === "any" || undefined_ === "skip")) {
      const visit = (node) => {
        for (const part of node.parts || []) {
          if (part.parts === undefined) keys[part.set].push("in " + node.first + " " + node.last);
          else visit(part);
        }
      };
      visit(root);
    }
    if (demands.overRepeats) sets.forEach((set, i) => keys[i].push("repeat " + set.repeat));
    const end = (x) => (x === null ? "" : x.key());
    for (const { score, node, low, high } of demands.limits) {
      if (node.parts === undefined) keys[node.set].push(score.name + " " + end(low) + " " + end(high));
    }
    partMeans(demands).forEach(({ node }, k) => {
      for (const [i, weight] of S.weightsOf(node, () => true)) keys[i].push("part " + k + " " + weight.key());
    });
    return keys.map((key) => key.join(";"));
  }

  // limits of parts that are means, and extremes over such parts
  function partMeans(demands) {
    const out = demands.limits.filter(({ node }) => node.parts !== undefined);
    for (const score of demands.scores) {
      const [least, most] = [demands.minimum.get(score.name), demands.maximum.get(score.name)];
      if (!least && !most) continue;
      for (const node of demands.extremeParts) {
        if (node.parts !== undefined) out.push({ score, node, low: least ? least.low : null, high: most ? most.high : null });
      }
    }
    return out;
  }

  // ---- the columns of a group: arrays p, n, tp, tn and, for each score, value and counts

  function pick(array, at) {
    const out = new array.constructor(at.length);
    for (let i = 0; i < at.length; i += 1) out[i] = array[at[i]];
    return out;
  }
  function taken(columns, at) {
    const { p, n, tp, tn, values, counts } = columns;
    const own = (array) => pick(array, at);
    return { p: own(p), n: own(n), tp: own(tp), tn: own(tn), values: values.map(own), counts: counts.map(own) };
  }
  function picked(columns, keep) {
    const at = [];
    for (let i = 0; i < columns.p.length; i += 1) if (keep(i)) at.push(i);
    return at.length === columns.p.length ? columns : taken(columns, at);
  }

  // the points of a set within the limits of its shares of right answers: first the lines of one p, n and tp, then all
  function linesOf(demands, set, shares, room) {
    const lines = [];
    for (const [p, n] of S.setOptions(set, demands.families)) {
      const [[a, b], [c, d], [e, f]] = S.endsOf(shares, p, n);
      room(b < a ? 1n : b - a + 2n, 0n);
      let count = 0n;
      const own = [];
      for (let t = a; t <= b; t += 1n) {
        const [first, last] = [S.max(c, e - t), S.min(d, f - t)];
        if (last < first) continue;
        count += last - first + 1n;
        own.push([p, n, t, first, last].map(Number));
      }
      room(0n, count);
      for (const line of own) lines.push(line);
    }
    return lines;
  }

  function pointsOf(set, lines) {
    const length = lines.reduce((sum, [, , , first, last]) => sum + last - first + 1, 0);
    const points = { p: new Float64Array(length), n: new Float64Array(length), tp: new Float64Array(length), tn: new Float64Array(length), values: [], counts: [] };
    let at = 0;
    for (const [p, n, t, first, last] of lines) {
      for (let u = first; u <= last; u += 1) {
        points.p[at] = p;
        points.n[at] = n;
        points.tp[at] = t;
        points.tn[at] = u;
        at += 1;
      }
    }
    if (set.hexagon === null) return points;
    const h = Object.fromEntries(Object.entries(set.hexagon).map(([key, x]) => [key, Number(x)]));
    return picked(points, (i) => {
      const [t, u] = [points.tp[i], points.tn[i]];
      return t >= h.a && t <= h.b && u >= h.c && u <= h.d && t + u >= h.e && t + u <= h.f;
    });
  }

  // One score more: for each column the place of its point, its value and whether it counts. First those that are
  // defined, then for each way to count a 0/0 those that are not.
  function withScore(points, before, score, undefined_) {
    const length = before.length;
    const at = new Float64Array(length);
    const values = new Float64Array(length);
    let count = 0;
    const absent = [];
    const zero = []; // an F-score that is 0 and may be left out
    const own = score.harmonic === "tp" ? points.tp : score.harmonic === "tn" ? points.tn : null;
    for (let i = 0; i < length; i += 1) {
      const x = before[i];
      const [t, u, p, n] = [points.tp[x], points.tn[x], points.p[x], points.n[x]];
      if (score.doubleBottom(t, u, p, n) !== 0) {
        at[count] = i;
        values[count] = score.double(t, u, p, n);
        count += 1;
        if (own !== null && own[x] === 0) zero.push(i);
      } else if (score.doubleTop(t, u, p, n) === 0) absent.push(i);
    }
    const more = [];
    for (const way of S.ways(score, undefined_)) {
      if (way !== "skip" && S.isPredictive(score)) {
        for (const i of absent) {
          const x = before[i];
          const [top, bottom] = S.ofOneClass(score, way, ...[points.tp[x], points.tn[x], points.p[x], points.n[x]].map(BigInt));
          more.push([i, Number(top) / Number(bottom), 1]);
        }
      } else if (way === "zero" || way === "one") for (const i of absent) more.push([i, way === "one" ? 1 : 0, 1]);
      else if (way === "skip") for (const i of absent) more.push([i, 0, 0]);
      else if (way === "harmonic") for (const i of zero) more.push([i, 0, 0]); // 0/0 are there as under `skip`
      else {
        for (const i of absent) {
          const x = before[i];
          more.push([i, points.p[x] > 0 ? points.tp[x] / points.p[x] : points.tn[x] / points.n[x], 1]);
        }
      }
    }
    const out = { at: new Float64Array(count + more.length), values: new Float64Array(count + more.length), counts: new Uint8Array(count + more.length) };
    out.at.set(at.subarray(0, count));
    out.values.set(values.subarray(0, count));
    out.counts.fill(1, 0, count);
    more.forEach(([i, value, counts], k) => [out.at[count + k], out.values[count + k], out.counts[count + k]] = [i, value, counts]);
    return out;
  }

  // points become columns score after score, of which those beyond a limit of the set on that score are dropped at once;
  // each stage knows the column before that one of its own comes from
  function staged(points, scores, limits, undefined_, patience) {
    let before = Float64Array.from(points.p, (_, i) => i);
    const stages = scores.map((score, k) => {
      patience.tick(before.length);
      let stage = withScore(points, before, score, undefined_);
      need(stage.at.length * (k + 2) <= 30_000_000, "a set has too many points to list");
      for (const { low, high } of limits.get(score.name) || []) stage = inside(stage, low, high);
      before = pick(before, stage.at);
      return stage;
    });
    const values = [];
    const counts = [];
    let at = Float64Array.from(before, (_, i) => i);
    for (let k = scores.length - 1; k >= 0; k -= 1) {
      values[k] = pick(stages[k].values, at);
      counts[k] = pick(stages[k].counts, at);
      at = pick(stages[k].at, at);
    }
    return { ...taken({ ...points, values: [], counts: [] }, at), values, counts };
  }

  function largest(columns, k) {
    const [values, counts] = [columns.values[k], columns.counts[k]];
    let most = 0;
    for (let i = 0; i < values.length; i += 1) if (counts[i] === 1) most = Math.max(most, Math.abs(values[i]));
    return most;
  }

  // which columns that count reach into [low, high], from doubles rounded outwards
  function reaching(columns, k, low, high) {
    const b = 36 - S.bitLength(BigInt(Math.ceil(largest(columns, k))));
    const scale = fraction(1n << BigInt(Math.max(b, 0)), 1n << BigInt(Math.max(-b, 0)));
    const from = low === null ? -Infinity : Number(low.mul(scale).ceil());
    const to = high === null ? Infinity : Number(high.mul(scale).floor());
    return (i) => {
      const x = columns.values[k][i] * twoTo(b);
      return Math.ceil(x + 1 / 256) >= from && Math.floor(x - 1 / 256) <= to;
    };
  }

  // of a stage what does not count, or reaches into [low, high]
  function inside({ at, values, counts }, low, high) {
    const reaches = reaching({ values: [values], counts: [counts] }, 0, low, high);
    const kept = [];
    for (let i = 0; i < at.length; i += 1) if (counts[i] === 0 || reaches(i)) kept.push(i);
    return kept.length === at.length ? { at, values, counts } : { at: pick(at, kept), values: pick(values, kept), counts: pick(counts, kept) };
  }

  // columns beyond an extreme are dropped
  function admitted(demands, group, start) {
    let columns = start;
    const within = (k, low, high) => {
      const reaches = reaching(columns, k, low, high);
      columns = picked(columns, (i) => columns.counts[k][i] === 0 || reaches(i));
    };
    const single = new Set(demands.extremeParts.filter((part) => part.parts === undefined).map((part) => part.set));
    if (group.every((i) => single.has(i))) {
      demands.scores.forEach((score, k) => {
        const [least, most] = [demands.minimum.get(score.name), demands.maximum.get(score.name)];
        if (least || most) within(k, least ? least.low : null, most ? most.high : null);
      });
    }
    return columns;
  }

  // by set, and then by score, its limits
  function alone(demands) {
    const all = new Map();
    for (const limit of demands.limits) {
      const { score, node } = limit;
      if (node.parts !== undefined) continue;
      if (!all.has(node.set)) all.set(node.set, new Map());
      const own = all.get(node.set);
      own.set(score.name, [...(own.get(score.name) || []), limit]);
    }
    return all;
  }

  function columnsOf(demands, groups, bits, patience) {
    const { scores } = demands;
    let [lines, points] = [0n, 0n];
    const room = (more, count) => {
      [lines, points] = [lines + more, points + count];
      need(lines <= 5_000_000n && points <= 5_000_000n, "the sets have too many points to list");
    };
    const most = (values) => need(values <= 30_000_000, "the proof has too many points and rows");
    const [shares, limits] = [S.sharesOf(demands), alone(demands)];
    const listed = groups.map(([first]) => linesOf(demands, demands.sets[first], shares.get(first), room));
    most(Number(points) * scores.length);
    const out = groups.map((group, i) => {
      const own = limits.get(group[0]) || new Map();
      const columns = staged(pointsOf(demands.sets[group[0]], listed[i]), scores, own, demands.undefined, patience);
      return { sets: group, columns: admitted(demands, group, columns) };
    });
    if (demands.means.some(({ low, high }) => low.gt(high))) out[0].columns = taken(out[0].columns, []);
    most(out.reduce((sum, { columns }) => sum + columns.p.length, 0) * (bits.length + scores.length));
    return out;
  }

  S.columns = { groupsOf, columnsOf, partMeans, largest, reaching };
})(globalThis.Scoreproof);
