// value_spread: a mean and its ±, after docs/proofs/value_spread.md
(function (S) {
  "use strict";

  const { need, get, fraction, ZERO, ONE } = S;
  const KEYS = ["values", "least", "most", "fold", "spread", "claims"];
  const MOST_SUMS = 4000n;
  const MOST_WORK = 40_000_000n;

  function read(statement, proof) {
    S.all(statement, "the statement", KEYS);
    const k = S.integer(get(statement, "values"), "the number of values");
    need(k >= 2n && k <= 100_000n, "the number of values is out of range");
    const least = S.number(get(statement, "least"), "the least value");
    const most = S.number(get(statement, "most"), "the greatest");
    need(least.lt(most), "the bounds are in the wrong order");
    const fold = get(statement, "fold");
    if (fold !== null) {
      need(S.integer(fold, "the cases of a fold") >= 1n && fold <= 1_000_000n, "the cases of a fold are out of range");
      need(least.eq(ZERO) && most.eq(ONE), "shares of cases lie between 0 and 1");
    }
    const list = get(statement, "claims");
    need(S.isList(list) && (list.length === 1 || list.length === 2), "there are not one or two claims");
    const claims = {};
    for (const entry of list) {
      const claim = S.printed(entry, "a claim");
      need((claim.name === "mean" || claim.name === "sd") && !claims[claim.name], "a claim is neither the mean nor the sd");
      claims[claim.name] = claim;
    }
    const spread = get(statement, "spread");
    // by what a sum of squares is divided
    const divisors = { deviation: [k - 1n, k], error: [k * (k - 1n)], either: [k - 1n, k, k * (k - 1n)] };
    need(S.isText(spread) && Object.hasOwn(divisors, spread), () => "unknown spread " + S.quoted(spread));
    S.keys(proof, "the proof", ["kind"]);
    return { k, least, most, fold, claims, divisors: divisors[spread] };
  }

  // the greatest sum of squared distances from their mean of k values in [0, 1] whose sum is from s1 to s2
  function widest(k, s1, s2) {
    const at = (s) => {
      const j = fraction(s.floor());
      const rest = s.sub(j);
      return j.add(rest.mul(rest)).sub(s.mul(s).div(fraction(k)));
    };
    let best = at(s1).max(at(s2));
    // between whole sums it is convex, at whole ones j - j^2/k, which is greatest in the middle
    const [first, last] = [s1.ceil(), s2.floor()];
    if (first <= last) {
      for (const middle of [k / 2n, k / 2n + 1n]) {
        const j = S.min(S.max(middle, first), last);
        best = best.max(at(fraction(j)));
      }
    }
    return best;
  }

  // Are there m whole numbers from `from` to `to` with that sum and that sum of squares? Those farthest from 0 first.
  function exist(m, sum, squares, from, to, patience) {
    const tried = new Set();
    const search = (m, sum, squares, from, to) => {
      if (m === 0) return sum === 0 && squares === 0;
      if (sum < m * from || sum > m * to || (sum + squares) % 2 !== 0) return false;
      // squares are least if all are alike
      const low = Math.floor(sum / m);
      const more = sum - m * low;
      if (squares < (m - more) * low * low + more * (low + 1) * (low + 1)) return false;
      // and greatest if all but one are at an end
      const width = to - from;
      const up = width === 0 ? m : Math.floor((sum - m * from) / width);
      const odd = sum - m * from - up * width + from;
      const greatest = up * to * to + (up < m ? odd * odd + (m - up - 1) * from * from : 0);
      if (squares > greatest) return false;
      if (squares === greatest) return true;
      const key = m + "," + sum + "," + squares + "," + from + "," + to;
      if (tried.has(key)) return false;
      patience.tick();
      // the one farthest from 0: its size is at least the root of the mean square
      let size = Math.floor(Math.sqrt(squares / m));
      while (size > 0 && m * size * size >= squares) size -= 1;
      while (m * size * size < squares) size += 1;
      for (; size * size <= squares; size += 1) {
        for (const value of size === 0 ? [0] : [size, -size]) {
          if (value < from || value > to) continue;
          if (search(m - 1, sum - value, squares - size * size, Math.max(from, -size), Math.min(to, size))) return true;
        }
      }
      tried.add(key);
      return false;
    };
    return search(m, sum, squares, from, to);
  }

  function lattice({ k, fold: n, claims, divisors }, a, b, patience) {
    const first = a.times(k * n).ceil();
    const last = b.times(k * n).floor();
    if (!claims.sd) {
      need(first > last, "there is a sum of counts with this mean");
      return;
    }
    need(last - first + 1n <= MOST_SUMS, "there are too many sums of counts");
    const low = claims.sd.low.max(ZERO);
    const high = claims.sd.high;
    let work = 0n;
    for (let C = first; C <= last; C += 1n) {
      const middle = C / k;
      const rest = C - k * middle;
      // squares about a whole middle exceed those about the mean by this
      const more = fraction(rest * rest, k);
      const windows = [];
      for (const D of divisors) {
        if (high.sign() < 0) continue;
        const from = low.mul(low).times(D * n * n).add(more).ceil();
        const to = high.mul(high).times(D * n * n).add(more).floor();
        if (from <= to) windows.push([from, to]);
      }
      if (windows.length === 0) continue;
      const R = S.isqrt(windows.reduce((most, w) => S.max(most, w[1]), 0n));
      const [down, up] = [S.max(-R, -middle), S.min(R, n - middle)];
      work += (up - down + 1n) * k * (2n * k * R + 1n);
      need(work <= MOST_WORK, "there are too many counts");
      for (const [from, to] of windows) {
        for (let squares = from; squares <= to; squares += 1n) {
          need(!exist(Number(k), Number(rest), Number(squares), Number(down), Number(up), patience), () => "a sum of " + C + " fits");
          patience.tick();
          // all numbers at their greatest distance have no larger sum of squares
          if (squares > k * S.max(down * down, up * up)) break;
        }
      }
      patience.at(Number(C - first), Number(last - first + 1n));
    }
  }

  function check(statement, proof, patience) {
    const given = read(statement, proof);
    const { k, least, most, fold, claims, divisors } = given;
    const kind = get(proof, "kind");
    const { mean, sd } = claims;
    const a = mean ? mean.low.max(least) : least;
    const b = mean ? mean.high.min(most) : most;
    const of = k + " values from " + S.decimal(least) + " to " + S.decimal(most);
    if (kind === "mean") {
      need(a.gt(b), "the mean may lie within the bounds");
      return "Proved: the mean of " + of + " does not print as " + S.shown(mean) + ".";
    }
    need(kind === "lattice" || (a.le(b) && sd), "the statement has no spread");
    if (kind === "wide") {
      const width = most.sub(least);
      const scaled = (x) => x.sub(least).div(width).times(k);
      const greatest = widest(k, scaled(a), scaled(b)).mul(width).mul(width);
      const low = sd.low.max(ZERO);
      const smallest = divisors.reduce((x, y) => (x < y ? x : y));
      need(greatest.lt(low.mul(low).times(smallest)), "values may be spread so widely");
      const whose = mean ? " whose mean prints as " + S.shown(mean) : "";
      return "Proved: " + of + whose + " do not have a spread that prints as " + S.shown(sd) + ".";
    }
    need(kind === "lattice" && fold !== null, () => "unknown kind of proof " + S.quoted(kind));
    lattice(given, a, b, patience);
    const words = Object.keys(claims).map((name) => "a " + name + " that prints as " + S.shown(claims[name])).join(" and ");
    return "Proved: no counts of right cases in " + k + " folds of " + fold + " give " + words + ".";
  }

  S.kinds.value_spread = { keys: KEYS, check };
})(globalThis.Scoreproof);
