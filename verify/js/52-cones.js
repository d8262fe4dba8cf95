// Rates: no score changes when all four cells (tp, fp, fn, tn) are scaled, so matrices are directions; cones of them are
// kept as their extreme rays and excluded by the forms of claims.
(function (S) {
  "use strict";

  const { need, integer, fraction, ZERO } = S;
  const MOST_STEPS = 500_000;
  const MOST_SIDES = 1000;
  const ROOT = 96n;

  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  const sum = (a, b) => a.map((x, i) => x + b[i]);
  const unit = (i) => [0, 1, 2, 3].map((j) => (i === j ? 1n : 0n));
  const top = (score, [tp, fp, fn, tn]) => score.top(tp, tn, tp + fn, fp + tn);
  const bottom = (score, [tp, fp, fn, tn]) => score.bottom(tp, tn, tp + fn, fp + tn);

  // numerator and denominator double when the cells double
  function isLinear(score) {
    const [x, twice] = [[2n, 3n, 5n, 7n], [4n, 6n, 10n, 14n]];
    return top(score, twice) === 2n * top(score, x) && bottom(score, twice) === 2n * bottom(score, x);
  }

  // ---- cones: rays with the set of sides (a mask) each lies on

  const ALL = { sides: 4, rays: [0, 1, 2, 3].map((i) => ({ v: unit(i), on: 15n ^ (1n << BigInt(i)) })) };

  function met(cone, side) {
    need(cone.sides < MOST_SIDES, "a cone has too many sides");
    const bit = 1n << BigInt(cone.sides);
    const valued = cone.rays.map((ray) => ({ ray, value: dot(side, ray.v) }));
    const rays = [];
    for (const { ray, value } of valued) if (value >= 0n) rays.push(value === 0n ? { v: ray.v, on: ray.on | bit } : ray);
    const above = valued.filter(({ value }) => value > 0n);
    for (const low of valued) {
      if (low.value >= 0n) continue;
      for (const high of above) {
        const common = low.ray.on & high.ray.on;
        // neighbours: no third ray lies on all the sides that both lie on
        if (cone.rays.some((ray) => ray !== low.ray && ray !== high.ray && (ray.on & common) === common)) continue;
        const v = high.ray.v.map((x, i) => high.value * low.ray.v[i] - low.value * x);
        const g = v.reduce(S.gcd, 0n);
        rays.push({ v: v.map((x) => x / g), on: common | bit });
      }
    }
    need(rays.length <= MOST_SIDES, "a cone has too many sides");
    return { sides: cone.sides + 1, rays };
  }

  // ---- forms of claims: values on the rays (linear ones) or on all pairs of rays, over one positive scale

  const pairs = (rays) => rays.flatMap((x, i) => rays.slice(i).map((y) => [x.v, y.v]));
  const polar = (q, x, y) => q(sum(x, y)) - q(x) - q(y);

  function root(x) {
    return fraction(S.isqrt((x.n << (2n * ROOT)) / x.d), 1n << ROOT);
  }

  const X = ([tp, fp, fn, tn]) => tp * tn - fp * fn;
  const G = ([tp, fp, fn, tn]) => (tp + fn) * (fp + tn);
  const H = ([tp, fp, fn, tn]) => (tp + fp) * (fn + tn);

  function correlation(claim, low, rays, t) {
    const all = pairs(rays).map(([x, y]) => [polar(X, x, y), polar(G, x, y), polar(H, x, y)]);
    const bound = low ? claim.low : claim.high;
    const sign = low ? 1n : -1n;
    let alpha;
    let beta;
    if (sign * bound.n > 0n) {
      // the chord of the square root over the ratios H/G that occur
      const ratios = all.filter(([, g]) => g !== 0n).map(([, g, h]) => fraction(h, g));
      const least = ratios.length > 0 ? ratios.reduce((a, b) => a.min(b)) : ZERO;
      const most = ratios.length > 0 ? ratios.reduce((a, b) => a.max(b)) : ZERO;
      if (all.some(([, g, h]) => g === 0n && h > 0n)) [alpha, beta] = [root(least), ZERO];
      else {
        const both = root(least).add(root(most)).add(fraction(4n, 1n << ROOT));
        [alpha, beta] = [root(least.mul(most)).div(both), fraction(1n).div(both)];
      }
    } else {
      need(t !== null, "a step about mcc lacks its t");
      [alpha, beta] = [t.mul(fraction(1n, 2n)), fraction(1n, 2n).div(t)];
    }
    const [a, b] = [bound.mul(alpha), bound.mul(beta)];
    const scale = S.lcm(a.d, b.d);
    const [ka, kb] = [a.n * (scale / a.d), b.n * (scale / b.d)];
    return {
      linear: false,
      scale,
      values: all.map(([x, g, h]) => sign * (scale * x - ka * g - kb * h)),
      bottoms: [all.map(([, g]) => g), all.map(([, , h]) => h)],
    };
  }

  function tangentOf(t) {
    if (t.length === 0) return null;
    for (const x of t) integer(x, "t");
    need(t[0] > 0n && t[1] > 0n, "t is not positive");
    return fraction(t[0], t[1]);
  }

  // the form of a claim at an end, as a step names it; a trim has its weights looked at before the form is worked out
  function formOf(claims, rays, s, end, t, weights = null) {
    integer(s, "a reason");
    need(s >= 0n && s < BigInt(claims.length), "a step names a score that is not reported");
    need(end === "low" || end === "high", "a step names no end of an interval");
    const claim = claims[Number(s)];
    const low = end === "low";
    need(weights === null || !isLinear(claim.score), "a trim names a score that is a half-space already");
    const mcc = claim.score.name === "mcc";
    need(mcc || t.length === 0, "a step gives a t to a score that needs none");
    const tangent = tangentOf(t);
    if (weights !== null) weights();
    if (mcc) return correlation(claim, low, rays, tangent);
    const { n: u, d: v } = low ? claim.from : claim.to;
    const form = (x) => (low ? 1n : -1n) * (v * top(claim.score, x) - u * bottom(claim.score, x));
    const below = (x) => bottom(claim.score, x);
    if (isLinear(claim.score)) return { linear: true, scale: 1n, values: rays.map(({ v: x }) => form(x)), bottoms: [rays.map(({ v: x }) => below(x))] };
    const all = pairs(rays);
    return { linear: false, scale: 1n, values: all.map(([x, y]) => polar(form, x, y)), bottoms: [all.map(([x, y]) => polar(below, x, y))] };
  }

  // negative, or 0 where a denominator is
  const negative = (values, bottoms) => bottoms.some((own) => values.every((x, i) => x < 0n || (x === 0n && own[i] === 0n)));

  function isOut(step, claims, rays) {
    const why = step.slice(1);
    if (why.length === 0) return rays.length === 0;
    if (why.length === 2 || why.length === 4) {
      const form = formOf(claims, rays, why[0], why[1], why.slice(2));
      return negative(form.values, form.bottoms);
    }
    need(why.length === 6, "a step gives no proper reason");
    const first = formOf(claims, rays, why[0], why[1], []);
    const other = formOf(claims, rays, why[2], why[3], []);
    const [k, m] = [integer(why[4], "a multiplier"), integer(why[5], "a multiplier")];
    need(k > 0n && m > 0n && (first.linear === other.linear || first.values.length === other.values.length), "a pair is malformed");
    const values = first.values.map((x, i) => k * x * other.scale + m * other.values[i] * first.scale);
    return negative(values, [...first.bottoms, ...other.bottoms]);
  }

  function trimmed(step, claims, cone) {
    need(step.length === 7 || step.length === 9, "a trim is malformed");
    const [, , , g, l, up, down] = step;
    const form = formOf(claims, cone.rays, step[1], step[2], step.slice(7), () => {
      need(S.isList(g) && S.isList(l), "a trim is malformed");
      for (const x of [...g, ...l, up, down]) integer(x, "a trim");
      need(g.length === 4 && l.length === 4, "a trim is malformed");
      need(l.every((x) => x > 0n) && up > 0n && down > 0n, "a trim has weights that are not positive");
    });
    const holds = pairs(cone.rays).every(([x, y], i) => down * form.scale * (dot(l, x) * dot(g, y) + dot(l, y) * dot(g, x)) >= up * form.values[i]);
    need(holds, "a trim takes away directions it does not exclude");
    return met(cone, g);
  }

  // the half-space of directions with at least (at most) this prevalence
  function prevalenceSide(share, atLeast) {
    const side = [share.d - share.n, -share.n, share.d - share.n, -share.n];
    return atLeast ? side : side.map((x) => -x);
  }

  // how many cones the steps exclude; together they are all directions with these prevalences, [{low, high}]
  function walkCones(steps, claims, prevalences, patience) {
    need(S.isList(steps) && steps.length <= MOST_STEPS, "the proof is not a list of steps");
    let start = ALL;
    for (const { low, high } of prevalences) start = met(met(start, prevalenceSide(low, true)), prevalenceSide(high, false));
    for (const { score, from, to } of claims) {
      if (!isLinear(score)) continue;
      const side = (end, sign) => [0, 1, 2, 3].map((i) => sign * (end.d * top(score, unit(i)) - end.n * bottom(score, unit(i))));
      start = met(met(start, side(from, 1n)), side(to, -1n));
    }
    const stack = [start];
    let at = 0;
    let count = 0;
    while (stack.length > 0) {
      let cone = stack.pop();
      for (;;) {
        patience.at(at, steps.length);
        patience.tick(cone.rays.length * cone.rays.length);
        need(at < steps.length, "the proof ends before every direction is covered");
        const step = steps[at];
        at += 1;
        const malformed = "step " + at + " is malformed";
        need(S.isList(step) && step.length > 0, malformed);
        if (step[0] === "out") {
          need(isOut(step, claims, cone.rays), "step " + at + " does not exclude its cone");
          count += 1;
          break;
        } else if (step[0] === "cut") {
          need(step.length === 5, "a cut is malformed");
          const [i, j, a, b] = step.slice(1).map((x) => integer(x, "a cut"));
          need(i !== j && i >= 0n && i < 4n && j >= 0n && j < 4n && a > 0n && b > 0n, "a cut is malformed");
          const side = [0n, 0n, 0n, 0n];
          side[Number(j)] = a;
          side[Number(i)] = -b;
          stack.push(met(cone, side.map((x) => -x)));
          cone = met(cone, side);
        } else {
          need(step[0] === "trim", malformed);
          cone = trimmed(step, claims, cone);
        }
      }
    }
    need(at === steps.length, "the proof has steps left over");
    return count;
  }

  Object.assign(S, { walkCones });
})(globalThis.Scoreproof);
