// regression: errors, R² and correlations, after docs/proofs/regression.md
(function (S) {
  "use strict";

  const { need, get, fraction, ZERO, ONE } = S;
  const KEYS = ["experiment", "scores", "spread", "divisor"];
  const QUANTITIES = ["mae", "mse", "rmse", "maxe", "medae", "bias", "r2", "adjusted_r2", "ev", "r", "variance"];
  const FROM_ZERO = ["mae", "mse", "rmse", "maxe", "medae", "variance"];
  const TO_ONE = ["r2", "adjusted_r2", "ev", "r"];
  const MOST = 10n ** 12n;

  function readExperiment(experiment) {
    S.keys(experiment, "the experiment", ["type", "n", "folds", "predictors", "integers"]);
    need(get(experiment, "type") === "regression", "the experiment is not one of regression");
    const count = (key, least) => {
      const x = get(experiment, key);
      if (x !== null) need(S.integer(x, key) >= least && x <= MOST, () => key + " is out of range");
      return x;
    };
    const n = count("n", 1n);
    const predictors = count("predictors", 0n);
    const unknown = get(experiment, "folds") === "unknown";
    const folds = unknown ? null : count("folds", 2n);
    const single = !unknown && folds === null;
    const integers = experiment.has("integers") ? experiment.get("integers") : false;
    need(S.isTruth(integers), "integers is neither true nor false");
    need(!integers || (n !== null && single), "whole numbers are those of one evaluation of n cases");
    if (predictors !== null) {
      need(n !== null && single, "predictors are those of one evaluation of n cases");
      need(predictors <= n - 2n, "there are too many predictors");
    }
    return { n, predictors, folds, single, integers };
  }

  function read(statement) {
    S.all(statement, "the statement", KEYS);
    const given = readExperiment(get(statement, "experiment"));
    given.spread = get(statement, "spread");
    need(["deviation", "error", "ignore"].includes(given.spread), "unknown spread");
    given.divisor = get(statement, "divisor");
    need(["any", "population", "sample"].includes(given.divisor), "unknown divisor");
    const list = get(statement, "scores");
    need(S.isList(list) && list.length >= 1 && list.length <= 11, "the statement names no scores");
    given.claims = {};
    let deviates = false;
    for (const entry of list) {
      S.keys(entry, "a score", ["score", "name", "text", "rounding", "eps"]);
      const score = get(entry, "score");
      need(QUANTITIES.includes(score), () => "the quantity " + S.quoted(score) + " is not one the verifier knows");
      need(given.claims[score] === undefined, "a score is named twice");
      need(score !== "adjusted_r2" || given.predictors !== null, "for what R² was adjusted is not said");
      need(!entry.has("name") || S.isText(get(entry, "name")), "the name of a score is not a text");
      const [text, rounding, eps] = ["text", "rounding", "eps"].map((key) => get(entry, key));
      const { low, high } = S.interval(text, rounding, eps, true, TO_ONE.includes(score) ? ONE : null);
      const spread = S.spread(text, rounding, eps);
      deviates = deviates || spread !== null;
      given.claims[score] = { text, low, high, spread };
    }
    if (deviates && given.spread !== "ignore") {
      need(!given.single, "one evaluation has no ±");
      need(given.spread !== "error" || given.folds !== null, "a standard error needs the number of folds");
    }
    return given;
  }

  // intervals [low, high] with fractions as ends
  const square = (x) => {
    const [a, b] = [x.low.mul(x.low), x.high.mul(x.high)];
    return { low: x.low.sign() <= 0 && x.high.sign() >= 0 ? ZERO : a.min(b), high: a.max(b) };
  };
  const product = (x, y) => {
    const corners = [x.low.mul(y.low), x.low.mul(y.high), x.high.mul(y.low), x.high.mul(y.high)];
    return { low: corners.reduce((a, b) => a.min(b)), high: corners.reduce((a, b) => a.max(b)) };
  };
  const times = (x, k) => ({ low: x.low.times(k), high: x.high.times(k) });
  const fromOne = (x) => ({ low: ONE.sub(x.high), high: ONE.sub(x.low) });
  const apart = (x, y) => x.low.gt(y.high) || y.low.gt(x.high);

  // What a relation asks for, and the intervals it is about. Everything a relation needs is asked for by these.
  class Claims {
    constructor(given) {
      this.given = given;
    }
    has(name) {
      return this.given.claims[name] !== undefined;
    }
    of(name) {
      need(this.has(name), "the relation needs a quantity that is not claimed");
      const { low, high } = this.given.claims[name];
      return {
        low: FROM_ZERO.includes(name) ? low.max(ZERO) : name === "r" ? low.max(ONE.neg()) : low,
        high: TO_ONE.includes(name) ? high.min(ONE) : high,
      };
    }
    n() {
      need(this.given.n !== null, "the relation needs the number of cases");
      return this.given.n;
    }
    single() {
      need(this.given.single, "the relation is one of a single evaluation");
    }
    folds() {
      need(!this.given.single, "the relation is one of means over folds");
    }
    // the mean squared error; of folds the square of the mean RMSE
    s() {
      const { single } = this.given;
      const known = [];
      if (this.has("rmse")) known.push(square(this.of("rmse")));
      if (single && this.has("mse")) known.push(this.of("mse"));
      if (single && this.has("r2") && this.has("variance")) known.push(product(fromOne(this.of("r2")), this.of("variance")));
      const [lows, highs] = [known.map((x) => x.low), known.map((x) => x.high)];
      if (!single && this.has("mse")) highs.push(this.of("mse").high);
      const end = (ends, closer) => {
        need(ends.length > 0, "the relation needs a quantity that is not claimed");
        return ends.reduce(closer);
      };
      return {
        get low() {
          return end(lows, (x, y) => x.max(y));
        },
        get high() {
          return end(highs, (x, y) => x.min(y));
        },
      };
    }
    // the share of sizes that are at least the median
    q() {
      const { n, single } = this.given;
      return n !== null && single ? fraction(n / 2n + 1n, n) : fraction(1n, 2n);
    }
    whole() {
      need(this.given.integers, "the values are not said to be whole numbers");
    }
    variance(name) {
      const { spread, divisor, folds: k, claims } = this.given;
      const claim = claims[name];
      need(claim !== undefined && claim.spread !== null && spread !== "ignore", () => "nothing is said of the deviation of " + name);
      const sample = k === null ? null : fraction(k - 1n, k);
      const lower = divisor === "population" ? ONE : sample || fraction(1n, 2n);
      const upper = divisor === "sample" && sample ? sample : ONE;
      const by = spread === "error" ? k : 1n;
      return { low: lower.mul(claim.spread.low).mul(claim.spread.low).times(by), high: upper.mul(claim.spread.high).mul(claim.spread.high).times(by) };
    }
  }

  // the size of what lies in an interval, at its least
  const least = (x) => (x.low.sign() > 0 ? x.low : x.high.sign() < 0 ? x.high.neg() : ZERO);

  function maeRmseMax(c) {
    c.single();
    const n = c.n();
    need(n >= 2n, "one error has no others");
    const [mae, s, top] = [c.of("mae"), c.s(), c.of("maxe")];
    const sums = times(mae, n);
    need(!(sums.low.gt(top.high.times(n)) || top.low.gt(sums.high) || sums.high.sign() <= 0), "a simpler relation is broken");
    const from = sums.low.max(top.low);
    const t = top.low.max(from.div(fraction(n)));
    const rest = from.sub(t);
    const small = t.mul(t).add(rest.mul(rest).div(fraction(n - 1n)));
    const size = top.high.min(sums.high);
    const w = size.sign() === 0 ? n : S.min(n, sums.high.div(size).floor());
    const left = sums.high.sub(size.times(w));
    let large = size.mul(size).times(w);
    if (w < n) large = large.add(left.mul(left));
    return small.gt(s.high.times(n)) || s.low.times(n).gt(large);
  }

  // sums over n cases of whole numbers, those that are claimed
  function sums(c) {
    c.whole();
    const n = c.n();
    const list = [];
    if (c.has("mae")) list.push(times(c.of("mae"), n));
    if (c.has("bias")) list.push(times(c.of("bias"), n));
    if (c.has("mse") || c.has("rmse") || (c.has("r2") && c.has("variance"))) list.push(times(c.s(), n));
    return list;
  }

  // relation -> is it broken?
  const RELATIONS = {
    range: (c) => QUANTITIES.some((name) => {
      if (!c.has(name)) return false;
      const { low, high } = c.of(name);
      return low.gt(high);
    }),
    rmse: (c) => (c.single(), apart(square(c.of("rmse")), c.of("mse"))),
    variance: (c) => {
      c.single();
      const s = product(fromOne(c.of("r2")), c.of("variance"));
      return (c.has("mse") && apart(s, c.of("mse"))) || (c.has("rmse") && apart(s, square(c.of("rmse"))));
    },
    "mae and rmse": (c) => square(c.of("mae")).low.gt(c.s().high),
    "root of n": (c) => fraction(c.n()).mul(square(c.of("mae")).high).lt(c.s().low),
    "mae and max": (c) => c.of("mae").low.gt(c.of("maxe").high),
    "rmse and max": (c) => c.s().low.gt(square(c.of("maxe")).high),
    "n times mae": (c) => fraction(c.n()).mul(c.of("mae").high).lt(c.of("maxe").low),
    "n times mse": (c) => fraction(c.n()).mul(c.s().high).lt(square(c.of("maxe")).low),
    "mae times max": (c) => (c.single(), c.s().low.gt(c.of("mae").high.mul(c.of("maxe").high))),
    "bias and mae": (c) => least(c.of("bias")).gt(c.of("mae").high),
    "bias and rmse": (c) => square(c.of("bias")).low.gt(c.s().high),
    "median and mae": (c) => c.q().mul(c.of("medae").low).gt(c.of("mae").high),
    "median and rmse": (c) => c.q().mul(square(c.of("medae")).low).gt(c.s().high),
    "median and max": (c) => c.of("medae").low.gt(c.of("maxe").high),
    "median, mae and max": (c) => c.of("mae").low.times(2n).gt(c.of("medae").high.add(c.of("maxe").high)),
    "r2 and ev": (c) => c.of("r2").low.gt(c.of("ev").high),
    correlation: (c) => {
      c.single();
      const most = square(c.of("r")).high;
      return ["r2", "ev"].some((name) => c.has(name) && c.of(name).low.gt(most));
    },
    "bias and ev": (c) => {
      c.single();
      const [ev, r2] = [c.of("ev"), c.of("r2")];
      const lead = { low: ev.low.sub(r2.high), high: ev.high.sub(r2.low) };
      return apart(product(lead, c.s()), product(square(c.of("bias")), fromOne(r2)));
    },
    adjusted: (c) => {
      c.single();
      const k = c.given.predictors;
      need(k !== null, "for what R² was adjusted is not said");
      const n = c.n();
      return apart(times(fromOne(c.of("adjusted_r2")), n - k - 1n), times(fromOne(c.of("r2")), n - 1n));
    },
    "mae, rmse and max": maeRmseMax,
    "whole numbers": (c) => {
      const list = sums(c);
      if (c.has("maxe")) list.push(c.of("maxe"));
      if (c.has("medae")) list.push(times(c.of("medae"), 2n));
      return list.some((x) => x.low.ceil() > x.high.floor());
    },
    parity: (c) => {
      const sole = sums(c).filter((x) => x.low.ceil() === x.high.floor()).map((x) => x.low.ceil() & 1n);
      return new Set(sole).size > 1;
    },
    "mean squares": (c) => {
      c.folds();
      const [rmse, mse] = [square(c.of("rmse")), c.of("mse")];
      const k = c.given.folds;
      return rmse.low.gt(mse.high) || (k !== null && mse.low.gt(rmse.high.times(k)));
    },
    "variance of rmse": (c) => {
      c.folds();
      const { low, high } = c.variance("rmse");
      const [rmse, mse] = [square(c.of("rmse")), c.of("mse")];
      return apart(mse, { low: rmse.low.add(low), high: rmse.high.add(high) });
    },
  };

  function check(statement, proof) {
    S.keys(proof, "the proof", ["kind", "relation"]);
    need(get(proof, "kind") === "relation", () => "unknown kind of proof " + S.quoted(get(proof, "kind")));
    const relation = get(proof, "relation");
    need(S.isText(relation) && Object.hasOwn(RELATIONS, relation), () => "unknown relation " + S.quoted(relation));
    const given = read(statement);
    need(RELATIONS[relation](new Claims(given)), "the claims do not break the relation");
    const what = given.single ? "one evaluation" : "means over evaluations";
    const size = given.n === null ? "" : (given.single ? " of " : " of at most ") + given.n + " cases";
    const shown = Object.keys(given.claims).map((name) => name + " " + S.shown(given.claims[name])).join(", ");
    return "Proved: " + what + size + " cannot have " + shown + ": broken is the relation '" + relation + "'.";
  }

  S.kinds.regression = { keys: KEYS, check };
})(globalThis.Scoreproof);
