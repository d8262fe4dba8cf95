// Statements about several classes or labels, after docs/proofs/multi_class.md and multi_label.md
(function (S) {
  "use strict";

  const { need, get, fraction } = S;
  const MOST = 10n ** 9n;
  const WITHOUT_TOTAL = 10n ** 7n;
  const F_SCORE = /^f([0-9]{1,20})(?:\.([0-9]{1,20})|\/([0-9]{1,20}))?$/;

  // what numerators and denominators are made of: slopes in tp and q, and multiples of n and of the others
  const TP = [1n, 0n, 0n, 0n];
  const FN = [-1n, 0n, 1n, 0n];
  const FP = [-1n, 1n, 0n, 0n];
  const TN = [1n, -1n, 0n, 1n];
  const sum = (...list) => list.reduce((x, y) => x.map((v, i) => v + y[i]));
  const scaled = (x, k) => x.map((v) => v * k);
  const SCORES = {
    sens: [TP, sum(TP, FN), true], fnr: [FN, sum(TP, FN), false],
    ppv: [TP, sum(TP, FP), true], fdr: [FP, sum(TP, FP), false],
    spec: [TN, sum(TN, FP), true], fpr: [FP, sum(TN, FP), false],
    npv: [TN, sum(TN, FN), true], for: [FN, sum(TN, FN), false],
    acc: [sum(TP, TN), sum(TP, FP, FN, TN), true], err: [sum(FP, FN), sum(TP, FP, FN, TN), false],
    ji: [TP, sum(TP, FP, FN), true],
  };
  const NEED_TOTAL = ["spec", "fpr", "npv", "for", "acc", "err"];

  // a score of a class: {name, top, bottom, good (rises with tp, falls with q), beta (squared) of an F-score}
  function classScore(name) {
    if (Object.hasOwn(SCORES, name)) {
      const [top, bottom, good] = SCORES[name];
      return { name, top, bottom, good, beta: null };
    }
    const match = F_SCORE.exec(name);
    if (match === null) return null;
    const decimals = match[2] || "";
    const below = match[3] === undefined ? S.pow10(decimals.length) : BigInt(match[3]);
    if (below === 0n) return null;
    const beta = fraction(BigInt(match[1] + decimals), below);
    if (beta.sign() <= 0) return null;
    const square = beta.mul(beta);
    const [s, r] = [square.n, square.d];
    const top = scaled(TP, s + r);
    return { name, top, bottom: sum(top, scaled(FN, s), scaled(FP, r)), good: true, beta: square };
  }

  // the form of a group: [slope of tp, slope of q, constant]
  const formOf = (form, group) => [form[0], form[1], form[2] * group.n + form[3] * group.others];
  const at = (form, tp, q) => form[0] * tp + form[1] * q + form[2];

  function readClasses(statement, labels) {
    const undefined_ = get(statement, "undefined");
    need(["zero", "one", "skip", "exclude", "any"].includes(undefined_), "what a 0/0 counts as is not known");
    const macro = get(statement, "macro_f1");
    need(["mean", "of means", "any"].includes(macro), "what an averaged F-score is, is not known");
    const list = get(statement, "classes");
    need(S.isList(list) && list.length >= (labels ? 1 : 2) && list.length <= 1000, "the report does not have from 2 to 1,000 classes");
    const names = [];
    const counts = list.map((entry) => {
      S.keys(entry, "a class", ["name", "counts"]);
      const name = get(entry, "name");
      need(S.isText(name) && S.textLength(name) <= 200, "the name of a class is not a short text");
      names.push(name);
      const own = get(entry, "counts");
      need(S.isList(own), "a class has no list of counts");
      for (const n of own) need(S.integer(n, "a number of cases") >= 0n && n <= MOST, "a number of cases is out of range");
      return own;
    });
    need(new Set(names).size === names.length, "two classes have one name");
    const sets = counts[0].length;
    need(sets >= 1 && sets <= 1000 && counts.every((own) => own.length === sets), "classes differ in their sets");
    const sums = Array.from({ length: sets }, (_, set) => counts.reduce((total, own) => total + own[set], 0n));
    need(sums.every((total) => total >= 1n && total <= MOST), "the number of cases is out of range");
    return { undefined: undefined_, macro, names, counts, sets, sums, labels };
  }

  // the totals of labels: a list, or null
  function readTotals(statement, given) {
    need(statement.has("total"), "the number of cases of labels is not stated");
    const total = get(statement, "total");
    if (total === null) return null;
    need(S.isList(total) && total.length === given.sets, "the totals are not one for each set");
    total.forEach((N, set) => {
      S.integer(N, "a total");
      need(N <= MOST && given.counts.every((own) => own[set] <= N), "a total is below a number of cases, or out of range");
    });
    return total;
  }

  const WHOLE = { acc: "accuracy", kappa: "kappa", mcc: "MCC" };
  function readScore(entry, given) {
    S.keys(entry, "a score", ["score", "text", "rounding", "eps", "class", "average"]);
    const name = get(entry, "score");
    need(S.isText(name) && S.textLength(name) <= 60, "a score has no name");
    need(!(entry.has("class") && entry.has("average")), "a score is of a class or an average");
    const cls = get(entry, "class");
    const average = get(entry, "average");
    const out = { name, cls: null, average: null, score: null };
    if (cls !== null) {
      S.integer(cls, "a class");
      need(cls >= 0n && cls < BigInt(given.names.length), "there is no such class");
      out.cls = Number(cls);
    }
    if (cls === null && !entry.has("average")) {
      need(!given.labels && !entry.has("class") && Object.hasOwn(WHOLE, name), () => "no matrix has a score " + S.quoted(name));
    } else {
      need(cls !== null || ["macro", "weighted", "micro"].includes(average), "there is no such average");
      out.average = average;
      out.score = classScore(name);
      need(out.score !== null, () => "no score of a class is called " + S.quoted(name));
      need(!given.labels || given.totals !== null || !NEED_TOTAL.includes(name), () => name + " needs the number of cases");
    }
    const [text, rounding, eps] = ["text", "rounding", "eps"].map((key) => get(entry, key));
    Object.assign(out, S.interval(text, rounding, eps), { text });
    return out;
  }

  // the whole statement: what is known of the classes, their groups (classes of all sets) and the claims
  function classesStatement(statement, labels) {
    const given = readClasses(statement, labels);
    given.totals = labels ? readTotals(statement, given) : null;
    const list = get(statement, "scores");
    need(S.isList(list) && list.length >= 1 && list.length <= 20_000, "there is no list of scores");
    given.claims = list.map((entry) => readScore(entry, given));
    const key = (c) => c.name + "|" + c.cls + "|" + c.average;
    need(new Set(given.claims.map(key)).size === given.claims.length, "a score is named twice");
    need(given.sets === 1 || !given.claims.some((c) => c.score === null && c.name !== "acc"), "kappa and MCC are of one matrix");
    given.groups = [];
    for (let set = 0; set < given.sets; set += 1) {
      given.counts.forEach((own, cls) => {
        const n = own[set];
        const N = !labels ? given.sums[set] : given.totals === null ? WITHOUT_TOTAL : given.totals[set];
        const open = labels && given.totals === null;
        given.groups.push({ set, cls, n, others: open ? N : N - n, most: open ? N + n : N });
      });
    }
    return given;
  }

  const isAveragedF = (c) => c.score !== null && c.score.beta !== null && (c.average === "macro" || c.average === "weighted");
  // the meanings of averaged F-scores that need a proof each
  const meanings = (given) =>
    given.macro !== "any" ? [given.macro] : given.claims.some(isAveragedF) ? ["mean", "of means"] : ["mean"];

  function shownScore(given, c) {
    const name = c.score === null ? WHOLE[c.name] : (c.average === null ? "" : c.average + " ") + c.name;
    return name + (c.cls === null ? "" : " of " + given.names[c.cls]) + " " + S.shown(c);
  }
  const shownScores = (given) => given.claims.slice(0, 12).map((c) => shownScore(given, c)).join(", ");

  Object.assign(S, { classesStatement, classScore, formOf, formAt: at, isAveragedF, meanings, shownClassScores: shownScores });
})(globalThis.Scoreproof);
