// Folds whose classes are open: every way their class counts may be is a case of its own.
(function (S) {
  "use strict";

  const { need, get } = S;
  const MOST_WAYS = 10_000;
  const MOST_SETS = 2_000_000;
  const MOST_FOLDS = 100;

  // positives of the folds in order, ascending; among folds of one size they do not increase
  function waysOf({ type, p, members }, sets, most) {
    need(members.length <= MOST_FOLDS, "there are too many folds to deal classes to");
    const own = members.map((i) => sets[i]);
    const found = [];
    const fill = (before, left) => {
      const at = before.length;
      if (at === own.length) {
        const both = [before.filter((x) => x > 0n).length, own.filter((set, i) => before[i] < set.size).length];
        if (type === "trainable" && Math.min(...both) < 2) return;
        found.push(before);
        need(found.length <= most, "there are too many ways to deal the classes");
        return;
      }
      const { size, least, most: top } = own[at];
      const later = own.slice(at + 1);
      let [low, high] = [least, S.min(top, left - later.reduce((sum, set) => sum + set.least, 0n))];
      if (at > 0 && own[at - 1].size === size) high = S.min(high, before[at - 1]);
      const same = BigInt(1 + later.filter((set) => set.size === size).length);
      const rest = left - later.reduce((sum, set) => (set.size === size ? sum : sum + set.most), 0n);
      if (rest > 0n) low = S.max(low, (rest + same - 1n) / same);
      for (let x = low; x <= high; x += 1n) fill([...before, x], left - x);
    };
    fill([], p);
    return found;
  }

  S.meanProofs.dealt = (demands, proof, patience) => {
    const { families, sets } = demands;
    need(families.length > 0 && families.every(({ type }) => type !== "balanced"), "the class counts of the folds are not open");
    const allowed = Math.min(MOST_WAYS, Math.floor(MOST_SETS / sets.length));
    let count = 1;
    const every = families.map((family) => {
      const ways = waysOf(family, sets, count === 0 ? Infinity : Math.floor(allowed / count));
      count *= ways.length;
      return ways;
    });
    const list = get(proof, "cases");
    need(S.isList(list) && list.length === count, "not every way to deal the classes is refuted");
    let excluded = 0;
    for (let number = 0; number < count; number += 1) {
      const known = [...sets];
      let left = number;
      for (let f = families.length - 1; f >= 0; f -= 1) {
        const way = every[f][left % every[f].length];
        left = Math.floor(left / every[f].length);
        families[f].members.forEach((i, k) => {
          const { size, weight, repeat } = sets[i];
          known[i] = { family: -1, hexagon: null, repeat, weight, p: way[k], n: size - way[k] };
        });
      }
      patience.at(number, count);
      excluded += S.oneMeanProof({ ...demands, sets: known, families: [] }, list[number], patience);
    }
    return excluded;
  };
})(globalThis.Scoreproof);
