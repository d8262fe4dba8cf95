// `unknown_classes`: one matrix whose class counts are not known; also the edges where scores are 0/0, and known totals.
(function (S) {
  "use strict";

  const { need, quoted, integer, fraction, get, ZERO, ONE } = S;
  const KEYS = ["experiment", "scores", "undefined"];
  const MOST_STEPS = 2_000_000;
  const PAIRS = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
  const OPEN = "a matrix on which a score is 0/0 is not excluded";

  const cellsOf = ([i, j], x, y) => {
    const cells = [0n, 0n, 0n, 0n];
    cells[i] = x;
    cells[j] = y;
    return cells;
  };
  const quotient = (score, [tp, fp, fn, tn]) => [score.top(tp, tn, tp + fn, fp + tn), score.bottom(tp, tn, tp + fn, fp + tn)];

  // does a matrix on which some score is 0/0 give all claims?
  function fits(cells, claims, prevalences) {
    const [tp, fp, fn, tn] = cells;
    const [p, n] = [tp + fn, fp + tn];
    let undefined_ = false;
    for (const claim of claims) {
      const place = S.place(claim.score, claim.from, claim.to, tp, tn, p, n);
      if (place === null) {
        undefined_ = true;
        const recall = claim.score.name !== "bacc" ? ZERO : p > 0n ? fraction(tp, p) : fraction(tn, n);
        if (!S.holds(claim, ZERO) && !S.holds(claim, recall)) return false;
      } else if (place !== 0) return false;
    }
    return undefined_ && prevalences.every((range) => S.holds(range, fraction(p, p + n)));
  }

  // the shares x / (x + y) at which a quotient of linear forms is between its ends, as [low, high]; null if none
  function shares([a, b], [c, d], from, to) {
    let [low, high] = [ZERO, ONE];
    for (const [end, sign] of [[from, 1n], [to, -1n]]) {
      // value at x = 1, y = 0 and at x = 0, y = 1 of what must not be negative
      const first = sign * (end.d * a - end.n * c);
      const other = sign * (end.d * b - end.n * d);
      if (first === other) {
        if (first < 0n) return null;
      } else {
        const root = fraction(-other, first - other);
        if (first > other) low = low.max(root);
        else high = high.min(root);
      }
    }
    return low.le(high) ? [low, high] : null;
  }

  // numerator and denominator as linear forms on an edge, from their values; null if they are none
  function linearForms(at) {
    const forms = [0, 1].map((k) => {
      const value = (x, y) => at(x, y)[k];
      const [x, y, both, right, left] = [value(1n, 0n), value(0n, 1n), value(1n, 1n), value(2n, 1n), value(1n, 2n)];
      const middle = both - x - y;
      return {
        linear: middle === 0n && right === 2n * x + y && left === x + 2n * y ? [x, y] : null,
        quadratic: right === 4n * x + 2n * middle + y && left === x + 2n * middle + 4n * y ? [x, middle, y] : null,
      };
    });
    if (forms.every(({ linear }) => linear !== null)) return forms.map(({ linear }) => linear);
    if (!forms.every(({ quadratic }) => quadratic !== null)) return null;
    const [first, other] = forms.map(({ quadratic }) => quadratic);
    if (first[2] === 0n && other[2] === 0n) return [first.slice(0, 2), other.slice(0, 2)];
    if (first[0] === 0n && other[0] === 0n) return [first.slice(1), other.slice(1)];
    return null;
  }

  // is every matrix with only these two cells excluded (or, if no score is 0/0 on all of them, covered by the rates)?
  function closed(pair, claims, prevalences, again) {
    let [low, high] = [ZERO, ONE];
    let absent = false;
    const meet = (range) => {
      if (range === null) return false;
      [low, high] = [low.max(range[0]), high.min(range[1])];
      return low.le(high);
    };
    for (const { score, from, to, ...claim } of claims) {
      const at = (x, y) => quotient(score, cellsOf(pair, x, y));
      const inner = [at(1n, 1n), at(1n, 2n), at(2n, 1n)];
      if (inner.every(([a, b]) => a === 0n && b === 0n)) {
        absent = true;
        if (!S.holds(claim, ZERO)) return true;
      } else if (inner.every(([, b]) => b === 0n)) return true;
      else if (inner.some(([, b]) => b === 0n)) continue;
      else if (inner.every(([a, b]) => a * inner[0][1] === inner[0][0] * b)) {
        const value = fraction(...inner[0]);
        if (value.lt(from) || value.gt(to)) return true;
      } else {
        const forms = linearForms(at);
        if (forms !== null && !meet(shares(...forms, from, to))) return true;
      }
    }
    for (const range of prevalences) {
      const ofClass = pair.map((cell) => (cell === 0 || cell === 2 ? 1n : 0n));
      if (!meet(shares(ofClass, [1n, 1n], range.low, range.high))) return true;
    }
    return !absent && !again;
  }

  function edges(claims, prevalences, total, patience) {
    if (total !== null && (total[1] - total[0] + 1n) * total[1] <= 20_000n) {
      for (let size = total[0]; size <= total[1]; size += 1n) {
        for (const pair of PAIRS) {
          for (let x = 0n; x <= size; x += 1n) {
            patience.tick(claims.length);
            need(!fits(cellsOf(pair, x, size - x), claims, prevalences), OPEN);
          }
        }
      }
      return;
    }
    const balanced = claims.findIndex(({ score }) => score.name === "bacc");
    for (const pair of PAIRS) {
      need(closed(pair, claims, prevalences, false), OPEN);
      const recall = pair[0] === 0 && pair[1] === 2 ? "sens" : pair[0] === 1 && pair[1] === 3 ? "spec" : null;
      if (recall === null || balanced < 0) continue;
      const { low, high } = claims[balanced];
      const changed = claims.map((claim, i) => (i === balanced ? S.claim(S.scoreOf(recall), low, high, {}) : claim));
      need(closed(pair, changed, prevalences, true), "balanced accuracy of one class is not excluded");
    }
    for (const i of [0, 1, 2, 3]) need(!fits(cellsOf([i, (i + 1) % 4], 1n, 0n), claims, prevalences), OPEN);
  }

  function knownTotal(steps, claims, prevalences, [least, most], patience) {
    need(S.isList(steps) && steps.length <= MOST_STEPS, "the proof is not a list of steps");
    const stack = [[least, most, 0n, most]];
    let at = 0;
    let count = 0;
    while (stack.length > 0) {
      const [a, b, c, d] = stack.pop();
      if (c > b) continue;
      patience.at(at, steps.length);
      need(at < steps.length, "the proof ends before all class counts are covered");
      const step = steps[at];
      at += 1;
      const malformed = "step " + at + " is malformed";
      need(S.isList(step) && (step.length === 2 || step.length === 3), malformed);
      if (step[0] === "cut") {
        need(step.length === 3 && (step[1] === "total" || step[1] === "p"), malformed);
        const v = integer(step[2], "a cut");
        const ofTotal = step[1] === "total";
        const [low, high] = ofTotal ? [a, b] : [c, d];
        need(low <= v && v < high, "step " + at + " divides outside its range");
        stack.push(ofTotal ? [v + 1n, b, c, d] : [a, b, v + 1n, d], ofTotal ? [a, v, c, d] : [a, b, c, v]);
        continue;
      }
      need(step.length === 2, malformed);
      count += 1;
      if (step[0] === "rates") {
        const range = { low: fraction(c, b), high: fraction(d, a).min(ONE) };
        const all = range.low.sign() === 0 && range.high.eq(ONE);
        S.walkCones(step[1], claims, all ? prevalences : [...prevalences, range], patience);
      } else {
        need(step[0] === "grid" && a === b && c === d, malformed);
        const rules = claims.map((claim) => S.ruleOf(claim, c, a - c, null));
        S.walk(step[1], c, a - c, rules, null, patience);
      }
    }
    need(at === steps.length, "the proof has steps left over");
    return count;
  }

  // how many parts prove that no sizes give the claims, with prevalences in these intervals
  function sizes(proof, claims, undefined_, prevalences, total, patience) {
    S.keys(proof, "the proof", ["kind", "steps"]);
    need(undefined_ === "exclude" || undefined_ === "any", "with unknown classes a 0/0 is excluded, or counts in any usual way");
    need(!claims.some((claim) => claim.score.registered), "without class counts only known scores are read");
    need(claims.every((claim) => claim.spread === null), "one matrix has no ±");
    if (undefined_ === "any") edges(claims, prevalences, total, patience);
    const kind = get(proof, "kind");
    if (total === null) {
      need(kind === "rates", () => "unknown kind of proof " + quoted(kind) + " without a total");
      return S.walkCones(get(proof, "steps"), claims, prevalences, patience);
    }
    need(kind === "known total", () => "unknown kind of proof " + quoted(kind) + " about a total");
    return knownTotal(get(proof, "steps"), claims, prevalences, total, patience);
  }

  function totalOf(x) {
    if (x === null) return null;
    need(S.isList(x) && x.length === 2, "the total is not a pair of integers");
    for (const each of x) integer(each, "the total");
    need(x[0] > 0n && x[0] <= x[1] && x[1] <= 10n ** 40n, "the total is no range of positive integers");
    return x;
  }
  const cases = ([least, most]) => (least === most ? least : least + " to " + most) + " cases";

  // the interval of a stated prevalence, none if it is null
  function prevalenceOf(told) {
    if (told === null) return [];
    S.keys(told, "the prevalence", ["text", "rounding", "eps"]);
    const range = { text: get(told, "text"), ...S.interval(get(told, "text"), get(told, "rounding"), get(told, "eps")) };
    need(range.low.le(ONE) && range.high.sign() >= 0, "the prevalence is none");
    return [range];
  }

  function check(statement, proof, patience) {
    const experiment = get(statement, "experiment");
    S.keys(experiment, "the experiment", ["type", "total", "prevalence"]);
    need(get(experiment, "type") === "unknown_classes", "the experiment is not one of unknown classes");
    const prevalences = prevalenceOf(get(experiment, "prevalence"));
    const shown = prevalences.map((range) => " and a prevalence of " + S.shown(range)).join("");
    const total = totalOf(get(experiment, "total"));
    const claims = S.scores(get(statement, "scores"));
    const count = sizes(proof, claims, get(statement, "undefined"), prevalences, total, patience);
    const scores = S.shownClaims(claims) + shown + ". " + count;
    if (total === null) {
      return "Proved: no confusion matrix of any size has " + scores + (count === 1 ? " cone" : " cones") +
        " of rates, together all there are, excluded in exact arithmetic.";
    }
    return "Proved: no confusion matrix of " + cases(total) + ", with whatever class counts, has " + scores +
      (count === 1 ? " part" : " parts") + " of all class counts, each excluded in exact arithmetic.";
  }

  S.kinds.unknown_classes = { keys: KEYS, check };
  Object.assign(S, { sizesProof: sizes, totalOf, prevalenceOf, shownCases: cases });
})(globalThis.Scoreproof);
