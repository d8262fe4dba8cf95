// average: a printed mean or deviation of printed rows, after docs/proofs/average.md
(function (S) {
  "use strict";

  const { need, get, fraction, ZERO } = S;
  const KEYS = ["quantity", "rows", "weights", "statistic", "divisor", "claim"];
  const MOST_WEIGHT = 10n ** 40n;
  const MOST_CORNERS = 20_000;
  const MOST_BITS = 20_000;

  // the common denominator of fractions
  function common(list) {
    let d = 1n;
    for (const x of list) {
      if (d % x.d !== 0n) d = S.lcm(d, x.d);
      need(S.bitLength(d) <= MOST_BITS, "the rows have too many digits");
    }
    return d;
  }
  const over = (x, d) => x.n * (d / x.d);

  function read(statement) {
    S.all(statement, "the statement", KEYS);
    const quantity = S.shortText(get(statement, "quantity"), "the quantity");
    const divisor = get(statement, "divisor");
    need(["any", "sample", "population"].includes(divisor), () => "unknown divisor " + S.quoted(divisor));
    const statistic = get(statement, "statistic");
    need(statistic === "mean" || statistic === "deviation", () => "unknown statistic " + S.quoted(statistic));
    const score = S.scoreOf(quantity);
    const most = score === null ? null : score.most;
    const top = statistic === "mean" || (score !== null && score.least !== null && score.least.sign() === 0) ? most : null;
    const rows = S.printedValues(get(statement, "rows"), "a row", statistic === "mean" ? 1 : 2, 10_000, true, most);
    const claim = S.printed(get(statement, "claim"), "the claim", statistic === "mean", top);
    const weights = get(statement, "weights");
    if (weights !== null) {
      need(S.isList(weights) && weights.length === rows.length, "there is not one weight for each row");
      for (const w of weights) need(S.integer(w, "a weight") >= 0n && w <= MOST_WEIGHT, "a weight is out of range");
      need(weights.some((w) => w > 0n), "a weight is out of range");
    }
    return { quantity, divisor, statistic, rows, claim, weights };
  }

  function mean({ quantity, rows, claim, weights }, proof) {
    S.keys(proof, "the proof", ["kind"]);
    const d = common([...rows.flatMap((row) => [row.low, row.high]), claim.low, claim.high]);
    const w = weights || rows.map(() => 1n);
    const total = w.reduce((sum, x) => sum + x, 0n);
    const at = (end) => fraction(rows.reduce((sum, row, i) => sum + w[i] * over(row[end], d), 0n), d * total);
    const [least, greatest] = [at("low"), at("high")];
    need(claim.high.lt(least) || claim.low.gt(greatest), "the rows may have this mean");
    return "Proved: no " + rows.length + " values of " + quantity + " that print as the rows have a mean" + (weights ? " weighted by " + weights.join(", ").slice(0, 80) : "") +
      " that prints as " + S.shown(claim) + ". Their means lie between " + S.decimal(least) + " and " + S.decimal(greatest) + ".";
  }

  // printed too small: a plane below the sum of squares shows that it cannot be so small
  function below(rows, k, high, slopes) {
    need(S.isList(slopes) && slopes.length === rows.length, "there is not one slope for each row");
    const y = slopes.map((slope) => S.number(slope, "a slope"));
    const d = common([...rows.flatMap((row) => [row.low, row.high]), ...y]);
    const whole = y.map((slope) => over(slope, d));
    need(whole.reduce((sum, slope) => sum + slope, 0n) === 0n, "the slopes do not sum to 0");
    let least = 0n; // times d^2
    rows.forEach((row, i) => {
      const x = over(whole[i] > 0n ? row.low : row.high, d);
      least += 2n * whole[i] * x - whole[i] * whole[i];
    });
    need(fraction(least, d * d).gt(high.mul(high).times(k)), "the rows may have a deviation as small as this");
  }

  // the sums over a width's rows, the j with the smallest middles down and the others up, for every j: [sum, squares]
  function corners(rows) {
    const sorted = [...rows].sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0));
    let sum = 0n;
    let squares = 0n;
    for (const [, high] of sorted) {
      sum += high;
      squares += high * high;
    }
    const out = [[sum, squares]];
    for (const [low, high] of sorted) {
      sum += low - high;
      squares += low * low - high * high;
      out.push([sum, squares]);
    }
    return out;
  }

  // the greatest sum of squared distances from the mean of rows as whole ends [low, high]
  function greatest(rows, patience) {
    const n = BigInt(rows.length);
    const most = (sums) => sums.reduce((best, [sum, squares]) => S.max(best, n * squares - sum * sum), 0n);
    const widths = new Map();
    for (const row of rows) {
      const width = row[1] - row[0];
      if (!widths.has(width)) widths.set(width, []);
      widths.get(width).push(row);
    }
    let count = 1;
    for (const own of widths.values()) count *= own.length + 1;
    if (count > MOST_CORNERS) {
      // all as wide as the widest, about their middles: doubled, so that ends stay whole
      const widest = [...widths.keys()].reduce(S.max);
      const wide = rows.map(([low, high]) => [low + high - widest, low + high + widest]);
      return fraction(most(corners(wide)), 4n * n);
    }
    let sums = [[0n, 0n]];
    for (const own of widths.values()) {
      const added = corners(own);
      sums = sums.flatMap(([sum, squares]) => added.map(([s, q]) => [sum + s, squares + q]));
      patience.tick(sums.length);
    }
    return fraction(most(sums), n);
  }

  function above(rows, k, low, patience) {
    const d = common(rows.flatMap((row) => [row.low, row.high]));
    const most = greatest(rows.map((row) => [over(row.low, d), over(row.high, d)]), patience);
    need(most.div(fraction(d * d)).lt(low.mul(low).times(k)), "the rows may have a deviation as large as this");
  }

  function deviation({ quantity, divisor, rows, claim, weights }, proof, patience) {
    S.keys(proof, "the proof", ["kind", "cases"]);
    need(weights === null, "a standard deviation has no weights");
    need(claim.high.sign() >= 0, "a standard deviation is negative");
    const n = BigInt(rows.length);
    const divisors = divisor === "any" ? ["sample", "population"] : [divisor];
    const cases = get(proof, "cases");
    need(S.isList(cases) && cases.length === divisors.length, "there is not one case for each divisor");
    cases.forEach((each, i) => {
      S.keys(each, "a case", ["divisor", "side", "slopes"]);
      need(get(each, "divisor") === divisors[i], "a case is about another divisor");
      const k = divisors[i] === "sample" ? n - 1n : n;
      if (get(each, "side") === "below") return below(rows, k, claim.high, get(each, "slopes"));
      need(get(each, "side") === "above" && get(each, "slopes") === null, "a case names no side");
      return above(rows, k, claim.low.max(ZERO), patience);
    });
    const how = { any: "n or n - 1", sample: "n - 1", population: "n" }[divisor];
    return "Proved: no " + n + " values of " + quantity + " that print as the rows have a standard deviation, with " + how +
      " in the denominator, that prints as " + S.shown(claim) + ".";
  }

  function check(statement, proof, patience) {
    const given = read(statement);
    const kind = get(proof, "kind");
    need(kind === given.statistic, () => "a proof of kind " + S.quoted(kind) + " for a " + given.statistic);
    return kind === "mean" ? mean(given, proof) : deviation(given, proof, patience);
  }

  S.kinds.average = { keys: KEYS, check };
})(globalThis.Scoreproof);
