// order and shared_variance: who is best by the printed numbers, and rows of errors and R² on one test set
(function (S) {
  "use strict";

  const { need, get, ZERO, ONE } = S;
  const ORDER = ["quantity", "relation", "method", "claim", "rivals"];

  function order(statement, proof) {
    S.all(statement, "the statement", ORDER);
    const quantity = get(statement, "quantity");
    const score = S.scoreOf(quantity);
    need(score !== null, () => S.unknownScore(quantity));
    const relation = get(statement, "relation");
    need(relation === "best" || relation === "better", () => "unknown relation " + S.quoted(relation));
    const method = S.shortText(get(statement, "method"), "the method");
    const claim = S.printed(get(statement, "claim"), "the claim", true);
    const rivals = S.printedValues(get(statement, "rivals"), "a rival", 1, relation === "best" ? 10_000 : 1, true);
    S.keys(proof, "the proof", ["kind", "rival"]);
    need(get(proof, "kind") === "ahead", () => "unknown kind of proof " + S.quoted(get(proof, "kind")));
    const index = S.integer(get(proof, "rival"), "the rival");
    need(index >= 0n && index < BigInt(rivals.length), "the proof names a rival that there is not");
    const rival = rivals[Number(index)];
    for (const each of [claim, ...rivals]) {
      // a number in another unit would be compared with its own otherwise
      need(each.high.ge(score.least) && (score.most === null || each.low.le(score.most)), () => each.text + " is no value of " + quantity);
    }
    const lead = score.rises ? rival.value.sub(claim.value) : claim.value.sub(rival.value);
    const enough = rival.unit.eq(claim.unit) ? lead.sign() > 0 : lead.sign() > 0 && lead.ge(rival.unit.max(claim.unit));
    need(enough, "the rival is not ahead by the printed numbers");
    return "Proved: " + method + " (" + claim.text + ") is not " + relation + " by " + quantity + ": " + (rival.name === null ? "a rival" : rival.name) +
      " (" + rival.text + ") is ahead, and " + (score.rises ? "larger" : "smaller") + " is better.";
  }
  S.kinds.order = { keys: ORDER, check: order };

  // a row of errors and R²: ends of the mean squared error, and of what is left to 1
  function readRow(row) {
    S.keys(row, "a row", ["name", "scores"]);
    const name = S.shortText(get(row, "name"), "the name of a row");
    const list = get(row, "scores");
    need(S.isList(list) && list.length <= 3, "a row has no list of scores");
    const out = { name, low: null, high: null, least: null, most: null, words: "" };
    const seen = new Set();
    out.words = list.map((entry) => {
      S.keys(entry, "a score", ["score", "name", "text", "rounding", "eps"]);
      const score = get(entry, "score");
      need((score === "mse" || score === "rmse" || score === "r2") && !seen.has(score), "a score is not mse, rmse or r2, or is named twice");
      seen.add(score);
      need(!entry.has("name") || S.isText(get(entry, "name")), "the name of a score is not a text");
      const [text, rounding, eps] = ["text", "rounding", "eps"].map((key) => get(entry, key));
      let { low, high } = S.interval(text, rounding, eps, false, score === "r2" ? ONE : null);
      const shown = S.shown({ text, low, high });
      if (score === "r2") {
        out.least = ONE.sub(high);
        out.most = ONE.sub(low);
      } else {
        need(high.sign() >= 0, "an error is negative");
        low = low.max(ZERO);
        if (score === "rmse") [low, high] = [low.mul(low), high.mul(high)];
        out.low = out.low === null ? low : out.low.max(low);
        out.high = out.high === null ? high : out.high.min(high);
      }
      return score + " " + shown;
    }).join(", ");
    return out;
  }

  function sharedVariance(statement, proof) {
    S.all(statement, "the statement", ["rows"]);
    S.keys(proof, "the proof", ["kind", "lower"]);
    need(get(proof, "kind") === "apart", () => "unknown kind of proof " + S.quoted(get(proof, "kind")));
    const lower = S.integer(get(proof, "lower"), "the lower row");
    need(lower === 0n || lower === 1n, "the proof names a row that there is not");
    const list = get(statement, "rows");
    need(S.isList(list) && list.length === 2, "the statement does not have two rows");
    const rows = list.map(readRow);
    need(rows.every((row) => row.low !== null && row.least !== null), "a row has no error or no R²");
    const [first, other] = lower === 0n ? rows : [rows[1], rows[0]];
    need(first.least.sign() > 0, "R² of the first row may be 1, which leaves the variance open");
    need(other.most.sign() > 0, "R² of the second row is 1 or more");
    need(first.high.mul(other.most).lt(other.low.mul(first.least)), "one variance may fit both rows");
    const shown = (row) => row.name + " (" + row.words + ")";
    return "Proved: " + shown(rows[0]) + " and " + shown(rows[1]) + " are not on one test set where R² is 1 - mse / variance: " + first.name +
      " needs a smaller variance of the true values than " + other.name + ".";
  }
  S.kinds.shared_variance = { keys: ["rows"], check: sharedVariance };
})(globalThis.Scoreproof);
