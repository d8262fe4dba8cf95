// `printed_matrix`: scores beside printed counts.
(function (S) {
  "use strict";

  const { need, quoted, integer, fraction, get } = S;
  const NAMES = ["tp", "fp", "fn", "tn", "p", "n", "total"];
  const KEYS = ["counts", "scores", "undefined"];
  const MOST = 10n ** 40n;

  // the sizes a class may have, [least, most] (most null if open), or null if there is none
  function ownSizes(printed, right, wrong, size) {
    const cells = [right, wrong].filter((name) => printed.has(name));
    const least = cells.reduce((sum, name) => sum + printed.get(name), 0n);
    let range = [least, cells.length === 2 ? least : null];
    if (printed.has(size)) {
      const value = printed.get(size);
      if (value < range[0] || (range[1] !== null && value > range[1])) return null;
      range = [value, value];
    }
    return range;
  }
  function sizes(printed) {
    const p = ownSizes(printed, "tp", "fn", "p");
    const n = ownSizes(printed, "tn", "fp", "n");
    if (p === null || n === null) return null;
    if (!printed.has("total")) return { p, n };
    const total = printed.get("total");
    const met = (own, other) => {
      const most = total - other[0];
      const least = other[1] === null ? own[0] : S.max(own[0], total - other[1]);
      return [least, own[1] === null ? most : S.min(own[1], most)];
    };
    const both = { p: met(p, n), n: met(n, p) };
    return both.p[0] > both.p[1] || both.n[0] > both.n[1] ? null : both;
  }

  const known = (range) => range[0] === range[1];
  function right(printed, name, wrong, range) {
    if (printed.has(name)) return printed.get(name);
    return printed.has(wrong) && known(range) ? range[0] - printed.get(wrong) : null;
  }

  function matrixProof(proof, sized, claims, undefined_, shown) {
    S.keys(proof, "the proof", ["kind", "score"]);
    const { p: ps, n: ns } = sized;
    const [tp, tn] = [sized.tp, sized.tn];
    need(known(ps) && known(ns) && tp !== null && tn !== null, "the counts leave the matrix open");
    const i = integer(get(proof, "score"), "the score");
    need(i >= 0n && i < BigInt(claims.length), "the proof names a score that is not reported");
    const claim = claims[Number(i)];
    const [p, n] = [ps[0], ns[0]];
    const fill = S.fillOf(undefined_);
    const place = S.place(claim.score, claim.from, claim.to, tp, tn, p, n);
    const fits = place === null ? fill !== null && S.holds(claim, fill) : place === 0;
    need(!fits, () => "the matrix gives " + claim.score.name + " as it is printed");
    if (undefined_ === "any" && claim.score.name === "bacc" && (p === 0n) !== (n === 0n)) {
      const recall = p === 0n ? fraction(tn, n) : fraction(tp, p);
      need(!S.holds(claim, recall), "the recall of the only class is as it is printed");
    }
    return "Proved: the only confusion matrix with " + shown + " (tp " + tp + ", fp " + (n - tn) + ", fn " + (p - tp) + ", tn " + tn +
      ") does not have " + S.shownClaim(claim) + ".";
  }

  function check(statement, proof, patience) {
    S.all(statement, "the statement", KEYS);
    const undefined_ = get(statement, "undefined");
    need(["any", "zero", "one", "exclude", "skip"].includes(undefined_), () => "unknown undefined " + quoted(undefined_));
    const counts = get(statement, "counts");
    need(S.isList(counts) && counts.length >= 1 && counts.length <= 100, "the statement has no counts");
    const printed = new Map();
    let twice = false;
    for (const entry of counts) {
      need(S.isList(entry) && entry.length === 2, "a count is not a name and a number");
      const [name, number] = entry;
      need(NAMES.includes(name), () => "unknown count " + quoted(name));
      integer(number, "a count");
      need(number >= 0n && number <= MOST, "a count is out of range");
      twice ||= printed.has(name) && printed.get(name) !== number;
      printed.set(name, number);
    }
    const listed = get(statement, "scores");
    const claims = S.isList(listed) && listed.length === 0 ? [] : S.scores(listed);
    need(claims.every((claim) => claim.spread === null), "one matrix has no ±");
    const shown = counts.map(([name, number]) => name + " " + number).join(", ");
    const kind = get(proof, "kind");
    const sized = twice ? null : sizes(printed);
    if (kind === "counts") {
      S.keys(proof, "the proof", ["kind"]);
      need(sized === null, "the counts do not contradict each other");
      return "Proved: no confusion matrix has " + shown + ": these counts contradict each other.";
    }
    need(!twice, "a count has two values");
    need(sized !== null, "the counts contradict each other, which this proof does not say");
    sized.tp = right(printed, "tp", "fn", sized.p);
    sized.tn = right(printed, "tn", "fp", sized.n);
    if (kind === "matrix") return matrixProof(proof, sized, claims, undefined_, shown);
    const ofClass = [known(sized.p), known(sized.n)];
    need(ofClass[0] || ofClass[1], "the counts leave both classes open");
    const p = ofClass[0] ? sized.p[0] : 0n;
    const n = ofClass[1] ? sized.n[0] : 0n;
    const own = ofClass[0] ? ["sens", "fnr"] : ["spec", "fpr"];
    const used = ofClass[0] && ofClass[1] ? claims : claims.filter((claim) => own.includes(claim.score.name));
    need(p + n > 0n && used.length > 0, "the counts say nothing of the scores");
    const exact = (name, hits, size) => {
      const rate = fraction(hits, size);
      return S.claim(S.scoreOf(name), rate, rate, {});
    };
    const all = [...used];
    if (p > 0n && sized.tp !== null) all.push(exact("sens", sized.tp, p));
    if (n > 0n && sized.tn !== null) all.push(exact("spec", sized.tn, n));
    const count = S.oneMatrix(proof, p, n, all, undefined_, patience);
    return "Proved: no confusion matrix with " + shown + " has " + S.shownClaims(used) + ". " + count + " " +
      (count === 1 ? "rectangle" : "rectangles") + " cover all of its possible cells, and each was excluded in exact arithmetic.";
  }

  S.kinds.printed_matrix = { keys: KEYS, check };
})(globalThis.Scoreproof);
