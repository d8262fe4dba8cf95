// curve: areas under curves beside scores at thresholds, after docs/proofs/curve.md
(function (S) {
  "use strict";

  const { need, get, fraction, ZERO, ONE } = S;
  const AREAS = ["auc", "ap", "auprc", "best_acc"];
  const OF_PARTS = ["spread", "divisor", "spread_over", "minimum", "maximum", "attained", "extremes_over", "fold_digits"];
  const UNKNOWN_KEYS = ["experiment", "scores", "undefined"];
  const MOST_STEPS = 2_000_000;

  const shownArea = (area) => area.score + " " + S.shown(area);
  const shownAreas = (areas) => areas.map(shownArea).join(", ");

  function read(statement) {
    const ties = get(statement, "ties");
    need(S.isTruth(ties), "the statement does not say whether there are ties");
    const undefined_ = get(statement, "undefined");
    need(["any", "zero", "one", "skip", "exclude"].includes(undefined_), () => "unknown undefined " + S.quoted(undefined_));
    const list = get(statement, "scores");
    need(S.isList(list) && list.length >= 1 && list.length <= 100, "the statement names no scores");
    const isArea = (entry) => S.isObject(entry) && AREAS.includes(get(entry, "score"));
    const experiment = get(statement, "experiment");
    need(S.isObject(experiment), "the experiment is not an object");
    const mean = !["testset", "unknown_classes"].includes(get(experiment, "type"));
    const areas = list.filter(isArea).map((entry) => {
      S.keys(entry, "an area", ["score", "name", "text", "rounding", "eps"]);
      need(!entry.has("name") || S.isText(get(entry, "name")), "the name of an area is not a text");
      const [text, rounding, eps] = ["text", "rounding", "eps"].map((key) => get(entry, key));
      const { low, high } = S.interval(text, rounding, eps, mean);
      S.spread(text, rounding, eps); // a number, though nobody uses it
      return { score: get(entry, "score"), text, low, high };
    });
    need(new Set(areas.map((area) => area.score)).size === areas.length, "an area is named twice");
    let points = [];
    if (statement.has("points")) {
      points = get(statement, "points");
      need(S.isList(points) && points.length >= 1 && points.length <= 20, "there are no further thresholds");
      points = points.map(S.scores);
    }
    // is the curve said to be concave?
    const concave = statement.has("concave");
    if (concave) {
      need(get(statement, "concave") === true, "concave is said, and not as true");
      need(ties && !statement.has("points"), "beside concave neither ties nor points are said");
      need(areas.every((area) => area.score === "auc"), "an area is no AUC");
    }
    // the statement about the scores alone
    const others = list.filter((entry) => !isArea(entry));
    const rest = new Map(statement);
    rest.delete("ties");
    rest.delete("points");
    rest.delete("concave");
    const alone = new Map(rest).set("scores", others);
    return { ties, concave, undefined: undefined_, areas, others, experiment, mean, points, rest, alone, unknown: get(experiment, "type") === "unknown_classes" };
  }

  function innerOf(proof) {
    const inner = get(proof, "proof");
    need(S.isObject(inner), "the proof about the scores is not an object");
    return inner;
  }

  function aboutScores(given, proof, patience) {
    S.keys(proof, "the proof", ["kind", "proof"]);
    const inner = innerOf(proof);
    if (!given.unknown) return S.kinds.binary.check(given.alone, inner, patience);
    S.keys(given.alone, "the statement", UNKNOWN_KEYS);
    return S.kinds.unknown_classes.check(given.alone, inner, patience);
  }

  // what is claimed of a rate, with its complement, within 0 to 1
  function rate(claims, name, complement) {
    const of = (score) => claims.find((claim) => claim.score.name === score);
    let [low, high] = [ZERO, ONE];
    const [own, other] = [of(name), of(complement)];
    if (own) [low, high] = [low.max(own.low), high.min(own.high)];
    if (other) [low, high] = [low.max(ONE.sub(other.high)), high.min(ONE.sub(other.low))];
    need(low.le(high), () => "the claims about " + name + " contradict each other, which this proof does not say");
    return { low, high };
  }

  // a mean over sets of which each has both classes
  function bothClasses(node) {
    if (node.type === "kfold") {
      const averaged = node.aggregation === "mean_of_scores" && ["balanced", "scikit-learn"].includes(node.rule);
      need(averaged, "the folds may lack a class");
      need(node.p >= node.k && node.n >= node.k, "a fold may lack a class");
    } else if (node.type === "testset") need(node.p > 0n && node.n > 0n, "a set lacks a class");
    else {
      need(node.type === "mean_of_scores", "matrices are added up, or nobody knows");
      node.parts.forEach(bothClasses);
    }
  }

  // the experiment is a mean over sets of which each has both classes
  function averaged(given, experiment) {
    bothClasses(experiment);
    need(get(given.rest, "fold_digits") === null, "parts that were rounded do not keep to the bounds");
  }

  // the areas below and above the curve at a threshold, as scores whose means enclose that of the AUC
  const STAIRCASES = {
    "lowest area": ["ratio", 1, "curved", 0, 1, (t, u) => t * u, (t, u, p, n) => p * n],
    "highest area": ["ratio", 1, "curved", 0, 1, (t, u, p, n) => p * n - (n - u) * (p - t), (t, u, p, n) => p * n],
  };
  function staircases(given, proof, patience) {
    S.keys(proof, "the proof", ["kind", "proof"]);
    need(!given.concave, "of concave curves there is no such proof");
    const auc = given.areas.find((area) => area.score === "auc");
    need(auc !== undefined, "there is no AUC");
    averaged(given, S.experiment(given.experiment));
    const [low, high] = [auc.low.max(ZERO), auc.high.min(ONE)];
    need(low.le(high), "the AUC lies outside of its range");
    const inner = innerOf(proof);
    const half = fraction(1n, 2n);
    const entry = (score, text, eps) => new Map([["score", score], ["text", asText(text)], ["eps", asText(eps)]]);
    const more = [
      entry("lowest area", high.mul(half), high.mul(half)),
      entry("highest area", ONE.add(low).mul(half), ONE.sub(low).mul(half)),
    ];
    const statement = new Map(given.alone).set("scores", [...given.others, ...more]);
    return S.knowing(STAIRCASES, () => S.kinds.binary.check(statement, inner, patience));
  }
  const asText = (x) => (x.d === 1n ? "" + x.n : x.n + "/" + x.d);

  // reads an experiment of unknown classes, of which nothing more is needed
  function unknownExperiment(experiment) {
    S.keys(experiment, "the experiment", ["type", "total", "prevalence"]);
    S.prevalenceOf(get(experiment, "prevalence"));
    S.totalOf(get(experiment, "total"));
  }

  function rates(given, claims, proof) {
    S.keys(proof, "the proof", ["kind"]);
    need(claims.length > 0 || given.concave, "no rate is claimed");
    const auc = given.areas.find((area) => area.score === "auc");
    need(auc !== undefined, "there is no AUC");
    const sens = rate(claims, "sens", "fnr");
    const spec = rate(claims, "spec", "fpr");
    let what, least, most;
    let oneCurve = true;
    const kind = given.concave ? "rankings with concave ROC curves" : "rankings";
    if (given.unknown) {
      S.keys(given.rest, "the statement", UNKNOWN_KEYS);
      unknownExperiment(given.experiment);
      least = sens.low.mul(spec.low);
      most = ONE.sub(ONE.sub(sens.high).mul(ONE.sub(spec.high)));
      what = "no " + kind + " of any size";
    } else {
      const { experiment } = S.readBinary(given.alone, true);
      averaged(given, experiment);
      oneCurve = experiment.type === "testset";
      least = sens.low.add(spec.low).sub(ONE);
      most = sens.high.add(spec.high);
      what = "no " + kind + " of the sets of this experiment, on average,";
    }
    if (given.concave) [least, most] = S.underConcave(sens, spec, oneCurve);
    need(auc.high.lt(least) || auc.low.gt(most), "the AUC lies between its bounds");
    const beside = claims.length > 0 ? " beside " + S.shownClaims(claims) : "";
    const have = "Proved: " + what + " have " + shownArea(auc) + beside;
    if (least.gt(most)) return have + ": no point of a concave curve lies below the diagonal.";
    return have + ": the AUC lies from " +
      S.decimal(least.max(ZERO)) + " to " + S.decimal(most.min(ONE)) + ".";
  }

  function named(given, claims, proof, score, sentence) {
    S.keys(proof, "the proof", ["kind", "score"]);
    const i = S.integer(get(proof, "score"), "the score") - BigInt(claims.length);
    const area = i >= 0n && i < BigInt(given.areas.length) ? given.areas[Number(i)] : null;
    need(area !== null && area.score === score, sentence);
    return area;
  }

  function best(given, claims, proof, p, n) {
    const area = named(given, claims, proof, "best_acc", "the proof names no best accuracy");
    const [u1, u2] = S.halfCells(given.areas.find((a) => a.score === "auc"), p, n, given.ties);
    need(u1 <= u2, "the AUC is impossible alone, which this proof does not say");
    const [N, M] = [p + n, S.max(p, n)];
    // (N - c)² <= 2pn - u1 and 2M(c - M) <= u2
    const least = S.max(S.max(M, area.low.times(N).ceil()), N - S.isqrt(2n * p * n - u1));
    const most = S.min(S.min(N, area.high.times(N).floor()), M + u2 / (2n * M));
    need(least > most, "a number of right answers fits");
    return "Proved: no ranking of " + p + " positives and " + n + " negatives has " + shownAreas(given.areas) + ": with c right answers of " + N +
      " at the best threshold, (" + N + " - c)² <= 2pn(1 - AUC) and " + M + " (c - " + M + ") <= pn AUC.";
  }

  function grain(given, claims, proof, p, n) {
    const area = named(given, claims, proof, "auc", "the proof names no AUC");
    const [u1, u2] = S.halfCells(area, p, n, given.ties);
    const all = 2n * p * n;
    need(u1 > u2, () => u1 + " of " + all + " half cells print like this");
    const cells = given.ties ? all + " half cells" : p * n + " cells";
    return "Proved: no whole number of the " + cells + " of " + p + " positives and " + n + " negatives gives " + shownArea(area) + ".";
  }

  // the cells of a union of rectangles with one corner in common: [[width, height], ...]
  function union(list) {
    const sorted = [...list].sort((x, y) => (x[0] > y[0] ? -1 : x[0] < y[0] ? 1 : 0));
    let [cells, height] = [0n, 0n];
    for (const [w, h] of sorted) {
      if (h <= height) continue;
      cells += w * (h - height);
      height = h;
    }
    return cells;
  }

  // does the reason exclude a product of rectangles [a, b, c, d], one for each threshold?
  function outside(why, product, thresholds, { p, n, u1, u2 }) {
    const [name] = why;
    const there = (i, list, what = "point that there is not") => {
      need(i >= 0n && i < BigInt(list.length), () => "a step names a " + what);
      return list[Number(i)];
    };
    if (name === "score" && why.length === 3) {
      const [j, i] = [S.integer(why[1], "a point"), S.integer(why[2], "a claim")];
      const [a, b, c, d] = there(j, product);
      const rule = there(i, thresholds[Number(j)], "score that is not reported");
      const [low, high] = [rule.place(a, c), rule.place(b, d)];
      return rule.rises ? high === -1 || low === 1 : high === 1 || low === -1;
    }
    if (name === "apart" && why.length === 3) {
      const [i, j] = [S.integer(why[1], "a point"), S.integer(why[2], "a point")];
      const [first, other] = [there(i, product), there(j, product)];
      return first[0] > other[1] && first[2] > other[3];
    }
    if (name === "low" && why.length === 1) return 2n * union(product.map(([a, , c]) => [a, c])) > u2;
    need(name === "high" && why.length === 1, "a step gives no proper reason");
    return 2n * p * n - 2n * union(product.map(([, b, , d]) => [p - b, n - d])) < u1;
  }

  function points(given, claims, proof, p, n, patience) {
    const lists = [...(claims.length > 0 ? [claims] : []), ...given.points];
    need(lists.length > 0, "no threshold is claimed");
    need(lists.every((list) => list.every((claim) => claim.score.linear)), "a score may be 0/0 somewhere");
    need(given.areas.every((area) => area.score === "auc"), "an area is no AUC");
    const [u1, u2] = S.halfCells(given.areas[0], p, n, given.ties);
    const steps = get(proof, "steps");
    need(S.isList(steps) && steps.length <= MOST_STEPS, "the proof is not a list of steps");
    const thresholds = lists.map((list) => list.map((claim) => S.ruleOf(claim, p, n, null)));
    const stack = [lists.map(() => [0n, p, 0n, n])];
    let count = 0;
    steps.forEach((step, number) => {
      patience.at(number, steps.length);
      const malformed = "step " + (number + 1) + " is malformed";
      need(stack.length > 0, "the proof has steps left over");
      need(S.isList(step) && step.length >= 2, malformed);
      const product = stack.pop();
      if (step[0] === "cut") {
        need(step.length === 4, malformed);
        const [j, axis] = [S.integer(step[1], "a point"), step[2]];
        const v = S.integer(step[3], "a cut");
        need(j >= 0n && j < BigInt(product.length), "a step cuts a point that there is not");
        const [a, b, c, d] = product[Number(j)];
        const [low, high] = axis === "tp" ? [a, b] : [c, d];
        need((axis === "tp" || axis === "tn") && low <= v && v < high, "a step divides outside its rectangle");
        const [first, second] = [product.slice(), product.slice()];
        first[Number(j)] = axis === "tp" ? [a, v, c, d] : [a, b, c, v];
        second[Number(j)] = axis === "tp" ? [v + 1n, b, c, d] : [a, b, v + 1n, d];
        stack.push(second, first);
        return;
      }
      need(step[0] === "out", malformed);
      need(outside(step.slice(1), product, thresholds, { p, n, u1, u2 }), "step " + (number + 1) + " does not exclude its product");
      count += 1;
    });
    need(stack.length === 0, "the proof ends before everything is covered");
    return "Proved: no ranking of " + p + " positives and " + n + " negatives has " + shownAreas(given.areas) + " and thresholds with " +
      lists.map(S.shownClaims).join("; ") + ". " + count + " products of rectangles cover all of them, each excluded in exact arithmetic.";
  }

  function rectangles(given, claims, proof, p, n, patience) {
    need(given.points.length === 0, "there are further thresholds, which this proof does not treat");
    need(get(proof, "kind") === "rectangles", () => "unknown kind of proof " + S.quoted(get(proof, "kind")));
    const fill = S.fillOf(given.undefined);
    const rules = claims.map((claim) => S.ruleOf(claim, p, n, fill));
    for (const area of given.areas) rules.push(...(given.concave ? S.concaveRules(area, p, n) : S.areaRules(area, p, n, given.ties)));
    const count = S.walk(get(proof, "steps"), p, n, rules, fill, patience);
    const shown = [...claims.map(S.shownClaim), ...given.areas.map(shownArea)].join(", ");
    return "Proved: no ranking" + (given.ties ? "" : " without ties") + (given.concave ? " with a concave ROC curve" : "") + " of " + p + " positives and " + n + " negatives has " + shown +
      ", the scores at one of its thresholds. " + S.rectanglesCover(count) + " all operating points, and each was excluded in exact arithmetic.";
  }

  function check(statement, proof, patience) {
    const given = read(statement);
    const kind = get(proof, "kind");
    if (kind === "scores") return aboutScores(given, proof, patience);
    if (kind === "staircases") return staircases(given, proof, patience);
    const claims = given.others.length > 0 ? S.scores(given.others) : [];
    const plain = [claims, ...given.points].flat().every((claim) => claim.spread === null);
    need(given.mean || plain || get(statement, "spread") === "ignore", "one matrix has no ±");
    if (kind === "rates") return rates(given, claims, proof);
    const { type, p, n } = S.experiment(given.experiment);
    need(type === "testset", "the experiment is not one test set");
    need(!OF_PARTS.some((key) => statement.has(key)), "a test set has no parts");
    need(p > 0n && n > 0n, "a class has no cases, so there is no curve");
    need(!given.concave || kind === "rectangles", "of concave curves there is no such proof");
    if (kind === "best") return best(given, claims, proof, p, n);
    if (kind === "grain") return grain(given, claims, proof, p, n);
    S.keys(proof, "the proof", ["kind", "steps"]);
    if (kind === "points") return points(given, claims, proof, p, n, patience);
    return rectangles(given, claims, proof, p, n, patience);
  }

  S.kinds.curve = { keys: ["experiment", "scores", "undefined", ...OF_PARTS, "ties", "points", "concave"], check };
})(globalThis.Scoreproof);
