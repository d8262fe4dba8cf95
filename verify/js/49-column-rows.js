// Rows over columns: whole numbers, rounded outwards from doubles, and bounds for their sums over all sets.
(function (S) {
  "use strict";

  const { need, integer, fraction, get, toDouble, ZERO } = S;
  const { groupsOf, columnsOf, partMeans, largest, reaching } = S.columns;
  const twoTo = (k) => 2 ** k;
  const LIMIT = 2 ** 37;
  const MANY = "the proof does not name the digits of every row";

  // for each row and group arrays of lower and upper numbers, and bounds for the sum over all sets
  function rowsOf(demands, groups, bits) {
    const { scores } = demands;
    const rows = [];
    let at = 0;
    const place = new Map(scores.map((score, k) => [score.name, k]));
    const setsIn = groups.reduce((sum, { sets }) => sum + sets.length, 0);
    const digits = () => {
      need(at < bits.length, MANY);
      at += 1;
      return bits[at - 1];
    };
    const scaled = (x, b) => x.times(1n << BigInt(b));

    // numbers(group, g, x, y) writes the least and greatest double of each column into arrays; 0 where it says NaN
    function outward(b, margin, numbers, low, high) {
      const scale = twoTo(b);
      const lower = [];
      const upper = [];
      groups.forEach((group, g) => {
        const length = group.columns.p.length;
        const [x, y] = [new Float64Array(length), new Float64Array(length)];
        if (numbers(group, g, x, y) !== false) {
          for (let i = 0; i < length; i += 1) {
            if (Number.isNaN(x[i])) {
              x[i] = 0;
              y[i] = 0;
              continue;
            }
            const [down, up] = [x[i] * scale, y[i] * scale];
            if (!(Math.abs(down) < LIMIT && Math.abs(up) < LIMIT)) need(false, "a row is taken at too many digits");
            x[i] = Math.floor(down - margin);
            y[i] = Math.ceil(up + margin);
          }
        }
        lower.push(x);
        upper.push(y);
      });
      rows.push({ lower, upper, low, high, bits: b, whole: false });
    }
    function countRow(b, count, low, high) {
      // count(group, g) gives a number for each column, or null for 0
      const scale = twoTo(b);
      const numbers = groups.map((group, g) => {
        const own = count(group, g);
        const out = new Float64Array(group.columns.p.length);
        if (own !== null) for (let i = 0; i < out.length; i += 1) out[i] = own(i) * scale;
        for (let i = 0; i < out.length; i += 1) if (out[i] >= LIMIT) need(false, "a total is taken at too many digits");
        return out;
      });
      const big = (x) => BigInt(x) << BigInt(b);
      rows.push({ lower: numbers, upper: numbers, low: big(low), high: big(high), bits: b, whole: true });
    }

    function meanRows({ score, low, high }, weights, nested, isPart) {
      const k = place.get(score.name);
      const D = weights.reduce((d, w) => S.lcm(d, w.d), 1n);
      const W = weights.map((w) => w.n * (D / w.d));
      const w = W.map(Number);
      const far = groups.reduce((sum, { sets }, g) => sum + W[g] * BigInt(sets.length), 0n) << 37n;
      const all = groups.every(({ columns }, g) => W[g] === 0n || columns.counts[k].every((x) => x === 1));
      if (all || nested) {
        let [least, most] = [Infinity, -Infinity];
        groups.forEach(({ columns }, g) => {
          if (W[g] === 0n) return;
          for (let i = 0; i < columns.p.length; i += 1) {
            if (columns.counts[k][i] === 0) continue;
            least = Math.min(least, columns.values[k][i]);
            most = Math.max(most, columns.values[k][i]);
          }
        });
        if (isPart && nested) {
          for (const x of [low, high]) if (x !== null) [least, most] = [Math.min(least, toDouble(x)), Math.max(most, toDouble(x))];
        }
        if (least > most) [least, most] = [0, 0];
        const b = digits();
        const numbers = ({ columns }, g, x, y) => {
          if (W[g] === 0n) return false;
          const [values, counts] = [columns.values[k], columns.counts[k]];
          for (let i = 0; i < x.length; i += 1) {
            x[i] = (counts[i] === 1 ? values[i] : least) * w[g];
            y[i] = (counts[i] === 1 ? values[i] : most) * w[g];
          }
          return true;
        };
        outward(b, 1 / 256, numbers, low === null ? -far : scaled(low.times(D), b).ceil(), high === null ? far : scaled(high.times(D), b).floor());
        return;
      }
      const against = (end) => ({ columns }, g, x, y) => {
        if (W[g] === 0n) return false;
        const [values, counts] = [columns.values[k], columns.counts[k]];
        for (let i = 0; i < x.length; i += 1) {
          x[i] = counts[i] === 1 ? (values[i] - end) * w[g] : NaN;
          y[i] = x[i];
        }
        return true;
      };
      if (low !== null) outward(digits(), 1 / 16, against(toDouble(low)), 0n, far);
      if (high !== null) outward(digits(), 1 / 16, against(toDouble(high)), -far, 0n);
      if (!isPart) countRow(digits(), ({ columns }) => (i) => columns.counts[k][i], 1, setsIn);
    }

    function squareRows(spread) {
      const k = place.get(spread.score.name);
      const { mean } = spread;
      const c = mean.centre;
      const centre = toDouble(c);
      const reach = mean.low.sub(c).abs().max(mean.high.sub(c).abs());
      const r = reach.mul(reach);
      const sets = BigInt(setsIn);
      const m = BigInt(demands.deviating.length);
      const admittedDivisors = S.divisorsOf(demands);
      const fine = admittedDivisors.filter((d) => m > d);
      need(fine.length > 0, "a deviation needs more sets");
      const far = sets << 39n;
      const all = groups.every(({ columns }) => columns.counts[k].every((x) => x === 1));
      const most = Math.max(Math.abs(centre), ...groups.map(({ columns }) => largest(columns, k)));
      const numbers = (less) => ({ columns }, g, x, y) => {
        const [values, counts] = [columns.values[k], columns.counts[k]];
        for (let i = 0; i < x.length; i += 1) {
          const distance = values[i] - centre;
          x[i] = counts[i] === 1 ? distance * distance - less : NaN;
          y[i] = x[i];
        }
      };
      const taken_ = () => {
        const b = digits();
        need((most + 1) * (most + 1) * twoTo(b) <= 2 ** 40, "squares are taken at too many digits");
        return b;
      };
      if (all) {
        const b = taken_();
        const times = demands.error ? m : 1n;
        const [L, H] = [spread.low.times(times), spread.high.times(times)];
        const lowest = L.times(m - fine.reduce(S.max));
        if (demands.meansDeviate) {
          const heaviest = demands.sets.reduce((w, { weight }) => w.max(weight), ZERO);
          outward(b, 1 / 16, numbers(0), scaled(lowest.div(heaviest.times(m)), b).ceil(), far);
        } else {
          const squares = H.times(m - fine.reduce(S.min));
          const even = fraction(1n, m);
          const uneven = demands.sets.reduce((sum, { weight }) => sum.add(weight.sub(even).mul(weight.sub(even))), ZERO);
          const off = reach.add(S.rootAbove(uneven.mul(squares)));
          outward(b, 1 / 16, numbers(0), scaled(lowest, b).ceil(), scaled(squares.add(off.mul(off).times(m)), b).floor());
        }
        return;
      }
      const [least, greatest] = [admittedDivisors.reduce(S.min), admittedDivisors.reduce(S.max)];
      const b = taken_();
      if (demands.meansDeviate) {
        outward(b, 1 / 16, numbers(0), scaled(spread.low.times(2n - greatest), b).ceil(), far);
        return;
      }
      if (!demands.flat) {
        outward(b, 1 / 16, numbers(toDouble(spread.low)), scaled(spread.low.times(-greatest), b).ceil(), far);
        return;
      }
      const H = demands.error ? spread.high.times(sets) : spread.high;
      need(taken_() === b, "the rows of squares are taken at different digits");
      outward(b, 1 / 16, numbers(toDouble(spread.low)), scaled(spread.low.times(-greatest), b).ceil(), far);
      outward(b, 1 / 16, numbers(toDouble(H.add(r))), -far, scaled(H.times(-least), b).floor());
    }

    const weights = (own) => groups.map(({ sets }) => own(sets[0]));
    for (const mean of demands.means) meanRows(mean, weights((i) => demands.sets[i].weight), !demands.flat, false);
    for (const spread of demands.spreads) squareRows(spread);
    for (const part of partMeans(demands)) {
      const shares = S.weightsOf(part.node, () => true);
      const nested = part.node.parts.some((inner) => inner.parts !== undefined);
      meanRows(part, weights((i) => shares.get(i) || ZERO), nested, true);
    }
    if (demands.attained && demands.extremeParts.every((part) => part.parts === undefined)) {
      scores.forEach((score, k) => {
        for (const range of [demands.minimum.get(score.name), demands.maximum.get(score.name)]) {
          if (!range) continue;
          countRow(digits(), ({ columns }) => {
            const reaches = reaching(columns, k, range.low, range.high);
            return (i) => (columns.counts[k][i] === 1 && reaches(i) ? 1 : 0);
          }, 1, setsIn);
        }
      });
    }
    demands.families.forEach((family, f) => {
      const of = (count) => ({ sets, columns }) => (demands.sets[sets[0]].family === f ? (i) => count(columns, i) : null);
      countRow(digits(), of((columns, i) => columns.p[i]), family.p, family.p);
      if (family.type === "balanced") countRow(digits(), of((columns, i) => columns.n[i]), family.n, family.n);
      if (family.type === "trainable") {
        countRow(digits(), of((columns, i) => (columns.p[i] > 0 ? 1 : 0)), 2, family.members.length);
        countRow(digits(), of((columns, i) => (columns.n[i] > 0 ? 1 : 0)), 2, family.members.length);
      }
    });
    const together = groups.length > 1 ? [...groups.map((_, g) => [g]), groups.map((_, g) => g)] : [[0]];
    for (const own of together) {
      for (const axis of [(c, i) => c.tp[i], (c, i) => c.tn[i], (c, i) => c.tp[i] + c.tn[i]]) {
        let most = 0;
        for (const g of own) {
          const { sets, columns } = groups[g];
          let top = 0;
          for (let i = 0; i < columns.p.length; i += 1) top = Math.max(top, axis(columns, i));
          most += sets.length * top;
        }
        const inside = new Set(own);
        countRow(digits(), ({ columns }, g) => (inside.has(g) ? (i) => axis(columns, i) : null), 0, most);
      }
    }
    need(at === bits.length, MANY);
    return rows;
  }

  S.meanProofs.columns = (demands, proof, patience) => {
    const told = get(proof, "bits");
    need(S.isList(told) && told.length <= 100_000, "the proof does not name the digits of its rows");
    for (const x of told) integer(x, "bits");
    need(told.every((x) => x >= 0n && x <= 60n), "bits out of range");
    const bits = told.map(Number);
    const sets = groupsOf(demands, get(proof, "groups"), bits);
    const groups = columnsOf(demands, sets, bits, patience);
    return S.walkColumns(demands, groups, rowsOf(demands, groups, bits), get(proof, "steps"), patience);
  };
})(globalThis.Scoreproof);
