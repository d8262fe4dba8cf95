// Large sets: multipliers of the means, and for every set the largest value any of its cells can add.
(function (S) {
  "use strict";

  const { need, integer, fraction, get, ZERO } = S;
  const MOST_OF_SET = 6_000_000;
  const MOST_IN_ALL = 60_000_000;
  const NEVER = { high: -Infinity, low: 0 };

  // Sums in units of 2^-bits go beyond 2^53: kept as high · base + low, each of them an exact double.
  const less = (a, b, base) => a.high === -Infinity || (a.high - b.high) * base + (a.low - b.low) < 0;

  // may a score with a mean be left out on a single matrix?
  function mayBeLeftOut({ sets, families, means, undefined: undefined_ }) {
    if (undefined_ !== "any" && undefined_ !== "skip") return false;
    if (undefined_ === "any" && means.some(({ score }) => score.harmonic !== null)) return true;
    const seen = new Set();
    return sets.some((set) => S.setOptions(set, families).some(([p, n]) => {
      const key = p + " " + n;
      if (seen.has(key)) return false;
      seen.add(key);
      if (p === 0n || n === 0n) return true;
      return means.some(({ score }) => [[0n, 0n], [0n, n], [p, 0n], [p, n]].some(([t, u]) => score.bottom(t, u, p, n) === 0n));
    }));
  }

  // the end of a mean that a multiplier pulls at, moved to where means can be
  function endOf({ score, low, high }, y) {
    const one = fraction(1n);
    if (y > 0n) return low.max(score.least).min(score.most.add(one));
    return high.min(score.most).max(score.least.sub(one));
  }
  const farEnd = (score, y) => (y > 0n ? score.most : score.least);

  // sets alike in class counts and in what each score with a multiplier has there
  function kindsOf(demands, active, ways) {
    const { sets, families, root } = demands;
    const absent = active.map(({ score }) => {
      const kept = new Map();
      return sets.map((set) => {
        const key = set.p + " " + set.n + " " + (set.family >= 0);
        if (!kept.has(key)) kept.set(key, S.isAbsent(score, set, families));
        return kept.get(key);
      });
    });
    const weights = active.map(({ score }, k) => S.weightsOf(root, (i) => !(absent[k][i] && ways.get(score.name) === "skip")));
    const kinds = new Map();
    sets.forEach((set, i) => {
      const own = active.map((_, k) => ({ w: (weights[k] && weights[k].get(i)) || ZERO, absent: absent[k][i] }));
      const key = [set.p, set.n, set.family >= 0, ...own.map(({ w, absent: gone }) => w.key() + gone)].join(" ");
      if (!kinds.has(key)) kinds.set(key, { set, own, count: 0n });
      kinds.get(key).count += 1n;
    });
    need(kinds.size <= 5000, "there are too many kinds of sets");
    return [...kinds.values()];
  }

  function refutes(demands, multipliers, bonus, left, ways, budget, patience) {
    const { means, sets, families, flat, undefined: undefined_ } = demands;
    need(S.isList(multipliers) && multipliers.length === means.length, "multipliers are malformed");
    for (const y of multipliers) integer(y, "a multiplier");
    need(multipliers.some((y) => y !== 0n), "all multipliers are 0");
    const active = means.map((mean, k) => ({ ...mean, y: multipliers[k] })).filter(({ y }) => y !== 0n);
    for (const { score } of active) need(score.most !== null && !score.registered, () => score.name + " has no finite range");
    const idle = means.filter((_, k) => multipliers[k] === 0n).map(({ score }) => score);
    const tooLarge = 2n ** 26n;
    need(sets.every(({ p, n }) => p < tooLarge && n < tooLarge), "a set is too large for exact floats");
    for (const each of active) each.end = endOf(each, each.y);
    const found = [];
    let fixedSum = ZERO;
    for (const { set, own, count } of kindsOf(demands, active, ways)) {
      let fixed = ZERO;
      const terms = [];
      active.forEach(({ score, y, end }, k) => {
        const { w, absent } = own[k];
        if (w.sign() === 0) return;
        if (!absent) terms.push({ score, y, end, w });
        else {
          const way = ways.get(score.name);
          const f = way === "one" ? fraction(1n) : way === "present" ? farEnd(score, y) : ZERO;
          fixed = fixed.add(w.times(y).mul(f.sub(end)));
        }
      });
      fixedSum = fixedSum.add(fixed.times(count));
      const m = terms.reduce((d, { w }) => S.lcm(d, w.d), 1n);
      for (const term of terms) term.k = (term.y * term.w.n * m) / term.w.d;
      const size = terms.reduce((sum, { k }) => sum + S.abs(k), 0n) + bonus * m;
      const bits = Math.min(36, 56 - S.bitLength(size));
      need(bits >= 20, "multipliers are too large for 64 bits");
      const setting = { terms, idle, bits, flat, undefined: undefined_, bonus: bonus * m, left };
      found.push({ count, unit: fraction(1n, m << BigInt(bits)), bounder: bounder(setting, S.setOptions(set, families), budget, patience) });
    }
    return isBelow(found, fraction(bonus).sub(fixedSum));
  }

  // Is the sum of the largest values below a limit? What the values found so far leave is shared out: each set is only
  // shown to stay within its share, unless it does not.
  function isBelow(found, limit) {
    for (let round = 0; ; round += 1) {
      if (found.some(({ bounder: each }) => each.low() === null)) {
        // no cell is known to be possible: a set without any refutes by itself
        const open = found.find(({ bounder: each }) => each.low() === null);
        open.bounder.prove(null);
        if (open.bounder.low() === null) return true;
        continue;
      }
      const sum = found.reduce((total, { count, unit, bounder: each }) => total.add(unit.times(each.low() * count)), ZERO);
      const slack = limit.sub(sum);
      if (slack.sign() <= 0) return false;
      const share = slack.div(fraction(BigInt(found.length) * (round < 20 ? 1n : 1n << BigInt(round))));
      let raised = false;
      let proved = ZERO;
      for (const { count, unit, bounder: each } of found) {
        // the largest whole number of units whose sum over the sets stays below the share
        const room = S.max(0n, share.div(unit.times(count)).ceil() - 1n);
        const top = each.prove(each.low() + room);
        raised ||= top.raised;
        proved = proved.add(unit.times(top.value * count));
      }
      if (proved.lt(limit)) return true;
      if (!raised) return false;
    }
  }

  // bounds for the value of all cells of a set, in units of 2^-bits
  function bounder({ terms, idle, bits, flat, undefined: undefined_, bonus, left }, options, budget, patience) {
    const base = 2 ** Math.ceil(bits / 2);
    const scale = 2 ** bits;
    const bigScale = 1n << BigInt(bits);
    const split = (x) => {
      const high = S.floorDiv(x, BigInt(base));
      return { high: Number(high), low: Number(x - high * BigInt(base)) };
    };
    const plus = (a, b) => ({ high: a.high + b.high, low: a.low + b.low });
    const bonusPart = split(bonus * bigScale);
    const forms = terms.map(({ score, k, end }) => {
      const constant = end.times(-k * bigScale).ceil();
      const fill = (f) => split(f.times(k * bigScale).ceil() + constant);
      const ways = S.ways(score, undefined_);
      const fills = ways.flatMap((way) => (way === "zero" ? [fill(ZERO)] : way === "one" ? [fill(fraction(1n))] : way === "present" ? [fill(farEnd(score, k))] : []));
      return {
        score, up: k > 0n, factor: Number(k), constant: split(constant),
        atBest: score.rises === k > 0n, // its largest term is at the high corner
        far: fill(farEnd(score, k)),
        filled: fills.length > 0 ? fills.reduce((a, b) => (less(a, b, base) ? b : a)) : null,
        skipped: flat ? { high: 0, low: 0 } : fill(farEnd(score, k)),
        maySkip: left && ways.includes("skip"),
        harmonic: left && undefined_ === "any" ? score.harmonic : null,
      };
    });
    // what a defined term adds at a cell
    function defined({ score, up, factor, constant }, t, u, p, n) {
      const x = score.double(t, u, p, n) * scale;
      const r = up ? Math.ceil(x + 1 / 16) : Math.floor(x - 1 / 16);
      const high = Math.floor(r / base);
      return { high: factor * high + constant.high, low: factor * (r - high * base) + constant.low };
    }
    const isAbsentAt = (score, t, u, p, n) => score.doubleBottom(t, u, p, n) === 0;
    const zeroOf = (harmonic, t, u) => (harmonic === "tp" ? t : u) === 0;

    // a rectangle, or a single cell exactly: {value} of all terms counted and with one left out, the larger
    function bound(option, a, b, c, d) {
      const { p, n, lost, absentTerms } = option;
      const one = a === b && c === d;
      let counted = { high: 0, low: 0 };
      let gone = { high: 0, low: 0 };
      let someGone = lost; // a score with multiplier 0 is left out at no cost
      let bestLoss = null; // what leaving one out costs at least, if leaving is never better
      for (let k = 0; k < forms.length; k += 1) {
        const form = forms[k];
        const { score } = form;
        let own;
        let skip = false;
        if (absentTerms[k]) {
          own = form.filled;
          skip = form.maySkip;
        } else {
          const hole = isAbsentAt(score, a, c, p, n) || (!one && (isAbsentAt(score, b, d, p, n) || isAbsentAt(score, a, d, p, n) || isAbsentAt(score, b, c, p, n)));
          if (hole) {
            own = one ? form.filled : form.far;
            skip = form.maySkip;
          } else own = form.atBest ? defined(form, b, d, p, n) : defined(form, a, c, p, n);
          if (form.harmonic !== null && zeroOf(form.harmonic, a, c)) skip = true;
        }
        counted = own === null || counted === null ? null : plus(counted, own);
        if (!left) continue;
        // the best choice for this term, and how much forcing it out costs
        const best = own === null ? (skip ? form.skipped : null) : skip && less(own, form.skipped, base) ? form.skipped : own;
        gone = best === null || gone === null ? null : plus(gone, best);
        if (skip && best !== null) {
          const loss = { high: best.high - form.skipped.high, low: best.low - form.skipped.low };
          if (bestLoss === null || less(loss, bestLoss, base)) bestLoss = loss;
          someGone ||= best === form.skipped;
        }
      }
      let out = counted === null ? NEVER : counted;
      if (left && gone !== null) {
        if (!someGone) someGone = option.free(a, b, c, d);
        let value = null;
        if (someGone) value = plus(gone, bonusPart);
        else if (bestLoss !== null) value = plus({ high: gone.high - bestLoss.high, low: gone.low - bestLoss.low }, bonusPart);
        if (value !== null && less(out, value, base)) out = value;
      }
      return out;
    }

    const ready = options.map(([bigP, bigN]) => {
      const [p, n] = [Number(bigP), Number(bigN)];
      const corners = [[0, 0], [0, n], [p, 0], [p, n]];
      return {
        p, n, corners,
        lost: left && idle.length > 0 && (p === 0 || n === 0),
        absentTerms: terms.map(({ score }) => S.absentOn(score, bigP, bigN)),
        // may a rectangle hold a cell where a score with multiplier 0 is left out?
        free: (a, b, c, d) => idle.some((score) => (undefined_ === "any" && score.harmonic !== null && zeroOf(score.harmonic, a, c)) ||
          corners.some(([t, u]) => t >= a && t <= b && u >= c && u <= d && score.doubleBottom(t, u, p, n) === 0 && score.doubleTop(t, u, p, n) === 0)),
      };
    });
    const value = (option, t, u) => bound(option, t, t, u, u);
    const whole = (x) => (x.high === -Infinity ? null : BigInt(x.high) * BigInt(base) + BigInt(x.low));

    // the best cell found so far: uphill from the corners and the middle with ever smaller steps
    let best = NEVER;
    for (const option of ready) {
      const { p, n } = option;
      for (const start of [...option.corners, [p >> 1, n >> 1]]) {
        let [t, u] = start;
        let own = value(option, t, u);
        for (let step = Math.max(p, n); step >= 1; step = step > 1 ? Math.ceil(step / 2) : 0) {
          const moves = [[step, 0], [-step, 0], [0, step], [0, -step], [step, step], [-step, -step], [step, -step], [-step, step]];
          for (let tries = 0, moved = true; moved && tries < 50; tries += 1) {
            moved = false;
            for (const [x, y] of moves) {
              const [tt, uu] = [Math.min(p, Math.max(0, t + x)), Math.min(n, Math.max(0, u + y))];
              const there = value(option, tt, uu);
              if (less(own, there, base)) {
                [t, u, own, moved] = [tt, uu, there, true];
              }
            }
          }
        }
        patience.tick(256);
        if (less(best, own, base)) best = own;
      }
    }

    let looked = 0;
    // no cell is above the target (null: above the best one found); or the largest one is found
    function prove(target) {
      let top = target === null ? NEVER : split(target);
      let raised = false;
      for (const option of ready) {
        const { p, n } = option;
        const stack = [[0, p, 0, n, bound(option, 0, p, 0, n)]];
        while (stack.length > 0) {
          const [a, b, c, d, most] = stack.pop();
          if (most.high === -Infinity || !less(top, most, base)) continue;
          if (a === b && c === d) {
            top = most;
            best = most;
            raised = true;
            continue;
          }
          looked += 1;
          budget.left -= 1;
          patience.tick();
          need(looked <= MOST_OF_SET, "bounding a set takes too many rectangles");
          need(budget.left >= 0, "bounding all sets takes too many rectangles");
          const wide = (b - a) / Math.max(p, 1) >= (d - c) / Math.max(n, 1) ? b > a : d === c;
          const middle = wide ? Math.floor((a + b) / 2) : Math.floor((c + d) / 2);
          const one = wide ? [a, middle, c, d] : [a, b, c, middle];
          const other = wide ? [middle + 1, b, c, d] : [a, b, middle + 1, d];
          const [x, y] = [bound(option, ...one), bound(option, ...other)];
          // the more promising half first
          if (less(x, y, base)) stack.push([...one, x], [...other, y]);
          else stack.push([...other, y], [...one, x]);
        }
      }
      return { value: whole(top), raised };
    }
    return { low: () => whole(best), prove };
  }

  S.meanProofs.large = (demands, proof, patience) => {
    need(demands.families.every((family) => family.type === "balanced"), "the folds are open");
    const leftOut = mayBeLeftOut(demands);
    const budget = { left: MOST_IN_ALL };
    const wrong = "the multipliers do not refute the report";
    return S.eachCase(demands, demands.scores, proof, ["treatments", "multipliers", "left_out"], (ways, entry) => {
      need(refutes(demands, get(entry, "multipliers"), 0n, false, ways, budget, patience), wrong);
      const more = get(entry, "left_out");
      if (!leftOut) {
        need(more === null, "the proof treats a case that there is not");
        return 1;
      }
      S.keys(more, "a case", ["multipliers", "bonus"]);
      const bonus = integer(get(more, "bonus"), "a bonus");
      need(bonus >= 0n, "a bonus is negative");
      need(refutes(demands, get(more, "multipliers"), bonus, true, ways, budget, patience), wrong);
      return 2;
    });
  };
})(globalThis.Scoreproof);
