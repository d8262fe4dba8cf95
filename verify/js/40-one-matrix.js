// One confusion matrix: rectangles of the grid of all (tp, tn), each excluded by a claim or by a pair of claims.
(function (S) {
  "use strict";

  const { need, quoted, integer, ZERO, ONE } = S;
  const MOST_STEPS = 5_000_000;

  // A rule is what the walk needs of a claim on the grid p by n: place(t, u) below (-1), in (0), above (1) or 0/0 (null);
  // rises; linear; filled, whether a 0/0 is possible; border(more, rectangle), coefficients or null.
  function ruleOf(claim, p, n, fill) {
    const { score, from, to } = claim;
    return {
      rises: score.rises,
      linear: score.linear,
      filled: fill !== null && S.holds(claim, fill),
      place: (t, u) => S.place(score, from, to, t, u, p, n),
      border: borders(claim, p, n),
    };
  }

  // the coefficients of x², xy, y², x, y, 1 of a polynomial of degree at most two, from its values
  function polynomial(f) {
    const c = f(0n, 0n);
    const xx = (f(2n, 0n) - 2n * f(1n, 0n) + c) / 2n;
    const yy = (f(0n, 2n) - 2n * f(0n, 1n) + c) / 2n;
    const x = f(1n, 0n) - c - xx;
    const y = f(0n, 1n) - c - yy;
    return [xx, f(1n, 1n) - xx - yy - x - y - c, yy, x, y, c];
  }

  function borders(claim, p, n) {
    const { score } = claim;
    const kept = new Map();
    const hits = (t, u) => n * t + p * u - n * p;
    const bottom = (t, u) => score.bottom(t, u, p, n);

    function plain(low, end) {
      const f = polynomial((t, u) => {
        const value = end.d * score.top(t, u, p, n) - end.n * bottom(t, u);
        return low ? value : -value;
      });
      if (score.border === "curved") return f;
      const g = S.gcd(f[3], f[4]);
      return g === 0n ? null : [0n, 0n, 0n, f[3] / g, f[4] / g, S.floorDiv(f[5], g)];
    }
    function signed(low, end) {
      const reached = low ? end.n >= 0n : end.n <= 0n;
      const f = polynomial((t, u) => {
        const x = hits(t, u);
        const value = end.d * x * x - S.abs(end.n) * bottom(t, u);
        return reached ? value : -value;
      });
      return { f, reached };
    }

    return (more, [a, b, c, d]) => {
      if (score.registered) return null;
      const low = more === score.rises; // a rising score wants more at its low end
      const end = low ? claim.from : claim.to;
      if (!kept.has(low)) kept.set(low, score.border === "signed" ? signed(low, end) : plain(low, end));
      const border = kept.get(low);
      if (score.border !== "signed") return border;
      const holds = border.reached || (low ? hits(b, d) <= 0n : hits(a, c) >= 0n);
      return holds ? border.f : null;
    };
  }

  // one claim excludes a rectangle
  function single(rule, [a, b, c, d], flat, fill) {
    const low = rule.place(a, c);
    if (a === b && c === d) return low === null ? !rule.filled : low !== 0;
    const high = rule.place(b, d);
    // without a class: 0/0 at three points of a line is 0/0 throughout
    if (flat && low === null && high === null && rule.place((a + b) / 2n, (c + d) / 2n) === null) return !rule.filled;
    const counts = fill && (flat || !rule.linear);
    if (counts && (low === null || high === null || rule.place(a, d) === null || rule.place(b, c) === null)) return false;
    return rule.rises ? high === -1 || low === 1 : high === 1 || low === -1;
  }

  // a positive combination of two borders is negative throughout
  function pair(first, other, k1, k2, rectangle, fill) {
    const [a, b, c, d] = rectangle;
    if (fill) {
      for (const rule of [first, other]) {
        for (const [t, u] of [[a, c], [a, d], [b, c], [b, d]]) if (rule.place(t, u) === null) return false;
      }
    }
    const more = first.border(true, rectangle);
    const less = other.border(false, rectangle);
    need(more !== null && less !== null, "a pair names a border that does not hold on its rectangle");
    const [f0, f1, f2, f3, f4, f5] = more.map((x, i) => k1 * x + k2 * less[i]);
    const [X, Y, w, h] = [a + b, c + d, b - a, d - c];
    const middle = f0 * X * X + f1 * X * Y + f2 * Y * Y + 2n * f3 * X + 2n * f4 * Y + 4n * f5;
    const slopes = w * S.abs(2n * f0 * X + f1 * Y + 2n * f3) + h * S.abs(2n * f2 * Y + f1 * X + 2n * f4);
    const curves = w * w * S.max(0n, f0) + w * h * S.abs(f1) + h * h * S.max(0n, f2);
    return middle + slopes + curves < 0n;
  }

  function excludes(rules, why, rectangle, flat, fill) {
    for (const x of why) if (why.length === 1 || why.length === 4) integer(x, "a reason");
    const rule = (i) => {
      need(i >= 0n && i < BigInt(rules.length), "a step names a score that is not reported");
      return rules[Number(i)];
    };
    if (why.length === 1) return single(rule(why[0]), rectangle, flat, fill);
    need(why.length === 4, "a step gives no proper reason");
    const [first, other] = [rule(why[0]), rule(why[1])];
    need(why[2] > 0n && why[3] > 0n, "a pair has a multiplier that is not positive");
    return pair(first, other, why[2], why[3], rectangle, fill);
  }

  // the parts axis <= v and axis > v
  function divided([a, b, c, d], axis, v) {
    need(axis === "tp" || axis === "tn", "a step divides along an unknown axis");
    const [low, high] = axis === "tp" ? [a, b] : [c, d];
    need(low <= v && v < high, "a step divides outside its rectangle");
    return axis === "tp" ? [[a, v, c, d], [v + 1n, b, c, d]] : [[a, b, c, v], [a, b, v + 1n, d]];
  }

  // how many rectangles the steps exclude; together they are the whole grid
  function walk(steps, p, n, rules, fill, patience) {
    need(S.isList(steps) && steps.length <= MOST_STEPS, "the proof is not a list of steps");
    const flat = p === 0n || n === 0n;
    const stack = [[0n, p, 0n, n]];
    let at = 0;
    let count = 0;
    while (stack.length > 0) {
      let rectangle = stack.pop();
      for (;;) {
        patience.at(at, steps.length);
        need(at < steps.length, "the proof ends before the whole grid is covered");
        const step = steps[at];
        at += 1;
        const malformed = "step " + at + " is malformed";
        need(S.isList(step) && step.length >= 2, malformed);
        if (step[0] === "out") {
          need(excludes(rules, step.slice(1), rectangle, flat, fill !== null), "step " + at + " does not exclude its rectangle");
          count += 1;
          break;
        }
        if (step[0] === "cut") {
          need(step.length === 3, malformed);
          const [first, second] = divided(rectangle, step[1], integer(step[2], "a cut"));
          stack.push(second);
          rectangle = first;
          continue;
        }
        need(step[0] === "trim" && step.length >= 5 && (step[2] === "below" || step[2] === "above"), malformed);
        const below = step[2] === "below";
        const v = integer(step[3], "a trim");
        const [first, second] = divided(rectangle, step[1], below ? v - 1n : v);
        const [strip, rest] = below ? [first, second] : [second, first];
        need(excludes(rules, step.slice(4), strip, flat, fill !== null), "step " + at + " trims cells it does not exclude");
        count += 1;
        rectangle = rest;
      }
    }
    need(at === steps.length, "the proof has steps left over");
    return count;
  }

  // what a 0/0 counts as in one matrix, or null
  const fillOf = (undefined_) => ({ any: ZERO, zero: ZERO, one: ONE })[undefined_] || null;

  // how many rectangles prove that no matrix of p and n has all claims
  function oneMatrix(proof, p, n, claims, undefined_, patience) {
    S.keys(proof, "the proof", ["kind", "steps", "present"]);
    need(S.get(proof, "kind") === "rectangles", () => "unknown kind of proof " + quoted(S.get(proof, "kind")));
    const fill = fillOf(undefined_);
    const rules = (list) => list.map((claim) => ruleOf(claim, p, n, fill));
    const count = walk(S.get(proof, "steps"), p, n, rules(claims), fill, patience);
    const balanced = claims.findIndex((claim) => claim.score.name === "bacc");
    if (undefined_ === "any" && (p === 0n || n === 0n) && balanced >= 0) {
      // balanced accuracy of a set without a class may be the recall of the other
      const { low, high } = claims[balanced];
      const recall = S.claim(S.scoreOf(p > 0n ? "sens" : "spec"), low, high, {});
      return count + walk(S.get(proof, "present"), p, n, rules(claims.map((claim, i) => (i === balanced ? recall : claim))), fill, patience);
    }
    need(!proof.has("present"), "the proof treats a case that there is not");
    return count;
  }

  const rectanglesCover = (count) => (count === 1 ? "1 rectangle covers" : count + " rectangles cover");

  Object.assign(S, { ruleOf, walk, fillOf, oneMatrix, rectanglesCover, polynomial });
})(globalThis.Scoreproof);
