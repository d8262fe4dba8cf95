// The step "bound" of proofs about several classes: no counts of a group exceed its bound
(function (S) {
  "use strict";

  const { need, fraction, ZERO } = S;
  const MOST_BLOCKS = 4_000_000;
  const FINE = 1n << 24n;

  // what a group adds, in whole multiples of 1/(2^24 L)
  function prepared(given, i, sums, bound) {
    const group = given.groups[i];
    const scores = [...sums.scores.values()].filter(({ x }) => x.sign() !== 0);
    let L = S.lcm(S.lcm(sums.tp.d, sums.q.d), sums.squares.d);
    for (const { x } of scores) L = S.lcm(L, x.d);
    const unit = FINE * L;
    const whole = (x) => x.n * (unit / x.d);
    const loose = given.undefined === "any" || given.undefined === "skip";
    const terms = scores.map(({ score, upper, x }) => {
      const C = whole(x);
      // what a 0/0 adds, and what an F-score of a class without hits may add besides
      const open = given.undefined === "zero" ? 0n : given.undefined === "one" ? C : S.max(0n, C);
      const missed = loose && score.beta !== null ? S.max(0n, upper.max(ZERO).times(C).ceil()) : null;
      return { C, top: S.formOf(score.top, group), bottom: S.formOf(score.bottom, group), good: score.good, open, missed };
    });
    const limit = bound * unit;
    return { group, lines: given.lines[i], tp: whole(sums.tp), q: whole(sums.q), squares: whole(sums.squares), terms, limit };
  }

  // a term at one cell
  function termAt({ C, top, bottom, open, missed }, tp, q) {
    const below = S.formAt(bottom, tp, q);
    let value = below === 0n ? open : S.ceilDiv(C * S.formAt(top, tp, q), below);
    if (missed !== null && tp === 0n && missed > value) value = missed;
    return value;
  }

  // a term at its most on a block: at a corner, since scores rise with tp and fall with q or the other way round
  function termMost(term, t1, t2, q1, q2) {
    const { C, top, bottom, good, open, missed } = term;
    const many = good === C > 0n;
    const [tp, q] = many ? [t2, q1] : [t1, q2];
    const below = S.formAt(bottom, tp, q);
    const ceiling = C > 0n ? C : 0n;
    // where a denominator may be 0 (or the corner is no cell) a score is anything from 0 to 1
    let value = ceiling;
    if (below > 0n) {
      const above = C * S.formAt(top, tp, q);
      const there = S.ceilDiv(above, below);
      if (there < value) value = there;
    }
    const least = S.min(S.formAt(bottom, t1, q1), S.min(S.formAt(bottom, t1, q2), S.min(S.formAt(bottom, t2, q1), S.formAt(bottom, t2, q2))));
    if (least <= 0n && open > value) value = open;
    if (missed !== null && t1 === 0n && missed > value) value = missed;
    return value;
  }

  // q b + q² e at its most
  function quadraticMost(b, e, q1, q2) {
    const at = (q) => q * (b + e * q);
    let most = S.max(at(q1), at(q2));
    if (e < 0n) {
      const vertex = S.floorDiv(b, -2n * e);
      for (const q of [vertex, vertex + 1n]) if (q > q1 && q < q2) most = S.max(most, at(q));
    }
    return most;
  }

  function mostOn(work, t1, t2, q1, q2) {
    let sum = (work.tp > 0n ? work.tp * t2 : work.tp * t1) + quadraticMost(work.q, work.squares, q1, q2);
    for (const term of work.terms) sum += termMost(term, t1, t2, q1, q2);
    return sum;
  }
  // A closer bound where all denominators are positive: for one q a score whose denominator does not depend on tp is
  // linear in tp, so one of the two ends of tp is at least as good; and along q each such term is convex, below its
  // chord, or concave, below a tangent, and a sum of lines is greatest at an end. Other terms are taken at their most.
  function mostAlong(work, t1, t2, q1, q2) {
    const middle = (q1 + q2) >> 1n;
    let apart = BigInt(work.terms.length); // each term is rounded up by less than one
    const bent = [];
    for (const term of work.terms) {
      const { bottom } = term;
      const straight = bottom[0] === 0n && (term.missed === null || t1 > 0n);
      if (!straight || bottom[1] * q1 + bottom[2] <= 0n || bottom[1] * q2 + bottom[2] <= 0n) apart += termMost(term, t1, t2, q1, q2);
      else bent.push(term);
    }
    let most = null;
    for (const t of [t1, t2]) {
      for (const q of [q1, q2]) {
        let sum = work.tp * t + apart;
        // a parabola: below its chord if it is convex, else below its tangent at the middle
        sum += work.squares >= 0n ? q * (work.q + work.squares * q) : work.q * q + work.squares * (2n * middle * q - middle * middle);
        for (const { C, top, bottom } of bent) {
          const [a, b, d, e] = [top[1], top[0] * t + top[2], bottom[1], bottom[2]];
          const turn = C * (b * d - a * e); // the slope is -turn / denominator², the bend has the sign of turn times d
          if (turn * d >= 0n) sum += S.ceilDiv(C * (a * q + b), d * q + e);
          else {
            const below = d * middle + e;
            sum += S.ceilDiv(C * (a * middle + b) * below - turn * (q - middle), below * below);
          }
        }
        if (most === null || sum > most) most = sum;
      }
    }
    return most;
  }

  function valueAt(work, tp, q) {
    let sum = work.tp * tp + q * (work.q + work.squares * q);
    for (const term of work.terms) sum += termAt(term, tp, q);
    return sum;
  }

  // one pass of a group's inequalities over a block; null if nothing is left
  function cutBlock(lines, block) {
    let [t1, t2, q1, q2] = block;
    for (const { a, b, c } of lines) {
      const m = b * (b > 0n ? q2 : q1) + c;
      if (a > 0n) t1 = S.max(t1, -S.floorDiv(m, a));
      else if (a < 0n) t2 = S.min(t2, S.floorDiv(m, -a));
      const k = a * (a > 0n ? t2 : t1) + c;
      if (b > 0n) q1 = S.max(q1, -S.floorDiv(k, b));
      else if (b < 0n) q2 = S.min(q2, S.floorDiv(k, -b));
      else if (a === 0n && c < 0n) return null;
      if (t1 > t2 || q1 > q2) return null;
    }
    return [t1, t2, q1, q2];
  }

  // a block in two, along the axis on which what it adds differs more
  function halves(work, [t1, t2, q1, q2], most) {
    // a row without hits is apart, since F-scores may be left out there, and one that is never given, for its 0/0
    if (t1 === 0n && t2 > 0n && work.terms.some((term) => term.missed !== null)) return [[0n, 0n, q1, q2], [1n, t2, q1, q2]];
    if (q1 === 0n && q2 > 0n && work.terms.length > 0) return [[t1, t2, 0n, 0n], [t1, t2, 1n, q2]];
    const byTp = t1 === t2 ? -1n : most - S.max(mostOn(work, t1, t1, q1, q2), mostOn(work, t2, t2, q1, q2));
    const byQ = q1 === q2 ? -1n : most - S.max(mostOn(work, t1, t2, q1, q1), mostOn(work, t1, t2, q2, q2));
    if (byTp > byQ || (byTp === byQ && t2 - t1 > q2 - q1)) return [[t1, (t1 + t2) >> 1n, q1, q2], [((t1 + t2) >> 1n) + 1n, t2, q1, q2]];
    return [[t1, t2, q1, (q1 + q2) >> 1n], [t1, t2, ((q1 + q2) >> 1n) + 1n, q2]];
  }

  // is the bound of group i kept by all its counts? `spent` counts blocks over all steps
  function groupKeeps(given, part, i, sums, bound, spent, patience) {
    const work = prepared(given, i, sums, bound);
    const lines = work.lines.map(({ a, b, c }) => ({ a: BigInt(a), b: BigInt(b), c: BigInt(c) }));
    const { n, set } = work.group;
    // the coupling with the other classes: n + q - 2 tp is at most what is wrong
    if (!given.labels) lines.push({ a: 2n, b: -1n, c: given.sums[set] - BigInt(part.right[set][0]) - n });
    const stack = [[part.t1[i], part.t2[i], part.q1[i], part.q2[i]].map(BigInt)];
    while (stack.length > 0) {
      const block = cutBlock(lines, stack.pop());
      if (block === null) continue;
      spent.blocks += 1;
      need(spent.blocks <= MOST_BLOCKS, "there are too many blocks to look at");
      patience.tick(4);
      const [t1, t2, q1, q2] = block;
      const tooMuch = (tp, q) => lines.every(({ a, b, c }) => a * tp + b * q + c >= 0n) && valueAt(work, tp, q) > work.limit;
      if (t1 === t2 && q1 === q2) {
        if (tooMuch(t1, q1)) return false;
        continue;
      }
      const most = mostOn(work, t1, t2, q1, q2);
      if (most <= work.limit || mostAlong(work, t1, t2, q1, q2) <= work.limit) continue;
      if (tooMuch(t1, q1) || tooMuch(t1, q2) || tooMuch(t2, q1) || tooMuch(t2, q2)) return false;
      stack.push(...halves(work, block, most));
    }
    return true;
  }

  // do rows and bounds refute the part?
  function boundPart(given, part, meaning, step, spent, patience) {
    need(step.length === 3 && S.isList(step[2]), "a step is malformed");
    const rows = S.classRows(given, part, meaning, step[1]);
    const bounds = step[2];
    need(bounds.length === given.groups.length, "there is not one bound for each class");
    for (const bound of bounds) S.integer(bound, "a bound");
    const total = bounds.reduce((sum, bound) => sum + bound, 0n);
    need(fraction(total).lt(rows.demand), "the bounds leave room for what is demanded");
    bounds.forEach((bound, i) => {
      need(groupKeeps(given, part, i, rows.groups[i], bound, spent, patience), "a class can have more than its bound");
    });
  }

  Object.assign(S, { boundPart });
})(globalThis.Scoreproof);
