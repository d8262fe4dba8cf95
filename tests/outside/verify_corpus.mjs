// Runs the browser's verifier over a corpus: node verify_corpus.mjs FOLDER [--kinds a,b] [--show 10] [--slow]
// FOLDER holds certificates.jsonl and mutations.jsonl as `python -m benchmarks.proof_corpus` writes them. Prints how
// many agree in verdict and words and the differences; the exit status is 1 if there are any.
import fs from "node:fs";
import path from "node:path";
import readline from "node:readline";
import vm from "node:vm";
import { fileURLToPath } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));
const FILES = path.join(here, "..", "..", "verify", "js");

// the files joined in the order of their names, as a page joins them (in a context of its own every look at a global
// such as Math would be slow)
export function load() {
  const names = fs.readdirSync(FILES).filter((name) => name.endsWith(".js")).sort();
  const joined = names.map((name) => fs.readFileSync(path.join(FILES, name), "utf8")).join("\n");
  vm.runInThisContext(joined, { filename: "verifier.js" });
  return globalThis.Scoreproof;
}

function option(name) {
  const at = process.argv.indexOf(name);
  return at < 0 ? null : process.argv[at + 1];
}

async function main() {
  const folder = process.argv[2];
  const kinds = option("--kinds") === null ? null : option("--kinds").split(",");
  const most = Number(option("--show") || 10);
  const Scoreproof = load();
  const tally = {};
  const shown = [];
  let different = 0;
  for (const file of ["certificates.jsonl", "mutations.jsonl"]) {
    let number = 0;
    for await (const line of readline.createInterface({ input: fs.createReadStream(path.join(folder, file)) })) {
      number += 1;
      const wanted = JSON.parse(line);
      if (kinds !== null && !kinds.includes(wanted.kind)) continue;
      const start = performance.now();
      let got;
      try {
        got = Scoreproof.verify(wanted.certificate, {});
      } catch (error) {
        got = { valid: null, words: String(error.stack || error) };
      }
      const time = performance.now() - start;
      const name = wanted.kind + (file === "mutations.jsonl" ? " altered" : "");
      const own = (tally[name] ||= { all: 0, agree: 0, ms: 0, slowest: 0 });
      own.all += 1;
      own.ms += time;
      own.slowest = Math.max(own.slowest, time);
      if (got.valid === wanted.valid && got.words === wanted.words) own.agree += 1;
      else {
        different += 1;
        if (shown.length < most) {
          shown.push({ file, line: number, kind: wanted.kind, sort: wanted.sort, wanted: wanted.words, got: got.words, error: got.error && String(got.error.stack) });
        }
      }
    }
  }
  for (const [name, own] of Object.entries(tally)) {
    console.log(`${name}: ${own.agree} of ${own.all} agree, ${own.ms.toFixed(0)} ms, slowest ${own.slowest.toFixed(0)} ms`);
  }
  for (const each of shown) console.log(JSON.stringify(each, null, 1));
  console.log(`${different} differences`);
  process.exitCode = different > 0 ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
