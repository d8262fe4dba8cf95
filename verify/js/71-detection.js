// detection: object detectors, after docs/proofs/detection.md
(function (S) {
  "use strict";

  const { need, get, fraction, ZERO, ONE } = S;
  const KEYS = ["experiment", "scores", "interpolation"];
  const OVERLAPS = ["ap50", "ap55", "ap60", "ap65", "ap70", "ap75", "ap80", "ap85", "ap90", "ap95"];
  const RECALLS = ["ar1", "ar10", "ar100"];
  const COUNTED = ["ppv", "sens", "f1"];
  const SIZES = ["small", "medium", "large"];
  const BY_CLASS = ["map", ...OVERLAPS, ...SIZES.map((size) => "ap_" + size)];
  const KNOWN = [...COUNTED, ...BY_CLASS, ...RECALLS, "max_recall", ...SIZES.map((size) => "ar_" + size)];
  const OF_CLASS = /^(.*) of class ([1-9][0-9]{0,8})$/;
  const MOST_TRIED = 2_000_000n;

  function read(statement) {
    const experiment = get(statement, "experiment");
    S.keys(experiment, "the experiment", ["type", "objects", "classes"]);
    need(get(experiment, "type") === "detection", "the experiment is not one of detections");
    const count = (key) => {
      const x = get(experiment, key);
      if (experiment.has(key)) need(S.integer(x, key) >= 1n && x <= 10n ** 9n, () => key + " is out of range");
      return x;
    };
    const objects = count("objects");
    const classes = count("classes");
    const interpolation = get(statement, "interpolation");
    need(["any", "101", "11", "all"].includes(interpolation), "unknown interpolation");
    const list = get(statement, "scores");
    need(S.isList(list) && list.length >= 1 && list.length <= 100, "the statement names no scores");
    const claims = list.map((entry) => {
      S.keys(entry, "a score", ["score", "name", "text", "rounding", "eps"]);
      const score = get(entry, "score");
      const match = S.isText(score) ? OF_CLASS.exec(score) : null;
      const known = match === null ? KNOWN.includes(score) : BY_CLASS.includes(match[1]);
      need(known, () => "unknown score " + S.quoted(score));
      const cls = match === null ? 0n : BigInt(match[2]);
      need(classes === null || cls <= classes, "a class is beyond their number");
      need(!entry.has("name") || S.isText(get(entry, "name")), "the name of a score is not a text");
      const { low, high } = S.interval(get(entry, "text"), get(entry, "rounding"), get(entry, "eps"));
      return { score, base: match === null ? score : match[1], cls, low, high, text: get(entry, "text") };
    });
    need(new Set(claims.map((c) => c.score)).size === claims.length, "a score is named twice");
    if (claims.some((c) => COUNTED.includes(c.score))) {
      need(objects !== null, "the number of objects is not stated");
      need(classes === null || classes === 1n, "precision and recall may be means over several classes");
    }
    return { objects, classes, interpolation, claims };
  }

  const shown = (list) => list.map((c) => c.score + " " + S.shown(c)).join(", ");
  const holds = (claim, value) => claim === undefined || (claim.low.le(value) && claim.high.ge(value));

  // is there a number of detections for so many true positives of G objects?
  function fits(G, tp, ppv, f1) {
    // none found: no detection, of precision 0 or 1, or only wrong ones
    if (tp === 0n) return holds(f1, ZERO) && (holds(ppv, ZERO) || holds(ppv, ONE));
    let least = tp;
    let most = null;
    const upTo = (x) => {
      if (most === null || x < most) most = x;
    };
    if (ppv !== undefined) {
      if (ppv.high.sign() <= 0) return false;
      least = S.max(least, S.ceilDiv(tp * ppv.high.d, ppv.high.n));
      if (ppv.low.sign() > 0) upTo((tp * ppv.low.d) / ppv.low.n);
    }
    if (f1 !== undefined) {
      if (f1.high.sign() <= 0) return false;
      least = S.max(least, S.ceilDiv(2n * tp * f1.high.d, f1.high.n) - G);
      if (f1.low.sign() > 0) upTo((2n * tp * f1.low.d) / f1.low.n - G);
    }
    return most === null || least <= most;
  }

  function counts({ objects: G, claims }, patience) {
    const these = claims.filter((c) => COUNTED.includes(c.score));
    need(these.length > 0, "nothing of the counts is reported");
    const [ppv, sens, f1] = COUNTED.map((name) => these.find((c) => c.score === name));
    let first = sens ? S.max(0n, sens.low.times(G).ceil()) : 0n;
    let last = sens ? S.min(G, sens.high.times(G).floor()) : G;
    if (f1 && f1.low.sign() > 0 && f1.low.lt(fraction(2n))) first = S.max(first, f1.low.times(G).div(fraction(2n).sub(f1.low)).ceil());
    if (first > 0n && f1 && ppv && f1.high.sign() > 0 && ppv.low.sign() > 0) {
      const slope = fraction(2n).div(f1.high).sub(ONE.div(ppv.low));
      if (slope.sign() > 0) last = S.min(last, fraction(G).div(slope).floor());
    }
    need(last - first + 1n <= MOST_TRIED, "too many numbers of true positives to be tried");
    for (let tp = first; tp <= last; tp += 1n) {
      need(!fits(G, tp, ppv, f1), () => tp + " true positives fit");
      patience.tick();
    }
    return "Proved: no numbers of true positives and detections of " + G + " objects, counted together, give " + shown(these) + ".";
  }

  // the share of recalls up to R at which precisions are read off, or the line above it
  function readOff(interpolation, R, line) {
    const points = (k) => {
      const up = line ? R.times(k).add(ONE) : fraction(R.sign() < 0 ? 0n : R.times(k).floor() + 1n);
      return up.div(fraction(k + 1n));
    };
    if (interpolation === "all") return R;
    if (interpolation === "101") return points(100n);
    if (interpolation === "11") return points(10n);
    return points(100n).max(points(10n)).max(R);
  }

  const REASONS = {
    range: "every value of a detector lies from 0 to 1",
    order: "the average precision never rises with the overlap",
    mean: "mAP is the mean of ten average precisions that never rise with the overlap",
    recall: "the average precision is limited by the recall of all detections",
    recalls: "average recall never falls with the number of detections per image",
    classes: "a mean over classes is that of theirs",
  };

  const CHECKS = {
    range: ([first]) => need(first.low.gt(ONE) || first.high.sign() < 0, "the value is within its range"),
    order: ([first, second]) => {
      const [i, j] = [first, second].map((c) => OVERLAPS.indexOf(c.base));
      need(i >= 0 && j >= 0 && i < j, "these are not two overlaps, the smaller first");
      need(first.cls === second.cls, "these are not of one class");
      need(first.high.lt(second.low), "the average precisions need not rise");
    },
    mean: ([first], { claims }) => {
      const known = OVERLAPS.map((name) => claims.find((c) => c.base === name && c.cls === first.cls));
      let [low, high] = [ZERO, ZERO];
      known.forEach((_, i) => {
        low = low.add(known.slice(i).reduce((x, c) => (c ? x.max(c.low) : x), ZERO));
        high = high.add(known.slice(0, i + 1).reduce((x, c) => (c ? x.min(c.high) : x), ONE));
      });
      need(first.low.times(10n).gt(high) || first.high.times(10n).lt(low), "the mean is possible");
    },
    recall: ([first, second], { interpolation, classes }) => {
      const R = second.high.min(ONE);
      if (second.score === "ar100") {
        need(first.score === "map", "only the mean over the same overlaps is limited by AR100");
        need(first.low.gt(readOff(interpolation, R, true)), "the recall allows that precision");
        return;
      }
      if (second.score.startsWith("ar_")) {
        need(first.score === "ap_" + second.score.slice(3), "these are not of objects of one size");
        need(first.low.gt(readOff(interpolation, R, true)), "the recall allows that precision");
        return;
      }
      need(second.score === "max_recall" && (first.score === "map" || OVERLAPS.includes(first.score)), "these are not comparable");
      need(classes === 1n, "there may be several classes");
      need(first.low.gt(readOff(interpolation, R, false)), "it is possible");
    },
    recalls: ([first, second]) => {
      const [i, j] = [first, second].map((c) => RECALLS.indexOf(c.score));
      need(i >= 0 && j >= 0, "these are not two average recalls");
      need(i < j, "the fewer detections do not come first");
      need(first.low.gt(second.high), "the average recalls need not fall");
    },
  };
  CHECKS.classes = ([first], { claims, classes }) => {
    need(BY_CLASS.includes(first.score), "that is no mean over classes");
    need(classes !== null, "the number of classes is not stated");
    const own = claims.filter((c) => c.cls > 0n && c.base === first.score);
    need(own.length > 0, "no class has that score");
    const least = own.reduce((sum, c) => sum.add(c.low.max(ZERO)), ZERO);
    const most = own.reduce((sum, c) => sum.add(c.high.min(ONE)), fraction(classes - BigInt(own.length)));
    need(first.low.times(classes).gt(most) || first.high.times(classes).lt(least), "the classes may have that mean");
  };
  const HOW_MANY = { range: 1, order: 2, mean: 1, recall: 2, recalls: 2, classes: 1 };

  function check(statement, proof, patience) {
    const given = read(statement);
    const kind = get(proof, "kind");
    if (kind === "counts") {
      S.keys(proof, "the proof", ["kind"]);
      return counts(given, patience);
    }
    S.keys(proof, "the proof", ["kind", "scores"]);
    const list = get(proof, "scores");
    need(S.isList(list) && (list.length === 1 || list.length === 2), "the proof names no scores");
    for (const i of list) S.integer(i, "a score");
    need(list.every((i) => i >= 0n && i < BigInt(given.claims.length)), "the proof names a score that is not reported");
    const named = list.map((i) => given.claims[Number(i)]);
    const known = S.isText(kind) && Object.hasOwn(CHECKS, kind) && HOW_MANY[kind] === named.length && (kind !== "mean" || named[0].base === "map");
    need(known, () => "unknown kind of proof " + S.quoted(kind));
    CHECKS[kind](named, given);
    return "Proved: no detector has " + shown(given.claims) + ": " + REASONS[kind] + ".";
  }

  S.kinds.detection = { keys: KEYS, check };
})(globalThis.Scoreproof);
