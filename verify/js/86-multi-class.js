// multi_class, multi_label and printed_classes: the walk over parts, and the words
(function (S) {
  "use strict";

  const { need, get } = S;
  const KEYS = ["classes", "scores", "undefined", "macro_f1"];
  const MOST_STEPS = 100_000;
  const malformed = "a step is malformed";

  // a part cut into at most v and above v
  function cut(given, part, step) {
    const v = S.integer(step[step.length - 1], "a cut");
    const [name] = step;
    S.integer(step[1], "what is cut");
    const [low, high] = [S.copiedPart(part), S.copiedPart(part)];
    const clamp = (x) => Number(S.max(S.min(x, 1n << 50n), -(1n << 50n)));
    if (name === "right") {
      need(step.length === 3 && step[1] >= 0n && step[1] < BigInt(given.sets), malformed);
      const set = Number(step[1]);
      low.right[set][1] = Math.min(low.right[set][1], clamp(v));
      high.right[set][0] = Math.max(high.right[set][0], clamp(v) + 1);
    } else {
      need(step.length === 4 && step[1] >= 0n && step[1] < BigInt(given.groups.length) && (step[2] === "tp" || step[2] === "q"), malformed);
      const i = Number(step[1]);
      const [least, most] = step[2] === "tp" ? ["t1", "t2"] : ["q1", "q2"];
      low[most][i] = Math.min(low[most][i], clamp(v));
      high[least][i] = Math.max(high[least][i], clamp(v) + 1);
    }
    return [low, high];
  }

  // walks over one proof by parts and counts them; `hooks` are for kinds that know more of the first part
  function walkParts(given, proof, meaning, patience, hooks = {}) {
    S.keys(proof, "the proof", ["kind", "steps"]);
    need(get(proof, "kind") === "parts", () => "unknown kind of proof " + S.quoted(get(proof, "kind")));
    const steps = get(proof, "steps");
    need(S.isList(steps) && steps.length >= 1 && steps.length <= MOST_STEPS, "the proof is not a list of steps");
    const first = S.firstPart(given);
    const stack = [hooks.first ? hooks.first(first) : first];
    const spent = hooks.spent || { blocks: 0 };
    let parts = 0;
    steps.forEach((step, number) => {
      patience.at(number, steps.length);
      need(stack.length > 0, "the proof has steps left over");
      need(S.isList(step) && step.length > 0 && S.isText(step[0]), malformed);
      const part = stack.pop();
      const left = S.narrowPart(given, part, patience);
      const [name] = step;
      if (name === "cut" || name === "right") {
        stack.push(...cut(given, part, step));
        return;
      }
      parts += 1;
      if (name === "none") need(!left && step.length === 1, "a part said to be empty is not");
      else if (name === "list") {
        need(step.length === 1, malformed);
        if (left) S.listPart(given, part, meaning, patience);
      } else if (name === "bound") {
        if (left) S.boundPart(given, part, meaning, step, spent, patience);
      } else throw new S.Rejected("there is no step " + S.quoted(name));
    });
    need(stack.length === 0, "the proof ends before all counts are excluded");
    return parts;
  }

  // one proof, or one for each meaning of an averaged F-score; how many parts
  function walkMeanings(given, proof, patience, hooks = {}) {
    const meanings = S.meanings(given);
    if (meanings.length === 1) return walkParts(given, proof, meanings[0], patience, hooks);
    S.keys(proof, "the proof", ["kind", "cases"]);
    need(get(proof, "kind") === "cases", "an averaged F-score has two meanings; each needs a proof");
    const cases = get(proof, "cases");
    need(S.isList(cases) && cases.length === 2, "there is not one proof for each meaning of an averaged F-score");
    return meanings.reduce((sum, meaning, i) => sum + walkParts(given, cases[i], meaning, patience, hooks), 0);
  }

  function classesWords(given, parts) {
    const k = given.names.length;
    const first = given.counts.slice(0, 12).map((own) => own[0]).join(", ") + (k > 12 ? ", ..." : "");
    const what = given.labels ? "no choice of " + k + " labels with " : "no confusion matrix of " + k + " classes with ";
    const more = given.claims.length - 12;
    return "Proved: " + what + first + " cases" + (given.sets > 1 ? " (nor mean over " + given.sets + " such)" : "") + " has " + S.shownClassScores(given) +
      (more > 0 ? " and " + more + " more scores as printed" : "") + ". " + (parts === 1 ? "1 part" : parts + " parts") +
      " of all counts, each excluded in exact arithmetic.";
  }

  function check(labels, statement, proof, patience) {
    S.all(statement, "the statement", labels ? [...KEYS, "total"] : KEYS);
    const given = S.classesStatement(statement, labels);
    return classesWords(given, walkMeanings(given, proof, patience));
  }
  S.kinds.multi_class = { keys: KEYS, check: (...rest) => check(false, ...rest) };
  S.kinds.multi_label = { keys: [...KEYS, "total"], check: (...rest) => check(true, ...rest) };

  function printedClasses(statement, proof) {
    S.all(statement, "the statement", [...KEYS, "matrix", "total"]);
    S.keys(proof, "the proof", ["kind"]);
    need(get(proof, "kind") === "recomputed", "unknown kind of proof");
    const given = S.classesStatement(statement, false);
    const k = given.names.length;
    const matrix = get(statement, "matrix");
    need(S.isList(matrix) && matrix.length === k, "the matrix does not have a row for every class");
    for (const row of matrix) {
      need(S.isList(row) && row.length === k, "a row of the matrix does not have a cell for every class");
      for (const cell of row) need(S.integer(cell, "a cell") >= 0n, "a cell is negative");
    }
    const sum = (list) => list.reduce((x, y) => x + y, 0n);
    need(given.sets === 1 && matrix.every((row, i) => sum(row) === given.counts[i][0]), "the rows are other ones");
    const total = get(statement, "total");
    if (total !== null) S.integer(total, "the number of cases");
    const all = sum(given.sums);
    if (total !== null && total !== all) return "Proved: the printed matrix holds " + all + " cases, not " + total + ".";
    const counts = matrix.map((row, i) => [row[i], sum(matrix.map((other) => other[i]))]);
    need(!S.meanings(given).some((meaning) => S.givesReport(given, counts, meaning)), "the matrix gives the scores");
    return "Proved: the printed matrix of " + k + " classes and " + all + " cases does not give " + S.shownClassScores(given) + ".";
  }
  S.kinds.printed_classes = { keys: [...KEYS, "matrix", "total"], check: printedClasses };

  Object.assign(S, { walkClassParts: walkParts, walkClassMeanings: walkMeanings, classesWords });
})(globalThis.Scoreproof);
