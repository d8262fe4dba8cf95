// Moments: multipliers of means, squares and class totals; for every set the most that any of its cells can add, in doubles
// with a margin far above their errors.
(function (S) {
  "use strict";

  const { need, integer, fraction, get, toDouble, ZERO } = S;
  const MOST_OF_SET = 6_000_000;
  const MOST_IN_ALL = 20_000_000;
  const { min, max, floor, abs } = Math;

  function readMultipliers(x, demands, left) {
    S.keys(x, "multipliers", left ? ["means", "squares", "positives", "bonus"] : ["means", "squares", "positives"]);
    const sizes = { means: demands.means.length, squares: demands.spreads.length, positives: demands.families.length };
    const out = {};
    for (const [key, size] of Object.entries(sizes)) {
      const list = get(x, key);
      need(S.isList(list) && list.length === size, "the multipliers of " + key + " are malformed");
      for (const y of list) integer(y, "a multiplier");
      out[key] = list;
    }
    need(!left || integer(get(x, "bonus"), "a bonus") === 0n, "a bonus is not 0");
    const balanced = demands.families.every(({ type }, i) => type !== "balanced" || out.positives[i] === 0n);
    need(balanced, "class totals of balanced folds have a multiplier");
    return out;
  }

  // what the multipliers say of each claimed score: y (f - end) w + s ((f - c)² - q), and the constant
  function formsOf(demands, { means, squares, positives }, left) {
    const D = demands.sets.reduce((d, { weight }) => S.lcm(d, weight.d), 1n);
    const most = demands.sets.reduce((w, { weight }) => w.max(weight), ZERO);
    const total = (list) => list.reduce((sum, y) => sum + S.abs(y), 0n);
    const size = most.times(total(means) * D).add(fraction(total(squares) * D));
    need(size.sign() > 0 && size.lt(fraction(1n << 21n)), "the multipliers are all 0, or too large");
    let constant = ZERO;
    const squared = new Map();
    demands.spreads.forEach((spread, i) => {
      const s = squares[i];
      if (s === 0n) return;
      need(!demands.meansDeviate, "the deviation is over means of sets");
      need(demands.sets.every(({ weight }) => weight.eq(most)), "the deviation is over sets that weigh differently");
      need(!(demands.error && left), "a standard error of sets that may be left out");
      const c = spread.mean.centre;
      const reach = spread.mean.low.sub(c).abs().max(spread.mean.high.sub(c).abs());
      const times = demands.error ? BigInt(demands.sets.length) : 1n;
      const [L, H] = [spread.low.times(times), spread.high.times(times)];
      const divisors = S.divisorsOf(demands);
      const [q, e, d] = s > 0n ? [L, L, divisors.reduce(S.max)] : [H.add(reach.mul(reach)), H, divisors.reduce(S.min)];
      constant = constant.add(e.times(s * d));
      squared.set(spread.score, { s, c, q });
    });
    demands.families.forEach(({ p }, i) => {
      constant = constant.sub(fraction(positives[i] * p, 1n << 30n));
    });
    const forms = demands.means.map((mean, i) => {
      const { s, c, q } = squared.get(mean.score) || { s: 0n, c: ZERO, q: ZERO };
      const { score, low, high } = mean;
      let end = means[i] > 0n ? low : high;
      if (score.most !== null) end = end.max(score.least.sub(fraction(1n))).min(score.most.add(fraction(1n)));
      return { score, y: means[i], s, c, q, end };
    });
    return { forms, constant, D, size };
  }

  // sets alike in class counts and weight, and of families that are alike
  function kindsOf(demands, positives) {
    const kinds = new Map();
    for (const set of demands.sets) {
      let family = "";
      if (set.family >= 0) {
        const { type, p, n, members } = demands.families[set.family];
        family = [type, p, n, members.length, positives[set.family], set.least, set.most].join(" ");
      }
      const key = [set.p, set.n, set.size, set.weight.key(), family].join(";");
      if (!kinds.has(key)) kinds.set(key, { set, count: 0 });
      kinds.get(key).count += 1;
    }
    need(kinds.size <= 5000, "there are too many kinds of sets");
    return [...kinds.values()];
  }

  // the options of a kind as ranges of p for a size: [{p1, p2, size}]
  function optionsOf(set, families) {
    if (set.family >= 0 && families[set.family].type !== "balanced") {
      return [{ p1: Number(set.least), p2: Number(set.most), size: Number(set.size) }];
    }
    return S.setOptions(set, families).map(([p, n]) => ({ p1: Number(p), p2: Number(p), size: Number(p + n) }));
  }

  // ---- what the cells of a set add

  function bounder(demands, set, forms, v, left, budget, patience) {
    const { undefined: undefined_ } = demands;
    const options = optionsOf(set, demands.families);
    const active = forms.filter(({ y, s }) => y !== 0n || s !== 0n);
    // a score as A f + B f² + C, all over the weights
    const terms = active.map(({ score, y, s, c, q, end }) => {
      const wy = set.weight.times(y);
      const S2 = fraction(s);
      const ways = S.ways(score, undefined_);
      const term = {
        score,
        A: toDouble(wy.sub(S2.mul(c).times(2n))),
        B: Number(s),
        C: toDouble(S2.mul(c.mul(c).sub(q)).sub(wy.mul(end))),
        least: toDouble(score.least),
        most: toDouble(score.most),
        harmonic: left && undefined_ === "any" ? score.harmonic : null,
        maySkip: left,
      };
      const at = (f) => term.A * f + term.B * f * f + term.C;
      const fills = ways.flatMap((way) => (way === "zero" ? [at(0)] : way === "one" ? [at(1)] : way === "present" ? [largestOn(term, 0, 1)] : []));
      term.filled = max(-Infinity, ...fills);
      return term;
    });
    // other scores that are claimed and may not be 0/0
    const barred = left ? [] : forms.filter(({ score, y, s }) => y === 0n && s === 0n &&
      !S.ways(score, undefined_).some((way) => way === "zero" || way === "one" || way === "present")).map(({ score }) => score);
    const each = Number(v) * 2 ** -30;
    const size = terms.reduce((sum, { A, B, C }) => sum + abs(A) + 4 * abs(B) + abs(C), 1);
    const margin = size * 2 ** -44;

    // of A f + B f² + C on [low, high]: at an end, or at the vertex
    function largestOn({ A, B, C }, low, high) {
      let out = max(A * low + B * low * low, A * high + B * high * high);
      if (B < 0) {
        const f = -A / (2 * B);
        if (f > low && f < high) out = max(out, A * f + B * f * f);
      }
      return out + C;
    }

    const below = (score, tp, tn, fp, fn) => score.doubleBottom(tp, tn, tp + fn, tn + fp);
    const value = (score, tp, tn, fp, fn) => score.double(tp, tn, tp + fn, tn + fp);
    const zeroOf = (harmonic, tp, tn) => (harmonic === "tp" ? tp : tn) === 0;

    // the range of a score on a box
    function rangeOf({ score, least, most }, box, cells) {
      const { tp1, tp2, tn1, tn2, fp1, fp2, fn1, fn2 } = cells;
      let best = below(score, tp2, tn2, fp1, fn1) === 0 ? NaN : value(score, tp2, tn2, fp1, fn1);
      let worst = below(score, tp1, tn1, fp2, fn2) === 0 ? NaN : value(score, tp1, tn1, fp2, fn2);
      if (score.name === "kappa" && box.p1 !== box.p2) {
        best = max(0, best);
        worst = worst >= 0 ? worst : NaN;
      }
      let [low, high] = score.rises ? [worst, best] : [best, worst];
      if (Number.isNaN(low)) low = least;
      if (Number.isNaN(high)) high = most;
      return [max(least, low - 2 ** -48), min(most, high + 2 ** -48)];
    }

    // at least what any cell of a box adds; of a single cell what it adds
    function bound(box) {
      const { p1, p2, a, b, c, d, size: cases } = box;
      const cells = {
        tp1: a, tp2: b, tn1: c, tn2: d,
        fn1: max(0, p1 - b), fn2: p2 - a, fp1: max(0, cases - p2 - d), fp2: cases - p1 - c,
      };
      const single = p1 === p2 && a === b && c === d;
      if (single && barred.some((score) => below(score, a, c, cells.fp1, cells.fn1) === 0)) return -Infinity;
      let total = max(each * p1, each * p2);
      // linear scores together: an affine function of tp and tn
      let [flat, right, up] = [0, 0, 0];
      for (const term of terms) {
        const { score, A, B, C } = term;
        const hole = below(score, a, c, cells.fp1, cells.fn1) === 0;
        const skip = term.maySkip && (hole || (term.harmonic !== null && zeroOf(term.harmonic, a, c)));
        if (single && hole) {
          const own = skip ? max(0, term.filled) : term.filled;
          if (own === -Infinity) return -Infinity;
          total += own;
          continue;
        }
        const affine = !hole && (p1 === p2 ? score.linear : score.name === "acc" || score.name === "err");
        if (affine && !skip) {
          const n = cases - p1;
          const [f0, ft, fu] = [value0(score, 0, 0, p1, n), value0(score, 1, 0, p1, n), value0(score, 0, 1, p1, n)];
          const [kt, ku] = [ft - f0, fu - f0];
          const [x, y] = [f0 + kt * (kt > 0 ? a : b) + ku * (ku > 0 ? c : d), f0 + kt * (kt > 0 ? b : a) + ku * (ku > 0 ? d : c)];
          // squares lie below their chord, or below their tangent in the middle
          const slope = A + B * (x + y);
          const middle = (x + y) / 2;
          const offset = B > 0 ? -B * x * y : -B * middle * middle;
          flat += slope * f0 + offset + C;
          right += slope * kt;
          up += slope * ku;
          continue;
        }
        const [low, high] = rangeOf(term, box, cells);
        let own = largestOn(term, hole ? term.least : low, hole ? term.most : high);
        if (skip) own = max(0, own);
        total += own;
      }
      return total + flat + (right > 0 ? right * b : right * a) + (up > 0 ? up * d : up * c);
    }
    const value0 = (score, t, u, p, n) => score.doubleTop(t, u, p, n) / score.doubleBottom(t, u, p, n);

    // a box within the cells there are, or null
    function clipped({ p1, p2, a, b, c, d, size: cases }) {
      const box = { p1: max(p1, a), p2: min(p2, cases - c), a, b, c, d, size: cases };
      box.b = min(b, box.p2);
      box.d = min(d, cases - box.p1);
      return box.p1 > box.p2 || box.a > box.b || box.c > box.d ? null : box;
    }
    const cell = ({ size: cases }, p, tp, tn) => ({ p1: p, p2: p, a: tp, b: tp, c: tn, d: tn, size: cases });
    const holds = (option, p, tp, tn) => p >= option.p1 && p <= option.p2 && tp >= 0 && tp <= p && tn >= 0 && tn <= option.size - p;
    const start = (option) => clipped({ ...option, a: 0, b: option.p2, c: 0, d: option.size - option.p1 });

    let best = -Infinity;
    function climb(option, p, tp, tn) {
      let own = bound(cell(option, p, tp, tn));
      let at = [p, tp, tn];
      for (let step = max(1, option.size); step >= 1; step = step > 1 ? Math.ceil(step / 2) : 0) {
        for (let tries = 0, moved = true; moved && tries < 30; tries += 1) {
          moved = false;
          for (const [dp, dt, du] of MOVES) {
            const there = [at[0] + dp * step, at[1] + dt * step, at[2] + du * step];
            if (!holds(option, ...there)) continue;
            const x = bound(cell(option, ...there));
            if (x > own) [own, at, moved] = [x, there, true];
          }
        }
      }
      best = max(best, own);
    }

    // a cell of some option at which a value is possible
    function peak(x) {
      need(S.isList(x) && x.length === 3, "a peak is malformed");
      for (const each_ of x) integer(each_, "a peak");
      const [p, tp, tn] = x.map(Number);
      const own = options.filter((option) => holds(option, p, tp, tn));
      need(own.some((option) => bound(cell(option, p, tp, tn)) > -Infinity), "a peak is no cell of its set");
      for (const option of own) climb(option, p, tp, tn);
    }

    let looked = 0;
    // no cell is above the target; or the largest one that was met
    function prove(target) {
      let top = target;
      for (const option of options) {
        const first = start(option);
        need(first !== null, "a set has no matrices");
        const stack = [[first, bound(first)]];
        while (stack.length > 0) {
          const [box, most] = stack.pop();
          if (!(most > top)) continue;
          const { p1, p2, a, b, c, d } = box;
          if (p1 === p2 && a === b && c === d) {
            top = most;
            best = max(best, most);
            continue;
          }
          looked += 1;
          budget.left -= 1;
          patience.tick();
          need(looked <= MOST_OF_SET, "bounding a set takes too many boxes");
          need(budget.left >= 0, "bounding all sets takes too many boxes");
          const halves = [];
          const sides = [p2 - p1, (b - a) * option.size / max(1, option.p2), (d - c) * option.size / max(1, option.size - option.p1)];
          const widest = sides.indexOf(max(...sides));
          const [low, high] = widest === 0 ? ["p1", "p2"] : widest === 1 ? ["a", "b"] : ["c", "d"];
          const middle = floor((box[low] + box[high]) / 2);
          for (const part of [{ ...box, [high]: middle }, { ...box, [low]: middle + 1 }]) {
            const inside = clipped(part);
            if (inside !== null) halves.push([inside, bound(inside)]);
          }
          halves.sort((x, y) => x[1] - y[1]);
          stack.push(...halves);
        }
      }
      return { value: top, raised: top > target };
    }
    return { options, peak, prove, low: () => best, margin };
  }
  const MOVES = [[0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1], [0, 1, 1], [0, -1, -1], [0, 1, -1], [0, -1, 1], [1, 0, 0], [-1, 0, 0], [1, 1, 0], [-1, -1, 0],
    [1, 0, -1], [-1, 0, 1]];

  // is the sum of the most the sets can add below a limit?
  function isBelow(sets, limit) {
    for (;;) {
      const margin = sets.reduce((sum, { count, bounder: { margin: own } }) => sum + count * own, abs(limit) * 2 ** -44);
      const sum = sets.reduce((total, { count, bounder: own }) => total + count * own.low(), 0);
      const slack = limit - sum - margin;
      if (!(slack > 0)) return false;
      let proved = 0;
      let raised = false;
      for (const { count, bounder: own } of sets) {
        const top = own.prove(own.low() + (slack * 0.98) / sets.length / count);
        raised ||= top.raised;
        proved += count * top.value;
      }
      if (proved + margin < limit) return true;
      if (!raised) return false;
    }
  }

  function refutes(demands, multipliers, peaks, left, budget, patience) {
    const { forms, constant, D } = formsOf(demands, multipliers, left);
    const kinds = kindsOf(demands, multipliers.positives);
    need(S.isList(peaks) && peaks.length === kinds.length, "the proof does not name a peak for every kind of set");
    const sets = kinds.map(({ set, count }, i) => {
      const family = set.family < 0 ? null : demands.families[set.family];
      const open = family !== null && family.type !== "balanced";
      for (const { score, y, s, c, q } of forms) {
        if (y === 0n && s === 0n) continue;
        need(score.most !== null && !score.registered && !(open && score.name === "pt"), () => score.name + " has no multiplier here");
        need(s === 0n || (c.abs().le(fraction(1n)) && q.le(fraction(4n))), "a deviation or its mean is too large");
      }
      const v = family === null ? 0n : multipliers.positives[set.family];
      const size = set.size === undefined ? set.p + set.n : set.size;
      need(S.abs(v) * D * 64n * S.max(1n, size) < 1n << 60n, "a multiplier of class totals is too large");
      const own = bounder(demands, set, forms, v, left, budget, patience);
      own.peak(peaks[i]);
      return { count, bounder: own };
    });
    need(isBelow(sets, -toDouble(constant)), "the multipliers do not refute the report");
  }

  S.meanProofs.moments = (demands, proof, patience) => {
    for (const set of demands.sets) {
      need(set.family >= 0 || (set.p > 0n && set.n > 0n), "a set lacks a class");
      need((set.size === undefined ? set.p + set.n : set.size) < 1n << 26n, "a set is too large for exact floats");
    }
    const left = demands.undefined === "any" || demands.undefined === "skip";
    need(demands.flat || !left, "scores may be left out of nested means");
    need(get(proof, left ? "defined" : "left_out") === null, "the proof treats a case that there is not");
    const multipliers = readMultipliers(get(proof, left ? "left_out" : "defined"), demands, left);
    refutes(demands, multipliers, get(proof, "peaks"), left, { left: MOST_IN_ALL }, patience);
    return 1;
  };
})(globalThis.Scoreproof);
