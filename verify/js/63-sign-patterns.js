// sign_patterns and mean_ranks: exact tests over pairs, and ranks over data sets
(function (S) {
  "use strict";

  const { need, get } = S;

  const SIDES = { any: "", two: "two-sided ", one: "one-sided " };
  function signPatterns(statement, proof) {
    S.all(statement, "the statement", ["pairs", "sides", "p", "statistic"]);
    const pairs = S.integer(get(statement, "pairs"), "the number of pairs");
    need(pairs >= 1n && pairs <= 1000n, "the number of pairs is out of range");
    const sides = get(statement, "sides");
    need(S.isText(sides) && Object.hasOwn(SIDES, sides), () => "unknown sides " + S.quoted(sides));
    S.keys(proof, "the proof", ["kind"]);
    const p = get(statement, "p") === null ? null : S.printedP(get(statement, "p"));
    const statistic = get(statement, "statistic") === null ? null : S.printed(get(statement, "statistic"), "the statistic");
    const kind = get(proof, "kind");
    if (kind === "sum") {
      need(statistic !== null, "the statement has no sum of ranks");
      need(statistic.low.times(2n).gt(S.fraction(pairs * (pairs + 1n))), "there may be such a sum of ranks");
      return "Proved: the ranks of " + pairs + " pairs do not add up to " + S.shown(statistic) + ".";
    }
    need(kind === "multiple" && p !== null, () => "unknown kind of proof " + S.quoted(kind));
    const patterns = 1n << pairs;
    // two sides mirror each other, so their patterns come in twos
    const step = sides === "two" ? 2n : 1n;
    const first = S.max(1n, S.ceilDiv(p.low.times(patterns).ceil(), step));
    const last = S.floorDiv(S.min(patterns, p.high.times(patterns).floor()), step);
    need(first > last, "so many sign patterns give the p-value");
    return "Proved: no exact " + SIDES[sides] + "test over " + pairs + " pairs gives " + p.words + ": it counts sign patterns among " + patterns + ".";
  }
  S.kinds.sign_patterns = { keys: ["pairs", "sides", "p", "statistic"], check: signPatterns };

  const RANKS = ["methods", "data_sets", "ties", "claims"];
  function meanRanks(statement, proof) {
    S.all(statement, "the statement", RANKS);
    const K = S.integer(get(statement, "methods"), "the number of methods");
    const J = S.integer(get(statement, "data_sets"), "the number of data sets");
    need(K >= 2n && K <= 1000n && J >= 1n && J <= 10n ** 9n, "a number is out of range");
    const ties = get(statement, "ties");
    need(S.isTruth(ties), "ties is neither true nor false");
    const claims = S.printedValues(get(statement, "claims"), "a mean rank", 1, Number(K));
    need(new Set(claims.map((c) => c.name)).size === claims.length, "a method is named twice");
    // sums of ranks in units of 1/u, as ranges [least, most]
    const u = ties ? 2n : 1n;
    const unit = u * J;
    const ranges = claims.map((c) => [S.max(unit, c.low.times(unit).ceil()), S.min(unit * K, c.high.times(unit).floor())]);
    while (ranges.length < Number(K)) ranges.push([unit, unit * K]);
    const where = K + " methods over " + J + " data sets";
    const total = (places, end) => places.reduce((sum, i) => sum + ranges[i][end], 0n);
    const kind = get(proof, "kind");
    if (kind === "fraction") {
      S.keys(proof, "the proof", ["kind", "place"]);
      const place = S.integer(get(proof, "place"), "the place");
      need(place >= 0n && place < BigInt(claims.length), "the proof names no printed mean rank");
      const [least, most] = ranges[Number(place)];
      need(least > most, "there is such a mean rank");
      return "Proved: " + S.shown(claims[Number(place)]) + " is no mean rank of " + where + ".";
    }
    const everyone = (K * (K + 1n)) / 2n;
    if (kind === "total") {
      S.keys(proof, "the proof", ["kind"]);
      const every = ranges.map((_, i) => i);
      need(total(every, 0) > unit * everyone || total(every, 1) < unit * everyone, "the mean ranks may add up");
      return "Proved: the mean ranks of " + where + ", " + S.shownList(claims) + ", do not add up to " + everyone + ".";
    }
    need(kind === "best" || kind === "worst", () => "unknown kind of proof " + S.quoted(kind));
    S.keys(proof, "the proof", ["kind", "places"]);
    const list = get(proof, "places");
    need(S.isList(list) && list.length >= 1 && list.length <= Number(K), "the proof names no methods");
    for (const place of list) S.integer(place, "a place");
    need(list.every((place, i) => place >= 0n && place < K && (i === 0 || place > list[i - 1])), "the places are not in order");
    const places = list.map(Number);
    const m = BigInt(places.length);
    const these = S.shownList(places.filter((i) => i < claims.length).map((i) => claims[i]));
    if (kind === "best") {
      need(total(places, 1) < (unit * m * (m + 1n)) / 2n, "their ranks may be so small");
      return "Proved: of " + where + ", " + these + " are together too small.";
    }
    need(total(places, 0) > unit * (everyone - ((K - m) * (K - m + 1n)) / 2n), "their ranks may be so large");
    return "Proved: of " + where + ", " + these + " are together too large.";
  }
  S.kinds.mean_ranks = { keys: RANKS, check: meanRanks };
})(globalThis.Scoreproof);
