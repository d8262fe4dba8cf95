// The steps of a proof on columns: filters, divisions, and trying all that is left.
(function (S) {
  "use strict";

  const { need, integer } = S;
  const MOST_STEPS = 2_000_000;
  const MOST_HALF = 1_500_000;
  const SPLIT = 2 ** 18;

  // sums of multiples of columns beyond 2^53: kept as high 2^18 + low, each of them exact
  const whole = (high, low) => BigInt(high) * BigInt(SPLIT) + BigInt(low);

  // columns of the parts that are left by multipliers y; null if none can be chosen
  function filtered(node, rows, y, patience) {
    let bound = 0n;
    const used = [];
    let size = 0;
    rows.forEach((row, i) => {
      if (y[i] === 0n) return;
      bound += y[i] * (y[i] > 0n ? node.low[i] : node.high[i]);
      used.push([Number(y[i]), y[i] > 0n ? row.upper : row.lower]);
      size += Math.abs(Number(y[i]));
    });
    // small multipliers need no splitting: every sum stays below 2^53
    const small = size < 2 ** 15;
    let slack = -bound;
    const heights = node.parts.map(({ group, columns, sets }) => {
      const high = new Float64Array(columns.length);
      const low = small ? null : new Float64Array(columns.length);
      for (const [k, numbers] of used) {
        const own = numbers[group];
        if (small) for (let i = 0; i < columns.length; i += 1) high[i] += k * own[columns[i]];
        else {
          for (let i = 0; i < columns.length; i += 1) {
            const x = own[columns[i]];
            const top = Math.floor(x / SPLIT);
            high[i] += k * top;
            low[i] += k * (x - top * SPLIT);
          }
        }
        patience.tick(columns.length >> 3);
      }
      let best = 0;
      for (let i = 1; i < columns.length; i += 1) {
        if (small ? high[i] > high[best] : (high[i] - high[best]) * SPLIT + (low[i] - low[best]) > 0) best = i;
      }
      const most = small ? BigInt(high[best]) : whole(high[best], low[best]);
      slack += BigInt(sets) * most;
      return { high, low, most };
    });
    if (slack < 0n) return null;
    return node.parts.map((part, k) => {
      const { high, low, most } = heights[k];
      const least = most - slack;
      let keep;
      if (small) {
        const bottom = least < -(2n ** 53n) ? -Infinity : Number(least);
        keep = (_, i) => high[i] >= bottom;
      } else keep = (_, i) => whole(high[i], low[i]) >= least;
      return { ...part, columns: part.columns.filter(keep) };
    });
  }

  const AXES = { p: (c) => c.p, n: (c) => c.n, tp: (c) => c.tp, tn: (c) => c.tn };

  // ---- trying all choices of columns: the sets in two halves, joined on one row

  const choices = (columns, sets) => {
    // the number of multisets
    let count = 1;
    for (let i = 1; i <= sets; i += 1) count = (count * (columns + i - 1)) / i;
    return count;
  };

  // all choices of a half, [{part, sets}]: lists of columns by set, and their sums on the row
  function listed(node, half, row, patience) {
    const width = half.reduce((sum, { sets }) => sum + sets, 0);
    const chosen = [];
    const lower = [];
    const upper = [];
    const now = new Int32Array(width);
    const places = half.flatMap(({ part, sets }) => Array.from({ length: sets }, (_, i) => ({ part, first: i === 0 })));
    const visit = (at, start, down, up) => {
      if (at === width) {
        need(lower.length < MOST_HALF, "a node has too many combinations to try");
        for (const x of now) chosen.push(x);
        lower.push(down);
        upper.push(up);
        patience.tick();
        return;
      }
      const { part, first } = places[at];
      const { group, columns } = node.parts[part];
      for (let i = first ? 0 : start; i < columns.length; i += 1) {
        now[at] = columns[i];
        visit(at + 1, i, down + row.lower[group][columns[i]], up + row.upper[group][columns[i]]);
      }
    };
    visit(0, 0, 0, 0);
    return { width, places, chosen, lower, upper };
  }

  // how sharp a row is: the part of the range of its sums that its bounds leave
  function sharpness(node, row, i) {
    let [least, most] = [0, 0];
    for (const { group, columns, sets } of node.parts) {
      let [low, high] = [Infinity, -Infinity];
      for (const x of columns) {
        low = Math.min(low, row.lower[group][x]);
        high = Math.max(high, row.upper[group][x]);
      }
      least += sets * low;
      most += sets * high;
    }
    const from = Math.max(least, Number(node.low[i]));
    const to = Math.min(most, Number(node.high[i]));
    return most > least ? (to - from + 1) / (most - least + 1) : 2;
  }

  function nothingFits(demands, groups, rows, node, patience) {
    const halves = [[], []];
    const sizes = [1, 1];
    const order = node.parts.map((part, k) => k).sort((x, y) => node.parts[y].columns.length - node.parts[x].columns.length);
    for (const k of order) {
      const { columns, sets } = node.parts[k];
      const own = [0, 0];
      for (let i = 0; i < sets; i += 1) {
        const at = sizes[0] * choices(columns.length, own[0]) <= sizes[1] * choices(columns.length, own[1]) ? 0 : 1;
        if (columns.length === 1) {
          own[0] = sets;
          break;
        }
        own[at] += 1;
      }
      own.forEach((count, h) => {
        if (count === 0) return;
        halves[h].push({ part: k, sets: count });
        sizes[h] *= choices(columns.length, count);
      });
    }
    need(Math.max(...sizes) <= MOST_HALF, "a node has too many combinations to try");
    let best = 0;
    let sharpest = Infinity;
    rows.forEach((row, i) => {
      const sharp = sharpness(node, row, i);
      if (sharp < sharpest) [best, sharpest] = [i, sharp];
    });
    const row = rows[best];
    const [first, other] = halves.map((half) => listed(node, half, row, patience));
    const sorted = Array.from(other.lower.keys()).sort((x, y) => other.lower[x] - other.lower[y]);
    const sums = Float64Array.from(sorted, (i) => other.lower[i]);
    const widest = sorted.reduce((most, i) => Math.max(most, other.upper[i] - other.lower[i]), 0);
    const [from, to] = [Number(node.low[best]), Number(node.high[best])];
    const pair = { demands, groups, rows, node, first, other, skip: best };
    for (let i = 0; i < first.lower.length; i += 1) {
      const least = from - first.upper[i] - widest;
      const most = to - first.lower[i];
      // the first sum that is not below the least
      let [low, high] = [0, sums.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (sums[middle] < least) low = middle + 1;
        else high = middle;
      }
      for (let j = low; j < sums.length && sums[j] <= most; j += 1) {
        patience.tick();
        if (first.upper[i] + other.upper[sorted[j]] >= from && fitting(pair, i, sorted[j])) return false;
      }
    }
    return true;
  }

  // does a pair of halves keep to every row, and its matrices to the report?
  function fitting({ demands, groups, rows, node, first, other, skip }, i, j) {
    const chosen = [];
    for (const [half, k] of [[first, i], [other, j]]) {
      for (let at = 0; at < half.width; at += 1) chosen.push([node.parts[half.places[at].part].group, half.chosen[k * half.width + at]]);
    }
    for (let r = 0; r < rows.length; r += 1) {
      if (r === skip) continue;
      let [down, up] = [0, 0];
      for (const [group, column] of chosen) {
        down += rows[r].lower[group][column];
        up += rows[r].upper[group][column];
      }
      if (down > Number(node.high[r]) || up < Number(node.low[r])) return false;
    }
    const cells = new Array(demands.sets.length);
    const next = groups.map(() => 0);
    for (const [group, column] of chosen) {
      const { sets, columns } = groups[group];
      cells[sets[next[group]]] = [columns.p[column], columns.n[column], columns.tp[column], columns.tn[column]].map(BigInt);
      next[group] += 1;
    }
    return S.judged(demands, cells);
  }

  // ---- the walk; the number of nodes is that of cases

  function walkColumns(demands, groups, rows, steps, patience) {
    need(S.isList(steps), "the proof is not a list of steps");
    need(steps.length <= MOST_STEPS, "the proof has too many steps");
    const all = (length) => Int32Array.from({ length }, (_, i) => i);
    const stack = [{
      parts: groups.map(({ sets, columns }, group) => ({ group, sets: sets.length, columns: all(columns.p.length) })),
      low: rows.map((row) => row.low),
      high: rows.map((row) => row.high),
    }];
    const isEmpty = (parts) => parts.some(({ columns }) => columns.length === 0);
    let at = 0;
    let count = 0;

    function split(node, step) {
      const [, part, axis, v, order] = step;
      integer(part, "a part");
      integer(v, "a value");
      const score = S.isText(axis) && axis.startsWith("counts ") ? demands.scores.findIndex(({ name }) => "counts " + name === axis) : -1;
      const known = score >= 0 || (S.isText(axis) && Object.hasOwn(AXES, axis));
      need(part >= 0n && part < BigInt(node.parts.length) && known, "a split is malformed");
      const place = Number(part);
      const own = node.parts[place];
      const fine = S.isList(order) && order.map((x) => integer(x, "a case")).length === own.sets + 1 && new Set(order).size === own.sets + 1 &&
        order.every((x) => x >= 0n && x <= BigInt(own.sets));
      need(fine, "a split leaves out a case");
      const columns = groups[own.group].columns;
      const values = score >= 0 ? columns.counts[score] : AXES[axis](columns);
      const border = v > 2n ** 53n ? Infinity : v < -(2n ** 53n) ? -Infinity : Number(v);
      const below = own.columns.filter((i) => values[i] <= border);
      const above = own.columns.filter((i) => values[i] > border);
      const nodes = [];
      for (const big of order) {
        const j = Number(big);
        const two = [{ ...own, columns: below, sets: j }, { ...own, columns: above, sets: own.sets - j }].filter(({ sets }) => sets > 0);
        const parts = [...node.parts.slice(0, place), ...two, ...node.parts.slice(place + 1)];
        if (!isEmpty(two)) nodes.push({ ...node, parts });
      }
      stack.push(...nodes.reverse());
    }

    while (stack.length > 0) {
      let node = stack.pop();
      count += 1;
      if (isEmpty(node.parts)) continue;
      for (let done = false; !done; ) {
        patience.at(at, steps.length);
        need(at < steps.length, "the proof ends before every case is closed");
        const step = steps[at];
        at += 1;
        const malformed = "step " + at + " is malformed";
        need(S.isList(step) && step.length > 0, malformed);
        if (step[0] === "filter") {
          const y = step[1];
          need(step.length === 2 && S.isList(y) && y.length === rows.length, "multipliers are malformed");
          const size = y.map((x) => S.abs(integer(x, "a multiplier"))).reduce((x, z) => x + z, 0n);
          need(size < 2n ** 25n, "multipliers are too large for 64 bits");
          const parts = filtered(node, rows, y, patience);
          if (parts === null) done = true;
          else node = { ...node, parts };
        } else if (step[0] === "total") {
          need(step.length === 3, "a step is malformed");
          const i = Number(integer(step[1], "a row"));
          const b = integer(step[2], "a total");
          need(i >= 0 && i < rows.length && rows[i].whole, "a step divides on a row that is no integer total");
          const scale = BigInt(rows[i].bits);
          const low = node.low.slice();
          const high = node.high.slice();
          high[i] = S.min(high[i], b << scale);
          low[i] = S.max(low[i], (b + 1n) << scale);
          stack.push({ ...node, low }, { ...node, high });
          done = true;
        } else if (step[0] === "all") {
          need(step.length === 1, "a step is malformed");
          need(nothingFits(demands, groups, rows, node, patience), "a combination that was excluded fits the report");
          done = true;
        } else {
          need(step[0] === "split" && step.length === 5, malformed);
          split(node, step);
          done = true;
        }
      }
    }
    need(at === steps.length, "the proof has steps left over");
    return count;
  }

  S.walkColumns = walkColumns;
})(globalThis.Scoreproof);
