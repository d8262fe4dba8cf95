// printed_shares: scores beside a printed matrix of row shares, after docs/proofs/printed_shares.md
(function (S) {
  "use strict";

  const { need, get } = S;
  const KEYS = ["classes", "scores", "undefined", "macro_f1", "shares", "shares_rounding"];
  const MOST_PATHS = 200_000;

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

  // is there a whole matrix within the cells with these diagonal and column sums? A flow from rows to columns.
  function fillable(ends, given, counts, patience) {
    const k = ends.length;
    if (counts.some(([tp], i) => tp < ends[i][i][0] || tp > ends[i][i][1])) return false;
    // what rows still have to give and columns to take beyond the least of every cell off the diagonal
    const give = [];
    const take = counts.map(([tp, q]) => q - tp);
    const room = ends.map((row, i) => {
      let left = given.counts[i][0] - counts[i][0];
      const own = row.map(([low, high], j) => {
        if (i === j) return 0n;
        left -= low;
        take[j] -= low;
        return high - low;
      });
      give.push(left);
      return own;
    });
    if (give.some((x) => x < 0n) || take.some((x) => x < 0n) || total(give) !== total(take) || room.some((row) => row.some((x) => x < 0n))) return false;
    const flow = room.map((row) => row.map(() => 0n));
    for (let paths = 0; ; paths += 1) {
      const start = give.findIndex((x) => x > 0n);
      if (start < 0) return true;
      need(paths < MOST_PATHS, "a matrix took too long to fill");
      patience.tick(k * k);
      // rows are 0 to k - 1, columns k to 2k - 1; from[x] is where x was reached from
      const from = new Array(2 * k).fill(-1);
      from[start] = start;
      const queue = [start];
      let end = -1;
      for (let at = 0; at < queue.length && end < 0; at += 1) {
        const x = queue[at];
        for (let y = 0; y < k && end < 0; y += 1) {
          if (x < k && from[k + y] < 0 && flow[x][y] < room[x][y]) {
            from[k + y] = x;
            queue.push(k + y);
            if (take[y] > 0n) end = k + y;
          } else if (x >= k && from[y] < 0 && flow[y][x - k] > 0n) {
            from[y] = x;
            queue.push(y);
          }
        }
      }
      if (end < 0) return false;
      let amount = S.min(give[start], take[end - k]);
      for (let x = end; x !== start; x = from[x]) {
        const y = from[x];
        amount = S.min(amount, x >= k ? room[y][x - k] - flow[y][x - k] : flow[x][y - k]);
      }
      for (let x = end; x !== start; x = from[x]) {
        const y = from[x];
        if (x >= k) flow[y][x - k] += amount;
        else flow[x][y - k] -= amount;
      }
      give[start] -= amount;
      take[end - k] -= amount;
    }
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
    const matrix = (counts) => fillable(ends, given, counts, patience);
    return S.classesWords(given, S.walkClassMeanings(given, proof, patience, { first, matrix })) + " Cells were held to the printed shares.";
  }

  S.kinds.printed_shares = { keys: KEYS, check };
})(globalThis.Scoreproof);
