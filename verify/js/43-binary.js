// `binary`: the statement, its cases, and the words about one matrix or a mean.
(function (S) {
  "use strict";

  const { need, quoted, get } = S;
  const WORDS = {
    undefined: ["any", "zero", "one", "skip", "exclude"],
    spread: ["deviation", "error", "ignore"],
    divisor: ["population", "sample", "any", "each"],
    spread_over: ["any", "folds", "repeats", "parts"],
    extremes_over: ["parts", "folds"],
  };
  const MISSING = { spread: "deviation", divisor: "any", spread_over: "any", extremes_over: "parts" };
  const KEYS = ["experiment", "scores", "undefined", "spread", "divisor", "spread_over", "minimum", "maximum", "attained",
    "extremes_over", "fold_digits"];
  const CONVENTIONS = {
    any: " A score that is 0/0 counts as zero, or is left out, as each score's usual treatments have it.",
    zero: " A score that is 0/0 counts as zero.",
    one: " A score that is 0/0 counts as one.",
    skip: " A score that is 0/0 is left out of the mean.",
    exclude: " Matrices on which a reported score is 0/0 are not admitted.",
  };

  const total = (node, key) => (node.parts ? node.parts.reduce((sum, part) => sum + total(part, key), 0n) : node[key]);
  // whether every matrix that is scored surely has both classes
  const MAY_LACK = "an average over both classes may be 0/0 in one of them";

  function bothClasses(node) {
    if (S.isSummed(node)) return total(node, "p") > 0n && total(node, "n") > 0n;
    if (node.type === "kfold") return ["balanced", "scikit-learn"].includes(node.rule) && node.p >= node.k && node.n >= node.k;
    return node.parts.every(bothClasses);
  }

  // a statement; a bare one may be without scores
  function read(statement, bare = false) {
    need(statement.has("undefined"), "the statement does not say what 0/0 counts as");
    const told = { ...MISSING };
    for (const [key, words] of Object.entries(WORDS)) {
      if (!statement.has(key)) continue;
      const value = get(statement, key);
      need(words.includes(value), () => "unknown " + key + " " + quoted(value));
      told[key] = value;
    }
    told.attained = statement.has("attained") ? get(statement, "attained") : true;
    need(S.isTruth(told.attained), "attained is neither true nor false");
    const digits = get(statement, "fold_digits");
    if (digits !== null) {
      S.integer(digits, "fold_digits");
      need(digits >= 0n && digits <= 100n, "fold_digits is out of range");
    }
    told.foldDigits = digits === null ? null : Number(digits);
    told.experiment = S.experiment(get(statement, "experiment"));
    const perhaps = (key) => {
      const list = statement.has(key) ? get(statement, key) : [];
      return S.isList(list) && list.length === 0 ? [] : S.scores(list);
    };
    told.scores = bare ? perhaps("scores") : S.scores(get(statement, "scores"));
    told.minimum = perhaps("minimum");
    told.maximum = perhaps("maximum");
    told.spreads = told.spread === "ignore" ? [] : told.scores.filter((claim) => claim.spread !== null);
    told.ofParts = told.spreads.length > 0 || told.minimum.length > 0 || told.maximum.length > 0 || told.foldDigits !== null;
    need(!S.isSummed(told.experiment) || !told.ofParts, "one matrix has no ±, no extremes and no rounded parts");
    if (told.undefined !== "skip" && told.undefined !== "exclude") {
      const averaged = [...told.scores, ...told.minimum, ...told.maximum].map((claim) => claim.score.name).filter((name) => /^(macro|weighted) /.test(name));
      need(averaged.length === 0 || bothClasses(told.experiment), MAY_LACK);
    }
    return told;
  }

  // what a statement leaves open, as a list of statements that do not; empty if there is nothing
  function cases(told) {
    if (S.hasUnknown(told.experiment)) {
      let possible = S.readings(told.experiment);
      if (told.ofParts) {
        possible = possible.filter((node) => !S.isSummed(node));
        need(possible.length > 0, "no reading of the experiment has parts that are averaged");
      }
      return possible.map((experiment) => ({ ...told, experiment }));
    }
    const { type, repeats, aggregation, parts } = told.experiment;
    const repeated = type === "kfold" && repeats > 1n && aggregation === "mean_of_scores";
    const nested = type === "mean_of_scores" && !parts.every(S.isSummed);
    if (told.spreads.length === 0 || told.spread_over !== "any" || !(repeated || nested)) return [];
    return ["folds", repeated ? "repeats" : "parts"].map((spread_over) => ({ ...told, spread_over }));
  }

  function proved(told, proof, patience) {
    for (const { name } of told.experiment.ranges) need(S.scoreOf(name) !== null, () => S.unknownScore(name));
    const open = cases(told);
    const kind = get(proof, "kind");
    if (open.length > 0) {
      S.keys(proof, "the proof", ["kind", "cases"]);
      const list = get(proof, "cases");
      need(kind === "cases" && S.isList(list), () => "a proof of kind " + quoted(kind) + " where there are cases");
      need(list.length === open.length, "not every case of the statement is refuted");
      const words = open.map((each, i) => {
        need(S.isObject(list[i]), "the proof is not an object");
        return proved(each, list[i], patience);
      });
      return words.join(" ");
    }
    need(kind !== "cases", "there are no cases");
    const node = onlyMatrix(told);
    if (node !== null) {
      need(!told.ofParts, "one matrix has no ±, no extremes and no rounded parts");
      const filled = told.undefined !== "skip" && told.undefined !== "exclude";
      need(!filled || !told.scores.some(({ score }) => S.isPredictive(score)), MAY_LACK);
      const { p, n } = S.nodeSize(node);
      const count = S.oneMatrix(proof, p, n, told.scores, told.undefined, patience);
      return "Proved: no confusion matrix with " + p + " positives and " + n + " negatives has " + S.shownClaims(told.scores) + ". " +
        S.rectanglesCover(count) + " all " + (p + 1n) * (n + 1n) + " cells, and each was excluded in exact arithmetic." + CONVENTIONS[told.undefined];
    }
    const demands = S.demands(told);
    return meanWords(told, demands, S.meanProof(demands, proof, patience));
  }

  // the node that is one matrix, passing through means of one part, or null
  function onlyMatrix(told) {
    let node = told.experiment;
    const summed = () => (S.isSummed(node) && !S.isBounded(node) ? node : null);
    if (summed() !== null || told.ofParts) return summed();
    while (node.type === "mean_of_scores" && node.parts.length === 1 && node.ranges.length === 0) node = node.parts[0];
    return summed();
  }

  function meanWords(told, demands, count) {
    const { p, n } = S.nodeSize(told.experiment);
    const sets = demands.sets.length;
    const further = [];
    if (told.spreads.length > 0) {
      const what = told.spread === "error" ? "error" : "deviation";
      const over = demands.meansDeviate ? "means of the " + told.spread_over : "evaluation sets";
      const names = told.spreads.map((claim) => claim.score.name).join(", ");
      const divisor = told.divisor === "any" && told.spreads.length > 1 ? " (with one divisor for all)" : "";
      further.push("the reported standard " + what + " of " + names + " over the " + over + divisor);
    }
    const lowest = told.minimum.map((claim) => claim.score.name);
    const extremes = [...lowest, ...told.maximum.map((claim) => claim.score.name).filter((name) => !lowest.includes(name))];
    if (extremes.length > 0) {
      further.push("the reported extremes of " + extremes.join(", ") + " over the " + (told.extremes_over === "folds" ? "evaluation sets" : "parts"));
    }
    if (S.isBounded(told.experiment)) further.push("the stated ranges of the parts");
    if (told.foldDigits !== null) further.push("parts rounded to " + told.foldDigits + " digits before they were averaged");
    const families = (type) => demands.families.some((family) => family.type === type);
    if (families("any")) further.push("any class counts of the folds");
    if (families("trainable")) further.push("any class counts of the folds that leave each class in two of them");
    if (families("balanced")) further.push("any balanced class counts of the folds");
    return "Proved: no confusion matrices for the " + sets + " evaluation " + (sets === 1 ? "set" : "sets") + " of the experiment, with " + p +
      " positives and " + n + " negatives in all, have the mean " + S.shownClaims(told.scores) +
      (further.length > 0 ? " with " + further.join(" and ") : "") + ". " + (count === 1 ? "1 case covers" : count + " cases cover") +
      " all possible matrices, and each was excluded in integer arithmetic." + CONVENTIONS[told.undefined];
  }

  S.readBinary = read;
  S.kinds.binary = { keys: KEYS, check: (statement, proof, patience) => proved(read(statement), proof, patience) };
})(globalThis.Scoreproof);
