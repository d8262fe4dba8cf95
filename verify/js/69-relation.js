// relation: a printed number that is said to be a formula of printed parts, after docs/proofs/relation.md
(function (S) {
  "use strict";

  const { need, get, fraction, ZERO, ONE } = S;
  const KEYS = ["relation", "formula", "bound", "parts", "weights", "complements", "factor", "offset", "root", "size", "claim"];
  const BOUNDS = { equal: "prints as", most: "is not below", least: "is not above" };

  const MOST_BITS = 400_000;

  // ranges are kept as [numerator, denominator], as they are: common divisors of long numbers take long to find
  const power = (x, k) => [x.n ** k, x.d ** k];
  const below = (a, b) => a[0] * b[1] < b[0] * a[1];
  const times = (a, b) => [a[0] * b[0], a[1] * b[1]];
  const sum = (list) => list.reduce(([n, d], x) => (x.d === d ? [n + x.n, d] : [n * x.d + x.n * d, d * x.d]), [0n, 1n]);
  const bits = (x) => S.bitLength(x.n) + S.bitLength(x.d);

  function short(spans, weights, powers) {
    let all = 0n;
    spans.forEach(([low, high], i) => {
      const w = weights[i];
      need(!powers || (w.d === 1n && w.abs().le(fraction(4n))), "an exponent is out of range");
      const ends = BigInt(bits(low) + bits(high));
      all += powers ? ends * S.abs(w.n) : ends + BigInt(bits(w));
    });
    need(all <= MOST_BITS, "the parts have too many digits");
  }

  function listed(list, what, count, mayLack) {
    need(S.isList(list) && list.length === count, () => "there is not " + what + " for each part");
    return list.map((x) => (x === null && mayLack ? null : S.number(x, what)));
  }

  // where each part, or what it leaves of its complement, lies: [low, high]
  function spansOf(parts, complements, clipped) {
    return parts.map((part, i) => {
      let [low, high] = [part.low, part.high];
      if (complements[i] !== null) [low, high] = [complements[i].sub(high), complements[i].sub(low)];
      need(!clipped || high.sign() >= 0, "a part is negative");
      return [clipped ? low.max(ZERO) : low, high];
    });
  }

  // the least value of v and the greatest one, null if there is none
  const RANGES = {
    linear(spans, weights) {
      const at = (rising) => sum(spans.map(([low, high], i) => weights[i].mul(weights[i].sign() > 0 === rising ? high : low)));
      return [at(false), at(true)];
    },
    product(spans, weights) {
      let [least, most, open] = [[1n, 1n], [1n, 1n], false];
      spans.forEach(([low, high], i) => {
        const k = weights[i].n;
        if (k >= 0n) {
          [least, most] = [times(least, power(low, k)), times(most, power(high, k))];
          return;
        }
        need(high.sign() > 0, "a divisor is 0");
        least = times(least, power(ONE.div(high), -k));
        if (low.sign() === 0) open = true;
        else most = times(most, power(ONE.div(low), -k));
      });
      return [least, open ? null : most];
    },
    harmonic(spans, weights) {
      need(weights.every((w) => w.sign() > 0), "a weight is not above 0");
      const whole = sum(weights);
      return [0, 1].map((end) => {
        if (spans.some((span) => span[end].sign() <= 0)) return [0n, 1n];
        const [n, d] = sum(spans.map((span, i) => weights[i].div(span[end])));
        return [whole[0] * d, whole[1] * n];
      });
    },
  };

  // the numbers of the formula: what it is called is the word of whoever wrote the statement
  function told(statement, keys) {
    const values = (key) => [...new Set([].concat(get(statement, key)).map(S.quoted))].join(", ").slice(0, 80);
    return keys.map((key) => key + " " + values(key)).join("; ").replaceAll("'", "");
  }

  function check(statement, proof) {
    S.all(statement, "the statement", KEYS);
    const name = S.shortText(get(statement, "relation"), "the relation");
    const formula = get(statement, "formula");
    need(["linear", "product", "harmonic", "share"].includes(formula), () => "unknown formula " + S.quoted(formula));
    const bound = get(statement, "bound");
    need(["equal", "most", "least"].includes(bound), () => "unknown bound " + S.quoted(bound));
    const share = formula === "share";
    const parts = S.printedValues(get(statement, "parts"), "a part", share ? 0 : 1, share ? 0 : 1_000);
    const weights = listed(get(statement, "weights"), "a weight", parts.length, false);
    const complements = listed(get(statement, "complements"), "a complement", parts.length, true);
    const factor = S.number(get(statement, "factor"), "the factor");
    const offset = S.number(get(statement, "offset"), "the offset");
    need(factor.sign() !== 0, "the factor is 0");
    const root = S.integer(get(statement, "root"), "the root");
    need(root >= 1n && root <= (formula === "product" ? 64n : 1n), "the root is out of range");
    const claim = S.printed(get(statement, "claim"), "the claim");
    S.keys(proof, "the proof", ["kind"]);
    need(get(proof, "kind") === formula, () => "a proof of kind " + S.quoted(get(proof, "kind")) + " for a " + formula + " formula");
    let low = bound === "least" ? null : claim.low.sub(offset).div(factor);
    let high = bound === "most" ? null : claim.high.sub(offset).div(factor);
    if (factor.sign() < 0) [low, high] = [high, low];
    if (share) {
      const size = S.integer(get(statement, "size"), "the size");
      need(size >= 1n && size <= 10n ** 15n, "the size is out of range");
      const first = low === null ? 0n : S.max(0n, low.times(size).ceil());
      const last = high === null ? size : S.min(size, high.times(size).floor());
      need(first > last, "a whole number of cases is such a share");
      const how = told(statement, ["factor", "offset"]);
      return "Proved: no whole number of " + size + " cases is a share (" + how + ") that " + BOUNDS[bound] + " " + S.shown(claim) + ".";
    }
    need(get(statement, "size") === null, "only a share has a size");
    const spans = spansOf(parts, complements, formula !== "linear");
    short(spans, weights, formula === "product");
    const [least, most] = RANGES[formula](spans, weights);
    const small = high !== null && ((root > 1n && high.sign() < 0) || below(power(high, root), least));
    const large = low !== null && most !== null && !(root > 1n && low.sign() < 0) && below(most, power(low, root));
    need(small || large, "the parts may give this value");
    const how = told(statement, ["weights", "complements", "root", "factor", "offset"]);
    const what = parts.length + " values that print as the parts have a " + formula + " " + S.quoted(name) + " (" + how + ")";
    return "Proved: no " + what + " that " + BOUNDS[bound] + " " + S.shown(claim) + ".";
  }

  S.kinds.relation = { keys: KEYS, check };
})(globalThis.Scoreproof);
