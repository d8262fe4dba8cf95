// What every page of the specification uses to look at a value, and the one way to refuse a certificate.
(function (S) {
  "use strict";

  // the sentence that the verdict gives after "Not proved: "
  class Rejected extends Error {}

  function need(holds, sentence) {
    if (!holds) throw new Rejected(typeof sentence === "function" ? sentence() : sentence);
  }

  const isText = (x) => typeof x === "string";
  const isWhole = (x) => typeof x === "bigint";
  const isTruth = (x) => typeof x === "boolean";
  const isList = (x) => Array.isArray(x);
  const isObject = (x) => x instanceof Map;

  // characters are code points
  function textLength(text) {
    let count = 0;
    for (const _ of text) count += 1; // eslint-disable-line no-unused-vars
    return count;
  }
  function cut(text, most) {
    if (text.length <= most) return text;
    let out = "";
    let count = 0;
    for (const c of text) {
      if (count === most) break;
      out += c;
      count += 1;
    }
    return out;
  }

  function quoted(x) {
    if (isText(x)) return "'" + cut(x, 40) + "'";
    if (x === null || x === undefined) return "null";
    if (isTruth(x)) return String(x);
    if (isWhole(x)) return x.toString().slice(0, 40);
    if (isList(x)) return "a list";
    if (isObject(x)) return "an object";
    return "a broken number";
  }

  // an entry of an object: a missing key is null
  function get(x, key) {
    const value = x.get(key);
    return value === undefined ? null : value;
  }

  function keys(x, owner, names) {
    need(isObject(x), () => owner + " is not an object");
    const unknown = [];
    for (const key of x.keys()) if (!names.includes(key)) unknown.push(key);
    need(unknown.length === 0, () => {
      const shown = unknown.sort(S.byCodePoints).slice(0, 5).map((key) => cut(key, 40));
      return owner + " has unknown keys: " + shown.join(", ");
    });
    return x;
  }

  function all(x, owner, names) {
    const missing = names.filter((name) => !x.has(name)).sort(S.byCodePoints);
    need(missing.length === 0, () => owner + " lacks " + missing.join(", "));
  }

  function integer(x, what) {
    need(isWhole(x), () => what + " is not an integer");
    return x;
  }

  const NUMBER = /^(-?)([0-9]{1,400})(?:\/([0-9]{1,400})|(?:\.([0-9]{1,400}))?(?:[eE]([-+]?[0-9]{1,3}))?)$/;
  function number(x, what) {
    const text = isWhole(x) ? x.toString() : x;
    const match = isText(text) && text.length <= 800 ? NUMBER.exec(text) : null;
    need(match !== null, () => what + " is not a number: " + quoted(x));
    const sign = match[1] === "-" ? -1n : 1n;
    if (match[3] !== undefined) {
      const bottom = BigInt(match[3]);
      need(bottom !== 0n, () => what + " is divided by 0");
      return S.fraction(sign * BigInt(match[2]), bottom);
    }
    const decimals = match[4] || "";
    const exponent = Number(match[5] || 0) - decimals.length;
    return S.tenTo(exponent).times(sign * BigInt(match[2] + decimals));
  }

  Object.assign(S, {
    Rejected, need, isText, isWhole, isTruth, isList, isObject, textLength, cut, quoted, get, keys, all, integer, number,
  });
})(globalThis.Scoreproof);
