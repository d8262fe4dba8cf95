// A certificate from its text to the verdict: the file, the fingerprint, the kind, and how long it may take.
(function (S) {
  "use strict";

  const { need, quoted, get, Rejected } = S;
  const FORMAT = "scoreproof-certificate/3";
  const MOST_BYTES = 64_000_000;
  const MOST_ENTRIES = 10_000_000;
  const MOST_LEVELS = 60;
  const MOST_BITS = 14_000;

  const now = () => (typeof performance === "undefined" ? Date.now() : performance.now());

  // Time, progress and a way to stop. Loops call `tick`, or `at(done, total)` where they know how far they are;
  // `progress` is told now and then, and stops everything by returning false.
  class Patience {
    constructor({ seconds = null, progress = null } = {}) {
      this.seconds = seconds;
      this.progress = progress;
      this.started = now();
      this.told = this.started;
      this.work = 0;
      this.left = 512;
      this.share = null;
    }
    tick(amount = 1) {
      this.left -= amount;
      if (this.left <= 0) this.look();
    }
    at(done, total) {
      this.share = total > 0 ? done / total : null;
      this.tick();
    }
    look() {
      this.work += 512 - this.left;
      this.left = 512;
      const time = now();
      need(this.seconds === null || time - this.started <= 1000 * this.seconds, () => "it was not re-checked to its end within " + this.seconds + " s");
      if (this.progress !== null && time - this.told >= 50) {
        this.told = time;
        need(this.progress({ work: this.work, share: this.share, seconds: (time - this.started) / 1000 }) !== false, "it was stopped");
      }
    }
  }

  // nothing but texts, whole numbers, truth values, null, lists and objects; level by level
  function plain(value) {
    const limit = 1n << BigInt(MOST_BITS);
    const light = (x) => typeof x === "string" || typeof x === "boolean";
    let level = [value];
    let met = 0;
    for (let depth = 1; level.length > 0; depth += 1) {
      need(depth <= MOST_LEVELS, "the certificate is nested too deeply");
      const next = [];
      for (const x of level) {
        if (typeof x === "bigint") need(x < limit && x > -limit, "a number is too large");
        else if (x instanceof Map) for (const entry of x.values()) next.push(entry);
        else if (Array.isArray(x)) {
          for (const entry of x) if (!light(entry)) next.push(entry);
        } else need(x === null || light(x), "a value is neither text nor whole number");
      }
      met += next.length;
      need(met <= MOST_ENTRIES, "the certificate is too large");
      level = next;
    }
  }

  function checked(certificate, patience) {
    S.keys(certificate, "the certificate", ["format", "scoreproof", "kind", "statement", "proof", "digest"]);
    const [format, kind, statement, proof] = ["format", "kind", "statement", "proof"].map((key) => get(certificate, key));
    need(format === FORMAT, () => "its format is " + quoted(format) + ", not '" + FORMAT + "'");
    need(S.isText(kind), "its kind is not a text");
    plain(statement);
    plain(proof);
    patience.look();
    need(get(certificate, "digest") === S.sha256(S.canonical([kind, statement, proof])), "it was altered after it was made (digest)");
    patience.look();
    const known = S.kinds[kind];
    need(known !== undefined, () => "unknown kind " + quoted(kind));
    S.keys(statement, "the statement", known.keys);
    need(S.isObject(proof), "the proof is not an object");
    return known.check(statement, proof, patience);
  }

  // {valid, words} of a certificate's text; throws Unreadable if it is no certificate at all
  function verify(text, options = {}) {
    // a text of so many UTF-16 units has at least as many bytes
    if (text.length > (options.bytes || MOST_BYTES)) throw new S.Unreadable("the file is too large");
    const patience = new Patience(options);
    const certificate = S.parse(text);
    if (!S.isObject(certificate) || !certificate.has("statement")) throw new S.Unreadable("this is not a certificate");
    try {
      return { valid: true, words: checked(certificate, patience) };
    } catch (error) {
      if (error instanceof Rejected) return { valid: false, words: "Not proved: " + error.message + "." };
      // a value of a wrong type for which there is no sentence
      if (error instanceof TypeError) return { valid: false, words: "Not proved: the certificate is malformed.", error };
      throw error;
    }
  }

  // kinds register themselves: name -> {keys, check(statement, proof, patience) -> words}
  S.kinds = S.kinds || Object.create(null);
  Object.assign(S, { FORMAT, Patience, verify });
})(globalThis.Scoreproof);
