// `one_test_set`: two rows on one test set of unknown classes.
(function (S) {
  "use strict";

  const { need, quoted, integer, get, ZERO, ONE } = S;
  const KEYS = ["rows", "total", "undefined"];

  function rowNumber(x, what) {
    integer(x, what);
    need(x === 0n || x === 1n, "the proof names a row that there is not");
    return Number(x);
  }

  function check(statement, proof, patience) {
    S.all(statement, "the statement", KEYS);
    const total = S.totalOf(get(statement, "total"));
    const undefined_ = get(statement, "undefined");
    const list = get(statement, "rows");
    need(S.isList(list) && list.length === 2, "the statement does not have two rows");
    const kind = get(proof, "kind");
    const only = kind === "row" ? rowNumber(get(proof, "row"), "the row") : null;
    const rows = list.map((row, i) => {
      S.keys(row, "a row", ["name", "scores"]);
      const name = S.shortText(get(row, "name"), "the name of a row");
      const scores = get(row, "scores");
      const none = only !== null && only !== i && S.isList(scores) && scores.length === 0;
      const claims = none ? [] : S.scores(scores);
      need(claims.every((claim) => claim.spread === null), "one matrix has no ±");
      return { name, claims };
    });
    const size = total === null ? "" : " of " + S.shownCases(total);
    const start = "Proved: " + rows[0].name + " and " + rows[1].name + " are not on one test set" + size + ": ";
    if (only !== null) {
      S.keys(proof, "the proof", ["kind", "row", "proof"]);
      const { name, claims } = rows[only];
      S.sizesProof(get(proof, "proof"), claims, undefined_, [], total, patience);
      return start + "no class counts give " + name + " its " + S.shownClaims(claims) + ".";
    }
    need(kind === "apart", () => "unknown kind of proof " + quoted(kind));
    S.keys(proof, "the proof", ["kind", "lower", "share", "above", "below"]);
    const lower = rowNumber(get(proof, "lower"), "the lower row");
    const share = S.number(get(proof, "share"), "the share");
    need(share.sign() >= 0 && share.le(ONE), "the share is no prevalence");
    const [low, high] = [rows[lower], rows[1 - lower]];
    S.sizesProof(get(proof, "above"), low.claims, undefined_, [{ low: share, high: ONE }], total, patience);
    S.sizesProof(get(proof, "below"), high.claims, undefined_, [{ low: ZERO, high: share }], total, patience);
    return start + "with " + S.shownClaims(low.claims) + " the prevalence of " + low.name + " is below " + S.decimal(share) + ", with " +
      S.shownClaims(high.claims) + " that of " + high.name + " is above.";
  }

  S.kinds.one_test_set = { keys: KEYS, check };
})(globalThis.Scoreproof);
