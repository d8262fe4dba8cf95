// The experiment of a `binary` statement: a tree of test sets, folds, means and sums; and its readings.
(function (S) {
  "use strict";

  const { need, quoted, integer, get } = S;
  const MOST_NODES = 100_000;
  const KFOLD = ["type", "p", "n", "k", "repeats", "stratified", "aggregation", "rule", "ranges"];
  const AGGREGATIONS = ["mean_of_scores", "score_of_means", "unknown"];

  const optional = (node, key, missing) => (node.has(key) ? node.get(key) : missing);

  function counts(node) {
    const p = integer(get(node, "p"), "p");
    const n = integer(get(node, "n"), "n");
    need(p >= 0n && n >= 0n && p + n > 0n, "p and n are no evaluation set");
    need(p + n <= 10n ** 40n, "an evaluation set is too large");
    return { p, n };
  }

  // ranges of the scores of direct parts: [{name, low, high}], open ends null
  function ranges(x) {
    need(S.isObject(x) && x.size <= 1000, "ranges are malformed");
    return [...x].map(([name, pair]) => {
      need(S.isList(pair) && pair.length === 2, "a range is malformed");
      const score = S.scoreOf(name);
      const most = score === null ? null : score.most;
      const [low, high] = pair.map((end, i) => {
        if (end === null) return null;
        if (!S.isObject(end)) {
          const value = S.number(end, "a range");
          if (most !== null && most.eq(S.ONE)) S.share(value, () => quoted(end));
          return value;
        }
        S.keys(end, "a range", ["text", "rounding", "eps"]);
        const ends = S.interval(get(end, "text"), get(end, "rounding"), get(end, "eps"), false, most);
        return i === 0 ? ends.low : ends.high;
      });
      need(low === null || high === null || low.le(high), "a range has its ends crossed");
      return { name, low, high };
    });
  }

  function kfold(node, add) {
    S.keys(node, "kfold", KFOLD);
    const { p, n } = counts(node);
    const k = integer(get(node, "k"), "k");
    const repeats = integer(optional(node, "repeats", 1n), "repeats");
    need(k >= 2n && k <= p + n && repeats >= 1n && k * repeats <= 100_000n, "the folds are malformed");
    add(Number(k * repeats));
    const stratified = optional(node, "stratified", true);
    need(S.isTruth(stratified), "stratified is neither true nor false");
    const rules = stratified ? ["balanced", "scikit-learn"] : ["any", "trainable"];
    const rule = optional(node, "rule", rules[0]);
    need(rules.includes(rule), () => "unknown rule of folds " + quoted(rule));
    const aggregation = optional(node, "aggregation", "mean_of_scores");
    need(AGGREGATIONS.includes(aggregation), () => "unknown aggregation " + quoted(aggregation));
    return { type: "kfold", p, n, k, repeats, rule, aggregation, ranges: ranges(optional(node, "ranges", new Map())) };
  }

  // a tree of {type, p, n, ...}, the counts of every node with it
  function experiment(x) {
    let nodes = 0;
    const add = (more) => {
      nodes += more;
      need(nodes <= MOST_NODES, "the experiment has too many parts");
    };
    function read(node, depth) {
      need(S.isObject(node), "the experiment is not an object");
      need(depth <= 50, "the experiment is nested too deeply");
      add(1);
      const type = get(node, "type");
      if (type === "testset") {
        S.keys(node, "testset", ["type", "p", "n"]);
        return { type, ...counts(node), ranges: [] };
      }
      if (type === "kfold") return kfold(node, add);
      const unknown = type === "unknown_aggregation";
      need(unknown || type === "mean_of_scores" || type === "score_of_means", () => "an experiment of unknown type " + quoted(type));
      S.keys(node, type, unknown ? ["type", "parts"] : ["type", "parts", "ranges"]);
      const list = get(node, "parts");
      need(S.isList(list) && list.length > 0, type + " has no parts");
      const parts = list.map((part) => read(part, depth + 1));
      need(type !== "score_of_means" || !parts.some(isMean), "a sum has a part that is a mean");
      return joined(type, parts, unknown ? [] : ranges(optional(node, "ranges", new Map())));
    }
    return read(x, 0);
  }

  const isMean = (node) => node.type === "mean_of_scores" || (node.type === "kfold" && node.aggregation === "mean_of_scores");
  const isUnknown = (node) => node.type === "unknown_aggregation" || (node.type === "kfold" && node.aggregation === "unknown");

  // a node of parts; its counts are the sums of theirs
  function joined(type, parts, ranges_) {
    const sum = (key) => parts.reduce((total, part) => total + size(part)[key], 0n);
    return { type, parts, ranges: ranges_, p: sum("p"), n: sum("n") };
  }
  // the counts of a node; those of folds are of all repeats together
  const size = (node) => (node.type === "kfold" ? { p: node.p * node.repeats, n: node.n * node.repeats } : { p: node.p, n: node.n });

  // one matrix: a test set, or parts (or folds) that are added up
  function isSummed(node) {
    if (node.type === "testset") return true;
    if (node.type === "kfold") return node.aggregation === "score_of_means";
    return node.type === "score_of_means" && node.parts.every(isSummed);
  }
  const isBounded = (node) => node.ranges.length > 0 || (node.parts || []).some(isBounded);

  // how many levels of unknown aggregation there are, and how many nodes
  function levels(node, above = 0) {
    const own = above + (isUnknown(node) ? 1 : 0);
    let most = own;
    let nodes = 1;
    for (const part of node.parts || []) {
      const inside = levels(part, own);
      most = Math.max(most, inside.most);
      nodes += inside.nodes;
    }
    return { most, nodes };
  }

  // every node of a level read as a mean, or every one as a sum; null if means would be added up
  function reading(node, choice, above = 0) {
    const unknown = isUnknown(node);
    const level = above + (unknown ? 1 : 0);
    const type = unknown ? choice[level - 1] : null;
    if (node.type === "kfold") return unknown ? { ...node, aggregation: type } : node;
    if (node.type === "testset") return node;
    const parts = [];
    for (const part of node.parts) {
      const read = reading(part, choice, level);
      if (read === null) return null;
      parts.push(read);
    }
    const own = unknown ? type : node.type;
    if (own === "score_of_means" && parts.some(isMean)) return null;
    return { ...node, type: own, parts };
  }

  // all readings, the outermost level first, mean before sum, the innermost changing fastest
  function readings(node) {
    const { most, nodes } = levels(node);
    need(most <= 12, "too many levels of unknown aggregation");
    need(nodes * 2 ** most <= 1_000_000, "too many parts of unknown aggregation");
    const out = [];
    for (let code = 0; code < 2 ** most; code += 1) {
      const choice = Array.from({ length: most }, (_, i) => ((code >> (most - 1 - i)) & 1 ? "score_of_means" : "mean_of_scores"));
      const read = reading(node, choice);
      if (read !== null) out.push(read);
    }
    need(out.length > 0, "the experiment has no reading");
    return out;
  }
  const hasUnknown = (node) => levels(node).most > 0;

  Object.assign(S, { experiment, readings, hasUnknown, isMean, isSummed, isBounded, nodeSize: size });
})(globalThis.Scoreproof);
