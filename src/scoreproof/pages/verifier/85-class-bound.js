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

  // is the bound of group i kept by all its counts? `spent` counts blocks over all steps
  function groupKeeps(given, part, i, sums, bound, spent, patience) {
    const work = prepared(given, i, sums, bound);
    const lines = work.lines.map(({ a, b, c }) => ({ a: BigInt(a), b: BigInt(b), c: BigInt(c) }));
    const stack = [[part.t1[i], part.t2[i], part.q1[i], part.q2[i]].map(BigInt)];
    while (stack.length > 0) {
      const block = cutBlock(lines, stack.pop());
      if (block === null) continue;
      spent.blocks += 1;
      need(spent.blocks <= MOST_BLOCKS, "there are too many blocks to look at");
      patience.tick(4);
      const [t1, t2, q1, q2] = block;
      if (t1 === t2 && q1 === q2) {
        if (valueAt(work, t1, q1) > work.limit) return false;
        continue;
      }
      if (mostOn(work, t1, t2, q1, q2) <= work.limit) continue;
      // a row without hits is apart, since F-scores may be left out there
      if (t1 === 0n && t2 > 0n && work.terms.some((term) => term.missed !== null)) stack.push([0n, 0n, q1, q2], [1n, t2, q1, q2]);
      else if (q1 === 0n && q2 > 0n) stack.push([t1, t2, 0n, 0n], [t1, t2, 1n, q2]);
      else if (t2 - t1 > q2 - q1) stack.push([t1, (t1 + t2) >> 1n, q1, q2], [((t1 + t2) >> 1n) + 1n, t2, q1, q2]);
      else stack.push([t1, t2, q1, (q1 + q2) >> 1n], [t1, t2, ((q1 + q2) >> 1n) + 1n, q2]);
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
