// unknown_counts: several classes of which only the number of all cases is known, after docs/proofs/unknown_counts.md
(function (S) {
  "use strict";

  const { need, get, fraction, ZERO, ONE } = S;
  const KEYS = ["classes", "total", "scores", "undefined", "macro_f1"];
  const MOST_STEPS = 100_000;
  const MOST_ROUNDS = 80;
  const MOST_LINES = 50_000;
  const SHARE = 1n << 20n;
  const FILLS = { any: [ZERO, ONE], zero: [ZERO], one: [ONE], skip: [], exclude: [] };
  const malformed = "a step is malformed";

  // A line is {terms: Map of variable -> fraction, constant}. Variables are texts: "n0", "tp0", "q0", "T", and of means
  // "s <score> 0", "z <score> 0", "w0".
  const line = (constant = ZERO) => ({ terms: new Map(), constant });
  function plus(to, name, x) {
    if (name === null) to.constant = to.constant.add(x);
    else to.terms.set(name, (to.terms.get(name) || ZERO).add(x));
    return to;
  }
  function addLine(to, other, k) {
    for (const [name, x] of other.terms) plus(to, name, x.mul(k));
    to.constant = to.constant.add(other.constant.mul(k));
    return to;
  }
  const whole = (x) => fraction(x);

  // numerator or denominator of class i: others are N - n
  function form(part, i, N) {
    const out = line(whole(part[3] * N));
    plus(out, "tp" + i, whole(part[0]));
    plus(out, "q" + i, whole(part[1]));
    return plus(out, "n" + i, whole(part[2] - part[3]));
  }

  // what is known of counts alone, each under its name
  const makers = {
    sum(given, name, sign) {
      const k = given.names.length;
      const out = line();
      for (let i = 0; i < k; i += 1) plus(out, name + i, ONE);
      if (name === "tp") plus(out, "T", ONE.neg());
      else plus(out, null, whole(-given.N));
      return addLine(line(), out, whole(sign));
    },
    row: (given, i) => plus(plus(line(), "n" + i, ONE), "tp" + i, ONE.neg()),
    column: (given, i) => plus(plus(line(), "q" + i, ONE), "tp" + i, ONE.neg()),
    wrong(given, i) {
      const out = plus(line(whole(given.N)), "T", ONE.neg());
      return plus(plus(plus(out, "n" + i, ONE.neg()), "q" + i, ONE.neg()), "tp" + i, fraction(2n));
    },
  };

  // value - low, or high - value, of a claim, times something positive; null if there is none
  function claimLine(given, number, side, meaning) {
    const claim = given.claims[number];
    const { N } = given;
    const k = BigInt(given.names.length);
    const v = side === "low" ? claim.low : claim.high;
    const out = line();
    if (claim.score === null) {
      if (claim.name === "acc") plus(plus(out, "T", ONE), null, v.times(-N));
      else if (claim.name === "kappa") {
        plus(plus(out, "T", whole(N)), null, v.times(-N * N));
        for (let i = 0; i < k; i += 1) plus(out, "w" + i, v.sub(ONE));
      } else return null;
    } else if (claim.cls !== null) {
      addLine(out, form(claim.score.top, claim.cls, N), ONE);
      addLine(out, form(claim.score.bottom, claim.cls, N), v.neg());
    } else if (claim.average === "micro") {
      const sum = ([tp, q, n, others]) => plus(line(whole((q + n + others * (k - 1n)) * N)), "T", whole(tp));
      addLine(addLine(out, sum(claim.score.top), ONE), sum(claim.score.bottom), v.neg());
    } else {
      need(meaning !== "of means" || !S.isAveragedF(claim), "this average is no mean of scores");
      const macro = claim.average === "macro";
      for (let i = 0; i < k; i += 1) plus(out, (macro ? "s " : "z ") + claim.name + " " + i, fraction(1n, macro ? k : N));
      plus(out, null, v.neg());
    }
    return side === "low" ? out : addLine(line(), out, ONE.neg());
  }

  // the denominator of a class is at least 1 where no admitted 0/0 prints so
  function definedLine(given, number) {
    const claim = given.claims[number];
    if (claim.cls === null) return null;
    if (FILLS[given.undefined].some((x) => claim.low.le(x) && claim.high.ge(x))) return null;
    return plus(form(claim.score.bottom, claim.cls, given.N), null, ONE.neg());
  }

  // all lines between counts
  function countLines(given, meaning) {
    const out = [];
    for (const name of ["n", "tp", "q"]) for (const sign of [1n, -1n]) out.push(makers.sum(given, name, sign));
    given.names.forEach((_, i) => out.push(makers.row(given, i), makers.column(given, i), makers.wrong(given, i)));
    given.claims.forEach((claim, number) => {
      const linear = claim.cls !== null || claim.average === "micro" || (claim.score === null && claim.name === "acc");
      if (linear) for (const side of ["low", "high"]) out.push(claimLine(given, number, side, meaning));
      const defined = definedLine(given, number);
      if (defined !== null) out.push(defined);
    });
    // in whole numbers, which narrowing does not tell apart
    return out.map(({ terms, constant }) => {
      const d = [...terms.values()].reduce((x, y) => S.lcm(x, y.d), constant.d);
      const scaled = (x) => x.n * (d / x.d);
      return { terms: [...terms].map(([name, x]) => [name, scaled(x)]).filter(([, x]) => x !== 0n), constant: scaled(constant) };
    });
  }

  // narrows a part (variable -> [least, greatest]) in place; false if nothing is left
  function narrow(lines, part, patience) {
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      let changed = false;
      patience.tick(lines.length);
      for (const { terms, constant } of lines) {
        let most = constant;
        for (const [name, x] of terms) most += x * part.get(name)[x > 0n ? 1 : 0];
        if (most < 0n) return false;
        for (const [name, x] of terms) {
          const range = part.get(name);
          const rest = most - x * range[x > 0n ? 1 : 0];
          if (x > 0n) {
            const least = -S.floorDiv(rest, x);
            if (least > range[0]) [range[0], changed] = [least, true];
          } else {
            const greatest = S.floorDiv(rest, -x);
            if (greatest < range[1]) [range[1], changed] = [greatest, true];
          }
          if (range[0] > range[1]) return false;
        }
      }
      if (!changed) break;
    }
    return true;
  }

  const endOf = (part, { terms, constant }, end) =>
    [...terms].reduce((sum, [name, x]) => sum.add(x.times(part.get(name)[x.sign() > 0 ? end : 1 - end])), constant);

  // between what the score of class i lies on a part, in parts of 2^-20
  function shareRange(given, part, score, i) {
    const every = [0n, SHARE];
    if (score.beta !== null && part.get("tp" + i)[0] === 0n && (given.undefined === "any" || given.undefined === "skip")) return every;
    let [low, high] = [null, null];
    for (let corner = 0; corner < 8; corner += 1) {
      const at = (name, bit) => part.get(name + i)[(corner >> bit) & 1];
      const [n, tp, q] = [at("n", 0), at("tp", 1), at("q", 2)];
      const value = (f) => f[0] * tp + f[1] * q + f[2] * n + f[3] * (given.N - n);
      const bottom = value(score.bottom);
      if (bottom <= 0n) return every;
      const top = value(score.top) * SHARE;
      const [down, up] = [S.floorDiv(top, bottom), S.ceilDiv(top, bottom)];
      if (low === null || down < low) low = down;
      if (high === null || up > high) high = up;
    }
    return [low, high].map((x) => S.max(0n, S.min(x, SHARE)));
  }

  // (x - x0)(y - y0), or its negative, with x y as one variable or as the numerator
  function productLine(given, part, row) {
    need(row.length === 9, "a line is malformed");
    const [, what, name, index, sideX, x0, sideY, y0] = row;
    need(["score", "weighted", "chance"].includes(what), "there is no such product");
    const score = what !== "chance" && S.isText(name) ? S.classScore(name) : null;
    if (what === "chance") need(name === "", "a product of n and q names a score");
    else need(score !== null, () => "no score of a class is called " + S.quoted(name));
    for (const x of row.slice(3, 8)) S.integer(x, "a product");
    need(index >= 0n && index < BigInt(given.names.length), "a line is malformed");
    need((sideX === 0n || sideX === 1n) && (sideY === 0n || sideY === 1n), "a line is malformed");
    const i = Number(index);
    const x = what === "score" ? form(score.bottom, i, given.N) : plus(line(), "n" + i, ONE);
    const y = what === "chance" ? "q" + i : "s " + name + " " + i;
    if (score !== null && score.beta !== null && (given.undefined === "any" || given.undefined === "skip")) {
      need(what !== "score" || part.get("tp" + i)[0] > 0n, "a score that may be left out is not bound to its counts");
    }
    const ends = what === "chance" ? part.get(y) : shareRange(given, part, score, i);
    const xEnd = endOf(part, x, Number(sideX));
    need(sideX === 0n ? xEnd.ge(whole(x0)) : xEnd.le(whole(x0)), "a product is taken from within its range");
    need(sideY === 0n ? y0 <= ends[0] : y0 >= ends[1], "a product is taken from within its range");
    const at = what === "chance" ? whole(y0) : fraction(y0, SHARE);
    const out = what === "score" ? addLine(line(), form(score.top, i, given.N), ONE)
      : plus(line(), what === "chance" ? "w" + i : "z " + name + " " + i, ONE);
    plus(out, y, whole(-x0));
    addLine(out, x, at.neg());
    plus(out, null, at.times(x0));
    return sideX === sideY ? out : addLine(line(), out, ONE.neg());
  }

  // a row of a step "bound" as a line
  function rowLine(given, part, meaning, row) {
    const [name, which, side] = row;
    const among = (count) => S.isWhole(which) && which >= 0n && which < BigInt(count);
    let line = null;
    if (name === "product") line = productLine(given, part, row);
    else if (name === "claim" && row.length === 4 && (side === "low" || side === "high")) {
      S.integer(which, "a score");
      need(among(given.claims.length), "there is no such score");
      line = claimLine(given, Number(which), side, meaning);
    } else if (name === "sum" && row.length === 4) {
      if (["n", "q", "tp"].includes(which) && (side === 1n || side === -1n)) line = makers.sum(given, which, side);
    } else if (row.length === 3) {
      if (name === "defined" && among(given.claims.length)) line = definedLine(given, Number(which));
      else if (["row", "column", "wrong"].includes(name) && among(given.names.length)) line = makers[name](given, Number(which));
    }
    need(line !== null, "there is no such line");
    return line;
  }

  // the greatest value of a sum of lines over a part
  function greatest(given, part, sum) {
    let most = sum.constant;
    for (const [name, x] of sum.terms) {
      let ends = part.get(name);
      if (ends === undefined) {
        const i = name.slice(name.search(/[0-9]+$/));
        const n = part.get("n" + i);
        if (name[0] === "w") {
          const q = part.get("q" + i);
          ends = [n[0] * q[0], n[1] * q[1]].map(whole);
        } else {
          const share = shareRange(given, part, S.classScore(name.split(" ")[1]), Number(i));
          ends = [0, 1].map((end) => fraction(name[0] === "s" ? share[end] : n[end] * share[end], SHARE));
        }
      } else ends = ends.map(whole);
      most = most.add(x.mul(ends[x.sign() > 0 ? 1 : 0]));
    }
    return most;
  }

  function bound(given, part, meaning, step) {
    need(step.length === 2, malformed);
    need(S.isList(step[1]) && step[1].length >= 1 && step[1].length <= MOST_LINES, "a step has no list of lines");
    const sum = line();
    for (const row of step[1]) {
      need(S.isList(row) && row.length >= 3 && S.isText(row[0]), "a line is malformed");
      const y = S.integer(row[row.length - 1], "a multiplier");
      need(y > 0n, "a multiplier is not positive");
      addLine(sum, rowLine(given, part, meaning, row), whole(y));
    }
    need(greatest(given, part, sum).sign() < 0, "some counts keep to the sum of the lines");
  }

  // every n is one number: a proof about these class counts
  function known(given, part, meaning, step, patience, spent) {
    need(step.length === 2 && S.isObject(step[1]), malformed);
    const ranges = given.names.map((_, i) => part.get("n" + i));
    need(ranges.every(([low, high]) => low === high), "class counts are still open");
    const statement = new Map(given.statement);
    statement.delete("total");
    statement.set("classes", given.names.map((name, i) => new Map([["name", name], ["counts", [ranges[i][0]]]])));
    statement.set("macro_f1", meaning);
    S.walkClassParts(S.classesStatement(statement, false), step[1], meaning, patience, { spent });
  }

  function walk(given, proof, meaning, patience, spent) {
    S.keys(proof, "the proof", ["kind", "steps"]);
    need(get(proof, "kind") === "counts", () => "unknown kind of proof " + S.quoted(get(proof, "kind")));
    const steps = get(proof, "steps");
    need(S.isList(steps) && steps.length >= 1 && steps.length <= MOST_STEPS, "the proof is not a list of steps");
    const lines = countLines(given, meaning);
    const names = ["T", ...given.names.flatMap((_, i) => ["n" + i, "tp" + i, "q" + i])];
    const stack = [new Map(names.map((name) => [name, [0n, given.N]]))];
    let parts = 0;
    steps.forEach((step, number) => {
      patience.at(number, steps.length);
      need(stack.length > 0, "the proof has steps left over");
      need(S.isList(step) && step.length > 0 && S.isText(step[0]), malformed);
      const part = stack.pop();
      const left = narrow(lines, part, patience);
      if (step[0] === "cut") {
        need(step.length === 3, malformed);
        const i = S.integer(step[1], "a class");
        const v = S.integer(step[2], "a cut");
        need(i >= 0n && i < BigInt(given.names.length), "there is no such class");
        const [low, high] = [0, 1].map(() => new Map([...part].map(([name, range]) => [name, range.slice()])));
        low.get("n" + i)[1] = S.min(low.get("n" + i)[1], v);
        high.get("n" + i)[0] = S.max(high.get("n" + i)[0], v + 1n);
        stack.push(low, high);
        return;
      }
      parts += 1;
      if (step[0] === "none") need(!left && step.length === 1, "a part said to be empty is not");
      else if (step[0] === "bound") {
        if (left) bound(given, part, meaning, step);
      } else if (step[0] === "known") {
        if (left) known(given, part, meaning, step, patience, spent);
      } else throw new S.Rejected("there is no step " + S.quoted(step[0]));
    });
    need(stack.length === 0, "the proof ends before all class counts are excluded");
    return parts;
  }

  function check(statement, proof, patience) {
    S.all(statement, "the statement", KEYS);
    const names = get(statement, "classes");
    const N = S.integer(get(statement, "total"), "the number of cases");
    need(N >= 1n && N <= 10n ** 9n, "the number of cases is out of range");
    need(S.isList(names), "there is no list of classes");
    // read as a statement about classes of which the first has all cases; nothing of these counts is used
    const asClasses = new Map(statement);
    asClasses.delete("total");
    asClasses.set("classes", names.map((name, i) => new Map([["name", name], ["counts", [i === 0 ? N : 0n]]])));
    const given = { ...S.classesStatement(asClasses, false), N, statement };
    const meanings = S.meanings(given);
    const spent = { blocks: 0 };
    let parts = 0;
    if (meanings.length === 1) parts = walk(given, proof, meanings[0], patience, spent);
    else {
      S.keys(proof, "the proof", ["kind", "cases"]);
      need(get(proof, "kind") === "cases", "an averaged F-score has two meanings; each needs a proof");
      const cases = get(proof, "cases");
      need(S.isList(cases) && cases.length === 2, "there is not one proof for each meaning of an averaged F-score");
      meanings.forEach((meaning, i) => {
        parts += walk(given, cases[i], meaning, patience, spent);
      });
    }
    const more = given.claims.length - 12;
    return "Proved: no confusion matrix of " + given.names.length + " classes on " + N + " cases has " + S.shownClassScores(given) +
      (more > 0 ? " and " + more + " more scores as printed" : "") + ", whatever the class counts. " + (parts === 1 ? "1 part" : parts + " parts") +
      " of all class counts, each excluded in exact arithmetic.";
  }

  S.kinds.unknown_counts = { keys: KEYS, check };
})(globalThis.Scoreproof);
