// Parts of all counts of several classes, and how they are narrowed, after docs/proofs/multi_class.md
(function (S) {
  "use strict";

  const { fraction, ZERO, ONE } = S;
  const MOST_ROUNDS = 80;
  const MOST_SQUEEZES = 20;
  const SAFE = 2n ** 52n;

  // whole division rounded down, of numbers below 2^53 that a quotient of doubles may miss by one
  function floorQuotient(m, a) {
    let q = Math.floor(m / a);
    while (q * a > m) q -= 1;
    while ((q + 1) * a <= m) q += 1;
    return q;
  }

  // a tp + b q + c >= 0; as doubles if all that is done with them stays a whole number below 2^53
  function inequality(group, a, b, c) {
    const size = S.abs(a) * group.n + S.abs(b) * group.most + S.abs(c);
    if (size + S.abs(a) + S.abs(b) < SAFE) return { small: true, a: Number(a), b: Number(b), c: Number(c) };
    return { small: false, a, b, c };
  }

  const printedFills = { any: [ZERO, ONE], zero: [ZERO], one: [ONE], skip: [], exclude: [] };

  // the inequalities of a group; null if it can have no counts
  function inequalities(given, group) {
    const list = [[-1n, 1n, 0n], [1n, -1n, group.others]];
    if (given.sets === 1) {
      for (const claim of given.claims) {
        if (claim.score === null || claim.cls !== group.cls) continue;
        const top = S.formOf(claim.score.top, group);
        const bottom = S.formOf(claim.score.bottom, group);
        list.push(top.map((x, i) => claim.low.d * x - claim.low.n * bottom[i]));
        list.push(top.map((x, i) => claim.high.n * bottom[i] - claim.high.d * x));
        const filled = printedFills[given.undefined].some((x) => claim.low.le(x) && claim.high.ge(x));
        if (filled || bottom[0] !== 0n) continue;
        if (bottom[1] === 0n && bottom[2] === 0n) return null;
        list.push([0n, bottom[1], bottom[2] - 1n]);
      }
    }
    return list.map(([a, b, c]) => inequality(group, a, b, c));
  }

  // ends that k T + c >= 0 leaves to a range
  function meetLine(range, k, c) {
    if (k.sign() > 0) range[0] = S.max(range[0], c.neg().div(k).ceil());
    else if (k.sign() < 0) range[1] = S.min(range[1], c.div(k.neg()).floor());
    else if (c.sign() < 0) return false;
    return true;
  }

  // a mean as a line in T: [slope, constant], or null if it is none
  function lineOf(given, claim) {
    if (claim.score.beta !== null) return null;
    const N = given.sums[0];
    const k = BigInt(given.groups.length);
    let [slope, inQ, constant] = [null, null, ZERO];
    for (const group of given.groups) {
      const top = S.formOf(claim.score.top, group);
      const bottom = S.formOf(claim.score.bottom, group);
      const weight = claim.average === "macro" ? fraction(1n, k) : fraction(group.n, N);
      if (bottom[0] !== 0n || bottom[1] !== 0n || (bottom[2] === 0n && weight.sign() !== 0)) return null;
      const per = weight.sign() === 0 ? ZERO : weight.div(fraction(bottom[2]));
      const [a, b] = [per.times(top[0]), per.times(top[1])];
      if (group.n > 0n) {
        if (slope !== null && !slope.eq(a)) return null;
        slope = a;
      }
      if (inQ !== null && !inQ.eq(b)) return null;
      inQ = b;
      constant = constant.add(per.times(top[2]));
    }
    return [slope, inQ.times(N).add(constant)];
  }

  // the range of T that a claim about one matrix leaves
  function narrowedRight(given, range) {
    const N = given.sums[0];
    for (const claim of given.claims) {
      let lines = null; // low: slope and constant of value - low, times something positive; high likewise
      if (claim.score === null) {
        if (claim.name === "acc") {
          const line = (end, sign) => [fraction(sign, N), end.times(-sign)];
          lines = [line(claim.low, 1n), line(claim.high, -1n)];
        }
      } else if (claim.average === "micro") {
        const sums = ["top", "bottom"].map((part) => {
          const forms = given.groups.map((group) => S.formOf(claim.score[part], group));
          return [forms[0][0], N * forms[0][1] + forms.reduce((sum, form) => sum + form[2], 0n)].map((x) => fraction(x));
        });
        const line = (end, sign) => [0, 1].map((i) => sums[0][i].sub(end.mul(sums[1][i])).times(sign));
        lines = [line(claim.low, 1n), line(claim.high, -1n)];
      } else if (claim.average !== null) {
        const mean = lineOf(given, claim);
        if (mean !== null) lines = [[mean[0], mean[1].sub(claim.low)], [mean[0].neg(), claim.high.sub(mean[1])]];
      }
      if (lines !== null && !lines.every(([k, c]) => meetLine(range, k, c))) return [1n, 0n];
    }
    return range[0] > range[1] ? [1n, 0n] : range;
  }

  // the first part: boxes of tp and q for every group, the range of T for every set
  function firstPart(given) {
    const part = { t1: [], t2: [], q1: [], q2: [], right: [] };
    given.lines = given.groups.map((group) => inequalities(given, group));
    given.groups.forEach((group, i) => {
      const none = given.lines[i] === null;
      part.t1.push(none ? 1 : 0);
      part.t2.push(none ? 0 : Number(group.n));
      part.q1.push(0);
      part.q2.push(Number(group.most));
      if (none) given.lines[i] = [];
    });
    part.right = given.sums.map((N) => [0n, N]);
    if (!given.labels) {
      if (given.sets === 1) part.right[0] = narrowedRight(given, part.right[0]);
      else if (given.sums.every((N) => N === given.sums[0])) {
        const all = given.sums[0] * BigInt(given.sets);
        const claim = given.claims.find((c) => c.score === null && c.name === "acc");
        if (claim && claim.low.times(all).ceil() > claim.high.times(all).floor()) part.right[0] = [1n, 0n];
      }
    }
    part.right = part.right.map((range) => range.map(Number));
    return part;
  }

  const copied = (part) => ({
    t1: part.t1.slice(), t2: part.t2.slice(), q1: part.q1.slice(), q2: part.q2.slice(),
    right: part.right.map((range) => range.slice()),
  });

  // one inequality on the box of group i: has it changed? null if nothing is left
  function squeezeBy(line, part, i) {
    let { a, b, c } = line;
    let [t1, t2, q1, q2] = [part.t1[i], part.t2[i], part.q1[i], part.q2[i]];
    const floor = line.small ? floorQuotient : S.floorDiv;
    const [zero, whole] = line.small ? [0, (x) => x] : [0n, BigInt];
    const back = line.small ? (x) => x : (x) => Number(x);
    if (a === zero && b === zero) return c < zero ? null : false;
    if (a !== zero) {
      const m = b * whole(b > zero ? q2 : q1) + c;
      if (a > zero) t1 = Math.max(t1, back(-floor(m, a)));
      else t2 = Math.min(t2, back(floor(m, -a)));
    }
    if (b !== zero) {
      const m = a * whole(a > zero ? t2 : t1) + c;
      if (b > zero) q1 = Math.max(q1, back(-floor(m, b)));
      else q2 = Math.min(q2, back(floor(m, -b)));
    }
    if (t1 > t2 || q1 > q2) return null;
    const changed = t1 !== part.t1[i] || t2 !== part.t2[i] || q1 !== part.q1[i] || q2 !== part.q2[i];
    if (changed) [part.t1[i], part.t2[i], part.q1[i], part.q2[i]] = [t1, t2, q1, q2];
    return changed;
  }

  // false if nothing is left of the box
  function squeeze(lines, extra, part, i) {
    for (let round = 0; round < MOST_SQUEEZES; round += 1) {
      if (part.t1[i] > part.t2[i] || part.q1[i] > part.q2[i]) return false;
      let changed = false;
      for (let j = 0; j <= lines.length; j += 1) {
        const line = j < lines.length ? lines[j] : extra;
        if (line === null) continue;
        const now = squeezeBy(line, part, i);
        if (now === null) return false;
        changed = changed || now;
      }
      if (!changed) break;
    }
    return part.t1[i] <= part.t2[i] && part.q1[i] <= part.q2[i];
  }

  // one round over one set; false if nothing is left
  function narrowSet(given, part, set, members) {
    const N = Number(given.sums[set]);
    let [t1, t2, q1, q2] = [0, 0, 0, 0];
    for (const i of members) {
      t1 += part.t1[i];
      t2 += part.t2[i];
      q1 += part.q1[i];
      q2 += part.q2[i];
    }
    const right = part.right[set];
    right[0] = Math.max(right[0], t1);
    right[1] = Math.min(right[1], t2);
    if (!given.labels) {
      if (q1 > N || q2 < N) return false;
      for (const i of members) right[1] = Math.min(right[1], N - (Number(given.groups[i].n) + part.q1[i] - 2 * part.t2[i]));
    }
    if (right[0] > right[1]) return false;
    for (const i of members) {
      const [own1, own2, ownQ1, ownQ2] = [part.t1[i], part.t2[i], part.q1[i], part.q2[i]];
      part.t1[i] = Math.max(own1, right[0] - (t2 - own2));
      part.t2[i] = Math.min(own2, right[1] - (t1 - own1));
      let extra = null;
      if (!given.labels) {
        part.q1[i] = Math.max(ownQ1, N - (q2 - ownQ2));
        part.q2[i] = Math.min(ownQ2, N - (q1 - ownQ1));
        extra = { small: true, a: 2, b: -1, c: N - right[0] - Number(given.groups[i].n) };
      }
      if (!squeeze(given.lines[i], extra, part, i)) return false;
    }
    return true;
  }

  const sameNumbers = (x, y) => x.every((v, i) => v === y[i]);
  // narrows a part in place; false if nothing is left
  function narrow(given, part, patience) {
    if (given.members === undefined) {
      given.members = given.sums.map((_, set) => given.groups.map((_g, i) => i).filter((i) => given.groups[i].set === set));
    }
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const before = copied(part);
      for (let set = 0; set < given.sets; set += 1) if (!narrowSet(given, part, set, given.members[set])) return false;
      patience.tick(given.groups.length);
      const same = ["t1", "t2", "q1", "q2"].every((key) => sameNumbers(part[key], before[key]));
      if (same && part.right.every((range, i) => sameNumbers(range, before.right[i]))) break;
    }
    return true;
  }

  Object.assign(S, { floorQuotient, firstPart, narrowPart: narrow, copiedPart: copied });
})(globalThis.Scoreproof);
