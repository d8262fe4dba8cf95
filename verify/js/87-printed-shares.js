// printed_shares: scores beside a printed matrix of row shares, after docs/proofs/printed_shares.md
(function (S) {
  "use strict";

  const { need, get } = S;
  const KEYS = ["classes", "scores", "undefined", "macro_f1", "shares", "shares_rounding"];

  // the whole numbers that each cell may hold: {low, high}, matrices of them
  function cells(statement, given) {
    const k = given.names.length;
    const rows = get(statement, "shares");
    need(S.isList(rows) && rows.length === k, "the shares do not have a row for every class");
    const rounding = get(statement, "shares_rounding");
    const ends = rows.map((row, i) => {
      need(S.isList(row) && row.length === k, "a row of shares does not have a cell for every class");
      const n = given.counts[i][0];
      return row.map((text) => {
        const { low, high } = S.interval(text, rounding, null);
        return [S.max(0n, low.times(n).ceil()), S.min(n, high.times(n).floor())];
      });
    });
    return ends;
  }

  const total = (list) => list.reduce((x, y) => x + y, 0n);
  const sums = (row) => [total(row.map((cell) => cell[0])), total(row.map((cell) => cell[1]))];

  // each cell met with what the others of its row leave it
  function met(ends, given) {
    return ends.map((row, i) => {
      const n = given.counts[i][0];
      const [least, most] = sums(row);
      return row.map(([low, high]) => [S.max(low, n - (most - high)), S.min(high, n - (least - low))]);
    });
  }

  function check(statement, proof, patience) {
    S.all(statement, "the statement", KEYS);
    const given = S.classesStatement(statement, false);
    need(given.sets === 1, "a printed matrix is of one set");
    const printed = cells(statement, given);
    if (get(proof, "kind") === "rows") {
      S.keys(proof, "the proof", ["kind"]);
      const broken = printed.some((row, i) => {
        const [least, most] = sums(row);
        const n = given.counts[i][0];
        return row.some(([low, high]) => low > high) || least > n || most < n;
      });
      need(broken, "every row of shares is possible");
      return "Proved: no confusion matrix of " + given.names.length + " classes has the printed shares of its rows.";
    }
    const ends = met(printed, given);
    const first = (part) => {
      ends.forEach((row, i) => {
        part.t1[i] = Math.max(part.t1[i], Number(row[i][0]));
        part.t2[i] = Math.min(part.t2[i], Number(row[i][1]));
        const [least, most] = sums(ends.map((other) => other[i]));
        part.q1[i] = Math.max(part.q1[i], Number(least));
        part.q2[i] = Math.min(part.q2[i], Number(most));
      });
      return part;
    };
    return S.classesWords(given, S.walkClassMeanings(given, proof, patience, { first })) + " Cells were held to the printed shares.";
  }

  S.kinds.printed_shares = { keys: KEYS, check };
})(globalThis.Scoreproof);
