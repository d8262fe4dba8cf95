// Means of scores: the experiment flattened to evaluation sets with weights, and what is said of their matrices.
(function (S) {
  "use strict";

  const { need, fraction, ZERO, ONE } = S;
  const MOST_SETS = 100_000;
  const MOST_LIMITS = 300_000;
  // what the bounds of a hexagon are about: [count, complement]
  const HEXAGON = { sens: ["tp", false], fnr: ["tp", true], spec: ["tn", false], fpr: ["tn", true], acc: ["sum", false], err: ["sum", true] };

  // how many folds may have one more of both: [least, most]
  function overlaps(node) {
    const [r, s] = [node.p % node.k, node.n % node.k];
    const least = S.max(0n, r + s - node.k);
    const single = node.rule === "scikit-learn" || (node.p < node.k && node.n < node.k);
    return [least, single ? least : S.min(r, s)];
  }
  const stratified = (node) => node.rule === "scikit-learn" || node.rule === "balanced";

  // the folds of one repeat, class counts as [p, n], if there is one possible overlap; else null
  function knownFolds(node) {
    if (!stratified(node)) return null;
    const [least, most] = overlaps(node);
    if (least !== most) return null;
    const { p, n, k } = node;
    const [r, s] = [p % k, n % k];
    const out = [];
    const push = (count, a, b) => {
      for (let i = 0n; i < count; i += 1n) out.push([p / k + a, n / k + b]);
    };
    push(least, 1n, 1n);
    push(r - least, 1n, 0n);
    push(s - least, 0n, 1n);
    push(k - r - s + least, 0n, 0n);
    return out;
  }

  // ---- hexagons: tp in [a, b], tn in [c, d], tp + tn in [e, f]

  const fullHexagon = (p, n) => ({ a: 0n, b: p, c: 0n, d: n, e: 0n, f: p + n });
  const isEmpty = (h) => h.a > h.b || h.c > h.d || h.e > h.f;
  const EMPTY = { a: 1n, b: 0n, c: 1n, d: 0n, e: 1n, f: 0n };

  // a hexagon met with bounds of the six scores, [{name, low, high}]
  function narrowed(hexagon, p, n, bounds) {
    const h = { ...hexagon };
    for (const { name, low, high } of bounds) {
      const [count, complement] = HEXAGON[name];
      const size = count === "tp" ? p : count === "tn" ? n : p + n;
      const [x, y] = complement ? [high === null ? null : ONE.sub(high), low === null ? null : ONE.sub(low)] : [low, high];
      const least = x === null ? 0n : S.max(0n, x.times(size).ceil());
      const most = y === null ? size : S.min(size, y.times(size).floor());
      const [from, to] = count === "tp" ? ["a", "b"] : count === "tn" ? ["c", "d"] : ["e", "f"];
      h[from] = S.max(h[from], least);
      h[to] = S.min(h[to], most);
    }
    for (let i = 0; i < 3; i += 1) {
      [h.e, h.f] = [S.max(h.e, h.a + h.c), S.min(h.f, h.b + h.d)];
      [h.a, h.b] = [S.max(h.a, h.e - h.d), S.min(h.b, h.f - h.c)];
      [h.c, h.d] = [S.max(h.c, h.e - h.b), S.min(h.d, h.f - h.a)];
    }
    return h;
  }

  function summedHexagon(node) {
    if (!S.isBounded(node)) return null;
    let parts;
    if (node.ranges.length > 0) {
      need(!(node.parts || []).some(S.isBounded), "ranges at two levels of a sum");
      if (node.type === "kfold") {
        const folds = knownFolds(node);
        need(folds !== null, "ranges of summed folds whose class counts are open");
        parts = Array.from({ length: Number(node.repeats) }, () => folds).flat();
      } else parts = node.parts.map((part) => Object.values(S.nodeSize(part)));
      for (const { name } of node.ranges) need(Object.hasOwn(HEXAGON, name), () => "a range of " + S.cut(name, 40) + " of summed parts");
      parts = parts.map(([p, n]) => narrowed(fullHexagon(p, n), p, n, node.ranges));
    } else {
      parts = node.parts.map((part) => {
        const { p, n } = S.nodeSize(part);
        return summedHexagon(part) || fullHexagon(p, n);
      });
    }
    if (parts.some(isEmpty)) return EMPTY;
    const sum = { a: 0n, b: 0n, c: 0n, d: 0n, e: 0n, f: 0n };
    for (const part of parts) for (const key of Object.keys(sum)) sum[key] += part[key];
    return sum;
  }

  // ---- sets, families and limits

  function flatten(told, overRepeats) {
    const sets = [];
    const families = [];
    const limits = [];
    const leaf = (more) => {
      need(sets.length < MOST_SETS, "the experiment has too many evaluation sets");
      sets.push({ family: -1, hexagon: null, repeat: 0, ...more });
      return { set: sets.length - 1, first: sets.length - 1, last: sets.length };
    };
    const addLimits = (node, parts) => {
      need(limits.length + node.ranges.length * parts.length <= MOST_LIMITS, "there are too many ranges of parts");
      for (const { name, low, high } of node.ranges) {
        const score = S.scoreOf(name);
        need(score !== null, () => S.unknownScore(name));
        for (const part of parts) limits.push({ score, node: part, low, high });
      }
    };

    function folds(node, weight) {
      const { p, n, k, repeats, rule } = node;
      need(BigInt(sets.length) + k * repeats <= BigInt(MOST_SETS), "the experiment has too many evaluation sets");
      const share = weight.div(fraction(k * repeats));
      const known = knownFolds(node);
      const parts = [];
      const family = (more) => {
        families.push({ members: [], ...more });
        return families.length - 1;
      };
      let own = -1;
      for (let repeat = 0; repeat < Number(repeats); repeat += 1) {
        if (known !== null) {
          for (const [a, b] of known) parts.push(leaf({ p: a, n: b, weight: share, repeat }));
          continue;
        }
        const balanced = stratified(node);
        if (!balanced) own = family({ type: rule, p, n });
        else if (repeat === 0 || overRepeats) {
          const times = overRepeats ? 1n : repeats;
          own = family({ type: rule, p: p * times, n: n * times });
        }
        for (let i = 0n; i < k; i += 1n) {
          const size = (p + n) / k + (i < (p + n) % k ? 1n : 0n);
          const part = balanced
            ? leaf({ p: p / k, n: n / k, weight: share, repeat, family: own })
            : leaf({ size, least: S.max(0n, size - n), most: S.min(p, size), weight: share, repeat, family: own });
          families[own].members.push(part.set);
          parts.push(part);
        }
      }
      return parts;
    }

    function walk(node, weight) {
      if (S.isSummed(node)) return leaf({ ...S.nodeSize(node), weight, hexagon: summedHexagon(node) });
      need(S.isMean(node), "the experiment is not a mean");
      const first = sets.length;
      const parts = node.type === "kfold" ? folds(node, weight)
        : node.parts.map((part) => walk(part, weight.div(fraction(BigInt(node.parts.length)))));
      addLimits(node, parts);
      return { parts, first, last: sets.length };
    }
    const root = walk(told.experiment, ONE);
    return { sets, families, limits, root };
  }

  // the least multiple of 2^-40 whose square is at least x
  function rootAbove(x) {
    let scaled = x.times(1n << 80n).ceil();
    scaled = scaled > 0n ? S.isqrt(scaled - 1n) + 1n : 0n;
    return fraction(scaled, 1n << 40n);
  }

  // what a ± is over
  function whatDeviates(told, sets, parts) {
    if (told.spread_over === "parts") return parts;
    const alone = sets.map((_, set) => ({ set, first: set, last: set + 1 }));
    if (told.spread_over !== "repeats") return alone;
    const k = Number(told.experiment.k);
    return Array.from({ length: sets.length / k }, (_, i) => ({ parts: alone.slice(i * k, i * k + k), first: i * k, last: i * k + k }));
  }

  // ---- claims

  function demands(told) {
    const overRepeats = told.spreads.length > 0 && told.spread_over === "repeats";
    const { sets, families, limits, root } = flatten(told, overRepeats);
    const parts = root.parts || [root];
    const flat = parts.every((part) => part.parts === undefined);
    if (told.spreads.length > 0) {
      need(parts.length > 1, "a ± over these parts is not something a check would state");
      need(!overRepeats || (told.experiment.type === "kfold" && told.experiment.repeats > 1n), "a ± over repeats needs repeats");
    }
    const u = told.foldDigits === null ? ZERO : S.tenTo(-told.foldDigits);
    const wide = ({ low, high }) => ({ low: low === null ? null : low.sub(u), high: high === null ? null : high.add(u) });
    const limited = limits.map((limit) => ({ ...limit, ...wide(limit) }));
    const means = told.scores.map((claim) => {
      const mean = { score: claim.score, ...wide(claim), centre: claim.low.add(claim.high).mul(fraction(1n, 2n)), claim };
      // a mean lies between its parts
      const ofParts = new Map();
      for (const limit of limited) if (limit.score.name === claim.score.name) ofParts.set(limit.node, limit);
      const ofEach = parts.map((part) => ofParts.get(part));
      if (root.parts !== undefined && ofEach.every((limit) => limit !== undefined)) {
        if (ofEach.every((limit) => limit.low !== null)) mean.low = mean.low.max(ofEach.map((limit) => limit.low).reduce((x, y) => x.min(y)));
        if (ofEach.every((limit) => limit.high !== null)) mean.high = mean.high.min(ofEach.map((limit) => limit.high).reduce((x, y) => x.max(y)));
      }
      return mean;
    });
    const margin = u.mul(fraction(3n, 2n));
    const spreads = told.spreads.map((claim) => {
      const low = claim.spread.low.sub(margin).max(ZERO);
      const high = claim.spread.high.add(margin);
      return { score: claim.score, mean: means.find((mean) => mean.score.name === claim.score.name), low: low.mul(low), high: high.mul(high) };
    });
    const deviating = spreads.length > 0 ? whatDeviates(told, sets, parts) : [];
    if (spreads.length > 0 && told.spread_over === "parts" && !flat) {
      need(limited.length + spreads.length * parts.length <= MOST_LIMITS, "there are too many ranges of parts");
      const m = BigInt(parts.length);
      const least = told.divisor === "sample" ? 1n : 0n;
      for (const { score, mean, high } of spreads) {
        // one of m numbers that add up to 0 has a square of at most (m - 1)/m times all of theirs
        const squares = high.times((m - least) * (told.spread === "error" ? m : 1n));
        const far = rootAbove(squares.mul(fraction(m - 1n, m)));
        for (const node of parts) limited.push({ score, node, low: mean.low.sub(far), high: mean.high.add(far) });
      }
    }
    const extreme = (list) => new Map(list.map((claim) => [claim.score.name, { score: claim.score, ...wide(claim) }]));
    const scores = new Map();
    for (const { score } of [...told.scores, ...told.minimum, ...told.maximum]) scores.set(score.name, score);
    const names = new Set(scores.keys());
    for (const { score } of limited) if (!scores.has(score.name)) scores.set(score.name, score);
    return {
      told, sets, families, root, parts, flat, overRepeats, deviating, meansDeviate: deviating.some((node) => node.parts !== undefined), means, spreads, names, limits: limited, scores: [...scores.values()],
      minimum: extreme(told.minimum), maximum: extreme(told.maximum),
      extremeParts: told.extremes_over === "folds" ? sets.map((_, set) => ({ set, first: set, last: set + 1 })) : parts,
      undefined: told.undefined, divisor: told.divisor, error: told.spread === "error", attained: told.attained,
    };
  }

  const isPredictive = ({ name }) => /^(macro|weighted) (ppv|npv)$/.test(name);

  // such an average where all cases are called negative, or all positive: [top, bottom] by what its other class counts as
  function ofOneClass({ name }, way, t, u, p, n) {
    const [called, cases] = [t === 0n && u === n ? n : p, p + n];
    if (way === "present") return [called, cases];
    const fill = way === "one" ? 1n : 0n;
    if (name.startsWith("macro")) return [called + fill * cases, 2n * cases];
    const weight = name.endsWith("ppv") ? called : cases - called;
    return [weight * called + (cases - weight) * fill * cases, cases * cases];
  }

  // the ways to count a 0/0 of a score, one for all sets
  function ways(score, undefined_) {
    if (undefined_ === "exclude") return [];
    if (undefined_ !== "any") return [undefined_];
    if (score.name === "bacc" || isPredictive(score)) return ["zero", "skip", "present"];
    return score.harmonic === null ? ["zero", "skip"] : ["zero", "skip", "harmonic"];
  }

  // the weights of the sets of a node, over those that count; null if none does
  function weightsOf(node, counts, sets) {
    const out = new Map();
    const any = (x) => {
      for (let i = x.first; i < x.last; i += 1) if (counts(i)) return true;
      return false;
    };
    function share(x, weight) {
      if (x.parts === undefined) {
        out.set(x.set, weight);
        return;
      }
      const live = x.parts.filter(any);
      const each = weight.div(fraction(BigInt(live.length)));
      for (const part of live) share(part, each);
    }
    if (!any(node)) return null;
    share(node, ONE);
    return out;
  }

  // the class counts [p, n] a set may have
  function options(set, families) {
    if (set.family < 0) return [[set.p, set.n]];
    if (families[set.family].type === "balanced") {
      return [[set.p, set.n], [set.p, set.n + 1n], [set.p + 1n, set.n], [set.p + 1n, set.n + 1n]];
    }
    const count = set.most - set.least + 1n;
    need(count <= 100_000n, "a fold has too many possible class counts");
    return Array.from({ length: Number(count) }, (_, i) => [set.least + BigInt(i), set.size - set.least - BigInt(i)]);
  }

  // 0/0 on every matrix of p and n, a quotient of degree at most two along a line
  function absentOn(score, p, n) {
    return [[0n, 0n], [p / 2n, n / 2n], [p, n]].every(([t, u]) => score.bottom(t, u, p, n) === 0n && score.top(t, u, p, n) === 0n);
  }

  Object.assign(S, { demands, rootAbove, isPredictive, ofOneClass, ways, weightsOf, setOptions: options, absentOn, narrowed, fullHexagon, HEXAGON });
})(globalThis.Scoreproof);
