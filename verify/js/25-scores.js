// The scores of a confusion matrix: quotients in t = tp, u = tn, p, n, in exact numbers and in doubles.
(function (S) {
  "use strict";

  const { need, quoted, fraction, ZERO, ONE } = S;

  // Formulas run on BigInt and on doubles alike; k holds the constants (two, four, and s, r of an F-score) as either.
  const hits = (t, u, p, n) => n * t + p * u - n * p;
  const macroTop = (t, u, p, n) => t * (p + u - t) + u * (n - u + t);
  const TABLE = {
    acc: ["ratio", 1, "linear", 0, 1, (t, u) => t + u, (t, u, p, n) => p + n],
    err: ["ratio", -1, "linear", 0, 1, (t, u, p, n) => p + n - t - u, (t, u, p, n) => p + n],
    sens: ["ratio", 1, "linear", 0, 1, (t) => t, (t, u, p) => p],
    fnr: ["ratio", -1, "linear", 0, 1, (t, u, p) => p - t, (t, u, p) => p],
    spec: ["ratio", 1, "linear", 0, 1, (t, u) => u, (t, u, p, n) => n],
    fpr: ["ratio", -1, "linear", 0, 1, (t, u, p, n) => n - u, (t, u, p, n) => n],
    bm: ["ratio", 1, "linear", -1, 1, hits, (t, u, p, n) => n * p],
    bacc: ["ratio", 1, "linear", 0, 1, (t, u, p, n) => n * t + p * u, (t, u, p, n, k) => k.two * n * p],
    ppv: ["ratio", 1, "straight", 0, 1, (t) => t, (t, u, p, n) => n - u + t],
    fdr: ["ratio", -1, "straight", 0, 1, (t, u, p, n) => n - u, (t, u, p, n) => n - u + t],
    npv: ["ratio", 1, "straight", 0, 1, (t, u) => u, (t, u, p) => p + u - t],
    for: ["ratio", -1, "straight", 0, 1, (t, u, p) => p - t, (t, u, p) => p + u - t],
    ji: ["ratio", 1, "straight", 0, 1, (t) => t, (t, u, p, n) => n + p - u],
    lrp: ["ratio", 1, "straight", 0, null, (t, u, p, n) => n * t, (t, u, p, n) => p * (n - u)],
    lrn: ["ratio", -1, "straight", 0, null, (t, u, p, n) => n * (p - t), (t, u, p) => p * u],
    pt: ["threshold", -1, "straight", 0, 1, (t, u, p, n) => p * (n - u), (t, u, p, n) => p * (n - u) + n * t],
    kappa: ["ratio", 1, "straight", -1, 1, (t, u, p, n, k) => k.two * n * t + k.two * p * u - k.two * n * p,
      (t, u, p, n) => n * n - n * u + n * t + p * p + p * u - p * t],
    upm: ["ratio", 1, "curved", 0, 1, (t, u, p, n, k) => k.four * t * u,
      (t, u, p, n) => u * (n + p - u + t) + t * (n + p + u - t)],
    gm: ["root", 1, "curved", 0, 1, (t, u) => t * u, (t, u, p, n) => n * p],
    fm: ["root", 1, "curved", 0, 1, (t) => t * t, (t, u, p, n) => p * (n - u + t)],
    mk: ["ratio", 1, "curved", -1, 1, hits, (t, u, p, n) => (p + u - t) * (n - u + t)],
    dor: ["ratio", 1, "curved", 0, null, (t, u) => t * u, (t, u, p, n) => (n - u) * (p - t)],
    mcc: ["root", 1, "signed", -1, 1, (t, u, p, n) => {
      const x = hits(t, u, p, n);
      return x * (x < 0 ? -x : x);
    }, (t, u, p, n) => n * p * (n - u + t) * (p + u - t)],
    // averages over both classes; where p is open nothing is said of them, as of registered scores
    "macro ppv": ["ratio", 1, "registered", 0, 1, macroTop, (t, u, p, n, k) => k.two * (n - u + t) * (p + u - t)],
    "macro npv": ["ratio", 1, "registered", 0, 1, macroTop, (t, u, p, n, k) => k.two * (n - u + t) * (p + u - t)],
    "macro f1": ["ratio", 1, "registered", 0, 1, (t, u, p, n, k) => k.two * t * (p + n + u - t) + k.two * u * (p + n + t - u),
      (t, u, p, n, k) => k.two * (p + n + t - u) * (p + n + u - t)],
    "weighted ppv": ["ratio", 1, "registered", 0, 1, (t, u, p, n) => p * t * (p + u - t) + n * u * (n - u + t),
      (t, u, p, n) => (n - u + t) * (p + u - t) * (p + n)],
    "weighted npv": ["ratio", 1, "registered", 0, 1, (t, u, p, n) => n * t * (p + u - t) + p * u * (n - u + t),
      (t, u, p, n) => (n - u + t) * (p + u - t) * (n + p)],
    "weighted f1": ["ratio", 1, "registered", 0, 1, (t, u, p, n, k) => k.two * p * t * (p + n + u - t) + k.two * n * u * (p + n + t - u),
      (t, u, p, n) => (p + n + t - u) * (p + n + u - t) * (p + n)],
    "weighted spec": ["ratio", 1, "registered", 0, 1, (t, u, p, n) => p * p * u + n * n * t, (t, u, p, n) => p * n * (p + n)],
    f: ["ratio", 1, "straight", 0, 1, (t, u, p, n, k) => (k.s + k.r) * t, (t, u, p, n, k) => k.s * p + k.r * (n + t - u)],
    fn: ["ratio", 1, "straight", 0, 1, (t, u, p, n, k) => (k.s + k.r) * u, (t, u, p, n, k) => k.s * n + k.r * (p + u - t)],
  };

  function make(name, row, harmonic, beta) {
    const [link, direction, border, least, most, top, bottom] = row;
    const exact = { two: 2n, four: 4n, s: beta ? beta.n : 0n, r: beta ? beta.d : 0n };
    const floating = { two: 2, four: 4, s: Number(exact.s), r: Number(exact.r) };
    const score = {
      name,
      link, // ratio, root or threshold
      rises: direction > 0,
      border, // linear, straight, curved, signed or registered
      registered: border === "registered",
      linear: border === "linear",
      harmonic, // "tp" or "tn" of an F-score, else null
      beta: beta || null, // the square s / r of an F-score's beta
      least: fraction(BigInt(least)),
      most: most === null ? null : fraction(BigInt(most)),
      top: (t, u, p, n) => top(t, u, p, n, exact),
      bottom: (t, u, p, n) => bottom(t, u, p, n, exact),
      doubleTop: (t, u, p, n) => top(t, u, p, n, floating),
      doubleBottom: (t, u, p, n) => bottom(t, u, p, n, floating),
      // the value in doubles, where the denominator is not 0
      double: (t, u, p, n) => {
        const above = top(t, u, p, n, floating);
        const below = bottom(t, u, p, n, floating);
        const w = above / below;
        if (link === "ratio") return w;
        if (link === "root") return Math.sign(w) * Math.sqrt(Math.abs(w));
        return Math.sqrt(w) / (Math.sqrt(w) + Math.sqrt((below - above) / below));
      },
      // the quotient at which the score has the value v (a fraction)
      inverse: (v) => {
        if (link === "ratio") return v;
        if (link === "root") return v.mul(v.abs());
        if (v.sign() < 0) return fraction(-1n);
        if (v.gt(ONE)) return fraction(2n);
        const rest = ONE.sub(v);
        return v.mul(v).div(v.mul(v).add(rest.mul(rest)));
      },
    };
    return Object.freeze(score);
  }

  const known = new Map();
  for (const name of Object.keys(TABLE)) if (name !== "f" && name !== "fn") known.set(name, make(name, TABLE[name], null, null));

  const F_SCORE = /^f([0-9]{1,60})(?:\.([0-9]{1,60})|\/([0-9]{1,60}))?(n?)$/;
  // the score of a name, or null
  function scoreOf(name) {
    if (!S.isText(name)) return null;
    if (known.has(name)) return known.get(name);
    const match = F_SCORE.exec(name);
    if (match === null) return null;
    const decimals = match[2] || "";
    const bottom = match[3] === undefined ? S.pow10(decimals.length) : BigInt(match[3]);
    if (bottom === 0n) return null;
    const beta = fraction(BigInt(match[1] + decimals), bottom);
    if (beta.sign() <= 0) return null;
    const negative = match[4] === "n";
    const score = make(name, negative ? TABLE.fn : TABLE.f, negative ? "tn" : "tp", beta.mul(beta));
    known.set(name, score);
    return score;
  }

  // does something while further scores are known, rows of the table by name
  function knowing(rows, action) {
    const names = Object.keys(rows);
    for (const name of names) known.set(name, make(name, rows[name], null, null));
    try {
      return action();
    } finally {
      for (const name of names) known.delete(name);
    }
  }

  // where a score is at a cell, its quotient against [low, high] (ends of the quotient, null if open): -1, 0, 1, or
  // null for 0/0; a quotient by 0 is above everything
  function place(score, low, high, t, u, p, n) {
    const top = score.top(t, u, p, n);
    const bottom = score.bottom(t, u, p, n);
    if (bottom === 0n) return top === 0n ? null : 1;
    if (low !== null && top * low.d < low.n * bottom) return -1;
    return high !== null && top * high.d > high.n * bottom ? 1 : 0;
  }

  // a claim: a score with an interval; from and to are the ends of its quotient
  function claim(score, low, high, more) {
    return { score, low, high, from: score.inverse(low), to: score.inverse(high), ...more };
  }

  // a list of claimed scores
  function scores(x) {
    need(S.isList(x) && x.length >= 1 && x.length <= 100, "the statement names no scores");
    const out = x.map((entry) => {
      S.keys(entry, "a score", ["score", "name", "text", "rounding", "eps"]);
      const name = S.get(entry, "name");
      need(!entry.has("name") || S.isText(name), "the name of a score is not a text");
      const [text, rounding, eps] = ["text", "rounding", "eps"].map((key) => S.get(entry, key));
      const score = scoreOf(S.get(entry, "score"));
      need(score !== null, () => unknownScore(S.get(entry, "score")));
      const { low, high } = S.interval(text, rounding, eps, true, score.most);
      return claim(score, low, high, { text, spread: S.spread(text, rounding, eps) });
    });
    need(new Set(out.map((c) => c.score.name)).size === out.length, "a score is named twice");
    return out;
  }
  const unknownScore = (name) => "the score " + quoted(name) + " is not one the verifier knows";

  const shownClaim = (c) => c.score.name + " " + S.shown(c);
  const shownClaims = (list) => list.map(shownClaim).join(", ");

  // does the interval of a claim hold a value of the score (a fraction)?
  const holds = (c, value) => c.low.le(value) && c.high.ge(value);

  Object.assign(S, { scoreOf, knowing, place, claim, scores, unknownScore, shownClaim, shownClaims, holds, FILLS: { zero: ZERO, one: ONE } });
})(globalThis.Scoreproof);
