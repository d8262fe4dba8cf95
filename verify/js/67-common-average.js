// common_average: means over the same parts, whatever they are, after docs/proofs/common_average.md
(function (S) {
  "use strict";

  const { need, get, fraction, ZERO, ONE } = S;
  const KEYS = ["experiment", "scores", "undefined", "spread", "divisor"];
  const PLAIN = ["ppv", "sens", "npv", "spec", "acc", "ji"];
  const SPREADS = ["deviation", "error", "ignore"];
  const DIVISORS = ["any", "population", "sample"];
  const TWO = fraction(2n);
  const HALF = fraction(1n, 2n);

  function read(statement) {
    S.all(statement, "the statement", KEYS);
    const experiment = get(statement, "experiment");
    S.keys(experiment, "the experiment", ["type", "parts"]);
    need(get(experiment, "type") === "common_average", "the experiment is not a common average");
    const m = get(experiment, "parts");
    if (m !== null) need(S.integer(m, "the parts") >= 1n && m <= 10n ** 9n, "the number of parts is out of range");
    const undefined_ = get(statement, "undefined");
    need(undefined_ === "any" || undefined_ === "exclude", "over unknown parts a 0/0 counts, or there is none");
    const spread = get(statement, "spread");
    need(SPREADS.includes(spread), "unknown spread");
    const divisor = get(statement, "divisor");
    need(DIVISORS.includes(divisor), "unknown divisor");
    const claims = S.scores(get(statement, "scores"));
    for (const { score } of claims) {
      const known = PLAIN.includes(score.name) || score.harmonic !== null || (undefined_ === "exclude" && ["bacc", "bm"].includes(score.name));
      need(known, () => "nothing is known about means of " + S.cut(score.name, 40) + " over unknown parts");
    }
    if (spread !== "ignore" && claims.some((c) => c.spread !== null)) {
      need(m !== 1n, "one part has no deviation");
      need(spread !== "error" || m !== null, "a standard error needs the number of parts");
    }
    return { m, spread, divisor, claims };
  }

  const claimOf = (given, name) => given.claims.find((c) => c.score.name === name) || null;

  // within what a mean lies
  function span(given, name) {
    const claim = claimOf(given, name);
    const least = name === "bm" ? ONE.neg() : ZERO;
    return claim === null ? { low: least, high: ONE } : { low: claim.low.max(least), high: claim.high.min(ONE) };
  }

  function variance(given, name) {
    const claim = claimOf(given, name);
    const { m, spread, divisor } = given;
    need(claim !== null, "the proof is about a score that is not claimed");
    need(claim.spread !== null && spread !== "ignore", () => "nothing is said of the deviation of " + name);
    const sample = m === null ? null : fraction(m - 1n, m);
    const lower = divisor === "population" ? ONE : sample || HALF;
    const upper = divisor === "sample" && sample ? sample : ONE;
    const times = spread === "error" ? m : 1n;
    const { low, high } = claim.spread;
    return { low: lower.mul(low).mul(low).times(times), high: upper.mul(high).mul(high).times(times) };
  }

  // the weighted harmonic mean, b the squared beta
  const harmonic = (b, x, y) => (x.sign() === 0 || y.sign() === 0 ? ZERO : ONE.add(b).mul(x).mul(y).div(b.mul(x).add(y)));
  const toJi = (x) => x.div(TWO.sub(x));
  const toF1 = (x) => TWO.mul(x).div(ONE.add(x));

  // the mean over m parts of which all are 0 or 1 but one
  function corner(curve, m, x) {
    const sum = x.times(m);
    const whole = fraction(sum.floor());
    return whole.add(curve(sum.sub(whole))).div(fraction(m));
  }

  // the least mean of H over m parts with these means of precision and recall
  function leastHarmonic(b, m, x, y) {
    const [A, B] = [x.times(m).floor(), y.times(m).floor()];
    const [alpha, beta] = [x.times(m).sub(fraction(A)), y.times(m).sub(fraction(B))];
    let best = null;
    // the ones that are left, on the parts that are left, and what the odd values give
    const tryOut = (ones, others, left, odd) => {
      if (ones < 0n || others < 0n || ones > left || others > left) return;
      const sum = odd.add(fraction(S.max(0n, ones + others - left)));
      if (best === null || sum.lt(best)) best = sum;
    };
    tryOut(A, B, m - 1n, harmonic(b, alpha, beta));
    for (const r of [0n, 1n]) {
      for (const s of [0n, 1n]) {
        const own = (alpha.sign() === 0 && r === 0n ? 0n : 1n) + (beta.sign() === 0 && s === 0n ? 0n : 1n);
        tryOut(A - s, B - r, m - own, harmonic(b, alpha, fraction(r)).add(harmonic(b, fraction(s), beta)));
      }
    }
    need(best !== null, "the means are those of no parts");
    return best.div(fraction(m));
  }

  // the end that a relation gives the mean of a score
  function bound(given, claim, relation, below) {
    const { m } = given;
    const { name } = claim.score;
    const end = (other) => span(given, other)[below ? "low" : "high"];
    if (relation === "harmonic") {
      need(claim.score.harmonic !== null, "the relation is one of F-scores");
      const [p, r] = claim.score.harmonic === "tp" ? ["ppv", "sens"] : ["npv", "spec"];
      const [x, y, b] = [end(p), end(r), claim.score.beta];
      if (!below) return harmonic(b, x, y);
      return m === null ? x.add(y).sub(ONE).max(ZERO) : leastHarmonic(b, m, x, y);
    }
    if (relation === "curve") {
      const other = { ji: "f1", f1: "ji" }[name];
      need(other !== undefined && claimOf(given, other) !== null, "the relation is one of f1 and ji");
      const x = end(other);
      if (name === "ji") return below ? toJi(x) : m === null ? x : corner(toJi, m, x);
      return below ? (m === null ? x : corner(toF1, m, x)) : toF1(x);
    }
    if (relation === "overlap" && name === "ji") {
      const [x, y] = [end("ppv"), end("sens")];
      return below ? x.add(y).sub(ONE) : x.min(y);
    }
    if (relation === "rates" && ["acc", "bacc", "bm"].includes(name)) {
      const sum = end("sens").add(end("spec"));
      if (name === "bacc") return sum.mul(HALF);
      return name === "acc" && !below ? sum : sum.sub(ONE);
    }
    const balanced = relation === "balanced" && (name === "acc" || name === "bm");
    if (balanced || (relation === "informed" && name === "acc")) {
      const source = balanced ? "bacc" : "bm";
      need(claimOf(given, source) !== null, () => source + " is not claimed");
      const t = balanced ? end(source).times(2n) : end(source).add(ONE);
      return name === "acc" && !below ? t : t.sub(ONE);
    }
    throw new S.Rejected("unknown relation " + S.quoted(relation) + " of " + name);
  }

  // the end that a parabola under (over) the curve gives
  function parabola(given, name, proof, below) {
    const from = get(proof, "from");
    need((name === "ji" && from === "f1") || (name === "f1" && from === "ji"), "the parabola is not one of f1 and ji");
    const list = get(proof, "coefficients");
    need(S.isList(list) && list.length === 3, "a parabola has three coefficients");
    const [a, b, c] = list.map((x) => S.number(x, "a coefficient"));
    const x = S.number(get(proof, "touch"), "where the parabola touches");
    // numerator - denominator (a + bt + ct²), from the leading coefficient down
    const gap = name === "ji"
      ? [c, b.sub(c.times(2n)), ONE.add(a).sub(b.times(2n)), a.times(-2n)]
      : [c.neg(), b.add(c).neg(), TWO.sub(a).sub(b), a.neg()];
    const k = gap[0];
    need(k.sign() >= 0, "the parabola is on the other side");
    const wanted = below
      ? [k, k.mul(x).times(-2n), k.mul(x).mul(x), ZERO]
      : [k, k.mul(x.times(2n).add(ONE)).neg(), k.mul(x.mul(x).add(x.times(2n))), k.mul(x).mul(x).neg()];
    need(gap.every((g, i) => g.eq(wanted[i])), () => "the parabola is not " + (below ? "below" : "above") + " the curve");
    const M = span(given, from);
    const V = variance(given, from);
    const places = [M.low, M.high];
    if (c.sign() !== 0) {
      const vertex = b.neg().div(c.times(2n));
      if (vertex.gt(M.low) && vertex.lt(M.high)) places.push(vertex);
    }
    const ends = places.flatMap((t) => [V.low, V.high].map((v) => a.add(b.mul(t)).add(c.mul(t.mul(t).add(v)))));
    return ends.reduce((p, q) => (below ? p.min(q) : p.max(q)));
  }

  function why(given, claim, proof) {
    const kind = get(proof, "kind");
    const { name } = claim.score;
    if (kind === "range") {
      S.keys(proof, "the proof", ["kind", "score"]);
      const least = name === "bm" ? ONE.neg() : ZERO;
      need(claim.low.gt(ONE) || claim.high.lt(least), () => name + " may have such a mean");
      return S.shownClaim(claim) + " is outside the range of the score";
    }
    const { low, high } = span(given, name);
    if (kind === "deviation") {
      S.keys(proof, "the proof", ["kind", "score"]);
      need(name !== "bm", "the score may be negative");
      const t = low.gt(HALF) ? low : high.lt(HALF) ? high : HALF;
      need(variance(given, name).low.gt(t.mul(ONE.sub(t))), "the deviation may be as large as this");
      return "values from 0 to 1 with a mean of " + S.shownClaim(claim) + " do not deviate as much as printed";
    }
    const side = get(proof, "side");
    need(side === "below" || side === "above", "the proof names no side");
    const below = side === "below";
    let end;
    if (kind === "bound") {
      S.keys(proof, "the proof", ["kind", "score", "relation", "side"]);
      end = bound(given, claim, get(proof, "relation"), below);
    } else {
      need(kind === "parabola", () => "unknown kind of proof " + S.quoted(kind));
      S.keys(proof, "the proof", ["kind", "score", "side", "from", "touch", "coefficients"]);
      end = parabola(given, name, proof, below);
    }
    need(below ? high.lt(end) : low.gt(end), () => name + " may have such a mean");
    return "the mean of " + name + " is at " + (below ? "least " : "most ") + S.decimal(end);
  }

  function check(statement, proof) {
    const given = read(statement);
    const claim = claimOf(given, get(proof, "score"));
    need(claim !== null, "the proof is about a score that is not claimed");
    const reason = why(given, claim, proof);
    const parts = given.m === null ? "parts" : given.m + " parts";
    return "Proved: no common average over the same " + parts + ", whatever they are, gives " + S.shownClaims(given.claims) + ": " + reason + ".";
  }

  S.kinds.common_average = { keys: KEYS, check };
})(globalThis.Scoreproof);
