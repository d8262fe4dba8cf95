// proportion_interval: a proportion with its interval, after docs/proofs/proportion_interval.md
(function (S) {
  "use strict";

  const { need, get, ZERO, ONE, fraction } = S;
  const KEYS = ["n", "level", "method", "claims"];
  const NAMES = ["low", "value", "high"];
  const MOST_CASES = 10n ** 15n;
  const MOST_TAIL_CASES = 6000n;

  function read(statement) {
    S.all(statement, "the statement", KEYS);
    const n = get(statement, "n");
    if (n !== null) need(S.integer(n, "the number of cases") >= 1n && n <= MOST_CASES, "the number of cases is out of range");
    const method = get(statement, "method");
    need(method === "any" || method === "clopper-pearson", () => "unknown method " + S.quoted(method));
    need(method === "any" || n !== null, "a method is named without the number of cases");
    const level = S.number(get(statement, "level"), "the level");
    need(level.gt(ZERO) && level.lt(ONE), "the level is out of range");
    const list = get(statement, "claims");
    need(S.isList(list) && list.length >= 1 && list.length <= 3, "there are not one to three claims");
    const claims = {};
    for (const entry of list) {
      const isValue = S.isObject(entry) && get(entry, "name") === "value"; // limits may leave the range of a share
      const claim = S.printed(entry, "a claim", false, isValue ? ONE : null);
      need(NAMES.includes(claim.name) && claims[claim.name] === undefined, "a claim is none of value, low and high");
      need(S.bitLength(claim.low.d) <= 2000 && S.bitLength(claim.high.d) <= 2000, "a claim has too many digits");
      claims[claim.name] = claim;
    }
    return { n, method, level, claims };
  }

  const shown = (claims) =>
    ["value", "low", "high"].filter((name) => claims[name]).map((name) => name + " " + S.shown(claims[name])).join("; ");

  // sum of C(n, k) a^k c^(n - k) over k <= x, nested so that every factor is small
  function lowerSum(n, x, a, c, patience) {
    // with binomial = C(n, k): total_k = total_(k-1) c + C(n, k) a^k
    let total = 0n;
    let term = 1n; // C(n, k) a^k
    for (let k = 0n; k <= x; k += 1n) {
      if (k > 0n) term = (term * (n - k + 1n) * a) / k;
      total = total * c + term;
      patience.tick(8);
    }
    return total * c ** (n - x);
  }

  // P(X <= x) against t, X binomial of n with the share s: -1, 0 or 1
  function tailAgainst(n, x, s, t, patience) {
    if (x < 0n) return ZERO.cmp(t);
    if (x >= n) return ONE.cmp(t);
    const [a, c] = [s.n, s.d - s.n];
    const whole = s.d ** n;
    // the side with fewer terms
    const sum = 2n * x < n ? lowerSum(n, x, a, c, patience) : whole - lowerSum(n, n - x - 1n, c, a, patience);
    return S.sign(sum * t.d - t.n * whole);
  }

  // the limits of x against a share: -1 if the limit is below it, 1 if above
  function lowerLimit(n, x, s, t, patience) {
    if (x === 0n) return ZERO.cmp(s);
    if (s.sign() <= 0) return 1;
    if (s.ge(ONE)) return -1;
    // P(X >= x) > t: below. P(X >= x) is P(n - X <= n - x) with the share 1 - s
    return -tailAgainst(n, n - x, ONE.sub(s), t, patience);
  }
  function upperLimit(n, x, s, t, patience) {
    if (x === n) return ONE.cmp(s);
    if (s.sign() <= 0) return 1;
    if (s.ge(ONE)) return -1;
    return tailAgainst(n, x, s, t, patience);
  }

  function tails({ n, level, claims }, proof, first, last, patience) {
    S.keys(proof, "the proof", ["kind", "from"]);
    need(n <= MOST_TAIL_CASES, "there are too many cases");
    const from = S.integer(get(proof, "from"), "the count");
    need(from >= first && from <= last + 1n, "the count is not one that prints as the value");
    const t = ONE.sub(level).div(fraction(2n));
    const { low, high } = claims;
    if (from !== first) {
      const x = from - 1n;
      need(
        (low && lowerLimit(n, x, low.low, t, patience) < 0) || (high && upperLimit(n, x, high.low, t, patience) < 0),
        () => "the limits of " + x + " are not too small"
      );
    }
    if (from <= last) {
      need(
        (low && lowerLimit(n, from, low.high, t, patience) > 0) || (high && upperLimit(n, from, high.high, t, patience) > 0),
        () => "the limits of " + from + " are not too large"
      );
    }
    return "Proved: Clopper and Pearson's limits of no x of " + n + " cases print as stated (" + shown(claims) + ").";
  }

  function check(statement, proof, patience) {
    const read_ = read(statement);
    const { n, method, claims } = read_;
    const kind = get(proof, "kind");
    if (kind === "outside") {
      S.keys(proof, "the proof", ["kind"]);
      const there = NAMES.filter((name) => claims[name]).map((name) => claims[name]);
      const crossed = there.some((claim, i) => there.slice(i + 1).some((later) => claim.low.gt(later.high)));
      need(crossed, "the value may lie within its interval");
      return "Proved: no value that prints so lies within an interval that prints so (" + shown(claims) + ").";
    }
    need(n !== null && claims.value, "the statement names no cases, or no value");
    const first = S.max(0n, claims.value.low.times(n).ceil());
    const last = S.min(n, claims.value.high.times(n).floor());
    if (kind === "count") {
      S.keys(proof, "the proof", ["kind"]);
      need(first > last, "a whole number of cases prints as the value");
      return "Proved: no x of " + n + " cases prints as " + S.shown(claims.value) + ".";
    }
    need(kind === "tails" && method === "clopper-pearson", () => "unknown kind of proof " + S.quoted(kind));
    return tails(read_, proof, first, last, patience);
  }

  S.kinds.proportion_interval = { keys: KEYS, check };
})(globalThis.Scoreproof);
