// JSON as certificates need it: whole numbers of any size (BigInt), objects as Maps in the order of the file (no key
// twice, since readers differ in which one counts), lists as arrays, every other number as the marker BROKEN.
(function (S) {
  "use strict";

  // not a certificate at all: an error rather than a verdict
  class Unreadable extends Error {}

  const BROKEN = Object.freeze({ broken: true });
  const MOST_DIGITS = 4300;
  const ESCAPES = { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

  function parse(text) {
    let at = 0;
    const fail = () => {
      throw new Unreadable("this is not JSON (character " + (at + 1) + ")");
    };

    function blanks() {
      for (;;) {
        const c = text.charCodeAt(at);
        if (c === 32 || c === 10 || c === 13 || c === 9) at += 1;
        else return;
      }
    }

    function string() {
      // at the quotation mark
      at += 1;
      let out = "";
      let from = at;
      for (;;) {
        const c = text.charCodeAt(at);
        if (c === 34) {
          out += text.slice(from, at);
          at += 1;
          return out;
        }
        if (c === 92) {
          out += text.slice(from, at);
          const letter = text[at + 1];
          if (letter === "u") {
            const hex = text.slice(at + 2, at + 6);
            if (!/^[0-9a-fA-F]{4}$/.test(hex)) fail();
            out += String.fromCharCode(parseInt(hex, 16));
            at += 6;
          } else {
            if (letter === undefined || !Object.hasOwn(ESCAPES, letter)) fail();
            out += ESCAPES[letter];
            at += 2;
          }
          from = at;
        } else if (c >= 32) at += 1;
        else fail(); // a control character, or the end (NaN)
      }
    }

    const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/y;
    function number() {
      NUMBER.lastIndex = at;
      const match = NUMBER.exec(text);
      if (match === null) return fail();
      at += match[0].length;
      if (match[1] !== undefined || match[2] !== undefined) return BROKEN;
      const digits = match[0].length - (match[0][0] === "-" ? 1 : 0);
      if (digits > MOST_DIGITS) throw new Unreadable("a number has more than " + MOST_DIGITS + " digits");
      return BigInt(match[0]);
    }

    const WORDS = [["null", null], ["true", true], ["false", false], ["NaN", BROKEN], ["Infinity", BROKEN], ["-Infinity", BROKEN]];
    function scalar() {
      const c = text[at];
      if (c === '"') return string();
      for (const [word, value] of WORDS) {
        if (c === word[0] && text.startsWith(word, at)) {
          at += word.length;
          return value;
        }
      }
      return number();
    }

    function key(map) {
      blanks();
      if (text[at] !== '"') fail();
      const name = string();
      if (map.has(name)) throw new Unreadable("the key " + JSON.stringify(name.slice(0, 40)) + " is given twice in one object");
      blanks();
      if (text[at] !== ":") fail();
      at += 1;
      return { map, name };
    }

    // a stack of open lists (arrays) and objects ({map, name of the value that comes}), so that no depth is too much
    const open = [];
    for (;;) {
      blanks();
      let value;
      if (text[at] === "[") {
        at += 1;
        blanks();
        if (text[at] !== "]") {
          open.push([]);
          continue;
        }
        at += 1;
        value = [];
      } else if (text[at] === "{") {
        at += 1;
        blanks();
        if (text[at] !== "}") {
          open.push(key(new Map()));
          continue;
        }
        at += 1;
        value = new Map();
      } else value = scalar();
      // put the value where it belongs, and close what ends with it
      for (;;) {
        const last = open[open.length - 1];
        blanks();
        if (last === undefined) {
          if (at !== text.length) fail();
          return value;
        }
        const list = Array.isArray(last);
        if (list) last.push(value);
        else last.map.set(last.name, value);
        if (text[at] === ",") {
          at += 1;
          if (!list) open[open.length - 1] = key(last.map);
          break;
        }
        if (text[at] !== (list ? "]" : "}")) fail();
        at += 1;
        value = list ? last : last.map;
        open.pop();
      }
    }
  }

  // texts by code points: the order of UTF-16 units differs beyond U+FFFF
  function byCodePoints(a, b) {
    const length = Math.min(a.length, b.length);
    for (let i = 0; i < length; i += 1) {
      let x = a.charCodeAt(i);
      let y = b.charCodeAt(i);
      if (x === y) continue;
      // surrogates of a pair stand for characters beyond all others; a lone one stands for itself
      if (paired(a, i)) x += 0x10000;
      if (paired(b, i)) y += 0x10000;
      return x - y;
    }
    return a.length - b.length;
  }
  function paired(text, i) {
    const c = text.charCodeAt(i);
    if (c >= 0xd800 && c < 0xdc00) return text.codePointAt(i) > 0xffff;
    return c >= 0xdc00 && c < 0xe000 && i > 0 && text.codePointAt(i - 1) > 0xffff;
  }

  const SHORT = { "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\" };
  function quote(text) {
    const escape = (c) => SHORT[c] || "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0");
    return '"' + text.replace(/["\\]|[^ -~]/g, escape) + '"';
  }

  // the one way to write a value that its fingerprint is taken of: sorted keys, no blanks, only printable ASCII
  function canonical(value) {
    const out = [];
    // values and, as {raw}, the punctuation between them; the last one is written next
    const stack = [value];
    while (stack.length > 0) {
      const x = stack.pop();
      if (x === null) out.push("null");
      else if (typeof x === "string") out.push(quote(x));
      else if (typeof x === "bigint" || typeof x === "boolean") out.push(x.toString());
      else if (Array.isArray(x)) {
        if (x.every((entry) => typeof entry === "bigint")) out.push("[" + x.join(",") + "]");
        else {
          out.push("[");
          stack.push({ raw: "]" });
          for (let i = x.length - 1; i >= 0; i -= 1) {
            stack.push(x[i]);
            if (i > 0) stack.push({ raw: "," });
          }
        }
      } else if (x instanceof Map) {
        out.push("{");
        stack.push({ raw: "}" });
        const names = [...x.keys()].sort(byCodePoints);
        for (let i = names.length - 1; i >= 0; i -= 1) {
          stack.push(x.get(names[i]), { raw: (i > 0 ? "," : "") + quote(names[i]) + ":" });
        }
      } else out.push(x.raw);
    }
    return out.join("");
  }

  Object.assign(S, { Unreadable, BROKEN, parse, byCodePoints, canonical });
})(globalThis.Scoreproof);
