// SHA-256 of an ASCII text. (The browser's own is not there on pages opened from a file, and answers later.)
(function (S) {
  "use strict";

  // the first 32 binary digits of the fractions of the square and cube roots of the first primes
  const primes = [];
  for (let k = 2; primes.length < 64; k += 1) if (primes.every((p) => k % p !== 0)) primes.push(k);
  const cubeRoot = (a) => {
    let low = 0n;
    let high = 1n << 40n;
    while (high - low > 1n) {
      const middle = (low + high) >> 1n;
      if (middle ** 3n <= a) low = middle;
      else high = middle;
    }
    return low;
  };
  const START = primes.slice(0, 8).map((p) => Number(S.isqrt(BigInt(p) << 64n) & 0xffffffffn));
  const ROUND = Int32Array.from(primes, (p) => Number(cubeRoot(BigInt(p) << 96n) & 0xffffffffn) | 0);

  function sha256(text) {
    const state = Int32Array.from(START, (x) => x | 0);
    const w = new Int32Array(64);
    const block = new Uint8Array(64);

    function mix() {
      for (let i = 0; i < 16; i += 1) {
        w[i] = (block[4 * i] << 24) | (block[4 * i + 1] << 16) | (block[4 * i + 2] << 8) | block[4 * i + 3];
      }
      for (let i = 16; i < 64; i += 1) {
        const x = w[i - 15];
        const y = w[i - 2];
        const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
        const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
        w[i] = (w[i - 16] + s0 + w[i - 7] + s1) | 0;
      }
      let [a, b, c, d, e, f, g, h] = state;
      for (let i = 0; i < 64; i += 1) {
        const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
        const t1 = (h + s1 + ((e & f) ^ (~e & g)) + ROUND[i] + w[i]) | 0;
        const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
        const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
        h = g;
        g = f;
        f = e;
        e = (d + t1) | 0;
        d = c;
        c = b;
        b = a;
        a = (t1 + t2) | 0;
      }
      const next = [a, b, c, d, e, f, g, h];
      for (let i = 0; i < 8; i += 1) state[i] += next[i];
    }

    const length = text.length;
    let at = 0;
    for (; at + 64 <= length; at += 64) {
      for (let i = 0; i < 64; i += 1) block[i] = text.charCodeAt(at + i);
      mix();
    }
    block.fill(0);
    for (let i = at; i < length; i += 1) block[i - at] = text.charCodeAt(i);
    block[length - at] = 128;
    if (length - at >= 56) {
      mix();
      block.fill(0);
    }
    const view = new DataView(block.buffer);
    view.setBigUint64(56, 8n * BigInt(length));
    mix();
    return Array.from(state, (x) => (x >>> 0).toString(16).padStart(8, "0")).join("");
  }

  S.sha256 = sha256;
})(globalThis.Scoreproof);
