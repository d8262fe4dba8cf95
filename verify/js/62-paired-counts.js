// paired_counts: two rates on the same cases and McNemar's test, after docs/proofs/paired_counts.md
(function (S) {
  "use strict";

  const { need, get } = S;
  const KEYS = ["pairs", "p", "methods"];
  const METHODS = ["exact", "exact, one-sided", "mid-p", "chi2", "chi2-corrected", "chi2-corrected-always"];
  const MOST_CASES = 10n ** 9n;
  const MOST_COUNTS = 300n;
  const MOST_DIFFERENCES = 1300;

  // the numbers of right answers that print as a rate: [first, last, its text]
  function counts(entry, n) {
    if (entry === null) {
      need(n + 1n <= MOST_COUNTS, "a rate stands for too many counts");
      return [0n, n, "any size"];
    }
    const rate = S.printed(entry, "a rate", false, S.ONE);
    let first = S.max(0n, rate.low.times(n).ceil());
    let last = S.min(n, rate.high.times(n).floor());
    if (get(entry, "eps") === null && first <= last) {
      // no rule rounds by a whole unit
      const [least, most] = [S.fraction(first, n), S.fraction(last, n)];
      if (least.eq(rate.low) && rate.value.sub(rate.low).eq(rate.unit)) first += 1n;
      if (most.eq(rate.high) && rate.high.sub(rate.value).eq(rate.unit)) last -= 1n;
    }
    need(last - first + 1n <= MOST_COUNTS, "a rate stands for too many counts");
    return [first, last, S.shown(rate)];
  }

  // of one pair: the ends [s, e] of b for every difference, and its words
  function pairOf(pair) {
    S.keys(pair, "a pair", ["cases", "first", "second"]);
    S.all(pair, "a pair", ["cases", "first", "second"]);
    const n = S.integer(get(pair, "cases"), "the number of cases");
    need(n >= 1n && n <= MOST_CASES, "the number of cases is out of range");
    const [a1, a2, first] = counts(get(pair, "first"), n);
    const [b1, b2, second] = counts(get(pair, "second"), n);
    const ends = new Map();
    for (let a = a1; a <= a2; a += 1n) {
      for (let b = b1; b <= b2; b += 1n) {
        const d = a - b;
        const most = S.min(a, n - b);
        const known = ends.get(d);
        if (known === undefined) ends.set(d, [S.max(0n, d), most]);
        else if (most > known[1]) known[1] = most;
      }
    }
    return { ends, words: "rates of " + first + " and " + second + " on " + n + " cases" };
  }

  function added(first, other) {
    const ends = new Map();
    for (const [d, [s, e]] of first) {
      for (const [d2, [s2, e2]] of other) {
        const known = ends.get(d + d2);
        if (known === undefined) ends.set(d + d2, [s + s2, e + e2]);
        else {
          known[0] = S.min(known[0], s + s2);
          known[1] = S.max(known[1], e + e2);
        }
      }
    }
    return ends;
  }

  // one cut of one difference d, b from s to e: everything before f has too small, everything from f on too large a p
  function cutHolds(method, p, d, s, e, f) {
    if (d === 0n && s === 0n) {
      need(p.high.lt(S.ONE), () => "b = c = 0 has p = 1 (" + method + ")");
      s = 1n;
    }
    if (d === 0n && method === "mid-p") need(p.high.lt(S.ONE), "some give p = 1 for b = c (mid-p)");
    need(f >= s && f <= S.max(e + 1n, s), "a cut lies outside of what the rates allow");
    if (s > e) return;
    const falls = method === "exact, one-sided" && d === 0n;
    const may = (b) => "b = " + b + ", c = " + (b - d) + " may have it (" + method + ")";
    const below = (b) => S.mcnemar(method, b, b - d).high.lt(p.low);
    const above = (b) => S.mcnemar(method, b, b - d).low.gt(p.high);
    if (f > s) need((falls ? above : below)(f - 1n), () => may(f - 1n));
    if (f <= e) need((falls ? below : above)(f), () => may(f));
  }

  function check(statement, proof, patience) {
    S.all(statement, "the statement", KEYS);
    const pairs = get(statement, "pairs");
    need(S.isList(pairs) && (pairs.length === 1 || pairs.length === 2), "the statement does not have one or two pairs of rates");
    const methods = get(statement, "methods");
    need(S.isList(methods) && methods.length > 0 && methods.every((m) => METHODS.includes(m)),
      "the statement names no methods, or an unknown one");
    need(new Set(methods).size === methods.length, "a method is named twice");
    const p = get(statement, "p") === null ? null : S.printedP(get(statement, "p"));
    const read = pairs.map(pairOf);
    const ends = read.map((pair) => pair.ends).reduce(added);
    const rates = read.map((pair) => pair.words).join(" and ");
    const kind = get(proof, "kind");
    if (kind === "counts") {
      S.keys(proof, "the proof", ["kind"]);
      need(ends.size === 0, "there are counts that print as the rates");
      return "Proved: no numbers of right answers print as " + rates + ".";
    }
    need(kind === "cuts" && ends.size > 0, () => "unknown kind of proof " + S.quoted(kind));
    need(p !== null, "the statement has no p-value");
    S.keys(proof, "the proof", ["kind", "cuts"]);
    const cuts = get(proof, "cuts");
    S.keys(cuts, "the cuts", methods);
    need(ends.size <= MOST_DIFFERENCES, "there are too many differences");
    const differences = [...ends.keys()].sort((a, b) => (a < b ? -1 : 1));
    methods.forEach((method, at) => {
      const list = get(cuts, method);
      need(S.isList(list) && list.length === differences.length, () => "there is not one cut for each difference (" + method + ")");
      differences.forEach((d, i) => {
        const [s, e] = ends.get(d);
        cutHolds(method, p, d, s, e, S.integer(list[i], "a cut"));
        patience.at(at * differences.length + i, methods.length * differences.length);
      });
    });
    return "Proved: with " + rates + ", whichever cases both get right, McNemar's test (" + methods.join(", ") + ") does not give " + p.words + ".";
  }

  S.kinds.paired_counts = { keys: KEYS, check };
})(globalThis.Scoreproof);
