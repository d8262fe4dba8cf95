// The rows of a step "bound": what each demands of the sum over groups, after docs/proofs/multi_class.md
(function (S) {
  "use strict";

  const { need, fraction, ZERO, ONE } = S;
  const LIMIT = 2n ** 80n;
  const SHARE = 40n;
  const malformed = () => {
    throw new S.Rejected("a row is malformed");
  };

  // What rows add up to: for every group the coefficients of tp, q, q² and of scores; and the demand, less all constants
  class Rows {
    constructor(given, part, meaning) {
      Object.assign(this, { given, part, meaning, demand: ZERO });
      this.groups = given.groups.map(() => ({ tp: ZERO, q: ZERO, squares: ZERO, scores: new Map() }));
    }
    add(i, key, x) {
      this.groups[i][key] = this.groups[i][key].add(x);
    }
    // scores of equal name are one, of F-scores those of equal upper end
    addScore(i, score, upper, x) {
      const key = score.name + (score.beta === null ? "" : " " + upper.key());
      const known = this.groups[i].scores.get(key);
      if (known === undefined) this.groups[i].scores.set(key, { score, upper, x });
      else known.x = known.x.add(x);
    }
    // groups of a set
    each(set, action) {
      this.given.groups.forEach((group, i) => {
        if (set === null || group.set === set) action(group, i);
      });
    }
    // y times the mean of a score over the classes
    addMean(score, claim, y) {
      const { given } = this;
      const upper = given.sets > 1 ? ONE : claim.high.min(ONE);
      const sets = BigInt(given.sets);
      const k = BigInt(given.names.length);
      this.each(null, (group, i) => {
        if (claim.cls !== null && group.cls !== claim.cls) return;
        const weight = claim.cls !== null ? ONE : claim.average === "macro" ? fraction(1n, k) : fraction(group.n, given.sums[group.set]);
        this.addScore(i, score, upper, y.mul(weight).div(fraction(sets)));
      });
    }
  }

  // an index among so many
  function index(x, what, count, sentence) {
    S.integer(x, what);
    need(x >= 0n && x < BigInt(count), sentence);
    return Number(x);
  }

  // no set of the part can be without a right answer
  function somethingIsRight({ given, part }) {
    if (part.right.every((range) => range[0] > 0)) return true;
    const claimed = given.claims.some((c) => c.score !== null && c.score.name === "sens" && ["macro", "weighted"].includes(c.average) && c.low.sign() > 0);
    return given.sets === 1 && given.groups.every((group) => group.n > 0n) && claimed;
  }

  const ROWS = {
    right(rows, row, y) {
      if (row.length !== 3) malformed();
      const set = index(row[1], "a set", rows.given.sets, "there is no such set");
      const N = rows.given.sums[set];
      rows.each(set, (_, i) => rows.add(i, "tp", y.div(fraction(N))));
      const [least, most] = rows.part.right[set];
      rows.demand = rows.demand.add(y.mul(fraction(BigInt(y.sign() > 0 ? least : most), N)));
    },
    given(rows, row, y) {
      if (row.length !== 3) malformed();
      const set = index(row[1], "a set", rows.given.sets, "there is no such set");
      need(!rows.given.labels, "labels may be given to any number of cases");
      rows.each(set, (_, i) => rows.add(i, "q", y.div(fraction(rows.given.sums[set]))));
      rows.demand = rows.demand.add(y);
    },
    wrong(rows, row, y) {
      if (row.length !== 3 || y.sign() > 0 || rows.given.labels) malformed();
      const own = index(row[1], "a class", rows.given.groups.length, "there is no such class");
      const { set, n } = rows.given.groups[own];
      const per = y.div(fraction(rows.given.sums[set]));
      rows.each(set, (_, i) => rows.add(i, "tp", per));
      rows.add(own, "tp", per.times(-2n));
      rows.add(own, "q", per);
      rows.demand = rows.demand.add(y.sub(per.times(n)));
    },
    mean(rows, row, y) {
      if (row.length !== 3) malformed();
      const { given } = rows;
      const claim = given.claims[index(row[1], "a score", given.claims.length, "there is no such score")];
      const v = y.sign() > 0 ? claim.low : claim.high;
      const sets = fraction(BigInt(given.sets));
      rows.demand = rows.demand.add(y.mul(v));
      if (claim.score === null) {
        need(claim.name === "acc", "this average is no mean of scores");
        rows.each(null, (group, i) => rows.add(i, "tp", y.div(sets).div(fraction(given.sums[group.set]))));
      } else if (claim.average === "micro") {
        need(!given.labels, "micro averages of labels are ratios");
        for (let set = 0; set < given.sets; set += 1) {
          const groups = given.groups.filter((group) => group.set === set);
          const N = given.sums[set];
          const sum = (part) => {
            const forms = groups.map((group) => S.formOf(claim.score[part], group));
            return [forms[0][0], N * forms[0][1] + forms.reduce((total, form) => total + form[2], 0n)];
          };
          const [top, bottom] = [sum("top"), sum("bottom")];
          need(bottom[0] === 0n && bottom[1] > 0n, "this micro average is no mean");
          const per = y.div(sets).div(fraction(bottom[1]));
          rows.each(set, (_, i) => rows.add(i, "tp", per.times(top[0])));
          rows.demand = rows.demand.sub(per.times(top[1]));
        }
      } else {
        need(rows.meaning !== "of means" || !S.isAveragedF(claim), "this average is no mean of scores");
        rows.addMean(claim.score, claim, y);
      }
    },
    ratio(rows, row, y) {
      const [claim, v] = sided(rows, row, y, 4);
      const { given } = rows;
      need(claim.average === "micro" && given.sets === 1, "this is no ratio of sums");
      const per = y.div(fraction(given.sums[0]));
      rows.each(null, (group, i) => {
        const top = S.formOf(claim.score.top, group);
        const bottom = S.formOf(claim.score.bottom, group);
        const [tp, q, constant] = top.map((x, j) => per.mul(fraction(x).sub(v.times(bottom[j]))));
        rows.add(i, "tp", tp);
        rows.add(i, "q", q);
        rows.demand = rows.demand.sub(constant);
      });
    },
    kappa(rows, row, y) {
      const [claim, v] = sided(rows, row, y, 4);
      ofOneMatrix(rows, claim, "kappa");
      const N = rows.given.sums[0];
      rows.each(null, (group, i) => {
        rows.add(i, "tp", y.div(fraction(N)));
        rows.add(i, "q", y.mul(v.sub(ONE)).mul(fraction(group.n, N * N)));
      });
      rows.demand = rows.demand.add(y.mul(v));
    },
    mcc(rows, row, y) {
      const [claim, v] = sided(rows, row, y, row.length === 4 ? 4 : 6);
      ofOneMatrix(rows, claim, "mcc");
      const { given, part } = rows;
      const N = given.sums[0];
      const K = ONE.sub(fraction(given.groups.reduce((sum, { n }) => sum + n * n, 0n), N * N));
      let [slope, constant] = [ZERO, ZERO]; // X - v slope Z against v constant
      if (row.length === 6) {
        const slopes = [S.integer(row[3], "a slope"), S.integer(row[4], "a slope")];
        need(slopes.every((x) => x >= 1n && x <= LIMIT), "a slope is out of range");
        need(y.sign() < 0 ? v.sign() >= 0 : v.sign() <= 0, "a tangent is on the wrong side");
        const t = fraction(row[3], row[4]);
        slope = ONE.div(t.times(2n));
        constant = K.mul(t).mul(fraction(1n, 2n));
      } else {
        need(y.sign() < 0 ? v.sign() <= 0 : v.sign() >= 0, "a chord is on the wrong side");
        const squares = (counts) => counts.reduce((sum, q) => sum + BigInt(q) ** 2n, 0n);
        const ends = [squares(part.q2), squares(part.q1)].map((sum) => ONE.sub(fraction(sum, N * N)).max(ZERO));
        const roots = ends.map((Z) => {
          const x = K.mul(Z);
          return fraction(S.isqrt((x.n << (2n * SHARE)) / x.d), 1n << SHARE);
        });
        if (!ends[0].eq(ends[1])) slope = roots[1].sub(roots[0]).div(ends[1].sub(ends[0]));
        constant = roots[0].sub(slope.mul(ends[0]));
      }
      rows.each(null, (group, i) => {
        rows.add(i, "tp", y.div(fraction(N)));
        rows.add(i, "q", y.mul(fraction(-group.n, N * N)));
        rows.add(i, "squares", y.mul(v).mul(slope).div(fraction(N * N)));
      });
      // Z is 1 less the squares
      rows.demand = rows.demand.add(y.mul(v).mul(constant.add(slope)));
    },
    tangent(rows, row, y) {
      if (row.length !== 5 || y.sign() < 0) malformed();
      const { given } = rows;
      const claim = ofMeans(rows, row);
      const [a, c] = [S.integer(row[2], "a part"), S.integer(row[3], "a whole")];
      need(a >= 0n && a <= c && c > 0n, "a tangent is out of range");
      const zero = given.undefined === "zero" || given.undefined === "exclude";
      need(zero || somethingIsRight(rows), "an F-score of means is 0/0 where nothing is right, which a tangent does not bound");
      const b = claim.score.beta;
      const t = fraction(a, c);
      const rest = ONE.sub(t);
      const by = y.mul(ONE.add(b));
      rows.addMean(S.classScore("ppv"), claim, by.mul(rest).mul(rest));
      rows.addMean(S.classScore("sens"), claim, by.mul(t).mul(t).div(b));
      rows.demand = rows.demand.add(y.mul(claim.low));
    },
  };

  // a claim and the end that the sign of y points to, named so
  function sided(rows, row, y, length) {
    if (row.length !== length || row[2] !== (y.sign() > 0 ? "low" : "high")) malformed();
    const { claims } = rows.given;
    const claim = claims[index(row[1], "a score", claims.length, "there is no such score")];
    return [claim, y.sign() > 0 ? claim.low : claim.high];
  }

  function ofOneMatrix({ given }, claim, name) {
    need(claim.score === null && claim.name === name && !given.labels && given.sets === 1, () => "this score is not " + name);
  }

  // the claim that a row names, if it is an F-score of means
  function ofMeans({ given, meaning }, row) {
    const claim = given.claims[index(row[1], "a score", given.claims.length, "there is no such score")];
    need(meaning === "of means" && S.isAveragedF(claim), "this is no F-score of means");
    return claim;
  }

  function readRows(given, part, meaning, list) {
    need(S.isList(list) && list.length >= 1 && list.length <= 2000, "a step has no list of rows");
    const rows = new Rows(given, part, meaning);
    for (const row of list) {
      need(S.isList(row) && row.length >= 3 && row.length <= 6 && S.isText(row[0]), "a row is malformed");
      const y = S.integer(row[row.length - 1], "a multiplier");
      need(y !== 0n && S.abs(y) <= LIMIT, "a multiplier is out of range");
      need(Object.hasOwn(ROWS, row[0]), () => "there are no rows called " + S.quoted(row[0]));
      ROWS[row[0]](rows, row, fraction(y));
    }
    return rows;
  }

  Object.assign(S, { classRows: readRows });
})(globalThis.Scoreproof);
